// SPDX-License-Identifier: Apache-2.0
// Top of issue_logic at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/issue_logic.h"

int sc_main(int, char**) {
  heddle::issue_logic<> top("top");
  return 0;
}
