// SPDX-License-Identifier: Apache-2.0
#include "wave/gtkw.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "heddle/error.h"
#include "isa/program.h"
#include "report/metrics.h"

namespace heddle {
namespace {

// Trace flags of GTKWave's save files.
constexpr unsigned kHex = 0x22;  // right aligned
constexpr unsigned kBinary = 0x28;
constexpr unsigned kDecimal = 0x24;
constexpr unsigned kTranslated = 0x2000;
constexpr unsigned kGroupOpen = 0x800200;
constexpr unsigned kGroupClosed = 0xc00200;
constexpr unsigned kGroupEnd = 0x1000200;
constexpr unsigned kGroupClosedEnd = 0x1401200;

constexpr Cycle kFirstView = 200;  // cycles in view when the end of the run is not known

std::ofstream open_text(const std::filesystem::path& path) {
  std::ofstream file(path);
  if (!file) throw bad_input("output", path.string() + ": cannot be written; name the wave in a writable folder");
  return file;
}

void write_pc_filter(const std::filesystem::path& path, const Program& program) {
  std::ofstream file = open_text(path);
  for (Pc pc = program.text_begin; pc < program.text_end; pc += 4) {
    if (program.at(pc)->op != Op::kIllegal) file << fmt::format("{:08x} {:x}: {}\n", pc, pc, program.disassemble(pc));
  }
}

void write_stall_filter(const std::filesystem::path& path) {
  std::ofstream file = open_text(path);
  for (unsigned reason = 0; reason < kNumStalls; ++reason) file << fmt::format("{:x} {}\n", reason, kStallNames[reason]);
}

// The last two parts of a scope name a group: "warp03 stack".
std::string group_name(const std::string& scope) {
  const std::size_t last = scope.rfind('.');
  if (last == std::string::npos) return scope;
  const std::size_t before = last == 0 ? std::string::npos : scope.rfind('.', last - 1);
  std::string name = scope.substr(before == std::string::npos ? 0 : before + 1);
  name[name.rfind('.')] = ' ';
  return name;
}

// Whether `scope` is `below` or one of the scopes it lies in.
bool is_above(const std::string& scope, const std::string& below) {
  return below == scope || below.compare(0, scope.size() + 1, scope + ".") == 0;
}

}  // namespace

std::string write_gtkw(const std::string& path, const std::vector<WaveProbe>& probes, const Program* program,
                       const std::string& open_scope, Cycle start, Cycle end) {
  const std::filesystem::path wave = std::filesystem::absolute(path);
  const auto beside = [&wave](const char* extension) { return std::filesystem::path(wave).replace_extension(extension); };
  const std::filesystem::path pc_filter = beside(".pc.flt");
  const std::filesystem::path stall_filter = beside(".stall.flt");
  if (program != nullptr) write_pc_filter(pc_filter, *program);
  write_stall_filter(stall_filter);

  const std::filesystem::path save = beside(".gtkw");
  std::ofstream file = open_text(save);
  file << "[*] Heddle: one time unit is one core cycle\n";
  file << fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n", wave.string(), start);
  // About 1000 pixels for the waves; GTKWave's zoom is -log2 of the time units of 200 pixels.
  const Cycle shown = end == ~Cycle{0} ? kFirstView : end > start ? end - start : 1;
  const double per_pixel = static_cast<double>(shown) / 1000;
  file << fmt::format("*{:.6f} {}\n", -std::log2(200 * per_pixel), start);
  file << "[sst_width] 240\n[signals_width] 320\n[sst_expanded] 1\n";

  std::vector<std::string> open;  // scopes of the groups we are in
  const auto stands_open = [&](const std::string& scope) { return is_above(scope, open_scope) || is_above(open_scope, scope); };
  const auto leave = [&] {
    file << fmt::format("@{:x}\n-{}\n", stands_open(open.back()) ? kGroupEnd : kGroupClosedEnd, group_name(open.back()));
    open.pop_back();
  };
  for (const WaveProbe& probe : probes) {
    while (!open.empty() && !is_above(open.back(), probe.scope)) leave();
    while (open.empty() || open.back() != probe.scope) {
      const std::size_t from = open.empty() ? 0 : open.back().size() + 1;
      const std::string scope = probe.scope.substr(0, probe.scope.find('.', from));
      file << fmt::format("@{:x}\n-{}\n", stands_open(scope) ? kGroupOpen : kGroupClosed, group_name(scope));
      open.push_back(scope);
    }
    unsigned flags = kHex;
    const std::filesystem::path* filter = nullptr;
    switch (probe.format) {
      case WaveFormat::kHex: break;
      case WaveFormat::kBinary: flags = kBinary; break;
      case WaveFormat::kDecimal: flags = kDecimal; break;
      case WaveFormat::kPc: filter = program != nullptr ? &pc_filter : nullptr; break;
      case WaveFormat::kStall: filter = &stall_filter; break;
    }
    if (filter != nullptr) flags |= kTranslated;
    file << fmt::format("@{:x}\n", probe.width == 1 ? kBinary : flags);
    if (filter != nullptr) file << "^1 " << filter->string() << "\n";
    file << probe.scope << "." << probe.name << (probe.width == 1 ? "" : fmt::format("[{}:0]", probe.width - 1)) << "\n";
  }
  while (!open.empty()) leave();
  if (!file.flush()) throw bad_input("output", save.string() + ": cannot be written (disk full?); free some space");
  return save.string();
}

}  // namespace heddle
