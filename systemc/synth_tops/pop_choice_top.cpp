// SPDX-License-Identifier: Apache-2.0
#include "stack/pop_choice.h"
#include "synth_tops/top.h"

HEDDLE_TOP(pop_choice)
