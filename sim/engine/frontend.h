// SPDX-License-Identifier: Apache-2.0
// A front end in an engine, and the table of those that exist. A mechanism joins the simulator by an entry here: it brings a
// module with the pins of core/frontend_pins.h and says what can be seen inside.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "heddle/config.h"

namespace heddle {

// Owns the module; lives as long as the simulation.
class Frontend : public FrontendView {};

struct FrontendContext {
  const Config& config;
  const char* name;                     // SystemC instance name
  sc_core::sc_signal_in_if<bool>& clk;
  sc_core::sc_signal_in_if<bool>& rst_n;
  FrontendPins& inputs;                 // read by the module
  FrontendPins& outputs;                // driven by the module; the same object unless the module only runs beside another one
};

using FrontendFactory = std::function<std::unique_ptr<Frontend>(const FrontendContext&)>;

struct FrontendMechanism {
  std::string name;         // of --mechanism
  FrontendFactory systemc;
  FrontendFactory rtl;      // empty if the mechanism or the build has none
};

// Throws Error ("engine") for a mechanism without an entry.
[[nodiscard]] const FrontendMechanism& frontend_mechanism(const std::string& name);
// Adds or replaces an entry.
void register_mechanism(FrontendMechanism mechanism);

// Of those of this project (sim/config/mechanisms.h).
[[nodiscard]] std::unique_ptr<Frontend> make_twin(const FrontendContext& context);
[[nodiscard]] std::unique_ptr<Frontend> make_rtl(const FrontendContext& context);

}  // namespace heddle
