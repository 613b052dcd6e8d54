// SPDX-License-Identifier: Apache-2.0
// dwf/thread_swizzle: every thread in RTL and twin against a table written out by hand or lane by lane.
#include "dwf/thread_swizzle.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "models/thread_swizzle_none.h"
#include "models/thread_swizzle_pairs.h"
#include "models/thread_swizzle_rotate.h"
#include "tests/common/bench.h"

namespace heddle::test {
namespace {

template <class Set>
class Swizzle : FreshSimulation {
 public:
  Swizzle() : rtl_(&context_, "rtl"), twin_("twin") {
    twin_.tid_i(tid_);
    twin_.lane_o(lane_);
  }
#if VM_COVERAGE
  ~Swizzle() { write_coverage(context_); }
#endif

  // Lanes of all threads, warp by warp; both designs agree on each.
  std::vector<std::vector<unsigned>> lanes() {
    std::vector<std::vector<unsigned>> warps;
    for (unsigned tid = 0; tid < Set::kThreads; ++tid) {
      rtl_.tid_i = tid;
      rtl_.eval();
      tid_.write(tid);
      sc_core::sc_start(1, sc_core::SC_NS);
      if (rtl_.lane_o != lane_.read()) {
        throw Mismatch("mismatch at cycle " + std::to_string(tid) + ": lane_o: RTL " + std::to_string(rtl_.lane_o) +
                       ", twin " + std::to_string(lane_.read()));
      }
      if (tid % Set::kLanes == 0) warps.emplace_back();
      warps.back().push_back(rtl_.lane_o);
    }
    return warps;
  }

 private:
  VerilatedContext context_;
  typename Set::Rtl rtl_;
  thread_swizzle<Set::kLanes, Set::kThreads, Set::kSwizzle> twin_;
  sc_core::sc_signal<std::uint32_t> tid_{"tid"}, lane_{"lane"};
};

using Warps = std::vector<std::vector<unsigned>>;

TEST(SwizzleExample, NoneLeavesEveryThreadAtItsPosition) {
  EXPECT_EQ(Swizzle<models::thread_swizzle_none>().lanes(), (Warps{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}, {0, 1, 2, 3, 4}}));
}

TEST(SwizzleExample, PairsSwapEvenAndOddPositionsInEveryOtherWarp) {
  EXPECT_EQ(Swizzle<models::thread_swizzle_pairs>().lanes(),
            (Warps{{0, 1, 2, 3}, {1, 0, 3, 2}, {0, 1, 2, 3}, {1, 0, 3, 2}}));
}

TEST(SwizzleExample, RotationMovesEachWarpOneLaneFurther) {
  EXPECT_EQ(
      Swizzle<models::thread_swizzle_rotate>().lanes(),
      (Warps{{0, 1, 2, 3, 4}, {1, 2, 3, 4, 0}, {2, 3, 4, 0, 1}, {3, 4, 0, 1, 2}, {4, 0, 1, 2, 3}, {0, 1, 2, 3, 4}}));
}

template <class Set>
void expect_one_thread_a_lane() {
  for (const auto& warp : Swizzle<Set>().lanes())
    EXPECT_EQ(std::set<unsigned>(warp.begin(), warp.end()).size(), Set::kLanes);
}

TEST(SwizzleExample, EveryWarpHasOneThreadInEachLane) {
  expect_one_thread_a_lane<models::thread_swizzle_none>();
  expect_one_thread_a_lane<models::thread_swizzle_pairs>();
  expect_one_thread_a_lane<models::thread_swizzle_rotate>();
}

}  // namespace
}  // namespace heddle::test
