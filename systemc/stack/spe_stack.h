// SPDX-License-Identifier: Apache-2.0
// spe_stack: single-path reconvergence stack of the warps of a scheduler. Contract: docs/frontend.md, stack/spe_stack;
// same pins as rtl/stack/spe_stack.sv.
//
// SpeStackLogic is the machine without a clock, which the front ends hold. The module below holds its state once, in
// pins and signals. Both apply the same decisions, pure functions of an entry.
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

// What follows from a resolution. next: the path simply goes on behind its instruction. Three entries go with it: on a
// push the old top becomes `base` (unless it is replaced), `under` lies on it (if both sides are pushed), and `top` is
// executed next; otherwise `top` is what the old one becomes.
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
constexpr std::uint32_t kPushTakenFirst = 0;
constexpr std::uint32_t kPushFallThroughFirst = 1;
constexpr std::uint32_t kPushSmallerFirst = 2;
constexpr std::uint32_t kPushLargerFirst = 3;

// The path of an entry.
[[nodiscard]] inline StackPath path_of(const SpeEntry& entry, std::uint32_t /*slot*/) {
  StackPath path;
  path.mask = entry.mask;
  path.pc = entry.pc;
  path.level = entry.level;
  return path;
}

// `entry` goes to another PC and level; if its path has arrived it is empty and knows where it returned to.
inline void spe_move(SpeEntry& entry, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
  const bool there = arrived(pc, level, entry.rpc, entry.rpc_level);
  entry.pc = pc;
  entry.level = static_cast<std::uint16_t>(level);
  entry.mask = there ? 0 : mask;
  if (there) entry.rpc = learnt(entry.rpc, pc);
}

// `entry` is uncovered as `top` is popped from it. The address that a return brought goes on to the sibling, and fills
// in the PC of the path whose sides met there.
inline void spe_uncover(SpeEntry& entry, const SpeEntry& top, std::uint64_t live) {
  entry.mask &= live;
  if (is_odd(entry.pc)) {
    entry.pc = top.rpc & ~std::uint32_t{1};
    if (arrived_at_pc(entry.pc, entry.level, entry.rpc, entry.rpc_level)) entry.mask = 0;
  }
  if (is_odd(top.rpc) && is_odd(entry.rpc) && top.rpc_level == entry.rpc_level) entry.rpc = top.rpc;
}

// Which side executes first; ties: taken.
[[nodiscard]] inline bool taken_goes_first(std::uint32_t push_order, std::uint64_t taken, std::uint64_t fall) {
  bool first = push_order == kPushTakenFirst;
  if (push_order == kPushSmallerFirst) first = count_bits(taken) <= count_bits(fall);
  if (push_order == kPushLargerFirst) first = count_bits(taken) >= count_bits(fall);
  return first;
}

// The resolution of the path of `old`; what is not written of `base` and `under` does not matter.
inline void spe_resolve(const SpeEntry& old, std::uint64_t live, std::uint32_t depth, const StackConfig& config,
                        const ResolveInput& in, SpeResolved& result, SpeEntry& base, SpeEntry& under, SpeEntry& top) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = old.mask & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t mask = level_mask(config.level_bits);
  const std::uint32_t taken_level = target_level(old.level, in, mask);
  top = old;
  result.live = live_after;
  result.depth = depth;
  if (active == 0) {
    top.mask = 0;
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    spe_move(top, fall == 0 ? in.target : in.next, fall == 0 ? taken_level : old.level, active);
    result.next = (taken == 0 || in.target == in.next) && top.mask != 0;
  } else {
    MeetingPlace place;
    find_meeting_place(in.rpc, old.level, old.rpc, old.rpc_level, mask, place);
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
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned PushOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class SpeStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "spe_stack: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "spe_stack: 1 to 64 lanes");
  static_assert(Depth >= 2, "spe_stack: at least 2 entries");
  static_assert(PushOrder <= kPushLargerFirst, "spe_stack: PushOrder is 0 to 3");
  static_assert(LevelW >= 2 && LevelW <= 16, "spe_stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "spe_stack: Watch is 0 (without max_depth_o) or 1");
  static_assert(is_pc_step(PcStep), "spe_stack: PcStep is a power of two of at least 2");

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
           Watch * index_width(Depth + 1) + taken_in_bits(NumWarps, kSlots, Lanes, LevelW, Depth) +
           pop_choice_bits(NumWarps, Depth) + row_address_bits(NumWarps, Depth, 2);
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
    top_[warp].pc += PcStep;
    if (arrived_at_pc(top_[warp].pc, top_[warp].level, top_[warp].rpc, top_[warp].rpc_level)) {
      top_[warp].mask = 0;
      valid_ &= ~bit_of(warp);
    }
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same.
  SpeResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const SpeEntry old = top_[warp];
    SpeEntry base;
    SpeEntry under;
    SpeEntry top;
    SpeResolved resolved;
    spe_resolve(old, live_[warp], depth, config_, resolution_, resolved, base, under, top);
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
      const SpeEntry top = top_[warp];
      top_[warp] = below_[warp][depth - 1];
      spe_uncover(top_[warp], top, live_[warp]);
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
          unsigned Watch = 1, unsigned PcStep = 4>
class spe_stack : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = SpeStackLogic<NumWarps, Lanes, Depth, PushOrder, LevelW, Watch, PcStep>;

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

  SC_HAS_PROCESS(spe_stack);
  explicit spe_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
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
    sensitive << acts_ << acting_warp_ << taken_ << exit_ << target_ << next_ << meet_ << call_ << return_;
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
      below_pc_[i].write(0);
      below_mask_[i].write(0);
      below_level_[i].write(0);
      below_rpc_[i].write(0);
      below_rpc_level_[i].write(0);
      below_sibling_[i].write(false);
    }
    acts_.write(false);
    acting_warp_.write(0);
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
      SpeEntry entry;
      entry.pc = launch_pc_i.read();
      entry.mask = launch_mask_i.read();
      write_top(warp, entry);
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      if (most == 0) most = 1;
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned w = 0; w < NumWarps; ++w) {
      if (has_bit(advance_i.read(), w)) {
        HEDDLE_EXPECT(mask_o[w].read() != 0);
        pc_o[w].write(pc_o[w].read() + PcStep);
        if (arrives(w)) mask_o[w].write(0);
      }
    }
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t row = warp * (Depth - 1) + depth_o[warp].read() - 1;  // of the old top, if it is kept
      SpeResolved resolved;
      SpeEntry base;
      SpeEntry under;
      SpeEntry entry;
      resolve(resolved, base, under, entry);
      if (!(kills && killed == warp)) {
        if (resolved.push && resolved.keep_base) write_below(row, base);
        if (resolved.push && resolved.two_sides) write_below(resolved.keep_base ? row + 1 : row, under);
        write_top(warp, entry);
        live_o[warp].write(resolved.live);
        depth_o[warp].write(resolved.depth);
        if (resolved.depth > most) most = resolved.depth;
      }
    }
    if (pop_valid_o.read()) {
      const std::uint32_t warp = pop_warp_o.read();
      const std::uint32_t depth = depth_o[warp].read() - 1;
      if (depth != 0) {
        const std::uint32_t row = warp * (Depth - 1) + depth - 1;
        SpeEntry old;
        read_top(warp, old);
        SpeEntry entry;
        entry.pc = below_pc_[row].read();
        entry.mask = below_mask_[row].read();
        entry.level = static_cast<std::uint16_t>(below_level_[row].read());
        entry.rpc = below_rpc_[row].read();
        entry.rpc_level = static_cast<std::uint16_t>(below_rpc_level_[row].read());
        entry.sibling = below_sibling_[row].read();
        spe_uncover(entry, old, live_o[warp].read());
        write_top(warp, entry);
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
      acting_warp_.write(warp);
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
      const bool popped = pop_valid_o.read() && pop_warp_o.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      poppable = with_bit(poppable, w, depth_o[w].read() != 0 && mask_o[w].read() == 0 && !popped && !killed);
    }
    pop_valid_o.write(poppable != 0);
    pop_warp_o.write(poppable != 0 ? lowest_bit(poppable) : 0);
  }

  // An advance of the warp's path arrives.
  [[nodiscard]] bool arrives(std::uint32_t warp) const {
    return arrived_at_pc(pc_o[warp].read() + PcStep, level_o[warp].read(), rpc_o[warp].read(),
                         rpc_level_o[warp].read());
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
    SpeResolved result;
    SpeEntry base;
    SpeEntry under;
    SpeEntry entry;
    resolve(result, base, under, entry);
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
  void resolve(SpeResolved& resolved, SpeEntry& base, SpeEntry& under, SpeEntry& entry) const {
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
    SpeEntry old;
    read_top(warp, old);
    spe_resolve(old, live_o[warp].read(), depth_o[warp].read(), config, in, resolved, base, under, entry);
  }

  void read_top(std::uint32_t warp, SpeEntry& entry) const {
    entry.pc = pc_o[warp].read();
    entry.mask = mask_o[warp].read();
    entry.level = static_cast<std::uint16_t>(level_o[warp].read());
    entry.rpc = rpc_o[warp].read();
    entry.rpc_level = static_cast<std::uint16_t>(rpc_level_o[warp].read());
    entry.sibling = sibling_[warp].read();
  }

  void write_top(std::uint32_t warp, const SpeEntry& entry) {
    pc_o[warp].write(entry.pc);
    mask_o[warp].write(entry.mask);
    level_o[warp].write(entry.level);
    rpc_o[warp].write(entry.rpc);
    rpc_level_o[warp].write(entry.rpc_level);
    sibling_[warp].write(entry.sibling);
  }

  void write_below(std::uint32_t row, const SpeEntry& entry) {
    below_pc_[row].write(entry.pc);
    below_mask_[row].write(entry.mask);
    below_level_[row].write(entry.level);
    below_rpc_[row].write(entry.rpc);
    below_rpc_level_[row].write(entry.rpc_level);
    below_sibling_[row].write(entry.sibling);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  const std::uint32_t level_bits_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(sibling_, NumWarps);
  // storage: entry i from the bottom of warp w at w * (Depth - 1) + i
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_rpc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_rpc_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_sibling_, kRows);
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(meet_);
  sc_core::sc_signal<bool> SC_NAMED(call_);
  sc_core::sc_signal<bool> SC_NAMED(return_);
};

}  // namespace heddle
