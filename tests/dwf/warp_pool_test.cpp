// SPDX-License-Identifier: Apache-2.0
// dwf/warp_pool: random lockstep of RTL, twin and oracle; joins and new entries in one cycle; what the caller must not
// do.
#include "dwf/warp_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <vector>

#include "models/warp_pool_odd.h"
#include "models/warp_pool_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

using Threads = std::map<unsigned, unsigned>;  // thread by lane

struct PoolWarp {
  Pc pc = 0;
  Threads threads;
};

// One write port: threads that join an entry, and threads that begin one.
struct PoolUpdate {
  struct New {
    unsigned idx;
    Pc pc;
    Threads threads;
  };
  struct Join {
    unsigned idx;
    Threads threads;
  };
  std::optional<New> fresh;
  std::optional<Join> join;
};

template <class Set>
using PoolTwin = warp_pool<Set::kLanes, Set::kThreads>;

template <class Set>
class PoolBench : public Bench<typename Set::Rtl, PoolTwin<Set>> {
 public:
  static constexpr unsigned kEntries = Set::kThreads;
  using Warps = std::map<unsigned, PoolWarp>;

  explicit PoolBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, PoolTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const Warps& warps() const { return warps_; }

  void reset() {
    warps_.clear();
    expect({});
    this->reset_cycle();
  }

  // The pool does not know which entries hold a warp: `free` is a matter of the test.
  void step(const PoolUpdate& update0, const PoolUpdate& update1, std::optional<unsigned> free = {},
            std::optional<unsigned> read = {}) {
    drive(update0, join0_valid_i, join0_idx_i, join0_mask_i, new0_valid_i, new0_idx_i, new0_pc_i, new0_mask_i,
          lane0_we_i, lane0_tid_i);
    drive(update1, join1_valid_i, join1_idx_i, join1_mask_i, new1_valid_i, new1_idx_i, new1_pc_i, new1_mask_i,
          lane1_we_i, lane1_tid_i);
    read_valid_i = read.has_value();
    read_idx_i = read.value_or(0);
    expect(read);
    if (free) warps_.erase(*free);
    for (const PoolUpdate* update : {&update0, &update1}) {
      const auto& [fresh, join] = *update;
      if (join) warps_.at(join->idx).threads.insert(join->threads.begin(), join->threads.end());
      if (fresh) warps_[fresh->idx] = {fresh->pc, fresh->threads};
    }
    this->cycle();
  }
  // What the read port shows of a warp.
  Threads read(unsigned index) {
    step({}, {}, {}, index);
    return warps_.at(index).threads;
  }

 private:
  static constexpr unsigned kLanes = Set::kLanes, kIndex = index_width(kEntries);
  HEDDLE_INPUT(join0_valid_i, 1, 1);
  HEDDLE_INPUT(join0_idx_i, kIndex, 1);
  HEDDLE_INPUT(join0_mask_i, kLanes, 1);
  HEDDLE_INPUT(new0_valid_i, 1, 1);
  HEDDLE_INPUT(new0_idx_i, kIndex, 1);
  HEDDLE_INPUT(new0_pc_i, 32, 1);
  HEDDLE_INPUT(new0_mask_i, kLanes, 1);
  HEDDLE_INPUT(lane0_we_i, kLanes, 1);
  HEDDLE_INPUT(lane0_tid_i, kIndex, kLanes);
  HEDDLE_INPUT(join1_valid_i, 1, 1);
  HEDDLE_INPUT(join1_idx_i, kIndex, 1);
  HEDDLE_INPUT(join1_mask_i, kLanes, 1);
  HEDDLE_INPUT(new1_valid_i, 1, 1);
  HEDDLE_INPUT(new1_idx_i, kIndex, 1);
  HEDDLE_INPUT(new1_pc_i, 32, 1);
  HEDDLE_INPUT(new1_mask_i, kLanes, 1);
  HEDDLE_INPUT(lane1_we_i, kLanes, 1);
  HEDDLE_INPUT(lane1_tid_i, kIndex, kLanes);
  HEDDLE_INPUT(read_valid_i, 1, 1);
  HEDDLE_INPUT(read_idx_i, kIndex, 1);
  HEDDLE_OUTPUT(read_pc_o, 32, 1);
  HEDDLE_OUTPUT(read_mask_o, kLanes, 1);
  HEDDLE_OUTPUT(read_tids_o, kIndex, kLanes);

  void drive(const PoolUpdate& update, Input& join_valid, Input& join_idx, Input& join_mask, Input& new_valid,
             Input& new_idx, Input& new_pc, Input& new_mask, Input& we, Input& tid) const {
    LaneMask written = 0;
    const auto put = [&](const Threads& threads) {
      LaneMask lanes = 0;
      for (const auto& [lane, thread] : threads) {
        lanes |= LaneMask{1} << lane;
        tid.set(lane, thread);
      }
      written |= lanes;
      return lanes;
    };
    const auto& [fresh, join] = update;
    new_valid = fresh.has_value();
    if (fresh) {
      new_idx = fresh->idx;
      new_pc = fresh->pc;
      new_mask = put(fresh->threads);
    }
    join_valid = join.has_value();
    if (join) {
      join_idx = join->idx;
      LaneMask mask = put(join->threads);
      const auto warp = warps_.find(join->idx);
      if (warp != warps_.end()) {
        for (const auto& [lane, thread] : warp->second.threads) mask |= LaneMask{1} << lane;
      }
      join_mask = mask;
    }
    we = written;
  }

  void expect(std::optional<unsigned> read) {
    const PoolWarp warp = read ? warps_.at(*read) : PoolWarp();
    LaneMask mask = 0;
    for (unsigned l = 0; l < kLanes; ++l) read_tids_o.expect(l, 0);
    for (const auto& [lane, tid] : warp.threads) {
      mask |= LaneMask{1} << lane;
      read_tids_o.expect(lane, tid);
    }
    read_pc_o.expect(warp.pc);
    read_mask_o.expect(mask);
  }

  Warps warps_;
};

template <class Set>
class PoolRandom : public testing::Test {};
using Sets = testing::Types<models::warp_pool_small, models::warp_pool_odd>;
TYPED_TEST_SUITE(PoolRandom, Sets, SetNames);

TYPED_TEST(PoolRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  constexpr unsigned kLanes = TypeParam::kLanes, kEntries = TypeParam::kThreads;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Random random(seed);
    PoolBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < 2000; ++i) {
      if (random.below(400) == 0) bench.reset();
      std::vector<unsigned> valid, idle;
      for (unsigned e = 0; e < kEntries; ++e) (bench.warps().count(e) != 0 ? valid : idle).push_back(e);
      std::optional<unsigned> free;
      if (!valid.empty() && random.chance(80)) free = random.pick(valid);
      std::array<PoolUpdate, 2> update;
      std::optional<unsigned> begun, joined;
      for (PoolUpdate& u : update) {
        if (!random.chance(70)) continue;
        LaneMask wanted = random.some_lanes(kLanes);
        Threads rest;
        if (!valid.empty() && random.chance(70)) {
          const unsigned idx = random.pick(valid);
          const auto& there = bench.warps().at(idx).threads;
          Threads join;
          for (unsigned l = 0; l < kLanes; ++l) {
            if (((wanted >> l) & 1) != 0 && there.count(l) == 0) join[l] = random.below(kEntries);
          }
          if (!join.empty() && idx != free && idx != joined) {
            joined = idx;
            u.join = {idx, join};
            for (const auto& [lane, tid] : join) wanted &= ~(LaneMask{1} << lane);
          }
        }
        for (unsigned l = 0; l < kLanes; ++l) {
          if (((wanted >> l) & 1) != 0) rest[l] = random.below(kEntries);
        }
        if (!rest.empty() && !idle.empty()) {
          const unsigned idx = random.pick(idle);
          if (idx != begun) u.fresh = {idx, static_cast<Pc>(random.next()), rest};
          if (idx != begun) begun = idx;
        }
      }
      std::optional<unsigned> read;
      if (!valid.empty() && random.chance(80)) read = free && random.chance(50) ? *free : random.pick(valid);
      const auto& [u0, u1] = update;
      met.hit("join_and_new_of_one_update", u0.join && u0.fresh);
      met.hit("join_and_new_of_both_updates", u0.join && u0.fresh && u1.join && u1.fresh);
      met.hit("two_new_entries", u0.fresh && u1.fresh);
      met.hit("two_joins", u0.join && u1.join);
      met.hit("read_of_a_joined_entry", read && u0.join && u0.join->idx == *read);
      met.hit("free_beside_both_updates", free && u0.fresh && u1.join);
      met.hit("full", idle.empty());
      bench.step(u0, u1, free, read);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::warp_pool_small;

TEST(PoolExample, ANewWarpForgetsTheLanesOfTheOneBeforeIt) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{2, 0x100, {{0, 5}}}, {}}, {});
  pool.step({{}, PoolUpdate::Join{2, {{1, 6}, {3, 7}}}}, {});
  pool.step({}, {}, 2, 2);
  pool.step({}, {PoolUpdate::New{2, 0x200, {{1, 4}}}, {}});
  EXPECT_EQ(pool.read(2), (Threads{{1, 4}}));
}

TEST(PoolExample, AConflictWritesTwoEntriesInOneCycle) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{0, 0x100, {{0, 1}, {2, 3}}}, {}}, {});
  pool.step({PoolUpdate::New{1, 0x100, {{0, 5}}}, PoolUpdate::Join{0, {{1, 6}}}}, {});
  EXPECT_EQ(pool.read(0), (Threads{{0, 1}, {1, 6}, {2, 3}}));
  EXPECT_EQ(pool.read(1), (Threads{{0, 5}}));
}

TEST(PoolExample, AReadSeesAWarpWithoutTheThreadsThatJoinInItsCycle) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{0, 0x100, {{0, 1}}}, {}}, {});
  pool.step({{}, PoolUpdate::Join{0, {{1, 2}}}}, {}, {}, 0);
  EXPECT_EQ(pool.read(0), (Threads{{0, 1}, {1, 2}}));
}

// ---- what the caller must not do

TEST(PoolMistake, TwoNewWarpsInOneEntry) {
  PoolBench<Small> pool;
  EXPECT_THROW(pool.step({PoolUpdate::New{3, 0x100, {{0, 1}}}, {}}, {PoolUpdate::New{3, 0x104, {{1, 2}}}, {}}),
               RtlAssertion);
}

TEST(PoolMistake, AJoinOfALaneThatHasAThread) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{3, 0x100, {{0, 1}}}, {}}, {});
  EXPECT_THROW(pool.step({{}, PoolUpdate::Join{3, {{0, 2}}}}, {}), RtlAssertion);
}

TEST(PoolMistake, AJoinOfTheWarpThatIsBegunBesideIt) {
  PoolBench<Small> pool;
  EXPECT_THROW(pool.step({PoolUpdate::New{3, 0x100, {{0, 1}}}, {}}, {{}, PoolUpdate::Join{3, {{1, 2}}}}), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
