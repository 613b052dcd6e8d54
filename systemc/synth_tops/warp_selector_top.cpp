// SPDX-License-Identifier: Apache-2.0
// Top of warp_selector at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "select/warp_selector.h"

int sc_main(int, char**) {
  heddle::warp_selector<> top("top");
  return 0;
}
