// SPDX-License-Identifier: Apache-2.0
// Scores of the best alignments of two sequences (Needleman and Wunsch), after Rodinia's nw: a launch a diagonal of tiles, a block of TILE
// threads a tile, in which the threads go along the diagonals; so they are one thread more in each turn, and then one fewer.
#include <heddle/kernel.h>

#define TILE 16

// The maximum of three, as comparisons.
__device__ static int best_of(int a, int b, int c) {
  int best = a;
  if (b > best) best = b;
  if (c > best) best = c;
  return best;
}

// similarity and score have edge x edge elements; row and column 0 are there already. Tiles (first + block, diagonal - first - block).
extern "C" __global__ void nw(const int* similarity, int* score, int edge, int penalty, int diagonal, int first) {
  __shared__ int tile[TILE + 1][TILE + 1];
  __shared__ int alike[TILE][TILE];
  const int tx = threadIdx.x;
  const int tile_x = first + static_cast<int>(blockIdx.x);
  const int tile_y = diagonal - tile_x;
  const int corner = tile_y * TILE * edge + tile_x * TILE;  // above and left of the tile

  for (int row = 0; row < TILE; ++row) alike[row][tx] = similarity[corner + (row + 1) * edge + tx + 1];
  if (tx == 0) tile[0][0] = score[corner];
  tile[tx + 1][0] = score[corner + (tx + 1) * edge];
  tile[0][tx + 1] = score[corner + tx + 1];
  __syncthreads();

  for (int turn = 0; turn < 2 * TILE - 1; ++turn) {
    const int beyond = turn < TILE ? 0 : turn - TILE + 1;  // column at which the diagonal begins
    if (tx <= turn - 2 * beyond) {
      const int x = tx + beyond + 1, y = turn - tx - beyond + 1;
      tile[y][x] = best_of(tile[y - 1][x - 1] + alike[y - 1][x - 1], tile[y][x - 1] - penalty, tile[y - 1][x] - penalty);
    }
    __syncthreads();
  }
  for (int row = 0; row < TILE; ++row) score[corner + (row + 1) * edge + tx + 1] = tile[row + 1][tx + 1];
}
