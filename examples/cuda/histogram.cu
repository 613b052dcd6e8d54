// SPDX-License-Identifier: Apache-2.0
// histogram: atomics. Counts with one atomic an element in global memory, then in shared memory with one a bin and block to merge;
// a histogram of weights, and a largest weight, by loops of atomicCAS; minimum and maximum by atomicMin and atomicMax.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t error = (call);                                            \
    if (error != cudaSuccess) {                                            \
      printf("histogram: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

#define BINS 64

struct Extremes {
  int smallest, largest;
  float heaviest;
};

__device__ void add_float(float* address, float value) {
  int* word = (int*)address;
  int seen = *word, expected;
  do {
    expected = seen;
    seen = atomicCAS(word, expected, __float_as_int(__int_as_float(expected) + value));
  } while (seen != expected);
}

__device__ void raise_float(float* address, float value) {
  int* word = (int*)address;
  int seen = *(volatile int*)word;
  while (value > __int_as_float(seen)) {
    const int expected = seen;
    seen = atomicCAS(word, expected, __float_as_int(value));
    if (seen == expected) break;
  }
}

__global__ void count_global(const int* values, unsigned* bins, Extremes* extremes, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  atomicAdd(&bins[values[i] % BINS], 1u);
  atomicMin(&extremes->smallest, values[i]);
  atomicMax(&extremes->largest, values[i]);
}

__global__ void count_shared(const int* values, const float* weights, unsigned* bins, float* sums, Extremes* extremes, int n) {
  __shared__ unsigned block_bins[BINS];
  __shared__ float block_sums[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    block_bins[bin] = 0;
    block_sums[bin] = 0;
  }
  __syncthreads();
  float heaviest = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&block_bins[values[i] % BINS], 1u);
    add_float(&block_sums[values[i] % BINS], weights[i]);
    heaviest = fmaxf(heaviest, weights[i]);
  }
  raise_float(&extremes->heaviest, heaviest);
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    atomicAdd(&bins[bin], block_bins[bin]);
    add_float(&sums[bin], block_sums[bin]);
  }
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 20000;
  if (n < 1) {
    printf("histogram: the number of elements must be positive\n");
    return 1;
  }
  std::vector<int> values(n);
  std::vector<float> weights(n);
  std::vector<unsigned> expected_bins(BINS), bins(BINS), shared_bins(BINS);
  std::vector<float> expected_sums(BINS), sums(BINS);
  Extremes expected = {1 << 30, -1, 0.0f}, extremes = expected;
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    values[i] = (state >> 8) % 1000 * ((state >> 20) % 1000);
    weights[i] = (state >> 16) % 64 / 4.0f;  // quarters: no sum is rounded
    ++expected_bins[values[i] % BINS];
    expected_sums[values[i] % BINS] += weights[i];
    expected.smallest = std::min(expected.smallest, values[i]);
    expected.largest = std::max(expected.largest, values[i]);
    expected.heaviest = std::max(expected.heaviest, weights[i]);
  }

  int* device_values;
  unsigned* device_bins;  // BINS of each kernel
  float *device_weights, *device_sums;
  Extremes* device_extremes;
  CHECK(cudaMalloc(&device_values, n * sizeof(int)));
  CHECK(cudaMalloc(&device_weights, n * sizeof(float)));
  CHECK(cudaMalloc(&device_bins, 2 * BINS * sizeof(unsigned)));
  CHECK(cudaMalloc(&device_sums, BINS * sizeof(float)));
  CHECK(cudaMalloc(&device_extremes, sizeof(Extremes)));
  CHECK(cudaMemcpy(device_values, &values[0], n * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_weights, &weights[0], n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_extremes, &extremes, sizeof extremes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_bins, 0, 2 * BINS * sizeof(unsigned)));
  CHECK(cudaMemset(device_sums, 0, BINS * sizeof(float)));
  count_global<<<(n + 127) / 128, 128>>>(device_values, device_bins, device_extremes, n);
  count_shared<<<8, 128>>>(device_values, device_weights, device_bins + BINS, device_sums, device_extremes, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&bins[0], device_bins, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&shared_bins[0], device_bins + BINS, BINS * sizeof(unsigned), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sums[0], device_sums, BINS * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&extremes, device_extremes, sizeof extremes, cudaMemcpyDeviceToHost));
  void* allocated[] = {device_values, device_weights, device_bins, device_sums, device_extremes};
  for (int i = 0; i < 5; ++i) CHECK(cudaFree(allocated[i]));

  for (int bin = 0; bin < BINS; ++bin) {
    if (bins[bin] != expected_bins[bin] || shared_bins[bin] != expected_bins[bin] || sums[bin] != expected_sums[bin]) {
      printf("histogram: bin %d has %u, %u and %g, not %u, %u and %g\n", bin, bins[bin], shared_bins[bin], sums[bin],
             expected_bins[bin], expected_bins[bin], expected_sums[bin]);
      return 1;
    }
  }
  if (extremes.smallest != expected.smallest || extremes.largest != expected.largest || extremes.heaviest != expected.heaviest) {
    printf("histogram: the extremes are %d, %d and %g, not %d, %d and %g\n", extremes.smallest, extremes.largest, extremes.heaviest,
           expected.smallest, expected.largest, expected.heaviest);
    return 1;
  }
  printf("histogram: passed\n");
  return 0;
}
