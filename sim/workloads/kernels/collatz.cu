// SPDX-License-Identifier: Apache-2.0
// The Collatz sequence from a number down to 1: even and odd numbers take different sides of a branch in a loop of
// data-dependent length.
#include <heddle/kernel.h>

extern "C" __global__ void collatz(unsigned* odd_steps, unsigned* even_steps, unsigned* peaks, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned value = i + 1;
  unsigned peak = value;
  unsigned odd = 0;
  unsigned even = 0;
  while (value != 1) {
    if (value & 1) {
      value = 3 * value + 1;
      peak = max(peak, value);
      ++odd;
    } else {
      value >>= 1;
      ++even;
    }
  }
  odd_steps[i] = odd;
  even_steps[i] = even;
  peaks[i] = peak;
}
