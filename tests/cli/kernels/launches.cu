// SPDX-License-Identifier: Apache-2.0
// Kernels for lists of launches: variables of the program, dynamic shared memory, a step that is repeated.
#include <heddle/kernel.h>

__device__ int offsets[4] = {1, 2, 3, 4};
__constant__ int factor = 1;

extern "C" __global__ void step(const int* from, int* to, int n) {
  int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) to[i] = factor * from[i] + offsets[i % 4];
}

extern "C" __global__ void turn(int* data) {
  extern __shared__ int buffer[];
  buffer[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = buffer[blockDim.x - 1 - threadIdx.x];
}
