// SPDX-License-Identifier: Apache-2.0
// The running example of "The Dual-Path Execution Model for Efficient GPU Control Flow" (Figures 1 and 6):
//
//              A            A  loads r0            F  loads r7
//            /   \          B  loads r1            G  uses r1 and r7
//           B     C         C  uses r0
//           |    / \        D  uses r1 (the value from before the branch)
//           |   D   E       E  uses r1 (the value from before the branch)
//           |    \ /
//           |     F         Of every four threads, threads 0 and 1 go B; thread 2 goes C D F, thread 3 goes C E F.
//            \   /
//              G
//
// What there is to see:
// - A dual-path stack interleaves B with C, suspends B while D and E run, and resumes it beside F.
// - The load of r0 is still in flight when A diverges: C must wait for it (its write was pending before the divergence).
// - B loads r1 while D and E read r1: other threads, so no true dependence. A scoreboard that knows paths only by left and
//   right blocks D and E all the same, because C's divergence copies the pending bit of B into the shadow bit.
// - F's load of r7 and B's load of r1 may be in flight when the warp reconverges at G: G must wait for both.
#include <heddle/kernel.h>

extern "C" __global__ void figure6(const int* m0, const int* m1, const int* m7, int* result) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int way = i & 3;            // 0 and 1: B, 2: C D F, 3: C E F; known long before r0 arrives
  int r1 = i;
  const int r2 = 3 * i + 1;
  const int r3 = i ^ 21;
  int r7 = 7;
  int sum = 0;

  const int r0 = m0[i];             // Path A
  if (way < 2) {
    r1 = m1[i];                     // Path B
  } else {
    const int r5 = r0 + r2;         // Path C
    int r4;
    if (way == 2) {
      r4 = (r1 + r3) ^ r5;          // Path D
      sum = r4 * 3;
    } else {
      r4 = (r1 - r3) ^ r5;          // Path E
      sum = r4 * 5;
    }
    r7 = m7[i];                     // Path F
  }
  const int r8 = r1 + r7;           // Path G
  result[i] = r8 + r0 + sum;
}
