// SPDX-License-Identifier: Apache-2.0
// Brings offender.h before scripts/hardware/lint_twins.
#include "offender.h"

int sc_main(int, char**) {
  heddle::offender top("top");
  return 0;
}
