// SPDX-License-Identifier: Apache-2.0
// Top of spe_frontend at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "core/spe_frontend.h"

int sc_main(int, char**) {
  heddle::spe_frontend<> top("top");
  return 0;
}
