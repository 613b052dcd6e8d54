// SPDX-License-Identifier: Apache-2.0
// dwf/warp_pool: random lockstep of RTL, twin and oracle; joins, new entries and a free entry in one cycle.
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
#include "tests/dwf/issue_oracle.h"

namespace heddle::test {
namespace {

using Threads = std::map<unsigned, unsigned>;  // thread by lane

struct PoolWarp {
  Pc pc = 0;
  unsigned sched = 0;
  Threads threads;
};

// One write port: threads that join an entry, and threads that begin one.
struct PoolUpdate {
  struct New { unsigned idx; Pc pc; unsigned sched; Threads threads; };
  struct Join { unsigned idx; unsigned sched; Threads threads; };
  std::optional<New> fresh;
  std::optional<Join> join;
};

template <class Set>
using PoolTwin = warp_pool<Set::kLanes, Set::kThreads, Set::kSchedW>;

template <class Set>
class PoolBench : public Bench<typename Set::Rtl, PoolTwin<Set>> {
 public:
  static constexpr unsigned kEntries = Set::kThreads;
  using Warps = std::map<unsigned, PoolWarp>;

  explicit PoolBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, PoolTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const Warps& warps() const { return warps_; }

  void reset() {
    warps_.clear();
    expect(0);
    this->reset_cycle();
  }

  void step(const PoolUpdate& update0, const PoolUpdate& update1, std::optional<unsigned> free, unsigned read) {
    drive(update0, lane0_we_i, lane0_idx_i, lane0_tid_i, new0_valid_i, new0_idx_i, new0_pc_i, new0_sched_i, join0_valid_i,
          join0_idx_i, join0_sched_i);
    drive(update1, lane1_we_i, lane1_idx_i, lane1_tid_i, new1_valid_i, new1_idx_i, new1_pc_i, new1_sched_i, join1_valid_i,
          join1_idx_i, join1_sched_i);
    free_valid_i = free.has_value();
    free_idx_i = free.value_or(0);
    read_idx_i = read;
    expect(read);
    if (free) warps_.erase(*free);
    for (const PoolUpdate* update : {&update0, &update1}) {
      if (update->join) {
        PoolWarp& warp = warps_.at(update->join->idx);
        warp.sched = latest_sched(warp.sched, update->join->sched, Set::kSchedW);
        warp.threads.insert(update->join->threads.begin(), update->join->threads.end());
      }
      if (update->fresh) warps_[update->fresh->idx] = {update->fresh->pc, update->fresh->sched, update->fresh->threads};
    }
    this->cycle();
  }

 private:
  static constexpr unsigned kLanes = Set::kLanes, kIndex = index_width(kEntries), kWord = std::min(kEntries, 64u);
  HEDDLE_INPUT(lane0_we_i, kLanes, 1);
  HEDDLE_INPUT(lane0_idx_i, kIndex, kLanes);
  HEDDLE_INPUT(lane0_tid_i, kIndex, kLanes);
  HEDDLE_INPUT(new0_valid_i, 1, 1);
  HEDDLE_INPUT(new0_idx_i, kIndex, 1);
  HEDDLE_INPUT(new0_pc_i, 32, 1);
  HEDDLE_INPUT(new0_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(join0_valid_i, 1, 1);
  HEDDLE_INPUT(join0_idx_i, kIndex, 1);
  HEDDLE_INPUT(join0_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(lane1_we_i, kLanes, 1);
  HEDDLE_INPUT(lane1_idx_i, kIndex, kLanes);
  HEDDLE_INPUT(lane1_tid_i, kIndex, kLanes);
  HEDDLE_INPUT(new1_valid_i, 1, 1);
  HEDDLE_INPUT(new1_idx_i, kIndex, 1);
  HEDDLE_INPUT(new1_pc_i, 32, 1);
  HEDDLE_INPUT(new1_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(join1_valid_i, 1, 1);
  HEDDLE_INPUT(join1_idx_i, kIndex, 1);
  HEDDLE_INPUT(join1_sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(read_idx_i, kIndex, 1);
  HEDDLE_INPUT(free_valid_i, 1, 1);
  HEDDLE_INPUT(free_idx_i, kIndex, 1);
  HEDDLE_OUTPUT(read_valid_o, 1, 1);
  HEDDLE_OUTPUT(read_pc_o, 32, 1);
  HEDDLE_OUTPUT(read_mask_o, kLanes, 1);
  HEDDLE_OUTPUT(read_tids_o, kIndex, kLanes);
  HEDDLE_OUTPUT(read_sched_o, Set::kSchedW, 1);
  HEDDLE_OUTPUT(valid_o, kWord, (kEntries + 63) / 64);
  HEDDLE_OUTPUT(pc_o, 32, kEntries);
  HEDDLE_OUTPUT(sched_o, Set::kSchedW, kEntries);

  static void drive(const PoolUpdate& update, Input& we, Input& idx, Input& tid, Input& new_valid, Input& new_idx,
                    Input& new_pc, Input& new_sched, Input& join_valid, Input& join_idx, Input& join_sched) {
    LaneMask lanes = 0;
    const auto put = [&](unsigned index, const Threads& threads) {
      for (const auto& [lane, thread] : threads) {
        lanes |= LaneMask{1} << lane;
        idx.set(lane, index);
        tid.set(lane, thread);
      }
    };
    new_valid = update.fresh.has_value();
    if (update.fresh) {
      new_idx = update.fresh->idx;
      new_pc = update.fresh->pc;
      new_sched = update.fresh->sched;
      put(update.fresh->idx, update.fresh->threads);
    }
    join_valid = update.join.has_value();
    if (update.join) {
      join_idx = update.join->idx;
      join_sched = update.join->sched;
      put(update.join->idx, update.join->threads);
    }
    we = lanes;
  }

  void expect(unsigned read) {
    std::vector<std::uint64_t> words((kEntries + 63) / 64);
    for (unsigned i = 0; i < kEntries; ++i) {
      const auto found = warps_.find(i);
      const PoolWarp warp = found != warps_.end() ? found->second : PoolWarp();
      if (found != warps_.end()) words[i / 64] |= std::uint64_t{1} << (i % 64);
      pc_o.expect(i, warp.pc);
      sched_o.expect(i, warp.sched);
      if (i != read) continue;
      LaneMask mask = 0;
      for (unsigned l = 0; l < kLanes; ++l) read_tids_o.expect(l, 0);
      for (const auto& [lane, tid] : warp.threads) {
        mask |= LaneMask{1} << lane;
        read_tids_o.expect(lane, tid);
      }
      read_valid_o.expect(found != warps_.end());
      read_pc_o.expect(warp.pc);
      read_mask_o.expect(mask);
      read_sched_o.expect(warp.sched);
    }
    for (unsigned k = 0; k < words.size(); ++k) valid_o.expect(k, words[k]);
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
      if (!valid.empty() && random.chance(60)) free = random.pick(valid);
      std::array<PoolUpdate, 2> update;
      std::optional<unsigned> begun;
      // A lane that has a thread already, or gets one by the update before.
      const auto occupied = [&](unsigned idx, unsigned lane) {
        const auto warp = bench.warps().find(idx);
        const auto& [fresh, join] = update[0];
        return (warp != bench.warps().end() && warp->second.threads.count(lane) != 0) ||
               (fresh && fresh->idx == idx && fresh->threads.count(lane) != 0) ||
               (join && join->idx == idx && join->threads.count(lane) != 0);
      };
      for (PoolUpdate& u : update) {
        if (!random.chance(70)) continue;
        LaneMask wanted = random.some_lanes(kLanes);
        Threads rest;
        const unsigned sched = random.below(1u << TypeParam::kSchedW);
        if (!valid.empty() && random.chance(70)) {
          // Sometimes the entry that the update before joins or begins.
          unsigned idx = random.pick(valid);
          if (update[0].join && random.chance(20)) idx = update[0].join->idx;
          if (update[0].fresh && random.chance(20)) idx = update[0].fresh->idx;
          Threads join;
          for (unsigned l = 0; l < kLanes; ++l) {
            if (((wanted >> l) & 1) != 0 && !occupied(idx, l)) join[l] = random.below(kEntries);
          }
          if (!join.empty() && idx != free) {
            u.join = {idx, sched, join};
            for (const auto& [lane, tid] : join) wanted &= ~(LaneMask{1} << lane);
          }
        }
        for (unsigned l = 0; l < kLanes; ++l) {
          if (((wanted >> l) & 1) != 0) rest[l] = random.below(kEntries);
        }
        if (!rest.empty() && !idle.empty()) {
          const unsigned idx = random.pick(idle);
          if (idx != begun) u.fresh = {idx, static_cast<Pc>(random.next()), sched, rest};
          if (idx != begun) begun = idx;
        }
      }
      const auto& [u0, u1] = update;
      met.hit("join_and_new_of_one_update", u0.join && u0.fresh);
      met.hit("two_new_entries", u0.fresh && u1.fresh);
      met.hit("two_joins", u0.join && u1.join);
      met.hit("both_join_one_entry", u0.join && u1.join && u0.join->idx == u1.join->idx);
      const bool joins_the_begun = u0.fresh && u1.join && u0.fresh->idx == u1.join->idx;
      met.hit("join_of_the_entry_begun_beside_it", joins_the_begun);
      met.hit("free_beside_both_updates", free && u0.fresh && u1.join);
      if (u1.join && !joins_the_begun) {
        const unsigned was = bench.warps().at(u1.join->idx).sched, joins = u1.join->sched;
        const bool later = later_sched(joins, was, TypeParam::kSchedW);
        met.hit("join_raises_sched", later && joins > was);
        met.hit("join_keeps_sched", !later && joins < was);
        met.hit("later_and_smaller", later && joins < was);
        met.hit("earlier_and_larger", !later && joins > was);
        met.hit("half_a_turn_apart", joins == (was ^ (1u << (TypeParam::kSchedW - 1))));
      }
      met.hit("full", idle.empty());
      bench.step(u0, u1, free, random.below(kEntries));
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::warp_pool_small;

TEST(PoolExample, ANewWarpForgetsTheLanesOfTheOneBeforeIt) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{2, 0x100, 1, {{0, 5}, {1, 6}, {3, 7}}}, {}}, {}, {}, 2);
  pool.step({}, {}, 2, 2);
  pool.step({}, {PoolUpdate::New{2, 0x200, 0, {{1, 4}}}, {}}, {}, 2);
  pool.step({}, {}, {}, 2);
  EXPECT_EQ(pool.warps().at(2).threads, (Threads{{1, 4}}));
}

TEST(PoolExample, ACountThatHasWrappedIsLater) {
  PoolBench<Small> pool;  // counts modulo 256
  pool.step({PoolUpdate::New{0, 0x100, 255, {{0, 1}}}, {}}, {PoolUpdate::New{1, 0x104, 1, {{0, 2}}}, {}}, {}, 0);
  pool.step({{}, PoolUpdate::Join{0, 2, {{1, 3}}}}, {{}, PoolUpdate::Join{1, 254, {{1, 4}}}}, {}, 0);
  EXPECT_EQ(pool.warps().at(0).sched, 2u);
  EXPECT_EQ(pool.warps().at(1).sched, 1u);
  pool.step({{}, PoolUpdate::Join{0, 130, {{2, 5}}}}, {{}, PoolUpdate::Join{1, 128, {{2, 6}}}}, {}, 0);
  pool.step({}, {}, {}, 0);
  EXPECT_EQ(pool.warps().at(0).sched, 2u);    // half a turn ahead is not later
  EXPECT_EQ(pool.warps().at(1).sched, 128u);  // one less is
}

TEST(PoolExample, AWarpHasTheLatestSchedulerDataOfItsThreads) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{0, 0x100, 3, {{0, 1}}}, {}}, {}, {}, 0);
  pool.step({{}, PoolUpdate::Join{0, 5, {{1, 2}}}}, {}, {}, 0);
  pool.step({}, {{}, PoolUpdate::Join{0, 4, {{2, 3}}}}, {}, 0);
  pool.step({}, {}, {}, 0);
  EXPECT_EQ(pool.warps().at(0).sched, 5u);
}

TEST(PoolExample, AConflictWritesTwoEntriesInOneCycle) {
  PoolBench<Small> pool;
  pool.step({PoolUpdate::New{0, 0x100, 0, {{0, 1}, {2, 3}}}, {}}, {}, {}, 0);
  pool.step({PoolUpdate::New{1, 0x100, 0, {{0, 5}}}, PoolUpdate::Join{0, 0, {{1, 6}}}}, {}, {}, 1);
  pool.step({}, {}, {}, 0);
  pool.step({}, {}, {}, 1);
  EXPECT_EQ(pool.warps().at(0).threads, (Threads{{0, 1}, {1, 6}, {2, 3}}));
  EXPECT_EQ(pool.warps().at(1).threads, (Threads{{0, 5}}));
}

}  // namespace
}  // namespace heddle::test
