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

// One entry: two paths and the PC at which both of them rejoin. A slot with an empty mask is empty.
struct DpeEntry {
  std::uint64_t mask_l = 0;
  std::uint64_t mask_r = 0;
  std::uint32_t pc_l = 0;
  std::uint32_t pc_r = 0;
  std::uint32_t rpc = 0;
};

// What follows from a resolution: new top, and on a push that is not a replacement the entry that goes below it.
struct DpeResolved {
  bool push = false;
  bool replace = false;
  bool overflow = false;
  DpeEntry top;
  DpeEntry below;
  std::uint64_t live = 0;
};

// Options and limits of one stack; the narrower limit uses fewer entries than the module has.
struct DpeStackConfig {
  std::uint32_t depth_limit = 0;
  bool taken_left = true;
};

[[nodiscard]] inline std::uint32_t slot_pc(const DpeEntry& entry, std::uint32_t slot) {
  return slot != 0 ? entry.pc_r : entry.pc_l;
}
[[nodiscard]] inline std::uint64_t slot_mask(const DpeEntry& entry, std::uint32_t slot) {
  return slot != 0 ? entry.mask_r : entry.mask_l;
}

// `entry` with one slot rewritten; a path that has arrived leaves its slot.
[[nodiscard]] inline DpeEntry with_slot(const DpeEntry& entry, std::uint32_t slot, std::uint32_t pc, std::uint64_t mask) {
  const std::uint64_t kept = arrived(pc, entry.rpc) ? 0 : mask;
  DpeEntry result = entry;
  if (slot != 0) {
    result.pc_r = pc;
    result.mask_r = kept;
  } else {
    result.pc_l = pc;
    result.mask_l = kept;
  }
  return result;
}

// One instruction forward.
[[nodiscard]] inline DpeEntry dpe_advanced(const DpeEntry& entry, std::uint32_t slot) {
  return with_slot(entry, slot, slot_pc(entry, slot) + 4, slot_mask(entry, slot));
}

// The resolution of the branch of path `slot`. `top` already has the sibling's advance of the same cycle.
[[nodiscard]] inline DpeResolved dpe_resolved(const DpeEntry& top, std::uint64_t live, std::uint32_t depth,
                                              const DpeStackConfig& config, std::uint32_t slot, const ResolveInput& in) {
  const std::uint64_t live_after = live & ~in.exit;
  const std::uint64_t active = slot_mask(top, slot) & live_after;
  const std::uint64_t taken = in.taken & active;
  const std::uint64_t fall = active & ~in.taken;
  const std::uint32_t rpc = in.rpc != 0 ? in.rpc : top.rpc;
  DpeResolved result;
  result.top = top;
  result.live = live_after;
  if (active == 0) {
    if (slot != 0) {
      result.top.mask_r = 0;
    } else {
      result.top.mask_l = 0;
    }
  } else if (taken == 0 || fall == 0 || in.target == in.next) {
    result.top = with_slot(top, slot, fall == 0 ? in.target : in.next, active);
  } else {
    const bool tail = rpc == top.rpc;
    const std::uint64_t other = slot != 0 ? top.mask_l : top.mask_r;
    result.replace = tail && other == 0;
    if (!result.replace && depth >= config.depth_limit) {
      result.overflow = true;
      result.live = live;
    } else {
      const std::uint64_t taken_side = arrived(in.target, rpc) ? 0 : taken;
      const std::uint64_t fall_side = arrived(in.next, rpc) ? 0 : fall;
      result.push = true;
      result.below = top;
      if (slot != 0) {
        result.below.pc_r = tail ? top.pc_r : rpc;
        result.below.mask_r = tail ? 0 : active;
      } else {
        result.below.pc_l = tail ? top.pc_l : rpc;
        result.below.mask_l = tail ? 0 : active;
      }
      result.top.pc_l = config.taken_left ? in.target : in.next;
      result.top.mask_l = config.taken_left ? taken_side : fall_side;
      result.top.pc_r = config.taken_left ? in.next : in.target;
      result.top.mask_r = config.taken_left ? fall_side : taken_side;
      result.top.rpc = rpc;
    }
  }
  return result;
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1>
class DpeStackLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "dpe_stack: 1 to 64 warps");
  static_assert(Lanes >= 1 && Lanes <= 64, "dpe_stack: 1 to 64 lanes");
  static_assert(Depth >= 2, "dpe_stack: at least 2 entries");

 public:
  [[nodiscard]] static constexpr DpeStackConfig default_config() { return {Depth, TakenLeft != 0}; }

  explicit DpeStackLogic(const DpeStackConfig& config = default_config()) : config_(config) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
  }

  [[nodiscard]] static constexpr unsigned entry_bits() { return 2 * (32 + Lanes) + 32; }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (entry_bits() + 2 + Lanes + index_width(Depth + 1)) + NumWarps * (Depth - 1) * entry_bits() +
           index_width(Depth + 1);
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      top_[w] = DpeEntry();
      live_[w] = 0;
      depth_[w] = 0;
    }
    valid_l_ = 0;
    valid_r_ = 0;
    occupied_ = 0;
    max_depth_ = 0;
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
    HEDDLE_EXPECT(slot_mask(top_[warp], slot) != 0);
    if (slot != 0) {
      top_[warp].pc_r += 4;
      if (arrived(top_[warp].pc_r, top_[warp].rpc)) {
        top_[warp].mask_r = 0;
        valid_r_ &= ~bit_of(warp);
      }
    } else {
      top_[warp].pc_l += 4;
      if (arrived(top_[warp].pc_l, top_[warp].rpc)) {
        top_[warp].mask_l = 0;
        valid_l_ &= ~bit_of(warp);
      }
    }
  }

  // After advance() of the same cycle.
  [[nodiscard]] DpeResolved resolve(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(slot_mask(top_[warp], slot) != 0);
    const std::uint32_t depth = depth_[warp];
    const DpeResolved resolved = dpe_resolved(top_[warp], live_[warp], depth, config_, slot, in);
    if (resolved.push && !resolved.replace) {
      below_[warp][depth - 1] = resolved.below;
      set_depth(warp, depth + 1);
    }
    top_[warp] = resolved.top;
    live_[warp] = resolved.live;
    update_valid(warp);
    return resolved;
  }

  // Warps whose top entry is empty; the lowest of them is popped in this cycle.
  [[nodiscard]] std::uint64_t poppable() const { return occupied_ & ~(valid_l_ | valid_r_); }

  // Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const std::uint32_t depth = depth_[warp] - 1;
    if (depth != 0) {
      top_[warp] = below_[warp][depth - 1];
      top_[warp].mask_l &= live_[warp];
      top_[warp].mask_r &= live_[warp];
    }
    set_depth(warp, depth);
    update_valid(warp);
    return depth == 0;
  }

  [[nodiscard]] const DpeEntry& top(std::uint32_t warp) const { return top_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return depth_[warp]; }
  [[nodiscard]] std::uint64_t valid_l() const { return valid_l_; }    // bit a warp
  [[nodiscard]] std::uint64_t valid_r() const { return valid_r_; }    // bit a warp
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }  // bit a warp: depth is not 0
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  // Entry i from the bottom, i < depth(warp).
  [[nodiscard]] const DpeEntry& entry(std::uint32_t warp, std::uint32_t i) const {
    return i + 1 == depth_[warp] ? top_[warp] : below_[warp][i];
  }
  [[nodiscard]] const DpeStackConfig& config() const { return config_; }

 private:
  void set_depth(std::uint32_t warp, std::uint32_t depth) {
    depth_[warp] = depth;
    occupied_ = with_bit(occupied_, warp, depth != 0);
    if (depth > max_depth_) max_depth_ = depth;
  }

  void update_valid(std::uint32_t warp) {
    valid_l_ = with_bit(valid_l_, warp, top_[warp].mask_l != 0);
    valid_r_ = with_bit(valid_r_, warp, top_[warp].mask_r != 0);
  }

  const DpeStackConfig config_;
  DpeEntry top_[NumWarps];
  DpeEntry below_[NumWarps][Depth - 1];
  std::uint64_t live_[NumWarps] = {};
  std::uint32_t depth_[NumWarps] = {};
  std::uint64_t valid_l_ = 0;
  std::uint64_t valid_r_ = 0;
  std::uint64_t occupied_ = 0;  // derived: depth is not 0
  std::uint32_t max_depth_ = 0;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1>
class dpe_stack : public sc_core::sc_module {
 public:
  using Logic = DpeStackLogic<NumWarps, Lanes, Depth, TakenLeft>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_pc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(launch_mask_i);
  // issue
  sc_core::sc_in<bool> SC_NAMED(advance_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(advance_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(advance_slot_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_target_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_next_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_exit_i);
  // state
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(pc_l_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(mask_l_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(pc_r_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(mask_r_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_out<std::uint64_t> SC_NAMED(valid_l_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(valid_r_o);
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(dpe_stack);
  explicit dpe_stack(sc_core::sc_module_name name, const DpeStackConfig& config = Logic::default_config())
      : sc_core::sc_module(name), config_(config), logic_(config) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(resolution_events);
    sensitive << advance_valid_i << advance_warp_i << advance_slot_i << resolve_valid_i << resolve_warp_i << resolve_slot_i
              << resolve_taken_i << resolve_target_i << resolve_next_i << resolve_rpc_i << resolve_exit_i;
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << pc_l_o[w] << mask_l_o[w] << pc_r_o[w] << mask_r_o[w] << rpc_o[w] << live_o[w] << depth_o[w];
    }
    SC_METHOD(pop_events);
    sensitive << valid_l_o << valid_r_o;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    for (unsigned w = 0; w < NumWarps; ++w) write_warp(w);
    write_shared();
  }

  void step() {
    const std::uint64_t poppable = logic_.poppable();
    if (launch_valid_i.read()) {
      logic_.launch(launch_warp_i.read(), launch_pc_i.read(), launch_mask_i.read());
      write_warp(launch_warp_i.read());
    }
    if (advance_valid_i.read()) {
      logic_.advance(advance_warp_i.read(), advance_slot_i.read());
      write_warp(advance_warp_i.read());
    }
    if (resolve_valid_i.read()) {
      (void)logic_.resolve(resolve_warp_i.read(), resolve_slot_i.read(), resolve_input());
      write_warp(resolve_warp_i.read());
    }
    if (poppable != 0) {
      logic_.pop(lowest_bit(poppable));
      write_warp(lowest_bit(poppable));
    }
    write_shared();
  }

  void resolution_events() {
    bool push = false;
    bool overflow = false;
    if (resolve_valid_i.read()) {
      const std::uint32_t warp = resolve_warp_i.read();
      DpeEntry top;
      top.pc_l = pc_l_o[warp].read();
      top.mask_l = mask_l_o[warp].read();
      top.pc_r = pc_r_o[warp].read();
      top.mask_r = mask_r_o[warp].read();
      top.rpc = rpc_o[warp].read();
      if (advance_valid_i.read() && advance_warp_i.read() == warp) top = dpe_advanced(top, advance_slot_i.read());
      const DpeResolved resolved =
          dpe_resolved(top, live_o[warp].read(), depth_o[warp].read(), config_, resolve_slot_i.read(), resolve_input());
      push = resolved.push;
      overflow = resolved.overflow;
    }
    push_valid_o.write(push);
    push_warp_o.write(push ? resolve_warp_i.read() : 0);
    overflow_valid_o.write(overflow);
    overflow_warp_o.write(overflow ? resolve_warp_i.read() : 0);
  }

  void pop_events() {
    std::uint64_t occupied = 0;
    for (unsigned w = 0; w < NumWarps; ++w) occupied = with_bit(occupied, w, depth_o[w].read() != 0);
    const std::uint64_t poppable = occupied & ~(valid_l_o.read() | valid_r_o.read());
    const std::uint32_t warp = poppable != 0 ? lowest_bit(poppable) : 0;
    const bool done = poppable != 0 && depth_o[warp].read() == 1;
    pop_valid_o.write(poppable != 0);
    pop_warp_o.write(warp);
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
  }

  [[nodiscard]] ResolveInput resolve_input() const {
    ResolveInput in;
    in.taken = resolve_taken_i.read();
    in.exit = resolve_exit_i.read();
    in.target = resolve_target_i.read();
    in.next = resolve_next_i.read();
    in.rpc = resolve_rpc_i.read();
    return in;
  }

  void write_warp(std::uint32_t warp) {
    pc_l_o[warp].write(logic_.top(warp).pc_l);
    mask_l_o[warp].write(logic_.top(warp).mask_l);
    pc_r_o[warp].write(logic_.top(warp).pc_r);
    mask_r_o[warp].write(logic_.top(warp).mask_r);
    rpc_o[warp].write(logic_.top(warp).rpc);
    live_o[warp].write(logic_.live(warp));
    depth_o[warp].write(logic_.depth(warp));
  }

  void write_shared() {
    valid_l_o.write(logic_.valid_l());
    valid_r_o.write(logic_.valid_r());
    max_depth_o.write(logic_.max_depth());
  }

  HEDDLE_CLOCKED_BODY()

  const DpeStackConfig config_;
  Logic logic_;
};

}  // namespace heddle
