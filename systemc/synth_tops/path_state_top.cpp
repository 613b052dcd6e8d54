// SPDX-License-Identifier: Apache-2.0
#include "core/path_state.h"
#include "synth_tops/top.h"

HEDDLE_TOP(path_state)
