// SPDX-License-Identifier: Apache-2.0
#include "oracle/thread_oracle.h"

#include <algorithm>
#include <cstring>

#include "isa/csr.h"
#include "memory/print_call.h"
#include "oracle/soft_float.h"
#include "oracle/thread_execute.h"

namespace heddle {

void ThreadOracle::start(const Launch& launch, const std::vector<InitialRegister>& registers, std::uint64_t block,
                         std::uint32_t thread, unsigned lanes, const Accessor& who, std::uint32_t* bank,
                         unsigned stride) {
  *this = ThreadOracle();
  bank_ = bank;
  stride_ = stride;
  for (unsigned reg = 0; reg < kNumRegs; ++reg) bank[std::size_t{reg} * stride] = 0;
  pc_ = launch.entry;
  who_ = who;
  thread_index_ = unflatten(thread, launch.block);
  block_index_ = unflatten(block, launch.grid);
  block_dim_ = launch.block;
  grid_dim_ = launch.grid;
  warp_ = thread / lanes;
  number_ = static_cast<std::uint32_t>(block * launch.threads_per_block() + thread);
  for (const InitialRegister& initial : registers) r(initial.reg) = initial.value;
}

Step ThreadOracle::atomic(const Instruction& instruction, AddressSpace& memory) {
  Step step;
  step.memory = true;
  step.address = r(instruction.rs1);
  const bool reads_only = instruction.op == Op::kLr;
  std::uint8_t* host =
      reads_only ? memory.translate<false>(step.address, 4, who_) : memory.translate<true>(step.address, 4, who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, 4, !reads_only, who_);
    return step;
  }
  std::uint32_t old;
  std::memcpy(&old, host, sizeof old);
  const std::uint32_t operand = r(instruction.rs2);
  const auto old_signed = static_cast<std::int32_t>(old), operand_signed = static_cast<std::int32_t>(operand);
  std::uint32_t result = old, stored = old;
  bool stores = true;
  switch (instruction.op) {
    case Op::kLr:
      memory.reserve(host, who_);
      stores = false;
      break;
    case Op::kSc:
      stores = memory.take_reservation(host, who_);
      stored = operand;
      result = stores ? 0 : 1;
      break;
    case Op::kAmoswap: stored = operand; break;
    case Op::kAmoadd: stored = old + operand; break;
    case Op::kAmoxor: stored = old ^ operand; break;
    case Op::kAmoand: stored = old & operand; break;
    case Op::kAmoor: stored = old | operand; break;
    case Op::kAmomin: stored = static_cast<std::uint32_t>(std::min(old_signed, operand_signed)); break;
    case Op::kAmomax: stored = static_cast<std::uint32_t>(std::max(old_signed, operand_signed)); break;
    case Op::kAmominu: stored = std::min(old, operand); break;
    case Op::kAmomaxu: stored = std::max(old, operand); break;
    default:  // amocas
      stores = old == r(instruction.rd);
      stored = operand;
      break;
  }
  if (stores) {
    std::memcpy(host, &stored, sizeof stored);
    memory.stored(host);
  }
  step.rd = write_back(instruction.rd, result).rd;
  return step;
}

Step ThreadOracle::float_op(const Instruction& instruction) {
  namespace sf = soft_float;
  const bool rounds = instruction.op != Op::kFmin && instruction.op != Op::kFmax && instruction.op != Op::kFeq &&
                      instruction.op != Op::kFlt && instruction.op != Op::kFle && instruction.op != Op::kFclass;
  unsigned mode = rounds ? instruction.rm : 0;
  if (mode == 7) mode = fcsr_ >> 5;
  if (mode > 4) return Step::stopped(StepEvent::kIllegal);
  const auto rounding = static_cast<sf::Rounding>(mode);
  constexpr std::uint32_t kMinus = 1u << 31;
  const std::uint32_t a = r(instruction.rs1), b = r(instruction.rs2), c = r(instruction.rs3);
  std::uint8_t flags = 0;
  std::uint32_t value;
  switch (instruction.op) {
    case Op::kFadd: value = sf::add(a, b, rounding, flags); break;
    case Op::kFsub: value = sf::add(a, b ^ kMinus, rounding, flags); break;
    case Op::kFmul: value = sf::multiply(a, b, rounding, flags); break;
    case Op::kFdiv: value = sf::divide(a, b, rounding, flags); break;
    case Op::kFsqrt: value = sf::square_root(a, rounding, flags); break;
    case Op::kFmadd: value = sf::multiply_add(a, b, c, rounding, flags); break;
    case Op::kFmsub: value = sf::multiply_add(a, b, c ^ kMinus, rounding, flags); break;
    case Op::kFnmsub: value = sf::multiply_add(a ^ kMinus, b, c, rounding, flags); break;
    case Op::kFnmadd: value = sf::multiply_add(a ^ kMinus, b, c ^ kMinus, rounding, flags); break;
    case Op::kFmin: value = sf::minimum(a, b, flags); break;
    case Op::kFmax: value = sf::maximum(a, b, flags); break;
    case Op::kFeq: value = sf::equal(a, b, flags); break;
    case Op::kFlt: value = sf::less(a, b, flags); break;
    case Op::kFle: value = sf::less_or_equal(a, b, flags); break;
    case Op::kFclass: value = sf::classify(a); break;
    case Op::kFcvtWS: value = sf::to_int32(a, rounding, flags); break;
    case Op::kFcvtWuS: value = sf::to_uint32(a, rounding, flags); break;
    case Op::kFcvtSW: value = sf::from_int32(a, rounding, flags); break;
    case Op::kFcvtSWu: value = sf::from_uint32(a, rounding, flags); break;
    default: return Step::stopped(StepEvent::kIllegal);
  }
  fcsr_ |= flags;
  return write_back(instruction.rd, value);
}

bool ThreadOracle::read_csr(std::uint32_t csr, std::uint32_t& value) const {
  if (csr >= 0xCC0 && csr <= 0xCCB) {
    const Dim3* const sources[] = {&thread_index_, &block_index_, &block_dim_, &grid_dim_};
    const Dim3& source = *sources[(csr - 0xCC0) / 3];
    const unsigned axis = (csr - 0xCC0) % 3;
    value = axis == 0 ? source.x : axis == 1 ? source.y : source.z;
    return true;
  }
  switch (csr) {
    case 0x001: value = fcsr_ & 31; return true;
    case 0x002: value = fcsr_ >> 5; return true;
    case 0x003: value = fcsr_; return true;
    case 0xC00:
    case 0xC01:
    case 0xC02: value = static_cast<std::uint32_t>(steps_); return true;
    case 0xC80:
    case 0xC81:
    case 0xC82: value = static_cast<std::uint32_t>(steps_ >> 32); return true;
    case 0xCCC: value = who_.lane; return true;
    case 0xCCD: value = warp_; return true;
    case 0xF14: value = number_; return true;
    default: return false;
  }
}

Step ThreadOracle::csr_op(const Instruction& instruction) {
  const auto csr = static_cast<std::uint32_t>(instruction.imm) & 0xFFF;
  std::uint32_t old;
  if (!read_csr(csr, old)) return Step::stopped(StepEvent::kIllegal);
  std::uint32_t next = old;
  bool writes = true;
  switch (instruction.op) {
    case Op::kCsrrw: next = r(instruction.rs1); break;
    case Op::kCsrrs:
      next = old | r(instruction.rs1);
      writes = instruction.rs1 != 0;
      break;
    case Op::kCsrrc:
      next = old & ~r(instruction.rs1);
      writes = instruction.rs1 != 0;
      break;
    case Op::kCsrrwi: next = instruction.zimm; break;
    case Op::kCsrrsi:
      next = old | instruction.zimm;
      writes = instruction.zimm != 0;
      break;
    default:
      next = old & ~std::uint32_t{instruction.zimm};
      writes = instruction.zimm != 0;
      break;
  }
  if (writes) {
    switch (csr) {
      case 0x001: fcsr_ = static_cast<std::uint8_t>((fcsr_ & 0xE0) | (next & 31)); break;
      case 0x002: fcsr_ = static_cast<std::uint8_t>((fcsr_ & 31) | (next & 7) << 5); break;
      case 0x003: fcsr_ = static_cast<std::uint8_t>(next); break;
      default: return Step::stopped(StepEvent::kIllegal);
    }
  }
  Step step = write_back(instruction.rd, old);
  step.counter = is_counter(csr);
  return step;
}

Step ThreadOracle::call(AddressSpace& memory) {
  Step step;
  switch (r(kA7)) {
    case kEcallExit:
    case kEcallExitGroup:
      exited_ = true;
      pc_ += 4;
      return Step::stopped(StepEvent::kExit);
    case kEcallWrite:
      step.descriptor = r(kA0);
      step.address = r(kA1);
      step.event = StepEvent::kText;
      step.rd = write_back(kA0, r(kA2)).rd;
      return step;
    case kEcallPrint:
      step.address = r(kA0);
      step.event = StepEvent::kPrint;
      step.rd = write_back(kA0, print_arguments(memory, who_, step.address)).rd;
      return step;
    default: return Step::stopped(StepEvent::kUnknownCall);
  }
}

Step ThreadOracle::finish_warp_wide(RegId rd, std::uint32_t value) { return write_back(rd, value); }

Step ThreadOracle::step(const Instruction& instruction, AddressSpace& memory) {
  return step_as(instruction.op, instruction, memory);
}

Step ThreadOracle::run(const Program& program, AddressSpace& memory, std::uint64_t limit) {
  for (std::uint64_t i = 0; i < limit; ++i) {
    const Instruction* instruction = program.at(pc_);
    const Step step = instruction != nullptr ? this->step(*instruction, memory) : Step::stopped(StepEvent::kIllegal);
    if (step.event != StepEvent::kNone) return step;
  }
  return {};
}

}  // namespace heddle
