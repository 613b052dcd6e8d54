// SPDX-License-Identifier: Apache-2.0
// malloc and free of kernels, in the heap that the runtime lays out (sim/cuda/runtime.cpp). Linked to programs of heddle-nvcc that call them.
//
// All threads of a warp may call at once, on every mechanism: nothing waits for another thread. A block is a unit of 16 bytes, which says what
// size it has, and the caller's bytes. New ones are cut from the heap's end; freed ones wait in a list for each size. A larger one is split when
// nothing else is left; pieces are not joined again.
#include "heap.h"

#include <stddef.h>

typedef struct {
  uint32_t size, next;  // a number from 0 to kHeapSizes - 1; the block behind it in its list
  uint64_t unused;
} Block;

Heap* heddle_heap;  // set by the runtime

static uint64_t load(const uint64_t* p) { return *(const volatile uint64_t*)p; }
static uint64_t add(uint64_t* p, uint64_t value) {
  __asm__ volatile("amoadd.d %0, %0, (%1)" : "+&r"(value) : "r"(p) : "memory");
  return value;
}
static uint64_t compare_and_swap(uint64_t* p, uint64_t compare, uint64_t value) {
  __asm__ volatile(".insn r 0x2f, 3, 0x14, %0, %1, %2" : "+&r"(compare) : "r"(p), "r"(value) : "memory");
  return compare;
}

// Sizes are 1 to 8 units, then four to a power of two: the smallest of at least so many, and what it holds.
static unsigned size_of(uint64_t units) {
  const unsigned shift = units <= 8 ? 0 : 61 - (unsigned)__builtin_clzl(units - 1);
  return 4 * shift + (unsigned)((units - 1) >> shift);
}
static uint64_t units_of(unsigned size) { return size < 8 ? size + 1 : (uint64_t)(size % 4 + 5) << (size / 4 - 1); }

static Block* block_at(Heap* heap, uint64_t unit) { return (Block*)((char*)heap + unit * kHeapUnit); }

static void give_back(Heap* heap, Block* block) {
  const uint64_t unit = (uint64_t)((char*)block - (char*)heap) / kHeapUnit;
  uint64_t* const list = &heap->freed[block->size];
  uint64_t seen = load(list), expected;
  do {
    expected = seen;
    *(volatile uint32_t*)&block->next = (uint32_t)expected;
    seen = compare_and_swap(list, expected, ((expected >> 32) + 1) << 32 | unit);
  } while (seen != expected);
}

// Units that nobody has, as blocks of the largest sizes.
static void give_back_units(Heap* heap, uint64_t unit, uint64_t units) {
  while (units >= 2) {
    unsigned size = size_of(units);
    if (units_of(size) > units) --size;
    Block* const block = block_at(heap, unit);
    block->size = size;
    give_back(heap, block);
    unit += units_of(size);
    units -= units_of(size);
  }
}

static Block* take(Heap* heap, unsigned size) {
  uint64_t* const list = &heap->freed[size];
  for (uint64_t seen = load(list); (uint32_t)seen != 0;) {
    Block* const block = block_at(heap, (uint32_t)seen);
    const uint64_t expected = seen, next = *(volatile uint32_t*)&block->next;  // of no use if another thread has the block already: the count tells
    seen = compare_and_swap(list, expected, ((expected >> 32) + 1) << 32 | next);
    if (seen == expected) return block;
  }
  return NULL;
}

// Every piece of what was freed is in use or smaller than all that is asked for, once this finds nothing.
static Block* take_larger(Heap* heap, unsigned size) {
  for (unsigned larger = size; larger < kHeapSizes; ++larger) {
    Block* const block = take(heap, larger);
    if (block == NULL) continue;
    block->size = size;
    give_back_units(heap, (uint64_t)((char*)block - (char*)heap) / kHeapUnit + units_of(size), units_of(larger) - units_of(size));
    return block;
  }
  return NULL;
}

void* malloc(size_t bytes) {
  Heap* const heap = heddle_heap;
  if (bytes == 0 || bytes > heap->end * kHeapUnit) return NULL;
  const unsigned size = size_of((bytes + 2 * kHeapUnit - 1) / kHeapUnit);
  const uint64_t units = units_of(size);
  Block* block = take(heap, size);
  if (block == NULL) {
    const uint64_t begin = add(&heap->next, units);
    if (begin + units <= heap->end) {
      block = block_at(heap, begin);
      block->size = size;
    } else {
      if (begin < heap->end) give_back_units(heap, begin, heap->end - begin);  // one thread only crosses the end
      block = take_larger(heap, size);
    }
  }
  return block == NULL ? NULL : block + 1;
}

void free(void* pointer) {
  if (pointer != NULL) give_back(heddle_heap, (Block*)pointer - 1);
}
