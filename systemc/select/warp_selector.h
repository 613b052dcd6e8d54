// SPDX-License-Identifier: Apache-2.0
// warp_selector: two-level selection of the path that issues. Contract: docs/frontend.md, select/warp_selector; same
// pins as rtl/select/warp_selector.sv.
//
// WarpPriorityLogic is level 2 (which warp), shared with constrained_selector; WarpSelectorLogic adds level 1 (which
// slot). The front ends hold them; the module below keeps the same state in signals.
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
    return NumWarps > 1 && policy == kPolicyGto ? greedy_then_oldest
                                                : NumWarps - 1;  // rr_arbiter's; one warp: nothing to choose
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
  [[nodiscard]] bool greedy() const { return greedy_; }                                 // gto: `last` may go on
  [[nodiscard]] std::uint64_t older(std::uint32_t warp) const { return older_[warp]; }  // of the warps below `warp`

 private:
  const std::uint32_t policy_;
  std::uint32_t last_ = 0;
  bool greedy_ = false;
  std::uint64_t older_[NumWarps] = {};
};

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Policy = 0>
class WarpSelectorLogic {
  static_assert(NumSlots >= 1 && NumSlots <= 64, "warp_selector: 1 to 64 slots");
  static_assert(Policy <= kPolicyGto, "warp_selector: Policy is 0 or 1");

 public:
  // slot_limit: use this many slots.
  explicit WarpSelectorLogic(std::uint32_t policy = Policy, std::uint32_t slot_limit = NumSlots)
      : slot_limit_(slot_limit),
        priority_(policy) {
    HEDDLE_EXPECT(slot_limit >= 1 && slot_limit <= NumSlots);
    reset();
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return WarpPriorityLogic<NumWarps>::state_bits(Policy) + NumWarps * slot_state_bits(NumSlots);
  }

  void reset() {
    priority_.reset();
    for (unsigned w = 0; w < NumWarps; ++w) last_slot_[w] = static_cast<std::uint8_t>(slot_limit_ - 1);
  }

  // Level 2: one of the warps in `ready`, which is not empty.
  [[nodiscard]] std::uint32_t pick_warp(std::uint64_t ready) const { return priority_.pick(ready); }
  // Level 1: the ready slot of the warp that is first after the one which was granted last. Ready paths by slot, bit a
  // warp; of more than two slots only those in `slots` are looked at, bit a slot.
  [[nodiscard]] std::uint32_t pick_slot(const std::uint64_t (&ready)[NumSlots], std::uint64_t slots,
                                        std::uint32_t warp) const {
    std::uint32_t slot = 0;
    if constexpr (NumSlots == 2) {
      const bool right = has_bit(ready[1], warp);
      slot = (right && has_bit(ready[0], warp) ? last_slot_[warp] == 0 : right) ? 1u : 0u;
    } else if constexpr (NumSlots > 2) {
      std::uint64_t of_warp = 0;
      for (std::uint64_t left = slots; left != 0; left &= left - 1) {
        const std::uint32_t s = lowest_bit(left);
        of_warp |= ((ready[s] >> warp) & 1u) << s;
      }
      slot = rr_pick(of_warp, last_slot_[warp]).index;
    }
    return slot;
  }

  void grant(const PathGrant& grant) {
    priority_.grant(grant.warp);
    if constexpr (NumSlots > 1) last_slot_[grant.warp] = static_cast<std::uint8_t>(grant.slot);
  }
  void launch(std::uint32_t warp) { priority_.launch(warp); }

  [[nodiscard]] const WarpPriorityLogic<NumWarps>& priority() const { return priority_; }
  [[nodiscard]] std::uint32_t last_slot(std::uint32_t warp) const { return last_slot_[warp]; }

 private:
  const std::uint32_t slot_limit_;
  WarpPriorityLogic<NumWarps> priority_;
  std::uint8_t last_slot_[NumWarps] = {};
};

// Level 2 as state that combinational processes see: WarpPriorityLogic in signals.
template <unsigned NumWarps, unsigned Policy>
struct WarpPrioritySignals {
  // Of each warp a set of those below it: NumWarps * (NumWarps - 1) / 2 bits, warp 1 first.
  static constexpr unsigned kPairs = Policy == kPolicyGto && NumWarps > 1 ? NumWarps*(NumWarps - 1) / 2 : 1;

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
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  using Priority = WarpPrioritySignals<NumWarps, Policy>;

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(ready_i);
  sc_core::sc_out<bool> SC_NAMED(grant_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(grant_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(grant_slot_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(grant_o);

  SC_HAS_PROCESS(warp_selector);
  explicit warp_selector(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(select);
    sensitive << ready_i << priority_.last << priority_.greedy;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << last_slot_[w];
    for (unsigned pair = 0; pair < Priority::kPairs; ++pair) sensitive << priority_.older[pair];
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return WarpSelectorLogic<NumWarps, NumSlots, Policy>::state_bits();
  }

 private:
  void reset() {
    priority_.reset();
    for (unsigned w = 0; w < NumWarps; ++w) last_slot_[w].write(NumSlots - 1);
  }

  void step() {
    const std::uint32_t warp = grant_warp_o.read();
    const std::uint32_t slot = grant_slot_o.read();
    if (NumSlots > 1 && grant_valid_o.read()) last_slot_[warp].write(slot);
    priority_.update(grant_valid_o.read(), warp, launch_valid_i.read(), launch_warp_i.read());
  }

  void select() {
    const std::uint64_t ready = ready_i.read();
    std::uint64_t warps = 0;
    for (unsigned s = 0; s < NumSlots; ++s) warps |= (ready >> (s * NumWarps)) & low_bits(NumWarps);
    const bool valid = warps != 0;
    std::uint32_t warp = 0;
    if (valid) warp = priority_.pick(warps);
    std::uint64_t slots = 0;
    for (unsigned s = 0; s < NumSlots; ++s) slots |= ((ready >> (s * NumWarps + warp)) & 1u) << s;
    const std::uint32_t last_slot = last_slot_[warp].read();
    const RrGrant turn = rr_pick(slots, last_slot);
    grant_valid_o.write(valid);
    grant_warp_o.write(warp);
    grant_slot_o.write(valid ? turn.index : 0);
    grant_o.write(valid ? bit_of(turn.index * NumWarps + warp) : 0);
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(last_slot_, NumWarps);
  WarpPrioritySignals<NumWarps, Policy> priority_;
};

}  // namespace heddle
