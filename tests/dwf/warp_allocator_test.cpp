// SPDX-License-Identifier: Apache-2.0
// dwf/warp_allocator: random lockstep of RTL, twin and oracle (a queue); takes and releases of one cycle.
#include "dwf/warp_allocator.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "models/warp_allocator_odd.h"
#include "models/warp_allocator_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

template <class Set>
class AllocatorBench : public Bench<typename Set::Rtl, warp_allocator<Set::kThreads>> {
 public:
  explicit AllocatorBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, warp_allocator<Set::kThreads>>(seed) {
    reset();
  }

  void reset() {
    free_.clear();
    taken_.clear();
    for (unsigned i = 0; i < Set::kThreads; ++i) free_.push_back(i);
    expect();
    this->reset_cycle();
  }

  // Takes `take` entries and gives one back; the entries that were taken.
  std::vector<unsigned> step(unsigned take, std::optional<unsigned> release = {}) {
    take_i = take;
    release_valid_i = release.has_value();
    release_idx_i = release.value_or(0);
    expect();
    const std::vector<unsigned> got(free_.begin(), free_.begin() + take);
    free_.erase(free_.begin(), free_.begin() + take);
    if (release) {
      taken_.erase(std::find(taken_.begin(), taken_.end(), *release));
      free_.push_back(*release);
    }
    taken_.insert(taken_.end(), got.begin(), got.end());
    this->cycle();
    return got;
  }

  // A mistake of the caller.
  void release_untaken(unsigned index) {
    take_i = 0;
    release_valid_i = true;
    release_idx_i = index;
    expect();
    this->cycle();
  }

  [[nodiscard]] std::size_t free() const { return free_.size(); }
  [[nodiscard]] const std::vector<unsigned>& taken() const { return taken_; }

 private:
  static constexpr unsigned kIndex = index_width(Set::kThreads);
  HEDDLE_INPUT(take_i, 2, 1);
  HEDDLE_INPUT(release_valid_i, 1, 1);
  HEDDLE_INPUT(release_idx_i, kIndex, 1);
  HEDDLE_OUTPUT(offer0_o, kIndex, 1);
  HEDDLE_OUTPUT(offer1_o, kIndex, 1);
  HEDDLE_OUTPUT(free_o, count_width(Set::kThreads), 1);

  void expect() {
    offer0_o.expect(free_.empty() ? 0 : free_[0]);
    offer1_o.expect(free_.size() < 2 ? 0 : free_[1]);
    free_o.expect(free_.size());
  }

  std::deque<unsigned> free_;
  std::vector<unsigned> taken_;
};

template <class Set>
class AllocatorRandom : public testing::Test {};
using Sets = testing::Types<models::warp_allocator_small, models::warp_allocator_odd>;
TYPED_TEST_SUITE(AllocatorRandom, Sets, SetNames);

TYPED_TEST(AllocatorRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    AllocatorBench<TypeParam> bench(seed);
    unsigned greed = 50;
    for (unsigned i = 0; i < 3000; ++i) {
      if (random.below(700) == 0) bench.reset();
      if (random.below(50) == 0) greed = random.below(100);  // now nearly empty, now nearly full
      const unsigned most = std::min<unsigned>(2, bench.free());
      const unsigned take = random.chance(greed) ? random.below(most + 1) : 0;
      std::optional<unsigned> release;
      if (!bench.taken().empty() && random.chance(90 - greed * 8 / 10)) release = random.pick(bench.taken());
      met.hit("empty", bench.free() == 0);
      met.hit("last_one_offered", bench.free() == 1);
      met.hit("all_free", bench.free() == TypeParam::kThreads && i > 100);
      met.hit("two_taken_and_one_released", take == 2 && release);
      met.hit("last_one_taken_and_one_released", take == bench.free() && take > 0 && release);
      bench.step(take, release);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Odd = models::warp_allocator_odd;  // 5 entries

TEST(AllocatorExample, EntriesAreOfferedInOrderAfterReset) {
  AllocatorBench<Odd> allocator;
  EXPECT_EQ(allocator.step(2), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(allocator.step(1), (std::vector<unsigned>{2}));
  EXPECT_EQ(allocator.step(2), (std::vector<unsigned>{3, 4}));
  EXPECT_EQ(allocator.free(), 0u);
}

TEST(AllocatorExample, AReleasedEntryIsOfferedFromTheNextCycleOnAndComesLast) {
  AllocatorBench<Odd> allocator;
  allocator.step(2);
  EXPECT_EQ(allocator.step(2, 1), (std::vector<unsigned>{2, 3}));
  EXPECT_EQ(allocator.step(1, 0), (std::vector<unsigned>{4}));
  EXPECT_EQ(allocator.step(2), (std::vector<unsigned>{1, 0}));
}

TEST(AllocatorExample, TheRingWrapsAtACountThatIsNoPowerOfTwo) {
  AllocatorBench<Odd> allocator;
  for (unsigned turn = 0; turn < 3; ++turn) {
    for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(allocator.step(1), (std::vector<unsigned>{i}));
    for (unsigned i = 0; i < 5; ++i) allocator.step(0, i);
  }
}

TEST(AllocatorMistake, TheReleaseOfAnEntryThatIsFree) {
  AllocatorBench<Odd> allocator;
  allocator.step(1);
  EXPECT_THROW(allocator.release_untaken(3), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
