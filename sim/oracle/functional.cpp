// SPDX-License-Identifier: Apache-2.0
#include "oracle/functional.h"

#include <algorithm>
#include <array>
#include <utility>

#include "heddle/error.h"
#include "memory/fault_text.h"
#include "memory/print_call.h"
#include "memory/warp_memory.h"
#include "program/loader.h"

namespace heddle {
namespace {

constexpr std::uint64_t kTurn = 4096;  // instructions of a thread before the next one has its turn
constexpr unsigned kPatience = 64;     // turns of a block before one more joins it, for which it may wait

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
  Threads<Word>& threads = block.threads;
  block.number = number;
  memory_.begin_block(slot, launch.shared_bytes());
  for (unsigned warp = 0; warp < warps; ++warp) memory_.begin_warp(slot * warps + warp);
  threads.all.resize(launch.threads_per_block());
  threads.registers.resize(threads.all.size() * kNumRegs);
  for (std::uint32_t t = 0; t < threads.all.size(); ++t) {
    threads.all[t].start(launch, initial_, number, t, lanes, {slot, slot * warps + t / lanes, t % lanes},
                         threads.registers.data() + std::size_t{t} * kNumRegs, 1);
  }
  block.running.clear();
  block.at_barrier.clear();
  block.at_warp_wide.clear();
  for (BasicThreadOracle<Word>& thread : threads.all) block.running.push_back(&thread);
}

template <typename Word>
bool FunctionalRunner::run_turns(Block<Word>& block) {
  using Thread = BasicThreadOracle<Word>;
  std::vector<Thread*>& running = block.running;
  block_ = block.number;
  const auto stays = std::remove_if(running.begin(), running.end(), [&](Thread* thread) {
    const Turn turn = run_turn(*thread, static_cast<std::uint32_t>(thread - block.threads.all.data()));
    if (turn == Turn::kAtBarrier) block.at_barrier.push_back(thread);
    if (turn == Turn::kAtWarpWide) block.at_warp_wide.push_back(thread);
    return turn != Turn::kGoesOn || thread->exited();
  });
  running.erase(stays, running.end());
  if (running.empty() && !block.at_warp_wide.empty()) run_warp_wide(block.at_warp_wide, running);
  if (!running.empty()) return true;
  std::sort(block.at_barrier.begin(), block.at_barrier.end());  // thread order again: all point into threads.all
  running.swap(block.at_barrier);
  return !running.empty();
}

template <typename Word>
void FunctionalRunner::run_warp_wide(std::vector<BasicThreadOracle<Word>*>& waiting,
                                     std::vector<BasicThreadOracle<Word>*>& running) {
  std::sort(waiting.begin(), waiting.end());
  if (config_.core.lanes < kWarpWide) {
    stop(*waiting.front(), waiting.front()->pc(), ErrorKind::kUnsupported, narrow_warp(config_.core.lanes));
  }
  std::vector<BasicThreadOracle<Word>*> rest;
  for (std::size_t begin = 0, end = 0; begin < waiting.size(); begin = end) {
    const unsigned warp = waiting[begin]->place().warp_slot;
    Pc pc = waiting[begin]->pc();
    for (end = begin; end < waiting.size() && waiting[end]->place().warp_slot == warp; ++end)
      pc = std::min(pc, waiting[end]->pc());
    const Instruction& instruction = *program_->at(pc);
    std::array<Word, kMaxLanes> before{};
    LaneMask mask = 0, votes = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (waiting[i]->pc() != pc) continue;
      const unsigned lane = waiting[i]->place().lane;
      before[lane] = waiting[i]->reg(instruction.rs1);
      mask |= LaneMask{1} << lane;
      if (before[lane] != 0) votes |= LaneMask{1} << lane;
    }
    for (std::size_t i = begin; i < end; ++i) {
      BasicThreadOracle<Word>& thread = *waiting[i];
      if (thread.pc() != pc) {
        rest.push_back(&thread);
        continue;
      }
      const unsigned lane = thread.place().lane, group = lane / kWarpWide * kWarpWide;
      const unsigned source = group + thread.reg(instruction.rs2) % kWarpWide;
      static_cast<void>(thread.finish_warp_wide(
          instruction.rd, instruction.op == Op::kBallot ? static_cast<Word>(static_cast<std::int32_t>(votes >> group))
                                                        : before[(mask >> source & 1) != 0 ? source : lane]));
      running.push_back(&thread);
    }
  }
  waiting.swap(rest);
}

template <typename Word>
FunctionalRunner::Turn FunctionalRunner::run_turn(BasicThreadOracle<Word>& thread, std::uint32_t number) {
  if (instructions_ >= limit_) {
    throw machine_stopped("max_cycles",
                          "kernel " + kernel_ + " has executed " + std::to_string(config_.run.max_cycles) +
                              " instructions and has not ended: raise run.max_cycles if it is not an endless loop");
  }
  if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) {
    throw machine_stopped("interrupted", "kernel " + kernel_ + " was stopped from outside after " +
                                             std::to_string(instructions_) + " thread instructions");
  }
  const std::uint64_t before = thread.steps();
  const bool traced = tracer_ != nullptr && tracer_->wants(block_, number);
  const Step step = traced ? run_traced(thread, number) : thread.run(*program_, memory_, kTurn);
  instructions_ += thread.steps() - before;
  const Pc pc = thread.pc();  // of the instruction that could not be executed
  switch (step.event) {
    case StepEvent::kNone: return Turn::kGoesOn;
    case StepEvent::kWarpWide: return Turn::kAtWarpWide;
    case StepEvent::kBarrier: return Turn::kAtBarrier;
    case StepEvent::kText: write_text(thread, step); return Turn::kGoesOn;
    case StepEvent::kPrint: print(thread, step); return Turn::kGoesOn;
    case StepEvent::kExit:
      if (thread.reg(kA0) != 0) note_exit(thread);
      return Turn::kGoesOn;
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
  return Turn::kGoesOn;
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
Step FunctionalRunner::run_traced(BasicThreadOracle<Word>& thread, std::uint32_t number) {
  for (std::uint64_t i = 0; i < kTurn; ++i) {
    const Pc pc = thread.pc();
    const Step step = thread.run(*program_, memory_, 1);
    tracer_->executed(block_, number, pc);
    if (step.event != StepEvent::kNone) return step;
  }
  return {};
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
