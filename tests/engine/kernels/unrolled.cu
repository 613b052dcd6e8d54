// SPDX-License-Identifier: Apache-2.0
// Barriers in loops that the compiler unrolls (by_block: would, if it could): counts from an argument, from the block, a constant;
// divergent work between them; a guard before the loop. control_test.cpp computes the same words on the host.
#include <heddle/kernel.h>

constexpr int kThreads = 96;

// Threads behind `live` have ended before the loop.
extern "C" __global__ void by_argument(unsigned* out, int rounds, unsigned live) {
  __shared__ unsigned s[kThreads];
  const unsigned t = threadIdx.x;
  if (t >= live) return;
  s[t] = t;
  __syncthreads();
#ifndef ROLLED
#pragma unroll 4
#endif
  for (int r = 1; r < rounds; ++r) {
    const unsigned other = s[(t + r) % live];
    __syncthreads();
    if (other % 3 == 0) s[t] += other * r;
    else if (t % 2 == 0) s[t] ^= other;
    __syncthreads();
  }
  out[heddle_thread_id()] = s[t];
}

// A tree over the block, its depth known at run time only.
extern "C" __global__ void by_block(unsigned* out) {
  extern __shared__ unsigned tree[];
  const unsigned t = threadIdx.x;
  tree[t] = t * t + 1;
  for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) tree[t] += tree[t + d];
  }
  __syncthreads();
  out[heddle_thread_id()] = tree[0] + t;
}

#define ROUNDS 6
extern "C" __global__ void by_constant(unsigned* out) {
  __shared__ unsigned s[kThreads];
  const unsigned t = threadIdx.x;
  s[t] = t;
#ifndef ROLLED
#pragma unroll ROUNDS
#endif
  for (unsigned r = 0; r < ROUNDS; ++r) {
    __syncthreads();
    const unsigned mine = s[t], other = s[t ^ (1u << r) % 32];
    __syncthreads();
    s[t] = (mine & 1u << r) != 0 ? mine + other : other - mine;
  }
  out[heddle_thread_id()] = s[t];
}
