// SPDX-License-Identifier: Apache-2.0
// dpe_frontend: the front end with two paths a warp. Contract: docs/frontend.md, core/dpe_frontend; same pins as
// rtl/core/dpe_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/dpe_stack.h"

namespace heddle {

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned LevelW, unsigned Watch,
          unsigned PcStep>
using DpeHooks =
    StackHooks<DpeStackLogic<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>, NumWarps, Lanes>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using DpeFrontendLogic =
    FrontendLogic<DpeHooks<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                  ScoreboardOf<Scoreboard, NumWarps, Lanes, 2, SbEntries, 0>, SelectorOf<Selector, NumWarps, 2, Policy>,
                  SbEntries, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned, unsigned>
class dpe_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TakenLeft, unsigned Scoreboard,
          unsigned SbEntries, unsigned Selector, unsigned Policy, unsigned IbufDepth, unsigned LevelW,
          unsigned Predicate, unsigned NumWb, unsigned TagW, unsigned Watch, unsigned PayloadW, unsigned PcStep>
using DpeFrontendForm =
    FrontendForm<dpe_frontend<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                              IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 SlotFrontendPorts<NumWarps, Lanes, 2, StackDepth, NumWb, TagW, PayloadW>,
                 DpeFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                  IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 dpe_stack<NumWarps, Lanes, StackDepth, TakenLeft, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, 2, index_width(StackDepth + 1), Scoreboard, SbEntries, Selector, Policy,
                          IbufDepth, Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TakenLeft = 1,
          unsigned Scoreboard = kScoreboardDpe, unsigned SbEntries = 8, unsigned Selector = kSelectorTwoLevel,
          unsigned Policy = kPolicyRoundRobin, unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1,
          unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class dpe_frontend
    : public DpeFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy, IbufDepth,
                             LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard >= kScoreboardDpe && Scoreboard <= kScoreboardBitmap, "dpe_frontend: Scoreboard is 1 to 3");
  static constexpr unsigned kWarpW = index_width(NumWarps);

 public:
  using Base = DpeFrontendForm<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                               IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = DpeFrontendLogic<NumWarps, Lanes, StackDepth, TakenLeft, Scoreboard, SbEntries, Selector, Policy,
                                 IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

  // from L1
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(miss_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(miss_slot_i);

  explicit dpe_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    Base::connect_no_hooks();
    Base::frontend_.miss_valid_i(miss_valid_i);
    Base::frontend_.miss_warp_i(miss_warp_i);
    Base::frontend_.miss_slot_i(miss_slot_i);
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void read_own(typename Logic::Input& in) const {
    if constexpr (Logic::kConstrained) {
      in.miss_valid = miss_valid_i.read();
      if (in.miss_valid) {
        in.miss_warp = miss_warp_i.read();
        in.miss_slot = miss_slot_i.read();
      }
    }
  }
#endif
};

}  // namespace heddle
