// SPDX-License-Identifier: Apache-2.0
// fork_join_frontend: the front end with one path a warp, in regions that the program opens. Contract:
// docs/frontend.md, core/fork_join_frontend; same pins as rtl/core/fork_join_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/fork_join_stack.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TieOrder = kTieTakenFirst,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using ForkJoinFrontendLogic = FrontendLogic<
    StackHooks<ForkJoinStackLogic<NumWarps, Lanes, StackDepth, TieOrder, LevelW, Watch, PcStep>, NumWarps, Lanes>,
    ScoreboardOf<Scoreboard, NumWarps, Lanes, 1, SbEntries, 0>, SelectorOf<kSelectorTwoLevel, NumWarps, 1, Policy>,
    SbEntries, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned>
class fork_join_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned TieOrder, unsigned Scoreboard,
          unsigned SbEntries, unsigned Policy, unsigned IbufDepth, unsigned LevelW, unsigned Predicate, unsigned NumWb,
          unsigned TagW, unsigned Watch, unsigned PayloadW, unsigned PcStep>
using ForkJoinFrontendForm =
    FrontendForm<fork_join_frontend<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                    LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW, PayloadW>,
                 ForkJoinFrontendLogic<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                       LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 fork_join_stack<NumWarps, Lanes, StackDepth, TieOrder, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, 1, index_width(StackDepth + 1), Scoreboard, SbEntries, kSelectorTwoLevel,
                          Policy, IbufDepth, Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TieOrder = kTieTakenFirst,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class fork_join_frontend
    : public ForkJoinFrontendForm<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                  LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard == kScoreboardSpe || Scoreboard == kScoreboardBitmap,
                "fork_join_frontend: Scoreboard is 0 (spe_scoreboard) or 3 (bitmap_scoreboard)");

 public:
  using Base = ForkJoinFrontendForm<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                    LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = ForkJoinFrontendLogic<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                      LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

  // from execute
  sc_core::sc_in<Number<kKindWidth>> SC_NAMED(resolve_kind_i);

  explicit fork_join_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    Base::stack_.resolve_kind_i(resolve_kind_i);
    Base::connect_no_hooks();
    Base::connect_no_misses();
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

#ifndef HEDDLE_SYNTHESIS
  void read_own(typename Logic::Input& in) const {
    if (in.resolve_valid) in.resolve.kind = resolve_kind_i.read();
  }
#endif
};

}  // namespace heddle
