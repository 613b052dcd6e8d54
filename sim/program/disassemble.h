// SPDX-License-Identifier: Apache-2.0
// Text of one instruction, in the syntax of the GNU assembler; Heddle's own instructions and CSRs by name.
#pragma once

#include <string>

#include "isa/instruction.h"

namespace heddle {

enum class Aliases { kUse, kNone };  // kUse: li, mv, ret, beqz, csrr ... where the assembler knows them

// `pc` gives jumps and branches their target, printed as a hexadecimal address. Illegal words print as ".word 0x...".
[[nodiscard]] std::string disassemble(const Instruction& instruction, Pc pc, Aliases aliases = Aliases::kUse);

// ABI name of a register in the common name space (0..31 x, 32..63 f): "a0", "fs1".
[[nodiscard]] const char* register_name(RegId r);

}  // namespace heddle
