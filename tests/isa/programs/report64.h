/* SPDX-License-Identifier: Apache-2.0 */
/* report.h for programs of RV64. */
#pragma once

#include "report.h"

typedef unsigned long u64;

/* "name 0123456789abcdef" and a newline. */
static inline void report64(const char* name, u64 value) {
  char line[18];
  line[0] = ' ';
  for (u32 i = 0; i < 16; ++i) line[1 + i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  line[17] = '\n';
  put_string(name);
  put_text(line, sizeof line);
}

static inline u64 hash64(u64 state, u64 value) {
  state ^= value;
  state *= 0x00000100000001B3u;
  return state ^ state >> 29;
}

static inline u64 next_random64(u64* state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}
