// SPDX-License-Identifier: Apache-2.0
// Top of frontend at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "core/frontend.h"

int sc_main(int, char**) {
  heddle::frontend<> top("top");
  return 0;
}
