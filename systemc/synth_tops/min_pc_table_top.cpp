// SPDX-License-Identifier: Apache-2.0
#include "minpc/min_pc_table.h"
#include "synth_tops/top.h"

HEDDLE_TOP(min_pc_table)
