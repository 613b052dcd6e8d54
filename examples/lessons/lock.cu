// SPDX-License-Identifier: Apache-2.0
// Each thread of a warp adds to a counter under one lock: as on a CPU, and as one writes it for a warp that waits for all of its threads.
#include <heddle/kernel.h>

extern "C" __global__ void as_on_a_cpu(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter += 1;
  atomicExch(lock, 0);
}

extern "C" __global__ void for_a_warp(int* lock, int* counter) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      *counter += 1;
      atomicExch(lock, 0);
      done = true;
    }
  }
}
