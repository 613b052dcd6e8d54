// SPDX-License-Identifier: Apache-2.0
// Top of ibuffer at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "core/ibuffer.h"

int sc_main(int, char**) {
  heddle::ibuffer<> top("top");
  return 0;
}
