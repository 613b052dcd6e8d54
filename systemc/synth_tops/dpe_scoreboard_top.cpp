// SPDX-License-Identifier: Apache-2.0
#include "scoreboard/dpe_scoreboard.h"
#include "synth_tops/top.h"

HEDDLE_TOP(dpe_scoreboard)
