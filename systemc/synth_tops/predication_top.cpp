// SPDX-License-Identifier: Apache-2.0
#include "core/predication.h"
#include "synth_tops/top.h"

HEDDLE_TOP(predication)
