// SPDX-License-Identifier: Apache-2.0
// A dwf_scheduler in an engine: the module behind the pins of barrel/dwf_pins.h, and what can be seen inside.
#pragma once

#include <functional>
#include <memory>

#include "barrel/dwf_pins.h"
#include "barrel/dwf_state.h"
#include "heddle/config.h"

namespace heddle {

// Owns the module; lives as long as the simulation.
class DwfScheduler : public DwfView {};

struct DwfContext {
  const Config& config;
  const char* name;                      // SystemC instance name
  sc_core::sc_signal_in_if<bool>& clk;
  sc_core::sc_signal_in_if<bool>& rst_n;
  Wire<DwfInputs>& in;                   // read by the module
  Wire<DwfOutputs>& out;                 // driven by the module
};

using DwfFactory = std::function<std::unique_ptr<DwfScheduler>(const DwfContext&)>;

struct DwfEngines {
  DwfFactory systemc;
  DwfFactory rtl;  // empty if the build has none
};

[[nodiscard]] const DwfEngines& dwf_engines();
// Takes the place of the engines of this project, for a scheduler of one's own or one with a fault built in.
void replace_dwf_engines(DwfEngines engines);

// The engines of this project, for a configuration that check_config() takes. The RTL throws Error of status 2 where it has no model.
[[nodiscard]] std::unique_ptr<DwfScheduler> make_dwf_twin(const DwfContext& context);
[[nodiscard]] std::unique_ptr<DwfScheduler> make_dwf_rtl(const DwfContext& context);

}  // namespace heddle
