// SPDX-License-Identifier: Apache-2.0
// compact_frontend: the front end with one path a warp, of the compact stack. Contract: docs/frontend.md,
// core/compact_frontend; same pins as rtl/core/compact_frontend.sv.
#pragma once

#include "core/frontend_ports.h"
#include "stack/compact_stack.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned PushOrder = 0,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1>
using CompactFrontendLogic =
    FrontendLogic<StackHooks<CompactStackLogic<NumWarps, Lanes, StackDepth, PushOrder, LevelW, Watch>, NumWarps, Lanes>,
                  ScoreboardOf<Scoreboard, NumWarps, Lanes, 1, SbEntries, 0>,
                  SelectorOf<kSelectorTwoLevel, NumWarps, 1, Policy>, SbEntries, Policy, IbufDepth, Predicate, NumWb,
                  TagW, Watch>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned PushOrder = 0,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1>
class compact_frontend
    : public FrontendProcess<compact_frontend<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy,
                                              IbufDepth, LevelW, Predicate, NumWb, TagW, Watch>,
                             FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW>,
                             CompactFrontendLogic<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy,
                                                  IbufDepth, LevelW, Predicate, NumWb, TagW, Watch>> {
 public:
  using Logic = CompactFrontendLogic<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                     LevelW, Predicate, NumWb, TagW, Watch>;
  using Base = FrontendProcess<compact_frontend, FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW>, Logic>;

  explicit compact_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {}

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
};

}  // namespace heddle
