// SPDX-License-Identifier: Apache-2.0
// Top of bitmap_scoreboard at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "scoreboard/bitmap_scoreboard.h"

int sc_main(int, char**) {
  heddle::bitmap_scoreboard<> top("top");
  return 0;
}
