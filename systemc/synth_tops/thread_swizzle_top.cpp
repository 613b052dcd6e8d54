// SPDX-License-Identifier: Apache-2.0
#include "dwf/thread_swizzle.h"
#include "synth_tops/top.h"

HEDDLE_TOP(thread_swizzle)
