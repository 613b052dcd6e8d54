// SPDX-License-Identifier: Apache-2.0
// A name by which CUDA programs include the runtime. Of the driver API there is only the word for success, which programs compare results of
// the runtime with.
#pragma once

#include "cuda_runtime.h"

typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
