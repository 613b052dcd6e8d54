// SPDX-License-Identifier: Apache-2.0
// Top of predication at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "core/predication.h"

int sc_main(int, char**) {
  heddle::predication<> top("top");
  return 0;
}
