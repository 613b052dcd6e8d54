// SPDX-License-Identifier: Apache-2.0
// cbar_frontend: the front end with one path a warp, whose threads wait at barriers that the program names. Contract:
// docs/frontend.md, core/cbar_frontend; same pins as rtl/core/cbar_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/convergence_barriers.h"

namespace heddle {

struct CbarInput {
  std::uint64_t resolve_operand = 0;
  [[nodiscard]] static bool says_nothing() { return true; }  // it belongs to a resolution
};

// A warp may be served without another path: such a service is no pop.
template <class OfStack, unsigned NumWarps, unsigned Lanes>
class CbarHooks : public StackHooks<OfStack, NumWarps, Lanes, CbarInput> {
 public:
  using Base = StackHooks<OfStack, NumWarps, Lanes, CbarInput>;
  using Base::Base;

  template <class Front>
  [[nodiscard]] PopChoice decide(const Front& /*front*/, const CbarInput& in, const PathGrant& /*grant*/,
                                 std::uint64_t killed) {
    operand_ = in.resolve_operand;
    killed_ = killed;
    this->poppable_ = this->stack_.poppable();
    return this->stack_.popped();
  }
  template <class Front>
  void begin(Front& /*front*/, std::uint64_t /*killed*/) {
    this->stack_.begin();
  }
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    this->stack_.take_in(warp, slot, in, operand_);
  }
  bool pop(const PopChoice& /*popped*/, const CbarInput& /*in*/) {
    const PopChoice chosen = this->stack_.chosen();
    return chosen.valid && this->stack_.serve(has_bit(killed_, chosen.warp));
  }
  [[nodiscard]] bool moves() const {
    return Base::moves() || this->stack_.answer().valid || this->stack_.event().valid;
  }

 private:
  std::uint64_t operand_ = 0;  // of this cycle
  std::uint64_t killed_ = 0;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Barriers = 16, unsigned PushOrder = kPushLargerFirst,
          unsigned YieldPolicy = kYieldIsFair, unsigned YieldMode = kYieldStays, unsigned Scoreboard = kScoreboardSpe,
          unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8,
          unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0,
          unsigned PcStep = 4>
using CbarFrontendLogic = FrontendLogic<
    CbarHooks<
        ConvergenceBarriersLogic<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, LevelW, Watch, PcStep>,
        NumWarps, Lanes>,
    ScoreboardOf<Scoreboard, NumWarps, Lanes, 1, SbEntries, 0>, SelectorOf<kSelectorTwoLevel, NumWarps, 1, Policy>,
    SbEntries, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned, unsigned, unsigned>
class cbar_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned Barriers, unsigned PushOrder, unsigned YieldPolicy,
          unsigned YieldMode, unsigned Scoreboard, unsigned SbEntries, unsigned Policy, unsigned IbufDepth,
          unsigned LevelW, unsigned Predicate, unsigned NumWb, unsigned TagW, unsigned Watch, unsigned PayloadW,
          unsigned PcStep>
using CbarFrontendForm = FrontendForm<
    cbar_frontend<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, Scoreboard, SbEntries, Policy,
                  IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
    FrontendPorts<NumWarps, Lanes, Lanes, NumWb, TagW, PayloadW>,
    CbarFrontendLogic<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, Scoreboard, SbEntries, Policy,
                      IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
    convergence_barriers<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, LevelW, Watch, PcStep>,
    frontend<NumWarps, Lanes, 1, index_width(Lanes + 1), Scoreboard, SbEntries, kSelectorTwoLevel, Policy, IbufDepth,
             Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
    LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned Barriers = 16, unsigned PushOrder = kPushLargerFirst,
          unsigned YieldPolicy = kYieldIsFair, unsigned YieldMode = kYieldStays, unsigned Scoreboard = kScoreboardSpe,
          unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8,
          unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0,
          unsigned PcStep = 4>
class cbar_frontend
    : public CbarFrontendForm<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, Scoreboard, SbEntries,
                              Policy, IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard == kScoreboardSpe || Scoreboard == kScoreboardBitmap,
                "cbar_frontend: Scoreboard is 0 (spe_scoreboard) or 3 (bitmap_scoreboard)");
  static constexpr unsigned kWarpW = index_width(NumWarps);

 public:
  using Base = CbarFrontendForm<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, Scoreboard, SbEntries,
                                Policy, IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = CbarFrontendLogic<NumWarps, Lanes, Barriers, PushOrder, YieldPolicy, YieldMode, Scoreboard, SbEntries,
                                  Policy, IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

  // from execute
  sc_core::sc_in<Number<kKindWidth + index_width(Barriers)>> SC_NAMED(resolve_kind_i);
  sc_core::sc_in<Mask<kOperandWidth>> SC_NAMED(resolve_operand_i);
  // to write-back
  sc_core::sc_out<bool> SC_NAMED(answer_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(answer_warp_o);
  sc_core::sc_out<Mask<kOperandWidth>> SC_NAMED(answer_value_o);
  // status
  sc_core::sc_out<bool> SC_NAMED(event_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(event_warp_o);
  sc_core::sc_out<Number<kEventWidth>> SC_NAMED(event_code_o);

  explicit cbar_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    Base::stack_.resolve_kind_i(resolve_kind_i);
    Base::stack_.resolve_operand_i(resolve_operand_i);
    Base::stack_.answer_valid_o(answer_valid_o);
    Base::stack_.answer_warp_o(answer_warp_o);
    Base::stack_.answer_value_o(answer_value_o);
    Base::stack_.event_valid_o(event_valid_o);
    Base::stack_.event_warp_o(event_warp_o);
    Base::stack_.event_code_o(event_code_o);
    Base::connect_no_hooks();
    Base::connect_no_misses();
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void reset_own() { write_own(); }
  void read_own(typename Logic::Input& in) const {
    if (in.resolve_valid) {
      in.resolve.kind = resolve_kind_i.read();
      in.resolve_operand = resolve_operand_i.read();
    }
  }
  void write_own() {
    const BarrierAnswer answer = this->logic_.stack().answer();
    const BarrierEvent event = this->logic_.stack().event();
    answer_valid_o.write(answer.valid);
    answer_warp_o.write(answer.warp);
    answer_value_o.write(answer.value);
    event_valid_o.write(event.valid);
    event_warp_o.write(event.warp);
    event_code_o.write(event.code);
  }
#endif
};

}  // namespace heddle
