// SPDX-License-Identifier: Apache-2.0
// Pins of a twin carry 64 paths: fewer warps than by default.
#ifndef HEDDLE_PARAMETERS
#define HEDDLE_PARAMETERS 8
#endif
#include "dws/warp_split_table.h"
#include "synth_tops/top.h"

HEDDLE_TOP(warp_split_table)
