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

extern "C" __global__ void in_double(double* out) {
  double sum = threadIdx.x;
  for (int i = 1; i < 20; ++i) sum = sum * 1.5 + (double)i;
  out[threadIdx.x] = sum;
}

extern "C" __global__ void divides(long long* out) {
  for (long long i = 1; i < 20; ++i) out[threadIdx.x] = (out[threadIdx.x] + 1000000007LL) / i;
}
