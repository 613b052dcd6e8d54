// SPDX-License-Identifier: Apache-2.0
// Top of constrained_selector at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "select/constrained_selector.h"

int sc_main(int, char**) {
  heddle::constrained_selector<> top("top");
  return 0;
}
