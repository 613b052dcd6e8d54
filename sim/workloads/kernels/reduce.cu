// SPDX-License-Identifier: Apache-2.0
// Sum of an array: each thread adds up a strided part, a block adds up its threads in shared memory, the blocks meet in one atomic.
#include <heddle/kernel.h>

#define MAX_BLOCK 1024

extern "C" __global__ void reduce(const int* values, int count, int* sum) {
  __shared__ int partial[MAX_BLOCK];
  const int t = threadIdx.x;

  int mine = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < count; i += gridDim.x * blockDim.x) mine += values[i];
  partial[t] = mine;
  __syncthreads();

  for (int half = blockDim.x / 2; half > 0; half >>= 1) {
    if (t < half) partial[t] += partial[t + half];
    __syncthreads();
  }

  if (t == 0) atomicAdd(sum, partial[0]);
}
