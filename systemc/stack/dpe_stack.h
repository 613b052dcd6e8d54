// SPDX-License-Identifier: Apache-2.0
// dpe_stack: dual-path reconvergence stack of the warps of a scheduler. Contract: docs/frontend.md, stack/dpe_stack; same
// pins as rtl/stack/dpe_stack.sv.
//
// DpeStackLogic is the machine without a clock, which the front ends hold. The module below holds its state once, in pins
// and signals. Both apply the same decisions, pure functions of an entry.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"

namespace heddle {

// One entry: two paths with their call levels and the place where both of them meet. A slot with an empty mask is empty.
struct DpeEntry {
  std::uint64_t mask_l = 0;
  std::uint64_t mask_r = 0;
  std::uint32_t pc_l = 0;
  std::uint32_t pc_r = 0;
  std::uint32_t rpc = 0;
  std::uint16_t level_l = 0;
  std::uint16_t level_r = 0;
  std::uint16_t rpc_level = 0;
};

// What follows from a resolution: whether the path simply goes on behind its instruction, whether it diverges, and whether the
// new entry replaces the top. Two entries go with it: the new top, and on a push that is no replacement the one below it.
struct DpeResolved {
  bool next = false;
  bool push = false;
  bool replace = false;
  bool overflow = false;
  std::uint64_t live = 0;
};

// Order: where the threads that take the branch go.
constexpr std::uint32_t kTakenLeft = 0;
constexpr std::uint32_t kTakenRight = 1;

// A path of an entry.
[[nodiscard]] inline StackPath path_of(const DpeEntry& entry, std::uint32_t slot) {
  StackPath path;
  path.mask = slot != 0 ? entry.mask_r : entry.mask_l;
  path.pc = slot != 0 ? entry.pc_r : entry.pc_l;
  path.level = slot != 0 ? entry.level_r : entry.level_l;
  return path;
}

// One slot of `entry` is rewritten.
inline void put_path(DpeEntry& entry, std::uint32_t slot, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
  if (slot != 0) {
    entry.pc_r = pc;
    entry.level_r = static_cast<std::uint16_t>(level);
    entry.mask_r = mask;
  } else {
    entry.pc_l = pc;
    entry.level_l = static_cast<std::uint16_t>(level);
    entry.mask_l = mask;
  }
}

// The path of `slot` goes on as a whole; if it has arrived it leaves its slot, and the entry knows where it returned to.
inline void dpe_move(DpeEntry& entry, std::uint32_t slot, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
  const bool there = arrived(pc, level, entry.rpc, entry.rpc_level);
  put_path(entry, slot, pc, level, there ? 0 : mask);
  if (there) entry.rpc = learnt(entry.rpc, pc);
}

// `entry` is uncovered as `top` is popped from it. The address that a return brought goes on to the entry that meets there
// too, and fills in the PC of the path whose sides met there.
inline void dpe_uncover(DpeEntry& entry, const DpeEntry& top, std::uint64_t live) {
  const std::uint32_t address = top.rpc & ~std::uint32_t{1};
  entry.mask_l &= live;
  entry.mask_r &= live;
  if (is_odd(entry.pc_l)) {
    entry.pc_l = address;
    if (arrived_at_pc(address, entry.level_l, entry.rpc, entry.rpc_level)) entry.mask_l = 0;
  }
  if (is_odd(entry.pc_r)) {
    entry.pc_r = address;
    if (arrived_at_pc(address, entry.level_r, entry.rpc, entry.rpc_level)) entry.mask_r = 0;
  }
  if (is_odd(top.rpc) && is_odd(entry.rpc) && top.rpc_level == entry.rpc_level) entry.rpc = top.rpc;
}

// The resolution of the branch of path `slot`; what is not written of `below` does not matter.
inline void dpe_resolve(const DpeEntry& old, std::uint64_t live, std::uint32_t depth, const StackConfig& config, std::uint32_t slot,
                        const ResolveInput& in, DpeResolved& result, DpeEntry& below, DpeEntry& top) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = (slot != 0 ? old.mask_r : old.mask_l) & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t level = slot != 0 ? old.level_r : old.level_l;
  const std::uint32_t mask = level_mask(config.level_bits);
  const std::uint32_t taken_level = target_level(level, in, mask);
  top = old;
  result.live = live_after;
  if (active == 0) {
    if (slot != 0) {
      top.mask_r = 0;
    } else {
      top.mask_l = 0;
    }
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    dpe_move(top, slot, fall == 0 ? in.target : in.next, fall == 0 ? taken_level : level, active);
    result.next = (taken == 0 || in.target == in.next) && (slot != 0 ? top.mask_r : top.mask_l) != 0;
  } else {
    MeetingPlace place;
    find_meeting_place(in.rpc, level, old.rpc, old.rpc_level, mask, place);
    const bool tail = same_place(place.rpc, place.level, old.rpc, old.rpc_level);
    const std::uint64_t other = slot != 0 ? old.mask_l : old.mask_r;
    result.replace = tail && other == 0;
    if (!result.replace && depth >= config.depth_limit) {
      result.overflow = true;
      result.live = live;
    } else {
      const bool taken_there = arrived(in.target, taken_level, place.rpc, place.level);
      const bool fall_there = arrived(in.next, level, place.rpc, place.level);
      const std::uint64_t taken_side = taken_there ? 0 : taken;
      const std::uint64_t fall_side = fall_there ? 0 : fall;
      const std::uint32_t meet_pc = is_odd(place.rpc) ? kReturnPlace : place.rpc;  // RETURN: the pop fills it in
      const std::uint16_t meet_level = static_cast<std::uint16_t>(place.level);
      const std::uint16_t target_side_level = static_cast<std::uint16_t>(taken_level);
      const std::uint16_t next_side_level = static_cast<std::uint16_t>(level);
      const bool taken_left = config.order == kTakenLeft;
      result.push = true;
      below = old;
      if (slot != 0) {
        below.pc_r = tail ? old.pc_r : meet_pc;
        below.level_r = tail ? old.level_r : meet_level;
        below.mask_r = tail ? 0 : active;
      } else {
        below.pc_l = tail ? old.pc_l : meet_pc;
        below.level_l = tail ? old.level_l : meet_level;
        below.mask_l = tail ? 0 : active;
      }
      top.pc_l = taken_left ? in.target : in.next;
      top.level_l = taken_left ? target_side_level : next_side_level;
      top.mask_l = taken_left ? taken_side : fall_side;
      top.pc_r = taken_left ? in.next : in.target;
      top.level_r = taken_left ? next_side_level : target_side_level;
      top.mask_r = taken_left ? fall_side : taken_side;
      top.rpc = taken_there || fall_there ? learnt(place.rpc, taken_there ? in.target : in.next) : place.rpc;
      top.rpc_level = meet_level;
    }
  }
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1>
class DpeStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "dpe_stack: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "dpe_stack: 1 to 64 lanes");
  static_assert(Depth >= 2, "dpe_stack: at least 2 entries");
  static_assert(LevelW >= 2 && LevelW <= 16, "dpe_stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "dpe_stack: Watch is 0 (without max_depth_o) or 1");

 public:
  static constexpr unsigned kSlots = 2;

  [[nodiscard]] static constexpr StackConfig default_config() { return {Depth, TakenLeft != 0 ? kTakenLeft : kTakenRight, LevelW}; }

  explicit DpeStackLogic(const StackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW && config.order <= kTakenRight);
  }

  [[nodiscard]] static constexpr unsigned entry_bits() { return 2 * (32 + Lanes + LevelW) + 32 + LevelW; }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (entry_bits() + 2 + Lanes + index_width(Depth + 1)) + rows_below(NumWarps, Depth) * entry_bits() +
           Watch * index_width(Depth + 1) + taken_in_bits(NumWarps, kSlots, Lanes, LevelW, Depth) + pop_choice_bits(NumWarps, Depth);
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      top_[w] = DpeEntry();
      live_[w] = 0;
      depth_[w] = 0;
    }
    valid_[0] = 0;
    valid_[1] = 0;
    occupied_ = 0;
    max_depth_ = 0;
    taken_in_ = TakenIn();
    resolution_ = ResolveInput();
    chosen_ = PopChoice();
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(depth_[warp] == 0 && mask != 0);
    top_[warp] = DpeEntry();
    top_[warp].pc_l = pc;
    top_[warp].mask_l = mask;
    live_[warp] = mask;
    set_depth(warp, 1);
    update_valid(warp);
  }

  void advance(std::uint32_t warp, std::uint32_t slot) {
    HEDDLE_EXPECT(path(warp, slot).mask != 0 && !(taken_in_.valid && taken_in_.warp == warp));
    if (slot != 0) {
      top_[warp].pc_r += 4;
      if (arrived_at_pc(top_[warp].pc_r, top_[warp].level_r, top_[warp].rpc, top_[warp].rpc_level)) {
        top_[warp].mask_r = 0;
        valid_[1] &= ~bit_of(warp);
      }
    } else {
      top_[warp].pc_l += 4;
      if (arrived_at_pc(top_[warp].pc_l, top_[warp].level_l, top_[warp].rpc, top_[warp].rpc_level)) {
        top_[warp].mask_l = 0;
        valid_[0] &= ~bit_of(warp);
      }
    }
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have done is
  // returned all the same.
  DpeResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const DpeEntry old = top_[warp];
    DpeEntry below;
    DpeEntry top;
    DpeResolved resolved;
    dpe_resolve(old, live_[warp], depth, config_, taken_in_.slot, resolution_, resolved, below, top);
    if (!killed) {
      if (resolved.push && !resolved.replace) {
        below_[warp][depth - 1] = below;
        set_depth(warp, depth + 1);
      }
      top_[warp] = top;
      live_[warp] = resolved.live;
      update_valid(warp);
    }
    taken_in_.valid = false;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(path(warp, slot).mask != 0 && !(in.call && in.ret));
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    resolution_ = in;
  }

  // Warps without a path that may be chosen: all but the one that is popped in this cycle.
  [[nodiscard]] std::uint64_t poppable() const {
    return occupied_ & ~(valid_[0] | valid_[1]) & ~(chosen_.valid ? bit_of(chosen_.warp) : 0);
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
      const DpeEntry top = top_[warp];
      top_[warp] = below_[warp][depth - 1];
      dpe_uncover(top_[warp], top, live_[warp]);
    }
    set_depth(warp, depth);
    update_valid(warp);
    return depth == 0;
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    set_depth(warp, 0);
    top_[warp].mask_l = 0;
    top_[warp].mask_r = 0;
    valid_[0] &= ~bit_of(warp);
    valid_[1] &= ~bit_of(warp);
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] DpeEntry top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return path_of(top_[warp], slot); }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t slot) const { return has_bit(valid_[1 - slot], warp); }
  [[nodiscard]] std::uint64_t valid(std::uint32_t slot) const { return valid_[slot]; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }  // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  // Entry i from the bottom, i < depth(warp).
  [[nodiscard]] DpeEntry entry(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == depth_[warp] ? top_[warp] : below_[warp][i];
  }
  [[nodiscard]] StackConfig config() const { return config_; }

 private:
  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }

  void update_valid(std::uint32_t warp) {
    valid_[0] = with_bit(valid_[0], warp, top_[warp].mask_l != 0);
    valid_[1] = with_bit(valid_[1], warp, top_[warp].mask_r != 0);
  }

  const StackConfig config_;
  DpeEntry top_[NumWarps];
  DpeEntry below_[NumWarps][Depth - 1];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_[2] = {};
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1>
class dpe_stack : public sc_core::sc_module {
  static_assert(2 * NumWarps <= 64, "dpe_stack: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = DpeStackLogic<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch>;
  static constexpr unsigned kPaths = 2 * NumWarps;

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
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(advance_i);
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
  sc_core::sc_in<bool> SC_NAMED(resolve_mark_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(sibling_o);
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

  SC_HAS_PROCESS(dpe_stack);
  explicit dpe_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name), depth_limit_(config.depth_limit), order_(config.order), level_bits_(config.level_bits) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW && config.order <= kTakenRight);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
    SC_METHOD(show_done);
    sensitive << pop_valid_o << pop_warp_o;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << acting_slot_ << taken_ << exit_ << target_ << next_ << meet_ << call_ << return_;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << pc_o[i] << mask_o[i] << level_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << rpc_o[w] << rpc_level_o[w] << live_o[w] << depth_o[w];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned i = 0; i < kPaths; ++i) {
      pc_o[i].write(0);
      mask_o[i].write(0);
      level_o[i].write(0);
    }
    for (unsigned w = 0; w < NumWarps; ++w) {
      rpc_o[w].write(0);
      rpc_level_o[w].write(0);
      live_o[w].write(0);
      depth_o[w].write(0);
    }
    for (unsigned i = 0; i < kRows; ++i) {
      below_pc_l_[i].write(0);
      below_mask_l_[i].write(0);
      below_level_l_[i].write(0);
      below_pc_r_[i].write(0);
      below_mask_r_[i].write(0);
      below_level_r_[i].write(0);
      below_rpc_[i].write(0);
      below_rpc_level_[i].write(0);
    }
    acts_.write(false);
    acting_warp_.write(0);
    acting_slot_.write(0);
    taken_.write(0);
    exit_.write(0);
    target_.write(0);
    next_.write(0);
    meet_.write(0);
    call_.write(false);
    return_.write(false);
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
      DpeEntry entry;
      entry.pc_l = launch_pc_i.read();
      entry.mask_l = launch_mask_i.read();
      write_top(warp, entry);
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      if (most == 0) most = 1;
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned slot = 0; slot < 2; ++slot) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        const unsigned path = slot * NumWarps + w;
        if (has_bit(advance_i.read(), path)) {
          HEDDLE_EXPECT(mask_o[path].read() != 0 && !(acts_.read() && acting_warp_.read() == w));
          const std::uint32_t pc = pc_o[path].read() + 4;
          pc_o[path].write(pc);
          if (arrived_at_pc(pc, level_o[path].read(), rpc_o[w].read(), rpc_level_o[w].read())) mask_o[path].write(0);
        }
      }
    }
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t depth = depth_o[warp].read();
      DpeResolved resolved;
      DpeEntry below;
      DpeEntry entry;
      resolve(resolved, below, entry);
      if (!(kills && killed == warp)) {
        if (resolved.push && !resolved.replace) {
          write_below(warp * (Depth - 1) + depth - 1, below);
          depth_o[warp].write(depth + 1);
          if (depth + 1 > most) most = depth + 1;
        }
        write_top(warp, entry);
        live_o[warp].write(resolved.live);
      }
    }
    if (pop_valid_o.read()) {
      const std::uint32_t warp = pop_warp_o.read();
      const std::uint32_t depth = depth_o[warp].read() - 1;
      if (depth != 0) {
        const std::uint32_t row = warp * (Depth - 1) + depth - 1;
        DpeEntry old;
        read_top(warp, old);
        DpeEntry entry;
        entry.pc_l = below_pc_l_[row].read();
        entry.mask_l = below_mask_l_[row].read();
        entry.level_l = static_cast<std::uint16_t>(below_level_l_[row].read());
        entry.pc_r = below_pc_r_[row].read();
        entry.mask_r = below_mask_r_[row].read();
        entry.level_r = static_cast<std::uint16_t>(below_level_r_[row].read());
        entry.rpc = below_rpc_[row].read();
        entry.rpc_level = static_cast<std::uint16_t>(below_rpc_level_[row].read());
        dpe_uncover(entry, old, live_o[warp].read());
        write_top(warp, entry);
      }
      depth_o[warp].write(depth);
    }
    if (kills) {
      mask_o[killed].write(0);
      mask_o[NumWarps + killed].write(0);
      depth_o[killed].write(0);
    }
    if (Watch != 0) max_depth_o.write(most);
    take_in();
    choose();
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    const std::uint32_t slot = resolve_slot_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(mask_o[slot * NumWarps + warp].read() != 0 && !(resolve_call_i.read() && resolve_return_i.read()));
      acting_warp_.write(warp);
      acting_slot_.write(slot);
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      meet_.write(resolve_rpc_i.read());
      call_.write(resolve_call_i.read());
      return_.write(resolve_return_i.read());
    }
  }

  // The lowest warp without a path, but for those that are popped or killed in this cycle, is popped at the next edge.
  void choose() {
    std::uint64_t poppable = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool has_path = mask_o[w].read() != 0 || mask_o[NumWarps + w].read() != 0;
      const bool popped = pop_valid_o.read() && pop_warp_o.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      poppable = with_bit(poppable, w, depth_o[w].read() != 0 && !has_path && !popped && !killed);
    }
    pop_valid_o.write(poppable != 0);
    pop_warp_o.write(poppable != 0 ? lowest_bit(poppable) : 0);
  }

  void show_paths() {
    std::uint64_t valid = 0;
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool left = mask_o[w].read() != 0;
      const bool right = mask_o[NumWarps + w].read() != 0;
      valid = with_bit(with_bit(valid, w, left), NumWarps + w, right);
      sibling = with_bit(with_bit(sibling, w, right), NumWarps + w, left);
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
    const std::uint32_t slot = acting_slot_.read();
    DpeResolved result;
    DpeEntry below;
    DpeEntry entry;
    resolve(result, below, entry);
    const bool resolved = acts && !result.overflow;
    const bool push = acts && result.push;
    const bool overflow = acts && result.overflow;
    resolved_valid_o.write(resolved);
    resolved_warp_o.write(resolved ? warp : 0);
    resolved_slot_o.write(resolved ? slot : 0);
    resolved_next_o.write(acts && result.next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? warp : 0);
  }

  // What follows from the resolution that acts.
  void resolve(DpeResolved& resolved, DpeEntry& below, DpeEntry& entry) const {
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
    in.rpc = meet_.read();
    in.call = call_.read();
    in.ret = return_.read();
    DpeEntry old;
    read_top(warp, old);
    dpe_resolve(old, live_o[warp].read(), depth_o[warp].read(), config, acting_slot_.read(), in, resolved, below, entry);
  }

  void read_top(std::uint32_t warp, DpeEntry& entry) const {
    entry.pc_l = pc_o[warp].read();
    entry.mask_l = mask_o[warp].read();
    entry.level_l = static_cast<std::uint16_t>(level_o[warp].read());
    entry.pc_r = pc_o[NumWarps + warp].read();
    entry.mask_r = mask_o[NumWarps + warp].read();
    entry.level_r = static_cast<std::uint16_t>(level_o[NumWarps + warp].read());
    entry.rpc = rpc_o[warp].read();
    entry.rpc_level = static_cast<std::uint16_t>(rpc_level_o[warp].read());
  }

  void write_top(std::uint32_t warp, const DpeEntry& entry) {
    pc_o[warp].write(entry.pc_l);
    mask_o[warp].write(entry.mask_l);
    level_o[warp].write(entry.level_l);
    pc_o[NumWarps + warp].write(entry.pc_r);
    mask_o[NumWarps + warp].write(entry.mask_r);
    level_o[NumWarps + warp].write(entry.level_r);
    rpc_o[warp].write(entry.rpc);
    rpc_level_o[warp].write(entry.rpc_level);
  }

  void write_below(std::uint32_t row, const DpeEntry& entry) {
    below_pc_l_[row].write(entry.pc_l);
    below_mask_l_[row].write(entry.mask_l);
    below_level_l_[row].write(entry.level_l);
    below_pc_r_[row].write(entry.pc_r);
    below_mask_r_[row].write(entry.mask_r);
    below_level_r_[row].write(entry.level_r);
    below_rpc_[row].write(entry.rpc);
    below_rpc_level_[row].write(entry.rpc_level);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  const std::uint32_t level_bits_;
  // storage: entry i from the bottom of warp w at w * (Depth - 1) + i
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_l_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_l_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_l_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_r_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_r_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_r_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_rpc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_rpc_level_, kRows);
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Number<1>> SC_NAMED(acting_slot_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(meet_);
  sc_core::sc_signal<bool> SC_NAMED(call_);
  sc_core::sc_signal<bool> SC_NAMED(return_);
};

}  // namespace heddle
