// SPDX-License-Identifier: Apache-2.0
// frontend: decides which path of which warp issues next, with a stack, a scoreboard and a selector of given kinds.
// Contract: docs/frontend.md, core/frontend; same pins as rtl/core/frontend.sv.
//
// FrontendLogic is the machine without a clock: step() is one cycle, output() what the output registers hold after it.
// It holds the logic of stack, scoreboard, selector, instruction buffer and predication as members; what lies between
// them is computed inside step(). The module below puts pins around it in simulation. For synthesis it holds the
// modules of these parts, wires, and the same decisions as combinational processes between registers of its own.
#pragma once

#include <type_traits>

#include "core/heads.h"
#include "core/ibuffer.h"
#include "core/predication.h"
#include "core/wakeup.h"
#include "dws/warp_split_table.h"
#include "scoreboard/bitmap_scoreboard.h"
#include "scoreboard/dpe_scoreboard.h"
#include "scoreboard/optimistic_scoreboard.h"
#include "scoreboard/spe_scoreboard.h"
#include "select/constrained_selector.h"
#include "stack/compact_stack.h"
#include "stack/dpe_stack.h"
#include "stack/fork_join_stack.h"
#include "stack/software_stack.h"
#include "stack/spe_stack.h"

namespace heddle {

// Kinds of the exchangeable parts.
constexpr unsigned kSpeStack = 0;
constexpr unsigned kDpeStack = 1;
constexpr unsigned kCompactStack = 2;
constexpr unsigned kForkJoinStack = 3;
constexpr unsigned kSplitStack = 4;
constexpr unsigned kSoftwareStack = 5;
constexpr unsigned kSpeScoreboard = 0;
constexpr unsigned kDpeScoreboard = 1;
constexpr unsigned kOptimisticScoreboard = 2;
constexpr unsigned kBitmapScoreboard = 3;
constexpr unsigned kWarpSelector = 0;
constexpr unsigned kConstrainedSelector = 1;

constexpr unsigned kMostSlots = 64;

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
template <unsigned NumWb>
struct FrontendInput {
  bool launch_valid = false;
  bool kill_valid = false;
  bool fetch_ready = false;
  bool decode_valid = false;
  bool resolve_valid = false;
  bool miss_valid = false;
  bool split_valid = false;
  bool load_ready = false;
  bool fill_valid = false;
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
  std::uint32_t split_warp = 0;
  std::uint32_t split_slot = 0;
  std::uint64_t split_mask = 0;
  std::uint32_t fill_warp = 0;
  SoftwarePaths fill;
  std::uint32_t unit_ready = 0;
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
  RefillChoice refilled;                    // warp_split_table
  PopChoice forwarded;                      // dpe_stack with forwarding
  std::uint64_t eligible[kMostSlots] = {};  // by slot, bit a warp
  // Nothing has changed but stall_o, nor will it in the next step if unit_ready_i stays what it was and no input is
  // valid.
  bool still = false;
};
#endif

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 2, unsigned Stack = 1,
          unsigned StackDepth = 16, unsigned StackOrder = 0, unsigned Scoreboard = 1, unsigned SbEntries = 8,
          unsigned Selector = 0, unsigned Policy = 0, unsigned IbufDepth = 5, unsigned LevelW = 8,
          unsigned Predicate = 1, unsigned NumWb = 2, unsigned NumResolve = 1, unsigned TagW = 3, unsigned Forward = 0,
          unsigned Split = 0, unsigned Ahead = 0, unsigned Watch = 1>
class FrontendLogic {
  static_assert(NumSlots >= 1 && NumSlots <= kMostSlots, "frontend: 1 to 64 slots");
  static_assert(Stack <= kSoftwareStack &&
                    (Stack == kSplitStack ? NumSlots >= 2
                                          : NumSlots == (Stack == kDpeStack || Stack == kSoftwareStack ? 2 : 1)),
                "frontend: Stack is 0 (spe_stack), 2 (compact_stack), 3 (fork_join_stack), all one slot, 1 (dpe_stack) "
                "or 5 (software_stack), "
                "two slots, or 4 (warp_split_table, two slots or more)");
  static_assert(
      StackOrder <= (Stack == kDpeStack || Stack == kSoftwareStack || Stack == kForkJoinStack ? 1u : kLargerFirst),
      "frontend: StackOrder is 0 to 3, but 0 or 1 of dpe_stack, software_stack (1: taken right) and fork_join_stack");
  static_assert(Scoreboard <= kBitmapScoreboard, "frontend: Scoreboard is 0 to 3");
  static_assert(Scoreboard != kSpeScoreboard || NumSlots == 1, "frontend: Scoreboard 0 (spe_scoreboard) has one slot");
  static_assert(Scoreboard != kDpeScoreboard || NumSlots == 2, "frontend: Scoreboard 1 (dpe_scoreboard) has two slots");
  static_assert(Scoreboard != kOptimisticScoreboard || NumSlots >= 2,
                "frontend: Scoreboard 2 (optimistic) has two slots or more");
  static_assert(Scoreboard != kBitmapScoreboard || NumSlots <= 2,
                "frontend: Scoreboard 3 (bitmap) has one slot or two");
  static_assert(Stack != kSplitStack || Scoreboard == kOptimisticScoreboard,
                "frontend: splits leave a path without a push, which only Scoreboard 2 (optimistic) follows");
  static_assert(Stack != kSplitStack || Selector == kWarpSelector,
                "frontend: Stack 4 (warp_split_table) goes with Selector 0 (warp_selector)");
  static_assert(Selector == kWarpSelector || (Selector == kConstrainedSelector && NumSlots == 2),
                "frontend: Selector is 0 (warp_selector) or 1 (constrained_selector, two slots)");
  static_assert(Predicate <= 1, "frontend: Predicate is 0 (without) or 1 (with core/predication)");
  static_assert(NumWb >= 1 && NumWb <= 64, "frontend: 1 to 64 write-back ports");
  static_assert(NumResolve >= 1 && NumResolve <= 64, "frontend: 1 to 64 resolution ports");
  static_assert(Forward <= (Stack == kDpeStack ? 1u : 0u),
                "frontend: Forward is 0 (without), or 1 (with path forwarding) with Stack 1 (dpe_stack)");
  static_assert(Split <= (Stack == kDpeStack && Forward == 0 && Scoreboard == kOptimisticScoreboard &&
                                  Selector == kWarpSelector
                              ? 1u
                              : 0u),
                "frontend: Split is 0 (without), or 1 (with memory-divergence splitting) with Stack 1 (dpe_stack), "
                "Scoreboard 2 (optimistic), "
                "Selector 0 (warp_selector) and Forward 0");
  static_assert(Ahead <= (Stack == kSpeStack || Stack == kCompactStack ? 1u : 0u),
                "frontend: Ahead is 0 (without), or 1 (the second side is fetched ahead) with Stack 0 (spe_stack) or 2 "
                "(compact_stack)");
  static_assert(Watch <= 1, "frontend: Watch is 0 (without) or 1 (with what is there for watching only)");

 public:
  static constexpr unsigned kSlots = NumSlots;
  static constexpr bool kOptimistic = Scoreboard == kOptimisticScoreboard;
  static constexpr bool kConstrained = Selector == kConstrainedSelector;
  static constexpr bool kSplits = Stack == kSplitStack;
  static constexpr bool kForward = Forward != 0;
  static constexpr bool kParts = Split != 0;  // paths are split at loads
  static constexpr bool kAhead =
      Ahead != 0;  // the side that executes second is fetched while the first one is executed
  static constexpr bool kRowsOut = Stack == kSoftwareStack;  // rows of the stack are in memory
  using PdomStack = std::conditional_t<Stack == kCompactStack,
                                       CompactStackLogic<NumWarps, Lanes, StackDepth, StackOrder, LevelW, Watch>,
                                       SpeStackLogic<NumWarps, Lanes, StackDepth, StackOrder, LevelW, Watch>>;
  using OtherStack = std::conditional_t<
      Stack == kDpeStack,
      DpeStackLogic<NumWarps, Lanes, StackDepth, StackOrder == kTakenLeft ? 1 : 0, LevelW, Forward, Split, Watch>,
      ForkJoinStackLogic<NumWarps, Lanes, StackDepth, StackOrder, LevelW, Watch>>;
  using InnerStack = std::conditional_t<Stack == kSpeStack || Stack == kCompactStack, PdomStack, OtherStack>;
  using WholeStack = std::conditional_t<
      kRowsOut, SoftwareStackLogic<NumWarps, Lanes, StackDepth, StackOrder == kTakenLeft ? 1 : 0, LevelW, Watch>,
      InnerStack>;
  using StackUnit =
      std::conditional_t<kSplits, WarpSplitTableLogic<NumWarps, Lanes, NumSlots, StackDepth, StackOrder, LevelW, Watch>,
                         WholeStack>;
  using Table = std::conditional_t<Scoreboard == kSpeScoreboard, SpeScoreboardLogic<NumWarps, SbEntries>,
                                   DpeScoreboardLogic<NumWarps, SbEntries>>;
  using OtherScoreboard =
      std::conditional_t<kOptimistic, OptimisticScoreboardLogic<NumWarps, Lanes, 2 * SbEntries, Split>,
                         BitmapScoreboardLogic<NumWarps, NumSlots>>;
  using ScoreboardUnit = std::conditional_t<Scoreboard <= kDpeScoreboard, Table, OtherScoreboard>;
  using SelectorUnit = std::conditional_t<kConstrained, ConstrainedSelectorLogic<NumWarps, Policy>,
                                          WarpSelectorLogic<NumWarps, NumSlots, Policy>>;
  using FetchTurn = WarpSelectorLogic<NumWarps, NumSlots, kPolicyRoundRobin>;
  using Ibuffer = IbufferLogic<NumWarps, NumSlots, IbufDepth, TagW, Ahead>;
  using Predication = PredicationLogic<NumWarps, NumSlots, Lanes>;
  using Config = FrontendConfig;
  using Input = FrontendInput<NumWb>;

  [[nodiscard]] static constexpr FrontendConfig default_config() {
    return {StackDepth, StackOrder, SbEntries, Policy, IbufDepth, LevelW, NumSlots};
  }

  explicit FrontendLogic(const FrontendConfig& config = default_config())
      : stack_(StackConfig{config.stack_depth, config.stack_order, config.level_bits, config.slots}),
        scoreboard_(kOptimistic ? 2 * config.sb_entries : config.sb_entries),
        selector_(config.policy, slot_limit(config)),
        ibuffer_(config.ibuf_depth),
        fetch_turn_(kPolicyRoundRobin, slot_limit(config)) {
    reset();
  }

  // What the hardware keeps of the scoreboard's answers; the twin asks it when a head is new or a write comes back.
  [[nodiscard]] static constexpr unsigned wakeup_bits() {
    if constexpr (Scoreboard > kDpeScoreboard) return 0;
    else return wakeup<NumWarps, NumSlots, SbEntries, NumWb>::state_bits();
  }
  // Bits that are in no submodule: path status, fetch arbiter, output registers.
  [[nodiscard]] static constexpr unsigned own_state_bits() {
    const unsigned status =
        2 + (kSplits ? NumSlots : 1) + (NumSlots > 1 ? 1 + kSlotBits : 0);  // the last with slots: acting, pending_slot
    return (status + (kAhead ? 1 + 32 + 32 : 0)) * NumWarps + FetchTurn::state_bits() + fetch_register_bits() +
           issue_register_bits() + 2 * (1 + index_width(NumWarps)) + NumWarps + (Watch != 0 ? 4 : 0);
  }
  // What a stack keeps to tell of later sides, and nobody hears.
  [[nodiscard]] static constexpr unsigned unheard_bits() {
    if constexpr (Stack == kCompactStack && !kAhead) return StackUnit::later_bits();
    else return 0;
  }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return StackUnit::state_bits() - unheard_bits() + ScoreboardUnit::state_bits() + SelectorUnit::state_bits() +
           Ibuffer::state_bits() + (Predicate != 0 ? Predication::state_bits() : 0) + wakeup_bits() + own_state_bits();
  }

  void reset() {
    stack_.reset();
    scoreboard_.reset();
    selector_.reset();
    ibuffer_.reset();
    predication_.reset();
    heads_.reset();
    for (unsigned s = 0; s < NumSlots; ++s) {
      blocked_[s] = 0;
      full_[s] = 0;
    }
    fetch_turn_.reset();
    for (unsigned w = 0; w < NumWarps; ++w) pending_slot_[w] = 0;
    for (unsigned s = 0; s < NumSlots; ++s) pending_at_[s] = 0;
    for (unsigned s = 0; s < kBarrierWords; ++s) at_barrier_[s] = 0;
    barrier_slots_ = 0;
    pending_ = 0;
    acting_ = 0;
    halted_ = 0;
    dropped_ = PathGrant();
    met_ = PopChoice();
    ahead_ = 0;
    if constexpr (kDeaf) {
      for (unsigned s = 0; s < NumSlots; ++s) {
        for (unsigned w = 0; w < NumWarps; ++w) forget_asked(w, s);
      }
    }
    output_ = FrontendOutput();
#ifndef HEDDLE_SYNTHESIS
    events_.still = false;
#endif
  }

  void step(const Input& in) {
#ifndef HEDDLE_SYNTHESIS
    const bool quiet = says_nothing(in) && stands_still();
    const std::uint64_t idle_before = output_.idle;
    const std::uint64_t current_before = current_paths();
#endif
    const std::uint64_t killed = in.kill_valid ? bit_of(in.kill_warp) : 0;
    const bool occupied = output_.issue_valid && !in.issue_ready;  // the issue register
    const std::uint32_t unit_ready = occupied ? 0 : in.unit_ready;
    update_idle();

    // Decisions, all of them on registered state.
    const unsigned slots = slots_to_decide();
    SlotSets sets;
    DpePartsInput parts;  // what the stack is told of the paths of its warps
    if constexpr (kParts) {
      find_stopped(parts);
      parts_ = parts;
    }
    const BusyUnits busy = busy_units(unit_ready);
    for (unsigned s = 0; s < slots; ++s) decide(s, busy, killed, sets);
    PathGrant grant;
    if constexpr (kConstrained) grant = selector_.pick(sets.eligible[0], sets.eligible[1]);
    else grant = pick(selector_, sets.eligible, sets.any_eligible);

    PathGrant fetch;
    if (in.fetch_ready) fetch = pick(fetch_turn_, sets.wants_fetch, sets.any_wants_fetch);
    std::uint64_t merge = 0;  // who lets the path join that issues, bit a slot of its warp
    if constexpr (kSplits) {
      if (grant.valid)
        merge = merge_slots(grant.warp, bundle_barrier(ibuffer_.head(grant.warp, grant.slot)),
                            predication_.inside(grant.warp, grant.slot));
    }
    const bool acts = stack_.taken_in().valid;
    std::uint64_t meetable = 0;
    if constexpr (kParts) {
      if (grant.valid) parts.merge[1 - grant.slot] = merge_bit(grant.warp, grant.slot);
      if (acts) parts.merge[1 - stack_.taken_in().slot] |= merge_bit(stack_.taken_in().warp, stack_.taken_in().slot);
      meetable = stack_.meetable(parts) & ~killed;
    }
    const bool splits = kParts && in.split_valid && split_ready(in.split_warp, in.split_slot, in.split_mask, killed);
    PopChoice popped;
    bool stays_chosen = false;
    if constexpr (kRowsOut) {
      popped.valid = in.fill_valid || stack_.ends(in.fill_valid);
      popped.warp = in.fill_valid ? in.fill_warp : stack_.chosen().warp;
      stays_chosen = stack_.stays(in.fill_valid, in.load_ready) && !has_bit(killed, stack_.chosen().warp);
    } else {
      popped = stack_.chosen();
    }
    std::uint64_t poppable = 0;
    std::uint64_t forwardable = 0;
    if constexpr (kForward) {
      const bool control = grant.valid && bundle_control(ibuffer_.head(grant.warp, grant.slot));
      const std::uint64_t hold = pending_ | (control ? bit_of(grant.warp) : 0);
      poppable = stack_.poppable(hold);
      forwardable = stack_.forwardable(hold);
    } else {
      poppable = stack_.poppable();
    }
    // Who issues, if its queue has turned: should its path arrive, the next one comes at once.
    const std::uint64_t hastened = kAhead && grant.valid ? bit_of(grant.warp) & ibuffer_.turned(0) : 0;
    std::uint32_t queued[NumSlots] = {};  // of the warp that is popped, by slot
    if constexpr (kDeaf) {
      for (unsigned s = 0; s < NumSlots; ++s) queued[s] = popped.valid ? ibuffer_.count(popped.warp, s) : 0;
    }

    // Output registers.
    if (grant.valid) {
      const StackPath path = stack_.path(grant.warp, grant.slot);
      output_.issue_warp = grant.warp;
      output_.issue_slot = grant.slot;
      output_.issue_pc = path.pc;
      output_.issue_mask = path.mask;
      output_.issue_instr = ibuffer_.head(grant.warp, grant.slot);
      output_.issue_sibling = stack_.sibling(grant.warp, grant.slot);
      output_.issue_predicated = predication_.inside(grant.warp, grant.slot);
      if (output_.issue_predicated) output_.issue_mask &= ~predication_.off_mask(grant.warp, grant.slot);
    }
    output_.issue_valid = grant.valid || occupied;
    Turning turning;
    if (Watch != 0) output_.stall = grant.valid ? kStallNone : stall(sets);
    if (fetch.valid) {
      output_.fetch_warp = fetch.warp;
      output_.fetch_slot = fetch.slot;
      output_.fetch_pc = next_pc(output_.fetch_warp, output_.fetch_slot) +
                         8 * ibuffer_.requests(output_.fetch_warp, output_.fetch_slot);
      if constexpr (kAhead) turning = look_ahead(fetch.warp);
      output_.fetch_tag = ibuffer_.tag(output_.fetch_warp, output_.fetch_slot);
      fetch_turn_.grant(fetch);
    }
    output_.fetch_valid = fetch.valid;

    // Selector.
    if constexpr (kConstrained) {
      SwitchInput paths;
      paths.valid_l = stack_.valid(0) & ~sets.held[0];
      paths.valid_r = stack_.valid(1) & ~sets.held[1];
      paths.long_l = heads_.unit(0, kUnitCodeSfu);
      paths.long_r = heads_.unit(1, kUnitCodeSfu);
      paths.miss_valid = in.miss_valid;
      paths.miss_warp = in.miss_warp;
      paths.miss_slot = in.miss_slot;
      selector_.update(grant, paths);
    } else {
      if (grant.valid) selector_.grant(grant);
    }
    if (in.launch_valid) selector_.launch(in.launch_warp);

    // Write-backs, then the issued instruction, then the resolution that acts: the order of docs/frontend.md.
    const std::uint32_t rd = grant.valid ? bundle_rd(output_.issue_instr) : 0;
    const std::uint32_t entry = rd != 0 ? scoreboard_.free_entry(grant.warp, grant.slot) : 0;
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(in.wb_valid, k)) scoreboard_.clear(in.wb[k].warp, in.wb[k].slot, in.wb[k].reg, in.wb[k].mask);
    }
    // A barrier that is granted wins over a release of its warp.
    release(kSplits && grant.valid && bundle_barrier(output_.issue_instr) ? in.release & ~bit_of(grant.warp)
                                                                          : in.release);
    const PathGrant dropped = dropped_;
    const PopChoice met = met_;
    if constexpr (kSplits || kForward || kParts) dropped_.valid = false;
    if constexpr (kParts) {
      met_.valid = false;
      stack_.end_waits(parts);
      const PopChoice meets = stack_.meet_chosen();
      if (meets.valid && stack_.meet(has_bit(killed, meets.warp))) {
        met_ = meets;
        refresh_hazard(meets.warp, 0);
      }
      stack_.choose_meet(meetable);
    }
    if (grant.valid) {
      const std::uint64_t warp_bit = bit_of(grant.warp);
      if (rd != 0) scoreboard_.set(grant.warp, grant.slot, entry, rd, output_.issue_mask);
      if (bundle_control(output_.issue_instr)) {
        pending_ |= warp_bit;
        pending_at_[grant.slot] |= warp_bit;
        if constexpr (NumSlots > 1) pending_slot_[grant.warp] = static_cast<std::uint8_t>(grant.slot);
      } else if constexpr (kSplits) {
        advance_split(grant, merge);
      } else {
        if constexpr (kParts) advance_part(grant, has_bit(parts.merge[1 - grant.slot], grant.warp));
        else stack_.advance(grant.warp, grant.slot);
        if constexpr (kForward || kParts) {  // a path that has arrived is dropped from the buffer in the next cycle
          if (!has_bit(stack_.valid(grant.slot), grant.warp)) dropped_ = grant;
        }
      }
      if (bundle_barrier(output_.issue_instr)) {
        at_barrier_[kSplits ? grant.slot : 0] |= warp_bit;
        barrier_slots_ |= bit_of(kSplits ? grant.slot : 0);
      }
      ibuffer_.take(grant.warp, grant.slot);
      if constexpr (kDeaf) {
        unheard_[grant.slot][grant.warp] = unheard_second_[grant.slot][grant.warp];
        unheard_second_[grant.slot][grant.warp] = 0;
      }
      if (output_.issue_predicated) predication_.take(grant.warp, grant.slot);
    }
    if (fetch.valid) ibuffer_.request(output_.fetch_warp, output_.fetch_slot);
    if constexpr (kAhead) {
      if (turning.turns) ibuffer_.turn(output_.fetch_warp, output_.fetch_slot, turning.one);
    }
    const bool filled = in.decode_valid && ibuffer_.answer(in.decode_warp, in.decode_slot, in.decode_tag,
                                                           in.decode_count, in.decode_instr0, in.decode_instr1);

    output_.overflow_valid = false;
    if constexpr (NumSlots > 1) acting_ = in.resolve_valid ? bit_of(in.resolve_warp) : 0;
#ifndef HEDDLE_SYNTHESIS
    events_.resolved_valid = false;
    events_.resolved_next = false;
    events_.push_valid = false;
#endif
    if constexpr (kRowsOut) stack_.forget_saved();
    if (acts) {
      const std::uint32_t acting_warp = stack_.taken_in().warp;
      const std::uint32_t acting_slot = stack_.taken_in().slot;
      std::uint64_t grown = 0;
      const auto result = act(has_bit(killed, acting_warp), parts, grown);
#ifndef HEDDLE_SYNTHESIS
      events_.resolved_valid = !result.overflow;
      events_.resolved_next = result.next;
      events_.push_valid = result.push;
      events_.acting_warp = acting_warp;
      events_.acting_slot = acting_slot;
#endif
      if (result.overflow) {
        halted_ |= bit_of(acting_warp);
        output_.overflow_valid = true;
        output_.overflow_warp = acting_warp;
      } else {
        settle(acting_warp);
        if (result.push) {
          if constexpr (kAhead) know_later(acting_warp, result.later, result.later_pc, result.later_rpc);
          leave_entry(acting_warp, bit_of(acting_slot));
        } else if (result.next) {
          ibuffer_.resume(acting_warp, acting_slot);  // an answer of this cycle came to a path that had not stopped
          refresh_hazard(acting_warp, acting_slot);   // of threads some may have left
        } else {
          ibuffer_.redirect(acting_warp, acting_slot);
          no_head(acting_warp, acting_slot);
        }
        refresh_hazards(acting_warp, grown);
      }
    }
    if (in.resolve_valid) {
      ResolveInput resolve = in.resolve;
      if (Predicate != 0 && in.resolve_skip != 0) {  // the path goes on, without those who took the branch
        HEDDLE_EXPECT(may_be_skipped(in));
        resolve.taken = 0;
        predication_.start(in.resolve_warp, in.resolve_slot, in.resolve.taken, in.resolve_skip);
      }
      stack_.take_in(in.resolve_warp, in.resolve_slot, resolve);
      if (kAhead && (resolve.call || resolve.ret)) ahead_ &= ~bit_of(in.resolve_warp);
    }
    output_.done_valid = false;
    if constexpr (kRowsOut) {
      if (stack_.ends(in.fill_valid)) {
        output_.done_valid = true;
        output_.done_warp = popped.warp;
      }
      stack_.serve_chosen(in.fill_valid, in.load_ready);
      if (in.fill_valid) stack_.fill(in.fill_warp, in.fill);
      if (popped.valid) leave_entry(popped.warp, 1);
    } else if (popped.valid) {
      if (stack_.pop(popped.warp)) {
        output_.done_valid = true;
        output_.done_warp = popped.warp;
      }
      if constexpr (kForward) {
        for (unsigned s = 0; s < NumSlots; ++s) {
          const std::uint32_t taken = grant.valid && grant.warp == popped.warp && grant.slot == s ? 1 : 0;
          const std::uint32_t came = filled && in.decode_warp == popped.warp && in.decode_slot == s ? 1 : 0;
          const std::uint32_t first_two = queued[s] < 2 ? queued[s] : 2;
          uncover_shadows(popped.warp, s,
                          first_two > taken ? first_two - taken : came);  // who comes second asks a cycle later
        }
        scoreboard_.copy(popped.warp);
        if constexpr (!kOptimistic) refresh_hazards(popped.warp, low_bits(NumSlots));
      } else if constexpr (kAhead) {
        ahead_ &= ~bit_of(popped.warp);
        if (!ibuffer_.pass(popped.warp, 0)) leave_entry(popped.warp, 1);
      } else {
        leave_entry(popped.warp, 1);
      }
    }
    if constexpr (kSplits) {
#ifndef HEDDLE_SYNTHESIS
      events_.refilled = stack_.refill_chosen();
#endif
      if (stack_.refill_chosen().valid) stack_.refill();
    }
    if constexpr (kForward) {
#ifndef HEDDLE_SYNTHESIS
      events_.forwarded = stack_.forward_chosen();
#endif
      if (stack_.forward_chosen().valid) stack_.forward(has_bit(killed, stack_.forward_chosen().warp));
    }
    if constexpr (kParts) {
      if (splits) {
        stack_.split(in.split_warp, in.split_slot, in.split_mask);
        refresh_hazard(in.split_warp, in.split_slot);
      }
      if (met.valid) drop(met.warp, 1);
    }
    if constexpr (kSplits || kForward || kParts) {
      if (dropped.valid) drop(dropped.warp, dropped.slot);
    }
    if (in.launch_valid) stack_.launch(in.launch_warp, in.launch_pc, in.launch_mask);
    if (in.kill_valid) kill(in.kill_warp);
    if constexpr (kForward) stack_.choose(poppable, forwardable);
    else if constexpr (kAhead) stack_.choose(poppable, hastened);
    else if (!stays_chosen) stack_.choose(poppable);

    // Derived values of the paths whose head or hazards may have changed, from the state after the cycle.
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(in.wb_valid, k)) refresh_waiting(in.wb[k].warp, in.wb[k].reg);
    }
    if (grant.valid) {
      refresh_head(grant.warp, grant.slot);
      if constexpr (kOptimistic) {  // one table: it may be full for all paths of the warp
        if (rd != 0 && scoreboard_.table_full(grant.warp, 0))
          refresh_hazards(grant.warp, slots_of(grant.warp) & ~bit_of(grant.slot));
      }
    }
    if (filled && ibuffer_.count(in.decode_warp, in.decode_slot) <= in.decode_count) {  // the head came with the answer
      refresh_head(in.decode_warp, in.decode_slot);
    }
#ifndef HEDDLE_SYNTHESIS
    events_.grant = grant;
    events_.popped = popped;
    events_.still = quiet && stands_still() && output_.idle == idle_before && current_paths() == current_before;
    show_eligible(sets, slots);
#endif
  }

  [[nodiscard]] FrontendOutput output() const { return output_; }
  // 0 without Watch, the next four also with other stacks than warp_split_table, but for the second and third with
  // splitting at loads, the last without forwarding:
  [[nodiscard]] std::uint32_t max_depth() const { return stack_.max_depth(); }
  [[nodiscard]] std::uint32_t max_splits() const {
    if constexpr (kSplits) return stack_.max_splits();
    else return 0;
  }
  [[nodiscard]] std::uint32_t splits() const {
    if constexpr (kSplits || kParts) return stack_.splits();
    else return 0;
  }
  [[nodiscard]] std::uint32_t merges() const {
    if constexpr (kSplits || kParts) return stack_.merges();
    else return 0;
  }
  [[nodiscard]] std::uint32_t refused() const {
    if constexpr (kSplits) return stack_.refused();
    else return 0;
  }
  [[nodiscard]] std::uint32_t forwards() const {
    if constexpr (kForward) return stack_.forwards();
    else return 0;
  }

  // The path may be split: what it waits for the threads not in `behind` may have.
  [[nodiscard]] bool split_ready(std::uint32_t warp, std::uint32_t slot, std::uint64_t behind,
                                 std::uint64_t killed) const {
    bool ready = false;
    if constexpr (kParts) {
      const std::uint64_t mask = warp < NumWarps ? stack_.path(warp, slot).mask : 0;
      const std::uint64_t busy = pending_ | acting_ | predication_.active() | at_barrier_[0] | halted_ | killed;
      ready = has_bit(stack_.valid(slot) & ~stack_.valid(1 - slot) & ibuffer_.head_valid(slot) & blocked_[slot] & ~busy,
                      warp) &&
              (mask & behind) != 0 && (mask & ~behind) != 0;
    }
    return ready;
  }

  [[nodiscard]] const StackUnit& stack() const { return stack_; }
  [[nodiscard]] const ScoreboardUnit& scoreboard() const { return scoreboard_; }
  [[nodiscard]] const SelectorUnit& selector() const { return selector_; }
  [[nodiscard]] const Ibuffer& ibuffer() const { return ibuffer_; }
  [[nodiscard]] const Predication& predication() const { return predication_; }
  // Bit a warp:
  [[nodiscard]] std::uint64_t blocked(std::uint32_t slot) const { return blocked_[slot]; }
  [[nodiscard]] std::uint64_t full(std::uint32_t slot) const { return full_[slot]; }
  [[nodiscard]] std::uint64_t pending() const { return pending_; }
  [[nodiscard]] std::uint32_t pending_slot(std::uint32_t warp) const { return pending_slot_[warp]; }
  [[nodiscard]] std::uint64_t acting() const { return acting_; }
  [[nodiscard]] std::uint64_t at_barrier(std::uint32_t slot = 0) const {
    return at_barrier_[kSplits ? slot : 0];
  }  // a path's with splits only
  [[nodiscard]] std::uint64_t halted() const { return halted_; }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const FrontendEvents& events() const { return events_; }
#endif

 private:
  static constexpr unsigned kSlotBits = slot_state_bits(NumSlots);
  static constexpr unsigned kBarrierWords = kSplits ? NumSlots : 1;
  // A pop copies shadow bits while a guest goes on, whose first two instructions have asked what they wait for
  // (core/wakeup).
  static constexpr bool kDeaf = kForward && Scoreboard == kDpeScoreboard;
  [[nodiscard]] static constexpr unsigned fetch_register_bits() {
    return 1 + index_width(NumWarps) + kSlotBits + 32 + TagW;
  }
  [[nodiscard]] static constexpr unsigned issue_register_bits() {
    return 1 + index_width(NumWarps) + kSlotBits + 32 + Lanes + kInstrWidth + 1 + Predicate;
  }

  // What is decided of the paths, by slot, bit a warp; only slots below slots_to_decide() are written and read.
  struct SlotSets {
    std::uint64_t held[NumSlots];  // control or barrier waits until the region of another path is done
    std::uint64_t open[NumSlots];  // the head may issue as far as control, barrier and regions go
    std::uint64_t eligible[NumSlots];
    std::uint64_t wants_fetch[NumSlots];
    // Of all slots; the last four: what a path waits for that may issue otherwise.
    std::uint64_t any_held = 0;
    std::uint64_t any_eligible = 0;
    std::uint64_t any_wants_fetch = 0;
    std::uint64_t any_busy = 0;         // its unit,
    std::uint64_t any_busy_memory = 0;  // which is the load/store unit
    std::uint64_t any_blocked = 0;      // a register
    std::uint64_t any_full = 0;         // an entry of the scoreboard
  };

  // Of a request: behind it the queue turns; of what it brings one bundle counts.
  struct Turning {
    bool turns = false;
    bool one = false;
  };

  // The request that is granted, by its PC: it may be for what is beyond the turn, or reach it.
  Turning look_ahead(std::uint32_t warp) {
    Turning turning;
    if (has_bit(ibuffer_.turned(0), warp)) {
      output_.fetch_pc = later_pc_[warp] + 4 * ibuffer_.beyond(warp, 0);
    } else if (has_bit(ahead_, warp)) {
      turning.one = output_.fetch_pc + 4 == place_[warp];
      turning.turns = turning.one || output_.fetch_pc + 8 == place_[warp];
    }
    return turning;
  }

  // A push: whether the path that it leaves below comes next, when the one above has come to the place.
  void know_later(std::uint32_t warp, bool later, std::uint32_t pc, std::uint32_t place) {
    ahead_ = with_bit(ahead_, warp, later);
    later_pc_[warp] = pc;
    place_[warp] = place;
  }

  // Without a branch: the compiler does several slots at once.
  void decide(std::uint32_t s, const BusyUnits& units, std::uint64_t killed, SlotSets& sets) const {
    const std::uint64_t valid = stack_.valid(s);
    const std::uint64_t unresolved = pending_at_[s] | (pending_ & heads_.waits(s));
    sets.held[s] = NumSlots > 1 ? valid & predication_.active() & heads_.waits(s) : 0;
    HEDDLE_EXPECT(!waits_in_its_region(s, valid & predication_.active() & heads_.waits(s)));
    sets.open[s] = valid & ibuffer_.head_valid(s) & ~(at_barrier(s) | halted_ | acting_) & ~unresolved & ~sets.held[s];
    if constexpr (kParts) sets.open[s] &= ~(parts_.stopped[s] | stack_.waiting(s, parts_));
    const std::uint64_t clear = sets.open[s] & ~blocked_[s] & ~full_[s];
    const std::uint64_t busy = clear & heads_.unit_busy(s, units);
    sets.eligible[s] = clear & ~busy & ~killed;
    sets.wants_fetch[s] = ibuffer_.need_fetch(s) & valid & ~halted_;
    sets.any_held |= sets.held[s];
    sets.any_eligible |= sets.eligible[s];
    sets.any_wants_fetch |= sets.wants_fetch[s];
    sets.any_busy |= busy;
    sets.any_busy_memory |= busy & heads_.unit(s, kUnitCodeLsu);
    sets.any_blocked |= sets.open[s] & blocked_[s];
    sets.any_full |= sets.open[s] & full_[s];
  }

  // Warp, then slot; `warps` have a ready path.
  template <class Turn>
  [[nodiscard]] PathGrant pick(const Turn& turn, const std::uint64_t (&ready)[NumSlots], std::uint64_t warps) const {
    PathGrant grant;
    if (warps != 0) {
      grant.valid = true;
      grant.warp = turn.pick_warp(warps);
      grant.slot = turn.pick_slot(ready, slots_of(grant.warp), grant.warp);
    }
    return grant;
  }

  [[nodiscard]] static constexpr std::uint32_t slot_limit(const FrontendConfig& config) {
    return kSplits ? config.slots : NumSlots;
  }

  // Above these no slot has a path. Of many slots the lower ones are in use; of two it is not worth the question.
  [[nodiscard]] unsigned slots_to_decide() const {
    if constexpr (kSplits) return count_to_highest(stack_.used());
    else return NumSlots;
  }
  // Slots with a path of the warp, bit a slot.
  [[nodiscard]] std::uint64_t slots_of(std::uint32_t warp) const {
    if constexpr (kSplits) return stack_.slots(warp);
    else return low_bits(NumSlots);
  }

  // Slots of the warp that let a path join, bit a slot.
  [[nodiscard]] std::uint64_t merge_slots(std::uint32_t warp, bool to_barrier, bool in_region) const {
    std::uint64_t slots = in_region ? 0 : stack_.slots(warp);
    if (slots != 0) {
      std::uint64_t waiting = 0;  // at the barrier
      for (std::uint64_t left = barrier_slots_; left != 0; left &= left - 1) {
        const std::uint32_t s = lowest_bit(left);
        waiting |= static_cast<std::uint64_t>(has_bit(at_barrier_[s], warp)) << s;
      }
      slots &= to_barrier ? waiting : ~waiting;
      if (has_bit(pending_, warp)) slots &= ~bit_of(pending_slot_[warp]);
      if (has_bit(predication_.active(), warp)) slots &= ~bit_of(predication_.slot(warp));
    }
    return slots;
  }

  // Of parts: those whose head is a barrier.
  void find_stopped(DpePartsInput& parts) const {
    for (std::uint64_t left = stack_.parts(); left != 0; left &= left - 1) {
      const std::uint32_t warp = lowest_bit(left);
      for (unsigned s = 0; s < NumSlots; ++s) {
        const bool stopped = has_bit(ibuffer_.head_valid(s), warp) && bundle_barrier(ibuffer_.head(warp, s));
        parts.stopped[s] = with_bit(parts.stopped[s], warp, stopped);
      }
    }
  }

  // The other path of the warp, if it lets that of the slot join it.
  [[nodiscard]] std::uint64_t merge_bit(std::uint32_t warp, std::uint32_t slot) const {
    const std::uint32_t other = 1 - slot;
    const bool merge = has_bit(stack_.valid(other) & ~pending_at_[other], warp) && !predication_.inside(warp, slot) &&
                       !predication_.inside(warp, other);
    return merge ? bit_of(warp) : 0;
  }

  void advance_part(const PathGrant& grant, bool merge) {
    const std::uint64_t before = stack_.path(grant.warp, 1 - grant.slot).mask;
    stack_.advance(grant.warp, grant.slot, merge);
    if (stack_.path(grant.warp, 1 - grant.slot).mask != before) refresh_hazard(grant.warp, 1 - grant.slot);
  }

  // A path that is empty afterwards is dropped from the buffer, and from the barrier, in the next cycle.
  void advance_split(const PathGrant& grant, std::uint64_t merge) {
    const SlotFound partner = stack_.advance(grant.warp, grant.slot, merge);
    if (partner.found) refresh_hazard(grant.warp, partner.slot);
    if (!has_bit(stack_.slots(grant.warp), grant.slot)) dropped_ = grant;
  }

  void drop(std::uint32_t warp, std::uint32_t slot) {
    ibuffer_.redirect(warp, slot);
    no_head(warp, slot);
    if constexpr (kSplits) leave_barrier(bit_of(warp), slot);
  }

  void forget_asked(std::uint32_t warp, std::uint32_t slot) {
    unheard_[slot][warp] = 0;
    unheard_second_[slot][warp] = 0;
  }

  // Before the pop's copy: what it will shadow the instructions of the path do not wait for that have asked by then,
  // `asked` of them.
  void uncover_shadows(std::uint32_t warp, std::uint32_t slot, std::uint32_t asked) {
    if constexpr (kDeaf) {
      const std::uint64_t shadowed = scoreboard_.unshadowed_names(warp, 1 - slot);
      if (asked >= 1) unheard_[slot][warp] |= shadowed;
      if (asked >= 2) unheard_second_[slot][warp] |= shadowed;
    }
  }

  // The resolution that acts; `grown`: paths that got more threads, bit a slot.
  auto act(bool killed, const DpePartsInput& parts, std::uint64_t& grown) {
    if constexpr (kSplits) {
      const TakenIn acts = stack_.taken_in();
      return stack_.act(killed, merge_slots(acts.warp, false, predication_.inside(acts.warp, acts.slot)), grown);
    } else if constexpr (kParts) {
      const std::uint32_t slot = stack_.taken_in().slot;
      const DpeResolved resolved = stack_.act(killed, parts);
      grown = resolved.joins ? bit_of(1 - slot) : 0;
      return resolved;
    } else {
      grown = 0;
      return stack_.act(killed);
    }
  }

  // No control instruction of the warp is unresolved.
  void settle(std::uint32_t warp) {
    pending_ &= ~bit_of(warp);
    pending_at_[NumSlots > 1 ? pending_slot_[warp] : 0] &= ~bit_of(warp);
  }

  void release(std::uint64_t warps) {
    if constexpr (!kSplits) {
      at_barrier_[0] &= ~warps;
    } else if (warps != 0) {
      for (std::uint64_t left = barrier_slots_; left != 0; left &= left - 1) leave_barrier(warps, lowest_bit(left));
    }
  }

  void leave_barrier(std::uint64_t warps, std::uint32_t slot) {
    at_barrier_[slot] &= ~warps;
    barrier_slots_ = with_bit(barrier_slots_, slot, at_barrier_[slot] != 0);
  }

  // PC of the next bundle that the buffer of a path lacks. The path stands at its first one, or at the unresolved
  // instruction that left the buffer before it.
  [[nodiscard]] std::uint32_t next_pc(std::uint32_t warp, std::uint32_t slot) const {
    const bool unresolved = has_bit(pending_at_[slot], warp);
    return stack_.path(warp, slot).pc + 4 * (ibuffer_.count(warp, slot) + (unresolved ? 1u : 0u));
  }

#ifndef HEDDLE_SYNTHESIS
  // No input is valid: what the others say does not matter, but for the units that are ready.
  [[nodiscard]] static bool says_nothing(const Input& in) {
    return !in.launch_valid && !in.kill_valid && !in.decode_valid && !in.resolve_valid && in.wb_valid == 0 &&
           !in.miss_valid && !in.split_valid && !in.fill_valid && in.release == 0;
  }

  // No register holds what is gone at the next edge, or acts then by itself.
  [[nodiscard]] bool stands_still() const {
    bool moves = output_.issue_valid || output_.fetch_valid || output_.done_valid || output_.overflow_valid ||
                 acting_ != 0 || dropped_.valid || met_.valid || stack_.taken_in().valid || stack_.chosen().valid;
    if constexpr (kSplits) moves |= stack_.refill_chosen().valid;
    if constexpr (kForward) moves |= stack_.forward_chosen().valid;
    if constexpr (kParts) moves |= stack_.meet_chosen().valid || stack_.waits_change();
    if constexpr (kRowsOut) moves |= stack_.save().valid;
    return !moves;
  }

  [[nodiscard]] std::uint64_t current_paths() const {
    if constexpr (kConstrained) return selector_.current();
    else return 0;
  }

  // Some, not all of the path's threads took a branch that is nothing else.
  [[nodiscard]] bool may_be_skipped(const Input& in) const {
    const std::uint64_t mask = stack_.path(in.resolve_warp, in.resolve_slot).mask;
    return (in.resolve.taken & mask) != 0 && (~in.resolve.taken & mask) != 0 && in.resolve.exit == 0 &&
           !in.resolve.call && !in.resolve.ret;
  }

  // Of these warps one whose path of the slot is inside the region.
  [[nodiscard]] bool waits_in_its_region(std::uint32_t slot, std::uint64_t warps) const {
    bool inside = false;
    for (std::uint64_t left = warps; left != 0; left &= left - 1) inside |= predication_.inside(lowest_bit(left), slot);
    return inside;
  }

  void show_eligible(const SlotSets& sets, unsigned slots) {
    for (unsigned s = 0; s < slots; ++s) events_.eligible[s] = sets.eligible[s];
    for (unsigned s = slots; s < shown_eligible_; ++s) events_.eligible[s] = 0;
    shown_eligible_ = slots;
  }
#endif

  // Push or pop: the top entry is another one. Of splits only the slots of these have anything in their buffers: who
  // ended was dropped.
  void leave_entry(std::uint32_t warp, std::uint64_t slots) {
    flush(warp, slots);
    scoreboard_.copy(warp);
  }

  void flush(std::uint32_t warp, std::uint64_t slots) {
    if constexpr (kSplits) {
      for (std::uint64_t left = slots; left != 0; left &= left - 1) {
        ibuffer_.redirect(warp, lowest_bit(left));
        no_head(warp, lowest_bit(left));
      }
    } else {
      ibuffer_.flush(warp);
      for (unsigned s = 0; s < NumSlots; ++s) no_head(warp, s);
    }
  }

  void kill(std::uint32_t warp) {
    const std::uint64_t slots = slots_of(warp);
    stack_.kill(warp);
    flush(warp, slots);
    predication_.kill(warp);
    settle(warp);
    halted_ &= ~bit_of(warp);
    ahead_ &= ~bit_of(warp);
    release(bit_of(warp));
  }

  // Of a warp of which nothing is under way nothing will be, until it is launched: looked at are those that have just
  // begun or ended.
  void update_idle() {
    if ((stack_.occupied() ^ output_.idle) != low_bits(NumWarps)) {
      output_.idle &= ~stack_.occupied();
      std::uint64_t queues = ibuffer_.quiet(0);
      for (unsigned s = 1; s < NumSlots; ++s) queues &= ibuffer_.quiet(s);
      for (unsigned w = 0; w < NumWarps; ++w) {
        const bool issuing = output_.issue_valid && output_.issue_warp == w;  // a kill leaves it in the register
        const bool quiet = has_bit(queues, w) && scoreboard_.quiet(w) && !issuing;
        if (quiet && !has_bit(stack_.occupied(), w)) output_.idle |= bit_of(w);
      }
    }
  }

  // The buffer of a path is empty: nothing blocks.
  void no_head(std::uint32_t warp, std::uint32_t slot) {
    heads_.update(warp, slot, 0);
    blocked_[slot] &= ~bit_of(warp);
    full_[slot] &= ~bit_of(warp);
    if constexpr (kDeaf) forget_asked(warp, slot);
  }

  void refresh_head(std::uint32_t warp, std::uint32_t slot) {
    heads_.update(warp, slot, ibuffer_.head(warp, slot));
    refresh_hazard(warp, slot);
  }

  void refresh_hazard(std::uint32_t warp, std::uint32_t slot) {
    bool blocked = false;
    if constexpr (kDeaf) blocked = scoreboard_.blocked_but(warp, slot, heads_.names(warp, slot), unheard_[slot][warp]);
    else blocked = scoreboard_.blocked(warp, slot, heads_.names(warp, slot), stack_.path(warp, slot).mask);
    const bool full = scoreboard_.table_full(warp, slot) && heads_.writes(warp, slot);
    blocked_[slot] = with_bit(blocked_[slot], warp, blocked);
    full_[slot] = with_bit(full_[slot], warp, full);
  }

  void refresh_hazards(std::uint32_t warp, std::uint64_t slots) {
    for (std::uint64_t left = slots; left != 0; left &= left - 1) refresh_hazard(warp, lowest_bit(left));
  }

  // A write-back can only let go what waits for its register, or for an entry.
  void refresh_waiting(std::uint32_t warp, std::uint32_t reg) {
    for (std::uint64_t left = slots_of(warp); left != 0; left &= left - 1) {
      const std::uint32_t s = lowest_bit(left);
      if ((has_bit(blocked_[s], warp) && has_bit(heads_.names(warp, s), reg)) || has_bit(full_[s], warp))
        refresh_hazard(warp, s);
    }
  }

  [[nodiscard]] std::uint32_t stall(const SlotSets& sets) const {
    StallInput in;
    in.any_warp = stack_.occupied() != 0;
    in.any_eligible = sets.any_eligible != 0;
    in.any_memory = sets.any_busy_memory != 0;
    in.any_unit = sets.any_busy != 0;
    in.any_blocked = sets.any_blocked != 0;
    in.any_full = sets.any_full != 0;
    in.any_pending = (pending_ | halted_ | sets.any_held) != 0;
    in.any_barrier = kSplits ? barrier_slots_ != 0 : at_barrier_[0] != 0;
    if constexpr (kParts) {
      in.any_pending |= (stack_.waiting(0, parts_) | stack_.waiting(1, parts_)) != 0;
      in.any_barrier |= (parts_.stopped[0] | parts_.stopped[1]) != 0;
    }
    return stall_reason(in);
  }

  StackUnit stack_;
  ScoreboardUnit scoreboard_;
  SelectorUnit selector_;
  Ibuffer ibuffer_;
  Predication predication_;
  HeadTable<NumWarps, NumSlots> heads_;
  std::uint64_t blocked_[NumSlots] = {};  // derived: query of the scoreboard by the heads
  std::uint64_t full_[NumSlots] = {};
  FetchTurn fetch_turn_;
  std::uint64_t pending_ = 0;                     // bit a warp: a control instruction is unresolved
  std::uint64_t pending_at_[NumSlots] = {};       // derived: the same by its slot
  std::uint8_t pending_slot_[NumWarps] = {};      // its slot
  std::uint64_t acting_ = 0;                      // its resolution acts: the other paths wait (two slots or more)
  std::uint64_t at_barrier_[kBarrierWords] = {};  // of splits by slot
  std::uint64_t barrier_slots_ = 0;               // derived: not 0, bit a slot
  std::uint64_t halted_ = 0;
  std::uint64_t ahead_ = 0;  // bit a warp: the path that comes when this one arrives is known (fetch ahead)
  std::uint32_t later_pc_[kAhead ? NumWarps : 1] = {};  // its PC
  std::uint32_t place_[kAhead ? NumWarps : 1] = {};     // where this one arrives
  PathGrant dropped_;    // derived: a split, or with forwarding a path, that ended at the last edge, and may have left
                         // something in its buffer
  PopChoice met_;        // derived: a warp whose right path has met the left one at the last edge
  DpePartsInput parts_;  // of this cycle
  // With forwarding, of the first and the second instruction of a path: registers that the other slot writes, shadowed
  // since it asked.
  std::uint64_t unheard_[kDeaf ? NumSlots : 1][kDeaf ? NumWarps : 1] = {};
  std::uint64_t unheard_second_[kDeaf ? NumSlots : 1][kDeaf ? NumWarps : 1] = {};
  FrontendOutput output_;
#ifndef HEDDLE_SYNTHESIS
  FrontendEvents events_;
  unsigned shown_eligible_ = 0;  // slots that may not be 0 there
#endif
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned NumSlots = 2, unsigned Stack = 1,
          unsigned StackDepth = 16, unsigned StackOrder = 0, unsigned Scoreboard = 1, unsigned SbEntries = 8,
          unsigned Selector = 0, unsigned Policy = 0, unsigned IbufDepth = 5, unsigned LevelW = 8,
          unsigned Predicate = 1, unsigned NumWb = 2, unsigned NumResolve = 1, unsigned TagW = 3, unsigned Forward = 0,
          unsigned Split = 0, unsigned Ahead = 0, unsigned Watch = 1>
class frontend : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kDepthW = index_width(StackDepth + 1);

 public:
  using Logic =
      FrontendLogic<NumWarps, Lanes, NumSlots, Stack, StackDepth, StackOrder, Scoreboard, SbEntries, Selector, Policy,
                    IbufDepth, LevelW, Predicate, NumWb, NumResolve, TagW, Forward, Split, Ahead, Watch>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from dispatcher
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(fetch_ready_i);
  sc_core::sc_out<bool> SC_NAMED(fetch_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(fetch_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(fetch_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(fetch_pc_o);
  sc_core::sc_out<Number<TagW>> SC_NAMED(fetch_tag_o);
  // from decode
  sc_core::sc_in<bool> SC_NAMED(decode_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(decode_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(decode_slot_i);
  sc_core::sc_in<Number<TagW>> SC_NAMED(decode_tag_i);
  sc_core::sc_in<Number<2>> SC_NAMED(decode_count_i);
  sc_core::sc_in<Mask<kInstrWidth>> SC_NAMED(decode_instr0_i);
  sc_core::sc_in<Mask<kInstrWidth>> SC_NAMED(decode_instr1_i);
  // from execute
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(resolve_warp_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(resolve_slot_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(resolve_taken_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(resolve_target_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(resolve_next_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(resolve_rpc_i, NumResolve);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(resolve_exit_i, NumResolve);
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_call_i);
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_return_i);
  sc_core::sc_in<Mask<NumResolve>> SC_NAMED(resolve_mark_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegionCountWidth>>> SC_NAMED(resolve_skip_i, NumResolve);
  sc_core::sc_out<Mask<NumResolve>> SC_NAMED(resolve_ready_o);
  // from write-back
  sc_core::sc_in<Mask<NumWb>> SC_NAMED(wb_valid_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kWarpW>>> SC_NAMED(wb_warp_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kSlotW>>> SC_NAMED(wb_slot_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Number<kRegWidth>>> SC_NAMED(wb_reg_i, NumWb);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(wb_mask_i, NumWb);
  // from L1 and units
  sc_core::sc_in<bool> SC_NAMED(miss_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(miss_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(miss_slot_i);
  sc_core::sc_in<bool> SC_NAMED(split_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(split_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(split_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(split_mask_i);
  // from rows in memory
  sc_core::sc_in<bool> SC_NAMED(save_ready_i);
  sc_core::sc_in<bool> SC_NAMED(load_ready_i);
  sc_core::sc_in<bool> SC_NAMED(fill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(fill_warp_i);
  sc_core::sc_vector<sc_core::sc_in<Number<32>>> SC_NAMED(fill_pc_i, 2);
  sc_core::sc_vector<sc_core::sc_in<Mask<Lanes>>> SC_NAMED(fill_mask_i, 2);
  sc_core::sc_out<bool> SC_NAMED(split_ready_o);
  // to rows in memory
  sc_core::sc_out<bool> SC_NAMED(save_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(save_warp_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(save_row_o);
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(save_pc_o, 2);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(save_mask_o, 2);
  sc_core::sc_out<bool> SC_NAMED(load_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(load_warp_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(load_row_o);
  // from units
  sc_core::sc_in<Number<kUnitCodes>> SC_NAMED(unit_ready_i);
  // from barrier unit
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(release_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(issue_ready_i);
  // to execute
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(issue_warp_o);
  sc_core::sc_out<Number<kSlotW>> SC_NAMED(issue_slot_o);
  sc_core::sc_out<Number<32>> SC_NAMED(issue_pc_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(issue_mask_o);
  sc_core::sc_out<Mask<kInstrWidth>> SC_NAMED(issue_instr_o);
  sc_core::sc_out<bool> SC_NAMED(issue_sibling_o);
  sc_core::sc_out<bool> SC_NAMED(issue_predicated_o);
  // to dispatcher
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(idle_o);
  // status
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<Number<4>> SC_NAMED(stall_o);
  sc_core::sc_out<Number<kDepthW>> SC_NAMED(max_depth_o);
  sc_core::sc_out<Number<index_width(NumSlots + 1)>> SC_NAMED(max_splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(splits_o);
  sc_core::sc_out<Number<32>> SC_NAMED(merges_o);
  sc_core::sc_out<Number<32>> SC_NAMED(refused_o);
  sc_core::sc_out<Number<32>> SC_NAMED(forwards_o);

  SC_HAS_PROCESS(frontend);
#ifdef HEDDLE_SYNTHESIS
  // A narrower configuration is for simulation.
  explicit frontend(sc_core::sc_module_name name, const FrontendConfig& /*config*/ = Logic::default_config())
      : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_ready);
    sensitive << resolve_valid_i << save_ready_i;
    SC_METHOD(choose_resolution);
    sensitive << save_ready_i << resolve_valid_i << resolve_call_i << resolve_return_i << resolve_mark_i;
    for (unsigned k = 0; k < NumResolve; ++k) {
      sensitive << resolve_warp_i[k] << resolve_slot_i[k] << resolve_taken_i[k] << resolve_target_i[k]
                << resolve_next_i[k] << resolve_rpc_i[k] << resolve_exit_i[k] << resolve_skip_i[k];
    }
    if constexpr (kWakes) {
      SC_METHOD(name_heads);
      sensitive << decode_instr0_i;
      for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p];
    } else {
      SC_METHOD(ask);
      for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p];
    }
    SC_METHOD(find_ready);
    sensitive << kill_valid_i << kill_warp_i << unit_ready_i << issue_valid_o << issue_ready_i << fetch_ready_i
              << valid_ << head_valid_ << need_fetch_ << blocked_ << full_ << active_ << pending_ << acting_
              << at_barrier_ << halted_ << stopped_ << waiting_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << depth_[w] << pending_slot_[w];
    for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p];
    for (unsigned c = 0; c < kChecks; ++c) sensitive << wait_[c];
    SC_METHOD(read_grant);
    sensitive << grant_ << grant_valid_ << grant_warp_ << grant_slot_ << off_mask_;
    sensitive << pending_;
    for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p] << mask_[p];
    SC_METHOD(find_merges);
    sensitive << pop_valid_ << grant_valid_ << grant_warp_ << grant_slot_ << granted_instr_ << valid_ << active_
              << pending_ << at_barrier_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << region_slot_[w] << pending_slot_[w];
    SC_METHOD(find_turn);
    sensitive << fetch_grant_valid_ << fetch_grant_warp_ << fetch_grant_slot_ << fetch_grant_ << pending_ << turned_
              << ahead_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pending_slot_[w];
    for (unsigned w = 0; w < kKnown; ++w) sensitive << later_to_[w] << place_[w];
    for (unsigned p = 0; p < kPaths; ++p) sensitive << pc_[p] << count_[p] << requests_[p] << beyond_[p];
    SC_METHOD(find_stopped);
    sensitive << parts_ << head_valid_;
    for (unsigned p = 0; p < kPaths; ++p) sensitive << head_[p];
    SC_METHOD(show_split_ready);
    sensitive << split_warp_i << split_slot_i << split_mask_i << kill_valid_i << kill_warp_i << valid_ << head_valid_
              << pending_ << acting_ << active_ << at_barrier_ << halted_;
    for (unsigned p = 0; p < kPaths; ++p) sensitive << mask_[p];
    for (unsigned c = 0; c < kChecks; ++c) sensitive << wait_[c];
    SC_METHOD(gate_split);
    sensitive << split_valid_i << split_ready_o;
    SC_METHOD(show_splits);
    sensitive << max_splits_ << splits_ << merges_ << refused_ << forwards_;
    SC_METHOD(show_rows);
    sensitive << save_valid_ << save_warp_ << save_row_ << load_valid_ << load_warp_ << load_row_;
    for (unsigned s = 0; s < 2; ++s) sensitive << save_pc_[s] << save_mask_[s];
    connect_stack();
    connect_scoreboard();
    if constexpr (kWakes) connect_wakeup();
    connect_selectors();
    connect_ibuffer();
    if constexpr (Predicate != 0) connect_predication();
  }
#else
  explicit frontend(sc_core::sc_module_name name, const FrontendConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        logic_(config) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_ready);
    if (NumResolve > 1) sensitive << resolve_valid_i;
    if (Stack == kSoftwareStack) sensitive << save_ready_i;
    SC_METHOD(show_split_ready);
    if (Split != 0)
      sensitive << split_warp_i << split_slot_i << split_mask_i << kill_valid_i << kill_warp_i << stepped_;
  }
#endif

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  // The lowest-numbered of those that are valid, if what it saves has a place.
  void show_ready() {
    const std::uint64_t valid = resolve_valid_i.read();
    std::uint64_t ready = 0;
    std::uint64_t lower = 0;
    for (unsigned k = 0; k < NumResolve; ++k) {
      if ((valid & lower) == 0) ready |= bit_of(k);
      lower |= bit_of(k);
    }
    resolve_ready_o.write(Logic::kRowsOut && !save_ready_i.read() ? 0 : ready);
  }

#ifdef HEDDLE_SYNTHESIS
  static constexpr unsigned kPaths = NumWarps * NumSlots;
  static_assert(kPaths <= 64, "frontend: the modules inside have pins for at most 64 paths");
  static constexpr bool kSplits = Logic::kSplits;
  static constexpr bool kOptimistic = Logic::kOptimistic;
  static constexpr bool kConstrained = Logic::kConstrained;
  static constexpr bool kForward = Logic::kForward;
  static constexpr bool kParts = Logic::kParts;
  static constexpr bool kBitmap = Scoreboard == kBitmapScoreboard;
  static constexpr bool kTables = Scoreboard <= kDpeScoreboard;
  // Behind a pop a guest still waits for what it asked for before, as core/wakeup keeps it; otherwise the heads ask in
  // every cycle.
  static constexpr bool kWakes = kForward && kTables;
  static constexpr unsigned kChecks = kWakes ? 3 : kPaths;
  // Rows of the scoreboard: those of the left paths, or of the warps, then those of the right paths.
  static constexpr unsigned kEntries = kOptimistic ? 2 * SbEntries : SbEntries;  // of a row
  static constexpr unsigned kRows = kOptimistic ? NumWarps : kPaths;
  static constexpr unsigned kRowW = kBitmap ? 64 : kEntries;
  static constexpr unsigned kWaitW = kBitmap ? 4 : kEntries * kRows / NumWarps;

  using PdomStackModule =
      std::conditional_t<Stack == kCompactStack, compact_stack<NumWarps, Lanes, StackDepth, StackOrder, LevelW, Watch>,
                         spe_stack<NumWarps, Lanes, StackDepth, StackOrder, LevelW, Watch>>;
  using OtherStackModule = std::conditional_t<
      Stack == kDpeStack,
      dpe_stack<NumWarps, Lanes, StackDepth, StackOrder == kTakenLeft ? 1 : 0, LevelW, Forward, Split, Watch>,
      fork_join_stack<NumWarps, Lanes, StackDepth, StackOrder, LevelW, Watch>>;
  using InnerStackModule =
      std::conditional_t<Stack == kSpeStack || Stack == kCompactStack, PdomStackModule, OtherStackModule>;
  using WholeStackModule =
      std::conditional_t<Logic::kRowsOut,
                         software_stack<NumWarps, Lanes, StackDepth, StackOrder == kTakenLeft ? 1 : 0, LevelW, Watch>,
                         InnerStackModule>;
  using StackModule =
      std::conditional_t<kSplits, warp_split_table<NumWarps, Lanes, NumSlots, StackDepth, StackOrder, LevelW, Watch>,
                         WholeStackModule>;
  using Table = std::conditional_t<Scoreboard == kSpeScoreboard, spe_scoreboard<NumWarps, SbEntries, NumWb, kChecks>,
                                   dpe_scoreboard<NumWarps, SbEntries, NumWb, kChecks>>;
  using OtherScoreboard =
      std::conditional_t<kOptimistic, optimistic_scoreboard<NumWarps, Lanes, kEntries, NumWb, kPaths, 0, Split>,
                         bitmap_scoreboard<NumWarps, NumSlots, NumWb, kPaths>>;
  using ScoreboardModule = std::conditional_t<kTables, Table, OtherScoreboard>;
  using SelectorModule = std::conditional_t<kConstrained, constrained_selector<NumWarps, Policy>,
                                            warp_selector<NumWarps, NumSlots, Policy>>;
  using FetchTurnModule = warp_selector<NumWarps, NumSlots, kPolicyRoundRobin>;
  using IbufferModule = ibuffer<NumWarps, NumSlots, IbufDepth, TagW, Ahead>;
  using PredicationModule = predication<NumWarps, NumSlots, Lanes>;
  using WakeupModule = wakeup<NumWarps, kWakes ? NumSlots : 1, SbEntries, NumWb>;

  void reset() {
    pending_.write(0);
    for (unsigned w = 0; w < NumWarps; ++w) pending_slot_[w].write(0);
    acting_.write(0);
    at_barrier_.write(0);
    halted_.write(0);
    ahead_.write(0);
    for (unsigned w = 0; w < kKnown; ++w) {
      later_to_[w].write(0);
      place_[w].write(0);
    }
    fetch_valid_o.write(false);
    fetch_warp_o.write(0);
    fetch_slot_o.write(0);
    fetch_pc_o.write(0);
    fetch_tag_o.write(0);
    issue_valid_o.write(false);
    issue_warp_o.write(0);
    issue_slot_o.write(0);
    issue_pc_o.write(0);
    issue_mask_o.write(0);
    issue_instr_o.write(0);
    issue_sibling_o.write(false);
    issue_predicated_o.write(false);
    done_valid_o.write(false);
    done_warp_o.write(0);
    idle_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
    stall_o.write(0);
  }

  void step() {
    update_status();
    if (Ahead != 0) update_ahead();
    load_fetch();
    load_issue();
    load_events();
  }

  // A kill wins over what sets and clears the bits of its warp.
  void update_status() {
    const std::uint64_t granted = grant_valid_.read() ? bit_of(grant_warp_.read()) : 0;
    const std::uint64_t resolved = resolved_valid_.read() ? bit_of(resolved_warp_.read()) : 0;
    const std::uint64_t overflown = overflow_valid_.read() ? bit_of(overflow_warp_.read()) : 0;
    const std::uint64_t stays = ~(kill_valid_i.read() ? bit_of(kill_warp_i.read()) : 0);
    const std::uint64_t control = bundle_control(granted_instr_.read()) ? granted : 0;
    const std::uint64_t barrier = bundle_barrier(granted_instr_.read()) ? granted : 0;
    pending_.write(((pending_.read() | control) & ~resolved) & stays);
    if (kSplits) {
      const std::uint64_t barriers =
          bundle_barrier(granted_instr_.read()) ? static_cast<std::uint64_t>(grant_.read()) : 0;
      at_barrier_.write(((at_barrier_.read() & valid_.read() & ~of_all_slots(release_i.read() & ~barrier)) | barriers) &
                        of_all_slots(stays));
    } else {
      at_barrier_.write(((at_barrier_.read() & ~release_i.read()) | barrier) & stays);
    }
    halted_.write((halted_.read() | overflown) & stays);
    if (NumSlots > 1) {
      const std::uint32_t slot = grant_slot_.read();
      if (control != 0) pending_slot_[grant_warp_.read()].write(slot);
      acting_.write(resolve_valid_.read() ? bit_of(resolve_warp_.read()) : 0);
    }
  }

  // What a push says of the path that comes next; until a pop, a kill, another push, or a resolution that goes to
  // another level.
  void update_ahead() {
    std::uint64_t ahead = ahead_.read();
    if (push_valid_.read()) {
      const std::uint32_t warp = push_warp_.read();
      ahead = with_bit(ahead, warp, later_valid_.read());
      later_to_[Ahead != 0 ? warp : 0].write(later_pc_.read());
      place_[Ahead != 0 ? warp : 0].write(later_rpc_.read());
    }
    if (pop_valid_.read()) ahead = with_bit(ahead, pop_warp_.read(), false);
    if (resolve_valid_.read() && (resolve_call_.read() || resolve_return_.read()))
      ahead = with_bit(ahead, resolve_warp_.read(), false);
    if (kill_valid_i.read()) ahead = with_bit(ahead, kill_warp_i.read(), false);
    ahead_.write(ahead);
  }

  // PC of the request that is granted: it continues the queue behind what is in it and what is asked for, or beyond its
  // turn. An unresolved instruction of the path has left it, and the PC stands there.
  [[nodiscard]] std::uint32_t request_pc() const {
    const std::uint32_t warp = fetch_grant_warp_.read();
    const std::uint32_t slot = fetch_grant_slot_.read();
    const std::uint32_t path = slot * NumWarps + warp;
    const bool unresolved = has_bit(pending_.read(), warp) && pending_slot_[warp].read() == slot;
    const std::uint32_t bundles = count_[path].read() + 2 * requests_[path].read() + (unresolved ? 1u : 0u);
    std::uint32_t pc = pc_[path].read() + 4 * bundles;
    if (Ahead != 0 && has_bit(turned_.read(), path))
      pc = later_to_[Ahead != 0 ? warp : 0].read() + 4 * beyond_[path].read();
    return pc;
  }

  // Whether it comes to where the path arrives.
  void find_turn() {
    std::uint64_t turn = 0;
    bool one = false;
    if (Ahead != 0 && fetch_grant_valid_.read()) {
      const std::uint32_t warp = fetch_grant_warp_.read();
      const std::uint32_t pc = request_pc();
      const std::uint32_t place = place_[Ahead != 0 ? warp : 0].read();
      one = pc + 4 == place;
      if (has_bit(ahead_.read() & ~turned_.read(), warp) && (one || pc + 8 == place)) turn = fetch_grant_.read();
    }
    turn_.write(turn);
    turn_one_.write(one);
  }

  void load_fetch() {
    fetch_valid_o.write(fetch_grant_valid_.read());
    if (fetch_grant_valid_.read()) {
      const std::uint32_t warp = fetch_grant_warp_.read();
      const std::uint32_t slot = fetch_grant_slot_.read();
      fetch_warp_o.write(warp);
      if (NumSlots > 1) fetch_slot_o.write(slot);
      fetch_pc_o.write(request_pc());
      fetch_tag_o.write(tag_[slot * NumWarps + warp].read());
    }
  }

  void load_issue() {
    issue_valid_o.write(grant_valid_.read() || (issue_valid_o.read() && !issue_ready_i.read()));
    if (grant_valid_.read()) {
      const std::uint32_t warp = grant_warp_.read();
      const std::uint32_t slot = grant_slot_.read();
      const std::uint32_t path = slot * NumWarps + warp;
      issue_warp_o.write(warp);
      if (NumSlots > 1) issue_slot_o.write(slot);
      issue_pc_o.write(pc_[path].read());
      issue_mask_o.write(granted_mask_.read());
      issue_instr_o.write(granted_instr_.read());
      issue_sibling_o.write(has_bit(sibling_.read(), path));
      if (Predicate != 0) issue_predicated_o.write(in_region(warp, slot));
    }
    if (Watch != 0) stall_o.write(grant_valid_.read() ? 0 : static_cast<std::uint32_t>(reason_.read()));
  }

  void load_events() {
    done_valid_o.write(done_valid_.read());
    if (done_valid_.read()) done_warp_o.write(done_warp_.read());
    overflow_valid_o.write(overflow_valid_.read());
    if (overflow_valid_.read()) overflow_warp_o.write(overflow_warp_.read());
    const std::uint64_t quiet = quiet_.read();
    std::uint64_t idle = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      bool queues = false;
      for (unsigned s = 0; s < NumSlots; ++s) queues |= !has_bit(quiet, s * NumWarps + w);
      const bool writes = pending_row_[w].read() != 0 || pending_row_[kRows - NumWarps + w].read() != 0;
      const bool issuing = issue_valid_o.read() && issue_warp_o.read() == w;
      idle = with_bit(idle, w, depth_[w].read() == 0 && !queues && !writes && !issuing);
    }
    idle_o.write(idle);
  }

  // The port whose resolution is taken. Threads that are predicated took no branch, as far as the stack knows.
  void choose_resolution() {
    const std::uint64_t valid = resolve_valid_i.read();
    const std::uint32_t port = valid != 0 ? lowest_bit(valid) : 0;
    const std::uint64_t taken = resolve_taken_i[port].read();
    const std::uint32_t skip = Predicate != 0 ? static_cast<std::uint32_t>(resolve_skip_i[port].read()) : 0;
    const std::uint32_t slot = resolve_slot_i[port].read();
    const bool taken_in = valid != 0 && (!Logic::kRowsOut || save_ready_i.read());
    resolve_valid_.write(taken_in);
    resolve_warp_.write(resolve_warp_i[port].read());
    resolve_slot_.write(NumSlots > 1 ? slot : 0);
    resolve_taken_.write(skip != 0 ? 0 : taken);
    resolve_target_.write(resolve_target_i[port].read());
    resolve_next_.write(resolve_next_i[port].read());
    resolve_rpc_.write(resolve_rpc_i[port].read());
    resolve_exit_.write(resolve_exit_i[port].read());
    resolve_call_.write(has_bit(resolve_call_i.read(), port));
    resolve_return_.write(has_bit(resolve_return_i.read(), port));
    resolve_mark_.write(has_bit(resolve_mark_i.read(), port));
    start_valid_.write(taken_in && skip != 0);
    start_mask_.write(taken);
    start_count_.write(skip);
  }

  // Every path asks the scoreboard for its head.
  void ask() {
    for (unsigned p = 0; p < kPaths; ++p) {
      check_warp_[p].write(warp_of_path<NumWarps>(p));
      check_slot_[p].write(slot_of_path<NumWarps>(p));
      check_names_[p].write(bundle_names(head_[p].read()));
    }
  }

  // What the heads write, and the first bundle of an answer names.
  void name_heads() {
    for (unsigned p = 0; p < kPaths; ++p) head_rd_[p].write(bundle_rd(head_[p].read()));
    fill_names_.write(bundle_names(decode_instr0_i.read()));
  }

  // Which paths may issue and fetch, and why none issues if none does.
  void find_ready() {
    const std::uint64_t valid = valid_.read();
    const std::uint64_t head_valid = head_valid_.read();
    const std::uint64_t full = full_.read();
    const std::uint64_t pending = pending_.read();
    const std::uint64_t at_barrier = at_barrier_.read();
    const std::uint64_t stopped = halted_.read() | acting_.read();
    const std::uint64_t stands = kParts ? static_cast<std::uint64_t>(stopped_.read() | waiting_.read()) : 0;
    const std::uint64_t active = NumSlots > 1 ? active_regions() : 0;
    const bool occupied = issue_valid_o.read() && !issue_ready_i.read();
    const std::uint32_t units = occupied ? 0 : static_cast<std::uint32_t>(unit_ready_i.read());
    std::uint64_t ready = 0;
    std::uint64_t competes = 0;
    std::uint64_t takes_long = 0;
    std::uint64_t wants = 0;
    StallInput why;
    for (unsigned w = 0; w < NumWarps; ++w) why.any_warp |= depth_[w].read() != 0;
    why.any_pending = (pending | halted_.read()) != 0;
    why.any_barrier = at_barrier != 0;
    if (kParts) {
      why.any_pending |= waiting_.read() != 0;
      why.any_barrier |= stopped_.read() != 0;
    }
    for (unsigned p = 0; p < kPaths; ++p) {
      const std::uint32_t warp = warp_of_path<NumWarps>(p);
      const std::uint32_t slot = slot_of_path<NumWarps>(p);
      const std::uint64_t head = head_[p].read();
      const std::uint32_t unit = bundle_unit(head);
      const bool waits = bundle_control(head) || bundle_barrier(head);
      const bool unresolved = has_bit(pending, warp) && (waits || pending_slot_[warp].read() == slot);
      const bool held = has_bit(valid, p) && has_bit(active, warp) && waits;
      const bool open = has_bit(valid & head_valid, p) && !has_bit(stopped, warp) &&
                        !has_bit(at_barrier, kSplits ? p : warp) && !unresolved && !held && !has_bit(stands, p);
      bool blocked = false;
      if constexpr (kWakes) blocked = has_bit(blocked_.read(), p);
      else blocked = wait_[p].read() != 0;
      const bool clear = open && !blocked && !has_bit(full, p);
      const bool busy = !has_bit(units, unit);
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == warp;
      const bool eligible = clear && !busy && !killed;
      ready = with_bit(ready, p, eligible);
      const bool competing = has_bit(valid, p) && !held;
      competes = with_bit(competes, p, competing);
      const bool lasts = unit == kUnitCodeSfu;
      takes_long = with_bit(takes_long, p, lasts);
      wants = with_bit(
          wants, p, fetch_ready_i.read() && has_bit(need_fetch_.read() & valid, p) && !has_bit(halted_.read(), warp));
      why.any_eligible |= eligible;
      why.any_memory |= clear && busy && unit == kUnitCodeLsu;
      why.any_unit |= clear && busy;
      why.any_blocked |= open && blocked;
      why.any_full |= open && has_bit(full, p);
      why.any_pending |= held;
    }
    ready_.write(ready);
    wants_.write(wants);
    ready_l_.write(ready & low_bits(NumWarps));
    ready_r_.write(right_of(ready));
    competes_l_.write(competes & low_bits(NumWarps));
    competes_r_.write(right_of(competes));
    long_l_.write(takes_long & low_bits(NumWarps));
    long_r_.write(right_of(takes_long));
    reason_.write(stall_reason(why));
  }

  // What the grant brings: the instruction, its threads, and whose PC goes on.
  void read_grant() {
    const std::uint32_t warp = grant_warp_.read();
    const std::uint32_t slot = grant_slot_.read();
    const std::uint32_t path = slot * NumWarps + warp;
    const std::uint64_t grant = grant_.read();
    const std::uint64_t warps = grant_valid_.read() ? bit_of(warp) : 0;
    const std::uint64_t bundle = head_[path].read();
    std::uint64_t off = 0;
    if (Predicate != 0) off = off_mask_.read();
    granted_instr_.write(bundle);
    granted_reg_.write(bundle_rd(bundle));
    granted_mask_.write(mask_[path].read() & ~off);
    granted_warps_.write(warps);
    advance_.write(bundle_control(bundle) ? 0 : grant);
    hold_.write(pending_.read() | (bundle_control(bundle) ? warps : 0));
  }

  // Which paths let one join that comes to where they are, and which are not there.
  void find_merges() {
    const std::uint64_t valid = valid_.read();
    const std::uint64_t pending = pending_.read();
    const std::uint64_t at_barrier = at_barrier_.read();
    const std::uint64_t active = active_regions();
    const std::uint64_t regions = pending & active;  // whose branch is not resolved
    const std::uint32_t granted = grant_warp_.read();
    const bool barrier = bundle_barrier(granted_instr_.read());
    const bool in_its_region = in_region(granted, grant_slot_.read());
    std::uint64_t merge = 0;
    for (unsigned p = 0; p < kPaths; ++p) {
      const std::uint32_t warp = warp_of_path<NumWarps>(p);
      const std::uint32_t slot = slot_of_path<NumWarps>(p);
      const bool issues = grant_valid_.read() && granted == warp;
      const bool unresolved = has_bit(pending, warp) && pending_slot_[warp].read() == slot;
      const bool predicated = has_bit(active, warp) && region_slot_[warp].read() == slot;
      const bool same_wait = has_bit(at_barrier, kSplits ? p : warp) == (issues && barrier);
      const bool begins = has_bit(regions, warp) && pending_slot_[warp].read() == region_slot_[warp].read();
      const bool comes = kSplits ? same_wait : true;
      const bool joins =
          has_bit(valid, p) && !unresolved && !predicated && comes && !(issues && in_its_region) && !begins;
      merge = with_bit(merge, p, joins);
    }
    merge_.write(kSplits || kParts ? merge : 0);
    drop_.write(kSplits || kForward || kParts ? ~valid & low_bits(kPaths) : 0);
    pop_flushes_.write(!kForward && pop_valid_.read());  // with forwarding what is not valid is empty already
  }

  // Of parts: those whose head is a barrier.
  void find_stopped() {
    const std::uint64_t parts = parts_.read();
    std::uint64_t stopped = 0;
    for (unsigned p = 0; p < kPaths; ++p) {
      const bool barrier = has_bit(head_valid_.read(), p) && bundle_barrier(head_[p].read());
      const bool stops = barrier && has_bit(parts, warp_of_path<NumWarps>(p));
      stopped = with_bit(stopped, p, stops);
    }
    stopped_.write(kParts ? stopped : 0);
  }

  // The path may be split: what it waits for the threads that do not stay behind may have.
  void show_split_ready() {
    bool ready = false;
    if constexpr (kParts) {
      const std::uint32_t warp = split_warp_i.read();
      const std::uint32_t slot = split_slot_i.read();
      const std::uint32_t path = slot * NumWarps + warp;
      const std::uint32_t other = (1 - slot) * NumWarps + warp;
      const std::uint64_t behind = split_mask_i.read();
      const std::uint64_t busy =
          pending_.read() | acting_.read() | active_regions() | at_barrier_.read() | halted_.read();
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == warp;
      if (warp < NumWarps) {
        const bool alone = has_bit(valid_.read(), path) && !has_bit(valid_.read(), other);
        const bool blocked = has_bit(head_valid_.read(), path) && wait_[path].read() != 0;
        const bool divides = (mask_[path].read() & behind) != 0 && (mask_[path].read() & ~behind) != 0;
        ready = alone && blocked && divides && !has_bit(busy, warp) && !killed;
      }
    }
    split_ready_o.write(ready);
  }

  void gate_split() { split_.write(split_valid_i.read() && split_ready_o.read()); }

  void show_splits() {
    max_splits_o.write(max_splits_.read());
    splits_o.write(splits_.read());
    merges_o.write(merges_.read());
    refused_o.write(refused_.read());
    forwards_o.write(forwards_.read());
  }

  void show_rows() {
    save_valid_o.write(save_valid_.read());
    save_warp_o.write(save_warp_.read());
    save_row_o.write(save_row_.read());
    for (unsigned s = 0; s < 2; ++s) {
      save_pc_o[s].write(save_pc_[s].read());
      save_mask_o[s].write(save_mask_[s].read());
    }
    load_valid_o.write(load_valid_.read());
    load_warp_o.write(load_warp_.read());
    load_row_o.write(load_row_.read());
  }

  // A set of warps as that of all their paths.
  [[nodiscard]] static constexpr std::uint64_t of_all_slots(std::uint64_t warps) {
    std::uint64_t paths = 0;
    for (unsigned s = 0; s < NumSlots; ++s) paths |= (warps & low_bits(NumWarps)) << (s * NumWarps);
    return paths;
  }

  // The half of the right slot; nothing with one slot.
  [[nodiscard]] static constexpr std::uint64_t right_of(std::uint64_t paths) {
    return NumSlots == 2 ? paths >> NumWarps : 0;
  }

  [[nodiscard]] std::uint64_t active_regions() const {
    return Predicate != 0 ? static_cast<std::uint64_t>(active_.read()) : 0;
  }
  [[nodiscard]] bool in_region(std::uint32_t warp, std::uint32_t slot) const {
    return has_bit(active_regions(), warp) && (NumSlots == 1 || region_slot_[warp].read() == slot);
  }

  void connect_stack() {
    stack_.clk_i(clk_i);
    stack_.rst_ni(rst_ni);
    stack_.launch_valid_i(launch_valid_i);
    stack_.launch_warp_i(launch_warp_i);
    stack_.launch_pc_i(launch_pc_i);
    stack_.launch_mask_i(launch_mask_i);
    stack_.kill_valid_i(kill_valid_i);
    stack_.kill_warp_i(kill_warp_i);
    stack_.advance_i(advance_);
    stack_.resolve_valid_i(resolve_valid_);
    stack_.resolve_warp_i(resolve_warp_);
    stack_.resolve_slot_i(resolve_slot_);
    stack_.resolve_taken_i(resolve_taken_);
    stack_.resolve_target_i(resolve_target_);
    stack_.resolve_next_i(resolve_next_);
    stack_.resolve_rpc_i(resolve_rpc_);
    stack_.resolve_exit_i(resolve_exit_);
    stack_.resolve_call_i(resolve_call_);
    stack_.resolve_return_i(resolve_return_);
    stack_.resolve_mark_i(resolve_mark_);
    stack_.pc_o(pc_);
    stack_.mask_o(mask_);
    stack_.level_o(level_);
    stack_.valid_o(valid_);
    stack_.sibling_o(sibling_);
    stack_.rpc_o(rpc_);
    stack_.rpc_level_o(rpc_level_);
    stack_.live_o(live_);
    stack_.depth_o(depth_);
    stack_.resolved_valid_o(resolved_valid_);
    stack_.resolved_warp_o(resolved_warp_);
    stack_.resolved_slot_o(resolved_slot_);
    stack_.resolved_next_o(resolved_next_);
    stack_.push_valid_o(push_valid_);
    stack_.push_warp_o(push_warp_);
    stack_.pop_valid_o(pop_valid_);
    stack_.pop_warp_o(pop_warp_);
    stack_.done_valid_o(done_valid_);
    stack_.done_warp_o(done_warp_);
    stack_.overflow_valid_o(overflow_valid_);
    stack_.overflow_warp_o(overflow_warp_);
    stack_.max_depth_o(max_depth_o);
    if constexpr (Stack == kSpeStack || Stack == kCompactStack) {
      stack_.hasten_i(turned_);
      stack_.later_valid_o(later_valid_);
      stack_.later_pc_o(later_pc_);
      stack_.later_rpc_o(later_rpc_);
    }
    if constexpr (Stack == kDpeStack) {
      stack_.hold_i(hold_);
      stack_.merge_i(merge_);
      stack_.stopped_i(stopped_);
      stack_.split_valid_i(split_);
      stack_.split_warp_i(split_warp_i);
      stack_.split_slot_i(split_slot_i);
      stack_.split_mask_i(split_mask_i);
      stack_.wait_o(waiting_);
      stack_.parts_o(parts_);
      stack_.splits_o(splits_);
      stack_.merges_o(merges_);
      stack_.forwards_o(forwards_);
    }
    if constexpr (Logic::kRowsOut) {
      stack_.load_ready_i(load_ready_i);
      stack_.fill_valid_i(fill_valid_i);
      stack_.fill_warp_i(fill_warp_i);
      stack_.fill_pc_i(fill_pc_i);
      stack_.fill_mask_i(fill_mask_i);
      stack_.save_valid_o(save_valid_);
      stack_.save_warp_o(save_warp_);
      stack_.save_row_o(save_row_);
      stack_.save_pc_o(save_pc_);
      stack_.save_mask_o(save_mask_);
      stack_.load_valid_o(load_valid_);
      stack_.load_warp_o(load_warp_);
      stack_.load_row_o(load_row_);
    }
    if constexpr (kSplits) {
      stack_.merge_i(merge_);
      stack_.max_splits_o(max_splits_);
      stack_.splits_o(splits_);
      stack_.merges_o(merges_);
      stack_.refused_o(refused_);
    }
  }

  void connect_scoreboard() {
    scoreboard_.clk_i(clk_i);
    scoreboard_.rst_ni(rst_ni);
    scoreboard_.set_reg_i(granted_reg_);
    scoreboard_.wb_valid_i(wb_valid_i);
    scoreboard_.wb_warp_i(wb_warp_i);
    scoreboard_.wb_reg_i(wb_reg_i);
    scoreboard_.check_warp_i(check_warp_);
    scoreboard_.check_names_i(check_names_);
    scoreboard_.check_wait_o(wait_);
    if constexpr (kWakes) scoreboard_.check_full_o(check_full_);
    else scoreboard_.check_full_o(full_);
    if constexpr (kOptimistic) {
      scoreboard_.set_i(granted_warps_);
      scoreboard_.set_mask_i(granted_mask_);
      scoreboard_.wb_mask_i(wb_mask_i);
      scoreboard_.check_mask_i(mask_);
      scoreboard_.mask_o(pending_mask_);
    } else {
      scoreboard_.set_i(grant_);
    }
    if constexpr (Scoreboard == kDpeScoreboard || kBitmap) {
      scoreboard_.wb_slot_i(wb_slot_i);
      scoreboard_.copy0_valid_i(push_valid_);
      scoreboard_.copy0_warp_i(push_warp_);
      scoreboard_.copy1_valid_i(pop_valid_);
      scoreboard_.copy1_warp_i(pop_warp_);
      scoreboard_.check_slot_i(check_slot_);
    }
    if constexpr (kTables) scoreboard_.wake_o(wake_);
    if constexpr (Scoreboard == kDpeScoreboard) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        scoreboard_.pending_l_o[w](pending_row_[w]);
        scoreboard_.pending_r_o[w](pending_row_[NumWarps + w]);
        scoreboard_.shadow_l_o[w](shadow_row_[w]);
        scoreboard_.shadow_r_o[w](shadow_row_[NumWarps + w]);
      }
      for (unsigned i = 0; i < NumWarps * kEntries; ++i) {
        scoreboard_.reg_l_o[i](pending_reg_[i]);
        scoreboard_.reg_r_o[i](pending_reg_[NumWarps * kEntries + i]);
      }
    } else {
      scoreboard_.pending_o(pending_row_);
      if constexpr (kBitmap) {
        scoreboard_.shadow_o(shadow_row_);
      } else {
        scoreboard_.reg_o(pending_reg_);
      }
    }
  }

  void connect_wakeup() {
    wakeup_[0].clk_i(clk_i);
    wakeup_[0].rst_ni(rst_ni);
    wakeup_[0].clear_i(clear_);
    wakeup_[0].fill_i(fill_);
    wakeup_[0].head_valid_i(head_valid_);
    wakeup_[0].head_rd_i(head_rd_);
    wakeup_[0].second_valid_i(second_valid_);
    wakeup_[0].second_i(second_);
    wakeup_[0].fill_warp_i(decode_warp_i);
    wakeup_[0].fill_slot_i(decode_slot_i);
    wakeup_[0].fill_names_i(fill_names_);
    wakeup_[0].take_i(grant_);
    wakeup_[0].take_warp_i(grant_warp_);
    wakeup_[0].take_slot_i(grant_slot_);
    wakeup_[0].wb_warp_i(wb_warp_i);
    wakeup_[0].wb_slot_i(wb_slot_i);
    wakeup_[0].check_warp_o(check_warp_);
    wakeup_[0].check_slot_o(check_slot_);
    wakeup_[0].check_names_o(check_names_);
    wakeup_[0].check_wait_i(wait_);
    wakeup_[0].wake_i(wake_);
    wakeup_[0].pending_i(pending_row_);
    wakeup_[0].blocked_o(blocked_);
    wakeup_[0].full_o(full_);
  }

  void connect_selectors() {
    selector_.clk_i(clk_i);
    selector_.rst_ni(rst_ni);
    selector_.launch_valid_i(launch_valid_i);
    selector_.launch_warp_i(launch_warp_i);
    if constexpr (!kConstrained) selector_.ready_i(ready_);
    if constexpr (kConstrained) {
      selector_.ready_l_i(ready_l_);
      selector_.ready_r_i(ready_r_);
      selector_.valid_l_i(competes_l_);
      selector_.valid_r_i(competes_r_);
      selector_.long_l_i(long_l_);
      selector_.long_r_i(long_r_);
      selector_.miss_valid_i(miss_valid_i);
      selector_.miss_warp_i(miss_warp_i);
      selector_.miss_slot_i(miss_slot_i);
    }
    selector_.grant_valid_o(grant_valid_);
    selector_.grant_warp_o(grant_warp_);
    selector_.grant_slot_o(grant_slot_);
    selector_.grant_o(grant_);
    fetch_turn_.clk_i(clk_i);
    fetch_turn_.rst_ni(rst_ni);
    fetch_turn_.launch_valid_i(launch_valid_i);
    fetch_turn_.launch_warp_i(launch_warp_i);
    fetch_turn_.ready_i(wants_);
    fetch_turn_.grant_valid_o(fetch_grant_valid_);
    fetch_turn_.grant_warp_o(fetch_grant_warp_);
    fetch_turn_.grant_slot_o(fetch_grant_slot_);
    fetch_turn_.grant_o(fetch_grant_);
  }

  void connect_ibuffer() {
    ibuffer_.clk_i(clk_i);
    ibuffer_.rst_ni(rst_ni);
    ibuffer_.answer_valid_i(decode_valid_i);
    ibuffer_.answer_warp_i(decode_warp_i);
    ibuffer_.answer_slot_i(decode_slot_i);
    ibuffer_.answer_tag_i(decode_tag_i);
    ibuffer_.answer_count_i(decode_count_i);
    ibuffer_.answer_instr0_i(decode_instr0_i);
    ibuffer_.answer_instr1_i(decode_instr1_i);
    ibuffer_.take_i(grant_);
    ibuffer_.request_i(fetch_grant_);
    ibuffer_.turn_i(turn_);
    ibuffer_.turn_one_i(turn_one_);
    ibuffer_.flush0_valid_i(push_valid_);
    ibuffer_.flush0_warp_i(push_warp_);
    ibuffer_.flush1_valid_i(pop_flushes_);
    ibuffer_.flush1_warp_i(pop_warp_);
    ibuffer_.flush2_valid_i(kill_valid_i);
    ibuffer_.flush2_warp_i(kill_warp_i);
    ibuffer_.drop_i(drop_);
    ibuffer_.redirect_valid_i(resolved_valid_);
    ibuffer_.redirect_warp_i(resolved_warp_);
    ibuffer_.redirect_slot_i(resolved_slot_);
    ibuffer_.redirect_next_i(resolved_next_);
    ibuffer_.head_o(head_);
    ibuffer_.head_valid_o(head_valid_);
    ibuffer_.second_o(second_);
    ibuffer_.second_valid_o(second_valid_);
    ibuffer_.count_o(count_);
    ibuffer_.requests_o(requests_);
    ibuffer_.tag_o(tag_);
    ibuffer_.quiet_o(quiet_);
    ibuffer_.need_fetch_o(need_fetch_);
    ibuffer_.turned_o(turned_);
    ibuffer_.beyond_o(beyond_);
    ibuffer_.fill_o(fill_);
    ibuffer_.clear_o(clear_);
  }

  void connect_predication() {
    predication_[0].clk_i(clk_i);
    predication_[0].rst_ni(rst_ni);
    predication_[0].start_valid_i(start_valid_);
    predication_[0].start_warp_i(resolve_warp_);
    predication_[0].start_slot_i(resolve_slot_);
    predication_[0].start_mask_i(start_mask_);
    predication_[0].start_count_i(start_count_);
    predication_[0].take_i(grant_);
    predication_[0].kill_valid_i(kill_valid_i);
    predication_[0].kill_warp_i(kill_warp_i);
    predication_[0].off_mask_o(off_mask_);
    predication_[0].active_o(active_);
    predication_[0].slot_o(region_slot_);
    predication_[0].count_o(region_count_);
  }

  StackModule SC_NAMED(stack_);
  ScoreboardModule SC_NAMED(scoreboard_);
  sc_core::sc_vector<WakeupModule> SC_NAMED(wakeup_, kWakes ? 1 : 0);
  SelectorModule SC_NAMED(selector_);
  FetchTurnModule SC_NAMED(fetch_turn_);
  IbufferModule SC_NAMED(ibuffer_);
  sc_core::sc_vector<PredicationModule> SC_NAMED(predication_, Predicate);

  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(pending_);  // a control instruction is unresolved
  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(pending_slot_, NumWarps);  // its slot
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(
      acting_);  // its resolution acts: the other paths wait (two slots or more)
  sc_core::sc_signal<Mask<kSplits ? kPaths : NumWarps>> SC_NAMED(at_barrier_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(halted_);
  // the resolution that is taken
  sc_core::sc_signal<bool> SC_NAMED(resolve_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(resolve_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(resolve_slot_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(resolve_taken_);
  sc_core::sc_signal<Number<32>> SC_NAMED(resolve_target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(resolve_next_);
  sc_core::sc_signal<Number<32>> SC_NAMED(resolve_rpc_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(resolve_exit_);
  sc_core::sc_signal<bool> SC_NAMED(resolve_call_);
  sc_core::sc_signal<bool> SC_NAMED(resolve_return_);
  sc_core::sc_signal<bool> SC_NAMED(resolve_mark_);
  sc_core::sc_signal<bool> SC_NAMED(start_valid_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(start_mask_);
  sc_core::sc_signal<Number<kRegionCountWidth>> SC_NAMED(start_count_);
  // stack
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(pc_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(mask_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(level_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(valid_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(sibling_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(rpc_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(rpc_level_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(live_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<kDepthW>>> SC_NAMED(depth_, NumWarps);
  sc_core::sc_signal<Number<index_width(NumSlots + 1)>> SC_NAMED(
      max_splits_);  // 0 but of warp_split_table, as the next three
  sc_core::sc_signal<Number<32>> SC_NAMED(splits_);
  sc_core::sc_signal<Number<32>> SC_NAMED(merges_);
  sc_core::sc_signal<Number<32>> SC_NAMED(refused_);
  sc_core::sc_signal<Number<32>> SC_NAMED(forwards_);  // 0 but of dpe_stack
  sc_core::sc_signal<bool> SC_NAMED(save_valid_);      // 0 but of software_stack, as the next seven
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(save_warp_);
  sc_core::sc_signal<Number<kDepthW>> SC_NAMED(save_row_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(save_pc_, 2);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(save_mask_, 2);
  sc_core::sc_signal<bool> SC_NAMED(load_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(load_warp_);
  sc_core::sc_signal<Number<kDepthW>> SC_NAMED(load_row_);
  sc_core::sc_signal<bool> SC_NAMED(resolved_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(resolved_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(resolved_slot_);
  sc_core::sc_signal<bool> SC_NAMED(resolved_next_);
  sc_core::sc_signal<bool> SC_NAMED(push_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(push_warp_);
  sc_core::sc_signal<bool> SC_NAMED(pop_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(pop_warp_);
  sc_core::sc_signal<bool> SC_NAMED(done_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(done_warp_);
  sc_core::sc_signal<bool> SC_NAMED(overflow_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(overflow_warp_);
  sc_core::sc_signal<bool> SC_NAMED(later_valid_);  // spe_stack, compact_stack
  sc_core::sc_signal<Number<32>> SC_NAMED(later_pc_);
  sc_core::sc_signal<Number<32>> SC_NAMED(later_rpc_);
  // fetch ahead: the path that comes next is known, its PC, and where the one before it arrives
  static constexpr unsigned kKnown = Ahead != 0 ? NumWarps : 1;
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(ahead_);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(later_to_, kKnown);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(place_, kKnown);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(turn_);
  sc_core::sc_signal<bool> SC_NAMED(turn_one_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(turned_);
  sc_core::sc_vector<sc_core::sc_signal<Number<index_width(IbufDepth + 1)>>> SC_NAMED(beyond_, kPaths);
  // instruction buffer
  sc_core::sc_vector<sc_core::sc_signal<Mask<kInstrWidth>>> SC_NAMED(head_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(head_valid_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kNamesWidth>>> SC_NAMED(second_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(second_valid_);
  sc_core::sc_vector<sc_core::sc_signal<Number<index_width(IbufDepth + 1)>>> SC_NAMED(count_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<2>>> SC_NAMED(requests_, kPaths);
  sc_core::sc_vector<sc_core::sc_signal<Number<TagW>>> SC_NAMED(tag_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(quiet_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(need_fetch_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(fill_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(clear_);
  // scoreboard
  sc_core::sc_vector<sc_core::sc_signal<Number<kWarpW>>> SC_NAMED(check_warp_, kChecks);
  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(check_slot_, kChecks);
  sc_core::sc_vector<sc_core::sc_signal<Number<kNamesWidth>>> SC_NAMED(check_names_, kChecks);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kWaitW>>> SC_NAMED(wait_, kChecks);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(full_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(blocked_);  // core/wakeup
  sc_core::sc_signal<Mask<kChecks>> SC_NAMED(check_full_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kRegWidth>>> SC_NAMED(head_rd_, kPaths);
  sc_core::sc_signal<Number<kNamesWidth>> SC_NAMED(fill_names_);
  sc_core::sc_vector<sc_core::sc_signal<Mask<SbEntries>>> SC_NAMED(wake_, NumWb);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kRowW>>> SC_NAMED(pending_row_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Mask<kRowW>>> SC_NAMED(shadow_row_, kRows);
  sc_core::sc_vector<sc_core::sc_signal<Number<kRegWidth>>> SC_NAMED(pending_reg_, kRows* kEntries);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(pending_mask_, kRows* kEntries);
  // predication
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(off_mask_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(active_);
  sc_core::sc_vector<sc_core::sc_signal<Number<kSlotW>>> SC_NAMED(region_slot_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<kRegionCountWidth>>> SC_NAMED(region_count_, NumWarps);
  // selection of the path that issues, and of the one that fetches; the constrained one takes the slots apart
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(ready_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(wants_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(ready_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(ready_r_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(competes_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(competes_r_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(long_l_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(long_r_);
  sc_core::sc_signal<Number<4>> SC_NAMED(reason_);
  sc_core::sc_signal<bool> SC_NAMED(grant_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(grant_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(grant_slot_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(grant_);
  sc_core::sc_signal<Mask<kInstrWidth>> SC_NAMED(granted_instr_);
  sc_core::sc_signal<Number<kRegWidth>> SC_NAMED(granted_reg_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(granted_mask_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(granted_warps_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(advance_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(merge_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(drop_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(hold_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(stopped_);  // parts of paths: at a barrier, at a branch, which warps
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(waiting_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(parts_);
  sc_core::sc_signal<bool> SC_NAMED(split_);
  sc_core::sc_signal<bool> SC_NAMED(pop_flushes_);
  sc_core::sc_signal<bool> SC_NAMED(fetch_grant_valid_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(fetch_grant_warp_);
  sc_core::sc_signal<Number<kSlotW>> SC_NAMED(fetch_grant_slot_);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(fetch_grant_);
#else
  void show_split_ready() {
    const std::uint64_t killed = kill_valid_i.read() ? bit_of(kill_warp_i.read()) : 0;
    split_ready_o.write(logic_.split_ready(split_warp_i.read(), split_slot_i.read(), split_mask_i.read(), killed));
  }

  void reset() {
    logic_.reset();
    input_ = typename Logic::Input();
    const FrontendOutput nothing;
    shown_ = nothing;
    shown_max_depth_ = 0;
    shown_max_splits_ = 0;
    shown_splits_ = 0;
    shown_merges_ = 0;
    shown_refused_ = 0;
    shown_forwards_ = 0;
    fetch_valid_o.write(false);
    fetch_slot_o.write(0);
    write_fetch(nothing);
    issue_valid_o.write(false);
    issue_slot_o.write(0);
    write_issue(nothing);
    issue_predicated_o.write(false);
    done_valid_o.write(false);
    done_warp_o.write(0);
    idle_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
    stall_o.write(0);
    max_depth_o.write(0);
    max_splits_o.write(0);
    splits_o.write(0);
    merges_o.write(0);
    refused_o.write(0);
    forwards_o.write(0);
    if constexpr (Logic::kRowsOut) {
      save_valid_o.write(false);
      write_save(RowAsked(), SoftwarePaths());
      load_valid_o.write(false);
      load_warp_o.write(0);
      load_row_o.write(0);
    }
    if constexpr (Logic::kParts) stepped_.notify(sc_core::SC_ZERO_TIME);
  }

  void step() {
    read_pins();
    logic_.step(input_);
    write_pins(logic_.output());
    if constexpr (Logic::kParts) stepped_.notify(sc_core::SC_ZERO_TIME);
  }

  // Data pins are looked at while their valid is set.
  void read_pins() {
    input_.launch_valid = launch_valid_i.read();
    if (input_.launch_valid) {
      input_.launch_warp = launch_warp_i.read();
      input_.launch_pc = launch_pc_i.read();
      input_.launch_mask = launch_mask_i.read();
    }
    input_.kill_valid = kill_valid_i.read();
    if (input_.kill_valid) input_.kill_warp = kill_warp_i.read();
    input_.fetch_ready = fetch_ready_i.read();
    input_.decode_valid = decode_valid_i.read();
    if (input_.decode_valid) {
      input_.decode_warp = decode_warp_i.read();
      input_.decode_slot = NumSlots > 1 ? decode_slot_i.read() : 0;
      input_.decode_tag = decode_tag_i.read();
      input_.decode_count = decode_count_i.read();
      input_.decode_instr0 = decode_instr0_i.read();
      input_.decode_instr1 = decode_instr1_i.read();
    }
    std::uint64_t resolutions = resolve_valid_i.read();
    if constexpr (Logic::kRowsOut) {
      if (!save_ready_i.read()) resolutions = 0;
      read_rows();
    }
    input_.resolve_valid = resolutions != 0;
    if (input_.resolve_valid) {
      const std::uint32_t k = lowest_bit(resolutions);
      input_.resolve_warp = resolve_warp_i[k].read();
      input_.resolve_slot = NumSlots > 1 ? resolve_slot_i[k].read() : 0;
      input_.resolve.taken = resolve_taken_i[k].read();
      input_.resolve.target = resolve_target_i[k].read();
      input_.resolve.next = resolve_next_i[k].read();
      input_.resolve.rpc = resolve_rpc_i[k].read();
      input_.resolve.exit = resolve_exit_i[k].read();
      input_.resolve.call = has_bit(resolve_call_i.read(), k);
      input_.resolve.ret = has_bit(resolve_return_i.read(), k);
      input_.resolve.mark = has_bit(resolve_mark_i.read(), k);
      input_.resolve_skip = resolve_skip_i[k].read();
    }
    input_.wb_valid = wb_valid_i.read();
    for (unsigned k = 0; k < NumWb; ++k) {
      if (has_bit(input_.wb_valid, k)) {
        input_.wb[k].warp = wb_warp_i[k].read();
        input_.wb[k].slot = NumSlots > 1 ? wb_slot_i[k].read() : 0;
        input_.wb[k].reg = wb_reg_i[k].read();
        if constexpr (Logic::kOptimistic) input_.wb[k].mask = wb_mask_i[k].read();
      }
    }
    if constexpr (Logic::kConstrained) {
      input_.miss_valid = miss_valid_i.read();
      if (input_.miss_valid) {
        input_.miss_warp = miss_warp_i.read();
        input_.miss_slot = miss_slot_i.read();
      }
    }
    if constexpr (Logic::kParts) {
      input_.split_valid = split_valid_i.read();
      if (input_.split_valid) {
        input_.split_warp = split_warp_i.read();
        input_.split_slot = split_slot_i.read();
        input_.split_mask = split_mask_i.read();
      }
    }
    input_.unit_ready = unit_ready_i.read();
    input_.release = release_i.read();
    if (shown_.issue_valid) input_.issue_ready = issue_ready_i.read();
  }

  void read_rows() {
    input_.load_ready = load_ready_i.read();
    input_.fill_valid = fill_valid_i.read();
    if (!input_.fill_valid) return;
    input_.fill_warp = fill_warp_i.read();
    input_.fill.pc_l = fill_pc_i[0].read();
    input_.fill.pc_r = fill_pc_i[1].read();
    input_.fill.mask_l = fill_mask_i[0].read();
    input_.fill.mask_r = fill_mask_i[1].read();
  }

  void write_rows() {
    const RowAsked save = logic_.stack().save();
    const RowAsked load = logic_.stack().load();
    save_valid_o.write(save.valid);
    if (save.valid) write_save(save, logic_.stack().saved_row());
    load_valid_o.write(load.valid);
    load_warp_o.write(load.warp);
    load_row_o.write(load.row);
  }
  void write_save(const RowAsked& save, const SoftwarePaths& row) {
    save_warp_o.write(save.warp);
    save_row_o.write(save.row);
    save_pc_o[0].write(row.pc_l);
    save_pc_o[1].write(row.pc_r);
    save_mask_o[0].write(row.mask_l);
    save_mask_o[1].write(row.mask_r);
  }

  // Pins that can not have changed are left alone; `shown_` is what they hold.
  void write_pins(const FrontendOutput& out) {
    if (out.fetch_valid != shown_.fetch_valid) fetch_valid_o.write(out.fetch_valid);
    shown_.fetch_valid = out.fetch_valid;
    if (out.fetch_valid) write_fetch(out);
    if (out.issue_valid != shown_.issue_valid) issue_valid_o.write(out.issue_valid);
    shown_.issue_valid = out.issue_valid;
    if (out.issue_valid) write_issue(out);
    if (out.issue_predicated != shown_.issue_predicated) issue_predicated_o.write(out.issue_predicated);
    shown_.issue_predicated = out.issue_predicated;
    if (out.done_valid != shown_.done_valid) done_valid_o.write(out.done_valid);
    shown_.done_valid = out.done_valid;
    if (out.done_valid) done_warp_o.write(out.done_warp);
    if (out.idle != shown_.idle) idle_o.write(out.idle);
    shown_.idle = out.idle;
    if (out.overflow_valid != shown_.overflow_valid) overflow_valid_o.write(out.overflow_valid);
    shown_.overflow_valid = out.overflow_valid;
    if (out.overflow_valid) overflow_warp_o.write(out.overflow_warp);
    if (out.stall != shown_.stall) stall_o.write(out.stall);
    shown_.stall = out.stall;
    if (logic_.max_depth() != shown_max_depth_) max_depth_o.write(logic_.max_depth());
    shown_max_depth_ = logic_.max_depth();
    if constexpr (Logic::kSplits || Logic::kParts) write_splits();
    if constexpr (Logic::kRowsOut) write_rows();
    if constexpr (Logic::kForward) {
      if (logic_.forwards() != shown_forwards_) forwards_o.write(logic_.forwards());
      shown_forwards_ = logic_.forwards();
    }
  }

  void write_splits() {
    if (logic_.max_splits() != shown_max_splits_) max_splits_o.write(logic_.max_splits());
    shown_max_splits_ = logic_.max_splits();
    if (logic_.splits() != shown_splits_) splits_o.write(logic_.splits());
    shown_splits_ = logic_.splits();
    if (logic_.merges() != shown_merges_) merges_o.write(logic_.merges());
    shown_merges_ = logic_.merges();
    if (logic_.refused() != shown_refused_) refused_o.write(logic_.refused());
    shown_refused_ = logic_.refused();
  }

  void write_fetch(const FrontendOutput& out) {
    fetch_warp_o.write(out.fetch_warp);
    if (NumSlots > 1) fetch_slot_o.write(out.fetch_slot);
    fetch_pc_o.write(out.fetch_pc);
    fetch_tag_o.write(out.fetch_tag);
  }

  void write_issue(const FrontendOutput& out) {
    issue_warp_o.write(out.issue_warp);
    if (NumSlots > 1) issue_slot_o.write(out.issue_slot);
    issue_pc_o.write(out.issue_pc);
    issue_mask_o.write(out.issue_mask);
    issue_instr_o.write(out.issue_instr);
    issue_sibling_o.write(out.issue_sibling);
  }

  Logic logic_;
  sc_core::sc_event stepped_;
  typename Logic::Input input_;
  FrontendOutput shown_;
  std::uint32_t shown_max_depth_ = 0;
  std::uint32_t shown_max_splits_ = 0;
  std::uint32_t shown_splits_ = 0;
  std::uint32_t shown_merges_ = 0;
  std::uint32_t shown_refused_ = 0;
  std::uint32_t shown_forwards_ = 0;
#endif

  HEDDLE_CLOCKED_BODY()
};

}  // namespace heddle
