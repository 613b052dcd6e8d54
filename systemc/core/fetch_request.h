// SPDX-License-Identifier: Apache-2.0
// fetch_request: which path asks for its next instructions, and where they are. Contract: docs/frontend.md,
// core/fetch_request; same pins as rtl/core/fetch_request.sv.
#pragma once

#include "select/warp_selector.h"

namespace heddle {

// Where the next request of a path begins: behind what its queue holds and what is asked for, two bundles a request.
// The path stands at the first bundle, or at the unresolved instruction that left the queue before it.
[[nodiscard]] constexpr std::uint32_t request_pc(std::uint32_t pc, std::uint32_t step, std::uint32_t queued,
                                                 std::uint32_t requests, bool unresolved) {
  return pc + step * (queued + 2 * requests + (unresolved ? 1u : 0u));
}

// Warps take turns, then the slots of a warp; `warps` have a path in `ready`, `slots` are those of the chosen warp.
template <class Turn, unsigned NumSlots, class SlotsOf>
[[nodiscard, gnu::always_inline]] inline PathGrant pick_path(const Turn& turn, const std::uint64_t (&ready)[NumSlots],
                                                             std::uint64_t warps, const SlotsOf& paths) {
  PathGrant grant;
  if (warps != 0) {
    grant.valid = true;
    grant.warp = turn.pick_warp(warps);
    grant.slot = turn.pick_slot(ready, paths.slots_of(grant.warp), grant.warp);
  }
  return grant;
}

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned IbufDepth = 5, unsigned TagW = 3, unsigned PcStep = 4>
class fetch_request : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static constexpr unsigned kCountW = index_width(IbufDepth + 1);
  static_assert(kPaths >= 1 && kPaths <= 64, "fetch_request: the pins of the twin carry 1 to 64 paths");
  static_assert(is_pc_step(PcStep), "fetch_request: PcStep is a power of two of at least 2");

 public:
  using Turn = warp_selector<NumWarps, NumSlots, kPolicyRoundRobin>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // dispatcher
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  // stack
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(pc_i, kPaths);
  // path_state
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(waits_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(halted_i);
  // ibuffer
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(need_fetch_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kCountW>>> SC_NAMED(count_i, kPaths);
  sc_core::sc_vector<sc_core::sc_in<Number<2>>> SC_NAMED(requests_i, kPaths);
  sc_core::sc_vector<sc_core::sc_in<Number<TagW>>> SC_NAMED(tag_i, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(request_o);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(fetch_ready_i);
  sc_core::sc_out<bool> SC_NAMED(fetch_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(fetch_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(fetch_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(fetch_pc_o);
  sc_core::sc_out<Number<TagW>> SC_NAMED(fetch_tag_o);

  SC_HAS_PROCESS(fetch_request);
  explicit fetch_request(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(find_wants);
    sensitive << valid_i << need_fetch_i << halted_i << fetch_ready_i;
    turn_.clk_i(clk_i);
    turn_.rst_ni(rst_ni);
    turn_.launch_valid_i(launch_valid_i);
    turn_.launch_warp_i(launch_warp_i);
    turn_.ready_i(wants_);
    turn_.grant_valid_o(grant_valid_);
    turn_.grant_warp_o(grant_warp_);
    turn_.grant_slot_o(grant_slot_);
    turn_.grant_o(request_o);
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return Turn::state_bits() + 1 + kWarpW + slot_state_bits(NumSlots) + 32 + TagW;
  }

 private:
  void reset() {
    fetch_valid_o.write(false);
    fetch_warp_o.write(0);
    fetch_slot_o.write(0);
    fetch_pc_o.write(0);
    fetch_tag_o.write(0);
  }

  void step() {
    fetch_valid_o.write(grant_valid_.read());
    if (grant_valid_.read()) {
      const std::uint32_t warp = grant_warp_.read();
      const std::uint32_t slot = grant_slot_.read();
      const std::uint32_t path = slot * NumWarps + warp;
      const bool unresolved = has_bit(waits_i.read(), path);
      fetch_warp_o.write(warp);
      if (NumSlots > 1) fetch_slot_o.write(slot);
      fetch_pc_o.write(
          request_pc(pc_i[path].read(), PcStep, count_i[path].read(), requests_i[path].read(), unresolved));
      fetch_tag_o.write(tag_i[path].read());
    }
  }

  void find_wants() {
    std::uint64_t halted = 0;
    for (unsigned s = 0; s < NumSlots; ++s) halted |= static_cast<std::uint64_t>(halted_i.read()) << (s * NumWarps);
    const std::uint64_t wants = need_fetch_i.read() & valid_i.read() & ~halted;
    wants_.write(fetch_ready_i.read() ? wants : 0);
  }

  HEDDLE_CLOCKED_BODY()

  Turn SC_NAMED(turn_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(wants_);
  sc_core::sc_signal<bool> SC_NAMED(grant_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(grant_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(grant_slot_);
};

}  // namespace heddle
