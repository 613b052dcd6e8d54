// SPDX-License-Identifier: Apache-2.0
// Instruction traces of the first threads of a launch, in blocks.
//
// A thread is recorded as runs of consecutive instructions. At the end of the launch the runs are cut at every address
// where a run of any traced thread begins or ends, at every reconvergence point, and before an indirect jump. Then two
// threads that execute one instruction of a block execute all of it, so that blocks can be aligned instead of
// instructions: the optimum is the same, because in an alignment of instructions the pieces of one block that lie in
// several columns can be brought together without a loss.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "isa/program.h"
#include "limit/align.h"
#include "oracle/functional.h"

namespace heddle {

// One thread: its blocks, by the index of their first instruction in Program::text. A barrier ends a section.
struct ThreadTrace {
  Sequence blocks;
  std::vector<std::size_t> section_ends;  // indices into blocks; the last one is its size

  [[nodiscard]] Sequence section(std::size_t index) const;  // empty beyond the last one
};

struct WarpTrace {
  std::uint64_t block = 0;  // linear number in the grid
  std::uint32_t warp = 0;   // in the block
  std::vector<ThreadTrace> threads;

  [[nodiscard]] std::size_t sections() const;
};

struct LaunchTrace {
  std::string kernel;
  Pc entry = 0;
  std::vector<std::uint32_t> weights;  // of the block that begins at an instruction: how many instructions it has
  std::vector<WarpTrace> warps;
};

// Records whole warps, as the machine forms them, until they hold `threads` threads; hands over each launch at its end.
class TraceRecorder final : public ThreadTracer {
 public:
  using Sink = std::function<void(const LaunchTrace&)>;

  // limit: of the runs of a launch; more is Error(option), which names the option --max-trace.
  TraceRecorder(const Program& program, unsigned lanes, std::uint64_t threads, std::uint64_t limit, Sink sink);

  void launch_begin(const Launch& launch) override;
  [[nodiscard]] bool wants(std::uint64_t block, std::uint32_t thread) const override {
    return index(block, thread) < recorded_.size();
  }
  void executed(std::uint64_t block, std::uint32_t thread, Pc pc) override;
  void launch_end() override;

 private:
  struct Run {
    Pc begin;
    Pc end;        // one past the last instruction
    bool barrier;  // ends in one
  };

  [[nodiscard]] std::uint64_t index(std::uint64_t block, std::uint32_t thread) const {
    return block * threads_per_block_ + thread;
  }
  [[nodiscard]] std::vector<bool> cuts() const;
  [[nodiscard]] std::size_t text_index(Pc pc) const { return (pc - program_.text_begin) / 4; }

  const Program& program_;
  const unsigned lanes_;
  const std::uint64_t threads_;
  const std::uint64_t limit_;
  const Sink sink_;
  std::string kernel_;
  Pc entry_ = 0;
  std::uint64_t threads_per_block_ = 0;
  std::uint64_t runs_ = 0;
  std::vector<std::vector<Run>> recorded_;  // by number of the thread in the launch
};

}  // namespace heddle
