// SPDX-License-Identifier: Apache-2.0
// A name by which CUDA programs include the runtime. Of the driver API there is what programs of the runtime mix with it: the word for success,
// with which they compare results of the runtime, and how much memory is free.
#pragma once

#include "cuda_runtime.h"

typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;

static inline CUresult cuMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  return cudaMemGetInfo(free_bytes, total_bytes) == cudaSuccess ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
