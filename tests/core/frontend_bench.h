// SPDX-License-Identifier: Apache-2.0
// The benches of the front ends: all pins, compared with FrontendOracle in every cycle.
#pragma once

#include "core/compact_frontend.h"
#include "core/dpe_forward_frontend.h"
#include "core/dpe_frontend.h"
#include "core/dpe_split_frontend.h"
#include "core/dws_frontend.h"
#include "core/fork_join_frontend.h"
#include "core/software_frontend.h"
#include "core/spe_frontend.h"
#include "tests/common/bench.h"
#include "tests/core/frontend_oracle.h"
#include "tests/core/kernel_run.h"

namespace heddle::test {

// The oracles count four bytes an instruction, the pins kPcStep. Bit 0 says that it is no PC.
template <class Set>
constexpr Pc pc_on_pins(Pc pc) {
  return pc / 4 * Set::kPcStep + pc % 4;
}

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
      launch_pc_i = pc_on_pins<Set>(in.launch->pc);
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
    resolve_ready_o.expect(!config().software || in.save_ready);
    resolve_valid_i = in.resolve.has_value();
    if (in.resolve) {
      resolve_warp_i = in.resolve->warp;
      resolve_taken_i = in.resolve->taken;
      resolve_target_i = pc_on_pins<Set>(in.resolve->target);
      resolve_next_i = pc_on_pins<Set>(in.resolve->next);
      resolve_rpc_i = pc_on_pins<Set>(in.resolve->rpc);
      resolve_exit_i = in.resolve->exit;
      resolve_call_i = in.resolve->call;
      resolve_return_i = in.resolve->returns;
      resolve_skip_i = in.resolve->skip;
    }
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      wb_valid_i.set(k, in.wb[k].has_value());
      if (!in.wb[k]) continue;
      wb_warp_i.set(k, in.wb[k]->warp);
      wb_reg_i.set(k, in.wb[k]->reg);
    }
    unit_ready_i = in.unit_ready;
    hold_i = in.hold;
    release_i = in.release;
    issue_ready_i = in.issue_ready;
  }

  virtual void expect(const FrontendOutputs& out) {
    fetch_valid_o.expect(out.fetch.valid);
    fetch_warp_o.expect(out.fetch.warp);
    fetch_pc_o.expect(pc_on_pins<Set>(out.fetch.pc));
    fetch_tag_o.expect(out.fetch.tag);
    issue_valid_o.expect(out.issue.valid);
    issue_warp_o.expect(out.issue.warp);
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
  HEDDLE_INPUT(decode_instr0_i, kBundleWidth + Set::kPayloadW, 1);
  HEDDLE_INPUT(decode_instr1_i, kBundleWidth + Set::kPayloadW, 1);
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
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(unit_ready_i, 5, 1);
  HEDDLE_INPUT(hold_i, kWarps, 1);
  HEDDLE_INPUT(release_i, kWarps, 1);
  HEDDLE_INPUT(issue_ready_i, 1, 1);
  HEDDLE_OUTPUT(fetch_valid_o, 1, 1);
  HEDDLE_OUTPUT(fetch_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(fetch_pc_o, 32, 1);
  HEDDLE_OUTPUT(fetch_tag_o, Set::kTagW, 1);
  HEDDLE_OUTPUT(resolve_ready_o, 1, 1);
  HEDDLE_OUTPUT(issue_valid_o, 1, 1);
  HEDDLE_OUTPUT(issue_warp_o, kWarpWidth, 1);
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
  HEDDLE_OUTPUT(max_depth_o, kDepthWidth, 1);

  FrontendOracle oracle_;
  std::set<std::string> met_;
};

// With what a control instruction says to the mechanism; for nothing, a number that is another one's.
template <class Set, class Base>
class KindBench : public Base {
 protected:
  using Base::Base;
  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    if (in.resolve) resolve_kind_i = in.resolve->kind == kMarkNone ? this->cycles() % 2 * kMarkFree : in.resolve->kind;
  }

 private:
  HEDDLE_INPUT(resolve_kind_i, 4, 1);
};

// With the pins that speak of a slot.
template <class Set, class Base, unsigned Slots>
class SlotBench : public Base {
 protected:
  using Base::Base;
  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    if (in.decode) decode_slot_i = in.decode->slot;
    if (in.resolve) resolve_slot_i = in.resolve->slot;
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      if (!in.wb[k]) continue;
      wb_slot_i.set(k, in.wb[k]->slot);
      wb_mask_i.set(k, in.wb[k]->mask);
    }
  }
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    fetch_slot_o.expect(out.fetch.slot);
    issue_slot_o.expect(out.issue.slot);
  }

 private:
  static constexpr unsigned kSlotWidth = index_width(Slots);
  HEDDLE_INPUT(decode_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(resolve_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(wb_slot_i, kSlotWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_mask_i, Set::kLanes, Set::kNumWb);
  HEDDLE_OUTPUT(fetch_slot_o, kSlotWidth, 1);
  HEDDLE_OUTPUT(issue_slot_o, kSlotWidth, 1);
};

// With misses, for a choice of selectors.
template <class Set, class Base>
class MissBench : public Base {
 protected:
  using Base::Base;
  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    miss_valid_i = in.miss.has_value();
    if (!in.miss) return;
    miss_warp_i = in.miss->warp;
    miss_slot_i = in.miss->slot;
  }

 private:
  HEDDLE_INPUT(miss_valid_i, 1, 1);
  HEDDLE_INPUT(miss_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(miss_slot_i, 1, 1);
};

// With rows in memory.
template <class Set, class Base>
class RowsBench : public Base {
 protected:
  using Base::Base;
  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    save_ready_i = in.save_ready;
    load_ready_i = in.load_ready;
    fill_valid_i = in.fill.has_value();
    for (unsigned slot = 0; in.fill && slot < 2; ++slot) {
      fill_warp_i = in.fill->warp;
      fill_pc_i.set(slot, pc_on_pins<Set>(in.fill->row.path[slot].pc));
      fill_mask_i.set(slot, in.fill->row.path[slot].mask);
    }
  }
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    save_valid_o.expect(out.save.valid);
    save_warp_o.expect(out.save.warp);
    save_row_o.expect(out.save.row);
    for (const unsigned slot : {0, 1}) {
      save_pc_o.expect(slot, pc_on_pins<Set>(out.save.paths.path[slot].pc));
      save_mask_o.expect(slot, out.save.paths.path[slot].mask);
    }
    load_valid_o.expect(out.load.has_value());
    load_warp_o.expect(out.load ? out.load->warp : 0);
    load_row_o.expect(out.load ? out.load->row : 0);
  }

 private:
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

// With threads that wait for memory, and counts of paths that were split and of parts that joined.
template <class Set, class Base>
class PartsBench : public Base {
 protected:
  using Base::Base;
  void drive(const FrontendInputs& in) override {
    Base::drive(in);
    split_valid_i = in.split.valid;
    split_warp_i = in.split.warp;
    split_slot_i = in.split.slot;
    split_mask_i = in.split.mask;
    split_ready_o.expect(this->oracle().split_ready(in));
  }
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    splits_o.expect(out.splits);
    merges_o.expect(out.merges);
  }

 private:
  HEDDLE_INPUT(split_valid_i, 1, 1);
  HEDDLE_INPUT(split_warp_i, index_width(Set::kNumWarps), 1);
  HEDDLE_INPUT(split_slot_i, 1, 1);
  HEDDLE_INPUT(split_mask_i, Set::kLanes, 1);
  HEDDLE_OUTPUT(split_ready_o, 1, 1);
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);
};

// With counts of splits of warps.
template <class Set, class Base>
class SplitsBench : public Base {
 protected:
  using Base::Base;
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    max_splits_o.expect(out.max_splits);
    splits_o.expect(out.splits);
    merges_o.expect(out.merges);
    refused_o.expect(out.refused);
  }

 private:
  HEDDLE_OUTPUT(max_splits_o, count_width(Set::kNumSlots), 1);
  HEDDLE_OUTPUT(splits_o, 32, 1);
  HEDDLE_OUTPUT(merges_o, 32, 1);
  HEDDLE_OUTPUT(refused_o, 32, 1);
};

// With the count of paths that were forwarded.
template <class Set, class Base>
class ForwardsBench : public Base {
 protected:
  using Base::Base;
  void expect(const FrontendOutputs& out) override {
    Base::expect(out);
    forwards_o.expect(out.forwards);
  }

 private:
  HEDDLE_OUTPUT(forwards_o, 32, 1);
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
  config.predicate = Set::kPredicate != 0;
  config.write_ports = Set::kNumWb;
  config.tag_bits = Set::kTagW;
  config.watch = Set::kWatch != 0;
  config.level_bits = Set::kLevelW;
  config.payload_bits = Set::kPayloadW;
  return config;
}
template <class Set>
FrontendConfig single_config() {
  FrontendConfig config = common_config<Set>();
  config.bitmap = Set::kScoreboard == kScoreboardBitmap;
  return config;
}
template <class Set>
FrontendConfig dual_config() {
  FrontendConfig config = common_config<Set>();
  config.dual = true;
  config.taken_left = Set::kTakenLeft != 0;
  return config;
}
template <class Set>
FrontendConfig choosing_config() {
  FrontendConfig config = dual_config<Set>();
  config.optimistic = Set::kScoreboard == kScoreboardOptimistic;
  config.bitmap = Set::kScoreboard == kScoreboardBitmap;
  config.constrained = Set::kSelector == kSelectorConstrained;
  return config;
}

template <class Set>
using SpePins =
    FrontendBench<Set, spe_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kPushOrder, Set::kScoreboard,
                                    Set::kSbEntries, Set::kPolicy, Set::kIbufDepth, Set::kLevelW, Set::kPredicate,
                                    Set::kNumWb, Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>;
template <class Set>
class SpeFrontendBench : public SpePins<Set> {
 public:
  explicit SpeFrontendBench(std::uint64_t seed = 0) : SpePins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = single_config<Set>();
    config.push_order = static_cast<PushOrder>(Set::kPushOrder);
    return config;
  }
};

template <class Set>
using CompactPins =
    FrontendBench<Set,
                  compact_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kPushOrder, Set::kScoreboard,
                                   Set::kSbEntries, Set::kPolicy, Set::kIbufDepth, Set::kLevelW, Set::kPredicate,
                                   Set::kNumWb, Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>;
template <class Set>
class CompactFrontendBench : public CompactPins<Set> {
 public:
  explicit CompactFrontendBench(std::uint64_t seed = 0) : CompactPins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = single_config<Set>();
    config.compact = true;
    config.push_order = static_cast<PushOrder>(Set::kPushOrder);
    return config;
  }
};

template <class Set>
using ForkJoinPins =
    KindBench<Set, FrontendBench<Set, fork_join_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kTieOrder,
                                                         Set::kScoreboard, Set::kSbEntries, Set::kPolicy,
                                                         Set::kIbufDepth, Set::kLevelW, Set::kPredicate, Set::kNumWb,
                                                         Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>>;
template <class Set>
class ForkJoinFrontendBench : public ForkJoinPins<Set> {
 public:
  explicit ForkJoinFrontendBench(std::uint64_t seed = 0) : ForkJoinPins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = single_config<Set>();
    config.fork_join = true;
    config.push_order = static_cast<PushOrder>(Set::kTieOrder);
    return config;
  }
};

template <class Set>
using DpePins =
    MissBench<Set,
              SlotBench<Set,
                        FrontendBench<Set, dpe_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kTakenLeft,
                                                        Set::kScoreboard, Set::kSbEntries, Set::kSelector, Set::kPolicy,
                                                        Set::kIbufDepth, Set::kLevelW, Set::kPredicate, Set::kNumWb,
                                                        Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>,
                        2>>;
template <class Set>
class DpeFrontendBench : public DpePins<Set> {
 public:
  explicit DpeFrontendBench(std::uint64_t seed = 0) : DpePins<Set>(seed, choosing_config<Set>()) { this->reset(); }
};

template <class Set>
using DpeForwardPins = ForwardsBench<
    Set,
    MissBench<Set, SlotBench<Set,
                             FrontendBench<Set, dpe_forward_frontend<
                                                    Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kTakenLeft,
                                                    Set::kScoreboard, Set::kSbEntries, Set::kSelector, Set::kPolicy,
                                                    Set::kIbufDepth, Set::kLevelW, Set::kPredicate, Set::kNumWb,
                                                    Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>,
                             2>>>;
template <class Set>
class DpeForwardFrontendBench : public DpeForwardPins<Set> {
 public:
  explicit DpeForwardFrontendBench(std::uint64_t seed = 0) : DpeForwardPins<Set>(seed, config_of_set()) {
    this->reset();
  }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = choosing_config<Set>();
    config.forward = true;
    return config;
  }
};

template <class Set>
using DpeSplitPins = PartsBench<
    Set, KindBench<Set, SlotBench<Set,
                                  FrontendBench<Set, dpe_split_frontend<Set::kNumWarps, Set::kLanes, Set::kStackDepth,
                                                                        Set::kTakenLeft, Set::kSbEntries, Set::kPolicy,
                                                                        Set::kIbufDepth, Set::kLevelW, Set::kPredicate,
                                                                        Set::kNumWb, Set::kTagW, Set::kWatch,
                                                                        Set::kPayloadW, Set::kPcStep>>,
                                  2>>>;
template <class Set>
class DpeSplitFrontendBench : public DpeSplitPins<Set> {
 public:
  explicit DpeSplitFrontendBench(std::uint64_t seed = 0) : DpeSplitPins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = dual_config<Set>();
    config.parts = true;
    config.optimistic = true;
    return config;
  }
};

template <class Set>
using SoftwarePins = RowsBench<
    Set,
    KindBench<
        Set,
        MissBench<Set, SlotBench<Set,
                                 FrontendBench<Set, software_frontend<
                                                        Set::kNumWarps, Set::kLanes, Set::kStackDepth, Set::kTakenLeft,
                                                        Set::kScoreboard, Set::kSbEntries, Set::kSelector, Set::kPolicy,
                                                        Set::kIbufDepth, Set::kLevelW, Set::kPredicate, Set::kNumWb,
                                                        Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>,
                                 2>>>>;
template <class Set>
class SoftwareFrontendBench : public SoftwarePins<Set> {
 public:
  explicit SoftwareFrontendBench(std::uint64_t seed = 0) : SoftwarePins<Set>(seed, config_of_set()) { this->reset(); }

 private:
  static FrontendConfig config_of_set() {
    FrontendConfig config = choosing_config<Set>();
    config.software = true;
    return config;
  }
};

template <class Set>
using DwsPins = SplitsBench<
    Set,
    KindBench<Set,
              SlotBench<Set,
                        FrontendBench<Set, dws_frontend<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kStackDepth,
                                                        Set::kPushOrder, Set::kSbEntries, Set::kPolicy, Set::kIbufDepth,
                                                        Set::kLevelW, Set::kPredicate, Set::kNumWb, Set::kTagW,
                                                        Set::kWatch, Set::kPayloadW, Set::kPcStep>>,
                        Set::kNumSlots>>>;
template <class Set>
class DwsFrontendBench : public DwsPins<Set> {
 public:
  explicit DwsFrontendBench(std::uint64_t seed = 0) : DwsPins<Set>(seed, config_of_set()) { this->reset(); }

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
    } else if (oracle.config().barriers != 0) {
      continue;  // its oracle keeps threads, not paths
    } else {
      live = oracle.live(w);
      for (const SpeEntry& entry : oracle.single_entries(w)) all |= entry.mask;
    }
    if (oracle.depth(w) != 0 && (live & ~all) != 0)
      throw Violation("a live thread of warp " + std::to_string(w) + " is in no path");
  }
}

// The same surroundings, with instructions that wait in the issue register, warps that are held, and kills.
inline Timing rough(Timing timing) {
  timing.issue_ready = 70;
  timing.kill = 4;
  timing.hold = 10;
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
// With pushes and pops, or convergence barriers, for a front end whose stack needs them.
inline ProgramShape shape_of(std::uint64_t number, const FrontendConfig& config) {
  ProgramShape shape = shape_of(number);
  shape.pushes = config.software;
  shape.barriers_used = config.barriers;
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

// Kills in the cycle of everything that may happen to a warp, launches while its old answers and writes still come,
// instructions that wait in the issue register, and warps that are held; which situations the programs have met.
template <class AnyBench, class TimingOf>
Coverage kill_runs(AnyBench& bench, unsigned programs, TimingOf timing) {
  Coverage met;
  for (std::uint64_t seed = 1; seed <= programs; ++seed) {
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    const KernelRun run = run_kernel(bench, program, 8 * bench.config().warps, seed, rough(timing(seed)));
    met.hit("launched_beside_old_ones", run.relaunched_beside_old_ones() != 0);
  }
  for (const char* situation : kKillSituations) met.hit(situation, bench.met().count(situation) != 0);
  for (const char* situation : {"kill_with_region_begun", "kill_inside_a_region"})
    met.hit(situation, bench.met().count(situation) != 0);
  return met;
}

}  // namespace heddle::test
