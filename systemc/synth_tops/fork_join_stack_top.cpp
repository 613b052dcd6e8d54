// SPDX-License-Identifier: Apache-2.0
#include "stack/fork_join_stack.h"
#include "synth_tops/top.h"

HEDDLE_TOP(fork_join_stack)
