// SPDX-License-Identifier: Apache-2.0
// dws_frontend: the front end whose warps are subdivided. Contract: docs/frontend.md, core/dws_frontend; same pins as
// rtl/core/dws_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "dws/warp_split_table.h"

namespace heddle {

// Splits: each comes to a barrier by itself, joins another that is where it comes to, and ends then.
template <class Stack, unsigned NumWarps, unsigned Lanes>
class SplitTableHooks : public EndingStackHooks<Stack, NumWarps, Lanes> {
 public:
  using Base = EndingStackHooks<Stack, NumWarps, Lanes>;
  using Base::Base;
  static constexpr unsigned kPathBarriers = 1;
  static constexpr bool kNarrowsSlots = true;

  void reset() {
    Base::reset();
    merge_ = 0;
  }

  // Of many slots the lower ones are in use. Only those of a push or a pop have anything in their queues: who ended was
  // dropped.
  [[nodiscard]] unsigned slots_in_use() const { return count_to_highest(this->stack_.used()); }
  [[nodiscard]] std::uint64_t slots_of(std::uint32_t warp) const { return this->stack_.slots(warp); }
  [[nodiscard]] static constexpr std::uint64_t emptied(std::uint32_t slot) { return bit_of(slot); }

  template <class Front>
  [[nodiscard]] PopChoice decide(const Front& front, const NoOwnInput& /*in*/, const PathGrant& grant,
                                 std::uint64_t /*killed*/) {
    if (grant.valid)
      merge_ = merge_slots(front, grant.warp, grant.slot, bundle_barrier(front.ibuffer().head(grant.warp, grant.slot)));
    this->poppable_ = this->stack_.poppable();
    return this->stack_.chosen();
  }
  template <class Front>
  void advance(Front& front, const PathGrant& grant) {
    const SlotFound partner = this->stack_.advance(grant.warp, grant.slot, merge_);
    if (partner.found) front.ask(grant.warp, partner.slot);
    this->note_end(grant);
  }
  template <class Front>
  auto act(const Front& front, bool killed, std::uint64_t& grown) {
    const TakenIn acts = this->stack_.taken_in();
    return this->stack_.act(killed, merge_slots(front, acts.warp, acts.slot, false), grown);
  }
  template <class Front>
  void end(Front& front, const NoOwnInput& /*in*/, std::uint64_t /*killed*/) {
    if (this->stack_.refill_chosen().valid) this->stack_.refill();
    this->drop_ended(front);
  }

  [[nodiscard]] bool moves() const { return Base::moves() || this->stack_.refill_chosen().valid; }

 private:
  // Slots of the warp that let the path of `slot` join, bit a slot; none does inside a region.
  template <class Front>
  [[nodiscard]] std::uint64_t merge_slots(const Front& front, std::uint32_t warp, std::uint32_t slot,
                                          bool to_barrier) const {
    std::uint64_t slots = front.predication().inside(warp, slot) ? 0 : this->stack_.slots(warp);
    if (slots != 0) {
      std::uint64_t waiting = 0;  // at the barrier
      for (std::uint64_t left = front.paths().barrier_slots(); left != 0; left &= left - 1) {
        const std::uint32_t s = lowest_bit(left);
        waiting |= static_cast<std::uint64_t>(has_bit(front.at_barrier(s), warp)) << s;
      }
      slots &= to_barrier ? waiting : ~waiting;
      if (has_bit(front.pending(), warp)) slots &= ~bit_of(front.pending_slot(warp));
      if (has_bit(front.predication().active(), warp)) slots &= ~bit_of(front.predication().slot(warp));
    }
    return slots;
  }

  std::uint64_t merge_ = 0;  // of the path that issues, of this cycle
};

template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned StackDepth, unsigned PushOrder,
          unsigned LevelW, unsigned Watch, unsigned PcStep>
using DwsHooks =
    SplitTableHooks<WarpSplitTableLogic<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, LevelW, Watch, PcStep>,
                    NumWarps, Lanes>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 8, unsigned StackDepth = 32,
          unsigned PushOrder = kPushTakenFirst, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using DwsFrontendLogic =
    FrontendLogic<DwsHooks<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, LevelW, Watch, PcStep>,
                  ScoreboardOf<kScoreboardOptimistic, NumWarps, Lanes, NumSlots, SbEntries, 0>,
                  SelectorOf<kSelectorTwoLevel, NumWarps, NumSlots, Policy>, SbEntries, Policy, IbufDepth, Predicate,
                  NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned>
class dws_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned NumSlots, unsigned StackDepth, unsigned PushOrder,
          unsigned SbEntries, unsigned Policy, unsigned IbufDepth, unsigned LevelW, unsigned Predicate, unsigned NumWb,
          unsigned TagW, unsigned Watch, unsigned PayloadW, unsigned PcStep>
using DwsFrontendForm =
    FrontendForm<dws_frontend<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, SbEntries, Policy, IbufDepth, LevelW,
                              Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 SlotFrontendPorts<NumWarps, Lanes, NumSlots, StackDepth, NumWb, TagW, PayloadW>,
                 DwsFrontendLogic<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, SbEntries, Policy, IbufDepth,
                                  LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 warp_split_table<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, NumSlots, index_width(StackDepth + 1), kScoreboardOptimistic, SbEntries,
                          kSelectorTwoLevel, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, 1, 0, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 8, unsigned StackDepth = 32,
          unsigned PushOrder = kPushTakenFirst, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class dws_frontend : public DwsFrontendForm<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, SbEntries, Policy,
                                            IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
 public:
  using Base = DwsFrontendForm<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, SbEntries, Policy, IbufDepth, LevelW,
                               Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = DwsFrontendLogic<NumWarps, Lanes, NumSlots, StackDepth, PushOrder, SbEntries, Policy, IbufDepth, LevelW,
                                 Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
#ifdef HEDDLE_SYNTHESIS
  using Base::at_barrier_;
  using Base::barrier_;
  using Base::grant_;
  using Base::in_region_;
  using Base::sensitive;
  using Base::valid_;
  using Base::waits_;
#endif

  // from execute
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);
  // status
  sc_core::sc_out<Number<index_width(NumSlots + 1)>> SC_NAMED(max_splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);
  sc_core::sc_out<Number<32>> SC_NAMED(refused_o);

  SC_HAS_PROCESS(dws_frontend);
  explicit dws_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    SC_METHOD(find_merges);
    sensitive << grant_ << barrier_ << waits_ << in_region_ << at_barrier_ << valid_;
    Base::connect_no_misses();
    Base::stack_.merge_i(merge_);
    Base::stack_.resolve_kind_i(resolve_kind_i);
    Base::stack_.max_splits_o(max_splits_o);
    Base::stack_.splits_o(splits_o);
    Base::stack_.merges_o(merges_o);
    Base::stack_.refused_o(refused_o);
    Base::frontend_.room_i(Base::always_);
    Base::frontend_.keep_i(Base::never_);
    Base::frontend_.drop_i(drop_);
    Base::frontend_.wait_i(Base::no_paths_);
    Base::frontend_.stop_i(Base::no_paths_);
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void reset_own() {
    max_splits_o.write(0);
    splits_o.write(0);
    merges_o.write(0);
    refused_o.write(0);
  }
  void read_own(typename Logic::Input& in) const {
    if (in.resolve_valid) in.resolve.kind = resolve_kind_i.read();
  }
  void write_own() {
    const typename Logic::Stack& stack = this->logic_.stack();
    max_splits_o.write(stack.max_splits());
    splits_o.write(stack.splits());
    merges_o.write(stack.merges());
    refused_o.write(stack.refused());
  }
#else

 private:
  // Which splits may be joined by one that comes to where they stand: to a barrier only those who wait there.
  void find_merges() {
    std::uint64_t comes = 0;
    std::uint64_t off = 0;  // warps of which a split issues inside a region, or its resolution begins it
    const std::uint64_t barriers = grant_.read() & barrier_.read();
    const std::uint64_t regions = (grant_.read() | waits_.read()) & in_region_.read();
    for (unsigned s = 0; s < NumSlots; ++s) {
      comes |= barriers >> (s * NumWarps);
      off |= regions >> (s * NumWarps);
    }
    const std::uint64_t other_wait = at_barrier_.read() ^ of_all_slots(comes);
    merge_.write(valid_.read() & ~(waits_.read() | in_region_.read() | other_wait | of_all_slots(off)));
    drop_.write(~valid_.read() & low_bits(NumWarps * NumSlots));
  }

  [[nodiscard]] static constexpr std::uint64_t of_all_slots(std::uint64_t warps) {
    std::uint64_t paths = 0;
    for (unsigned s = 0; s < NumSlots; ++s) paths |= (warps & low_bits(NumWarps)) << (s * NumWarps);
    return paths;
  }

  sc_core::sc_signal<Mask<NumWarps * NumSlots>> SC_NAMED(merge_);
  sc_core::sc_signal<Mask<NumWarps * NumSlots>> SC_NAMED(drop_);
#endif
};

}  // namespace heddle
