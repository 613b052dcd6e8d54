# SPDX-License-Identifier: Apache-2.0
# Convergence barriers, placed by hand. Every thread writes what it has done to its word of a0; t0 is its lane.
  .altmacro
  .macro bssy number label
  .insn b 0x0b, 5, x\number, x0, \label
  .endm
  .macro bsync number
  .insn r 0x0b, 6, 0, x0, x\number, x0
  .endm
  .macro break number
  .insn r 0x0b, 6, 1, x0, x\number, x0
  .endm
  .macro yield
  .insn r 0x0b, 6, 2, x0, x0, x0
  .endm
  .macro warpsync mask
  .insn r 0x0b, 6, 3, x0, \mask, x0
  .endm
  .macro save rd number
  .insn r 0x0b, 6, 4, \rd, x\number, x0
  .endm
  .macro save_pc rd number
  .insn r 0x0b, 6, 5, \rd, x\number, x0
  .endm
  .macro restore number mask pc
  .insn r 0x0b, 6, 6, x\number, \mask, \pc
  .endm
  .macro ballot rd rs
  .insn r 0x2b, 1, 1, \rd, \rs, x0
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
# Threads below a1 and the others, which meet.
  kernel region
  bssy 0, region_after
  blt t0, a1, region_below
  work 1
  j region_meet
region_below:
  work 2
region_meet:
  bsync 0
region_after:
  work 16
  done region

# A region in each iteration, with the number of the last one, and a loop with different trip counts in another one.
  kernel again
  andi t4, t0, 3
  bssy 1, again_out
again_loop:
  bssy 0, again_after
  andi t3, t0, 1
  bnez t3, again_odd
  work 1
  j again_meet
again_odd:
  work 2
again_meet:
  bsync 0
again_after:
  work 4
  addi t4, t4, -1
  bgez t4, again_loop
  j again_left
  # Whoever leaves the loop waits at its end, and is missing at the next region inside: it has not armed that.
again_left:
  bsync 1
again_out:
  work 64
  done again

# Every fourth thread leaves the region without its bsync.
  kernel breaks
  bssy 0, breaks_after
  andi t3, t0, 3
  bnez t3, breaks_stay
  break 0
  work 1
  j breaks_end
breaks_stay:
  andi t3, t0, 1
  beqz t3, breaks_even
  work 2
  j breaks_meet
breaks_even:
  work 4
breaks_meet:
  bsync 0
breaks_after:
  work 8
breaks_end:
  work 16
  done breaks

# The larger part waits; then the last thread that is missing breaks (a1 is 1), or ends (2).
  kernel last
  bssy 0, last_after
  beqz t0, last_thread
  work 1
  bsync 0
last_after:
  work 2
  j last_end
last_thread:
  work 4
  li t3, 1
  beq a1, t3, last_breaks
  sw t1, 0(a0)
  li a0, 0
  li a7, 93
  ecall
last_breaks:
  break 0
  work 8
last_end:
  done last

# f(n) = n + f(n - 1) for different n with one barrier, which a call keeps for its caller. Where a call begins nobody
# waits yet: the threads that go on calling go first.
  kernel recursive
  mv t5, ra
  call recursive_sum
  mv ra, t5
  done recursive
recursive_sum:
  addi sp, sp, -16
  sw ra, 0(sp)
  sw t0, 4(sp)
  save_pc t3, 0
  save t4, 0
  sw t3, 8(sp)
  sw t4, 12(sp)
  bssy 0, recursive_after
  bnez t0, recursive_calls
  j recursive_meet
recursive_calls:
  addi t0, t0, -1
  call recursive_sum
  lw t0, 4(sp)
  add t1, t1, t0
recursive_meet:
  bsync 0
recursive_after:
  lw t3, 8(sp)
  lw t4, 12(sp)
  restore 0, t4, t3
  lw ra, 0(sp)
  addi sp, sp, 16
  ret

# What a barrier holds, to be read back: its threads, and how far from its bssy they go on.
  kernel held
  auipc t3, 0
  bssy 7, held_after
  save_pc t4, 7
  save t5, 7
  save t6, 7
  restore 7, t5, t4
  andi a2, t0, 1
  bnez a2, held_meet
  work 1
held_meet:
  bsync 7
held_after:
  sub t4, t4, t3
  slli t4, t4, 8
  add t1, t4, t6
  slli t1, t1, 8
  xor t1, t1, t5
  done held

# Paths that no barrier brings together do so at a warpsync.
  kernel syncs
  blt t0, a1, syncs_below
  work 1
  j syncs_meet
syncs_below:
  work 2
syncs_meet:
  li t3, -1
  warpsync t3
  work 16
  ballot t3, t0
  add t1, t1, t3
  done syncs

# Quarters of a warp wait at once, each for itself, and each of them votes.
  kernel tiles
  andi t4, t0, 0x18
  li t3, 0xff
  sll t3, t3, t4
  andi t5, t0, 1
  bnez t5, tiles_odd
  work 1
  j tiles_meet
tiles_odd:
  work 2
tiles_meet:
  warpsync t3
  work 16
  ballot t4, t5
  add t1, t1, t4
  done tiles

# A part of the warp votes, without a word of who takes part.
  kernel votes
  blt t0, a1, votes_below
  work 1
  j votes_meet
votes_below:
  work 2
votes_meet:
  ballot t3, t0
  add t1, t1, t3
  done votes

# A lock at a1 before a count at a1 + 4. Threads that have it go their way without the others.
  .macro locked name yields
  kernel \name
  li t5, 1
  bssy 0, \name\()_after
\name\()_try:
  .if \yields
  yield
  .endif
  amoswap.w t3, t5, (a1)
  bnez t3, \name\()_try
  lw t1, 4(a1)
  addi t4, t1, 1
  sw t4, 4(a1)
  amoswap.w x0, x0, (a1)
  bsync 0
\name\()_after:
  done \name
  .endm
  locked lock 1
  locked lock_alone 0

# The threads meet behind the loop, where one of them has the lock: it waits for those who wait for it.
  kernel lock_met
  li t5, 1
  bssy 0, lock_met_after
lock_met_try:
  yield
  amoswap.w t3, t5, (a1)
  bnez t3, lock_met_try
  bsync 0
lock_met_after:
  amoswap.w x0, x0, (a1)
  done lock_met

# Three paths: thread 1 waits for thread 0, and thread 2 for thread 1. The lower two in the order of paths are 2 and 0.
  .macro handed name yields
  kernel \name
  li t3, 1
  bssy 0, \name\()_after
  beqz t0, \name\()_first
  beq t0, t3, \name\()_second
\name\()_third:
  .if \yields
  yield
  .endif
  lw t4, 0(a1)
  addi t4, t4, -2
  bnez t4, \name\()_third
  work 3
  j \name\()_meet
\name\()_second:
  .if \yields
  yield
  .endif
  lw t4, 0(a1)
  addi t4, t4, -1
  bnez t4, \name\()_second
  li t4, 2
  sw t4, 0(a1)
  work 2
  j \name\()_meet
\name\()_first:
  li t4, 1
  sw t4, 0(a1)
  work 1
\name\()_meet:
  bsync 0
\name\()_after:
  work 16
  done \name
  .endm
  handed handover 1
  handed handover_alone 0

# Wrong: each half waits for the other one, at another barrier.
  kernel crossed
  bssy 0, crossed_after
  bssy 1, crossed_after_too
  andi t3, t0, 1
  bnez t3, crossed_odd
  work 1
  bsync 0
crossed_after:
  work 2
  j crossed_end
crossed_odd:
  work 4
  bsync 1
crossed_after_too:
  work 8
crossed_end:
  done crossed

# Wrong: armed a second time, in its own region.
  kernel twice
  bssy 3, twice_after
  work 1
  bssy 3, twice_after
  bsync 3
twice_after:
  done twice

# Wrong: two warpsyncs in two places for the same threads.
  kernel mixed
  li t3, -1
  beqz t0, mixed_one
  work 1
  warpsync t3
  j mixed_end
mixed_one:
  work 2
  warpsync t3
mixed_end:
  done mixed

# Wrong: a barrier at which threads wait is saved.
  kernel moved
  bssy 2, moved_after
  beqz t0, moved_one
  work 1
  bsync 2
moved_after:
  work 2
  j moved_end
moved_one:
  work 4
  save t1, 2
moved_end:
  done moved

# Wrong: there is no such barrier.
  kernel number
  bssy 16, number_after
  bsync 16
number_after:
  done number

# Wrong: the label is not where the bsync ends.
  kernel label
  bssy 0, label_after
  work 1
  bsync 0
  work 1
label_after:
  done label

# Wrong: a thread that its own mask does not name.
  kernel unnamed
  li t3, 2
  warpsync t3
  done unnamed

# Wrong: threads of one path put different threads into a barrier.
  kernel different
  la t4, different_after
  andi t3, t0, 1
  addi t3, t3, 1
  restore 0, t3, t4
different_after:
  done different
