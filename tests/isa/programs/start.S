# SPDX-License-Identifier: Apache-2.0
# Start of a scalar test program that runs under qemu, on the functional device and on the core:
# main(), then exit with its result.
	.section .text.start, "ax"
	.globl _start
	.protected _start
	.type _start, @function
_start:
	.option push
	.option norelax
	la	gp, __global_pointer$
	.option pop
	call	main
	li	a7, 93
	ecall
	.size _start, . - _start

	.globl __heddle_exit
	.type __heddle_exit, @function
__heddle_exit:
	li	a0, 0
	li	a7, 93
	ecall
	.size __heddle_exit, . - __heddle_exit
