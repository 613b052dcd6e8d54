/* SPDX-License-Identifier: Apache-2.0 */
/* A test of an instruction of two registers: a hash of its results over all pairs of `corners` and RANDOM random ones.
 */
#include "report.h"

#define CORNERS (sizeof corners / sizeof *corners)

#define REGISTER(name)                                                           \
  static void test_##name(void) {                                                \
    u32 h = 1, seed = 0x1234567;                                                 \
    for (u32 i = 0; i < CORNERS * CORNERS + RANDOM; ++i) {                       \
      u32 a = i < CORNERS * CORNERS ? corners[i / CORNERS] : next_random(&seed); \
      u32 b = i < CORNERS * CORNERS ? corners[i % CORNERS] : next_random(&seed); \
      u32 d;                                                                     \
      __asm__ volatile(#name " %0, %1, %2" : "=r"(d) : "r"(a), "r"(b));          \
      h = hash(h, d);                                                            \
    }                                                                            \
    report(#name, h);                                                            \
  }
