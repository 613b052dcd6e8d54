// SPDX-License-Identifier: Apache-2.0
#include "stack/resolve_sides.h"
#include "synth_tops/top.h"

HEDDLE_TOP(resolve_sides)
