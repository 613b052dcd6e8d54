// SPDX-License-Identifier: Apache-2.0
// A random program on the host: the names of heddle/kernel.h that it uses. Each thread has a stack of its own
// (ucontext) and runs until it ends or waits at a barrier; when all have, those that wait go on. Threads that wait at
// different lines are the generator's mistake and stop the program. Include it in one file only; it has main():
//   PROGRAM BLOCKS THREADS    writes the result, one 32-bit word a thread, to standard output
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define __global__
#define __shared__ static
#define __noinline__ __attribute__((noinline))
#define __syncthreads() host_wait(__LINE__)
#define threadIdx host_thread
#define blockIdx host_block
#define blockDim host_block_size

typedef struct {
  unsigned x, y, z;
} HostIndex;
enum { kHostStack = 1 << 18, kHostThreads = 64, kHostEnded = -1, kHostRuns = 0 };

static HostIndex host_thread, host_block, host_block_size = {1, 1, 1};
static ucontext_t host_scheduler, host_context[kHostThreads];
static int host_line[kHostThreads];  // of the barrier it waits at
static char host_stack[kHostThreads][kHostStack];
static unsigned* host_result;

void run(unsigned* result);

static void host_leave(int line) {
  const unsigned thread = host_thread.x;
  host_line[thread] = line;
  swapcontext(&host_context[thread], &host_scheduler);
}
static void host_wait(int line) { host_leave(line); }
static __attribute__((noreturn, unused)) void heddle_exit(int status) {
  (void)status;
  host_leave(kHostEnded);
  abort();
}
static void host_begin(void) {
  run(host_result);
  host_leave(kHostEnded);
}

static void host_run_block(void) {
  for (unsigned i = 0; i < host_block_size.x; ++i) {
    getcontext(&host_context[i]);
    host_context[i].uc_stack.ss_sp = host_stack[i];
    host_context[i].uc_stack.ss_size = kHostStack;
    makecontext(&host_context[i], host_begin, 0);
    host_line[i] = kHostRuns;
  }
  for (int meeting = kHostRuns; meeting != kHostEnded;) {
    meeting = kHostEnded;
    for (unsigned i = 0; i < host_block_size.x; ++i) {
      if (host_line[i] == kHostEnded) continue;
      host_thread.x = i;
      swapcontext(&host_scheduler, &host_context[i]);
      if (host_line[i] == kHostEnded) continue;
      if (meeting != kHostEnded && meeting != host_line[i]) {
        fprintf(stderr, "thread %u of block %u waits at line %d, others at line %d\n", i, host_block.x, host_line[i],
                meeting);
        exit(1);
      }
      meeting = host_line[i];
    }
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const unsigned blocks = (unsigned)atoi(argv[1]);
  host_block_size.x = (unsigned)atoi(argv[2]);
  if (host_block_size.x > kHostThreads) return 2;
  host_result = (unsigned*)calloc(blocks * host_block_size.x, sizeof *host_result);
  for (host_block.x = 0; host_block.x < blocks; ++host_block.x) host_run_block();
  fwrite(host_result, sizeof *host_result, blocks * host_block_size.x, stdout);
  return 0;
}
