// SPDX-License-Identifier: Apache-2.0
// make_int2(x, y) and its kin.
#pragma once

#include "vector_types.h"

#define HEDDLE_FN static __inline__ __host__ __device__ __attribute__((always_inline, unused))
#define HEDDLE_MAKE(name, base)                                                                              \
  HEDDLE_FN name##1 make_##name##1(base x) { name##1 v = {x}; return v; }                                    \
  HEDDLE_FN name##2 make_##name##2(base x, base y) { name##2 v = {x, y}; return v; }                         \
  HEDDLE_FN name##3 make_##name##3(base x, base y, base z) { name##3 v = {x, y, z}; return v; }              \
  HEDDLE_FN name##4 make_##name##4(base x, base y, base z, base w) { name##4 v = {x, y, z, w}; return v; }

HEDDLE_MAKE(char, signed char)
HEDDLE_MAKE(uchar, unsigned char)
HEDDLE_MAKE(short, short)
HEDDLE_MAKE(ushort, unsigned short)
HEDDLE_MAKE(int, int)
HEDDLE_MAKE(uint, unsigned int)
HEDDLE_MAKE(long, heddle_long)
HEDDLE_MAKE(ulong, heddle_ulong)
HEDDLE_MAKE(longlong, long long)
HEDDLE_MAKE(ulonglong, unsigned long long)
HEDDLE_MAKE(float, float)
HEDDLE_MAKE(double, double)
#undef HEDDLE_MAKE
#undef HEDDLE_FN
