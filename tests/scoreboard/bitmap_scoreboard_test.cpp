// SPDX-License-Identifier: Apache-2.0
// scoreboard/bitmap_scoreboard: random lockstep of RTL, twin and the tables of dpe_scoreboard, so large that they are
// never full: the same instructions wait in the same cycles.
#include "scoreboard/bitmap_scoreboard.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/bitmap_scoreboard_default.h"
#include "models/bitmap_scoreboard_one_slot.h"
#include "models/bitmap_scoreboard_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/scoreboard/scoreboard_oracles.h"

namespace heddle::test {
namespace {

constexpr unsigned kLeft = 0, kRight = 1;
constexpr unsigned kRegisterNames = 64;
using Oracle = DpeScoreboardOracle;

template <class Set>
using Twin = bitmap_scoreboard<Set::kNumWarps, Set::kNumSlots, Set::kNumWb, Set::kNumCheck>;

template <class Set>
class BitmapScoreboardBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kSlots = Set::kNumSlots, kPaths = kWarps * kSlots;
  using Inputs = Oracle::Inputs;
  using Write = Oracle::Write;
  struct Check {
    WarpId warp = 0;
    unsigned slot = 0;
    Names names = {};
  };

  explicit BitmapScoreboardBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  [[nodiscard]] const Oracle& oracle() const { return oracle_; }
  void check(unsigned port, const Check& check) { checks_.at(port) = check; }

  void reset() {
    oracle_ = Oracle(kWarps, kRegisterNames);
    checks_.assign(Set::kNumCheck, Check());
    expect();
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    const std::optional<Write> set = seen(in).set;
    for (unsigned path = 0; path < kPaths; ++path) set_i.set(path, set && set->slot * kWarps + set->warp == path);
    if (set) set_reg_i = set->reg;
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
    expect();
    oracle_.step(seen(in));
    this->cycle();
  }

  void issue(unsigned slot, unsigned reg, WarpId warp = 0) { step({Write{warp, slot, reg}, {}, {}}); }
  void write_back(unsigned slot, unsigned reg, WarpId warp = 0) { step({{}, {Write{warp, slot, reg}}, {}}); }
  void push(WarpId warp = 0) { step({{}, {}, {warp, {}}}); }
  // The wait bits of an instruction in a cycle without events.
  std::uint64_t wait(unsigned slot, const Names& names, WarpId warp = 0) {
    check(0, {warp, slot, names});
    step({});
    return check_wait_o.get(0);
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(set_i, 1, kPaths);
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
  HEDDLE_OUTPUT(check_wait_o, 4, Set::kNumCheck);
  HEDDLE_OUTPUT(check_full_o, 1, Set::kNumCheck);
  HEDDLE_OUTPUT(pending_o, kRegisterNames, kWarps* kSlots);
  HEDDLE_OUTPUT(shadow_o, kRegisterNames, kWarps* kSlots);

  // With one slot all is of the left one, and nothing is copied.
  static Inputs seen(Inputs in) {
    if (kSlots == 2) return in;
    if (in.set) in.set->slot = kLeft;
    for (auto& wb : in.wb) {
      if (wb) wb->slot = kLeft;
    }
    in.copy = {};
    return in;
  }

  void expect() {
    for (unsigned c = 0; c < Set::kNumCheck; ++c) {
      const Check& check = checks_[c];
      const unsigned slot = kSlots == 2 ? check.slot : kLeft;
      const Names& names = check.names;
      std::uint64_t wait = 0;
      for (unsigned n = 0; n < 4 && check.warp < kWarps; ++n) {
        const unsigned name = std::array<unsigned, 4>{names.rd, names.rs1, names.rs2, names.rs3}[n];
        if (oracle_.wait(check.warp, slot, {name, 0, 0, 0}) != 0) wait |= std::uint64_t{1} << n;
      }
      check_wait_o.expect(c, wait);
      check_full_o.expect(c, 0);
    }
    for (unsigned p = 0; p < kWarps * kSlots; ++p) {
      std::uint64_t pending = 0, shadow = 0;
      for (const PendingWrite& e : oracle_.table(p % kWarps, p / kWarps).entries()) {
        if (e.pending) pending |= std::uint64_t{1} << e.reg;
        if (e.shadow) shadow |= std::uint64_t{1} << e.reg;
      }
      pending_o.expect(p, pending);
      shadow_o.expect(p, shadow);
    }
  }

  Oracle oracle_{kWarps, kRegisterNames};
  std::vector<Check> checks_ = std::vector<Check>(Set::kNumCheck);
};

// ---- random lockstep

template <class Set>
class BitmapScoreboardRandom : public testing::Test {};
using Sets = ParameterSets<models::bitmap_scoreboard_small, models::bitmap_scoreboard_one_slot,
                           models::bitmap_scoreboard_default>;
TYPED_TEST_SUITE(BitmapScoreboardRandom, Sets, SetNames);

TYPED_TEST(BitmapScoreboardRandom, RtlTwinAndTablesThatAreNeverFullAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kSlots = TypeParam::kNumSlots;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    BitmapScoreboardBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < (kWarps > 8 ? 1500 : 4000); ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto& oracle = bench.oracle();
      const unsigned names = i / 500 % 2 == 0 ? 6 : kRegisterNames;  // few, so that they meet, or all
      const auto name = [&] { return random.below(names); };
      const auto any_warp = [&] { return random.below(kWarps); };
      Oracle::Inputs in;
      const WarpId busy = any_warp();
      const unsigned slot = random.below(2), own = kSlots == 2 ? slot : kLeft;
      const unsigned reg = name();
      if (random.chance(70) && !oracle.table(busy, own).is_pending(reg)) in.set = Oracle::Write{busy, slot, reg};
      for (unsigned k = 0; k < TypeParam::kNumWb; ++k) {
        const WarpId warp = random.chance(60) ? busy : any_warp();
        const unsigned side = random.below(2);
        const auto pending = oracle.table(warp, kSlots == 2 ? side : kLeft).pending_registers();
        const unsigned done = pending.empty() || random.chance(10) ? name() : random.pick(pending);
        const bool issues = in.set && in.set->warp == warp && in.set->reg == done;
        in.wb.emplace_back();
        if (random.chance(25) && !issues) in.wb.back() = Oracle::Write{warp, side, done};
      }
      for (auto& copy : in.copy) {
        if (random.chance(15)) copy = random.chance(60) ? busy : any_warp();
      }
      if (in.copy[0] == in.copy[1]) in.copy[1].reset();
      for (unsigned c = 0; c < TypeParam::kNumCheck; ++c) {
        const WarpId asked = random.chance(5)    ? random.below(1u << index_width(kWarps))
                             : random.chance(50) ? busy
                                                 : any_warp();
        bench.check(c, {asked, random.below(2), {name(), name(), name(), name()}});
        if ((kWarps & (kWarps - 1)) != 0) met.hit("warp_that_is_not_there", asked >= kWarps);
      }
      const bool copied = in.copy[0] == busy || in.copy[1] == busy;
      const auto& wb = in.wb.back();
      met.hit("set_with_copy", in.set && reg != 0 && copied);
      met.hit("set_and_clear_of_one_warp", in.set && wb && wb->warp == busy && wb->reg != 0);
      met.hit("clear_with_copy", wb && in.copy[0] == wb->warp);
      met.hit("set_of_register_0", in.set && reg == 0);
      met.hit("set_of_register_63", in.set && reg == 63);
      if (kWarps <= 8) met.hit("more_than_sixteen_pending", oracle.table(busy, own).pending_registers().size() > 16);
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// Each register, on each port, is cleared in a row of which all others stay, alone and beside one of another port: in
// its own table and as a shadow in the other. Register 0 clears none.
TYPED_TEST(BitmapScoreboardRandom, AWriteBackClearsOneBitOfAFullRow) {
  BitmapScoreboardBench<TypeParam> bench;
  for (WarpId warp = 0; warp < TypeParam::kNumWarps; ++warp) {
    for (unsigned slot = 0; slot < TypeParam::kNumSlots; ++slot) {
      for (unsigned reg = 1; reg < kRegisterNames; ++reg) bench.issue(slot, reg, warp);
      bench.push(warp);
      for (unsigned port = 0; port < TypeParam::kNumWb; ++port) {
        for (unsigned reg = 0; reg < kRegisterNames; ++reg) {
          Oracle::Inputs in;
          in.wb.resize(TypeParam::kNumWb);
          in.wb[port] = Oracle::Write{warp, slot, reg};
          bench.step(in);
          bench.issue(slot, reg, warp);
          if (TypeParam::kNumWb == 1) continue;
          in.wb[(port + 1) % TypeParam::kNumWb] = Oracle::Write{warp, slot, reg ^ 32};
          bench.step(in);
          bench.issue(slot, reg, warp);
          bench.issue(slot, reg ^ 32, warp);
        }
      }
    }
  }
}

// ---- directed

using Small = models::bitmap_scoreboard_small;       // 3 warps
using OneSlot = models::bitmap_scoreboard_one_slot;  // 5 warps

TEST(BitmapScoreboardExample, EachNameHasAWaitBitOfItsOwn) {
  BitmapScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 7, 1);
  EXPECT_EQ(scoreboard.wait(kLeft, {7, 0, 0, 0}, 1), 0b0001u);
  EXPECT_EQ(scoreboard.wait(kLeft, {0, 7, 0, 7}, 1), 0b1010u);
  EXPECT_EQ(scoreboard.wait(kLeft, {6, 8, 39, 0}, 1), 0u);
  EXPECT_EQ(scoreboard.wait(kRight, {7, 7, 7, 7}, 1), 0u);
  EXPECT_EQ(scoreboard.wait(kLeft, {7, 7, 7, 7}, 0), 0u);
}

TEST(BitmapScoreboardExample, AWriteFromBeforeADivergenceIsSeenAndReleasedOnBothSides) {
  BitmapScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 10);
  scoreboard.push();
  EXPECT_EQ(scoreboard.wait(kRight, {0, 10, 0, 0}), 0b0010u);
  scoreboard.write_back(kLeft, 10);
  EXPECT_EQ(scoreboard.wait(kLeft, {0, 10, 0, 0}), 0u);
  EXPECT_EQ(scoreboard.wait(kRight, {0, 10, 0, 0}), 0u);
}

TEST(BitmapScoreboardExample, OneSlotIgnoresSlotsAndCopies) {
  BitmapScoreboardBench<OneSlot> scoreboard;
  scoreboard.issue(kRight, 5);
  scoreboard.push();
  EXPECT_EQ(scoreboard.wait(kLeft, {5, 0, 0, 0}), 0b0001u);
  scoreboard.write_back(kLeft, 5);
  EXPECT_EQ(scoreboard.wait(kRight, {5, 0, 0, 0}), 0u);
}

TEST(BitmapScoreboardOrder, ARegisterSetInTheCycleOfAPushIsShadowedOneClearedInItIsNot) {
  BitmapScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 9);
  scoreboard.step({Oracle::Write{0, kLeft, 8}, {Oracle::Write{0, kLeft, 9}}, {WarpId{0}, {}}});
  EXPECT_EQ(scoreboard.wait(kRight, {8, 9, 0, 0}), 0b0001u);
}

TEST(BitmapScoreboardMistake, ASetOfARegisterThatIsPending) {
  BitmapScoreboardBench<Small> scoreboard;
  scoreboard.issue(kLeft, 1);
  EXPECT_THROW(scoreboard.issue(kLeft, 1), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
