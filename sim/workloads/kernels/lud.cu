// SPDX-License-Identifier: Apache-2.0
// LU decomposition in place and without pivoting, blocked, after Rodinia's: for each block column the diagonal block, then its
// row and its column of blocks (the perimeter), then everything below and to the right of them.
#include <heddle/kernel.h>

#define BLOCK 16

extern "C" __global__ void lud_diagonal(float* matrix, int n, int offset) {
  __shared__ float tile[BLOCK][BLOCK];
  const int t = threadIdx.x;

  for (int row = 0; row < BLOCK; ++row) tile[row][t] = matrix[(offset + row) * n + offset + t];
  __syncthreads();

  for (int i = 0; i < BLOCK - 1; ++i) {
    if (t > i) {  // column i of L
      for (int k = 0; k < i; ++k) tile[t][i] -= tile[t][k] * tile[k][i];
      tile[t][i] /= tile[i][i];
    }
    __syncthreads();
    if (t > i) {  // row i + 1 of U
      for (int k = 0; k <= i; ++k) tile[i + 1][t] -= tile[i + 1][k] * tile[k][t];
    }
    __syncthreads();
  }

  for (int row = 1; row < BLOCK; ++row) matrix[(offset + row) * n + offset + t] = tile[row][t];
}

// A block of 2 * BLOCK threads (one warp at 32 lanes): its lower half does a block of the row, its upper half one of the column.
extern "C" __global__ void lud_perimeter(float* matrix, int n, int offset) {
  __shared__ float diagonal[BLOCK][BLOCK];
  __shared__ float row_tile[BLOCK][BLOCK];
  __shared__ float column_tile[BLOCK][BLOCK];
  const int distance = (blockIdx.x + 1) * BLOCK;

  if (threadIdx.x < BLOCK) {
    const int t = threadIdx.x;
    for (int i = 0; i < BLOCK / 2; ++i) diagonal[i][t] = matrix[(offset + i) * n + offset + t];
    for (int i = 0; i < BLOCK; ++i) row_tile[i][t] = matrix[(offset + i) * n + offset + distance + t];
  } else {
    const int t = threadIdx.x - BLOCK;
    for (int i = BLOCK / 2; i < BLOCK; ++i) diagonal[i][t] = matrix[(offset + i) * n + offset + t];
    for (int i = 0; i < BLOCK; ++i) column_tile[i][t] = matrix[(offset + distance + i) * n + offset + t];
  }
  __syncthreads();

  if (threadIdx.x < BLOCK) {  // solve L * U_row = A_row, one column a thread
    const int t = threadIdx.x;
    for (int i = 1; i < BLOCK; ++i) {
      for (int k = 0; k < i; ++k) row_tile[i][t] -= diagonal[i][k] * row_tile[k][t];
    }
  } else {  // solve L_column * U = A_column, one row a thread
    const int t = threadIdx.x - BLOCK;
    for (int i = 0; i < BLOCK; ++i) {
      for (int k = 0; k < i; ++k) column_tile[t][i] -= column_tile[t][k] * diagonal[k][i];
      column_tile[t][i] /= diagonal[i][i];
    }
  }
  __syncthreads();

  if (threadIdx.x < BLOCK) {
    const int t = threadIdx.x;
    for (int i = 1; i < BLOCK; ++i) matrix[(offset + i) * n + offset + distance + t] = row_tile[i][t];
  } else {
    const int t = threadIdx.x - BLOCK;
    for (int i = 0; i < BLOCK; ++i) matrix[(offset + distance + i) * n + offset + t] = column_tile[i][t];
  }
}

extern "C" __global__ void lud_internal(float* matrix, int n, int offset) {
  __shared__ float column_tile[BLOCK][BLOCK];
  __shared__ float row_tile[BLOCK][BLOCK];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int row = offset + (blockIdx.y + 1) * BLOCK + y;
  const int column = offset + (blockIdx.x + 1) * BLOCK + x;

  row_tile[y][x] = matrix[(offset + y) * n + column];
  column_tile[y][x] = matrix[row * n + offset + x];
  __syncthreads();

  const float* left = column_tile[y];
  const float* above = &row_tile[0][x];
  float sum = 0.0f;
#pragma GCC unroll 16
  for (int k = 0; k < BLOCK; ++k) sum += left[k] * above[k * BLOCK];
  matrix[row * n + column] -= sum;
}
