// SPDX-License-Identifier: Apache-2.0
// The signals of one front end as wave probes: pins, and per warp stack, scoreboard, selector and instruction buffers.
#pragma once

#include <string>
#include <vector>

#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "heddle/config.h"
#include "wave/wave.h"

namespace heddle {

// `scope` is the place of the front end in the hierarchy, for example "systemc.scheduler0"; warps are named by their
// number in the core. `pins` and `state` are read at every sample: they outlive the recorder, and `state` is refreshed
// by the caller.
[[nodiscard]] std::vector<WaveProbe> frontend_probes(const std::string& scope, const Config& config, unsigned scheduler,
                                                     const FrontendPins& pins, const FrontendState& state);

}  // namespace heddle
