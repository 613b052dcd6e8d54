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
class SpeScoreboardBench
    : public Bench<typename Set::Rtl, spe_scoreboard<Set::kNumWarps, Set::kNumEntries, Set::kNumWb, Set::kNumCheck>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kEntries = Set::kNumEntries;
  using Inputs = SpeScoreboardOracle::Inputs;

  explicit SpeScoreboardBench(std::uint64_t seed = 0)
      : Bench<typename Set::Rtl, spe_scoreboard<Set::kNumWarps, Set::kNumEntries, Set::kNumWb, Set::kNumCheck>>(seed) {
    reset();
  }

  [[nodiscard]] const SpeScoreboardOracle& oracle() const { return oracle_; }
  struct Check {
    WarpId warp = 0;
    Names names = {};
  };
  // What a check port asks, until changed.
  void check(unsigned port, const Check& check) { checks_.at(port) = check; }

  void reset() {
    oracle_ = SpeScoreboardOracle(kWarps, kEntries);
    checks_.assign(Set::kNumCheck, Check());
    expect({});
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    for (WarpId w = 0; w < kWarps; ++w) set_i.set(w, in.set && in.set->warp == w);
    if (in.set) set_reg_i = in.set->reg;
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      wb_valid_i.set(k, valid);
      if (!valid) continue;
      wb_warp_i.set(k, in.wb[k]->warp);
      wb_reg_i.set(k, in.wb[k]->reg);
    }
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      check_warp_i.set(c, checks_[c].warp);
      check_names_i.set(c, checks_[c].names.packed());
    }
    expect(in);
    oracle_.step(in);
    this->cycle();
  }
  void issue(WarpId warp, unsigned reg) { step({SpeScoreboardOracle::Write{warp, reg}, {}}); }
  void write_back(WarpId warp, unsigned reg) { step({{}, {SpeScoreboardOracle::Write{warp, reg}, {}}}); }
  // What the pins say of an instruction in a cycle without events.
  bool blocked(WarpId warp, const Names& names) {
    check(0, {warp, names});
    step({});
    return check_wait_o.get(0) != 0;
  }
  bool full(WarpId warp, const Names& names) {
    check(0, {warp, names});
    step({});
    return check_full_o.get(0) != 0;
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kWaitWidth = kEntries;
  HEDDLE_INPUT(set_i, 1, kWarps);
  HEDDLE_INPUT(set_reg_i, 6, 1);
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(check_warp_i, kWarpWidth, Set::kNumCheck);
  HEDDLE_INPUT(check_names_i, 24, Set::kNumCheck);
  HEDDLE_OUTPUT(check_wait_o, kWaitWidth, Set::kNumCheck);
  HEDDLE_OUTPUT(check_full_o, 1, Set::kNumCheck);
  HEDDLE_OUTPUT(wake_o, kEntries, Set::kNumWb);
  HEDDLE_OUTPUT(pending_o, 1, kWarps* kEntries);
  HEDDLE_OUTPUT(reg_o, 6, kWarps* kEntries);

  void expect(const Inputs& in) {
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      const Check& check = checks_[c];
      const bool there = check.warp < kWarps;
      check_wait_o.expect(c, there ? oracle_.wait(check.warp, check.names) : 0);
      check_full_o.expect(c, there && oracle_.full(check.warp, check.names));
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      wake_o.expect(k, valid ? oracle_.table(in.wb[k]->warp).freed_by(in.wb[k]->reg) : 0);
    }
    for (WarpId w = 0; w < kWarps; ++w) {
      for (unsigned i = 0; i < kEntries; ++i) {
        pending_o.expect(w * kEntries + i, oracle_.table(w).entries()[i].pending);
        reg_o.expect(w * kEntries + i, oracle_.table(w).entries()[i].reg);
        if (!oracle_.table(w).entries()[i].pending) reg_o.ignore(w * kEntries + i);
      }
    }
  }

  SpeScoreboardOracle oracle_{kWarps, kEntries};
  std::vector<Check> checks_ = std::vector<Check>(Set::kNumCheck);
};

// ---- random lockstep

template <class Set>
class SpeScoreboardRandom : public testing::Test {};
using Sets = ParameterSets<models::spe_scoreboard_small, models::spe_scoreboard_odd, models::spe_scoreboard_default>;
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
      in.wb.resize(TypeParam::kNumWb);
      const WarpId busy = any_warp();
      const WriteTable& table = bench.oracle().table(busy);
      const unsigned reg = name();
      const unsigned drain = i / 100 % 3 == 0 ? 8 : 25;  // full for a while, then not
      if (random.chance(60) && (reg == 0 || (!table.full() && !table.is_pending(reg))))
        in.set = Oracle::Write{busy, reg};
      for (auto& wb : in.wb) {
        const WarpId warp = random.chance(70) ? busy : any_warp();
        const Registers pending = bench.oracle().table(warp).pending_registers();
        if (random.chance(drain)) {
          // Also what nobody waits for: any name, or what the entry held that a set takes now.
          const unsigned stale = random.below(10);
          const unsigned done = stale == 0                      ? bench.oracle().table(warp).held_by_lowest_free()
                                : pending.empty() || stale == 1 ? name()
                                                                : random.pick(pending);
          // A write of this cycle cannot be written back in it.
          if (!(in.set && in.set->warp == warp && in.set->reg == done)) wb = Oracle::Write{warp, done};
        }
      }
      for (unsigned c = 0; c < TypeParam::kNumCheck; ++c) {
        const bool beyond = random.chance(5);  // a warp that is not there, if the pins can name one
        const WarpId asked = beyond              ? random.below(1u << index_width(TypeParam::kNumWarps))
                             : random.chance(50) ? busy
                                                 : any_warp();
        bench.check(c, {asked, {name(), name(), name(), name()}});
        met.hit("waits_for_two",
                asked < TypeParam::kNumWarps && popcount(bench.oracle().wait(asked, {1, 2, 3, 4})) > 1);
        if ((TypeParam::kNumWarps & (TypeParam::kNumWarps - 1)) != 0)
          met.hit("warp_that_is_not_there", asked >= TypeParam::kNumWarps);
      }
      met.hit("set_and_clear_of_one_warp", in.set && in.wb[0] && in.wb[0]->warp == in.set->warp && in.set->reg != 0 &&
                                               table.is_pending(in.wb[0]->reg));
      const auto& last = in.wb.back();
      if (TypeParam::kNumWb > 1) {
        met.hit("two_clears_of_one_warp",
                in.wb[0] && last && in.wb[0]->warp == last->warp && in.wb[0]->reg != last->reg);
        met.hit("one_register_is_written_back_twice", in.wb[0] && last && in.wb[0]->warp == last->warp &&
                                                          last->reg == in.wb[0]->reg &&
                                                          bench.oracle().table(last->warp).is_pending(last->reg));
      }
      met.hit("set_of_register_0", in.set && in.set->reg == 0);
      met.hit("clear_of_register_0", in.wb[0] && in.wb[0]->reg == 0);
      if (TypeParam::kNumEntries < 8) met.hit("full", table.full());
      if (TypeParam::kNumEntries < 8)
        met.hit("clear_of_a_full_table", table.full() && in.wb[0] && in.wb[0]->warp == busy);
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
  scoreboard.check(0, {0, {0, 5, 0, 0}});
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
