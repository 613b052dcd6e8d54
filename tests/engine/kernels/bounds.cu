// SPDX-License-Identifier: Apache-2.0
// Kernels of which thread `who` leaves what it may use, by a distance in bytes.
#include <heddle/kernel.h>

__device__ __align__(64) unsigned behind;
__device__ unsigned char small[6];
__device__ __align__(64) unsigned table[4];

extern "C" __global__ void store_at(unsigned* first, unsigned* second, unsigned who, int distance) {
  if (heddle_thread_id() == who) *(volatile unsigned*)((char*)second + distance) = 7;
  first[heddle_thread_id()] = 1;
}

extern "C" __global__ void load_at(unsigned* first, unsigned* second, unsigned who, int distance) {
  const unsigned* from = (const unsigned*)((char*)second + (heddle_thread_id() == who ? distance : 0));
  first[heddle_thread_id()] = *(const volatile unsigned*)from;
}

extern "C" __global__ void add_at(unsigned* first, unsigned* second, unsigned who, int distance) {
  if (heddle_thread_id() == who) atomicAdd((unsigned*)((char*)second + distance), 1u);
  first[heddle_thread_id()] = 1;
}

extern "C" __global__ void byte_of_small(unsigned* first, unsigned who, unsigned distance) {
  if (heddle_thread_id() == who) ((volatile unsigned char*)small)[distance] = 7;
  table[heddle_thread_id() & 3] = behind;
  first[heddle_thread_id()] = 1;
}

extern "C" __global__ void word_of_table(unsigned* first, unsigned who, unsigned distance) {
  if (heddle_thread_id() == who) *(volatile unsigned*)((char*)table + distance) = 7;
  small[0] = 1;
  first[heddle_thread_id()] = 1;
}

extern "C" __global__ void shared_at(unsigned* first, unsigned who, unsigned distance) {
  __shared__ unsigned values[24];
  values[threadIdx.x % 24] = threadIdx.x;
  __syncthreads();
  if (heddle_thread_id() == who) *(volatile unsigned*)((char*)values + distance) = 7;
  first[heddle_thread_id()] = values[threadIdx.x % 24];
}
