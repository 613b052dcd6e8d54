// SPDX-License-Identifier: Apache-2.0
// Even and odd threads take different sides of a branch, each long enough to be worth a full warp.
#include <heddle/kernel.h>

extern "C" __global__ void parity(unsigned* out) {
  const unsigned i = heddle_thread_id();
  unsigned x = i;
  if (i % 2 != 0) {
    for (unsigned k = 0; k < 64; ++k) x = x * 3 + (x >> 7);
  } else {
    for (unsigned k = 0; k < 64; ++k) x = x * 5 + (x >> 3);
  }
  out[i] = x;
}
