// SPDX-License-Identifier: Apache-2.0
// What a thread of the 64-bit kernels computes for itself: the kernels of wide.cu and the host compile the same lines.
#pragma once

#include <stdint.h>

static inline uint64_t bits_of(double value) {
  uint64_t bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline uint64_t scrambled(uint64_t i) {
  uint64_t x = (i + 1) * 0x9E3779B97F4A7C15u;
  x ^= x >> 29;
  return x * 0xBF58476D1CE4E5B9u;
}

// Products, quotients and shifts of registers and of words.
static inline uint64_t integers(uint64_t i) {
  uint64_t x = scrambled(i);
  for (unsigned k = 0; k < 12; ++k) {
    const uint64_t y = scrambled(x + k);
    const int32_t words[2] = {(int32_t)x, (int32_t)(y >> 17)};
    __extension__ typedef unsigned __int128 Double;
    x += (uint64_t)((Double)x * y >> 64);
    x ^= y / (x % 1000 + 3);
    x += (uint64_t)((int64_t)y % ((int64_t)(x >> 40) + 5));
    x = x << (y & 63) | x >> (-y & 63);
    x += (uint64_t)(int64_t)(int32_t)((uint32_t)words[0] * (uint32_t)words[1]);
    x ^= (uint64_t)(int64_t)(words[0] / (words[1] | 1));
    x -= (uint32_t)words[0] % ((uint32_t)words[1] | 1u);
    x += (uint64_t)__builtin_clzll(y | 1) << 32 | (uint64_t)__builtin_popcountll(x);
    x = (int64_t)x < (int64_t)y ? x + 7 : y - x;
  }
  return x;
}

// Sums, products, quotients and roots of doubles; conversions to and from all that there is.
static inline uint64_t doubles(uint64_t i) {
  double x = 1.25 + (double)i;
  uint64_t sum = 0;
  for (unsigned k = 1; k < 9; ++k) {
    const double product = x * (0.3 + k);
    x = __builtin_fma(product, 0.7, x / (k + 0.1));
    x = __builtin_sqrt(x + (double)(int64_t)(sum >> 44)) + (double)(float)x;
    const float narrow = (float)x * 1.7f;
    sum += (uint64_t)(int64_t)(x * 1e9) ^ bits_of((double)narrow);
    sum = x > narrow ? sum + (uint64_t)(int32_t)narrow : sum ^ (uint64_t)x;
    if (x != x) return 0;
  }
  return sum ^ bits_of(-x);
}

// A loop and branches whose conditions the upper halves of registers decide.
static inline uint64_t branches(uint64_t i) {
  uint64_t x = scrambled(i), steps = 0;
  while (x >> 32 != 0) {
    ++steps;
    if ((x >> 61 & 1) != 0) x -= x >> 3;
    else if ((int64_t)x < 0) x >>= 1;
    else x = x / 5 + (i << 20);
    if (steps == 100) break;
  }
  return x + (steps << 40);
}

static inline uint64_t calls_to(uint64_t n, double weight, uint64_t (*self)(uint64_t, double)) {
  if (n < 2) return (n << 40) + (uint64_t)weight;
  return self(n - 1, weight * 1.5) + 3 * self(n - 2, weight + 0.5);
}
