// SPDX-License-Identifier: Apache-2.0
// software_stack without a clock, as the front ends hold it: the two paths of a warp in hardware, the rows below them
// in memory, pushed and popped by the program. Contract: docs/frontend.md, stack/software_stack. The decision is a pure
// function of the two paths, which the module of software_stack.h applies, too.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"

namespace heddle {

// The two paths of a warp, or a row of them in memory. A path without threads is none.
struct SoftwarePaths {
  std::uint64_t mask_l = 0;
  std::uint64_t mask_r = 0;
  std::uint32_t pc_l = 0;
  std::uint32_t pc_r = 0;
};

// What follows from a resolution. next: the path goes on behind its instruction. saves: a row goes to memory.
struct SoftwareResolved {
  bool next = false;
  bool push = false;
  bool saves = false;
  bool overflow = false;
  std::uint64_t live = 0;
};

// A row on its way to memory; of a load, only which.
struct RowAsked {
  bool valid = false;
  std::uint32_t warp = 0;
  std::uint32_t row = 0;
};

inline void set_path(SoftwarePaths& paths, bool right, std::uint32_t pc, std::uint64_t mask) {
  if (right) {
    paths.pc_r = pc;
    paths.mask_r = mask;
  } else {
    paths.pc_l = pc;
    paths.mask_l = mask;
  }
}

inline void set_mask(SoftwarePaths& paths, bool right, std::uint64_t mask) {
  if (right) {
    paths.mask_r = mask;
  } else {
    paths.mask_l = mask;
  }
}

// The resolution of a path of `old`, which become `paths`; `row` is what is saved, if anything is.
inline void software_resolve(const SoftwarePaths& old, bool right, std::uint64_t live, std::uint32_t depth,
                             const StackConfig& config, const ResolveInput& in, SoftwareResolved& result,
                             SoftwarePaths& row, SoftwarePaths& paths) {
  const std::uint64_t mask = right ? old.mask_r : old.mask_l;
  const std::uint64_t other = right ? old.mask_l : old.mask_r;
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = mask & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  bool pushes = false;
  bool diverges = false;
  bool behind = false;
  paths = old;
  row = old;
  if (in.kind == kMarkPush) {
    pushes = true;
    set_path(row, right, in.rpc, mask);
    set_path(paths, right, in.next, mask);
    set_mask(paths, !right, 0);
  } else if (in.kind == kMarkPop || active == 0) {
    set_mask(paths, right, 0);
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    behind = fall != 0 || in.target == in.next;
    set_path(paths, right, behind ? in.next : in.target, active);
  } else {
    const bool taken_right = config.order == kTakenRight;
    diverges = true;
    set_mask(row, right, 0);
    set_path(paths, taken_right, in.target, taken);
    set_path(paths, !taken_right, in.next, fall);
  }
  const bool stores = pushes || (diverges && other != 0);
  result.overflow = stores && depth == config.depth_limit;
  result.saves = stores && !result.overflow;
  result.push = diverges && !result.overflow;
  result.next = (pushes && !result.overflow) || behind;
  result.live = live_after;
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class SoftwareStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "software_stack: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "software_stack: 2 to 64 lanes");
  static_assert(Depth >= 2, "software_stack: at least the paths and a row");
  static_assert(TakenLeft <= 1, "software_stack: TakenLeft is 0 (taken side right) or 1 (left)");
  static_assert(LevelW >= 2 && LevelW <= 16, "software_stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "software_stack: Watch is 0 (without max_depth_o) or 1");
  static_assert(is_pc_step(PcStep), "software_stack: PcStep is a power of two of at least 2");

 public:
  static constexpr unsigned kSlots = 2;
  static constexpr bool kRowsInMemory = true;

  [[nodiscard]] static constexpr StackConfig default_config() {
    return {Depth, TakenLeft != 0 ? kTakenLeft : kTakenRight, LevelW};
  }

  explicit SoftwareStackLogic(const StackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
  }

  // PCs are even: bit 0 is no state.
  [[nodiscard]] static constexpr unsigned state_bits() {
    constexpr unsigned kDepthW = index_width(Depth + 1), kWarpW = index_width(NumWarps);
    constexpr unsigned kPaths = 2 * (31 + Lanes + 1);
    constexpr unsigned kRow = 2 * (31 + Lanes) + 1 + kWarpW + kDepthW;
    constexpr unsigned kResolution =
        3 * 31 + 3 * Lanes + kWarpW + 1 + 6 + kDepthW;  // what it does: PCs, threads, slot, conditions, depth
    constexpr unsigned kChoice = 2 + kWarpW + kDepthW;
    return NumWarps * (kPaths + Lanes + kDepthW + 1) + kRow + kResolution + kChoice + Watch * kDepthW;
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      paths_[w] = SoftwarePaths();
      live_[w] = 0;
      depth_[w] = 0;
    }
    valid_[0] = 0;
    valid_[1] = 0;
    occupied_ = 0;
    loading_ = 0;
    max_depth_ = 0;
    taken_in_ = TakenIn();
    resolution_ = ResolveInput();
    chosen_ = PopChoice();
    saved_ = RowAsked();
    row_ = SoftwarePaths();
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(depth_[warp] == 0 && mask != 0 && !is_odd(pc));
    paths_[warp] = SoftwarePaths();
    paths_[warp].pc_l = pc;
    paths_[warp].mask_l = mask;
    live_[warp] = mask;
    set_depth(warp, 1);
    update_valid(warp);
  }

  void advance(std::uint32_t warp, std::uint32_t slot) {
    HEDDLE_EXPECT(has_bit(valid_[slot], warp));
    if (slot != 0) {
      paths_[warp].pc_r += PcStep;
    } else {
      paths_[warp].pc_l += PcStep;
    }
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same, and a row that it saves is shown. Once a cycle, taken_in() or not: save() is of the
  // cycle before.
  SoftwareResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const SoftwarePaths old = paths_[warp];
    SoftwarePaths row;
    SoftwarePaths paths;
    SoftwareResolved resolved;
    software_resolve(old, taken_in_.slot != 0, live_[warp], depth, config_, resolution_, resolved, row, paths);
    if (resolved.saves) {
      saved_.valid = true;
      saved_.warp = warp;
      saved_.row = depth - 1;
      row_ = row;
    }
    if (!killed && !resolved.overflow) {
      if (resolved.saves) set_depth(warp, depth + 1);
      paths_[warp] = paths;
      live_[warp] = resolved.live;
      update_valid(warp);
    }
    taken_in_.valid = false;
    return resolved;
  }
  // Before act(): what was saved is not shown again.
  void forget_saved() { saved_.valid = false; }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(has_bit(valid_[slot], warp));
    [[maybe_unused]] const bool pushes = in.kind == kMarkPush;
    [[maybe_unused]] const bool pops = in.kind == kMarkPop;
    HEDDLE_EXPECT(!(pushes || pops) || (in.taken == 0 && in.exit == 0));
    HEDDLE_EXPECT(!pushes || (in.rpc != kNoPlace && !is_odd(in.rpc)));
    HEDDLE_EXPECT(!pops || depth_[warp] > 1);
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
  }

  // What is asked of memory in this cycle.
  [[nodiscard]] RowAsked save() const { return saved_; }
  [[nodiscard]] SoftwarePaths saved_row() const { return row_; }
  [[nodiscard]] RowAsked load() const {
    RowAsked asked;
    if (chosen_.valid && depth_[chosen_.warp] > 1) {
      asked.valid = true;
      asked.warp = chosen_.warp;
      asked.row = depth_[chosen_.warp] - 2;
    }
    return asked;
  }

  // Warps without a path that may be chosen, from the state before the edge: all but the one that is chosen now.
  [[nodiscard]] std::uint64_t poppable() const {
    return occupied_ & ~valid_[0] & ~valid_[1] & ~loading_ & ~(chosen_.valid ? bit_of(chosen_.warp) : 0);
  }
  // The chosen warp ends in this cycle, if no row comes.
  [[nodiscard]] bool ends(bool fill) const { return chosen_.valid && depth_[chosen_.warp] == 1 && !fill; }
  // It stays chosen: a row comes first, or memory is not ready for its load.
  [[nodiscard]] bool stays(bool fill, bool load_ready) const {
    return chosen_.valid && (depth_[chosen_.warp] == 1 ? fill : !load_ready);
  }
  // The chosen warp's turn.
  void serve_chosen(bool fill, bool load_ready) {
    if (ends(fill)) {
      set_depth(chosen_.warp, 0);
    } else if (load().valid && load_ready) {
      loading_ |= bit_of(chosen_.warp);
    }
  }
  void fill(std::uint32_t warp, const SoftwarePaths& row) {
    HEDDLE_EXPECT(has_bit(loading_, warp) && !is_odd(row.pc_l) && !is_odd(row.pc_r));
    paths_[warp] = row;
    paths_[warp].mask_l &= live_[warp];
    paths_[warp].mask_r &= live_[warp];
    loading_ &= ~bit_of(warp);
    set_depth(warp, depth_[warp] - 1);
    update_valid(warp);
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    set_depth(warp, 0);
    paths_[warp].mask_l = 0;
    paths_[warp].mask_r = 0;
    update_valid(warp);
    loading_ &= ~bit_of(warp);
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }
  // After kill(), if the one that was chosen does not stay.
  void choose(std::uint64_t poppable) {
    const std::uint64_t candidates = poppable & occupied_;
    chosen_.valid = candidates != 0;
    chosen_.warp = chosen_.valid ? lowest_bit(candidates) : 0;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] SoftwarePaths top(std::uint32_t warp) const { return paths_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] std::uint64_t loading() const { return loading_; }  // bit a warp
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const {
    StackPath path;
    path.mask = slot != 0 ? paths_[warp].mask_r : paths_[warp].mask_l;
    path.pc = slot != 0 ? paths_[warp].pc_r : paths_[warp].pc_l;
    return path;
  }
  // The other slot has a path.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t slot) const { return has_bit(valid_[1 - slot], warp); }
  [[nodiscard]] std::uint64_t valid(std::uint32_t slot) const { return valid_[slot]; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }                    // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  [[nodiscard]] StackConfig config() const { return config_; }

 private:
  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }

  void update_valid(std::uint32_t warp) {
    valid_[0] = with_bit(valid_[0], warp, paths_[warp].mask_l != 0);
    valid_[1] = with_bit(valid_[1], warp, paths_[warp].mask_r != 0);
  }

  const StackConfig config_;
  SoftwarePaths paths_[NumWarps];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_[2] = {};
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint64_t loading_ = 0;
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
  RowAsked saved_;
  SoftwarePaths row_;
};

}  // namespace heddle
