/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of RV64IM, Zba, Zbb and Zbs that computes: a hash of its results over corner and random operands. And what the compiler makes of 64-bit integers. */
#include "report64.h"

static const u64 corners[] = {0, 1, 2, 31, 32, 33, 63, 64, 0x7FF, 0xFF80, 0x12345678, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0x00FF00FF01000080,
                              0x123456789ABCDEF0, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFF7FFFFFFF, 0xFFFFFFFF80000000, 0xFFFFFFFFFFFFFFFE, 0xFFFFFFFFFFFFFFFF};
#define CORNERS (sizeof corners / sizeof *corners)
#define RANDOM 400

#define REGISTER(label, text)                                                      \
  static void test_##label(void) {                                                 \
    u64 h = 1, seed = 0x1234567;                                                   \
    for (u64 i = 0; i < CORNERS * CORNERS + RANDOM; ++i) {                         \
      u64 a = i < CORNERS * CORNERS ? corners[i / CORNERS] : next_random64(&seed); \
      u64 b = i < CORNERS * CORNERS ? corners[i % CORNERS] : next_random64(&seed); \
      u64 d;                                                                       \
      __asm__ volatile(text " %0, %1, %2" : "=r"(d) : "r"(a), "r"(b));             \
      h = hash64(h, d);                                                            \
    }                                                                              \
    report64(text, h);                                                             \
  }
#define ONE(label, text, more)                                                                \
  static void test_##label(void) {                                                            \
    u64 h = 1, seed = 0x7654321;                                                              \
    for (u64 i = 0; i < CORNERS + 64 + 200; ++i) {                                            \
      u64 a = i < CORNERS ? corners[i] : i < CORNERS + 64 ? 1ul << (i - CORNERS) : next_random64(&seed), d; \
      __asm__ volatile(text " %0, %1" more : "=r"(d) : "r"(a));                               \
      h = hash64(h, d);                                                                       \
    }                                                                                         \
    report64(text more, h);                                                                   \
  }

#define ALL_REGISTER(X)                                                                                                 \
  X(add, "add") X(sub, "sub") X(sll, "sll") X(slt, "slt") X(sltu, "sltu") X(xor, "xor") X(srl, "srl") X(sra, "sra") X(or, "or") X(and, "and") \
  X(addw, "addw") X(subw, "subw") X(sllw, "sllw") X(srlw, "srlw") X(sraw, "sraw")                                       \
  X(mul, "mul") X(mulh, "mulh") X(mulhsu, "mulhsu") X(mulhu, "mulhu") X(div, "div") X(divu, "divu") X(rem, "rem") X(remu, "remu") \
  X(mulw, "mulw") X(divw, "divw") X(divuw, "divuw") X(remw, "remw") X(remuw, "remuw")                                   \
  X(sh1add, "sh1add") X(sh2add, "sh2add") X(sh3add, "sh3add") X(add_uw, "add.uw") X(sh1add_uw, "sh1add.uw") X(sh2add_uw, "sh2add.uw") X(sh3add_uw, "sh3add.uw") \
  X(andn, "andn") X(orn, "orn") X(xnor, "xnor") X(max, "max") X(maxu, "maxu") X(min, "min") X(minu, "minu") X(rol, "rol") X(ror, "ror") X(rolw, "rolw") X(rorw, "rorw") \
  X(bclr, "bclr") X(bext, "bext") X(binv, "binv") X(bset, "bset")
#define NUMBERS(X, name, text) X(name##_0, text, ", 0") X(name##_1, text, ", 1") X(name##_31, text, ", 31")
#define LONG_NUMBERS(X, name, text) NUMBERS(X, name, text) X(name##_32, text, ", 32") X(name##_63, text, ", 63")
#define ALL_ONE(X)                                                                                                      \
  X(clz, "clz", "") X(ctz, "ctz", "") X(cpop, "cpop", "") X(clzw, "clzw", "") X(cpopw, "cpopw", "") \
  X(sext_b, "sext.b", "") X(sext_h, "sext.h", "") X(zext_h, "zext.h", "") X(orc_b, "orc.b", "") X(rev8, "rev8", "")     \
  X(addi, "addi", ", -2048") X(addiw_0, "addiw", ", 0") X(addiw_1, "addiw", ", 2047") X(addiw_2, "addiw", ", -2048")    \
  X(slti, "slti", ", -1") X(sltiu, "sltiu", ", -1") X(xori, "xori", ", -1") X(ori, "ori", ", -2048") X(andi, "andi", ", -2048") \
  LONG_NUMBERS(X, slli, "slli") LONG_NUMBERS(X, srli, "srli") LONG_NUMBERS(X, srai, "srai") LONG_NUMBERS(X, rori, "rori") LONG_NUMBERS(X, slli_uw, "slli.uw") \
  NUMBERS(X, slliw, "slliw") NUMBERS(X, srliw, "srliw") NUMBERS(X, sraiw, "sraiw") NUMBERS(X, roriw, "roriw")           \
  LONG_NUMBERS(X, bclri, "bclri") LONG_NUMBERS(X, bexti, "bexti") LONG_NUMBERS(X, binvi, "binvi") LONG_NUMBERS(X, bseti, "bseti")
ALL_REGISTER(REGISTER)
ALL_ONE(ONE)

#define BRANCH(name)                                                                        \
  static void test_##name(void) {                                                           \
    u64 h = 1;                                                                              \
    for (u64 i = 0; i < CORNERS * CORNERS; ++i) {                                           \
      u64 a = corners[i / CORNERS], b = corners[i % CORNERS], taken = 1;                    \
      __asm__ volatile(#name " %1, %2, 1f\n\tli %0, 0\n1:" : "+r"(taken) : "r"(a), "r"(b)); \
      h = hash64(h, taken);                                                                 \
    }                                                                                       \
    report64(#name, h);                                                                     \
  }
BRANCH(beq) BRANCH(bne) BRANCH(blt) BRANCH(bge) BRANCH(bltu) BRANCH(bgeu)

static u64 __attribute__((noinline)) mixture(u64 a, u64 b) {
  const long x = (long)a, y = (long)b;
  u64 h = hash64(1, (u64)(x < y ? x : y));
  h = hash64(h, b == 0 ? 0 : a / b + a % b);
  h = hash64(h, (u64)((unsigned __int128)a * b >> 64));
  h = hash64(h, (u64)((int)a * (int)b) + (unsigned)a / ((unsigned)b | 1));
  h = hash64(h, a << (b & 63) | a >> (-b & 63));
  h = hash64(h, (u64)(x >> 7) + (u64)((int)a >> 3) + ((unsigned)a >> 5));
  h = hash64(h, (u64)__builtin_popcountl(a ^ b) + __builtin_bswap64(a));
  return hash64(h, (a << 3) + (unsigned)b);
}

/* On zero-extended words: qemu 7.2 counts on in the high word if the low one is 0. */
static void test_ctzw(void) {
  u64 h = 1, seed = 0x7654321;
  for (u64 i = 0; i < CORNERS + 400; ++i) {
    u64 a = i < CORNERS ? corners[i] : next_random64(&seed) << (i & 31), d;
    __asm__ volatile("zext.w %0, %1\n\tctzw %0, %0" : "=r"(d) : "r"(a));
    h = hash64(h, d);
  }
  report64("ctzw", h);
}

static void upper(void) {
  u64 a, b;
  __asm__ volatile("lui %0, 0x80000\n\tlui %1, 0x7ffff" : "=r"(a), "=r"(b));
  report64("lui", hash64(a, b));
}

int main(void) {
#define CALL(name, ...) test_##name();
  ALL_REGISTER(CALL)
  ALL_ONE(CALL)
  test_beq(), test_bne(), test_blt(), test_bge(), test_bltu(), test_bgeu();
  test_ctzw();
  upper();
  u64 h = 1;
  for (u64 i = 0; i < CORNERS * CORNERS; ++i) h = hash64(h, mixture(corners[i / CORNERS], corners[i % CORNERS]));
  report64("compiled", h);
  return 23;
}
