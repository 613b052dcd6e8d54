// SPDX-License-Identifier: Apache-2.0
// All opinions on stack/convergence_barriers: RTL, twin, its logic as a front end drives it, and the oracle.
#pragma once

#include <sstream>
#include <string>

#include "stack/convergence_barriers.h"
#include "tests/common/bench.h"
#include "tests/stack/convergence_barriers_oracle.h"

namespace heddle::test {

template <class Set>
using BarriersTwin = convergence_barriers<Set::kNumWarps, Set::kLanes, Set::kBarriers, Set::kPushOrder, Set::kPolicy,
                                          Set::kYieldMode, Set::kLevelW, Set::kWatch, Set::kPcStep>;

// What a resolution says of a mark on the pins.
inline std::uint32_t kind_of(const BarriersOracle::Resolve& resolve) {
  return static_cast<std::uint32_t>(resolve.mark) | resolve.barrier << kKindWidth;
}

template <class Set>
class BarriersBench : public Bench<typename Set::Rtl, BarriersTwin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  using Oracle = BarriersOracle;
  using Inputs = Oracle::Inputs;
  using Events = Oracle::Events;
  using Resolve = Oracle::Resolve;

  explicit BarriersBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, BarriersTwin<Set>>(seed) { reset(); }

  [[nodiscard]] const Oracle& oracle() const { return oracle_; }

  void reset() {
    oracle_ = Oracle(config());
    expect_state();
    expect_events({});
    this->reset_cycle();
    logic_.reset();
  }

  // `other_kind`: what a resolution that is no mark says, a number of another mechanism.
  Events step(const Inputs& in, std::uint32_t other_kind = 0) {
    drive(in, other_kind);
    expect_state();
    const std::uint64_t poppable = logic_.poppable();
    const PopChoice popped = logic_.popped();
    const Events events = oracle_.step(in);
    expect_events(events);
    this->cycle();
    same("pop", popped.valid, events.pop.has_value());
    if (popped.valid) same("popped warp", popped.warp, *events.pop);
    step_logic(in, events, poppable, other_kind);
    return events;
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kDepthWidth = count_width(kLanes);
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
  HEDDLE_INPUT(resolve_call_i, 1, 1);    // ignored
  HEDDLE_INPUT(resolve_return_i, 1, 1);  // ignored
  HEDDLE_INPUT(resolve_kind_i, kKindWidth + index_width(Set::kBarriers), 1);
  HEDDLE_INPUT(resolve_operand_i, 64, 1);
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
  HEDDLE_OUTPUT(answer_valid_o, 1, 1);
  HEDDLE_OUTPUT(answer_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(answer_value_o, 64, 1);
  HEDDLE_OUTPUT(event_valid_o, 1, 1);
  HEDDLE_OUTPUT(event_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(event_code_o, kEventWidth, 1);
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  static Oracle::Config config() {
    return {kWarps,
            kLanes,
            Set::kBarriers,
            static_cast<FirstSide>(Set::kPushOrder),
            static_cast<YieldRule>(Set::kPolicy),
            Set::kYieldMode != 0,
            Set::kPcStep};
  }

  void drive(const Inputs& in, std::uint32_t other_kind) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    for (WarpId w = 0; w < kWarps; ++w) advance_i.set(w, in.advance == w);
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      const Resolve& r = *in.resolve;
      resolve_warp_i = r.warp;
      resolve_taken_i = r.taken;
      resolve_target_i = r.target;
      resolve_next_i = r.next;
      resolve_rpc_i = r.place;
      resolve_exit_i = r.exit;
      resolve_call_i = r.call;
      resolve_return_i = r.returns;
      resolve_kind_i = r.mark == Mark::kNone ? kind_of(r) | other_kind : kind_of(r);
      resolve_operand_i = r.operand;
    }
  }

  void expect_state() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const Oracle::Path path = oracle_.path(w);
      pc_o.expect(w, path.pc);
      mask_o.expect(w, path.mask);
      level_o.expect(w, 0);
      valid_o.expect(w, path.mask != 0);
      sibling_o.expect(w, oracle_.depth(w) > 1);
      rpc_o.expect(w, 0);
      rpc_level_o.expect(w, 0);
      live_o.expect(w, oracle_.live(w));
      depth_o.expect(w, oracle_.depth(w));
      if (oracle_.depth(w) == 0) {
        pc_o.ignore(w);
        live_o.ignore(w);
      }
    }
    const auto answer = oracle_.answer();
    const auto event = oracle_.event();
    answer_valid_o.expect(answer.has_value());
    answer_warp_o.expect(answer ? answer->warp : 0);
    answer_value_o.expect(answer ? answer->value : 0);
    event_valid_o.expect(event.has_value());
    event_warp_o.expect(event ? event->warp : 0);
    event_code_o.expect(event ? static_cast<unsigned>(event->what) : 0);
    max_depth_o.expect(Set::kWatch != 0 ? oracle_.most() : 0);
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

  // The logic is driven as a front end drives it, and must know what every thread waits for.
  void step_logic(const Inputs& in, const Events& events, std::uint64_t poppable, std::uint32_t other_kind) {
    logic_.begin();
    if (in.advance) logic_.advance(*in.advance, 0);
    if (logic_.taken_in().valid) {
      const BarrierResolved did = logic_.act(in.kill == logic_.taken_in().warp);
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
      resolution.rpc = r.place;
      resolution.call = r.call;
      resolution.ret = r.returns;
      resolution.kind = r.mark == Mark::kNone ? kind_of(r) | other_kind : kind_of(r);
      logic_.take_in(r.warp, 0, resolution, r.operand);
    }
    const PopChoice chosen = logic_.chosen();
    if (chosen.valid) same("done", logic_.serve(in.kill == chosen.warp), events.done.has_value());
    if (in.launch) logic_.launch(in.launch->warp, in.launch->pc, in.launch->mask);
    if (in.kill) logic_.kill(*in.kill);
    logic_.choose(poppable);
    compare_logic();
  }

  void compare_logic() {
    for (WarpId w = 0; w < kWarps; ++w) {
      const Oracle::Path path = oracle_.path(w);
      same("depth", logic_.depth(w), oracle_.depth(w));
      same("mask", logic_.path(w, 0).mask, path.mask);
      same("sibling", logic_.sibling(w, 0), oracle_.depth(w) > 1);
      same("stuck", has_bit(logic_.stuck(), w), oracle_.stuck(w));
      if (oracle_.depth(w) == 0) continue;
      same("pc", logic_.path(w, 0).pc, path.pc);
      same("live", logic_.live(w), oracle_.live(w));
      const std::vector<Oracle::Path> others = oracle_.others(w);
      for (unsigned i = 0; i < others.size(); ++i) {
        const WaitingPath other = logic_.waiting(w, static_cast<std::uint32_t>(others.size()) - 1 - i);
        same("mask of a path that waits", other.mask, others[i].mask);
        same("pc of a path that waits", other.pc, others[i].pc);
      }
      for (unsigned index = 0; index < Set::kBarriers + kLanes; ++index) compare_barrier(w, index);
    }
    same("serves", logic_.chosen().valid, oracle_.serving().has_value());
    same("answers", logic_.answer().valid, oracle_.answer().has_value());
    if (oracle_.answer()) same("answer", logic_.answer().value, oracle_.answer()->value);
    same("event", logic_.event().code, oracle_.event() ? static_cast<unsigned>(oracle_.event()->what) : 0);
    same("max_depth", logic_.max_depth(), Set::kWatch != 0 ? oracle_.most() : 0);
  }
  void compare_barrier(WarpId w, unsigned index) {
    const auto members = oracle_.members(w, index);
    const bool armed = index < Set::kBarriers ? has_bit(logic_.armed(w), index)
                                              : has_bit(logic_.armed_syncs(w), index - Set::kBarriers);
    same("armed", armed, members.has_value());
    if (!members) return;
    const BarrierRow row = logic_.row(w, index);
    same("members", row.mask, *members);
    same("who waits", row.arrived & oracle_.live(w), oracle_.waiting(w, index));
    same("where they go on", row.pc, oracle_.goes_on_at(w, index));
  }

  void same(const char* what, std::uint64_t shown, std::uint64_t expected) {
    if (shown == expected) return;
    std::ostringstream text;
    text << "mismatch at cycle " << this->cycles() << ": " << what << std::hex << ": logic 0x" << shown << ", oracle 0x"
         << expected;
    throw Mismatch(text.str());
  }

  Oracle oracle_ = Oracle(config());
  typename BarriersTwin<Set>::Logic logic_;
};

// A program of warp 0, instruction by instruction: each is resolved, acts, and the warp is served until a path issues.
template <class Set>
class BarriersProgram : public BarriersBench<Set> {
 public:
  using Resolve = BarriersOracle::Resolve;

  void launch(Pc pc, LaneMask mask) {
    BarriersOracle::Inputs in;
    in.launch = {0, pc, mask};
    this->step(in);
  }
  // The path goes on to this PC without an instruction that resolves.
  void walk(Pc to) {
    while (path().pc != to) {
      BarriersOracle::Inputs in;
      in.advance = 0;
      this->step(in);
    }
  }
  void branch(LaneMask taken, Pc target) {
    Resolve r = of(Mark::kNone);
    r.taken = taken;
    r.target = target;
    resolve(r);
  }
  void jump(Pc target) { branch(~LaneMask{0}, target); }
  void leave(LaneMask exit) {
    Resolve r = of(Mark::kNone);
    r.exit = exit;
    r.target = r.next;
    resolve(r);
  }
  void arm(unsigned barrier, Pc place) {
    Resolve r = of(Mark::kArm, barrier);
    r.place = place;
    resolve(r);
  }
  void arrive(unsigned barrier) { resolve(of(Mark::kArrive, barrier)); }
  void break_out(unsigned barrier) { resolve(of(Mark::kBreak, barrier)); }
  void yield() { resolve(of(Mark::kYield)); }
  void sync(LaneMask mask) {
    Resolve r = of(Mark::kSync);
    r.operand = mask;
    resolve(r);
  }
  std::uint64_t save(unsigned barrier) { return answer_of(of(Mark::kSave, barrier)); }
  std::uint64_t save_place(unsigned barrier) { return answer_of(of(Mark::kSavePc, barrier)); }
  void restore(unsigned barrier, LaneMask mask, Pc place) {
    Resolve r = of(Mark::kRestore, barrier);
    r.operand = mask;
    r.place = place;
    resolve(r);
  }
  void kill() {
    BarriersOracle::Inputs in;
    in.kill = 0;
    this->step(in);
  }
  void resolve(const Resolve& r) {
    told_.reset();
    releases_ = 0;
    BarriersOracle::Inputs in;
    in.resolve = r;
    this->step(in);
    do idle();
    while (path().mask == 0 && this->oracle().depth(0) != 0 && !this->oracle().stuck(0));
    idle();
  }

  [[nodiscard]] BarriersOracle::Path path() const { return this->oracle().path(0); }
  // What was told since the last instruction, and how many barriers let their threads go.
  [[nodiscard]] std::optional<Told> told() const { return told_; }
  [[nodiscard]] unsigned releases() const { return releases_; }
  [[nodiscard]] LaneMask waiting(unsigned barrier) const { return this->oracle().waiting(0, barrier); }
  [[nodiscard]] bool armed(unsigned barrier) const { return this->oracle().members(0, barrier).has_value(); }
  // Of the warpsync whose lowest lane this is.
  [[nodiscard]] LaneMask at_sync(unsigned lane) const { return this->oracle().waiting(0, Set::kBarriers + lane); }

 private:
  [[nodiscard]] Resolve of(Mark mark, unsigned barrier = 0) const {
    Resolve r;
    r.mark = mark;
    r.barrier = barrier;
    r.next = path().pc + Set::kPcStep;
    return r;
  }
  void idle() {
    this->step({});
    if (this->oracle().event()) told_ = this->oracle().event()->what;
    if (this->oracle().answer()) answer_ = this->oracle().answer()->value;
    releases_ += this->oracle().met().count("release") + this->oracle().met().count("release_before_a_path");
  }
  std::uint64_t answer_of(const Resolve& r) {
    answer_.reset();
    resolve(r);
    return answer_.value();
  }

  std::optional<Told> told_;
  std::optional<std::uint64_t> answer_;
  unsigned releases_ = 0;
};

}  // namespace heddle::test
