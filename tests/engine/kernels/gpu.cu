// SPDX-License-Identifier: Apache-2.0
// Blocks of several SMs that meet in memory.
#include "heddle/kernel.h"

// Each block waits until all have come: only if all are resident at once.
__device__ unsigned arrived;
__global__ void grid_barrier(unsigned* out) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  out[t] = t + 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*(volatile unsigned*)&arrived < gridDim.x) {
    }
  }
  __syncthreads();
  const unsigned other = ((blockIdx.x + 1) % gridDim.x) * blockDim.x + threadIdx.x;
  const unsigned seen = *(volatile unsigned*)&out[other];
  __syncthreads();
  out[t] = seen == other + 1 || seen == ~(other + 1) ? ~(t + 1) : 0;
}

// Every thread takes numbers of one counter: none twice, none left out.
__global__ void tickets(unsigned* out, unsigned* counter, unsigned rounds) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned sum = 0;
  for (unsigned i = 0; i < rounds; ++i) sum += atomicAdd(counter, 1u);
  out[t] = sum;
}

// A lock in global memory around a counter without atomics.
__global__ void locked(unsigned* out, unsigned* lock, unsigned* counter) {
  if (threadIdx.x == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0) {
    }
    __threadfence();
    *(volatile unsigned*)counter = *(volatile unsigned*)counter + 1;
    __threadfence();
    atomicExch(lock, 0u);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Bytes side by side, written by different SMs: none may be lost.
__global__ void bytes(unsigned* out) {
  const unsigned t = threadIdx.x * gridDim.x + blockIdx.x;
  reinterpret_cast<unsigned char*>(out)[t] = static_cast<unsigned char>(t * 7 + 1);
}

// Shared and local memory are of a block and a thread.
__global__ void own(unsigned* out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = blockIdx.x;
  volatile unsigned local[4];
  for (unsigned i = 0; i < 4; ++i) local[i] = blockIdx.x * 1000 + threadIdx.x + i;
  __syncthreads();
  atomicAdd(&sum, 1u);
  __syncthreads();
  unsigned all = sum;
  for (unsigned i = 0; i < 4; ++i) all += local[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

// Six words of each thread's stack, again and again.
__global__ void frames(unsigned* out, unsigned rounds) {
  volatile unsigned kept[6];
  for (unsigned i = 0; i < 6; ++i) kept[i] = threadIdx.x + i;
  for (unsigned r = 0; r < rounds; ++r) {
    for (unsigned i = 0; i < 6; ++i) kept[i] = kept[i] + blockIdx.x;
  }
  unsigned all = 0;
  for (unsigned i = 0; i < 6; ++i) all += kept[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = all;
}

__global__ void fault(unsigned* out) {
  if (blockIdx.x == 5 && threadIdx.x == 3) out = nullptr;
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

__global__ void waits_for_ever(unsigned* out, unsigned* flag) {
  while (*(volatile unsigned*)flag == 0) {
  }
  out[0] = 1;
}

// The first block waits for what the second one does at the end of long work.
__global__ void waits_for_work(unsigned* out, unsigned* flag, unsigned rounds) {
  if (blockIdx.x == 0) {
    while (*(volatile unsigned*)flag == 0) {
    }
  } else {
    unsigned x = threadIdx.x + 1;
    for (unsigned i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
    *(volatile unsigned*)flag = x | 1u;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

// Arithmetic alone.
__global__ void work(unsigned* out, unsigned rounds) {
  unsigned x = threadIdx.x + 1;
  for (unsigned i = 0; i < rounds; ++i) x = x * 1664525u + 1013904223u;
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}
