# SPDX-License-Identifier: Apache-2.0
# A stack that the program manages. Every thread writes what it has done to its word of a0; t0 is its lane.
  .macro push pop
  .insn sb 0x0b, 3, x0, x0, \pop
  .endm
  .macro pop
  .insn i 0x0b, 4, x0, x0, 0
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
  li t1, 1
  .endm
  .macro done name
  sw t1, 0(a0)
  ret
  .size \name, . - \name
  .endm

  .text
# Figure 6 of the dual-path paper: A parts into B and C, C into D and E, which meet at F; all meet at G.
  kernel nested
  push nested_g
  li t3, 4
  blt t0, t3, nested_b
  push nested_f             # C
  li t3, 6
  blt t0, t3, nested_d
  addi t1, t1, 10           # E
  j nested_f
nested_d:
  addi t1, t1, 20
nested_f:
  pop
  addi t1, t1, 100          # F
  j nested_g
nested_b:
  addi t1, t1, 30
nested_g:
  pop
  addi t1, t1, 1000         # G
  done nested

# C parts without a push, as in a library: whoever is at B is saved by the hardware.
  kernel library
  push library_g
  li t3, 4
  blt t0, t3, library_b
  li t3, 6
  blt t0, t3, library_d
  addi t1, t1, 10
  j library_g
library_d:
  addi t1, t1, 20
  j library_g
library_b:
  .rept 30
  addi t1, t1, 1
  .endr
library_g:
  pop
  addi t1, t1, 1000
  done library

# All threads of a region end in it, but those of lane 0.
  kernel ends
  push ends_met
  beqz t0, ends_met
  sw t1, 0(a0)
  li a7, 93
  li a0, 0
  ecall
ends_met:
  pop
  addi t1, t1, 5
  done ends

# A way that passes no push.
  kernel no_push
  addi t1, t1, 1
no_push_pop:
  pop
  done no_push

# A push that is passed again and again.
  kernel pushes_for_ever
pushes_again:
  push pushes_met
  addi t1, t1, 1
  j pushes_again
pushes_met:
  pop
  done pushes_for_ever
