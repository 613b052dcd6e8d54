// SPDX-License-Identifier: Apache-2.0
// Top of dpe_frontend at its default parameters, for synthesis compilers and scripts/lint_twins.
#include "core/dpe_frontend.h"

int sc_main(int, char**) {
  heddle::dpe_frontend<> top("top");
  return 0;
}
