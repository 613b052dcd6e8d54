// SPDX-License-Identifier: Apache-2.0
// Reference bounds of the dynamic warp formation study, without hardware behind them (docs/barrel.md):
//   naive        a divergent branch splits a warp for good; every part is a warp of its own, first come first served
//   pdom-barrel  static warps, each with the reconvergence stack of SPE; loose round robin over those that are ready
//   mimd         threads are independent: any `lanes` ready threads issue in a cycle, the longest ready first
#pragma once

#include <memory>

#include "barrel/warp_source.h"
#include "heddle/config.h"

namespace heddle {

[[nodiscard]] std::unique_ptr<WarpSource> make_naive_source(const Config& config);
[[nodiscard]] std::unique_ptr<WarpSource> make_pdom_barrel_source(const Config& config);
[[nodiscard]] std::unique_ptr<WarpSource> make_mimd_source(const Config& config);

}  // namespace heddle
