// SPDX-License-Identifier: Apache-2.0
// fork_join_frontend: the front end with one path a warp, of regions that a program opens. Contract: docs/frontend.md,
// core/fork_join_frontend; same pins as rtl/core/fork_join_frontend.sv.
#pragma once

#include "core/frontend_ports.h"
#include "stack/fork_join_stack.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TieOrder = 0,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1>
using ForkJoinFrontendLogic =
    FrontendLogic<StackHooks<ForkJoinStackLogic<NumWarps, Lanes, StackDepth, TieOrder, LevelW, Watch>, NumWarps, Lanes>,
                  ScoreboardOf<Scoreboard, NumWarps, Lanes, 1, SbEntries, 0>,
                  SelectorOf<kSelectorTwoLevel, NumWarps, 1, Policy>, SbEntries, Policy, IbufDepth, Predicate, NumWb,
                  TagW, Watch>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned TieOrder = 0,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1>
class fork_join_frontend
    : public FrontendProcess<fork_join_frontend<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy,
                                                IbufDepth, LevelW, Predicate, NumWb, TagW, Watch>,
                             FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW>,
                             ForkJoinFrontendLogic<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy,
                                                   IbufDepth, LevelW, Predicate, NumWb, TagW, Watch>> {
 public:
  using Logic = ForkJoinFrontendLogic<NumWarps, Lanes, StackDepth, TieOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                      LevelW, Predicate, NumWb, TagW, Watch>;
  using Base = FrontendProcess<fork_join_frontend, FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW>, Logic>;

  sc_core::sc_in<bool> SC_NAMED(resolve_mark_i);

  explicit fork_join_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {}

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

  void read_own(typename Logic::Input& in) const {
    if (in.resolve_valid) in.resolve.mark = resolve_mark_i.read();
  }
};

}  // namespace heddle
