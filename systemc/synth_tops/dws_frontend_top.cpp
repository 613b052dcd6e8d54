// SPDX-License-Identifier: Apache-2.0
// Pins of the twins inside carry 64 paths: fewer warps than by default.
#ifndef HEDDLE_PARAMETERS
#define HEDDLE_PARAMETERS 8
#endif
#include "core/dws_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(dws_frontend)
