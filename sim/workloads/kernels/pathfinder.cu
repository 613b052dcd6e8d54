// SPDX-License-Identifier: Apache-2.0
// The cheapest way through a grid from its first row to its last, a step down, or down and to a side, at a time (dynamic programming, after
// Rodinia's pathfinder). A block keeps a stretch of a row in shared memory and takes several rows in a launch; with each row the points
// whose neighbours are still known are fewer by one at either end.
#include <heddle/kernel.h>

#define BLOCK 256

extern "C" __global__ void pathfinder(const int* wall, const int* in, int* out, int columns, int first_row, int rows) {
  __shared__ int before[BLOCK];
  __shared__ int after[BLOCK];
  const int tx = threadIdx.x;
  const int inner = BLOCK - 2 * rows;
  const int first = inner * static_cast<int>(blockIdx.x) - rows;  // column of the block's first thread; may be outside of the grid
  const int column = first + tx;
  const int left = first < 0 ? -first : 0;                        // the threads inside of it
  const int right = first + BLOCK > columns ? columns - 1 - first : BLOCK - 1;
  const bool inside = tx >= left && tx <= right;
  const int west = tx - 1 < left ? left : tx - 1;
  const int east = tx + 1 > right ? right : tx + 1;

  if (inside) before[tx] = in[column];
  __syncthreads();
  bool computed = false;
  for (int row = 0; row < rows; ++row) {
    computed = false;
    if (tx >= row + 1 && tx <= BLOCK - 2 - row && inside) {
      computed = true;
      int best = before[tx];
      if (before[west] < best) best = before[west];
      if (before[east] < best) best = before[east];
      after[tx] = best + wall[(first_row + row) * columns + column];
    }
    __syncthreads();
    if (row == rows - 1) break;
    if (computed) before[tx] = after[tx];
    __syncthreads();
  }
  if (computed) out[column] = after[tx];
}
