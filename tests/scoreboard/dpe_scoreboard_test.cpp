// SPDX-License-Identifier: Apache-2.0
// scoreboard/dpe_scoreboard: random lockstep of RTL, twin and oracle; the DPE paper's four scenarios and its Figure 7.
#include "scoreboard/dpe_scoreboard.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/dpe_scoreboard_default.h"
#include "models/dpe_scoreboard_odd.h"
#include "models/dpe_scoreboard_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/scoreboard/scoreboard_oracles.h"

namespace heddle::test {
namespace {

constexpr unsigned kLeft = 0, kRight = 1;
using Registers = std::vector<unsigned>;

template <class Set>
class DpeScoreboardBench
    : public Bench<typename Set::Rtl, dpe_scoreboard<Set::kNumWarps, Set::kNumEntries, Set::kNumWb, Set::kNumCheck>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kEntries = Set::kNumEntries;
  using Inputs = DpeScoreboardOracle::Inputs;
  using Write = DpeScoreboardOracle::Write;

  explicit DpeScoreboardBench(std::uint64_t seed = 0)
      : Bench<typename Set::Rtl, dpe_scoreboard<Set::kNumWarps, Set::kNumEntries, Set::kNumWb, Set::kNumCheck>>(seed) {
    reset();
  }

  [[nodiscard]] const DpeScoreboardOracle& oracle() const { return oracle_; }
  struct Check {
    WarpId warp = 0;
    unsigned slot = 0;
    Names names = {};
  };
  // What a check port asks, until changed.
  void check(unsigned port, const Check& check) { checks_.at(port) = check; }

  void reset() {
    oracle_ = DpeScoreboardOracle(kWarps, kEntries);
    checks_.assign(Set::kNumCheck, Check());
    expect({});
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    for (unsigned path = 0; path < 2 * kWarps; ++path)
      set_i.set(path, in.set && in.set->slot * kWarps + in.set->warp == path);
    if (in.set) set_reg_i = in.set->reg;
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      wb_valid_i.set(k, valid);
      if (!valid) continue;
      wb_warp_i.set(k, in.wb[k]->warp);
      wb_slot_i.set(k, in.wb[k]->slot);
      wb_reg_i.set(k, in.wb[k]->reg);
    }
    copy0_valid_i = in.copy[0].has_value();
    if (in.copy[0]) copy0_warp_i = *in.copy[0];
    copy1_valid_i = in.copy[1].has_value();
    if (in.copy[1]) copy1_warp_i = *in.copy[1];
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      check_warp_i.set(c, checks_[c].warp);
      check_slot_i.set(c, checks_[c].slot);
      check_names_i.set(c, checks_[c].names.packed());
    }
    expect(in);
    oracle_.step(in);
    this->cycle();
  }

  void issue(unsigned slot, unsigned reg, WarpId warp = 0) { step({Write{warp, slot, reg}, {}, {}}); }
  void write_back(unsigned slot, unsigned reg, WarpId warp = 0) { step({{}, {Write{warp, slot, reg}, {}}, {}}); }
  void push(WarpId warp = 0) { step({{}, {}, {warp, {}}}); }
  void pop(WarpId warp = 0) { step({{}, {}, {std::nullopt, warp}}); }
  // What the pins say of an instruction of a path in a cycle without events.
  bool blocked(unsigned slot, const Names& names, WarpId warp = 0) {
    check(0, {warp, slot, names});
    step({});
    return check_wait_o.get(0) != 0;
  }
  // The pins of both tables of a warp: "r0:PS r1:P- | -" is r0 shadowed and r1 pending on the left, nothing on the
  // right.
  std::string tables(WarpId warp = 0) {
    step({});
    return table(warp, pending_l_o, shadow_l_o, reg_l_o) + " | " + table(warp, pending_r_o, shadow_r_o, reg_r_o);
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kWaitWidth = 2 * kEntries;
  HEDDLE_INPUT(set_i, 1, 2 * kWarps);
  HEDDLE_INPUT(set_reg_i, 6, 1);
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_slot_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(copy0_valid_i, 1, 1);
  HEDDLE_INPUT(copy0_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(copy1_valid_i, 1, 1);
  HEDDLE_INPUT(copy1_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(check_warp_i, kWarpWidth, Set::kNumCheck);
  HEDDLE_INPUT(check_slot_i, 1, Set::kNumCheck);
  HEDDLE_INPUT(check_names_i, 24, Set::kNumCheck);
  HEDDLE_OUTPUT(check_wait_o, kWaitWidth, Set::kNumCheck);
  HEDDLE_OUTPUT(check_full_o, 1, Set::kNumCheck);
  HEDDLE_OUTPUT(wake_o, kEntries, Set::kNumWb);
  HEDDLE_OUTPUT(pending_l_o, 1, kWarps* kEntries);
  HEDDLE_OUTPUT(shadow_l_o, 1, kWarps* kEntries);
  HEDDLE_OUTPUT(reg_l_o, 6, kWarps* kEntries);
  HEDDLE_OUTPUT(pending_r_o, 1, kWarps* kEntries);
  HEDDLE_OUTPUT(shadow_r_o, 1, kWarps* kEntries);
  HEDDLE_OUTPUT(reg_r_o, 6, kWarps* kEntries);

  static std::string table(WarpId warp, const Output& pending, const Output& shadow, const Output& reg) {
    std::string text;
    for (unsigned i = warp * kEntries; i < (warp + 1) * kEntries; ++i) {
      if (pending.get(i) == 0) continue;
      text += (text.empty() ? "r" : " r") + std::to_string(reg.get(i)) + (shadow.get(i) != 0 ? ":PS" : ":P-");
    }
    return text.empty() ? "-" : text;
  }

  void expect(const Inputs& in) {
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      const Check& check = checks_[c];
      const bool there = check.warp < kWarps;
      check_wait_o.expect(c, there ? oracle_.wait(check.warp, check.slot, check.names) : 0);
      check_full_o.expect(c, there && oracle_.full(check.warp, check.slot, check.names));
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      wake_o.expect(k, valid ? oracle_.table(in.wb[k]->warp, in.wb[k]->slot).freed_by(in.wb[k]->reg) : 0);
    }
    for (WarpId w = 0; w < kWarps; ++w) {
      for (unsigned i = 0; i < kEntries; ++i) {
        const PendingWrite& left = oracle_.table(w, kLeft).entries()[i];
        const PendingWrite& right = oracle_.table(w, kRight).entries()[i];
        pending_l_o.expect(w * kEntries + i, left.pending);
        shadow_l_o.expect(w * kEntries + i, left.shadow);
        reg_l_o.expect(w * kEntries + i, left.reg);
        if (!left.pending) reg_l_o.ignore(w * kEntries + i);
        pending_r_o.expect(w * kEntries + i, right.pending);
        shadow_r_o.expect(w * kEntries + i, right.shadow);
        reg_r_o.expect(w * kEntries + i, right.reg);
        if (!right.pending) reg_r_o.ignore(w * kEntries + i);
      }
    }
  }

  DpeScoreboardOracle oracle_{kWarps, kEntries};
  std::vector<Check> checks_ = std::vector<Check>(Set::kNumCheck);
};

// ---- random lockstep

template <class Set>
class DpeScoreboardRandom : public testing::Test {};
using Sets = ParameterSets<models::dpe_scoreboard_small, models::dpe_scoreboard_odd, models::dpe_scoreboard_default>;
TYPED_TEST_SUITE(DpeScoreboardRandom, Sets, SetNames);

// Every bit of a name alone, and neighbours.
const Registers kRegisters = {0, 1, 2, 3, 4, 8, 16, 31, 32, 40, 62, 63};

TYPED_TEST(DpeScoreboardRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  using Oracle = DpeScoreboardOracle;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    DpeScoreboardBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto name = [&] { return random.pick(kRegisters); };
      const auto any_warp = [&] { return random.below(TypeParam::kNumWarps); };
      // A name that a table of a warp holds, but for one bit; sometimes the name itself.
      const auto nearly_held = [&](WarpId w, unsigned side) {
        const auto& entries = bench.oracle().table(w, side).entries();
        const unsigned reg = entries[random.below(TypeParam::kNumEntries)].reg;
        return random.chance(80) ? random.but_for_a_bit(reg, 6) : reg;
      };
      const auto head_name = [&](WarpId w) { return random.chance(40) ? nearly_held(w, random.below(2)) : name(); };
      Oracle::Inputs in;
      in.wb.resize(TypeParam::kNumWb);
      const WarpId busy = any_warp();
      const unsigned slot = random.below(2);
      const WriteTable& table = bench.oracle().table(busy, slot);
      const unsigned reg = name();
      const unsigned drain = i / 100 % 3 == 0 ? 10 : 30;  // full for a while, then not
      if (random.chance(60) && (reg == 0 || (!table.full() && !table.is_pending(reg)))) {
        in.set = Oracle::Write{busy, slot, reg};
      }
      for (auto& wb : in.wb) {
        const WarpId warp = random.chance(70) ? busy : any_warp();
        const unsigned side = random.below(2);
        const Registers pending = bench.oracle().table(warp, side).pending_registers();
        if (random.chance(drain)) {
          // Also what nobody waits for: any name, nearly one, or what the entry held that a set takes now.
          const unsigned stale = random.below(10);
          const unsigned done = stale == 0                      ? bench.oracle().table(warp, side).held_by_lowest_free()
                                : stale == 2                    ? nearly_held(warp, side)
                                : pending.empty() || stale == 1 ? name()
                                                                : random.pick(pending);
          // A write of this cycle cannot be written back in it.
          if (!(in.set && in.set->warp == warp && in.set->slot == side && in.set->reg == done)) {
            wb = Oracle::Write{warp, side, done};
          }
        }
      }
      for (auto& copy : in.copy) {
        if (random.chance(20)) copy = random.chance(60) ? busy : any_warp();
      }
      if (in.copy[0] == in.copy[1]) in.copy[1].reset();  // a warp never pushes and pops in one cycle
      for (unsigned c = 0; c < TypeParam::kNumCheck; ++c) {
        const WarpId w = random.chance(50) ? busy : any_warp();
        const unsigned side = random.below(2);
        const Names names{head_name(w), head_name(w), head_name(w), head_name(w)};
        const bool beyond = random.chance(5);  // a warp that is not there, if the pins can name one
        bench.check(c, {beyond ? random.below(1u << index_width(TypeParam::kNumWarps)) : w, side, names});
        met.hit("waits_for_both_tables", bench.oracle().table(w, side).named(names) != 0 &&
                                             bench.oracle().table(w, 1 - side).named(names, true) != 0);
      }

      const bool copied = in.set && (in.copy[0] == in.set->warp || in.copy[1] == in.set->warp);
      const bool cleared = in.wb[0] && bench.oracle().table(in.wb[0]->warp, in.wb[0]->slot).is_pending(in.wb[0]->reg);
      met.hit("set_with_copy", copied && in.set->reg != 0);
      met.hit("set_clear_and_copy_of_one_warp",
              copied && in.set->reg != 0 && cleared && in.wb[0]->warp == in.set->warp);
      met.hit("clear_with_copy", cleared && (in.copy[0] == in.wb[0]->warp || in.copy[1] == in.wb[0]->warp));
      met.hit("same_register_in_both_tables", reg != 0 && bench.oracle().table(busy, 0).is_pending(reg) &&
                                                  bench.oracle().table(busy, 1).is_pending(reg));
      if (TypeParam::kNumEntries < 8) met.hit("full", table.full());
      met.hit("both_copies", in.copy[0] && in.copy[1]);
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- the four scenarios of DPE paper 3.2

using Small = models::dpe_scoreboard_small;  // 3 warps, 5 entries

TEST(DpeScoreboardScenario, OneAWriteFromBeforeADivergenceIsSeenAndReleasedOnBothSides) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 10);
  scoreboard.push();
  EXPECT_EQ(scoreboard.tables(), "r10:PS | -");
  EXPECT_TRUE(scoreboard.blocked(kLeft, {0, 10, 0, 0}));
  EXPECT_TRUE(scoreboard.blocked(kRight, {0, 10, 0, 0}));
  scoreboard.write_back(kLeft, 10);
  EXPECT_FALSE(scoreboard.blocked(kLeft, {0, 10, 0, 0}));
  EXPECT_FALSE(scoreboard.blocked(kRight, {0, 10, 0, 0}));
}

TEST(DpeScoreboardScenario, TwoAWriteFromBeforeAReconvergenceIsSeenByTheOtherSlotAfterIt) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.push();
  scoreboard.issue(kRight, 7);
  EXPECT_FALSE(scoreboard.blocked(kLeft, {0, 7, 0, 0}));
  scoreboard.pop();
  EXPECT_EQ(scoreboard.tables(), "- | r7:PS");
  EXPECT_TRUE(scoreboard.blocked(kLeft, {0, 7, 0, 0}));
  scoreboard.write_back(kRight, 7);
  EXPECT_FALSE(scoreboard.blocked(kLeft, {0, 7, 0, 0}));
}

TEST(DpeScoreboardScenario, ThreeAWriteAfterTheDivergenceIsNoDependenceOfTheOtherSide) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.push();
  scoreboard.issue(kLeft, 1);
  EXPECT_EQ(scoreboard.tables(), "r1:P- | -");
  EXPECT_TRUE(scoreboard.blocked(kLeft, {0, 1, 0, 0}));
  EXPECT_FALSE(scoreboard.blocked(kRight, {1, 1, 1, 1}));
}

TEST(DpeScoreboardScenario, FourTheSameRegisterPendingOnBothSidesIsTrackedApart) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.push();
  scoreboard.issue(kLeft, 4);
  scoreboard.issue(kRight, 4);
  EXPECT_EQ(scoreboard.tables(), "r4:P- | r4:P-");
  scoreboard.write_back(kRight, 4);
  EXPECT_TRUE(scoreboard.blocked(kLeft, {0, 4, 0, 0}));
  EXPECT_FALSE(scoreboard.blocked(kRight, {0, 4, 0, 0}));
}

// Figure 7, instructions of Figure 6: A loads r0; B (left) loads r1; C (right) reads r0; D and E read r1; F loads r7;
// G reads r1 and r7. The known false dependence: r1 of B blocks D and E, which have other threads than B.
TEST(DpeScoreboardScenario, FigureSevenWalkThrough) {
  DpeScoreboardBench<Small> scoreboard;
  // r0 of the figure is register 10 here: x0 is never tracked.
  const Names c{5, 10, 2, 0}, d{4, 1, 3, 0}, e{4, 1, 3, 0}, g{8, 1, 7, 0};

  // (a) A has loaded r0 and diverges into B and C.
  scoreboard.issue(kLeft, 10);
  EXPECT_EQ(scoreboard.tables(), "r10:P- | -");
  scoreboard.push();
  EXPECT_EQ(scoreboard.tables(), "r10:PS | -");
  // (b) C waits for the load of A although it runs on the right.
  EXPECT_TRUE(scoreboard.blocked(kRight, c));
  // (c) The load of A returns to the left table and frees C.
  scoreboard.write_back(kLeft, 10);
  EXPECT_EQ(scoreboard.tables(), "- | -");
  EXPECT_FALSE(scoreboard.blocked(kRight, c));

  // B loads r1 on the left; C diverges into D (left) and E (right) before it returns.
  scoreboard.issue(kLeft, 1);
  EXPECT_EQ(scoreboard.tables(), "r1:P- | -");
  scoreboard.push();
  EXPECT_EQ(scoreboard.tables(), "r1:PS | -");
  EXPECT_TRUE(scoreboard.blocked(kLeft, d));
  EXPECT_TRUE(scoreboard.blocked(kRight, e));
  scoreboard.write_back(kLeft, 1);
  EXPECT_FALSE(scoreboard.blocked(kLeft, d));
  EXPECT_FALSE(scoreboard.blocked(kRight, e));

  // D and E write r4 at the same time, each in its own table.
  scoreboard.issue(kLeft, 4);
  EXPECT_FALSE(scoreboard.blocked(kRight, e));
  scoreboard.issue(kRight, 4);
  EXPECT_EQ(scoreboard.tables(), "r4:P- | r4:P-");
  scoreboard.step({{}, {DpeScoreboardOracle::Write{0, kLeft, 4}, DpeScoreboardOracle::Write{0, kRight, 4}}, {}});

  // D and E reconverge at F (right), which loads r7.
  scoreboard.pop();
  scoreboard.issue(kRight, 7);
  EXPECT_EQ(scoreboard.tables(), "- | r7:P-");
  // (d) B and F reconverge at G, which runs on the left and waits for r7 of the right table.
  scoreboard.pop();
  EXPECT_EQ(scoreboard.tables(), "- | r7:PS");
  EXPECT_TRUE(scoreboard.blocked(kLeft, g));
  scoreboard.write_back(kRight, 7);
  EXPECT_FALSE(scoreboard.blocked(kLeft, g));
}

// ---- Order

TEST(DpeScoreboardOrder, ARegisterSetInTheCycleOfAPushIsShadowed) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.step({DpeScoreboardOracle::Write{0, kLeft, 9}, {}, {WarpId{0}, {}}});
  EXPECT_EQ(scoreboard.tables(), "r9:PS | -");
}

TEST(DpeScoreboardOrder, ARegisterClearedInTheCycleOfAPopIsNotShadowed) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(kRight, 9);
  scoreboard.issue(kLeft, 8);
  scoreboard.step({{}, {DpeScoreboardOracle::Write{0, kRight, 9}, {}}, {std::nullopt, WarpId{0}}});
  EXPECT_EQ(scoreboard.tables(), "r8:PS | -");
}

TEST(DpeScoreboardOrder, PushAndPopOfTwoWarpsInOneCycleCopyBoth) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 3, 1);
  scoreboard.issue(kRight, 4, 2);
  scoreboard.issue(kRight, 5, 0);
  scoreboard.step({{}, {}, {WarpId{1}, WarpId{2}}});
  EXPECT_EQ(scoreboard.tables(0), "- | r5:P-");
  EXPECT_EQ(scoreboard.tables(1), "r3:PS | -");
  EXPECT_EQ(scoreboard.tables(2), "- | r4:PS");
}

TEST(DpeScoreboardOrder, AnEntryTakenAnewStartsWithoutShadow) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 3);
  scoreboard.push();
  scoreboard.write_back(kLeft, 3);
  scoreboard.issue(kLeft, 6);
  EXPECT_EQ(scoreboard.tables(), "r6:P- | -");
}

TEST(DpeScoreboardMistake, ASetInAFullTable) {
  DpeScoreboardBench<Small> scoreboard;
  for (unsigned reg : {1, 2, 3, 4, 5}) scoreboard.issue(kRight, reg);
  EXPECT_THROW(scoreboard.issue(kRight, 6), RtlAssertion);
}

TEST(DpeScoreboardMistake, ASetOfARegisterPendingInTheSameTable) {
  DpeScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 1);
  EXPECT_THROW(scoreboard.issue(kLeft, 1), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
