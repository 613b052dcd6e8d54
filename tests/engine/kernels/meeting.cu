// SPDX-License-Identifier: Apache-2.0
// Where threads that parted must be together again: behind functions with several returns, behind recursion, behind jump tables, and
// before a barrier that some threads have left early. Every kernel leaves a word in shared memory, passes a barrier, and adds its
// neighbour's word after a loop of 200 uniform steps, so that both a lost barrier and a warp that stays split are seen.
// meeting_test.cpp computes the same words on the host.
#include <heddle/kernel.h>

__shared__ unsigned values[64];

__device__ __noinline__ unsigned steps(unsigned x) {
  for (unsigned k = 0; k < 200; ++k) x = x * 1664525u + 1013904223u;
  return x;
}

__device__ void finish(unsigned* out, unsigned value) {
  const unsigned t = threadIdx.x;
  values[t] = value;
  __syncthreads();
  out[heddle_thread_id()] = steps(t) + values[(t + 1) % blockDim.x];
}

// Library functions with several returns.
extern "C" __global__ void double_compare(unsigned* out) {
  const unsigned i = heddle_thread_id();
  const double a = (double)(int)(i * 37 % 11) - 5.0, b = (double)(int)(i % 7) - 3.0;
  finish(out, (a < b ? 1 : 0) + (a == b ? 2 : 0) + (a >= 0.5 ? 4 : 0));
}

extern "C" __global__ void long_division(unsigned* out) {
  const unsigned i = heddle_thread_id();
  const unsigned long long a = (i * 0x9E3779B97F4A7C15ull) >> (i % 40), b = 1 + ((i * 0xD1B54A32D192ED03ull) >> (24 + i % 39));
  finish(out, (unsigned)(a / b) ^ (unsigned)(a % b));
}

extern "C" __global__ void arc_tangent(unsigned* out) {
  const unsigned i = heddle_thread_id();
  const float y = (float)(int)(i % 9) - 4.0f, x = (float)(int)(i % 5) - 2.0f;
  finish(out, atan2f(y, x) > 1.0f ? 1 : 0);
}

// A function of the user's with a return in a loop and others around it.
__device__ __noinline__ unsigned classify(unsigned x) {
  if (x % 2 == 0) return 1;
  if (x % 3 == 0) return x + 2;
  for (unsigned k = 0; k < x; ++k) {
    if (k * k >= x) return 100 * k;
  }
  return 7;
}
__device__ __noinline__ unsigned classify_both(unsigned x) {
  if (x % 5 == 0) return classify(x);
  if (x % 5 == 1) return classify(x + 1) + 1;
  return classify(x) + classify(x / 2);
}
extern "C" __global__ void several_returns(unsigned* out) { finish(out, classify_both(heddle_thread_id())); }

// Calls through one table that never meets a barrier, and through one whose functions have one.
typedef unsigned (*Step)(unsigned);
__device__ __noinline__ unsigned plus5(unsigned x) { return x + 5; }
__device__ __noinline__ unsigned triple(unsigned x) { return 3 * x; }
__constant__ const Step kSteps[] = {plus5, triple, classify};
__device__ __noinline__ unsigned keep(unsigned x) {
  __syncthreads();
  return x;
}
__device__ __noinline__ unsigned pass_on(unsigned x) {
  values[threadIdx.x] = x;
  __syncthreads();
  x = values[(threadIdx.x + 3) % blockDim.x];
  __syncthreads();
  return x;
}
__constant__ const Step kMeetings[] = {keep, pass_on};
__device__ __noinline__ unsigned walk(unsigned x) {
  if (x % 5 == 2) return 9;
  x = kSteps[x % 3](x);
  return x % 4 == 1 ? kSteps[(x >> 2) % 3](x) : x;
}
extern "C" __global__ void tables(unsigned* out) { finish(out, kMeetings[gridDim.x - 1](walk(heddle_thread_id()))); }

__device__ __noinline__ unsigned depth_sum(unsigned n) { return n == 0 ? 0 : n + depth_sum(n - 1); }
extern "C" __global__ void depth(unsigned* out) { finish(out, depth_sum(heddle_thread_id() & 7)); }

__device__ __noinline__ unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
extern "C" __global__ void fib(unsigned* out) { finish(out, fibonacci(heddle_thread_id() & 7)); }

// Recursion through two functions, from two places.
__device__ unsigned odd_steps(unsigned n);
__device__ __noinline__ unsigned even_steps(unsigned n) {
  if (n == 0) return 1;
  if (n % 3 == 0) return 2 + odd_steps(n - 1);
  return odd_steps(n - 1) * 3;
}
__device__ __noinline__ unsigned odd_steps(unsigned n) {
  if (n == 0) return 0;
  if (n > 4) return even_steps(n - 2) + 5;
  return even_steps(n - 1);
}
extern "C" __global__ void mutual(unsigned* out) {
  const unsigned i = heddle_thread_id();
  unsigned value = even_steps(i % 9);
  if (i % 4 == 1) value += odd_steps(i % 5);
  finish(out, value);
}

__device__ __noinline__ unsigned first_switch(unsigned x) {
  switch (x) {
    case 0: return 11; case 1: return steps(3); case 2: return x * 5; case 3: return 42; case 4: return x ^ 99; case 5: return 1000; case 6: return steps(5);
    default: return 7;
  }
}
// Two dense switches in one kernel.
extern "C" __global__ void switches(unsigned* out) {
  const unsigned i = heddle_thread_id();
  unsigned value = 0;
  switch (i & 7) {
    case 0: value = i * 3; break; case 1: value = i + 77; break; case 2: value = steps(i); break; case 3: value = 5; break;
    case 4: value = i ^ 0x55; break; case 5: value = i << 3; break; case 6: value = ~i; break; case 7: value = 1; break;
  }
  switch (i % 6) {
    case 0: value += 9; break; case 1: value *= 3; break; case 2: value ^= steps(i + 1); break; case 3: value -= 4; break;
    case 4: value = value << 1 | 1; break; case 5: value /= 3; break;
  }
  finish(out, value + first_switch(i % 9));
}

// Labels as values.
extern "C" __global__ void computed_goto(unsigned* out) {
  static const void* const kLabels[] = {&&add, &&twice, &&stop, &&flip};
  const unsigned i = heddle_thread_id();
  unsigned x = i, fuel = i % 13;
next:
  if (fuel-- == 0) goto stop;
  goto *kLabels[(x >> 1) % 4];
add:
  x += 5;
  goto next;
twice:
  x = 2 * x + 1;
  goto next;
flip:
  x ^= 0x35;
  goto next;
stop:
  finish(out, x);
}

// Two computed gotos with barriers between: one indirect jump for both would have no place to meet.
extern "C" __global__ void two_gotos(unsigned* out) {
  static const void* const kFirst[] = {&&first0, &&first1, &&first2};
  static const void* const kSecond[] = {&&second0, &&second1, &&second2};
  const unsigned t = threadIdx.x;
  unsigned x = heddle_thread_id();
  goto *kFirst[x % 3];
first0:
  x += 5;
  goto exchange;
first1:
  x = steps(x);
first2:
  x ^= 0x1234;
exchange:
  values[t] = x;
  __syncthreads();
  x = values[(t + 1) % blockDim.x];
  __syncthreads();
  goto *kSecond[x % 3];
second0:
  x *= 3;
  goto done;
second1:
  x += 77;
second2:
  x = ~x;
done:
  finish(out, x);
}

// Threads that leave before the barrier do not keep the others from it.
extern "C" __global__ void early_return(unsigned* out, unsigned n) {
  const unsigned t = threadIdx.x;
  values[t] = 0;
  if (t >= n) return;
  values[t] = t * 7;
  __syncthreads();
  out[heddle_thread_id()] = steps(t) + values[(t + 1) % blockDim.x];
}

extern "C" __global__ void nested_return(unsigned* out, unsigned n) {
  const unsigned t = threadIdx.x;
  unsigned x = t;
  values[t] = 0;
  if (t % 3 == 1) {
    x += 10;
    if (t >= n) {
      out[heddle_thread_id()] = 1;
      return;
    }
    for (unsigned k = 0; k < t % 5; ++k) {
      x += k;
      if (x % 11 == 0) return;
    }
  } else if (t % 7 == 2) {
    goto skip;
  }
  values[t] = x;
  __syncthreads();
  x = steps(t) + values[(t + 1) % blockDim.x];
  if (t % 5 == 4) return;
  __syncthreads();
  values[t] = x;
  __syncthreads();
  x ^= values[(t + 2) % blockDim.x];
skip:
  out[heddle_thread_id()] = x;
}

// Leaves a uniform loop of barriers from the middle.
extern "C" __global__ void loop_return(unsigned* out) {
  const unsigned t = threadIdx.x;
  values[t] = t;
  for (unsigned round = 0; round < 6; ++round) {
    __syncthreads();
    const unsigned next = values[(t + 1) % blockDim.x];
    if (next % 16 == round) return;
    __syncthreads();
    values[t] = next + 1;
    out[heddle_thread_id()] = steps(next);
  }
}
