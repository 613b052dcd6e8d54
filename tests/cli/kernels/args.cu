// SPDX-License-Identifier: Apache-2.0
// Kernels with parameters of every type, and threads that end with a status of their own.
#include <heddle/kernel.h>
#include <stdint.h>

typedef const float* __restrict__ samples_t;
typedef unsigned index_t;
enum Color { kRed, kGreen = 1000 };
enum class Small : unsigned char { kNone };
struct Pair {
  int a, b;
};

extern "C" __global__ void types(int* out, samples_t x, volatile int array[4], const index_t n, Color color, Small small, bool flag, char c) {
  out[0] = (int)x[0];
  out[1] = array[1];
  out[2] = (int)n;
  out[3] = (int)color;
  out[4] = (int)small;
  out[5] = flag;
  out[6] = c;
}

extern "C" __global__ void narrow(int* out, signed char c, short s, unsigned char uc, unsigned short us, Pair& pair, uintptr_t where, float) {
  out[0] = c;
  out[1] = s;
  out[2] = uc;
  out[3] = us;
  out[4] = pair.b;
  out[5] = where == (uintptr_t)&pair;
}

extern "C" __global__ void wide(int* out, long long x) { *out = (int)x; }
extern "C" __global__ void twice(int* out, double x) { *out = (int)x; }
extern "C" __global__ void by_value(int* out, Pair pair) { *out = pair.b; }
extern "C" __global__ void nothing() {}

template <class T>
__global__ void fill(T* out, T value) {
  out[threadIdx.x] = value;
}
template __global__ void fill<float>(float*, float);
template __global__ void fill<int>(int*, int);

namespace space {
struct Kernels {
  static __global__ void member(int* out, unsigned value);
};
void Kernels::member(int* out, unsigned value) { *out = (int)value; }
}  // namespace space

// Threads 3 and above end with a status.
extern "C" __global__ void gives_up(int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x >= 3) heddle_exit((int)threadIdx.x - 100);
}
