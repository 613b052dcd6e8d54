// SPDX-License-Identifier: Apache-2.0
#include "core/software_frontend.h"
#include "synth_tops/top.h"

HEDDLE_TOP(software_frontend)
