// SPDX-License-Identifier: Apache-2.0
// warp_split_table: same pins as rtl/dws/warp_split_table.sv. Its state is held once, in pins and signals; what becomes
// of it is decided by the functions of warp_split_table_logic.h, where the machine without a clock is.
#pragma once

#include "dws/warp_split_table_logic.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 8, unsigned Depth = 32,
          unsigned PushOrder = 0, unsigned LevelW = 8, unsigned Watch = 1, unsigned PcStep = 4>
class warp_split_table : public sc_core::sc_module {
  static_assert(NumWarps * NumSlots <= 64, "warp_split_table: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kDepthW = index_width(Depth + 1);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kRows = NumWarps * (Depth - 1);

 public:
  using Logic = WarpSplitTableLogic<NumWarps, Lanes, NumSlots, Depth, PushOrder, LevelW, Watch, PcStep>;

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
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(resolve_slot_i);
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
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<kDepthW>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(resolved_slot_o);
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
  sc_core::sc_out<Number<index_width(NumSlots + 1)>> SC_NAMED(max_splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);
  sc_core::sc_out<Number<32>> SC_NAMED(refused_o);

  SC_HAS_PROCESS(warp_split_table);
  explicit warp_split_table(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        depth_limit_(config.depth_limit),
        order_(config.order),
        level_bits_(config.level_bits),
        slot_limit_(config.slots) {
    HEDDLE_EXPECT(config.depth_limit >= 1 && config.depth_limit <= Depth);
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
    HEDDLE_EXPECT(config.slots >= 2 && config.slots <= NumSlots);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    for (unsigned i = 0; i < kPaths; ++i) sensitive << mask_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << sibling_[w] << waiting_[w];
    SC_METHOD(show_pop);
    sensitive << chosen_ << chosen_warp_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_o[w] << waiting_[w];
    SC_METHOD(show_resolution);
    sensitive << acts_ << acting_warp_ << acting_slot_ << taken_ << exit_ << target_ << next_ << meet_ << call_
              << return_ << kind_ << merge_i;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << pc_o[i] << mask_o[i] << level_o[i];
    for (unsigned w = 0; w < NumWarps; ++w) {
      sensitive << rpc_o[w] << rpc_level_o[w] << sibling_[w] << waiting_[w] << live_o[w] << depth_o[w];
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
      sibling_[w].write(false);
      waiting_[w].write(false);
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
      below_waiting_[i].write(false);
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
    kind_.write(kMarkNone);
    chosen_.write(false);
    chosen_warp_.write(0);
    max_depth_o.write(0);
    max_splits_o.write(0);
    splits_o.write(0);
    merges_o.write(0);
    refused_o.write(0);
  }

  // Maxima and counts, which several events of a cycle raise.
  struct Watched {
    std::uint32_t depth = 0;
    std::uint32_t most_splits = 0;
    std::uint32_t splits = 0;
    std::uint32_t merges = 0;
    std::uint32_t refused = 0;
  };

  // Of the events of a cycle only a kill, and the advance of another slot with a refill, meet another one of their
  // warp. A kill comes last, and wins.
  void step() {
    Watched watched;
    watched.depth = max_depth_o.read();
    watched.most_splits = max_splits_o.read();
    watched.splits = splits_o.read();
    watched.merges = merges_o.read();
    watched.refused = refused_o.read();
    HEDDLE_EXPECT(!(launch_valid_i.read() && is_killed(launch_warp_i.read())));
    if (launch_valid_i.read()) launch(watched);
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned s = 0; s < NumSlots; ++s) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        if (has_bit(advance_i.read(), s * NumWarps + w)) advance(w, s, watched);
      }
    }
    if (acts_.read()) act(watched);
    if (chosen_.read()) pop_or_refill();
    if (kill_valid_i.read()) kill();
    if (Watch != 0) {
      max_depth_o.write(watched.depth);
      max_splits_o.write(watched.most_splits);
      splits_o.write(watched.splits);
      merges_o.write(watched.merges);
      refused_o.write(watched.refused);
    }
    take_in();
    choose();
  }

  [[nodiscard]] bool is_killed(std::uint32_t warp) const { return kill_valid_i.read() && kill_warp_i.read() == warp; }

  void launch(Watched& watched) {
    const std::uint32_t warp = launch_warp_i.read();
    HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
    SpeEntry entry;
    entry.pc = launch_pc_i.read();
    entry.mask = launch_mask_i.read();
    write_split(warp, entry);
    write_place(warp, entry, false);
    live_o[warp].write(launch_mask_i.read());
    depth_o[warp].write(1);
    if (watched.depth == 0) watched.depth = 1;
    if (watched.most_splits == 0) watched.most_splits = 1;
  }

  void advance(std::uint32_t warp, std::uint32_t slot, Watched& watched) {
    const std::uint32_t path = slot * NumWarps + warp;
    HEDDLE_EXPECT(mask_o[path].read() != 0 && !(acts_.read() && acting_warp_.read() == warp));
    const std::uint64_t mask = mask_o[path].read();
    const std::uint32_t pc = pc_o[path].read() + PcStep;
    const std::uint32_t level = level_o[path].read();
    pc_o[path].write(pc);
    const SlotFound partner = find_partner(warp, slot, pc, level);
    if (arrived_at_pc(pc, level, rpc_o[warp].read(), rpc_level_o[warp].read())) {
      mask_o[path].write(0);
    } else if (partner.found) {
      mask_o[path].write(0);
      join(partner.slot * NumWarps + warp, mask);
      if (!is_killed(warp)) ++watched.merges;
    }
  }

  // The resolution that was taken in at the last edge.
  void act(Watched& watched) {
    const std::uint32_t warp = acting_warp_.read();
    const std::uint32_t depth = depth_o[warp].read();
    const std::uint32_t row = warp * (Depth - 1) + depth - 1;  // of the old top, or of a split that waits
    const std::uint64_t slots = slots_of(warp);
    const std::uint64_t free = low_bits(slot_limit_) & ~slots;
    SlotFound at_target;
    SlotFound at_next;
    SplitResolved resolved;
    SpeEntry base;
    SpeEntry under;
    SpeEntry entry;
    resolve(at_target, at_next, resolved, base, under, entry);
    if (!is_killed(warp)) {
      const bool waits = waiting_[warp].read();
      if (resolved.push && resolved.keep_base) write_below(row, base, false);
      if (resolved.push && resolved.two_sides) write_below(resolved.keep_base ? row + 1 : row, under, false);
      if (resolved.refused) write_below(row, under, waits);
      write_split(acting_slot_.read() * NumWarps + warp, entry);
      write_place(warp, entry, waits || resolved.refused);
      if (resolved.split) write_split(lowest_bit(free) * NumWarps + warp, under);
      if (resolved.to_target != 0) {
        join(at_target.slot * NumWarps + warp, resolved.to_target);
        ++watched.merges;
      }
      if (resolved.to_next != 0) {
        join(at_next.slot * NumWarps + warp, resolved.to_next);
        ++watched.merges;
      }
      live_o[warp].write(resolved.live);
      depth_o[warp].write(resolved.depth);
      if (resolved.depth > watched.depth) watched.depth = resolved.depth;
      if (resolved.split) {
        ++watched.splits;
        if (count_bits(slots) + 1 > watched.most_splits) watched.most_splits = count_bits(slots) + 1;
      }
      if (resolved.refused) ++watched.refused;
    }
  }

  // The warp that was chosen at the last edge.
  void pop_or_refill() {
    const std::uint32_t warp = chosen_warp_.read();
    const std::uint32_t depth = depth_o[warp].read() - 1;
    if (depth != 0) {
      const std::uint32_t row = warp * (Depth - 1) + depth - 1;
      SpeEntry entry;
      read_below(row, entry);
      if (waiting_[warp].read()) {
        write_split(lowest_bit(low_bits(slot_limit_) & ~slots_of(warp)) * NumWarps + warp, entry);
        waiting_[warp].write(below_waiting_[row].read());
      } else {
        SpeEntry old;
        read_split(warp, 0, old);
        spe_uncover(entry, old, live_o[warp].read());
        write_split(warp, entry);
        write_place(warp, entry, below_waiting_[row].read());
      }
    }
    depth_o[warp].write(depth);
  }

  void kill() {
    const std::uint32_t warp = kill_warp_i.read();
    for (unsigned s = 0; s < NumSlots; ++s) mask_o[s * NumWarps + warp].write(0);
    waiting_[warp].write(false);
    depth_o[warp].write(0);
  }

  void join(std::uint32_t path, std::uint64_t mask) { mask_o[path].write(mask_o[path].read() | mask); }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(has_bit(slots_of(warp), resolve_slot_i.read()) &&
                    !(resolve_call_i.read() && resolve_return_i.read()));
      acting_warp_.write(warp);
      acting_slot_.write(resolve_slot_i.read());
      taken_.write(resolve_taken_i.read());
      exit_.write(resolve_exit_i.read());
      target_.write(resolve_target_i.read());
      next_.write(resolve_next_i.read());
      meet_.write(resolve_rpc_i.read());
      call_.write(resolve_call_i.read());
      return_.write(resolve_return_i.read());
      kind_.write(resolve_kind_i.read());
    }
  }

  // The lowest warp that has no path, or a free slot for one that waits, is popped or refilled at the next edge - but
  // none of which anything else happens to the stack in this cycle.
  void choose() {
    std::uint64_t candidates = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool chosen = chosen_.read() && chosen_warp_.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      const bool resolves =
          (resolve_valid_i.read() && resolve_warp_i.read() == w) || (acts_.read() && acting_warp_.read() == w);
      const std::uint64_t slots = slots_of(w);
      const bool wants = slots == 0 || (waiting_[w].read() && slots != low_bits(slot_limit_));
      candidates = with_bit(candidates, w, depth_o[w].read() != 0 && wants && !chosen && !killed && !resolves);
    }
    chosen_.write(candidates != 0);
    chosen_warp_.write(candidates != 0 ? lowest_bit(candidates) : 0);
  }

  void show_paths() {
    std::uint64_t valid = 0;
    std::uint64_t sibling = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const std::uint64_t slots = slots_of(w);
      for (unsigned s = 0; s < NumSlots; ++s) {
        valid = with_bit(valid, s * NumWarps + w, has_bit(slots, s));
        sibling =
            with_bit(sibling, s * NumWarps + w, (slots & ~bit_of(s)) != 0 || waiting_[w].read() || sibling_[w].read());
      }
    }
    valid_o.write(valid);
    sibling_o.write(sibling);
  }

  void show_pop() {
    const std::uint32_t warp = chosen_warp_.read();
    const bool pop = chosen_.read() && !waiting_[warp].read();
    const bool done = pop && depth_o[warp].read() == 1;
    pop_valid_o.write(pop);
    pop_warp_o.write(pop ? warp : 0);
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
  }

  void show_resolution() {
    const bool acts = acts_.read();
    const std::uint32_t warp = acting_warp_.read();
    const std::uint32_t slot = acting_slot_.read();
    SlotFound at_target;
    SlotFound at_next;
    SplitResolved result;
    SpeEntry base;
    SpeEntry under;
    SpeEntry entry;
    resolve(at_target, at_next, result, base, under, entry);
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
  void resolve(SlotFound& at_target, SlotFound& at_next, SplitResolved& resolved, SpeEntry& base, SpeEntry& under,
               SpeEntry& entry) const {
    const std::uint32_t warp = acting_warp_.read();
    const std::uint32_t slot = acting_slot_.read();
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
    in.kind = kind_.read();
    SpeEntry old;
    read_split(warp, slot, old);
    const std::uint32_t mask = level_mask(level_bits_);
    const std::uint32_t taken_level = target_level(old.level, in, mask);
    at_target = find_partner(warp, slot, in.target, taken_level);
    at_next = find_partner(warp, slot, in.next, old.level);
    const std::uint64_t slots = slots_of(warp);
    const bool subdivided = waiting_[warp].read() || !at_most_one(slots);
    split_resolve(old, live_o[warp].read(), depth_o[warp].read(), config, in, subdivided,
                  slots != low_bits(slot_limit_), at_target.found, at_next.found, resolved, base, under, entry);
  }

  // The lowest other slot of the warp that lets join at this PC and level.
  [[nodiscard]] SlotFound find_partner(std::uint32_t warp, std::uint32_t slot, std::uint32_t pc,
                                       std::uint32_t level) const {
    const std::uint64_t merge = merge_i.read();
    SlotFound partner;
    for (unsigned s = 0; s < NumSlots; ++s) {
      const unsigned path = s * NumWarps + warp;
      const bool meets =
          s != slot && mask_o[path].read() != 0 && pc_o[path].read() == pc && level_o[path].read() == level;
      if (meets && has_bit(merge, path) && !partner.found) {
        partner.found = true;
        partner.slot = s;
      }
    }
    return partner;
  }

  // Bit a slot: valid.
  [[nodiscard]] std::uint64_t slots_of(std::uint32_t warp) const {
    std::uint64_t slots = 0;
    for (unsigned s = 0; s < NumSlots; ++s) slots = with_bit(slots, s, mask_o[s * NumWarps + warp].read() != 0);
    return slots;
  }

  // A split with the place and the sibling bit of its entry.
  void read_split(std::uint32_t warp, std::uint32_t slot, SpeEntry& entry) const {
    const std::uint32_t path = slot * NumWarps + warp;
    entry.pc = pc_o[path].read();
    entry.mask = mask_o[path].read();
    entry.level = static_cast<std::uint16_t>(level_o[path].read());
    entry.rpc = rpc_o[warp].read();
    entry.rpc_level = static_cast<std::uint16_t>(rpc_level_o[warp].read());
    entry.sibling = sibling_[warp].read();
  }

  void write_split(std::uint32_t path, const SpeEntry& entry) {
    pc_o[path].write(entry.pc);
    mask_o[path].write(entry.mask);
    level_o[path].write(entry.level);
  }

  void write_place(std::uint32_t warp, const SpeEntry& entry, bool waits) {
    rpc_o[warp].write(entry.rpc);
    rpc_level_o[warp].write(entry.rpc_level);
    sibling_[warp].write(entry.sibling);
    waiting_[warp].write(waits);
  }

  void read_below(std::uint32_t row, SpeEntry& entry) const {
    entry.pc = below_pc_[row].read();
    entry.mask = below_mask_[row].read();
    entry.level = static_cast<std::uint16_t>(below_level_[row].read());
    entry.rpc = below_rpc_[row].read();
    entry.rpc_level = static_cast<std::uint16_t>(below_rpc_level_[row].read());
    entry.sibling = below_sibling_[row].read();
  }

  void write_below(std::uint32_t row, const SpeEntry& entry, bool waits) {
    below_pc_[row].write(entry.pc);
    below_mask_[row].write(entry.mask);
    below_level_[row].write(entry.level);
    below_rpc_[row].write(entry.rpc);
    below_rpc_level_[row].write(entry.rpc_level);
    below_sibling_[row].write(entry.sibling);
    below_waiting_[row].write(waits);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  const std::uint32_t order_;
  const std::uint32_t level_bits_;
  const std::uint32_t slot_limit_;
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(sibling_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(waiting_, NumWarps);  // the uppermost row is a split that waits
  // storage: row i from the bottom of warp w at w * (Depth - 1) + i
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_pc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(below_mask_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(below_rpc_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(below_rpc_level_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_sibling_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(below_waiting_, kRows);  // the row below is a split that waits
  // the resolution that was taken in at the last edge
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(acting_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(acting_slot_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(meet_);
  sc_core::sc_signal<bool> SC_NAMED(call_);
  sc_core::sc_signal<bool> SC_NAMED(return_);
  sc_core::sc_signal<Number<kKindWidth>> SC_NAMED(kind_);
  // the warp that is popped or refilled at the next edge
  sc_core::sc_signal<bool> SC_NAMED(chosen_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(chosen_warp_);
};

}  // namespace heddle
