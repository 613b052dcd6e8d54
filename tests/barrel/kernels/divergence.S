# SPDX-License-Identifier: Apache-2.0
# Shapes of divergence with as few instructions around them as can be, in assembly so that no compiler changes them. kernel(rounds):
# every round each thread draws a number of its own and takes one of the ways. Nothing touches memory.

  .macro kernel name
  .text
  .globl \name
  .protected \name
  .type \name, @function
\name:
  csrr t0, mhartid
  addi t0, t0, 1
  li t1, 0x9e3779b1         # neighbours far apart
  mul t0, t0, t1
  li t2, 0
  .endm

  .macro draw               # xorshift: t0 is the number
  slli t1, t0, 13
  xor t0, t0, t1
  srli t1, t0, 17
  xor t0, t0, t1
  slli t1, t0, 5
  xor t0, t0, t1
  .endm

  .macro work count
  .rept \count
  addi t2, t2, 1
  .endr
  .endm

  .macro rounds_end name
  addi a0, a0, -1
  bnez a0, \name\()_round
  ret
  .size \name, . - \name
  .endm

# Two sides of 64 instructions.
  kernel if_else
if_else_round:
  draw
  srli t1, t0, 31
  bnez t1, if_else_taken
  work 63
  j if_else_join
if_else_taken:
  work 64
if_else_join:
  rounds_end if_else

# Two sides of 32 instructions, and on each two sides of 32 again.
  kernel nested_if
nested_if_round:
  draw
  srli t1, t0, 31
  slli t3, t0, 1
  srli t3, t3, 31
  bnez t1, nested_if_1
  work 30
  bnez t3, nested_if_01
  work 31
  j nested_if_0_join
nested_if_01:
  work 32
nested_if_0_join:
  work 1
  j nested_if_join
nested_if_1:
  work 30
  bnez t3, nested_if_11
  work 31
  j nested_if_1_join
nested_if_11:
  work 32
nested_if_1_join:
  work 2
nested_if_join:
  rounds_end nested_if

# 1 to 64 trips of 8 instructions.
  .macro trips name
  draw
  srli t1, t0, 26
  addi t1, t1, 1
\name\()_trip:
  work 6
  addi t1, t1, -1
  bnez t1, \name\()_trip
  .endm

  kernel loop_trips
loop_trips_round:
  trips loop_trips
  rounds_end loop_trips

# The same, and all wait for the last one at a barrier.
  kernel loop_trips_met
loop_trips_met_round:
  trips loop_trips_met
  .insn i 0x0b, 0, x0, x0, 0   # heddle.barrier
  rounds_end loop_trips_met

# One way for all.
  kernel straight
straight_round:
  draw
  work 64
  rounds_end straight
