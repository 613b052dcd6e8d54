// SPDX-License-Identifier: Apache-2.0
// The Collatz sequence from a number down to 1, one number a thread: odd and even numbers take different sides of a
// branch, in a loop that every thread leaves at a time of its own. Then each thread looks at what another warp found.
#include <heddle/kernel.h>

__global__ void collatz(unsigned* steps, unsigned* peaks, unsigned* longest, unsigned count) {
  const unsigned i = heddle_thread_id();
  if (i >= count) return;
  unsigned value = i + 1;
  unsigned peak = value;
  unsigned odd = 0;
  unsigned even = 0;
  while (value != 1) {
    if (value & 1) {
      value += value + value + 1;
      if (value > peak) peak = value;
      ++odd;
    } else {
      value >>= 1;
      ++even;
    }
  }
  steps[i] = odd + even;
  peaks[i] = peak;
  __syncthreads();
  const unsigned other = i - threadIdx.x + (blockDim.x - 1 - threadIdx.x);  // from the block's other end
  longest[i] = other < count && steps[other] > odd + even ? steps[other] : odd + even;
}
