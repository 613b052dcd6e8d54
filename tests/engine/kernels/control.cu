// SPDX-License-Identifier: Apache-2.0
// Control flow of every kind that makes threads of a warp part and meet. Every kernel writes one word a thread; control_test.cpp
// computes the same words on the host.
#include <heddle/kernel.h>

__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

// Recursion of a depth that differs between threads.
extern "C" __global__ void recursion(unsigned* out) {
  const unsigned i = heddle_thread_id();
  out[i] = fibonacci(i % 9);
}

__device__ __noinline__ unsigned twice(unsigned x) { return 2 * x; }
__device__ __noinline__ unsigned square(unsigned x) { return x * x; }
__device__ __noinline__ unsigned bits(unsigned x) { return __popc(x); }
__device__ __noinline__ unsigned halves(unsigned x) {
  unsigned steps = 0;
  while (x != 0) x >>= 1, ++steps;
  return steps;
}
typedef unsigned (*Function)(unsigned);
__constant__ const Function kFunctions[4] = {twice, square, bits, halves};

// Calls through a pointer whose target differs between threads.
extern "C" __global__ void pointers(unsigned* out) {
  const unsigned i = heddle_thread_id();
  const volatile Function* table = kFunctions;
  unsigned sum = 0;
  for (unsigned k = 0; k < 3; ++k) sum = sum * 5 + table[(i + k) % 4](i + k);
  out[i] = sum;
}

__device__ __noinline__ unsigned classify(unsigned x) {
  if (x % 2 == 0) return 1;
  if (x % 3 == 0) return x + 2;
  for (unsigned k = 0; k < x; ++k) {
    if (k * k >= x) return 100 * k;
  }
  return 7;
}

// Returns from different places of a function.
extern "C" __global__ void returns(unsigned* out) {
  const unsigned i = heddle_thread_id();
  out[i] = classify(i) + 1;
}

// Threads end inside nested branches and inside a loop; what they have not written stays 0.
extern "C" __global__ void exits(unsigned* out) {
  const unsigned i = heddle_thread_id();
  if (i % 2 != 0) {
    if (i % 3 == 0) heddle_exit(0);
    for (unsigned k = 0; k < i; ++k) {
      if (k == 5 && i % 5 == 0) heddle_exit(0);
      out[i] += k;
    }
  } else if (i % 4 == 0) {
    out[i] = i;
    heddle_exit(0);
  }
  out[i] += 1000;
}

// Some threads, and one whole warp, end before the barrier the others wait at.
extern "C" __global__ void barrier_with_exits(unsigned* out) {
  __shared__ unsigned values[1024];
  const unsigned i = threadIdx.x;
  values[i] = i * 3 + blockIdx.x;
  if (i % 8 == 5 || (i >= 64 && i < 128)) heddle_exit(0);
  __syncthreads();
  out[heddle_thread_id()] = values[blockDim.x - 1 - i];
}

// Every barrier matters: a value travels one place with each.
extern "C" __global__ void relay(unsigned* out) {
  __shared__ unsigned values[1024];
  const unsigned i = threadIdx.x, n = blockDim.x;
  values[i] = i;
  for (unsigned step = 0; step < 8; ++step) {
    __syncthreads();
    const unsigned next = values[(i + 1) % n];
    __syncthreads();
    values[i] = next;
  }
  out[heddle_thread_id()] = values[i];
}

// Loops with several exits and a branch into the middle of another one's tail.
extern "C" __global__ void unstructured(unsigned* out) {
  const unsigned i = heddle_thread_id();
  unsigned x = i * 2654435761u, steps = 0;
  for (;;) {
    ++steps;
    if ((x & 7) == 3) goto third;
    if ((x >> 3 & 7) == steps % 8) goto half;
    x = x * 1664525u + 1013904223u;
    if (steps == 40) goto done;
  }
third:
  x += 17;
  if (x & 16) goto done;
half:
  x ^= steps;
done:
  out[i] = x + steps;
}

// Order between threads does not matter to the sum, but every addition counts.
extern "C" __global__ void sum(unsigned* out, unsigned rounds) {
  const unsigned i = heddle_thread_id();
  for (unsigned k = 0; k < rounds; ++k) {
    if ((i + k) % 3 != 0) atomicAdd(out, i + k);
  }
}

// Dependent chains in both halves of a divergent branch, through every unit that has a latency of its own.
extern "C" __global__ void chains(unsigned* out, float seed) {
  const unsigned i = heddle_thread_id();
  unsigned a = i + 1;
  float f = seed + (float)i;
  for (unsigned k = 0; k < 6; ++k) {
    if ((i ^ k) & 1) {
      a = a * 7 + k;
      a ^= a / (k + 3);
      f = f * 0.5f + (float)(a & 15);
    } else {
      f = sqrtf(f + 1.0f) + 2.0f;
      a += (unsigned)f;
      a = a * a + 1;
    }
  }
  out[i] = a ^ __float_as_uint(f);
}

// Much work between two stores; the second warp of a block waits for the first one's flag.
extern "C" __global__ void patience(unsigned* out, unsigned rounds) {
  volatile unsigned* flag = out + gridDim.x * blockDim.x - 1;
  if (threadIdx.x >= 32) {
    while (*flag == 0) {
    }
  } else {
    unsigned x = threadIdx.x;
    for (unsigned k = 0; k < rounds; ++k) x = x * 1664525u + 1013904223u;
    out[threadIdx.x] = x;
    if (threadIdx.x == 0) *flag = 1;
  }
}

// A thread's own text.
extern "C" __global__ void speak() {
  char text[] = "thread 00\n";
  const unsigned i = heddle_thread_id();
  if (i % 2 != 0) return;
  text[7] = (char)('0' + i / 10);
  text[8] = (char)('0' + i % 10);
  heddle_write(1, text, sizeof text - 1);
}
