// SPDX-License-Identifier: Apache-2.0
#include "minpc/minpc_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(minpc_frontend)
