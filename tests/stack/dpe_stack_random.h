// SPDX-License-Identifier: Apache-2.0
// Random lockstep of the dual-path stacks, and what holds for each of them at any parameters. A parameter set names its
// bench (DpeStackBenchOf) as Bench.
#pragma once

#include "tests/common/set_names.h"
#include "tests/stack/dpe_stack_bench.h"
#include "tests/stack/kills.h"

namespace heddle::test {

template <class Set>
class DpeStackRandom : public testing::Test {};
TYPED_TEST_SUITE_P(DpeStackRandom);

// The PC that the paths above will bring to the nearest entry below that waits for it, if that entry meets at a PC
// itself.
inline std::optional<Pc> own_rpc_of_the_caller(const Entries& entries) {
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    if (entry->path[kLeft].at_return || entry->path[kRight].at_return) return entry->place.pc();
  }
  return std::nullopt;
}

// One of the paths that meet here has brought the address.
inline bool knows(const DpeEntry& entry) { return entry.place.returning() && entry.place.address(); }

// Which warps hold: those of which a path waits for a resolution, from the cycle before it is taken in to the one in
// which it acts, and some that get none in the end. Without forwarding it says nothing.
class RandomHolds {
 public:
  // The next cycle begins.
  template <class Bench>
  void next(Random& random, const DpeStackOracle& oracle) {
    before_ = now_;
    for (WarpId w = 0; w < Bench::kWarps; ++w) {
      if (oracle.resolving() == w || (now_.count(w) == 0 && random.chance(35))) {
        now_.insert(w);
      } else if (random.chance(resolving_ == w ? 50 : 10)) {  // or the other path waits next
        now_.erase(w);
      }
    }
    resolving_ = oracle.resolving();
  }
  [[nodiscard]] const std::set<WarpId>& now() const { return now_; }
  // A resolution of the warp may be taken in.
  [[nodiscard]] bool allow(WarpId w) const { return before_.count(w) != 0 && now_.count(w) != 0; }

 private:
  std::set<WarpId> before_, now_;
  std::optional<WarpId> resolving_;
};

// A resolution in place of `r`, by which paths come to be forwarded, and guests do all that a path may do.
inline void steer_to_guests(Random& random, const DpeEntry& top, const Place& place, const Levels& levels, LaneMask all,
                            DpeStackOracle::Resolve& r) {
  const DpePath& self = top.path[r.slot];
  const DpePath& other = top.path[1 - r.slot];
  const bool offered = top.offer == r.slot && !top.handed;
  const bool below = place.returning() && levels.above(place.level()) == self.level;  // may return to its place
  const auto arrive = [&] {
    r.target = r.next = place.pc().value_or(r.target);
    r.taken = all;
    r.call = false;
    r.returns = below;
  };
  if (self.guest) {
    if (random.chance(30)) arrive();
    if (random.chance(10)) r.target = r.next = place.pc().value_or(r.target) - 4;  // arrives by an advance
    if (random.chance(20)) r.rpc = place.pc().value_or(kNoRpc);
    if (top.place.returning() &&
        random.chance(60)) {  // diverges where the entry did that it is in, in a function of its own
      const bool there = self.level == levels.above(top.place.level());
      if (there) r.rpc = kReturnRpc;
      if (!there) r.taken = all;
      r.returns = false;
      r.call = !there;
    }
    if (other.mask == 0 && random.chance(70)) {  // alone
      r.rpc = place.pc().value_or(kNoRpc);
      r.taken = self.mask & (self.mask - 1);
      r.call = r.returns = false;
    }
  } else if (offered ? random.chance(50) : other.guest && random.chance(60)) {
    arrive();  // makes room for a guest, or leaves it alone
  } else if (other.mask != 0 && random.chance(50)) {
    r.rpc = self.level != 0 && random.chance(40) ? kReturnRpc : r.next + 0x100;  // suspends the other path
    r.taken = self.mask & (self.mask - 1);
    r.call = r.returns = false;
  }
}

// Which paths stand at a barrier, and which may not be joined: any, for some cycles, and often both parts of a path.
// Without splitting it says nothing.
class RandomParts {
 public:
  using PathId = DpeStackOracle::PathId;
  template <class Bench>
  void next(Random& random, const DpeStackOracle& oracle) {
    for (WarpId w = 0; w < Bench::kWarps; ++w) {
      for (const unsigned slot : {kLeft, kRight}) {
        flip(random, apart_, {w, slot}, 5, 25);
        flip(random, stopped_, {w, slot}, 4, 20);
      }
      const DpeEntry top = oracle.top(w);
      if (!top.parts || !random.chance(top.path[kLeft].stands_with(top.path[kRight]) ? 15 : 5)) continue;
      stopped_.insert({w, kLeft});
      stopped_.insert({w, kRight});
    }
  }
  [[nodiscard]] const std::set<PathId>& apart() const { return apart_; }
  [[nodiscard]] const std::set<PathId>& stopped() const { return stopped_; }

 private:
  static void flip(Random& random, std::set<PathId>& paths, PathId path, unsigned in, unsigned out) {
    if (paths.count(path) == 0) {
      if (random.chance(in)) paths.insert(path);
    } else if (random.chance(out)) {
      paths.erase(path);
    }
  }
  std::set<PathId> apart_, stopped_;
};

// The parts of this warp meet at the end of this cycle.
inline bool meets(const DpeStackOracle& oracle, WarpId w) {
  const DpeEntry top = oracle.top(w);
  return oracle.meeting() == w && top.parts && top.path[kLeft].stands_with(top.path[kRight]);
}

// A resolution in place of `r`, by which parts come to one place, or diverge.
inline void steer_to_parts(Random& random, const DpeEntry& top, const Place& place, LaneMask all,
                           DpeStackOracle::Resolve& r) {
  if (random.chance(15)) r.kind = kMarkOnce;
  const DpePath& self = top.path[r.slot];
  const DpePath& other = top.path[1 - r.slot];
  if (!top.parts) return;
  if (random.chance(30)) {
    r.taken = self.mask & (self.mask - 1);  // all but one, if there are two
    r.call = r.returns = false;
    if (random.chance(30)) r.rpc = place.pc().value_or(kNoRpc);
  } else if (random.chance(60)) {
    r.target = r.next = other.pc - (random.chance(20) ? 4 : 0);
    r.taken = random.chance(50) ? all : 0;
    if (random.chance(80)) r.call = r.returns = false;
  }
}

// The path that is given may be split, and is: some of its threads stay behind.
inline std::optional<DpeStackOracle::Split> random_split(Random& random, const DpeStackOracle& oracle,
                                                         const DpeStackOracle::Inputs& in, unsigned warps) {
  std::vector<DpeStackOracle::Split> able;
  for (WarpId w = 0; w < warps; ++w) {
    if (oracle.resolving() == w || (in.resolve && in.resolve->warp == w) || in.kill == w ||
        (in.advance && in.advance->warp == w))
      continue;
    const DpeEntry top = oracle.top(w);
    for (const unsigned slot : {kLeft, kRight}) {
      const LaneMask mask = top.path[slot].mask;
      if (top.path[1 - slot].mask == 0 && (mask & (mask - 1)) != 0) able.push_back({w, slot, mask});
    }
  }
  if (able.empty() || !random.chance(40)) return std::nullopt;
  DpeStackOracle::Split split = random.pick(able);
  const LaneMask mask = split.mask;
  while ((split.mask & mask) == 0 || (split.mask & mask) == mask) split.mask = random.next();
  return split;
}

// Legal inputs from a few PCs behind `base`, so that paths often stand at a reconvergence point; base moves now and
// then, and some branches meet at a power of two. Calls and returns go where something is to be met.
template <class Bench>
DpeStackOracle::Inputs random_inputs(Random& random, const DpeStackOracle& oracle, Pc& base, RandomHolds& holds,
                                     RandomParts& parts) {
  holds.next<Bench>(random, oracle);
  parts.next<Bench>(random, oracle);
  if (random.chance(3)) base = random.base(6) & ~Pc{1};
  const auto pc = [&] { return base + 4 * random.below(6); };
  std::vector<WarpId> idle;
  std::vector<std::pair<WarpId, unsigned>> paths, told,
      waiting;  // paths: all that may advance; waiting: that may be resolved
  const auto& acts = oracle.acting();
  for (WarpId w = 0; w < Bench::kWarps; ++w) {
    if (oracle.depth(w) == 0) idle.push_back(w);
    if (acts && acts->warp == w) continue;  // both paths stand still
    for (unsigned slot = 0; slot < 2; ++slot) {
      if (oracle.top(w).path[slot].mask == 0 || oracle.waits(w, slot, parts.stopped())) continue;
      if (meets(oracle, w) || (oracle.meeting_choice(parts.stopped()) == w && random.chance(80))) continue;
      paths.emplace_back(w, slot);
      if (!Bench::kForwards || holds.allow(w)) waiting.emplace_back(w, slot);
      if (knows(oracle.top(w)) && (!Bench::kForwards || holds.allow(w))) told.emplace_back(w, slot);
    }
  }
  DpeStackOracle::Inputs in;
  if (!idle.empty() && random.chance(30)) {
    const LaneMask mask = random.chance(50) ? lane_mask(Bench::kLanes) : random.some_lanes(Bench::kLanes);
    in.launch = {random.pick(idle), pc(), mask};
  }
  if (!waiting.empty() && random.chance(60)) {
    const auto [warp, slot] = random.pick(!told.empty() && random.chance(40) ? told : waiting);
    const DpeEntry top = oracle.top(warp);
    const DpePath other = top.path[1 - slot];
    const Place place = oracle.place(warp, slot);
    DpeStackOracle::Resolve r{warp, slot, random.lanes(Bench::kLanes), pc(), pc(), pc(), 0};
    if (random.chance(60)) r.taken = random.next() & lane_mask(Bench::kLanes);  // divergent more often than not
    if (random.chance(25)) r.rpc = base + 0x100 + 4 * random.below(64);         // out of reach: nest deeper
    if (random.chance(20)) r.rpc = place.pc().value_or(kReturnRpc);
    if (random.chance(10)) r.rpc = kNoRpc;
    if (random.chance(10)) {  // two sides around the one PC with this bit alone
      r.rpc = Pc{1} << random.between(2, 31);
      r.target = r.rpc - 4 * random.below(3);
      r.next = r.rpc - 4 * random.below(3);
    }
    if (random.chance(10)) r.target = r.next = place.pc().value_or(base);  // all threads arrive
    if (random.chance(20) && r.rpc > kReturnRpc) r.target = r.rpc - 4;
    if (random.chance(25)) r.rpc = kReturnRpc;
    // Those that meet where they return to are one level above it, and return; the others call.
    const bool due = place.returning() && oracle.levels().above(place.level()) == top.path[slot].level;
    if (random.chance(due ? 60 : 35)) {
      r.returns = random.chance(due ? 90 : 40);
      r.call = !r.returns;
      if (random.chance(60)) r.taken = lane_mask(Bench::kLanes);
      const auto own = own_rpc_of_the_caller(oracle.entries(warp));
      if (r.returns && own && random.chance(70)) r.target = *own;
    }
    if (knows(top) && !top.path[slot].guest && random.chance(60)) {
      // To the address that others brought, all or some of them, or just before it.
      const Pc address = *top.place.address();
      r.target = address - (random.chance(30) ? 4 : 0);
      r.call = false;
      r.returns = top.path[slot].level != top.place.level();
      const LaneMask mask = top.path[slot].mask;
      r.taken = random.chance(50) ? lane_mask(Bench::kLanes) : mask & (mask - 1);  // all, or all but one
      if (random.chance(70)) r.rpc = random.chance(50) ? kReturnRpc : kNoRpc;
    }
    if (Bench::kSplits) steer_to_parts(random, top, place, lane_mask(Bench::kLanes), r);
    if (Bench::kForwards) steer_to_guests(random, top, place, oracle.levels(), lane_mask(Bench::kLanes), r);
    if (random.chance(10)) r.exit = top.path[slot].mask & random.next();
    if (random.chance(due ? 10 : 3)) r.exit = top.path[slot].mask;
    // The sibling may arrive as this path's branch is taken in, with the same reconvergence point.
    if (other.mask != 0 && other.pc + 4 == top.place.pc() && random.chance(50)) r.rpc = other.pc + 4;
    in.resolve = r;
  }
  if (!paths.empty() && random.chance(60)) {
    auto [warp, slot] = random.pick(!told.empty() && random.chance(40) ? told : paths);
    if (in.resolve && random.chance(60)) {  // the sibling of the resolving path advances
      warp = in.resolve->warp;
      slot = 1 - in.resolve->slot;
    }
    if (const auto popped = oracle.popping(); popped && !oracle.top(*popped).empty()) {  // its guest is not held up
      warp = *popped;
      slot = oracle.top(warp).path[kLeft].mask != 0 ? kLeft : kRight;
    }
    const bool resolves = in.resolve && in.resolve->warp == warp && in.resolve->slot == slot;
    const bool stands =
        oracle.top(warp).path[slot].mask == 0 || oracle.waits(warp, slot, parts.stopped()) || meets(oracle, warp);
    if (!stands && !resolves) in.advance = {warp, slot};
  }
  in.apart = parts.apart();
  in.stopped = parts.stopped();
  if (in.resolve) {  // who joined it now would not execute its branch
    in.apart.emplace(in.resolve->warp, in.resolve->slot);
  }
  in.kill = random_kill(random, oracle, in, Bench::kWarps);
  if (Bench::kSplits) {  // seldom, but for those that meet
    if (random.chance(50)) in.kill.reset();
    if (oracle.meeting() && random.chance(10)) in.kill = oracle.meeting();
    if (const auto chosen = oracle.meeting_choice(in.stopped); chosen && random.chance(5)) in.kill = chosen;
  }
  if (in.resolve) {  // does not act as parts meet
    DpeEntry next = oracle.top(in.resolve->warp);
    if (in.advance && in.advance->warp == in.resolve->warp) next.path[in.advance->slot].pc += 4;
    const bool meet = oracle.meeting_choice(in.stopped, in.kill) == in.resolve->warp &&
                      next.path[kLeft].stands_with(next.path[kRight]);
    if (meet) in.resolve.reset();
  }
  in.split = random_split(random, oracle, in, Bench::kWarps);
  if (Bench::kForwards) {  // seldom, but for those that meet a forward
    if (random.chance(70)) in.kill.reset();
    if (oracle.forwarding() && random.chance(3)) in.kill = oracle.forwarding();
  }
  in.hold = holds.now();
  return in;
}

TYPED_TEST_P(DpeStackRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  Coverage met;
  const unsigned cycles = TypeParam::kNumWarps > 8 ? 3000 : TypeParam::Bench::kForwards ? 60000 : 30000;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Pc base = 0x100;
    RandomHolds holds;
    RandomParts parts;
    typename TypeParam::Bench bench(seed);
    std::optional<WarpId> popped, advanced;  // in the cycle before: with a resolution that acts now its sibling
    Kills kills;
    for (unsigned i = 0; i < cycles; ++i) {
      if (random.below(1000) == 0) bench.reset();
      const auto in = random_inputs<typename TypeParam::Bench>(random, bench.oracle(), base, holds, parts);
      const auto acts = bench.oracle().acting();
      DpeEntry before;
      if (acts) before = bench.oracle().top(acts->warp);
      kills.before(bench.oracle(), in);
      const auto chosen = bench.oracle().choice(in.hold, in.kill), unheld = bench.oracle().choice({}, in.kill);
      const auto to_meet = bench.oracle().meeting_choice(in.stopped);
      const DpeEntry advancing = in.advance ? bench.oracle().top(in.advance->warp) : DpeEntry();
      const auto events = bench.step(in);
      kills.count(met, bench.oracle(), in, events, TypeParam::kNumWarps);
      met.hit("push", events.push.has_value());
      met.hit("replacement", events.replaced);
      met.hit("tail_kept",
              events.push && !events.replaced && bench.oracle().top(*events.push).place.same(before.place));
      if (TypeParam::kDepth < TypeParam::kLanes && TypeParam::kDepth <= 5) {
        met.hit("overflow", events.overflow.has_value());
        met.hit("overflow_beside_an_advance", events.overflow && advanced == events.overflow);
      }
      met.hit("push_beside_an_advance", events.push && advanced == events.push);
      met.hit("replaced_as_the_sibling_has_just_arrived", events.replaced && advanced == acts->warp);
      met.hit("done", events.done.has_value());
      met.hit("pop", events.pop.has_value() && !events.done);
      met.hit("no_rpc", events.push && bench.oracle().top(*events.push).place.nowhere());
      met.hit("partial_exit", acts && acts->exit != 0 && acts->exit != before.path[acts->slot].mask);
      met.hit("goes_on", events.resolved && events.resolved->next && acts->target != acts->next);
      met.hit("goes_on_as_target_is_next", events.resolved && events.resolved->next && acts->target == acts->next);
      met.hit("does_not_go_on", events.resolved && !events.resolved->next && !events.push);
      met.hit("sibling_advances_as_it_is_taken_in", in.resolve && in.advance && in.resolve->warp == in.advance->warp);
      if (TypeParam::kNumWarps > 1) {
        met.hit("push_and_pop_of_two_warps", events.push && events.pop);
        met.hit("one_acts_and_another_is_taken_in", acts && in.resolve);
        met.hit("pops_in_two_cycles_on_end", events.pop && popped && events.pop != popped);
      }
      popped = events.pop;
      advanced = in.advance ? std::optional(in.advance->warp) : std::nullopt;
      for (const char* situation :
           {"call", "return", "return_wraps", "divergent_call", "divergent_return", "inherits",
            "return_divergence_at_level_0", "return_divergence", "return_tail_replaced", "address_learnt",
            "return_to_a_known_address", "return_elsewhere", "side_brings_the_address",
            "side_returns_to_a_known_address", "pop_to_the_return_address", "pop_without_address",
            "rpc_passed_at_another_level", "advance_to_the_return_address"}) {
        met.hit(situation, events.met.count(situation) != 0);
      }
      if (TypeParam::kDepth > 2) {
        for (const char* situation :
             {"return_tail_kept", "address_goes_on_to_the_sibling", "return_address_is_the_own_rpc"}) {
          met.hit(situation, events.met.count(situation) != 0);
        }
      }
      if (TypeParam::Bench::kForwards) {
        const auto beside = [&](const std::optional<WarpId>& event) {
          return event && in.advance && in.advance->warp == *event;
        };
        met.hit("forward", events.forward.has_value());
        met.hit("forward_beside_an_advance", beside(events.forward));
        met.hit("forward_as_the_other_path_arrives",
                beside(events.forward) && in.kill != events.forward &&
                    bench.oracle().top(*events.forward).path[in.advance->slot].mask == 0);
        met.hit("pop_beside_an_advance", beside(events.pop));
        met.hit("pop_as_the_guest_arrives", beside(events.pop) && in.kill != events.pop &&
                                                bench.oracle().top(*events.pop).path[in.advance->slot].mask == 0);
        met.hit("advance_of_a_guest", in.advance && advancing.path[in.advance->slot].guest);
        met.hit("kill_with_a_forward", events.forward && in.kill == events.forward);
        met.hit("kill_beside_a_forward", events.forward && in.kill && in.kill != events.forward);
        met.hit("held_forward",
                unheld && unheld->forward && (!chosen || chosen->warp != unheld->warp) && in.kill != unheld->warp);
        met.hit("held_pop",
                unheld && !unheld->forward && (!chosen || chosen->warp != unheld->warp) && in.kill != unheld->warp);
        for (const char* situation :
             {"guest_advances_to_its_place", "guest_passes_the_place_of_its_host", "guest_exits", "guest_arrives",
              "lonely_guest_diverges", "guest_diverges_tail", "guest_diverges", "guest_is_offered",
              "guest_returns_at_the_level_of_its_host", "guest_replaces", "guest_leaves_an_address",
              "pop_behind_a_guest", "pop_with_a_guest", "pop_with_a_guest_that_stays_one", "guest_of_a_guest"}) {
          met.hit(situation, events.met.count(situation) != 0);
        }
      }
      if (TypeParam::Bench::kSplits) {
        met.hit("split_left", in.split && in.split->slot == kLeft);
        met.hit("split_right", in.split && in.split->slot == kRight);
        met.hit("split_beside_a_push", in.split && events.push && events.push != in.split->warp);
        met.hit("split_beside_an_advance", in.split && in.advance);
        met.hit("split_beside_a_kill", in.split && in.kill);
        met.hit("kill_as_they_are_chosen_to_meet", to_meet && in.kill == to_meet);
        met.hit("chosen_to_meet_as_others_do", to_meet && events.meet && in.kill != to_meet);
        met.hit("chosen_to_meet_as_a_resolution_acts", to_meet && acts && acts->warp == *to_meet);
        met.hit("a_stopped_path_advances", in.advance && in.stopped.count({in.advance->warp, in.advance->slot}) != 0);
        for (const char* situation : {"split_of_who_was_joined",
                                      "advance_joins",
                                      "resolution_joins",
                                      "other_part_passed_at_another_level",
                                      "other_part_may_not_be_joined",
                                      "joins_who_waits",
                                      "kill_with_a_join",
                                      "part_advances_to_its_place",
                                      "part_arrives",
                                      "part_returns_to_its_place",
                                      "part_exits",
                                      "waits",
                                      "waits_with_fewer_threads",
                                      "waits_beside_who_may_not_be_joined",
                                      "joins_at_its_branch",
                                      "kill_as_it_begins_to_wait",
                                      "wait_ends_as_the_other_part_is_gone",
                                      "wait_ends_as_the_other_part_stops",
                                      "diverges_as_the_other_part_waits",
                                      "diverges_as_the_other_part_is_stopped",
                                      "diverges_and_never_waits",
                                      "row_keeps_parts",
                                      "row_keeps_one_part",
                                      "pop_with_parts",
                                      "pop_of_parts_of_which_one_is_gone",
                                      "meets",
                                      "kill_as_they_meet",
                                      "stopped_at_two_places",
                                      "stopped_at_one_pc_at_two_levels",
                                      "one_of_those_who_are_to_meet_is_gone"}) {
          met.hit(situation, events.met.count(situation) != 0);
        }
        met.hit("split_of_who_was_to_meet", in.split && events.meet == in.split->warp);
      }
      if (TypeParam::kLevelW < 8) met.hit("call_wraps", events.met.count("call_wraps") != 0);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

// What else is said of parts - who may be joined, who stands at a barrier - says nothing then.
// One side of a branch is at the reconvergence PC already, the other jumps or advances there.
TYPED_TEST_P(DpeStackRandom, EveryBitOfAReconvergencePcAloneMakesOne) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  typename TypeParam::Bench stack;
  for (unsigned bit = 1; bit < 32; ++bit) {  // bit 0 tells a PC from RETURN
    const Pc rpc = Pc{1} << bit;
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, kLeft, 0b1000, rpc, 0x456, rpc);
    EXPECT_EQ(stack.entries().back().path[kTaken].mask, 0u);
    stack.jump(0, kNext, rpc);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    stack.branch(0, kLeft, 0b0110, rpc - 4, rpc, rpc);
    EXPECT_EQ(stack.entries().back().path[kNext].mask, 0u);
    stack.advance(0, kTaken);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    EXPECT_EQ(stack.entries(), (Entries{{{{{rpc, 0b1111}, {0, 0}}}, kNoRpc}}));
    stack.exit(0, kLeft);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

TYPED_TEST_P(DpeStackRandom, SidesThatDifferInOneBitOfTheirPcsAreTwo) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  typename TypeParam::Bench stack;
  for (unsigned bit = 1; bit < 32; ++bit) {
    stack.launch(0, 0x124, 0b1111);
    stack.branch(0, kLeft, 0b1000, 0x456 ^ (Pc{1} << bit), 0x456, kNoRpc);
    EXPECT_EQ(stack.entries().back().path[kTaken].mask, 0b1000u) << bit;
    EXPECT_EQ(stack.entries().back().path[kNext].mask, 0b0111u) << bit;
    stack.exit(0, kTaken);
    stack.exit(0, kNext);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

// A path's mask may name threads that another path has ended: they are in no side, whoever else runs.
TYPED_TEST_P(DpeStackRandom, WhoHasEndedIsInNoSideThoughEachWarpHasSuchAThread) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  typename TypeParam::Bench stack;
  for (WarpId warp = 0; warp < TypeParam::kNumWarps; ++warp) {
    for (unsigned lane = 2; lane < TypeParam::kLanes; ++lane) {
      stack.reset();
      for (WarpId w = 0; w < TypeParam::kNumWarps; ++w) stack.launch(w, 0x100, lane_mask(TypeParam::kLanes));
      stack.branch(warp, kLeft, 0b11, 0x200, 0x104, 0x300);
      stack.branch(warp, kTaken, 0, 0x400, 0x204, kNoRpc, LaneMask{1} << lane);
      stack.branch(warp, kNext, LaneMask{1} << lane, 0x500, 0x108, 0x600);
      EXPECT_EQ(stack.oracle().depth(warp), 2u) << lane;
    }
  }
}

TYPED_TEST_P(DpeStackRandom, EveryBitOfAReturnAddressSaysWhetherTheCallerMeetsThere) {
  if (TypeParam::kDepth < 3) GTEST_SKIP() << "needs three entries";
  constexpr unsigned kNext = TypeParam::kTakenLeft != 0 ? kRight : kLeft;
  typename TypeParam::Bench stack;
  for (const Pc meet : {0xfffffffcu, 0x55555554u, 0xaaaaaaa8u}) {
    for (unsigned bit = 1; bit < 32; ++bit) {
      const Pc back = bit == 1 ? meet : meet ^ (Pc{1} << bit);
      stack.launch(0, kA, 0b1111);
      stack.branch(0, kLeft, 0b1000, meet, kMain, meet);
      stack.call(0, kNext, kFunction);
      stack.returns(0, kNext, back, 0b0100, kFunction + 4);
      stack.returns(0, kNext, back);
      EXPECT_EQ(stack.pop().pop, WarpId{0});
      EXPECT_EQ(stack.entries().back().path[kNext].mask, back == meet ? 0u : 0b0111u) << bit;
      if (back != meet) stack.jump(0, kNext, meet);
      EXPECT_EQ(stack.pop().pop, WarpId{0});
      stack.exit(0, kLeft);
      EXPECT_EQ(stack.pop().done, WarpId{0});
    }
  }
}

TYPED_TEST_P(DpeStackRandom, EveryBitOfAReturnAddressAloneIsOne) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight, kNext = 1 - kTaken;
  typename TypeParam::Bench stack;
  for (unsigned bit = 2; bit < 32; ++bit) {
    const Pc back = Pc{1} << bit;
    enter(stack);
    stack.returns(0, kLeft, back, 0b0001, kFunction + 4);
    // The address without this bit is not the one that was brought, neither for a side nor for a whole path.
    stack.returns(0, kNext, 0, 0b0010, kFunction + 8);
    EXPECT_EQ(stack.oracle().top(0).path[kTaken].mask, 0b0010u);
    stack.returns(0, kNext, 0);
    EXPECT_EQ(stack.oracle().top(0).path[kNext].mask, 0b1100u);
    stack.exit(0, kTaken);
    stack.jump(0, kNext, back);
    EXPECT_EQ(stack.pop().pop, WarpId{0});
    EXPECT_EQ(stack.entries(), (Entries{{{{{back, 0b1101}, {0, 0}}}, kNoRpc}}));
    stack.exit(0, kLeft);
    EXPECT_EQ(stack.pop().done, WarpId{0});
  }
}

TYPED_TEST_P(DpeStackRandom, LevelsWrapAround) {
  constexpr unsigned kTaken = TypeParam::kTakenLeft != 0 ? kLeft : kRight;
  typename TypeParam::Bench stack;
  stack.launch(0, kA, 0b1111);
  stack.branch(0, kLeft, 0b1000, kB, kC, kG);
  for (unsigned level = 1; level < 1u << TypeParam::kLevelW; ++level) stack.call(0, kTaken, kFunction);
  EXPECT_EQ(stack.oracle().top(0).path[kTaken].level, (1u << TypeParam::kLevelW) - 1);
  stack.jump(0, kTaken, kG);
  EXPECT_EQ(stack.oracle().top(0).path[kTaken].mask, 0b1000u);
  // As many calls as there are levels: level 0 again, and what is there is taken for the place of the entry.
  stack.call(0, kTaken, kG);
  EXPECT_EQ(stack.oracle().top(0).path[kTaken].mask, 0u);
}

REGISTER_TYPED_TEST_SUITE_P(DpeStackRandom, RtlTwinAndOracleAgreeInEveryCycle, EveryBitOfAReconvergencePcAloneMakesOne,
                            SidesThatDifferInOneBitOfTheirPcsAreTwo, WhoHasEndedIsInNoSideThoughEachWarpHasSuchAThread,
                            EveryBitOfAReturnAddressSaysWhetherTheCallerMeetsThere, EveryBitOfAReturnAddressAloneIsOne,
                            LevelsWrapAround);

}  // namespace heddle::test
