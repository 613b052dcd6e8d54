// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.h"

#include <array>

#include "heddle/error.h"
#include "memory/fault_text.h"
#include "oracle/thread_execute.h"

namespace heddle {
namespace {

std::string register_name(RegId reg) { return (reg < 32 ? "x" : "f") + std::to_string(reg % 32); }

const char* describe(StepEvent event) {
  switch (event) {
    case StepEvent::kFault: return "faults";
    case StepEvent::kIllegal: return "finds no legal instruction";
    case StepEvent::kBreak: return "meets ebreak";
    case StepEvent::kMisaligned: return "jumps to a misaligned address";
    case StepEvent::kNullJump: return "jumps to address 0";
    case StepEvent::kFarJump: return "jumps to an address of more than 32 bits";
    case StepEvent::kUnknownCall: return "finds no such environment call";
    case StepEvent::kNone:
    case StepEvent::kText:
    case StepEvent::kPrint:
    case StepEvent::kWarpWide:
    case StepEvent::kBarrier:
    case StepEvent::kExit: break;
  }
  return "goes on";
}

Error wrong(const std::string& message) { return Error(ExitStatus::kWrongResult, "oracle", message); }

// As the core names it, too.
template <typename Word>
std::string name_of(const BasicThreadOracle<Word>& thread, WarpId warp, unsigned lane) {
  return "thread " + to_string(thread.thread_index()) + " of block " + to_string(thread.block_index()) + " (warp " +
         std::to_string(warp) + ", lane " + std::to_string(lane) + ")";
}

}  // namespace

Oracle::Oracle(const Config& config) : config_(config), memory_(config), block_in_slot_(config.core.max_blocks) {}

template <typename Word>
void Oracle::make_warps() {
  if (!warps<Word>().empty()) return;
  warps<Word>().resize(config_.core.warps);
  for (Warp<Word>& warp : warps<Word>()) {
    warp.threads.resize(config_.core.lanes);
    warp.registers.resize(std::size_t{kNumRegs} * config_.core.lanes);
  }
}

void Oracle::launch_begin(const Launch& launch, const AddressSpace& memory) {
  memory_.copy_global(memory);
  launch_ = launch;
  wide_ = launch.program->xlen == Xlen::k64;
  if (wide_) make_warps<std::uint64_t>();
  else make_warps<std::uint32_t>();
  initial_ = initial_registers(launch, config_);
  threads_left_ = launch.blocks() * launch.threads_per_block();
}

void Oracle::block_begin(Cycle, unsigned block_slot, std::uint64_t block) {
  block_in_slot_[block_slot] = block;
  memory_.begin_block(block_slot, launch_.shared_bytes());
}

void Oracle::warp_begin(Cycle, WarpId id, unsigned block_slot, std::uint32_t warp_in_block, LaneMask threads) {
  if (wide_) begin(wide_warps_[id], id, block_slot, warp_in_block, threads);
  else begin(warps_[id], id, block_slot, warp_in_block, threads);
}

template <typename Word>
void Oracle::begin(Warp<Word>& warp, WarpId id, unsigned block_slot, std::uint32_t warp_in_block, LaneMask threads) {
  warp.live = threads;
  memory_.begin_warp(id);
  for (LaneMask rest = threads; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    warp.threads[lane].start(launch_, initial_, block_in_slot_[block_slot], warp_in_block * config_.core.lanes + lane,
                             config_.core.lanes, {block_slot, id, lane}, warp.registers.data() + lane,
                             config_.core.lanes);
  }
}

inline Pc Oracle::next_pc(const CommitEvent& event, unsigned lane) {
  return (event.taken >> lane & 1) != 0 ? event.target : event.pc + 4;
}

template <typename Word>
__attribute__((always_inline)) inline bool Oracle::agrees(const CommitEvent& event, unsigned lane,
                                                          const BasicThreadOracle<Word>& thread, const Step& step) {
  const bool exited = (event.exited >> lane & 1) != 0;
  if (exited != thread.exited() || step.event >= StepEvent::kFault) return false;
  const Word* result = event.result.as<Word>();
  if (step.rd != 0 && (result == nullptr || (result[lane] != thread.reg(step.rd) && !step.counter))) return false;
  if (step.memory && (event.address == nullptr || event.address[lane] != step.address)) return false;
  return exited || next_pc(event, lane) == thread.pc();
}

template <typename Word, typename StepOf>
inline void Oracle::check_lanes(const CommitEvent& event, Warp<Word>& warp, StepOf step_of) {
  for (LaneMask rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctzll(rest));
    BasicThreadOracle<Word>& thread = warp.threads[lane];
    const Pc pc = thread.pc();
    if (pc != event.pc) explain(event, lane, thread, pc, {});
    const Step step = step_of(thread);
    if (!agrees(event, lane, thread, step)) explain(event, lane, thread, pc, step);
    if (step.counter && step.rd != 0) thread.set_reg(step.rd, event.result.as<Word>()[lane]);
  }
}

// What the threads of the event have in the reference decides, as they were before any of them goes on.
template <typename Word>
void Oracle::check_warp_wide(const CommitEvent& event, Warp<Word>& warp, const Instruction& instruction) {
  std::array<Word, kMaxLanes> before{};
  LaneMask votes = 0;
  for (unsigned lane = 0; lane < config_.core.lanes; ++lane) {
    if ((event.mask >> lane & 1) == 0) continue;
    before[lane] = warp.threads[lane].reg(instruction.rs1);
    if (before[lane] != 0) votes |= LaneMask{1} << lane;
  }
  check_lanes(event, warp, [&](BasicThreadOracle<Word>& thread) {
    const unsigned lane = thread.place().lane, group = lane / kWarpWide * kWarpWide;
    if (instruction.op == Op::kBallot) {
      const std::uint64_t word = votes >> group & 0xFFFFFFFFu;
      return thread.finish_warp_wide(instruction.rd, static_cast<Word>((word ^ 0x80000000u) - 0x80000000u));
    }
    const unsigned source = group + static_cast<unsigned>(thread.reg(instruction.rs2) % kWarpWide);
    const bool there = (event.mask >> source & 1) != 0;
    return thread.finish_warp_wide(instruction.rd, before[there ? source : lane]);
  });
}

void Oracle::commit(const CommitEvent& event) {
  if (wide_) check(event, wide_warps_[event.warp]);
  else check(event, warps_[event.warp]);
}

template <typename Word>
void Oracle::check(const CommitEvent& event, Warp<Word>& warp) {
  using Thread = BasicThreadOracle<Word>;
  if ((event.mask & ~warp.live) != 0) dead_thread(event, warp.live);
  const Instruction* instruction = launch_.program->at(event.pc);
  const Instruction nothing;
  if (instruction == nullptr) instruction = &nothing;
  if (instruction->is_warp_wide()) {
    check_warp_wide(event, warp, *instruction);
  } else {
    with_constant(instruction->op, [&](auto op) {
      check_lanes(event, warp, [&](Thread& thread) { return thread.step(op, *instruction, memory_); });
    });
  }
  checked_ += popcount(event.mask);
  if (event.exited != 0) {
    warp.live &= ~event.exited;
    threads_left_ -= popcount(event.exited);
  }
}

void Oracle::stopping(Cycle cycle, WarpId id, Pc pc, LaneMask mask, int lane) {
  CommitEvent event;
  event.cycle = cycle;
  event.warp = id;
  event.pc = pc;
  event.mask = mask;
  event.instruction = launch_.program->at(pc);
  if (wide_) check_stop(event, wide_warps_[id], lane);
  else check_stop(event, warps_[id], lane);
}

template <typename Word>
void Oracle::check_stop(const CommitEvent& event, Warp<Word>& warp, int lane) {
  if ((event.mask & ~warp.live) != 0) dead_thread(event, warp.live);
  for (LaneMask rest = event.mask; rest != 0; rest &= rest - 1) {
    const auto at = static_cast<unsigned>(__builtin_ctzll(rest));
    if (warp.threads[at].pc() != event.pc) explain(event, at, warp.threads[at], warp.threads[at].pc(), {});
  }
  if (lane < 0 || event.instruction == nullptr) return;
  BasicThreadOracle<Word>& thread = warp.threads[static_cast<unsigned>(lane)];
  const Step step = thread.step(*event.instruction, memory_);
  // The reference leaves the text of a write or print call, and what needs the whole warp, to others.
  if (step.event >= StepEvent::kFault || step.event == StepEvent::kText || step.event == StepEvent::kPrint ||
      step.event == StepEvent::kWarpWide || event.instruction->op == Op::kWarpsync)
    return;
  throw wrong(name_of(thread, event.warp, static_cast<unsigned>(lane)) + " in cycle " + std::to_string(event.cycle) +
              " at pc " + hex(event.pc) + " " + launch_.program->where(event.pc) + ": `" +
              launch_.program->disassemble(event.pc) + "`: the machine cannot execute it, the reference can");
}

// The first thing that differs; same conditions as agrees(), in words.
template <typename Word>
void Oracle::explain(const CommitEvent& event, unsigned lane, const BasicThreadOracle<Word>& thread, Pc pc,
                     const Step& step) const {
  const bool exited = (event.exited >> lane & 1) != 0;
  std::string what;
  if (pc != event.pc) {
    what = "the reference is at " + hex(pc) + " (" + launch_.program->where(pc) + ")";
  } else if (step.event >= StepEvent::kFault) {
    what = std::string("the machine executes it, the reference ") + describe(step.event);
  } else if (exited != thread.exited()) {
    what = exited ? "the thread ends, in the reference it lives on" : "the thread lives on, in the reference it ends";
  } else if (step.memory && (event.address == nullptr || event.address[lane] != step.address)) {
    what = "address is " + (event.address == nullptr ? std::string("absent") : hex(event.address[lane])) +
           ", reference says " + hex(step.address);
  } else if (step.rd != 0 && !event.result) {
    what = "no register is written, reference writes " + register_name(step.rd);
  } else if (step.rd != 0 && event.result[lane] != thread.reg(step.rd) && !step.counter) {
    what = register_name(step.rd) + " is " + hex(event.result[lane]) + ", reference says " + hex(thread.reg(step.rd));
  } else {
    what = "next PC is " + hex(next_pc(event, lane)) + ", reference says " + hex(thread.pc());
  }
  throw wrong(name_of(thread, event.warp, static_cast<unsigned>(lane)) + " in cycle " + std::to_string(event.cycle) +
              " at pc " + hex(event.pc) + " " + launch_.program->where(event.pc) + ": `" +
              launch_.program->disassemble(event.pc) + "`: " + what);
}

void Oracle::dead_thread(const CommitEvent& event, LaneMask live) const {
  throw wrong("warp " + std::to_string(event.warp) + ", lane " + std::to_string(__builtin_ctzll(event.mask & ~live)) +
              " executes " + launch_.program->where(event.pc) + " `" + launch_.program->disassemble(event.pc) +
              "` in cycle " + std::to_string(event.cycle) + ", but no thread lives there");
}

void Oracle::warp_end(Cycle cycle, WarpId id) {
  if (wide_) check_end(cycle, id, wide_warps_[id]);
  else check_end(cycle, id, warps_[id]);
}

template <typename Word>
void Oracle::check_end(Cycle cycle, WarpId id, const Warp<Word>& warp) const {
  if (warp.live == 0) return;
  const unsigned lane = static_cast<unsigned>(__builtin_ctzll(warp.live));
  const BasicThreadOracle<Word>& thread = warp.threads[lane];
  throw wrong(name_of(thread, id, lane) + ": its warp ends in cycle " + std::to_string(cycle) +
              ", the reference is at " + hex(thread.pc()) + " " + launch_.program->where(thread.pc()));
}

void Oracle::launch_end(Cycle, const AddressSpace& memory) {
  if (threads_left_ != 0)
    throw wrong("kernel " + launch_.kernel + " ended, but " + std::to_string(threads_left_) + " threads have not");
  Address address = 0;
  if (memory_.first_difference(memory, address)) {
    std::uint8_t reference = 0, machine = 0;
    memory_.read(address, &reference, 1);
    memory.read(address, &machine, 1);
    throw wrong("after kernel " + launch_.kernel + " memory at " + hex(address) + " holds byte " +
                std::to_string(machine) + ", reference says " + std::to_string(reference));
  }
}

}  // namespace heddle
