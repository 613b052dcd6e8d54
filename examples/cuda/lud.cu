// SPDX-License-Identifier: Apache-2.0
// lud: LU decomposition in place by tiles in shared memory, without pivoting. Three kernels for each tile of the diagonal:
// the tile itself, the row and column of tiles that it starts, and what is right of and below these.
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                  \
  do {                                                               \
    cudaError_t error = (call);                                      \
    if (error != cudaSuccess) {                                      \
      printf("lud: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                       \
    }                                                                \
  } while (0)

#define TILE 16

// One block of TILE threads, one a row: in step i the rows below i lose their column i.
__global__ void factor_diagonal(float* a, int n, int start) {
  __shared__ float tile[TILE][TILE + 1];
  float* corner = a + start * n + start;
  const int t = threadIdx.x;
  for (int row = 0; row < TILE; ++row) tile[row][t] = corner[row * n + t];
  __syncthreads();
  for (int i = 0; i < TILE - 1; ++i) {
    if (t > i) {
      const float factor = tile[t][i] / tile[i][i];
      tile[t][i] = factor;
      for (int j = i + 1; j < TILE; ++j) tile[t][j] -= factor * tile[i][j];
    }
    __syncthreads();
  }
  for (int row = 0; row < TILE; ++row) corner[row * n + t] = tile[row][t];
}

// A block takes a tile right of the diagonal (threads with y = 0, one a column) and one below it (y = 1, one a row): the halves of
// a warp go different ways.
__global__ void solve_panels(float* a, int n, int start) {
  __shared__ float diagonal[TILE][TILE + 1], panel[2][TILE][TILE + 1];
  const int t = threadIdx.x, below = threadIdx.y;
  const int offset = (blockIdx.x + 1) * TILE;
  float* corner = a + start * n + start;
  float* mine = corner + (below ? offset * n : offset);
  for (int row = 0; row < TILE; ++row) panel[below][row][t] = mine[row * n + t];
  for (int row = below; row < TILE; row += 2) diagonal[row][t] = corner[row * n + t];
  __syncthreads();
  if (below) {
    for (int j = 0; j < TILE; ++j) {
      float sum = panel[1][t][j];
      for (int i = 0; i < j; ++i) sum -= panel[1][t][i] * diagonal[i][j];
      panel[1][t][j] = sum / diagonal[j][j];
    }
  } else {
    for (int i = 1; i < TILE; ++i) {
      float sum = panel[0][i][t];
      for (int j = 0; j < i; ++j) sum -= diagonal[i][j] * panel[0][j][t];
      panel[0][i][t] = sum;
    }
  }
  __syncthreads();
  for (int row = 0; row < TILE; ++row) mine[row * n + t] = panel[below][row][t];
}

__global__ void update_rest(float* a, int n, int start) {
  __shared__ float left[TILE][TILE], top[TILE][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = start + (blockIdx.x + 1) * TILE + x, row = start + (blockIdx.y + 1) * TILE + y;
  left[y][x] = a[row * n + start + x];
  top[y][x] = a[(start + y) * n + column];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < TILE; ++i) sum += left[y][i] * top[i][x];
  a[row * n + column] -= sum;
}

int main(int argc, char** argv) {
  const int tiles = ((argc > 1 ? atoi(argv[1]) : 128) + TILE - 1) / TILE, n = tiles * TILE;
  if (n < 1) {
    printf("lud: the number of rows must be positive\n");
    return 1;
  }
  std::vector<float> a(n * n);
  unsigned state = 1;
  for (int i = 0; i < n * n; ++i) {
    state = state * 1664525u + 1013904223u;
    a[i] = (state >> 8) / 8388608.0f - 1 + (i % (n + 1) == 0 ? n : 0);  // the diagonal dominates
  }
  std::vector<double> expected(a.begin(), a.end());
  for (int i = 0; i < n; ++i)
    for (int row = i + 1; row < n; ++row) {
      expected[row * n + i] /= expected[i * n + i];
      for (int j = i + 1; j < n; ++j) expected[row * n + j] -= expected[row * n + i] * expected[i * n + j];
    }

  float* device_a;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (int k = 0; k < tiles; ++k) {
    factor_diagonal<<<1, TILE>>>(device_a, n, k * TILE);
    const int rest = tiles - 1 - k;
    if (rest == 0) break;
    solve_panels<<<rest, dim3(TILE, 2)>>>(device_a, n, k * TILE);
    update_rest<<<dim3(rest, rest), dim3(TILE, TILE)>>>(device_a, n, k * TILE);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(a.data(), device_a, a.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));

  for (int i = 0; i < n * n; ++i) {
    if (!(std::fabs(a[i] - expected[i]) <= 1e-5 * std::fmax(1.0, std::fabs(expected[i])))) {
      printf("lud: row %d column %d is %g, not %g\n", i / n, i % n, a[i], expected[i]);
      return 1;
    }
  }
  printf("lud: passed\n");
  return 0;
}
