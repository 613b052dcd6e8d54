// SPDX-License-Identifier: Apache-2.0
// core/stall_reason: random lockstep of RTL, twin and oracle; every reason is told, and the nearest one wins.
#include "core/stall_reason.h"

#include <gtest/gtest.h>

#include "models/stall_reason_two_slots.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/core/frontend_oracle.h"

namespace heddle::test {
namespace {

using Set = models::stall_reason_two_slots;
constexpr unsigned kWarps = Set::kNumWarps, kPaths = kWarps * Set::kNumSlots;

struct Inputs {
  bool grant = false;
  std::uint64_t in_use = 0, pending = 0, halted = 0;  // bit = warp
  std::uint64_t eligible = 0, no_unit = 0, load_store = 0, may_issue = 0, blocked = 0, full = 0, wait = 0, barrier = 0;
};

class StallReasonBench : public Bench<Set::Rtl, stall_reason<kWarps, Set::kNumSlots>> {
 public:
  explicit StallReasonBench(std::uint64_t seed = 0) : Bench(seed) {
    stall_o.expect(kStallNone);
    reset_cycle();
  }
  unsigned step(const Inputs& in) {
    grant_valid_i = in.grant;
    in_use_i = in.in_use;
    pending_i = in.pending;
    halted_i = in.halted;
    eligible_i = in.eligible;
    no_unit_i = in.no_unit;
    load_store_i = in.load_store;
    may_issue_i = in.may_issue;
    blocked_i = in.blocked;
    full_i = in.full;
    wait_i = in.wait;
    at_barrier_i = in.barrier;
    stall_o.expect(reason_);
    cycle();
    return reason_ = of(in);
  }

 private:
  static unsigned of(const Inputs& in) {
    if (in.grant) return kStallNone;
    if (in.in_use == 0) return kStallNoWarp;
    if (in.eligible != 0) return kStallPathSwitch;
    if (in.no_unit != 0) return (in.no_unit & in.load_store) != 0 ? kStallMemory : kStallUnitBusy;
    if ((in.may_issue & in.blocked) != 0) return kStallScoreboard;
    if ((in.may_issue & in.full) != 0) return kStallScoreboardFull;
    if (in.pending != 0 || in.halted != 0 || in.wait != 0) return kStallBranchPending;
    return in.barrier != 0 ? kStallBarrier : kStallIbufferEmpty;
  }

  HEDDLE_INPUT(grant_valid_i, 1, 1);
  HEDDLE_INPUT(in_use_i, kWarps, 1);
  HEDDLE_INPUT(pending_i, kWarps, 1);
  HEDDLE_INPUT(halted_i, kWarps, 1);
  HEDDLE_INPUT(eligible_i, kPaths, 1);
  HEDDLE_INPUT(no_unit_i, kPaths, 1);
  HEDDLE_INPUT(load_store_i, kPaths, 1);
  HEDDLE_INPUT(may_issue_i, kPaths, 1);
  HEDDLE_INPUT(blocked_i, kPaths, 1);
  HEDDLE_INPUT(full_i, kPaths, 1);
  HEDDLE_INPUT(wait_i, kPaths, 1);
  HEDDLE_INPUT(at_barrier_i, kPaths, 1);
  HEDDLE_OUTPUT(stall_o, 4, 1);

  unsigned reason_ = kStallNone;
};

TEST(StallReason, RtlTwinAndOracleAgreeInEveryCycle) {
  Random random(1);
  StallReasonBench bench(1);
  Coverage met;
  for (unsigned i = 0; i < 8000; ++i) {
    // So few bits that each reason is the nearest at times.
    const auto some = [&](unsigned bits) {
      std::uint64_t word = 0;
      for (unsigned bit = 0; bit < bits; ++bit) word |= std::uint64_t{random.chance(4)} << bit;
      return word;
    };
    Inputs in;
    in.grant = random.chance(5);
    in.in_use = random.chance(90) ? 1 + random.below(7) : 0;
    in.pending = some(kWarps);
    in.halted = some(kWarps);
    in.eligible = some(kPaths);
    in.no_unit = some(kPaths);
    in.load_store = random.below(1u << kPaths);
    in.may_issue = random.below(1u << kPaths);
    in.blocked = some(kPaths);
    in.full = some(kPaths);
    in.wait = some(kPaths);
    in.barrier = some(kPaths);
    met.hit("reason_" + std::to_string(bench.step(in)));
  }
  for (unsigned reason = kStallNone; reason <= kStallPathSwitch; ++reason)
    met.hit("reason_" + std::to_string(reason), false);
  EXPECT_EQ(met.missing(10), "");
}

}  // namespace
}  // namespace heddle::test
