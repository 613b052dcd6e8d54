// SPDX-License-Identifier: Apache-2.0
// managed: the steps that each number takes to 1 by Collatz's rule, in memory that host and device share, without a copy. A thread
// prints a line of its own.
#include <assert.h>
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      printf("managed: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

struct Longest {
  int steps;
  unsigned start;
};

__host__ __device__ int steps_to_one(unsigned x) {
  int steps = 0;
  while (x != 1) {
    x = x % 2 ? 3 * x + 1 : x / 2;
    ++steps;
  }
  return steps;
}

__global__ void count_steps(const unsigned* starts, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(starts[i] > 0);
  steps[i] = steps_to_one(starts[i]);
}

__global__ void find_longest(const unsigned* starts, const int* steps, int n, Longest* longest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && steps[i] == longest->steps && starts[i] == longest->start)
    printf("managed: thread %d of block %d has the longest way: from %u in %d steps\n", threadIdx.x, blockIdx.x, starts[i], steps[i]);
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3000;
  if (n < 1 || n > 100000) {  // beyond, a way may leave 32 bits
    printf("managed: the number of starts must be 1 to 100000\n");
    return 1;
  }
  unsigned* starts;
  int* steps;
  Longest* longest;
  CHECK(cudaMallocManaged(&starts, n * sizeof(unsigned)));
  CHECK(cudaMallocManaged(&steps, n * sizeof(int)));
  CHECK(cudaMallocManaged(&longest, sizeof(Longest)));
  for (int i = 0; i < n; ++i) starts[i] = i + 1;
  const int blocks = (n + 127) / 128;
  count_steps<<<blocks, 128>>>(starts, steps, n);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());  // only now may the host look

  longest->steps = -1;
  for (int i = 0; i < n; ++i) {
    const int expected = steps_to_one(i + 1);
    if (steps[i] != expected) {
      printf("managed: %d takes %d steps, not %d\n", i + 1, steps[i], expected);
      return 1;
    }
    if (steps[i] > longest->steps) {
      longest->steps = steps[i];
      longest->start = starts[i];
    }
  }
  find_longest<<<blocks, 128>>>(starts, steps, n, longest);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(starts));
  CHECK(cudaFree(steps));
  CHECK(cudaFree(longest));
  printf("managed: passed\n");
  return 0;
}
