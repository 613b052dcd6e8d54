// SPDX-License-Identifier: Apache-2.0
// dws/warp_split_table: random lockstep of RTL, twin, logic and oracle, and of the oracle with that of spe_stack while
// nothing is marked; Figure 1's graph; partners, arrivals, splits that wait, addresses, overflows, kills and counters,
// step by step.
#include "dws/warp_split_table.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/warp_split_table_small.h"
#include "models/warp_split_table_two_slots.h"
#include "models/warp_split_table_wide.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/dws/warp_split_table_oracle.h"
#include "tests/stack/kills.h"

namespace heddle::test {
namespace {

using Oracle = WarpSplitTableOracle;
using Slots = Oracle::Slots;
using Resolve = Oracle::Resolve;
using Launch = Oracle::Launch;
using Path = Oracle::Path;
using Splits = std::vector<Split>;
using Entries = std::vector<SpeEntry>;

template <class Set>
using Twin = warp_split_table<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kDepth, Set::kPushOrder, Set::kLevelW,
                              Set::kWatch>;

// The logic of the table, which the front ends hold and its module does not: driven as they drive it, with the inputs
// of the module.
template <class Set>
class TableLogic {
 public:
  void reset() { logic_.reset(); }
  // What acts says what the oracle says.
  void step(const Oracle::Inputs& in, const Oracle::Events& events) {
    ++cycle_;
    const std::uint64_t poppable = logic_.poppable();
    const TakenIn acts = logic_.taken_in();
    if (in.launch) logic_.launch(in.launch->warp, in.launch->pc, in.launch->mask);
    if (in.advance && in.kill != in.advance->warp) {
      logic_.advance(in.advance->warp, in.advance->slot, merge(in, in.advance->warp));
    }
    if (acts.valid) {
      std::uint64_t grown = 0;
      const auto did = logic_.act(in.kill == acts.warp, merge(in, acts.warp), grown);
      expect("next", acts.warp, did.next, events.resolved && events.resolved->next);
      expect("push", acts.warp, did.push, events.push.has_value());
      expect("overflow", acts.warp, did.overflow, events.overflow.has_value());
    }
    if (in.resolve) {
      const Resolve& r = *in.resolve;
      logic_.take_in(r.warp, r.slot, {r.taken, r.exit, r.target, r.next, r.rpc, r.call, r.returns, r.kind});
    }
    const PopChoice popped = logic_.chosen();
    if (popped.valid) expect("done", popped.warp, logic_.pop(popped.warp), events.done.has_value());
    if (logic_.refill_chosen().valid) logic_.refill();
    if (in.kill) logic_.kill(*in.kill);
    logic_.choose(poppable);
  }
  void compare(const Oracle& oracle) const {
    for (WarpId w = 0; w < Set::kNumWarps; ++w) {
      expect("depth", w, logic_.depth(w), oracle.depth(w));
      for (unsigned slot = 0; slot < Set::kNumSlots; ++slot) {
        const Split split = oracle.split(w, slot);
        const StackPath shown = logic_.path(w, slot);
        expect("valid", w, has_bit(logic_.valid(slot), w), split.mask != 0);
        expect("mask", w, shown.mask, split.mask);
        if (split.mask == 0) continue;
        expect("pc", w, shown.pc, split.pc);
        expect("level", w, shown.level, split.level);
        expect("sibling", w, logic_.sibling(w, slot), oracle.sibling(w, slot));
      }
      if (oracle.depth(w) == 0) continue;
      expect("live", w, logic_.live(w), oracle.live(w));
      expect("rpc", w, logic_.top(w, 0).rpc, oracle.place(w).rpc());
      expect("waiting", w, has_bit(logic_.waiting(), w), !oracle.waiting(w).empty());
      rows(oracle, w);
    }
    const auto resolving = oracle.resolving();
    expect("taken in", resolving.value_or(0), logic_.taken_in().valid, resolving.has_value());
    const auto popping = oracle.popping();
    expect("chosen", popping.value_or(0), logic_.chosen().valid || logic_.refill_chosen().valid, popping.has_value());
    const bool watch = Set::kWatch != 0;
    const auto& counters = oracle.counters();
    expect("max_depth", 0, logic_.max_depth(), watch ? counters.max_depth : 0);
    expect("max_splits", 0, logic_.max_splits(), watch ? counters.max_splits : 0);
    expect("splits", 0, logic_.splits(), watch ? counters.splits : 0);
    expect("merges", 0, logic_.merges(), watch ? counters.merges : 0);
    expect("refused", 0, logic_.refused(), watch ? counters.refused : 0);
  }

 private:
  static std::uint64_t merge(const Oracle::Inputs& in, WarpId w) {
    std::uint64_t bits = 0;
    for (unsigned slot = 0; slot < Set::kNumSlots; ++slot) bits |= std::uint64_t{in.merge[slot][w]} << slot;
    return bits;
  }
  // What waits below, which no pin shows.
  void rows(const Oracle& oracle, WarpId w) const {
    const Entries& below = oracle.below(w);
    unsigned i = 0;
    for (const SpeEntry& entry : below) {
      const auto row = logic_.row(w, i);
      expect("waits", w, logic_.row_waits(w, i++), false);
      expect("mask below", w, row.mask & logic_.live(w), entry.mask & oracle.live(w));
      expect("rpc below", w, row.rpc, entry.place.rpc());
      expect("level below", w, row.level, entry.level);
      if (!entry.at_return) expect("pc below", w, row.pc, entry.pc);
    }
    for (const Split& split : oracle.waiting(w)) {
      const auto row = logic_.row(w, i);
      expect("waits", w, logic_.row_waits(w, i++), true);
      expect("mask waiting", w, row.mask, split.mask);
      expect("pc waiting", w, row.pc, split.pc);
      expect("level waiting", w, row.level, split.level);
    }
  }
  void expect(const char* what, WarpId warp, std::uint64_t shown, std::uint64_t expected) const {
    if (shown == expected) return;
    std::ostringstream text;
    text << "mismatch at cycle " << cycle_ << ": " << what << " of warp " << warp << std::hex << ": logic 0x" << shown
         << ", oracle 0x" << expected;
    throw Mismatch(text.str());
  }

  typename Twin<Set>::Logic logic_;
  std::uint64_t cycle_ = 0;
};

// All four opinions on one table. step() is one cycle; a branch is the two cycles in which it is taken in and acts, a
// pop or a refill those in which it is chosen and done.
template <class Set>
class TableBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes, kSlots = Set::kNumSlots;
  using Inputs = Oracle::Inputs;
  using Events = Oracle::Events;

  explicit TableBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  [[nodiscard]] const Oracle& oracle() const { return oracle_; }
  [[nodiscard]] const Slots& slots(WarpId w = 0) const { return oracle_.slots(w); }
  [[nodiscard]] const Splits& waiting(WarpId w = 0) const { return oracle_.waiting(w); }
  [[nodiscard]] const Entries& below(WarpId w = 0) const { return oracle_.below(w); }
  [[nodiscard]] const Oracle::Counters& counters() const { return oracle_.counters(); }

  void reset() {
    oracle_ = fresh_oracle();
    expect_state();
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  // Without a word about it all may be joined but the path whose resolution is taken in.
  Events step(Inputs in) {
    if (in.merge.empty()) {
      in.merge = merge_but({});
      if (in.resolve) in.merge[in.resolve->slot][in.resolve->warp] = false;
    }
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    for (unsigned slot = 0; slot < kSlots; ++slot) {
      for (WarpId w = 0; w < kWarps; ++w) {
        const unsigned path = slot * kWarps + w;
        advance_i.set(path, in.advance && in.advance->warp == w && in.advance->slot == slot);
        merge_i.set(path, in.merge[slot][w]);
      }
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
    expect_state();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events);
    logic_.compare(oracle_);
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({Launch{warp, pc, mask}, {}, {}, {}}); }
  Events advance(unsigned slot, WarpId warp = 0) { return step({{}, Path{warp, slot}, {}, {}}); }
  Events kill(WarpId warp) { return step({{}, {}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events resolve(const Resolve& in) {
    step({{}, {}, {}, in});
    return idle();
  }
  // A branch that may subdivide, and one that may not, of warp 0.
  Events split(unsigned slot, LaneMask taken, Pc target, Pc next, LaneMask exit = 0) {
    return resolve({0, slot, taken, target, next, kNoRpc, exit, false, false, kMarkDivide});
  }
  Events branch(unsigned slot, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return resolve({0, slot, taken, target, next, rpc, exit});
  }
  // All threads of a path go to one place.
  Events jump(unsigned slot, Pc to) { return branch(slot, ~LaneMask{0}, to, to, kNoRpc); }
  Events call(unsigned slot, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, std::uint32_t kind = kMarkNone) {
    return resolve({0, slot, taken, to, next, kNoRpc, 0, true, false, kind});
  }
  Events returns(unsigned slot, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, std::uint32_t kind = kMarkNone) {
    return resolve({0, slot, taken, to, next, kReturnRpc, 0, false, true, kind});
  }
  Events exit(unsigned slot) { return branch(slot, 0, 4, 4, kNoRpc, oracle_.split(0, slot).mask); }
  // What was chosen in the first cycle is done in the second.
  Events pop() {
    idle();
    return idle();
  }
  // Merges of all slots but these.
  static std::vector<std::vector<bool>> merge_but(std::vector<unsigned> none) {
    std::vector<std::vector<bool>> merge(kSlots, std::vector<bool>(kWarps, true));
    for (unsigned slot : none) merge[slot].assign(kWarps, false);
    return merge;
  }

 private:
  static constexpr unsigned kPaths = kWarps * kSlots;
  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps),
                            kSlotWidth = index_width(kSlots);
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(advance_i, 1, kPaths);
  HEDDLE_INPUT(merge_i, 1, kPaths);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_INPUT(resolve_call_i, 1, 1);
  HEDDLE_INPUT(resolve_return_i, 1, 1);
  HEDDLE_INPUT(resolve_kind_i, kKindWidth, 1);
  HEDDLE_OUTPUT(pc_o, 32, kPaths);
  HEDDLE_OUTPUT(mask_o, kLanes, kPaths);
  HEDDLE_OUTPUT(level_o, Set::kLevelW, kPaths);
  HEDDLE_OUTPUT(valid_o, 1, kPaths);
  HEDDLE_OUTPUT(sibling_o, 1, kPaths);
  HEDDLE_OUTPUT(rpc_o, 32, kWarps);
  HEDDLE_OUTPUT(rpc_level_o, Set::kLevelW, kWarps);
  HEDDLE_OUTPUT(live_o, kLanes, kWarps);
  HEDDLE_OUTPUT(depth_o, kDepthWidth, kWarps);
  HEDDLE_OUTPUT(resolved_valid_o, 1, 1);
  HEDDLE_OUTPUT(resolved_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(resolved_slot_o, kSlotWidth, 1);
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
  HEDDLE_OUTPUT(max_splits_o, count_width(kSlots), 1);
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);
  HEDDLE_OUTPUT(refused_o, 32, 1);

  static Oracle fresh_oracle() {
    return Oracle(kWarps, kSlots, Set::kDepth, static_cast<PushOrder>(Set::kPushOrder), Set::kLevelW);
  }

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const bool runs = oracle_.depth(w) != 0;
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        const unsigned path = slot * kWarps + w;
        const Split split = oracle_.split(w, slot);
        pc_o.expect(path, split.pc);
        mask_o.expect(path, split.mask);
        level_o.expect(path, split.level);
        valid_o.expect(path, split.mask != 0);
        sibling_o.expect(path, oracle_.sibling(w, slot));
        if (split.mask == 0) {
          pc_o.ignore(path);
          level_o.ignore(path);
        }
        if (!runs) sibling_o.ignore(path);
      }
      rpc_o.expect(w, oracle_.place(w).rpc());
      rpc_level_o.expect(w, oracle_.place(w).level());
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      if (runs) continue;
      for (Output* data : {&rpc_o, &rpc_level_o, &live_o}) data->ignore(w);
    }
    const bool watch = Set::kWatch != 0;
    const Oracle::Counters& counters = oracle_.counters();
    max_depth_o.expect(watch ? counters.max_depth : 0);
    max_splits_o.expect(watch ? counters.max_splits : 0);
    splits_o.expect(watch ? counters.splits : 0);
    merges_o.expect(watch ? counters.merges : 0);
    refused_o.expect(watch ? counters.refused : 0);
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

  Oracle oracle_ = fresh_oracle();
  TableLogic<Set> logic_;
};

// ---- random lockstep

template <class Set>
class TableRandom : public testing::Test {};
using Sets =
    ParameterSets<models::warp_split_table_small, models::warp_split_table_two_slots, models::warp_split_table_wide>;
TYPED_TEST_SUITE(TableRandom, Sets, SetNames);

// A branch of this path: between a few PCs, where other splits stand, and where the entry's paths meet; calls and
// returns mostly so that the path comes back to the level at which it meets others. A crowd: the sides are many, and
// seldom meet.
struct Stretch {
  unsigned marks;
  bool crowd;
};
template <class Set>
Resolve random_resolution(Random& random, const Oracle& oracle, const Path& path, Pc base, const Stretch& stretch) {
  const auto pc = [&] { return base + 4 * random.below(stretch.crowd ? 60 : 6); };
  const WarpId w = path.warp;
  const Split split = oracle.split(w, path.slot);
  const Place place = oracle.place(w);
  Resolve r{w, path.slot, random.lanes(Set::kLanes), pc(), pc(), pc(), 0};
  if (random.chance(stretch.marks)) r.kind = kMarkDivide;
  if (random.chance(stretch.crowd ? 95 : 60)) r.taken = random.next() & lane_mask(Set::kLanes);
  const LaneMask one = split.mask & (~split.mask + 1);  // of two threads one takes the branch
  if (random.chance(25)) r.taken = random.chance(50) ? one : ~one & lane_mask(Set::kLanes);
  if (random.chance(35)) r.rpc = random.chance(40) ? kNoRpc : kReturnRpc;
  const unsigned above = oracle.levels().above(place.level());
  if (place.returning() && split.level == above && random.chance(60)) {
    r.returns = true;
    if (place.address() && random.chance(80)) r.target = *place.address();
  } else if (random.chance(20)) {
    r.call = random.chance(split.level == place.level() ? 60 : 40);
    r.returns = !r.call;
    if (random.chance(50)) r.taken = lane_mask(Set::kLanes);
  }
  // Another split of the warp is joined on the one side, the other, or both.
  for (const auto& [slot, other] : oracle.slots(w)) {
    if (slot == path.slot || !random.chance(stretch.crowd ? 2 : 15)) continue;
    (random.chance(50) ? r.target : r.next) = other.pc;
  }
  if (place.pc() && random.chance(stretch.crowd ? 5 : 25)) (random.chance(50) ? r.target : r.next) = *place.pc();
  if (place.pc() && oracle.slots(w).size() > 1 &&
      random.chance(stretch.crowd ? 3 : 15)) {  // one side to the one place, one to the other
    for (const auto& [slot, other] : oracle.slots(w)) {
      if (slot != path.slot) r.next = other.pc;
    }
    r.target = *place.pc();
    if (random.chance(50)) std::swap(r.target, r.next);
    r.call = r.returns = false;
  }
  if (oracle.slots(w).size() > 2 && random.chance(6)) {  // each side to another split
    for (const auto& [slot, other] : oracle.slots(w)) {
      if (slot == path.slot) continue;
      r.target = r.next;
      r.next = other.pc;
    }
    r.call = r.returns = false;
  }
  if (random.chance(5)) r.target = r.next;
  if (random.chance(stretch.crowd ? 2 : 10)) r.exit = split.mask & random.next();
  if (random.chance(4)) r.exit = split.mask;
  return r;
}

template <class Set>
Oracle::Inputs random_inputs(Random& random, const Oracle& oracle, Pc& base, const Stretch& stretch) {
  Oracle::Inputs in;
  std::vector<WarpId> ended;
  std::vector<Path> paths, alone;
  for (WarpId w = 0; w < Set::kNumWarps; ++w) {
    if (oracle.depth(w) == 0) ended.push_back(w);
    if (oracle.resolving() == w) continue;
    for (const auto& [slot, split] : oracle.slots(w)) {
      paths.push_back({w, slot});
      // One that meets another with its next instruction, or all of them.
      bool meets = oracle.place(w).pc() == split.pc + 4;
      for (const auto& [other, there] : oracle.slots(w))
        meets = meets || (there.pc == split.pc + 4 && there.level == split.level);
      if (meets) alone.push_back({w, slot});
    }
  }
  if (ended.size() == Set::kNumWarps) base = random.base(6) & ~Pc{1};
  if (base < 16) base = 16;
  if (!ended.empty() && random.chance(20)) {
    in.launch = Launch{random.pick(ended), base + 4 * random.below(6),
                       random.chance(60) ? lane_mask(Set::kLanes) : random.some_lanes(Set::kLanes)};
  }
  for (unsigned slot = 0; slot < Set::kNumSlots; ++slot) {
    in.merge.emplace_back();
    for (WarpId w = 0; w < Set::kNumWarps; ++w) in.merge.back().push_back(random.chance(80));
  }
  if (!paths.empty() && random.chance(60)) {
    const Path path = random.pick(paths);
    in.resolve = random_resolution<Set>(random, oracle, path, base, stretch);
    in.merge[path.slot][path.warp] = false;  // nobody joins a path that has an unresolved branch
  }
  if (!paths.empty() && random.chance(50)) {
    const Path path = random.pick(!alone.empty() && random.chance(60) ? alone : paths);
    if (!in.resolve || in.resolve->warp != path.warp || in.resolve->slot != path.slot) in.advance = path;
  }
  if (!stretch.crowd || random.chance(oracle.popping() ? 50 : 15))
    in.kill = random_kill(random, oracle, in, Set::kNumWarps);
  return in;
}

TYPED_TEST(TableRandom, RtlTwinLogicAndOracleAgreeInEveryCycle) {
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    TableBench<TypeParam> bench(seed);
    Kills kills;
    for (unsigned i = 0; i < 18000; ++i) {
      if (random.below(1500) == 0) bench.reset();
      // Stretches of stack only, of both, and of subdivision.
      const Stretch stretch{i / 400 % 3 * 45, i / 400 % 6 > 2};
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base, stretch);
      const auto acts = bench.oracle().acting();
      const auto merges = bench.counters().merges;
      bool other_slot = false;
      if (in.advance && in.resolve) other_slot = in.advance->warp == in.resolve->warp;
      kills.before(bench.oracle(), in);
      const auto events = bench.step(in);
      kills.count(met, bench.oracle(), in, events, TypeParam::kNumWarps);
      met.hit("done", events.done.has_value());
      met.hit("advance_beside_a_resolution_taken_in", other_slot);
      met.hit("advance_beside_a_refill", events.refill && in.advance && in.advance->warp == *events.refill);
      met.hit("resolution_taken_in_beside_a_refill", events.refill && in.resolve && in.resolve->warp == *events.refill);
      met.hit("kill_with_a_refill", events.refill && in.kill == events.refill);
      met.hit("all_slots", bench.counters().max_splits == TypeParam::kNumSlots);
      met.hit("full", bench.counters().max_depth == TypeParam::kDepth);
      met.hit("goes_on", events.resolved && events.resolved->next);
      if (TypeParam::kPushOrder != 0) {
        met.hit("split_goes_on", events.resolved && events.resolved->next && events.met.count("split") != 0);
        met.hit("refused_goes_on", events.resolved && events.resolved->next && events.met.count("refused") != 0);
      }
      met.hit("call_to_the_next_instruction",
              events.resolved && events.resolved->next && acts->call && acts->target == acts->next);
      met.hit("two_merges_in_a_cycle", bench.counters().merges == merges + 2);
      if (TypeParam::kNumWarps > 1) {
        met.hit("acts_beside_a_refill", acts && events.refill);
        met.hit("acts_beside_a_pop", acts && events.pop);
        met.hit("acts_beside_one_taken_in", acts && in.resolve);
      }
      for (const char* situation : {"return_to_a_known_address",
                                    "address_learnt",
                                    "rpc_passed_at_another_level",
                                    "split_advances_to_rpc",
                                    "advances_to_rpc",
                                    "joins_by_an_advance",
                                    "all_exit",
                                    "goes_joins",
                                    "goes_arrives",
                                    "divergence_joins",
                                    "divergence_arrives",
                                    "split",
                                    "split_without_mark",
                                    "split_that_meets_where_it_returns",
                                    "refused",
                                    "refused_again",
                                    "split_by_a_call",
                                    "split_by_a_return",
                                    "overflow_of_a_split",
                                    "overflow_of_a_push",
                                    "push_one_side",
                                    "push_two_sides",
                                    "push_two_sides_tail",
                                    "push_from_another_slot_than_0",
                                    "refill",
                                    "pop",
                                    "pop_of_nobody",
                                    "pop_to_the_return_address",
                                    "address_goes_on_to_the_sibling"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      const bool both_gone = events.met.count("divergence_joinsjoins") != 0,
                 one_each =
                     events.met.count("divergence_joinsarrives") + events.met.count("divergence_arrivesjoins") != 0;
      if (TypeParam::kNumSlots > 2) met.hit("both_sides_join", both_gone);
      if (TypeParam::kNumSlots == 2) met.hit("refill_of_no_path", events.met.count("refill_of_no_path") != 0);
      met.hit("one_side_joins_and_one_arrives", one_each);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

TYPED_TEST(TableRandom, WithoutMarksItIsTheTextbooksStack) {
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    TableBench<TypeParam> bench(seed);
    SpeStackOracle stack(TypeParam::kNumWarps, TypeParam::kDepth, static_cast<PushOrder>(TypeParam::kPushOrder),
                         TypeParam::kLevelW);
    for (unsigned i = 0; i < 6000; ++i) {
      const auto in = random_inputs<TypeParam>(random, bench.oracle(), base, {0, i / 400 % 2 == 1});
      SpeStackOracle::Inputs same{in.launch, {}, {}, in.kill};
      if (in.advance) same.advance = {in.advance->warp};
      if (in.resolve) {
        const Resolve& r = *in.resolve;
        same.resolve = {r.warp, r.taken, r.target, r.next, r.rpc, r.exit, r.call, r.returns};
      }
      const auto events = bench.step(in);
      const auto expected = stack.step(same);
      ASSERT_EQ(events.resolved.has_value(), expected.resolved.has_value());
      const auto next = [](const auto& e) { return e.resolved && e.resolved->next; };
      ASSERT_EQ(next(events), next(expected)) << i;
      ASSERT_EQ(events.push, expected.push);
      ASSERT_EQ(events.pop, expected.pop);
      ASSERT_EQ(events.done, expected.done);
      ASSERT_EQ(events.overflow, expected.overflow);
      ASSERT_FALSE(events.refill);
      for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) {
        const SpeEntry top = stack.top(w);
        ASSERT_EQ(bench.oracle().depth(w), stack.depth(w));
        ASSERT_EQ(bench.slots(w), top.mask == 0 ? Slots() : (Slots{{0, {top.pc, top.mask, top.level}}}));
        if (stack.depth(w) == 0) continue;
        ASSERT_EQ(bench.oracle().place(w), top.place);
        ASSERT_EQ(bench.oracle().sibling(w, 0), top.sibling);
        ASSERT_EQ(bench.oracle().live(w), stack.live(w));
        const Entries all = stack.entries(w);
        ASSERT_EQ(bench.below(w), Entries(all.begin(), all.end() - 1));
      }
      ASSERT_EQ(bench.counters().max_depth, stack.max_depth());
    }
    EXPECT_EQ(bench.counters().splits + bench.counters().merges + bench.counters().refused, 0u);
  }
}

// ---- Figure 1 of the DPE paper: A goes to B and C, C to D and E, which meet at F; B and F meet at G. Three
// instructions each, but F.

constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x154, kH = 0x170;

using Small = models::warp_split_table_small;    // 8 lanes, 3 slots, 5 entries, taken first
using Two = models::warp_split_table_two_slots;  // 7 lanes, 2 slots, 4 entries, larger first
using Wide = models::warp_split_table_wide;      // 64 lanes, 8 slots, 9 entries, smaller first

// The instructions of a block up to its last; where the path is then.
template <class Table>
Split last_of_block(Table& table, unsigned slot) {
  table.advance(slot);
  table.advance(slot);
  return table.oracle().split(0, slot);
}

// The branch of A has G behind it, which is longer than the threshold of 2; that of C has F.
class Figure1 : public TableBench<Small> {
 public:
  const SpeEntry at_g{kG, 0b1111, kNoRpc, false};
  Figure1() {
    launch(0, kA, 0b1111);
    EXPECT_EQ(last_of_block(*this, 0), (Split{kA + 8, 0b1111}));
    EXPECT_EQ(branch(0, 0b1000, kB, kC, kG).push, WarpId{0});
    EXPECT_EQ(slots(), (Slots{{0, {kB, 0b1000}}}));
    EXPECT_EQ(below(), (Entries{at_g, {kC, 0b0111, kG, false}}));
    last_of_block(*this, 0);
    EXPECT_FALSE(jump(0, kG).resolved->next);
    EXPECT_EQ(slots(), Slots());
    EXPECT_EQ(pop().pop, WarpId{0});
    EXPECT_EQ(slots(), (Slots{{0, {kC, 0b0111}}}));
    EXPECT_EQ(below(), (Entries{at_g}));
    EXPECT_EQ(last_of_block(*this, 0), (Split{kC + 8, 0b0111}));
    EXPECT_FALSE(split(0, 0b0110, kD, kE).push);
    EXPECT_EQ(slots(), (Slots{{0, {kD, 0b0110}}, {1, {kE, 0b0001}}}));
    EXPECT_EQ(below(), (Entries{at_g}));
    EXPECT_EQ(oracle().place(0), Place(kG));  // and not F
    EXPECT_EQ(oracle().depth(0), 2u);
  }
  void meet_at_g() {
    EXPECT_EQ(slots(), Slots());
    EXPECT_EQ(pop().pop, WarpId{0});
    EXPECT_EQ(slots(), (Slots{{0, {kG, 0b1111}}}));
    EXPECT_EQ(below(), Entries());
    EXPECT_EQ(oracle().depth(0), 1u);
  }
};

TEST(WarpSplitTableFigure1, WithThreshold2DAndERunOnThroughFToGAndFIsIssuedTwice) {
  Figure1 table;
  // D and E issue in turn, each at its own pace.
  table.advance(0);
  table.advance(1);
  table.advance(0);
  EXPECT_EQ(table.slots(), (Slots{{0, {kD + 8, 0b0110}}, {1, {kE + 4, 0b0001}}}));
  table.jump(0, kF);
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0110}}, {1, {kE + 4, 0b0001}}}));
  table.advance(0);  // F, for D's threads: they wait at G
  EXPECT_EQ(table.slots(), (Slots{{1, {kE + 4, 0b0001}}}));
  table.advance(1);
  table.jump(1, kF);
  EXPECT_EQ(table.slots(), (Slots{{1, {kF, 0b0001}}}));
  table.advance(1);  // F again, for E's
  table.meet_at_g();
  EXPECT_EQ(table.counters().splits, 1u);
  EXPECT_EQ(table.counters().merges, 0u);
  EXPECT_EQ(table.counters().max_splits, 2u);
  EXPECT_EQ(table.counters().max_depth, 3u);
}

TEST(WarpSplitTableFigure1, SplitsThatMeetAtFIssueItOnce) {
  Figure1 table;
  last_of_block(table, 0);
  last_of_block(table, 1);
  table.jump(0, kF);
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0110}}, {1, {kE + 8, 0b0001}}}));
  EXPECT_FALSE(table.jump(1, kF).resolved->next);
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0111}}}));
  table.advance(0);
  table.meet_at_g();
  EXPECT_EQ(table.counters().merges, 1u);
}

TEST(WarpSplitTableFigure1, SubdividedAtAAllRunBesideOneAnotherAndEachIssuesG) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kC);
  table.split(1, 0b0110, kD, kE);
  EXPECT_EQ(table.slots(), (Slots{{0, {kB, 0b1000}}, {1, {kD, 0b0110}}, {2, {kE, 0b0001}}}));
  EXPECT_EQ(table.below(), Entries());
  for (unsigned slot : {0, 1, 2}) EXPECT_EQ(table.slots().at(slot).level, 0u);
  table.jump(0, kG);  // nowhere to wait
  EXPECT_EQ(table.slots().at(0), (Split{kG, 0b1000}));
  table.jump(1, kG);
  table.jump(2, kG);
  EXPECT_EQ(table.slots(), (Slots{{0, {kG, 0b1111}}}));
  EXPECT_EQ(table.counters().max_splits, 3u);
}

// ---- in which cycle

TEST(WarpSplitTableTiming, AResolutionActsInTheCycleAfterItWasTakenIn) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  EXPECT_FALSE(table.step({{}, {}, {}, Resolve{0, 0, 0b1000, kB, kC, kNoRpc, 0, false, false, kMarkDivide}}).resolved);
  EXPECT_EQ(table.slots().size(), 1u);
  EXPECT_EQ(table.idle().resolved->slot, 0u);
  EXPECT_EQ(table.slots().size(), 2u);
}

TEST(WarpSplitTableTiming, WhatAnotherSlotAdvancesToAsAResolutionIsTakenInIsThereWhenItActs) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kC);
  table.step({{}, Path{0, 1}, {}, Resolve{0, 0, 0, kD, kC + 4, kNoRpc, 0}});
  table.idle();
  EXPECT_EQ(table.slots(), (Slots{{1, {kC + 4, 0b1111}}}));
}

TEST(WarpSplitTableTiming, WhoMayBeJoinedIsSaidInTheCycleInWhichTheResolutionActs) {
  for (const bool may : {false, true}) {
    TableBench<Small> table;
    table.launch(0, kA, 0b1111);
    table.split(0, 0b1000, kB, kC);
    Oracle::Inputs in;
    in.resolve = Resolve{0, 0, 0b1111, kC, kC, kNoRpc, 0};
    if (may) in.merge = TableBench<Small>::merge_but({0, 1, 2});
    table.step(in);
    in = {};
    if (!may) in.merge = TableBench<Small>::merge_but({1});
    table.step(in);
    EXPECT_EQ(table.slots().size(), may ? 1u : 2u);
  }
}

TEST(WarpSplitTableTiming, APopIsChosenInOneCycleAndDoneInTheNext) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.exit(0);
  EXPECT_FALSE(table.idle().done);
  EXPECT_EQ(table.oracle().depth(0), 1u);
  EXPECT_EQ(table.idle().done, WarpId{0});
  EXPECT_EQ(table.oracle().depth(0), 0u);
}

// Three slots, and {kE, 0b1000} waits.
class Waiting : public TableBench<Small> {
 public:
  Waiting() {
    launch(0, kA, 0b1111);
    split(0, 0b1110, kB, kC);
    split(0, 0b0110, kB, kD);
    split(1, 0, kH, kH);
    EXPECT_EQ(slots(), (Slots{{0, {kB, 0b0110}}, {1, {kH, 0b0001}}, {2, {kD, 0b1000}}}));
    EXPECT_FALSE(split(0, 0b0010, kF, kE).push);
    EXPECT_EQ(slots(), (Slots{{0, {kF, 0b0010}}, {1, {kH, 0b0001}}, {2, {kD, 0b1000}}}));
    EXPECT_EQ(waiting(), (Splits{{kE, 0b0100}}));
    EXPECT_EQ(oracle().depth(0), 2u);
    EXPECT_EQ(counters().refused, 1u);
    EXPECT_EQ(counters().splits, 2u);
  }
};

TEST(WarpSplitTableWaiting, ASplitThatWaitsGetsTheLowestFreeSlot) {
  Waiting table;
  table.exit(2);
  table.exit(1);
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0010}}}));
  table.pop();
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0010}}, {1, {kE, 0b0100}}}));
  EXPECT_EQ(table.waiting(), Splits());
  EXPECT_EQ(table.oracle().depth(0), 1u);
}

TEST(WarpSplitTableWaiting, ARefillIsChosenInOneCycleAndDoneInTheNextWithoutAnEvent) {
  Waiting table;
  table.exit(1);
  EXPECT_FALSE(table.idle().refill);
  EXPECT_EQ(table.waiting().size(), 1u);
  const auto events = table.idle();
  EXPECT_EQ(events.refill, WarpId{0});
  EXPECT_FALSE(events.pop);
  EXPECT_EQ(table.slots().at(1), (Split{kE, 0b0100}));
}

TEST(WarpSplitTableWaiting, ARefilledSplitHasNoPartnerAsItComes) {
  Waiting table;
  table.jump(0, kE);
  table.exit(1);
  table.pop();
  EXPECT_EQ(table.slots(), (Slots{{0, {kE, 0b0010}}, {1, {kE, 0b0100}}, {2, {kD, 0b1000}}}));
  // But it may be joined, and goes on apart otherwise.
  table.jump(2, kE);
  EXPECT_EQ(table.slots(), (Slots{{0, {kE, 0b1010}}, {1, {kE, 0b0100}}}));
}

TEST(WarpSplitTableWaiting, NobodyIsChosenWhileAResolutionOfTheWarpIsTakenInOrActs) {
  Waiting table;
  table.step({{}, {}, {}, Resolve{0, 2, 0, kH, kH, kNoRpc, 0b1000}});
  table.idle();                                                   // slot 2 is free
  table.step({{}, {}, {}, Resolve{0, 0, 0, kB, kB, kNoRpc, 0}});  // instead of the choice
  EXPECT_FALSE(table.idle().refill);
  EXPECT_FALSE(table.idle().refill);
  EXPECT_EQ(table.idle().refill, WarpId{0});
}

TEST(WarpSplitTableWaiting, ASplitInTheMeantimeTakesTheFreeSlotBeforeTheOneThatWaits) {
  TableBench<Small> table;
  table.launch(0, kA, 0b11111);
  table.split(0, 0b11110, kB, kC);
  table.split(0, 0b11100, kB, kD);
  table.split(0, 0b11000, kB, kE);
  EXPECT_EQ(table.waiting(), (Splits{{kE, 0b00100}}));
  // Slot 1 gets free as a branch of slot 0 is taken in.
  table.step({{}, {}, {}, Resolve{0, 1, 0, kH, kH, kNoRpc, 0b00001}});
  table.idle();
  table.step({{}, {}, {}, Resolve{0, 0, 0b10000, kF, kH, kNoRpc, 0}});
  table.idle();
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b10000}}, {1, {kH, 0b01000}}, {2, {kD, 0b00010}}}));
  EXPECT_EQ(table.waiting().size(), 1u);
  EXPECT_EQ(table.counters().splits, 3u);
}

TEST(WarpSplitTableWaiting, AnAdvanceAndATakenInResolutionMayMeetTheRefill) {
  Waiting table;
  table.exit(1);
  table.idle();
  const auto events = table.step({{}, Path{0, 2}, {}, Resolve{0, 0, 0b0010, kG, kG, kNoRpc, 0}});
  EXPECT_EQ(events.refill, WarpId{0});
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0010}}, {1, {kE, 0b0100}}, {2, {kD + 4, 0b1000}}}));
  EXPECT_EQ(table.idle().resolved->slot, 0u);
  EXPECT_EQ(table.slots().at(0), (Split{kG, 0b0010}));
}

TEST(WarpSplitTableWaiting, TheLastThatWaitsIsTheFirstToRun) {
  TableBench<Small> table;
  table.launch(0, kA, 0b11111);
  for (unsigned left : {4, 3, 2, 1}) table.split(0, lane_mask(left), kB, kC + 4 * left);
  EXPECT_EQ(table.waiting(), (Splits{{kC + 8, 0b00100}, {kC + 4, 0b00010}}));
  EXPECT_EQ(table.oracle().depth(0), 3u);
  table.exit(0);
  table.pop();
  EXPECT_EQ(table.slots().at(0), (Split{kC + 4, 0b00010}));
  EXPECT_EQ(table.oracle().depth(0), 2u);
  table.exit(0);
  table.pop();
  EXPECT_EQ(table.slots().at(0), (Split{kC + 8, 0b00100}));
  EXPECT_EQ(table.oracle().depth(0), 1u);
}

TEST(WarpSplitTableWaiting, AWarpOfWhichOnlyWaitingSplitsAreLeftIsRefilledAndNotPopped) {
  TableBench<Two> table;
  table.launch(0, kA, 0b111);
  table.split(0, 0b011, kB, kC);
  table.split(0, 0b010, kD, kE);  // of one size: the taken one stays
  EXPECT_EQ(table.waiting(), (Splits{{kE, 0b001}}));
  table.exit(1);
  table.step({{}, {}, {}, Resolve{0, 0, 0, kH, kH, kNoRpc, 0b010}});
  table.idle();
  EXPECT_EQ(table.slots(), Slots());
  EXPECT_EQ(table.pop().refill, WarpId{0});
  EXPECT_EQ(table.slots(), (Slots{{0, {kE, 0b001}}}));
  EXPECT_FALSE(table.oracle().subdivided(0));
}

TEST(WarpSplitTableWaiting, WhileASplitWaitsABranchIsNoPush) {
  TableBench<Two> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b0111, kB, kC);
  table.split(0, 0b0011, kD, kE);
  ASSERT_EQ(table.waiting().size(), 1u);
  // One slot is valid, one waits: a branch that may not subdivide splits all the same.
  table.step({{}, {}, {}, Resolve{0, 1, 0, kH, kH, kNoRpc, 0b1000}});
  table.idle();
  table.step({{}, {}, {}, Resolve{0, 0, 0b0001, kF, kG, kH, 0}});
  EXPECT_FALSE(table.idle().push);
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0001}}, {1, {kG, 0b0010}}}));
}

// ---- partners

TEST(WarpSplitTablePartner, IsTheLowestNumberedOfThoseThatMayBeJoined) {
  for (const unsigned expected : {0u, 1u, 2u}) {
    TableBench<Wide> table;
    table.launch(0, kA, 0b1111);
    for (unsigned slot : {0u, 1u, 2u})
      table.split(slot, 0b1000 >> slot, kC + 4 * slot, kB);  // the smaller side stays in its slot
    // Of slots 0 to 3, 0 to 2 come to one PC without seeing one another.
    for (unsigned slot : {0u, 1u, 2u}) {
      Oracle::Inputs in;
      in.resolve = Resolve{0, slot, ~LaneMask{0}, kD, kD, kNoRpc, 0};
      table.step(in);
      in = {};
      in.merge = table.merge_but({0, 1, 2, 3});
      table.step(in);
    }
    Oracle::Inputs in;
    in.resolve = Resolve{0, 3, ~LaneMask{0}, kD, kD, kNoRpc, 0};
    table.step(in);
    const LaneMask joined = table.slots().at(expected).mask | table.slots().at(3).mask;
    in = {};
    std::vector<unsigned> none;
    for (unsigned slot = 0; slot < expected; ++slot) none.push_back(slot);
    in.merge = table.merge_but(none);
    table.step(in);
    EXPECT_EQ(table.slots().size(), 3u);
    EXPECT_EQ(table.slots().at(expected).mask, joined);
    EXPECT_EQ(table.slots().at(expected).pc, kD);
  }
}

TEST(WarpSplitTablePartner, AnAdvanceComesToItsPartner) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kB + 8);
  table.advance(0);
  EXPECT_EQ(table.slots().size(), 2u);
  table.advance(0);
  EXPECT_EQ(table.slots(), (Slots{{1, {kB + 8, 0b1111}}}));
  EXPECT_EQ(table.counters().merges, 1u);
}

TEST(WarpSplitTablePartner, WhoMayNotBeJoinedStaysApartAndIsNotJoinedLater) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kB + 4);
  table.step({{}, Path{0, 0}, table.merge_but({1}), {}});
  EXPECT_EQ(table.slots(), (Slots{{0, {kB + 4, 0b1000}}, {1, {kB + 4, 0b0111}}}));
  table.advance(0);
  table.advance(1);  // comes to where the other is
  EXPECT_EQ(table.slots(), (Slots{{0, {kB + 8, 0b1111}}}));
}

TEST(WarpSplitTablePartner, StandsAtTheSameCallLevel) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kC);
  table.call(0, kC);
  EXPECT_EQ(table.slots(), (Slots{{0, {kC, 0b1000, 1}}, {1, {kC, 0b0111, 0}}}));
  table.returns(0, kC);
  EXPECT_EQ(table.slots(), (Slots{{1, {kC, 0b1111, 0}}}));
}

TEST(WarpSplitTablePartner, OneSideJoinsAndTheOtherGoesOnInItsSlot) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kC);
  EXPECT_TRUE(table.branch(1, 0b0001, kB, kD, kH).resolved->next);
  EXPECT_EQ(table.slots(), (Slots{{0, {kB, 0b1001}}, {1, {kD, 0b0110}}}));
  EXPECT_FALSE(table.branch(1, 0b0010, kE, kB, kH).resolved->next);
  EXPECT_EQ(table.slots(), (Slots{{0, {kB, 0b1101}}, {1, {kE, 0b0010}}}));
  EXPECT_EQ(table.counters().splits, 1u);
  EXPECT_EQ(table.counters().merges, 2u);
}

TEST(WarpSplitTablePartner, BothSidesMayJoinInOneCycle) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b1000, kB, kC);
  table.split(1, 0b0100, kC, kD);
  EXPECT_FALSE(table.split(1, 0, kB, kH).push);
  EXPECT_EQ(table.slots(), (Slots{{0, {kB, 0b1000}}, {1, {kH, 0b0100}}, {2, {kD, 0b0011}}}));
  EXPECT_FALSE(table.branch(2, 0b0001, kB, kH, kF).resolved->next);
  EXPECT_EQ(table.slots(), (Slots{{0, {kB, 0b1001}}, {1, {kH, 0b0110}}}));
  EXPECT_EQ(table.counters().merges, 2u);
}

TEST(WarpSplitTablePartner, ASideThatJoinsNeedsNoSlotAndNoRow) {
  TableBench<Two> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b0111, kB, kC);
  table.branch(0, 0b0011, kC, kD, kH);
  EXPECT_EQ(table.slots(), (Slots{{0, {kD, 0b0100}}, {1, {kC, 0b1011}}}));
  EXPECT_EQ(table.oracle().depth(0), 1u);
  EXPECT_EQ(table.counters().refused, 0u);
}

// A jump, an advance and a side of a branch join where all bits of the PC are the same, and nowhere else.
TYPED_TEST(TableRandom, EveryBitOfAPcAndALevelAloneKeepsSplitsApart) {
  TableBench<TypeParam> table;
  for (unsigned bit = 2; bit < 32; ++bit) {
    const Pc here = Pc{1} << bit, other = here ^ (bit == 31 ? 4 : here << 1), from = 0x2468;
    table.launch(0, kA, 0b11111);
    table.resolve({0, 0, 0b00111, from, here, kNoRpc, 0, false, false, kMarkDivide});
    const unsigned waits = table.slots().at(0).pc == here ? 0 : 1, moves = 1 - waits;
    table.jump(moves, other);
    EXPECT_EQ(table.slots().size(), 2u) << bit;
    table.branch(moves, 0b00001, here, from, kNoRpc);
    EXPECT_EQ(table.slots().at(waits), (Split{here, 0b11001})) << bit;
    table.branch(moves, 0b00010, from + 4, here, kNoRpc);
    EXPECT_EQ(table.slots().at(waits), (Split{here, 0b11101})) << bit;
    table.jump(moves, here - 4);
    table.advance(moves);
    EXPECT_EQ(table.slots(), (Slots{{waits, {here, 0b11111}}})) << bit;
    table.kill(0);
  }
  for (unsigned bit = 0; bit < TypeParam::kLevelW; ++bit) {
    if (bit > 4) break;  // so many calls
    table.launch(0, kA, 0b11);
    table.resolve({0, 0, 0b01, kB, kC, kNoRpc, 0, false, false, kMarkDivide});
    for (unsigned calls = 0; calls < 1u << bit; ++calls) table.call(0, kD);
    table.jump(0, table.slots().at(1).pc);
    EXPECT_EQ(table.slots().size(), 2u) << bit;
    table.kill(0);
  }
}

// ---- arrivals

TEST(WarpSplitTableArrival, AllSplitsMeetAtThePlaceOfTheirEntryWhateverTheirBranchesSay) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.branch(0, 0b0111, kB, kG, kG);  // those at G wait
  EXPECT_EQ(table.slots(), (Slots{{0, {kB, 0b0111}}}));
  table.split(0, 0b0011, kC, kD);
  table.branch(1, 0b0100, kG, kE, kF);  // all of them; its own meeting point is F
  table.jump(0, kF);
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b0011}}}));
  EXPECT_FALSE(table.split(0, 0b0001, kH, kG).resolved->next);  // a side that arrives
  EXPECT_EQ(table.slots(), (Slots{{0, {kH, 0b0001}}}));
  EXPECT_EQ(table.counters().splits, 1u);
  table.jump(0, kG);
  table.pop();
  EXPECT_EQ(table.slots(), (Slots{{0, {kG, 0b1111}}}));
}

TEST(WarpSplitTableArrival, WhoIsLeftAloneIsNotSubdividedAndMayPushFromItsSlot) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b0011, kC, kD);
  EXPECT_TRUE(table.oracle().subdivided(0));
  table.exit(0);
  EXPECT_FALSE(table.oracle().subdivided(0));
  EXPECT_EQ(table.branch(1, 0b0100, kE, kF, kH).push, WarpId{0});
  EXPECT_EQ(table.slots(), (Slots{{1, {kE, 0b0100}}}));
  EXPECT_EQ(table.below(), (Entries{{kH, 0b1100, kNoRpc, false}, {kF, 0b1000, kH, false}}));
  table.jump(1, kH);
  table.pop();  // into slot 0
  EXPECT_EQ(table.slots(), (Slots{{0, {kF, 0b1000}}}));
}

TEST(WarpSplitTableArrival, AnUnmarkedBranchInASubdividedWarpSplitsToo) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.split(0, 0b0011, kC, kD);
  EXPECT_FALSE(table.branch(0, 0b0001, kE, kF, kH).push);
  EXPECT_EQ(table.slots(), (Slots{{0, {kE, 0b0001}}, {1, {kD, 0b1100}}, {2, {kF, 0b0010}}}));
  EXPECT_TRUE(table.oracle().place(0).nowhere());
}

TEST(WarpSplitTableArrival, ThreadsOfASplitThatEndAreMissingAtTheMeetingPoint) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.branch(0, 0b0111, kB, kG, kG);
  table.split(0, 0b0011, kC, kD, 0b0001);
  EXPECT_EQ(table.slots(), (Slots{{0, {kC, 0b0010}}, {1, {kD, 0b0100}}}));
  table.exit(1);
  EXPECT_EQ(table.oracle().live(0), 0b1010u);
  table.jump(0, kG);
  table.pop();
  EXPECT_EQ(table.slots(), (Slots{{0, {kG, 0b1010}}}));
}

TEST(WarpSplitTableReturn, SplitsOfAFunctionMeetWhereTheFirstOfThemReturned) {
  for (const bool by_a_side : {false, true}) {
    TableBench<Small> table;
    table.launch(0, kA, 0b1111);
    table.call(0, kB);
    table.resolve({0, 0, 0b0111, kC, kD, kReturnRpc, 0});
    EXPECT_EQ(table.oracle().place(0), Place::where_they_return(0));
    table.split(0, 0b0011, kE, kF);
    EXPECT_EQ(table.slots(), (Slots{{0, {kE, 0b0011, 1}}, {1, {kF, 0b0100, 1}}}));
    if (by_a_side) {
      EXPECT_TRUE(table.returns(0, kA + 4, 0b0001, kH).resolved->next);
      EXPECT_EQ(table.slots().at(0), (Split{kH, 0b0010, 1}));
    } else {
      table.returns(0, kA + 4);
      EXPECT_EQ(table.slots().size(), 1u);
    }
    EXPECT_EQ(table.oracle().place(0), Place::where_they_return(0, kA + 4));
    // Who returns elsewhere goes on apart, even if it comes by at the address.
    table.returns(1, kA);
    EXPECT_EQ(table.slots().at(1), (Split{kA, 0b0100, 0}));
    table.advance(1);
    EXPECT_EQ(table.slots().at(1), (Split{kA + 4, 0b0100, 0}));
    table.jump(1, kA + 4);  // only a resolution arrives
    if (by_a_side) table.returns(0, kA + 4);
    EXPECT_EQ(table.slots(), Slots());
    table.pop();
    EXPECT_EQ(table.slots(), (Slots{{0, {kD, 0b1000, 1}}}));
    table.returns(0, kA + 4);
    table.pop();
    EXPECT_EQ(table.slots(), (Slots{{0, {kA + 4, 0b1111, 0}}}));
  }
}

// ---- what is said of a path

TEST(WarpSplitTableNext, IsSaidOfASlotThatGoesOnBehindItsInstruction) {
  TableBench<Wide> table;  // the smaller side goes first
  table.launch(0, kA, 0b1111);
  EXPECT_TRUE(table.branch(0, 0, kB, kA + 4, kH).resolved->next);
  EXPECT_TRUE(table.branch(0, 0b0101, kA + 8, kA + 8, kH).resolved->next);
  EXPECT_TRUE(table.call(0, kA + 12, ~LaneMask{0}, kA + 12).resolved->next);  // behind it is its function
  EXPECT_FALSE(table.split(0, 0b0001, kB, kC).resolved->next);                // the taken side stands in the slot
  EXPECT_TRUE(table.split(1, 0b0110, kB + 8, kD).resolved->next);             // the other one
  EXPECT_FALSE(table.branch(0, ~LaneMask{0}, kE, kF, kH).resolved->next);
  EXPECT_FALSE(table.branch(0, 0, kB, kD, kH).resolved->next);  // joins: the slot is empty
  table.kill(0);
  table.launch(0, kA, 0b1111);
  EXPECT_FALSE(table.branch(0, 0b0111, kB, kC, kH).resolved->next);  // pushed
}

TEST(WarpSplitTableSibling, IsAnotherSlotAWaitingSplitOrTheOtherSideOfTheEntry) {
  TableBench<Two> table;
  table.launch(0, kA, 0b1111);
  EXPECT_FALSE(table.oracle().sibling(0, 0));
  EXPECT_TRUE(table.oracle().sibling(0, 1));  // of an empty slot, too
  table.split(0, 0b0111, kB, kC);
  EXPECT_TRUE(table.oracle().sibling(0, 0) && table.oracle().sibling(0, 1));
  table.split(0, 0b0011, kD, kE);
  table.step({{}, {}, {}, Resolve{0, 1, 0, kH, kH, kNoRpc, 0b1000}});
  table.idle();
  table.step({{}, {}, {}, Resolve{0, 0, 0, kF, kF, kNoRpc, 0}});  // alone, but one waits
  EXPECT_TRUE(table.oracle().sibling(0, 0));
  table.kill(0);
  table.launch(0, kA, 0b1111);
  table.branch(0, 0b0111, kB, kC, kG);
  EXPECT_TRUE(table.oracle().sibling(0, 0));  // the other side is the row below
}

// ---- rows

TEST(WarpSplitTableOverflow, OfASplitIsFlaggedAndNothingIsLost) {
  TableBench<Small> table;
  table.launch(0, kA, 0xff);
  table.branch(0, 0b01111111, kB, kC, kG);
  for (unsigned left : {6, 5, 4, 3}) table.split(0, lane_mask(left), kB, kC + 4 * (left - 1));
  ASSERT_EQ(table.oracle().depth(0), Small::kDepth);
  const Slots slots = table.slots();
  const Splits waiting = table.waiting();
  const auto counters = table.counters();
  for (const std::uint32_t kind : {kMarkNone, kMarkDivide}) {
    const auto events = table.resolve({0, 0, 0b001, kF, kE, kH, 0b100, false, false, kind});
    EXPECT_EQ(events.overflow, WarpId{0});
    EXPECT_FALSE(events.push || events.resolved);
    table.idle();  // shows that not even a thread that exits has left
    EXPECT_EQ(table.slots(), slots);
    EXPECT_EQ(table.waiting(), waiting);
    EXPECT_EQ(table.oracle().live(0), 0xffu);
    EXPECT_EQ(table.counters().refused, counters.refused);
    EXPECT_EQ(table.counters().splits, counters.splits);
  }
  // What needs no row has room.
  EXPECT_TRUE(table.branch(0, 0b001, kG, kE, kH).resolved);
  EXPECT_EQ(table.slots().at(0), (Split{kE, 0b110}));
  for (unsigned n = 0; n < 3; ++n) {
    table.jump(0, kG);
    table.pop();
  }
  EXPECT_EQ(table.waiting(), Splits());
}

TEST(WarpSplitTableOverflow, OfAPushIsThatOfTheTextbooksStack) {
  TableBench<Two> table;  // four entries
  table.launch(0, kA, 0b1111);
  table.branch(0, 0b0111, kB, kC, kG);
  EXPECT_EQ(table.branch(0, 0b0011, kD, kE, kF).overflow, WarpId{0});
  EXPECT_EQ(table.oracle().depth(0), 3u);
  EXPECT_TRUE(table.split(0, 0b0011, kD, kE).resolved);  // a split has room
  EXPECT_EQ(table.slots().size(), 2u);
}

TYPED_TEST(TableRandom, EveryRowOfAFullTableHoldsWhatWasWritten) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kSlots = TypeParam::kNumSlots, kDepth = TypeParam::kDepth;
  TableBench<TypeParam> table;
  const auto place = [](WarpId w, unsigned n) { return 0x1000 + 0x10000 * w + 0x100 * n; };
  const auto resolve = [&](WarpId w, unsigned slot, LaneMask taken, Pc target, Pc next, Pc rpc, std::uint32_t kind,
                           LaneMask exit = 0) {
    return table.resolve({w, slot, taken, target, next, rpc, exit, false, false, kind});
  };
  const unsigned lanes = std::min(TypeParam::kLanes, kSlots + kDepth);
  for (WarpId w = 0; w < kWarps; ++w) {
    table.launch(w, kA, lane_mask(lanes));
    // One push, then one thread after another leaves until the table is full; whichever side runs, all but one are
    // together.
    resolve(w, 0, lane_mask(lanes - 1), place(w, 100), place(w, 99), place(w, 99), kMarkNone);
    for (unsigned left = lanes - 2; left > 0 && table.oracle().depth(w) < kDepth; --left) {
      for (const auto& [slot, split] : Slots(table.slots(w))) {
        if (popcount(split.mask) > 1)
          resolve(w, slot, lane_mask(left), place(w, 100 + left), place(w, left), kNoRpc, kMarkDivide);
      }
    }
    EXPECT_GT(table.oracle().depth(w), 2u);
  }
  for (WarpId w = 0; w < kWarps; ++w) {
    LaneMask seen = 0;
    while (table.oracle().depth(w) > 1) {
      const Slots slots = table.slots(w);
      for (const auto& [slot, split] : slots) {
        seen |= split.mask;
        resolve(w, slot, 0, 4, place(w, 99), kNoRpc, false);
      }
      table.pop();
      table.pop();
    }
    EXPECT_EQ(seen | LaneMask{1} << (lanes - 1), lane_mask(lanes));
    EXPECT_EQ(table.slots(w), (Slots{{0, {place(w, 99), lane_mask(lanes)}}}));
    resolve(w, 0, 0, 4, 4, kNoRpc, false, lane_mask(lanes));
    EXPECT_EQ(table.pop().done, w);
  }
}

// ---- counters

TEST(WarpSplitTableCounters, MaxSplitsIs1FromTheFirstLaunchOnAndThenTheMostThatASplitLeft) {
  TableBench<Small> table;
  EXPECT_EQ(table.counters().max_splits, 0u);
  table.launch(0, kA, 0b1111);
  EXPECT_EQ(table.counters().max_splits, 1u);
  table.branch(0, 0b0111, kB, kC, kG);  // a push is no split
  EXPECT_EQ(table.counters().max_splits, 1u);
  table.split(0, 0b0011, kD, kE);
  EXPECT_EQ(table.counters().max_splits, 2u);
  table.jump(0, kE);
  table.split(1, 0b0011, kD, kF);
  EXPECT_EQ(table.counters().max_splits, 2u);
  EXPECT_EQ(table.counters().splits, 2u);
  table.reset();
  EXPECT_EQ(table.counters().max_splits, 0u);
}

TEST(WarpSplitTableCounters, WhatAKillUndoesIsNotCounted) {
  TableBench<Small> table;
  table.launch(0, kA, 0b1111);
  table.step({{}, {}, {}, Resolve{0, 0, 0b0011, kB, kC, kNoRpc, 0, false, false, kMarkDivide}});
  table.kill(0);
  EXPECT_EQ(table.counters().splits, 0u);
  EXPECT_EQ(table.counters().max_splits, 1u);
  table.launch(0, kA, 0b1111);
  table.split(0, 0b0011, kB, kB + 4);
  table.step({{}, Path{0, 0}, {}, {}, WarpId{0}});
  EXPECT_EQ(table.counters().merges, 0u);
  table.launch(0, kA, 0b1111);
  table.split(0, 0b0011, kB, kC);
  table.step({{}, {}, {}, Resolve{0, 0, 0, kC, kC, kNoRpc, 0}});
  table.kill(0);
  EXPECT_EQ(table.counters().merges, 0u);
}

// ---- kill

TEST(WarpSplitTableKill, AKilledWarpIsGoneAndMayBeLaunchedInTheNextCycle) {
  Waiting table;
  table.kill(0);
  EXPECT_EQ(table.oracle().depth(0), 0u);
  table.launch(0, kD, 0b0011);
  EXPECT_EQ(table.slots(), (Slots{{0, {kD, 0b0011}}}));
  EXPECT_FALSE(table.oracle().sibling(0, 0));
  // Nothing of it waits: the branch is a push.
  EXPECT_EQ(table.branch(0, 0b01, kB, kC, kG).push, WarpId{0});
}

TEST(WarpSplitTableKill, ARefillOrAPopThatEndsWithItChangesNothing) {
  for (const bool refill : {false, true}) {
    Waiting table;
    table.exit(1);
    if (!refill) {
      table.pop();
      for (unsigned slot : {0, 1, 2}) table.exit(slot);
    }
    table.idle();
    const auto events = table.kill(0);
    EXPECT_EQ(events.refill.has_value(), refill);
    EXPECT_EQ(events.done.has_value(), !refill);
    EXPECT_EQ(table.oracle().depth(0), 0u);
    EXPECT_FALSE(table.pop().pop);
  }
}

TEST(WarpSplitTableKill, AnotherWarpIsChosenInItsStead) {
  TableBench<Two> table;
  for (WarpId w : {0, 1}) {
    table.launch(w, kA, 0b111);
    table.resolve({w, 0, 0b011, kB, kC, kNoRpc, 0, false, false, kMarkDivide});
    table.resolve({w, 0, 0b010, kD, kE, kNoRpc, 0, false, false, kMarkDivide});
  }
  // A slot of each gets free at one edge.
  table.step({{}, {}, {}, Resolve{0, 1, 0, kH, kC + 4, kNoRpc, 0b100}});
  table.step({{}, {}, {}, Resolve{1, 1, 0, kH, kC + 4, kNoRpc, 0b100}});
  table.kill(0);
  EXPECT_FALSE(table.idle().refill);
  EXPECT_EQ(table.idle().refill, WarpId{1});
}

// ---- mistakes of the caller are asserted by the RTL

TEST(WarpSplitTableMistake, ALaunchOfAWarpThatRunsOrIsKilledOrWithoutThreadsOrAtAnOddPc) {
  EXPECT_THROW(TableBench<Small>().launch(0, kA, 0), RtlAssertion);
  EXPECT_THROW(TableBench<Small>().launch(0, kA + 1, 0b1), RtlAssertion);
  EXPECT_THROW(TableBench<Small>().step({Launch{0, kA, 0b1}, {}, {}, {}, WarpId{0}}), RtlAssertion);
  TableBench<Small> table;
  table.launch(0, kA, 0b1);
  EXPECT_THROW(table.launch(0, kA, 0b1), RtlAssertion);
}

// A warp of two splits, in the cycle of a mistake. The RTL alone sees it.
template <class Mistake>
void mistaken(Mistake mistake) {
  struct Opened : TableBench<Small> {
    auto& pins() { return this->rtl(); }
    void edge() {
      this->rtl().clk_i = 0;
      this->rtl().eval();
      this->rtl().clk_i = 1;
      this->rtl().eval();
    }
  } table;
  table.launch(0, kA, 0b1111);
  table.launch(1, kA, 0b1111);
  table.split(0, 0b0011, kB, kC);
  table.idle();
  table.pins().merge_i = 0;
  mistake(table);
  table.edge();
}
// Slot 0 of warp 0 jumps.
template <class Pins>
void jump_of(Pins& pins, unsigned warp, unsigned slot) {
  pins.resolve_valid_i = 1;
  pins.resolve_warp_i = warp;
  pins.resolve_slot_i = slot;
  pins.resolve_target_i = pins.resolve_next_i = kD;
  pins.resolve_rpc_i = 0;
}

TEST(WarpSplitTableMistake, AnAdvanceOfSeveralPathsOrOfAnEmptyOne) {
  EXPECT_NO_THROW(mistaken([](auto& t) { t.pins().advance_i = 0b000001; }));
  EXPECT_THROW(mistaken([](auto& t) { t.pins().advance_i = 0b000011; }), RtlAssertion);  // of two warps
  EXPECT_THROW(mistaken([](auto& t) { t.pins().advance_i = 0b001001; }), RtlAssertion);  // both of one
  EXPECT_THROW(mistaken([](auto& t) { t.pins().advance_i = 0b010000; }), RtlAssertion);  // warp 1 has no slot 1
}

TEST(WarpSplitTableMistake, AResolutionOfASlotThatIsEmptyOrOfNone) {
  EXPECT_NO_THROW(mistaken([](auto& t) { jump_of(t.pins(), 0, 1); }));
  EXPECT_THROW(mistaken([](auto& t) { jump_of(t.pins(), 0, 2); }), RtlAssertion);
  EXPECT_THROW(mistaken([](auto& t) { jump_of(t.pins(), 0, 3); }), RtlAssertion);
  EXPECT_THROW(mistaken([](auto& t) { jump_of(t.pins(), 1, 1); }), RtlAssertion);
}

TEST(WarpSplitTableMistake, AnAdvanceOfThePathThatResolvesOrOfAnyAsAResolutionOfTheWarpActs) {
  EXPECT_NO_THROW(mistaken([](auto& t) {
    jump_of(t.pins(), 0, 0);
    t.pins().advance_i = 0b001000;
  }));
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.pins().advance_i = 0b000001;
               }),
               RtlAssertion);
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.edge();
                 t.pins().resolve_valid_i = 0;
                 t.pins().advance_i = 0b001000;
               }),
               RtlAssertion);
}

TEST(WarpSplitTableMistake, AnExitOfAThreadOfAnotherPath) {
  EXPECT_NO_THROW(mistaken([](auto& t) {
    jump_of(t.pins(), 0, 0);
    t.pins().resolve_exit_i = 0b0011;
  }));
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.pins().resolve_exit_i = 0b0111;
               }),
               RtlAssertion);
}

TEST(WarpSplitTableMistake, AMergeOfThePathWhoseResolutionIsTakenIn) {
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.pins().merge_i = 0b000001;
               }),
               RtlAssertion);
}

TEST(WarpSplitTableMistake, ASecondResolutionOfTheWarpBeforeTheFirstHasActed) {
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.edge();
                 jump_of(t.pins(), 0, 1);
               }),
               RtlAssertion);
}

TEST(WarpSplitTableMistake, AResolutionThatIsCallAndReturnOrHasAnOddPcOrAReturnAddress) {
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.pins().resolve_call_i = t.pins().resolve_return_i = 1;
               }),
               RtlAssertion);
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.pins().resolve_target_i = kD + 1;
               }),
               RtlAssertion);
  EXPECT_THROW(mistaken([](auto& t) {
                 jump_of(t.pins(), 0, 0);
                 t.pins().resolve_rpc_i = kD | kReturnRpc;
               }),
               RtlAssertion);
}

}  // namespace
}  // namespace heddle::test
