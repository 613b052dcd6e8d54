// SPDX-License-Identifier: Apache-2.0
// streams: work in parts on two streams with asynchronous copies of pinned memory, one stream waiting for the other by an event, the
// time between two events, device properties, and errors: what a program sees when it asks for too much.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      printf("streams: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

const int kParts = 4, kStreams = 2, kThreads = 128;

__host__ __device__ unsigned scrambled(unsigned x) {
  for (int round = 0; round < 8; ++round) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
  }
  return x;
}

__global__ void scramble(unsigned* data, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = scrambled(data[i]);
}

// Each element and its neighbour of the next part.
__global__ void mix(const unsigned* data, unsigned* mixed, int n, int part) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) mixed[i] = data[i] ^ data[(i + part) % n];
}

static bool expect(const char* what, cudaError_t error, cudaError_t expected) {
  if (error == expected) return true;
  printf("streams: %s: %s, not %s\n", what, cudaGetErrorString(error), cudaGetErrorString(expected));
  return false;
}

// Errors that leave the device as it was. cudaGetLastError forgets what it has told.
static bool errors_are_told(const cudaDeviceProp& properties, unsigned* data) {
  scramble<<<1, 2 * properties.maxThreadsPerBlock>>>(data, 0);
  if (!expect("a block too large", cudaGetLastError(), cudaErrorInvalidConfiguration)) return false;
  scramble<<<0, kThreads>>>(data, 0);
  if (!expect("an empty grid", cudaPeekAtLastError(), cudaErrorInvalidConfiguration)) return false;
  if (!expect("an empty grid", cudaGetLastError(), cudaErrorInvalidConfiguration)) return false;
  void* too_much;
  if (!expect("too much memory", cudaMalloc(&too_much, ~(size_t)0 / 2), cudaErrorMemoryAllocation)) return false;
  if (!expect("too much memory", cudaGetLastError(), cudaErrorMemoryAllocation)) return false;
  return expect("afterwards", cudaGetLastError(), cudaSuccess);
}

int main(int argc, char** argv) {
  const int part = ((argc > 1 ? atoi(argv[1]) : 24000) + kParts - 1) / kParts, n = kParts * part;
  if (n < 1) {
    printf("streams: the number of elements must be positive\n");
    return 1;
  }
  int device;
  cudaDeviceProp properties;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaGetDeviceProperties(&properties, device));
  if (properties.warpSize < 1 || properties.maxThreadsPerBlock < kThreads || properties.multiProcessorCount < 1) {
    printf("streams: device '%s' has no room for a block\n", properties.name);
    return 1;
  }

  unsigned *host, *data, *mixed;
  CHECK(cudaMallocHost((void**)&host, n * sizeof(unsigned)));
  CHECK(cudaMalloc((void**)&data, n * sizeof(unsigned)));
  CHECK(cudaMalloc((void**)&mixed, n * sizeof(unsigned)));
  for (int i = 0; i < n; ++i) host[i] = i + 1;
  cudaStream_t streams[kStreams];
  for (int s = 0; s < kStreams; ++s) CHECK(cudaStreamCreate(&streams[s]));
  cudaEvent_t start, other_done, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&other_done, cudaEventDisableTiming));
  CHECK(cudaEventCreate(&stop));

  CHECK(cudaEventRecord(start, 0));
  const int blocks = (part + kThreads - 1) / kThreads;
  for (int p = 0; p < kParts; ++p) {
    cudaStream_t stream = streams[p % kStreams];
    CHECK(cudaMemcpyAsync(data + p * part, host + p * part, part * sizeof(unsigned), cudaMemcpyHostToDevice, stream));
    scramble<<<blocks, kThreads, 0, stream>>>(data + p * part, part);
  }
  CHECK(cudaEventRecord(other_done, streams[1]));
  CHECK(cudaStreamWaitEvent(streams[0], other_done, 0));
  mix<<<kParts * blocks, kThreads, 0, streams[0]>>>(data, mixed, n, part);
  CHECK(cudaMemcpyAsync(host, mixed, n * sizeof(unsigned), cudaMemcpyDeviceToHost, streams[0]));
  CHECK(cudaEventRecord(stop, streams[0]));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventQuery(other_done));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaGetLastError());

  for (int i = 0; i < n; ++i) {
    const unsigned expected = scrambled(i + 1) ^ scrambled((i + part) % n + 1);
    if (host[i] != expected) {
      printf("streams: element %d is %u, not %u\n", i, host[i], expected);
      return 1;
    }
  }
  if (milliseconds <= 0) {
    printf("streams: the work took %g milliseconds\n", milliseconds);
    return 1;
  }
  if (!errors_are_told(properties, data)) return 1;

  for (int s = 0; s < kStreams; ++s) CHECK(cudaStreamDestroy(streams[s]));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(other_done));
  CHECK(cudaEventDestroy(stop));
  CHECK(cudaFreeHost(host));
  CHECK(cudaFree(data));
  CHECK(cudaFree(mixed));
  printf("streams: passed\n");
  return 0;
}
