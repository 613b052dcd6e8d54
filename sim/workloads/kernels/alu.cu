// SPDX-License-Identifier: Apache-2.0
// Integer work only: eight chains without a dependence on each other, unrolled, no memory access in the loop, no divergence.
#include <heddle/kernel.h>

#define STEP(a, k) a = ((a << 3) ^ (a >> 5)) + k;
#define ROUND(k) STEP(a0, k) STEP(a1, k) STEP(a2, k) STEP(a3, k) STEP(a4, k) STEP(a5, k) STEP(a6, k) STEP(a7, k)

extern "C" __global__ void alu(unsigned* result, unsigned iterations, unsigned seed) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a0 = seed + i, a1 = a0 + 1, a2 = a0 + 2, a3 = a0 + 3, a4 = a0 + 4, a5 = a0 + 5, a6 = a0 + 6, a7 = a0 + 7;
  for (unsigned n = 0; n < iterations; ++n) {
    ROUND(1) ROUND(2) ROUND(3) ROUND(4)
  }
  result[i] = a0 ^ a1 ^ a2 ^ a3 ^ a4 ^ a5 ^ a6 ^ a7;
}
