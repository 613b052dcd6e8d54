// SPDX-License-Identifier: Apache-2.0
// core/wakeup: random queues in front of random tables. The third opinion is what the contract promises: in every cycle
// a check of each head against the tables, entry by entry.
#include "core/wakeup.h"

#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "models/wakeup_default.h"
#include "models/wakeup_one_slot.h"
#include "models/wakeup_one_warp.h"
#include "models/wakeup_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/scoreboard/scoreboard_oracles.h"

namespace heddle::test {
namespace {

template <class Set>
using Twin = wakeup<Set::kNumWarps, Set::kNumSlots, Set::kNumEntries, Set::kNumWb>;
using Write = DpeScoreboardOracle::Write;

struct Path {
  WarpId warp;
  unsigned slot;
};

// One cycle: what queue, issue, write-back and stack do. Paths that are named without an event are anything.
struct Cycle {
  Path fill{0, 0}, take{0, 0};
  std::vector<Names> bundles;  // of the fill; empty: none
  Names answer;                // first names of an answer that does not fill
  bool takes = false;
  std::vector<std::optional<Write>> wb;
  std::uint64_t unasked = 0;                  // what the scoreboard answers for paths that nothing happened to
  std::optional<Path> redirect;               // clears one queue
  std::array<std::optional<WarpId>, 2> copy;  // push, pop: clears all queues of the warp
};

template <class Set>
class WakeupBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kSlots = Set::kNumSlots, kPaths = kWarps * kSlots;
  static constexpr unsigned kEntries = Set::kNumEntries, kRoom = 4;

  explicit WakeupBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  // Of path i = slot * NumWarps + warp.
  [[nodiscard]] const std::deque<Names>& queue(unsigned i) const { return queues_.at(i); }
  [[nodiscard]] bool blocked(unsigned i) const { return !queues_[i].empty() && wait(path(i), queues_[i].front()) != 0; }
  [[nodiscard]] bool full(unsigned i) const {
    return !queues_[i].empty() && tables_.full(i % kWarps, i / kWarps, queues_[i].front());
  }
  [[nodiscard]] bool may_issue(unsigned i) const { return !queues_[i].empty() && !blocked(i) && !full(i); }
  [[nodiscard]] const DpeScoreboardOracle& tables() const { return tables_; }
  static Path path(unsigned i) { return {i % kWarps, i / kWarps}; }
  static unsigned index(const Path& path) { return path.slot * kWarps + path.warp; }
  [[nodiscard]] bool clears(const Cycle& in, unsigned i) const {
    return (in.redirect && index(*in.redirect) == i) || in.copy[0] == i % kWarps || in.copy[1] == i % kWarps;
  }

  void reset() {
    tables_ = DpeScoreboardOracle(kWarps, kEntries);
    queues_.assign(kPaths, {});
    taken_ = filled_ = {0, 0};
    took_ = got_ = false;
    for (unsigned i = 0; i < kPaths; ++i) {
      head_rd_i.set(i, 0);
      second_i.set(i, 0);
    }
    expect(Cycle());
    this->reset_cycle();
  }

  void step(const Cycle& in) {
    const bool fills = !in.bundles.empty();
    for (unsigned i = 0; i < kPaths; ++i) {
      const auto& queue = queues_[i];
      clear_i.set(i, clears(in, i));
      fill_i.set(i, fills && index(in.fill) == i);
      take_i.set(i, in.takes && index(in.take) == i);
      head_valid_i.set(i, !queue.empty());
      head_rd_i.set(i, queue.empty() ? 0 : queue[0].rd);
      second_valid_i.set(i, queue.size() > 1);
      second_i.set(i, second(path(i)).packed());
      std::uint64_t pending = 0;
      const auto& entries = tables_.table(i % kWarps, i / kWarps).entries();
      for (unsigned e = 0; e < kEntries; ++e) pending |= static_cast<std::uint64_t>(entries[e].pending) << e;
      pending_i.set(i, pending);
    }
    const Names first = fills ? in.bundles.front() : in.answer;
    fill_warp_i = in.fill.warp;
    fill_slot_i = in.fill.slot;
    fill_names_i = first.packed();
    take_warp_i = in.take.warp;
    take_slot_i = in.take.slot;
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      if (valid) {
        wb_warp_i.set(k, in.wb[k]->warp);
        wb_slot_i.set(k, in.wb[k]->slot);
      }
      wake_i.set(k, valid ? tables_.table(in.wb[k]->warp, in.wb[k]->slot).freed_by(in.wb[k]->reg) : 0);
    }
    DpeScoreboardOracle::Inputs events{{}, in.wb, in.copy};
    if (in.takes) events.set = Write{in.take.warp, in.take.slot, queues_[index(in.take)].front().rd};
    check_wait_i.set(0, wait(in.fill, first));
    // An answer for a path of which nothing was taken, or filled, is not looked at.
    const std::uint64_t anything = in.unasked & low_bits(kWaitWidth);
    check_wait_i.set(1, took_ ? wait(taken_, second(taken_)) : anything);
    check_wait_i.set(2, got_ ? wait(filled_, second(filled_)) : anything);
    expect(in);

    tables_.step(events);
    if (in.takes) queues_[index(in.take)].pop_front();
    for (const Names& names : in.bundles) queues_[index(in.fill)].push_back(names);
    for (unsigned i = 0; i < kPaths; ++i) {
      if (clears(in, i)) queues_[i].clear();
    }
    took_ = in.takes;
    got_ = fills;
    taken_ = in.take;
    filled_ = in.fill;
    if (kSlots == 1) taken_.slot = filled_.slot = 0;
    this->cycle();
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kWaitWidth = kSlots * kEntries;
  HEDDLE_INPUT(clear_i, 1, kPaths);
  HEDDLE_INPUT(fill_i, 1, kPaths);
  HEDDLE_INPUT(head_valid_i, 1, kPaths);
  HEDDLE_INPUT(head_rd_i, 6, kPaths);
  HEDDLE_INPUT(second_valid_i, 1, kPaths);
  HEDDLE_INPUT(second_i, 24, kPaths);
  HEDDLE_INPUT(fill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(fill_slot_i, 1, 1);
  HEDDLE_INPUT(fill_names_i, 24, 1);
  HEDDLE_INPUT(take_i, 1, kPaths);
  HEDDLE_INPUT(take_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(take_slot_i, 1, 1);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_slot_i, 1, Set::kNumWb);
  HEDDLE_OUTPUT(check_warp_o, kWarpWidth, 3);
  HEDDLE_OUTPUT(check_slot_o, 1, 3);
  HEDDLE_OUTPUT(check_names_o, 24, 3);
  HEDDLE_INPUT(check_wait_i, kWaitWidth, 3);
  HEDDLE_INPUT(wake_i, kEntries, Set::kNumWb);
  HEDDLE_INPUT(pending_i, kEntries, kPaths);
  HEDDLE_OUTPUT(blocked_o, 1, kPaths);
  HEDDLE_OUTPUT(full_o, 1, kPaths);

  // What the scoreboard answers.
  [[nodiscard]] std::uint64_t wait(const Path& path, const Names& names) const {
    return path.warp < kWarps ? tables_.wait(path.warp, kSlots == 2 ? path.slot : 0, names) : 0;
  }
  // The names behind the head, none if there is nothing.
  [[nodiscard]] Names second(const Path& path) const {
    const unsigned i = index(path);
    return path.warp < kWarps && queues_[i].size() > 1 ? queues_[i][1] : Names();
  }

  void expect(const Cycle& in) {
    const std::array<Path, 3> asked{in.fill, taken_, filled_};
    const Names first = in.bundles.empty() ? in.answer : in.bundles.front();
    const std::array<Names, 3> names{first, second(taken_), second(filled_)};
    for (unsigned c = 0; c < 3; ++c) {
      check_warp_o.expect(c, asked[c].warp);
      check_slot_o.expect(c, kSlots == 2 ? asked[c].slot : 0);
      check_names_o.expect(c, names[c].packed());
    }
    for (unsigned i = 0; i < kPaths; ++i) {
      blocked_o.expect(i, blocked(i));
      full_o.expect(i, full(i));
    }
  }

  DpeScoreboardOracle tables_{kWarps, kEntries};  // with one slot the right one stays empty
  std::vector<std::deque<Names>> queues_ = std::vector<std::deque<Names>>(kPaths);
  Path taken_{0, 0}, filled_{0, 0};  // what the cycle before named
  bool took_ = false, got_ = false;  // and whether there was a take, a fill
};

// ---- random queues and tables

template <class Set>
class WakeupRandom : public testing::Test {};
using Sets =
    ParameterSets<models::wakeup_small, models::wakeup_one_slot, models::wakeup_one_warp, models::wakeup_default>;
TYPED_TEST_SUITE(WakeupRandom, Sets, SetNames);

TYPED_TEST(WakeupRandom, BlockedIsWhatACheckOfTheHeadSaysInEveryCycle) {
  using Bench = WakeupBench<TypeParam>;
  constexpr unsigned kWarps = TypeParam::kNumWarps, kSlots = TypeParam::kNumSlots, kPaths = Bench::kPaths;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Bench bench(seed);
    for (unsigned i = 0; i < (kWarps > 8 ? 3000 : 32000); ++i) {
      if (random.below(1000) == 0) bench.reset();
      const unsigned names = i / 300 % 2 == 0 ? 5 : 12;  // many dependences, or tables that fill up
      // Some names differ from the one before in one bit alone.
      unsigned last = 0;
      const auto name = [&] {
        return last = random.chance(20)   ? random.but_for_a_bit(last, 6)
                      : random.chance(30) ? 0
                      : random.chance(5)  ? 32 + random.below(32)
                                          : random.below(names);
      };
      const auto bundle = [&] { return Names{name(), name(), name(), name()}; };
      const auto anything = [&] { return Path{random.below(1u << index_width(kWarps)), random.below(2)}; };
      const unsigned focus = random.chance(60) ? i / 40 % kPaths : random.below(kPaths);
      std::vector<unsigned> ready, room;
      for (unsigned p = 0; p < kPaths; ++p) {
        if (bench.may_issue(p)) ready.push_back(p);
        if (bench.queue(p).size() + 2 <= Bench::kRoom) room.push_back(p);
      }
      Cycle in;
      in.fill = anything();
      in.take = anything();
      in.answer = bundle();
      in.unasked = random.next();
      if (!ready.empty() && random.chance(70)) {
        in.takes = true;
        in.take = Bench::path(bench.may_issue(focus) ? focus : random.pick(ready));
      }
      if (!room.empty() && random.chance(60)) {
        const unsigned taken = in.takes ? Bench::index(in.take) : focus;
        const auto fits = [&](unsigned p) { return bench.queue(p).size() + 2 <= Bench::kRoom; };
        in.fill = Bench::path(fits(taken) && random.chance(60) ? taken : fits(focus) ? focus : random.pick(room));
        for (unsigned n = random.between(1, 2); n > 0; --n) in.bundles.push_back(bundle());
      }
      for (unsigned k = 0; k < TypeParam::kNumWb; ++k) {
        in.wb.emplace_back();
        const Path from = Bench::path(random.chance(70) ? focus : random.below(kPaths));
        const auto pending = bench.tables().table(from.warp, from.slot).pending_registers();
        if (!pending.empty() && random.chance(i / 150 % 3 == 0 ? 8 : 30))
          in.wb.back() = Write{from.warp, from.slot, random.pick(pending)};
        if (random.chance(3)) in.wb.back() = Write{from.warp, from.slot, 33};
        // The write of this cycle is not written back in it.
        if (in.takes && in.wb.back() && bench.queue(Bench::index(in.take)).front().rd == in.wb.back()->reg)
          in.wb.back().reset();
      }
      if (random.chance(5))
        in.redirect = Bench::path(random.chance(50) && in.takes ? Bench::index(in.take) : random.below(kPaths));
      for (auto& copy : in.copy) {
        if (kSlots == 2 && random.chance(4)) copy = random.below(kWarps);
      }

      const unsigned taken = in.takes ? Bench::index(in.take) : kPaths,
                     filled = in.bundles.empty() ? kPaths : Bench::index(in.fill);
      const bool second = in.takes && bench.queue(taken).size() > 1;
      const unsigned rd = in.takes ? bench.queue(taken).front().rd : 0;
      const bool writes_back =
          in.wb[0] && bench.tables().table(in.wb[0]->warp, in.wb[0]->slot).is_pending(in.wb[0]->reg);
      met.hit("the_second_depends_on_the_head", second && bench.queue(taken)[1].has(rd));
      met.hit("a_fill_depends_on_the_last_head", in.takes && !second && taken == filled && in.bundles[0].has(rd));
      met.hit("an_answer_that_does_not_fill",
              in.bundles.empty() && in.fill.warp < kWarps && bench.queue(focus).empty());
      met.hit("woken_as_it_becomes_the_head",
              second && writes_back && in.wb[0]->warp == in.take.warp && bench.queue(taken)[1].has(in.wb[0]->reg));
      met.hit("woken_as_it_comes",
              filled < kPaths && writes_back && in.wb[0]->warp == in.fill.warp && in.bundles[0].has(in.wb[0]->reg));
      met.hit("take_with_fill", taken == filled && in.takes);
      met.hit("clear_with_take", in.takes && bench.clears(in, taken));
      met.hit("clear_with_fill", filled < kPaths && bench.clears(in, filled));
      if (TypeParam::kNumEntries < 8) {
        for (unsigned p = 0; p < kPaths; ++p) met.hit("full", bench.full(p));
        met.hit("fills_its_table",
                second && rd != 0 && bench.queue(taken)[1].rd != 0 &&
                    bench.tables().table(in.take.warp, in.take.slot).pending_registers().size() + 1 ==
                        TypeParam::kNumEntries);
      }
      if (kSlots == 2) {
        for (unsigned p = 0; p < kPaths; ++p) {
          met.hit("waits_for_the_other_slot",
                  !bench.queue(p).empty() &&
                      bench.tables().table(p % kWarps, 1 - p / kWarps).named(bench.queue(p)[0], true) != 0);
        }
      }
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- mistakes of the caller are asserted by the RTL

using Small = models::wakeup_small;

TEST(WakeupMistake, ATakeFromAnEmptyQueue) {
  struct Opened : WakeupBench<Small> {
    void take() {
      this->rtl().rst_ni = 1;
      this->rtl().take_i = 1;
      this->rtl().clk_i = 0;
      this->rtl().eval();
      this->rtl().clk_i = 1;
      this->rtl().eval();
    }
  } bench;
  EXPECT_THROW(bench.take(), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
