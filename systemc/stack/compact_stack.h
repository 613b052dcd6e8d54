// SPDX-License-Identifier: Apache-2.0
// compact_stack: single-path reconvergence stack with one entry a nesting. Contract: docs/frontend.md, stack/compact_stack;
// same pins as rtl/stack/compact_stack.sv.
//
// CompactStackLogic is the machine without a clock. What becomes of a path is what the textbook's stack says; what a
// divergence leaves behind is folded into one entry. Of two sides the sibling bit of the top says that the later one waits.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"
#include "stack/spe_stack.h"

namespace heddle {

// What a divergence leaves behind: the later side, and unless it is a tail the meeting point with what the entry was.
struct CompactEntry {
  std::uint64_t later_mask = 0;
  std::uint64_t meeting_mask = 0;
  std::uint32_t later_pc = 0;
  std::uint32_t rpc = 0;
  std::uint16_t later_level = 0;
  std::uint16_t rpc_level = 0;
  bool sibling = false;
  bool tail = false;
};

// What follows from a resolution. next: the path simply goes on behind its instruction. Two entries go with it: the new top,
// and if the stack grows the one that is pushed.
struct CompactResolved {
  bool next = false;
  bool push = false;
  bool grows = false;
  bool overflow = false;
  std::uint64_t live = 0;
};

[[nodiscard]] inline CompactResolved compact_resolved(const SpeEntry& old, std::uint64_t live, std::uint32_t depth,
                                                      const StackConfig& config, const ResolveInput& in, CompactEntry& entry,
                                                      SpeEntry& top) {
  StackConfig unlimited = config;
  unlimited.depth_limit = 3;  // the old top, replaced or below two sides
  SpeEntry base;
  SpeEntry under;
  const SpeResolved resolved = spe_resolved(old, live, 1, unlimited, in, base, under, top);
  CompactResolved result;
  result.next = resolved.next;
  result.grows = resolved.keep_base || resolved.two_sides;
  result.overflow = result.grows && depth == config.depth_limit;
  result.push = resolved.push && !result.overflow;
  result.live = resolved.live;
  entry.later_mask = under.mask;
  entry.later_pc = under.pc;
  entry.later_level = under.level;
  entry.meeting_mask = base.mask;
  entry.rpc = old.rpc;
  entry.rpc_level = old.rpc_level;
  entry.sibling = old.sibling;
  entry.tail = !resolved.keep_base;
  return result;
}

// The later side of `entry`, when the side that executed first has come to the place of `top`.
[[nodiscard]] inline SpeEntry later_side(const CompactEntry& entry, const SpeEntry& top, std::uint64_t live) {
  SpeEntry result = top;
  result.pc = entry.later_pc;
  result.mask = entry.later_mask & live;
  result.level = entry.later_level;
  result.sibling = entry.tail && entry.sibling;
  return result;
}

// The path of all, when the last of the sides has come to the place of `top`.
[[nodiscard]] inline SpeEntry meeting_point(const CompactEntry& entry, const SpeEntry& top, std::uint64_t live) {
  SpeEntry waiting;
  waiting.pc = is_odd(top.rpc) ? kReturnPlace : top.rpc;
  waiting.level = top.rpc_level;
  waiting.mask = entry.meeting_mask;
  waiting.rpc = entry.rpc;
  waiting.rpc_level = entry.rpc_level;
  waiting.sibling = entry.sibling;
  return spe_uncovered(waiting, top, live);
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 8, unsigned PushOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1>
class CompactStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "compact_stack: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "compact_stack: 2 to 64 lanes");
  static_assert(Depth >= 2, "compact_stack: at least 2 entries");
  static_assert(PushOrder <= kLargerFirst, "compact_stack: PushOrder is 0 to 3");
  static_assert(LevelW >= 2 && LevelW <= 16, "compact_stack: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "compact_stack: Watch is 0 (without max_depth_o) or 1");

 public:
  static constexpr unsigned kSlots = 1;

  [[nodiscard]] static constexpr StackConfig default_config() { return {Depth, PushOrder, LevelW}; }

  explicit CompactStackLogic(const StackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
  }

  // PCs are even: bit 0 is no state. A later side's level is that of the place and -1 to 2, or takes the place of a saved one.
  [[nodiscard]] static constexpr unsigned entry_bits() { return 31 + Lanes + Lanes + 32 + LevelW + 2 + 1 + 1; }
  [[nodiscard]] static constexpr unsigned state_bits() {
    constexpr unsigned kDepthW = index_width(Depth + 1), kWarpW = index_width(NumWarps);
    constexpr unsigned kTop = 31 + Lanes + LevelW + 32 + LevelW + 1;
    constexpr unsigned kResolution = kTop + Lanes + kDepthW + kWarpW + 7;
    return NumWarps * (kTop + 1 + Lanes + kDepthW) + kResolution + 1 + kWarpW + kDepthW + Watch * kDepthW +
           (NumWarps << index_width(Depth - 1)) * entry_bits();
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
  CompactResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint32_t depth = depth_[warp];
    const SpeEntry old = top_[warp];
    CompactEntry entry;
    SpeEntry top;
    const CompactResolved resolved = compact_resolved(old, live_[warp], depth, config_, resolution_, entry, top);
    if (!killed && !resolved.overflow) {
      if (resolved.grows) {
        below_[warp][depth - 1] = entry;
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
    bool removed = true;
    if (depth != 0) {
      const CompactEntry entry = below_[warp][depth - 1];
      const SpeEntry top = top_[warp];
      removed = !top.sibling || entry.tail;
      if (top.sibling) {
        top_[warp] = later_side(entry, top, live_[warp]);
      } else {
        top_[warp] = meeting_point(entry, top, live_[warp]);
      }
    }
    if (removed) set_depth(warp, depth);
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
  [[nodiscard]] CompactResolved acting() const {
    const std::uint32_t warp = taken_in_.warp;
    const SpeEntry old = top_[warp];
    CompactEntry entry;
    SpeEntry top;
    return compact_resolved(old, live_[warp], depth_[warp], config_, resolution_, entry, top);
  }

  [[nodiscard]] SpeEntry top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t slot) const { return path_of(top_[warp], slot); }
  // Another path of the warp meets this one at the same place.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t /*slot*/) const { return top_[warp].sibling; }
  [[nodiscard]] std::uint64_t valid(std::uint32_t /*slot*/) const { return valid_; }  // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }                  // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  // What nesting i left behind, 0 = the outermost, i + 1 < depth(warp).
  [[nodiscard]] CompactEntry below(std::uint32_t warp, std::uint32_t i) const { return below_[warp][i]; }
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
  CompactEntry below_[NumWarps][Depth - 1];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_ = 0;
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  ResolveInput resolution_;
  PopChoice chosen_;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 8, unsigned PushOrder = 0, unsigned LevelW = 8,
          unsigned Watch = 1>
class compact_stack : public sc_core::sc_module {
 public:
  using Logic = CompactStackLogic<NumWarps, Lanes, Depth, PushOrder, LevelW, Watch>;

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

  SC_HAS_PROCESS(compact_stack);
  explicit compact_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
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
      const CompactResolved result = logic_.acting();
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
