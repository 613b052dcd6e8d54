// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong. Only thread `who` does the forbidden thing, so that a message which names the thread is tested too.
#include <heddle/kernel.h>

__constant__ const unsigned kConstant[4] = {1, 2, 3, 4};

#define WRONG_KERNEL(name, action)                              \
  extern "C" __global__ void name(unsigned* out, unsigned who) { \
    if (heddle_thread_id() == who) { action; }                  \
    out[heddle_thread_id()] = 1;                                \
  }

#define WORD(address) (*(volatile unsigned*)(address))

WRONG_KERNEL(null_load, (void)WORD(0))
WRONG_KERNEL(null_store, WORD(4) = 1)
WRONG_KERNEL(unmapped_load, (void)WORD(0x50000000))
WRONG_KERNEL(behind_the_heap, WORD(0x3ffffff0) = 1)
WRONG_KERNEL(misaligned_load, (void)WORD((unsigned)out + 2))
WRONG_KERNEL(misaligned_half, *(volatile unsigned short*)((unsigned)out + 1) = 1)
WRONG_KERNEL(read_only_store, *(volatile unsigned*)(unsigned)kConstant = 9)
WRONG_KERNEL(code_store, WORD(0x10000000) = 0)
WRONG_KERNEL(outside_shared, WORD(0x60000000 + 49152) = 1)
WRONG_KERNEL(outside_local, WORD(0x70000000 + 4096) = 1)
WRONG_KERNEL(null_atomic, atomicAdd((unsigned*)8, 1u))
WRONG_KERNEL(illegal_instruction, __asm__ volatile(".word 0xffffffff"))
WRONG_KERNEL(breakpoint, __asm__ volatile("ebreak"))
WRONG_KERNEL(bad_call, __asm__ volatile("li a7, 1234\n ecall" ::: "a7"))
WRONG_KERNEL(bad_descriptor, heddle_write(5, out, 4))
WRONG_KERNEL(write_of_nothing_mapped, heddle_write(1, (void*)16, 4))
WRONG_KERNEL(print_of_nothing_mapped, __asm__ volatile("li a0, 16\n li a7, 4096\n ecall" ::: "a0", "a7"))
WRONG_KERNEL(unknown_csr, __asm__ volatile("csrr t0, 0x7c0" ::: "t0"))
WRONG_KERNEL(read_only_csr, __asm__ volatile("csrw 0xcc0, zero"))
WRONG_KERNEL(reserved_rounding, __asm__ volatile("csrwi frm, 5\n fadd.s ft0, ft0, ft1" ::: "ft0"))
WRONG_KERNEL(wild_jump, __asm__ volatile("jr %0" ::"r"(0x12345678)))
WRONG_KERNEL(null_call, __asm__ volatile("jalr %0" ::"r"(0) : "ra"))
WRONG_KERNEL(misaligned_jump, __asm__ volatile("jr %0" ::"r"(0x10000002)))
WRONG_KERNEL(endless_recursion, __asm__ volatile("1: addi sp, sp, -64\n sw ra, 0(sp)\n j 1b"))

// A barrier only the first half of a warp reaches, while the second half waits at another one.
extern "C" __global__ void divergent_barrier(unsigned* out) {
  if (threadIdx.x < 16) {
    __syncthreads();
    out[threadIdx.x] = 1;
  } else {
    for (unsigned k = 0; k < threadIdx.x; ++k) out[threadIdx.x] += k;
    __syncthreads();
  }
}

// Nothing changes any more: a livelock.
extern "C" __global__ void endless(unsigned* out) {
  if (heddle_lane() == 3) {
    for (;;) __asm__ volatile("");
  }
  out[heddle_thread_id()] = 1;
}

// Counts for ever: alive, but it does not end.
extern "C" __global__ void counting(unsigned* out) {
  for (;;) ++*(volatile unsigned*)(out + heddle_thread_id());
}

// Half of the block waits for a flag that the other half sets behind the barrier it waits at.
extern "C" __global__ void waiting_warps(unsigned* out) {
  if (threadIdx.x >= 32) {
    while (*(volatile unsigned*)out == 0) {
    }
  }
  __syncthreads();
  out[0] = 1;
}

extern "C" __global__ void big_shared(unsigned* out) {
  __shared__ unsigned values[8192];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x ^ 1];
}
