// SPDX-License-Identifier: Apache-2.0
// pop_choice: of the warps that want one, the lowest-numbered gets the pop. Contract and pins: rtl/stack/pop_choice.sv.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned DepthW = 5>
class pop_choice : public sc_core::sc_module {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "pop_choice: 1 to 64 warps");

 public:
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(wants_i);
  sc_core::sc_vector<sc_core::sc_in<Number<DepthW>>> SC_NAMED(depth_i, NumWarps);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(chosen_o);
  sc_core::sc_out<Number<index_width(NumWarps)>> SC_NAMED(warp_o);
  sc_core::sc_out<Number<DepthW>> SC_NAMED(depth_o);

  SC_HAS_PROCESS(pop_choice);
  explicit pop_choice(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    SC_METHOD(choose);
    sensitive << wants_i;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_i[w];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return 0; }

 private:
  void choose() {
    const std::uint64_t wants = wants_i.read();
    const bool any = wants != 0;
    const std::uint32_t warp = any ? lowest_bit(wants) : 0;
    chosen_o.write(any ? bit_of(warp) : 0);
    warp_o.write(warp);
    depth_o.write(any ? static_cast<std::uint32_t>(depth_i[warp].read()) : 0);
  }
};

}  // namespace heddle
