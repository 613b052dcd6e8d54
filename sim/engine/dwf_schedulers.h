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
  const char* name;  // SystemC instance name
  sc_core::sc_signal_in_if<bool>& clk;
  sc_core::sc_signal_in_if<bool>& rst_n;
  Wire<DwfInputs>& in;    // read by the module
  Wire<DwfOutputs>& out;  // driven by the module
};

// One without the kernel, at pins of its own. step() goes on, show() drives the outputs.
class DirectDwfScheduler {
 public:
  virtual ~DirectDwfScheduler() = default;
  virtual void reset() = 0;  // the machine, and its outputs
  virtual void step() = 0;
  virtual void show() = 0;
};

struct DirectDwfContext {
  const Config& config;
  DirectDwfPins& pins;
};

using DirectDwfFactory = std::function<std::unique_ptr<DirectDwfScheduler>(const DirectDwfContext&)>;
using DwfFactory = std::function<std::unique_ptr<DwfScheduler>(const DwfContext&)>;

struct DwfEngines {
  DwfFactory systemc;
  DwfFactory rtl;             // empty if the build has none
  DirectDwfFactory direct{};  // may be empty
};

[[nodiscard]] const DwfEngines& dwf_engines();
// Takes the place of the engines of this project, for a scheduler of one's own or one with a fault built in.
void replace_dwf_engines(DwfEngines engines);

// The engines of this project, for a configuration that check_config() takes. The RTL throws Error of status 2 where it
// has no model.
[[nodiscard]] std::unique_ptr<DwfScheduler> make_dwf_twin(const DwfContext& context);
[[nodiscard]] std::unique_ptr<DwfScheduler> make_dwf_rtl(const DwfContext& context);
[[nodiscard]] std::unique_ptr<DirectDwfScheduler> make_direct_dwf(const DirectDwfContext& context);

}  // namespace heddle
