// SPDX-License-Identifier: Apache-2.0
// dpe_split_stack: dual-path reconvergence stack in which a path may be two parts. Contract: docs/frontend.md,
// stack/dpe_split_stack; same pins as rtl/stack/dpe_split_stack.sv.
//
// Its state is in pins and signals. Decisions are pure functions of entries, which DpeSplitStackLogic
// (stack/dpe_split_logic.h) applies, too: the machine without a clock, which the front ends hold.
#pragma once

#include "common/types.h"
#include "stack/dpe_entry.h"
#include "stack/dpe_split_logic.h"
#include "stack/resolution.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class dpe_split_stack : public sc_core::sc_module {
  static_assert(2 * NumWarps <= 64, "dpe_split_stack: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = DpeSplitStackLogic<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep>;
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
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(merge_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(stopped_i);
  sc_core::sc_in<bool> SC_NAMED(split_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(split_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(split_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(split_mask_i);
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
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(sibling_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(wait_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(parts_o);
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
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);

  SC_HAS_PROCESS(dpe_split_stack);
  explicit dpe_split_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        depth_limit_(config.depth_limit),
        order_(config.order),
        level_bits_(config.level_bits) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW && config.order <= kTakenRight);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
    SC_METHOD(show_done);
    sensitive << pop_valid_o << pop_warp_o;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << acting_slot_ << taken_ << exit_ << target_ << next_ << meet_ << call_
              << return_;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << pc_o[i] << mask_o[i] << level_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << rpc_o[w] << rpc_level_o[w] << live_o[w] << depth_o[w];
    sensitive << parts_ << waits_l_ << waits_r_ << once_ << merge_i << stopped_i;
    SC_METHOD(show_parts);
    sensitive << parts_ << waits_l_ << waits_r_ << stopped_i;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
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
    splits_o.write(0);
    merges_o.write(0);
    parts_.write(0);
    waits_l_.write(0);
    waits_r_.write(0);
    for (unsigned i = 0; i < kRows; ++i) below_parts_[i].write(false);
    once_.write(false);
    meet_valid_.write(false);
    meet_warp_.write(0);
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
    std::uint64_t parts = parts_.read();
    if (launch_valid_i.read()) parts = with_bit(parts, launch_warp_i.read(), false);
    std::uint64_t waits_l = wait_o.read() & low_bits(NumWarps);
    std::uint64_t waits_r = wait_o.read() >> NumWarps;
    std::uint32_t merges = 0;
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned slot = 0; slot < 2; ++slot) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        const unsigned path = slot * NumWarps + w;
        if (has_bit(advance_i.read(), path)) {
          HEDDLE_EXPECT(mask_o[path].read() != 0 && !(acts_.read() && acting_warp_.read() == w));
          const std::uint32_t pc = pc_o[path].read() + PcStep;
          pc_o[path].write(pc);
          MeetingPlace own;
          own.rpc = rpc_o[w].read();
          own.level = rpc_level_o[w].read();
          if (arrived_at_pc(pc, level_o[path].read(), own.rpc, own.level)) {
            mask_o[path].write(0);
          } else {
            const unsigned other = slot != 0 ? w : NumWarps + w;
            const bool beside = pc == pc_o[other].read() && level_o[path].read() == level_o[other].read();
            if (has_bit(parts_o.read(), w) && has_bit(merge_i.read(), other) && beside) {
              mask_o[other].write(mask_o[other].read() | mask_o[path].read());
              mask_o[path].write(0);
              if (!(kills && killed == w)) ++merges;
            }
          }
        }
      }
    }
    if (acts_.read()) {
      const std::uint32_t warp = acting_warp_.read();
      const std::uint32_t depth = depth_o[warp].read();
      DpeResolved resolved;
      DpePart part;
      DpeEntry below;
      DpeEntry entry;
      resolve(resolved, part, below, entry);
      if (!(kills && killed == warp)) {
        if (resolved.push && !resolved.replace) {
          write_below(warp * (Depth - 1) + depth - 1, below);
          depth_o[warp].write(depth + 1);
          if (depth + 1 > most) most = depth + 1;
        }
        write_top(warp, entry);
        live_o[warp].write(resolved.live);
        if (resolved.push) {
          if (!resolved.replace) below_parts_[warp * (Depth - 1) + depth - 1].write(has_bit(parts, warp));
          parts = with_bit(parts, warp, false);
        }
        const bool left = acting_slot_.read() == 0;
        waits_l = with_bit(waits_l, warp, (left && part.waits) || (has_bit(waits_l, warp) && !left && !resolved.push));
        waits_r = with_bit(waits_r, warp, (!left && part.waits) || (has_bit(waits_r, warp) && left && !resolved.push));
        if (part.joins) ++merges;
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
        read_below(row, entry);
        MeetingPlace own;
        own.rpc = entry.rpc;
        own.level = entry.rpc_level;
        dpe_uncover(entry, own, own, old, live_o[warp].read());
        write_top(warp, entry);
        parts = with_bit(parts, warp, below_parts_[row].read());
      }
      depth_o[warp].write(depth);
    }
    if (split_valid_i.read()) {
      const std::uint32_t warp = split_warp_i.read();
      const std::uint32_t slot = split_slot_i.read();
      DpeEntry entry;
      read_top(warp, entry);
      HEDDLE_EXPECT(path_of(entry, slot).mask != 0 && path_of(entry, 1 - slot).mask == 0);
      dpe_split(entry, slot, split_mask_i.read());
      HEDDLE_EXPECT(entry.mask_l != 0 && entry.mask_r != 0);
      write_top(warp, entry);
      parts = with_bit(parts, warp, true);
      waits_l = with_bit(waits_l, warp, false);
      waits_r = with_bit(waits_r, warp, false);
      if (Watch != 0) splits_o.write(splits_o.read() + 1);
    }
    if (meet_valid_.read()) {
      const std::uint32_t warp = meet_warp_.read();
      DpeEntry entry;
      read_top(warp, entry);
      if (has_bit(parts_o.read(), warp) && dpe_beside(entry) && !(kills && killed == warp)) {
        mask_o[warp].write(entry.mask_l | entry.mask_r);
        mask_o[NumWarps + warp].write(0);
        ++merges;
      }
    }
    const std::uint64_t both_stopped = stopped_i.read() & (stopped_i.read() >> NumWarps) & parts_o.read();
    const std::uint64_t chosen = meet_valid_.read() ? bit_of(meet_warp_.read()) : 0;
    const std::uint64_t meetable = both_stopped & ~chosen & ~(kills ? bit_of(killed) : 0);
    meet_valid_.write(meetable != 0);
    meet_warp_.write(meetable != 0 ? lowest_bit(meetable) : 0);
    parts_.write(parts);
    waits_l_.write(waits_l);
    waits_r_.write(waits_r);
    if (Watch != 0) merges_o.write(merges_o.read() + merges);
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
      once_.write(resolve_kind_i.read() == kMarkOnce);
    }
  }

  // The lowest warp without a path, but for those that are chosen already or killed in this cycle, is popped at the
  // next edge.
  void choose() {
    std::uint64_t poppable = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool empty = mask_o[w].read() == 0 && mask_o[NumWarps + w].read() == 0;
      const bool popped = pop_valid_o.read() && pop_warp_o.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      poppable = with_bit(poppable, w, empty && depth_o[w].read() != 0 && !popped && !killed);
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

  void show_parts() {
    std::uint64_t left = 0;
    std::uint64_t right = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      left = with_bit(left, w, mask_o[w].read() != 0);
      right = with_bit(right, w, mask_o[NumWarps + w].read() != 0);
    }
    const std::uint64_t wait_l = waits_l_.read() & right & ~(stopped_i.read() >> NumWarps);
    const std::uint64_t wait_r = waits_r_.read() & left & ~stopped_i.read();
    parts_o.write(parts_.read() & left & right);
    wait_o.write(wait_l | wait_r << NumWarps);
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
    DpePart part;
    DpeEntry below;
    DpeEntry entry;
    resolve(result, part, below, entry);
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
  void resolve(DpeResolved& resolved, DpePart& part, DpeEntry& below, DpeEntry& entry) const {
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
    MeetingPlace own;
    own.rpc = old.rpc;
    own.level = old.rpc_level;
    dpe_resolve(old, own, false, live_o[warp].read(), depth_o[warp].read(), config, acting_slot_.read(), in, resolved,
                below, entry);
    const bool left = acting_slot_.read() == 0;
    const std::uint32_t other = left ? NumWarps + warp : warp;
    const bool other_waits = has_bit(left ? waits_r_.read() : waits_l_.read(), warp);
    const bool comes = !other_waits && !has_bit(stopped_i.read(), other) && !once_.read();
    if (has_bit(parts_.read(), warp) && old.mask_l != 0 && old.mask_r != 0)
      dpe_resolve_part(old, acting_slot_.read(), live_o[warp].read(), in, comes, has_bit(merge_i.read(), other),
                       resolved, part, entry);
  }

  void read_below(std::uint32_t row, DpeEntry& entry) const {
    entry.pc_l = below_pc_l_[row].read();
    entry.mask_l = below_mask_l_[row].read();
    entry.level_l = static_cast<std::uint16_t>(below_level_l_[row].read());
    entry.pc_r = below_pc_r_[row].read();
    entry.mask_r = below_mask_r_[row].read();
    entry.level_r = static_cast<std::uint16_t>(below_level_r_[row].read());
    entry.rpc = below_rpc_[row].read();
    entry.rpc_level = static_cast<std::uint16_t>(below_rpc_level_[row].read());
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
  // parts: of the top, of the rows, and the warp whose parts may meet at the next edge
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(parts_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(waits_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(waits_r_);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_parts_, kRows);
  sc_core::sc_signal<bool> SC_NAMED(once_);
  sc_core::sc_signal<bool> SC_NAMED(meet_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(meet_warp_);
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
