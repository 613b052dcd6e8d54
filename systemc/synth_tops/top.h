// SPDX-License-Identifier: Apache-2.0
// The top of a twin for synthesis compilers and scripts/hardware/lint_twins: one instance, every port bound to a signal
// of its own, and the call of sc_start() in which a compiler elaborates. HEDDLE_PARAMETERS are the template arguments
// of the twin; without it, its defaults.
#pragma once

#include <systemc>
#include <utility>

#include "common/types.h"

#ifndef HEDDLE_PARAMETERS
#define HEDDLE_PARAMETERS
#endif

#define HEDDLE_TOP(module)                                                    \
  int sc_main(int, char**) {                                                  \
    using sc_core::sc_start;                                                  \
    heddle::Surroundings<heddle::module<HEDDLE_PARAMETERS>> around("around"); \
    sc_start();                                                               \
    return 0;                                                                 \
  }

namespace heddle {

template <class Twin>
class Surroundings : public sc_core::sc_module {
 public:
  explicit Surroundings(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    for (sc_core::sc_object* object : twin.get_child_objects()) {
      bind<bool>(*object);
      bind<std::uint32_t>(*object);
      bind<std::uint64_t>(*object);
      bind_sc_uint(*object, std::make_integer_sequence<int, 64>());
    }
  }

  Twin SC_NAMED(twin);

 private:
  // A port of values T gets a signal; it lives as long as the program.
  template <class T>
  static void bind(sc_core::sc_object& object) {
    if (auto* in = dynamic_cast<sc_core::sc_in<T>*>(&object)) in->bind(*new sc_core::sc_signal<T>);
    if (auto* out = dynamic_cast<sc_core::sc_out<T>*>(&object)) out->bind(*new sc_core::sc_signal<T>);
  }
  template <int... Less>
  static void bind_sc_uint(sc_core::sc_object& object, std::integer_sequence<int, Less...>) {
    (bind<sc_dt::sc_uint<Less + 1>>(object), ...);
  }
};

}  // namespace heddle
