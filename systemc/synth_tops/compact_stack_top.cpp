// SPDX-License-Identifier: Apache-2.0
// Top of compact_stack at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "stack/compact_stack.h"

int sc_main(int, char**) {
  heddle::compact_stack<> top("top");
  return 0;
}
