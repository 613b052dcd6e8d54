// SPDX-License-Identifier: Apache-2.0
// 64-bit programs: a result of 64 bits a thread.
#include <heddle/kernel.h>

#include "wide_work.h"

#define KERNEL(name, ...) extern "C" __global__ void name(uint64_t* out __VA_OPT__(, ) __VA_ARGS__)

HEDDLE_FN uint64_t number() { return (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; }

KERNEL(integers_of) { out[number()] = integers(number()); }
KERNEL(doubles_of) { out[number()] = doubles(number()); }
KERNEL(branches_of) { out[number()] = branches(number()); }

static __noinline__ uint64_t calls(uint64_t n, double weight) { return calls_to(n, weight, calls); }
KERNEL(calls_of) { out[number()] = calls(number() % 7, (double)number()); }

static __noinline__ uint64_t first(uint64_t x) { return x * x; }
static __noinline__ uint64_t second(uint64_t x) { return ~x; }
static __noinline__ uint64_t third(uint64_t x) { return x << 40 | x; }
KERNEL(pointers_of) {
  uint64_t (*const functions[3])(uint64_t) = {first, second, third};
  uint64_t sum = 0;
  for (unsigned k = 0; k < 3; ++k) sum = sum * 5 + functions[(number() + k) % 3](scrambled(number()));
  out[number()] = sum;
}

// A thread's own memory, in bytes, words and doublewords.
KERNEL(local_of) {
  volatile uint64_t memory[16];
  volatile uint32_t* words = (volatile uint32_t*)memory;
  volatile unsigned char* bytes = (volatile unsigned char*)memory;
  for (unsigned k = 0; k < 16; ++k) memory[(k * 7 + number()) % 16] = scrambled(number() + k);
  words[number() % 32] += 77;
  bytes[number() % 128] = (unsigned char)number();
  uint64_t sum = 0;
  for (unsigned k = 0; k < 16; ++k) sum = sum * 3 + memory[k];
  out[number()] = sum;
}

// Sums of a block in shared memory.
KERNEL(barriers_of) {
  __shared__ uint64_t sums[256];
  sums[threadIdx.x] = scrambled(number());
  for (unsigned reach = blockDim.x / 2; reach != 0; reach /= 2) {
    __syncthreads();
    if (threadIdx.x < reach) sums[threadIdx.x] += sums[threadIdx.x + reach];
  }
  __syncthreads();
  out[number()] = sums[0] + threadIdx.x;
}

#define AMO(name, rd, address, value) \
  __asm__ volatile(name " %0, %2, (%1)" : "=r"(rd) : "r"(address), "r"(value) : "memory")

// totals: sum, largest, smallest, exclusive or, and two counters by lr/sc and amocas; one sum in shared memory.
KERNEL(atomics_of, uint64_t* totals) {
  __shared__ uint64_t count;
  const uint64_t value = scrambled(number());
  uint64_t old;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  AMO("amoadd.d", old, &totals[0], value);
  AMO("amomaxu.d", old, &totals[1], value);
  AMO("amomin.d", old, &totals[2], value);
  AMO("amoxor.d", old, &totals[3], value);
  AMO("amoadd.w", old, (uint32_t*)&totals[6] + 1, value);
  AMO("amoadd.d", old, &count, value);
  __syncthreads();
  out[number()] = count;
}

KERNEL(exchange_of, uint64_t* totals) {
  const uint64_t value = scrambled(number());
  for (unsigned turn = 0; turn < blockDim.x; ++turn) {  // one thread of a warp after the other
    if (turn != threadIdx.x) continue;
    uint64_t failed;
    do {
      uint64_t sum;
      __asm__ volatile("lr.d %0, (%1)" : "=r"(sum) : "r"(&totals[4]) : "memory");
      sum += value;
      __asm__ volatile("sc.d %0, %2, (%1)" : "=r"(failed) : "r"(&totals[4]), "r"(sum) : "memory");
    } while (failed != 0);
    uint64_t seen = 0, expected;
    do {  // amocas.d
      expected = seen;
      __asm__ volatile(".insn r 0x2f, 3, 0x14, %0, %1, %2"
                       : "+r"(seen)
                       : "r"(&totals[5]), "r"(expected + value)
                       : "memory");
    } while (seen != expected);
  }
  out[number()] = value;
}

// Warps that are whole: a register of 64 bits from the neighbour, and who has an odd one.
KERNEL(shuffles_of) {
  const uint64_t value = scrambled(number());
  uint64_t neighbour, votes;
  __asm__ volatile(".insn r 0x2b, 1, 0, %0, %1, %2" : "=r"(neighbour) : "r"(value), "r"((uint64_t)threadIdx.x + 1));
  __asm__ volatile(".insn r 0x2b, 1, 1, %0, %1, x0" : "=r"(votes) : "r"(value & 1ull << 40));
  out[number()] = neighbour + votes;
}

// cycle and instret in one instruction, and a time that goes on.
KERNEL(counters_of) {
  uint64_t before, after, issued;
  __asm__ volatile("csrr %0, cycle\n csrr %1, instret\n csrr %2, cycle" : "=&r"(before), "=&r"(issued), "=&r"(after));
  out[number()] = after > before && issued < 1000 ? 1 : 0;
}

KERNEL(writes) {
  if (number() == 0) heddle_write(1, "64 bits\n", 8);
  out[number()] = number() == 5 ? 3 : 0;
  if (number() == 5) heddle_exit(3);
}

// Slots of 8 bytes, the second argument a word: the call's result is their number.
KERNEL(prints) {
  uint64_t arguments[3] = {1ull << 40, (uint32_t)-7, bits_of(0.1)};
  register uint64_t a0 __asm__("a0") = (uint64_t)"%lu %d %.17f\n";
  register uint64_t a1 __asm__("a1") = (uint64_t)arguments;
  register uint64_t a2 __asm__("a2") = 5;
  register uint64_t a7 __asm__("a7") = 4096;
  if (number() == 0) __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7), "m"(arguments) : "memory");
  else a0 = 3;
  out[number()] = a0;
}

// What stops a launch.
KERNEL(far_jump) {
  ((void (*)())(0x100000000ull + (uint64_t)out))();
}
KERNEL(upper_counter) {
  uint64_t value;
  __asm__ volatile("csrr %0, 0xc80" : "=r"(value));
  out[0] = value;
}
// No thread gets the lock that the first one has taken: a livelock.
KERNEL(spins, uint64_t* lock) {
  uint64_t old;
  AMO("amoswap.d", old, lock, 1ull << 40);
  do {
    AMO("amoswap.d", old, lock, 1ull << 40);
  } while (old != 0);
  out[number()] = old;
}
// Counts in the upper half of a register and of memory: it ends.
KERNEL(counts_up, uint64_t* count) {
  uint64_t old = 0;
  do {
    AMO("amoadd.d", old, count, 1ull << 32);
  } while (old < 100000ull << 32);
  out[number()] = 1;
}
