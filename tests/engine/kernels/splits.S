# SPDX-License-Identifier: Apache-2.0
# Divergences whose order and number of issues theory gives, for dynamic warp subdivision. Every thread writes what it has done to its
# word of a0; t0 is its lane. A block is known by the value of its xori.
  .altmacro
  .macro barrier
  .insn i 0x0b, 0, x0, x0, 0
  .endm
  .macro kernel name
  .globl \name
  .protected \name
  .type \name, @function
\name:
  csrr t0, 0xCCC            # lane
  csrr t2, mhartid
  slli t2, t2, 2
  add a0, a0, t2
  li t1, 0
  .endm
  .macro done name
  sw t1, 0(a0)
  ret
  .size \name, . - \name
  .endm
  # Longer than what is predicated, so that a divergence is one.
  .macro work value
  addi t1, t1, \value
  .rept 8
  addi t1, t1, 0
  .endr
  .endm

  .text
# Figure 1 of the dual-path paper: A to B and C, C to D and E; D and E meet at F, which is one instruction, B and F at G.
  kernel figure1
  li t3, 2
  li t4, 5
  xori t1, t1, 1            # A
  bge t0, t3, figure1_c
  xori t1, t1, 2            # B
  addi t1, t1, 0
  j figure1_g
figure1_c:
  xori t1, t1, 4
  addi t1, t1, 0
  bge t0, t4, figure1_e
  xori t1, t1, 8            # D, so long that E is through F before
  .rept 8
  addi t1, t1, 0
  .endr
  j figure1_f
figure1_e:
  xori t1, t1, 16
  addi t1, t1, 0
  addi t1, t1, 0
figure1_f:
  xori t1, t1, 32
figure1_g:
  xori t1, t1, 64
  work 0
  done figure1

# Five divergences one behind the other, which part a warp into single threads if nothing brings them together, and then two barriers
# between which every thread reads what its neighbour wrote. a1: bytes of the block's array.
  kernel fan
  sub a2, a0, t2
  .irp bit, 1, 2, 4, 8, 16
  andi t5, t0, \bit
  beqz t5, fan_not_\bit
  work \bit
  work 0
  j fan_met_\bit
fan_not_\bit:
  work 0
fan_met_\bit:
  .endr
  sw t1, 0(a0)
  barrier
  addi t2, t2, 4
  bne t2, a1, fan_read
  li t2, 0
fan_read:
  add a2, a2, t2
  lw t1, 0(a2)
  barrier
  done fan

# Two barriers, and each thread comes to one of them: the sides of the branch have no place to meet.
  kernel apart
  blt t0, a1, apart_below
  work 1
  barrier
  j apart_met
apart_below:
  work 2
  work 0
  barrier
apart_met:
  work 16
  done apart

# A parts into B and C, C into a short side D and a long one E: with a dual-path stack B waits below, and D's slot is free while E runs.
  kernel unbalanced
  li t3, 2
  li t4, 5
  bge t0, t3, unbalanced_c
  .rept 60                  # B
  addi t1, t1, 1
  .endr
  j unbalanced_g
unbalanced_c:
  bge t0, t4, unbalanced_e
  work 100                  # D
  j unbalanced_f
unbalanced_e:
  .rept 60                  # E
  addi t1, t1, 2
  .endr
unbalanced_f:
  work 200
unbalanced_g:
  work 400
  done unbalanced
