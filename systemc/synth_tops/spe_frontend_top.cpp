// SPDX-License-Identifier: Apache-2.0
#include "core/spe_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(spe_frontend)
