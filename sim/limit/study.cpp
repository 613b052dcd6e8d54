// SPDX-License-Identifier: Apache-2.0
#include "limit/study.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include "limit/align.h"
#include "limit/replay.h"
#include "limit/trace.h"
#include "oracle/functional.h"

namespace heddle {
namespace {

struct Cost {
  std::uint64_t aligned = 0;
  std::uint64_t longest = 0;
  std::uint64_t all_threads = 0;
};

// Threads pass a barrier together, so the sections between barriers are aligned one by one.
Cost align_warp(const WarpTrace& warp, Aligner& aligner) {
  Cost cost;
  for (std::size_t section = 0; section < warp.sections(); ++section) {
    std::vector<Sequence> traces;
    std::uint64_t longest = 0;
    for (const ThreadTrace& thread : warp.threads) {
      traces.push_back(thread.section(section));
      const std::uint64_t weight = aligner.weight(traces.back());
      longest = std::max(longest, weight);
      cost.all_threads += weight;
    }
    cost.longest += longest;
    cost.aligned += aligner.weight(aligner.align(std::move(traces)));
  }
  return cost;
}

void add_launch(LimitResult& result, const Program& program, const LaunchTrace& launch, PushOrder order,
                const LimitOptions& options) {
  Aligner aligner(launch.weights, options.max_cells, result.cells);
  aligner.set_stop_flag(options.stop_flag);
  ++result.launches;
  for (const WarpTrace& warp : launch.warps) {
    const std::uint64_t pdom = replay_pdom(program, launch, warp, order);
    const Cost cost = align_warp(warp, aligner);
    ++result.warps;
    result.threads += warp.threads.size();
    result.thread_instructions += cost.all_threads;
    result.longest_traces += cost.longest;
    result.pdom_issues += pdom;
    // What post-dominators give is one of the alignments that an oracle may choose.
    result.oracle_issues += std::min(cost.aligned, pdom);
    result.pdom_kept += cost.aligned > pdom ? 1 : 0;
  }
  result.cells = aligner.cells();
}

}  // namespace

LimitResult study_limit(const std::string& name, const Config& config, const LimitOptions& options, Program program,
                        const std::function<void(DeviceInterface&, const Program&)>& run) {
  LimitResult result;
  result.name = name;
  FunctionalDevice device(config);
  device.load(std::move(program));
  device.set_stop_flag(options.stop_flag);
  device.set_text_sink([&options](unsigned descriptor, const std::string& text) {
    (options.text_to_stderr || descriptor == 2 ? std::cerr : std::cout) << text;
  });
  TraceRecorder recorder(
      device.program(), config.core.lanes, options.threads, options.max_trace,
      [&](const LaunchTrace& launch) { add_launch(result, device.program(), launch, config.stack.order, options); });
  device.set_tracer(&recorder);
  run(device, device.program());
  return result;
}

}  // namespace heddle
