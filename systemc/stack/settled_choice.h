// SPDX-License-Identifier: Apache-2.0
// settled_choice: the warp whose state is settled in the next cycle, that of a resolution or the lowest that waits.
// Contract and pins: rtl/stack/settled_choice.sv.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24>
class settled_choice : public sc_core::sc_module {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "settled_choice: 1 to 64 warps");
  static constexpr unsigned kWarpW = index_width(NumWarps);

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(waits_i);
  sc_core::sc_out<bool> SC_NAMED(next_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(next_warp_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(waiter_o);
  sc_core::sc_out<bool> SC_NAMED(acts_o);
  sc_core::sc_out<bool> SC_NAMED(serves_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(warp_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(settled_o);

  SC_HAS_PROCESS(settled_choice);
  explicit settled_choice(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_next);
    sensitive << kill_valid_i << kill_warp_i << resolve_valid_i << resolve_warp_i << waits_i << acts_o << serves_o
              << warp_o;
    SC_METHOD(show_settled);
    sensitive << acts_o << serves_o << warp_o;
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return 2 + kWarpW; }

 private:
  void reset() {
    acts_o.write(false);
    serves_o.write(false);
    warp_o.write(0);
  }

  void step() {
    const std::uint64_t candidates = may_be_served();
    const std::uint32_t resolves = resolve_warp_i.read();
    if (resolve_valid_i.read()) {
      warp_o.write(resolves);
    } else if (candidates != 0) {
      warp_o.write(lowest_bit(candidates));
    }
    acts_o.write(resolve_valid_i.read() && !is_killed(resolves));
    serves_o.write(candidates != 0 && !resolve_valid_i.read());
  }

  [[nodiscard]] bool is_killed(std::uint32_t warp) const {
    return kill_valid_i.read() && static_cast<std::uint32_t>(kill_warp_i.read()) == warp;
  }
  // Of those that wait all but the one that is settled and the one that is killed.
  [[nodiscard]] std::uint64_t may_be_served() const {
    std::uint64_t candidates = waits_i.read();
    if (acts_o.read() || serves_o.read()) candidates = with_bit(candidates, warp_o.read(), false);
    if (kill_valid_i.read()) candidates = with_bit(candidates, kill_warp_i.read(), false);
    return candidates;
  }

  void show_next() {
    const std::uint64_t candidates = may_be_served();
    const std::uint32_t lowest = candidates != 0 ? lowest_bit(candidates) : 0;
    const bool resolves = resolve_valid_i.read();
    next_valid_o.write(resolves || candidates != 0);
    next_warp_o.write(resolves ? static_cast<std::uint32_t>(resolve_warp_i.read()) : lowest);
    waiter_o.write(candidates != 0 ? bit_of(lowest) : 0);
  }
  void show_settled() { settled_o.write(acts_o.read() || serves_o.read() ? bit_of(warp_o.read()) : 0); }

  HEDDLE_CLOCKED_BODY()
};

}  // namespace heddle
