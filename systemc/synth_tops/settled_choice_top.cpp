// SPDX-License-Identifier: Apache-2.0
#include "stack/settled_choice.h"
#include "synth_tops/top.h"

HEDDLE_TOP(settled_choice)
