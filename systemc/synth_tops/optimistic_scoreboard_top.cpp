// SPDX-License-Identifier: Apache-2.0
// Top of optimistic_scoreboard at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "scoreboard/optimistic_scoreboard.h"

int sc_main(int, char**) {
  heddle::optimistic_scoreboard<> top("top");
  return 0;
}
