// SPDX-License-Identifier: Apache-2.0
#include "core/compact_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(compact_frontend)
