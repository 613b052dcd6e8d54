// SPDX-License-Identifier: Apache-2.0
// Threads of a warp that wait for each other. Every kernel ends where each thread that can go on does so at some time; words[0] then is what
// locks_test.py expects.
#include <heddle/kernel.h>

#define KERNEL extern "C" __global__ void
HEDDLE_FN unsigned read(const unsigned* p) { return *(const volatile unsigned*)p; }
HEDDLE_FN void write(unsigned* p, unsigned value) { *(volatile unsigned*)p = value; }

// A spin lock: the loop's end is in front of the release.
KERNEL lock(unsigned* words) {
  while (atomicCAS(&words[1], 0, 1) != 0) {
  }
  ++words[0];
  atomicExch(&words[1], 0);
}

// Test, then test and set.
KERNEL test_lock(unsigned* words) {
  do {
    while (read(&words[1]) != 0) {
    }
  } while (atomicExch(&words[1], 1u) != 0);
  ++words[0];
  __threadfence();
  write(&words[1], 0);
}

// The way around that works on stacks: who has the lock gives it back before the turn ends.
KERNEL done_flag(unsigned* words) {
  volatile int done = 0;
  while (!done) {
    if (atomicCAS(&words[1], 0, 1) == 0) {
      ++words[0];
      atomicExch(&words[1], 0);
      done = 1;
    }
  }
}

// First come, first served.
KERNEL ticket(unsigned* words) {
  const unsigned mine = atomicAdd(&words[1], 1u);
  while (read(&words[2]) != mine) {
  }
  ++words[0];
  __threadfence();
  write(&words[2], mine + 1);
}

// One thread sets what the others wait for: on the other side of a branch.
KERNEL flag(unsigned* words) {
  if (threadIdx.x == 7) {
    words[2] = 41;
    __threadfence();
    write(&words[1], 1);
  } else {
    while (read(&words[1]) == 0) {
    }
    atomicMax(&words[0], words[2] + 1);
  }
}

// Each thread waits for the one before it, lowest lane first, and highest lane first.
HEDDLE_FN void hand_over(unsigned* words, unsigned turn) {
  while (read(&words[2 + turn]) == 0) {
  }
  words[0] += turn;
  __threadfence();
  write(&words[3 + turn], 1);
}
KERNEL chain_up(unsigned* words) {
  if (threadIdx.x == 0) write(&words[2], 1);
  hand_over(words, threadIdx.x);
}
KERNEL chain_down(unsigned* words) {
  if (threadIdx.x == 0) write(&words[2], 1);
  hand_over(words, blockDim.x - 1 - threadIdx.x);
}

// The same order by one counter in shared memory. Who has the turn gives it on behind the loop, on a side of the loop, or by an atomic.
KERNEL turn(unsigned* words) {
  __shared__ volatile unsigned next;
  next = 0;
  __syncthreads();
  while (next != threadIdx.x) {
  }
  ++words[0];
  next = next + 1;
}
KERNEL turn_inside(unsigned* words) {
  __shared__ volatile unsigned next;
  const unsigned threads = blockDim.x;
  next = 0;
  __syncthreads();
again:
  if (next != threadIdx.x) {
    if (threads != 0) goto again;
  } else {
    ++words[0];
    next = next + 1;
  }
}
KERNEL turn_atomic(unsigned* words) {
  __shared__ volatile unsigned next;
  next = 0;
  __syncthreads();
  while (next != threadIdx.x) {
  }
  ++words[0];
  atomicAdd(const_cast<unsigned*>(&next), 1u);
}

// Two locks, one in the other.
KERNEL two_locks(unsigned* words) {
  while (atomicCAS(&words[1], 0, 1) != 0) {
  }
  while (atomicCAS(&words[2], 0, 1) != 0) {
  }
  ++words[0];
  atomicExch(&words[2], 0);
  atomicExch(&words[1], 0);
}

// A lock taken in each turn of a loop, with a branch in the critical section.
KERNEL rounds(unsigned* words) {
  for (unsigned i = 0; i < 3; ++i) {
    while (atomicCAS(&words[1], 0, 1) != 0) {
    }
    if ((threadIdx.x + i) % 3 == 0) words[0] += 2;
    else words[0] += 1;
    __threadfence();
    atomicExch(&words[1], 0);
  }
}

// Functions that lock and unlock.
__noinline__ __device__ void take(unsigned* p) {
  while (atomicCAS(p, 0, 1) != 0) {
  }
}
__noinline__ __device__ void give(unsigned* p) { atomicExch(p, 0); }
KERNEL functions(unsigned* words) {
  take(&words[1]);
  ++words[0];
  give(&words[1]);
}

// A thread that tries again and again, and ends all others by then: no lock, but a hang where its side runs first and alone.
KERNEL last_one(unsigned* words) {
  if (threadIdx.x == 0) {
    while (read(&words[1]) != blockDim.x - 1) {
    }
    words[0] = read(&words[1]);
  } else {
    atomicAdd(&words[1], 1u);
  }
}

// Threads of both sides read what those of the other side have written. One thread leaves on its way, so that the sides do not meet by themselves.
template <bool Wait>
__device__ inline void exchanged(unsigned* words) {
  __shared__ volatile unsigned written[32];
  const unsigned lane = threadIdx.x;
  if (lane & 1) {
    written[lane] = 3 * lane;
  } else {
    if (lane == 0) return;
    written[lane] = 3 * lane;
  }
  if (Wait) __syncwarp(0xFFFFFFFEu);
  if (lane != 3 && written[lane ^ 3] == 3 * (lane ^ 3)) atomicAdd(&words[0], 1u);
}
KERNEL exchange(unsigned* words) { exchanged<true>(words); }
KERNEL exchange_alone(unsigned* words) { exchanged<false>(words); }
