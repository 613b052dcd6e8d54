// SPDX-License-Identifier: Apache-2.0
#include "core/fork_join_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(fork_join_frontend)
