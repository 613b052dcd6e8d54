// SPDX-License-Identifier: Apache-2.0
// A warp that parts into as many ways as asked, all of one length.
#include <heddle/kernel.h>

#define STEP(sum, n) (((sum) ^ ((n) + 1)) * 5)
#define TURN(sum, n) STEP(STEP(STEP(STEP(sum, n), n), n), n)
#define WAY(n)                                                           \
  case n:                                                                \
    for (int i = 0; i < 64; ++i) sum = TURN(TURN(TURN(TURN(sum, n), n), n), n); \
    break;
#define FOUR(n) WAY(n) WAY((n) + 1) WAY((n) + 2) WAY((n) + 3)

extern "C" __global__ void ways(unsigned* sums, unsigned count) {
  unsigned sum = 0;
  switch (threadIdx.x % count) { FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16) FOUR(20) FOUR(24) FOUR(28) }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
