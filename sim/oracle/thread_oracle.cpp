// SPDX-License-Identifier: Apache-2.0
#include "oracle/thread_oracle.h"

#include <algorithm>
#include <cstring>

#include "isa/csr.h"
#include "isa/execute.h"
#include "oracle/soft_float.h"

namespace heddle {
namespace {

Step stopped(StepEvent event) {
  Step step;
  step.event = event;
  return step;
}

}  // namespace

void ThreadOracle::start(const Launch& launch, const std::vector<InitialRegister>& registers, std::uint64_t block, std::uint32_t thread,
                         unsigned lanes, const Accessor& who) {
  *this = ThreadOracle();
  pc_ = launch.entry;
  who_ = who;
  thread_index_ = unflatten(thread, launch.block);
  block_index_ = unflatten(block, launch.grid);
  block_dim_ = launch.block;
  grid_dim_ = launch.grid;
  warp_ = thread / lanes;
  number_ = static_cast<std::uint32_t>(block * launch.threads_per_block() + thread);
  for (const InitialRegister& initial : registers) r_[initial.reg] = initial.value;
}

inline Step ThreadOracle::write_back(RegId rd, std::uint32_t value) {
  pc_ += 4;
  Step step;
  if (rd != 0) {
    r_[rd] = value;
    step.rd = rd;
  }
  return step;
}

inline Step ThreadOracle::jump(Pc target, RegId rd) {
  if ((target & 3u) != 0) return stopped(StepEvent::kMisaligned);
  const Pc link = pc_ + 4;
  Step step = write_back(rd, link);
  pc_ = target;
  return step;
}

inline Step ThreadOracle::branch(bool taken, std::int32_t offset) {
  const Pc next = pc_ + (taken ? static_cast<std::uint32_t>(offset) : 4u);
  if ((next & 3u) != 0) return stopped(StepEvent::kMisaligned);
  pc_ = next;
  return {};
}

template <typename T>
inline Step ThreadOracle::load(const Instruction& instruction, AddressSpace& memory) {
  Step step;
  step.memory = true;
  step.address = r_[instruction.rs1] + static_cast<std::uint32_t>(instruction.imm);
  const std::uint8_t* host = memory.translate<false>(step.address, sizeof(T), who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, sizeof(T), false, who_);
    return step;
  }
  T value;
  std::memcpy(&value, host, sizeof value);
  step.rd = write_back(instruction.rd, static_cast<std::uint32_t>(static_cast<std::int32_t>(value))).rd;
  return step;
}

inline Step ThreadOracle::store(const Instruction& instruction, AddressSpace& memory, unsigned bytes) {
  Step step;
  step.memory = true;
  step.address = r_[instruction.rs1] + static_cast<std::uint32_t>(instruction.imm);
  std::uint8_t* host = memory.translate<true>(step.address, bytes, who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, bytes, true, who_);
    return step;
  }
  const std::uint32_t value = r_[instruction.rs2];
  for (unsigned i = 0; i < bytes; ++i) host[i] = static_cast<std::uint8_t>(value >> (8 * i));
  memory.stored(host);
  pc_ += 4;
  return step;
}

Step ThreadOracle::atomic(const Instruction& instruction, AddressSpace& memory) {
  Step step;
  step.memory = true;
  step.address = r_[instruction.rs1];
  const bool reads_only = instruction.op == Op::kLr;
  std::uint8_t* host = reads_only ? memory.translate<false>(step.address, 4, who_) : memory.translate<true>(step.address, 4, who_);
  if (host == nullptr) {
    step.event = StepEvent::kFault;
    step.fault = memory.diagnose(step.address, 4, !reads_only, who_);
    return step;
  }
  std::uint32_t old;
  std::memcpy(&old, host, sizeof old);
  const std::uint32_t operand = r_[instruction.rs2];
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
      stores = old == r_[instruction.rd];
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
  const bool rounds = instruction.op != Op::kFmin && instruction.op != Op::kFmax && instruction.op != Op::kFeq && instruction.op != Op::kFlt &&
                      instruction.op != Op::kFle && instruction.op != Op::kFclass;
  unsigned mode = rounds ? instruction.rm : 0;
  if (mode == 7) mode = fcsr_ >> 5;
  if (mode > 4) return stopped(StepEvent::kIllegal);
  const auto rounding = static_cast<sf::Rounding>(mode);
  constexpr std::uint32_t kMinus = 1u << 31;
  const std::uint32_t a = r_[instruction.rs1], b = r_[instruction.rs2], c = r_[instruction.rs3];
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
    default: return stopped(StepEvent::kIllegal);
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
    case 0xC00: case 0xC01: case 0xC02: value = static_cast<std::uint32_t>(steps_); return true;
    case 0xC80: case 0xC81: case 0xC82: value = static_cast<std::uint32_t>(steps_ >> 32); return true;
    case 0xCCC: value = who_.lane; return true;
    case 0xCCD: value = warp_; return true;
    case 0xF14: value = number_; return true;
    default: return false;
  }
}

Step ThreadOracle::csr_op(const Instruction& instruction) {
  const auto csr = static_cast<std::uint32_t>(instruction.imm) & 0xFFF;
  std::uint32_t old;
  if (!read_csr(csr, old)) return stopped(StepEvent::kIllegal);
  std::uint32_t next = old;
  bool writes = true;
  switch (instruction.op) {
    case Op::kCsrrw: next = r_[instruction.rs1]; break;
    case Op::kCsrrs: next = old | r_[instruction.rs1]; writes = instruction.rs1 != 0; break;
    case Op::kCsrrc: next = old & ~r_[instruction.rs1]; writes = instruction.rs1 != 0; break;
    case Op::kCsrrwi: next = instruction.zimm; break;
    case Op::kCsrrsi: next = old | instruction.zimm; writes = instruction.zimm != 0; break;
    default: next = old & ~std::uint32_t{instruction.zimm}; writes = instruction.zimm != 0; break;
  }
  if (writes) {
    switch (csr) {
      case 0x001: fcsr_ = static_cast<std::uint8_t>((fcsr_ & 0xE0) | (next & 31)); break;
      case 0x002: fcsr_ = static_cast<std::uint8_t>((fcsr_ & 31) | (next & 7) << 5); break;
      case 0x003: fcsr_ = static_cast<std::uint8_t>(next); break;
      default: return stopped(StepEvent::kIllegal);
    }
  }
  Step step = write_back(instruction.rd, old);
  step.counter = is_counter(csr);
  return step;
}

Step ThreadOracle::call() {
  Step step;
  switch (r_[kA7]) {
    case kEcallExit: case kEcallExitGroup:
      exited_ = true;
      pc_ += 4;
      return stopped(StepEvent::kExit);
    case kEcallWrite:
      step.descriptor = r_[kA0];
      step.address = r_[kA1];
      step.event = StepEvent::kText;
      step.rd = write_back(kA0, r_[kA2]).rd;
      return step;
    default: return stopped(StepEvent::kUnknownCall);
  }
}

inline Step ThreadOracle::execute(const Instruction& i, AddressSpace& memory) {
  const std::uint32_t a = r_[i.rs1], b = r_[i.rs2];
  const auto sa = static_cast<std::int32_t>(a), sb = static_cast<std::int32_t>(b);
  const auto imm = static_cast<std::uint32_t>(i.imm);
  switch (i.op) {
    case Op::kLui: return write_back(i.rd, imm);
    case Op::kAuipc: return write_back(i.rd, pc_ + imm);
    case Op::kJal: return jump(pc_ + imm, i.rd);
    case Op::kJalr: return jump((a + imm) & ~1u, i.rd);
    case Op::kBeq: return branch(a == b, i.imm);
    case Op::kBne: return branch(a != b, i.imm);
    case Op::kBlt: return branch(sa < sb, i.imm);
    case Op::kBge: return branch(sa >= sb, i.imm);
    case Op::kBltu: return branch(a < b, i.imm);
    case Op::kBgeu: return branch(a >= b, i.imm);
    case Op::kLb: return load<std::int8_t>(i, memory);
    case Op::kLh: return load<std::int16_t>(i, memory);
    case Op::kLbu: return load<std::uint8_t>(i, memory);
    case Op::kLhu: return load<std::uint16_t>(i, memory);
    case Op::kLw: case Op::kFlw: return load<std::int32_t>(i, memory);
    case Op::kSb: return store(i, memory, 1);
    case Op::kSh: return store(i, memory, 2);
    case Op::kSw: case Op::kFsw: return store(i, memory, 4);
    case Op::kAddi: return write_back(i.rd, a + imm);
    case Op::kSlti: return write_back(i.rd, sa < i.imm ? 1 : 0);
    case Op::kSltiu: return write_back(i.rd, a < imm ? 1 : 0);
    case Op::kXori: return write_back(i.rd, a ^ imm);
    case Op::kOri: return write_back(i.rd, a | imm);
    case Op::kAndi: return write_back(i.rd, a & imm);
    case Op::kSlli: return write_back(i.rd, a << (imm % 32));
    case Op::kSrli: return write_back(i.rd, a >> (imm % 32));
    case Op::kSrai: return write_back(i.rd, static_cast<std::uint32_t>(std::int64_t{sa} >> (imm % 32)));
    case Op::kAdd: return write_back(i.rd, a + b);
    case Op::kSub: return write_back(i.rd, a - b);
    case Op::kSll: return write_back(i.rd, a << (b % 32));
    case Op::kSlt: return write_back(i.rd, sa < sb ? 1 : 0);
    case Op::kSltu: return write_back(i.rd, a < b ? 1 : 0);
    case Op::kXor: return write_back(i.rd, a ^ b);
    case Op::kSrl: return write_back(i.rd, a >> (b % 32));
    case Op::kSra: return write_back(i.rd, static_cast<std::uint32_t>(std::int64_t{sa} >> (b % 32)));
    case Op::kOr: return write_back(i.rd, a | b);
    case Op::kAnd: return write_back(i.rd, a & b);
    case Op::kFence: case Op::kFork: case Op::kJoin: case Op::kPush: case Op::kPop:
      pc_ += 4;
      return {};
    case Op::kBarrier:
      pc_ += 4;
      return stopped(StepEvent::kBarrier);
    case Op::kEcall: return call();
    case Op::kEbreak: return stopped(StepEvent::kBreak);
    case Op::kCsrrw: case Op::kCsrrs: case Op::kCsrrc: case Op::kCsrrwi: case Op::kCsrrsi: case Op::kCsrrci: return csr_op(i);
    case Op::kMul: return write_back(i.rd, static_cast<std::uint32_t>(std::int64_t{sa} * sb));
    case Op::kMulh: return write_back(i.rd, static_cast<std::uint32_t>((std::int64_t{sa} * sb) >> 32));
    case Op::kMulhsu: return write_back(i.rd, static_cast<std::uint32_t>((std::int64_t{sa} * static_cast<std::int64_t>(b)) >> 32));
    case Op::kMulhu: return write_back(i.rd, static_cast<std::uint32_t>((std::uint64_t{a} * b) >> 32));
    // In 64 bits the signed overflow is an ordinary quotient, cut to 32 bits.
    case Op::kDiv: return write_back(i.rd, b == 0 ? 0xFFFFFFFFu : static_cast<std::uint32_t>(std::int64_t{sa} / sb));
    case Op::kDivu: return write_back(i.rd, b == 0 ? 0xFFFFFFFFu : a / b);
    case Op::kRem: return write_back(i.rd, b == 0 ? a : static_cast<std::uint32_t>(std::int64_t{sa} % sb));
    case Op::kRemu: return write_back(i.rd, b == 0 ? a : a % b);
    case Op::kFsgnj: return write_back(i.rd, (b >> 31) != 0 ? a | 0x80000000u : a & 0x7FFFFFFFu);
    case Op::kFsgnjn: return write_back(i.rd, (b >> 31) != 0 ? a & 0x7FFFFFFFu : a | 0x80000000u);
    case Op::kFsgnjx: return write_back(i.rd, (b >> 31) != 0 ? a ^ 0x80000000u : a);
    case Op::kFmvXW: case Op::kFmvWX: return write_back(i.rd, a);
    case Op::kSfuRcp: case Op::kSfuRsqrt: case Op::kSfuSin: case Op::kSfuCos: case Op::kSfuEx2: case Op::kSfuLg2: case Op::kSfuTanh:
      return write_back(i.rd, special_function(i.op, a));
    case Op::kIllegal: return stopped(StepEvent::kIllegal);
    default: return i.is_atomic() ? atomic(i, memory) : float_op(i);
  }
}

Step ThreadOracle::step(const Program& program, AddressSpace& memory) {
  const Instruction* instruction = program.at(pc_);
  if (instruction == nullptr) return stopped(StepEvent::kIllegal);
  const Step step = execute(*instruction, memory);
  ++steps_;
  return step;
}

Step ThreadOracle::run(const Program& program, AddressSpace& memory, std::uint64_t limit) {
  for (std::uint64_t i = 0; i < limit; ++i) {
    const Step step = this->step(program, memory);
    if (step.event != StepEvent::kNone) return step;
  }
  return {};
}

}  // namespace heddle
