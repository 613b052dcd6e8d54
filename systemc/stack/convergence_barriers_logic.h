// SPDX-License-Identifier: Apache-2.0
// convergence_barriers without a clock, as the front ends hold it: paths of a warp wait at barriers that the program
// names, and come back as one. Contract: docs/frontend.md, stack/convergence_barriers. Its rules: barrier_rules.h.
#pragma once

#include "stack/barrier_rules.h"

namespace heddle {

// An answer to a mark, or an event of a warp, of the cycle that ended.
struct BarrierAnswer {
  bool valid = false;
  std::uint32_t warp = 0;
  std::uint64_t value = 0;
};
struct BarrierEvent {
  bool valid = false;
  std::uint32_t warp = 0;
  std::uint32_t code = kEventNone;
};

// What a front end is told of a resolution.
struct BarrierResolved {
  bool next = false;
  bool push = false;
  bool overflow = false;  // never
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Barriers = 16, unsigned PushOrder = kPushLargerFirst,
          unsigned Policy = kYieldIsFair, unsigned YieldMode = kYieldStays, unsigned LevelW = 8, unsigned Watch = 1,
          unsigned PcStep = 4>
class ConvergenceBarriersLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "convergence_barriers: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "convergence_barriers: 2 to 64 lanes");
  static_assert(Barriers >= 2 && Barriers <= 16, "convergence_barriers: 2 to 16 barriers");
  static_assert(PushOrder <= kPushLargerFirst, "convergence_barriers: PushOrder is 0 to 3");
  static_assert(Policy <= kYieldIsFairAtBranches, "convergence_barriers: Policy is 0 to 2");
  static_assert(YieldMode <= kYieldLeaves, "convergence_barriers: YieldMode is 0 (stays) or 1 (leaves)");
  static_assert(LevelW >= 2 && LevelW <= 16, "convergence_barriers: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "convergence_barriers: Watch is 0 (without max_depth_o) or 1");
  static_assert(is_pc_step(PcStep), "convergence_barriers: PcStep is a power of two of at least 2");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kListW = index_width(Lanes);
  static constexpr unsigned kRows = 1u << kListW;  // of the list of a warp
  static constexpr unsigned kBarriers = Barriers + Lanes;

 public:
  static constexpr unsigned kSlots = 1;
  static constexpr unsigned kBarrierW = index_width(Barriers);
  static constexpr std::uint32_t kOrder = barrier_order(PushOrder, Policy, YieldMode);
  static constexpr bool kAges = knows_newest(kOrder);

  [[nodiscard]] static constexpr StackConfig default_config() { return {Lanes, kOrder, LevelW}; }

  explicit ConvergenceBarriersLogic(const StackConfig& config = default_config())
      : order_(config.order),
        ages_are_known_(knows_newest(config.order)) {
    HEDDLE_EXPECT(kAges || !ages_are_known_);
  }

  // By warp: the path, live threads, three flags, where the list is and how many paths it has; two flags a barrier, and
  // the order in which they were armed. Rows of paths and of barriers, with the addresses at which they are read. What
  // is settled, and the resolution of it; answer and event.
  [[nodiscard]] static constexpr unsigned state_bits() {
    constexpr unsigned kDepthW = index_width(Lanes + 1), kRowW = index_width(kBarriers);
    constexpr unsigned kWarp =
        31 + 2 * Lanes + 3 + kListW + kDepthW + 2 * kBarriers + (kAges ? Barriers * kBarrierW : 0);
    constexpr unsigned kLists = NumWarps * kRows * (31 + Lanes) + index_width(NumWarps << kListW);
    constexpr unsigned kBarrierRows = (NumWarps << kRowW) * (31 + 2 * Lanes) + index_width(NumWarps << kRowW);
    constexpr unsigned kConditions = Policy == kYieldIsFairAtBranches ? 8 : 7;
    constexpr unsigned kSizes = PushOrder >= kPushSmallerFirst ? 4 * index_width((Lanes + 1) / 2 + 1) : 0;
    constexpr unsigned kResolution =
        kKindWidth + kRowW + kListW + kDepthW + 4 * Lanes + 3 * 31 + kConditions + kSizes + (kAges ? 2 * kBarrierW : 0);
    constexpr unsigned kTold = 2 * (1 + kWarpW) + (Lanes > 32 ? Lanes : 32) + kEventWidth;
    return NumWarps * kWarp + kLists + kBarrierRows + 2 + kWarpW + kResolution + kTold + Watch * kDepthW;
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      path_[w] = WaitingPath();
      live_[w] = 0;
      forget(w);
    }
    valid_ = 0;
    occupied_ = 0;
    stuck_ = 0;
    max_depth_ = 0;
    taken_in_ = TakenIn();
    resolution_ = ResolveInput();
    operand_ = 0;
    reads_ = false;
    chosen_ = PopChoice();
    begin();
  }

  // Before everything else of a cycle: what was told is not told again.
  void begin() {
    answer_ = BarrierAnswer();
    event_ = BarrierEvent();
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(!has_bit(occupied_, warp) && mask != 0);
    path_[warp].pc = pc;
    path_[warp].mask = mask;
    live_[warp] = mask;
    forget(warp);
    valid_ |= bit_of(warp);
    occupied_ |= bit_of(warp);
    stuck_ &= ~bit_of(warp);
    note_depth(warp);
  }

  void advance(std::uint32_t warp, std::uint32_t /*slot*/) {
    HEDDLE_EXPECT(has_bit(valid_, warp));
    path_[warp].pc += PcStep;
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same.
  BarrierResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t mark = mark_of(resolution_.kind);
    const std::uint32_t named = resolution_.kind >> kKindWidth;
    const std::uint32_t yields_at = mark == kMarkYield ? newest(warp) : 0;
    const std::uint32_t index = barrier_of(mark, named, operand_, yields_at, Barriers);
    BarrierWarp old;
    look(warp, index, old);
    BarrierChange change;
    resolve_barriers(old, resolution_, mark, operand_, order_, change);
    if (!killed) {
      live_[warp] &= ~(old.mask & resolution_.exit);
      if (change.checks_all) {
        check_named_[warp] |= armed_named_[warp];
        check_syncs_[warp] |= armed_syncs_[warp];
      }
      apply(warp, index, change);
    }
    taken_in_.valid = false;
    BarrierResolved resolved;
    resolved.next = change.next;
    resolved.push = change.push;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in, std::uint64_t operand) {
    HEDDLE_EXPECT(has_bit(valid_, warp) && !(in.call && in.ret) && (in.kind >> kKindWidth) < Barriers);
    HEDDLE_EXPECT(is_lawful(in) && (in.exit & ~path_[warp].mask) == 0);
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
    operand_ = operand & low_bits(Lanes);
    reads_ = true;
  }

  // Warps without a path that may be served: all but the one that is served in this cycle.
  [[nodiscard]] std::uint64_t poppable() const {
    return occupied_ & ~valid_ & ~stuck_ & ~(chosen_.valid ? bit_of(chosen_.warp) : 0);
  }
  // After kill(). The lowest of them, from the state before the edge, is served at the next one, unless a resolution
  // was taken in.
  void choose(std::uint64_t poppable) {
    const std::uint64_t candidates = reads_ ? 0 : poppable & occupied_;
    chosen_.valid = candidates != 0;
    chosen_.warp = chosen_.valid ? lowest_bit(candidates) : 0;
    reads_ = false;
  }
  // What the service of this cycle tells: the path of the warp is another one, or the warp ends.
  [[nodiscard]] PopChoice popped() const {
    PopChoice popped;
    if (chosen_.valid) {
      BarrierChange change;
      find_service(chosen_.warp, change);
      popped.valid = change.pops;
      popped.warp = change.pops ? chosen_.warp : 0;
    }
    return popped;
  }
  // The chosen warp is served, unless it is killed at this edge. Returns true if it ends.
  bool serve(bool killed = false) {
    const std::uint32_t warp = chosen_.warp;
    BarrierChange change;
    const std::uint32_t index = find_service(warp, change);
    if (!killed) {
      if (checks(warp)) set_check(warp, index, false);
      apply(warp, index, change);
      if (change.ends) occupied_ &= ~bit_of(warp);
      if (change.stuck) stuck_ |= bit_of(warp);
    }
    return change.ends;
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    valid_ &= ~bit_of(warp);
    occupied_ &= ~bit_of(warp);
    stuck_ &= ~bit_of(warp);
    rows_[warp] = 0;
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] BarrierAnswer answer() const { return answer_; }
  [[nodiscard]] BarrierEvent event() const { return event_; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return has_bit(occupied_, warp) ? rows_[warp] + 1 : 0; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t /*slot*/) const {
    StackPath path;
    path.mask = has_bit(valid_, warp) ? path_[warp].mask : 0;
    path.pc = path_[warp].pc;
    return path;
  }
  // Another path of the warp waits for its turn.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t /*slot*/) const { return rows_[warp] != 0; }
  [[nodiscard]] std::uint64_t valid(std::uint32_t /*slot*/) const { return valid_; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }                  // bit a warp: it has threads
  [[nodiscard]] std::uint64_t stuck() const { return stuck_; }  // bit a warp: all its threads wait for others
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
#ifndef HEDDLE_SYNTHESIS
  // The path in registers, if it issues or not; of those that wait for their turn number i from the bottom,
  // i < depth(warp) - 1.
  [[nodiscard]] WaitingPath top(std::uint32_t warp) const { return path_[warp]; }
  [[nodiscard]] WaitingPath waiting(std::uint32_t warp, std::uint32_t i) const {
    return list_[warp][(upper_[warp] - (rows_[warp] - 1 - i)) % kRows];
  }
  // Barriers, and behind their rows those of warpsyncs, by lowest lane.
  [[nodiscard]] std::uint64_t armed(std::uint32_t warp) const { return armed_named_[warp]; }
  [[nodiscard]] std::uint64_t armed_syncs(std::uint32_t warp) const { return armed_syncs_[warp]; }
  [[nodiscard]] std::uint64_t checks_barriers(std::uint32_t warp) const { return check_named_[warp]; }
  [[nodiscard]] std::uint64_t checks_syncs(std::uint32_t warp) const { return check_syncs_[warp]; }
  [[nodiscard]] BarrierRow row(std::uint32_t warp, std::uint32_t index) const { return barrier_[warp][index]; }
#endif

 private:
  void forget(std::uint32_t warp) {
    upper_[warp] = 0;
    rows_[warp] = 0;
    armed_named_[warp] = 0;
    armed_syncs_[warp] = 0;
    check_named_[warp] = 0;
    check_syncs_[warp] = 0;
    if constexpr (kAges) ages_[warp] = 0;
  }

  void note_depth(std::uint32_t warp) {
    if (Watch != 0 && rows_[warp] + 1 > max_depth_) max_depth_ = rows_[warp] + 1;
  }

  [[nodiscard]] std::uint32_t newest(std::uint32_t warp) const {
    std::uint32_t barrier = 0;
    if constexpr (kAges) {
      const std::uint32_t count = count_bits(armed_named_[warp]);
      if (count != 0) barrier = barrier_at(ages_[warp], count - 1, kBarrierW);
    }
    return barrier;
  }

  // The warp as a resolution or a service sees it that concerns this barrier.
  void look(std::uint32_t warp, std::uint32_t index, BarrierWarp& old) const {
    const WaitingPath& upper = list_[warp][upper_[warp]];
    const BarrierRow& row = barrier_[warp][index];
    old.mask = path_[warp].mask;
    old.pc = path_[warp].pc;
    old.live = live_[warp];
    old.others = rows_[warp] != 0;
    old.upper_mask = upper.mask;
    old.upper_pc = upper.pc;
    old.armed = index < Barriers ? has_bit(armed_named_[warp], index) : has_bit(armed_syncs_[warp], index - Barriers);
    old.row_mask = row.mask;
    old.row_arrived = row.arrived;
    old.row_pc = row.pc;
  }

  // What the service of the warp does. Returns the barrier that it looks at.
  std::uint32_t find_service(std::uint32_t warp, BarrierChange& change) const {
    const std::uint32_t index = first_check(check_named_[warp], check_syncs_[warp], Barriers);
    BarrierWarp old;
    look(warp, index, old);
    serve_barriers(old, checks(warp), change);
    return index;
  }

  void apply(std::uint32_t warp, std::uint32_t index, const BarrierChange& change) {
    path_[warp].mask = change.mask;
    path_[warp].pc = change.pc;
    change_list(warp, change);
    if (change.writes) {
      BarrierRow& row = barrier_[warp][index];
      row.mask = change.row_mask;
      row.arrived = change.row_arrived;
      row.pc = change.row_pc;
    }
    if (change.arms || change.disarms) set_armed(warp, index, change.arms);
    if (change.checks) set_check(warp, index, true);
    valid_ = with_bit(valid_, warp, change.mask != 0 && !checks(warp));
    if (change.answers) {
      answer_.valid = true;
      answer_.warp = warp;
      answer_.value = change.answer;
    }
    if (change.event != kEventNone) {
      event_.valid = true;
      event_.warp = warp;
      event_.code = change.event;
    }
  }

  void change_list(std::uint32_t warp, const BarrierChange& change) {
    if (change.list != kListStays) {
      if (change.list != kListPops) {
        WaitingPath& stored = list_[warp][stored_row(change.list, upper_[warp], rows_[warp], kRows)];
        stored.mask = change.stored_mask;
        stored.pc = change.stored_pc;
      }
      upper_[warp] = upper_after(change.list, upper_[warp], kRows);
      rows_[warp] = rows_after(change.list, rows_[warp]);
      note_depth(warp);
    }
  }

  [[nodiscard]] bool checks(std::uint32_t warp) const { return (check_named_[warp] | check_syncs_[warp]) != 0; }
  void set_check(std::uint32_t warp, std::uint32_t index, bool check) {
    if (index < Barriers) {
      check_named_[warp] = with_bit(check_named_[warp], index, check);
    } else {
      check_syncs_[warp] = with_bit(check_syncs_[warp], index - Barriers, check);
    }
  }
  void set_armed(std::uint32_t warp, std::uint32_t index, bool armed) {
    if (index < Barriers) {
      if constexpr (kAges) {
        const std::uint32_t count = count_bits(armed_named_[warp]);
        if (ages_are_known_) ages_[warp] = ages_after(ages_[warp], count, index, armed, kBarrierW);
      }
      armed_named_[warp] = with_bit(armed_named_[warp], index, armed);
    } else {
      armed_syncs_[warp] = with_bit(armed_syncs_[warp], index - Barriers, armed);
    }
  }

  const std::uint32_t order_;
  const bool ages_are_known_;
  WaitingPath path_[NumWarps];
  std::uint64_t live_[NumWarps] = {};
  WaitingPath list_[NumWarps][kRows];
  std::uint32_t upper_[NumWarps] = {};  // the uppermost row of the list, which goes round, and how many there are
  std::uint32_t rows_[NumWarps] = {};
  BarrierRow barrier_[NumWarps][kBarriers];
  std::uint64_t armed_named_[NumWarps] = {};
  std::uint64_t armed_syncs_[NumWarps] = {};
  std::uint64_t check_named_[NumWarps] = {};  // these are to be looked at before a path issues
  std::uint64_t check_syncs_[NumWarps] = {};
  std::uint64_t ages_[kAges ? NumWarps : 1] = {};
  std::uint64_t valid_ = 0;
  std::uint64_t occupied_ = 0;
  std::uint64_t stuck_ = 0;
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  std::uint64_t operand_ = 0;
  bool reads_ = false;  // of this cycle: a resolution was taken in
  PopChoice chosen_;
  BarrierAnswer answer_;
  BarrierEvent event_;
};

}  // namespace heddle
