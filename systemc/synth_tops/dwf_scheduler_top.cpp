// SPDX-License-Identifier: Apache-2.0
// Top of dwf_scheduler at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "dwf/dwf_scheduler.h"

int sc_main(int, char**) {
  heddle::dwf_scheduler<> top("top");
  return 0;
}
