// SPDX-License-Identifier: Apache-2.0
// dpe_stack: dual-path reconvergence stack of the warps of a scheduler. Contract: docs/frontend.md, stack/dpe_stack; same
// pins as rtl/stack/dpe_stack.sv.
//
// DpeStackLogic is the machine without a clock: decisions are pure functions of an entry, the rest applies them. The
// front end holds it directly; the module below puts pins around it.
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

// `entry` with one slot rewritten.
[[nodiscard]] inline DpeEntry with_slot(const DpeEntry& entry, std::uint32_t slot, std::uint32_t pc, std::uint32_t level,
                                        std::uint64_t mask) {
  DpeEntry result = entry;
  if (slot != 0) {
    result.pc_r = pc;
    result.level_r = static_cast<std::uint16_t>(level);
    result.mask_r = mask;
  } else {
    result.pc_l = pc;
    result.level_l = static_cast<std::uint16_t>(level);
    result.mask_l = mask;
  }
  return result;
}

// One instruction forward; a path that has arrived leaves its slot.
[[nodiscard]] inline DpeEntry dpe_advanced(const DpeEntry& entry, std::uint32_t slot) {
  const StackPath path = path_of(entry, slot);
  const std::uint32_t pc = path.pc + 4;
  const bool there = arrived_at_pc(pc, path.level, entry.rpc, entry.rpc_level);
  return with_slot(entry, slot, pc, path.level, there ? 0 : path.mask);
}

// The path of `slot` goes on as a whole; if it has arrived it leaves its slot, and the entry knows where it returned to.
[[nodiscard]] inline DpeEntry dpe_moved(const DpeEntry& entry, std::uint32_t slot, std::uint32_t pc, std::uint32_t level,
                                        std::uint64_t mask) {
  const bool there = arrived(pc, level, entry.rpc, entry.rpc_level);
  DpeEntry result = with_slot(entry, slot, pc, level, there ? 0 : mask);
  result.rpc = there ? learnt(entry.rpc, pc) : entry.rpc;
  return result;
}

// The entry `below` when `top` is popped from it. The address that a return brought goes on to the entry that meets there
// too, and fills in the PC of the path whose sides met there.
[[nodiscard]] inline DpeEntry dpe_uncovered(const DpeEntry& below, const DpeEntry& top, std::uint64_t live) {
  const std::uint32_t address = top.rpc & ~std::uint32_t{1};
  DpeEntry result = below;
  result.mask_l = below.mask_l & live;
  result.mask_r = below.mask_r & live;
  if (is_odd(top.rpc) && is_odd(below.rpc) && top.rpc_level == below.rpc_level) result.rpc = top.rpc;
  if (is_odd(below.pc_l)) {
    result.pc_l = address;
    if (arrived_at_pc(address, below.level_l, below.rpc, below.rpc_level)) result.mask_l = 0;
  }
  if (is_odd(below.pc_r)) {
    result.pc_r = address;
    if (arrived_at_pc(address, below.level_r, below.rpc, below.rpc_level)) result.mask_r = 0;
  }
  return result;
}

// The resolution of the branch of path `slot`.
[[nodiscard]] inline DpeResolved dpe_resolved(const DpeEntry& old, std::uint64_t live, std::uint32_t depth,
                                              const StackConfig& config, std::uint32_t slot, const ResolveInput& in, DpeEntry& below,
                                              DpeEntry& top) {
  const StackPath path = path_of(old, slot);
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = path.mask & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t level = path.level;
  const std::uint32_t mask = level_mask(config.level_bits);
  const std::uint32_t taken_level = target_level(level, in, mask);
  DpeResolved result;
  top = old;
  result.live = live_after;
  if (active == 0) {
    if (slot != 0) {
      top.mask_r = 0;
    } else {
      top.mask_l = 0;
    }
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    top = dpe_moved(old, slot, fall == 0 ? in.target : in.next, fall == 0 ? taken_level : level, active);
    const StackPath moved = path_of(top, slot);
    result.next = (taken == 0 || in.target == in.next) && moved.mask != 0;
  } else {
    const MeetingPlace place = meeting_place(in.rpc, level, old.rpc, old.rpc_level, mask);
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
  return result;
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
    const DpeResolved resolved = dpe_resolved(old, live_[warp], depth, config_, taken_in_.slot, resolution_, below, top);
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
      const DpeEntry below = below_[warp][depth - 1];
      const DpeEntry top = top_[warp];
      top_[warp] = dpe_uncovered(below, top, live_[warp]);
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
  // What act() will do.
  [[nodiscard]] DpeResolved acting() const {
    const std::uint32_t warp = taken_in_.warp;
    const DpeEntry old = top_[warp];
    DpeEntry below;
    DpeEntry top;
    return dpe_resolved(old, live_[warp], depth_[warp], config_, taken_in_.slot, resolution_, below, top);
  }

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

 public:
  using Logic = DpeStackLogic<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch>;
  static constexpr unsigned kPaths = 2 * NumWarps;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_pc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(kill_warp_i);
  // issue
  sc_core::sc_in<std::uint64_t> SC_NAMED(advance_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_target_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_next_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(pc_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(mask_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(level_o, kPaths);
  sc_core::sc_out<std::uint64_t> SC_NAMED(valid_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(sibling_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(resolved_slot_o);
  sc_core::sc_out<bool> SC_NAMED(resolved_next_o);
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(overflow_warp_o);
  // status
  sc_core::sc_out<std::uint32_t> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(dpe_stack);
  explicit dpe_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name), logic_(config) {
    HEDDLE_CLOCKED_PROCESS();
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
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
    valid_o.write(0);
    sibling_o.write(0);
    resolved_valid_o.write(false);
    resolved_warp_o.write(0);
    resolved_slot_o.write(0);
    resolved_next_o.write(false);
    push_valid_o.write(false);
    push_warp_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
    pop_valid_o.write(false);
    pop_warp_o.write(0);
    done_valid_o.write(false);
    done_warp_o.write(0);
    max_depth_o.write(0);
  }

  void step() {
    const bool kills = kill_valid_i.read();
    const std::uint32_t killed = kill_warp_i.read();
    const std::uint64_t poppable = logic_.poppable();
    HEDDLE_EXPECT(!(kills && launch_valid_i.read() && launch_warp_i.read() == killed));
    if (launch_valid_i.read()) {
      logic_.launch(launch_warp_i.read(), launch_pc_i.read(), launch_mask_i.read());
      write_warp(launch_warp_i.read());
    }
    const std::uint64_t advances = advance_i.read();
    HEDDLE_EXPECT(at_most_one(advances));
    if (advances != 0) {
      const std::uint32_t path = lowest_bit(advances);
      const std::uint32_t warp = warp_of_path<NumWarps>(path);
      logic_.advance(warp, slot_of_path<NumWarps>(path));
      write_warp(warp);
    }
    const TakenIn acts = logic_.taken_in();
    if (acts.valid) {
      (void)logic_.act(kills && killed == acts.warp);
      write_warp(acts.warp);
    }
    if (resolve_valid_i.read()) {
      const ResolveInput in = resolve_input();
      logic_.take_in(resolve_warp_i.read(), resolve_slot_i.read(), in);
    }
    const PopChoice popped = logic_.chosen();
    if (popped.valid) {
      (void)logic_.pop(popped.warp);
      write_warp(popped.warp);
    }
    if (kills) {
      logic_.kill(killed);
      write_warp(killed);
    }
    logic_.choose(poppable);
    write_shared();
    write_pop();
    write_resolution();
  }

  // Events are functions of the state: they are known when it is.
  void write_resolution() {
    bool resolved = false;
    bool next = false;
    bool push = false;
    bool overflow = false;
    const TakenIn acts = logic_.taken_in();
    if (acts.valid) {
      const DpeResolved result = logic_.acting();
      resolved = !result.overflow;
      next = result.next;
      push = result.push;
      overflow = result.overflow;
    }
    resolved_valid_o.write(resolved);
    resolved_warp_o.write(resolved ? acts.warp : 0);
    resolved_slot_o.write(resolved ? acts.slot : 0);
    resolved_next_o.write(next);
    push_valid_o.write(push);
    push_warp_o.write(push ? acts.warp : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? acts.warp : 0);
  }

  void write_pop() {
    const PopChoice chosen = logic_.chosen();
    const bool done = chosen.valid && logic_.depth(chosen.warp) == 1;
    pop_valid_o.write(chosen.valid);
    pop_warp_o.write(chosen.warp);
    done_valid_o.write(done);
    done_warp_o.write(done ? chosen.warp : 0);
  }

  [[nodiscard]] ResolveInput resolve_input() const {
    ResolveInput in;
    in.taken = resolve_taken_i.read();
    in.exit = resolve_exit_i.read();
    in.target = resolve_target_i.read();
    in.next = resolve_next_i.read();
    in.rpc = resolve_rpc_i.read();
    in.call = resolve_call_i.read();
    in.ret = resolve_return_i.read();
    return in;
  }

  void write_warp(std::uint32_t warp) {
    for (unsigned slot = 0; slot < 2; ++slot) {
      const StackPath path = logic_.path(warp, slot);
      pc_o[slot * NumWarps + warp].write(path.pc);
      mask_o[slot * NumWarps + warp].write(path.mask);
      level_o[slot * NumWarps + warp].write(path.level);
    }
    const DpeEntry top = logic_.top(warp);
    rpc_o[warp].write(top.rpc);
    rpc_level_o[warp].write(top.rpc_level);
    live_o[warp].write(logic_.live(warp));
    depth_o[warp].write(logic_.depth(warp));
  }

  void write_shared() {
    valid_o.write(logic_.valid(0) | logic_.valid(1) << NumWarps);
    sibling_o.write(logic_.valid(1) | logic_.valid(0) << NumWarps);
    max_depth_o.write(logic_.max_depth());
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
};

}  // namespace heddle
