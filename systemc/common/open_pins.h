// SPDX-License-Identifier: Apache-2.0
// Signals for pins that a model has no use for. SystemC wants every port bound: an OpenPins makes a signal for each pin
// it is called with, and keeps it. An input so bound is 0.
//
//   heddle::OpenPins open;
//   open(stack.sibling_o, stack.live_o);   // pins, and vectors of pins
#pragma once

#include <memory>
#include <vector>

#include <systemc>

namespace heddle {

class OpenPins {
 public:
  template <class... Pins>
  void operator()(Pins&... pins) {
    (bind(pins), ...);
  }

 private:
  template <class T>
  void bind(sc_core::sc_in<T>& pin) {
    pin(signal<T>());
  }
  template <class T>
  void bind(sc_core::sc_out<T>& pin) {
    pin(signal<T>());
  }
  template <class Pin>
  void bind(sc_core::sc_vector<Pin>& pins) {
    for (Pin& pin : pins) bind(pin);
  }

  template <class T>
  sc_core::sc_signal<T>& signal() {
    auto made = std::make_shared<sc_core::sc_signal<T>>(sc_core::sc_gen_unique_name("open"));
    signals_.push_back(made);
    return *made;
  }

  std::vector<std::shared_ptr<void>> signals_;
};

}  // namespace heddle
