/* SPDX-License-Identifier: Apache-2.0
   The heap of malloc in kernels, as the runtime lays it out and heap.c uses it. */
#pragma once

#include <stdint.h>

enum { kHeapUnit = 16, kHeapSizes = 128 };

typedef struct {
  uint64_t next, end;         /* units from the heap's begin: the first that was never given out, and the end */
  uint64_t freed[kHeapSizes]; /* lists: first block in the lower half, 0 for none; the upper half counts the changes */
} Heap;
