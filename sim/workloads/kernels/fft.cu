// SPDX-License-Identifier: Apache-2.0
// Fourier transforms of complex points, radix 2, a transform a block: the points are loaded in bit-reversed order, then log2(points)
// stages of butterflies follow with a barrier after each, in shared memory or (`fft_global`) in the result; or a launch loads the points
// and one works a stage (`fft_load`, `fft_stage`).
#include <heddle/kernel.h>

#define MAX_POINTS 1024

__device__ __forceinline__ void load(const float2* in, int base, float2* data, int points, int log2_points, int t, int threads) {
  for (int i = t; i < points; i += threads) data[__brev(i) >> (32 - log2_points)] = in[base + i];
}

__device__ __forceinline__ void butterflies(float2* data, int points, int half, int t, int threads) {
  const float step = -3.14159265358979f * heddle_rcp(half);  // exact but for pi: half is a power of two
  for (int b = t; b < points / 2; b += threads) {
    const int position = b & (half - 1);
    const int low = 2 * b - position;
    const int high = low + half;
    float sine;
    float cosine;
    __sincosf(step * position, &sine, &cosine);
    const float2 upper = data[low];
    const float2 lower = data[high];
    const float re = lower.x * cosine - lower.y * sine;
    const float im = lower.x * sine + lower.y * cosine;
    data[low] = make_float2(upper.x + re, upper.y + im);
    data[high] = make_float2(upper.x - re, upper.y - im);
  }
}

// From in to data; ends with a barrier.
__device__ __forceinline__ void transform(const float2* in, int base, float2* data, int points, int log2_points, int t, int threads) {
  load(in, base, data, points, log2_points, t, threads);
  __syncthreads();

  for (int half = 1; half < points; half <<= 1) {
    butterflies(data, points, half, t, threads);
    __syncthreads();
  }
}

extern "C" __global__ void fft(const float2* in, float2* out, int points, int log2_points) {
  __shared__ float2 data[MAX_POINTS];
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int base = blockIdx.x * points;

  transform(in, base, data, points, log2_points, t, threads);
  for (int i = t; i < points; i += threads) out[base + i] = data[i];
}

extern "C" __global__ void fft_global(const float2* in, float2* out, int points, int log2_points) {
  const int base = blockIdx.x * points;
  transform(in, base, out + base, points, log2_points, threadIdx.x, blockDim.x);
}

extern "C" __global__ void fft_load(const float2* in, float2* out, int points, int log2_points) {
  const int base = blockIdx.x * points;
  load(in, base, out + base, points, log2_points, threadIdx.x, blockDim.x);
}

extern "C" __global__ void fft_stage(float2* out, int points, int half) {
  butterflies(out + blockIdx.x * points, points, half, threadIdx.x, blockDim.x);
}
