// SPDX-License-Identifier: Apache-2.0
// FrontendLogic: a front end without a clock. step() is one cycle, output() what the output registers hold after it.
// Contract: docs/frontend.md, core/frontend.
//
// It holds the logic of the parts: a stack with its hooks (stack_hooks.h), hazards, a selector, instruction buffers,
// predication and the state of the paths. What lies between them is computed in step(): first everything is decided on
// registered state, then applied, in the order of docs/frontend.md from top to bottom. A synthesis compiler sees its
// sizes alone: for it a front end is FrontendNetlist.
#pragma once

#include "core/fetch_request.h"
#include "core/hazards.h"
#include "core/ibuffer.h"
#include "core/path_state.h"
#include "core/predication.h"
#include "core/stack_hooks.h"
#include "core/stall_reason.h"
#include "select/constrained_selector.h"

namespace heddle {

constexpr unsigned kSelectorTwoLevel = 0;
constexpr unsigned kSelectorConstrained = 1;

constexpr unsigned kMostSlots = 64;

// A selector by its number: logic and module.
template <unsigned Kind, unsigned NumWarps, unsigned NumSlots, unsigned Policy>
struct SelectorOf;
template <unsigned NumWarps, unsigned NumSlots, unsigned Policy>
struct SelectorOf<kSelectorTwoLevel, NumWarps, NumSlots, Policy> {
  using Logic = WarpSelectorLogic<NumWarps, NumSlots, Policy>;
  using Module = warp_selector<NumWarps, NumSlots, Policy>;
  static constexpr bool kConstrained = false;
};
template <unsigned NumWarps, unsigned NumSlots, unsigned Policy>
struct SelectorOf<kSelectorConstrained, NumWarps, NumSlots, Policy> {
  static_assert(NumSlots == 2, "frontend: Selector 1 (constrained_selector) has two slots");
  using Logic = ConstrainedSelectorLogic<NumWarps, Policy>;
  using Module = constrained_selector<NumWarps, Policy>;
  static constexpr bool kConstrained = true;
};

// Limits and options that may differ from the module's parameters: a narrower configuration of the same hardware.
struct FrontendConfig {
  std::uint32_t stack_depth = 0;
  std::uint32_t stack_order = 0;
  std::uint32_t sb_entries = 0;
  std::uint32_t policy = kPolicyRoundRobin;
  std::uint32_t ibuf_depth = 0;
  std::uint32_t level_bits = 8;
  std::uint32_t slots = 0;  // of warp_split_table; with other stacks they are what they are
};

// A write-back port.
struct WriteBackInput {
  std::uint32_t warp = 0;
  std::uint32_t slot = 0;
  std::uint32_t reg = 0;
  std::uint64_t mask = 0;
};

// The input pins of one cycle, with the resolution that is taken. Data of a group matter while its valid is set.
template <unsigned NumWb, class OwnInput>
struct FrontendInput : public OwnInput {
  bool launch_valid = false;
  bool kill_valid = false;
  bool fetch_ready = false;
  bool decode_valid = false;
  bool resolve_valid = false;
  bool miss_valid = false;
  bool issue_ready = false;
  std::uint32_t launch_warp = 0;
  std::uint32_t launch_pc = 0;
  std::uint64_t launch_mask = 0;
  std::uint32_t kill_warp = 0;
  std::uint32_t decode_warp = 0;
  std::uint32_t decode_slot = 0;
  std::uint32_t decode_tag = 0;
  std::uint32_t decode_count = 0;
  std::uint64_t decode_instr0 = 0;
  std::uint64_t decode_instr1 = 0;
  std::uint32_t resolve_warp = 0;
  std::uint32_t resolve_slot = 0;
  ResolveInput resolve;
  std::uint32_t resolve_skip = 0;
  std::uint64_t wb_valid = 0;  // bit a port
  WriteBackInput wb[NumWb];
  std::uint32_t miss_warp = 0;
  std::uint32_t miss_slot = 0;
  std::uint32_t unit_ready = 0;
  std::uint64_t hold = 0;  // bit a warp, as release
  std::uint64_t release = 0;
};

// The output registers.
struct FrontendOutput {
  bool fetch_valid = false;
  bool issue_valid = false;
  bool issue_sibling = false;
  bool issue_predicated = false;
  bool done_valid = false;
  bool overflow_valid = false;
  std::uint32_t fetch_warp = 0;
  std::uint32_t fetch_slot = 0;
  std::uint32_t fetch_pc = 0;
  std::uint32_t fetch_tag = 0;
  std::uint32_t issue_warp = 0;
  std::uint32_t issue_slot = 0;
  std::uint32_t issue_pc = 0;
  std::uint64_t issue_mask = 0;
  std::uint64_t issue_instr = 0;
  std::uint32_t done_warp = 0;
  std::uint64_t idle = 0;  // bit a warp
  std::uint32_t overflow_warp = 0;
  std::uint32_t stall = 0;
};

#ifndef HEDDLE_SYNTHESIS
// What happened inside the last step: the wires between the modules of the RTL.
struct FrontendEvents {
  PathGrant grant;
  PopChoice popped;
  bool resolved_valid = false;
  bool resolved_next = false;
  bool push_valid = false;
  std::uint32_t acting_warp = 0;  // of the latest resolution that acted
  std::uint32_t acting_slot = 0;
  std::uint64_t eligible[kMostSlots] = {};  // by slot, bit a warp
  // Nothing has changed but stall_o, nor will it in the next step if unit_ready_i and hold_i stay what they were and no
  // input is valid.
  bool still = false;
};
#endif

// Hooks: the stack and what it does (stack_hooks.h); Scoreboard, Selector: ScoreboardOf, SelectorOf.
template <class Hooks, class Scoreboard, class Selector, unsigned SbEntries = 8, unsigned Policy = 0,
          unsigned IbufDepth = 5, unsigned Predicate = 1, unsigned NumWb = 2, unsigned TagW = 3, unsigned Watch = 1,
          unsigned PayloadW = 0, unsigned PcStep = 4>
class FrontendLogic {
  static constexpr unsigned NumWarps = Hooks::kWarps;
  static constexpr unsigned Lanes = Hooks::kLanes;
  static constexpr unsigned NumSlots = Hooks::kSlots;
  static_assert(NumSlots >= 1 && NumSlots <= kMostSlots, "frontend: 1 to 64 slots");
  static_assert(Predicate <= 1, "frontend: Predicate is 0 (without) or 1 (with core/predication)");
  static_assert(NumWb >= 1 && NumWb <= 64, "frontend: 1 to 64 write-back ports");
  static_assert(Watch <= 1, "frontend: Watch is 0 (without) or 1 (with what is there for watching only)");

 public:
  static constexpr unsigned kSlots = NumSlots;
  static constexpr bool kConstrained = Selector::kConstrained;
  static constexpr bool kOneTable = Scoreboard::kOneTable;
  static constexpr bool kNeedsRoom = Hooks::kNeedsRoom;
  using Stack = typename Hooks::Stack;
  using Hazards = HazardsLogic<Scoreboard, NumWarps, NumSlots, Hooks::kKeepsQueues>;
  using SelectorUnit = typename Selector::Logic;
  using FetchTurn = WarpSelectorLogic<NumWarps, NumSlots, kPolicyRoundRobin>;
  using Ibuffer = IbufferLogic<NumWarps, NumSlots, IbufDepth, TagW, PayloadW>;
  using Predication = PredicationLogic<NumWarps, NumSlots, Lanes>;
  using PathState = PathStateLogic<NumWarps, NumSlots, Hooks::kPathBarriers>;
  using Config = FrontendConfig;
  using Input = FrontendInput<NumWb, typename Hooks::OwnInput>;

  [[nodiscard]] static constexpr FrontendConfig default_config() {
    constexpr StackConfig kStack = Stack::default_config();
    return {kStack.depth_limit, kStack.order, SbEntries, Policy, IbufDepth, kStack.level_bits, NumSlots};
  }

  // What the hardware keeps of the scoreboard's answers; the twin asks it when a head is new or a write comes back.
  [[nodiscard]] static constexpr unsigned wakeup_bits() {
    if constexpr (Scoreboard::kWakes) return wakeup<NumWarps, NumSlots, SbEntries, NumWb>::state_bits();
    else return 0;
  }
  // Bits that are in no submodule: output registers.
  [[nodiscard]] static constexpr unsigned own_state_bits() {
    constexpr unsigned kWarpW = index_width(NumWarps), kSlotW = slot_state_bits(NumSlots);
    constexpr unsigned kFetch = 1 + kWarpW + kSlotW + 32 + TagW;
    constexpr unsigned kIssue = 1 + kWarpW + kSlotW + 32 + Lanes + kInstrWidth + PayloadW + 1 + Predicate;
    return kFetch + kIssue + 2 * (1 + kWarpW) + NumWarps + (Watch != 0 ? 4 : 0);
  }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return Stack::state_bits() + Hazards::Unit::state_bits() + wakeup_bits() + SelectorUnit::state_bits() +
           Ibuffer::state_bits() + (Predicate != 0 ? Predication::state_bits() : 0) + PathState::state_bits() +
           FetchTurn::state_bits() + own_state_bits();
  }

#ifndef HEDDLE_SYNTHESIS
  explicit FrontendLogic(const FrontendConfig& config = default_config())
      : hooks_(StackConfig{config.stack_depth, config.stack_order, config.level_bits, config.slots}),
        hazards_(config.sb_entries),
        selector_(config.policy, slot_limit(config)),
        ibuffer_(config.ibuf_depth),
        fetch_turn_(kPolicyRoundRobin, slot_limit(config)) {
    reset();
  }

  void reset() {
    hooks_.reset();
    hazards_.reset();
    selector_.reset();
    ibuffer_.reset();
    predication_.reset();
    paths_.reset();
    fetch_turn_.reset();
    output_ = FrontendOutput();
    events_.still = false;
  }

  void step(const Input& in) {
    const bool quiet = says_nothing(in) && stands_still();
    const std::uint64_t idle_before = output_.idle;
    const std::uint64_t current_before = current_paths();
    events_.resolved_valid = false;
    events_.resolved_next = false;
    events_.push_valid = false;
    Cycle cycle;
    decide(in, cycle);
    load_issue(cycle);
    load_fetch(cycle);
    update_selector(in, cycle);
    write_back(in, cycle);
    issue(cycle);
    fetch(in, cycle);
    output_.overflow_valid = false;
    if (cycle.acts) act(cycle);
    take_in(in);
    pop(in, cycle);
    hooks_.end(*this, in, cycle.killed);
    if (in.launch_valid) hooks_.launch(in.launch_warp, in.launch_pc, in.launch_mask);
    if (in.kill_valid) kill(in.kill_warp);
    hooks_.choose();
    refresh(in, cycle);
    events_.grant = cycle.grant;
    events_.popped = cycle.popped;
    events_.still = quiet && stands_still() && output_.idle == idle_before && current_paths() == current_before;
    show_eligible(cycle);
  }

  // For the hooks. The threads of the path are others; its queue is emptied, and it is at no barrier.
  void ask(std::uint32_t warp, std::uint32_t slot) { hazards_.ask(warp, slot, stack().path(warp, slot).mask); }
  void drop(std::uint32_t warp, std::uint32_t slot) {
    ibuffer_.redirect(warp, slot);
    hazards_.no_head(warp, slot);
    paths_.forget(warp, slot);
  }

  [[nodiscard]] FrontendOutput output() const { return output_; }
  [[nodiscard]] std::uint32_t max_depth() const { return stack().max_depth(); }  // 0 without Watch

  [[nodiscard]] const Hooks& hooks() const { return hooks_; }
  [[nodiscard]] const Stack& stack() const { return hooks_.stack(); }
  [[nodiscard]] const typename Hazards::Unit& scoreboard() const { return hazards_.scoreboard(); }
  [[nodiscard]] const SelectorUnit& selector() const { return selector_; }
  [[nodiscard]] const Ibuffer& ibuffer() const { return ibuffer_; }
  [[nodiscard]] const Predication& predication() const { return predication_; }
  [[nodiscard]] const PathState& paths() const { return paths_; }
  // Bit a warp:
  [[nodiscard]] std::uint64_t blocked(std::uint32_t slot) const { return hazards_.blocked(slot); }
  [[nodiscard]] std::uint64_t full(std::uint32_t slot) const { return hazards_.full(slot); }
  [[nodiscard]] std::uint64_t pending() const { return paths_.pending(); }
  [[nodiscard]] std::uint32_t pending_slot(std::uint32_t warp) const { return paths_.pending_slot(warp); }
  [[nodiscard]] std::uint64_t acting() const { return paths_.acting(); }
  // A path's where paths come one by one.
  [[nodiscard]] std::uint64_t at_barrier(std::uint32_t slot = 0) const { return paths_.at_barrier(slot); }
  [[nodiscard]] std::uint64_t halted() const { return paths_.halted(); }
  [[nodiscard]] const FrontendEvents& events() const { return events_; }

 private:
  // What is decided of the paths, by slot, bit a warp; only slots below `slots` are written and read.
  struct SlotSets {
    std::uint64_t held[NumSlots];  // control or barrier waits until the region of another path is done
    std::uint64_t open[NumSlots];  // the head may issue as far as control, barrier and regions go
    std::uint64_t eligible[NumSlots];
    std::uint64_t wants_fetch[NumSlots];
    // Of all slots; from any_busy on: what a path waits for that may issue otherwise.
    std::uint64_t any_held = 0;
    std::uint64_t any_eligible = 0;
    std::uint64_t any_wants_fetch = 0;
    std::uint64_t any_waits = 0;        // its branch waits for another path,
    std::uint64_t any_stops = 0;        // or its barrier does
    std::uint64_t any_busy = 0;         // its unit,
    std::uint64_t any_busy_memory = 0;  // which is the load/store unit
    std::uint64_t any_blocked = 0;      // a register
    std::uint64_t any_full = 0;         // an entry of the scoreboard
  };

  // What a cycle decides, on registered state.
  struct Cycle {
    SlotSets sets;
    std::uint64_t killed = 0;
    unsigned slots = 0;     // that are looked at
    bool occupied = false;  // the issue register
    bool acts = false;      // a resolution does
    bool filled = false;    // an answer continues its queue
    PathGrant grant;
    PathGrant fetch;
    PopChoice popped;
    std::uint32_t rd = 0;                                           // that the granted instruction writes
    std::uint32_t queued[Hooks::kKeepsQueues ? NumSlots : 1] = {};  // bundles of the warp that is popped
  };

  [[nodiscard]] static constexpr std::uint32_t slot_limit(const FrontendConfig& config) {
    return Hooks::kNarrowsSlots ? config.slots : NumSlots;
  }

  // ------------------------------------------------------------------------------------------------------ decisions
  void decide(const Input& in, Cycle& cycle) {
    update_idle();
    cycle.killed = in.kill_valid ? bit_of(in.kill_warp) : 0;
    cycle.occupied = output_.issue_valid && !in.issue_ready;
    cycle.slots = hooks_.slots_in_use();
    hooks_.look(*this);
    const BusyUnits busy = busy_units(cycle.occupied ? 0 : in.unit_ready);
    for (unsigned s = 0; s < cycle.slots; ++s) decide_slot(s, busy, in.hold, cycle.killed, cycle.sets);
    if constexpr (kConstrained) cycle.grant = selector_.pick(cycle.sets.eligible[0], cycle.sets.eligible[1]);
    else cycle.grant = pick_path(selector_, cycle.sets.eligible, cycle.sets.any_eligible, hooks_);
    if (in.fetch_ready)
      cycle.fetch = pick_path(fetch_turn_, cycle.sets.wants_fetch, cycle.sets.any_wants_fetch, hooks_);
    cycle.acts = stack().taken_in().valid;
    cycle.popped = hooks_.decide(*this, in, cycle.grant, cycle.killed);
    if constexpr (Hooks::kKeepsQueues) {
      for (unsigned s = 0; s < NumSlots; ++s)
        cycle.queued[s] = cycle.popped.valid ? ibuffer_.count(cycle.popped.warp, s) : 0;
    }
  }

  // Without a branch: the compiler does several slots at once.
  void decide_slot(std::uint32_t s, const BusyUnits& units, std::uint64_t hold, std::uint64_t killed,
                   SlotSets& sets) const {
    const HeadTable<NumWarps, NumSlots>& heads = hazards_.heads();
    const std::uint64_t valid = stack().valid(s);
    const std::uint64_t unresolved = paths_.pending_at(s) | (paths_.pending() & heads.waits(s));
    const std::uint64_t stays = paths_.at_barrier(s) | paths_.halted() | paths_.acting();
    const std::uint64_t waits = hooks_.waits(s);
    const std::uint64_t stops = hooks_.stops(s);
    sets.held[s] = NumSlots > 1 ? valid & predication_.active() & heads.waits(s) : 0;
    HEDDLE_EXPECT(!waits_in_its_region(s, valid & predication_.active() & heads.waits(s)));
    sets.open[s] = valid & ibuffer_.head_valid(s) & ~stays & ~unresolved & ~sets.held[s] & ~(waits | stops);
    const std::uint64_t clear = sets.open[s] & ~hazards_.blocked(s) & ~hazards_.full(s);
    const std::uint64_t busy = clear & (heads.unit_busy(s, units) | hold);
    sets.eligible[s] = clear & ~busy & ~killed;
    sets.wants_fetch[s] = ibuffer_.need_fetch(s) & valid & ~paths_.halted();
    sets.any_held |= sets.held[s];
    sets.any_eligible |= sets.eligible[s];
    sets.any_wants_fetch |= sets.wants_fetch[s];
    sets.any_waits |= waits;
    sets.any_stops |= stops;
    sets.any_busy |= busy;
    sets.any_busy_memory |= busy & heads.unit(s, kUnitCodeLsu);
    sets.any_blocked |= sets.open[s] & hazards_.blocked(s);
    sets.any_full |= sets.open[s] & hazards_.full(s);
  }

  // Of a warp of which nothing is under way nothing will be, until it is launched: looked at are those that have just
  // begun or ended.
  void update_idle() {
    const std::uint64_t occupied = stack().occupied();
    if ((occupied ^ output_.idle) != low_bits(NumWarps)) {
      output_.idle &= ~occupied;
      std::uint64_t queues = ibuffer_.quiet(0);
      for (unsigned s = 1; s < NumSlots; ++s) queues &= ibuffer_.quiet(s);
      for (unsigned w = 0; w < NumWarps; ++w) {
        const bool issuing = output_.issue_valid && output_.issue_warp == w;  // a kill leaves it in the register
        const bool quiet = has_bit(queues, w) && hazards_.quiet(w) && !issuing;
        if (quiet && !has_bit(occupied, w)) output_.idle |= bit_of(w);
      }
    }
  }

  // ------------------------------------------------------------------------------------------------ output registers
  void load_issue(const Cycle& cycle) {
    const PathGrant& grant = cycle.grant;
    if (grant.valid) {
      const StackPath path = stack().path(grant.warp, grant.slot);
      output_.issue_warp = grant.warp;
      output_.issue_slot = grant.slot;
      output_.issue_pc = path.pc;
      output_.issue_mask = path.mask;
      output_.issue_instr = ibuffer_.head(grant.warp, grant.slot);
      output_.issue_sibling = stack().sibling(grant.warp, grant.slot);
      output_.issue_predicated = predication_.inside(grant.warp, grant.slot);
      if (output_.issue_predicated) output_.issue_mask &= ~predication_.off_mask(grant.warp, grant.slot);
    }
    output_.issue_valid = grant.valid || cycle.occupied;
    if (Watch != 0) output_.stall = grant.valid ? kStallNone : stall(cycle.sets);
  }

  void load_fetch(const Cycle& cycle) {
    const PathGrant& fetch = cycle.fetch;
    if (fetch.valid) {
      output_.fetch_warp = fetch.warp;
      output_.fetch_slot = fetch.slot;
      output_.fetch_pc =
          request_pc(stack().path(fetch.warp, fetch.slot).pc, PcStep, ibuffer_.count(fetch.warp, fetch.slot),
                     ibuffer_.requests(fetch.warp, fetch.slot), has_bit(paths_.pending_at(fetch.slot), fetch.warp));
      output_.fetch_tag = ibuffer_.tag(fetch.warp, fetch.slot);
      fetch_turn_.grant(fetch);
    }
    output_.fetch_valid = fetch.valid;
  }

  [[nodiscard]] std::uint32_t stall(const SlotSets& sets) const {
    StallInput in;
    in.any_warp = stack().occupied() != 0;
    in.any_eligible = sets.any_eligible != 0;
    in.any_memory = sets.any_busy_memory != 0;
    in.any_unit = sets.any_busy != 0;
    in.any_blocked = sets.any_blocked != 0;
    in.any_full = sets.any_full != 0;
    in.any_pending = (paths_.pending() | paths_.halted() | sets.any_held | sets.any_waits) != 0;
    in.any_barrier = (paths_.barrier_slots() | sets.any_stops) != 0;
    return find_stall_reason(in);
  }

  // -------------------------------------------------------------------------------------------------------- the edge
  void update_selector(const Input& in, const Cycle& cycle) {
    if constexpr (kConstrained) {
      SwitchInput paths;
      paths.valid_l = stack().valid(0) & ~cycle.sets.held[0];
      paths.valid_r = stack().valid(1) & ~cycle.sets.held[1];
      paths.long_l = hazards_.heads().unit(0, kUnitCodeSfu);
      paths.long_r = hazards_.heads().unit(1, kUnitCodeSfu);
      paths.miss_valid = in.miss_valid;
      paths.miss_warp = in.miss_warp;
      paths.miss_slot = in.miss_slot;
      selector_.update(cycle.grant, paths);
    } else {
      if (cycle.grant.valid) selector_.grant(cycle.grant);
    }
    if (in.launch_valid) selector_.launch(in.launch_warp);
  }

  // Write-backs, with the set of the granted instruction behind them; releases.
  void write_back(const Input& in, Cycle& cycle) {
    const PathGrant& grant = cycle.grant;
    cycle.rd = grant.valid ? bundle_rd(output_.issue_instr) : 0;
    const std::uint32_t entry = cycle.rd != 0 ? hazards_.free_entry(grant.warp, grant.slot) : 0;
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(in.wb_valid, k)) hazards_.clear(in.wb[k].warp, in.wb[k].slot, in.wb[k].reg, in.wb[k].mask);
    }
    const bool arrives = grant.valid && bundle_barrier(output_.issue_instr);
    paths_.release(in.release, arrives ? bit_of(grant.warp) : 0);
    hooks_.begin(*this, cycle.killed);
    if (cycle.rd != 0) hazards_.set(grant.warp, grant.slot, entry, cycle.rd, output_.issue_mask);
  }

  void issue(const Cycle& cycle) {
    const PathGrant& grant = cycle.grant;
    if (grant.valid) {
      if (bundle_control(output_.issue_instr)) paths_.wait_for_resolution(grant.warp, grant.slot);
      else hooks_.advance(*this, grant);
      if (bundle_barrier(output_.issue_instr)) paths_.come_to_barrier(grant.warp, grant.slot);
      ibuffer_.take(grant.warp, grant.slot);
      hazards_.take(grant.warp, grant.slot);
      if (output_.issue_predicated) predication_.take(grant.warp, grant.slot);
    }
  }

  void fetch(const Input& in, Cycle& cycle) {
    if (cycle.fetch.valid) ibuffer_.request(cycle.fetch.warp, cycle.fetch.slot);
    cycle.filled = in.decode_valid && ibuffer_.answer(in.decode_warp, in.decode_slot, in.decode_tag, in.decode_count,
                                                      in.decode_instr0, in.decode_instr1);
  }

  // The resolution that was taken in at the edge before.
  void act(const Cycle& cycle) {
    const std::uint32_t warp = stack().taken_in().warp;
    const std::uint32_t slot = stack().taken_in().slot;
    std::uint64_t grown = 0;
    const auto result = hooks_.act(*this, has_bit(cycle.killed, warp), grown);
    events_.resolved_valid = !result.overflow;
    events_.resolved_next = result.next;
    events_.push_valid = result.push;
    events_.acting_warp = warp;
    events_.acting_slot = slot;
    if (result.overflow) {
      paths_.halt(warp);
      output_.overflow_valid = true;
      output_.overflow_warp = warp;
    } else {
      paths_.settle(warp);
      if (result.push) {
        leave_entry(warp, slot);
      } else if (result.next) {
        ibuffer_.resume(warp, slot);  // an answer of this cycle came to a path that had not stopped
        ask(warp, slot);              // of threads some may have left
      } else {
        ibuffer_.redirect(warp, slot);
        hazards_.no_head(warp, slot);
      }
      for (std::uint64_t left = grown; left != 0; left &= left - 1) ask(warp, lowest_bit(left));
    }
  }

  void take_in(const Input& in) {
    paths_.set_acting(in.resolve_valid ? bit_of(in.resolve_warp) : 0);
    if (in.resolve_valid) {
      ResolveInput resolve = in.resolve;
      if (Predicate != 0 && in.resolve_skip != 0) {  // the path goes on, without those who took the branch
        HEDDLE_EXPECT(may_be_skipped(in));
        resolve.taken = 0;
        predication_.start(in.resolve_warp, in.resolve_slot, in.resolve.taken, in.resolve_skip);
      }
      hooks_.take_in(in.resolve_warp, in.resolve_slot, resolve);
    }
  }

  void pop(const Input& in, const Cycle& cycle) {
    const PopChoice& popped = cycle.popped;
    output_.done_valid = hooks_.pop(popped, in);
    if (output_.done_valid) output_.done_warp = popped.warp;
    if (popped.valid) {
      if constexpr (Hooks::kKeepsQueues) keep_queues(in, cycle);
      else leave_entry(popped.warp, 0);
    }
  }

  // Who comes second asks a cycle later.
  void keep_queues(const Input& in, const Cycle& cycle) {
    const std::uint32_t warp = cycle.popped.warp;
    for (unsigned s = 0; s < NumSlots; ++s) {
      const std::uint32_t taken = cycle.grant.valid && cycle.grant.warp == warp && cycle.grant.slot == s ? 1 : 0;
      const std::uint32_t came = cycle.filled && in.decode_warp == warp && in.decode_slot == s ? 1 : 0;
      const std::uint32_t first_two = cycle.queued[s] < 2 ? cycle.queued[s] : 2;
      hazards_.keep(warp, s, first_two > taken ? first_two - taken : came);
    }
    hazards_.copy(warp);
    if constexpr (!kOneTable) {
      for (unsigned s = 0; s < NumSlots; ++s) ask(warp, s);
    }
  }

  // Push or pop: the top entry is another one.
  void leave_entry(std::uint32_t warp, std::uint32_t slot) {
    flush(warp, hooks_.emptied(slot));
    hazards_.copy(warp);
  }

  void flush(std::uint32_t warp, std::uint64_t slots) {
    for (std::uint64_t left = slots; left != 0; left &= left - 1) {
      ibuffer_.redirect(warp, lowest_bit(left));
      hazards_.no_head(warp, lowest_bit(left));
    }
  }

  void kill(std::uint32_t warp) {
    const std::uint64_t slots = hooks_.slots_of(warp);
    hooks_.kill(warp);
    flush(warp, slots);
    predication_.kill(warp);
    paths_.kill(warp);
  }

  // Derived values of the paths whose head or hazards may have changed, from the state after the cycle.
  void refresh(const Input& in, const Cycle& cycle) {
    const PathGrant& grant = cycle.grant;
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(in.wb_valid, k)) refresh_waiting(in.wb[k].warp, in.wb[k].reg);
    }
    if (grant.valid) {
      refresh_head(grant.warp, grant.slot);
      if (cycle.rd != 0 && hazards_.fills_for_all(grant.warp)) {
        const std::uint64_t others = hooks_.slots_of(grant.warp) & ~bit_of(grant.slot);
        for (std::uint64_t left = others; left != 0; left &= left - 1) ask(grant.warp, lowest_bit(left));
      }
    }
    if (cycle.filled && ibuffer_.count(in.decode_warp, in.decode_slot) <= in.decode_count)
      refresh_head(in.decode_warp, in.decode_slot);  // the head came with the answer
  }

  void refresh_head(std::uint32_t warp, std::uint32_t slot) {
    hazards_.new_head(warp, slot, ibuffer_.head(warp, slot), stack().path(warp, slot).mask);
  }

  void refresh_waiting(std::uint32_t warp, std::uint32_t reg) {
    for (std::uint64_t left = hooks_.slots_of(warp); left != 0; left &= left - 1) {
      if (hazards_.may_wait_for(warp, lowest_bit(left), reg)) ask(warp, lowest_bit(left));
    }
  }

  // No input is valid: what the others say does not matter, but for the units that are ready and the warps that are
  // held.
  [[nodiscard]] static bool says_nothing(const Input& in) {
    return !in.launch_valid && !in.kill_valid && !in.decode_valid && !in.resolve_valid && in.wb_valid == 0 &&
           !in.miss_valid && in.release == 0 && own(in).says_nothing();
  }

  [[nodiscard]] static const typename Hooks::OwnInput& own(const Input& in) { return in; }

  // No register holds what is gone at the next edge, or acts then by itself.
  [[nodiscard]] bool stands_still() const {
    return !(output_.issue_valid || output_.fetch_valid || output_.done_valid || output_.overflow_valid ||
             paths_.acting() != 0 || hooks_.moves());
  }

  [[nodiscard]] std::uint64_t current_paths() const {
    if constexpr (kConstrained) return selector_.current();
    else return 0;
  }

  // Some, not all of the path's threads took a branch that is nothing else.
  [[nodiscard]] bool may_be_skipped(const Input& in) const {
    const std::uint64_t mask = stack().path(in.resolve_warp, in.resolve_slot).mask;
    return (in.resolve.taken & mask) != 0 && (~in.resolve.taken & mask) != 0 && in.resolve.exit == 0 &&
           !in.resolve.call && !in.resolve.ret;
  }

  // Of these warps one whose path of the slot is inside the region.
  [[nodiscard]] bool waits_in_its_region(std::uint32_t slot, std::uint64_t warps) const {
    bool inside = false;
    for (std::uint64_t left = warps; left != 0; left &= left - 1) inside |= predication_.inside(lowest_bit(left), slot);
    return inside;
  }

  void show_eligible(const Cycle& cycle) {
    for (unsigned s = 0; s < cycle.slots; ++s) events_.eligible[s] = cycle.sets.eligible[s];
    for (unsigned s = cycle.slots; s < shown_eligible_; ++s) events_.eligible[s] = 0;
    shown_eligible_ = cycle.slots;
  }

  Hooks hooks_;
  Hazards hazards_;
  SelectorUnit selector_;
  Ibuffer ibuffer_;
  Predication predication_;
  PathState paths_;
  FetchTurn fetch_turn_;
  FrontendOutput output_;
  FrontendEvents events_;
  unsigned shown_eligible_ = 0;  // slots that may not be 0 there
#endif
};

}  // namespace heddle
