// SPDX-License-Identifier: Apache-2.0
// The loop for which the immediate post-dominator is not the best place to reconverge ("Dynamic Warp Formation and Scheduling for
// Efficient GPU Control Flow", Figure 7): in every iteration half the threads have work, in the next one the other half. Threads that
// start at 1 could run one iteration ahead of those that start at 0 and stay in step with them.
#include <heddle/kernel.h>

// Volatile: each increment stays a load and a store inside the branch, in every iteration that wants it.
template <int Increments>
__device__ void loop(volatile unsigned* data, int iterations, int threads) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  for (int i = thread % 2; i < iterations; ++i) {
    if (i % 2) {
#pragma GCC unroll 32
      for (int k = 0; k < Increments; ++k) data[thread] = data[thread] + 1;
    }
  }
}

#define EVENODD(increments)                                                                              \
  extern "C" __global__ void evenodd_##increments(volatile unsigned* data, int iterations, int threads) { \
    loop<increments>(data, iterations, threads);                                                         \
  }
EVENODD(1)
EVENODD(2)
EVENODD(4)
EVENODD(8)
EVENODD(16)
EVENODD(32)
