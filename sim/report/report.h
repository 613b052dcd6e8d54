// SPDX-License-Identifier: Apache-2.0
// What is printed about runs: text summary, comparison table, JSON documents. The printers only read; nothing here
// simulates.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/error.h"
#include "heddle/stats.h"

namespace heddle {

class Program;

struct HostStats {
  double wall_seconds = 0;              // of the simulation, without loading and checking
  std::uint64_t peak_memory_bytes = 0;  // of the whole process
};

struct LaunchReport {
  std::string kernel;
  std::array<std::uint32_t, 3> grid{};
  std::array<std::uint32_t, 3> block{};
  Stats stats;
  bool functional = false;  // without the machine: thread instructions and exits are all that it counts
};

// A branch as the report names it; the source comes from the ELF's line table.
struct BranchReport {
  BranchStats counts;
  std::string source;  // "kernel.c:12", empty if unknown
};

struct RunReport {
  std::string workload;   // name of the workload, or path of the ELF
  std::string linearize;  // how the kernel was compiled anew; empty: as it was built
  std::string engine;
  Config config;
  ExitStatus status = ExitStatus::kPass;
  bool checked = true;     // there was something to compare the outputs with
  std::string error_code;  // empty: no error
  std::string error_message;
  std::string error_details;               // further lines, such as the state of every warp
  std::vector<std::string> output_errors;  // a line for each file that could not be written
  Stats stats;                             // sum of the launches
  std::uint64_t launch_count = 0;
  std::vector<LaunchReport> launches;                        // all of them, or none where nobody asks for them
  std::map<std::string, Stats> kernels;                      // sums of the launches by kernel
  std::map<std::string, std::uint64_t> functional_launches;  // of a CUDA program, by kernel: those not in the above
  std::vector<BranchReport> branches;
  std::vector<std::string> notes;     // what the user may want to change, a line each
  unsigned branches_without_rpc = 0;  // static branches of the program that have no reconvergence point
  HostStats host;

  // Statistics in all, branches, notes, and the memory of this process. launches and kernels are the caller's.
  void fill(const Stats& total, std::uint64_t count, const Program& program);
  void set_error(const Error& error);
  // Output that failed makes an error of a run that passed; any other keeps its own.
  void add_output_errors(const std::vector<std::string>& lines);
  // The greatest of the run and its outputs.
  [[nodiscard]] ExitStatus exit_status() const {
    return output_errors.empty() ? status : std::max(status, ExitStatus::kBadInput);
  }
};

// "pass", "fail" (wrong result or mismatch), "error" (bad input, or the machine stopped).
[[nodiscard]] const char* result_name(ExitStatus status);
// The same of a run; "unchecked" where nothing speaks against a result that was compared with nothing.
[[nodiscard]] const char* result_name(const RunReport& run);

// "thread (3,0,0) of block (1,0,0)"
[[nodiscard]] std::string thread_text(const ThreadExit& exit);

// A thread that ended with another status than 0 says that something is wrong: throws Error(exit, kWrongResult). what:
// begins the message.
void check_exits(const ExitStats& exits, const Program& program, const std::string& what = "");

// A workload, or what a kernel file was compiled from: "folder/saxpy.elf" is saxpy.
[[nodiscard]] std::string source_name(const std::string& workload);

// What a row of a comparison is called: "spe", "spe linearize=3".
[[nodiscard]] std::string row_name(const RunReport& run);
[[nodiscard]] std::string run_summary(const RunReport& run);
// Rows are the runs, in groups of one workload; speed-up is against the first run of the group.
[[nodiscard]] std::string compare_table(const std::vector<RunReport>& runs);
// The same with mean and spread of `each` runs of a workload and mechanism, which stand in a row.
[[nodiscard]] std::string perturbed_table(const std::vector<RunReport>& runs, std::size_t each);
[[nodiscard]] std::string run_json(const RunReport& run);
// failure: what ended the comparison after these runs, or happened to its outputs; or null. each: as perturbed_table;
// 1: not perturbed.
[[nodiscard]] std::string compare_json(const std::vector<RunReport>& runs, const Error* failure = nullptr,
                                       std::size_t each = 1);
// Document for an error before a run could begin.
[[nodiscard]] std::string error_json(const Error& error);

}  // namespace heddle
