// SPDX-License-Identifier: Apache-2.0
// The warp source behind the pins of a dwf_scheduler (docs/dwf.md), with the queue of groups that wait for its two
// update ports.
//
// The queue goes oldest first: port 0 takes the oldest group, port 1 the oldest one with another PC (both groups of a
// cycle must differ). A group stays on its port until the scheduler takes it.
#pragma once

#include <algorithm>
#include <vector>

#include "barrel/dwf_pins.h"
#include "barrel/warp_source.h"
#include "heddle/stats.h"

namespace heddle {

// Pins: DwfPins or DirectDwfPins.
template <class Pins>
class DwfSource final : public WarpSource {
 public:
  DwfSource(Pins& pins, unsigned lanes) : pins_(pins), lanes_(lanes) { queue_.reserve(kMaxDwfThreads); }
  [[nodiscard]] Style style() const override { return Style::kFormed; }
  [[nodiscard]] unsigned entry_delay() const override { return 0; }

  void reset() override {
    queue_.clear();
    in_ = DwfInputs{};
    pins_.in.write(in_);
    inside_ = outside_ = taken_ = 0;
    plausible_ = true;
    counts_ = BarrelStats{};
    counts_.used = counts_.formed = true;
  }

  void issue(bool, std::vector<ThreadGroup>& out) override {
    const DwfOutputs& o = pins_.out.read();
    count_events(o);
    if (o.issue_valid) {
      ThreadGroup& group = out.emplace_back();
      group.pc = o.issue_pc;
      group.mask = o.issue_mask;
      std::copy_n(o.issue_tids, kMaxDwfLanes, group.tid.begin());
      inside_ -= popcount(o.issue_mask);
    }
    // Every warp of the pool has at least one thread and at most `lanes`; update registers have what was taken last, or
    // the part of it that they still hold.
    plausible_ = inside_ >= o.warps && inside_ <= (o.warps + taken_) * lanes_;
    if (!o.update_ready) return;
    taken_ = 0;
    for (Group& update : in_.update) {
      if (!update.valid) continue;
      update.valid = false;
      inside_ += popcount(update.req);
      outside_ -= popcount(update.req);
      ++taken_;
    }
  }

  [[nodiscard]] bool enter(const Flight& flight, LaneMask lanes, const Priorities& priorities) override {
    unsigned next = 0;
    flight.for_each_next(lanes, [&](Pc pc, LaneMask mask) {
      Group& group = queue_.emplace_back();
      group.valid = true;
      group.pc = pc;
      group.req = mask;
      group.sched = priorities[next++];
      std::copy_n(flight.group.tid.begin(), kMaxDwfLanes, group.tids);
      outside_ += popcount(mask);
    });
    return true;
  }

  void drive(bool ready) override {
    in_.issue_ready = ready;
    for (unsigned u = 0; u < 2; ++u) {
      if (in_.update[u].valid) continue;
      const Group& other = in_.update[1 - u];
      const auto found = std::find_if(queue_.begin(), queue_.end(),
                                      [&](const Group& group) { return !other.valid || group.pc != other.pc; });
      if (found == queue_.end()) continue;
      in_.update[u] = *found;
      queue_.erase(found);
    }
    counts_.update_wait += queue_.size();
    pins_.in.write(in_);
  }

  [[nodiscard]] bool may_hold(unsigned threads) const override { return plausible_ && threads == inside_ + outside_; }
  void add_to(Stats& stats) const override {
    Stats sum;
    sum.barrel = counts_;
    stats.add(sum);
  }

 private:
  using Group = DwfGroup<kMaxDwfLanes>;

  void count_events(const DwfOutputs& o) {
    counts_.lut_hits += popcount(o.hit);
    counts_.lut_misses += popcount(o.miss);
    counts_.lut_aliases += popcount(o.alias);
    counts_.lane_conflicts += popcount(o.conflict);
    counts_.fragmented += popcount(o.fragmented);
    counts_.drain_cycles += o.drain ? 1 : 0;
    counts_.max_pool_entries = std::max<std::uint64_t>(counts_.max_pool_entries, o.max_warps);
  }

  Pins& pins_;
  const unsigned lanes_;
  std::vector<Group> queue_;
  DwfInputs in_;
  unsigned outside_ = 0;   // threads in the queue and on the ports
  unsigned inside_ = 0;    // threads in update registers and pool
  unsigned taken_ = 0;     // groups that entered the update registers last
  bool plausible_ = true;  // what the pins show fits `inside_`
  BarrelStats counts_;
};

}  // namespace heddle
