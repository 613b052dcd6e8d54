// SPDX-License-Identifier: Apache-2.0
// Where a run loses lanes: which instructions issue with fewer threads than their warp has, and which branches have
// parted them.
//
// A thread that its warp has and an instruction has not is a lane lost. It is counted for the branch at which it last
// parted from the threads that execute the instruction; threads that have executed something together since are not
// parted any more. Without such a branch (threads that wait for each other otherwise) it counts for none.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/observer.h"
#include "isa/program.h"

namespace heddle {

// Of one core with front ends: others have no warps that lose threads.
class LaneLoss final : public Observer {
 public:
  struct Count {  // of one instruction
    std::uint64_t warp_instructions = 0, thread_instructions = 0;
    std::uint64_t missing = 0;  // threads of the warp that were not there
    std::uint64_t lost = 0;     // lanes that this branch has cost, wherever
  };

  void launch_begin(const Launch& launch, const AddressSpace& memory) override;
  void warp_begin(Cycle cycle, WarpId warp, unsigned block_slot, std::uint32_t warp_in_block,
                  LaneMask threads) override;
  void commit(const CommitEvent& event) override;

  // By (pc - text_begin) / 4; empty if nothing was launched.
  [[nodiscard]] const std::vector<Count>& counts() const { return counts_; }
  [[nodiscard]] std::uint64_t without_branch() const { return without_branch_; }

 private:
  struct Parting {
    std::size_t branch;  // its place in counts_
    LaneMask one, other;
  };
  struct Warp {
    LaneMask live = 0;
    std::vector<Parting> partings;  // the last one at the end
  };

  Warp& warp(WarpId id);

  Pc text_begin_ = 0;
  std::vector<Count> counts_;
  std::uint64_t without_branch_ = 0;
  std::vector<Warp> warps_;
};

}  // namespace heddle
