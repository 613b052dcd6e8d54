// SPDX-License-Identifier: Apache-2.0
// Branches whose two sides work, without memory: what a second schedulable path gains is known from the dependences alone.
#include <heddle/kernel.h>

#define EIGHT "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h)
#define ADD8 "addi %0,%0,1\n addi %1,%1,2\n addi %2,%2,3\n addi %3,%3,4\n addi %4,%4,5\n addi %5,%5,6\n addi %6,%6,7\n addi %7,%7,8\n"
#define XOR8 "xori %0,%0,1\n xori %1,%1,2\n xori %2,%2,3\n xori %3,%3,4\n xori %4,%4,5\n xori %5,%5,6\n xori %6,%6,7\n xori %7,%7,8\n"

// Long sides of independent instructions: no path waits for itself.
extern "C" __global__ void independent(unsigned* out, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = t, b = t * 3, c = t * 5, d = t * 7, e = t ^ 9, f = t + 11, g = t ^ 77, h = t + 13;
#pragma GCC unroll 1
  for (unsigned i = 0; i < n; ++i) {
    if (((t + i) & 1) != 0) {
      asm volatile(ADD8 XOR8 ADD8 XOR8 : EIGHT);
    } else {
      asm volatile(XOR8 ADD8 XOR8 ADD8 : EIGHT);
    }
  }
  out[t] = a + b + c + d + e + f + g + h;
}

// Sides in which each instruction needs the one before.
extern "C" __global__ void dependent(unsigned* out, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = t;
#pragma GCC unroll 1
  for (unsigned i = 0; i < n; ++i) {
    if (((t + i) & 1) != 0) {
      asm volatile("addi %0,%0,1\n xori %0,%0,2\n addi %0,%0,3\n xori %0,%0,4\n addi %0,%0,5\n xori %0,%0,6\n addi %0,%0,7\n xori %0,%0,8" : "+r"(a));
    } else {
      asm volatile("xori %0,%0,1\n addi %0,%0,2\n xori %0,%0,3\n addi %0,%0,4\n xori %0,%0,5\n addi %0,%0,6\n xori %0,%0,7\n addi %0,%0,8" : "+r"(a));
    }
  }
  out[t] = a;
}

// Short sides, as most are.
extern "C" __global__ void brief(unsigned* out, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = t, b = t * 3, c = t * 5;
#pragma GCC unroll 1
  for (unsigned i = 0; i < n; ++i) {
    if (((t + i) & 1) != 0) {
      asm volatile("addi %0,%0,1\n addi %1,%1,2\n addi %2,%2,3" : "+r"(a), "+r"(b), "+r"(c));
    } else {
      asm volatile("xori %0,%0,5\n xori %1,%1,6\n xori %2,%2,7" : "+r"(a), "+r"(b), "+r"(c));
    }
  }
  out[t] = a + b + c;
}

// Short sides that write different registers.
extern "C" __global__ void apart(unsigned* out, unsigned n) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = t, b = t * 3, c = t * 5, d = t * 7, e = t ^ 9, f = t + 11;
#pragma GCC unroll 1
  for (unsigned i = 0; i < n; ++i) {
    if (((t + i) & 1) != 0) {
      asm volatile("addi %0,%0,1\n addi %1,%1,2\n addi %2,%2,3" : "+r"(a), "+r"(b), "+r"(c));
    } else {
      asm volatile("xori %0,%0,5\n xori %1,%1,6\n xori %2,%2,7" : "+r"(d), "+r"(e), "+r"(f));
    }
  }
  out[t] = a + b + c + d + e + f;
}
