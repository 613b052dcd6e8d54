// SPDX-License-Identifier: Apache-2.0
// minpc/min_pc_table: random lockstep of RTL, twin, its logic and oracle; who is lowest, and who meets whom.
#include "minpc/min_pc_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/min_pc_table_default.h"
#include "models/min_pc_table_small.h"
#include "models/min_pc_table_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/minpc/min_pc_oracle.h"

namespace heddle::test {
namespace {

template <class Set>
using MinPcTwin = min_pc_table<Set::kNumWarps, Set::kLanes, Set::kLevelW, Set::kWatch, Set::kPcStep>;

// All opinions on one table. A resolution takes a cycle in which it is taken in and one in which it acts, a meeting one
// in which it is chosen and one in which it happens.
template <class Set>
class MinPcBench : public Bench<typename Set::Rtl, MinPcTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = MinPcOracle::Inputs;
  using Events = MinPcOracle::Events;
  using Resolve = MinPcOracle::Resolve;

  explicit MinPcBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, MinPcTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const MinPcOracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = MinPcOracle(kWarps, Set::kLevelW, Set::kPcStep);
    expect_state();
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  Events step(const Inputs& in) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    for (WarpId w = 0; w < kWarps; ++w) advance_i.set(w, in.advance == w);
    for (WarpId w = 0; w < kWarps; ++w) aside_i.set(w, in.aside == w);
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = in.resolve->target;
      resolve_next_i = in.resolve->next;
      resolve_exit_i = in.resolve->exit;
      resolve_call_i = in.resolve->call;
      resolve_return_i = in.resolve->returns;
    }
    expect_state();
    const std::uint64_t poppable = logic_.poppable();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    step_logic(in, events, poppable);
    return events;
  }

  Events launch(Pc pc, LaneMask mask, WarpId warp = 0) {
    Inputs in;
    in.launch = {warp, pc, mask};
    return step(in);
  }
  Events advance(WarpId warp = 0) {
    Inputs in;
    in.advance = warp;
    return step(in);
  }
  Events resolve(const Resolve& resolution) {
    Inputs in;
    in.resolve = resolution;
    step(in);
    return idle();
  }
  Events branch(LaneMask taken, Pc target, Pc next) { return resolve({0, taken, target, next}); }
  Events jump(Pc to) { return branch(~LaneMask{0}, to, to); }
  Events idle() { return step({}); }
  Events meet() {
    idle();
    return idle();
  }
  [[nodiscard]] MinPcOracle::Path path(WarpId warp = 0) const { return oracle_.path(warp); }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(advance_i, 1, kWarps);
  HEDDLE_INPUT(aside_i, 1, kWarps);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, 1, 1);  // ignored
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);  // ignored
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_INPUT(resolve_call_i, 1, 1);
  HEDDLE_INPUT(resolve_return_i, 1, 1);
  HEDDLE_OUTPUT(pc_o, 32, kWarps);
  HEDDLE_OUTPUT(mask_o, kLanes, kWarps);
  HEDDLE_OUTPUT(level_o, Set::kLevelW, kWarps);
  HEDDLE_OUTPUT(valid_o, 1, kWarps);
  HEDDLE_OUTPUT(sibling_o, 1, kWarps);
  HEDDLE_OUTPUT(rpc_o, 32, kWarps);
  HEDDLE_OUTPUT(rpc_level_o, Set::kLevelW, kWarps);
  HEDDLE_OUTPUT(live_o, kLanes, kWarps);
  HEDDLE_OUTPUT(depth_o, 1, kWarps);
  HEDDLE_OUTPUT(resolved_valid_o, 1, 1);
  HEDDLE_OUTPUT(resolved_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(resolved_slot_o, 1, 1);
  HEDDLE_OUTPUT(resolved_next_o, 1, 1);
  HEDDLE_OUTPUT(push_valid_o, 1, 1);
  HEDDLE_OUTPUT(push_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(pop_valid_o, 1, 1);
  HEDDLE_OUTPUT(pop_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(done_valid_o, 1, 1);
  HEDDLE_OUTPUT(done_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(overflow_valid_o, 1, 1);
  HEDDLE_OUTPUT(overflow_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(others_o, 1, kWarps);
  HEDDLE_OUTPUT(max_depth_o, 1, 1);

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const MinPcOracle::Path path = oracle_.path(w);
      const bool threads = oracle_.live(w) != 0;
      pc_o.expect(w, path.pc);
      level_o.expect(w, path.level);
      mask_o.expect(w, path.mask);
      valid_o.expect(w, path.mask != 0);
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      sibling_o.expect(w, path.waiting.has_value());
      others_o.expect(w, path.others);
      rpc_o.expect(w, path.waiting ? path.waiting->first : 0);
      rpc_level_o.expect(w, path.waiting ? path.waiting->second : 0);
      if (!threads) {
        for (Output* data : {&pc_o, &level_o}) data->ignore(w);
      }
      if (oracle_.depth(w) == 0) live_o.ignore(w);
    }
    max_depth_o.expect(Set::kWatch != 0 && oracle_.launched());
  }

  void expect_events(const Events& events) {
    resolved_valid_o.expect(events.resolved.has_value());
    resolved_warp_o.expect(events.resolved.value_or(0));
    resolved_slot_o.expect(0);
    resolved_next_o.expect(events.next);
    push_valid_o.expect(events.push.has_value());
    push_warp_o.expect(events.push.value_or(0));
    pop_valid_o.expect(events.pop.has_value());
    pop_warp_o.expect(events.pop.value_or(0));
    done_valid_o.expect(events.done.has_value());
    done_warp_o.expect(events.done.value_or(0));
    overflow_valid_o.expect(0);
    overflow_warp_o.expect(0);
  }

  // The logic is driven as a front end drives it.
  void step_logic(const Inputs& in, const Events& events, std::uint64_t poppable) {
    if (in.launch) logic_.launch(in.launch->warp, in.launch->pc, in.launch->mask);
    if (in.advance) logic_.advance(*in.advance, 0);
    if (logic_.taken_in().valid) {
      const MinPcResolved did = logic_.act(in.kill == logic_.taken_in().warp);
      same("next", did.next, events.next);
      same("push", did.push, events.push.has_value());
    }
    if (in.resolve) {
      const Resolve& r = *in.resolve;
      ResolveInput resolution;
      resolution.taken = r.taken;
      resolution.exit = r.exit;
      resolution.target = r.target;
      resolution.next = r.next;
      resolution.call = r.call;
      resolution.ret = r.returns;
      logic_.take_in(r.warp, 0, resolution);
    }
    const PopChoice chosen = logic_.chosen();
    if (chosen.valid) same("done", logic_.pop(chosen.warp), events.done.has_value());
    if (in.aside) logic_.stand_aside(*in.aside);
    if (in.kill) logic_.kill(*in.kill);
    logic_.choose(poppable);
    for (WarpId w = 0; w < kWarps; ++w) {
      const MinPcOracle::Path path = oracle_.path(w);
      same("depth", logic_.depth(w), oracle_.depth(w));
      same("mask", logic_.path(w, 0).mask, path.mask);
      if (oracle_.live(w) == 0) continue;
      same("pc", logic_.path(w, 0).pc, path.pc);
      same("level", logic_.path(w, 0).level, path.level);
      same("live", logic_.live(w), oracle_.live(w));
      same("sibling", logic_.sibling(w, 0), path.waiting.has_value());
      same("others", logic_.others() >> w & 1, path.others && path.mask != 0);
    }
    same("chosen", logic_.chosen().valid, oracle_.popping().has_value());
    same("max_depth", logic_.max_depth(), Set::kWatch != 0 && oracle_.launched());
  }
  static void same(const char* what, std::uint64_t shown, std::uint64_t expected) {
    if (shown != expected) throw Mismatch(std::string("mismatch at cycle of the logic: ") + what);
  }

  MinPcOracle oracle_ = MinPcOracle(kWarps, Set::kLevelW, Set::kPcStep);
  typename MinPcTwin<Set>::Logic logic_;
};

template <class Set>
class MinPcRandom : public testing::Test {};
using Sets = ParameterSets<models::min_pc_table_small, models::min_pc_table_wide, models::min_pc_table_default>;
TYPED_TEST_SUITE(MinPcRandom, Sets, SetNames);

// Legal inputs from a few PCs behind `base`, so that threads often meet.
template <class Set>
MinPcOracle::Inputs random_inputs(Random& random, const MinPcOracle& oracle, Pc& base) {
  if (random.chance(3)) base = random.base(6) & ~Pc{Set::kPcStep - 1};
  const auto pc = [&] { return base + Set::kPcStep * random.below(6); };
  std::vector<WarpId> ended, running;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.path(w).mask != 0 && oracle.resolving() != w) running.push_back(w);
  }
  MinPcOracle::Inputs in;
  if (!ended.empty() && random.chance(30)) in.launch = {random.pick(ended), pc(), random.some_lanes(Set::kLanes)};
  if (!running.empty() && random.chance(50)) {
    const WarpId warp = random.pick(running);
    MinPcOracle::Resolve r{warp, random.lanes(Set::kLanes), pc(), pc()};
    if (random.chance(20)) r.target = r.next;
    if (random.chance(20) && oracle.path(warp).waiting) r.target = oracle.path(warp).waiting->first;
    if (random.chance(15)) r.exit = oracle.path(warp).mask & random.next();
    if (random.chance(8)) r.exit = oracle.path(warp).mask;
    if (random.chance(30)) {
      r.call = random.chance(50);
      r.returns = !r.call;
    }
    in.resolve = r;
  }
  if (!running.empty() && random.chance(60)) {
    const WarpId warp = random.pick(running);
    if (!in.resolve || in.resolve->warp != warp) in.advance = warp;
  }
  if (!running.empty() && random.chance(15)) {
    const WarpId warp = random.pick(running);
    if (oracle.path(warp).others && in.advance != warp && (!in.resolve || in.resolve->warp != warp)) in.aside = warp;
  }
  in.kill = [&]() -> std::optional<WarpId> {
    if (!random.chance(4)) return std::nullopt;
    std::vector<WarpId> busy;
    for (const std::optional<WarpId>& warp : {oracle.resolving(), oracle.popping(), in.advance}) {
      if (warp) busy.push_back(*warp);
    }
    const WarpId killed = busy.empty() || random.chance(20) ? random.below(Set::kNumWarps) : random.pick(busy);
    if (in.launch && in.launch->warp == killed) return std::nullopt;
    return killed;
  }();
  return in;
}

TYPED_TEST(MinPcRandom, RtlTwinLogicAndOracleAgreeInEveryCycle) {
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 3000 : 15000;
  for (std::uint64_t seed = 1; seed <= seeds(3); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    MinPcBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base);
      const bool kills_acting = in.kill && bench.oracle().resolving() == in.kill;
      const auto events = bench.step(in);
      met.hit("goes_on", events.next && !events.push);
      met.hit("goes_elsewhere_after_a_divergence", events.push.has_value());
      met.hit("meets", events.pop && !events.done);
      met.hit("done", events.done.has_value());
      met.hit("stands_aside", in.aside.has_value());
      met.hit("killed_as_it_acts", kills_acting);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

using Small = models::min_pc_table_small;

TEST(MinPcExample, TheLowestSideRunsFirstAndMeetsTheOtherWhereItWaits) {
  MinPcBench<Small> table;
  table.launch(0x100, 0b1111);
  table.branch(0b1100, 0x108, 0x104);  // those who skip an instruction wait behind it
  EXPECT_EQ(table.path().mask, 0b0011u);
  EXPECT_EQ(table.path().pc, 0x104u);
  table.advance();
  EXPECT_EQ(table.path().mask, 0u);
  EXPECT_TRUE(table.meet().pop);
  EXPECT_EQ(table.path().mask, 0b1111u);
  EXPECT_EQ(table.path().pc, 0x108u);
}

TEST(MinPcExample, WhoJumpsPastOthersLetsThemGoFirst) {
  MinPcBench<Small> table;
  table.launch(0x100, 0b1111);
  table.branch(0b1100, 0x200, 0x104);
  table.jump(0x300);
  EXPECT_EQ(table.path().mask, 0b1100u);
  EXPECT_EQ(table.path().pc, 0x200u);
  table.jump(0x300);
  EXPECT_EQ(table.path().mask, 0b1111u);
}

TEST(MinPcExample, AnUnstructuredGraphMeetsBeforeThePostDominator) {
  // Two of the three sides of A reach C by different ways; the post-dominator of all is D.
  MinPcBench<Small> table;
  table.launch(0x100, 0b111);
  table.branch(0b100, 0x300, 0x104);  // lane 2 goes to C
  table.branch(0b010, 0x200, 0x108);  // lane 1 to B, lane 0 on
  table.jump(0x400);                  // lane 0 to D
  EXPECT_EQ(table.path().mask, 0b010u);
  table.jump(0x300);
  EXPECT_EQ(table.path().mask, 0b110u);  // C once, for both
}

TEST(MinPcExample, ThoseInAFunctionRunBeforeThoseOutsideWhateverTheirPcs) {
  MinPcBench<Small> table;
  table.launch(0x100, 0b1111);
  MinPcOracle::Resolve call{0, 0b0011, 0x800, 0x104};
  call.call = true;
  table.resolve(call);
  EXPECT_EQ(table.path().mask, 0b0011u);
  EXPECT_EQ(table.path().pc, 0x800u);
  MinPcOracle::Resolve back{0, 0b1111, 0x104, 0x804};
  back.returns = true;
  table.resolve(back);
  EXPECT_EQ(table.path().mask, 0b1111u);
  EXPECT_EQ(table.path().pc, 0x104u);
}

TEST(MinPcExample, WhoIsAtABarrierLetsTheOthersGoFirst) {
  MinPcBench<Small> table;
  table.launch(0x100, 0b1111);
  table.branch(0b1100, 0x200, 0x104);  // lanes 1 and 0 come to a barrier at 0x104
  MinPcOracle::Inputs barrier;
  barrier.aside = 0;
  table.step(barrier);
  EXPECT_TRUE(table.meet().pop);
  EXPECT_EQ(table.path().mask, 0b1100u);
  table.jump(0x104);
  EXPECT_TRUE(table.path().others);  // at the barrier, too, but not aside
  table.step(barrier);
  table.meet();
  EXPECT_EQ(table.path().mask, 0b1111u);
  EXPECT_FALSE(table.path().others);
}

TEST(MinPcExample, AWarpIsDoneWhenItsLastThreadHasLeft) {
  MinPcBench<Small> table;
  table.launch(0x100, 0b11);
  MinPcOracle::Resolve leave{0, 0, 0x104, 0x104, 0b11};
  table.resolve(leave);
  EXPECT_EQ(table.meet().done, WarpId{0});
}

}  // namespace
}  // namespace heddle::test
