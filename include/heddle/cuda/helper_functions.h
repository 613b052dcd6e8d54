// SPDX-License-Identifier: Apache-2.0
// All helpers but those for images.
#pragma once

#include "helper_string.h"
#include "helper_timer.h"
