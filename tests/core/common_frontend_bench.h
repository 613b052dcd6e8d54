// SPDX-License-Identifier: Apache-2.0
// The bench of core/frontend alone: the oracle of a front end brings its stack and what the hooks of a holder say. A
// parameter set names the mechanism: kStackDepth, kLevelW, and void mechanism(FrontendConfig&).
#pragma once

#include "core/frontend.h"
#include "tests/core/frontend_bench.h"

namespace heddle::test {

template <class Set>
using CommonFrontendTwin =
    frontend<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kDepthW, Set::kScoreboard, Set::kSbEntries,
             Set::kSelector, Set::kPolicy, Set::kIbufDepth, Set::kPredicate, Set::kNumWb, Set::kTagW, Set::kWatch,
             Set::kPathBarriers, Set::kPartial, Set::kPayloadW, Set::kPcStep>;

template <class Set>
class CommonFrontendBench : public Bench<typename Set::Rtl, CommonFrontendTwin<Set>> {
 public:
  explicit CommonFrontendBench(std::uint64_t seed = 0)
      : Bench<typename Set::Rtl, CommonFrontendTwin<Set>>(seed),
        oracle_(config_of_set()) {
    reset();
  }
  [[nodiscard]] const FrontendOracle& oracle() const { return oracle_; }
  [[nodiscard]] const FrontendConfig& config() const { return oracle_.config(); }
  // Situations that the oracle has met, in all runs.
  [[nodiscard]] const std::set<std::string>& met() const { return met_; }

  void reset() {
    oracle_ = FrontendOracle(config());
    FrontendInputs nothing;  // all pins are 0 then
    nothing.save_ready = false;
    compare(nothing, oracle_);
    room_i = 0;
    resolve_ready_o.expect(0);
    this->reset_cycle();
  }
  void step(const FrontendInputs& in) {
    FrontendOracle after = oracle_;  // knows what the stack says in this cycle
    after.step(in);
    compare(in, after);
    oracle_ = after;
    met_.insert(oracle_.met().begin(), oracle_.met().end());
    this->cycle();
  }

 private:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes, kSlots = Set::kNumSlots;
  static constexpr unsigned kPaths = kWarps * kSlots;
  static constexpr unsigned kWarpWidth = index_width(kWarps), kSlotWidth = index_width(kSlots);

  static FrontendConfig config_of_set() {
    FrontendConfig config = common_config<Set>();
    config.optimistic = Set::kScoreboard == kScoreboardOptimistic;
    config.bitmap = Set::kScoreboard == kScoreboardBitmap;
    config.constrained = Set::kSelector == kSelectorConstrained;
    Set::mechanism(config);
    return config;
  }
  // With one slot the pins that speak of a slot say anything.
  [[nodiscard]] unsigned slot_of(unsigned slot) const { return kSlots > 1 ? slot : this->cycles() % 2; }

  void compare(const FrontendInputs& in, const FrontendOracle& after) {
    drive(in);
    drive_stack(after.events());
    expect_pins(in);
    expect_hooks(in, after.granted());
  }
  void drive(const FrontendInputs& in) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) launch_warp_i = in.launch->warp;
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    fetch_ready_i = in.fetch_ready;
    decode_valid_i = in.decode.has_value();
    if (in.decode) {
      decode_warp_i = in.decode->warp;
      decode_slot_i = slot_of(in.decode->slot);
      decode_tag_i = in.decode->tag;
      decode_count_i = in.decode->bundles.size();
      decode_instr0_i = in.decode->bundles.front();
      decode_instr1_i = in.decode->bundles.size() > 1 ? in.decode->bundles[1] : ~std::uint64_t{0};
    }
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_slot_i = slot_of(in.resolve->slot);
      resolve_taken_i = in.resolve->taken;
      resolve_skip_i = in.resolve->skip;
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      wb_valid_i.set(k, in.wb[k].has_value());
      if (!in.wb[k]) continue;
      wb_warp_i.set(k, in.wb[k]->warp);
      wb_slot_i.set(k, slot_of(in.wb[k]->slot));
      wb_reg_i.set(k, in.wb[k]->reg);
      wb_mask_i.set(k, in.wb[k]->mask);
    }
    miss_valid_i = in.miss.has_value();
    if (in.miss) {
      miss_warp_i = in.miss->warp;
      miss_slot_i = in.miss->slot;
    }
    unit_ready_i = in.unit_ready;
    hold_i = in.hold;
    release_i = in.release;
    issue_ready_i = in.issue_ready;
    room_i = !config().software || in.save_ready;
    keep_i = config().forward;
  }
  template <class Event>
  static void drive_event(Input& valid, Input& warp, const Event& event) {
    valid = event.has_value();
    if (event) warp = *event;
  }
  void drive_stack(const FrontendOracle::Events& events) {
    for (WarpId w = 0; w < kWarps; ++w) {
      depth_i.set(w, oracle_.depth(w));
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        const unsigned p = slot * kWarps + w;
        const DpePath path = oracle_.path(w, slot);
        pc_i.set(p, pc_on_pins<Set>(path.pc));
        mask_i.set(p, path.mask);
        valid_i.set(p, path.mask != 0);
        sibling_i.set(p, path.mask != 0 && oracle_.sibling({w, slot}));
        drop_i.set(p, oracle_.drops(w, slot));
        wait_i.set(p, oracle_.waits_for_part(w, slot));
        stop_i.set(p, oracle_.stopped(w, slot));
      }
    }
    resolved_valid_i = events.resolved.has_value();
    if (events.resolved) {
      resolved_warp_i = events.resolved->path.warp;
      resolved_slot_i = slot_of(events.resolved->path.slot);
      resolved_next_i = events.resolved->next;
    }
    drive_event(push_valid_i, push_warp_i, events.push);
    drive_event(pop_valid_i, pop_warp_i, events.pop);
    drive_event(stack_done_valid_i, stack_done_warp_i, events.done);
    drive_event(stack_overflow_valid_i, stack_overflow_warp_i, events.overflow);
  }

  void expect_pins(const FrontendInputs& in) {
    const FrontendOutputs& out = oracle_.outputs();
    fetch_valid_o.expect(out.fetch.valid);
    fetch_warp_o.expect(out.fetch.warp);
    fetch_slot_o.expect(out.fetch.slot);
    fetch_pc_o.expect(pc_on_pins<Set>(out.fetch.pc));
    fetch_tag_o.expect(out.fetch.tag);
    issue_valid_o.expect(out.issue.valid);
    issue_warp_o.expect(out.issue.warp);
    issue_slot_o.expect(out.issue.slot);
    issue_pc_o.expect(pc_on_pins<Set>(out.issue.pc));
    issue_mask_o.expect(out.issue.mask);
    issue_instr_o.expect(out.issue.instr);
    issue_sibling_o.expect(out.issue.sibling);
    issue_predicated_o.expect(out.issue.predicated);
    done_valid_o.expect(out.done.valid);
    done_warp_o.expect(out.done.warp);
    idle_o.expect(out.idle);
    overflow_valid_o.expect(out.overflow.valid);
    overflow_warp_o.expect(out.overflow.warp);
    stall_o.expect(out.stall);
    const auto taken = oracle_.taken(in);
    resolve_ready_o.expect(room_i.get());
    take_valid_o.expect(taken.has_value());
    if (taken) taken_o.expect(oracle_.leaves(*taken));
    else taken_o.ignore(0);
  }
  void expect_hooks(const FrontendInputs& in, const std::optional<Grant>& grant) {
    for (WarpId w = 0; w < kWarps; ++w) {
      bool pending = false;
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        const unsigned p = slot * kWarps + w;
        const std::uint64_t head = oracle_.head(w, slot);
        const bool granted = grant && grant->warp == w && grant->slot == slot;
        const bool control = ((head >> kControlBit) & 1) != 0;
        advance_o.expect(p, granted && !control);
        grant_o.expect(p, granted);
        control_o.expect(p, control);
        barrier_o.expect(p, (head >> kBarrierBit) & 1);
        head_valid_o.expect(p, oracle_.has_head(w, slot));
        blocked_o.expect(p, oracle_.blocked(w, slot));
        if (oracle_.path(w, slot).mask == 0 || !oracle_.has_head(w, slot)) blocked_o.ignore(p);
        waits_o.expect(p, oracle_.pending(w, slot));
        at_barrier_o.expect(p, oracle_.at_barrier(w, slot));
        in_region_o.expect(p, oracle_.predication().inside({w, slot}));
        pending = pending || oracle_.pending(w, slot);
      }
      pending_o.expect(w, pending);
      settled_o.expect(w, oracle_.settled(w, in.kill));
    }
  }

  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(fetch_ready_i, 1, 1);
  HEDDLE_INPUT(decode_valid_i, 1, 1);
  HEDDLE_INPUT(decode_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(decode_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(decode_tag_i, Set::kTagW, 1);
  HEDDLE_INPUT(decode_count_i, 2, 1);
  HEDDLE_INPUT(decode_instr0_i, kBundleWidth + Set::kPayloadW, 1);
  HEDDLE_INPUT(decode_instr1_i, kBundleWidth + Set::kPayloadW, 1);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_skip_i, 4, 1);
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_slot_i, kSlotWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(wb_mask_i, kLanes, Set::kNumWb);
  HEDDLE_INPUT(miss_valid_i, 1, 1);
  HEDDLE_INPUT(miss_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(miss_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(unit_ready_i, 5, 1);
  HEDDLE_INPUT(hold_i, kWarps, 1);
  HEDDLE_INPUT(release_i, kWarps, 1);
  HEDDLE_INPUT(pc_i, 32, kPaths);
  HEDDLE_INPUT(mask_i, kLanes, kPaths);
  HEDDLE_INPUT(valid_i, 1, kPaths);
  HEDDLE_INPUT(sibling_i, 1, kPaths);
  HEDDLE_INPUT(depth_i, Set::kDepthW, kWarps);
  HEDDLE_INPUT(resolved_valid_i, 1, 1);
  HEDDLE_INPUT(resolved_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolved_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(resolved_next_i, 1, 1);
  HEDDLE_INPUT(push_valid_i, 1, 1);
  HEDDLE_INPUT(push_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(pop_valid_i, 1, 1);
  HEDDLE_INPUT(pop_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(stack_done_valid_i, 1, 1);
  HEDDLE_INPUT(stack_done_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(stack_overflow_valid_i, 1, 1);
  HEDDLE_INPUT(stack_overflow_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(room_i, 1, 1);
  HEDDLE_INPUT(keep_i, 1, 1);
  HEDDLE_INPUT(drop_i, 1, kPaths);
  HEDDLE_INPUT(wait_i, 1, kPaths);
  HEDDLE_INPUT(stop_i, 1, kPaths);
  HEDDLE_INPUT(issue_ready_i, 1, 1);
  HEDDLE_OUTPUT(fetch_valid_o, 1, 1);
  HEDDLE_OUTPUT(fetch_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(fetch_slot_o, kSlotWidth, 1);
  HEDDLE_OUTPUT(fetch_pc_o, 32, 1);
  HEDDLE_OUTPUT(fetch_tag_o, Set::kTagW, 1);
  HEDDLE_OUTPUT(resolve_ready_o, 1, 1);
  HEDDLE_OUTPUT(advance_o, 1, kPaths);
  HEDDLE_OUTPUT(take_valid_o, 1, 1);
  HEDDLE_OUTPUT(taken_o, kLanes, 1);
  HEDDLE_OUTPUT(grant_o, 1, kPaths);
  HEDDLE_OUTPUT(control_o, 1, kPaths);
  HEDDLE_OUTPUT(barrier_o, 1, kPaths);
  HEDDLE_OUTPUT(head_valid_o, 1, kPaths);
  HEDDLE_OUTPUT(blocked_o, 1, kPaths);
  HEDDLE_OUTPUT(waits_o, 1, kPaths);
  HEDDLE_OUTPUT(at_barrier_o, 1, kPaths);
  HEDDLE_OUTPUT(in_region_o, 1, kPaths);
  HEDDLE_OUTPUT(pending_o, 1, kWarps);
  HEDDLE_OUTPUT(settled_o, 1, kWarps);
  HEDDLE_OUTPUT(issue_valid_o, 1, 1);
  HEDDLE_OUTPUT(issue_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(issue_slot_o, kSlotWidth, 1);
  HEDDLE_OUTPUT(issue_pc_o, 32, 1);
  HEDDLE_OUTPUT(issue_mask_o, kLanes, 1);
  HEDDLE_OUTPUT(issue_instr_o, kBundleWidth + Set::kPayloadW, 1);
  HEDDLE_OUTPUT(issue_sibling_o, 1, 1);
  HEDDLE_OUTPUT(issue_predicated_o, 1, 1);
  HEDDLE_OUTPUT(done_valid_o, 1, 1);
  HEDDLE_OUTPUT(done_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(idle_o, kWarps, 1);
  HEDDLE_OUTPUT(overflow_valid_o, 1, 1);
  HEDDLE_OUTPUT(overflow_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(stall_o, 4, 1);

  FrontendOracle oracle_;
  std::set<std::string> met_;
};

}  // namespace heddle::test
