# SPDX-License-Identifier: Apache-2.0
# nested(out, levels): at each of `levels` levels one more lane leaves, and every level has a reconvergence point of its own. The
# reconvergence stack needs exactly levels + 1 entries. Threads count the levels they went through on their way back.
  .altmacro
  .macro descend level
  li t2, \level
  ble t0, t2, leave\level
  .endm
  .macro ascend level
  addi t1, t1, 1
leave\level:
  .endm

  .text
  .globl nested
  .protected nested
  .type nested, @function
nested:
  csrr t0, 0xCCC            # lane
  ble t0, a1, inside
  mv t0, a1
inside:
  li t1, 0
  .set level, 0
  .rept 30
  descend %level
  .set level, level + 1
  .endr
  .rept 30
  .set level, level - 1
  ascend %level
  .endr
  csrr t0, mhartid
  slli t0, t0, 2
  add a0, a0, t0
  sw t1, 0(a0)
  ret
  .size nested, . - nested
