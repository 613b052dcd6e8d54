// SPDX-License-Identifier: Apache-2.0
// Parameters of the Verilated models of front ends, and which model a configuration takes.
#pragma once

#include <memory>
#include <vector>

#include "engine/frontend.h"
#include "mechanisms/mechanism.h"

namespace heddle {

constexpr unsigned kRtlSbEntries = 8;  // parameters of every model
constexpr unsigned kRtlIbufDepth = 5;
constexpr unsigned kRtlLevelBits = 8;

// Throws Error ("engine") with what there is.
[[nodiscard]] const RtlModelOf& choose_rtl(const std::vector<RtlModelOf>& models, const Config& config,
                                           const FrontendShape& shape);

}  // namespace heddle
