// SPDX-License-Identifier: Apache-2.0
// The benches of the front ends: all pins, compared with FrontendOracle in every cycle.
#pragma once

#include "core/dpe_frontend.h"
#include "core/dws_frontend.h"
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
    FrontendInputs nothing;  // all pins are 0 then
    nothing.save_ready = false;
    drive(nothing);
    expect(oracle_.outputs());
    this->reset_cycle();
  }
  void step(const FrontendInputs& in) {
    drive(in);
    expect(oracle_.outputs());
    oracle_.step(in);
    met_.insert(oracle_.met().begin(), oracle_.met().end());
    this->cycle();
  }
  // Situations that the oracle has met, in all runs.
  [[nodiscard]] const std::set<std::string>& met() const { return met_; }

 protected:
  static constexpr unsigned kWarps = Set::kNumWarps, kLanes = Set::kLanes;
  static constexpr unsigned kWarpWidth = index_width(kWarps), kDepthWidth = count_width(Set::kStackDepth);

  FrontendBench(std::uint64_t seed, const FrontendConfig& config)
      : Bench<typename Set::Rtl, Twin>(seed),
        oracle_(config) {}

  virtual void drive(const FrontendInputs& in) {
    launch_valid_i = in.launch.has_value();
    if (in.launch) {
      launch_warp_i = in.launch->warp;
      launch_pc_i = in.launch->pc;
      launch_mask_i = in.launch->mask;
    }
    kill_valid_i = in.kill.has_value();
    if (in.kill) kill_warp_i = *in.kill;
    fetch_ready_i = in.fetch_ready;
    decode_valid_i = in.decode.has_value();
    if (in.decode) {
      decode_warp_i = in.decode->warp;
      decode_tag_i = in.decode->tag;
      decode_count_i = in.decode->bundles.size();
      decode_instr0_i = in.decode->bundles.front();
      decode_instr1_i = in.decode->bundles.size() > 1 ? in.decode->bundles[1] : ~std::uint64_t{0};
    }
    bool lower = false;
    for (unsigned k = 0; k < Set::kNumResolve; ++k) {
      const auto& resolution = in.resolve[k];
      resolve_ready_o.expect(k, !lower && (!config().software || in.save_ready));
      lower = lower || resolution.has_value();
      resolve_valid_i.set(k, resolution.has_value());
      if (!resolution) continue;
      resolve_warp_i.set(k, resolution->warp);
      resolve_taken_i.set(k, resolution->taken);
      resolve_target_i.set(k, resolution->target);
      resolve_next_i.set(k, resolution->next);
      resolve_rpc_i.set(k, resolution->rpc);
      resolve_exit_i.set(k, resolution->exit);
      resolve_call_i.set(k, resolution->call);
      resolve_return_i.set(k, resolution->returns);
      resolve_mark_i.set(k, resolution->mark);
      resolve_skip_i.set(k, resolution->skip);
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      wb_valid_i.set(k, in.wb[k].has_value());
      if (!in.wb[k]) continue;
      wb_warp_i.set(k, in.wb[k]->warp);
      wb_reg_i.set(k, in.wb[k]->reg);
    }
    unit_ready_i = in.unit_ready;
    release_i = in.release;
    issue_ready_i = in.issue_ready;
  }

  virtual void expect(const FrontendOutputs& out) {
    fetch_valid_o.expect(out.fetch.valid);
    fetch_warp_o.expect(out.fetch.warp);
    fetch_pc_o.expect(out.fetch.pc);
    fetch_tag_o.expect(out.fetch.tag);
    issue_valid_o.expect(out.issue.valid);
    issue_warp_o.expect(out.issue.warp);
    issue_pc_o.expect(out.issue.pc);
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
    max_depth_o.expect(out.max_depth);
  }

 private:
  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(launch_pc_i, 32, 1);
  HEDDLE_INPUT(launch_mask_i, kLanes, 1);
  HEDDLE_INPUT(kill_valid_i, 1, 1);
  HEDDLE_INPUT(kill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(fetch_ready_i, 1, 1);
  HEDDLE_INPUT(decode_valid_i, 1, 1);
  HEDDLE_INPUT(decode_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(decode_tag_i, Set::kTagW, 1);
  HEDDLE_INPUT(decode_count_i, 2, 1);
  HEDDLE_INPUT(decode_instr0_i, kBundleWidth, 1);
  HEDDLE_INPUT(decode_instr1_i, kBundleWidth, 1);
  HEDDLE_INPUT(resolve_valid_i, 1, Set::kNumResolve);
  HEDDLE_INPUT(resolve_warp_i, kWarpWidth, Set::kNumResolve);
  HEDDLE_INPUT(resolve_taken_i, kLanes, Set::kNumResolve);
  HEDDLE_INPUT(resolve_target_i, 32, Set::kNumResolve);
  HEDDLE_INPUT(resolve_next_i, 32, Set::kNumResolve);
  HEDDLE_INPUT(resolve_rpc_i, 32, Set::kNumResolve);
  HEDDLE_INPUT(resolve_exit_i, kLanes, Set::kNumResolve);
  HEDDLE_INPUT(resolve_call_i, 1, Set::kNumResolve);
  HEDDLE_INPUT(resolve_return_i, 1, Set::kNumResolve);
  HEDDLE_INPUT(resolve_mark_i, 1, Set::kNumResolve);
  HEDDLE_INPUT(resolve_skip_i, 4, Set::kNumResolve);
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(unit_ready_i, 5, 1);
  HEDDLE_INPUT(release_i, kWarps, 1);
  HEDDLE_INPUT(issue_ready_i, 1, 1);
  HEDDLE_OUTPUT(fetch_valid_o, 1, 1);
  HEDDLE_OUTPUT(fetch_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(fetch_pc_o, 32, 1);
  HEDDLE_OUTPUT(fetch_tag_o, Set::kTagW, 1);
  HEDDLE_OUTPUT(resolve_ready_o, 1, Set::kNumResolve);
  HEDDLE_OUTPUT(issue_valid_o, 1, 1);
  HEDDLE_OUTPUT(issue_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(issue_pc_o, 32, 1);
  HEDDLE_OUTPUT(issue_mask_o, kLanes, 1);
  HEDDLE_OUTPUT(issue_instr_o, kBundleWidth, 1);
  HEDDLE_OUTPUT(issue_sibling_o, 1, 1);
  HEDDLE_OUTPUT(issue_predicated_o, 1, 1);
  HEDDLE_OUTPUT(done_valid_o, 1, 1);
  HEDDLE_OUTPUT(done_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(idle_o, kWarps, 1);
  HEDDLE_OUTPUT(overflow_valid_o, 1, 1);
  HEDDLE_OUTPUT(overflow_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(stall_o, 4, 1);
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  FrontendOracle oracle_;
  std::set<std::string> met_;
};

// What the front ends' parameters say alike.
template <class Set>
FrontendConfig common_config() {
  FrontendConfig config;
  config.warps = Set::kNumWarps;
  config.lanes = Set::kLanes;
  config.stack_depth = Set::kStackDepth;
  config.sb_entries = Set::kSbEntries;
  config.ibuf_depth = Set::kIbufDepth;
  config.policy = static_cast<Policy>(Set::kPolicy);
  config.level_bits = Set::kLevelW;
  config.predicate = Set::kPredicate != 0;
  config.write_ports = Set::kNumWb;
  config.resolve_ports = Set::kNumResolve;
  config.tag_bits = Set::kTagW;
  config.watch = Set::kWatch != 0;
  return config;
}

template <class Set>
using SpeFrontendTwin =
    spe_frontend<Set::kNumWarps, Set::kLanes, Set::kStack, Set::kStackDepth, Set::kScoreboard, Set::kSbEntries,
                 Set::kIbufDepth, Set::kPushOrder, Set::kPolicy, Set::kLevelW, Set::kPredicate, Set::kNumWb,
                 Set::kNumResolve, Set::kTagW, Set::kAhead, Set::kWatch>;

template <class Set>
class SpeFrontendBench : public FrontendBench<Set, SpeFrontendTwin<Set>> {
 public:
  explicit SpeFrontendBench(std::uint64_t seed = 0) : FrontendBench<Set, SpeFrontendTwin<Set>>(seed, config_of_set()) {
    this->reset();
  }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = common_config<Set>();
    config.push_order = static_cast<PushOrder>(Set::kPushOrder);
    config.compact = Set::kStack == 1;
    config.fork_join = Set::kStack == 2;
    config.bitmap = Set::kScoreboard == 1;
    config.ahead = Set::kAhead != 0;
    return config;
  }
};

// With the pins that speak of a slot, which mean nothing to a front end of one slot.
template <class Set, class Twin, unsigned Slots>
class SlotFrontendBench : public FrontendBench<Set, Twin> {
 protected:
  using Base = FrontendBench<Set, Twin>;
  using Base::Base;

  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    const bool several = this->config().several();
    if (in.decode) decode_slot_i = several ? in.decode->slot : ignored();
    for (unsigned k = 0; k < Set::kNumResolve; ++k) {
      if (in.resolve[k]) resolve_slot_i.set(k, several ? in.resolve[k]->slot : ignored());
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      if (!in.wb[k]) continue;
      wb_slot_i.set(k, several ? in.wb[k]->slot : ignored());
      wb_mask_i.set(k, in.wb[k]->mask);
    }
  }
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    fetch_slot_o.expect(out.fetch.slot);
    issue_slot_o.expect(out.issue.slot);
  }
  [[nodiscard]] unsigned ignored() const { return this->cycles() % 2; }

 private:
  static constexpr unsigned kSlotWidth = index_width(Slots);
  HEDDLE_INPUT(decode_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, kSlotWidth, Set::kNumResolve);
  HEDDLE_INPUT(wb_slot_i, kSlotWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_mask_i, Set::kLanes, Set::kNumWb);
  HEDDLE_OUTPUT(fetch_slot_o, kSlotWidth, 1);
  HEDDLE_OUTPUT(issue_slot_o, kSlotWidth, 1);
};

// And with those of a miss, which mean something to dpe_stack's two slots, of threads that wait for memory, which do if
// it splits paths, and of rows in memory, which do to software_stack.
template <class Set, class Twin, unsigned Slots>
class MissFrontendBench : public SlotFrontendBench<Set, Twin, Slots> {
 protected:
  using Base = SlotFrontendBench<Set, Twin, Slots>;
  using Base::Base;

  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    miss_valid_i = this->config().dual ? in.miss.has_value() : this->ignored();
    if (in.miss) {
      miss_warp_i = in.miss->warp;
      miss_slot_i = in.miss->slot;
    }
    const bool parts = this->config().parts;
    split_valid_i = parts ? in.split.valid : this->ignored();
    split_warp_i = in.split.warp;
    split_slot_i = in.split.slot;
    split_mask_i = parts ? in.split.mask : this->ignored();
    split_ready_o.expect(this->oracle().split_ready(in));
    const bool rows = this->config().software;
    save_ready_i = rows ? in.save_ready : this->ignored();
    load_ready_i = rows ? in.load_ready : this->ignored();
    fill_valid_i = rows ? in.fill.has_value() : this->ignored();
    for (unsigned slot = 0; in.fill && slot < 2; ++slot) {
      fill_warp_i = in.fill->warp;
      fill_pc_i.set(slot, in.fill->row.path[slot].pc);
      fill_mask_i.set(slot, in.fill->row.path[slot].mask);
    }
  }
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    save_valid_o.expect(out.save.valid);
    save_warp_o.expect(out.save.warp);
    save_row_o.expect(out.save.row);
    for (const unsigned slot : {0, 1}) {
      save_pc_o.expect(slot, out.save.paths.path[slot].pc);
      save_mask_o.expect(slot, out.save.paths.path[slot].mask);
    }
    load_valid_o.expect(out.load.has_value());
    load_warp_o.expect(out.load ? out.load->warp : 0);
    load_row_o.expect(out.load ? out.load->row : 0);
  }

 private:
  HEDDLE_INPUT(miss_valid_i, 1, 1);
  HEDDLE_INPUT(miss_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(miss_slot_i, index_width(Slots), 1);
  HEDDLE_INPUT(split_valid_i, 1, 1);
  HEDDLE_INPUT(split_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(split_slot_i, index_width(Slots), 1);
  HEDDLE_INPUT(split_mask_i, Set::kLanes, 1);
  HEDDLE_OUTPUT(split_ready_o, 1, 1);
  HEDDLE_INPUT(save_ready_i, 1, 1);
  HEDDLE_INPUT(load_ready_i, 1, 1);
  HEDDLE_INPUT(fill_valid_i, 1, 1);
  HEDDLE_INPUT(fill_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(fill_pc_i, 32, 2);
  HEDDLE_INPUT(fill_mask_i, Set::kLanes, 2);
  HEDDLE_OUTPUT(save_valid_o, 1, 1);
  HEDDLE_OUTPUT(save_warp_o, index_width(Set::kNumWarps), 1);
  HEDDLE_OUTPUT(save_row_o, count_width(Set::kStackDepth), 1);
  HEDDLE_OUTPUT(save_pc_o, 32, 2);
  HEDDLE_OUTPUT(save_mask_o, Set::kLanes, 2);
  HEDDLE_OUTPUT(load_valid_o, 1, 1);
  HEDDLE_OUTPUT(load_warp_o, index_width(Set::kNumWarps), 1);
  HEDDLE_OUTPUT(load_row_o, count_width(Set::kStackDepth), 1);
};

// And with those that count splits.
template <class Set, class Slotted, unsigned Slots>
class SplitFrontendBench : public Slotted {
 protected:
  using Slotted::Slotted;

  void expect(const FrontendOutputs& out) override {
    Slotted::expect(out);
    max_splits_o.expect(out.max_splits);
    splits_o.expect(out.splits);
    merges_o.expect(out.merges);
    refused_o.expect(out.refused);
  }

 private:
  HEDDLE_OUTPUT(max_splits_o, count_width(Slots), 1);
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);
  HEDDLE_OUTPUT(refused_o, 32, 1);
};

// And with those that count paths of dpe_stack that were split, and parts that joined.
template <class Set, class Slotted>
class PartsFrontendBench : public Slotted {
 protected:
  using Slotted::Slotted;

  void expect(const FrontendOutputs& out) override {
    Slotted::expect(out);
    splits_o.expect(out.splits);
    merges_o.expect(out.merges);
  }

 private:
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);
};

// And with that which counts paths that were forwarded.
template <class Set, class Slotted>
class ForwardFrontendBench : public Slotted {
 protected:
  using Slotted::Slotted;

  void expect(const FrontendOutputs& out) override {
    Slotted::expect(out);
    forwards_o.expect(out.forwards);
  }

 private:
  HEDDLE_OUTPUT(forwards_o, 32, 1);
};

template <class Set>
using DpeFrontendTwin =
    dpe_frontend<Set::kNumWarps, Set::kLanes, Set::kStack, Set::kStackDepth, Set::kSbEntries, Set::kIbufDepth,
                 Set::kTakenLeft, Set::kScoreboard, Set::kSelector, Set::kPolicy, Set::kLevelW, Set::kPredicate,
                 Set::kNumWb, Set::kNumResolve, Set::kTagW, Set::kForward, Set::kSplit, Set::kWatch>;
template <class Set>
using DpeFrontendPins =
    ForwardFrontendBench<Set, PartsFrontendBench<Set, MissFrontendBench<Set, DpeFrontendTwin<Set>, 2>>>;

template <class Set>
class DpeFrontendBench : public DpeFrontendPins<Set> {
 public:
  explicit DpeFrontendBench(std::uint64_t seed = 0) : DpeFrontendPins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = common_config<Set>();
    config.dual = true;
    config.software = Set::kStack == 1;
    config.taken_left = Set::kTakenLeft != 0;
    config.forward = Set::kForward != 0;
    config.parts = Set::kSplit != 0;
    config.optimistic = Set::kScoreboard == 1;
    config.bitmap = Set::kScoreboard == 2;
    config.constrained = Set::kSelector != 0;
    return config;
  }
};

template <class Set>
using AnyFrontendTwin = frontend<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kStack, Set::kStackDepth,
                                 Set::kStackOrder, Set::kScoreboard, Set::kSbEntries, Set::kSelector, Set::kPolicy,
                                 Set::kIbufDepth, Set::kLevelW, Set::kPredicate, Set::kNumWb, Set::kNumResolve,
                                 Set::kTagW, Set::kForward, Set::kSplit, Set::kAhead, Set::kWatch>;

template <class Set>
using AnyFrontendPins = ForwardFrontendBench<
    Set, SplitFrontendBench<Set, MissFrontendBench<Set, AnyFrontendTwin<Set>, Set::kNumSlots>, Set::kNumSlots>>;

template <class Set>
class AnyFrontendBench : public AnyFrontendPins<Set> {
 public:
  explicit AnyFrontendBench(std::uint64_t seed = 0) : AnyFrontendPins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = common_config<Set>();
    config.dual = Set::kStack == 1 || Set::kStack == 5;
    config.software = Set::kStack == 5;
    config.split_slots = Set::kStack == 4 ? Set::kNumSlots : 0;
    config.push_order = static_cast<PushOrder>(Set::kStackOrder);
    config.taken_left = Set::kStackOrder == 0;
    config.forward = Set::kForward != 0;
    config.parts = Set::kSplit != 0;
    config.ahead = Set::kAhead != 0;
    config.compact = Set::kStack == 2;
    config.fork_join = Set::kStack == 3;
    config.optimistic = Set::kScoreboard == 2;
    config.bitmap = Set::kScoreboard == 3;
    config.constrained = Set::kSelector == 1;
    return config;
  }
};

template <class Set>
using DwsFrontendTwin = dws_frontend<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kStackDepth, Set::kSbEntries,
                                     Set::kIbufDepth, Set::kPushOrder, Set::kPolicy, Set::kLevelW, Set::kPredicate,
                                     Set::kNumWb, Set::kNumResolve, Set::kTagW, Set::kWatch>;
template <class Set>
using DwsFrontendPins =
    SplitFrontendBench<Set, SlotFrontendBench<Set, DwsFrontendTwin<Set>, Set::kNumSlots>, Set::kNumSlots>;

template <class Set>
class DwsFrontendBench : public DwsFrontendPins<Set> {
 public:
  explicit DwsFrontendBench(std::uint64_t seed = 0) : DwsFrontendPins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = common_config<Set>();
    config.split_slots = Set::kNumSlots;
    config.push_order = static_cast<PushOrder>(Set::kPushOrder);
    config.optimistic = true;
    return config;
  }
};

// Every live thread is in exactly one path: in each entry left and right are disjoint, and an entry above holds threads
// of those that wait below; all together are the live threads.
inline void check_threads(const FrontendOracle& oracle) {
  for (WarpId w = 0; w < oracle.config().warps; ++w) {
    LaneMask all = 0;
    LaneMask live = 0;
    if (oracle.config().software) {
      live = oracle.live(w);
      std::vector<SoftwareRow> rows = oracle.software_stack().rows(w);
      rows.push_back(oracle.software_stack().top(w));
      for (const SoftwareRow& row : rows) {
        if ((row.path[0].mask & row.path[1].mask) != 0) throw Violation("a thread is in both paths of a row");
        all |= row.threads();
      }
    } else if (oracle.config().dual) {
      live = oracle.live(w);
      for (const DpeEntry& entry : oracle.dpe_stack().entries(w)) {
        if ((entry.path[0].mask & entry.path[1].mask) != 0) throw Violation("a thread is in both paths of an entry");
        all |= entry.path[0].mask | entry.path[1].mask;
      }
    } else if (oracle.config().splits()) {
      live = oracle.live(w);
      const auto with = [&](const Split& split) {
        if ((split.mask & all) != 0) throw Violation("a thread is in two splits");
        all |= split.mask;
      };
      for (const auto& [slot, split] : oracle.table().slots(w)) with(split);
      for (const Split& split : oracle.table().waiting(w)) with(split);
      for (const SpeEntry& entry : oracle.table().below(w)) all |= entry.mask;
    } else {
      live = oracle.live(w);
      for (const SpeEntry& entry : oracle.single_entries(w)) all |= entry.mask;
    }
    if (oracle.depth(w) != 0 && (live & ~all) != 0)
      throw Violation("a live thread of warp " + std::to_string(w) + " is in no path");
  }
}

// The same surroundings, with instructions that wait in the issue register, and kills.
inline Timing rough(Timing timing) {
  timing.issue_ready = 70;
  timing.kill = 4;
  return timing;
}

// What a kill may meet, whatever the parameters.
constexpr const char* kKillSituations[] = {"kill_of_an_eligible_path",
                                           "kill_with_resolution_taken_in",
                                           "kill_as_a_resolution_acts",
                                           "kill_with_push",
                                           "kill_with_pop",
                                           "kill_with_the_last_pop",
                                           "kill_with_fetch_grant",
                                           "kill_with_fill",
                                           "kill_with_stale_answer",
                                           "kill_with_barrier_release",
                                           "kill_at_a_barrier",
                                           "kill_behind_an_issued_instruction",
                                           "kill_without_an_entry",
                                           "kill_twice",
                                           "kill_with_requests_under_way",
                                           "kill_with_writes_in_flight",
                                           "only_the_issue_register_is_not_idle"};

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
// With pushes and pops, for a front end whose stack needs them.
inline ProgramShape shape_of(std::uint64_t number, const FrontendConfig& config) {
  ProgramShape shape = shape_of(number);
  shape.pushes = config.software;
  return shape;
}

// Fast and slow surroundings, by number.
inline Timing timing_of(std::uint64_t number) {
  switch (number % 4) {
    case 0: return {100, 100, 0, 0, 0, 0, 100};
    case 1: return {80, 80, 4, 4, 12, 10, 50};
    case 2: return {30, 95, 25, 2, 40, 5, 20};
    default: return {95, 40, 2, 15, 6, 30, 80};
  }
}

}  // namespace heddle::test
