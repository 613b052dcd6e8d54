// SPDX-License-Identifier: Apache-2.0
#include "stack/compact_stack.h"
#include "synth_tops/top.h"

HEDDLE_TOP(compact_stack)
