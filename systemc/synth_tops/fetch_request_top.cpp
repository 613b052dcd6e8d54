// SPDX-License-Identifier: Apache-2.0
#include "core/fetch_request.h"
#include "synth_tops/top.h"

HEDDLE_TOP(fetch_request)
