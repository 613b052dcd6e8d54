// SPDX-License-Identifier: Apache-2.0
// The loop of the DWF paper's Figure 7 with a body of 1, 4, 16 or 32 increments: threads of odd and of even number have work in
// different iterations. What an oracle gains depends on how much of an iteration is the body.
#include <heddle/kernel.h>

template <int Increments>
__device__ void loop(volatile unsigned* data) {
  const unsigned thread = heddle_thread_id();
  for (unsigned i = thread % 2; i < 128; ++i) {
    if (i % 2 != 0) {
#pragma GCC unroll 32
      for (int k = 0; k < Increments; ++k) data[thread] = data[thread] + 1;
    }
  }
}

extern "C" __global__ void figure7_1(unsigned* data) { loop<1>(data); }
extern "C" __global__ void figure7_4(unsigned* data) { loop<4>(data); }
extern "C" __global__ void figure7_16(unsigned* data) { loop<16>(data); }
extern "C" __global__ void figure7_32(unsigned* data) { loop<32>(data); }

// Work of odd and even threads alternates, with or without a barrier in each iteration.
template <bool Barrier>
__device__ void sections(volatile unsigned* data) {
  const unsigned thread = heddle_thread_id();
  for (unsigned i = 0; i < 16; ++i) {
    if ((i + thread) % 2 != 0) {
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) data[thread] = data[thread] + 1;
    }
    if (Barrier) __syncthreads();
  }
}

extern "C" __global__ void free_sections(unsigned* data) { sections<false>(data); }
extern "C" __global__ void barrier_sections(unsigned* data) { sections<true>(data); }

// Reconverges at the label, to which no thread jumps: the only jump there is never taken.
extern "C" __global__ void fall_into_rpc(volatile unsigned* data) {
  const unsigned thread = heddle_thread_id();
  if (thread % 2 != 0) {
    data[thread] = data[thread] + 1;
  } else {
    data[thread] = data[thread] * 3;
    if (data[thread] != 0) goto reconverge;
  }
  data[thread] = data[thread] + 5;
reconverge:
  data[thread] = data[thread] ^ 7;
  data[thread] = data[thread] + 9;
}
