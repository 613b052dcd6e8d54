// SPDX-License-Identifier: Apache-2.0
#include "wave/gtkw.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "isa/program.h"
#include "output/output_file.h"
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

std::string pc_filter_text(const Program& program) {
  std::string text;
  for (Pc pc = program.text_begin; pc < program.text_end; pc += 4) {
    if (program.at(pc)->op != Op::kIllegal) text += fmt::format("{:08x} {:x}: {}\n", pc, pc, program.disassemble(pc));
  }
  return text;
}

std::string stall_filter_text() {
  std::string text;
  for (unsigned reason = 0; reason < kNumStalls; ++reason)
    text += fmt::format("{:x} {}\n", reason, kStallNames[reason]);
  return text;
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

// Of what belongs to one path of a warp ("pc_l", "reg_r[3]", "pc_0" of a split): a colour for each path; else 0.
unsigned path_colour(const std::string& name) {
  constexpr unsigned kColours = 7;  // of GTKWave: red, orange, yellow, green, blue, indigo, violet
  const std::string stem = name.substr(0, name.find('['));
  const std::size_t at = stem.rfind('_') + 1;
  const std::string path = at == 0 ? "" : stem.substr(at);
  if (path == "l") return 4;
  if (path == "r") return 2;
  if (path.empty() || path.find_first_not_of("0123456789") != std::string::npos) return 0;
  return 1 + (3 + static_cast<unsigned>(std::stoul(path)) * 3) % kColours;
}

// Whether `scope` is `below` or one of the scopes it lies in.
bool is_above(const std::string& scope, const std::string& below) {
  return below == scope || below.compare(0, scope.size() + 1, scope + ".") == 0;
}

}  // namespace

GtkwFiles gtkw_files(const std::string& wave) {
  const std::filesystem::path path = std::filesystem::absolute(wave);
  const auto beside = [&path](const char* extension) {
    return std::filesystem::path(path).replace_extension(extension).string();
  };
  return {beside(".gtkw"), beside(".pc.flt"), beside(".stall.flt")};
}

std::string write_gtkw(const std::string& path, const std::vector<WaveProbe>& probes, const Program* program,
                       const std::string& open_scope, Cycle start, Cycle end) {
  const GtkwFiles files = gtkw_files(path);
  OutputFailures failures;
  if (program != nullptr) failures.attempt([&] { write_file(files.pc_filter, pc_filter_text(*program)); });
  failures.attempt([&] { write_file(files.stall_filter, stall_filter_text()); });

  std::string file = "[*] Heddle: one time unit is one core cycle\n";
  file += fmt::format("[dumpfile] \"{}\"\n[timestart] {}\n[size] 1600 900\n", std::filesystem::absolute(path).string(),
                      start);
  // About 1000 pixels for the waves; GTKWave's zoom is -log2 of the time units of 200 pixels.
  const Cycle shown = end > start ? end - start : 1;
  const double per_pixel = static_cast<double>(shown) / 1000;
  file += fmt::format("*{:.6f} {}\n", -std::log2(200 * per_pixel), start);
  file += "[sst_width] 240\n[signals_width] 320\n[sst_expanded] 1\n";

  std::vector<std::string> open;  // scopes of the groups we are in
  const auto stands_open = [&](const std::string& scope) {
    return is_above(scope, open_scope) || is_above(open_scope, scope);
  };
  const auto leave = [&] {
    file +=
        fmt::format("@{:x}\n-{}\n", stands_open(open.back()) ? kGroupEnd : kGroupClosedEnd, group_name(open.back()));
    open.pop_back();
  };
  for (const WaveProbe& probe : probes) {
    while (!open.empty() && !is_above(open.back(), probe.scope)) leave();
    while (open.empty() || open.back() != probe.scope) {
      const std::size_t from = open.empty() ? 0 : open.back().size() + 1;
      const std::string scope = probe.scope.substr(0, probe.scope.find('.', from));
      file += fmt::format("@{:x}\n-{}\n", stands_open(scope) ? kGroupOpen : kGroupClosed, group_name(scope));
      open.push_back(scope);
    }
    unsigned flags = kHex;
    const std::string* filter = nullptr;
    switch (probe.format) {
      case WaveFormat::kHex: break;
      case WaveFormat::kBinary: flags = kBinary; break;
      case WaveFormat::kDecimal: flags = kDecimal; break;
      case WaveFormat::kPc: filter = program != nullptr ? &files.pc_filter : nullptr; break;
      case WaveFormat::kStall: filter = &files.stall_filter; break;
    }
    if (filter != nullptr) flags |= kTranslated;
    file += fmt::format("@{:x}\n", probe.width == 1 ? kBinary : flags);
    if (filter != nullptr) file += "^1 " + *filter + "\n";
    if (const unsigned colour = path_colour(probe.name); colour != 0) file += fmt::format("[color] {}\n", colour);
    file += probe.scope + "." + probe.name + (probe.width == 1 ? "" : fmt::format("[{}:0]", probe.width - 1)) + "\n";
  }
  while (!open.empty()) leave();
  failures.attempt([&] { write_file(files.save, file); });
  failures.raise();
  return files.save;
}

}  // namespace heddle
