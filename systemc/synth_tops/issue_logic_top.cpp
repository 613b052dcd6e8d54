// SPDX-License-Identifier: Apache-2.0
#include "dwf/issue_logic.h"
#include "synth_tops/top.h"

HEDDLE_TOP(issue_logic)
