// SPDX-License-Identifier: Apache-2.0
#include "oracle/functional.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heddle/error.h"
#include "memory/fault_text.h"
#include "memory/print_call.h"
#include "memory/warp_memory.h"
#include "oracle/thread_execute.h"
#include "program/loader.h"

namespace heddle {
namespace {

constexpr unsigned kTurn = 4096;     // instructions of a warp before the next one has its turn
constexpr unsigned kLateTurn = 512;  // of those of its threads that are furthest behind
constexpr unsigned kPatience = 64;   // turns of a block before one more joins it, for which it may wait

// f(lane) for each of them, in order.
template <typename F>
inline void for_each(LaneMask threads, F f) {
  for (; threads != 0; threads &= threads - 1) f(static_cast<unsigned>(__builtin_ctzll(threads)));
}
unsigned first_of(LaneMask threads) { return static_cast<unsigned>(__builtin_ctzll(threads)); }

void print_to_host(unsigned descriptor, const std::string& text) {
  std::FILE* stream = descriptor == 2 ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), stream);
}

}  // namespace

FunctionalRunner::FunctionalRunner(const Config& config, AddressSpace& memory)
    : config_(config),
      memory_(memory),
      text_sink_(print_to_host) {}

void FunctionalRunner::run(const Launch& launch) {
  launch_ = &launch;
  program_ = launch.program;
  kernel_ = launch.kernel;
  initial_ = initial_registers(launch, config_);
  memory_.set_stack(launch.arguments.stack);
  exits_ = {};
  limit_ = config_.run.max_cycles == 0 ? ~std::uint64_t{0} : instructions_ + config_.run.max_cycles;
  if (tracer_ != nullptr) tracer_->launch_begin(launch);
  if (program_->xlen == Xlen::k64) run_blocks(wide_);
  else run_blocks(narrow_);
  if (tracer_ != nullptr) tracer_->launch_end();
}

template <typename Word>
void FunctionalRunner::run_blocks(std::vector<Block<Word>>& slots) {
  const std::uint64_t all = launch_->blocks();
  const std::uint64_t most = resident_blocks(launch_->threads_per_block(), launch_->shared_bytes(), config_);
  slots.resize(std::max<std::size_t>(slots.size(), std::min(all, most)));
  std::vector<unsigned> active, free;
  for (auto slot = static_cast<unsigned>(std::min(all, most)); slot != 0; --slot) free.push_back(slot - 1);
  std::uint64_t next = 0;
  unsigned turns = 0;  // since a block began
  while (next < all || !active.empty()) {
    while (next < all && !free.empty() && (active.empty() || launch_->cooperative || turns == kPatience)) {
      active.push_back(free.back());
      free.pop_back();
      begin_block(slots[active.back()], next++, active.back());
      turns = 0;
    }
    turns = std::min(turns + 1, kPatience);
    const auto stay =
        std::stable_partition(active.begin(), active.end(), [&](unsigned slot) { return run_turns(slots[slot]); });
    free.insert(free.end(), stay, active.end());
    active.erase(stay, active.end());
  }
}

template <typename Word>
void FunctionalRunner::begin_block(Block<Word>& block, std::uint64_t number, unsigned slot) {
  const Launch& launch = *launch_;
  const unsigned lanes = config_.core.lanes, warps = launch.warps_per_block(lanes);
  block.number = number;
  memory_.begin_block(slot, launch.shared_bytes());
  block.warps.resize(warps);
  for (unsigned w = 0; w < warps; ++w) {
    Warp<Word>& warp = block.warps[w];
    const unsigned warp_slot = slot * warps + w;
    memory_.begin_warp(warp_slot);
    warp.first = w * lanes;
    warp.threads.resize(lanes);
    warp.registers.resize(std::size_t{kNumRegs} * lanes);
    warp.traced = warp.at_barrier = warp.at_warp_wide = 0;
    warp.running = {};
    warp.apart = false;
    const LaneMask threads = lane_mask(std::min(lanes, launch.threads_per_block() - warp.first));
    for_each(threads, [&](unsigned lane) {
      warp.threads[lane].start(launch, initial_, number, warp.first + lane, lanes, {slot, warp_slot, lane},
                               &warp.registers[lane], lanes);
      if (tracer_ != nullptr && tracer_->wants(number, warp.first + lane)) warp.traced |= LaneMask{1} << lane;
    });
    warp.running.add({launch.entry, threads});
  }
}

template <typename Word>
bool FunctionalRunner::run_turns(Block<Word>& block) {
  block_ = block.number;
  bool run = false;
  for (Warp<Word>& warp : block.warps) {
    if (!warp.running.empty()) run_turn(warp);
    run |= !warp.running.empty();
  }
  if (run) return true;
  for (Warp<Word>& warp : block.warps) {
    for_each(warp.at_barrier, [&](unsigned lane) { warp.running.add({warp.threads[lane].pc(), LaneMask{1} << lane}); });
    warp.at_barrier = 0;
    run |= !warp.running.empty();
  }
  return run;
}

template <typename Word>
void FunctionalRunner::run_turn(Warp<Word>& warp) {
  if (instructions_ >= limit_) {
    throw machine_stopped("max_cycles",
                          "kernel " + kernel_ + " has executed " + std::to_string(config_.run.max_cycles) +
                              " instructions and has not ended: raise run.max_cycles if it is not an endless loop");
  }
  if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) {
    throw machine_stopped("interrupted", "kernel " + kernel_ + " was stopped from outside after " +
                                             std::to_string(instructions_) + " thread instructions");
  }
  const bool late = warp.apart;  // the turn of those furthest behind
  const auto behind = [&](const Group& a, const Group& b) {
    return warp.threads[first_of(a.threads)].steps() < warp.threads[first_of(b.threads)].steps();
  };
  Group group = late ? warp.running.take_least(behind) : warp.running.take_lowest();
  for (unsigned turn = late ? kLateTurn : kTurn; turn != 0; --turn) {
    step(warp, group);
    if (group.threads == 0) {
      if (warp.running.empty()) run_warp_wide(warp);
      if (warp.running.empty()) break;
      group = warp.running.take_lowest();
    } else if (!late && !warp.running.empty() && warp.running.lowest_pc() <= group.pc) {
      warp.running.add(group);
      group = warp.running.take_lowest();
    }
  }
  warp.apart = !late && group.threads != 0 && !warp.running.empty();
  if (group.threads != 0) warp.running.add(group);
}

template <typename Word>
void FunctionalRunner::step(Warp<Word>& warp, Group& group) {
  static const Instruction kNone;
  const Instruction* const found = program_->at(group.pc);
  const Instruction& instruction = found != nullptr ? *found : kNone;
  if ((group.threads & warp.traced) != 0 && found != nullptr) {
    for_each(group.threads & warp.traced,
             [&](unsigned lane) { tracer_->executed(block_, warp.first + lane, group.pc); });
  }
  instructions_ += popcount(group.threads);
  with_constant(instruction.op, [&](auto op) {
    for_each(group.threads, [&](unsigned lane) {
      const Step step = warp.threads[lane].step(op, instruction, memory_);
      if (step.event != StepEvent::kNone && !goes_on(warp, lane, step)) group.threads &= ~(LaneMask{1} << lane);
    });
  });
  if (instruction.is_branch() || instruction.is_jump()) part(warp, group);
  else group.pc += 4;
}

template <typename Word>
void FunctionalRunner::part(Warp<Word>& warp, Group& group) {
  while (true) {
    group.pc = warp.threads[first_of(group.threads)].pc();
    LaneMask elsewhere = 0;
    for_each(group.threads, [&](unsigned lane) { elsewhere |= LaneMask{warp.threads[lane].pc() != group.pc} << lane; });
    if (elsewhere == 0) return;
    warp.running.add({group.pc, group.threads & ~elsewhere});
    group.threads = elsewhere;
  }
}

template <typename Word>
void FunctionalRunner::run_warp_wide(Warp<Word>& warp) {
  if (warp.at_warp_wide == 0) return;
  Pc pc = ~Pc{0};
  for_each(warp.at_warp_wide, [&](unsigned lane) { pc = std::min(pc, warp.threads[lane].pc()); });
  const Instruction& instruction = *program_->at(pc);
  std::array<Word, kMaxLanes> before{};
  LaneMask mask = 0, votes = 0;
  for_each(warp.at_warp_wide, [&](unsigned lane) {
    if (warp.threads[lane].pc() != pc) return;
    before[lane] = warp.threads[lane].reg(instruction.rs1);
    mask |= LaneMask{1} << lane;
    if (before[lane] != 0) votes |= LaneMask{1} << lane;
  });
  if (config_.core.lanes < kWarpWide)
    stop(warp.threads[first_of(mask)], pc, ErrorKind::kUnsupported, narrow_warp(config_.core.lanes));
  for_each(mask, [&](unsigned lane) {
    BasicThreadOracle<Word>& thread = warp.threads[lane];
    const unsigned group = lane / kWarpWide * kWarpWide;
    const unsigned source = group + thread.reg(instruction.rs2) % kWarpWide;
    static_cast<void>(thread.finish_warp_wide(
        instruction.rd, instruction.op == Op::kBallot ? static_cast<Word>(static_cast<std::int32_t>(votes >> group))
                                                      : before[(mask >> source & 1) != 0 ? source : lane]));
  });
  warp.at_warp_wide &= ~mask;
  warp.running.add({pc + 4, mask});
}

template <typename Word>
bool FunctionalRunner::goes_on(Warp<Word>& warp, unsigned lane, const Step& step) {
  BasicThreadOracle<Word>& thread = warp.threads[lane];
  const Pc pc = thread.pc();  // of the instruction that could not be executed
  switch (step.event) {
    case StepEvent::kNone: return true;
    case StepEvent::kWarpWide: warp.at_warp_wide |= LaneMask{1} << lane; return false;
    case StepEvent::kBarrier: warp.at_barrier |= LaneMask{1} << lane; return false;
    case StepEvent::kText: write_text(thread, step); return true;
    case StepEvent::kPrint: print(thread, step); return true;
    case StepEvent::kExit:
      if (thread.reg(kA0) != 0) note_exit(thread);
      return false;
    case StepEvent::kFault: {
      const Instruction& instruction = *program_->at(pc);
      stop(thread, pc, kind_of(step.fault),
           std::string(instruction.is_store()  ? "store"
                       : instruction.is_load() ? "load"
                                               : "atomic access") +
               " of " + std::to_string(access_bytes(instruction.op)) + " bytes at address " + hex(step.address) + ": " +
               fault_text(step.fault, step.address, access_bytes(instruction.op), memory_, *launch_));
    }
    case StepEvent::kIllegal:
      stop(thread, pc, ErrorKind::kIllegalInstruction,
           program_->at(pc) == nullptr ? "instruction fetch outside the program's code"
                                       : "illegal or unsupported instruction " + hex(program_->at(pc)->word));
    case StepEvent::kBreak: stop(thread, pc, ErrorKind::kIllegalInstruction, "ebreak");
    case StepEvent::kMisaligned: stop(thread, pc, ErrorKind::kMisalignedAddress, "jump to a misaligned address");
    case StepEvent::kNullJump:
      stop(thread, pc, ErrorKind::kInvalidPc,
           "jump to address 0 (a call through a null pointer, or a return address that was lost)");
    case StepEvent::kFarJump: stop(thread, pc, ErrorKind::kInvalidPc, "jump to an address of more than 32 bits");
    case StepEvent::kUnknownCall:
      stop(thread, pc, ErrorKind::kIllegalInstruction,
           "environment call " + std::to_string(thread.reg(kA7)) + ": only " + std::to_string(kEcallWrite) +
               " (write), " + std::to_string(kEcallExit) + " (exit) and " + std::to_string(kEcallPrint) +
               " (print) exist");
  }
  return true;
}

template <typename Word>
void FunctionalRunner::note_exit(const BasicThreadOracle<Word>& thread) {
  if (++exits_.failed > 1) return;
  const Dim3 &block = thread.block_index(), &index = thread.thread_index();
  exits_.first = {static_cast<std::uint32_t>(thread.reg(kA0)),
                  {block.x, block.y, block.z},
                  {index.x, index.y, index.z},
                  thread.pc() - 4,
                  0};
}

template <typename Word>
void FunctionalRunner::write_text(const BasicThreadOracle<Word>& thread, const Step& step) {
  const Pc pc = thread.pc() - 4;  // the call has been executed
  if (step.descriptor != 1 && step.descriptor != 2)
    stop(thread, pc, ErrorKind::kIllegalInstruction,
         "write call to file descriptor " + std::to_string(step.descriptor) + ": only 1 and 2 exist");
  std::string text;
  const WarpMemoryResult result = read_text(memory_, step.address, thread.reg(kA0), thread.place(), text);
  if (result.fault != Fault::kNone)
    stop(thread, pc, kind_of(result.fault),
         "write call: byte at address " + hex(result.address) + ": " +
             fault_text(result.fault, result.address, 1, memory_, *launch_));
  text_sink_(step.descriptor, text);
}

template <typename Word>
void FunctionalRunner::print(const BasicThreadOracle<Word>& thread, const Step& step) {
  std::string text;
  const PrintCall call{step.address, thread.reg(kA1), static_cast<std::uint32_t>(thread.reg(kA2)), sizeof(Word)};
  const PrintResult result = print_text(memory_, thread.place(), call, text);
  if (result.failed())
    stop(thread, thread.pc() - 4, ErrorKind::kIllegalAddress,
         fault_text(result, memory_, *launch_));  // the call has been executed
  text_sink_(1, text);
}

template <typename Word>
void FunctionalRunner::stop(const BasicThreadOracle<Word>& thread, Pc pc, ErrorKind kind,
                            const std::string& what) const {
  throw machine_stopped("fault",
                        what + " in kernel " + kernel_ + ": thread " + to_string(thread.thread_index()) + " of block " +
                            to_string(thread.block_index()) + " at pc " + hex(pc) + " " + program_->where(pc) + " `" +
                            program_->disassemble(pc) + "`",
                        {}, kind);
}

FunctionalDevice::FunctionalDevice(const Config& config) : config_(config), memory_(config), runner_(config, memory_) {}

void FunctionalDevice::load(Program program) {
  program_ = std::move(program);
  memory_.load(program_);
}

Address FunctionalDevice::allocate(std::uint64_t bytes) { return memory_.allocate(bytes); }
void FunctionalDevice::write(Address destination, const void* source, std::uint64_t bytes) {
  memory_.write(destination, source, bytes);
}
void FunctionalDevice::read(Address source, void* destination, std::uint64_t bytes) {
  memory_.read(source, destination, bytes);
}

void FunctionalDevice::launch(const std::string& kernel, Dim3 grid, Dim3 block,
                              const std::vector<std::uint64_t>& arguments, std::uint32_t float_mask,
                              std::uint32_t dynamic_shared) {
  launch_with(kernel, grid, block,
              word_arguments(arguments, float_mask, program_, find_kernel(program_, kernel), config_), dynamic_shared);
}

void FunctionalDevice::launch_with(const std::string& kernel, Dim3 grid, Dim3 block, const KernelArguments& arguments,
                                   std::uint32_t dynamic_shared) {
  runner_.run(make_launch(program_, find_kernel(program_, kernel), grid, block, arguments, dynamic_shared, config_));
}

}  // namespace heddle
