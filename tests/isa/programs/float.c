/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of F that computes, in every rounding mode (static and by frm): hashes of results and flags. */
#include "report.h"

static const u32 corners[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007FFFFF, 0x00800000, 0x80800000, 0x00800001, 0x00FFFFFF,
    0x33800000, 0x34000000, 0x3EFFFFFF, 0x3F000000, 0xBF000000, 0x3F000001, 0x3F7FFFFF, 0x3F800000, 0xBF800000,
    0x3F800001, 0x3FC00000, 0x40200000, 0xC0200000, 0x40490FDB, 0x4B000001, 0x4B7FFFFF, 0x4EFFFFFF, 0x4F000000,
    0xCF000000, 0xCF000001, 0x4F7FFFFF, 0x4F800000, 0x7F000000, 0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000,
    0x7F800001, 0xFFBFFFFF, 0x7FC00000, 0xFFC12345};
#define CORNERS (sizeof corners / sizeof *corners)
#define RANDOM 700

static const char* const mode_names[] = {" rne", " rtz", " rdn", " rup", " rmm"};

static void report_mode(const char* name, u32 mode, u32 results, u32 flags) {
  put_string(name);
  report(mode_names[mode], results);
  report("  flags", flags);
}

static void start(u32 mode) { __asm__ volatile("csrw frm, %0" : : "r"(mode)); }
static void clear_flags(void) { __asm__ volatile("csrw fflags, zero"); }
static u32 flags(void) {
  u32 value;
  __asm__ volatile("csrr %0, fflags" : "=r"(value));
  return value;
}

/* Near 1 half of the time, so that results are normal; else any bits. */
static u32 random_single(u32* seed) {
  u32 value = next_random(seed);
  return next_random(seed) & 16 ? (value & 0x83FFFFFFu) + 0x3D800000u : value;
}


/* One test: `code` computes %0 from ft0, ft1, ft2, which hold %1, %2, %3.
   Operands: combinations of corners, then random ones. */
#define TEST(id, name, combinations, code)                                                              \
  static void test_##id(u32 mode) {                                                                     \
    u32 h = 1, f = 1, seed = 77;                                                                        \
    for (u32 i = 0; i < (combinations) + RANDOM; ++i) {                                                 \
      const int corner = i < (combinations);                                                            \
      const u32 a = corner ? corners[i % CORNERS] : random_single(&seed);                               \
      const u32 b = corner ? corners[i / CORNERS % CORNERS] : random_single(&seed);                     \
      const u32 c = corner ? corners[(i / CORNERS / CORNERS * 7 + i) % CORNERS] : random_single(&seed); \
      u32 d;                                                                                            \
      clear_flags();                                                                                    \
      __asm__ volatile("fmv.w.x ft0, %1\n\tfmv.w.x ft1, %2\n\tfmv.w.x ft2, %3\n\t" code                 \
                       : "=r"(d) : "r"(a), "r"(b), "r"(c) : "ft0", "ft1", "ft2", "ft3");                \
      h = hash(h, d), f = hash(f, flags());                                                             \
    }                                                                                                   \
    report_mode(name, mode, h, f);                                                                      \
  }
#define TO_SINGLE(instruction) instruction "\n\tfmv.x.w %0, ft3"

TEST(fadd, "fadd.s", CORNERS * CORNERS, TO_SINGLE("fadd.s ft3, ft0, ft1"))
TEST(fsub, "fsub.s", CORNERS * CORNERS, TO_SINGLE("fsub.s ft3, ft0, ft1"))
TEST(fmul, "fmul.s", CORNERS * CORNERS, TO_SINGLE("fmul.s ft3, ft0, ft1"))
TEST(fdiv, "fdiv.s", CORNERS * CORNERS, TO_SINGLE("fdiv.s ft3, ft0, ft1"))
TEST(fsqrt, "fsqrt.s", CORNERS, TO_SINGLE("fsqrt.s ft3, ft0"))
TEST(fmadd, "fmadd.s", CORNERS * CORNERS * 4, TO_SINGLE("fmadd.s ft3, ft0, ft1, ft2"))
TEST(fmsub, "fmsub.s", CORNERS * CORNERS * 4, TO_SINGLE("fmsub.s ft3, ft0, ft1, ft2"))
TEST(fnmsub, "fnmsub.s", CORNERS * CORNERS * 4, TO_SINGLE("fnmsub.s ft3, ft0, ft1, ft2"))
TEST(fnmadd, "fnmadd.s", CORNERS * CORNERS * 4, TO_SINGLE("fnmadd.s ft3, ft0, ft1, ft2"))
TEST(fcvt_w, "fcvt.w.s", CORNERS, "fcvt.w.s %0, ft0")
TEST(fcvt_wu, "fcvt.wu.s", CORNERS, "fcvt.wu.s %0, ft0")
TEST(fcvt_s, "fcvt.s.w", CORNERS, TO_SINGLE("fcvt.s.w ft3, %1"))
TEST(fcvt_su, "fcvt.s.wu", CORNERS, TO_SINGLE("fcvt.s.wu ft3, %1"))
TEST(fmin, "fmin.s", CORNERS * CORNERS, TO_SINGLE("fmin.s ft3, ft0, ft1"))
TEST(fmax, "fmax.s", CORNERS * CORNERS, TO_SINGLE("fmax.s ft3, ft0, ft1"))
TEST(feq, "feq.s", CORNERS * CORNERS, "feq.s %0, ft0, ft1")
TEST(flt, "flt.s", CORNERS * CORNERS, "flt.s %0, ft0, ft1")
TEST(fle, "fle.s", CORNERS * CORNERS, "fle.s %0, ft0, ft1")
TEST(fclass, "fclass.s", CORNERS, "fclass.s %0, ft0")
TEST(fsgnj, "fsgnj.s", CORNERS * CORNERS, TO_SINGLE("fsgnj.s ft3, ft0, ft1"))
TEST(fsgnjn, "fsgnjn.s", CORNERS * CORNERS, TO_SINGLE("fsgnjn.s ft3, ft0, ft1"))
TEST(fsgnjx, "fsgnjx.s", CORNERS * CORNERS, TO_SINGLE("fsgnjx.s ft3, ft0, ft1"))

/* The mode of the instruction wins over frm. */
TEST(fadd_rne, "fadd.s static rne", CORNERS * CORNERS, TO_SINGLE("fadd.s ft3, ft0, ft1, rne"))
TEST(fadd_rtz, "fadd.s static rtz", CORNERS * CORNERS, TO_SINGLE("fadd.s ft3, ft0, ft1, rtz"))
TEST(fadd_rdn, "fadd.s static rdn", CORNERS * CORNERS, TO_SINGLE("fadd.s ft3, ft0, ft1, rdn"))
TEST(fadd_rup, "fadd.s static rup", CORNERS * CORNERS, TO_SINGLE("fadd.s ft3, ft0, ft1, rup"))
TEST(fadd_rmm, "fadd.s static rmm", CORNERS * CORNERS, TO_SINGLE("fadd.s ft3, ft0, ft1, rmm"))
TEST(fcvt_rtz, "fcvt.w.s static rtz", CORNERS, "fcvt.w.s %0, ft0, rtz")
TEST(fcvt_rmm, "fcvt.wu.s static rmm", CORNERS, "fcvt.wu.s %0, ft0, rmm")

/* fflags, frm and fcsr are views of one register; immediate and register forms set, clear and swap. */
static void test_fcsr(void) {
  u32 a, b, c, d;
  __asm__ volatile("csrw fcsr, zero\n\tcsrwi frm, 3\n\tcsrwi fflags, 21\n\tcsrr %0, fcsr" : "=r"(a));
  __asm__ volatile("csrrsi %0, fcsr, 10\n\tcsrrci %1, fflags, 4\n\tcsrr %2, fcsr" : "=&r"(b), "=&r"(c), "=&r"(d));
  report("fcsr set and clear", hash(hash(hash(hash(1, a), b), c), d));
  __asm__ volatile("csrrw %0, frm, %4\n\tcsrrw %1, fflags, %4\n\tcsrrs %2, frm, %4\n\tcsrrc %3, fcsr, %4"
                   : "=&r"(a), "=&r"(b), "=&r"(c), "=&r"(d) : "r"(0xFFFFFF64u));
  report("fcsr swap", hash(hash(hash(hash(1, a), b), c), d));
  __asm__ volatile("csrr %0, fcsr\n\tcsrw fcsr, zero" : "=r"(a));
  report("fcsr", a);
}

/* The sum of a series: flags stick. */
static void test_sticky(void) {
  float sum = 0;
  clear_flags();
  for (int i = 1; i < 300; ++i) sum += 1.0f / (float)(i * i);
  union {
    float value;
    u32 bits;
  } result = {sum};
  report("series", result.bits);
  report("sticky flags", flags());
}

int main(void) {
  for (u32 mode = 0; mode < 5; ++mode) {
    start(mode);
    test_fadd(mode), test_fsub(mode), test_fmul(mode), test_fdiv(mode), test_fsqrt(mode);
    test_fmadd(mode), test_fmsub(mode), test_fnmsub(mode), test_fnmadd(mode);
    test_fcvt_w(mode), test_fcvt_wu(mode), test_fcvt_s(mode), test_fcvt_su(mode);
    test_fmin(mode), test_fmax(mode), test_feq(mode), test_flt(mode), test_fle(mode), test_fclass(mode);
    test_fsgnj(mode), test_fsgnjn(mode), test_fsgnjx(mode);
    test_fadd_rne(mode), test_fadd_rtz(mode), test_fadd_rdn(mode), test_fadd_rup(mode), test_fadd_rmm(mode);
    test_fcvt_rtz(mode), test_fcvt_rmm(mode);
  }
  start(0);
  test_fcsr();
  test_sticky();
  return 0;
}
