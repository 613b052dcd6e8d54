// SPDX-License-Identifier: Apache-2.0
// All helpers but those that call the runtime.
#pragma once

#include "exception.h"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
