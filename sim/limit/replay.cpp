// SPDX-License-Identifier: Apache-2.0
#include "limit/replay.h"

#include <memory>
#include <vector>

#include "heddle/error.h"
#include "stack/spe_stack.h"

namespace heddle {
namespace {

// A divergence adds at most two entries and leaves fewer threads on top: the stack cannot overflow.
constexpr unsigned kDepth = 2 * kMaxLanes;
constexpr unsigned kLevelBits = 16;
using Stack = SpeStackLogic<1, kMaxLanes, kDepth, 0, kLevelBits>;

class Replay {
 public:
  Replay(const Program& program, const LaunchTrace& launch, const WarpTrace& warp, PushOrder order)
      : program_(program),
        launch_(launch),
        warp_(warp),
        at_(warp.threads.size(), 0),
        stack_({kDepth, static_cast<std::uint32_t>(order), kLevelBits}) {}

  std::uint64_t issues() {
    const auto lanes = static_cast<unsigned>(warp_.threads.size());
    stack_.reset();
    stack_.launch(0, launch_.entry, lanes == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << lanes) - 1);
    std::uint64_t issues = 0;
    while (stack_.depth(0) != 0) {
      if (stack_.top(0).mask == 0) {
        stack_.pop(0);
      } else {
        issues += issue_block();
      }
    }
    return issues;
  }

 private:
  // The path on top executes one block; what its last instruction does is in the traces.
  std::uint64_t issue_block() {
    const Pc pc = stack_.top(0).pc;
    const std::uint64_t mask = stack_.top(0).mask;
    const auto block = static_cast<Symbol>((pc - program_.text_begin) / 4);
    const std::uint32_t weight = launch_.weights[block];
    const Pc last = pc + 4 * (weight - 1);
    const Instruction& instruction = *program_.at(last);
    const bool indirect = instruction.op == Op::kJalr;
    ResolveInput in;
    in.target = in.next = last + 4;
    in.rpc = instruction.rpc;
    in.call = instruction.is_call();
    in.ret = instruction.is_return();
    if (instruction.is_branch()) in.target = last + static_cast<Pc>(instruction.imm);
    bool first = true;
    for (unsigned lane = 0; lane < warp_.threads.size(); ++lane) {
      const std::uint64_t bit = std::uint64_t{1} << lane;
      if ((mask & bit) == 0) continue;
      const Sequence& blocks = warp_.threads[lane].blocks;
      if (at_[lane] >= blocks.size() || blocks[at_[lane]] != block) {
        throw Error(
            ExitStatus::kWrongResult, "mismatch",
            "limit study: the stack runs " + program_.where(pc) + ", a thread of it does not; please report it");
      }
      if (++at_[lane] == blocks.size()) {
        in.exit |= bit;
        continue;
      }
      const Pc next = program_.text_begin + 4 * blocks[at_[lane]];
      if (first && !instruction.is_branch()) in.target = next;
      first = false;
      if (next == in.target) {
        in.taken |= bit;
      } else if (indirect) {
        --at_[lane];  // executes the jump again
      }
    }
    if (indirect) in.next = last;
    stack_.take_in(0, 0, in);
    static_cast<void>(stack_.act());
    return weight;
  }

  const Program& program_;
  const LaunchTrace& launch_;
  const WarpTrace& warp_;
  std::vector<std::size_t> at_;  // next block of each thread
  Stack stack_;
};

}  // namespace

std::uint64_t replay_pdom(const Program& program, const LaunchTrace& launch, const WarpTrace& warp, PushOrder order) {
  return std::make_unique<Replay>(program, launch, warp, order)->issues();
}

}  // namespace heddle
