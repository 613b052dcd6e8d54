// SPDX-License-Identifier: Apache-2.0
// Reconvergence limit study (DWF paper, section 3.3): what a warp would issue if it reconverged at the best points
// there are, beside what it issues with immediate post-dominators. Method and limits: docs/limit_study.md.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/error.h"
#include "isa/program.h"

namespace heddle {

struct LimitOptions {
  std::uint64_t threads = 128;                   // of each launch, rounded up to whole warps
  std::uint64_t max_cells = 50'000'000'000;      // alignment matrices of one program, in cells
  std::uint64_t max_trace = 1u << 24;            // jumps of the traced threads of a launch
  bool text_to_stderr = false;                   // what the threads print
  const std::atomic<bool>* stop_flag = nullptr;  // set: the study stops with Error(interrupted)
};

// Sums over the traced warps of all launches.
struct LimitResult {
  std::string name;
  std::uint64_t launches = 0, warps = 0, threads = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t pdom_issues = 0;     // warp instructions of mechanism spe
  std::uint64_t oracle_issues = 0;   // with the best alignment that was found
  std::uint64_t longest_traces = 0;  // no alignment has less: the longest thread of each section between two barriers
  std::uint64_t pdom_kept =
      0;                    // warps for which the repeated pairwise alignment found nothing as good as post-dominators
  std::uint64_t cells = 0;  // computed

  [[nodiscard]] double gain() const { return ratio(pdom_issues, oracle_issues) - 1; }
  [[nodiscard]] double bound() const { return ratio(pdom_issues, longest_traces) - 1; }
  // Threads that work in an issue.
  [[nodiscard]] double pdom_ipc() const { return ratio(thread_instructions, pdom_issues); }
  [[nodiscard]] double oracle_ipc() const { return ratio(thread_instructions, oracle_issues); }

 private:
  [[nodiscard]] static double ratio(std::uint64_t a, std::uint64_t b) {
    return b == 0 ? 1.0 : static_cast<double>(a) / static_cast<double>(b);
  }
};

// run: the host program, which launches kernels of `program`. Throws Error.
[[nodiscard]] LimitResult study_limit(const std::string& name, const Config& config, const LimitOptions& options,
                                      Program program,
                                      const std::function<void(DeviceInterface&, const Program&)>& run);

// A row for each program; of several also the harmonic means. failure: what ended the study after these programs, or
// null.
[[nodiscard]] std::string limit_table(const std::vector<LimitResult>& results, const Config& config);
[[nodiscard]] std::string limit_json(const std::vector<LimitResult>& results, const Config& config,
                                     const LimitOptions& options, const Error* failure = nullptr);

}  // namespace heddle
