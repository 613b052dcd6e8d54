// SPDX-License-Identifier: Apache-2.0
#include "stack/software_stack.h"
#include "synth_tops/top.h"

HEDDLE_TOP(software_stack)
