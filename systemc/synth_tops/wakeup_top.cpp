// SPDX-License-Identifier: Apache-2.0
// Top of wakeup at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "core/wakeup.h"

int sc_main(int, char**) {
  heddle::wakeup<> top("top");
  return 0;
}
