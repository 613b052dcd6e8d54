// SPDX-License-Identifier: Apache-2.0
// dpe_forward_frontend: the front end with two paths a warp, of which an empty slot runs a path of the entry below.
// Contract: docs/frontend.md, core/dpe_forward_frontend; same pins as rtl/core/dpe_forward_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/dpe_forward_stack.h"

namespace heddle {

// A pop leaves the queues: a path of the entry below may be in one of them already.
template <class Stack, unsigned NumWarps, unsigned Lanes>
class ForwardHooks : public EndingStackHooks<Stack, NumWarps, Lanes> {
 public:
  using Base = EndingStackHooks<Stack, NumWarps, Lanes>;
  using Base::Base;
  static constexpr bool kKeepsQueues = true;

  void reset() {
    Base::reset();
    forwardable_ = 0;
  }

  // A warp whose control instruction is unresolved is held.
  template <class Front>
  [[nodiscard]] PopChoice decide(const Front& front, const NoOwnInput& /*in*/, const PathGrant& grant,
                                 std::uint64_t /*killed*/) {
    const bool control = grant.valid && bundle_control(front.ibuffer().head(grant.warp, grant.slot));
    const std::uint64_t hold = front.pending() | (control ? bit_of(grant.warp) : 0);
    this->poppable_ = this->stack_.poppable(hold);
    forwardable_ = this->stack_.forwardable(hold);
    return this->stack_.chosen();
  }
  template <class Front>
  void advance(Front& /*front*/, const PathGrant& grant) {
    this->stack_.advance(grant.warp, grant.slot);
    this->note_end(grant);
  }
  template <class Front>
  void end(Front& front, const NoOwnInput& /*in*/, std::uint64_t killed) {
    const PopChoice forwarded = this->stack_.forward_chosen();
    if (forwarded.valid) this->stack_.forward(has_bit(killed, forwarded.warp));
    this->drop_ended(front);
  }
  void choose() { this->stack_.choose(this->poppable_, forwardable_); }

  [[nodiscard]] bool moves() const { return Base::moves() || this->stack_.forward_chosen().valid; }

 private:
  std::uint64_t forwardable_ = 0;  // of this cycle
};

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned LevelW, unsigned Watch,
          unsigned PcStep>
using DpeForwardHooks =
    ForwardHooks<DpeForwardStackLogic<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>, NumWarps, Lanes>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using DpeForwardFrontendLogic =
    FrontendLogic<DpeForwardHooks<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                  ScoreboardOf<Scoreboard, NumWarps, Lanes, 2, SbEntries, 0>, SelectorOf<Selector, NumWarps, 2, Policy>,
                  SbEntries, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned, unsigned>
class dpe_forward_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned Scoreboard,
          unsigned SbEntries, unsigned Selector, unsigned Policy, unsigned IbufDepth, unsigned LevelW,
          unsigned Predicate, unsigned NumWb, unsigned TagW, unsigned Watch, unsigned PayloadW, unsigned PcStep>
using DpeForwardFrontendForm =
    FrontendForm<dpe_forward_frontend<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                      IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 SlotFrontendPorts<NumWarps, Lanes, 2, StackDepth, NumWb, TagW, PayloadW>,
                 DpeForwardFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector,
                                         Policy, IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 dpe_forward_stack<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, 2, index_width(StackDepth + 1), Scoreboard, SbEntries, Selector, Policy,
                          IbufDepth, Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class dpe_forward_frontend
    : public DpeForwardFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                    IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard >= kScoreboardDpe && Scoreboard <= kScoreboardBitmap,
                "dpe_forward_frontend: Scoreboard is 1 to 3");
  static constexpr unsigned kWarpW = index_width(NumWarps);

 public:
  using Base = DpeForwardFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                      IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = DpeForwardFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                        IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
#ifdef HEDDLE_SYNTHESIS
  using Base::control_;
  using Base::grant_;
  using Base::pending_;
  using Base::sensitive;
  using Base::valid_;
#endif

  // from L1
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(miss_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(miss_slot_i);
  // status
  sc_core::sc_out<Number<32>> SC_NAMED(forwards_o);

  SC_HAS_PROCESS(dpe_forward_frontend);
  explicit dpe_forward_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    SC_METHOD(find_unresolved);
    sensitive << grant_ << control_ << pending_ << valid_;
    Base::stack_.hold_i(unresolved_);
    Base::stack_.forwards_o(forwards_o);
    Base::frontend_.room_i(Base::always_);
    Base::frontend_.keep_i(Base::always_);
    Base::frontend_.drop_i(drop_);
    Base::frontend_.wait_i(Base::no_paths_);
    Base::frontend_.stop_i(Base::no_paths_);
    Base::frontend_.miss_valid_i(miss_valid_i);
    Base::frontend_.miss_warp_i(miss_warp_i);
    Base::frontend_.miss_slot_i(miss_slot_i);
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void reset_own() { forwards_o.write(0); }
  void read_own(typename Logic::Input& in) const {
    if constexpr (Logic::kConstrained) {
      in.miss_valid = miss_valid_i.read();
      if (in.miss_valid) {
        in.miss_warp = miss_warp_i.read();
        in.miss_slot = miss_slot_i.read();
      }
    }
  }
  void write_own() { forwards_o.write(this->logic_.stack().forwards()); }
#else

 private:
  // Such a warp takes no guest: its resolution may push or pop. A path that has arrived leaves nothing in its queue.
  void find_unresolved() {
    const std::uint64_t controls = grant_.read() & control_.read();
    unresolved_.write(pending_.read() | ((controls | controls >> NumWarps) & low_bits(NumWarps)));
    drop_.write(~valid_.read() & low_bits(2 * NumWarps));
  }

  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(unresolved_);
  sc_core::sc_signal<Mask<2 * NumWarps>> SC_NAMED(drop_);
#endif
};

}  // namespace heddle
