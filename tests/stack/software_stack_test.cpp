// SPDX-License-Identifier: Apache-2.0
// stack/software_stack: random lockstep of RTL, twin, its logic and oracle with a memory that takes its time; the DPE
// paper's nested if with push and pop, and what happens between choice, load and fill, step by step.
#include "stack/software_stack.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "models/software_stack_default.h"
#include "models/software_stack_odd.h"
#include "models/software_stack_small.h"
#include "models/software_stack_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/stack/kills.h"
#include "tests/stack/software_stack_oracle.h"
#include "tests/stack/stack_logic.h"

namespace heddle::test {
namespace {

using Row = SoftwareRow;
using Rows = std::vector<SoftwareRow>;
using Resolve = SoftwareStackOracle::Resolve;
using Launch = SoftwareStackOracle::Launch;
using Advance = SoftwareStackOracle::Advance;
using Fill = SoftwareStackOracle::Fill;
constexpr unsigned kLeft = 0, kRight = 1;

template <class Set>
using SoftwareStackTwin =
    software_stack<Set::kNumWarps, Set::kLanes, Set::kDepth, Set::kTakenLeft, Set::kLevelW, Set::kWatch>;

constexpr Resolve push_of(WarpId warp, unsigned slot, Pc next, Pc back) {
  return {warp, slot, 0, 0, next, back, 0, false, false, kMarkPush};
}
constexpr Resolve pop_of(WarpId warp, unsigned slot) {
  return {warp, slot, 0, 0, 4, kNoRpc, 0, false, false, kMarkPop};
}

// All three opinions on one stack, and the memory behind it. step() is one cycle; a resolution is the two cycles in
// which it is taken in and acts.
template <class Set>
class SoftwareStackBench : public Bench<typename Set::Rtl, SoftwareStackTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Inputs = SoftwareStackOracle::Inputs;
  using Events = SoftwareStackOracle::Events;

  explicit SoftwareStackBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, SoftwareStackTwin<Set>>(seed) {
    reset();
  }
  // Whether memory takes what is asked of it, besides that of a step.
  bool ready = false;

  [[nodiscard]] const SoftwareStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Row& top(WarpId w = 0) const { return oracle_.top(w); }
  [[nodiscard]] const Row& in_memory(WarpId w, unsigned row) const { return memory_.at({w, row}); }
  // What of this warp was saved and has not come back, as memory has it.
  [[nodiscard]] Rows saved(WarpId w = 0) const {
    Rows rows;
    for (unsigned row = 0; row + 1 < oracle_.depth(w); ++row) rows.push_back(in_memory(w, row));
    return rows;
  }

  void reset() {
    oracle_ = SoftwareStackOracle(kWarps, Set::kDepth, Set::kTakenLeft != 0);
    memory_.clear();
    expect_state();
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  Events step(Inputs in) {
    in.load_ready = in.load_ready || ready;
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    for (unsigned path = 0; path < 2 * kWarps; ++path) {
      advance_i.set(path, in.advance && in.advance->slot * kWarps + in.advance->warp == path);
    }
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_slot_i = in.resolve->slot;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = in.resolve->target;
      resolve_next_i = in.resolve->next;
      resolve_rpc_i = in.resolve->rpc;
      resolve_exit_i = in.resolve->exit;
      resolve_call_i = in.resolve->call;
      resolve_return_i = in.resolve->returns;
      // A kind that another stack reads says nothing to this one.
      const std::uint32_t others = (in.resolve->target & 4) != 0 ? kMarkOnce : kMarkNone;
      resolve_kind_i = in.resolve->kind != kMarkNone ? in.resolve->kind : others;
    }
    load_ready_i = in.load_ready;
    fill_valid_i = in.fill.has_value();
    if (in.fill) {
      fill_warp_i = in.fill->warp;
      for (const unsigned slot : {kLeft, kRight}) {
        fill_pc_i.set(slot, in.fill->row.path[slot].pc);
        fill_mask_i.set(slot, in.fill->row.path[slot].mask);
      }
    }
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events, events.resolved && events.resolved->next, oracle_);
    const auto& save = oracle_.save();
    if (save.valid) memory_[{save.warp, save.row}] = save.paths;
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp, unsigned slot) { return step({{}, Advance{warp, slot}, {}}); }
  Events kill(WarpId warp) { return step({{}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events resolve(const Resolve& in) {
    step({{}, {}, in});
    return idle();
  }
  Events push(WarpId warp, unsigned slot, Pc next, Pc back) { return resolve(push_of(warp, slot, next, back)); }
  Events pop(WarpId warp, unsigned slot) { return resolve(pop_of(warp, slot)); }
  Events branch(WarpId warp, unsigned slot, LaneMask taken, Pc target, Pc next, LaneMask exit = 0) {
    return resolve({warp, slot, taken, target, next, kNoRpc, exit});
  }
  // All threads of a path go to one place (an unconditional jump).
  Events jump(WarpId warp, unsigned slot, Pc to) { return branch(warp, slot, ~LaneMask{0}, to, to); }
  Events exit(WarpId warp, unsigned slot) { return branch(warp, slot, 0, 4, 4, oracle_.top(warp).path.at(slot).mask); }
  // A cycle in which memory is ready for a load.
  Events take_load() {
    Inputs in;
    in.load_ready = true;
    return step(in);
  }
  // The last row of a warp that loads comes.
  Inputs row_comes(WarpId warp) const {
    Inputs in;
    in.fill = Fill{warp, in_memory(warp, oracle_.depth(warp) - 2)};
    return in;
  }
  Events fill(WarpId warp) { return step(row_comes(warp)); }
  // A warp without paths is chosen, loads, and has its row in the cycle after.
  Events refill(WarpId warp) {
    idle();
    take_load();
    return fill(warp);
  }

 private:
  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(advance_i, 1, 2 * kWarps);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, 1, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_INPUT(resolve_call_i, 1, 1);
  HEDDLE_INPUT(resolve_return_i, 1, 1);
  HEDDLE_INPUT(resolve_kind_i, kKindWidth, 1);
  HEDDLE_INPUT(load_ready_i, 1, 1);
  HEDDLE_INPUT(fill_valid_i, 1, 1);
  HEDDLE_INPUT(fill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(fill_pc_i, 32, 2);
  HEDDLE_INPUT(fill_mask_i, kLanes, 2);
  HEDDLE_OUTPUT(pc_o, 32, 2 * kWarps);
  HEDDLE_OUTPUT(mask_o, kLanes, 2 * kWarps);
  HEDDLE_OUTPUT(level_o, Set::kLevelW, 2 * kWarps);
  HEDDLE_OUTPUT(valid_o, 1, 2 * kWarps);
  HEDDLE_OUTPUT(sibling_o, 1, 2 * kWarps);
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
  HEDDLE_OUTPUT(save_valid_o, 1, 1);
  HEDDLE_OUTPUT(save_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(save_row_o, kDepthWidth, 1);
  HEDDLE_OUTPUT(save_pc_o, 32, 2);
  HEDDLE_OUTPUT(save_mask_o, kLanes, 2);
  HEDDLE_OUTPUT(load_valid_o, 1, 1);
  HEDDLE_OUTPUT(load_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(load_row_o, kDepthWidth, 1);
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const Row& paths = oracle_.top(w);
      for (const unsigned slot : {kLeft, kRight}) {
        const unsigned path = slot * kWarps + w;
        pc_o.expect(path, paths.path[slot].pc);
        if (oracle_.depth(w) == 0) pc_o.ignore(path);
        mask_o.expect(path, paths.path[slot].mask);
        level_o.expect(path, 0);
        valid_o.expect(path, paths.path[slot].mask != 0);
        sibling_o.expect(path, paths.path[1 - slot].mask != 0);
      }
      rpc_o.expect(w, 0);
      rpc_level_o.expect(w, 0);
      live_o.expect(w, oracle_.live(w));
      if (oracle_.depth(w) == 0) live_o.ignore(w);
      depth_o.expect(w, oracle_.depth(w));
    }
    const auto& save = oracle_.save();
    save_valid_o.expect(save.valid);
    save_warp_o.expect(save.warp);
    save_row_o.expect(save.row);
    for (const unsigned slot : {kLeft, kRight}) {
      save_pc_o.expect(slot, save.paths.path[slot].pc);
      save_mask_o.expect(slot, save.paths.path[slot].mask);
    }
    const auto load = oracle_.load();
    load_valid_o.expect(load.has_value());
    load_warp_o.expect(load ? load->warp : 0);
    load_row_o.expect(load ? load->row : 0);
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

  SoftwareStackOracle oracle_{kWarps, Set::kDepth, Set::kTakenLeft != 0};
  StackLogic<typename SoftwareStackTwin<Set>::Logic, kWarps, Set::kWatch != 0> logic_;
  std::map<std::pair<WarpId, unsigned>, Row> memory_;
};

// ---- random lockstep

template <class Set>
class SoftwareStackRandom : public testing::Test {};
using Sets = ParameterSets<models::software_stack_small, models::software_stack_odd, models::software_stack_wide,
                           models::software_stack_default>;
TYPED_TEST_SUITE(SoftwareStackRandom, Sets, SetNames);

// A memory that is busy or not, and slow or not, for some time; rows come in any order.
class RandomMemory {
 public:
  // The next cycle begins.
  void next(Random& random) {
    if (!random.chance(2)) return;
    ready_ = random.chance(50) ? 100 : random.between(2, 60);
    fill_ = random.chance(30) ? 100 : random.between(2, 40);
  }
  template <class Bench>
  void inputs(Random& random, const Bench& bench, SoftwareStackOracle::Inputs& in) {
    in.load_ready = random.chance(ready_);
    std::vector<WarpId> loading;
    for (WarpId w = 0; w < Bench::kWarps; ++w) {
      if (bench.oracle().loading(w)) loading.push_back(w);
    }
    if (!loading.empty() && random.chance(fill_)) in.fill = bench.row_comes(random.pick(loading)).fill;
  }

 private:
  unsigned ready_ = 100, fill_ = 100;
};

// A resolution of this path: from a few PCs behind `base`, so that a branch often goes on at one place; pushes and pops
// so that rows come and go.
template <class Set>
Resolve random_resolution(Random& random, const SoftwareStackOracle& oracle, WarpId warp, unsigned slot, Pc base,
                          bool deeper) {
  const auto pc = [&] { return base + 4 * random.below(6); };
  const SoftwarePath& self = oracle.top(warp).path[slot];
  if (random.chance(deeper ? 35 : 10))
    return push_of(warp, slot, pc(), random.chance(20) ? Pc{1} << random.between(1, 31) : std::max<Pc>(pc(), 4));
  if (oracle.depth(warp) > 1 && random.chance(deeper ? 15 : 50)) {
    Resolve pop = pop_of(warp, slot);
    pop.target = pc();
    pop.next = pc();
    return pop;
  }
  Resolve r{warp, slot, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
  if (random.chance(60)) r.taken = random.next() & lane_mask(Set::kLanes);
  if (random.chance(30)) r.rpc = random.chance(50) ? kNoRpc : kReturnRpc;  // nobody looks at it
  if (random.chance(20)) (random.chance(50) ? r.call : r.returns) = true;  // nor at these
  if (random.chance(15)) r.exit = self.mask & random.next();
  if (random.chance(5)) r.exit = self.mask;
  if (random.chance(3))
    r.exit = random.next() & lane_mask(Set::kLanes) & ~oracle.top(warp).path[1 - slot].mask;  // of rows, too
  return r;
}

template <class Set>
SoftwareStackOracle::Inputs random_inputs(Random& random, const SoftwareStackBench<Set>& bench, Pc& base, bool& deeper,
                                          RandomMemory& memory) {
  const SoftwareStackOracle& oracle = bench.oracle();
  if (random.chance(2)) base = random.base(6) & ~Pc{1};
  if (random.chance(3)) deeper = !deeper;
  std::vector<WarpId> ended;
  std::vector<std::pair<WarpId, unsigned>> paths;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.resolving() == w) continue;  // both paths stand still
    for (const unsigned slot : {kLeft, kRight}) {
      if (oracle.top(w).path[slot].mask != 0) paths.emplace_back(w, slot);
    }
  }
  SoftwareStackOracle::Inputs in;
  if (!ended.empty() && random.chance(30)) {
    const LaneMask mask = random.chance(60) ? lane_mask(Set::kLanes) : random.some_lanes(Set::kLanes);
    in.launch = {random.pick(ended), base + 4 * random.below(6), mask};
  }
  if (!paths.empty() && random.chance(70)) {
    const auto [warp, slot] = random.pick(paths);
    in.resolve = random_resolution<Set>(random, oracle, warp, slot, base, deeper);
  }
  if (!paths.empty() && random.chance(50)) {
    auto [warp, slot] = random.pick(paths);
    if (in.resolve && random.chance(50)) {  // the sibling of the resolving path
      warp = in.resolve->warp;
      slot = 1 - in.resolve->slot;
    }
    const bool resolves = in.resolve && in.resolve->warp == warp && in.resolve->slot == slot;
    if (!resolves && oracle.top(warp).path[slot].mask != 0) in.advance = {warp, slot};
  }
  memory.next(random);
  memory.inputs(random, bench, in);
  in.kill = random_kill(random, oracle, in, Set::kNumWarps);
  if (random.chance(60)) in.kill.reset();
  const bool end_waits = in.fill && oracle.popping() && !oracle.load();
  if (in.fill && random.chance(end_waits ? 20 : 4)) in.kill = in.fill->warp;
  if (oracle.popping() && random.chance(end_waits ? 20 : 2)) in.kill = oracle.popping();
  const WarpId any = random.below(Set::kNumWarps);
  if (oracle.loading(any) && random.chance(2)) in.kill = any;
  if (in.launch && in.launch->warp == in.kill) in.kill.reset();
  return in;
}

TYPED_TEST(SoftwareStackRandom, AllOutputsAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    bool deeper = true;
    RandomMemory memory;
    SoftwareStackBench<TypeParam> bench(seed);
    Kills kills;
    std::optional<WarpId> advanced;
    for (unsigned i = 0; i < (kWarps > 8 ? 6000 : 30000); ++i) {
      if (random.below(1000) == 0) {
        bench.reset();
        advanced.reset();
      }
      const SoftwareStackOracle& oracle = bench.oracle();
      const auto in = random_inputs<TypeParam>(random, bench, base, deeper, memory);
      const auto acts = oracle.acting();
      const auto load = oracle.load();
      const auto chosen = oracle.popping();
      const bool loading = in.kill && oracle.loading(*in.kill);
      unsigned asked = 0;
      for (WarpId w = 0; w < kWarps; ++w) asked += oracle.loading(w) ? 1 : 0;
      if (in.fill) {
        ASSERT_EQ(in.fill->row, oracle.rows(in.fill->warp).back());
      }
      kills.before(oracle, in);
      const auto events = bench.step(in);
      kills.count(met, oracle, in, events, kWarps);
      const bool saves = oracle.save().valid;
      met.hit("done", events.done.has_value());
      met.hit("next", events.resolved && events.resolved->next && acts->kind == kMarkNone);
      met.hit("goes_elsewhere", events.resolved && !events.resolved->next && !events.push && acts->kind == kMarkNone);
      met.hit("save_beside_an_advance", saves && advanced == acts->warp);
      met.hit("kill_with_a_save", saves && in.kill == acts->warp);
      met.hit("kill_with_a_load", load && in.load_ready && in.kill == load->warp);
      met.hit("kill_with_a_load_that_waits", load && !in.load_ready && in.kill == load->warp);
      met.hit("kill_as_it_loads", loading && !in.fill);
      if (TypeParam::kDepth <= 6) met.hit("full", oracle.max_depth() == TypeParam::kDepth);
      if (kWarps > 1) {
        met.hit("end_waits_for_a_fill", events.met.count("end_waits_for_a_fill") != 0);
        met.hit("kill_of_who_waits_for_a_fill", chosen && !load && in.fill && in.kill == chosen);
        met.hit("kill_with_the_fill_that_an_end_waits_for", chosen && !load && in.fill && in.kill == in.fill->warp);
        met.hit("fill_beside_a_load", in.fill && load && in.load_ready);
        met.hit("fill_beside_a_save", in.fill && saves);
        met.hit("two_load", asked > 1);
      }
      for (const char* situation :
           {"load_waits", "pop_disables_a_path", "pop_of_the_last_path", "push_suspends_the_other_path", "push",
            "some_exit", "path_exits", "last_path_exits", "divergence", "divergence_saves_a_row", "row_of_dead_threads",
            "row_with_dead_threads", "row_of_two_paths"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      if (TypeParam::kDepth <= 6) {
        for (const char* situation : {"overflow_by_a_push", "overflow_by_a_divergence"})
          met.hit(situation, events.met.count(situation) != 0);
      }
      advanced = in.advance ? std::optional(in.advance->warp) : std::nullopt;
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// Two places are one only if all their bits are, and a push saves all of them.
TYPED_TEST(SoftwareStackRandom, EveryBitOfAPcCounts) {
  SoftwareStackBench<TypeParam> stack;
  const LaneMask all = lane_mask(TypeParam::kLanes);
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight;
  for (unsigned bit = 1; bit < 32; ++bit) {
    const Pc pc = Pc{1} << bit;
    stack.launch(0, pc, all);
    stack.push(0, kLeft, 0x40, pc);
    EXPECT_EQ(stack.branch(0, kLeft, 1, 0x40, 0x40 ^ pc).push, WarpId{0});
    EXPECT_EQ(stack.top().path[kTaken], (SoftwarePath{0x40, 1}));
    stack.pop(0, kLeft);
    stack.pop(0, kRight);
    stack.refill(0);
    EXPECT_EQ(stack.top().path[kLeft], (SoftwarePath{pc, all}));
    stack.kill(0);
  }
}

// ---- what the program does

using Small = models::software_stack_small;
using Odd = models::software_stack_odd;  // fall-through left, two rows, the two paths counted as one
using Wide = models::software_stack_wide;

// if (a) {B} else {if (b) {D} else {E}; F}; G, each of them a few instructions; A and C push and branch, all that end
// at a join pop.
constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160;

TEST(SoftwareStackExample, ANestedIfPushesBeforeItBranchesAndPopsWhereItsPathsEnd) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_EQ(stack.top(), (Row{{{{kA, 0b1111}, {0, 0}}}}));

  // A: push, with G to go on at.
  EXPECT_FALSE(stack.push(0, kLeft, kA + 4, kG).push);
  EXPECT_EQ(stack.top(), (Row{{{{kA + 4, 0b1111}, {0, 0}}}}));
  EXPECT_EQ(stack.saved(), (Rows{{{{{kG, 0b1111}, {0, 0}}}}}));
  // Its branch takes the free slot: B and C are both schedulable, nothing is saved.
  EXPECT_EQ(stack.branch(0, kLeft, 0b1000, kB, kC).push, WarpId{0});
  EXPECT_EQ(stack.top(), (Row{{{{kB, 0b1000}, {kC, 0b0111}}}}));
  EXPECT_EQ(stack.oracle().depth(0), 2u);

  // C: push, with F to go on at, suspends B where it stands.
  stack.advance(0, kLeft);
  stack.push(0, kRight, kC + 4, kF);
  EXPECT_EQ(stack.top(), (Row{{{{kB + 4, 0}, {kC + 4, 0b0111}}}}));
  EXPECT_EQ(stack.saved(), (Rows{{{{{kG, 0b1111}, {0, 0}}}}, {{{{kB + 4, 0b1000}, {kF, 0b0111}}}}}));
  EXPECT_EQ(stack.branch(0, kRight, 0b0110, kD, kE).push, WarpId{0});
  EXPECT_EQ(stack.top(), (Row{{{{kD, 0b0110}, {kE, 0b0001}}}}));

  // D ends, then E, and the row is back: B goes on beside F.
  EXPECT_FALSE(stack.pop(0, kLeft).pop);
  EXPECT_EQ(stack.top(), (Row{{{{kD, 0}, {kE, 0b0001}}}}));
  EXPECT_FALSE(stack.pop(0, kRight).pop);
  EXPECT_EQ(stack.refill(0).pop, WarpId{0});
  EXPECT_EQ(stack.top(), (Row{{{{kB + 4, 0b1000}, {kF, 0b0111}}}}));
  EXPECT_EQ(stack.saved().size(), 1u);

  // F and B end, and all four are at G.
  stack.pop(0, kRight);
  stack.pop(0, kLeft);
  stack.refill(0);
  EXPECT_EQ(stack.top(), (Row{{{{kG, 0b1111}, {0, 0}}}}));
  EXPECT_EQ(stack.oracle().depth(0), 1u);
  EXPECT_EQ(stack.oracle().max_depth(), 3u);
  stack.exit(0, kLeft);
  stack.idle();
  EXPECT_EQ(stack.idle().done, WarpId{0});
}

// The paper's rule of a pop: the first one of a divergence disables its path, the second one pops; of either slot.
TEST(SoftwareStackExample, TheFirstPopDisablesItsPathAndTheSecondBringsTheRow) {
  for (const unsigned first : {kLeft, kRight}) {
    SoftwareStackBench<Small> stack;
    stack.launch(0, kA, 0b1111);
    stack.push(0, kLeft, kA + 4, kG);
    stack.branch(0, kLeft, 0b1000, kB, kC);
    stack.pop(0, first);
    EXPECT_EQ(stack.top().path[first].mask, 0u);
    for (unsigned i = 0; i < 5; ++i) {  // nothing is loaded as long as the other one runs
      stack.take_load();
      EXPECT_FALSE(stack.oracle().load());
    }
    stack.pop(0, 1 - first);
    EXPECT_EQ(stack.refill(0).pop, WarpId{0});
    EXPECT_EQ(stack.top(), (Row{{{{kG, 0b1111}, {0, 0}}}}));
  }
}

TEST(SoftwareStackExample, TheTakenSideIsOnTheRightIfTheStackSaysSo) {
  SoftwareStackBench<Odd> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC);
  EXPECT_EQ(stack.top(), (Row{{{{kC, 0b0111}, {kB, 0b1000}}}}));
}

TEST(SoftwareStackExample, ADivergenceBesideAnotherPathSavesARowByItself) {
  for (const unsigned self : {kLeft, kRight}) {
    SoftwareStackBench<Small> stack;
    stack.launch(0, kA, 0b1111);
    stack.branch(0, kLeft, 0b1100, kB, kC);
    const Pc at = stack.top().path[self].pc;
    const LaneMask threads = stack.top().path[self].mask;
    Row suspended = stack.top();
    suspended.path[self].mask = 0;
    EXPECT_EQ(stack.branch(0, self, 0b0101, kD, kE).push, WarpId{0});
    EXPECT_EQ(stack.top(), (Row{{{{kD, threads & 0b0101}, {kE, threads & ~LaneMask{0b0101}}}}}));
    EXPECT_EQ(stack.saved(), (Rows{suspended}));
    EXPECT_EQ(stack.saved()[0].path[self], (SoftwarePath{at, 0}));
    stack.pop(0, kLeft);
    stack.pop(0, kRight);
    stack.refill(0);
    EXPECT_EQ(stack.top(), suspended);
  }
}

TEST(SoftwareStackExample, APushKeepsItsSlotAndTheOtherOnesPc) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1100, kB, kC);
  const auto events = stack.push(0, kRight, kC + 4, kG);
  EXPECT_TRUE(events.resolved->next);
  EXPECT_FALSE(events.push);
  EXPECT_EQ(stack.top(), (Row{{{{kB, 0}, {kC + 4, 0b0011}}}}));
  // A path that is not there is saved as it is.
  stack.push(0, kRight, kC + 8, kF);
  EXPECT_EQ(stack.saved(), (Rows{{{{{kB, 0b1100}, {kG, 0b0011}}}}, {{{{kB, 0}, {kF, 0b0011}}}}}));
}

TEST(SoftwareStackExample, AnAdvanceNeverEndsAPath) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.push(0, kLeft, kF, kG);
  for (Pc pc = kF; pc <= kG; pc += 4) {
    EXPECT_EQ(stack.top().path[kLeft], (SoftwarePath{pc, 0b1111}));
    stack.advance(0, kLeft);
  }
  stack.jump(0, kLeft, kG);
  EXPECT_EQ(stack.top().path[kLeft], (SoftwarePath{kG, 0b1111}));
}

TEST(SoftwareStackExample, TheOtherPathAdvancesAsTheResolutionIsTakenInAndIsSavedBehindIt) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC);
  stack.step({{}, Advance{0, kLeft}, push_of(0, kRight, kC + 4, kG)});
  stack.idle();
  EXPECT_EQ(stack.saved(), (Rows{{{{{kB + 4, 0b1000}, {kG, 0b0111}}}}}));
}

TEST(SoftwareStackExample, APathGoesOnBehindItsBranchIfItStaysWholeAndAtNext) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_TRUE(stack.branch(0, kLeft, 0, kB, kC).resolved->next);
  EXPECT_TRUE(stack.branch(0, kLeft, 0b0011, kB, kB).resolved->next);
  EXPECT_TRUE(stack.branch(0, kLeft, 0b1111, kB, kB).resolved->next);
  EXPECT_TRUE(stack.branch(0, kLeft, 0, kB, kC, 0b0001).resolved->next);
  EXPECT_FALSE(stack.branch(0, kLeft, 0b1110, kB, kC).resolved->next);  // all that are left
  EXPECT_FALSE(stack.branch(0, kLeft, 0b0010, kB, kC).resolved->next);
  EXPECT_FALSE(stack.exit(0, kLeft).resolved->next);
}

TEST(SoftwareStackExample, SixtyFourLanesNestOneByOne) {
  SoftwareStackBench<Wide> stack;
  LaneMask left = ~LaneMask{0};
  stack.launch(0, kA, left);
  const unsigned rows = Wide::kDepth - 1;
  for (unsigned i = 0; i < rows; ++i) {
    const LaneMask one = LaneMask{1} << (63 - i);
    stack.push(0, i == 0 ? kLeft : kRight, kA, kG + 4 * i);
    stack.branch(0, i == 0 ? kLeft : kRight, one, kB, kC);
    left &= ~one;
  }
  EXPECT_EQ(stack.oracle().depth(0), Wide::kDepth);
  EXPECT_EQ(stack.top(), (Row{{{{kB, LaneMask{1} << (64 - rows)}, {kC, left}}}}));
  for (unsigned i = rows; i-- > 0;) {
    stack.pop(0, kRight);
    stack.pop(0, kLeft);
    stack.refill(0);
    EXPECT_EQ(stack.top().path[i == 0 ? kLeft : kRight].pc, kG + 4 * i);
  }
  EXPECT_EQ(stack.top(), (Row{{{{kG, ~LaneMask{0}}, {0, 0}}}}));
}

// ---- threads that end

TEST(SoftwareStackExit, ARowComesBackWithoutThreadsThatHaveExited) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.push(0, kLeft, kA + 4, kG);
  stack.branch(0, kLeft, 0b1100, kB, kC, 0b0001);
  EXPECT_EQ(stack.top(), (Row{{{{kB, 0b1100}, {kC, 0b0010}}}}));
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.oracle().live(0), 0b0010u);
  stack.pop(0, kRight);
  stack.refill(0);
  EXPECT_EQ(stack.top(), (Row{{{{kG, 0b0010}, {0, 0}}}}));
}

TEST(SoftwareStackExit, RowsOfDeadThreadsComeBackAndAreSkipped) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.push(0, kLeft, kA + 4, kG);
  stack.push(0, kLeft, kA + 8, kF);
  stack.exit(0, kLeft);
  EXPECT_EQ(stack.refill(0).pop, WarpId{0});
  EXPECT_EQ(stack.top(), (Row{{{{kF, 0}, {0, 0}}}}));
  EXPECT_EQ(stack.refill(0).pop, WarpId{0});
  EXPECT_EQ(stack.top(), (Row{{{{kG, 0}, {0, 0}}}}));
  stack.idle();
  const auto end = stack.idle();
  EXPECT_EQ(end.pop, WarpId{0});
  EXPECT_EQ(end.done, WarpId{0});
  EXPECT_EQ(stack.oracle().depth(0), 0u);
}

// ---- choice, load, fill

// A warp with one row in memory and no path.
template <class Stack>
void wait_for_a_row(Stack& stack, WarpId warp) {
  stack.launch(warp, kA, 0b1111);
  stack.push(warp, kLeft, kA + 4, kG + 0x100 * warp);
  stack.pop(warp, kLeft);
}

TEST(SoftwareStackMemory, AWarpAsksUntilMemoryIsReadyAndWaitsForItsRow) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 1);
  EXPECT_FALSE(stack.oracle().load());
  stack.idle();
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_TRUE(stack.oracle().load());
    EXPECT_EQ(stack.oracle().load()->warp, 1u);
    EXPECT_EQ(stack.oracle().load()->row, 0u);
    stack.idle();
  }
  stack.take_load();
  for (unsigned i = 0; i < 10; ++i) {
    EXPECT_FALSE(stack.oracle().load());
    stack.take_load();
  }
  EXPECT_EQ(stack.fill(1).pop, WarpId{1});
  EXPECT_EQ(stack.top(1), (Row{{{{kG + 0x100, 0b1111}, {0, 0}}}}));
}

TEST(SoftwareStackMemory, RowsOfSeveralWarpsComeInAnyOrder) {
  SoftwareStackBench<Small> stack;
  stack.ready = true;
  for (WarpId w : {2, 0, 1}) wait_for_a_row(stack, w);
  for (unsigned i = 0; i < 4; ++i) stack.idle();
  for (WarpId w : {1, 2, 0}) {
    EXPECT_TRUE(stack.oracle().loading(w));
    EXPECT_EQ(stack.fill(w).pop, w);
    EXPECT_EQ(stack.top(w), (Row{{{{kG + 0x100 * w, 0b1111}, {0, 0}}}}));
  }
}

TEST(SoftwareStackMemory, LoadsOfTwoWarpsFollowOneAnother) {
  SoftwareStackBench<Small> stack;
  for (WarpId w : {2, 1}) wait_for_a_row(stack, w);
  // The higher one has been chosen before: it stays so.
  EXPECT_EQ(stack.oracle().load()->warp, 2u);
  stack.idle();
  EXPECT_EQ(stack.oracle().load()->warp, 2u);
  stack.take_load();
  EXPECT_EQ(stack.oracle().load()->warp, 1u);
  stack.take_load();
  EXPECT_FALSE(stack.oracle().load());
}

TEST(SoftwareStackMemory, ARowMayComeInTheCycleBehindItsLoad) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 0);
  stack.idle();
  stack.take_load();
  EXPECT_EQ(stack.fill(0).pop, WarpId{0});
}

TEST(SoftwareStackMemory, AnEndWaitsAsLongAsRowsOfOthersCome) {
  SoftwareStackBench<Small> stack;
  stack.ready = true;
  for (WarpId w : {0, 1}) wait_for_a_row(stack, w);
  stack.idle();
  stack.idle();
  stack.launch(2, kA, 0b1);
  stack.exit(2, kLeft);
  stack.idle();
  for (WarpId w : {1, 0}) {
    const auto events = stack.fill(w);
    EXPECT_EQ(events.pop, w);
    EXPECT_FALSE(events.done);
    EXPECT_EQ(stack.oracle().depth(2), 1u);
  }
  EXPECT_EQ(stack.idle().done, WarpId{2});
}

TEST(SoftwareStackMemory, AWarpIsChosenAsAnotherEndsAndAsAnotherLoads) {
  SoftwareStackBench<Small> stack;
  for (WarpId w : {0, 1}) stack.launch(w, kA, 0b1);
  wait_for_a_row(stack, 2);
  stack.idle();
  stack.step({{}, {}, Resolve{0, kLeft, 0, 4, 4, kNoRpc, 1}});
  stack.step({{}, {}, Resolve{1, kLeft, 0, 4, 4, kNoRpc, 1}});
  EXPECT_FALSE(stack.take_load().done);  // 2 has asked all the time; 0 is chosen behind it
  EXPECT_EQ(stack.idle().done, WarpId{0});
  EXPECT_EQ(stack.idle().done, WarpId{1});
}

TEST(SoftwareStackMemory, ASaveKeepsItsDataAsLongAsNoOtherFollows) {
  SoftwareStackBench<Small> stack;
  stack.launch(1, kA, 0b1111);
  stack.push(1, kLeft, kA + 4, kG);
  EXPECT_TRUE(stack.oracle().save().valid);
  for (unsigned i = 0; i < 3; ++i) {
    stack.idle();
    EXPECT_FALSE(stack.oracle().save().valid);
    EXPECT_EQ(stack.oracle().save().warp, 1u);
  }
}

// ---- overflow

TEST(SoftwareStackOverflow, APushWithoutRoomChangesNothing) {
  SoftwareStackBench<Odd> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_FALSE(stack.push(0, kLeft, kA + 4, kG).overflow);
  const auto events = stack.push(0, kLeft, kA + 8, kF);
  EXPECT_EQ(events.overflow, WarpId{0});
  EXPECT_FALSE(events.resolved);
  EXPECT_FALSE(stack.oracle().save().valid);
  EXPECT_EQ(stack.top(), (Row{{{{kA + 4, 0b1111}, {0, 0}}}}));
  EXPECT_EQ(stack.oracle().depth(0), 2u);
}

TEST(SoftwareStackOverflow, ADivergenceWithoutRoomChangesNothingNotEvenWhoLives) {
  SoftwareStackBench<Odd> stack;
  stack.launch(0, kA, 0b1111);
  stack.push(0, kLeft, kA + 4, kG);
  EXPECT_EQ(stack.branch(0, kLeft, 0b1000, kB, kC).push, WarpId{0});  // needs no row
  const auto events = stack.branch(0, kLeft, 0b0100, kD, kE, 0b0001);
  EXPECT_EQ(events.overflow, WarpId{0});
  EXPECT_FALSE(events.push || events.resolved);
  EXPECT_FALSE(stack.oracle().save().valid);
  EXPECT_EQ(stack.oracle().live(0), 0b1111u);
  EXPECT_EQ(stack.top(), (Row{{{{kC, 0b0111}, {kB, 0b1000}}}}));
}

TEST(SoftwareStackOverflow, TheRowThatCameBackIsFreeAgain) {
  SoftwareStackBench<Odd> stack;
  stack.launch(0, kA, 0b1111);
  for (unsigned i = 0; i < 3; ++i) {
    EXPECT_FALSE(stack.push(0, kLeft, kA + 4, kA).overflow);
    stack.pop(0, kLeft);
    stack.refill(0);
  }
  EXPECT_EQ(stack.oracle().max_depth(), 2u);
}

// ---- kill

// Nothing is left of the warp, and its next launch has a row of its own.
template <class Stack>
void launch_anew(Stack& stack, WarpId warp) {
  EXPECT_EQ(stack.oracle().depth(warp), 0u);
  stack.launch(warp, kB, 0b0011);
  EXPECT_EQ(stack.top(warp), (Row{{{{kB, 0b0011}, {0, 0}}}}));
  stack.push(warp, kLeft, kB + 4, kE);
  stack.pop(warp, kLeft);
  EXPECT_EQ(stack.refill(warp).pop, warp);
  EXPECT_EQ(stack.top(warp), (Row{{{{kE, 0b0011}, {0, 0}}}}));
  stack.exit(warp, kLeft);
  stack.idle();
  EXPECT_EQ(stack.idle().done, warp);
}

TEST(SoftwareStackKill, OfAWarpThatWaitsToBeChosen) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 1);
  stack.kill(1);
  EXPECT_FALSE(stack.oracle().load());
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, OfAWarpThatIsChosenAndNotReadyIsTheEndOfItsChoice) {
  SoftwareStackBench<Small> stack;
  for (WarpId w : {1, 2}) wait_for_a_row(stack, w);
  EXPECT_EQ(stack.oracle().load()->warp, 1u);
  stack.kill(1);  // its load is still shown in this cycle
  EXPECT_EQ(stack.oracle().load()->warp, 2u);
  stack.take_load();
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, OfAWarpWhoseLoadIsTaken) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 1);
  stack.idle();
  SoftwareStackOracle::Inputs in;
  in.load_ready = true;
  in.kill = 1;
  stack.step(in);
  EXPECT_FALSE(stack.oracle().loading(1));
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, OfAWarpThatLoads) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 1);
  stack.idle();
  stack.take_load();
  stack.kill(1);
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, AFillThatComesWithItIsShownAndChangesNothing) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 1);
  stack.idle();
  stack.take_load();
  auto in = stack.row_comes(1);
  in.kill = 1;
  EXPECT_EQ(stack.step(in).pop, WarpId{1});
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, OfAWarpThatEndsOrWaitsToEndBesideAFill) {
  SoftwareStackBench<Small> stack;
  stack.launch(1, kA, 0b1);
  stack.exit(1, kLeft);
  stack.idle();
  EXPECT_EQ(stack.kill(1).done, WarpId{1});
  wait_for_a_row(stack, 0);
  stack.idle();
  stack.take_load();
  stack.launch(1, kA, 0b1);
  stack.exit(1, kLeft);
  stack.idle();
  auto in = stack.row_comes(0);
  in.kill = 1;
  const auto events = stack.step(in);
  EXPECT_EQ(events.pop, WarpId{0});
  EXPECT_FALSE(events.done);
  EXPECT_FALSE(stack.idle().done);
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, ARowThatIsSavedAsItComesIsShown) {
  SoftwareStackBench<Small> stack;
  stack.launch(1, kA, 0b1111);
  stack.step({{}, {}, push_of(1, kLeft, kA + 4, kG)});
  EXPECT_TRUE(stack.kill(1).resolved);
  EXPECT_TRUE(stack.oracle().save().valid);
  EXPECT_EQ(stack.oracle().max_depth(), 1u);
  launch_anew(stack, 1);
}

TEST(SoftwareStackKill, AResolutionThatIsTakenInWithItNeverActs) {
  SoftwareStackBench<Small> stack;
  stack.launch(1, kA, 0b1111);
  SoftwareStackOracle::Inputs in;
  in.resolve = push_of(1, kLeft, kA + 4, kG);
  in.kill = 1;
  stack.step(in);
  EXPECT_FALSE(stack.idle().resolved);
  EXPECT_FALSE(stack.oracle().save().valid);
  launch_anew(stack, 1);
}

// ---- mistakes of the caller are asserted by the RTL

TEST(SoftwareStackMistake, APopOfNothing) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  EXPECT_THROW(stack.pop(0, kLeft), RtlAssertion);
}

TEST(SoftwareStackMistake, APushOrAPopThatSaysMore) {
  for (const Resolve& good : {push_of(0, kLeft, kA, kG), pop_of(0, kLeft)}) {
    Resolve takes = good, exits = good;
    takes.taken = 1;
    exits.exit = 1;
    for (const Resolve& bad : {takes, exits}) {
      SoftwareStackBench<Small> stack;
      stack.launch(0, kA, 0b1111);
      stack.push(0, kLeft, kA + 4, kG);
      EXPECT_THROW(stack.resolve(bad), RtlAssertion);
    }
  }
}

TEST(SoftwareStackMistake, AMarkWithoutAPlace) {
  for (const Pc rpc : {kNoRpc, kG | kReturnRpc}) {
    SoftwareStackBench<Small> stack;
    stack.launch(0, kA, 0b1111);
    EXPECT_THROW(stack.push(0, kLeft, kA + 4, rpc), RtlAssertion) << rpc;
  }
}

TEST(SoftwareStackMistake, AFillThatNobodyWaitsFor) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.push(0, kLeft, kA + 4, kG);
  EXPECT_THROW(stack.fill(0), RtlAssertion);
}

TEST(SoftwareStackMistake, AFillInTheCycleOfItsLoad) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 0);
  stack.idle();
  auto in = stack.row_comes(0);
  in.load_ready = true;
  EXPECT_THROW(stack.step(in), RtlAssertion);
}

TEST(SoftwareStackMistake, AFillOfAWarpThatWasKilled) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 0);
  stack.idle();
  stack.take_load();
  const auto late = stack.row_comes(0);
  stack.kill(0);
  EXPECT_THROW(stack.step(late), RtlAssertion);
}

TEST(SoftwareStackMistake, ALaunchAtAnOddPc) {
  EXPECT_THROW(SoftwareStackBench<Small>().launch(0, kA + 1, 0b1), RtlAssertion);
}

TEST(SoftwareStackMistake, AJumpToAnOddPc) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.jump(0, kLeft, kB + 1), RtlAssertion);
}

TEST(SoftwareStackMistake, ARowWithAnOddPc) {
  SoftwareStackBench<Small> stack;
  wait_for_a_row(stack, 0);
  stack.idle();
  stack.take_load();
  auto in = stack.row_comes(0);
  in.fill->row.path[kRight].pc = kB + 1;
  EXPECT_THROW(stack.step(in), RtlAssertion);
}

TEST(SoftwareStackMistake, ALaunchOfARunningWarp) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.launch(0, kA, 0b1), RtlAssertion);
}

TEST(SoftwareStackMistake, ALaunchOfAWarpThatIsKilled) {
  SoftwareStackBench<Small> stack;
  EXPECT_THROW(stack.step({Launch{0, kA, 0b1}, {}, {}, WarpId{0}}), RtlAssertion);
}

TEST(SoftwareStackMistake, AnAdvanceOfAPathThatIsNotThere) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.advance(0, kRight), RtlAssertion);
}

TEST(SoftwareStackMistake, AResolutionOfAPathThatIsNotThere) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1);
  EXPECT_THROW(stack.jump(0, kRight, kB), RtlAssertion);
}

TEST(SoftwareStackMistake, AnAdvanceBesideAResolutionThatActs) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC);
  stack.step({{}, {}, Resolve{0, kRight, 0, kD, kD, kNoRpc, 0}});
  EXPECT_THROW(stack.advance(0, kLeft), RtlAssertion);
}

TEST(SoftwareStackMistake, AResolutionOfAWarpThatHasOneTakenIn) {
  SoftwareStackBench<Small> stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC);
  stack.step({{}, {}, Resolve{0, kLeft, 0, kB, kB, kNoRpc, 0}});
  EXPECT_THROW(stack.step({{}, {}, Resolve{0, kRight, 0, kB, kB, kNoRpc, 0}}), RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
