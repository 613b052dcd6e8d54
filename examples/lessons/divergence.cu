// SPDX-License-Identifier: Apache-2.0
// One if/else, four times: what the compiler and the machine make of it depends on what stands in its sides.
#include <heddle/kernel.h>

// Short sides. With optimization the compiler computes both and keeps the right one.
extern "C" __global__ void folded(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int x = in[i];
  if (i % 2 == 0) x = x + 5;
  else x = x - 3;
  out[i] = x;
}

// The same, with stores that the compiler must leave where they are.
extern "C" __global__ void kept(const int* in, volatile int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int x = in[i];
  if (i % 2 == 0) out[i] = x + 5;
  else out[i] = x - 3;
}

__device__ int mix_up(int x) {
  for (int k = 0; k < 64; ++k) x = (x ^ x << 3) + k;
  return x;
}

__device__ int mix_down(int x) {
  for (int k = 0; k < 64; ++k) x = (x ^ x >> 5) - k;
  return x;
}

// Sides with work in them: neighbours go different ways.
extern "C" __global__ void parted(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2 == 0) out[i] = mix_up(in[i]);
  else out[i] = mix_down(in[i]);
}

// The same work: whole warps go different ways (of 8 threads, as the preset teach has them).
extern "C" __global__ void together(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i / 8 % 2 == 0) out[i] = mix_up(in[i]);
  else out[i] = mix_down(in[i]);
}
