// SPDX-License-Identifier: Apache-2.0
// A thread that prints.
#include <heddle/kernel.h>

extern "C" __global__ void hello() {
  static const char text[] = "hello from a thread\n";
  register unsigned a0 __asm__("a0") = 1;
  register const char* a1 __asm__("a1") = text;
  register unsigned a2 __asm__("a2") = sizeof text - 1;
  register unsigned a7 __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
}
