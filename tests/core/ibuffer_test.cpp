// SPDX-License-Identifier: Apache-2.0
// core/ibuffer: random lockstep of RTL, twin and oracle; the Order rules step by step.
#include "core/ibuffer.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/ibuffer_default.h"
#include "models/ibuffer_five_slots.h"
#include "models/ibuffer_odd.h"
#include "models/ibuffer_one_slot.h"
#include "models/ibuffer_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/core/ibuffer_oracle.h"

namespace heddle::test {
namespace {

template <class Set>
using Twin = ibuffer<Set::kNumWarps, Set::kNumSlots, Set::kDepth, Set::kTagW, Set::kPayloadW>;
using Path = IbufferOracle::Path;
using Answer = IbufferOracle::Answer;

template <class Set>
class IbufferBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kPaths = Set::kNumWarps * Set::kNumSlots;
  using Inputs = IbufferOracle::Inputs;

  explicit IbufferBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  [[nodiscard]] const IbufferOracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = IbufferOracle(kWarps, Set::kNumSlots, Set::kDepth, Set::kTagW);
    expect({});
    this->reset_cycle();
  }

  void step(const Inputs& in) {
    answer_valid_i = in.answer.has_value();
    if (in.answer) {
      const auto& under_way = oracle_.buffer(in.answer->path.warp, in.answer->path.slot).under_way;
      answer_warp_i = in.answer->path.warp;
      answer_slot_i = in.answer->path.slot;
      answer_tag_i = under_way.empty() ? 1 : under_way.front().tag;
      answer_count_i = in.answer->bundles.size();
      answer_instr0_i = in.answer->bundles.front();
      answer_instr1_i = in.answer->bundles.size() > 1 ? in.answer->bundles[1] : ~std::uint64_t{0};
    }
    for (unsigned i = 0; i < kPaths; ++i) {
      take_i.set(i, is(in.take, i));
      request_i.set(i, is(in.request, i));
      drop_i.set(i, std::any_of(in.drop.begin(), in.drop.end(), [&](const Path& path) { return is(path, i); }));
    }
    redirect_valid_i = in.redirect.has_value();
    if (in.redirect) {
      redirect_warp_i = in.redirect->warp;
      redirect_slot_i = in.redirect->slot;
    }
    redirect_next_i = in.next;
    flush0_valid_i = in.flush0.has_value();
    flush0_warp_i = in.flush0.value_or(0);
    flush1_valid_i = in.flush1.has_value();
    flush1_warp_i = in.flush1.value_or(0);
    flush2_valid_i = in.flush2.has_value();
    flush2_warp_i = in.flush2.value_or(0);
    const bool possible = !in.answer || !oracle_.buffer(in.answer->path.warp, in.answer->path.slot).under_way.empty();
    expect(possible ? in : Inputs{});
    if (possible) oracle_.step(in);
    this->cycle();
  }
  static bool is(const std::optional<Path>& path, unsigned index) {
    return path && path->slot * kWarps + path->warp == index;
  }
  void request(const Path& path) { step({{}, {}, path, {}, {}, {}}); }
  void answer(const Path& path, const std::vector<std::uint64_t>& bundles) {
    step({Answer{path, bundles}, {}, {}, {}, {}, {}});
  }
  void take(const Path& path) { step({{}, path, {}, {}, {}, {}}); }
  // The pins in a cycle without events.
  bool needs_fetch(unsigned path) {
    step({});
    return need_fetch_o.get(path) != 0;
  }
  std::uint64_t head(unsigned path) {
    step({});
    return head_o.get(path);
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kSlotWidth = index_width(Set::kNumSlots),
                            kNamesWidth = 24;
  HEDDLE_INPUT(answer_valid_i, 1, 1);
  HEDDLE_INPUT(answer_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(answer_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(answer_tag_i, Set::kTagW, 1);
  HEDDLE_INPUT(answer_count_i, 2, 1);
  HEDDLE_INPUT(answer_instr0_i, kBundleWidth + Set::kPayloadW, 1);
  HEDDLE_INPUT(answer_instr1_i, kBundleWidth + Set::kPayloadW, 1);
  HEDDLE_INPUT(take_i, 1, kPaths);
  HEDDLE_INPUT(request_i, 1, kPaths);
  HEDDLE_INPUT(flush0_valid_i, 1, 1);
  HEDDLE_INPUT(flush0_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(flush1_valid_i, 1, 1);
  HEDDLE_INPUT(flush1_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(flush2_valid_i, 1, 1);
  HEDDLE_INPUT(flush2_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(drop_i, 1, kPaths);
  HEDDLE_INPUT(redirect_valid_i, 1, 1);
  HEDDLE_INPUT(redirect_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(redirect_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(redirect_next_i, 1, 1);
  HEDDLE_OUTPUT(head_o, kBundleWidth + Set::kPayloadW, kPaths);
  HEDDLE_OUTPUT(head_valid_o, 1, kPaths);
  HEDDLE_OUTPUT(second_o, kNamesWidth, kPaths);
  HEDDLE_OUTPUT(second_valid_o, 1, kPaths);
  HEDDLE_OUTPUT(count_o, count_width(Set::kDepth), kPaths);
  HEDDLE_OUTPUT(requests_o, 2, kPaths);
  HEDDLE_OUTPUT(tag_o, Set::kTagW, kPaths);
  HEDDLE_OUTPUT(quiet_o, 1, kPaths);
  HEDDLE_OUTPUT(need_fetch_o, 1, kPaths);
  HEDDLE_OUTPUT(fill_o, 1, kPaths);
  HEDDLE_OUTPUT(clear_o, 1, kPaths);

  void expect(const Inputs& in) {
    for (unsigned i = 0; i < kPaths; ++i) {
      const auto& buffer = oracle_.buffer(i);
      head_o.expect(i, buffer.bundles.empty() ? 0 : buffer.bundles.front());
      head_valid_o.expect(i, !buffer.bundles.empty());
      second_o.expect(i, buffer.bundles.size() < 2 ? 0 : buffer.bundles[1]);
      second_valid_o.expect(i, buffer.bundles.size() >= 2);
      count_o.expect(i, buffer.bundles.size());
      requests_o.expect(i, buffer.requests());
      tag_o.expect(i, oracle_.tag(buffer));
      quiet_o.expect(i, buffer.under_way.empty());
      need_fetch_o.expect(i, oracle_.need_fetch(i));
      fill_o.expect(i, oracle_.fills(in, i));
      clear_o.expect(i, oracle_.clears(in, i));
    }
  }

  IbufferOracle oracle_{kWarps, Set::kNumSlots, Set::kDepth, Set::kTagW};
};

// ---- random lockstep

template <class Set>
class IbufferRandom : public testing::Test {};
using Sets = ParameterSets<models::ibuffer_small, models::ibuffer_odd, models::ibuffer_one_slot,
                           models::ibuffer_five_slots, models::ibuffer_default>;
TYPED_TEST_SUITE(IbufferRandom, Sets, SetNames);

TYPED_TEST(IbufferRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kPaths = kWarps * TypeParam::kNumSlots;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    IbufferBench<TypeParam> bench(seed);
    const auto path = [&](unsigned i) { return Path{i % kWarps, i / kWarps}; };
    bool alone = false;
    for (unsigned i = 0; i < 8000; ++i) {
      if (random.below(1500) == 0) bench.reset();
      const auto& oracle = bench.oracle();
      const unsigned focus = i / 100 % kPaths;      // one path at a time goes through its epochs,
      if (i % 100 == 0) alone = random.chance(50);  // or fills its queue and empties it, and nothing else happens
      if (alone) {
        IbufferOracle::Inputs in;
        if (oracle.need_fetch(focus)) in.request = path(focus);
        if (!oracle.buffer(focus).under_way.empty() && random.chance(80)) {
          std::vector<std::uint64_t> bundles(random.between(1, 2));
          for (std::uint64_t& bundle : bundles)
            bundle = random.next() & lane_mask(kBundleWidth + TypeParam::kPayloadW) & ~(std::uint64_t{1} << kJumpBit);
          in.answer = Answer{path(focus), bundles};
        }
        if (!oracle.buffer(focus).bundles.empty() && random.chance(i / 25 % 2 == 0 ? 5 : 90)) in.take = path(focus);
        if (oracle.buffer(focus).stop) in.redirect = path(focus);
        met.hit("fill_to_the_brim",
                in.answer && oracle.fills(in, focus) &&
                    oracle.buffer(focus).bundles.size() + in.answer->bundles.size() == TypeParam::kDepth);
        bench.step(in);
        continue;
      }
      const bool slow = i / 25 % 2 == 0;  // with answers that come late
      std::vector<unsigned> with_head, waiting, idle;
      for (unsigned p = 0; p < kPaths; ++p) {
        if (!oracle.buffer(p).bundles.empty()) with_head.push_back(p);
        if (!oracle.buffer(p).under_way.empty()) waiting.push_back(p);
        if (oracle.need_fetch(p)) idle.push_back(p);
      }
      IbufferOracle::Inputs in;
      if (!idle.empty() && random.chance(70)) {
        in.request = path(oracle.need_fetch(focus) && random.chance(70) ? focus : random.pick(idle));
      }
      if (!waiting.empty() && random.chance(slow ? 10 : 70)) {
        std::vector<std::uint64_t> bundles;
        for (unsigned n = random.between(1, 2); n > 0; --n) {
          bundles.push_back(random.next() & lane_mask(kBundleWidth + TypeParam::kPayloadW));
          if (random.chance(70)) bundles.back() &= ~(std::uint64_t{1} << kJumpBit);
        }
        const bool here = !oracle.buffer(focus).under_way.empty() && random.chance(slow ? 10 : 60);
        in.answer = Answer{path(here ? focus : random.pick(waiting)), bundles};
      }
      const unsigned answered = in.answer ? in.answer->path.slot * kWarps + in.answer->path.warp : kPaths;
      if (!with_head.empty() && random.chance(i / 50 % 4 == 1 ? 10 : 60)) {  // full for a while, then not
        in.take = path(random.pick(with_head));
        if (in.answer && !oracle.buffer(answered).bundles.empty() && random.chance(50)) in.take = in.answer->path;
      }
      if (in.answer && in.request && random.chance(50) && oracle.need_fetch(answered)) in.request = in.answer->path;
      in.next = random.chance(50);
      if (random.chance(6)) in.flush0 = random.below(kWarps);
      if (random.chance(6)) in.flush1 = random.below(kWarps);
      if (random.chance(6)) in.flush2 = random.below(kWarps);
      if (random.chance(10)) in.redirect = path(random.below(kPaths));
      if (random.chance(slow ? 40 : 5)) in.redirect = path(focus);
      if (in.answer && random.chance(5)) in.flush0 = in.answer->path.warp;
      if (in.take && random.chance(5)) in.redirect = in.take;
      if (in.request && random.chance(5)) in.flush1 = in.request->warp;
      // Paths that are not there: one, with what happens to it, or many, for a while.
      if (i / 500 % 3 == 2) {
        if (random.chance(4)) in.drop.push_back(path(random.below(kPaths)));
        if (in.answer && random.chance(4)) in.drop.push_back(in.answer->path);
        if (in.request && random.chance(4)) in.drop.push_back(*in.request);
        if (in.redirect && random.chance(10)) in.drop.push_back(*in.redirect);
      }
      for (unsigned p = 0; p < kPaths && i / 200 % 10 == 9; ++p) {
        if ((i / 1000 + p) % 3 == 0) in.drop.push_back(path(p));
      }

      const auto is = IbufferBench<TypeParam>::is;
      const bool fill = in.answer && oracle.fills(in, answered), stale = in.answer && !fill;
      const bool cleared = in.answer && oracle.clears(in, answered), requested = in.answer && is(in.request, answered);
      const unsigned bundles = in.answer ? in.answer->bundles.size() : 0;
      if (TypeParam::kDepth > 2) met.hit("take_with_fill", fill && is(in.take, answered));
      if (TypeParam::kDepth >= 4) {
        met.hit("request_with_fill_of_two", fill && requested && bundles == 2);
        met.hit("request_with_fill_of_one", fill && requested && bundles == 1);
      }
      const auto* redirected = in.redirect ? &oracle.buffer(in.redirect->warp, in.redirect->slot) : nullptr;
      met.hit("next_of_a_jump", redirected != nullptr && in.next && redirected->stop && redirected->bundles.empty());
      met.hit("next_with_a_jump_queued",
              redirected != nullptr && in.next && redirected->stop && !redirected->bundles.empty());
      const auto dropped = [&](const std::optional<Path>& of) {
        return of && std::any_of(in.drop.begin(), in.drop.end(),
                                 [&](const Path& p) { return p.warp == of->warp && p.slot == of->slot; });
      };
      met.hit("drop_with_fill", fill && dropped(in.answer->path));
      met.hit("drop_with_stale_answer", stale && dropped(in.answer->path));
      met.hit("drop_with_request", dropped(in.request));
      met.hit("drop_with_take", dropped(in.take));
      met.hit("drop_with_next", in.next && dropped(in.redirect));
      met.hit("flush_with_fill", fill && in.flush0 == in.answer->path.warp);
      met.hit("flush_with_take", in.take && in.flush1 == in.take->warp);
      met.hit("flush_with_request", in.request && in.flush1 == in.request->warp);
      met.hit("redirect_with_fill", fill && !in.next && is(in.redirect, answered));
      met.hit("redirect_with_take", in.take && in.redirect && !in.next && in.redirect->warp == in.take->warp);
      met.hit("fill_to_the_brim", fill && oracle.buffer(answered).bundles.size() + bundles == TypeParam::kDepth);
      met.hit("stale_answer", stale && !cleared);
      met.hit("stale_answer_with_request", stale && requested);
      met.hit("stale_answer_with_clear", stale && cleared);
      if (in.request) {
        const unsigned p = in.request->slot * kWarps + in.request->warp;
        met.hit("epoch_ends_with_its_first_request", oracle.clears(in, p) && oracle.buffer(p).requests() == 0);
      }
      for (unsigned p = 0; p < kPaths; ++p) {
        const auto& buffer = oracle.buffer(p);
        met.hit("epoch_ends_without_a_request", oracle.clears(in, p) && buffer.requests() == 0 && !is(in.request, p));
        met.hit("tag_wraps", buffer.epochs > 1u << TypeParam::kTagW);
        met.hit("no_tag_is_left", oracle.has_room(p) && oracle.all_tags_used(p));
        met.hit("requests_of_three_epochs", buffer.under_way.size() > 2 &&
                                                buffer.under_way[0].tag != buffer.under_way[1].tag &&
                                                buffer.under_way[1].tag != buffer.under_way[2].tag);
      }
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// ---- directed

using Small = models::ibuffer_small;  // 3 warps, 2 slots, 3 bundles
using Odd = models::ibuffer_odd;      // 5 warps, 2 slots, 7 bundles

constexpr std::uint64_t kBranch = std::uint64_t{1} << kControlBit, kJump = kBranch | std::uint64_t{1} << kJumpBit;

TEST(IbufferExample, BundlesLeaveInTheOrderInWhichTheyCame) {
  IbufferBench<Small> buffer;
  const Path path{1, 1};
  const unsigned index = 4;  // slot 1 * 3 warps + warp 1
  buffer.request(path);
  buffer.answer(path, {11, 12});
  EXPECT_EQ(buffer.head(index), 11u);
  buffer.take(path);
  EXPECT_EQ(buffer.head(index), 12u);
  buffer.take(path);
  EXPECT_EQ(buffer.head(index), 0u);
}

TEST(IbufferExample, AFetchIsNeededOnlyWithRoomForTwo) {
  IbufferBench<Small> buffer;
  EXPECT_TRUE(buffer.needs_fetch(0));
  buffer.request({0, 0});
  EXPECT_FALSE(buffer.needs_fetch(0));
  buffer.answer({0, 0}, {1});
  EXPECT_TRUE(buffer.needs_fetch(0));
  buffer.request({0, 0});
  buffer.answer({0, 0}, {2});
  EXPECT_FALSE(buffer.needs_fetch(0));
}

TEST(IbufferExample, TwoRequestsAreUnderWayIfThereIsRoomForBothAnswers) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  EXPECT_TRUE(buffer.needs_fetch(0));
  buffer.request(path);
  EXPECT_FALSE(buffer.needs_fetch(0));
  buffer.answer(path, {1, 2});
  EXPECT_TRUE(buffer.needs_fetch(0));  // 2 held, 2 expected, 2 more
  buffer.request(path);
  buffer.answer(path, {3, 4});
  EXPECT_FALSE(buffer.needs_fetch(0));  // 4 held, 2 expected: room for one
  buffer.take(path);
  EXPECT_TRUE(buffer.needs_fetch(0));
}

TEST(IbufferExample, AnAnswerOfOneBundleEndsAllRequests) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.request(path);
  buffer.answer(path, {1});
  EXPECT_EQ(buffer.oracle().buffer(0).requests(), 0u);
  EXPECT_TRUE(buffer.needs_fetch(0));
  buffer.answer(path, {8, 9});  // to the other one: forgotten
  // One that is made in the cycle of such an answer begins at the wrong place, too.
  buffer.request(path);
  buffer.step({Answer{path, {2}}, {}, path, {}, {}, {}});
  EXPECT_EQ(buffer.oracle().buffer(0).requests(), 0u);
  buffer.answer(path, {8, 9});
  buffer.request(path);
  buffer.step({Answer{path, {3, 4}}, {}, path, {}, {}, {}});
  EXPECT_EQ(buffer.oracle().buffer(0).requests(), 1u);
}

TEST(IbufferExample, NothingIsFetchedBehindAJump) {
  IbufferBench<Small> buffer;
  buffer.request({0, 0});
  buffer.answer({0, 0}, {1, kJump});
  buffer.take({0, 0});
  buffer.take({0, 0});
  EXPECT_FALSE(buffer.needs_fetch(0));
  buffer.step({{}, {}, {}, Path{0, 0}, {}, {}});  // redirect
  EXPECT_TRUE(buffer.needs_fetch(0));
}

TEST(IbufferExample, BehindABranchIsFetched) {
  IbufferBench<Odd> buffer;
  buffer.request({0, 0});
  buffer.answer({0, 0}, {1, kBranch});
  EXPECT_TRUE(buffer.needs_fetch(0));
}

TEST(IbufferExample, APathThatGoesOnBehindItsBranchKeepsItsQueue) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.answer(path, {1, 2});
  buffer.request(path);
  buffer.step({{}, {}, {}, path, {}, {}, true});
  EXPECT_EQ(buffer.head(0), 1u);
  EXPECT_EQ(buffer.oracle().buffer(0).requests(), 1u);
}

TEST(IbufferExample, APathThatGoesOnBehindItsJumpIsFetchedAgain) {
  IbufferBench<Small> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.answer(path, {kJump});
  buffer.take(path);
  buffer.step({{}, {}, {}, path, {}, {}, true});
  EXPECT_TRUE(buffer.needs_fetch(0));
}

TEST(IbufferExample, APathThatGoesOnBehindItsBranchToAJumpIsNot) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.answer(path, {1, kJump});
  buffer.step({{}, {}, {}, path, {}, {}, true});
  EXPECT_FALSE(buffer.needs_fetch(0));
}

TEST(IbufferExample, TheSecondBundleOfAFillOfOneIsIgnored) {
  IbufferBench<Small> buffer;  // the bench drives fill_instr1_i with ones then: its jump bit must not stop
  buffer.request({0, 0});
  buffer.answer({0, 0}, {1});
  EXPECT_TRUE(buffer.needs_fetch(0));
}

TEST(IbufferEpoch, AnAnswerOfAnEpochThatIsOverIsForgotten) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.step({{}, {}, {}, path, {}, {}});  // redirect
  buffer.request(path);
  buffer.answer(path, {1, 2});
  EXPECT_EQ(buffer.head(0), 0u);
  buffer.answer(path, {3, 4});
  EXPECT_EQ(buffer.head(0), 3u);
}

TEST(IbufferEpoch, OneThatLeavesNoRequestBehindHasTheTagOfTheNext) {
  IbufferBench<Small> buffer;
  buffer.step({{}, {}, {}, {}, WarpId{0}, {}});
  EXPECT_EQ(buffer.oracle().buffer(0).epochs, 0u);
  buffer.request({0, 0});
  buffer.answer({0, 0}, {1});
  EXPECT_EQ(buffer.oracle().buffer(0).epochs, 0u);
}

TEST(IbufferEpoch, AsManyAsThereAreTagsButOneWaitForTheirAnswers) {
  IbufferBench<Small> buffer;  // four tags
  const Path path{2, 1};
  for (unsigned epoch = 0; epoch < 3; ++epoch) {
    EXPECT_TRUE(buffer.needs_fetch(5));
    buffer.request(path);
    buffer.step({{}, {}, {}, {}, {}, {}, false, WarpId{2}});
  }
  EXPECT_FALSE(buffer.needs_fetch(5));
  buffer.answer(path, {1});
  EXPECT_TRUE(buffer.needs_fetch(5));
  buffer.request(path);
  for (unsigned stale = 0; stale < 2; ++stale) buffer.answer(path, {1});
  EXPECT_EQ(buffer.head(5), 0u);
  buffer.answer(path, {7});
  EXPECT_EQ(buffer.head(5), 7u);
}

TEST(IbufferOrder, AnEpochThatEndsCountsTheRequestOfItsLastCycle) {
  for (const bool flushed : {false, true}) {
    IbufferBench<Odd> buffer;
    const Path path{0, 0};
    if (flushed) {
      buffer.step({{}, {}, path, {}, {}, {}, false, WarpId{0}});
    } else {
      buffer.request(path);
      buffer.step({Answer{path, {1}}, {}, path, {}, {}, {}});
    }
    EXPECT_EQ(buffer.oracle().buffer(0).epochs, 1u);
    buffer.answer(path, {2, 3});
    EXPECT_EQ(buffer.oracle().buffer(0).bundles.size(), flushed ? 0u : 1u);
  }
}

TEST(IbufferOrder, AnAnswerThatMeetsAFlushIsAFillAllTheSame) {
  IbufferBench<Small> buffer;
  buffer.request({0, 0});
  buffer.step({Answer{{0, 0}, {1, 2}}, {}, {}, {}, WarpId{0}, {}});
  EXPECT_EQ(buffer.head(0), 0u);
  EXPECT_EQ(buffer.oracle().buffer(0).epochs, 0u);
}

TEST(IbufferOrder, TakeAndFillOfOnePathBothHappen) {
  IbufferBench<Small> buffer;
  buffer.request({0, 0});
  buffer.answer({0, 0}, {1});
  buffer.request({0, 0});
  buffer.step({Answer{{0, 0}, {2, 3}}, Path{0, 0}, {}, {}, {}, {}});
  EXPECT_EQ(buffer.head(0), 2u);
  EXPECT_EQ(buffer.oracle().buffer(0).bundles.size(), 2u);
}

TEST(IbufferOrder, AFlushWinsOverFillTakeAndRequestOfBothSlots) {
  IbufferBench<Small> buffer;
  buffer.request({0, 0});
  buffer.answer({0, 0}, {1});
  buffer.request({0, 0});
  buffer.step({Answer{{0, 0}, {2, 3}}, Path{0, 0}, Path{0, 1}, {}, WarpId{0}, {}});
  EXPECT_EQ(buffer.head(0), 0u);
  EXPECT_TRUE(buffer.needs_fetch(0));
  EXPECT_TRUE(buffer.needs_fetch(3));
}

TEST(IbufferOrder, ADropEmptiesThePathsThatItNamesWhateverElseHappens) {
  IbufferBench<models::ibuffer_five_slots> buffer;
  for (unsigned slot = 0; slot < 5; ++slot) {
    buffer.request({1, slot});
    buffer.answer({1, slot}, {slot + 5, 1});
  }
  IbufferOracle::Inputs in;
  in.drop = {{1, 4}, {1, 0}, {1, 2}};
  in.take = Path{1, 0};
  in.redirect = Path{1, 2};
  in.next = true;
  buffer.step(in);
  const unsigned warps = models::ibuffer_five_slots::kNumWarps;
  for (const unsigned slot : {0u, 2u, 4u}) EXPECT_EQ(buffer.head(slot * warps + 1), 0u);
  for (const unsigned slot : {1u, 3u}) EXPECT_EQ(buffer.head(slot * warps + 1), slot + 5);
}

TEST(IbufferOrder, WhatIsUnderWayForADroppedPathIsStale) {
  IbufferBench<Small> buffer;
  const Path path{1, 1};
  buffer.request(path);
  IbufferOracle::Inputs in;
  in.drop = {path};
  for (unsigned cycles = 0; cycles < 5; ++cycles) buffer.step(in);
  EXPECT_EQ(buffer.oracle().buffer(1, 1).epochs, 1u);  // one request was left behind, once
  buffer.request(path);
  buffer.answer(path, {1, 2});
  EXPECT_EQ(buffer.head(4), 0u);
  buffer.answer(path, {3});
  EXPECT_EQ(buffer.head(4), 3u);
}

TEST(IbufferOrder, AJumpThatComesAsThePathGoesOnStops) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.step({Answer{path, {1, kJump}}, {}, {}, path, {}, {}, true});
  EXPECT_EQ(buffer.head(0), 1u);
  EXPECT_FALSE(buffer.needs_fetch(0));
}

TEST(IbufferOrder, AFlushWinsOverAPathThatGoesOn) {
  IbufferBench<Odd> buffer;
  const Path path{0, 0};
  buffer.request(path);
  buffer.answer(path, {1, 2});
  buffer.step({{}, {}, {}, path, WarpId{0}, {}, true});
  EXPECT_EQ(buffer.head(0), 0u);
}

TEST(IbufferOrder, ARedirectEmptiesOneSlotOnly) {
  IbufferBench<Small> buffer;
  for (unsigned slot : {0, 1}) {
    buffer.request({0, slot});
    buffer.answer({0, slot}, {slot + 5});
  }
  buffer.step({{}, {}, {}, Path{0, 1}, {}, {}});
  EXPECT_EQ(buffer.head(0), 5u);
  EXPECT_EQ(buffer.head(3), 0u);
}

// ---- mistakes of the caller are asserted by the RTL

TEST(IbufferMistake, ARequestWithoutRoomForItsAnswer) {
  IbufferBench<Small> buffer;
  buffer.request({0, 0});
  EXPECT_THROW(buffer.request({0, 0}), RtlAssertion);
}

TEST(IbufferMistake, AThirdRequest) {
  IbufferBench<Odd> buffer;
  buffer.request({0, 0});
  buffer.request({0, 0});
  EXPECT_THROW(buffer.request({0, 0}), RtlAssertion);
}

TEST(IbufferMistake, ARequestWithAllTagsUsed) {
  IbufferBench<Small> buffer;
  for (unsigned epoch = 0; epoch < 3; ++epoch) buffer.step({{}, {}, Path{0, 0}, {}, WarpId{0}, {}});
  EXPECT_THROW(buffer.request({0, 0}), RtlAssertion);
}

TEST(IbufferMistake, AnAnswerThatNobodyRequested) {
  IbufferBench<Small> buffer;
  EXPECT_THROW(buffer.answer({0, 0}, {1}), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
