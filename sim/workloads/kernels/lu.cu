// SPDX-License-Identifier: Apache-2.0
// LU decomposition in place and without pivoting, the way of shared-memory multiprocessors: every thread owns some of the small square
// blocks of a matrix, scattered over it in two dimensions, and works on a block when its turn has come. Three phases a step (the
// diagonal block, the blocks below and to the right of it, all others) with barriers between; one launch does it all, a matrix a
// thread block. The elements of a block are contiguous, row by row. Kernel `lu` goes from one of its blocks to the next; `lu_all`
// visits all blocks and asks of each whose it is, as the multiprocessors' program does; `lu_diagonal`, `lu_border` and `lu_rest` are its
// phases, for a launch each.
#include <heddle/kernel.h>

#define EDGE 4

// Block := L U.
__device__ __forceinline__ void factor(float* block) {
  for (int k = 0; k < EDGE; ++k) {
    for (int i = k + 1; i < EDGE; ++i) {
      block[i * EDGE + k] /= block[k * EDGE + k];
      for (int j = k + 1; j < EDGE; ++j) block[i * EDGE + j] -= block[i * EDGE + k] * block[k * EDGE + j];
    }
  }
}

// Block := block / U of the diagonal block.
__device__ __forceinline__ void divide(float* block, const float* diagonal) {
  for (int k = 0; k < EDGE; ++k) {
    for (int i = 0; i < EDGE; ++i) {
      block[i * EDGE + k] /= diagonal[k * EDGE + k];
      for (int j = k + 1; j < EDGE; ++j) block[i * EDGE + j] -= block[i * EDGE + k] * diagonal[k * EDGE + j];
    }
  }
}

// Block := L of the diagonal block \ block.
__device__ __forceinline__ void solve(float* block, const float* diagonal) {
  for (int k = 0; k < EDGE; ++k) {
    for (int i = k + 1; i < EDGE; ++i) {
      for (int j = 0; j < EDGE; ++j) block[i * EDGE + j] -= diagonal[i * EDGE + k] * block[k * EDGE + j];
    }
  }
}

// Block := block - left * above.
__device__ __forceinline__ void subtract(float* block, const float* left, const float* above) {
  for (int k = 0; k < EDGE; ++k) {
    for (int i = 0; i < EDGE; ++i) {
      for (int j = 0; j < EDGE; ++j) block[i * EDGE + j] -= left[i * EDGE + k] * above[k * EDGE + j];
    }
  }
}

// The first number above k that is `mine` modulo `owners`.
__device__ __forceinline__ int first_after(int k, int mine, int owners) {
  return k + 1 + (mine + owners - (k + 1) % owners) % owners;
}

// A matrix has size x size blocks; the threads of a block form a grid of owners with the given number of columns.
extern "C" __global__ void lu(float* matrices, int size, int columns) {
  float* matrix = matrices + blockIdx.x * size * size * EDGE * EDGE;
  const int rows = blockDim.x / columns;
  const int my_row = threadIdx.x / columns;
  const int my_column = threadIdx.x % columns;
  const auto at = [=](int row, int column) { return matrix + (row * size + column) * EDGE * EDGE; };

  for (int k = 0; k < size; ++k) {
    const int first_row = first_after(k, my_row, rows);
    const int first_column = first_after(k, my_column, columns);
    if (my_row == k % rows && my_column == k % columns) factor(at(k, k));
    __syncthreads();
    if (my_column == k % columns) {
      for (int i = first_row; i < size; i += rows) divide(at(i, k), at(k, k));
    }
    if (my_row == k % rows) {
      for (int j = first_column; j < size; j += columns) solve(at(k, j), at(k, k));
    }
    __syncthreads();
    for (int i = first_row; i < size; i += rows) {
      for (int j = first_column; j < size; j += columns) subtract(at(i, j), at(i, k), at(k, j));
    }
    __syncthreads();
  }
}

// The same owners in the same grid; a thread asks of every block whose it is. A phase of step k.
struct Visitor {
  float* matrix;
  int size, columns, rows, me;

  __device__ __forceinline__ Visitor(float* matrices, int size, int columns)
      : matrix(matrices + blockIdx.x * size * size * EDGE * EDGE),
        size(size),
        columns(columns),
        rows(blockDim.x / columns),
        me(threadIdx.x) {}
  __device__ __forceinline__ float* at(int row, int column) const { return matrix + (row * size + column) * EDGE * EDGE; }
  __device__ __forceinline__ bool mine(int row, int column) const { return row % rows * columns + column % columns == me; }

  __device__ __forceinline__ void diagonal(int k) const {
    if (mine(k, k)) factor(at(k, k));
  }
  __device__ __forceinline__ void border(int k) const {
    for (int i = k + 1; i < size; ++i) {
      if (mine(i, k)) divide(at(i, k), at(k, k));
    }
    for (int j = k + 1; j < size; ++j) {
      if (mine(k, j)) solve(at(k, j), at(k, k));
    }
  }
  __device__ __forceinline__ void rest(int k) const {
    for (int i = k + 1; i < size; ++i) {
      for (int j = k + 1; j < size; ++j) {
        if (mine(i, j)) subtract(at(i, j), at(i, k), at(k, j));
      }
    }
  }
};

extern "C" __global__ void lu_all(float* matrices, int size, int columns) {
  const Visitor visitor(matrices, size, columns);
  for (int k = 0; k < size; ++k) {
    visitor.diagonal(k);
    __syncthreads();
    visitor.border(k);
    __syncthreads();
    visitor.rest(k);
  }  // no barrier: what step k + 1 factors first is a block of the thread's own
}

extern "C" __global__ void lu_diagonal(float* matrices, int size, int columns, int k) { Visitor(matrices, size, columns).diagonal(k); }
extern "C" __global__ void lu_border(float* matrices, int size, int columns, int k) { Visitor(matrices, size, columns).border(k); }
extern "C" __global__ void lu_rest(float* matrices, int size, int columns, int k) { Visitor(matrices, size, columns).rest(k); }
