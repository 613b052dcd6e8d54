// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of 2^k elements by a block, one element a thread, in shared memory.
#include <heddle/kernel.h>

#define MAX_BLOCK 1024

extern "C" __global__ void bitonic(unsigned* keys) {
  __shared__ unsigned shared[MAX_BLOCK];
  const unsigned t = threadIdx.x;
  const unsigned base = blockIdx.x * blockDim.x;

  shared[t] = keys[base + t];
  __syncthreads();

  for (unsigned run = 2; run <= blockDim.x; run <<= 1) {
    for (unsigned step = run >> 1; step > 0; step >>= 1) {
      const unsigned partner = t ^ step;
      if (partner > t) {
        const unsigned mine = shared[t];
        const unsigned other = shared[partner];
        if ((t & run) == 0) {  // this run ascends
          if (mine > other) {
            shared[t] = other;
            shared[partner] = mine;
          }
        } else {
          if (mine < other) {
            shared[t] = other;
            shared[partner] = mine;
          }
        }
      }
      __syncthreads();
    }
  }

  keys[base + t] = shared[t];
}
