// SPDX-License-Identifier: Apache-2.0
// Top of thread_swizzle at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/thread_swizzle.h"

int sc_main(int, char**) {
  heddle::thread_swizzle<> top("top");
  return 0;
}
