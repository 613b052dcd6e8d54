// SPDX-License-Identifier: Apache-2.0
// What a CUDA program includes: the runtime API with its C++ forms, and in .cu files, which heddle-nvcc compiles twice, the language: index
// variables, device functions, textures. heddle-nvcc includes it in front of every .cu file.
#pragma once
#define __CUDA_RUNTIME_H__  // what helper headers look for

#ifdef __CUDA__
// The standard library in front of CUDA's names. What kernels may call is declared for both sides; variadic functions and operator new
// must not be.
#include <assert.h>
#include <memory>
#include <new>
#include <stdio.h>
#include <utility>
#endif

#include "host_defines.h"

#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#include <ctype.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include "device_math.h"
#pragma clang force_cuda_host_device end
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
#ifdef __CUDA__
#include "device_language.h"
#endif
#include "runtime_templates.h"
#endif
