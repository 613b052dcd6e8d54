// SPDX-License-Identifier: Apache-2.0
// One branch with two sides of the same length, again and again: each thread takes it with a given probability, independently of all
// others. What warps formed anew can make of it has a formula (docs/dwf_study.md).
#include <heddle/kernel.h>

#define STEPS 32  // of three instructions on either side

extern "C" __global__ void ifelse(unsigned* values, int rounds, unsigned one_in) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned value = values[thread];
  unsigned random = (thread + 1) * 2654435761u;
  for (int i = 0; i < rounds; ++i) {
    random ^= random << 13;
    random ^= random >> 17;
    random ^= random << 5;
    if ((random >> 8 & (one_in - 1)) == 0) {
#pragma GCC unroll 32
      for (int k = 0; k < STEPS; ++k) value = (value ^ value << 3) + random;
    } else {
#pragma GCC unroll 32
      for (int k = 0; k < STEPS; ++k) value = (value ^ value >> 5) - random;
    }
  }
  values[thread] = value;
}
