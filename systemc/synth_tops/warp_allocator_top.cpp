// SPDX-License-Identifier: Apache-2.0
// Top of warp_allocator at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/warp_allocator.h"

int sc_main(int, char**) {
  heddle::warp_allocator<> top("top");
  return 0;
}
