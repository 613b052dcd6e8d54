// SPDX-License-Identifier: Apache-2.0
#include "stack/dpe_forward_stack.h"
#include "synth_tops/top.h"

HEDDLE_TOP(dpe_forward_stack)
