// SPDX-License-Identifier: Apache-2.0
// CUDA's vector types and dim3: sizes and alignments as CUDA defines them for a 64-bit host, in both halves of a program.
#pragma once

#include "host_defines.h"

#if __riscv_xlen == 32  // a host's long has eight bytes
typedef long long heddle_long;
typedef unsigned long long heddle_ulong;
#else
typedef long heddle_long;
typedef unsigned long heddle_ulong;
#endif

#define HEDDLE_VECTOR_TYPES(name, base, align2, align4)                    \
  struct name##1 { base x; };                                              \
  struct __attribute__((aligned(align2))) name##2 { base x, y; };          \
  struct name##3 { base x, y, z; };                                        \
  struct __attribute__((aligned(align4))) name##4 { base x, y, z, w; };    \
  typedef struct name##1 name##1;                                          \
  typedef struct name##2 name##2;                                          \
  typedef struct name##3 name##3;                                          \
  typedef struct name##4 name##4;

HEDDLE_VECTOR_TYPES(char, signed char, 2, 4)
HEDDLE_VECTOR_TYPES(uchar, unsigned char, 2, 4)
HEDDLE_VECTOR_TYPES(short, short, 4, 8)
HEDDLE_VECTOR_TYPES(ushort, unsigned short, 4, 8)
HEDDLE_VECTOR_TYPES(int, int, 8, 16)
HEDDLE_VECTOR_TYPES(uint, unsigned int, 8, 16)
HEDDLE_VECTOR_TYPES(long, heddle_long, 16, 16)
HEDDLE_VECTOR_TYPES(ulong, heddle_ulong, 16, 16)
HEDDLE_VECTOR_TYPES(longlong, long long, 16, 16)
HEDDLE_VECTOR_TYPES(ulonglong, unsigned long long, 16, 16)
HEDDLE_VECTOR_TYPES(float, float, 8, 16)
HEDDLE_VECTOR_TYPES(double, double, 16, 16)
#undef HEDDLE_VECTOR_TYPES

struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  __host__ __device__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
};
typedef struct dim3 dim3;
