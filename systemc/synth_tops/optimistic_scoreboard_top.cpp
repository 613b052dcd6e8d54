// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/optimistic_scoreboard.h"
#include "synth_tops/top.h"

HEDDLE_TOP(optimistic_scoreboard)
