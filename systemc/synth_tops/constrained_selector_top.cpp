// SPDX-License-Identifier: Apache-2.0
#include "select/constrained_selector.h"
#include "synth_tops/top.h"

HEDDLE_TOP(constrained_selector)
