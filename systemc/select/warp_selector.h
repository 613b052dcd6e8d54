// SPDX-License-Identifier: Apache-2.0
// warp_selector: two-level selection of the path that issues. Contract: docs/frontend.md, select/warp_selector; same pins as
// rtl/select/warp_selector.sv.
//
// WarpPriorityLogic is level 2 (which warp), shared with constrained_selector; WarpSelectorLogic adds level 1 (which slot).
// The front ends hold them; the module below keeps the same state in signals.
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
    const unsigned greedy_then_oldest = index_width(NumWarps) + 1 + NumWarps * (NumWarps - 1) / 2;
    return NumWarps > 1 && policy == kPolicyGto ? greedy_then_oldest : NumWarps - 1;  // rr_arbiter's; one warp: nothing to choose
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

// Level 2 as state that combinational processes see: WarpPriorityLogic in signals.
template <unsigned NumWarps, unsigned Policy>
struct WarpPrioritySignals {
  // Of each warp a set of those below it: NumWarps * (NumWarps - 1) / 2 bits, warp 1 first.
  static constexpr unsigned kPairs = Policy == kPolicyGto && NumWarps > 1 ? NumWarps * (NumWarps - 1) / 2 : 1;

  sc_core::sc_signal<Number<index_width(NumWarps)>> SC_NAMED(last);
  sc_core::sc_signal<bool> SC_NAMED(greedy);
  sc_core::sc_vector<sc_core::sc_signal<bool>> SC_NAMED(older, kPairs);

  void reset() {
    last.write(Policy == kPolicyGto ? 0 : NumWarps - 1);
    if constexpr (Policy == kPolicyGto) {
      greedy.write(false);
      for (unsigned pair = 0; pair < kPairs; ++pair) older[pair].write(true);
    }
  }

  // The end of the cycle: a grant, then a launch.
  void update(bool grant_valid, std::uint32_t grant_warp, bool launch_valid, std::uint32_t launch_warp) {
    const std::uint32_t last_before = last.read();
    const std::uint32_t last_now = grant_valid ? grant_warp : last_before;
    last.write(last_now);
    if constexpr (Policy == kPolicyGto) {
      greedy.write((grant_valid || greedy.read()) && !(launch_valid && launch_warp == last_now));
      for (unsigned w = 1; w < NumWarps; ++w) {
        for (unsigned below = 0; below < NumWarps; ++below) {
          if (below < w) {
            const bool before = older[w * (w - 1) / 2 + below].read();
            const bool leaves = launch_valid && launch_warp == below;
            older[w * (w - 1) / 2 + below].write((before && !leaves) || (launch_valid && launch_warp == w));
          }
        }
      }
    }
  }

  [[nodiscard]] std::uint32_t pick(std::uint64_t ready) const {
    std::uint32_t warp = 0;
    if constexpr (Policy == kPolicyGto) {
      std::uint64_t older_now[NumWarps];
      for (unsigned w = 0; w < NumWarps; ++w) {
        older_now[w] = 0;
        for (unsigned below = 0; below < NumWarps; ++below) {
          if (below < w) older_now[w] = with_bit(older_now[w], below, older[w * (w - 1) / 2 + below].read());
        }
      }
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

  static constexpr unsigned kWarpW = index_width(NumWarps);
  using Priority = WarpPrioritySignals<NumWarps, Policy>;

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(ready_l_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(ready_r_i);
  sc_core::sc_out<bool> SC_NAMED(grant_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(grant_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(grant_slot_o);
  sc_core::sc_out<Mask<NumWarps * NumSlots>> SC_NAMED(grant_o);

  SC_HAS_PROCESS(warp_selector);
  explicit warp_selector(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(select);
    sensitive << ready_l_i << ready_r_i << last_slot_ << priority_.last << priority_.greedy;
    for (unsigned pair = 0; pair < Priority::kPairs; ++pair) sensitive << priority_.older[pair];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return WarpSelectorLogic<NumWarps, NumSlots, Policy>::state_bits(); }

 private:
  void reset() {
    priority_.reset();
    last_slot_.write(low_bits(NumWarps));
  }

  void step() {
    const std::uint32_t warp = grant_warp_o.read();
    const std::uint64_t last_slot = last_slot_.read();
    if (NumSlots == 2 && grant_valid_o.read()) last_slot_.write(with_bit(last_slot, warp, grant_slot_o.read() != 0));
    priority_.update(grant_valid_o.read(), warp, launch_valid_i.read(), launch_warp_i.read());
  }

  void select() {
    const std::uint64_t ready_l = ready_l_i.read();
    const std::uint64_t right = ready_r_i.read();
    const std::uint64_t ready_r = NumSlots == 2 ? right : 0;
    const bool valid = (ready_l | ready_r) != 0;
    const std::uint32_t warp = valid ? priority_.pick(ready_l | ready_r) : 0;
    const std::uint32_t slot = valid ? alternate_slot(ready_l, ready_r, last_slot_.read(), warp) : 0;
    grant_valid_o.write(valid);
    grant_warp_o.write(warp);
    grant_slot_o.write(slot);
    grant_o.write(valid ? bit_of(slot * NumWarps + warp) : 0);
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(last_slot_);
  WarpPrioritySignals<NumWarps, Policy> priority_;
};

}  // namespace heddle
