// SPDX-License-Identifier: Apache-2.0
// scoreboard/optimistic_scoreboard: random lockstep of RTL, twin and oracle; no false dependences, step by step.
#include "scoreboard/optimistic_scoreboard.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/optimistic_scoreboard_default.h"
#include "models/optimistic_scoreboard_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/scoreboard/scoreboard_oracles.h"

namespace heddle::test {
namespace {

template <class Set>
using Twin = optimistic_scoreboard<Set::kNumWarps, Set::kLanes, Set::kNumEntries, Set::kNumWb, Set::kNumCheck>;

template <class Set>
class OptimisticScoreboardBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kEntries = Set::kNumEntries, kLanes = Set::kLanes;
  using Inputs = OptimisticScoreboardOracle::Inputs;
  using Write = OptimisticScoreboardOracle::Write;

  explicit OptimisticScoreboardBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  [[nodiscard]] const OptimisticScoreboardOracle& oracle() const { return oracle_; }
  struct Check {
    Names names = {};
    LaneMask mask = 0;
  };
  // What a check port asks, until changed: of warp `port` modulo the warps.
  void check(unsigned port, const Check& check) { checks_.at(port) = check; }

  void reset() {
    oracle_ = OptimisticScoreboardOracle(kWarps, kEntries);
    checks_.assign(Set::kNumCheck, Check());
    expect({});
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    for (WarpId w = 0; w < kWarps; ++w) set_i.set(w, in.set && in.set->warp == w);
    if (in.set) {
      set_reg_i = in.set->reg;
      set_mask_i = in.set->mask;
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      wb_valid_i.set(k, valid);
      if (!valid) continue;
      wb_warp_i.set(k, in.wb[k]->warp);
      wb_reg_i.set(k, in.wb[k]->reg);
      wb_mask_i.set(k, in.wb[k]->mask);
    }
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      check_names_i.set(c, checks_[c].names.packed());
      check_mask_i.set(c, checks_[c].mask);
    }
    expect(in);
    oracle_.step(in);
    this->cycle();
  }
  void issue(unsigned reg, LaneMask mask) { step({Write{0, reg, mask}, {}}); }
  void write_back(unsigned reg, LaneMask mask) { step({{}, {Write{0, reg, mask}, {}}}); }
  // What the pins say of an instruction of these threads of warp 0 in a cycle without events.
  bool blocked(const Names& names, LaneMask mask) {
    check(0, {names, mask});
    step({});
    return check_wait_o.get(0) != 0;
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kWaitWidth = kEntries;
  HEDDLE_INPUT(set_i, 1, kWarps);
  HEDDLE_INPUT(set_reg_i, 6, 1);
  HEDDLE_INPUT(set_mask_i, kLanes, 1);
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(wb_mask_i, kLanes, Set::kNumWb);
  HEDDLE_INPUT(check_names_i, 24, Set::kNumCheck);
  HEDDLE_INPUT(check_mask_i, kLanes, Set::kNumCheck);
  HEDDLE_OUTPUT(check_wait_o, kWaitWidth, Set::kNumCheck);
  HEDDLE_OUTPUT(check_full_o, 1, Set::kNumCheck);
  HEDDLE_OUTPUT(pending_o, 1, kWarps* kEntries);
  HEDDLE_OUTPUT(reg_o, 6, kWarps* kEntries);
  HEDDLE_OUTPUT(mask_o, kLanes, kWarps* kEntries);

  void expect(const Inputs&) {
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      const Check& check = checks_[c];
      check_wait_o.expect(c, oracle_.wait(c % kWarps, check.names, check.mask));
      check_full_o.expect(c, oracle_.full(c % kWarps, check.names));
    }
    for (WarpId w = 0; w < kWarps; ++w) {
      for (unsigned i = 0; i < kEntries; ++i) {
        const PendingWrite& entry = oracle_.table(w).entries()[i];
        pending_o.expect(w * kEntries + i, entry.pending);
        reg_o.expect(w * kEntries + i, entry.reg);
        mask_o.expect(w * kEntries + i, entry.mask);
        if (entry.pending) continue;
        reg_o.ignore(w * kEntries + i);
        mask_o.ignore(w * kEntries + i);
      }
    }
  }

  OptimisticScoreboardOracle oracle_{kWarps, kEntries};
  std::vector<Check> checks_ = std::vector<Check>(Set::kNumCheck);
};

template <class Set>
class OptimisticScoreboardRandom : public testing::Test {};
using Sets = ParameterSets<models::optimistic_scoreboard_small, models::optimistic_scoreboard_default>;
TYPED_TEST_SUITE(OptimisticScoreboardRandom, Sets, SetNames);

// Every bit of a name alone, and neighbours.
const std::vector<unsigned> kRegisters = {0, 1, 2, 3, 4, 8, 16, 31, 32, 63};

TYPED_TEST(OptimisticScoreboardRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  using Oracle = OptimisticScoreboardOracle;
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 800 : 4000;
  for (std::uint64_t seed = 1; seed <= seeds(3); ++seed) {
    Random random(seed);
    OptimisticScoreboardBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto name = [&] { return random.pick(kRegisters); };
      const auto mask = [&] { return random.some_lanes(TypeParam::kLanes); };
      const auto any_warp = [&] { return random.below(random.chance(70) ? 2 : TypeParam::kNumWarps); };
      Oracle::Inputs in;
      in.wb.resize(TypeParam::kNumWb);
      const WarpId busy = any_warp();
      const WriteTable& table = bench.oracle().table(busy);
      // Writes to one register are in flight for disjoint sets of threads only.
      Oracle::Write set{busy, name(), mask()};
      bool legal = set.reg == 0 || !table.full();
      unsigned same_register = 0;
      for (const PendingWrite& e : table.entries()) {
        if (!e.pending || e.reg != set.reg) continue;
        set.mask &= ~e.mask;
        ++same_register;
      }
      legal = legal && set.mask != 0;
      if (legal && random.chance(60)) in.set = set;
      for (auto& wb : in.wb) {
        const WarpId warp = random.chance(70) ? busy : any_warp();
        if (!random.chance(25)) continue;
        Oracle::Write done{warp, name(), mask()};
        std::vector<PendingWrite> pending;
        for (const PendingWrite& e : bench.oracle().table(warp).entries()) {
          if (e.pending) pending.push_back(e);
        }
        if (!pending.empty() && random.chance(90)) {
          const PendingWrite& e = random.pick(pending);
          done = {warp, e.reg, e.mask};
          // Also what nobody waits for: nearly this name, or no thread of this write.
          if (random.chance(10)) done.reg = random.but_for_a_bit(done.reg, 6);
          if (random.chance(10)) done.mask = lane_mask(TypeParam::kLanes) & ~done.mask;
        }
        wb = done;
      }
      for (unsigned c = 0; c < TypeParam::kNumCheck; ++c) {
        const WarpId w = c % TypeParam::kNumWarps;
        // Any threads, or none of a write in flight, or one of them; any name, or its name, or nearly that.
        const PendingWrite& near = bench.oracle().table(w).entries()[random.below(TypeParam::kNumEntries)];
        const auto head_name = [&] {
          return random.chance(70) ? name() : random.chance(60) ? random.but_for_a_bit(near.reg, 6) : near.reg;
        };
        LaneMask path = random.lanes(TypeParam::kLanes);
        if (random.chance(40)) path &= ~near.mask;
        if (random.chance(20)) path |= near.mask & (LaneMask{1} << random.below(TypeParam::kLanes));
        Names names{head_name(), head_name(), head_name(), head_name()};
        // An instruction of one name: what says that it has names must see each bit of each.
        if (random.chance(20)) names = Names::unpack(names.packed() & (63u << (6 * random.below(4))));
        bench.check(c, {names, path});
      }
      met.hit("one_register_twice", in.set && set.reg != 0 && same_register > 0);
      if (TypeParam::kNumEntries < 8) met.hit("full", table.full());
      met.hit("set_and_clear_of_one_register", in.set && set.reg != 0 && in.wb[0] && in.wb[0]->warp == busy &&
                                                   in.wb[0]->reg == set.reg && same_register > 0);
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::optimistic_scoreboard_small;

TEST(OptimisticScoreboardExample, TheFalseDependenceOfTheShadowBitsIsNotThere) {
  OptimisticScoreboardBench<Small> scoreboard;
  scoreboard.issue(1, 0b1000);                             // r1 of path B
  EXPECT_FALSE(scoreboard.blocked({4, 1, 3, 0}, 0b0110));  // path D has other threads
  EXPECT_TRUE(scoreboard.blocked({8, 1, 7, 0}, 0b1111));   // path G has the thread of B
}

TEST(OptimisticScoreboardExample, AWriteBackReleasesOnlyTheWriteOfItsThreads) {
  OptimisticScoreboardBench<Small> scoreboard;
  scoreboard.issue(4, 0b0011);
  scoreboard.issue(4, 0b1100);
  scoreboard.write_back(4, 0b0011);
  EXPECT_FALSE(scoreboard.blocked({0, 4, 0, 0}, 0b0001));
  EXPECT_TRUE(scoreboard.blocked({0, 4, 0, 0}, 0b0100));
}

}  // namespace
}  // namespace heddle::test
