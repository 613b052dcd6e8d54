// SPDX-License-Identifier: Apache-2.0
// Top of spe_scoreboard at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "scoreboard/spe_scoreboard.h"

int sc_main(int, char**) {
  heddle::spe_scoreboard<> top("top");
  return 0;
}
