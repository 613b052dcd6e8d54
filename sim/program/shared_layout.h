// SPDX-License-Identifier: Apache-2.0
// Which shared variables a kernel has, and where.
#pragma once

#include <cstdint>
#include <vector>

#include "isa/program.h"

namespace heddle {

// A word of code or data that holds an address, or a part of one, as the linker kept it (--emit-relocs).
struct Reference {
  Address site = 0;
  unsigned type = 0;  // R_RISCV_...
  Address symbol = 0;
  std::int32_t addend = 0;

  [[nodiscard]] Address target() const { return symbol + static_cast<Address>(addend); }
};

struct SharedWindow {
  Address dynamic = 0;      // where the linker has the beginning of dynamic shared memory
  unsigned alignment = 16;  // at least that of every variable in front of it
  bool known = true;        // they are all objects of program.objects, and every reference to them is known
};

// Gives each kernel the static variables that it and what it may call refer to, from the beginning of the window on,
// in the order of the linker; those of several kernels come first, since they have one place for all of these. Dynamic
// shared memory begins behind the variables of the kernel, or of the kernels that call one function which refers to it.
// A call through a pointer may go to every function whose address is taken. Changes the references, and sets
// Kernel::shared_size.
//
// Each kernel has all variables, at the linker's addresses, where the references do not tell who uses which: no
// relocations, addresses relative to the code, variables that are no objects or have a value, too large a program.
void lay_out_shared(Program& program, const SharedWindow& window, const std::vector<Reference>& references);

}  // namespace heddle
