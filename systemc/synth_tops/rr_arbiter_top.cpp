// SPDX-License-Identifier: Apache-2.0
#include "common/rr_arbiter.h"
#include "synth_tops/top.h"

HEDDLE_TOP(rr_arbiter)
