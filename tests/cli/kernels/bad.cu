// SPDX-License-Identifier: Apache-2.0
// Kernels that the machine has to stop, one for each message.
#include <heddle/kernel.h>

extern "C" __global__ void null_store(int* p) { p[threadIdx.x] = 1; }

extern "C" __global__ void misaligned(char* p) { *(volatile int*)(p + 2 * threadIdx.x + 1) = 1; }

extern "C" __global__ void unmapped() { *(volatile int*)0x90000000u = 1; }

extern "C" __global__ void past(int n, int* from, int* to) { to[n] = from[threadIdx.x]; }

extern "C" __global__ void read_only() { *(volatile int*)0x10000000u = 1; }

extern "C" __global__ void illegal() { __asm__ volatile(".word 0xffffffff"); }

extern "C" __global__ void breakpoint() { __asm__ volatile("ebreak"); }

extern "C" __global__ void endless() {
  for (volatile int i = 0;; i = i + 1) {
  }
}

extern "C" __global__ void divergent_barrier(int* p) {
  if (threadIdx.x & 1) {
    p[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] += 1;
  } else {
    p[threadIdx.x] = 2;
    __syncthreads();
  }
}

__device__ __attribute__((noinline)) int nest(volatile int* p, int depth, int value) {
  if (value & 1) {
    p[depth] = value;
    return depth == 0 ? 1 : nest(p, depth - 1, value >> 1) + 1;
  }
  p[depth] = -value;
  return depth == 0 ? 2 : nest(p, depth - 1, value >> 1) + 3;
}

// Nested divergence five levels deep: more than a small stack holds.
extern "C" __global__ void deep(int* p) { p[threadIdx.x] = nest(p + 64 * threadIdx.x, 4, (int)threadIdx.x); }
