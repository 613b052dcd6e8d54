/* SPDX-License-Identifier: Apache-2.0 */
/* RV64: loads and stores of every width, of both register files, atomics of words and doublewords, load-reserved and store-conditional. */
#include "report64.h"

static u64 buffer[64];
static const u64 table[3] = {0x80FF7F01FEDC8001, 0xFFFFFFFF80000000, 0x0123456789ABCDEF};

#define LOAD(name, offset)                                                                \
  {                                                                                       \
    u64 d;                                                                                \
    __asm__ volatile(#name " %0, " #offset "(%1)" : "=r"(d) : "r"(table + 1) : "memory"); \
    report64(#name " " #offset, d);                                                       \
  }
#define LOAD_FLOAT(name, offset)                                                                                         \
  {                                                                                                                      \
    u64 d;                                                                                                               \
    __asm__ volatile(#name " ft0, " #offset "(%1)\n\tfmv.x.d %0, ft0" : "=r"(d) : "r"(table + 1) : "memory", "ft0");       \
    report64(#name " " #offset, d);                                                                                      \
  }
#define STORE(name, offset, value)                                                              \
  {                                                                                             \
    buffer[31] = buffer[32] = 0x55AA33CC0FF01EE1;                                               \
    __asm__ volatile(#name " %0, " #offset "(%1)" : : "r"(value), "r"(buffer + 32) : "memory"); \
    report64(#name " " #offset, hash64(hash64(1, buffer[31]), buffer[32]));                     \
  }
#define STORE_FLOAT(name, offset, value)                                                                                     \
  {                                                                                                                          \
    buffer[31] = buffer[32] = 0x55AA33CC0FF01EE1;                                                                            \
    __asm__ volatile("fmv.d.x ft0, %0\n\t" #name " ft0, " #offset "(%1)" : : "r"(value), "r"(buffer + 32) : "memory", "ft0"); \
    report64(#name " " #offset, hash64(hash64(1, buffer[31]), buffer[32]));                                                  \
  }
#define ATOMIC(name, size)                                                                                       \
  static void test_##name##_##size(void) {                                                                       \
    static const u64 values[] = {0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x1234ABCD80000000}; \
    u64 h = 1;                                                                                                   \
    for (u64 i = 0; i < 81; ++i) {                                                                               \
      u64 old;                                                                                                   \
      buffer[i % 64] = values[i / 9];                                                                            \
      __asm__ volatile(#name "." #size " %0, %2, (%1)"                                                           \
                       : "=&r"(old) : "r"(buffer + i % 64), "r"(values[i % 9]) : "memory");                      \
      h = hash64(hash64(h, old), buffer[i % 64]);                                                                \
    }                                                                                                            \
    __asm__ volatile(#name "." #size ".aqrl zero, %1, (%0)" : : "r"(buffer), "r"(3ul) : "memory");               \
    report64(#name "." #size, hash64(h, buffer[0]));                                                             \
  }
#define ATOMICS(X, size) X(amoswap, size) X(amoadd, size) X(amoxor, size) X(amoand, size) X(amoor, size) X(amomin, size) X(amomax, size) X(amominu, size) X(amomaxu, size)
ATOMICS(ATOMIC, w)
ATOMICS(ATOMIC, d)

static void test_reservations(void) {
  u64 old, failed;
  buffer[0] = 0x7FFFFFFFFF;
  __asm__ volatile("lr.d %0, (%2)\n\taddi %0, %0, 1\n\tsc.d %1, %0, (%2)" : "=&r"(old), "=&r"(failed) : "r"(buffer) : "memory");
  report64("sc.d after lr.d succeeds", hash64(hash64(failed, old), buffer[0]));
  __asm__ volatile("li %0, 9\n\tsc.d %1, %0, (%2)" : "=&r"(old), "=&r"(failed) : "r"(buffer) : "memory");
  report64("sc.d again fails", hash64(failed != 0, buffer[0]));
  __asm__ volatile("lr.d %0, (%2)\n\tsc.d %1, %0, (%3)" : "=&r"(old), "=&r"(failed) : "r"(buffer), "r"(buffer + 1) : "memory");
  report64("sc.d elsewhere fails", hash64(failed != 0, buffer[1]));
  buffer[2] = 0x80000000;
  __asm__ volatile("lr.w %0, (%2)\n\tsc.w %1, zero, (%2)" : "=&r"(old), "=&r"(failed) : "r"(buffer + 2) : "memory");
  report64("lr.w extends", hash64(hash64(failed, old), buffer[2]));
}

static u64 stack_user(u64 depth) {
  volatile u64 locals[4];
  for (u64 i = 0; i < 4; ++i) locals[i] = depth * 0x100000001 + i;
  return depth == 0 ? locals[3] : stack_user(depth - 1) * 3 + locals[depth % 4];
}

int main(void) {
  LOAD(ld, 0) LOAD(ld, -8) LOAD(ld, 8)
  LOAD(lw, -8) LOAD(lw, -4) LOAD(lwu, -8) LOAD(lwu, -4) LOAD(lwu, 0)
  LOAD(lh, -8) LOAD(lh, -2) LOAD(lhu, -8) LOAD(lb, -8) LOAD(lb, -1) LOAD(lbu, -1)
  LOAD_FLOAT(fld, 0) LOAD_FLOAT(fld, 8) LOAD_FLOAT(flw, 0) LOAD_FLOAT(flw, 8)
  STORE(sd, 0, 0x0102030405060708) STORE(sd, -8, -1l) STORE(sw, 4, 0xFFFFFFFF01020304) STORE(sh, 6, 0xABCD1234l) STORE(sb, 7, 0x80l)
  STORE_FLOAT(fsd, 0, 0x0102030405060708) STORE_FLOAT(fsd, -8, 0x7FF0000000000001) STORE_FLOAT(fsw, 4, 0x123456787F800001)
#define CALL(name, size) test_##name##_##size();
  ATOMICS(CALL, w)
  ATOMICS(CALL, d)
  test_reservations();
  report64("stack", stack_user(20));
  return 0;
}
