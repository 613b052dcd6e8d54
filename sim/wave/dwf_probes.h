// SPDX-License-Identifier: Apache-2.0
// The signals of a scheduler of dynamic warp formation as wave probes: pins, update registers, LUT, allocator, pool,
// issue logic.
#pragma once

#include <string>
#include <vector>

#include "barrel/dwf_pins.h"
#include "barrel/dwf_state.h"
#include "heddle/config.h"
#include "wave/wave.h"

namespace heddle {

// `scope` is the place of the scheduler in the hierarchy, for example "systemc.scheduler0"; empty: none. Pins and state
// are read at every sample: they outlive the recorder, and `state` is refreshed by the caller. Together they are all
// that DwfState and the output pins hold.
[[nodiscard]] std::vector<WaveProbe> dwf_probes(const std::string& scope, const Config& config,
                                                const Wire<DwfInputs>& in, const Wire<DwfOutputs>& out,
                                                const DwfState& state);

}  // namespace heddle
