// SPDX-License-Identifier: Apache-2.0
// A name by which CUDA programs include a part of the runtime.
#pragma once

#include "cuda_runtime.h"
