# SPDX-License-Identifier: Apache-2.0
# Where a kernel returns to: ends the thread with status 0.
  .section .text.heddle_exit, "ax", @progbits
  .globl __heddle_exit
  .type __heddle_exit, @function
__heddle_exit:
  li a0, 0
  li a7, 93
  ecall
  .size __heddle_exit, . - __heddle_exit
