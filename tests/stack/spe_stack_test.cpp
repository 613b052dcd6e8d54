// SPDX-License-Identifier: Apache-2.0
// stack/spe_stack: random lockstep of RTL, twin and oracle; the DWF paper's example, functions, and the Order rules
// step by step.
#include "stack/spe_stack.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/spe_stack_deep.h"
#include "models/spe_stack_default.h"
#include "models/spe_stack_odd.h"
#include "models/spe_stack_small.h"
#include "models/spe_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/kills.h"
#include "tests/stack/spe_stack_oracle.h"
#include "tests/stack/stack_logic.h"

namespace heddle::test {
namespace {

using Entries = std::vector<SpeEntry>;

template <class Set>
using SpeStackTwin = spe_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kPushOrder, Set::kLevelW, Set::kWatch>;

// All three opinions on one stack; the verbs are those of the contract: launch and advance take one cycle,
// a resolution one in which it is taken in and one in which it acts, a pop one in which it is chosen and one in which
// it happens.
template <class Set>
class SpeStackBench : public Bench<typename Set::Rtl, SpeStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = SpeStackOracle::Inputs;
  using Events = SpeStackOracle::Events;

  explicit SpeStackBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, SpeStackTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const SpeStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Entries& entries(WarpId w = 0) const { return oracle_.entries(w); }

  void reset() {
    oracle_ = fresh_oracle();
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
    for (WarpId w = 0; w < kWarps; ++w) {
      advance_i.set(w, in.advance && in.advance->warp == w);
    }
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = in.resolve->target;
      resolve_next_i = in.resolve->next;
      resolve_rpc_i = in.resolve->rpc;
      resolve_exit_i = in.resolve->exit;
      resolve_call_i = in.resolve->call;
      resolve_return_i = in.resolve->returns;
    }
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events, events.resolved && events.resolved->next, oracle_);
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({SpeStackOracle::Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp) { return step({{}, SpeStackOracle::Advance{warp}, {}}); }
  Events branch(WarpId warp, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return resolve({warp, taken, target, next, rpc, exit});
  }
  // All threads go to one place (an unconditional jump).
  Events jump(WarpId warp, Pc to) { return branch(warp, ~LaneMask{0}, to, to, kNoRpc); }
  // The path calls a function, or returns from it; `taken` are the threads that go, the others stay at `next`.
  Events call(WarpId warp, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kNoRpc) {
    return resolve({warp, taken, to, next, rpc, 0, true, false});
  }
  Events returns(WarpId warp, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kReturnRpc) {
    return resolve({warp, taken, to, next, rpc, 0, false, true});
  }
  Events exit(WarpId warp) { return branch(warp, 0, 4, 4, kNoRpc, oracle_.top(warp).mask); }
  Events kill(WarpId warp) { return step({{}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events pop() {
    idle();
    return idle();
  }
  Events resolve(const SpeStackOracle::Resolve& resolution) {
    step({{}, {}, resolution});
    return idle();
  }

 private:
  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(advance_i, 1, kWarps);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, 1, 1);  // ignored
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
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
  HEDDLE_OUTPUT(depth_o, kDepthWidth, kWarps);
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
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  static SpeStackOracle fresh_oracle() {
    return SpeStackOracle(kWarps, Set::kDepth, static_cast<PushOrder>(Set::kPushOrder), Set::kLevelW);
  }

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const SpeEntry top = oracle_.top(w);
      pc_o.expect(w, top.pc);
      mask_o.expect(w, top.mask);
      level_o.expect(w, top.level);
      rpc_o.expect(w, top.place.rpc());
      rpc_level_o.expect(w, top.place.level());
      sibling_o.expect(w, top.sibling);
      valid_o.expect(w, top.mask != 0);
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      if (oracle_.depth(w) != 0) continue;
      for (Output* data : {&pc_o, &level_o, &sibling_o, &rpc_o, &rpc_level_o, &live_o}) data->ignore(w);
    }
    max_depth_o.expect(Set::kWatch != 0 ? oracle_.max_depth() : 0);
  }

  void expect_events(const Events& events) {
    resolved_valid_o.expect(events.resolved.has_value());
    resolved_warp_o.expect(events.resolved ? events.resolved->warp : 0);
    resolved_slot_o.expect(events.resolved ? events.resolved->slot : 0);
    resolved_next_o.expect(events.resolved && events.resolved->next);
    push_valid_o.expect(events.push.has_value());
    push_warp_o.expect(events.push.value_or(0));
    pop_valid_o.expect(events.pop.has_value());
    pop_warp_o.expect(events.pop.value_or(0));
    done_valid_o.expect(events.done.has_value());
    done_warp_o.expect(events.done.value_or(0));
    overflow_valid_o.expect(events.overflow.has_value());
    overflow_warp_o.expect(events.overflow.value_or(0));
  }

  SpeStackOracle oracle_ = fresh_oracle();
  StackLogic<typename SpeStackTwin<Set>::Logic, kWarps, Set::kWatch != 0> logic_;
};

// ---- random lockstep

template <class Set>
class SpeStackRandom : public testing::Test {};
using Sets = ParameterSets<models::spe_stack_small, models::spe_stack_deep, models::spe_stack_wide,
                           models::spe_stack_odd, models::spe_stack_default>;
TYPED_TEST_SUITE(SpeStackRandom, Sets, SetNames);

// The PC that the paths above will bring to the nearest entry below that waits for it, if that entry meets at a PC
// itself.
std::optional<Pc> own_rpc_of_the_caller(const Entries& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->at_return) return entry->place.pc();
  }
  return std::nullopt;
}

// One of the paths that meet here has brought the address.
bool knows(const SpeEntry& entry) { return entry.place.returning() && entry.place.address(); }

// Legal inputs from a few PCs behind `base`, so that paths often stand at a reconvergence point; base moves now and
// then, and some branches meet at a power of two. Calls and returns go where something is to be met.
template <class Set>
SpeStackOracle::Inputs random_inputs(Random& random, const SpeStackOracle& oracle, Pc& base) {
  if (random.chance(3)) base = random.base(6) & ~Pc{1};
  const auto pc = [&] { return base + 4 * random.below(6); };
  std::vector<WarpId> ended, running, told;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.acting() && oracle.acting()->warp == w) continue;  // its path has a resolution
    if (oracle.top(w).mask != 0) running.push_back(w);
    if (oracle.top(w).mask != 0 && knows(oracle.top(w))) told.push_back(w);
  }
  SpeStackOracle::Inputs in;
  if (!ended.empty() && random.chance(30)) {
    const LaneMask mask = random.chance(50) ? lane_mask(Set::kLanes) : random.some_lanes(Set::kLanes);
    in.launch = {random.pick(ended), pc(), mask};
  }
  if (!running.empty() && random.chance(60)) {
    const WarpId warp = random.pick(!told.empty() && random.chance(40) ? told : running);
    const SpeEntry top = oracle.top(warp);
    SpeStackOracle::Resolve r{warp, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
    if (random.chance(60)) r.taken = random.next() & lane_mask(Set::kLanes);  // divergent more often than not
    if (random.chance(20)) r.rpc = top.place.pc().value_or(kReturnRpc);
    if (random.chance(10)) r.rpc = kNoRpc;
    if (random.chance(10)) {  // two sides around the one PC with this bit alone
      r.rpc = Pc{1} << random.between(2, 31);
      r.target = r.rpc - 4 * random.below(3);
      r.next = r.rpc - 4 * random.below(3);
    }
    if (random.chance(10)) r.target = r.next = top.place.pc().value_or(base);  // all threads arrive
    if (random.chance(25)) r.rpc = kReturnRpc;
    // Those that meet where they return to are one level above it, and return; the others call.
    const bool due = top.place.returning() && oracle.levels().above(top.place.level()) == top.level;
    if (random.chance(due ? 60 : 35)) {
      r.returns = random.chance(due ? 90 : 40);
      r.call = !r.returns;
      if (random.chance(60)) r.taken = lane_mask(Set::kLanes);
      const auto own = own_rpc_of_the_caller(oracle.entries(warp));
      if (r.returns && own && random.chance(70)) r.target = *own;
    }
    if (knows(top) && random.chance(60)) {
      // To the address that others brought, all or some of them, or just before it.
      const Pc address = *top.place.address();
      r.target = address - (random.chance(30) ? 4 : 0);
      r.call = false;
      r.returns = top.level != top.place.level();
      r.taken = random.chance(60) ? lane_mask(Set::kLanes) : random.next() & lane_mask(Set::kLanes);
      if (random.chance(70)) r.rpc = random.chance(50) ? kReturnRpc : kNoRpc;
    }
    if (random.chance(15)) r.exit = top.mask & random.next();
    if (random.chance(10)) r.exit = top.mask;
    in.resolve = r;
  }
  if (!running.empty() && random.chance(50)) {
    const WarpId warp = random.pick(!told.empty() && random.chance(40) ? told : running);
    if (!in.resolve || in.resolve->warp != warp) in.advance = {warp};
  }
  in.kill = random_kill(random, oracle, in, Set::kNumWarps);
  return in;
}

TYPED_TEST(SpeStackRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 3000 : 15000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    SpeStackBench<TypeParam> bench(seed);
    std::optional<WarpId> popped;
    Kills kills;
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base);
      const auto acts = bench.oracle().acting();
      SpeEntry before;
      unsigned depth_before = 0;
      if (acts) {
        before = bench.oracle().top(acts->warp);
        depth_before = bench.oracle().depth(acts->warp);
      }
      kills.before(bench.oracle(), in);
      const auto events = bench.step(in);
      kills.count(met, bench.oracle(), in, events, TypeParam::kNumWarps);
      met.hit("push_two_sides", events.push && bench.oracle().depth(*events.push) == depth_before + 2);
      met.hit("push_one_more", events.push && bench.oracle().depth(*events.push) == depth_before + 1);
      met.hit("replacement", events.push && bench.oracle().depth(*events.push) == depth_before);
      if (TypeParam::kDepth <= 5) met.hit("overflow", events.overflow.has_value());
      met.hit("done", events.done.has_value());
      met.hit("pop", events.pop && !events.done);
      met.hit("no_rpc", events.push && bench.oracle().top(*events.push).place.nowhere());
      met.hit("sibling", events.push && bench.oracle().top(*events.push).sibling);
      met.hit("sibling_inherited", events.push && before.sibling && bench.oracle().depth(*events.push) == depth_before);
      met.hit("partial_exit", acts && acts->exit != 0 && acts->exit != before.mask);
      met.hit("goes_on", events.resolved && events.resolved->next && acts->target != acts->next);
      met.hit("goes_on_as_target_is_next", events.resolved && events.resolved->next && acts->target == acts->next);
      met.hit("does_not_go_on", events.resolved && !events.resolved->next && !events.push);
      met.hit("advance_to_rpc", in.advance && bench.oracle().top(in.advance->warp).mask == 0);
      if (TypeParam::kNumWarps > 1) {
        met.hit("push_and_pop_of_two_warps", events.push && events.pop);
        met.hit("one_acts_and_another_is_taken_in", acts && in.resolve);
        met.hit("pops_in_two_cycles_on_end", events.pop && popped && events.pop != popped);
      }
      popped = events.pop;
      for (const char* situation :
           {"call", "return", "return_wraps", "divergent_call", "divergent_return", "inherits",
            "return_divergence_at_level_0", "return_divergence", "return_tail", "address_learnt",
            "return_to_a_known_address", "return_elsewhere", "side_brings_the_address",
            "side_returns_to_a_known_address", "address_goes_on_to_the_sibling", "pop_to_the_return_address",
            "pop_without_address", "rpc_passed_at_another_level", "advance_to_the_return_address"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      if (TypeParam::kDepth > 3)
        met.hit("return_address_is_the_own_rpc", events.met.count("return_address_is_the_own_rpc") != 0);
      if (TypeParam::kLevelW < 8) met.hit("call_wraps", events.met.count("call_wraps") != 0);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// One side of a branch is at the reconvergence PC already, the other jumps or advances there.
TYPED_TEST(SpeStackRandom, EveryBitOfAReconvergencePcAloneMakesOne) {
  SpeStackBench<TypeParam> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {  // bit 0 tells a PC from RETURN
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, 0b1000, rpc, 0x456, rpc);
    EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}, {0x456, 0b0111, rpc, false}}));
    stack.jump(0, rpc);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    stack.branch(0, 0b0110, rpc - 4, rpc, rpc);
    EXPECT_EQ(stack.entries(), (Entries{{rpc, 0b1111, kNoRpc, false}, {rpc - 4, 0b0110, rpc, false}}));
    stack.advance(0);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    stack.exit(0);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// Of each warp, with a kill of each beside it: the first push there is, so that max_depth_o shows it.
TYPED_TEST(SpeStackRandom, APushIsTheDeepestYetUnlessItsOwnWarpIsKilled) {
  SpeStackBench<TypeParam> stack;
  for (WarpId pushes = 0; pushes < TypeParam::kNumWarps; ++pushes) {
    for (WarpId killed = 0; killed < TypeParam::kNumWarps; ++killed) {
      stack.reset();
      for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) stack.launch(w, 0x124, 0b1111);
      stack.step({{}, {}, SpeStackOracle::Resolve{pushes, 0b1000, 0x200, 0x456, 0x800, 0}});
      stack.kill(killed);
      EXPECT_EQ(stack.oracle().max_depth() > 1, killed != pushes);
      stack.idle();  // the pins say so, too
    }
  }
}

TYPED_TEST(SpeStackRandom, SidesThatDifferInOneBitOfTheirPcsAreTwo) {
  SpeStackBench<TypeParam> stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, 0b1000, 0x456 ^ (Pc{1} << bit), 0x456, kNoRpc);
    ASSERT_EQ(stack.entries().size(), 2u) << bit;
    stack.exit(0);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    stack.exit(0);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// ---- worked examples (4 lanes in the text's order: lane 3 is its first digit)

using Small = models::spe_stack_small;  // taken first
constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160;

TEST(SpeStackExample, SectionThreePointTwoOfTheDwfPaperIssuesCDEFG) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kF, 0b0001, kG, false}, {kB, 0b1110, kG, true}}));

  // B diverges: the stack of Figure 5. E waits for both sides of B, F for B's whole side, G for all.
  stack.branch(0, 0b1000, kC, kD, kE);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false},
                                      {kF, 0b0001, kG, false},
                                      {kE, 0b1110, kG, true},
                                      {kD, 0b0110, kE, false},
                                      {kC, 0b1000, kE, true}}));

  // Each block runs, arrives at its reconvergence point, and pops in the cycle after.
  std::vector<Pc> order;
  for (const Pc to : {kE, kE, kG, kG}) {
    order.push_back(stack.oracle().top(0).pc);
    EXPECT_FALSE(stack.jump(0, to).pop);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
  }
  order.push_back(stack.oracle().top(0).pc);
  EXPECT_EQ(order, (std::vector<Pc>{kC, kD, kE, kF, kG}));
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}}));
}

TEST(SpeStackExample, ABlockPopsWhenItsLastInstructionAdvancesToTheReconvergencePoint) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kG - 8, kC, kG);
  stack.advance(0);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kG - 4, 0b1000, kG, true}));
  stack.advance(0);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kG, 0, kG, true}));
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0111, kG, false}));
}

TEST(SpeStackExample, ASideThatIsAlreadyAtTheReconvergencePointIsNotPushed) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kG, kC, kG);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kC, 0b0111, kG, false}}));
}

TEST(SpeStackExample, ALoopWhoseExitIsItsReconvergencePointDoesNotGrowTheStack) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b11111111);
  for (unsigned turn = 0; turn < 7; ++turn) {
    const LaneMask stay = lane_mask(8) & ~lane_mask(turn + 1);
    EXPECT_TRUE(stack.branch(0, stay, kA, kG, kG).push);
    EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}, {kA, stay, kG, false}}));
  }
  stack.jump(0, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b11111111, kNoRpc, false}}));
}

TEST(SpeStackExample, ATailBranchKeepsTheSiblingBitForItsLowerSide) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  stack.branch(0, 0b1000, kC, kD, kG);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{kG, 0b1111, kNoRpc, false}, {kF, 0b0001, kG, false}, {kD, 0b0110, kG, true}, {kC, 0b1000, kG, true}}));
}

TEST(SpeStackExample, ABranchWithoutReconvergencePointInheritsTheRpcOfItsEntry) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1110, kB, kF, kG);
  stack.branch(0, 0b1000, kC, kD, kNoRpc);
  EXPECT_EQ(stack.entries().back().place, Place(kG));
  EXPECT_EQ(stack.entries().size(), 4u);
  // In the outermost entry there is nothing to inherit: the sides never meet, and replace it.
  stack.launch(1, kA, 0b1111);
  stack.branch(1, 0b1000, kB, kC, kNoRpc);
  EXPECT_EQ(stack.entries(1), (Entries{{kC, 0b0111, kNoRpc, false}, {kB, 0b1000, kNoRpc, true}}));
  // PC 0 is a place like any other, not one at which such a side has arrived.
  stack.launch(2, kA, 0b1111);
  stack.branch(2, 0b1000, 0, kC, kNoRpc);
  stack.pop();
  EXPECT_EQ(stack.entries(2), (Entries{{kC, 0b0111, kNoRpc, false}, {0, 0b1000, kNoRpc, true}}));
}

TEST(SpeStackExample, ThreadsThatExitAreGoneFromTheEntriesBelow) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kG);
  stack.exit(0);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b1111, kNoRpc, false}, {kC, 0b0111, kG, false}}));
  stack.jump(0, kG);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b0111, kNoRpc, false}}));
  stack.exit(0);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(SpeStackExample, ABranchWhoseThreadsPartlyExitGoesOnWithTheRest) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1100, kB, kC, kG, 0b1010);
  EXPECT_EQ(stack.entries(), (Entries{{kG, 0b0101, kNoRpc, false}, {kC, 0b0001, kG, false}, {kB, 0b0100, kG, true}}));
}

TEST(SpeStackExample, OverflowIsFlaggedAndNothingIsLost) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, lane_mask(8));
  stack.branch(0, 0x7f, kB, kC, kG);
  stack.branch(0, 0x3f, kD, kE, kF);
  const Entries full = stack.entries();
  EXPECT_EQ(full.size(), 5u);
  const auto events = stack.branch(0, 0b1, kB, kC, kE, 0b10);
  EXPECT_EQ(events.overflow, WarpId{0});
  EXPECT_FALSE(events.push);
  stack.pop();  // shows that not even the thread that exits has left
  EXPECT_EQ(stack.entries(), full);
  EXPECT_EQ(stack.oracle().live(0), lane_mask(8));
  EXPECT_EQ(stack.oracle().max_depth(), 5u);
}

TEST(SpeStackExample, OfTwoWarpsWithEmptyTopsTheLowerPopsFirst) {
  SpeStackBench<Small> stack;
  stack.launch(2, kA, 0b1);
  stack.launch(1, kA, 0b1111);
  stack.branch(1, 0b1000, kG - 4, kG, kG);
  // At one edge warp 1 arrives at G and warp 2 exits. Warp 1 is chosen, and while it is popped the next one is.
  stack.step({{}, {}, SpeStackOracle::Resolve{2, 0, kB, kB, kNoRpc, 0b1}});
  stack.step({{}, SpeStackOracle::Advance{1}, {}});
  EXPECT_FALSE(stack.idle().pop);
  EXPECT_EQ(stack.idle().pop, WarpId{1});
  EXPECT_EQ(stack.idle().done, WarpId{2});
  EXPECT_EQ(stack.entries(1), (Entries{{kG, 0b1111, kNoRpc, false}}));
}

// The side on top executes first: {taken, fall-through} of 1 and 3 threads, and of 2 and 2.
template <class Set>
std::vector<Pc> sides_on_top() {
  SpeStackBench<Set> stack;
  std::vector<Pc> tops;
  for (const LaneMask taken : {LaneMask{0b1000}, LaneMask{0b0111}, LaneMask{0b0011}}) {
    stack.reset();
    stack.launch(0, kA, 0b1111);
    stack.branch(0, taken, kB, kC, kG);
    tops.push_back(stack.entries().back().pc);
  }
  return tops;
}

TEST(SpeStackExample, ThePushOrderSaysWhichSideExecutesFirst) {
  EXPECT_EQ(sides_on_top<models::spe_stack_small>(), (std::vector<Pc>{kB, kB, kB}));  // taken first
  EXPECT_EQ(sides_on_top<models::spe_stack_deep>(), (std::vector<Pc>{kC, kC, kC}));   // fall-through first
  EXPECT_EQ(sides_on_top<models::spe_stack_wide>(), (std::vector<Pc>{kB, kC, kB}));   // smaller first
  EXPECT_EQ(sides_on_top<models::spe_stack_odd>(), (std::vector<Pc>{kC, kB, kB}));    // larger first
}

// ---- when

TEST(SpeStackTiming, AResolutionIsTakenInAtOneEdgeAndActsAtTheNext) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.launch(1, kA, 0b1111);
  EXPECT_FALSE(stack.step({{}, {}, SpeStackOracle::Resolve{0, 0b1000, kB, kC, kG, 0}}).push);
  EXPECT_EQ(stack.entries().size(), 1u);
  // As it acts, that of another warp is taken in.
  EXPECT_EQ(stack.step({{}, {}, SpeStackOracle::Resolve{1, 0b1111, kB, kC, kG, 0}}).push, WarpId{0});
  EXPECT_EQ(stack.oracle().top(1).pc, kA);
  EXPECT_EQ(stack.idle().resolved->warp, WarpId{1});
  EXPECT_EQ(stack.oracle().top(1).pc, kB);
  EXPECT_FALSE(stack.idle().resolved);
}

TEST(SpeStackTiming, APathWithoutThreadsIsChosenInOneCycleAndPoppedInTheNext) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.exit(0);
  EXPECT_FALSE(stack.idle().pop);
  const auto events = stack.idle();
  EXPECT_EQ(events.pop, WarpId{0});
  EXPECT_EQ(events.done, WarpId{0});
  EXPECT_FALSE(stack.idle().pop);
}

// Whether what was fetched behind the instruction at A holds.
TEST(SpeStackTiming, APathGoesOnIfItStaysWholeAndBehindItsInstruction) {
  SpeStackBench<Small> stack;
  const auto goes_on = [&](LaneMask taken, Pc target, Pc next, LaneMask exit = 0) {
    stack.reset();
    stack.launch(0, kA, 0b1111);
    stack.branch(0, 0b0011, kA, kD, kG);
    stack.jump(0, kA);
    return stack.branch(0, taken, target, next, kF, exit).resolved->next;
  };
  EXPECT_TRUE(goes_on(0, kB, kA + 4));
  EXPECT_TRUE(goes_on(0b0011, kA + 4, kA + 4));
  EXPECT_TRUE(goes_on(0b0001, kA + 4, kA + 4));
  EXPECT_TRUE(goes_on(0b0001, kB, kA + 4, 0b0001));
  EXPECT_FALSE(goes_on(0b0011, kB, kA + 4));
  EXPECT_FALSE(goes_on(0b0001, kB, kA + 4));
  EXPECT_FALSE(goes_on(0, kB, kG)) << "has arrived";
  EXPECT_FALSE(goes_on(0, kB, kA + 4, 0b1111)) << "is empty";
}

// ---- functions (f is called from A at level 0; kR is where a call in it returns to)

constexpr Pc kMain = 0x100, kBack = 0x104, kFunction = 0x200, kR = 0x240;

// A path at level 1 that has called the function.
template <class Stack>
void enter(Stack& stack, LaneMask mask = 0b1111) {
  stack.launch(0, kMain, mask);
  stack.call(0, kFunction);
}

TEST(SpeStackFunction, PathsOfAFunctionWithTwoReturnsMeetBehindTheCall) {
  SpeStackBench<Small> stack;
  enter(stack);
  EXPECT_EQ(stack.entries(), (Entries{{kFunction, 0b1111, kNoRpc, false, 1}}));

  // Both sides go to a return of their own: they meet one level lower, at an address nobody knows yet.
  stack.branch(0, 0b1100, kB, kC, kReturnRpc);
  const Place unknown = Place::where_they_return(0), known = Place::where_they_return(0, kBack);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{0, 0b1111, kNoRpc, false, 0, true}, {kC, 0b0011, unknown, false, 1}, {kB, 0b1100, unknown, true, 1}}));

  // The first side returns: it brings the address, and the pop hands it to the sibling.
  stack.returns(0, kBack);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kBack, 0, known, true, 0}));
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0011, known, false, 1}));

  // The second returns there, too: all four go on behind the call.
  stack.returns(0, kBack);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TEST(SpeStackFunction, AConditionalReturnBringsTheAddressWithTheBranch) {
  SpeStackBench<Small> stack;
  enter(stack);
  // A resolution that is a return and of which only some threads go: they have arrived, the others stay behind.
  stack.returns(0, kBack, 0b1100, kFunction + 4);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries(), (Entries{{0, 0b1111, kNoRpc, false, 0, true}, {kFunction + 4, 0b0011, known, false, 1}}));
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TEST(SpeStackFunction, ARecursionPassesItsReconvergencePcAtADeeperLevel) {
  SpeStackBench<Small> stack;
  constexpr Pc kCall = 0x220,
               kSum = kR + 4;  // if (n != 0) sum += f(n - 1): the call returns to R, and falls to the sum
  enter(stack);

  // Lane 0 is done at the first call, the others call once more.
  stack.branch(0, 0b0001, kSum, kCall, kSum);
  EXPECT_EQ(stack.entries(),
            (Entries{{kSum, 0b1111, kNoRpc, false, 1}, {kCall, 0b1110, Place::at(kSum, 1), false, 1}}));
  stack.call(0, kFunction);

  // The same branch one level up is no tail: it meets at the same PC, but at level 2.
  stack.branch(0, 0b0010, kSum, kCall, kSum);
  EXPECT_EQ(stack.entries(), (Entries{{kSum, 0b1111, kNoRpc, false, 1},
                                      {kSum, 0b1110, Place::at(kSum, 1), false, 2},
                                      {kCall, 0b1100, Place::at(kSum, 2), false, 2}}));
  stack.call(0, kFunction);

  // At level 3 the last two go to the sum together: a PC at which nobody waits for them.
  stack.jump(0, kSum);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kSum, 0b1100, Place::at(kSum, 2), false, 3}));

  // They return to R at level 2 and arrive with the next instruction; lane 1 joins them.
  stack.returns(0, kR);
  stack.advance(0);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kSum, 0b1110, Place::at(kSum, 1), false, 2}));

  // The same from level 2 to level 1: all four are together.
  stack.returns(0, kR);
  stack.advance(0);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kSum, 0b1111, kNoRpc, false, 1}}));
}

TEST(SpeStackFunction, FibonacciReturnsEarlyOrCallsItselfTwice) {
  SpeStackBench<Small> stack;
  enter(stack, 0b11);
  // Lane 0 returns at once, lane 1 goes on to two calls.
  stack.branch(0, 0b10, kB, kC, kReturnRpc);
  for (const Pc back : {kR, kR + 8}) {
    // Each call returns at once, to a level at which its entry does not meet: nothing is learnt.
    stack.call(0, kFunction);
    stack.jump(0, kC);
    stack.returns(0, back);
    EXPECT_EQ(stack.entries().back(), (SpeEntry{back, 0b10, Place::where_they_return(0), true, 1}));
  }
  stack.returns(0, kBack);
  stack.pop();
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b11, kNoRpc, false, 0}}));
}

TEST(SpeStackFunction, ACallWithinACallMeetsAtItsOwnReturnFirst) {
  SpeStackBench<Small> stack;
  enter(stack);
  const Place outer = Place::where_they_return(0), inner = Place::where_they_return(1);
  // f diverges for good, and one of its sides calls g, which does so too.
  stack.branch(0, 0b1110, kB, kC, kReturnRpc);
  stack.call(0, kD);
  stack.branch(0, 0b1000, kE, kF, kReturnRpc);
  EXPECT_EQ(stack.entries(), (Entries{{0, 0b1111, kNoRpc, false, 0, true},
                                      {kC, 0b0001, outer, false, 1},
                                      {0, 0b1110, outer, true, 1, true},
                                      {kF, 0b0110, inner, false, 2},
                                      {kE, 0b1000, inner, true, 2}}));
  // Both returns of g go to R: the side of f is whole again.
  stack.returns(0, kR);
  stack.pop();
  stack.returns(0, kR);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kR, 0b1110, outer, true, 1}));
  // Both returns of f go behind its call.
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0001, Place::where_they_return(0, kBack), false, 1}));
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TEST(SpeStackFunction, ASecondDivergenceOfTheSameCallIsATailAndKeepsTheAddress) {
  SpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, 0b1000, kB, kC, kReturnRpc);
  stack.returns(0, kBack);
  stack.pop();
  stack.branch(0, 0b0100, kD, kE, kReturnRpc);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{0, 0b1111, kNoRpc, false, 0, true}, {kE, 0b0011, known, false, 1}, {kD, 0b0100, known, true, 1}}));
}

TEST(SpeStackFunction, ASideThatExitsCompletelyBringsNoAddress) {
  SpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, 0b1100, kB, kC, kReturnRpc);
  stack.exit(0);
  stack.pop();
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kC, 0b0011, Place::where_they_return(0), false, 1}));
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b0011, kNoRpc, false, 0}}));
}

TEST(SpeStackFunction, AFunctionFromWhichNobodyReturnsEndsItsWarp) {
  SpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, 0b1100, kB, kC, kReturnRpc);
  stack.exit(0);
  stack.pop();
  stack.exit(0);
  EXPECT_FALSE(stack.pop().done);
  EXPECT_EQ(stack.entries(), (Entries{{0, 0, kNoRpc, false, 0}}));
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(SpeStackFunction, AnEarlyReturnFromTheKernelMeetsNobody) {
  SpeStackBench<Small> stack;
  // At level 0 there is no caller: the sides inherit the place of their entry, here none.
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1100, kB, kC, kReturnRpc);
  EXPECT_EQ(stack.entries(), (Entries{{kC, 0b0011, kNoRpc, false, 0}, {kB, 0b1100, kNoRpc, true, 0}}));
  // Inside of an if-then-else it is that of the branch around it.
  stack.launch(1, kA, 0b1111);
  stack.branch(1, 0b1100, kB, kC, kG);
  stack.branch(1, 0b1000, kD, kE, kReturnRpc);
  EXPECT_EQ(stack.entries(1), (Entries{{kG, 0b1111, kNoRpc, false, 0},
                                       {kC, 0b0011, kG, false, 0},
                                       {kE, 0b0100, kG, true, 0},
                                       {kD, 0b1000, kG, true, 0}}));
  // The return itself leaves for the last level, and the threads exit there.
  stack.returns(1, kF);
  EXPECT_EQ(stack.entries(1).back(), (SpeEntry{kF, 0b1000, kG, true, (1u << Small::kLevelW) - 1}));
  stack.exit(1);
  stack.pop();
  EXPECT_EQ(stack.entries(1).back(), (SpeEntry{kE, 0b0100, kG, true, 0}));
}

TEST(SpeStackFunction, APathThatReturnsElsewhereGoesOnApart) {
  SpeStackBench<Small> stack;
  enter(stack);
  stack.branch(0, 0b1100, kB, kC, kReturnRpc);
  stack.returns(0, kBack);
  stack.pop();
  // Not to the address that the others brought: it has not arrived.
  stack.returns(0, kBack - 4);
  const Place known = Place::where_they_return(0, kBack);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kBack - 4, 0b0011, known, false, 0}));
  // An advance to that address is no arrival either; a jump there is.
  stack.advance(0);
  EXPECT_EQ(stack.entries().back(), (SpeEntry{kBack, 0b0011, known, false, 0}));
  stack.jump(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TEST(SpeStackFunction, AReturnAddressAtWhichTheCallerMeetsIsPoppedAtOnce) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  // One side calls a function behind whose call it meets the other.
  stack.branch(0, 0b1000, kBack, kMain, kBack);
  stack.call(0, kFunction);
  stack.branch(0, 0b0100, kB, kC, kReturnRpc);
  stack.returns(0, kBack);
  stack.pop();
  stack.returns(0, kBack);
  // The pop brings the PC, and with it the entry is empty: the next pop joins all.
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}, {kBack, 0, kBack, false, 0}}));
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TYPED_TEST(SpeStackRandom, EveryBitOfAReturnAddressSaysWhetherTheCallerMeetsThere) {
  SpeStackBench<TypeParam> stack;
  for (const Pc meet : {0xfffffffcu, 0x55555554u, 0xaaaaaaa8u}) {
    for (unsigned bit = 1; bit < 32; ++bit) {
      const Pc back = bit == 1 ? meet : meet ^ (Pc{1} << bit);
      stack.launch(0, kA, 0b1111);
      stack.branch(0, 0b1000, meet, kMain, meet);
      stack.call(0, kFunction);
      stack.returns(0, back, 0b0100, kFunction + 4);
      stack.returns(0, back);
      EXPECT_EQ(stack.pop().pop, WarpId{0});
      EXPECT_EQ(stack.entries().back().mask, back == meet ? 0u : 0b0111u) << bit;
      if (back != meet) stack.jump(0, meet);
      EXPECT_EQ(stack.pop().pop, WarpId{0});
      stack.exit(0);
      EXPECT_EQ(stack.pop().done, WarpId{0});
    }
  }
}

TEST(SpeStackFunction, AnIndirectCallMeetsBehindItself) {
  SpeStackBench<Small> stack;
  stack.launch(0, kMain, 0b1111);
  // Some threads call one function; the others stay at the call, at its level, and call another.
  stack.call(0, kB, 0b1000, kMain, kBack);
  EXPECT_EQ(
      stack.entries(),
      (Entries{{kBack, 0b1111, kNoRpc, false, 0}, {kMain, 0b0111, kBack, false, 0}, {kB, 0b1000, kBack, true, 1}}));
  stack.returns(0, kBack);
  stack.pop();
  stack.call(0, kC);
  stack.returns(0, kBack);
  stack.pop();
  EXPECT_EQ(stack.entries(), (Entries{{kBack, 0b1111, kNoRpc, false, 0}}));
}

TYPED_TEST(SpeStackRandom, EveryBitOfAReturnAddressAloneIsOne) {
  SpeStackBench<TypeParam> stack;
  for (unsigned bit = 2; bit < 32; ++bit) {
    const Pc back = Pc{1} << bit;
    enter(stack);
    stack.returns(0, back, 0b0001, kFunction + 4);
    // The address without this bit, or with another, is not the one that was brought.
    stack.returns(0, 0, 0b0010, kFunction + 8);
    EXPECT_EQ(stack.oracle().top(0).place, Place::where_they_return(0, back));
    while (stack.oracle().depth(0) > 1) {
      if (stack.oracle().top(0).mask == 0) {
        stack.pop();
      } else {
        stack.returns(0, back);
        if (stack.oracle().top(0).mask != 0) stack.exit(0);
      }
    }
    EXPECT_EQ(stack.oracle().top(0).pc, back);
    stack.exit(0);
    stack.pop();
  }
}

TYPED_TEST(SpeStackRandom, LevelsWrapAround) {
  SpeStackBench<TypeParam> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kG);
  const Pc side = stack.oracle().top(0).pc;
  for (unsigned level = 1; level < 1u << TypeParam::kLevelW; ++level) stack.call(0, kFunction);
  EXPECT_EQ(stack.oracle().top(0).level, (1u << TypeParam::kLevelW) - 1);
  stack.jump(0, kG);
  EXPECT_NE(stack.oracle().top(0).mask, 0u);
  // As many calls as there are levels: level 0 again, and what is there is taken for the place of the entry.
  stack.call(0, kG);
  EXPECT_EQ(stack.pop().pop, WarpId{0});
  EXPECT_NE(stack.oracle().top(0).pc, side);
}

// ---- kill

TEST(SpeStackKill, AKilledWarpIsGoneAndMayBeLaunchedInTheNextCycle) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kG);
  stack.kill(0);
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  stack.launch(0, kD, 0b0011);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.exit(0);
  EXPECT_EQ(stack.pop().done, WarpId{0});
}

TEST(SpeStackKill, AResolutionThatIsTakenInWithTheKillNeverActs) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.step({{}, {}, SpeStackOracle::Resolve{0, 0b1000, kB, kC, kG, 0}, WarpId{0}});
  const auto events = stack.launch(0, kD, 0b0011);
  EXPECT_FALSE(events.resolved || events.push);
  EXPECT_FALSE(stack.idle().push);
}

TEST(SpeStackKill, AResolutionThatActsShowsItsEventsAndChangesNothing) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.step({{}, {}, SpeStackOracle::Resolve{0, 0b1000, kB, kC, kG, 0}});
  EXPECT_EQ(stack.kill(0).push, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_EQ(stack.oracle().max_depth(), 1u);
}

TEST(SpeStackKill, AnotherWarpIsChosenForAPopInItsStead) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.launch(1, kA, 0b1111);
  stack.branch(0, 0b1000, kG - 4, kG, kG);
  // Both come to wait at one edge: one by an advance, one by a resolution that acts.
  stack.step({{}, {}, SpeStackOracle::Resolve{1, 0, 4, 4, kNoRpc, 0b1111}});
  stack.advance(0);
  EXPECT_EQ(stack.oracle().waiting_for_a_pop(), WarpId{0});
  stack.kill(0);
  EXPECT_EQ(stack.idle().done, WarpId{1});
}

TEST(SpeStackKill, APopThatEndsWithTheKillIsShownAndChangesNothing) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, 0b1000, kB, kC, kNoRpc);
  stack.exit(0);
  stack.idle();
  EXPECT_EQ(stack.kill(0).pop, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
  EXPECT_FALSE(stack.pop().pop);
}

TEST(SpeStackKill, OfAnIdleWarpItDoesNothing) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.kill(1);
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  stack.launch(1, kA, 0b1);
  EXPECT_EQ(stack.oracle().depth(1), 1u);
}

// ---- mistakes of the caller are asserted by the RTL

TEST(SpeStackMistake, ALaunchOfAWarpThatIsKilled) {
  SpeStackBench<Small> stack;
  EXPECT_THROW(stack.step({SpeStackOracle::Launch{0, kA, 0b1}, {}, {}, WarpId{0}}), RtlAssertion);
}

TEST(SpeStackMistake, ALaunchOfARunningWarp) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(SpeStackMistake, ALaunchWithoutThreads) {
  SpeStackBench<Small> stack;
  EXPECT_THROW(stack.launch(0, kA, 0), RtlAssertion);
}

TEST(SpeStackMistake, AdvancesOfTwoPaths) {
  struct Opened : SpeStackBench<Small> {
    void advance_two() {
      this->rtl().advance_i = 0b11;
      this->rtl().clk_i = 0;
      this->rtl().eval();
      this->rtl().clk_i = 1;
      this->rtl().eval();
    }
  } stack;
  for (WarpId w : {0, 1}) stack.launch(w, kA, 0b1);
  stack.idle();
  EXPECT_THROW(stack.advance_two(), RtlAssertion);
}

TEST(SpeStackMistake, AnAdvanceOfAWarpThatWaitsForItsPop) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b11);
  stack.branch(0, 0b01, kB, kC, kG);
  stack.jump(0, kG);
  EXPECT_THROW(stack.advance(0), RtlAssertion);
}

TEST(SpeStackMistake, AnAdvanceOfThePathThatResolves) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.step({{}, SpeStackOracle::Advance{0}, SpeStackOracle::Resolve{0, 0, kB, kB, kNoRpc, 0}}),
               RtlAssertion);
}

TEST(SpeStackMistake, AnAdvanceOfThePathWhoseResolutionActs) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  stack.step({{}, {}, SpeStackOracle::Resolve{0, 0, kB, kB, kNoRpc, 0}});
  EXPECT_THROW(stack.advance(0), RtlAssertion);
}

TEST(SpeStackMistake, AResolutionOfAWarpThatHasOneTakenIn) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  stack.step({{}, {}, SpeStackOracle::Resolve{0, 0, kB, kB, kNoRpc, 0}});
  EXPECT_THROW(stack.step({{}, {}, SpeStackOracle::Resolve{0, 0, kB, kB, kNoRpc, 0}}), RtlAssertion);
}

TEST(SpeStackMistake, ACallThatIsAReturn) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.step({{}, {}, SpeStackOracle::Resolve{0, 1, kB, 4, kNoRpc, 0, true, true}}), RtlAssertion);
}

TEST(SpeStackMistake, AnOddPc) {
  SpeStackBench<Small> launched, jumped;
  EXPECT_THROW(launched.launch(0, kA + 1, 0b1), RtlAssertion);
  jumped.launch(0, kA, 0b1);
  EXPECT_THROW(jumped.jump(0, kB + 1), RtlAssertion);
}

TEST(SpeStackMistake, AReturnAddressInAResolution) {
  SpeStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.branch(0, 0b1, kB, kC, kG | kReturnRpc), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
