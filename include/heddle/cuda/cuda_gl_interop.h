// SPDX-License-Identifier: Apache-2.0
// Programs include it that use nothing of OpenGL. Its functions are not there.
#pragma once

#include "cuda_runtime.h"
