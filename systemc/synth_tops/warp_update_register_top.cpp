// SPDX-License-Identifier: Apache-2.0
// Top of warp_update_register at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/warp_update_register.h"

int sc_main(int, char**) {
  heddle::warp_update_register<> top("top");
  return 0;
}
