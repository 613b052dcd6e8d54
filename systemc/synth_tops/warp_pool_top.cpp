// SPDX-License-Identifier: Apache-2.0
#include "dwf/warp_pool.h"
#include "synth_tops/top.h"

HEDDLE_TOP(warp_pool)
