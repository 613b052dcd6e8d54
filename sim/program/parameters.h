// SPDX-License-Identifier: Apache-2.0
// Parameter lists of kernels from the debug information.
#pragma once

#include <elfutils/libdw.h>

#include "isa/program.h"

namespace heddle {

// Fills the parameter list of each kernel that the debug information describes. Others keep none: no DWARF, a variadic
// function, an assembly file, a damaged description.
void read_parameters(Dwarf& dwarf, Program& program);

}  // namespace heddle
