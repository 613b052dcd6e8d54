// SPDX-License-Identifier: Apache-2.0
// Top of dpe_scoreboard at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "scoreboard/dpe_scoreboard.h"

int sc_main(int, char**) {
  heddle::dpe_scoreboard<> top("top");
  return 0;
}
