# SPDX-License-Identifier: Apache-2.0
# Loads that hit for some threads of a warp of 8 lanes only. Every thread writes what it has done to its word of a0; t0 is its lane.
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
  la a2, table
  lw t1, 0(a2)              # brings the first line
  slti t3, t0, 4            # of lanes 0 to 3
  .endm
  .macro done name
  sw t1, 0(a0)
  ret
  .size \name, . - \name
  .endm
  # t4: a word of the first line where t3 is \warm, of line \cold elsewhere
  .macro load_where warm, cold
  xori t4, t3, \warm
  slli t4, t4, 9 + \cold
  add t4, t4, a2
  lw t4, 0(t4)
  .endm
  # Threads 2 to 7 apart from 0 and 1.
  .macro diverge name
  li t5, 2
  bge t0, t5, \name
  .rept 9
  addi t1, t1, 100
  .endr
\name:
  .rept 9
  addi t1, t1, 1
  .endr
  .endm

  .text
# Lanes 0 to 3 hit and then miss, the others miss and then hit.
  kernel turns
  add t1, t1, t1
  load_where 1, 0
  add t1, t1, t4
  load_where 0, 1
  add t1, t1, t4
  diverge turns_met
  done turns

# A barrier behind a load, and each thread reads what its neighbour wrote.
  kernel neighbours
  add t1, t1, t0
  load_where 1, 0
  add t1, t1, t4
  sw t1, 0(a0)
  barrier
  xori t5, t0, 4
  slli t5, t5, 2
  sub a3, a0, t2
  add a3, a3, t5
  lw t6, 0(a3)
  barrier
  add t1, t1, t6
  done neighbours

# Lanes 0 to 3 diverge while the others wait for memory; these go another way, and all come to a barrier.
  kernel other_ways
  add t1, t1, t1
  load_where 1, 0
  add t1, t1, t4
  beqz t3, other_ways_far
  diverge other_ways_met
  j other_ways_end
other_ways_far:
  .rept 9
  addi t1, t1, 7
  .endr
other_ways_end:
  barrier
  done other_ways

# Lanes 0 to 3 and the others come to a barrier each.
  kernel two_barriers
  add t1, t1, t1
  load_where 1, 0
  add t1, t1, t4
  beqz t3, two_barriers_far
  barrier
  addi t1, t1, 1
  j two_barriers_end
two_barriers_far:
  barrier
  addi t1, t1, 2
two_barriers_end:
  done two_barriers

# An indirect jump that overwrites its own address, taken by each thread of lanes 0 to 3 to its own place.
  kernel jumps
  mv a4, ra
  add t1, t1, t1
  load_where 1, 0
  add t1, t1, t4
  la t5, jumps_places
  andi t6, t0, 1
  slli t6, t6, 4
  add t5, t5, t6
  jalr t5, 0(t5)
jumps_places:
  addi t1, t1, 10
  addi t1, t1, 10
  addi t1, t1, 10
  addi t1, t1, 10
  la t6, jumps_places
  sub t5, t5, t6
  add t1, t1, t5            # the address is behind the jump: 0
  mv ra, a4
  done jumps

  .section .rodata
  .balign 512
table:
  .word 1
  .zero 508
  .word 2
  .zero 508
  .word 4
  .zero 508
