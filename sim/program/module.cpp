// SPDX-License-Identifier: Apache-2.0
// Several programs in one: modules of a host program, each linked by itself.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "heddle/error.h"
#include "program/loader.h"

namespace heddle {
namespace {

constexpr Address kModuleAlignment = 0x1000;
constexpr std::uint64_t kProgramEnd = 0x20000000;

Error error(const Program& module, const std::string& what) { return bad_input("elf", module.path + ": " + what); }

const char* name_of(Xlen xlen) { return xlen == Xlen::k64 ? "RV64" : "RV32"; }

std::uint8_t* bytes_at(Program& module, Address address) {
  for (Segment& s : module.segments) {
    if (address >= s.address && address - s.address + std::uint64_t{4} <= s.data.size())
      return s.data.data() + (address - s.address);
  }
  return nullptr;
}

Address end_of(const Program& program) {
  Address end = program.text_end;
  for (const Segment& s : program.segments) end = std::max(end, s.address + s.memory_size);
  return round_up(end, kModuleAlignment);
}

// By whole pages: the lower parts of addresses stay as they are.
void move(Program& module, Address by) {
  for (const Program::Relocation& r : module.relocations) {
    std::uint8_t* bytes = bytes_at(module, r.address);
    if (bytes == nullptr) continue;  // of what is zero at the start
    std::uint32_t word;
    std::memcpy(&word, bytes, sizeof word);
    word += by;  // a lui has its bits where they are in the address
    std::memcpy(bytes, &word, sizeof word);
    if (!r.high || module.at(r.address) == nullptr) continue;
    Instruction& instruction = module.text[(r.address - module.text_begin) / 4];
    instruction.word = word;
    instruction.imm = static_cast<std::int32_t>(word & 0xFFFFF000u);
  }
  for (Segment& s : module.segments) s.address += by;
  module.text_begin += by;
  module.text_end += by;
  module.exit_stub += by;
  for (Instruction& i : module.text) {
    if (i.rpc > kReturnRpc) i.rpc += by;
  }
  for (Kernel& k : module.kernels) {
    k.entry += by;
    if (k.global_pointer != 0) k.global_pointer += by;
  }
  for (Variable& v : module.variables) v.address += by;
  for (Program::Function& f : module.functions) {
    f.begin += by;
    f.end += by;
  }
  for (auto* list : {&module.objects, &module.sections, &module.padding}) {
    for (Program::Extent& e : *list) e.begin += by;
  }
}

template <class T>
void append(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

template <class T>
void rename_taken(const std::vector<T>& taken, std::vector<T>& module, const std::string& name) {
  for (T& item : module) {
    if (std::any_of(taken.begin(), taken.end(), [&](const T& other) { return other.name == item.name; }))
      item.name += "@" + name;
  }
}

}  // namespace

void add_module(Program& program, Program module) {
  if (module.xlen != program.xlen) {
    throw error(module, fmt::format("an {} program beside an {} one on one device: compile all of them for one of both",
                                    name_of(module.xlen), name_of(program.xlen)));
  }
  if (!module.movable)
    throw error(module, "a second program on one device, linked without relocations: link it with -Wl,--emit-relocs");
  if (!module.local.empty())
    throw error(module, "thread_local data in a second program on one device: only the first one may have it");
  Address lowest = module.text_begin;
  for (const Segment& s : module.segments) lowest = std::min(lowest, s.address);
  const Address begin = end_of(program);
  const Address by = begin - lowest / kModuleAlignment * kModuleAlignment;
  if (std::uint64_t{begin} + (end_of(module) - lowest) > kProgramEnd)
    throw error(module, "does not fit behind the programs that the device has already");
  move(module, by);

  for (Kernel& k : module.kernels) k.module = program.modules;
  for (Variable& v : module.variables) v.module = program.modules;
  ++program.modules;
  rename_taken(program.kernels, module.kernels, module.path);
  rename_taken(program.variables, module.variables, module.path);
  program.forms.merge(module.forms);
  append(program.segments, module.segments);
  append(program.kernels, module.kernels);
  append(program.variables, module.variables);
  append(program.functions, module.functions);
  append(program.objects, module.objects);
  append(program.sections, module.sections);
  append(program.padding, module.padding);
  append(program.shared, module.shared);
  program.branches_without_rpc += module.branches_without_rpc;
  const std::size_t gap = (module.text_begin - program.text_end) / 4;
  program.text.resize(program.text.size() + gap);
  program.lines.resize(program.text.size());
  append(program.text, module.text);
  append(program.lines, module.lines);
  program.text_end = module.text_end;
  program.movable = false;
}

}  // namespace heddle
