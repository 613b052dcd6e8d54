// SPDX-License-Identifier: Apache-2.0
// The kernel of blackscholes.cu as heddle-cc --libm compiles it, for the same program.
#define HEDDLE_LIBM
#include "blackscholes.cu"
