// SPDX-License-Identifier: Apache-2.0
#include "core/hazards.h"
#include "synth_tops/top.h"

HEDDLE_TOP(hazards)
