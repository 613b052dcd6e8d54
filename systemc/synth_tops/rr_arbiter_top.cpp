// SPDX-License-Identifier: Apache-2.0
// Top of rr_arbiter at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "common/rr_arbiter.h"

int sc_main(int, char**) {
  heddle::rr_arbiter<> top("top");
  return 0;
}
