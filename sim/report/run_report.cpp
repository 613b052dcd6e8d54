// SPDX-License-Identifier: Apache-2.0
#include <sys/resource.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

#include "isa/helpers.h"
#include "isa/program.h"
#include "program/loader.h"
#include "report/metrics.h"
#include "report/report.h"

namespace heddle {
namespace {

std::vector<BranchReport> describe_branches(const Stats& stats, const Program& program) {
  std::vector<BranchReport> branches;
  branches.reserve(stats.branches.size());
  for (const BranchStats& counts : stats.branches) {
    const SourceLine line = program.source_line(counts.pc);
    branches.push_back({counts, line.file.empty() ? "" : fmt::format("{}:{}", line.file, line.line)});
  }
  return branches;
}

constexpr double kHelperShare = 0.1;  // of a kernel's instructions: from here on it is told
constexpr std::size_t kHelpersNamed = 4;

// A line for each kernel that spends much of its time in functions for what the instruction set does not have.
std::vector<std::string> helper_notes(const std::map<std::string, Stats>& kernels, const Program& program) {
  std::vector<std::string> notes;
  for (const auto& [kernel, stats] : kernels) {
    std::map<Helper, std::uint64_t> spent;
    std::vector<std::pair<std::uint64_t, std::string>> functions;
    std::uint64_t sum = 0;
    for (const HelperStats& helper : stats.helpers) {
      const auto behind = std::upper_bound(program.functions.begin(), program.functions.end(), helper.pc,
                                           [](Pc pc, const Program::Function& f) { return pc < f.begin; });
      functions.emplace_back(helper.thread_instructions, std::prev(behind)->name);
      spent[helper_of(functions.back().second)] += helper.thread_instructions;
      sum += helper.thread_instructions;
    }
    const double share = ratio(static_cast<double>(sum), static_cast<double>(stats.thread_instructions));
    if (share <= kHelperShare) continue;
    std::sort(functions.rbegin(), functions.rend());
    std::string names;
    for (std::size_t i = 0; i < std::min(functions.size(), kHelpersNamed); ++i)
      names += (i == 0 ? "" : ", ") + functions[i].second;
    if (functions.size() > kHelpersNamed) names += ", ...";
    std::string advice;
    if (spent[Helper::kFloat] != 0)
      advice += "; double is computed in software: write 2.0f for 2.0, sqrtf for sqrt, float for double";
    if (spent[Helper::kDivision] != 0)
      advice += "; 64-bit integers are divided in software: divide int or unsigned where the values fit";
    notes.push_back(fmt::format("kernel {}: {:.0f} % of its instructions are in {}{}", readable_name(kernel),
                                100 * share, names, advice));
  }
  return notes;
}

std::uint64_t peak_memory_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace

const char* result_name(ExitStatus status) {
  switch (status) {
    case ExitStatus::kPass: return "pass";
    case ExitStatus::kWrongResult: return "fail";
    case ExitStatus::kBadInput:
    case ExitStatus::kMachineStopped: break;
  }
  return "error";
}

const char* result_name(const RunReport& run) {
  return run.status == ExitStatus::kPass && !run.checked ? "unchecked" : result_name(run.status);
}

std::string source_name(const std::string& workload) {
  const std::filesystem::path path = workload;
  return path.extension() == ".elf" || path.has_parent_path() ? path.stem().string() : workload;
}

std::string thread_text(const ThreadExit& exit) {
  return fmt::format("thread ({},{},{}) of block ({},{},{})", exit.thread[0], exit.thread[1], exit.thread[2],
                     exit.block[0], exit.block[1], exit.block[2]);
}

void check_exits(const ExitStats& exits, const Program& program, const std::string& what) {
  if (exits.failed == 0) return;
  throw Error(
      ExitStatus::kWrongResult, "exit",
      fmt::format("{}{} thread{} ended with a status other than 0: first {}, status {}{} at {}", what, exits.failed,
                  exits.failed == 1 ? "" : "s", thread_text(exits.first), static_cast<std::int32_t>(exits.first.status),
                  exits.first.cycle == 0 ? "," : fmt::format(", in cycle {}", exits.first.cycle),
                  program.where(exits.first.pc)));
}

void RunReport::fill(const Stats& total, std::uint64_t count, const Program& program) {
  stats = total;
  launch_count = count;
  branches = describe_branches(stats, program);
  branches_without_rpc = program.branches_without_rpc;
  notes = helper_notes(kernels, program);
  host.peak_memory_bytes = peak_memory_bytes();
}

void RunReport::set_error(const Error& error) {
  status = error.status();
  error_code = error.code();
  error_message = error.what();
  error_details = error.details();
}

void RunReport::add_output_errors(const std::vector<std::string>& lines) {
  output_errors.insert(output_errors.end(), lines.begin(), lines.end());
  if (!output_errors.empty() && status == ExitStatus::kPass) set_error(bad_input("output", output_errors.front()));
}

}  // namespace heddle
