// SPDX-License-Identifier: Apache-2.0
// What the monitor watches: a scheduler in the engine that drives the core and, in co-simulation, in the RTL that runs
// beside it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/frontend_pins.h"
#include "core/frontend_state.h"
#include "engine/dwf_schedulers.h"
#include "heddle/config.h"
#include "wave/wave.h"

namespace heddle {

class Monitored {
 public:
  enum class Side { kDriver, kRtl };  // the engine that drives the core; the RTL beside it

  explicit Monitored(std::string name) : name_(std::move(name)) {}
  virtual ~Monitored() = default;
  Monitored(const Monitored&) = delete;
  Monitored& operator=(const Monitored&) = delete;

  [[nodiscard]] const std::string& name() const { return name_; }  // in messages and as scope of a wave
  // Pins and state of one side, in scopes inside `scope`.
  [[nodiscard]] virtual std::vector<WaveProbe> waves(Side side, const std::string& scope) const = 0;
  // The scope, inside of name(), at which a viewer should begin.
  [[nodiscard]] virtual std::string first_view() const = 0;
  // Everything that equal() compares, in the same order for both sides; scope and name say which output it is.
  [[nodiscard]] virtual std::vector<WaveProbe> outputs(Side side) const = 0;
  // No more of what the launch before has left is shown. Warps from this number on stay as the reset has left them.
  virtual void begin_launch(unsigned) {}
  // Refreshes the variables of all probes, between two clock edges. False: if both sides are equal, none has changed
  // since the last time.
  virtual bool sample() = 0;
  // Co-simulation: both sides show the same.
  [[nodiscard]] virtual bool equal() const = 0;

 private:
  const std::string name_;
};

// A front end. rtl_pins and rtl_view: co-simulation only, else nullptr.
struct FrontendSides {
  FrontendPins* pins = nullptr;
  const FrontendView* view = nullptr;
  FrontendPins* rtl_pins = nullptr;
  const FrontendView* rtl_view = nullptr;
};
[[nodiscard]] std::unique_ptr<Monitored> monitor_frontend(const Config& config, unsigned scheduler,
                                                          const FrontendSides& sides);

// A scheduler of dynamic warp formation; both sides read the same inputs. rtl_out and rtl_view as above.
struct DwfSides {
  const DwfPins* pins = nullptr;
  const DwfView* view = nullptr;
  const Wire<DwfOutputs>* rtl_out = nullptr;
  const DwfView* rtl_view = nullptr;
};
[[nodiscard]] std::unique_ptr<Monitored> monitor_dwf(const Config& config, const DwfSides& sides);

}  // namespace heddle
