// SPDX-License-Identifier: Apache-2.0
// spe_stack: single-path reconvergence stack of the warps of a scheduler. Contract: docs/frontend.md, stack/spe_stack; same
// pins as rtl/stack/spe_stack.sv.
//
// SpeStackLogic is the machine without a clock: decisions are pure functions of an entry, the rest applies them. The front
// end holds it directly; the module below puts pins around it.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"

namespace heddle {

// One entry: a path with its call level and the place where it meets others. sibling: the entry below meets there too.
struct SpeEntry {
  std::uint64_t mask = 0;
  std::uint32_t pc = 0;
  std::uint32_t rpc = 0;
  std::uint16_t level = 0;
  std::uint16_t rpc_level = 0;
  bool sibling = false;
};

// What follows from a resolution. next: the path simply goes on behind its instruction. Three entries go with it: on a push
// the old top becomes `base` (unless it is replaced), `under` lies on it (if both sides are pushed), and `top` is executed
// next; otherwise `top` is what the old one becomes.
struct SpeResolved {
  bool next = false;
  bool push = false;
  bool keep_base = false;
  bool two_sides = false;
  bool overflow = false;
  std::uint64_t live = 0;
  std::uint32_t depth = 0;
};

// Order: which side executes first.
constexpr std::uint32_t kTakenFirst = 0;
constexpr std::uint32_t kFallthroughFirst = 1;
constexpr std::uint32_t kSmallerFirst = 2;
constexpr std::uint32_t kLargerFirst = 3;

// The path of an entry.
[[nodiscard]] inline StackPath path_of(const SpeEntry& entry, std::uint32_t /*slot*/) {
  StackPath path;
  path.mask = entry.mask;
  path.pc = entry.pc;
  path.level = entry.level;
  return path;
}

// `entry` at another PC and level; if its path has arrived it is empty and knows where it returned to.
[[nodiscard]] inline SpeEntry spe_moved(const SpeEntry& entry, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
  const bool there = arrived(pc, level, entry.rpc, entry.rpc_level);
  SpeEntry result = entry;
  result.pc = pc;
  result.level = static_cast<std::uint16_t>(level);
  result.mask = there ? 0 : mask;
  result.rpc = there ? learnt(entry.rpc, pc) : entry.rpc;
  return result;
}

// The entry `below` when `top` is popped from it. The address that a return brought goes on to the sibling, and fills in the
// PC of the path whose sides met there.
[[nodiscard]] inline SpeEntry spe_uncovered(const SpeEntry& below, const SpeEntry& top, std::uint64_t live) {
  SpeEntry result = below;
  result.mask = below.mask & live;
  if (is_odd(top.rpc) && is_odd(below.rpc) && top.rpc_level == below.rpc_level) result.rpc = top.rpc;
  if (is_odd(below.pc)) {
    result.pc = top.rpc & ~std::uint32_t{1};
    if (arrived_at_pc(result.pc, below.level, below.rpc, below.rpc_level)) result.mask = 0;
  }
  return result;
}

// Which side executes first; ties: taken.
[[nodiscard]] inline bool taken_goes_first(std::uint32_t push_order, std::uint64_t taken, std::uint64_t fall) {
  bool first = push_order == kTakenFirst;
  if (push_order == kSmallerFirst) first = count_bits(taken) <= count_bits(fall);
  if (push_order == kLargerFirst) first = count_bits(taken) >= count_bits(fall);
  return first;
}

// The resolution of the path of `old`; what is not written of `base` and `under` does not matter.
[[nodiscard]] inline SpeResolved spe_resolved(const SpeEntry& old, std::uint64_t live, std::uint32_t depth,
                                              const StackConfig& config, const ResolveInput& in, SpeEntry& base,
                                              SpeEntry& under, SpeEntry& top) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = old.mask & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t mask = level_mask(config.level_bits);
  const std::uint32_t taken_level = target_level(old.level, in, mask);
  SpeResolved result;
  top = old;
  result.live = live_after;
  result.depth = depth;
  if (active == 0) {
    top.mask = 0;
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    top = spe_moved(old, fall == 0 ? in.target : in.next, fall == 0 ? taken_level : old.level, active);
    result.next = (taken == 0 || in.target == in.next) && top.mask != 0;
  } else {
    const MeetingPlace place = meeting_place(in.rpc, old.level, old.rpc, old.rpc_level, mask);
    const bool tail = same_place(place.rpc, place.level, old.rpc, old.rpc_level);
    const bool has_taken = !arrived(in.target, taken_level, place.rpc, place.level);
    const bool has_fall = !arrived(in.next, old.level, place.rpc, place.level);
    const bool two_sides = has_taken && has_fall;
    const std::uint32_t depth_after = depth + (tail ? 0u : 1u) + (two_sides ? 1u : 0u);
    if (depth_after > config.depth_limit) {
      result.overflow = true;
      result.live = live;
    } else {
      const bool taken_on_top = two_sides ? taken_goes_first(config.order, taken, fall) : has_taken;
      const bool lower_sibling = tail && old.sibling;
      const std::uint32_t rpc = two_sides ? place.rpc : learnt(place.rpc, has_taken ? in.next : in.target);
      const std::uint16_t rpc_level = static_cast<std::uint16_t>(place.level);
      const std::uint16_t target_side_level = static_cast<std::uint16_t>(taken_level);
      result.push = true;
      result.keep_base = !tail;
      result.two_sides = two_sides;
      result.depth = depth_after;
      base = old;
      base.pc = is_odd(place.rpc) ? kReturnPlace : place.rpc;
      base.level = rpc_level;
      base.mask = active;
      under.pc = taken_on_top ? in.next : in.target;
      under.level = taken_on_top ? old.level : target_side_level;
      under.mask = taken_on_top ? fall : taken;
      under.rpc = rpc;
      under.rpc_level = rpc_level;
      under.sibling = lower_sibling;
      top.pc = taken_on_top ? in.target : in.next;
      top.level = taken_on_top ? target_side_level : old.level;
      top.mask = taken_on_top ? taken : fall;
      top.rpc = rpc;
      top.rpc_level = rpc_level;
      top.sibling = two_sides || lower_sibling;
    }
  }
  return result;
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned PushOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1>
class SpeStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "spe_stack: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "spe_stack: 1 to 64 lanes");
  static_assert(Depth >= 2, "spe_stack: at least 2 entries");
  static_assert(PushOrder <= kLargerFirst, "spe_stack: PushOrder is 0 to 3");
  static_assert(LevelW >= 2 && LevelW <= 16, "spe_stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "spe_stack: Watch is 0 (without max_depth_o) or 1");

 public:
  static constexpr unsigned kSlots = 1;

  [[nodiscard]] static constexpr StackConfig default_config() { return {Depth, PushOrder, LevelW}; }

  explicit SpeStackLogic(const StackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
  }

  [[nodiscard]] static constexpr unsigned entry_bits() { return 32 + Lanes + LevelW + 32 + LevelW + 1; }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (entry_bits() + 1 + Lanes + index_width(Depth + 1)) + rows_below(NumWarps, Depth) * entry_bits() +
           Watch * index_width(Depth + 1) + taken_in_bits(NumWarps, kSlots, Lanes, LevelW, Depth) + pop_choice_bits(NumWarps, Depth);
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
    top_[warp].pc += 4;
    if (arrived_at_pc(top_[warp].pc, top_[warp].level, top_[warp].rpc, top_[warp].rpc_level)) {
      top_[warp].mask = 0;
      valid_ &= ~bit_of(warp);
    }
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have done is
  // returned all the same.
  SpeResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const SpeEntry old = top_[warp];
    SpeEntry base;
    SpeEntry under;
    SpeEntry top;
    const SpeResolved resolved = spe_resolved(old, live_[warp], depth, config_, resolution_, base, under, top);
    if (!killed) {
      // The old top stood at index depth - 1 and goes (back) to storage there; index of the lower side follows it.
      if (resolved.push && resolved.keep_base) below_[warp][depth - 1] = base;
      if (resolved.push && resolved.two_sides) below_[warp][resolved.depth - 2] = under;
      set_depth(warp, resolved.depth);
      top_[warp] = top;
      live_[warp] = resolved.live;
      update_valid(warp);
    }
    taken_in_.valid = false;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(top_[warp].mask != 0 && !(in.call && in.ret));
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
      const SpeEntry below = below_[warp][depth - 1];
      const SpeEntry top = top_[warp];
      top_[warp] = spe_uncovered(below, top, live_[warp]);
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
  // What act() will do.
  [[nodiscard]] SpeResolved acting() const {
    const std::uint32_t warp = taken_in_.warp;
    const SpeEntry old = top_[warp];
    SpeEntry base;
    SpeEntry under;
    SpeEntry top;
    return spe_resolved(old, live_[warp], depth_[warp], config_, resolution_, base, under, top);
  }

  [[nodiscard]] SpeEntry top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return path_of(top_[warp], slot); }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t /*slot*/) const { return top_[warp].sibling; }
  [[nodiscard]] std::uint64_t valid(std::uint32_t /*slot*/) const { return valid_; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }  // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  // Entry i from the bottom, i < depth(warp).
  [[nodiscard]] SpeEntry entry(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == depth_[warp] ? top_[warp] : below_[warp][i];
  }
  [[nodiscard]] StackConfig config() const { return config_; }

 private:
  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (Watch != 0 && depth > max_depth_) max_depth_ = depth;
  }

  void update_valid(std::uint32_t warp) { valid_ = with_bit(valid_, warp, top_[warp].mask != 0); }

  const StackConfig config_;
  SpeEntry top_[NumWarps];
  SpeEntry below_[NumWarps][Depth - 1];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_ = 0;
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned PushOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1>
class spe_stack : public sc_core::sc_module {
 public:
  using Logic = SpeStackLogic<NumWarps, Lanes, Depth, PushOrder, LevelW, Watch>;

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
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(pc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(mask_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(level_o, NumWarps);
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

  SC_HAS_PROCESS(spe_stack);
  explicit spe_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
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
    for (unsigned i = 0; i < NumWarps; ++i) {
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
      const std::uint32_t warp = lowest_bit(advances);
      logic_.advance(warp, 0);
      write_warp(warp);
    }
    const TakenIn acts = logic_.taken_in();
    if (acts.valid) {
      (void)logic_.act(kills && killed == acts.warp);
      write_warp(acts.warp);
    }
    if (resolve_valid_i.read()) {
      const ResolveInput in = resolve_input();
      logic_.take_in(resolve_warp_i.read(), 0, in);
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
    const std::uint32_t warp = acts.warp;
    if (acts.valid) {
      const SpeResolved result = logic_.acting();
      resolved = !result.overflow;
      next = result.next;
      push = result.push;
      overflow = result.overflow;
    }
    resolved_valid_o.write(resolved);
    resolved_warp_o.write(resolved ? warp : 0);
    resolved_slot_o.write(0);
    resolved_next_o.write(next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? warp : 0);
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
    const SpeEntry top = logic_.top(warp);
    pc_o[warp].write(top.pc);
    mask_o[warp].write(top.mask);
    level_o[warp].write(top.level);
    rpc_o[warp].write(top.rpc);
    rpc_level_o[warp].write(top.rpc_level);
    live_o[warp].write(logic_.live(warp));
    depth_o[warp].write(logic_.depth(warp));
  }

  void write_shared() {
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) sibling = with_bit(sibling, w, logic_.sibling(w, 0));
    sibling_o.write(sibling);
    valid_o.write(logic_.valid(0));
    max_depth_o.write(logic_.max_depth());
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
};

}  // namespace heddle
