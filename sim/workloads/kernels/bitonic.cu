// SPDX-License-Identifier: Apache-2.0
// Bitonic sort of 2^k elements by a block, one element a thread: in shared memory, or (`bitonic_global`) where they are, or there with
// a launch for every step (`bitonic_step`).
#include <heddle/kernel.h>

#define MAX_BLOCK 1024

// Key t is that of this thread.
__device__ __forceinline__ void exchange(unsigned* keys, unsigned t, unsigned run, unsigned step) {
  const unsigned partner = t ^ step;
  if (partner > t) {
    const unsigned mine = keys[t];
    const unsigned other = keys[partner];
    if ((t & run) == 0) {  // this run ascends
      if (mine > other) {
        keys[t] = other;
        keys[partner] = mine;
      }
    } else {
      if (mine < other) {
        keys[t] = other;
        keys[partner] = mine;
      }
    }
  }
}

// Ends with a barrier.
__device__ __forceinline__ void sort(unsigned* keys, unsigned t) {
  for (unsigned run = 2; run <= blockDim.x; run <<= 1) {
    for (unsigned step = run >> 1; step > 0; step >>= 1) {
      exchange(keys, t, run, step);
      __syncthreads();
    }
  }
}

extern "C" __global__ void bitonic(unsigned* keys) {
  __shared__ unsigned shared[MAX_BLOCK];
  const unsigned t = threadIdx.x;
  const unsigned base = blockIdx.x * blockDim.x;

  shared[t] = keys[base + t];
  __syncthreads();
  sort(shared, t);
  keys[base + t] = shared[t];
}

extern "C" __global__ void bitonic_global(unsigned* keys) { sort(keys + blockIdx.x * blockDim.x, threadIdx.x); }

extern "C" __global__ void bitonic_step(unsigned* keys, unsigned run, unsigned step) {
  exchange(keys + blockIdx.x * blockDim.x, threadIdx.x, run, step);
}
