// SPDX-License-Identifier: Apache-2.0
// The Verilated models of a front end, and which one a configuration takes.
#pragma once

#include <memory>
#include <vector>

#include "engine/frontend.h"
#include "mechanisms/mechanism.h"

namespace heddle {

constexpr unsigned kRtlSbEntries = 8;  // parameters of every model
constexpr unsigned kRtlIbufDepth = 5;
constexpr unsigned kRtlLevelBits = 8;

struct RtlModelOf {
  ScoreboardModule scoreboard;
  SelectorKind selector;
  Policy policy;
  PushOrder order;
  unsigned lanes;  // at most
  unsigned slots, stack_depth;
  std::unique_ptr<Frontend> (*make)(const FrontendContext&);
  std::unique_ptr<DirectFrontend> (*make_direct)(const DirectContext&);
};

// Throws Error ("engine") with what there is.
[[nodiscard]] const RtlModelOf& choose_rtl(const std::vector<RtlModelOf>& models, const Config& config,
                                           const FrontendShape& shape);

}  // namespace heddle
