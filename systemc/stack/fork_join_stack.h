// SPDX-License-Identifier: Apache-2.0
// fork_join_stack: paths of a region run one after the other, the smaller set of a divergence first, and meet at its
// join. Contract: docs/frontend.md, stack/fork_join_stack; same pins as rtl/stack/fork_join_stack.sv.
//
// ForkJoinStackLogic is the machine without a clock, which the front ends hold. The module below holds its state once,
// in pins and signals. Both apply the same decisions, pure functions of a path with its region.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"
#include "stack/spe_stack.h"

namespace heddle {

// A row of storage, with the sibling bit that the path had. Under a path with sibling: a pending set. Otherwise who
// meets at the join of the path's region, and {rpc, rpc_level} of the region around it in the place of a PC and level.
struct ForkJoinRow {
  std::uint64_t mask = 0;
  std::uint32_t pc = 0;
  std::uint16_t level = 0;
  bool sibling = false;
};

// What follows from a resolution. next: the path goes on behind its instruction. grows: a row is stored; push: it is a
// pending set.
struct ForkJoinResolved {
  bool next = false;
  bool push = false;
  bool grows = false;
  bool overflow = false;
  std::uint64_t live = 0;
};

// Order: which of two sets of one size runs first.
constexpr std::uint32_t kTieTakenFirst = 0;
constexpr std::uint32_t kTieFallThroughFirst = 1;

// `path` goes to another PC and level; if that is the join of its region it waits there.
inline void go_to(SpeEntry& path, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
  const bool there = arrived_at_pc(pc, level, path.rpc, path.rpc_level);
  path.pc = pc;
  path.level = static_cast<std::uint16_t>(level);
  path.mask = there ? 0 : mask;
}

// `path` opens a region in the one that it is in.
inline void open_region(SpeEntry& path, const ResolveInput& fork, ForkJoinRow& row) {
  row.mask = path.mask;
  row.pc = path.rpc;
  row.level = path.rpc_level;
  path.rpc = fork.rpc;
  path.rpc_level = path.level;
  path.sibling = false;
  go_to(path, fork.next, path.level, path.mask);
}

// `path` is what lies below it: the pending set, or the path of all at the join of its region.
inline void uncover(SpeEntry& path, const ForkJoinRow& row, std::uint64_t live) {
  if (path.sibling) {
    path.pc = row.pc;
    path.level = row.level;
  } else {
    path.pc = path.rpc;
    path.level = path.rpc_level;
    path.rpc = row.pc;
    path.rpc_level = row.level;
  }
  path.mask = row.mask & live;
  path.sibling = row.sibling;
}

// The resolution of the path `old`, which becomes `path`; `row` is written if the stack grows.
inline void fork_join_resolve(const SpeEntry& old, std::uint64_t live, std::uint32_t depth, const StackConfig& config,
                              const ResolveInput& in, ForkJoinResolved& result, ForkJoinRow& row, SpeEntry& path) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = old.mask & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t mask = level_mask(config.level_bits);
  const std::uint32_t taken_level = target_level(old.level, in, mask);
  bool two_sets = false;
  path = old;
  row.sibling = old.sibling;
  if (in.kind == kMarkFork) {
    open_region(path, in, row);
  } else if (active == 0) {
    path.mask = 0;
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    go_to(path, fall == 0 ? in.target : in.next, fall == 0 ? taken_level : old.level, active);
  } else {
    const bool taken_waits = arrived_at_pc(in.target, taken_level, old.rpc, old.rpc_level);
    const bool fall_waits = arrived_at_pc(in.next, old.level, old.rpc, old.rpc_level);
    const std::uint16_t target_side_level = static_cast<std::uint16_t>(taken_level);
    const std::uint32_t taken_count = count_bits(taken);
    const std::uint32_t fall_count = count_bits(fall);
    const bool taken_smaller =
        taken_count < fall_count || (taken_count == fall_count && config.order == kTieTakenFirst);
    two_sets = !taken_waits && !fall_waits;
    const bool taken_runs = two_sets ? taken_smaller : fall_waits;
    path.pc = taken_runs ? in.target : in.next;
    path.mask = taken_runs ? taken : fall;
    path.level = taken_runs ? target_side_level : old.level;
    path.sibling = two_sets || old.sibling;
    row.pc = taken_runs ? in.next : in.target;
    row.mask = taken_runs ? fall : taken;
    row.level = taken_runs ? old.level : target_side_level;
  }
  result.grows = in.kind == kMarkFork || two_sets;
  result.overflow = result.grows && depth == config.depth_limit;
  result.push = two_sets && !result.overflow;
  result.next = !two_sets && !result.overflow && path.mask != 0 && path.pc == in.next;
  result.live = live_after;
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TieOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class ForkJoinStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "fork_join_stack: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "fork_join_stack: 2 to 64 lanes");
  static_assert(Depth >= 2, "fork_join_stack: at least the path and a row");
  static_assert(TieOrder <= kTieFallThroughFirst, "fork_join_stack: TieOrder is 0 (taken) or 1 (fall-through)");
  static_assert(LevelW >= 2 && LevelW <= 16, "fork_join_stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "fork_join_stack: Watch is 0 (without max_depth_o) or 1");
  static_assert(is_pc_step(PcStep), "fork_join_stack: PcStep is a power of two of at least 2");

 public:
  static constexpr unsigned kSlots = 1;

  [[nodiscard]] static constexpr StackConfig default_config() { return {Depth, TieOrder, LevelW}; }

  explicit ForkJoinStackLogic(const StackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
  }

  // PCs are even: bit 0 is no state.
  [[nodiscard]] static constexpr unsigned row_bits() { return 31 + Lanes + LevelW + 1; }
  [[nodiscard]] static constexpr unsigned state_bits() {
    constexpr unsigned kDepthW = index_width(Depth + 1), kWarpW = index_width(NumWarps);
    constexpr unsigned kPath = 31 + Lanes + LevelW + 1 + 1, kRegion = 31 + LevelW;
    constexpr unsigned kSizes = 4 * index_width((Lanes + 1) / 2 + 1);  // of the two sets, by halves of the warp
    constexpr unsigned kResolution = 3 * 31 + 3 * Lanes + 2 * LevelW + kSizes + kDepthW + kWarpW + 8;
    return NumWarps * (kPath + kRegion + Lanes + kDepthW) + kResolution + 1 + kWarpW + kDepthW + Watch * kDepthW +
           rows_below(NumWarps, Depth) * row_bits() + row_address_bits(NumWarps, Depth, 1);
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      top_[w] = SpeEntry();
      live_[w] = 0;
      depth_[w] = 0;
    }
    valid_ = 0;
    occupied_ = 0;
    max_depth_ = 0;
    taken_in_ = TakenIn();
    resolution_ = ResolveInput();
    chosen_ = PopChoice();
#ifndef HEDDLE_SYNTHESIS
    max_pending_ = 0;
#endif
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(depth_[warp] == 0 && mask != 0);
    top_[warp] = SpeEntry();
    top_[warp].pc = pc;
    top_[warp].mask = mask;
    live_[warp] = mask;
    set_depth(warp, 1);
    update_valid(warp);
  }

  void advance(std::uint32_t warp, std::uint32_t /*slot*/) {
    HEDDLE_EXPECT(top_[warp].mask != 0);
    top_[warp].pc += PcStep;
    if (arrived_at_pc(top_[warp].pc, top_[warp].level, top_[warp].rpc, top_[warp].rpc_level)) {
      top_[warp].mask = 0;
      valid_ &= ~bit_of(warp);
    }
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same.
  ForkJoinResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const SpeEntry old = top_[warp];
    SpeEntry path;
    ForkJoinRow row;
    ForkJoinResolved resolved;
    fork_join_resolve(old, live_[warp], depth, config_, resolution_, resolved, row, path);
    if (!killed && !resolved.overflow) {
      if (resolved.grows) {
        below_[warp][depth - 1] = row;
        set_depth(warp, depth + 1);
      }
      top_[warp] = path;
      live_[warp] = resolved.live;
      update_valid(warp);
#ifndef HEDDLE_SYNTHESIS
      if (resolved.push && pending(warp) > max_pending_) max_pending_ = pending(warp);
#endif
    }
    taken_in_.valid = false;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(top_[warp].mask != 0 && !(in.call && in.ret));
    HEDDLE_EXPECT(in.kind != kMarkFork ||
                  (in.taken == 0 && in.exit == 0 && !in.call && !in.ret && in.rpc != kNoPlace && !is_odd(in.rpc)));
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
  }

  // Warps without a path that may be chosen: all but the one that is popped in this cycle.
  [[nodiscard]] std::uint64_t poppable() const {
    return occupied_ & ~valid_ & ~(chosen_.valid ? bit_of(chosen_.warp) : 0);
  }
  // After kill(). The lowest of them, from the state before the edge, is popped at the next one.
  void choose(std::uint64_t poppable) {
    const std::uint64_t candidates = poppable & occupied_;
    chosen_.valid = candidates != 0;
    chosen_.warp = chosen_.valid ? lowest_bit(candidates) : 0;
  }

  // Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = depth_[warp] - 1;
    if (depth != 0) {
      uncover(top_[warp], below_[warp][depth - 1], live_[warp]);
    }
    set_depth(warp, depth);
    update_valid(warp);
    return depth == 0;
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    set_depth(warp, 0);
    top_[warp].mask = 0;
    valid_ &= ~bit_of(warp);
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] SpeEntry top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return path_of(top_[warp], slot); }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t /*slot*/) const { return top_[warp].sibling; }
  [[nodiscard]] std::uint64_t valid(std::uint32_t /*slot*/) const { return valid_; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }                  // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  [[nodiscard]] StackConfig config() const { return config_; }
#ifndef HEDDLE_SYNTHESIS
  // Entry i from the bottom, i < depth(warp): the path when all above it is done.
  [[nodiscard]] SpeEntry entry(std::uint32_t warp, std::uint32_t i) const {
    SpeEntry path = top_[warp];
    for (std::uint32_t n = depth_[warp] - 1; n > i; --n) uncover(path, below_[warp][n - 1], live_[warp]);
    return path;
  }
  // Pending sets of a warp, and the most that one had at a time since reset.
  [[nodiscard]] std::uint32_t pending(std::uint32_t warp) const {
    std::uint32_t sets = 0;
    bool set = top_[warp].sibling;
    for (std::uint32_t n = depth_[warp]; n > 1; --n) {
      sets += set ? 1 : 0;
      set = below_[warp][n - 2].sibling;
    }
    return sets;
  }
  [[nodiscard]] std::uint32_t max_pending() const { return max_pending_; }
#endif

 private:
  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }

  void update_valid(std::uint32_t warp) { valid_ = with_bit(valid_, warp, top_[warp].mask != 0); }

  const StackConfig config_;
  SpeEntry top_[NumWarps];
  ForkJoinRow below_[NumWarps][Depth - 1];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_ = 0;
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
#ifndef HEDDLE_SYNTHESIS
  std::uint32_t max_pending_ = 0;
#endif
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TieOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class fork_join_stack : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = ForkJoinStackLogic<NumWarps, Lanes, Depth, TieOrder, LevelW, Watch, PcStep>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // issue
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(advance_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, NumWarps);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(sibling_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kDepthW>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(resolved_slot_o);
  sc_core::sc_out<bool> SC_NAMED(resolved_next_o);
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  // status
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(fork_join_stack);
  explicit fork_join_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        depth_limit_(config.depth_limit),
        order_(config.order),
        level_bits_(config.level_bits) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << mask_o[w] << sibling_[w];
    SC_METHOD(show_done);
    sensitive << pop_valid_o << pop_warp_o;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << taken_ << exit_ << target_ << next_ << join_ << call_ << return_ << kind_;
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << pc_o[w] << mask_o[w] << level_o[w] << rpc_o[w] << rpc_level_o[w] << sibling_[w] << live_o[w]
                << depth_o[w];
    }
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      pc_o[w].write(0);
      mask_o[w].write(0);
      level_o[w].write(0);
      rpc_o[w].write(0);
      rpc_level_o[w].write(0);
      sibling_[w].write(false);
      live_o[w].write(0);
      depth_o[w].write(0);
    }
    for (unsigned i = 0; i < kRows; ++i) {
      row_pc_[i].write(0);
      row_mask_[i].write(0);
      row_level_[i].write(0);
      row_sibling_[i].write(false);
    }
    acts_.write(false);
    acting_warp_.write(0);
    taken_.write(0);
    exit_.write(0);
    target_.write(0);
    next_.write(0);
    join_.write(0);
    call_.write(false);
    return_.write(false);
    kind_.write(kMarkNone);
    pop_valid_o.write(false);
    pop_warp_o.write(0);
    max_depth_o.write(0);
  }

  // Of the events of a cycle only a kill meets another one of its warp: it comes last, and wins.
  void step() {
    const bool kills = kill_valid_i.read();
    const std::uint32_t killed = kill_warp_i.read();
    HEDDLE_EXPECT(!(kills && launch_valid_i.read() && launch_warp_i.read() == killed));
    std::uint32_t most = max_depth_o.read();
    if (launch_valid_i.read()) {
      const std::uint32_t warp = launch_warp_i.read();
      HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
      SpeEntry path;
      path.pc = launch_pc_i.read();
      path.mask = launch_mask_i.read();
      write_top(warp, path);
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      if (most == 0) most = 1;
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned w = 0; w < NumWarps; ++w) {
      if (has_bit(advance_i.read(), w)) {
        HEDDLE_EXPECT(mask_o[w].read() != 0);
        const std::uint32_t pc = pc_o[w].read() + PcStep;
        pc_o[w].write(pc);
        if (arrived_at_pc(pc, level_o[w].read(), rpc_o[w].read(), rpc_level_o[w].read())) mask_o[w].write(0);
      }
    }
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t depth = depth_o[warp].read();
      ForkJoinResolved resolved;
      ForkJoinRow row;
      SpeEntry path;
      resolve(resolved, row, path);
      if (!(kills && killed == warp) && !resolved.overflow) {
        if (resolved.grows) {
          write_row(warp * (Depth - 1) + depth - 1, row);
          depth_o[warp].write(depth + 1);
          if (depth + 1 > most) most = depth + 1;
        }
        write_top(warp, path);
        live_o[warp].write(resolved.live);
      }
    }
    if (pop_valid_o.read()) {
      const std::uint32_t warp = pop_warp_o.read();
      const std::uint32_t depth = depth_o[warp].read() - 1;
      if (depth != 0) {
        ForkJoinRow row;
        read_row(warp * (Depth - 1) + depth - 1, row);
        SpeEntry path;
        read_top(warp, path);
        uncover(path, row, live_o[warp].read());
        write_top(warp, path);
      }
      depth_o[warp].write(depth);
    }
    if (kills) {
      mask_o[killed].write(0);
      depth_o[killed].write(0);
    }
    if (Watch != 0) max_depth_o.write(most);
    take_in();
    choose();
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(mask_o[warp].read() != 0 && !(resolve_call_i.read() && resolve_return_i.read()));
      HEDDLE_EXPECT(resolve_kind_i.read() != kMarkFork ||
                    (resolve_taken_i.read() == 0 && resolve_exit_i.read() == 0 && !resolve_call_i.read() &&
                     !resolve_return_i.read() && resolve_rpc_i.read() != kNoPlace && !is_odd(resolve_rpc_i.read())));
      acting_warp_.write(warp);
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      join_.write(resolve_rpc_i.read());
      call_.write(resolve_call_i.read());
      return_.write(resolve_return_i.read());
      kind_.write(resolve_kind_i.read());
    }
  }

  // The lowest warp without a path, but for those that are popped or killed in this cycle, is popped at the next edge.
  void choose() {
    std::uint64_t poppable = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool popped = pop_valid_o.read() && pop_warp_o.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      poppable = with_bit(poppable, w, depth_o[w].read() != 0 && mask_o[w].read() == 0 && !popped && !killed);
    }
    pop_valid_o.write(poppable != 0);
    pop_warp_o.write(poppable != 0 ? lowest_bit(poppable) : 0);
  }

  void show_paths() {
    std::uint64_t valid = 0;
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      valid = with_bit(valid, w, mask_o[w].read() != 0);
      sibling = with_bit(sibling, w, sibling_[w].read());
    }
    valid_o.write(valid);
    sibling_o.write(sibling);
  }

  void show_done() {
    const std::uint32_t warp = pop_warp_o.read();
    const bool done = pop_valid_o.read() && depth_o[warp].read() == 1;
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
  }

  void show_resolution() {
    const bool acts = acts_.read();
    const std::uint32_t warp = acting_warp_.read();
    ForkJoinResolved result;
    ForkJoinRow row;
    SpeEntry path;
    resolve(result, row, path);
    const bool resolved = acts && !result.overflow;
    const bool push = acts && result.push;
    const bool overflow = acts && result.overflow;
    resolved_valid_o.write(resolved);
    resolved_warp_o.write(resolved ? warp : 0);
    resolved_slot_o.write(0);
    resolved_next_o.write(acts && result.next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? warp : 0);
  }

  // What follows from the resolution that acts.
  void resolve(ForkJoinResolved& resolved, ForkJoinRow& row, SpeEntry& path) const {
    const std::uint32_t warp = acting_warp_.read();
    StackConfig config;
    config.depth_limit = depth_limit_;
    config.order = order_;
    config.level_bits = level_bits_;
    ResolveInput in;
    in.taken = taken_.read();
    in.exit = exit_.read();
    in.target = target_.read();
    in.next = next_.read();
    in.rpc = join_.read();
    in.call = call_.read();
    in.ret = return_.read();
    in.kind = kind_.read();
    SpeEntry old;
    read_top(warp, old);
    fork_join_resolve(old, live_o[warp].read(), depth_o[warp].read(), config, in, resolved, row, path);
  }

  void read_top(std::uint32_t warp, SpeEntry& path) const {
    path.pc = pc_o[warp].read();
    path.mask = mask_o[warp].read();
    path.level = static_cast<std::uint16_t>(level_o[warp].read());
    path.rpc = rpc_o[warp].read();
    path.rpc_level = static_cast<std::uint16_t>(rpc_level_o[warp].read());
    path.sibling = sibling_[warp].read();
  }

  void write_top(std::uint32_t warp, const SpeEntry& path) {
    pc_o[warp].write(path.pc);
    mask_o[warp].write(path.mask);
    level_o[warp].write(path.level);
    rpc_o[warp].write(path.rpc);
    rpc_level_o[warp].write(path.rpc_level);
    sibling_[warp].write(path.sibling);
  }

  void read_row(std::uint32_t index, ForkJoinRow& row) const {
    row.pc = row_pc_[index].read();
    row.mask = row_mask_[index].read();
    row.level = static_cast<std::uint16_t>(row_level_[index].read());
    row.sibling = row_sibling_[index].read();
  }

  void write_row(std::uint32_t index, const ForkJoinRow& row) {
    row_pc_[index].write(row.pc);
    row_mask_[index].write(row.mask);
    row_level_[index].write(row.level);
    row_sibling_[index].write(row.sibling);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  const std::uint32_t level_bits_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(sibling_, NumWarps);
  // storage: row i from the bottom of warp w at w * (Depth - 1) + i
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(row_pc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(row_mask_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(row_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(row_sibling_, kRows);
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(join_);
  sc_core::sc_signal<bool> SC_NAMED(call_);
  sc_core::sc_signal<bool> SC_NAMED(return_);
  sc_core::sc_signal<Number<kKindWidth>> SC_NAMED(kind_);
};

}  // namespace heddle
