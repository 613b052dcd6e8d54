// SPDX-License-Identifier: Apache-2.0
// Three shapes of divergence, with the same work for each thread that works.
#include <heddle/kernel.h>

__device__ int work(int x) {
  for (int k = 0; k < 16; ++k) x = (x ^ x << 3) + k;
  return x;
}

// Both sides have work.
extern "C" __global__ void two_sides(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) out[i] = work(in[i]);
  else out[i] = work(~in[i]);
}

// One side is empty.
extern "C" __global__ void one_side(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) out[i] = work(in[i]);
}

// Threads leave a loop one after the other.
extern "C" __global__ void loop_exits(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  for (int k = 0; k <= i % 8; ++k) x = work(x);
  out[i] = x;
}
