// SPDX-License-Identifier: Apache-2.0
#include "limit/trace.h"

#include <algorithm>

#include "heddle/error.h"

namespace heddle {

Sequence ThreadTrace::section(std::size_t index) const {
  if (index >= section_ends.size()) return {};
  const std::size_t begin = index == 0 ? 0 : section_ends[index - 1];
  return Sequence(blocks.begin() + static_cast<std::ptrdiff_t>(begin),
                  blocks.begin() + static_cast<std::ptrdiff_t>(section_ends[index]));
}

std::size_t WarpTrace::sections() const {
  std::size_t count = 0;
  for (const ThreadTrace& thread : threads) count = std::max(count, thread.section_ends.size());
  return count;
}

TraceRecorder::TraceRecorder(const Program& program, unsigned lanes, std::uint64_t threads, std::uint64_t limit,
                             Sink sink)
    : program_(program),
      lanes_(lanes),
      threads_(threads),
      limit_(limit),
      sink_(std::move(sink)) {}

void TraceRecorder::launch_begin(const Launch& launch) {
  kernel_ = launch.kernel;
  entry_ = launch.entry;
  threads_per_block_ = launch.threads_per_block();
  runs_ = 0;
  // The warp that the last wanted thread belongs to is recorded to its end.
  const std::uint64_t all = launch.blocks() * threads_per_block_;
  const std::uint64_t wanted = std::min(threads_, all);
  const std::uint64_t in_block = wanted % threads_per_block_;
  const std::uint64_t whole_warps = std::min((in_block + lanes_ - 1) / lanes_ * lanes_, threads_per_block_);
  recorded_.assign(wanted - in_block + whole_warps, {});
}

void TraceRecorder::executed(std::uint64_t block, std::uint32_t thread, Pc pc) {
  std::vector<Run>& runs = recorded_[index(block, thread)];
  if (runs.empty() || runs.back().end != pc || runs.back().barrier) {
    if (++runs_ > limit_) {
      throw bad_input("option", "--max-trace " + std::to_string(limit_) + ": kernel " + kernel_ +
                                    " jumps more often than that in the traced threads; raise it, " +
                                    "or choose a smaller size or fewer --threads");
    }
    runs.push_back({pc, pc, false});
  }
  runs.back().end = pc + 4;
  runs.back().barrier = program_.at(pc)->barrier;
}

std::vector<bool> TraceRecorder::cuts() const {
  std::vector<bool> cut(program_.text.size() + 1, false);
  for (const std::vector<Run>& runs : recorded_) {
    for (const Run& run : runs) {
      cut[text_index(run.begin)] = cut[text_index(run.end)] = true;
      if (program_.at(run.end - 4)->op == Op::kJalr) cut[text_index(run.end - 4)] = true;
    }
  }
  for (const Instruction& instruction : program_.text) {
    if (instruction.rpc != kNoRpc && program_.at(instruction.rpc) != nullptr) cut[text_index(instruction.rpc)] = true;
  }
  return cut;
}

void TraceRecorder::launch_end() {
  LaunchTrace launch;
  launch.kernel = kernel_;
  launch.entry = entry_;
  const std::vector<bool> cut = cuts();
  launch.weights.assign(program_.text.size(), 0);
  std::uint32_t length = 0;
  for (std::size_t i = program_.text.size(); i-- > 0;) {
    length = cut[i + 1] ? 1 : length + 1;
    launch.weights[i] = length;
  }
  for (std::size_t t = 0; t < recorded_.size(); ++t) {
    const std::uint64_t in_block = t % threads_per_block_;
    if (in_block % lanes_ == 0)
      launch.warps.push_back({t / threads_per_block_, static_cast<std::uint32_t>(in_block / lanes_), {}});
    ThreadTrace thread;
    for (const Run& run : recorded_[t]) {
      for (std::size_t i = text_index(run.begin); i < text_index(run.end); i += launch.weights[i])
        thread.blocks.push_back(static_cast<Symbol>(i));
      if (run.barrier) thread.section_ends.push_back(thread.blocks.size());
    }
    if (thread.section_ends.empty() || thread.section_ends.back() != thread.blocks.size())
      thread.section_ends.push_back(thread.blocks.size());
    launch.warps.back().threads.push_back(std::move(thread));
    recorded_[t] = {};
  }
  sink_(launch);
}

}  // namespace heddle
