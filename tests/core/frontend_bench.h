// SPDX-License-Identifier: Apache-2.0
// The benches of the front ends: all pins, compared with FrontendOracle in every cycle.
#pragma once

#include "core/dpe_frontend.h"
#include "core/frontend.h"
#include "core/spe_frontend.h"
#include "tests/common/bench.h"
#include "tests/core/frontend_oracle.h"
#include "tests/core/kernel_run.h"

namespace heddle::test {

// What they have in common: the pins that speak of no slot.
template <class Set, class Twin>
class FrontendBench : public Bench<typename Set::Rtl, Twin> {
 public:
  [[nodiscard]] const FrontendOracle& oracle() const { return oracle_; }
  [[nodiscard]] const FrontendConfig& config() const { return oracle_.config(); }

  void reset() {
    oracle_ = FrontendOracle(config());
    expect(oracle_.outputs());
    this->reset_cycle();
  }
  void step(const FrontendInputs& in) {
    drive(in);
    expect(oracle_.outputs());
    oracle_.step(in);
    this->cycle();
  }

 protected:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  static constexpr unsigned kWarpWidth = index_width(kWarps), kDepthWidth = count_width(Set::kStackDepth);

  FrontendBench(std::uint64_t seed, const FrontendConfig& config)
      : Bench<typename Set::Rtl, Twin>(seed), oracle_(config) {}

  virtual void drive(const FrontendInputs& in) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    fetch_ready_i = in.fetch_ready;
    decode_valid_i = in.decode.has_value();
    if (in.decode) {
      decode_warp_i = in.decode->warp;
      decode_pc_i = in.decode->pc;
      decode_count_i = in.decode->bundles.size();
      decode_instr0_i = in.decode->bundles.front();
      decode_instr1_i = in.decode->bundles.size() > 1 ? in.decode->bundles[1] : ~std::uint64_t{0};
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
      resolve_skip_i = in.resolve->skip;
    }
    wb0_valid_i = in.wb[0].has_value();
    if (in.wb[0]) {
      wb0_warp_i = in.wb[0]->warp;
      wb0_reg_i = in.wb[0]->reg;
    }
    wb1_valid_i = in.wb[1].has_value();
    if (in.wb[1]) {
      wb1_warp_i = in.wb[1]->warp;
      wb1_reg_i = in.wb[1]->reg;
    }
    unit_ready_i = in.unit_ready;
    release_i = in.release;
  }

  virtual void expect(const FrontendOutputs& out) {
    fetch_valid_o.expect(out.fetch.valid);
    fetch_warp_o.expect(out.fetch.warp);
    fetch_pc_o.expect(out.fetch.pc);
    issue_valid_o.expect(out.issue.valid);
    issue_warp_o.expect(out.issue.warp);
    issue_pc_o.expect(out.issue.pc);
    issue_mask_o.expect(out.issue.mask);
    issue_instr_o.expect(out.issue.instr);
    issue_sibling_o.expect(out.issue.sibling);
    issue_predicated_o.expect(out.issue.predicated);
    done_valid_o.expect(out.done.valid);
    done_warp_o.expect(out.done.warp);
    overflow_valid_o.expect(out.overflow.valid);
    overflow_warp_o.expect(out.overflow.warp);
    stall_o.expect(out.stall);
    max_depth_o.expect(out.max_depth);
  }

 private:
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(fetch_ready_i, 1, 1);
  HEDDLE_INPUT(decode_valid_i, 1, 1);
  HEDDLE_INPUT(decode_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(decode_pc_i, 32, 1);
  HEDDLE_INPUT(decode_count_i, 2, 1);
  HEDDLE_INPUT(decode_instr0_i, kBundleWidth, 1);
  HEDDLE_INPUT(decode_instr1_i, kBundleWidth, 1);
  HEDDLE_INPUT(resolve_valid_i, 1, 1);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(resolve_taken_i, kLanes, 1);
  HEDDLE_INPUT(resolve_target_i, 32, 1);
  HEDDLE_INPUT(resolve_next_i, 32, 1);
  HEDDLE_INPUT(resolve_rpc_i, 32, 1);
  HEDDLE_INPUT(resolve_exit_i, kLanes, 1);
  HEDDLE_INPUT(resolve_call_i, 1, 1);
  HEDDLE_INPUT(resolve_return_i, 1, 1);
  HEDDLE_INPUT(resolve_skip_i, 4, 1);
  HEDDLE_INPUT(wb0_valid_i, 1, 1);
  HEDDLE_INPUT(wb0_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(wb0_reg_i, 6, 1);
  HEDDLE_INPUT(wb1_valid_i, 1, 1);
  HEDDLE_INPUT(wb1_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(wb1_reg_i, 6, 1);
  HEDDLE_INPUT(unit_ready_i, 5, 1);
  HEDDLE_INPUT(release_i, kWarps, 1);
  HEDDLE_OUTPUT(fetch_valid_o, 1, 1);
  HEDDLE_OUTPUT(fetch_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(fetch_pc_o, 32, 1);
  HEDDLE_OUTPUT(issue_valid_o, 1, 1);
  HEDDLE_OUTPUT(issue_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(issue_pc_o, 32, 1);
  HEDDLE_OUTPUT(issue_mask_o, kLanes, 1);
  HEDDLE_OUTPUT(issue_instr_o, kBundleWidth, 1);
  HEDDLE_OUTPUT(issue_sibling_o, 1, 1);
  HEDDLE_OUTPUT(issue_predicated_o, 1, 1);
  HEDDLE_OUTPUT(done_valid_o, 1, 1);
  HEDDLE_OUTPUT(done_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(overflow_valid_o, 1, 1);
  HEDDLE_OUTPUT(overflow_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(stall_o, 4, 1);
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  FrontendOracle oracle_;
};

template <class Set>
using SpeFrontendTwin = spe_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kSbEntries, Set::kIbufDepth,
                                     Set::kPushOrder, Set::kPolicy, Set::kLevelW, Set::kPredicate>;

template <class Set>
class SpeFrontendBench : public FrontendBench<Set, SpeFrontendTwin<Set>> {
 public:
  explicit SpeFrontendBench(std::uint64_t seed = 0) : FrontendBench<Set, SpeFrontendTwin<Set>>(seed, config_of_set()) {
    this->reset();
  }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config;
    config.warps = Set::kNumWarps;
    config.lanes = Set::kLanes;
    config.stack_depth = Set::kStackDepth;
    config.sb_entries = Set::kSbEntries;
    config.ibuf_depth = Set::kIbufDepth;
    config.push_order = static_cast<PushOrder>(Set::kPushOrder);
    config.policy = static_cast<Policy>(Set::kPolicy);
    config.level_bits = Set::kLevelW;
    config.predicate = Set::kPredicate != 0;
    return config;
  }
};

// With the pins that speak of a slot, which mean nothing to a front end of one slot.
template <class Set, class Twin>
class SlotFrontendBench : public FrontendBench<Set, Twin> {
 protected:
  using Base = FrontendBench<Set, Twin>;
  using Base::Base;

  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    const bool dual = this->config().dual;
    const unsigned ignored = this->cycles() % 2;
    if (in.decode) decode_slot_i = dual ? in.decode->slot : ignored;
    if (in.resolve) resolve_slot_i = dual ? in.resolve->slot : ignored;
    if (in.wb[0]) {
      wb0_slot_i = dual ? in.wb[0]->slot : ignored;
      wb0_mask_i = in.wb[0]->mask;
    }
    if (in.wb[1]) {
      wb1_slot_i = dual ? in.wb[1]->slot : ignored;
      wb1_mask_i = in.wb[1]->mask;
    }
    miss_valid_i = dual ? in.miss.has_value() : ignored;
    if (in.miss) {
      miss_warp_i = in.miss->warp;
      miss_slot_i = in.miss->slot;
    }
  }
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    fetch_slot_o.expect(out.fetch.slot);
    issue_slot_o.expect(out.issue.slot);
  }

 private:
  HEDDLE_INPUT(decode_slot_i, 1, 1);
  HEDDLE_INPUT(resolve_slot_i, 1, 1);
  HEDDLE_INPUT(wb0_slot_i, 1, 1);
  HEDDLE_INPUT(wb0_mask_i, Set::kLanes, 1);
  HEDDLE_INPUT(wb1_slot_i, 1, 1);
  HEDDLE_INPUT(wb1_mask_i, Set::kLanes, 1);
  HEDDLE_INPUT(miss_valid_i, 1, 1);
  HEDDLE_INPUT(miss_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(miss_slot_i, 1, 1);
  HEDDLE_OUTPUT(fetch_slot_o, 1, 1);
  HEDDLE_OUTPUT(issue_slot_o, 1, 1);
};

template <class Set>
using DpeFrontendTwin = dpe_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kSbEntries, Set::kIbufDepth,
                                     Set::kTakenLeft, Set::kScoreboard, Set::kSelector, Set::kPolicy, Set::kLevelW,
                                     Set::kPredicate>;

template <class Set>
class DpeFrontendBench : public SlotFrontendBench<Set, DpeFrontendTwin<Set>> {
 public:
  explicit DpeFrontendBench(std::uint64_t seed = 0) : SlotFrontendBench<Set, DpeFrontendTwin<Set>>(seed, config_of_set()) {
    this->reset();
  }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config;
    config.dual = true;
    config.warps = Set::kNumWarps;
    config.lanes = Set::kLanes;
    config.stack_depth = Set::kStackDepth;
    config.sb_entries = Set::kSbEntries;
    config.ibuf_depth = Set::kIbufDepth;
    config.taken_left = Set::kTakenLeft != 0;
    config.optimistic = Set::kScoreboard != 0;
    config.constrained = Set::kSelector != 0;
    config.policy = static_cast<Policy>(Set::kPolicy);
    config.level_bits = Set::kLevelW;
    config.predicate = Set::kPredicate != 0;
    return config;
  }
};

template <class Set>
using AnyFrontendTwin = frontend<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kStack, Set::kStackDepth, Set::kStackOrder,
                                 Set::kScoreboard, Set::kSbEntries, Set::kSelector, Set::kPolicy, Set::kIbufDepth, Set::kLevelW,
                                 Set::kPredicate>;

template <class Set>
class AnyFrontendBench : public SlotFrontendBench<Set, AnyFrontendTwin<Set>> {
 public:
  explicit AnyFrontendBench(std::uint64_t seed = 0) : SlotFrontendBench<Set, AnyFrontendTwin<Set>>(seed, config_of_set()) {
    this->reset();
  }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config;
    config.dual = Set::kNumSlots == 2;
    config.warps = Set::kNumWarps;
    config.lanes = Set::kLanes;
    config.stack_depth = Set::kStackDepth;
    config.sb_entries = Set::kSbEntries;
    config.ibuf_depth = Set::kIbufDepth;
    config.push_order = static_cast<PushOrder>(Set::kStackOrder);
    config.taken_left = Set::kStackOrder == 0;
    config.optimistic = Set::kScoreboard == 2;
    config.constrained = Set::kSelector == 1;
    config.policy = static_cast<Policy>(Set::kPolicy);
    config.level_bits = Set::kLevelW;
    config.predicate = Set::kPredicate != 0;
    return config;
  }
};

// Every live thread is in exactly one path: in each entry left and right are disjoint, and an entry above holds threads of
// those that wait below; all together are the live threads.
inline void check_threads(const FrontendOracle& oracle) {
  for (WarpId w = 0; w < oracle.config().warps; ++w) {
    LaneMask all = 0;
    LaneMask live = 0;
    if (oracle.config().dual) {
      live = oracle.dpe_stack().live(w);
      for (const DpeEntry& entry : oracle.dpe_stack().entries(w)) {
        if ((entry.path[0].mask & entry.path[1].mask) != 0) throw Violation("a thread is in both paths of an entry");
        all |= entry.path[0].mask | entry.path[1].mask;
      }
    } else {
      live = oracle.spe_stack().live(w);
      for (const SpeEntry& entry : oracle.spe_stack().entries(w)) all |= entry.mask;
    }
    if ((live & ~all) != 0) throw Violation("a live thread of warp " + std::to_string(w) + " is in no path");
  }
}

// Runs launches of a program to their end on all three opinions; `look` sees the state before every edge.
template <class AnyBench, class Look>
KernelRun run_kernel(AnyBench& bench, const RandomProgram& program, unsigned launches, std::uint64_t seed,
                     const Timing& timing, Look look) {
  bench.reset();
  KernelRun run(program, bench.config(), launches, seed, timing);
  while (!run.finished()) {
    look(bench.oracle());
    bench.step(run.next(bench.oracle().outputs()));
    check_threads(bench.oracle());
  }
  return run;
}
template <class AnyBench>
KernelRun run_kernel(AnyBench& bench, const RandomProgram& program, unsigned launches, std::uint64_t seed,
                     const Timing& timing) {
  return run_kernel(bench, program, launches, seed, timing, [](const FrontendOracle&) {});
}

// The programs of the random tests, by number: without functions, with one to three, and misleading ones.
inline ProgramShape shape_of(std::uint64_t number) {
  ProgramShape shape;
  shape.blocks = 4 + number % 9;
  shape.uniform = number % 8 == 0;
  shape.functions = number % 5 < 2 ? 0 : number % 5 - 1;
  shape.misleading = number % 7 == 3;
  return shape;
}

// Fast and slow surroundings, by number.
inline Timing timing_of(std::uint64_t number) {
  switch (number % 4) {
    case 0: return {100, 100, 0, 0, 0, 0, 0, 100};
    case 1: return {80, 80, 4, 4, 12, 5, 10, 50};
    case 2: return {30, 95, 10, 2, 40, 10, 5, 20};
    default: return {95, 40, 2, 15, 6, 20, 30, 80};
  }
}

}  // namespace heddle::test
