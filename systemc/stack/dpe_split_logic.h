// SPDX-License-Identifier: Apache-2.0
// Parts of a path: how one becomes two, and two become one; and dpe_split_stack without a clock, which the front ends
// hold.
#pragma once

#include "common/types.h"
#include "stack/dpe_entry.h"
#include "stack/resolution.h"

namespace heddle {

// By slot, bit a warp, paths that may be joined, and those that stand at a barrier for
// their other part.
struct DpePartsInput {
  std::uint64_t merge[2] = {};
  std::uint64_t stopped[2] = {};
};

// What follows from a resolution for a part: whether it waits at its branch, or joins the other one.
struct DpePart {
  bool waits = false;
  bool joins = false;
};

// Both paths of the entry stand at one place.
[[nodiscard]] inline bool dpe_beside(const DpeEntry& entry) {
  return entry.pc_l == entry.pc_r && entry.level_l == entry.level_r;
}

// The path of `slot` joins the other one.
inline void dpe_join(DpeEntry& entry, std::uint32_t slot) {
  const std::uint64_t both = entry.mask_l | entry.mask_r;
  entry.mask_l = slot != 0 ? both : 0;
  entry.mask_r = slot != 0 ? 0 : both;
}

// The threads of `behind` become the other part of the path of `slot`.
inline void dpe_split(DpeEntry& entry, std::uint32_t slot, std::uint64_t behind) {
  const StackPath path = path_of(entry, slot);
  put_path(entry, 1 - slot, path.pc, path.level, path.mask & behind);
  put_path(entry, slot, path.pc, path.level, path.mask & ~behind);
}

// dpe_resolve said what the resolution does to any path; this is what is different for a part whose other part is
// there. `comes`: that one may still come to the branch, so a divergence waits for it; `merge`: it may be joined.
inline void dpe_resolve_part(const DpeEntry& old, std::uint32_t slot, std::uint64_t live, const ResolveInput& in,
                             bool comes, bool merge, DpeResolved& resolved, DpePart& part, DpeEntry& top) {
  const bool divergent = resolved.push || resolved.overflow;
  if (divergent && comes) {
    const StackPath path = path_of(old, slot);
    resolved = DpeResolved();
    resolved.live = live & ~in.exit;
    part.waits = true;
    top = old;
    put_path(top, slot, path.pc, path.level, path.mask & resolved.live);
  }
  if ((!divergent || comes) && merge && path_of(top, slot).mask != 0 && dpe_beside(top)) {
    dpe_join(top, slot);
    part.joins = true;
    part.waits = false;
    resolved.next = false;
  }
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class DpeSplitStackLogic : public DpeStackState<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep> {
  using Base = DpeStackState<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep>;

 public:
  using Base::choose;
  using Base::kill;
  using Base::kSlots;
  using Base::poppable;
  static constexpr bool kSplit = true;

  explicit DpeSplitStackLogic(const StackConfig& config = Base::default_config()) : Base(config) {}

  // Beside what every entry has: whether its paths are parts of one; of the top, whether each waits; of the resolution,
  // whether its instruction never waits; the warp whose parts meet.
  [[nodiscard]] static constexpr unsigned state_bits() {
    return Base::state_bits(1) + 2 * NumWarps + 2 + index_width(NumWarps) + Watch * 64;
  }

  void reset() {
    Base::reset();
    parts_ = 0;
    waits_[0] = 0;
    waits_[1] = 0;
    waited_[0] = 0;
    waited_[1] = 0;
    for (unsigned w = 0; w < NumWarps; ++w) parts_below_[w] = 0;
    meet_ = PopChoice();
    splits_ = 0;
    merges_ = 0;
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    Base::launch(warp, pc, mask);
    parts_ &= ~bit_of(warp);
  }

  // `merge`: the other path may be joined.
  void advance(std::uint32_t warp, std::uint32_t slot, bool merge) {
    this->step(warp, slot, this->place(warp));
    if (merge && has_bit(parts(), warp) && dpe_beside(this->top_[warp])) join(warp, slot);
  }

  // First of a cycle: a path that does not wait for its other part any more goes on. A resolution that acts knows it as
  // waiting still.
  void end_waits(const DpePartsInput& in) {
    for (unsigned s = 0; s < kSlots; ++s) waited_[s] = waits_[s];
    for (unsigned s = 0; s < kSlots; ++s) waits_[s] = waiting(s, in);
  }
  // Of the only path of the warp; both parts have threads.
  void split(std::uint32_t warp, std::uint32_t slot, std::uint64_t behind) {
    HEDDLE_EXPECT(has_bit(this->valid_[slot], warp) && !has_bit(this->valid_[1 - slot], warp) &&
                  !(this->taken_in_.valid && this->taken_in_.warp == warp));
    dpe_split(this->top_[warp], slot, behind);
    HEDDLE_EXPECT(this->top_[warp].mask_l != 0 && this->top_[warp].mask_r != 0);
    parts_ |= bit_of(warp);
    waits_[0] &= ~bit_of(warp);
    waits_[1] &= ~bit_of(warp);
    this->update_valid(warp);
    if (Watch != 0) ++splits_;
  }
  // Warps whose parts both stand at a barrier, but for the one that is chosen already.
  [[nodiscard]] std::uint64_t meetable(const DpePartsInput& in) const {
    return parts() & in.stopped[0] & in.stopped[1] & ~(meet_.valid ? bit_of(meet_.warp) : 0);
  }
  void choose_meet(std::uint64_t meetable) {
    meet_.valid = meetable != 0;
    meet_.warp = meet_.valid ? lowest_bit(meetable) : 0;
  }
  // What was chosen, unless it is killed at this edge; before everything that changes a path. Returns true if the
  // warp's parts are one path again.
  bool meet(bool killed) {
    const bool met = !killed && has_bit(parts(), meet_.warp) && dpe_beside(this->top_[meet_.warp]);
    if (met) join(meet_.warp, 1);
    return met;
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same.
  DpeResolved act(bool killed, const DpePartsInput& in, DpePart& part) {
    const std::uint32_t warp = this->taken_in_.warp;
    const std::uint32_t slot = this->taken_in_.slot;
    const std::uint32_t other = 1 - slot;
    const DpeEntry old = this->top_[warp];
    DpeEntry below;
    DpeEntry top;
    DpeResolved resolved;
    dpe_resolve(old, this->place(warp), false, this->live_[warp], this->depth_[warp], this->config_, slot,
                this->resolution_, resolved, below, top);
    const bool comes = !has_bit(waited_[other] | in.stopped[other], warp) && this->resolution_.kind != kMarkOnce;
    if (has_bit(parts(), warp))
      dpe_resolve_part(old, slot, this->live_[warp], this->resolution_, comes, has_bit(in.merge[other], warp), resolved,
                       part, top);
    if (!killed) {
      if (resolved.push) {
        if (!resolved.replace)
          parts_below_[warp] = with_bit(parts_below_[warp], this->depth_[warp] - 1, has_bit(parts_, warp));
        parts_ &= ~bit_of(warp);
        waits_[0] &= ~bit_of(warp);
        waits_[1] &= ~bit_of(warp);
      }
      waits_[slot] = with_bit(waits_[slot], warp, part.waits);
      if (Watch != 0 && part.joins) ++merges_;
      this->apply(warp, resolved, below, top);
    }
    this->taken_in_.valid = false;
    return resolved;
  }

  // After an advance of the same cycle. Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = this->depth_[warp] - 1;
    if (depth != 0) parts_ = with_bit(parts_, warp, has_bit(parts_below_[warp], depth - 1));
    return Base::pop(warp);
  }

  // Bit a warp: both paths are there, and parts of one.
  [[nodiscard]] std::uint64_t parts() const { return parts_ & this->valid_[0] & this->valid_[1]; }
  // Bit a warp: the path of the slot waits at its branch.
  [[nodiscard]] std::uint64_t waiting(std::uint32_t slot, const DpePartsInput& in) const {
    return waits_[slot] & this->valid_[1 - slot] & ~in.stopped[1 - slot];
  }
  [[nodiscard]] PopChoice meet_chosen() const { return meet_; }
  // In the last cycle a path began to wait at its branch, or ended that.
  [[nodiscard]] bool waits_change() const { return waited_[0] != waits_[0] || waited_[1] != waits_[1]; }
  [[nodiscard]] std::uint32_t splits() const { return splits_; }
  [[nodiscard]] std::uint32_t merges() const { return merges_; }

 private:
  void join(std::uint32_t warp, std::uint32_t slot) {
    dpe_join(this->top_[warp], slot);
    this->update_valid(warp);
    if (Watch != 0) ++merges_;
  }

  // Bit a warp; of the rows of a warp bit a row.
  std::uint64_t parts_ = 0;
  std::uint64_t waits_[kSlots] = {};
  std::uint64_t waited_[kSlots] = {};  // derived: waits before the cycle
  std::uint64_t parts_below_[NumWarps] = {};
  PopChoice meet_;
  std::uint32_t splits_ = 0;
  std::uint32_t merges_ = 0;
};

}  // namespace heddle
