// SPDX-License-Identifier: Apache-2.0
#include "core/ibuffer.h"
#include "synth_tops/top.h"

HEDDLE_TOP(ibuffer)
