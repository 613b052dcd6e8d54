// SPDX-License-Identifier: Apache-2.0
// Top of spe_stack at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "stack/spe_stack.h"

int sc_main(int, char**) {
  heddle::spe_stack<> top("top");
  return 0;
}
