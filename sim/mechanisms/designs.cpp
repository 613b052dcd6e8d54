// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/designs.h"

namespace heddle {

FrontendShape one_slot_shape(const Config& config) {
  FrontendShape shape;
  if (config.scoreboard.kind == ScoreboardKind::kBitmap) shape.scoreboard = ScoreboardModule::kBitmap;
  return shape;
}

FrontendShape two_slot_shape(const Config& config) {
  FrontendShape shape;
  shape.slots = 2;
  shape.scoreboard = config.scoreboard.kind == ScoreboardKind::kBitmap       ? ScoreboardModule::kBitmap
                     : config.scoreboard.kind == ScoreboardKind::kOptimistic ? ScoreboardModule::kOptimistic
                                                                             : ScoreboardModule::kDpe;
  shape.selector = config.selector.kind;
  shape.core.long_waits = shape.selector == SelectorKind::kConstrained;
  return shape;
}

}  // namespace heddle
