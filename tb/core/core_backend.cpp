// SPDX-License-Identifier: Apache-2.0
#include "core/core_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "core/frontend_pins.h"
#include "heddle/error.h"
#include "isa/execute.h"
#include "isa/helpers.h"
#include "memory/fault_text.h"
#include "memory/print_call.h"
#include "memory/warp_memory.h"

namespace heddle {
namespace {

constexpr Cycle kSlowest =
    Cycle{1} << 22;  // more than all that fits into the memory system takes with any latency and bandwidth

}  // namespace

CoreBackend::CoreBackend(const Config& config, LoadStoreUnit::Path path)
    : config_(config),
      lanes_(config.core.lanes),
      path_(path),
      blocks_(config.core.max_blocks),
      registers_(std::size_t{config.core.warps} * kNumRegs, config.core.lanes),
      given_blocks_(config.core.max_blocks) {}

void CoreBackend::begin(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer,
                        std::ostream& text) {
  launch_ = launch;
  wide_ = launch.program->xlen == Xlen::k64;
  registers_.set_width(wide_);
  space_ = &space;
  space.set_stack(launch.arguments.stack);
  observer_ = observer;
  text_ = &text;
  prepare_code(*launch.program);
  initial_registers_ = initial_registers(launch, config_);

  lsu_ = std::make_unique<LoadStoreUnit>(config_, memory, path_);
  for (Block& block : blocks_) block.resident = false;

  warps_per_block_ = launch.warps_per_block(lanes_);
  free_warps_ = config_.core.warps;
  resident_blocks_ = 0;
  resident_limit_ = static_cast<unsigned>(resident_blocks(launch.threads_per_block(), launch.shared_bytes(), config_));
  next_block_ = 0;
  blocks_come_ = one_of_several_ = false;
  given_blocks_.clear();
  blocks_left_ = launch.blocks();

  now_ = 0;
  stats_ = Stats{};
  stats_.lanes = lanes_;
  stats_.schedulers = config_.core.schedulers;
  last_issue_ = last_pending_ = 0;
  watch_ = {};
  error_ = nullptr;
  finished_ = false;
  running_ = false;
  reset_machine();
  if (observer_ != nullptr) observer_->launch_begin(launch_, space);
}

void CoreBackend::prepare_code(const Program& program) {
  code_.assign(program.text.size(), {});
  branches_.clear();
  has_atomics_ =
      std::any_of(program.text.begin(), program.text.end(), [](const Instruction& inst) { return inst.is_atomic(); });
  for (std::size_t i = 0; i < program.text.size(); ++i) {
    const Instruction& inst = program.text[i];
    StaticInstruction& info = code_[i];
    info.bundle = bundle_of(inst);
    switch (inst.op) {
      case Op::kIllegal:
      case Op::kEbreak: info.kind = Kind::kIllegal; break;
      case Op::kJal:
      case Op::kJalr: info.kind = Kind::kJump; break;
      case Op::kEcall: info.kind = Kind::kEcall; break;
      case Op::kBarrier: info.kind = Kind::kBarrier; break;
      case Op::kFence: info.kind = Kind::kNop; break;
      case Op::kCsrrw:
      case Op::kCsrrs:
      case Op::kCsrrc:
      case Op::kCsrrwi:
      case Op::kCsrrsi:
      case Op::kCsrrci: info.kind = Kind::kCsr; break;
      default:
        info.kind = inst.is_branch() ? Kind::kBranch : inst.is_memory() ? Kind::kMemory : Kind::kCompute;
        if (inst.is_own()) prepare_own(inst, info);
    }
    if (inst.is_branch() || inst.op == Op::kJalr) {
      info.branch = static_cast<std::uint32_t>(branches_.size());
      BranchStats branch;
      branch.pc = program.text_begin + static_cast<Pc>(i) * 4;
      branch.rpc = inst.rpc;
      info.skip = predicates() && inst.skip <= config_.core.predicate ? inst.skip : 0;
      branches_.push_back(branch);
    }
  }
  find_helpers(program);
}

const CoreBackend::StaticInstruction& CoreBackend::outside_the_code() {
  static const StaticInstruction outside = [] {
    Instruction inst;
    inst.control = true;
    StaticInstruction info;
    info.bundle = bundle_of(inst);
    return info;
  }();
  return outside;
}

const MechanismUnit& CoreBackend::unit() const {
  static const MechanismUnit none;
  return none;
}

void CoreBackend::prepare_own(const Instruction& inst, StaticInstruction& info) const {
  using Role = MechanismUnit::Role;
  const Role role = unit().role(inst);
  info.kind = role != Role::kNothing     ? Kind::kOwn
              : inst.op == Op::kWarpsync ? Kind::kWarpsync
              : inst.rd != 0             ? Kind::kCompute
                                         : Kind::kNop;
  info.resolves = role == Role::kResolves || role == Role::kEndsFetch;
  if (info.resolves) info.bundle |= kBundleControl;
  if (role == Role::kEndsFetch) info.bundle |= kBundleJump;
}

void CoreBackend::find_helpers(const Program& program) {
  helpers_.assign(1, {});
  for (const Program::Function& function : program.functions) {
    if (helper_of(function.name) == Helper::kNone) continue;
    for (Pc pc = function.begin; program.at(pc) != nullptr && pc < function.end; pc += 4)
      code_[(pc - program.text_begin) / 4].helper = static_cast<std::uint16_t>(helpers_.size());
    helpers_.push_back({function.begin, 0});
  }
}

void CoreBackend::edge() {
  if (!running_) return;
  try {
    cycle();
  } catch (...) {
    fail(std::current_exception());
  }
}

void CoreBackend::fail(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  running_ = false;
  finished_ = true;
}

void CoreBackend::end_of_cycle() {
  watch_progress();
  ++now_;
  stats_.cycles = now_;
  if (blocks_left_ == 0 && !blocks_come_) {
    if (observer_ != nullptr) observer_->launch_end(now_, *space_);
    running_ = false;
    finished_ = true;
  } else if (config_.run.max_cycles != 0 && now_ >= config_.run.max_cycles) {
    stop("max_cycles",
         fmt::format("kernel {} still runs after {} cycles (run.max_cycles): raise the limit with --max-cycles, or "
                     "look for a loop that does not end",
                     launch_.kernel, now_));
  } else if ((now_ & 0xff) == 0 && stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) {
    stop("interrupted", fmt::format("kernel {} was stopped from outside after {} cycles", launch_.kernel, now_));
  }
}

Cycle CoreBackend::next_look() const {
  const Cycle limit = config_.run.watchdog;
  if (now_ - last_issue_ >= limit) return now_;
  Cycle next =
      std::min({now_ | 0xff, last_issue_ + limit, watch_.since + (watch_.open ? LivelockWatch::kWindow : limit)});
  if (config_.run.max_cycles != 0) next = std::min(next, config_.run.max_cycles - 1);
  return next;
}

// ----------------------------------------------------------------------------------------------------------------
// dispatch

bool CoreBackend::has_room_for_block() const {
  return !finished_ && resident_blocks_ + given_blocks_.size() < resident_limit_;
}

unsigned CoreBackend::warp_slots() const {
  const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(resident_limit_, launch_.blocks()));
  return (warps_per_block_ * blocks + config_.core.schedulers - 1) / config_.core.schedulers;
}

void CoreBackend::give_block(std::uint64_t number) {
  given_blocks_.push(number);
  ++blocks_left_;
}

void CoreBackend::no_more_blocks() {
  blocks_come_ = false;
  next_block_ = launch_.blocks();
  if (blocks_left_ != 0 || finished_) return;
  if (observer_ != nullptr) observer_->launch_end(now_, *space_);
  running_ = false;
  finished_ = true;
}

void CoreBackend::idle_until(Cycle now) {
  const std::uint64_t cycles = (now - now_) * config_.core.schedulers;
  stats_.stalls[static_cast<unsigned>(Stall::kNoWarp)] += cycles;
  stats_.warp_size[0] += cycles;
  stats_.cycles = now_ = now;
}

void CoreBackend::dispatch() {
  if (!blocks_come_ && next_block_ < launch_.blocks() && given_blocks_.empty()) given_blocks_.push(next_block_++);
  if (!can_place_block()) return;
  for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
    if (!blocks_[slot].resident) {
      place_block(slot);
      return;
    }
  }
}

void CoreBackend::place_block(unsigned block_slot) {
  Block& block = blocks_[block_slot];
  block = Block{};
  block.resident = true;
  block.number = given_blocks_.front();
  given_blocks_.pop();
  block.warps_resident = warps_per_block_;
  ++resident_blocks_;
  free_warps_ -= warps_per_block_;
  space_->begin_block(block_slot, launch_.shared_bytes());
  if (observer_ != nullptr) observer_->block_begin(now_, block_slot, block.number);

  std::uint32_t placed = 0;
  for (WarpId id = 0; placed < warps_per_block_; ++id) {
    if (resident(id).occupied) continue;
    ResidentWarp& warp = clear_warp(id);
    warp.occupied = true;
    warp.block = block_slot;
    warp.context = WarpContext(launch_, block.number, placed, lanes_);
    warp.live = warp.context.lanes_used;
    clear_registers(id);
    space_->begin_warp(id);
    warp_placed(id, placed);
    ++placed;
  }
  watch_.progress(now_);
}

// The warp slot is free, and with its last warp the block has ended. The caller says that it is not occupied any more.
void CoreBackend::release_warp(WarpId id) {
  ++free_warps_;
  const unsigned block_slot = resident(id).block;
  Block& block = blocks_[block_slot];
  if (--block.warps_resident == 0) {
    block.resident = false;
    --resident_blocks_;
    --blocks_left_;
    if (observer_ != nullptr) observer_->block_end(now_, block_slot);
  }
}

// ----------------------------------------------------------------------------------------------------------------
// execute

void CoreBackend::clear_registers(WarpId id) {
  for (RegId r = 0; r < kNumRegs; ++r) fill(registers_.row(row_of_register(id, r)), 0);
  for (const InitialRegister& initial : initial_registers_)
    fill(registers_.row(row_of_register(id, initial.reg)), initial.value);
}

template <typename Word>
void CoreBackend::compute_as(const Part& part, LaneArray out) {
  const Instruction& inst = part.inst;
  if (inst.is_warp_wide()) check_warp_wide(part);
  const LaneMask refused =
      execute(inst, part.pc, reg<Word>(part.id, inst.rs1), reg<Word>(part.id, inst.rs2), reg<Word>(part.id, inst.rs3),
              out.as<Word>(), part.mask, lanes_, part.warp.fcsr.data());
  if (refused != 0)
    fault(part, lowest_lane(refused), ErrorKind::kIllegalInstruction,
          "floating-point instruction with a reserved dynamic rounding mode (frm)");
}

void CoreBackend::compute(const Part& part, LaneArray out) {
  if (wide_) compute_as<std::uint64_t>(part, out);
  else compute_as<std::uint32_t>(part, out);
}

// Where a warp runs in parts that the program does not know, a wrong result would go unnoticed.
void CoreBackend::check_warp_wide(const Part& part) const {
  if (lanes_ < kWarpWide) fault(part, lowest_lane(part.mask), ErrorKind::kUnsupported, narrow_warp(lanes_));
  switch (warp_parts()) {
    case WarpParts::kByBranches: return;
    case WarpParts::kByHardware:
      if (unit().together(part.id, part.mask, part.warp.live)) return;
      fault(part, lowest_lane(part.mask), ErrorKind::kUnsupported,
            fmt::format("warp-wide operation (shuffle, vote) by {} of the warp's {} threads: with mechanism {} a part "
                        "of a warp may run "
                        "ahead of the others where the program has them together; use spe or dpe",
                        popcount(part.mask), popcount(part.warp.live), config_.mechanism));
    case WarpParts::kFormed:
      fault(part, lowest_lane(part.mask), ErrorKind::kUnsupported,
            fmt::format("warp-wide operation (shuffle, vote): mechanism {} has no warps that a program could know; use "
                        "spe or dpe",
                        config_.mechanism));
  }
}

// For a mechanism whose threads do not wait there. In front of a barrier of the block nobody needs to: they wait behind
// it.
void CoreBackend::check_warpsync(const Part& part) const {
  if (instruction_at(part.pc + 4).barrier) return;
  for_each_lane(part.mask, [&](unsigned lane) {
    const LaneMask named = sync_mask(value(part.id, part.inst.rs1, lane), wide_);
    const LaneMask apart = named & part.warp.live & ~part.mask;
    if (apart == 0) return;
    fault(part, lane, ErrorKind::kUnsupported,
          fmt::format("warpsync of threads 0x{:x}: threads 0x{:x} of them are elsewhere, and with mechanism {} nobody "
                      "waits for them; use cbar",
                      named & part.warp.context.lanes_used, apart, config_.mechanism));
  });
}

template <typename Word>
LaneMask CoreBackend::branch_taken_as(const Part& part) const {
  const Instruction& inst = part.inst;
  return branch_taken(inst, reg<Word>(part.id, inst.rs1), reg<Word>(part.id, inst.rs2), lanes_) & part.mask;
}

LaneMask CoreBackend::branch_taken_lanes(const Part& part, Pc target) const {
  const LaneMask taken = wide_ ? branch_taken_as<std::uint64_t>(part) : branch_taken_as<std::uint32_t>(part);
  if (taken != 0 && (target & 3u) != 0)
    fault(part, lowest_lane(taken), ErrorKind::kMisalignedAddress,
          fmt::format("branch to misaligned address 0x{:08x}", target));
  return taken;
}

// rs1 + imm, cut to a register's width.
std::uint64_t CoreBackend::base_plus_offset(const Part& part, unsigned lane) const {
  const std::uint64_t sum = value(part.id, part.inst.rs1, lane) + static_cast<std::uint64_t>(part.inst.imm);
  return wide_ ? sum : static_cast<std::uint32_t>(sum);
}

std::uint64_t CoreBackend::jalr_target(const Part& part, unsigned lane) const {
  return base_plus_offset(part, lane) & ~std::uint64_t{1};
}

Pc CoreBackend::jump_target(const Part& part, unsigned lane) const {
  const Instruction& inst = part.inst;
  const std::uint64_t target =
      inst.op == Op::kJalr ? jalr_target(part, lane) : std::uint64_t{part.pc + static_cast<Pc>(inst.imm)};
  if ((target & 3u) != 0)
    fault(part, lane, ErrorKind::kMisalignedAddress, fmt::format("jump to misaligned address 0x{:08x}", target));
  if (target == 0)
    fault(part, lane, ErrorKind::kInvalidPc,
          "jump to address 0 (a call through a null pointer, or a return address that was lost)");
  if (target > ~Pc{0})
    fault(part, lane, ErrorKind::kInvalidPc,
          fmt::format("jump to address 0x{:x}: code has addresses of 32 bits", target));
  return static_cast<Pc>(target);
}

LaneMask CoreBackend::jumping_to(const Part& part, Pc target) const {
  if (part.inst.op != Op::kJalr) return part.mask;
  LaneMask going = 0;
  for_each_lane(part.mask, [&](unsigned lane) { going |= LaneMask{jalr_target(part, lane) == target} << lane; });
  return going;
}

template <typename Word>
CoreBackend::EcallResult CoreBackend::environment_call_as(const Part& part, LaneArray out) {
  const Word* number = reg<Word>(part.id, kA7);
  EcallResult result;
  for_each_lane(part.mask, [&](unsigned lane) {
    const LaneMask bit = LaneMask{1} << lane;
    if (number[lane] == kEcallExit || number[lane] == kEcallExitGroup) {
      result.exited |= bit;
      count_failure(part, lane);
    } else if (number[lane] == kEcallWrite) {
      const auto descriptor = static_cast<std::uint32_t>(reg<Word>(part.id, kA0)[lane]);
      const Word bytes = reg<Word>(part.id, kA2)[lane];
      if (descriptor != 1 && descriptor != 2) {
        fault(part, lane, ErrorKind::kIllegalInstruction,
              fmt::format("write call to file descriptor {}: only 1 and 2 exist", descriptor));
      }
      std::string text;
      const WarpMemoryResult read =
          read_text(*space_, reg<Word>(part.id, kA1)[lane], bytes, {part.warp.block, part.id, lane}, text);
      if (read.fault != Fault::kNone) {
        fault(part, lane, kind_of(read.fault),
              fmt::format("write call: byte at address 0x{:08x}: {}", read.address,
                          fault_text(read.fault, read.address, 1, *space_, launch_)));
      }
      *text_ << text;
      result.written |= bit;
      out.as<Word>()[lane] = bytes;
    } else if (number[lane] == kEcallPrint) {
      result.written |= bit;
      out.as<Word>()[lane] = static_cast<Word>(print(part, lane));
    } else {
      fault(part, lane, ErrorKind::kIllegalInstruction,
            fmt::format("environment call {}: only {} (write), {} (exit) and {} (print) exist", number[lane],
                        kEcallWrite, kEcallExit, kEcallPrint));
    }
  });
  return result;
}

CoreBackend::EcallResult CoreBackend::environment_call(const Part& part, LaneArray out) {
  return wide_ ? environment_call_as<std::uint64_t>(part, out) : environment_call_as<std::uint32_t>(part, out);
}

std::int32_t CoreBackend::print(const Part& part, unsigned lane) {
  PrintCall call;
  call.format = value(part.id, kA0, lane);
  call.arguments = value(part.id, kA1, lane);
  call.eight = static_cast<std::uint32_t>(value(part.id, kA2, lane));
  call.slot_bytes = wide_ ? 8 : 4;
  std::string text;
  const PrintResult result = print_text(*space_, {part.warp.block, part.id, lane}, call, text);
  if (result.failed()) fault(part, lane, ErrorKind::kIllegalAddress, fault_text(result, *space_, launch_));
  *text_ << text;
  return static_cast<std::uint32_t>(result.arguments);
}

// Of a thread that ends: its status is an int.
void CoreBackend::count_failure(const Part& part, unsigned lane) {
  const auto status = static_cast<std::uint32_t>(value(part.id, kA0, lane));
  if (status == 0 || stats_.exits.failed++ != 0) return;
  const WarpContext& c = part.warp.context;
  stats_.exits.first = {status,
                        {c.block_index.x, c.block_index.y, c.block_index.z},
                        {c.thread_x[lane], c.thread_y[lane], c.thread_z[lane]},
                        part.pc,
                        now_};
}

template <typename Word>
void CoreBackend::control_register_as(const Part& part, std::uint64_t instret, LaneArray out) {
  const Instruction& inst = part.inst;
  const LaneMask refused = execute_csr(inst, part.warp.context, now_, instret, reg<Word>(part.id, inst.rs1),
                                       out.as<Word>(), part.mask, lanes_, part.warp.fcsr.data());
  if (refused != 0) {
    fault(part, lowest_lane(refused), ErrorKind::kIllegalInstruction,
          fmt::format("control and status register 0x{:03x} does not exist or is read-only",
                      static_cast<unsigned>(inst.imm) & 0xFFFu));
  }
}

void CoreBackend::control_register(const Part& part, std::uint64_t instret, LaneArray out) {
  if (wide_) control_register_as<std::uint64_t>(part, instret, out);
  else control_register_as<std::uint32_t>(part, instret, out);
}

template <typename Word>
void CoreBackend::access_memory_as(const Part& part, LaneArray out, Address* address) {
  const Instruction& inst = part.inst;
  const WarpMemoryResult result = execute_memory(*space_, inst, reg<Word>(part.id, inst.rs1),
                                                 reg<Word>(part.id, inst.rs2), reg<Word>(part.id, inst.rs3),
                                                 out.as<Word>(), address, part.mask, lanes_, part.warp.block, part.id);
  if (result.fault != Fault::kNone) {
    fault(part, result.lane, kind_of(result.fault),
          fmt::format("{} of {} bytes at address 0x{:08x}: {}",
                      inst.is_store()  ? "store"
                      : inst.is_load() ? "load"
                                       : "atomic access",
                      access_bytes(inst.op), result.address,
                      fault_text(result.fault, result.address, access_bytes(inst.op), *space_, launch_)));
  }
}

void CoreBackend::access_memory(const Part& part, LaneArray out, Address* address) {
  if (wide_) access_memory_as<std::uint64_t>(part, out, address);
  else access_memory_as<std::uint32_t>(part, out, address);
}

bool CoreBackend::needs_alone(WarpId id, LaneMask mask, const Instruction& inst) const {
  if (!inst.is_atomic()) return false;
  if (narrow(inst.op) == Op::kLr || narrow(inst.op) == Op::kSc) return true;
  for (; mask != 0; mask &= mask - 1) {
    if (space_of(value(id, inst.rs1, lowest_lane(mask))) == Space::kGlobal) return true;
  }
  return false;
}

bool CoreBackend::stores_change_memory(const Part& part) const {
  const Instruction& inst = part.inst;
  const Op op = narrow(inst.op);
  if (inst.is_load() || op == Op::kLr) return false;
  const unsigned bytes = access_bytes(inst.op);
  const std::uint64_t keep = bytes == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << (8 * bytes)) - 1;
  bool changed = false;
  for_each_lane(part.mask, [&](unsigned lane) {
    std::uint64_t old = 0;
    if (!in_memory(base_plus_offset(part, lane), bytes, {part.warp.block, part.id, lane}, old)) return;
    const std::uint64_t operand = value(part.id, inst.rs2, lane);
    std::uint64_t now = operand;
    if (op == Op::kAmocas) {
      now = ((old ^ value(part.id, inst.rs3, lane)) & keep) == 0 ? operand : old;
    } else if (inst.is_atomic() && op != Op::kSc) {
      now = bytes == 8 ? amo_result(inst.op, old, operand)
                       : amo_result(inst.op, static_cast<std::uint32_t>(old), static_cast<std::uint32_t>(operand));
    }
    changed = changed || ((old ^ now) & keep) != 0;
  });
  return changed;
}

// What a thread would load there; false if it is a fault, which is reported when it is executed.
bool CoreBackend::in_memory(Address address, unsigned bytes, const Accessor& who, std::uint64_t& value) const {
  if ((address & (bytes - 1)) != 0) return false;
  value = 0;
  for (unsigned from = 0; from < bytes; from += 4) {  // of a doubleword in local memory the words are apart
    const unsigned of_word = std::min(bytes, 4u);
    const std::uint8_t* host = space_->translate<false>(address + from, of_word, who);
    if (host == nullptr) return false;
    std::uint32_t word = 0;
    std::memcpy(&word, host, of_word);
    value |= std::uint64_t{word} << (8 * from);
  }
  return true;
}

void CoreBackend::illegal(const Part& part) const {
  fault(part, lowest_lane(part.mask), ErrorKind::kIllegalInstruction,
        launch_.program->at(part.pc) == nullptr ? "instruction fetch outside the program's code"
        : part.inst.op == Op::kEbreak           ? "ebreak"
                                      : fmt::format("illegal or unsupported instruction 0x{:08x}", part.inst.word));
}

void CoreBackend::commit(const Part& part, LaneMask mask, LaneArray result, const Address* address, LaneMask taken,
                         Pc target, LaneMask exited) {
  if (observer_ == nullptr) return;
  CommitEvent event;
  event.cycle = now_;
  event.warp = part.id;
  event.slot = part.slot;
  event.pc = part.pc;
  event.mask = mask;
  event.instruction = &part.inst;
  event.result = wide_ ? LaneView(result.as<std::uint64_t>()) : LaneView(result.as<std::uint32_t>());
  event.address = address;
  event.taken = taken;
  event.target = target;
  event.exited = exited;
  observer_->commit(event);
}

void CoreBackend::count_branch(const Instruction& inst, Pc pc, bool divergent, Pc target, Pc next) {
  if (!inst.is_branch() && inst.op != Op::kJalr) return;
  BranchStats& branch = branches_[static_instruction(pc).branch];
  ++branch.executed;
  if (!divergent) return;
  const bool interleavable = target != inst.rpc && next != inst.rpc;
  ++branch.divergent;
  ++stats_.divergent_branches;
  branch.interleavable += interleavable ? 1 : 0;
  stats_.interleavable_branches += interleavable ? 1 : 0;
}

void CoreBackend::count_predicated(Pc pc) {
  ++branches_[static_instruction(pc).branch].predicated;
  ++stats_.predicated_branches;
}

// -----------------------------------------------------------------------------------------------------------------
// checks

void CoreBackend::watch_progress() {
  const Cycle limit = config_.run.watchdog;
  if (const Cycle waited = now_ - last_issue_; waited >= limit) {
    // Slow is not stuck: what is in flight comes back, unless it is lost.
    const bool pending = in_flight();
    if (pending && waited < limit + kSlowest) last_pending_ = now_;
    if (now_ - last_pending_ < limit) return;
    name_what_waits();
    stop("watchdog", fmt::format("watchdog: no instruction issued for {} cycles (run.watchdog) in kernel {} at cycle "
                                 "{}: {}; see the state of "
                                 "every warp",
                                 waited, launch_.kernel, now_,
                                 pending ? "what is in flight does not come back" : "the warps wait for each other"));
  }
  if (!watch_.open) {
    if (now_ - watch_.since < limit) return;
    watch_.open = true;
    watch_.since = now_;
    reset_recurrence();
    return;
  }
  if (now_ - watch_.since < LivelockWatch::kWindow) return;
  if (!only_recurrence()) {
    watch_.progress(now_);
  } else if (!one_of_several_) {
    stop_livelock(livelock_text());
  } else {  // perhaps another SM does what this one waits for
    watch_.stuck = true;
    watch_.stuck_from = watch_.since;
    watch_.since = now_;
    who_repeats_ = livelock_text();
    reset_recurrence();
  }
}

void CoreBackend::stop_livelock(const std::string& who) const {
  stop("watchdog",
       fmt::format(
           "watchdog: livelock in kernel {} at cycle {}: for {} cycles no thread ended and {} (a lock between threads "
           "of one warp: let them take it one after another, as docs/cuda.md shows; or an endless loop); see the state "
           "of every warp",
           launch_.kernel, now_, config_.run.watchdog + LivelockWatch::kWindow, who));
}

void CoreBackend::stop_repeating() {
  try {
    stop_livelock(who_repeats_);
  } catch (...) {
    fail(std::current_exception());
  }
}

void CoreBackend::stop(const std::string& code, const std::string& message, ErrorKind kind) const {
  throw machine_stopped(code, message, state_dump(), kind);
}

void CoreBackend::wrong(const std::string& code, const std::string& message) const {
  throw Error(ExitStatus::kWrongResult, code, message, state_dump());
}

void CoreBackend::fault(const Part& part, unsigned lane, ErrorKind kind, const std::string& what) const {
  if (observer_ != nullptr) observer_->stopping(now_, part.id, part.pc, part.mask, static_cast<int>(lane));
  stop("fault",
       fmt::format("{} in kernel {}: {} at {} `{}`", what, launch_.kernel, thread_name(part.id, lane),
                   launch_.program->where(part.pc), launch_.program->disassemble(part.pc)),
       kind);
}

void CoreBackend::stack_overflow(WarpId id, Pc pc) const {
  stop("overflow",
       fmt::format(
           "reconvergence stack overflow in kernel {}: {} diverges at {} `{}` and all {} entries are in use: raise "
           "stack.depth (--set stack.depth={})",
           launch_.kernel, warp_name(id), launch_.program->where(pc), launch_.program->disassemble(pc),
           config_.stack.depth, std::min(2 * config_.stack.depth, 64u)));
}

void CoreBackend::divergent_barrier(const Part& part, LaneMask others, Pc other) const {
  if (observer_ != nullptr) observer_->stopping(now_, part.id, part.pc, part.mask, -1);
  stop("barrier", fmt::format("barrier in divergent code in kernel {}: {} reaches it at {} with threads 0x{:x} while "
                              "threads 0x{:x} are at {}: "
                              "move __syncthreads() out of the branch",
                              launch_.kernel, warp_name(part.id), launch_.program->where(part.pc), part.mask, others,
                              launch_.program->where(other)));
}

std::string CoreBackend::warp_name(WarpId id) const {
  const WarpContext& context = resident(id).context;
  return fmt::format("warp {} (block {}, warp {} of it)", id, to_string(context.block_index), context.warp_in_block);
}

std::string CoreBackend::thread_name(WarpId id, unsigned lane) const {
  const WarpContext& c = resident(id).context;
  return fmt::format("thread ({},{},{}) of block {} (warp {}, lane {})", c.thread_x[lane], c.thread_y[lane],
                     c.thread_z[lane], to_string(c.block_index), id, lane);
}

Stats CoreBackend::take_stats() {
  for (const BranchStats& branch : branches_) {
    if (branch.executed != 0) stats_.branches.push_back(branch);
  }
  for (std::size_t i = 1; i < helpers_.size(); ++i) {
    if (helpers_[i].thread_instructions != 0) stats_.helpers.push_back(helpers_[i]);
  }
  lsu_->add_to(stats_);
  return stats_;
}

}  // namespace heddle
