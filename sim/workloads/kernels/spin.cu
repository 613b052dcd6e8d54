// SPDX-License-Identifier: Apache-2.0
// A spin lock taken by all threads of a warp. On a machine that waits for all lanes at the end of the loop, the lane that has the
// lock never gets to release it, and the other lanes spin for ever: the run must end in a watchdog message.
#include <heddle/kernel.h>

extern "C" __global__ void spin(int* lock, int* counter) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  *counter += 1;
  atomicExch(lock, 0);
}
