/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of D that computes, what RV64 adds to F, and F in NaN boxes, in every rounding mode: hashes of results and flags. */
#include "report64.h"

static const u64 corners[] = {
    0x0000000000000000, 0x8000000000000000, 0x0000000000000001, 0x8000000000000001, 0x000FFFFFFFFFFFFF, 0x0010000000000000, 0x8010000000000001, 0x3690000000000000,
    0x380FFFFFE0000000, 0x3CA0000000000000, 0x3CB0000000000000, 0x3FDFFFFFFFFFFFFF, 0xBFE0000000000000, 0x3FEFFFFFFFFFFFFF, 0x3FF0000000000000, 0xBFF0000000000001,
    0x3FF0000010000000, 0x3FF8000000000000, 0xC004000000000000, 0x41DFFFFFFFC00000, 0xC1E0000000000000, 0x41EFFFFFFFE80000, 0x41F0000000000000, 0x4330000000000001,
    0x43DFFFFFFFFFFFFF, 0xC3E0000000000000, 0x43EFFFFFFFFFFFFF, 0x43F0000000000000, 0x47EFFFFFF0000000, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000, 0xFFF0000000000000,
    0x7FF0000000000001, 0xFFF7FFFFFFFFFFFF, 0x7FF8000000000000,
    /* singles in boxes, and one out of its */
    0xFFFFFFFF00000000, 0xFFFFFFFF80000001, 0xFFFFFFFF3F800000, 0xFFFFFFFFBFC00000, 0xFFFFFFFF5F000000, 0xFFFFFFFF7F800000, 0xFFFFFFFF7F800001, 0xFFFFFFFE3F800000};
#define CORNERS (sizeof corners / sizeof *corners)
#define RANDOM 600

static const char* const mode_names[] = {" rne", " rtz", " rdn", " rup", " rmm"};

static void start(u64 mode) { __asm__ volatile("csrw frm, %0" : : "r"(mode)); }
static void clear_flags(void) { __asm__ volatile("csrw fflags, zero"); }
static u64 flags(void) {
  u64 value;
  __asm__ volatile("csrr %0, fflags" : "=r"(value));
  return value;
}

/* Doubles near 1, singles near 1, any bits. */
static u64 random_operand(u64* seed) {
  const u64 value = next_random64(seed);
  switch (next_random64(seed) >> 13 & 3) {
    case 0: return (value & 0x807FFFFFFFFFFFFF) + 0x3FB0000000000000;
    case 1: return ((value & 0x83FFFFFF) + 0x3D800000) | 0xFFFFFFFF00000000;
    case 2: return (value & 0x8070000000000003) + 0x3FB0000000000000;
    default: return value;
  }
}

/* One test: `code` computes %0 from ft0, ft1, ft2, which hold %1, %2, %3. */
#define TEST(id, combinations, code)                                                                      \
  static void test_##id(u64 mode) {                                                                       \
    u64 h = 1, f = 1, seed = 77;                                                                          \
    for (u64 i = 0; i < (combinations) + RANDOM; ++i) {                                                   \
      const int corner = i < (combinations);                                                              \
      const u64 a = corner ? corners[i % CORNERS] : random_operand(&seed);                                \
      const u64 b = corner ? corners[i / CORNERS % CORNERS] : random_operand(&seed);                      \
      const u64 c = corner ? corners[(i / CORNERS / CORNERS * 7 + i) % CORNERS] : random_operand(&seed);  \
      u64 d;                                                                                              \
      clear_flags();                                                                                      \
      __asm__ volatile("fmv.d.x ft0, %1\n\tfmv.d.x ft1, %2\n\tfmv.d.x ft2, %3\n\t" code                   \
                       : "=r"(d) : "r"(a), "r"(b), "r"(c) : "ft0", "ft1", "ft2", "ft3");                  \
      h = hash64(h, d), f = hash64(f, flags());                                                           \
    }                                                                                                     \
    put_string(#id), report64(mode_names[mode], h), report64("  flags", f);                               \
  }
#define PAIRS (CORNERS * CORNERS)
#define TO_FLOAT(instruction) instruction "\n\tfmv.x.d %0, ft3"
#define BOTH(X)                                                                                                     \
  X(fadd, PAIRS, "ft0, ft1") X(fsub, PAIRS, "ft0, ft1") X(fmul, PAIRS, "ft0, ft1") X(fdiv, PAIRS, "ft0, ft1")       \
  X(fsqrt, CORNERS, "ft0") X(fmadd, PAIRS * 3, "ft0, ft1, ft2") X(fmsub, PAIRS, "ft0, ft1, ft2")                    \
  X(fnmsub, PAIRS, "ft0, ft1, ft2") X(fnmadd, PAIRS, "ft0, ft1, ft2") X(fmin, PAIRS, "ft0, ft1") X(fmax, PAIRS, "ft0, ft1") \
  X(fsgnj, PAIRS, "ft0, ft1") X(fsgnjn, PAIRS, "ft0, ft1") X(fsgnjx, PAIRS, "ft0, ft1")
#define TO_INTEGER(X) \
  X(feq, PAIRS, "ft0, ft1") X(flt, PAIRS, "ft0, ft1") X(fle, PAIRS, "ft0, ft1") X(fclass, CORNERS, "ft0")
#define FLOATS(id, n, operands) TEST(id##_d, n, TO_FLOAT(#id ".d ft3, " operands)) TEST(id##_s, n, TO_FLOAT(#id ".s ft3, " operands))
#define INTEGERS(id, n, operands) TEST(id##_d, n, #id ".d %0, " operands) TEST(id##_s, n, #id ".s %0, " operands)
BOTH(FLOATS)
TO_INTEGER(INTEGERS)
#define TYPES(X) X(w) X(wu) X(l) X(lu)
#define CONVERSIONS(type)                                                                                           \
  TEST(fcvt_##type##_d, CORNERS, "fcvt." #type ".d %0, ft0") TEST(fcvt_##type##_s, CORNERS, "fcvt." #type ".s %0, ft0") \
  TEST(fcvt_##type##_d_rtz, CORNERS, "fcvt." #type ".d %0, ft0, rtz")                                               \
  TEST(fcvt_d_##type, CORNERS, TO_FLOAT("fcvt.d." #type " ft3, %1")) TEST(fcvt_s_##type, CORNERS, TO_FLOAT("fcvt.s." #type " ft3, %1"))
TYPES(CONVERSIONS)
TEST(fcvt_s_d, CORNERS, TO_FLOAT("fcvt.s.d ft3, ft0"))
TEST(fcvt_d_s, CORNERS, TO_FLOAT("fcvt.d.s ft3, ft0"))
TEST(fadd_d_rmm, PAIRS, TO_FLOAT("fadd.d ft3, ft0, ft1, rmm"))
TEST(fmv_x_w, CORNERS, "fmv.x.w %0, ft0")
TEST(fmv_w_x, CORNERS, TO_FLOAT("fmv.w.x ft3, %1"))

/* What the compiler makes of doubles, and its constants: loads and stores of them. */
static double __attribute__((noinline)) series(int n) {
  static volatile double terms[64];
  double sum = 0;
  for (int i = 1; i < n; ++i) {
    terms[i % 64] = 1.0 / ((double)i * i) + (float)i * 1e-9;
    sum += terms[i % 64];
  }
  return sum;
}

int main(void) {
  for (u64 mode = 0; mode < 5; ++mode) {
    start(mode);
#define CALL(id, ...) test_##id##_d(mode), test_##id##_s(mode);
    BOTH(CALL)
    TO_INTEGER(CALL)
#define CALLS(type) test_fcvt_##type##_d(mode), test_fcvt_##type##_s(mode), test_fcvt_##type##_d_rtz(mode), test_fcvt_d_##type(mode), test_fcvt_s_##type(mode);
    TYPES(CALLS)
    test_fcvt_s_d(mode), test_fcvt_d_s(mode), test_fadd_d_rmm(mode), test_fmv_x_w(mode), test_fmv_w_x(mode);
  }
  start(0);
  clear_flags();
  union {
    double value;
    u64 bits;
  } result = {series(300)};
  report64("series", result.bits);
  report64("sticky flags", flags());
  return 0;
}
