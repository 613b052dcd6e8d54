// SPDX-License-Identifier: Apache-2.0
#include "select/warp_selector.h"
#include "synth_tops/top.h"

HEDDLE_TOP(warp_selector)
