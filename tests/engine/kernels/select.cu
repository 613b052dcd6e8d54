// SPDX-License-Identifier: Apache-2.0
// Moves under every comparison that the compiler writes as a branch over one move; with --select they are selections.
#include <heddle/kernel.h>

__device__ __noinline__ unsigned pick(int x, int y, unsigned a, unsigned b) {
  unsigned h = 17;
#define MIX(condition)           \
  {                              \
    unsigned v = b;              \
    if (condition) v = a;        \
    asm("" : "+r"(v));           \
    h = h * 31 + v;              \
  }
#define ZERO(condition)          \
  {                              \
    unsigned v = b + 3;          \
    asm("" : "+r"(v));           \
    if (condition) v = 0;        \
    asm("" : "+r"(v));           \
    h = h * 31 + v;              \
  }
#define ALL(one)                                                                     \
  one(x == y) one(x != y) one(x < y) one(x >= y) one(x > y) one(x <= y)              \
  one(x == 0) one(x != 0) one(x < 0) one(x >= 0) one(x > 0) one(x <= 0)              \
  one((unsigned)x < (unsigned)y) one((unsigned)x >= (unsigned)y) one((unsigned)x > (unsigned)y) one((unsigned)x <= (unsigned)y)
  ALL(MIX)
  ALL(ZERO)
  return h;
}

extern "C" __global__ void selections(unsigned* out) {
  const unsigned i = heddle_thread_id();
  unsigned sum = 0;
  for (int x = -2; x <= 2; ++x) sum = sum * 7 + pick(x, (int)(i % 5) - 2, i * 2654435761u, ~i);
  out[i] = sum;
}
