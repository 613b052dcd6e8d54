// SPDX-License-Identifier: Apache-2.0
#include "timeline/timeline.h"

#include "isa/launch.h"

namespace heddle {

void Timeline::launch_begin(const Launch& launch, const AddressSpace& /*memory*/) {
  if (inside(base_)) launches_.push_back({base_, launch.kernel});
}

void Timeline::warp_begin(Cycle /*cycle*/, WarpId warp, unsigned block_slot, std::uint32_t /*warp_in_block*/,
                          LaneMask /*threads*/) {
  if (block_slot_of_warp_.size() <= warp) block_slot_of_warp_.resize(warp + 1, ~0u);
  block_slot_of_warp_[warp] = block_slot;
}

void Timeline::commit(const CommitEvent& event) {
  const Cycle cycle = base_ + event.cycle;
  if (forms_ || !inside(cycle)) return;
  if (issues_.size() == max_issues_) {
    ++left_out_;
    return;
  }
  issues_.push_back({cycle, event.warp, event.slot, event.pc, event.mask});
}

void Timeline::formed_warp(Cycle cycle, Pc pc, LaneMask mask, const std::uint16_t* tids) {
  forms_ = true;
  if (!inside(base_ + cycle)) return;
  if (formed_.size() == max_issues_) {
    ++left_out_;
    return;
  }
  formed_.push_back({base_ + cycle, pc, mask, formed_tids_.size()});
  for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
    if (((mask >> lane) & 1) != 0) formed_tids_.push_back(tids[lane]);
  }
}

void Timeline::stack_changed(Cycle cycle, WarpId warp, const FrontendView& view, unsigned local) {
  if (!keep_stacks_ || !inside(base_ + cycle) || !room()) return;
  const unsigned depth = view.depth(local);
  stacks_.push_back({base_ + cycle, warp, stack_entries_.size(), depth});
  for (unsigned index = 0; index < depth; ++index) stack_entries_.push_back(view.entry(local, index));
}

void Timeline::barrier_release(Cycle cycle, unsigned block_slot) {
  for (WarpId warp = 0; warp < block_slot_of_warp_.size(); ++warp) {
    if (block_slot_of_warp_[warp] == block_slot) mark(cycle, warp, MarkKind::kBarrier);
  }
}

void Timeline::launch_end(Cycle cycle, const AddressSpace& /*memory*/) {
  base_ += cycle;
  block_slot_of_warp_.clear();
}

void Timeline::mark(Cycle cycle, WarpId warp, MarkKind kind) {
  if (inside(base_ + cycle) && room()) marks_.push_back({base_ + cycle, warp, kind, issues_.size()});
}

}  // namespace heddle
