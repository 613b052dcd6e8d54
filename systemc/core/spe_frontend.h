// SPDX-License-Identifier: Apache-2.0
// spe_frontend: decides which warp issues next, with one path a warp. Contract: docs/frontend.md,
// core/spe_frontend; same pins as rtl/core/spe_frontend.sv.
//
// SpeFrontendLogic is the machine without a clock: step() is one cycle, output() what the output registers hold after it.
// It holds the logic of stack, scoreboard, selector, instruction buffer and predication as members; what the RTL computes
// between them is computed inside step(). The module below puts pins around it.
#pragma once

#include "core/heads.h"
#include "core/ibuffer.h"
#include "core/predication.h"
#include "scoreboard/spe_scoreboard.h"
#include "select/warp_selector.h"
#include "stack/spe_stack.h"

namespace heddle {

// Limits and options that may differ from the module's parameters: a narrower configuration of the same hardware.
struct SpeFrontendConfig {
  std::uint32_t stack_depth = 0;
  std::uint32_t sb_entries = 0;
  std::uint32_t ibuf_depth = 0;
  std::uint32_t push_order = kTakenFirst;
  std::uint32_t policy = kPolicyRoundRobin;
  std::uint32_t level_bits = 8;
};

// The input pins of one cycle. Data of a group matter while its valid is set.
struct SpeFrontendInput {
  bool launch_valid = false;
  bool fetch_ready = false;
  bool decode_valid = false;
  bool resolve_valid = false;
  bool wb0_valid = false;
  bool wb1_valid = false;
  std::uint32_t launch_warp = 0;
  std::uint32_t launch_pc = 0;
  std::uint64_t launch_mask = 0;
  std::uint32_t decode_warp = 0;
  std::uint32_t decode_pc = 0;
  std::uint32_t decode_count = 0;
  std::uint64_t decode_instr0 = 0;
  std::uint64_t decode_instr1 = 0;
  std::uint32_t resolve_warp = 0;
  ResolveInput resolve;
  std::uint32_t resolve_skip = 0;
  std::uint32_t wb0_warp = 0;
  std::uint32_t wb0_reg = 0;
  std::uint32_t wb1_warp = 0;
  std::uint32_t wb1_reg = 0;
  std::uint32_t unit_ready = 0;
  std::uint64_t release = 0;
};

// The output registers.
struct SpeFrontendOutput {
  bool fetch_valid = false;
  bool issue_valid = false;
  bool issue_sibling = false;
  bool issue_predicated = false;
  bool done_valid = false;
  bool overflow_valid = false;
  std::uint32_t fetch_warp = 0;
  std::uint32_t fetch_pc = 0;
  std::uint32_t issue_warp = 0;
  std::uint32_t issue_pc = 0;
  std::uint64_t issue_mask = 0;
  std::uint64_t issue_instr = 0;
  std::uint32_t done_warp = 0;
  std::uint32_t overflow_warp = 0;
  std::uint32_t stall = 0;
};

#ifndef HEDDLE_SYNTHESIS
// What happened inside the last step: the wires between the modules of the RTL.
struct SpeFrontendEvents {
  bool grant_valid = false;
  bool fill_valid = false;  // a decoded answer was accepted
  bool request_valid = false;
  bool push_valid = false;
  bool pop_valid = false;
  bool done_valid = false;
  bool overflow_valid = false;
  std::uint32_t grant_warp = 0;
  std::uint32_t request_warp = 0;
  std::uint32_t push_warp = 0;
  std::uint32_t pop_warp = 0;
  std::uint64_t eligible = 0;  // bit a warp
};
#endif

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned SbEntries = 8,
          unsigned IbufDepth = 4, unsigned PushOrder = 0, unsigned Policy = 0, unsigned LevelW = 8,
          unsigned Predicate = 1>
class SpeFrontendLogic {
  static_assert(Predicate <= 1, "spe_frontend: Predicate is 0 (without) or 1 (with core/predication)");

 public:
  using Stack = SpeStackLogic<NumWarps, Lanes, StackDepth, PushOrder, LevelW>;
  using ScoreboardUnit = SpeScoreboardLogic<NumWarps, SbEntries>;
  using SelectorUnit = WarpSelectorLogic<NumWarps, 1, Policy>;
  using Ibuffer = IbufferLogic<NumWarps, 1, IbufDepth>;
  using Predication = PredicationLogic<NumWarps, 1, Lanes>;
  using Config = SpeFrontendConfig;

  [[nodiscard]] static constexpr SpeFrontendConfig default_config() {
    return {StackDepth, SbEntries, IbufDepth, PushOrder, Policy, LevelW};
  }

  explicit SpeFrontendLogic(const SpeFrontendConfig& config = default_config())
      : stack_(SpeStackConfig{config.stack_depth, config.push_order, config.level_bits}),
        scoreboard_(config.sb_entries),
        selector_(config.policy),
        ibuffer_(config.ibuf_depth) {
    reset();
  }

  // Bits that are in no submodule: path status, fetch arbiter, output registers.
  [[nodiscard]] static constexpr unsigned own_state_bits() {
    return 3 * NumWarps + rr_arbiter<NumWarps>::state_bits() + fetch_register_bits() + issue_register_bits() +
           2 * (1 + index_width(NumWarps)) + 4;
  }
  [[nodiscard]] static constexpr unsigned state_bits() {
    return Stack::state_bits() + ScoreboardUnit::state_bits() + SelectorUnit::state_bits() + Ibuffer::state_bits() +
           (Predicate != 0 ? Predication::state_bits() : 0) + own_state_bits();
  }

  void reset() {
    stack_.reset();
    scoreboard_.reset();
    selector_.reset();
    ibuffer_.reset();
    predication_.reset();
    heads_.reset();
    blocked_ = 0;
    full_ = 0;
    fetch_last_ = NumWarps - 1;
    pending_ = 0;
    at_barrier_ = 0;
    halted_ = 0;
    output_ = SpeFrontendOutput();
  }

  void step(const SpeFrontendInput& in) {
    // Decisions, all of them on registered state.
    const std::uint64_t valid = stack_.valid();
    const std::uint64_t open = valid & ibuffer_.head_valid(0) & ~(at_barrier_ | halted_ | pending_);
    const std::uint64_t clear = open & ~blocked_ & ~full_;
    const std::uint64_t eligible = clear & heads_.unit_ready(0, in.unit_ready);
    const PathGrant grant = selector_.pick(eligible, 0);

    RrGrant fetch;
    if (in.fetch_ready) fetch = rr_pick(ibuffer_.need_fetch(0) & valid & ~halted_, fetch_last_);
    const bool accepted = in.decode_valid && accepts(in);
    const std::uint64_t poppable = stack_.poppable();

    // Output registers.
    if (grant.valid) {
      const SpeEntry& top = stack_.top(grant.warp);
      output_.issue_warp = grant.warp;
      output_.issue_pc = top.pc;
      output_.issue_mask = top.mask;
      output_.issue_instr = ibuffer_.head(grant.warp, 0);
      output_.issue_sibling = top.sibling;
      output_.issue_predicated = predication_.inside(grant.warp, 0);
      if (output_.issue_predicated) output_.issue_mask &= ~predication_.off_mask(grant.warp, 0);
      output_.stall = kStallNone;
    } else {
      output_.stall = stall(open, clear);
    }
    output_.issue_valid = grant.valid;
    if (fetch.valid) {
      output_.fetch_warp = fetch.index;
      output_.fetch_pc = fetch_pc(fetch.index);
      fetch_last_ = fetch.index;
    }
    output_.fetch_valid = fetch.valid;

    // Selector.
    if (grant.valid) selector_.grant(grant);
    if (in.launch_valid) selector_.launch(in.launch_warp);

    // Write-backs, then the issued instruction, then the resolution: the order of docs/frontend.md.
    const bool sets = grant.valid && bundle_rd(output_.issue_instr) != 0;
    const std::uint32_t entry = sets ? scoreboard_.free_entry(grant.warp) : 0;
    if (in.wb0_valid) scoreboard_.clear(in.wb0_warp, in.wb0_reg);
    if (in.wb1_valid) scoreboard_.clear(in.wb1_warp, in.wb1_reg);
    at_barrier_ &= ~in.release;
    if (grant.valid) {
      const std::uint64_t warp_bit = bit_of(grant.warp);
      if (sets) scoreboard_.set(grant.warp, entry, bundle_rd(output_.issue_instr));
      HEDDLE_EXPECT(!output_.issue_predicated ||
                    (!bundle_control(output_.issue_instr) && !bundle_barrier(output_.issue_instr)));
      if (bundle_control(output_.issue_instr)) {
        pending_ |= warp_bit;
      } else {
        stack_.advance(grant.warp);
      }
      if (bundle_barrier(output_.issue_instr)) at_barrier_ |= warp_bit;
      ibuffer_.take(grant.warp, 0);
      if (output_.issue_predicated) predication_.take(grant.warp, 0);
    }
    if (accepted) ibuffer_.fill(in.decode_warp, 0, in.decode_count, in.decode_instr0, in.decode_instr1);
    if (fetch.valid) ibuffer_.request(fetch.index, 0);

    [[maybe_unused]] bool pushed = false;
    output_.overflow_valid = false;
    if (in.resolve_valid) {
      ResolveInput resolve = in.resolve;
      if (Predicate != 0 && in.resolve_skip != 0) {  // the path goes on, without those who took the branch
        HEDDLE_EXPECT(may_be_skipped(in));
        resolve.taken = 0;
        predication_.start(in.resolve_warp, 0, in.resolve.taken, in.resolve_skip);
      }
      const SpeResolved resolved = stack_.resolve(in.resolve_warp, resolve);
      if (resolved.overflow) {
        halted_ |= bit_of(in.resolve_warp);
        output_.overflow_valid = true;
        output_.overflow_warp = in.resolve_warp;
      } else {
        pending_ &= ~bit_of(in.resolve_warp);
        pushed = resolved.push;
        flush(in.resolve_warp);  // of the only path: redirect and flush are one
      }
    }
    output_.done_valid = false;
    if (poppable != 0) {
      const std::uint32_t warp = lowest_bit(poppable);
      if (stack_.pop(warp)) {
        output_.done_valid = true;
        output_.done_warp = warp;
      }
      flush(warp);
    }
    if (in.launch_valid) stack_.launch(in.launch_warp, in.launch_pc, in.launch_mask);

    // Derived values of the warps whose head or hazards may have changed, from the state after the cycle. A write-back can
    // only let go a warp that waits.
    if (in.wb0_valid && has_bit(blocked_ | full_, in.wb0_warp)) refresh_hazard(in.wb0_warp);
    if (in.wb1_valid && has_bit(blocked_ | full_, in.wb1_warp)) refresh_hazard(in.wb1_warp);
    if (grant.valid) refresh_head(grant.warp);
    if (accepted && ibuffer_.count(in.decode_warp, 0) <= in.decode_count) {  // the head came with the answer
      refresh_head(in.decode_warp);
    }
#ifndef HEDDLE_SYNTHESIS
    events_.grant_valid = grant.valid;
    events_.grant_warp = grant.warp;
    events_.fill_valid = accepted;
    events_.request_valid = fetch.valid;
    events_.request_warp = fetch.index;
    events_.push_valid = pushed;
    events_.push_warp = pushed ? in.resolve_warp : 0;
    events_.pop_valid = poppable != 0;
    events_.pop_warp = poppable != 0 ? lowest_bit(poppable) : 0;
    events_.done_valid = output_.done_valid;
    events_.overflow_valid = output_.overflow_valid;
    events_.eligible = eligible;
#endif
  }

  [[nodiscard]] const SpeFrontendOutput& output() const { return output_; }
  [[nodiscard]] std::uint32_t max_depth() const { return stack_.max_depth(); }

  [[nodiscard]] const Stack& stack() const { return stack_; }
  [[nodiscard]] const ScoreboardUnit& scoreboard() const { return scoreboard_; }
  [[nodiscard]] const SelectorUnit& selector() const { return selector_; }
  [[nodiscard]] const Ibuffer& ibuffer() const { return ibuffer_; }
  [[nodiscard]] const Predication& predication() const { return predication_; }
  // Bit a warp:
  [[nodiscard]] std::uint64_t blocked() const { return blocked_; }
  [[nodiscard]] std::uint64_t full() const { return full_; }
  [[nodiscard]] std::uint64_t pending() const { return pending_; }
  [[nodiscard]] std::uint64_t at_barrier() const { return at_barrier_; }
  [[nodiscard]] std::uint64_t halted() const { return halted_; }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const SpeFrontendEvents& events() const { return events_; }
#endif

 private:
  [[nodiscard]] static constexpr unsigned fetch_register_bits() { return 1 + index_width(NumWarps) + 32; }
  [[nodiscard]] static constexpr unsigned issue_register_bits() {
    return 1 + index_width(NumWarps) + 32 + Lanes + kInstrWidth + 1 + Predicate;
  }

  // PC of the next bundle that the buffer of a warp lacks.
  [[nodiscard]] std::uint32_t fetch_pc(std::uint32_t warp) const {
    return stack_.top(warp).pc + 4 * ibuffer_.count(warp, 0);
  }

  // A decoded answer is taken if its warp still waits for it; everything else is stale.
  [[nodiscard]] bool accepts(const SpeFrontendInput& in) const {
    return has_bit(stack_.valid() & ibuffer_.outstanding(0), in.decode_warp) && in.decode_pc == fetch_pc(in.decode_warp);
  }

#ifndef HEDDLE_SYNTHESIS
  // Some, not all of the path's threads took a branch that is nothing else.
  [[nodiscard]] bool may_be_skipped(const SpeFrontendInput& in) const {
    const std::uint64_t mask = stack_.top(in.resolve_warp).mask;
    return (in.resolve.taken & mask) != 0 && (~in.resolve.taken & mask) != 0 && in.resolve.exit == 0 && !in.resolve.call &&
           !in.resolve.ret;
  }
#endif

  // The buffer of a warp is empty: nothing blocks.
  void flush(std::uint32_t warp) {
    ibuffer_.flush(warp);
    heads_.update(warp, 0, 0);
    blocked_ &= ~bit_of(warp);
    full_ &= ~bit_of(warp);
  }

  void refresh_head(std::uint32_t warp) {
    heads_.update(warp, 0, ibuffer_.head(warp, 0));
    refresh_hazard(warp);
  }

  void refresh_hazard(std::uint32_t warp) {
    blocked_ = with_bit(blocked_, warp, scoreboard_.blocked(warp, heads_.names(warp, 0)));
    full_ = with_bit(full_, warp, scoreboard_.table_full(warp) && heads_.writes(warp, 0));
  }

  // In a cycle without an issue: no warp is eligible, so a path that lacks nothing else lacks its unit.
  [[nodiscard]] std::uint32_t stall(std::uint64_t open, std::uint64_t clear) const {
    StallInput in;
    in.any_warp = stack_.occupied() != 0;
    in.any_memory = (clear & heads_.unit(0, kUnitCodeLsu)) != 0;
    in.any_unit = clear != 0;
    in.any_blocked = (open & blocked_) != 0;
    in.any_full = (open & full_) != 0;
    in.any_pending = (pending_ | halted_) != 0;
    in.any_barrier = at_barrier_ != 0;
    return stall_reason(in);
  }

  Stack stack_;
  ScoreboardUnit scoreboard_;
  SelectorUnit selector_;
  Ibuffer ibuffer_;
  Predication predication_;
  HeadTable<NumWarps, 1> heads_;
  std::uint64_t blocked_ = 0;  // derived: query of the scoreboard by the heads
  std::uint64_t full_ = 0;
  std::uint32_t fetch_last_ = 0;
  std::uint64_t pending_ = 0;  // bit a warp: a control instruction is unresolved
  std::uint64_t at_barrier_ = 0;
  std::uint64_t halted_ = 0;
  SpeFrontendOutput output_;
#ifndef HEDDLE_SYNTHESIS
  SpeFrontendEvents events_;
#endif
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned StackDepth = 16, unsigned SbEntries = 8,
          unsigned IbufDepth = 4, unsigned PushOrder = 0, unsigned Policy = 0, unsigned LevelW = 8,
          unsigned Predicate = 1>
class spe_frontend : public sc_core::sc_module {
 public:
  using Logic = SpeFrontendLogic<NumWarps, Lanes, StackDepth, SbEntries, IbufDepth, PushOrder, Policy, LevelW, Predicate>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from dispatcher
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(launch_pc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(launch_mask_i);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(fetch_ready_i);
  sc_core::sc_out<bool> SC_NAMED(fetch_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(fetch_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(fetch_pc_o);
  // from decode
  sc_core::sc_in<bool> SC_NAMED(decode_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(decode_count_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(decode_instr0_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(decode_instr1_i);
  // from execute
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_target_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_next_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(resolve_skip_i);
  // from write-back
  sc_core::sc_in<bool> SC_NAMED(wb0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb0_reg_i);
  sc_core::sc_in<bool> SC_NAMED(wb1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(wb1_reg_i);
  // from units
  sc_core::sc_in<std::uint32_t> SC_NAMED(unit_ready_i);
  // from barrier unit
  sc_core::sc_in<std::uint64_t> SC_NAMED(release_i);
  // to execute
  sc_core::sc_out<bool> SC_NAMED(issue_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(issue_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(issue_pc_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(issue_mask_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(issue_instr_o);
  sc_core::sc_out<bool> SC_NAMED(issue_sibling_o);
  sc_core::sc_out<bool> SC_NAMED(issue_predicated_o);
  // to dispatcher
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(done_warp_o);
  // status
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(stall_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(spe_frontend);
  explicit spe_frontend(sc_core::sc_module_name name, const SpeFrontendConfig& config = Logic::default_config())
      : sc_core::sc_module(name), logic_(config) {
    HEDDLE_CLOCKED_PROCESS();
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    input_ = SpeFrontendInput();
    shown_ = SpeFrontendOutput();
    shown_max_depth_ = 0;
    fetch_valid_o.write(false);
    write_fetch(shown_);
    issue_valid_o.write(false);
    write_issue(shown_);
    issue_predicated_o.write(false);
    done_valid_o.write(false);
    done_warp_o.write(0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
    stall_o.write(0);
    max_depth_o.write(0);
  }

  void step() {
    read_pins();
    logic_.step(input_);
    write_pins(logic_.output());
  }

  // Data pins are looked at while their valid is set.
  void read_pins() {
    input_.launch_valid = launch_valid_i.read();
    if (input_.launch_valid) {
      input_.launch_warp = launch_warp_i.read();
      input_.launch_pc = launch_pc_i.read();
      input_.launch_mask = launch_mask_i.read();
    }
    input_.fetch_ready = fetch_ready_i.read();
    input_.decode_valid = decode_valid_i.read();
    if (input_.decode_valid) {
      input_.decode_warp = decode_warp_i.read();
      input_.decode_pc = decode_pc_i.read();
      input_.decode_count = decode_count_i.read();
      input_.decode_instr0 = decode_instr0_i.read();
      input_.decode_instr1 = decode_instr1_i.read();
    }
    input_.resolve_valid = resolve_valid_i.read();
    if (input_.resolve_valid) {
      input_.resolve_warp = resolve_warp_i.read();
      input_.resolve.taken = resolve_taken_i.read();
      input_.resolve.target = resolve_target_i.read();
      input_.resolve.next = resolve_next_i.read();
      input_.resolve.rpc = resolve_rpc_i.read();
      input_.resolve.exit = resolve_exit_i.read();
      input_.resolve.call = resolve_call_i.read();
      input_.resolve.ret = resolve_return_i.read();
      input_.resolve_skip = resolve_skip_i.read();
    }
    input_.wb0_valid = wb0_valid_i.read();
    if (input_.wb0_valid) {
      input_.wb0_warp = wb0_warp_i.read();
      input_.wb0_reg = wb0_reg_i.read();
    }
    input_.wb1_valid = wb1_valid_i.read();
    if (input_.wb1_valid) {
      input_.wb1_warp = wb1_warp_i.read();
      input_.wb1_reg = wb1_reg_i.read();
    }
    input_.unit_ready = unit_ready_i.read();
    input_.release = release_i.read();
  }

  // Pins that can not have changed are left alone; `shown_` is what they hold.
  void write_pins(const SpeFrontendOutput& out) {
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
    if (out.overflow_valid != shown_.overflow_valid) overflow_valid_o.write(out.overflow_valid);
    shown_.overflow_valid = out.overflow_valid;
    if (out.overflow_valid) overflow_warp_o.write(out.overflow_warp);
    if (out.stall != shown_.stall) stall_o.write(out.stall);
    shown_.stall = out.stall;
    if (logic_.max_depth() != shown_max_depth_) max_depth_o.write(logic_.max_depth());
    shown_max_depth_ = logic_.max_depth();
  }

  void write_fetch(const SpeFrontendOutput& out) {
    fetch_warp_o.write(out.fetch_warp);
    fetch_pc_o.write(out.fetch_pc);
  }

  void write_issue(const SpeFrontendOutput& out) {
    issue_warp_o.write(out.issue_warp);
    issue_pc_o.write(out.issue_pc);
    issue_mask_o.write(out.issue_mask);
    issue_instr_o.write(out.issue_instr);
    issue_sibling_o.write(out.issue_sibling);
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
  SpeFrontendInput input_;
  SpeFrontendOutput shown_;
  std::uint32_t shown_max_depth_ = 0;
};

}  // namespace heddle
