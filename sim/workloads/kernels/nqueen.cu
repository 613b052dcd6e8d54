// SPDX-License-Identifier: Apache-2.0
// Solutions of the n-queens problem by backtracking with bit masks (Richards), a stack in place of the recursion,
// one placement of the first rows a thread. The masks of the rows above are a stack in shared memory, interleaved over the threads.
// A thread goes back for one of two reasons, no free column or the last row, and what it does then is one piece of code with two ways
// in: a stack that waits for the post-dominator, the test of the loop, runs it twice.
#include <heddle/kernel.h>

#define MAX_THREADS 96
#define MAX_ROWS 12  // below the given ones

struct Placement {
  unsigned columns, left, right;  // attacked in the next row: straight, and along both diagonals
};

extern "C" __global__ void nqueen(const Placement* placements, unsigned* solutions, int count, int n, int rows) {
  __shared__ unsigned free_columns[MAX_ROWS][MAX_THREADS];
  __shared__ unsigned attacked[MAX_ROWS][MAX_THREADS];
  __shared__ unsigned attacked_left[MAX_ROWS][MAX_THREADS];
  __shared__ unsigned attacked_right[MAX_ROWS][MAX_THREADS];
  const int t = threadIdx.x;
  const int task = blockIdx.x * blockDim.x + t;
  if (task >= count) return;

  const unsigned board = (1u << n) - 1;
  const Placement given = placements[task];
  attacked[0][t] = given.columns;
  attacked_left[0][t] = given.left;
  attacked_right[0][t] = given.right;
  free_columns[0][t] = board & ~(given.columns | given.left | given.right);
  unsigned found = 0;
  int row = 0;

  while (row >= 0) {
    const unsigned free = free_columns[row][t];
    if (free == 0 || row == rows - 1) {
      found += free != 0;  // in the last row one column at most
      --row;
      continue;
    }
    const unsigned queen = free & -free;
    free_columns[row][t] = free ^ queen;
    const unsigned columns = attacked[row][t] | queen;
    const unsigned left = (attacked_left[row][t] | queen) << 1;
    const unsigned right = (attacked_right[row][t] | queen) >> 1;
    const unsigned next_free = board & ~(columns | left | right);
    if (next_free == 0) continue;
    ++row;
    free_columns[row][t] = next_free;
    attacked[row][t] = columns;
    attacked_left[row][t] = left;
    attacked_right[row][t] = right;
  }
  solutions[task] = found;
}
