// SPDX-License-Identifier: Apache-2.0
// CUDA's qualifiers: attributes for clang's CUDA mode (heddle-nvcc on .cu files), nothing for a plain C or C++ compiler.
#pragma once

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#ifdef __riscv
#define __global__ __attribute__((global, annotate("heddle.kernel")))  // heddle-nvcc marks it for the loader
#else
#define __global__ __attribute__((global))
#endif
#define __constant__ __attribute__((constant))
#define __shared__ __attribute__((shared))
#define __managed__ __attribute__((device, annotate("heddle.managed")))  // heddle-nvcc puts a pointer in its place
#define __launch_bounds__(...)
#define __cluster_dims__(...)
#define __grid_constant__
#else
#define __host__
#define __device__
#define __global__
#define __constant__
#define __shared__
#define __launch_bounds__(...)
#endif
#define __noinline__ __attribute__((noinline))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __inline_hint__
#define __align__(n) __attribute__((aligned(n)))
#define __thread__ __thread
#define __cdecl
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define CUDARTAPI
#define CUDART_CB
#define __builtin_align__(n) __attribute__((aligned(n)))
