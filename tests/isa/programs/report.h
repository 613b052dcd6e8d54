/* SPDX-License-Identifier: Apache-2.0 */
/* Output of the test programs: text by the write call, hashes of results. */
#pragma once

typedef unsigned u32;

static inline void put_text(const char* text, u32 bytes) {
  register u32 a0 __asm__("a0") = 1;
  register const char* a1 __asm__("a1") = text;
  register u32 a2 __asm__("a2") = bytes;
  register u32 a7 __asm__("a7") = 64;
  __asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a2), "r"(a7) : "memory");
}

static inline void put_string(const char* text) {
  u32 bytes = 0;
  while (text[bytes] != 0) ++bytes;
  put_text(text, bytes);
}

/* "name 89abcdef" and a newline. */
static inline void report(const char* name, u32 value) {
  char line[10];
  line[0] = ' ';
  for (u32 i = 0; i < 8; ++i) line[1 + i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15];
  line[9] = '\n';
  put_string(name);
  put_text(line, sizeof line);
}

static inline u32 hash(u32 state, u32 value) {
  state ^= value;
  state *= 0x01000193u;
  return state ^ state >> 15;
}

static inline u32 next_random(u32* state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  *state ^= *state << 5;
  return *state;
}
