// SPDX-License-Identifier: Apache-2.0
// core/path_state: random lockstep of RTL, twin and oracle, in which grants follow what the outputs allow; and what
// wins where two events of a warp meet.
#include "core/path_state.h"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <set>

#include "models/path_state_by_path.h"
#include "models/path_state_one_slot.h"
#include "models/path_state_two_slots.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

struct Path {
  WarpId warp;
  unsigned slot;
};
struct Inputs {
  std::optional<Path> grant;
  bool control = false, barrier = false;  // what is granted
  std::optional<WarpId> take, resolved, overflow, kill;
  std::uint64_t release = 0;          // bit = warp
  std::set<unsigned> gone;            // paths that are not there
  std::set<unsigned> in_region = {};  // paths, one of a warp at most
};

// A warp as a record of what has happened to it.
struct Warp {
  std::optional<unsigned> pending;
  bool acting = false, halted = false;
  std::set<unsigned> at_barrier;  // slots
};

template <class Set>
class PathStateBench : public Bench<typename Set::Rtl, path_state<Set::kNumWarps, Set::kNumSlots, Set::kPathBarriers>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kSlots = Set::kNumSlots, kPaths = kWarps * kSlots;

  explicit PathStateBench(std::uint64_t seed = 0)
      : Bench<typename Set::Rtl, path_state<Set::kNumWarps, Set::kNumSlots, Set::kPathBarriers>>(seed) {
    reset();
  }
  [[nodiscard]] const Warp& warp(WarpId w) const { return warps_.at(w); }

  void reset() {
    warps_ = {};
    expect({});
    this->reset_cycle();
  }
  void step(const Inputs& in) {
    drive(in);
    expect(in);
    for (WarpId w = 0; w < kWarps; ++w) next(w, in);
    this->cycle();
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kSlotWidth = index_width(kSlots);

  void drive(const Inputs& in) {
    for (unsigned p = 0; p < kPaths; ++p) {
      const bool granted = in.grant && in.grant->slot * kWarps + in.grant->warp == p;
      grant_i.set(p, granted);
      control_i.set(p, granted ? in.control : (this->cycles() + p) % 3 == 0);
      barrier_i.set(p, granted ? in.barrier : (this->cycles() + p) % 2 == 0);
      valid_i.set(p, in.gone.count(p) == 0);
    }
    grant_slot_i = in.grant ? in.grant->slot : this->cycles() % 2;
    take_valid_i = in.take.has_value();
    take_warp_i = in.take.value_or(0);
    killed_i = in.kill ? std::uint64_t{1} << *in.kill : 0;
    release_i = in.release;
    resolved_valid_i = in.resolved.has_value();
    resolved_warp_i = in.resolved.value_or(0);
    overflow_valid_i = in.overflow.has_value();
    overflow_warp_i = in.overflow.value_or(0);
    region_i = 0;
    std::uint64_t regions = 0;
    for (const unsigned p : in.in_region) {
      regions |= std::uint64_t{1} << p % kWarps;
      region_slot_i.set(p % kWarps, p / kWarps);
    }
    region_i = regions;
  }
  void expect(const Inputs& in) {
    for (WarpId w = 0; w < kWarps; ++w) {
      const Warp& warp = warps_[w];
      bool region = false;
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        const unsigned p = slot * kWarps + w;
        const bool whole = Set::kPathBarriers == 0;
        waits_o.expect(p, warp.pending == slot);
        at_barrier_o.expect(p, whole ? !warp.at_barrier.empty() : warp.at_barrier.count(slot) != 0);
        in_region_o.expect(p, in.in_region.count(p) != 0);
        region = region || in.in_region.count(p) != 0;
      }
      const bool acting = kSlots > 1 && warp.acting;
      pending_o.expect(w, warp.pending.has_value());
      acting_o.expect(w, acting);
      halted_o.expect(w, warp.halted);
      settled_o.expect(w,
                       !warp.pending && !acting && !warp.halted && warp.at_barrier.empty() && !region && in.kill != w);
    }
  }
  void next(WarpId w, const Inputs& in) {
    Warp& warp = warps_[w];
    const bool granted = in.grant && in.grant->warp == w;
    warp.acting = in.take == w;
    if (in.resolved == w) warp.pending.reset();
    if (granted && in.control) warp.pending = in.grant->slot;
    if (in.overflow == w) warp.halted = true;
    for (unsigned slot = 0; Set::kPathBarriers == 1 && slot < kSlots; ++slot) {
      if (in.gone.count(slot * kWarps + w) != 0) warp.at_barrier.erase(slot);
    }
    if (((in.release >> w) & 1) != 0 && !(granted && in.barrier)) warp.at_barrier.clear();
    if (granted && in.barrier) warp.at_barrier.insert(in.grant->slot);
    if (in.kill == w) {
      const bool acting = warp.acting;
      warp = Warp();
      warp.acting = acting;  // of a resolution that the stack forgets
    }
  }

  HEDDLE_INPUT(grant_i, 1, kPaths);
  HEDDLE_INPUT(grant_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(control_i, 1, kPaths);
  HEDDLE_INPUT(barrier_i, 1, kPaths);
  HEDDLE_INPUT(take_valid_i, 1, 1);
  HEDDLE_INPUT(take_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(killed_i, kWarps, 1);
  HEDDLE_INPUT(release_i, kWarps, 1);
  HEDDLE_INPUT(valid_i, 1, kPaths);
  HEDDLE_INPUT(resolved_valid_i, 1, 1);
  HEDDLE_INPUT(resolved_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(overflow_valid_i, 1, 1);
  HEDDLE_INPUT(overflow_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(region_i, kWarps, 1);
  HEDDLE_INPUT(region_slot_i, kSlotWidth, kWarps);
  HEDDLE_OUTPUT(pending_o, 1, kWarps);
  HEDDLE_OUTPUT(acting_o, 1, kWarps);
  HEDDLE_OUTPUT(halted_o, 1, kWarps);
  HEDDLE_OUTPUT(settled_o, 1, kWarps);
  HEDDLE_OUTPUT(waits_o, 1, kPaths);
  HEDDLE_OUTPUT(at_barrier_o, 1, kPaths);
  HEDDLE_OUTPUT(in_region_o, 1, kPaths);

  std::array<Warp, kWarps> warps_;
};

template <class Set>
class PathStateRandom : public testing::Test {};
using Sets = ParameterSets<models::path_state_two_slots, models::path_state_one_slot, models::path_state_by_path>;
TYPED_TEST_SUITE(PathStateRandom, Sets, SetNames);

TYPED_TEST(PathStateRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kSlots = TypeParam::kNumSlots;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    PathStateBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < 4000; ++i) {
      Inputs in;
      const auto any = [&](unsigned percent) {
        return random.chance(percent) ? std::optional<WarpId>(random.below(kWarps)) : std::nullopt;
      };
      const WarpId w = random.below(kWarps);
      const Warp& warp = bench.warp(w);
      if (random.chance(60)) {
        in.grant = Path{w, random.below(kSlots)};
        in.control = !warp.pending && random.chance(40);
        in.barrier = !in.control && random.chance(40);
      }
      in.take = any(20);
      in.kill = any(5);
      in.overflow = any(2);
      for (WarpId other = 0; other < kWarps; ++other) {
        if (bench.warp(other).pending && !in.resolved && random.chance(20)) in.resolved = other;
        if (random.chance(15)) in.release |= std::uint64_t{1} << other;
        if (random.chance(30)) in.in_region.insert(random.below(kSlots) * kWarps + other);
        for (unsigned slot = 0; slot < kSlots; ++slot) {
          if (random.chance(10)) in.gone.insert(slot * kWarps + other);
        }
      }
      met.hit("release_with_a_barrier", in.barrier && ((in.release >> w) & 1) != 0);
      met.hit("kill_with_a_barrier", in.barrier && in.kill == w);
      met.hit("kill_with_a_control_instruction", in.control && in.kill == w);
      met.hit("kill_of_a_halted_warp", in.kill && bench.warp(*in.kill).halted);
      met.hit("kill_with_overflow", in.kill && in.kill == in.overflow);
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

}  // namespace
}  // namespace heddle::test
