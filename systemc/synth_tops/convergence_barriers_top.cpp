// SPDX-License-Identifier: Apache-2.0
#include "stack/convergence_barriers.h"
#include "synth_tops/top.h"

HEDDLE_TOP(convergence_barriers)
