// SPDX-License-Identifier: Apache-2.0
#include "core/cbar_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(cbar_frontend)
