// SPDX-License-Identifier: Apache-2.0
// Alignment of two sequences by dynamic programming, a tile a block, its antidiagonals one after the other.
#include <heddle/kernel.h>

constexpr int kTile = 16;

__device__ int largest(int a, int b, int c) {
  int k;
  if (a <= b) k = b;
  else k = a;
  if (k <= c) return c;
  else return k;
}

extern "C" __global__ void align(int* score, const int* similarity, int columns, int penalty, int diagonal, int first) {
  __shared__ int tile[kTile + 1][kTile + 1];
  __shared__ int reference[kTile][kTile];
  const int t = threadIdx.x;
  const int x = first + blockIdx.x, y = diagonal - x;
  const int corner = columns * kTile * y + kTile * x;
  if (t == 0) tile[0][0] = score[corner];
  for (int r = 0; r < kTile; ++r) reference[r][t] = similarity[corner + columns * (r + 1) + t + 1];
  __syncthreads();
  tile[t + 1][0] = score[corner + columns * (t + 1)];
  __syncthreads();
  tile[0][t + 1] = score[corner + t + 1];
  __syncthreads();
  for (int m = 0; m < kTile; ++m) {
    if (t <= m) {
      const int column = t + 1, row = m - t + 1;
      tile[row][column] = largest(tile[row - 1][column - 1] + reference[row - 1][column - 1], tile[row][column - 1] - penalty,
                                  tile[row - 1][column] - penalty);
    }
    __syncthreads();
  }
  for (int m = kTile - 2; m >= 0; --m) {
    if (t <= m) {
      const int column = t + kTile - m, row = kTile - t;
      tile[row][column] = largest(tile[row - 1][column - 1] + reference[row - 1][column - 1], tile[row][column - 1] - penalty,
                                  tile[row - 1][column] - penalty);
    }
    __syncthreads();
  }
  for (int r = 0; r < kTile; ++r) score[corner + columns * (r + 1) + t + 1] = tile[r + 1][t + 1];
}
