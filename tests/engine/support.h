// SPDX-License-Identifier: Apache-2.0
// What the engine's tests share: configurations from key=value lists, runs of test kernels and workloads, and their
// figures.
#pragma once

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "heddle/device.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"
#include "workloads/workload.h"

namespace heddle::test {

using Settings = std::vector<std::string>;  // key=value

inline Config config(const std::string& mechanism, const Settings& settings = {}, const std::string& preset = "") {
  ConfigBuilder builder;
  if (!preset.empty()) builder.apply_preset(preset);
  builder.set("mechanism", mechanism, "test");
  for (const std::string& setting : settings) builder.set(setting, "test");
  return builder.build();
}

// The engines of this build.
inline std::vector<Engine> engines() {
#ifdef HEDDLE_HAVE_RTL
  return {Engine::kSystemC, Engine::kRtl, Engine::kCosim};
#else
  return {Engine::kSystemC};
#endif
}

inline std::string elf(const std::string& name) { return HEDDLE_TEST_KERNELS "/" + name + ".elf"; }

struct Outcome {
  std::vector<std::uint32_t> out;
  Stats stats;
  std::string text;
};

// Runs a kernel whose first argument is an array of one zeroed word a thread; of the memory behind it, too, if
// bytes_a_thread is more than 4.
inline Outcome run_kernel(const std::string& program, const std::string& kernel, Dim3 grid, Dim3 block,
                          const Config& config, std::vector<std::uint64_t> more = {}, std::uint32_t float_mask = 0,
                          Engine engine = Engine::kSystemC, unsigned bytes_a_thread = 4) {
  std::ostringstream text;
  Device device(config, engine);
  device.set_text_output(text);
  device.load(elf(program));
  Outcome run;
  run.out.resize(grid.count() * block.count());
  more.insert(more.begin(), device.allocate(run.out.size() * bytes_a_thread));
  device.launch(kernel, grid, block, more, float_mask);
  device.read(more.front(), run.out.data(), run.out.size() * 4);
  run.stats = device.stats();
  run.text = text.str();
  return run;
}

// Runs a workload and checks its results.
inline Stats run_workload(const std::string& name, const Config& config, Engine engine = Engine::kSystemC,
                          const std::string& size = "small") {
  WorkloadOptions options;
  options.size = size;
  const std::unique_ptr<Workload> workload = make_workload(name, options);
  Device device(config, engine);
  device.load(workload->elf(kernel_form(config)));
  workload->run(device);
  workload->check();
  return device.stats();
}

// Workloads that end.
inline std::vector<std::string> ending_workloads() {
  std::vector<std::string> names;
  for (const WorkloadInfo& info : workloads()) {
    if (!info.expects_watchdog) names.emplace_back(info.name);
  }
  return names;
}

using Figures = std::vector<std::pair<std::string, std::uint64_t>>;

// Every number of a run.
inline Figures all_figures(const Stats& s) {
  Figures figures{{"cycles", s.cycles},
                  {"warp_instructions", s.warp_instructions},
                  {"thread_instructions", s.thread_instructions},
                  {"live_lane_slots", s.live_lane_slots},
                  {"schedulable_paths", s.schedulable_paths},
                  {"sibling_issues", s.sibling_issues},
                  {"divergent_branches", s.divergent_branches},
                  {"interleavable_branches", s.interleavable_branches},
                  {"predicated_branches", s.predicated_branches},
                  {"predicated_instructions", s.predicated_instructions},
                  {"masked_threads", s.masked_threads},
                  {"max_stack_depth", s.max_stack_depth},
                  {"max_pending_sets", s.max_pending_sets},
                  {"splits.made", s.splits.made},
                  {"splits.merged", s.splits.merged},
                  {"splits.refused", s.splits.refused},
                  {"splits.most", s.splits.most},
                  {"forwarded_paths", s.forwarded_paths},
                  {"memory_splits", s.memory_splits},
                  {"memory_joins", s.memory_joins},
                  {"l1.accesses", s.l1.accesses},
                  {"l1.hits", s.l1.hits},
                  {"l1.misses", s.l1.misses},
                  {"l1.merged", s.l1.merged},
                  {"l1.bytes_read", s.l1.bytes_read},
                  {"l1.bytes_written", s.l1.bytes_written},
                  {"l1.stall_cycles", s.l1.stall_cycles},
                  {"shared_accesses", s.shared_accesses},
                  {"shared_conflict_cycles", s.shared_conflict_cycles},
                  {"memory_instructions", s.memory_instructions},
                  {"memory_transactions", s.memory_transactions},
                  {"memory_bytes", s.memory_bytes},
                  {"memory_busy_cycles", s.memory_busy_cycles},
                  {"l2.accesses", s.l2.accesses},
                  {"l2.hits", s.l2.hits},
                  {"l2.misses", s.l2.misses},
                  {"l2.merged", s.l2.merged},
                  {"l2.stall_cycles", s.l2.stall_cycles},
                  {"dram.reads", s.dram.reads},
                  {"dram.writes", s.dram.writes},
                  {"dram.row_hits", s.dram.row_hits},
                  {"dram.activates", s.dram.activates},
                  {"dram.busy_clocks", s.dram.busy_clocks},
                  {"dram.clocks", s.dram.clocks},
                  {"lanes", s.lanes},
                  {"schedulers", s.schedulers}};
  for (unsigned i = 0; i < s.stalls.size(); ++i) figures.emplace_back("stalls[" + std::to_string(i) + "]", s.stalls[i]);
  for (unsigned i = 0; i < s.warp_size.size(); ++i)
    figures.emplace_back("warp_size[" + std::to_string(i) + "]", s.warp_size[i]);
  for (const BranchStats& branch : s.branches) {
    const std::string name = "branch " + std::to_string(branch.pc);
    figures.emplace_back(name + " rpc", branch.rpc);
    figures.emplace_back(name + " executed", branch.executed);
    figures.emplace_back(name + " divergent", branch.divergent);
    figures.emplace_back(name + " interleavable", branch.interleavable);
  }
  for (unsigned i = 0; i < s.stack_depth.size(); ++i)
    figures.emplace_back("stack_depth[" + std::to_string(i) + "]", s.stack_depth[i]);
  return figures;
}

// What the order of execution may not change. Lane utilization is thread instructions over warp instructions times
// lanes; it is compared through its numerator and denominator.
inline Figures path_figures(const Stats& s) {
  return {{"warp_instructions", s.warp_instructions},
          {"thread_instructions", s.thread_instructions},
          {"lane slots", s.warp_instructions * s.lanes},
          {"divergent_branches", s.divergent_branches}};
}

// The Error that f() throws.
template <class F>
Error error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return Error(ExitStatus::kPass, "no error", "no error was thrown");
}

}  // namespace heddle::test
