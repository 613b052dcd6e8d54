// SPDX-License-Identifier: Apache-2.0
// Kernels that end well, for every kind of argument.
#include <heddle/kernel.h>

// Arguments of all kinds: buffers in, out, in and out, zeroed, and three scalars.
extern "C" __global__ void mix(const int* in, int* out, int* inout, int* zero, unsigned u, int i, float f) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  zero[t] += 5;
  out[t] = in[t] + (int)u + i + (int)(f * 8.0f) + zero[t];
  inout[t] *= 2;
}

// Which thread runs where: linear number of the thread in a three-dimensional launch.
extern "C" __global__ void shape(unsigned* out) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] = block * 1000 + thread;
}
