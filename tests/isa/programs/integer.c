/* SPDX-License-Identifier: Apache-2.0 */
/* Every instruction of RV32I and M that computes: a hash of its results over corner and random operands. */
#include "report.h"

static const u32 corners[] = {0,          1,          2,          3,          5,          31,         32,
                              33,         0x7FF,      0x800,      0xFFFF,     0x10000,    0x12345678, 0x7FFFFFFE,
                              0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF8000, 0xFFFFFF80, 0xFFFFFFFE, 0xFFFFFFFF};
#define RANDOM 400
#include "operands.h"

REGISTER(add) REGISTER(sub) REGISTER(sll) REGISTER(slt) REGISTER(sltu)
REGISTER(xor) REGISTER(srl) REGISTER(sra) REGISTER(or) REGISTER(and)
REGISTER(mul) REGISTER(mulh) REGISTER(mulhsu) REGISTER(mulhu) REGISTER(div) REGISTER(divu) REGISTER(rem) REGISTER(remu)

#define IMMEDIATE(name, label, value)                                                           \
  static void test_##name##_##label(void) {                                                     \
    u32 h = 1, seed = 0x7654321;                                                                \
    for (u32 i = 0; i < CORNERS + 100; ++i) {                                                   \
      u32 a = i < CORNERS ? corners[i] : next_random(&seed), d;                                 \
      __asm__ volatile(#name " %0, %1, " #value : "=r"(d) : "r"(a));                            \
      h = hash(h, d);                                                                           \
    }                                                                                           \
    report(#name " " #value, h);                                                                \
  }
#define IMMEDIATES(name)                                                       \
  IMMEDIATE(name, zero, 0) IMMEDIATE(name, one, 1) IMMEDIATE(name, most, 2047) \
  IMMEDIATE(name, minus, -1) IMMEDIATE(name, least, -2048)
IMMEDIATES(addi) IMMEDIATES(slti) IMMEDIATES(sltiu) IMMEDIATES(xori) IMMEDIATES(ori) IMMEDIATES(andi)
#define SHIFTS(name) \
  IMMEDIATE(name, zero, 0) IMMEDIATE(name, one, 1) IMMEDIATE(name, half, 16) IMMEDIATE(name, most, 31)
SHIFTS(slli) SHIFTS(srli) SHIFTS(srai)

#define BRANCH(name)                                                                            \
  static void test_##name(void) {                                                               \
    u32 h = 1;                                                                                  \
    for (u32 i = 0; i < CORNERS * CORNERS; ++i) {                                               \
      u32 a = corners[i / CORNERS], b = corners[i % CORNERS], taken = 1;                        \
      __asm__ volatile(#name " %1, %2, 1f\n\tli %0, 0\n1:" : "+r"(taken) : "r"(a), "r"(b));     \
      h = hash(h, taken);                                                                       \
    }                                                                                           \
    report(#name, h);                                                                           \
  }
BRANCH(beq) BRANCH(bne) BRANCH(blt) BRANCH(bge) BRANCH(bltu) BRANCH(bgeu)

static void test_upper(void) {
  u32 a, b, c;
  __asm__ volatile("lui %0, 0xFFFFF\n\tlui %1, 0x80000\n\tlui %2, 1" : "=&r"(a), "=&r"(b), "=&r"(c));
  report("lui", hash(hash(hash(1, a), b), c));
  __asm__ volatile("auipc %0, 0\n\tauipc %1, 0xFFFFF\n\tsub %0, %1, %0" : "=&r"(a), "=&r"(b));
  report("auipc", a);
  __asm__ volatile("auipc %0, 0\n\taddi %0, %0, 17\n\tjalr %1, 0(%0)\n\tnop\n\tsub %0, %1, %0" : "=&r"(a), "=&r"(b));
  report("jalr clears bit 0", a);
  __asm__ volatile("jal %0, 1f\n\tnop\n1:\tauipc %1, 0\n\tsub %0, %1, %0" : "=&r"(a), "=&r"(b));
  report("jal", a);
  __asm__ volatile("li x0, 5\n\tmv %0, x0" : "=r"(a));
  report("x0", a);
}

#define ALL_IMMEDIATES(name)                                                \
  test_##name##_zero(), test_##name##_one(), test_##name##_most();          \
  test_##name##_minus(), test_##name##_least()
#define ALL_SHIFTS(name) test_##name##_zero(), test_##name##_one(), test_##name##_half(), test_##name##_most()

int main(void) {
  test_add(), test_sub(), test_sll(), test_slt(), test_sltu(), test_xor(), test_srl(), test_sra(), test_or(), test_and();
  test_mul(), test_mulh(), test_mulhsu(), test_mulhu(), test_div(), test_divu(), test_rem(), test_remu();
  ALL_IMMEDIATES(addi);
  ALL_IMMEDIATES(slti);
  ALL_IMMEDIATES(sltiu);
  ALL_IMMEDIATES(xori);
  ALL_IMMEDIATES(ori);
  ALL_IMMEDIATES(andi);
  ALL_SHIFTS(slli), ALL_SHIFTS(srli), ALL_SHIFTS(srai);
  test_beq(), test_bne(), test_blt(), test_bge(), test_bltu(), test_bgeu();
  test_upper();
  return 17;
}
