/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of every width, offsets, byte order, atomics, load-reserved and store-conditional. */
#include "report.h"

static u32 buffer[64];
static const u32 table[4] = {0x80FF7F01, 0xFEDC8001, 0x00000000, 0xFFFFFFFF};
static u32 counter = 5;  /* initialised data */

#define LOAD(name, offset)                                                             \
  {                                                                                    \
    u32 d;                                                                             \
    __asm__ volatile(#name " %0, " #offset "(%1)" : "=r"(d) : "r"(table + 2) : "memory"); \
    report(#name " " #offset, d);                                                      \
  }
#define STORE(name, offset, value)                                                     \
  {                                                                                    \
    buffer[31] = buffer[32] = 0x55AA33CC;                                              \
    __asm__ volatile(#name " %0, " #offset "(%1)" : : "r"(value), "r"(buffer + 32) : "memory"); \
    report(#name " " #offset, hash(hash(1, buffer[31]), buffer[32]));                  \
  }
#define ATOMIC(name)                                                                   \
  static void test_##name(void) {                                                      \
    static const u32 values[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x1234ABCD}; \
    u32 h = 1;                                                                         \
    for (u32 i = 0; i < 36; ++i) {                                                     \
      u32 old;                                                                         \
      buffer[i] = values[i / 6];                                                       \
      __asm__ volatile(#name ".w %0, %2, (%1)"                                         \
                       : "=&r"(old) : "r"(buffer + i), "r"(values[i % 6]) : "memory");   \
      h = hash(hash(h, old), buffer[i]);                                               \
    }                                                                                  \
    __asm__ volatile(#name ".w.aqrl zero, %1, (%0)" : : "r"(buffer), "r"(3) : "memory"); \
    report(#name, hash(h, buffer[0]));                                                 \
  }
ATOMIC(amoswap) ATOMIC(amoadd) ATOMIC(amoxor) ATOMIC(amoand) ATOMIC(amoor)
ATOMIC(amomin) ATOMIC(amomax) ATOMIC(amominu) ATOMIC(amomaxu)

static void test_reservations(void) {
  u32 old, failed;
  buffer[0] = 7;
  __asm__ volatile("lr.w %0, (%2)\n\taddi %0, %0, 1\n\tsc.w %1, %0, (%2)"
                   : "=&r"(old), "=&r"(failed) : "r"(buffer) : "memory");
  report("sc.w after lr.w succeeds", hash(hash(failed, old), buffer[0]));
  __asm__ volatile("li %0, 9\n\tsc.w %1, %0, (%2)" : "=&r"(old), "=&r"(failed) : "r"(buffer) : "memory");
  report("sc.w again fails", hash(failed != 0, buffer[0]));
  __asm__ volatile("lr.w %0, (%2)\n\tsc.w %1, %0, (%3)"
                   : "=&r"(old), "=&r"(failed) : "r"(buffer), "r"(buffer + 1) : "memory");
  report("sc.w elsewhere fails", hash(failed != 0, buffer[1]));
}

static u32 stack_user(u32 depth) {
  volatile u32 locals[4];
  for (u32 i = 0; i < 4; ++i) locals[i] = depth * 4 + i;
  return depth == 0 ? locals[3] : stack_user(depth - 1) * 3 + locals[depth % 4];
}

int main(void) {
  LOAD(lw, 0) LOAD(lw, -8) LOAD(lw, 4)
  LOAD(lb, -8) LOAD(lb, -7) LOAD(lb, -6) LOAD(lb, -5)
  LOAD(lbu, -8) LOAD(lbu, -7) LOAD(lbu, -6) LOAD(lbu, -5)
  LOAD(lh, -8) LOAD(lh, -6) LOAD(lh, -4)
  LOAD(lhu, -8) LOAD(lhu, -6) LOAD(lhu, -4) LOAD(lhu, 6)
  STORE(sw, 0, 0x01020304) STORE(sw, -4, 0xFFFFFFFF)
  STORE(sh, 0, 0xABCD1234) STORE(sh, 2, 0xABCD8765)
  STORE(sb, 0, 0x11) STORE(sb, 1, 0xFE) STORE(sb, 3, 0x80) STORE(sb, -1, 0x77)
  test_amoswap(), test_amoadd(), test_amoxor(), test_amoand(), test_amoor();
  test_amomin(), test_amomax(), test_amominu(), test_amomaxu();
  test_reservations();
  report("initialised data", counter);
  counter += 2;
  report("written data", counter);
  report("stack", stack_user(20));
  __asm__ volatile("fence\n\tfence.tso");
  return counter == 7 ? 0 : 1;
}
