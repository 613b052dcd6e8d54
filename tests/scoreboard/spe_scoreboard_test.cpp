// SPDX-License-Identifier: Apache-2.0
// scoreboard/spe_scoreboard: random lockstep of RTL, twin and oracle; the Order rules step by step.
#include "scoreboard/spe_scoreboard.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/spe_scoreboard_default.h"
#include "models/spe_scoreboard_odd.h"
#include "models/spe_scoreboard_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/scoreboard/scoreboard_oracles.h"

namespace heddle::test {
namespace {

using Registers = std::vector<unsigned>;

template <class Set>
class SpeScoreboardBench : public Bench<typename Set::Rtl, spe_scoreboard<Set::kNumWarps, Set::kNumEntries>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kEntries = Set::kNumEntries;
  using Inputs = SpeScoreboardOracle::Inputs;

  explicit SpeScoreboardBench(std::uint64_t seed = 0)
      : Bench<typename Set::Rtl, spe_scoreboard<Set::kNumWarps, Set::kNumEntries>>(seed) {
    reset();
  }

  [[nodiscard]] const SpeScoreboardOracle& oracle() const { return oracle_; }
  // The instruction at the head of a warp's buffer, until changed.
  void head(WarpId w, const Names& names) { heads_.at(w) = names; }

  void reset() {
    oracle_ = SpeScoreboardOracle(kWarps, kEntries);
    heads_.assign(kWarps, Names{});
    expect();
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    set_valid_i = in.set.has_value();
    if (in.set) {
      set_warp_i = in.set->warp;
      set_reg_i = in.set->reg;
    }
    wb0_valid_i = in.wb[0].has_value();
    if (in.wb[0]) {
      wb0_warp_i = in.wb[0]->warp;
      wb0_reg_i = in.wb[0]->reg;
    }
    wb1_valid_i = in.wb[1].has_value();
    if (in.wb[1]) {
      wb1_warp_i = in.wb[1]->warp;
      wb1_reg_i = in.wb[1]->reg;
    }
    for (WarpId w = 0; w < kWarps; ++w) head_i.set(w, heads_[w].packed());
    expect();
    oracle_.step(in);
    this->cycle();
  }
  void issue(WarpId warp, unsigned reg) { step({SpeScoreboardOracle::Write{warp, reg}, {}}); }
  void write_back(WarpId warp, unsigned reg) { step({{}, {SpeScoreboardOracle::Write{warp, reg}, {}}}); }
  // What the pins say of the head in a cycle without events.
  bool blocked(WarpId warp, const Names& names) {
    head(warp, names);
    step({});
    return blocked_o.get(warp) != 0;
  }
  bool full(WarpId warp, const Names& names) {
    head(warp, names);
    step({});
    return full_o.get(warp) != 0;
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(set_valid_i, 1, 1);
  HEDDLE_INPUT(set_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(set_reg_i, 6, 1);
  HEDDLE_INPUT(wb0_valid_i, 1, 1);
  HEDDLE_INPUT(wb0_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(wb0_reg_i, 6, 1);
  HEDDLE_INPUT(wb1_valid_i, 1, 1);
  HEDDLE_INPUT(wb1_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(wb1_reg_i, 6, 1);
  HEDDLE_INPUT(head_i, 24, kWarps);
  HEDDLE_OUTPUT(blocked_o, 1, kWarps);
  HEDDLE_OUTPUT(full_o, 1, kWarps);
  HEDDLE_OUTPUT(pending_o, 1, kWarps * kEntries);
  HEDDLE_OUTPUT(reg_o, 6, kWarps * kEntries);

  void expect() {
    for (WarpId w = 0; w < kWarps; ++w) {
      blocked_o.expect(w, oracle_.blocked(w, heads_[w]));
      full_o.expect(w, oracle_.full(w, heads_[w]));
      for (unsigned i = 0; i < kEntries; ++i) {
        pending_o.expect(w * kEntries + i, oracle_.table(w).entries()[i].pending);
        reg_o.expect(w * kEntries + i, oracle_.table(w).entries()[i].reg);
      }
    }
  }

  SpeScoreboardOracle oracle_{kWarps, kEntries};
  std::vector<Names> heads_ = std::vector<Names>(kWarps);
};

// ---- random lockstep

template <class Set>
class SpeScoreboardRandom : public testing::Test {};
using Sets =
    ParameterSets<models::spe_scoreboard_small, models::spe_scoreboard_odd, models::spe_scoreboard_default>;
TYPED_TEST_SUITE(SpeScoreboardRandom, Sets, SetNames);

// Every bit of a name alone, and neighbours.
const Registers kRegisters = {0, 1, 2, 3, 4, 8, 16, 31, 32, 40, 62, 63};

TYPED_TEST(SpeScoreboardRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  using Oracle = SpeScoreboardOracle;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    SpeScoreboardBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto name = [&] { return random.pick(kRegisters); };
      const auto any_warp = [&] { return random.below(TypeParam::kNumWarps); };
      Oracle::Inputs in;
      const WarpId busy = any_warp();
      const WriteTable& table = bench.oracle().table(busy);
      const unsigned reg = name();
      const unsigned drain = i / 100 % 3 == 0 ? 8 : 25;  // full for a while, then not
      if (random.chance(60) && (reg == 0 || (!table.full() && !table.is_pending(reg)))) in.set = Oracle::Write{busy, reg};
      for (auto& wb : in.wb) {
        const WarpId warp = random.chance(70) ? busy : any_warp();
        const Registers pending = bench.oracle().table(warp).pending_registers();
        if (random.chance(drain)) {
          // Also what nobody waits for: any name, or what the entry held that a set takes now.
          const unsigned stale = random.below(10);
          const unsigned done = stale == 0                    ? bench.oracle().table(warp).held_by_lowest_free()
                                : pending.empty() || stale == 1 ? name()
                                                                : random.pick(pending);
          // A write of this cycle cannot be written back in it.
          if (!(in.set && in.set->warp == warp && in.set->reg == done)) wb = Oracle::Write{warp, done};
        }
      }
      bench.head(any_warp(), {name(), name(), name(), name()});
      met.hit("set_and_clear_of_one_warp", in.set && in.wb[0] && in.wb[0]->warp == in.set->warp && in.set->reg != 0 &&
                                               table.is_pending(in.wb[0]->reg));
      met.hit("two_clears_of_one_warp", in.wb[0] && in.wb[1] && in.wb[0]->warp == in.wb[1]->warp &&
                                            in.wb[0]->reg != in.wb[1]->reg);
      met.hit("set_of_register_0", in.set && in.set->reg == 0);
      met.hit("clear_of_register_0", in.wb[0] && in.wb[0]->reg == 0);
      if (TypeParam::kNumEntries < 8) met.hit("full", table.full());
      if (TypeParam::kNumEntries < 8) met.hit("clear_of_a_full_table", table.full() && in.wb[0] && in.wb[0]->warp == busy);
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- directed

using Small = models::spe_scoreboard_small;  // 3 warps, 3 entries

TEST(SpeScoreboardExample, APendingRegisterBlocksEveryOperandThatNamesIt) {
  SpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(1, 7);
  EXPECT_TRUE(scoreboard.blocked(1, {7, 0, 0, 0}));
  EXPECT_TRUE(scoreboard.blocked(1, {0, 7, 0, 0}));
  EXPECT_TRUE(scoreboard.blocked(1, {0, 0, 7, 0}));
  EXPECT_TRUE(scoreboard.blocked(1, {0, 0, 0, 7}));
  EXPECT_FALSE(scoreboard.blocked(1, {6, 8, 39, 1}));
  EXPECT_FALSE(scoreboard.blocked(0, {7, 7, 7, 7}));
}

TEST(SpeScoreboardExample, RegisterZeroIsNeverTracked) {
  SpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(0, 0);
  EXPECT_FALSE(scoreboard.blocked(0, {0, 0, 0, 0}));
  EXPECT_EQ(scoreboard.oracle().table(0).pending_registers(), Registers{});
}

TEST(SpeScoreboardExample, AWriteBackReleasesTheRegisterInTheNextCycle) {
  SpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(0, 5);
  scoreboard.head(0, {0, 5, 0, 0});
  scoreboard.write_back(0, 5);  // the bench compares: still blocked in this cycle
  EXPECT_FALSE(scoreboard.blocked(0, {0, 5, 0, 0}));
}

TEST(SpeScoreboardExample, AnEntryThatIsClearedInThisCycleIsNotFreeYet) {
  SpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(0, 5);
  scoreboard.issue(0, 6);
  scoreboard.step({SpeScoreboardOracle::Write{0, 7}, {SpeScoreboardOracle::Write{0, 5}, {}}});
  const auto& entries = scoreboard.oracle().table(0).entries();
  EXPECT_FALSE(entries[0].pending);
  EXPECT_TRUE(entries[1].pending);
  EXPECT_EQ(entries[1].reg, 6u);
  EXPECT_TRUE(entries[2].pending);
  EXPECT_EQ(entries[2].reg, 7u);
}

TEST(SpeScoreboardExample, AFullTableStallsOnlyInstructionsThatWrite) {
  SpeScoreboardBench<Small> scoreboard;
  for (unsigned reg : {1, 2, 3}) scoreboard.issue(2, reg);
  EXPECT_TRUE(scoreboard.full(2, {9, 0, 0, 0}));
  EXPECT_FALSE(scoreboard.full(2, {0, 9, 0, 0}));
  EXPECT_FALSE(scoreboard.full(1, {9, 0, 0, 0}));
  scoreboard.write_back(2, 2);
  EXPECT_FALSE(scoreboard.full(2, {9, 0, 0, 0}));
}

TEST(SpeScoreboardMistake, ASetInAFullTable) {
  SpeScoreboardBench<Small> scoreboard;
  for (unsigned reg : {1, 2, 3}) scoreboard.issue(0, reg);
  EXPECT_THROW(scoreboard.issue(0, 4), RtlAssertion);
}

TEST(SpeScoreboardMistake, ASetOfAPendingRegister) {
  SpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(0, 1);
  EXPECT_THROW(scoreboard.issue(0, 1), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
