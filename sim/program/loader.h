// SPDX-License-Identifier: Apache-2.0
// Reads a kernel program from an ELF file.
#pragma once

#include <string>
#include <vector>

#include "isa/program.h"

namespace heddle {

// Loads an executable made by heddle-cc, or any statically linked RISC-V executable (RV32 with ABI ilp32f, RV64 with
// lp64d) without compressed instructions that has the symbol __heddle_exit and keeps to the memory map of docs/isa.md.
// Kernels are the functions of protected visibility; if there is none, all global functions. Every branch gets its
// reconvergence point (program/cfg.h). Throws Error(kBadInput, "elf") for anything else.
[[nodiscard]] Program load_program(const std::string& path);
// The same from the bytes of the file; `name` is for messages.
[[nodiscard]] Program load_program(const std::string& name, std::vector<char> bytes);

// Adds a program behind another one, at the next free addresses: both then are one, with the kernels and variables of
// both. A name that is taken already gets "@" and the module's name behind it. Throws Error(kBadInput, "elf") if the
// module was not linked so that it can be moved (with --emit-relocs, as heddle-cc does), or does not fit.
void add_module(Program& program, Program module);

// The kernel called `name`: its symbol, or for C++ the demangled name or its part before '<' or '(' if only one fits.
// Throws Error(kBadInput, "kernel") with the names there are.
[[nodiscard]] const Kernel& find_kernel(const Program& program, const std::string& name);

// "k<int>" for _Z1kIiEvPi: the demangled name without return type and parameters; other names as they are.
[[nodiscard]] std::string readable_name(const std::string& symbol);

}  // namespace heddle
