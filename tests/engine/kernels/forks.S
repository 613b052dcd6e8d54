# SPDX-License-Identifier: Apache-2.0
# Regions from fork to join, placed by hand. Every thread writes what it has done to its word of a0; t0 is its lane.
  .altmacro
  .macro fork join
  .insn sb 0x0b, 1, x0, x0, \join
  .endm
  .macro join
  .insn i 0x0b, 2, x0, x0, 0
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
# Threads below a1 and the others: one divergence, the smaller side first.
  kernel sides
  fork sides_join
  blt t0, a1, sides_below
  work 1
  j sides_join
sides_below:
  work 2
sides_join:
  join
  work 16
  done sides

# The patent's drawing: 3 of 8 threads part from 5, then into 1 and 2, and into 2 and 3.
  kernel drawing
  li t3, 3
  li t4, 1
  li t5, 5
  fork drawing_join
  blt t0, t3, drawing_three
  blt t0, t5, drawing_two_of_five
  work 4
  j drawing_join
drawing_two_of_five:
  work 3
  j drawing_join
drawing_three:
  blt t0, t4, drawing_one
  work 2
  j drawing_join
drawing_one:
  work 1
drawing_join:
  join
  work 16
  done drawing

# Each divergence leaves a half behind, which waits: as many pending sets as there can be.
  kernel halves
  li t3, 64
  fork halves_join
  li t4, 1
halves_next:
  and t5, t0, t4
  bnez t5, halves_on
  work 32
  j halves_join
halves_on:
  work 1
  slli t4, t4, 1
  blt t4, t3, halves_next
halves_join:
  join
  done halves

# A region in each of two regions' sides, and one behind a loop with different trip counts.
  kernel nested
  fork outer_join
  andi t3, t0, 1
  bnez t3, odd
  fork even_join
  andi t3, t0, 2
  bnez t3, even_two
  work 1
  j even_join
even_two:
  work 2
even_join:
  join
  work 4
  j outer_join
odd:
  mv t4, t0
  fork loop_join
odd_loop:
  work 8
  addi t4, t4, -4
  bgtz t4, odd_loop
loop_join:
  join
  work 3
outer_join:
  join
  work 64
  done nested

# f(n) = n + f(n - 1) for different n, with a region in each call: joins are met at the call's own level.
  kernel recursive
  mv t5, ra
  andi t0, t0, 7
  call recursive_sum
  mv ra, t5
  done recursive
recursive_sum:
  addi sp, sp, -16
  sw ra, 0(sp)
  sw t0, 4(sp)
  fork recursive_join
  beqz t0, recursive_join
  addi t0, t0, -1
  call recursive_sum
  lw t0, 4(sp)
  add t1, t1, t0
  .rept 8
  addi t1, t1, 0
  .endr
recursive_join:
  join
  lw ra, 0(sp)
  addi sp, sp, 16
  ret

# Threads end inside the region, some on each side; the others meet all the same.
  kernel ends
  fork ends_join
  andi t3, t0, 3
  beqz t3, ends_first
  addi t3, t3, -1
  beqz t3, ends_second
  work 1
  j ends_join
ends_first:
  work 2
  sw t1, 0(a0)
  li a0, 0
  li a7, 93
  ecall
ends_second:
  work 4
ends_join:
  join
  work 16
  done ends

# No region: threads that part do not meet again, and each side writes for itself.
  kernel apart
  blt t0, a1, apart_below
  work 1
  j apart_on
apart_below:
  work 2
apart_on:
  work 16
  done apart

# Wrong: no fork at all.
  kernel no_fork
  work 1
  join
  done no_fork

# Wrong: some threads come to the join of the outer region out of the inner one.
  kernel jumped_over
  fork jumped_outer
  work 1
  fork jumped_inner
  andi t3, t0, 1
  bnez t3, jumped_outer
  work 2
jumped_inner:
  join
  work 4
jumped_outer:
  join
  done jumped_over

# Wrong: half of the threads come to the join without having come through the fork.
  kernel half_forked
  andi t3, t0, 1
  bnez t3, half_join
  work 1
  fork half_join
  work 2
half_join:
  join
  done half_forked
