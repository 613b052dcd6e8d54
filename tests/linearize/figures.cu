// SPDX-License-Identifier: Apache-2.0
// The linearization paper's examples. Block BLOCK is 64 instructions longer, and twice as much with -DTWICE: a warp's instructions tell
// how often it executes it.
#include <heddle/kernel.h>

#define NOPS_8 "nop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\tnop\n\t"
#define NOPS_64 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8 NOPS_8
#ifdef TWICE
#define NOPS NOPS_64 NOPS_64
#else
#define NOPS NOPS_64
#endif
#define BLOCK_IS(n)                        \
  do {                                     \
    if (BLOCK == (n)) asm volatile(NOPS);  \
  } while (0)

// Figure 1: (c1 || c2) && c3.
extern "C" __global__ void short_circuit(const int* c1, const int* c2, const int* c3, int* out) {
  const int t = threadIdx.x;
  int r = 0;
  BLOCK_IS(1);
  if (c1[t] == 0) {
    BLOCK_IS(2);
    if (c2[t] == 0) goto b5;
    r += 2;
  }
  BLOCK_IS(3);
  if (c3[t] != 0) {
    BLOCK_IS(4);
    r = r * 3 + 4;
  } else {
  b5:
    BLOCK_IS(5);
    r = r * 5 + 5;
  }
  BLOCK_IS(6);
  out[t] = r;
}

// Figure 2(b): an inner loop whose trip count is the thread's. Block 2 is its body.
extern "C" __global__ void loops(const int* trips, int* out) {
  const int t = threadIdx.x;
  int r = 1;
  for (int i = 0; i < 2; ++i) {
    BLOCK_IS(1);
    r ^= i;
    for (int j = 0; j < trips[2 * t + i]; ++j) {
      BLOCK_IS(2);
      r = r * 3 + j;
    }
    BLOCK_IS(3);
    r += 7;
  }
  out[t] = r;
}

// Figure 3: three branches, one in the other.
extern "C" __global__ void nested(const int* way, int* out) {
  const int t = threadIdx.x;
  const int w = way[t];
  int r = t;
  if (w > 0) {
    BLOCK_IS(2);
    r ^= 0x1234;
    if (w > 1) {
      BLOCK_IS(4);
      r *= 3;
      if (w > 2) {
        BLOCK_IS(6);
        r += out[t + 4];
      } else {
        BLOCK_IS(7);
        r -= out[t + 8];
      }
      BLOCK_IS(8);
      r ^= 1;
    } else {
      BLOCK_IS(5);
      r += out[t + 12];
    }
    BLOCK_IS(9);
    r *= 5;
  } else {
    BLOCK_IS(3);
    r -= out[t + 16];
  }
  BLOCK_IS(10);
  out[t] = r;
}

// Figure 5: a jump out of a loop.
extern "C" __global__ void out_of_a_loop(const int* c, int n, int* out) {
  const int t = threadIdx.x;
  int r = 0;
  for (int i = 0; i < n; ++i) {
    BLOCK_IS(3);
    r += i;
    if (c[t] == i) goto found;
    BLOCK_IS(4);
    r *= 3;
  }
  BLOCK_IS(5);
  r += 1000;
found:
  BLOCK_IS(6);
  out[t] = r + 1;
}

// Figure 6(a): a jump into a loop.
extern "C" __global__ void into_a_loop(const int* c, int n, int* out) {
  const int t = threadIdx.x;
  int r = 0, i = 0;
  if (c[t] == 1) goto inside;
  BLOCK_IS(2);
  r = 50;
  for (; i < n; ++i) {
    BLOCK_IS(4);
    r = r * 3 + 1;
  inside:
    BLOCK_IS(5);
    r ^= i + 9;
  }
  BLOCK_IS(6);
  out[t] = r;
}

// Section 5.1: both arms load twice, the second time from where the first value says. Each table has n rows of 64 words.
extern "C" __global__ void arms_that_load(const int* x, const int* y, int n, int* out) {
  const int t = threadIdx.x;
  int r;
  if (t % 2 != 0) {
    r = x[t * 64] * 3 + 1;
    r += x[t * 64 + 32 + (r & 1)] * 5;
  } else {
    r = y[t * 64] - 7;
    r -= y[t * 64 + 32 + (r & 1)] * 9;
  }
  out[t] = r + n;
}
