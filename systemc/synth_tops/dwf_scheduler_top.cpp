// SPDX-License-Identifier: Apache-2.0
#include "dwf/dwf_scheduler.h"
#include "synth_tops/top.h"

HEDDLE_TOP(dwf_scheduler)
