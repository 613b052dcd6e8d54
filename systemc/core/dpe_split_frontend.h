// SPDX-License-Identifier: Apache-2.0
// dpe_split_frontend: the front end with two paths a warp, of which one is split at a load that some of its threads
// wait for. Contract: docs/frontend.md, core/dpe_split_frontend; same pins as rtl/core/dpe_split_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/dpe_split_stack.h"

namespace heddle {

// What L1 says of a load.
struct SplitInput {
  bool split_valid = false;
  std::uint32_t split_warp = 0;
  std::uint32_t split_slot = 0;
  std::uint64_t split_mask = 0;
  [[nodiscard]] bool says_nothing() const { return !split_valid; }
};

template <class Stack, unsigned NumWarps, unsigned Lanes>
class SplitHooks : public EndingStackHooks<Stack, NumWarps, Lanes, SplitInput> {
 public:
  using Base = EndingStackHooks<Stack, NumWarps, Lanes, SplitInput>;
  using Base::Base;

  void reset() {
    Base::reset();
    parts_ = DpePartsInput();
    meetable_ = 0;
    splits_ = false;
    met_ = PopChoice();
    joined_ = PopChoice();
  }

  // Of parts: those whose head is a barrier.
  template <class Front>
  void look(const Front& front) {
    parts_ = DpePartsInput();
    for (std::uint64_t left = this->stack_.parts(); left != 0; left &= left - 1) {
      const std::uint32_t warp = lowest_bit(left);
      for (unsigned s = 0; s < 2; ++s) {
        const bool stopped =
            has_bit(front.ibuffer().head_valid(s), warp) && bundle_barrier(front.ibuffer().head(warp, s));
        parts_.stopped[s] = with_bit(parts_.stopped[s], warp, stopped);
      }
    }
  }
  [[nodiscard]] std::uint64_t waits(std::uint32_t slot) const { return this->stack_.waiting(slot, parts_); }
  [[nodiscard]] std::uint64_t stops(std::uint32_t slot) const { return parts_.stopped[slot]; }

  template <class Front>
  [[nodiscard]] PopChoice decide(const Front& front, const SplitInput& in, const PathGrant& grant,
                                 std::uint64_t killed) {
    const TakenIn acts = this->stack_.taken_in();
    if (grant.valid) parts_.merge[1 - grant.slot] = merge_bit(front, grant.warp, grant.slot);
    if (acts.valid) parts_.merge[1 - acts.slot] |= merge_bit(front, acts.warp, acts.slot);
    meetable_ = this->stack_.meetable(parts_) & ~killed;
    splits_ = in.split_valid && split_ready(front, in.split_warp, in.split_slot, in.split_mask, killed);
    this->poppable_ = this->stack_.poppable();
    return this->stack_.chosen();
  }

  template <class Front>
  void begin(Front& front, std::uint64_t killed) {
    Base::begin(front, killed);
    joined_ = met_;
    met_.valid = false;
    this->stack_.end_waits(parts_);
    const PopChoice meets = this->stack_.meet_chosen();
    if (meets.valid && this->stack_.meet(has_bit(killed, meets.warp))) {
      met_ = meets;
      front.ask(meets.warp, 0);
    }
    this->stack_.choose_meet(meetable_);
  }
  template <class Front>
  void advance(Front& front, const PathGrant& grant) {
    const std::uint32_t other = 1 - grant.slot;
    const std::uint64_t before = this->stack_.path(grant.warp, other).mask;
    this->stack_.advance(grant.warp, grant.slot, has_bit(parts_.merge[other], grant.warp));
    if (this->stack_.path(grant.warp, other).mask != before) front.ask(grant.warp, other);
    this->note_end(grant);
  }
  template <class Front>
  auto act(const Front& /*front*/, bool killed, std::uint64_t& grown) {
    const std::uint32_t slot = this->stack_.taken_in().slot;
    DpePart part;
    const DpeResolved resolved = this->stack_.act(killed, parts_, part);
    grown = part.joins ? bit_of(1 - slot) : 0;
    return resolved;
  }
  template <class Front>
  void end(Front& front, const SplitInput& in, std::uint64_t /*killed*/) {
    if (splits_) {
      this->stack_.split(in.split_warp, in.split_slot, in.split_mask);
      front.ask(in.split_warp, in.split_slot);
    }
    if (joined_.valid) front.drop(joined_.warp, 1);
    this->drop_ended(front);
  }

  [[nodiscard]] bool moves() const {
    return Base::moves() || met_.valid || this->stack_.meet_chosen().valid || this->stack_.waits_change();
  }

  // The path may be split: what it waits for the threads not in `behind` may have.
  template <class Front>
  [[nodiscard]] bool split_ready(const Front& front, std::uint32_t warp, std::uint32_t slot, std::uint64_t behind,
                                 std::uint64_t killed) const {
    const std::uint64_t mask = warp < NumWarps ? this->stack_.path(warp, slot).mask : 0;
    const std::uint64_t busy =
        front.pending() | front.acting() | front.predication().active() | front.at_barrier() | front.halted() | killed;
    const std::uint64_t alone = this->stack_.valid(slot) & ~this->stack_.valid(1 - slot);
    return has_bit(alone & front.ibuffer().head_valid(slot) & front.blocked(slot) & ~busy, warp) &&
           (mask & behind) != 0 && (mask & ~behind) != 0;
  }

 private:
  // The other path of the warp, if it lets that of the slot join it.
  template <class Front>
  [[nodiscard]] std::uint64_t merge_bit(const Front& front, std::uint32_t warp, std::uint32_t slot) const {
    const std::uint32_t other = 1 - slot;
    const bool merge = has_bit(this->stack_.valid(other) & ~front.paths().pending_at(other), warp) &&
                       !front.predication().inside(warp, slot) && !front.predication().inside(warp, other);
    return merge ? bit_of(warp) : 0;
  }

  DpePartsInput parts_;         // of this cycle, as the next two
  std::uint64_t meetable_ = 0;  // bit a warp
  bool splits_ = false;         // a path is split
  PopChoice met_;               // derived: a warp whose right path has met the left one at the last edge
  PopChoice joined_;            // at the edge before
};

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned LevelW, unsigned Watch,
          unsigned PcStep>
using DpeSplitHooks =
    SplitHooks<DpeSplitStackLogic<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>, NumWarps, Lanes>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8,
          unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0,
          unsigned PcStep = 4>
using DpeSplitFrontendLogic =
    FrontendLogic<DpeSplitHooks<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                  ScoreboardOf<kScoreboardOptimistic, NumWarps, Lanes, 2, SbEntries, 1>,
                  SelectorOf<kSelectorTwoLevel, NumWarps, 2, Policy>, SbEntries, Policy, IbufDepth, Predicate, NumWb,
                  TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned>
class dpe_split_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned SbEntries,
          unsigned Policy, unsigned IbufDepth, unsigned LevelW, unsigned Predicate, unsigned NumWb, unsigned TagW,
          unsigned Watch, unsigned PayloadW, unsigned PcStep>
using DpeSplitFrontendForm =
    FrontendForm<dpe_split_frontend<NumWarps, Lanes, StackDepth, TakenLeft, SbEntries, Policy, IbufDepth, LevelW,
                                    Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 SlotFrontendPorts<NumWarps, Lanes, 2, StackDepth, NumWb, TagW, PayloadW>,
                 DpeSplitFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, SbEntries, Policy, IbufDepth, LevelW,
                                       Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 dpe_split_stack<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, 2, index_width(StackDepth + 1), kScoreboardOptimistic, SbEntries,
                          kSelectorTwoLevel, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, 0, 1, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8,
          unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0,
          unsigned PcStep = 4>
class dpe_split_frontend
    : public DpeSplitFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, SbEntries, Policy, IbufDepth, LevelW,
                                  Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static constexpr unsigned kWarpW = index_width(NumWarps);

 public:
  using Base = DpeSplitFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, SbEntries, Policy, IbufDepth, LevelW,
                                    Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = DpeSplitFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, SbEntries, Policy, IbufDepth, LevelW,
                                      Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Base::sensitive;
#ifdef HEDDLE_SYNTHESIS
  using Base::barrier_;
  using Base::blocked_;
  using Base::grant_;
  using Base::head_valid_;
  using Base::in_region_;
  using Base::mask_;
  using Base::settled_;
  using Base::valid_;
  using Base::waits_;
#else
  using Base::kill_valid_i;
  using Base::kill_warp_i;
#endif

  // from execute
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);
  // from L1
  sc_core::sc_in<bool> SC_NAMED(split_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(split_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(split_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(split_mask_i);
  sc_core::sc_out<bool> SC_NAMED(split_ready_o);
  // status
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);

  SC_HAS_PROCESS(dpe_split_frontend);
  explicit dpe_split_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    SC_METHOD(find_merges);
    sensitive << in_region_ << grant_ << waits_ << valid_ << parts_ << head_valid_ << barrier_;
    SC_METHOD(show_split_ready);
    sensitive << split_valid_i << split_warp_i << split_slot_i << split_mask_i << valid_ << head_valid_ << blocked_
              << settled_;
    for (unsigned p = 0; p < 2 * NumWarps; ++p) sensitive << mask_[p];
    connect_split();
#else
    SC_METHOD(show_split_ready);
    sensitive << split_warp_i << split_slot_i << split_mask_i << kill_valid_i << kill_warp_i << stepped_;
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void reset_own() {
    splits_o.write(0);
    merges_o.write(0);
    stepped_.notify(sc_core::SC_ZERO_TIME);
  }
  void read_own(typename Logic::Input& in) const {
    if (in.resolve_valid) in.resolve.kind = resolve_kind_i.read();
    in.split_valid = split_valid_i.read();
    if (in.split_valid) {
      in.split_warp = split_warp_i.read();
      in.split_slot = split_slot_i.read();
      in.split_mask = split_mask_i.read();
    }
  }
  void write_own() {
    splits_o.write(this->logic_.stack().splits());
    merges_o.write(this->logic_.stack().merges());
    stepped_.notify(sc_core::SC_ZERO_TIME);
  }

 private:
  void show_split_ready() {
    const std::uint64_t killed = kill_valid_i.read() ? bit_of(kill_warp_i.read()) : 0;
    split_ready_o.write(this->logic_.hooks().split_ready(this->logic_, split_warp_i.read(), split_slot_i.read(),
                                                         split_mask_i.read(), killed));
  }

  sc_core::sc_event stepped_;
#else

 private:
  // Which paths may be joined by their other part, and which are stopped at a barrier.
  void find_merges() {
    const std::uint64_t here = in_region_.read() & (grant_.read() | waits_.read());
    const std::uint64_t off =
        here | here >> NumWarps | here << NumWarps;  // a path of the warp begins or is in a region
    const std::uint64_t parts = parts_.read();
    merge_.write(valid_.read() & ~(waits_.read() | in_region_.read() | off));
    stopped_.write(head_valid_.read() & barrier_.read() & (parts | parts << NumWarps));
    drop_.write(~valid_.read() & low_bits(2 * NumWarps));
  }

  // The path may be split: it is alone in its warp, and what it waits for the threads that do not stay behind may have.
  void show_split_ready() {
    const std::uint32_t warp = split_warp_i.read();
    const std::uint32_t slot = split_slot_i.read();
    const std::uint32_t path = slot * NumWarps + warp;
    const std::uint32_t other = (1 - slot) * NumWarps + warp;
    const std::uint64_t behind = split_mask_i.read();
    bool ready = false;
    if (warp < NumWarps) {
      const std::uint64_t mask = mask_[path].read();
      const bool alone = has_bit(valid_.read(), path) && !has_bit(valid_.read(), other);
      const bool waits = has_bit(head_valid_.read() & blocked_.read(), path);
      ready = alone && waits && has_bit(settled_.read(), warp) && (mask & behind) != 0 && (mask & ~behind) != 0;
    }
    split_ready_o.write(ready);
    split_.write(ready && split_valid_i.read());
  }

  void connect_split() {
    Base::connect_no_misses();
    Base::stack_.merge_i(merge_);
    Base::stack_.stopped_i(stopped_);
    Base::stack_.split_valid_i(split_);
    Base::stack_.split_warp_i(split_warp_i);
    Base::stack_.split_slot_i(split_slot_i);
    Base::stack_.split_mask_i(split_mask_i);
    Base::stack_.resolve_kind_i(resolve_kind_i);
    Base::stack_.wait_o(waiting_);
    Base::stack_.parts_o(parts_);
    Base::stack_.splits_o(splits_o);
    Base::stack_.merges_o(merges_o);
    Base::frontend_.room_i(Base::always_);
    Base::frontend_.keep_i(Base::never_);
    Base::frontend_.drop_i(drop_);
    Base::frontend_.wait_i(waiting_);
    Base::frontend_.stop_i(stopped_);
  }

  sc_core::sc_signal<Mask<2 * NumWarps>> SC_NAMED(merge_);
  sc_core::sc_signal<Mask<2 * NumWarps>> SC_NAMED(stopped_);
  sc_core::sc_signal<Mask<2 * NumWarps>> SC_NAMED(waiting_);
  sc_core::sc_signal<Mask<2 * NumWarps>> SC_NAMED(drop_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(parts_);
  sc_core::sc_signal<bool> SC_NAMED(split_);
#endif
};

}  // namespace heddle
