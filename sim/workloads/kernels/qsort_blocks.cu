// SPDX-License-Identifier: Apache-2.0
// Quicksort by blocks, after Cederman and Tsigas: each block sorts keys of its own. All its threads take the same sequence
// from a stack in shared memory, count the keys of their share on both sides of a pivot, learn from a prefix sum where
// theirs go, and move them to the other of two arrays; a sequence of no more keys than threads is sorted in shared memory by
// a bitonic network.
// All of a block, and so all of a warp, go the same way at each branch around a barrier.
#include <heddle/kernel.h>

#define MAX_BLOCK 1024
#define MAX_PENDING 16  // the longer part is pushed first, so 16 sequences are enough for 8192 keys

struct Sequence {
  int begin;
  int end;
  int in_spare;  // where its keys are
};

__device__ __forceinline__ int median(int a, int b, int c) { return max(min(a, b), min(max(a, b), c)); }

// Sorts `size` keys, a power of two. Ends with a barrier.
__device__ __forceinline__ void bitonic(int* keys, int size, int thread) {
  for (int run = 2; run <= size; run <<= 1) {
    for (int distance = run >> 1; distance > 0; distance >>= 1) {
      const int partner = thread ^ distance;
      if (thread < size && partner > thread) {
        const int mine = keys[thread];
        const int other = keys[partner];
        if ((thread & run) == 0) {  // this run ascends
          if (mine > other) {
            keys[thread] = other;
            keys[partner] = mine;
          }
        } else {
          if (mine < other) {
            keys[thread] = other;
            keys[partner] = mine;
          }
        }
      }
      __syncthreads();
    }
  }
}

// Two numbers of each thread become the sums of those of all threads before it: up a tree, whose nodes hold the sum of what is
// below them, and down again, where they come to hold that of all to the left. Begins with a barrier, and ends with one.
__device__ __forceinline__ void prefix_sums(int* a, int* b, int thread, int threads) {
  int distance = 1;
  for (int pairs = threads >> 1; pairs > 0; pairs >>= 1) {
    __syncthreads();
    if (thread < pairs) {
      const int right = 2 * distance * (thread + 1) - 1;
      const int left = right - distance;
      a[right] += a[left];
      b[right] += b[left];
    }
    distance <<= 1;
  }
  if (thread == 0) a[threads - 1] = b[threads - 1] = 0;
  for (int pairs = 1; pairs < threads; pairs <<= 1) {
    distance >>= 1;
    __syncthreads();
    if (thread < pairs) {
      const int right = 2 * distance * (thread + 1) - 1;
      const int left = right - distance;
      const int sum_a = a[left];
      const int sum_b = b[left];
      a[left] = a[right];
      b[left] = b[right];
      a[right] += sum_a;
      b[right] += sum_b;
    }
  }
  __syncthreads();
}

extern "C" __global__ void quicksort_blocks(int* all_keys, int* all_spare, int length) {
  __shared__ Sequence pending[MAX_PENDING];
  __shared__ int below[MAX_BLOCK];  // keys of a thread's share; then of those of all threads before it
  __shared__ int above[MAX_BLOCK];
  __shared__ int sorting[MAX_BLOCK];
  __shared__ int middle_begin;
  __shared__ int middle_end;
  const int thread = threadIdx.x;
  const int threads = blockDim.x;  // a power of two
  int* const keys = all_keys + blockIdx.x * length;
  int* const spare = all_spare + blockIdx.x * length;

  if (thread == 0) pending[0] = {0, length, 0};
  __syncthreads();
  int waiting = 1;
  while (waiting > 0) {
    --waiting;
    const int begin = pending[waiting].begin;
    const int end = pending[waiting].end;
    const int* from = pending[waiting].in_spare ? spare : keys;
    int* const to = pending[waiting].in_spare ? keys : spare;

    if (end - begin <= threads) {
      sorting[thread] = thread < end - begin ? from[begin + thread] : 0x7fffffff;
      int size = 1;
      while (size < end - begin) size <<= 1;
      __syncthreads();
      bitonic(sorting, size, thread);
      if (thread < end - begin) keys[begin + thread] = sorting[thread];
    } else {
      const int pivot = median(from[begin], from[(begin + end) >> 1], from[end - 1]);
      int less = 0;
      int more = 0;
      for (int i = begin + thread; i < end; i += threads) {
        const int key = from[i];
        less += key < pivot;
        more += key > pivot;
      }
      below[thread] = less;
      above[thread] = more;
      prefix_sums(below, above, thread, threads);

      int low = begin + below[thread];
      int high = end - above[thread];
      for (int i = begin + thread; i < end; i += threads) {
        const int key = from[i];
        if (key < pivot) {
          to[low] = key;
          ++low;
        } else if (key > pivot) {
          --high;
          to[high] = key;
        }
      }
      if (thread == threads - 1) {
        middle_begin = low;
        middle_end = high;
        const Sequence left = {begin, low, to == spare};
        const Sequence right = {high, end, to == spare};
        const bool longer = low - begin > end - high;
        pending[waiting] = longer ? left : right;
        pending[waiting + 1] = longer ? right : left;
      }
      waiting += 2;
      __syncthreads();
      for (int i = middle_begin + thread; i < middle_end; i += threads) keys[i] = pivot;
    }
  }
}
