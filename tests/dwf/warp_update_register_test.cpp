// SPDX-License-Identifier: Apache-2.0
// dwf/warp_update_register: random lockstep of RTL, twin and oracle; load beside clear, groups without threads.
#include "dwf/warp_update_register.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/warp_update_register_small.h"
#include "models/warp_update_register_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

struct Held {
  bool valid = false;
  Pc pc = 0;
  LaneMask req = 0;
  std::vector<unsigned> tids;
  unsigned sched = 0;
};

template <class Set>
using UpdateRegisterTwin = warp_update_register<Set::kLanes, Set::kThreads, Set::kSchedW>;

template <class Set>
class UpdateRegisterBench : public Bench<typename Set::Rtl, UpdateRegisterTwin<Set>> {
 public:
  explicit UpdateRegisterBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, UpdateRegisterTwin<Set>>(seed) {
    reset();
  }

  void reset() {
    held_ = Held();
    held_.tids.assign(Set::kLanes, 0);
    expect();
    this->reset_cycle();
  }

  // What the register shows after the edge.
  const Held& step(bool load, bool clear, const Held& in) {
    load_i = load;
    clear_i = clear;
    valid_i = in.valid;
    pc_i = in.pc;
    req_i = in.req;
    sched_i = in.sched;
    for (unsigned l = 0; l < Set::kLanes; ++l) tids_i.set(l, in.tids.at(l));
    expect();
    if (clear) held_.valid = false;
    if (load && (!in.valid || in.req == 0)) held_.valid = false;
    if (load && in.valid && in.req != 0) {
      held_ = in;
      for (unsigned l = 0; l < Set::kLanes; ++l) {
        if (((in.req >> l) & 1) == 0) held_.tids[l] = 0;
      }
    }
    this->cycle();
    expect();
    return held_;
  }

 private:
  HEDDLE_INPUT(valid_i, 1, 1);
  HEDDLE_INPUT(pc_i, 32, 1);
  HEDDLE_INPUT(req_i, Set::kLanes, 1);
  HEDDLE_INPUT(tids_i, index_width(Set::kThreads), Set::kLanes);
  HEDDLE_INPUT(sched_i, Set::kSchedW, 1);
  HEDDLE_INPUT(load_i, 1, 1);
  HEDDLE_INPUT(clear_i, 1, 1);
  HEDDLE_OUTPUT(valid_o, 1, 1);
  HEDDLE_OUTPUT(pc_o, 32, 1);
  HEDDLE_OUTPUT(req_o, Set::kLanes, 1);
  HEDDLE_OUTPUT(tids_o, index_width(Set::kThreads), Set::kLanes);
  HEDDLE_OUTPUT(sched_o, Set::kSchedW, 1);

  void expect() {
    valid_o.expect(held_.valid);
    pc_o.expect(held_.pc);
    req_o.expect(held_.req);
    sched_o.expect(held_.sched);
    for (unsigned l = 0; l < Set::kLanes; ++l) tids_o.expect(l, held_.tids[l]);
  }

  Held held_;
};

template <class Set>
class UpdateRegisterRandom : public testing::Test {};
using Sets = testing::Types<models::warp_update_register_small, models::warp_update_register_wide>;
TYPED_TEST_SUITE(UpdateRegisterRandom, Sets, SetNames);

TYPED_TEST(UpdateRegisterRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  Random random(1);
  UpdateRegisterBench<TypeParam> bench(1);
  for (unsigned i = 0; i < 3000; ++i) {
    if (random.below(300) == 0) bench.reset();
    Held in;
    in.valid = random.chance(70);
    in.pc = static_cast<Pc>(random.next());
    in.req = random.lanes(TypeParam::kLanes);
    in.sched = random.below(1u << TypeParam::kSchedW);
    for (unsigned l = 0; l < TypeParam::kLanes; ++l) in.tids.push_back(random.below(TypeParam::kThreads));
    const bool load = random.chance(50), clear = random.chance(40);
    met.hit("load_beside_clear", load && clear && in.valid && in.req != 0);
    met.hit("group_without_threads", load && in.valid && in.req == 0);
    bench.step(load, clear, in);
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::warp_update_register_small;

TEST(UpdateRegisterExample, LoadWinsOverClear) {
  UpdateRegisterBench<Small> bench;
  bench.step(true, false, {true, 0x100, 0b0001, {1, 0, 0, 0}, 0});
  const Held held = bench.step(true, true, {true, 0x104, 0b0110, {9, 2, 3, 9}, 5});
  EXPECT_TRUE(held.valid);
  EXPECT_EQ(held.pc, 0x104u);
  EXPECT_EQ(held.tids, (std::vector<unsigned>{0, 2, 3, 0}));
}

TEST(UpdateRegisterExample, AGroupWithoutThreadsIsNone) {
  UpdateRegisterBench<Small> bench;
  EXPECT_FALSE(bench.step(true, false, {true, 0x100, 0, {1, 2, 3, 4}, 0}).valid);
}

TEST(UpdateRegisterExample, LoadingNothingEmptiesTheRegister) {
  UpdateRegisterBench<Small> bench;
  bench.step(true, false, {true, 0x100, 0b0001, {1, 0, 0, 0}, 0});
  const Held held = bench.step(true, false, {false, 0x200, 0b1111, {5, 6, 7, 8}, 1});
  EXPECT_FALSE(held.valid);
  EXPECT_EQ(held.pc, 0x100u);
}

}  // namespace
}  // namespace heddle::test
