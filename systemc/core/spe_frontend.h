// SPDX-License-Identifier: Apache-2.0
// spe_frontend: the front end with one path a warp. Contract: docs/frontend.md, core/spe_frontend; same pins as
// rtl/core/spe_frontend.sv.
#pragma once

#include "core/frontend_form.h"
#include "stack/spe_stack.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned PushOrder = kPushTakenFirst,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
using SpeFrontendLogic = FrontendLogic<
    StackHooks<SpeStackLogic<NumWarps, Lanes, StackDepth, PushOrder, LevelW, Watch, PcStep>, NumWarps, Lanes>,
    ScoreboardOf<Scoreboard, NumWarps, Lanes, 1, SbEntries, 0>, SelectorOf<kSelectorTwoLevel, NumWarps, 1, Policy>,
    SbEntries, Policy, IbufDepth, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

template <unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
          unsigned, unsigned, unsigned, unsigned>
class spe_frontend;

template <unsigned NumWarps, unsigned Lanes, unsigned StackDepth, unsigned PushOrder, unsigned Scoreboard,
          unsigned SbEntries, unsigned Policy, unsigned IbufDepth, unsigned LevelW, unsigned Predicate, unsigned NumWb,
          unsigned TagW, unsigned Watch, unsigned PayloadW, unsigned PcStep>
using SpeFrontendForm =
    FrontendForm<spe_frontend<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy, IbufDepth, LevelW,
                              Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 FrontendPorts<NumWarps, Lanes, StackDepth, NumWb, TagW, PayloadW>,
                 SpeFrontendLogic<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                  LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>,
                 spe_stack<NumWarps, Lanes, StackDepth, PushOrder, LevelW, Watch, PcStep>,
                 frontend<NumWarps, Lanes, 1, index_width(StackDepth + 1), Scoreboard, SbEntries, kSelectorTwoLevel,
                          Policy, IbufDepth, Predicate, NumWb, TagW, Watch, 0, 0, PayloadW, PcStep>,
                 LevelW>;

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned PushOrder = kPushTakenFirst,
          unsigned Scoreboard = kScoreboardSpe, unsigned SbEntries = 8, unsigned Policy = kPolicyRoundRobin,
          unsigned IbufDepth = 5, unsigned LevelW = 8, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3,
          unsigned Watch = 1, unsigned PayloadW = 0, unsigned PcStep = 4>
class spe_frontend : public SpeFrontendForm<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy,
                                            IbufDepth, LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep> {
  static_assert(Scoreboard == kScoreboardSpe || Scoreboard == kScoreboardBitmap,
                "spe_frontend: Scoreboard is 0 (spe_scoreboard) or 3 (bitmap_scoreboard)");

 public:
  using Base = SpeFrontendForm<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy, IbufDepth, LevelW,
                               Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;
  using Logic = SpeFrontendLogic<NumWarps, Lanes, StackDepth, PushOrder, Scoreboard, SbEntries, Policy, IbufDepth,
                                 LevelW, Predicate, NumWb, TagW, Watch, PayloadW, PcStep>;

  explicit spe_frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : Base(name, config) {
#ifdef HEDDLE_SYNTHESIS
    Base::connect_no_hooks();
    Base::connect_no_misses();
#endif
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
};

}  // namespace heddle
