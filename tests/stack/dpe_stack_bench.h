// SPDX-License-Identifier: Apache-2.0
// RTL, twin and oracle of the dual-path stacks in lockstep.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <vector>

#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/stack/dpe_stack_oracle.h"
#include "tests/stack/stack_logic.h"

namespace heddle::test {

using Entries = std::vector<DpeEntry>;
constexpr unsigned kLeft = 0, kRight = 1;

// All three opinions on one stack; the verbs are those of the contract: launch and advance take one cycle,
// a resolution one in which it is taken in and one in which it acts, a pop one in which it is chosen and one in which
// it happens. With forwarding a resolution has one more before it, in which its path waits for it.
// Forwards, Splits: of dpe_forward_stack and of dpe_split_stack, whose benches have the pins that only they have.
template <class Set, class Twin, bool Forwards = false, bool Splits = false>
class DpeStackBenchOf : public Bench<typename Set::Rtl, Twin> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes, kDepth = Set::kDepth;
  static constexpr unsigned kTakenLeft = Set::kTakenLeft, kLevelW = Set::kLevelW;
  static constexpr bool kForwards = Forwards, kSplits = Splits;
  using Inputs = DpeStackOracle::Inputs;
  using Events = DpeStackOracle::Events;

  // splits: the oracle knows of them. Whoever derives from this calls reset().
  explicit DpeStackBenchOf(std::uint64_t seed, bool splits = Splits)
      : Bench<typename Set::Rtl, Twin>(seed),
        splits_(splits) {}
  // Paths that may not be joined, and paths at a barrier, besides those of a step.
  std::set<DpeStackOracle::PathId> apart, stopped;

  [[nodiscard]] const DpeStackOracle& oracle() const { return oracle_; }
  [[nodiscard]] const Entries& entries(WarpId w = 0) const { return oracle_.entries(w); }

  void reset() {
    oracle_ = DpeStackOracle(kWarps, Set::kDepth, Set::kTakenLeft != 0, Set::kLevelW, Forwards, splits_);
    expect_state({});
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  Events step(Inputs in) {
    in.apart.insert(apart.begin(), apart.end());
    in.stopped.insert(stopped.begin(), stopped.end());
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    } else {
      launch_warp_i = idle_.below(1u << kWarpWidth);
      launch_pc_i = static_cast<Pc>(idle_.next());
      launch_mask_i = idle_.next() & lane_mask(kLanes);
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
    } else {
      resolve_warp_i = idle_.below(1u << kWarpWidth);
      for (Input* pc : {&resolve_target_i, &resolve_next_i, &resolve_rpc_i}) *pc = static_cast<Pc>(idle_.next());
      for (Input* mask : {&resolve_taken_i, &resolve_exit_i}) *mask = idle_.next() & lane_mask(kLanes);
    }
    drive(in);
    expect_state(in.stopped);
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    logic_.step(in, events, events.resolved && events.resolved->next, oracle_);
    return events;
  }

  Events launch(WarpId warp, Pc pc, LaneMask mask) { return step({DpeStackOracle::Launch{warp, pc, mask}, {}, {}}); }
  Events advance(WarpId warp, unsigned slot) { return step({{}, DpeStackOracle::Advance{warp, slot}, {}}); }
  Events branch(WarpId warp, unsigned slot, LaneMask taken, Pc target, Pc next, Pc rpc, LaneMask exit = 0) {
    return resolve({warp, slot, taken, target, next, rpc, exit});
  }
  // All threads of a path go to one place (an unconditional jump).
  Events jump(WarpId warp, unsigned slot, Pc to) { return branch(warp, slot, ~LaneMask{0}, to, to, kNoRpc); }
  // The path calls a function, or returns from it; `taken` are the threads that go, the others stay at `next`.
  Events call(WarpId warp, unsigned slot, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kNoRpc) {
    return resolve({warp, slot, taken, to, next, rpc, 0, true, false});
  }
  Events returns(WarpId warp, unsigned slot, Pc to, LaneMask taken = ~LaneMask{0}, Pc next = 4, Pc rpc = kReturnRpc) {
    return resolve({warp, slot, taken, to, next, rpc, 0, false, true});
  }
  Events exit(WarpId warp, unsigned slot) {
    return branch(warp, slot, 0, 4, 4, kNoRpc, oracle_.top(warp).path.at(slot).mask);
  }
  Events kill(WarpId warp) { return step({{}, {}, {}, warp}); }
  Events idle() { return step({}); }
  Events pop() {
    idle();
    return idle();
  }
  Events resolve(const DpeStackOracle::Resolve& resolution) {
    if (Forwards) hold({resolution.warp});
    step({{}, {}, resolution, {}, {resolution.warp}});
    return hold({resolution.warp});
  }
  // Nothing happens while these warps hold.
  Events hold(const std::set<WarpId>& warps) { return step({{}, {}, {}, {}, warps}); }
  // Of the path in this slot these threads stay behind, in the other one.
  Events split(WarpId warp, unsigned slot, LaneMask stay) {
    return step({{}, {}, {}, {}, {}, DpeStackOracle::Split{warp, slot, stay}});
  }
  // Two parts are chosen to meet, and do.
  Events meet() {
    idle();
    return idle();
  }
  // A path is chosen to be forwarded, and is.
  Events forward() {
    idle();
    return idle();
  }

 protected:
  // The pins that only one of the stacks has.
  virtual void drive(const Inputs& /*in*/) {}
  virtual void expect_own(const std::set<DpeStackOracle::PathId>& /*stopped_now*/) {}

  static constexpr unsigned kDepthWidth = count_width(Set::kDepth), kWarpWidth = index_width(kWarps);

 private:
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
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  void expect_state(const std::set<DpeStackOracle::PathId>& stopped_now) {
    for (WarpId w = 0; w < kWarps; ++w) {
      const DpeEntry top = oracle_.top(w);
      for (const unsigned slot : {kLeft, kRight}) {
        const unsigned path = slot * kWarps + w;
        pc_o.expect(path, top.path[slot].pc);
        mask_o.expect(path, top.path[slot].mask);
        level_o.expect(path, top.path[slot].level);
        valid_o.expect(path, top.path[slot].mask != 0);
        sibling_o.expect(path, top.path[1 - slot].mask != 0);
      }
      rpc_o.expect(w, top.place.rpc());
      rpc_level_o.expect(w, top.place.level());
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      if (oracle_.depth(w) != 0) continue;
      for (Output* data : {&rpc_o, &rpc_level_o, &live_o}) data->ignore(w);
      for (Output* data : {&pc_o, &level_o}) {
        data->ignore(w);
        data->ignore(kWarps + w);
      }
    }
    max_depth_o.expect(Set::kWatch != 0 ? oracle_.max_depth() : 0);
    expect_own(stopped_now);
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

 protected:
  bool splits_;
  Random idle_{
      1};  // what data pins say in cycles in which they mean nothing; PCs are odd, too, and warps none of these
  DpeStackOracle oracle_{kWarps, Set::kDepth, Set::kTakenLeft != 0, Set::kLevelW, Forwards, splits_};

 private:
  StackLogic<typename Twin::Logic, kWarps, Set::kWatch != 0> logic_;
};

// PCs of the examples: blocks of the paper's Figure 1; f, which is called from kMain at level 0, and where a call in it
// returns to.
constexpr Pc kA = 0x100, kB = 0x110, kC = 0x120, kD = 0x130, kE = 0x140, kF = 0x150, kG = 0x160;
constexpr Pc kMain = 0x100, kBack = 0x104, kFunction = 0x200, kR = 0x240;

// A path at level 1 that has called the function.
template <class Stack>
void enter(Stack& stack, LaneMask mask = 0b1111) {
  stack.launch(0, kMain, mask);
  stack.call(0, kLeft, kFunction);
}

}  // namespace heddle::test
