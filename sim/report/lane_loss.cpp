// SPDX-License-Identifier: Apache-2.0
#include "report/lane_loss.h"

#include <algorithm>

#include "isa/launch.h"

namespace heddle {
LaneLoss::Warp& LaneLoss::warp(WarpId id) {
  if (warps_.size() <= id) warps_.resize(id + 1);
  return warps_[id];
}

void LaneLoss::launch_begin(const Launch& launch, const AddressSpace&) {
  text_begin_ = launch.program->text_begin;
  counts_.resize(launch.program->text.size());
}

void LaneLoss::warp_begin(Cycle, WarpId id, unsigned, std::uint32_t, LaneMask threads) {
  warp(id).live = threads;
  warp(id).partings.clear();
}

void LaneLoss::commit(const CommitEvent& event) {
  const std::size_t place = (event.pc - text_begin_) / 4;
  if (place >= counts_.size()) return;
  Warp& warp = this->warp(event.warp);
  std::vector<Parting>& partings = warp.partings;
  Count& count = counts_[place];
  ++count.warp_instructions;
  count.thread_instructions += popcount(event.mask);

  const auto together = [&](const Parting& p) { return (p.one & event.mask) != 0 && (p.other & event.mask) != 0; };
  partings.erase(std::remove_if(partings.begin(), partings.end(), together), partings.end());
  LaneMask missing = warp.live & ~event.mask;
  count.missing += popcount(missing);
  for (auto p = partings.rbegin(); p != partings.rend() && missing != 0; ++p) {
    const LaneMask there = (p->one & event.mask) != 0 ? p->other : (p->other & event.mask) != 0 ? p->one : 0;
    counts_[p->branch].lost += popcount(missing & there);
    missing &= ~there;
  }
  without_branch_ += popcount(missing);

  if (event.taken != 0 && event.taken != event.mask)
    partings.push_back({place, event.taken, event.mask & ~event.taken});
  if (event.exited == 0) return;
  warp.live &= ~event.exited;
  for (Parting& p : partings) {
    p.one &= warp.live;
    p.other &= warp.live;
  }
  partings.erase(
      std::remove_if(partings.begin(), partings.end(), [](const Parting& p) { return p.one == 0 || p.other == 0; }),
      partings.end());
}

}  // namespace heddle
