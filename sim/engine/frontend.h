// SPDX-License-Identifier: Apache-2.0
// A front end in an engine, and the table of those that exist. A mechanism joins the simulator by an entry here: it
// brings a module with the pins of core/frontend_pins.h and says what can be seen inside.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "core/mechanism_unit.h"
#include "heddle/config.h"

namespace heddle {

// Owns the module; lives as long as the simulation.
class Frontend : public FrontendView {};

struct FrontendContext {
  const Config& config;
  const char* name;  // SystemC instance name
  sc_core::sc_signal_in_if<bool>& clk;
  sc_core::sc_signal_in_if<bool>& rst_n;
  FrontendPins& inputs;   // read by the module
  FrontendPins& outputs;  // driven by the module; the same object unless the module only runs beside another one
};

// One without the kernel, at pins of its own. In a cycle, step() comes before the rest of the core looks at its outputs
// and drives its inputs anew, show() after that.
class DirectFrontend : public FrontendView {
 public:
  virtual void reset() = 0;  // the machine, and its outputs
  virtual void step() = 0;   // an edge
  virtual void show() = 0;   // drives the outputs
};

struct DirectContext {
  const Config& config;
  DirectFrontendPins& pins;
};

using FrontendFactory = std::function<std::unique_ptr<Frontend>(const FrontendContext&)>;
using DirectFactory = std::function<std::unique_ptr<DirectFrontend>(const DirectContext&)>;

using UnitFactory = std::function<std::unique_ptr<MechanismUnit>(const Config&)>;

struct FrontendMechanism {
  std::string name;  // of --mechanism
  FrontendFactory systemc;
  FrontendFactory rtl;         // empty if the mechanism or the build has none
  DirectFactory direct{};      // without the kernel: faster than systemc, with the same counts; may be empty
  DirectFactory direct_rtl{};  // and than rtl
  // What it asks of the core, and its unit there; empty: nothing, and none.
  std::function<Capabilities(const Config&)> capabilities{};
  UnitFactory unit{};
};

// Throws Error ("engine") for a mechanism without an entry.
[[nodiscard]] const FrontendMechanism& frontend_mechanism(const std::string& name);
// Adds or replaces an entry.
void register_mechanism(FrontendMechanism mechanism);

[[nodiscard]] Capabilities capabilities_of(const FrontendMechanism& mechanism, const Config& config);
[[nodiscard]] std::unique_ptr<MechanismUnit> unit_of(const FrontendMechanism& mechanism, const Config& config);

}  // namespace heddle
