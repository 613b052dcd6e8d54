// SPDX-License-Identifier: Apache-2.0
// Product of two matrices (row-major): a block computes a tile of the product, one element a thread, from tiles of the factors in shared
// memory or (`matmul_global`) from the factors themselves. Dimensions need not be multiples of the tile: what lies outside is zero.
#include <heddle/kernel.h>

#define TILE 16

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float a_tile[TILE][TILE];
  __shared__ float b_tile[TILE][TILE];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = blockIdx.y * TILE + y;
  const int column = blockIdx.x * TILE + x;

  float sum = 0.0f;
  for (int start = 0; start < inner; start += TILE) {
    a_tile[y][x] = row < rows && start + x < inner ? a[row * inner + start + x] : 0.0f;
    b_tile[y][x] = start + y < inner && column < columns ? b[(start + y) * columns + column] : 0.0f;
    __syncthreads();
#pragma GCC unroll 16
    for (int k = 0; k < TILE; ++k) sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

extern "C" __global__ void matmul_global(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  if (row >= rows || column >= columns) return;

  float sum = 0.0f;
  for (int k = 0; k < inner; ++k) sum = fmaf(a[row * inner + k], b[k * columns + column], sum);
  c[row * columns + column] = sum;
}
