// SPDX-License-Identifier: Apache-2.0
// Members of Program that are for people: names, disassembly, places.
#include "isa/program.h"

#include <algorithm>

#include <cxxabi.h>
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "heddle/error.h"
#include "program/disassemble.h"
#include "program/loader.h"

namespace heddle {
namespace {

// Start of the parameter list of a demangled function, or npos.
std::size_t parameter_list(const std::string& demangled) {
  if (demangled.empty() || demangled.back() != ')') return std::string::npos;
  int depth = 0;
  for (std::size_t at = demangled.size(); at-- > 0;) {
    if (demangled[at] == ')') ++depth;
    if (demangled[at] == '(' && --depth == 0) return at;
  }
  return std::string::npos;
}

const Program::Function* function_at(const Program& program, Pc pc) {
  auto after = std::upper_bound(program.functions.begin(), program.functions.end(), pc,
                                [](Pc p, const Program::Function& f) { return p < f.begin; });
  while (after != program.functions.begin()) {
    --after;
    if (pc < after->end) return &*after;
  }
  return nullptr;
}

}  // namespace

std::string readable_name(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status),
                                                    std::free);
  if (!text || symbol.compare(0, 2, "_Z") != 0) return symbol;
  std::string name = text.get();
  name.resize(std::min(name.size(), parameter_list(name)));
  // A template's demangled name begins with its return type.
  int depth = 0;
  for (std::size_t at = name.size(); at-- > 0;) {
    if (name[at] == '>' || name[at] == ')') ++depth;
    if (name[at] == '<' || name[at] == '(') --depth;
    if (name[at] == ' ' && depth == 0) return name.substr(at + 1);
  }
  return name;
}

const Kernel* Program::kernel(const std::string& name) const {
  const auto unique = [&](auto fits) -> const Kernel* {
    const auto first = std::find_if(kernels.begin(), kernels.end(), fits);
    if (first == kernels.end() || std::find_if(first + 1, kernels.end(), fits) != kernels.end()) return nullptr;
    return &*first;
  };
  if (const Kernel* k = unique([&](const Kernel& c) { return c.name == name; })) return k;
  if (const Kernel* k = unique([&](const Kernel& c) { return readable_name(c.name) == name; })) return k;
  return unique([&](const Kernel& c) {
    const std::string readable = readable_name(c.name);
    return readable.substr(0, readable.find('<')) == name;
  });
}

const Variable* Program::variable(const std::string& name) const {
  const Variable* found = nullptr;
  for (const Variable& v : variables) {
    if (v.name == name) return &v;
    if (readable_name(v.name) != name) continue;
    if (found != nullptr) return nullptr;
    found = &v;
  }
  return found;
}

const Kernel& find_kernel(const Program& program, const std::string& name) {
  if (const Kernel* kernel = program.kernel(name)) return *kernel;
  std::string names;
  for (const Kernel& kernel : program.kernels) names += (names.empty() ? "" : ", ") + readable_name(kernel.name);
  throw bad_input("kernel", fmt::format("{}: no kernel '{}'; choose one of: {}", program.path, name, names));
}

std::string Program::disassemble(Pc pc) const {
  const Instruction* instruction = at(pc);
  return instruction ? heddle::disassemble(*instruction, pc) : "outside the code";
}

SourceLine Program::source_line(Pc pc) const {
  const std::size_t index = (pc - text_begin) / 4;
  return at(pc) && index < lines.size() ? lines[index] : SourceLine{};
}

std::string Program::where(Pc pc) const {
  const Function* function = function_at(*this, pc);
  const std::string place =
      function ? fmt::format("{}+{:#x}", function->name, pc - function->begin) : fmt::format("{:#x}", pc);
  const SourceLine line = source_line(pc);
  if (line.file.empty()) return place;
  const std::size_t slash = line.file.rfind('/');
  return fmt::format("{}:{} ({})", slash == std::string::npos ? line.file : line.file.substr(slash + 1), line.line,
                     place);
}

}  // namespace heddle
