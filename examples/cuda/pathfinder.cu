// SPDX-License-Identifier: Apache-2.0
// pathfinder: dynamic programming. The cheapest way from the top row of a grid of costs to each cell of the bottom row, a step going
// one down and at most one aside. A launch advances kHalo rows: a block reads kHalo columns more on both sides than it writes, and
// keeps two rows in dynamic shared memory.
#include <cuda_runtime.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <vector>

#define CHECK(call)                                                         \
  do {                                                                      \
    cudaError_t error = (call);                                             \
    if (error != cudaSuccess) {                                             \
      printf("pathfinder: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                              \
    }                                                                       \
  } while (0)

const int kRows = 61, kHalo = 8, kThreads = 256;

__global__ void advance(const int* cost, const int* from, int* to, int columns, int first_row, int steps) {
  extern __shared__ int rows[];
  int* current = rows;
  int* next = rows + blockDim.x;
  const int t = threadIdx.x;
  const int last = blockDim.x - 1;
  const int column = blockIdx.x * (blockDim.x - 2 * kHalo) + t - kHalo;
  const bool inside = column >= 0 && column < columns;
  current[t] = inside ? from[column] : INT_MAX;
  next[t] = INT_MAX;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    if (inside && t > step && t < last - step) {  // the rest would need columns of another block
      const int best = min(current[t], min(current[t - 1], current[t + 1]));
      next[t] = best + cost[(first_row + step) * columns + column];
    }
    __syncthreads();
    int* other = current;
    current = next;
    next = other;
  }
  if (inside && t >= kHalo && t <= last - kHalo) to[column] = current[t];
}

int main(int argc, char** argv) {
  const int columns = argc > 1 ? atoi(argv[1]) : 4000;
  if (columns < 1) {
    printf("pathfinder: the number of columns must be positive\n");
    return 1;
  }
  std::vector<int> cost(kRows * columns);
  unsigned state = 1;
  for (size_t i = 0; i < cost.size(); ++i) {
    state = state * 1664525u + 1013904223u;
    cost[i] = (state >> 16) % 10;
  }

  int *device_cost, *device_from, *device_to;
  CHECK(cudaMalloc((void**)&device_cost, cost.size() * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_from, columns * sizeof(int)));
  CHECK(cudaMalloc((void**)&device_to, columns * sizeof(int)));
  CHECK(cudaMemcpy(device_cost, &cost[0], cost.size() * sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_from, device_cost, columns * sizeof(int), cudaMemcpyDeviceToDevice));
  const int written = kThreads - 2 * kHalo;
  const int blocks = (columns + written - 1) / written;
  for (int row = 1; row < kRows; row += kHalo) {
    const int steps = std::min(kHalo, kRows - row);
    advance<<<blocks, kThreads, 2 * kThreads * sizeof(int)>>>(device_cost, device_from, device_to, columns, row, steps);
    CHECK(cudaGetLastError());
    std::swap(device_from, device_to);
  }
  std::vector<int> result(columns);
  CHECK(cudaMemcpy(&result[0], device_from, columns * sizeof(int), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_cost));
  CHECK(cudaFree(device_from));
  CHECK(cudaFree(device_to));

  std::vector<int> expected(cost.begin(), cost.begin() + columns);
  for (int row = 1; row < kRows; ++row) {
    const std::vector<int> above = expected;
    for (int x = 0; x < columns; ++x) {
      int best = above[x];
      if (x > 0) best = std::min(best, above[x - 1]);
      if (x + 1 < columns) best = std::min(best, above[x + 1]);
      expected[x] = best + cost[row * columns + x];
    }
  }
  for (int x = 0; x < columns; ++x) {
    if (result[x] != expected[x]) {
      printf("pathfinder: column %d costs %d, not %d\n", x, result[x], expected[x]);
      return 1;
    }
  }
  printf("pathfinder: passed\n");
  return 0;
}
