// SPDX-License-Identifier: Apache-2.0
// A linked kernel program: what the loader found in the ELF, decoded once, with the reconvergence PC of every branch.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/data_type.h"
#include "heddle/parameter.h"
#include "isa/instruction.h"

namespace heddle {

struct Segment {
  Address address = 0;
  std::uint32_t memory_size = 0;   // bytes in memory; the part beyond data.size() is zero
  std::vector<std::uint8_t> data;  // bytes from the file
  bool writable = false;
  bool executable = false;
};

struct Kernel {
  std::string name;
  Pc entry = 0;
  Address global_pointer = 0;     // of its module: __global_pointer$, 0 if absent
  unsigned module = 0;            // number of the module that it came with
  std::uint32_t shared_size = 0;  // bytes of shared memory that a block has without what the launch asks for
  std::optional<std::vector<Parameter>> parameters = {};    // in order; none: the program does not say
  std::vector<std::shared_ptr<const DataType>> types = {};  // of the parameters, where there are parameters
};

// A variable in global memory.
struct Variable {
  std::string name;  // of its symbol
  Address address = 0;
  std::uint32_t bytes = 0;
  bool internal = false;                           // its file's own: the compiler may have taken its value for known
  unsigned module = 0;                             // number of the module that it came with
  std::shared_ptr<const DataType> type = nullptr;  // null if the program does not say
};

struct SourceLine {
  std::string file;  // as in the DWARF line table, empty if unknown
  unsigned line = 0;
};

class Program {
 public:
  std::string path;               // of the ELF, for messages
  Xlen xlen = Xlen::k32;          // of its instructions, pointers and kernel arguments
  std::vector<Segment> segments;  // global memory image
  std::vector<Segment> shared;    // initial image of the shared window (0x60000000), usually all zero
  std::vector<Segment> local;     // initial image of thread-local data (0x70000000 window)
  std::vector<Kernel> kernels;
  std::vector<Variable> variables;    // sorted by name
  unsigned modules = 1;               // programs that have become one
  std::set<std::string> forms;        // what heddle-cc compiled its objects for: "none", or as kernel_form says
  Pc exit_stub = 0;                   // __heddle_exit
  Address thread_pointer = 0;         // start of thread_local data in the local window, 0 if absent
  unsigned branches_without_rpc = 0;  // conditional branches and table jumps whose rpc is kNoRpc

  Pc text_begin = 0;  // executable range, word-indexed below
  Pc text_end = 0;
  std::vector<Instruction> text;  // text[(pc - text_begin) / 4]

  // Words that hold an address of the program, so that it can be moved: filled where the linker kept relocations.
  struct Relocation {
    Address address = 0;
    bool high = false;  // the upper 20 bits of a lui; else all of a word, the lower one of an address of 64 bits
  };
  std::vector<Relocation> relocations;
  bool movable = false;  // they are all there

  // Instruction at pc, or nullptr if pc is misaligned or outside the executable range.
  [[nodiscard]] const Instruction* at(Pc pc) const {
    return pc >= text_begin && pc < text_end && (pc & 3u) == 0 ? &text[(pc - text_begin) >> 2] : nullptr;
  }
  [[nodiscard]] unsigned register_bytes() const { return xlen == Xlen::k64 ? 8 : 4; }  // of integers and addresses
  [[nodiscard]] const Kernel* kernel(const std::string& name) const;
  // Of the first module; 0 if there is none.
  [[nodiscard]] Address global_pointer() const { return kernels.empty() ? 0 : kernels.front().global_pointer; }
  // By the symbol's name or as C++ writes it; nullptr if there is none, or several.
  [[nodiscard]] const Variable* variable(const std::string& name) const;

  // For messages and pictures; may be slow. `where` is like "kernel.c:12 (lud+0x34)".
  [[nodiscard]] std::string disassemble(Pc pc) const;
  [[nodiscard]] SourceLine source_line(Pc pc) const;
  [[nodiscard]] std::string where(Pc pc) const;

  // Function symbol that contains pc, and per-PC source lines: filled by the loader.
  struct Function {
    std::string name;
    Pc begin = 0;
    Pc end = 0;
  };
  std::vector<Function> functions;  // sorted by begin
  std::vector<SourceLine> lines;    // parallel to text

  // Data symbols, and sections in memory: where a table of jump targets must end. Filled by the loader, sorted by
  // begin.
  struct Extent {
    Address begin = 0;
    std::uint32_t size = 0;
  };
  std::vector<Extent> objects;
  std::vector<Extent> sections;
  // What lies between the variables of writable segments and belongs to none. Filled by the loader, sorted by begin.
  std::vector<Extent> padding;
};

}  // namespace heddle
