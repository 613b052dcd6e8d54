// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/spe_scoreboard.h"
#include "synth_tops/top.h"

HEDDLE_TOP(spe_scoreboard)
