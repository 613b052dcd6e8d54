/* SPDX-License-Identifier: Apache-2.0 */
/* Compiled C as compilers write it: sorting, a sieve, a matrix product, string work, recursion, function pointers. */
#include "report.h"

static u32 numbers[257];
static float left[8][8], right[8][8], product[8][8];
static unsigned char sieve[1000];

static void sort(u32* values, int low, int high) {
  if (low >= high) return;
  u32 pivot = values[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (values[i] < pivot) ++i;
    while (values[j] > pivot) --j;
    if (i <= j) {
      u32 swap = values[i];
      values[i++] = values[j];
      values[j--] = swap;
    }
  }
  sort(values, low, j);
  sort(values, i, high);
}

static u32 ackermann(u32 m, u32 n) {
  return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

static u32 twice(u32 x) { return 2 * x; }
static u32 square(u32 x) { return x * x; }
static u32 (*volatile const functions[])(u32) = {twice, square};

static u32 bits(float value) {
  union {
    float value;
    u32 bits;
  } u = {value};
  return u.bits;
}

int main(void) {
  u32 seed = 2463534242u, h = 1;
  for (u32 i = 0; i < 257; ++i) numbers[i] = next_random(&seed);
  sort(numbers, 0, 256);
  for (u32 i = 0; i < 257; ++i) h = hash(h, numbers[i]);
  report("sort", h);

  u32 primes = 0;
  for (u32 i = 2; i < 1000; ++i) {
    if (sieve[i]) continue;
    ++primes;
    for (u32 k = i * i; k < 1000; k += i) sieve[k] = 1;
  }
  report("primes", primes);

  for (int i = 0; i < 64; ++i) {
    left[i / 8][i % 8] = (float)((int)(next_random(&seed) % 2000) - 1000) / 7.0f;
    right[i / 8][i % 8] = (float)(next_random(&seed) >> 8) * 0x1p-20f;
  }
  h = 1;
  for (int i = 0; i < 8; ++i) {
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 8; ++k) sum += left[i][k] * right[k][j];
      product[i][j] = sum < 0 ? -__builtin_sqrtf(-sum) : sum;
      h = hash(hash(h, bits(product[i][j])), (u32)(int)product[i][j]);
    }
  }
  report("matrix", h);

  report("ackermann", ackermann(2, 6));
  for (u32 i = 0; i < 10; ++i) h = hash(h, functions[i & 1](i + 3));
  report("function pointers", h);

  unsigned long long wide = 88172645463325252ull;
  for (int i = 0; i < 50; ++i) wide = wide * 6364136223846793005ull + 1442695040888963407ull;
  report("64 bits low", (u32)wide);
  report("64 bits high", (u32)(wide >> 32));
  int quotient = -1000007, steps = 0;
  while (quotient < -3) quotient = quotient / 3 - quotient % 7, ++steps;
  report("division", hash((u32)quotient, (u32)steps));
  return (int)(primes & 127);
}
