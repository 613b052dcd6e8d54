// SPDX-License-Identifier: Apache-2.0
// FrontendProcess: a mechanism's front end in simulation, one clocked process around its logic. All outputs but a few
// are registers, so nothing is lost, and one process a cycle is what makes the simulator fast.
#pragma once

#include "core/frontend_ports.h"

namespace heddle {

// Module: the mechanism's, which may hide reset_own(), read_own() and write_own() for the pins that are its own; with
// kNeedsRoom resolve_ready_o is one of them.
template <class Module, class Pins, class OfLogic>
class FrontendProcess : public Pins {
 public:
  using Logic = OfLogic;
  using Pins::clk_i;
  using Pins::dont_initialize;
  using Pins::resolve_ready_o;
  using Pins::rst_ni;
  using Pins::sensitive;

  SC_HAS_PROCESS(FrontendProcess);
  FrontendProcess(sc_core::sc_module_name name, const FrontendConfig& config) : Pins(name), logic_(config) {
    HEDDLE_CLOCKED_PROCESS();
    if (!Logic::kNeedsRoom) SC_METHOD(show_ready);
  }

  [[nodiscard]] const Logic& state() const { return logic_; }

 protected:
  void reset_own() {}
  void read_own(typename Logic::Input& /*in*/) const {}
  void write_own() {}

 private:
  void reset() {
    logic_.reset();
    input_ = typename Logic::Input();
    Pins::reset_pins();
    module().reset_own();
  }

  void step() {
    Pins::read_pins(input_);
    module().read_own(input_);
    logic_.step(input_);
    Pins::write_pins(logic_.output(), logic_.max_depth());
    module().write_own();
  }

  void show_ready() { resolve_ready_o.write(true); }

  [[nodiscard]] Module& module() { return static_cast<Module&>(*this); }

  HEDDLE_CLOCKED_BODY()

 protected:
  Logic logic_;

 private:
  typename Logic::Input input_;
};

}  // namespace heddle
