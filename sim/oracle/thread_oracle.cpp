// SPDX-License-Identifier: Apache-2.0
#include "oracle/thread_oracle.h"

#include <algorithm>
#include <cstring>

#include "isa/csr.h"
#include "memory/print_call.h"
#include "oracle/soft_float.h"
#include "oracle/thread_execute.h"

namespace heddle {

template <typename Word>
void BasicThreadOracle<Word>::start(const Launch& launch, const std::vector<InitialRegister>& registers,
                                    std::uint64_t block, std::uint32_t thread, unsigned lanes, const Accessor& who,
                                    Word* bank, unsigned stride) {
  *this = BasicThreadOracle();
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
  for (const InitialRegister& initial : registers) r(initial.reg) = static_cast<Word>(initial.value);
}

namespace {

// What a read-modify-write leaves in memory.
template <typename T>
T modified(Op op, T old, T operand) {
  using Signed = std::make_signed_t<T>;
  const auto old_signed = static_cast<Signed>(old), operand_signed = static_cast<Signed>(operand);
  switch (op) {
    case Op::kAmoadd: return old + operand;
    case Op::kAmoxor: return old ^ operand;
    case Op::kAmoand: return old & operand;
    case Op::kAmoor: return old | operand;
    case Op::kAmomin: return static_cast<T>(std::min(old_signed, operand_signed));
    case Op::kAmomax: return static_cast<T>(std::max(old_signed, operand_signed));
    case Op::kAmominu: return std::min(old, operand);
    case Op::kAmomaxu: return std::max(old, operand);
    default: return operand;  // swap, and compare and swap
  }
}

}  // namespace

template <typename Word>
Step BasicThreadOracle<Word>::atomic(const Instruction& instruction, AddressSpace& memory) {
  Step step = access(r(instruction.rs1));
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
  const auto operand = static_cast<std::uint32_t>(r(instruction.rs2));
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
    case Op::kAmocas:
      stores = old == static_cast<std::uint32_t>(r(instruction.rd));
      stored = operand;
      break;
    default: stored = modified(instruction.op, old, operand); break;
  }
  if (stores) {
    std::memcpy(host, &stored, sizeof stored);
    memory.stored(host);
  }
  step.rd = write_back(instruction.rd, word(result)).rd;
  return step;
}

template <typename Word>
Step BasicThreadOracle<Word>::atomic_doubleword(const Instruction& instruction, AddressSpace& memory) {
  Step step = access(r(instruction.rs1));
  Halves halves;
  const Op op = narrow(instruction.op);
  if (!(op == Op::kLr ? find_halves<false>(step, memory, halves) : find_halves<true>(step, memory, halves)))
    return step;
  const std::uint64_t old = joined(halves.low, halves.high), operand = r(instruction.rs2);
  std::uint64_t result = old;
  bool stores = true;
  if (op == Op::kLr) {
    memory.reserve(halves.low, who_, halves.high);
    stores = false;
  } else if (op == Op::kSc) {
    stores = memory.take_reservation(halves.low, who_);
    result = stores ? 0 : 1;
  } else if (op == Op::kAmocas) {
    stores = old == r(instruction.rd);
  }
  if (stores) part(modified(op, old, operand), halves.low, halves.high, memory);
  step.rd = write_back(instruction.rd, static_cast<Word>(result)).rd;
  return step;
}

template <typename Word>
Step BasicThreadOracle<Word>::float_op(const Instruction& instruction) {
  namespace sf = soft_float;
  const bool rounds = instruction.op != Op::kFmin && instruction.op != Op::kFmax && instruction.op != Op::kFeq &&
                      instruction.op != Op::kFlt && instruction.op != Op::kFle && instruction.op != Op::kFclass;
  unsigned mode = rounds ? instruction.rm : 0;
  if (mode == 7) mode = fcsr_ >> 5;
  if (mode > 4) return Step::stopped(StepEvent::kIllegal);
  const auto rounding = static_cast<sf::Rounding>(mode);
  constexpr std::uint32_t kMinus = 1u << 31;
  const std::uint32_t a = single(r(instruction.rs1)), b = single(r(instruction.rs2)), c = single(r(instruction.rs3));
  const auto integer = static_cast<std::uint32_t>(r(instruction.rs1));
  std::uint8_t flags = 0;
  std::uint32_t value;
  const auto of_integer = [&](std::uint32_t integer_value) {
    fcsr_ |= flags;
    return write_back(instruction.rd, word(integer_value));
  };
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
    case Op::kFeq: return of_integer(sf::equal(a, b, flags));
    case Op::kFlt: return of_integer(sf::less(a, b, flags));
    case Op::kFle: return of_integer(sf::less_or_equal(a, b, flags));
    case Op::kFclass: return of_integer(sf::classify(a));
    case Op::kFcvtWS: return of_integer(sf::to_int32(a, rounding, flags));
    case Op::kFcvtWuS: return of_integer(sf::to_uint32(a, rounding, flags));
    case Op::kFcvtSW: value = sf::from_int32<std::uint32_t>(integer, rounding, flags); break;
    case Op::kFcvtSWu: value = sf::from_unsigned<std::uint32_t>(integer, rounding, flags); break;
    default: return Step::stopped(StepEvent::kIllegal);
  }
  fcsr_ |= flags;
  return write_back(instruction.rd, box(value));
}

template <typename Word>
Step BasicThreadOracle<Word>::double_op(const Instruction& instruction) {
  namespace sf = soft_float;
  const Op op = instruction.op;
  const bool rounds = op != Op::kFminD && op != Op::kFmaxD && op != Op::kFeqD && op != Op::kFltD && op != Op::kFleD &&
                      op != Op::kFclassD;
  unsigned mode = rounds ? instruction.rm : 0;
  if (mode == 7) mode = fcsr_ >> 5;
  if (mode > 4) return Step::stopped(StepEvent::kIllegal);
  const auto rounding = static_cast<sf::Rounding>(mode);
  constexpr std::uint64_t kMinus = std::uint64_t{1} << 63;
  using Double = std::uint64_t;
  const Double a = r(instruction.rs1), b = r(instruction.rs2), c = r(instruction.rs3);
  const auto low = static_cast<std::uint32_t>(a);
  const std::uint32_t s = single(static_cast<Word>(a));
  std::uint8_t flags = 0;
  std::uint64_t value;
  switch (op) {
    case Op::kFaddD: value = sf::add(a, b, rounding, flags); break;
    case Op::kFsubD: value = sf::add(a, b ^ kMinus, rounding, flags); break;
    case Op::kFmulD: value = sf::multiply(a, b, rounding, flags); break;
    case Op::kFdivD: value = sf::divide(a, b, rounding, flags); break;
    case Op::kFsqrtD: value = sf::square_root(a, rounding, flags); break;
    case Op::kFmaddD: value = sf::multiply_add(a, b, c, rounding, flags); break;
    case Op::kFmsubD: value = sf::multiply_add(a, b, c ^ kMinus, rounding, flags); break;
    case Op::kFnmsubD: value = sf::multiply_add(a ^ kMinus, b, c, rounding, flags); break;
    case Op::kFnmaddD: value = sf::multiply_add(a ^ kMinus, b, c ^ kMinus, rounding, flags); break;
    case Op::kFminD: value = sf::minimum(a, b, flags); break;
    case Op::kFmaxD: value = sf::maximum(a, b, flags); break;
    case Op::kFeqD: value = sf::equal(a, b, flags); break;
    case Op::kFltD: value = sf::less(a, b, flags); break;
    case Op::kFleD: value = sf::less_or_equal(a, b, flags); break;
    case Op::kFclassD: value = sf::classify(a); break;
    case Op::kFcvtWD: value = word(sf::to_int32(a, rounding, flags)); break;
    case Op::kFcvtWuD: value = word(sf::to_uint32(a, rounding, flags)); break;
    case Op::kFcvtLD: value = sf::to_int64(a, rounding, flags); break;
    case Op::kFcvtLuD: value = sf::to_uint64(a, rounding, flags); break;
    case Op::kFcvtLS: value = sf::to_int64(s, rounding, flags); break;
    case Op::kFcvtLuS: value = sf::to_uint64(s, rounding, flags); break;
    case Op::kFcvtDW: value = sf::from_int32<Double>(low, rounding, flags); break;
    case Op::kFcvtDWu: value = sf::from_unsigned<Double>(low, rounding, flags); break;
    case Op::kFcvtDL: value = sf::from_int64<Double>(a, rounding, flags); break;
    case Op::kFcvtDLu: value = sf::from_unsigned<Double>(a, rounding, flags); break;
    case Op::kFcvtSL: value = box(sf::from_int64<std::uint32_t>(a, rounding, flags)); break;
    case Op::kFcvtSLu: value = box(sf::from_unsigned<std::uint32_t>(a, rounding, flags)); break;
    case Op::kFcvtSD: value = box(sf::to_single(a, rounding, flags)); break;
    case Op::kFcvtDS: value = sf::to_double(s, flags); break;
    default: return Step::stopped(StepEvent::kIllegal);
  }
  fcsr_ |= flags;
  return write_back(instruction.rd, static_cast<Word>(value));
}

template <typename Word>
bool BasicThreadOracle<Word>::read_csr(std::uint32_t csr, Word& value) const {
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
    case 0xC02: value = static_cast<Word>(steps_); return true;
    case 0xC80:
    case 0xC81:
    case 0xC82: value = static_cast<Word>(steps_ >> 32); return !kWide;  // RV64 has no upper halves
    case 0xCCC: value = who_.lane; return true;
    case 0xCCD: value = warp_; return true;
    case 0xF14: value = number_; return true;
    default: return false;
  }
}

template <typename Word>
Step BasicThreadOracle<Word>::csr_op(const Instruction& instruction) {
  const auto csr = static_cast<std::uint32_t>(instruction.imm) & 0xFFF;
  Word old;
  if (!read_csr(csr, old)) return Step::stopped(StepEvent::kIllegal);
  Word next = old;
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
      next = old & ~Word{instruction.zimm};
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

template <typename Word>
Step BasicThreadOracle<Word>::call(AddressSpace& memory) {
  Step step;
  switch (r(kA7)) {
    case kEcallExit:
    case kEcallExitGroup:
      exited_ = true;
      pc_ += 4;
      return Step::stopped(StepEvent::kExit);
    case kEcallWrite:
      step.descriptor = static_cast<std::uint32_t>(r(kA0));
      step.address = r(kA1);
      step.event = StepEvent::kText;
      step.rd = write_back(kA0, r(kA2)).rd;
      return step;
    case kEcallPrint:
      step.address = r(kA0);
      step.event = StepEvent::kPrint;
      step.rd = write_back(kA0, static_cast<Word>(print_arguments(memory, who_, step.address))).rd;
      return step;
    default: return Step::stopped(StepEvent::kUnknownCall);
  }
}

template <typename Word>
Step BasicThreadOracle<Word>::finish_warp_wide(RegId rd, Word value) {
  return write_back(rd, value);
}

template <typename Word>
Step BasicThreadOracle<Word>::step(const Instruction& instruction, AddressSpace& memory) {
  ++steps_;
  return execute(instruction.op, instruction, memory);
}

template class BasicThreadOracle<std::uint32_t>;
template class BasicThreadOracle<std::uint64_t>;

}  // namespace heddle
