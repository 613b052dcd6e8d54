// SPDX-License-Identifier: Apache-2.0
// warp_selector: two-level selection of the path that issues. Contract: docs/frontend.md, select/warp_selector; same pins as
// rtl/select/warp_selector.sv.
//
// WarpPriorityLogic is level 2 (which warp), shared with constrained_selector; WarpSelectorLogic adds level 1 (which slot).
// The front ends hold them directly; the module below puts pins around them.
#pragma once

#include "common/rr_arbiter.h"

namespace heddle {

struct PathGrant {
  bool valid = false;
  std::uint32_t warp = 0;  // 0 while not valid
  std::uint32_t slot = 0;
};

constexpr std::uint32_t kPolicyRoundRobin = 0;
constexpr std::uint32_t kPolicyGto = 1;

// Greedy then oldest: the last granted warp while it can, else the oldest. older[w]: the warps below w that are older
// than w; of a warp above w that warp itself says whether w is older.
template <unsigned NumWarps>
[[nodiscard]] inline std::uint32_t gto_pick(std::uint64_t ready, const std::uint64_t (&older)[NumWarps], bool greedy,
                                            std::uint32_t last) {
  std::uint32_t warp = ready != 0 ? lowest_bit(ready) : 0;
  if (greedy && has_bit(ready, last)) {
    warp = last;
  } else {
    for (unsigned w = 1; w < NumWarps; ++w) {
      if (w > warp && has_bit(ready, w) && !has_bit(older[w], warp)) warp = w;
    }
  }
  return warp;
}

// The set of older warps below `warp` after the launch of `launched`, which is the youngest then.
[[nodiscard]] inline std::uint64_t older_after_launch(std::uint64_t older, std::uint32_t warp, std::uint32_t launched) {
  return warp == launched ? low_bits(warp) : older & ~bit_of(launched);
}

template <unsigned NumWarps>
class WarpPriorityLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "warp selection: 1 to 64 warps");

 public:
  explicit WarpPriorityLogic(std::uint32_t policy) : policy_(policy) {
    HEDDLE_EXPECT(policy <= kPolicyGto);
    reset();
  }

  [[nodiscard]] static constexpr unsigned state_bits(std::uint32_t policy) {
    const unsigned greedy_then_oldest = policy == kPolicyGto ? 1 + NumWarps * (NumWarps - 1) / 2 : 0;
    return NumWarps == 1 ? 0 : index_width(NumWarps) + greedy_then_oldest;  // one warp: nothing to choose
  }

  void reset() {
    last_ = policy_ == kPolicyGto ? 0 : NumWarps - 1;
    greedy_ = false;
    for (unsigned w = 0; w < NumWarps; ++w) older_[w] = low_bits(w);
  }

  // One of the warps in `ready`, which is not empty.
  [[nodiscard]] std::uint32_t pick(std::uint64_t ready) const {
    return policy_ == kPolicyGto ? gto_pick(ready, older_, greedy_, last_) : rr_pick(ready, last_).index;
  }

  void grant(std::uint32_t warp) {
    last_ = warp;
    greedy_ = policy_ == kPolicyGto;
  }

  // After grant() of the same cycle: launch wins.
  void launch(std::uint32_t warp) {
    if (policy_ == kPolicyGto) {
      if (last_ == warp) greedy_ = false;
      for (unsigned w = 0; w < NumWarps; ++w) older_[w] = older_after_launch(older_[w], w, warp);
    }
  }

  [[nodiscard]] std::uint32_t policy() const { return policy_; }
  [[nodiscard]] std::uint32_t last() const { return last_; }
  [[nodiscard]] bool greedy() const { return greedy_; }  // gto: `last` may go on
  [[nodiscard]] std::uint64_t older(std::uint32_t warp) const { return older_[warp]; }  // of the warps below `warp`

 private:
  const std::uint32_t policy_;
  std::uint32_t last_ = 0;
  bool greedy_ = false;
  std::uint64_t older_[NumWarps] = {};
};

// Level 1: slot of a warp with a ready path, given the slots that were granted last.
[[nodiscard]] inline std::uint32_t alternate_slot(std::uint64_t ready_l, std::uint64_t ready_r, std::uint64_t last_slot,
                                                  std::uint32_t warp) {
  const bool both = has_bit(ready_l & ready_r, warp);
  return (both ? !has_bit(last_slot, warp) : has_bit(ready_r, warp)) ? 1u : 0u;
}

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Policy = 0>
class WarpSelectorLogic {
  static_assert(NumSlots == 1 || NumSlots == 2, "warp_selector: 1 or 2 slots");
  static_assert(Policy <= kPolicyGto, "warp_selector: Policy is 0 or 1");

 public:
  explicit WarpSelectorLogic(std::uint32_t policy = Policy) : priority_(policy) {}

  [[nodiscard]] static constexpr unsigned state_bits() {
    return WarpPriorityLogic<NumWarps>::state_bits(Policy) + (NumSlots == 2 ? NumWarps : 0);
  }

  void reset() {
    priority_.reset();
    last_slot_ = low_bits(NumWarps);
  }

  // Ready paths: bit a warp. With one slot ready_r is 0.
  [[nodiscard]] PathGrant pick(std::uint64_t ready_l, std::uint64_t ready_r) const {
    PathGrant grant;
    if ((ready_l | ready_r) != 0) {
      grant.valid = true;
      grant.warp = priority_.pick(ready_l | ready_r);
      grant.slot = alternate_slot(ready_l, ready_r, last_slot_, grant.warp);
    }
    return grant;
  }

  void grant(const PathGrant& grant) {
    priority_.grant(grant.warp);
    if constexpr (NumSlots == 2) last_slot_ = with_bit(last_slot_, grant.warp, grant.slot != 0);
  }
  void launch(std::uint32_t warp) { priority_.launch(warp); }

  [[nodiscard]] const WarpPriorityLogic<NumWarps>& priority() const { return priority_; }
  [[nodiscard]] std::uint64_t last_slot() const { return last_slot_; }  // bit a warp

 private:
  WarpPriorityLogic<NumWarps> priority_;
  std::uint64_t last_slot_ = low_bits(NumWarps);
};

// Level 2 as the combinational processes of the selector modules see it: mirrors of WarpPriorityLogic in signals.
template <unsigned NumWarps, unsigned Policy>
struct WarpPrioritySignals {
  sc_core::sc_signal<std::uint32_t> SC_NAMED(last);
  sc_core::sc_signal<bool> SC_NAMED(greedy);
  sc_core::sc_vector<sc_core::sc_signal<std::uint64_t>> SC_NAMED(older, NumWarps);

  void write(const WarpPriorityLogic<NumWarps>& priority) {
    last.write(priority.last());
    greedy.write(priority.greedy());
    for (unsigned w = 0; w < NumWarps; ++w) older[w].write(priority.older(w));
  }

  [[nodiscard]] std::uint32_t pick(std::uint64_t ready) const {
    std::uint32_t warp = 0;
    if constexpr (Policy == kPolicyGto) {
      std::uint64_t older_now[NumWarps];
      for (unsigned w = 0; w < NumWarps; ++w) older_now[w] = older[w].read();
      warp = gto_pick(ready, older_now, greedy.read(), last.read());
    } else {
      warp = rr_pick(ready, last.read()).index;
    }
    return warp;
  }
};

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Policy = 0>
class warp_selector : public sc_core::sc_module {
  static_assert(NumWarps * NumSlots <= 64, "warp_selector: the pins of the twin carry at most 64 paths");

 public:
  using Logic = WarpSelectorLogic<NumWarps, NumSlots, Policy>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_warp_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(ready_l_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(ready_r_i);
  sc_core::sc_out<bool> SC_NAMED(grant_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(grant_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(grant_slot_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(grant_o);

  SC_HAS_PROCESS(warp_selector);
  explicit warp_selector(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    mirror();
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(select);
    sensitive << ready_l_i << ready_r_i << last_slot_ << priority_.last << priority_.greedy;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << priority_.older[w];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    mirror();
  }

  void step() {
    if (grant_valid_o.read()) {
      PathGrant grant;
      grant.valid = true;
      grant.warp = grant_warp_o.read();
      grant.slot = grant_slot_o.read();
      logic_.grant(grant);
    }
    if (launch_valid_i.read()) logic_.launch(launch_warp_i.read());
    mirror();
  }

  void select() {
    const std::uint64_t ready_l = ready_l_i.read();
    const std::uint64_t ready_r = NumSlots == 2 ? ready_r_i.read() : 0;
    const bool valid = (ready_l | ready_r) != 0;
    const std::uint32_t warp = valid ? priority_.pick(ready_l | ready_r) : 0;
    const std::uint32_t slot = valid ? alternate_slot(ready_l, ready_r, last_slot_.read(), warp) : 0;
    grant_valid_o.write(valid);
    grant_warp_o.write(warp);
    grant_slot_o.write(slot);
    grant_o.write(valid ? bit_of(slot * NumWarps + warp) : 0);
  }

  void mirror() {
    last_slot_.write(logic_.last_slot());
    priority_.write(logic_.priority());
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
  sc_core::sc_signal<std::uint64_t> SC_NAMED(last_slot_);
  WarpPrioritySignals<NumWarps, Policy> priority_;
};

}  // namespace heddle
