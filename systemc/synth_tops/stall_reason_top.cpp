// SPDX-License-Identifier: Apache-2.0
#include "core/stall_reason.h"
#include "synth_tops/top.h"

HEDDLE_TOP(stall_reason)
