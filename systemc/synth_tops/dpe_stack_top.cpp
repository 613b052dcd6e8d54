// SPDX-License-Identifier: Apache-2.0
// Top of dpe_stack at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "stack/dpe_stack.h"

int sc_main(int, char**) {
  heddle::dpe_stack<> top("top");
  return 0;
}
