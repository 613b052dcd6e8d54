// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/bitmap_scoreboard.h"
#include "synth_tops/top.h"

HEDDLE_TOP(bitmap_scoreboard)
