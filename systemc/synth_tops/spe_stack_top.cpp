// SPDX-License-Identifier: Apache-2.0
#include "stack/spe_stack.h"
#include "synth_tops/top.h"

HEDDLE_TOP(spe_stack)
