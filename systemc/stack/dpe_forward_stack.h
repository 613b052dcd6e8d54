// SPDX-License-Identifier: Apache-2.0
// dpe_forward_stack: dual-path reconvergence stack in whose top a path of the entry below may run. Contract:
// docs/frontend.md, stack/dpe_forward_stack; same pins as rtl/stack/dpe_forward_stack.sv.
//
// Its state is in pins and signals. Decisions are pure functions of entries, which DpeForwardStackLogic
// (stack/dpe_forward_logic.h) applies, too: the machine without a clock, which the front ends hold.
#pragma once

#include "common/types.h"
#include "stack/dpe_entry.h"
#include "stack/dpe_forward_logic.h"
#include "stack/resolution.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Depth = 16, unsigned TakenLeft = 1, unsigned LevelW = 8,
          unsigned Watch = 1, unsigned PcStep = 4>
class dpe_forward_stack : public sc_core::sc_module {
  static_assert(2 * NumWarps <= 64, "dpe_forward_stack: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = DpeForwardStackLogic<NumWarps, Lanes, Depth, TakenLeft, LevelW, Watch, PcStep>;
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
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(hold_i);
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
  sc_core::sc_out<Number<32>> SC_NAMED(forwards_o);

  SC_HAS_PROCESS(dpe_forward_stack);
  explicit dpe_forward_stack(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
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
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << guest_here_[w] << guest_gone_[w] << guest_slot_[w] << offer_[w] << guest_rpc_[w] << guest_level_[w];
    }
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
    forwards_o.write(0);
    for (unsigned w = 0; w < NumWarps; ++w) {
      guest_rpc_[w].write(0);
      guest_level_[w].write(0);
      guest_here_[w].write(false);
      guest_gone_[w].write(false);
      offer_[w].write(false);
      guest_slot_[w].write(false);
    }
    for (unsigned i = 0; i < kRows; ++i) {
      below_guest_rpc_[i].write(0);
      below_guest_level_[i].write(0);
      below_guest_here_[i].write(false);
      below_guest_gone_[i].write(false);
      below_offer_[i].write(false);
      below_guest_slot_[i].write(false);
    }
    forward_valid_.write(false);
    forward_warp_.write(0);
  }

  // Of the events of a cycle only a kill meets another one of its warp: it comes last, and wins. An advance may meet a
  // forward, of the other slot, or a pop, of the guest's slot: both write other signals than the advance.
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
      const DpeGuest none;
      write_guest(warp, none);
    }
    bool guest_leaves = false;  // the one of the path that advances
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
          const bool guest = guest_here_[w].read() && guest_slot_[w].read() == (slot != 0);
          if (guest) {
            own.rpc = guest_rpc_[w].read();
            own.level = guest_level_[w].read();
          }
          if (arrived_at_pc(pc, level_o[path].read(), own.rpc, own.level)) {
            mask_o[path].write(0);
            guest_leaves = guest;
            if (guest) {
              guest_here_[w].write(false);
              guest_gone_[w].write(true);
            }
          }
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
        DpeEntry old;
        DpeGuest guest;
        DpeGuest below_guest;
        DpeGuest top_guest;
        read_top(warp, old);
        read_guest(warp, guest);
        dpe_resolve_guest(old, guest, acting_slot_.read(), resolved, below, entry, below_guest, top_guest);
        if (resolved.push && !resolved.replace) write_guest_below(warp * (Depth - 1) + depth - 1, below_guest);
        write_guest(warp, top_guest);
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
        read_below(row, entry);
        DpeGuest guest;
        DpeGuest row_guest;
        read_guest(warp, guest);
        read_guest_below(row, row_guest);
        const bool keeps = guest.here || guest.gone;
        const std::uint32_t slot = guest.slot ? 1 : 0;
        if (guest.here && guest_leaves) put_path(old, slot, 0, 0, 0);
        dpe_uncover_forwarded(entry, row_guest, old, guest, live_o[warp].read());
        if (!keeps || slot != 0) write_path(warp, entry.pc_l, entry.level_l, entry.mask_l);
        if (!keeps || slot == 0) write_path(NumWarps + warp, entry.pc_r, entry.level_r, entry.mask_r);
        rpc_o[warp].write(entry.rpc);
        rpc_level_o[warp].write(entry.rpc_level);
        write_guest(warp, row_guest);
      }
      depth_o[warp].write(depth);
    }
    if (forward_valid_.read() && !(kills && killed == forward_warp_.read())) forward();
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

  // The path that is offered comes into its slot.
  void forward() {
    const std::uint32_t warp = forward_warp_.read();
    const std::uint32_t row = warp * (Depth - 1) + depth_o[warp].read() - 2;
    DpeEntry below;
    DpeGuest below_guest;
    DpeEntry entry;
    DpeGuest guest;
    read_below(row, below);
    read_guest_below(row, below_guest);
    read_top(warp, entry);
    read_guest(warp, guest);
    dpe_forward(below, below_guest, guest.slot ? 1 : 0, live_o[warp].read(), entry, guest);
    if (guest.slot) {
      write_path(NumWarps + warp, entry.pc_r, entry.level_r, entry.mask_r);
    } else {
      write_path(warp, entry.pc_l, entry.level_l, entry.mask_l);
    }
    write_guest(warp, guest);
    if (Watch != 0) forwards_o.write(forwards_o.read() + 1);
  }

  // The lowest warp without a path of its own, but for those that are chosen already or killed in this cycle, is popped
  // at the next edge, or a path forwarded to it.
  void choose() {
    std::uint64_t poppable = 0;
    std::uint64_t forwardable = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool left = mask_o[w].read() != 0;
      const bool right = mask_o[NumWarps + w].read() != 0;
      const bool popped = pop_valid_o.read() && pop_warp_o.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      bool may_pop = depth_o[w].read() != 0 && !popped && !killed;
      const bool free = !has_bit(hold_i.read(), w);
      const bool on_right = guest_slot_[w].read();
      const bool own_left = left && !(guest_here_[w].read() && !on_right);
      const bool own_right = right && !(guest_here_[w].read() && on_right);
      const bool alone = on_right ? left && !right : right && !left;
      may_pop = may_pop && !(forward_valid_.read() && forward_warp_.read() == w);
      const bool may_forward =
          may_pop && offer_[w].read() && !guest_here_[w].read() && !guest_gone_[w].read() && alone && free;
      forwardable = with_bit(forwardable, w, may_forward);
      may_pop = may_pop && !own_left && !own_right && (!(left || right) || free);
      poppable = with_bit(poppable, w, may_pop);
    }
    const std::uint64_t either = poppable | forwardable;
    const std::uint32_t chosen = either != 0 ? lowest_bit(either) : 0;
    const bool pops = either != 0 && has_bit(poppable, chosen);
    pop_valid_o.write(pops);
    pop_warp_o.write(pops ? chosen : 0);
    forward_valid_.write(either != 0 && !pops);
    forward_warp_.write(chosen);
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
    DpeGuest guest;
    read_guest(warp, guest);
    MeetingPlace own;
    find_place(old, guest, acting_slot_.read(), own);
    const bool keeps = is_guest(guest, acting_slot_.read()) && is_odd(old.rpc);
    dpe_resolve(old, own, keeps, live_o[warp].read(), depth_o[warp].read(), config, acting_slot_.read(), in, resolved,
                below, entry);
  }

  void write_path(std::uint32_t path, std::uint32_t pc, std::uint32_t level, std::uint64_t mask) {
    pc_o[path].write(pc);
    level_o[path].write(level);
    mask_o[path].write(mask);
  }

  void read_guest(std::uint32_t warp, DpeGuest& guest) const {
    guest.rpc = guest_rpc_[warp].read();
    guest.rpc_level = static_cast<std::uint16_t>(guest_level_[warp].read());
    guest.here = guest_here_[warp].read();
    guest.gone = guest_gone_[warp].read();
    guest.offer = offer_[warp].read();
    guest.slot = guest_slot_[warp].read();
  }

  void write_guest(std::uint32_t warp, const DpeGuest& guest) {
    guest_rpc_[warp].write(guest.rpc);
    guest_level_[warp].write(guest.rpc_level);
    guest_here_[warp].write(guest.here);
    guest_gone_[warp].write(guest.gone);
    offer_[warp].write(guest.offer);
    guest_slot_[warp].write(guest.slot);
  }

  void read_guest_below(std::uint32_t row, DpeGuest& guest) const {
    guest.rpc = below_guest_rpc_[row].read();
    guest.rpc_level = static_cast<std::uint16_t>(below_guest_level_[row].read());
    guest.here = below_guest_here_[row].read();
    guest.gone = below_guest_gone_[row].read();
    guest.offer = below_offer_[row].read();
    guest.slot = below_guest_slot_[row].read();
  }

  void write_guest_below(std::uint32_t row, const DpeGuest& guest) {
    below_guest_rpc_[row].write(guest.rpc);
    below_guest_level_[row].write(guest.rpc_level);
    below_guest_here_[row].write(guest.here);
    below_guest_gone_[row].write(guest.gone);
    below_offer_[row].write(guest.offer);
    below_guest_slot_[row].write(guest.slot);
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
  // guests: of the top, of the rows, and the warp of which a path is forwarded at the next edge
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(guest_rpc_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(guest_level_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(guest_here_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(guest_gone_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(offer_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(guest_slot_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_guest_rpc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_guest_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_guest_here_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_guest_gone_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_offer_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_guest_slot_, kRows);
  sc_core::sc_signal<bool> SC_NAMED(forward_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(forward_warp_);
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
