/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of Zba, Zbb and Zbs: a hash of its results over corner and random operands. And what the compiler makes of them. */
#include "report.h"

static const u32 corners[] = {0,          1,          2,          3,          7,          31,         32,         33,
                              0x7F,       0x80,       0xFF,       0x100,      0x7FFF,     0x8000,     0xFFFF,     0x10000,
                              0x00FF00FF, 0x01000080, 0x12345678, 0x55555555, 0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001,
                              0xAAAAAAAA, 0xFFFF0000, 0xFFFF8000, 0xFFFFFF80, 0xFFFFFFFE, 0xFFFFFFFF};
#define RANDOM 100
#include "operands.h"

REGISTER(sh1add) REGISTER(sh2add) REGISTER(sh3add)
REGISTER(andn) REGISTER(orn) REGISTER(xnor) REGISTER(max) REGISTER(maxu) REGISTER(min) REGISTER(minu) REGISTER(rol) REGISTER(ror)
REGISTER(bclr) REGISTER(bext) REGISTER(binv) REGISTER(bset)

#define ONE(label, text, more)                                                                  \
  static void test_##label(void) {                                                              \
    u32 h = 1, seed = 0x7654321;                                                                \
    for (u32 i = 0; i < CORNERS + 32 + 200; ++i) {                                              \
      u32 a = i < CORNERS ? corners[i] : i < CORNERS + 32 ? 1u << (i - CORNERS) : next_random(&seed), d; \
      __asm__ volatile(text " %0, %1" more : "=r"(d) : "r"(a));                                 \
      h = hash(h, d);                                                                           \
    }                                                                                           \
    report(text more, h);                                                                       \
  }
ONE(clz, "clz", "") ONE(ctz, "ctz", "") ONE(cpop, "cpop", "") ONE(sext_b, "sext.b", "") ONE(sext_h, "sext.h", "") ONE(zext_h, "zext.h", "")
ONE(orc_b, "orc.b", "") ONE(rev8, "rev8", "")
#define NUMBERS(name) \
  ONE(name##_zero, #name, ", 0") ONE(name##_one, #name, ", 1") ONE(name##_half, #name, ", 16") ONE(name##_most, #name, ", 31")
NUMBERS(rori) NUMBERS(bclri) NUMBERS(bexti) NUMBERS(binvi) NUMBERS(bseti)
#define ALL(name) test_##name##_zero(), test_##name##_one(), test_##name##_half(), test_##name##_most()

/* The compiler's choice of instructions. */
static u32 __attribute__((noinline)) mixture(u32 a, u32 b) {
  const int x = (int)a, y = (int)b;
  u32 h = hash(1, (u32)(x < y ? x : y));
  h = hash(h, a > b ? a : b);
  h = hash(h, (u32)(x < 0 ? -x : x));
  h = hash(h, a == 0 ? 32 : (u32)__builtin_clz(a));
  h = hash(h, b == 0 ? 32 : (u32)__builtin_ctz(b));
  h = hash(h, (u32)__builtin_popcount(a ^ b));
  h = hash(h, a << (b & 31) | a >> (-b & 31));
  h = hash(h, a >> 13 | a << 19);
  h = hash(h, (a & ~b) + (a | ~b));
  h = hash(h, a << 3 | (u32)(signed char)b);
  h = hash(h, (a & ~(1u << (b & 31))) + (a >> (b & 31) & 1));
  return hash(h, (a << 2) + b);
}

int main(void) {
  test_sh1add(), test_sh2add(), test_sh3add();
  test_andn(), test_orn(), test_xnor(), test_max(), test_maxu(), test_min(), test_minu(), test_rol(), test_ror();
  test_bclr(), test_bext(), test_binv(), test_bset();
  test_clz(), test_ctz(), test_cpop(), test_sext_b(), test_sext_h(), test_zext_h(), test_orc_b(), test_rev8();
  ALL(rori), ALL(bclri), ALL(bexti), ALL(binvi), ALL(bseti);
  u32 h = 1;
  for (u32 i = 0; i < CORNERS * CORNERS; ++i) h = hash(h, mixture(corners[i / CORNERS], corners[i % CORNERS]));
  report("compiled", h);
  return 23;
}
