// SPDX-License-Identifier: Apache-2.0
// Top of warp_pool at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/warp_pool.h"

int sc_main(int, char**) {
  heddle::warp_pool<> top("top");
  return 0;
}
