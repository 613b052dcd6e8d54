// SPDX-License-Identifier: Apache-2.0
#include "core/dpe_forward_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(dpe_forward_frontend)
