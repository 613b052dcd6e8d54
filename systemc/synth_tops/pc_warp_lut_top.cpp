// SPDX-License-Identifier: Apache-2.0
#include "dwf/pc_warp_lut.h"
#include "synth_tops/top.h"

HEDDLE_TOP(pc_warp_lut)
