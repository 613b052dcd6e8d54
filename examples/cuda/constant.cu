// SPDX-License-Identifier: Apache-2.0
// constant: a filter whose taps are in constant memory, set by the host (cudaMemcpyToSymbol), with counters in __device__ variables
// that the host reads (cudaMemcpyFromSymbol).
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                       \
  do {                                                                    \
    cudaError_t error = (call);                                           \
    if (error != cudaSuccess) {                                           \
      printf("constant: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                            \
    }                                                                     \
  } while (0)

#define RADIUS 4
#define TAPS (2 * RADIUS + 1)

struct Limits {
  float low, high;
};

__constant__ float taps[TAPS];
__constant__ Limits limits = {-1.5f, 1.5f};  // as good as any until the host says otherwise
__device__ unsigned int clipped;
__device__ int launches = 100;

__global__ void filter(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++launches;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < TAPS; ++t) {
    const int j = i + t - RADIUS;
    if (j >= 0 && j < n) sum += taps[t] * in[j];
  }
  if (sum < limits.low || sum > limits.high) atomicAdd(&clipped, 1u);
  out[i] = fminf(fmaxf(sum, limits.low), limits.high);
}

// Runs the filter, compares result and counters; true if all is as it should be.
static bool run(const std::vector<float>& in, const float* device_in, float* device_out, const float* host_taps, Limits host_limits,
                int expected_launches) {
  const int n = (int)in.size();
  const unsigned int zero = 0;
  CHECK(cudaMemcpyToSymbol(clipped, &zero, sizeof zero));
  filter<<<(n + 127) / 128, 128>>>(device_in, device_out, n);
  CHECK(cudaGetLastError());
  std::vector<float> out(n);
  unsigned int count;
  int launch_count;
  CHECK(cudaMemcpy(&out[0], device_out, n * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpyFromSymbol(&count, clipped, sizeof count));
  CHECK(cudaMemcpyFromSymbol(&launch_count, launches, sizeof launch_count, 0, cudaMemcpyDeviceToHost));

  unsigned int expected_count = 0;
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int t = 0; t < TAPS; ++t) {
      const int j = i + t - RADIUS;
      if (j >= 0 && j < n) sum += host_taps[t] * in[j];
    }
    if (sum < host_limits.low || sum > host_limits.high) ++expected_count;
    const float expected = fminf(fmaxf(sum, host_limits.low), host_limits.high);
    if (out[i] != expected) {
      printf("constant: element %d is %g, not %g\n", i, out[i], expected);
      return false;
    }
  }
  if (count != expected_count || launch_count != expected_launches) {
    printf("constant: the counters are %u and %d, not %u and %d\n", count, launch_count, expected_count, expected_launches);
    return false;
  }
  return true;
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 15000;
  if (n < 1) {
    printf("constant: the number of elements must be positive\n");
    return 1;
  }
  // Small multiples of 1/64 and 1/4: no sum is rounded, whatever its order.
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[i] = ((i * 37) % 129 - 64) / 64.0f;
  float host_taps[TAPS];
  for (int t = 0; t < TAPS; ++t) host_taps[t] = (t % 3 + 1) / 4.0f;

  float *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, n * sizeof(float)));
  CHECK(cudaMalloc(&device_out, n * sizeof(float)));
  CHECK(cudaMemcpy(device_in, &in[0], n * sizeof(float), cudaMemcpyHostToDevice));

  Limits host_limits = {-1.5f, 1.5f};
  CHECK(cudaMemcpyToSymbol(taps, host_taps, sizeof host_taps));
  if (!run(in, device_in, device_out, host_taps, host_limits, 101)) return 1;

  // Only the tap in the middle, through an offset; the limits, through their address.
  host_taps[RADIUS] = -2.0f;
  host_limits.high = 0.5f;
  CHECK(cudaMemcpyToSymbol(taps, &host_taps[RADIUS], sizeof(float), RADIUS * sizeof(float), cudaMemcpyHostToDevice));
  void* address;
  size_t size;
  CHECK(cudaGetSymbolAddress(&address, limits));
  CHECK(cudaGetSymbolSize(&size, limits));
  CHECK(cudaMemcpy(address, &host_limits, size, cudaMemcpyHostToDevice));
  if (!run(in, device_in, device_out, host_taps, host_limits, 102)) return 1;
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  printf("constant: passed\n");
  return 0;
}
