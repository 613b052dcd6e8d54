// SPDX-License-Identifier: Apache-2.0
// Iterative quicksort: every thread sorts a segment of its own, with an explicit stack of pending ranges instead of recursion.
// In every round of the loop a thread either partitions a long range or finishes a short one: two sides of one branch.
// Element i of the segment of thread t is keys[i * thread_count + t], so that threads in step access neighbouring words.
#include <heddle/kernel.h>

#define SHORT_RANGE 8   // up to so many elements: insertion sort
#define STACK_SIZE 17   // the longer part is pushed first, so 17 ranges are enough for 65536 elements

extern "C" __global__ void quicksort(int* keys, int length, int thread_count) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= thread_count) return;
  int* segment = keys + thread;
  int pending_low[STACK_SIZE];
  int pending_high[STACK_SIZE];
  int pending = 1;
  pending_low[0] = 0;
  pending_high[0] = length - 1;

  while (pending > 0) {
    --pending;
    const int low = pending_low[pending];
    const int high = pending_high[pending];
    if (high - low < SHORT_RANGE) {
      for (int i = low + 1; i <= high; ++i) {
        const int key = segment[i * thread_count];
        int j = i - 1;
        while (j >= low && segment[j * thread_count] > key) {
          segment[(j + 1) * thread_count] = segment[j * thread_count];
          --j;
        }
        segment[(j + 1) * thread_count] = key;
      }
    } else {
      const int pivot = segment[((low + high) >> 1) * thread_count];
      int i = low;
      int j = high;
      while (i <= j) {
        while (segment[i * thread_count] < pivot) ++i;
        while (segment[j * thread_count] > pivot) --j;
        if (i <= j) {
          const int key = segment[i * thread_count];
          segment[i * thread_count] = segment[j * thread_count];
          segment[j * thread_count] = key;
          ++i;
          --j;
        }
      }
      int long_low = i;
      int long_high = high;
      int short_low = low;
      int short_high = j;
      if (j - low > high - i) {
        long_low = low;
        long_high = j;
        short_low = i;
        short_high = high;
      }
      pending_low[pending] = long_low;
      pending_high[pending] = long_high;
      pending_low[pending + 1] = short_low;
      pending_high[pending + 1] = short_high;
      pending += 2;
    }
  }
}
