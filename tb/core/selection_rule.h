// SPDX-License-Identifier: Apache-2.0
// Is the selector fair? Each grant is held against the rule of docs/frontend.md, which bounds how long a ready path
// waits: loose round robin grants another warp twice only after every warp that stayed ready, so a path waits for fewer
// than 2 x warps grants. Greedy then oldest bounds nothing; there the greedy warp and the order of ages are checked.
// Constant work for each grant.
#pragma once

#include <array>
#include <cstdint>

#include "core/frontend_state.h"
#include "heddle/config.h"

namespace heddle {

class SelectionRule {
 public:
  explicit SelectionRule(const Config::Selector& selector)
      : gto_(selector.policy == Policy::kGto),
        constrained_(selector.kind == SelectorKind::kConstrained) {
    reset();
  }

  void reset() {
    last_ = kMaxPartitionWarps - 1;
    greedy_ = false;
    quiet_ = 0;
    last_slot_.fill(kNoSlot);
    for (unsigned w = 0; w < kMaxPartitionWarps; ++w) older_[w] = below(w);
  }

  // The front end is about to be told of a launch: the warp is the youngest now. It learns so in one of the next steps.
  void launch(std::uint32_t warp) {
    if (!gto_) return;
    if (last_ == warp) greedy_ = false;
    for (std::uint64_t& set : older_) set &= ~bit(warp);
    older_[warp] = ~bit(warp) & below(kMaxPartitionWarps);
    quiet_ = kLaunchSteps;
  }

  // One step of the front end. The warp that should have been granted, or kFair.
  static constexpr std::uint32_t kFair = ~0u;
  [[nodiscard]] std::uint32_t step(const Selection& selection, bool& other_slot) {
    other_slot = false;
    const bool quiet = quiet_ != 0;
    quiet_ -= quiet ? 1 : 0;
    if (!selection.granted) return kFair;
    const std::uint32_t warp = selection.warp;
    // Of the constrained selector only a warp that could go on with either path is ready for sure.
    std::uint64_t ready = selection.ready[0];
    for (unsigned slot = 1; slot < selection.slots; ++slot)
      ready = constrained_ ? ready & selection.ready[slot] : ready | selection.ready[slot];
    ready &= ~bit(warp);
    const std::uint32_t slot_before = last_slot_[warp];
    const std::uint32_t before = last_;
    const bool greedy = greedy_;
    last_ = warp;
    greedy_ = gto_;
    last_slot_[warp] = selection.slot;

    std::uint64_t first = 0;  // those that come before the granted warp
    if (!gto_) {
      const std::uint64_t after_last = ~below(before + 1), before_granted = below(warp);
      first = warp > before ? after_last & before_granted : after_last | before_granted;
    } else if (greedy && (ready & bit(before)) != 0) {
      first = bit(before);
    } else if (!greedy || before != warp) {
      first = older_[warp];
    }
    if (!quiet && (ready & first) != 0) return static_cast<std::uint32_t>(__builtin_ctzll(ready & first));
    other_slot = !constrained_ && selection.slot != next_slot(selection, slot_before);
    return other_slot ? warp : kFair;
  }

 private:
  static constexpr unsigned kLaunchSteps = 4;
  static constexpr std::uint32_t kNoSlot = ~0u;  // before the first one: slot 0 comes next

  // The first ready path of the granted warp after the one that it issued from before.
  [[nodiscard]] static std::uint32_t next_slot(const Selection& selection, std::uint32_t before) {
    const auto ready_from = [&](std::uint32_t first, std::uint32_t end) {
      std::uint32_t slot = first;
      while (slot < end && (selection.ready[slot] & bit(selection.warp)) == 0) ++slot;
      return slot;
    };
    const std::uint32_t after = ready_from(before + 1, selection.slots);
    return after < selection.slots ? after : ready_from(0, selection.slots);
  }

  [[nodiscard]] static constexpr std::uint64_t bit(std::uint32_t warp) { return std::uint64_t{1} << warp; }
  [[nodiscard]] static constexpr std::uint64_t below(std::uint32_t warp) { return bit(warp) - 1; }

  const bool gto_, constrained_;
  std::uint32_t last_ = 0;
  bool greedy_ = false;
  unsigned quiet_ = 0;
  std::array<std::uint32_t, kMaxPartitionWarps> last_slot_{};  // that was granted last, of a warp
  std::array<std::uint64_t, kMaxPartitionWarps> older_{};      // launched before
};

}  // namespace heddle
