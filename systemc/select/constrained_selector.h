// SPDX-License-Identifier: Apache-2.0
// constrained_selector: selection in which only the current path of a warp competes. Contract: docs/frontend.md,
// select/constrained_selector; same pins as rtl/select/constrained_selector.sv.
//
// ConstrainedSelectorLogic is the machine without a clock, for the front end. The module below keeps the same state in
// signals.
#pragma once

#include "select/warp_selector.h"

namespace heddle {

// The paths of all warps that the constrained selector looks at when it decides who is current next; bit a warp.
struct SwitchInput {
  std::uint64_t valid_l = 0;
  std::uint64_t valid_r = 0;
  std::uint64_t long_l = 0;
  std::uint64_t long_r = 0;
  bool miss_valid = false;
  std::uint32_t miss_warp = 0;
  std::uint32_t miss_slot = 0;
};

// Current slots after this cycle (bit a warp, 1 = right), launches apart.
[[nodiscard]] inline std::uint64_t next_current(std::uint64_t current, const PathGrant& grant, const SwitchInput& in) {
  const std::uint64_t current_valid = (in.valid_l & ~current) | (in.valid_r & current);
  const std::uint64_t other_valid = (in.valid_r & ~current) | (in.valid_l & current);
  const std::uint64_t current_long = (in.long_l & ~current) | (in.long_r & current);
  std::uint64_t wants = ~current_valid;
  if (grant.valid) wants |= current_long & bit_of(grant.warp);
  if (in.miss_valid && has_bit(current, in.miss_warp) == (in.miss_slot != 0)) wants |= bit_of(in.miss_warp);
  return current ^ (wants & other_valid);
}

template <unsigned NumWarps = 24, unsigned Policy = 0>
class ConstrainedSelectorLogic {
  static_assert(Policy <= kPolicyGto, "constrained_selector: Policy is 0 or 1");

 public:
  // Two slots: the limit is warp_selector's.
  explicit ConstrainedSelectorLogic(std::uint32_t policy = Policy, std::uint32_t /*slot_limit*/ = 2)
      : priority_(policy) {}

  [[nodiscard]] static constexpr unsigned state_bits() {
    return WarpPriorityLogic<NumWarps>::state_bits(Policy) + NumWarps;
  }

  void reset() {
    priority_.reset();
    current_ = 0;
  }

  // Ready paths: bit a warp.
  [[nodiscard]] PathGrant pick(std::uint64_t ready_l, std::uint64_t ready_r) const {
    const std::uint64_t ready = (ready_l & ~current_) | (ready_r & current_);
    PathGrant grant;
    if (ready != 0) {
      grant.valid = true;
      grant.warp = priority_.pick(ready);
      grant.slot = has_bit(current_, grant.warp) ? 1u : 0u;
    }
    return grant;
  }

  // The end of the cycle, every cycle.
  void update(const PathGrant& grant, const SwitchInput& in) {
    if (grant.valid) priority_.grant(grant.warp);
    current_ = next_current(current_, grant, in);
  }
  // After update() of the same cycle: launch wins.
  void launch(std::uint32_t warp) {
    priority_.launch(warp);
    current_ &= ~bit_of(warp);
  }

  [[nodiscard]] const WarpPriorityLogic<NumWarps>& priority() const { return priority_; }
  [[nodiscard]] std::uint64_t current() const { return current_; }  // bit a warp, 1 = right

 private:
  WarpPriorityLogic<NumWarps> priority_;
  std::uint64_t current_ = 0;
};

template <unsigned NumWarps = 24, unsigned Policy = 0>
class constrained_selector : public sc_core::sc_module {
  static_assert(2 * NumWarps <= 64, "constrained_selector: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  using Priority = WarpPrioritySignals<NumWarps, Policy>;

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(ready_l_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(ready_r_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(valid_l_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(valid_r_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(long_l_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(long_r_i);
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(miss_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(miss_slot_i);
  sc_core::sc_out<bool> SC_NAMED(grant_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(grant_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(grant_slot_o);
  sc_core::sc_out<Mask<2 * NumWarps>> SC_NAMED(grant_o);

  SC_HAS_PROCESS(constrained_selector);
  explicit constrained_selector(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(select);
    sensitive << ready_l_i << ready_r_i << current_ << priority_.last << priority_.greedy;
    for (unsigned pair = 0; pair < Priority::kPairs; ++pair) sensitive << priority_.older[pair];
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return ConstrainedSelectorLogic<NumWarps, Policy>::state_bits();
  }

 private:
  void reset() {
    priority_.reset();
    current_.write(0);
  }

  void step() {
    PathGrant grant;
    grant.valid = grant_valid_o.read();
    grant.warp = grant_warp_o.read();
    grant.slot = grant_slot_o.read();
    SwitchInput in;
    in.valid_l = valid_l_i.read();
    in.valid_r = valid_r_i.read();
    in.long_l = long_l_i.read();
    in.long_r = long_r_i.read();
    in.miss_valid = miss_valid_i.read();
    in.miss_warp = miss_warp_i.read();
    in.miss_slot = miss_slot_i.read();
    const std::uint64_t next = next_current(current_.read(), grant, in);
    const std::uint64_t launched = launch_valid_i.read() ? bit_of(launch_warp_i.read()) : 0;
    current_.write(next & ~launched);
    priority_.update(grant.valid, grant.warp, launch_valid_i.read(), launch_warp_i.read());
  }

  void select() {
    const std::uint64_t ready_l = ready_l_i.read();
    const std::uint64_t ready_r = ready_r_i.read();
    const std::uint64_t current = current_.read();
    const std::uint64_t ready = (ready_l & ~current) | (ready_r & current);
    std::uint32_t warp = 0;
    if (ready != 0) warp = priority_.pick(ready);
    const std::uint32_t slot = ready != 0 && has_bit(current, warp) ? 1u : 0u;
    grant_valid_o.write(ready != 0);
    grant_warp_o.write(warp);
    grant_slot_o.write(slot);
    grant_o.write(ready != 0 ? bit_of(slot * NumWarps + warp) : 0);
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(current_);
  WarpPrioritySignals<NumWarps, Policy> priority_;
};

}  // namespace heddle
