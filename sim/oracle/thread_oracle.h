// SPDX-License-Identifier: Apache-2.0
// Scalar reference interpreter of one thread of RV32 or RV64: registers, PC, and one instruction at a time. It knows
// nothing of warps, and shares with the core only the decoded instructions, the memory map and the definition of the
// special functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/types.h"
#include "isa/instruction.h"
#include "isa/launch.h"
#include "memory/address_space.h"

namespace heddle {

// What a step did. Anything but kNone, kText and kPrint leaves the thread for its owner to deal with.
enum class StepEvent : std::uint8_t {
  kNone,
  kText,         // write call: the owner prints a0 bytes (a0 after the call) at `address` to `descriptor`
  kPrint,        // print call: the owner prints format `address` with the arguments at a1; a0 has the result
  kWarpWide,     // shuffle or ballot: the owner gives the result, finish_warp_wide(); nothing changed
  kBarrier,      // waits for its block; the PC is already behind the barrier
  kExit,         // ended; a0 is the status
  kFault,        // memory access not possible; nothing changed
  kIllegal,      // instruction not executable, or no instruction at the PC; nothing changed
  kBreak,        // ebreak; nothing changed
  kMisaligned,   // jump or taken branch to an address that is no multiple of 4; nothing changed
  kNullJump,     // jump to address 0; nothing changed
  kFarJump,      // RV64: jump to an address of more than 32 bits; nothing changed
  kUnknownCall,  // environment call that does not exist; nothing changed
};

struct Step {
  StepEvent event = StepEvent::kNone;
  RegId rd = 0;  // register written (0 = none), its value is in the thread
  Fault fault = Fault::kNone;
  bool counter = false;          // the value is a counter of the machine, which the reference does not know
  bool memory = false;           // accessed memory at `address`
  Address address = 0;           // of the access, text or format
  std::uint32_t descriptor = 0;  // of the text

  [[nodiscard]] static Step stopped(StepEvent event) {
    Step step;
    step.event = event;
    return step;
  }
};

template <Op kOp>
using ConstantOp = std::integral_constant<Op, kOp>;

// Word: an integer register.
template <typename Word>
class BasicThreadOracle {
 public:
  // Thread `thread` (linear number) of block `block` (linear number); who: its place in an address space. Register n
  // lives in bank[n * stride]: the threads of a warp can share a bank in which equal registers are neighbours.
  void start(const Launch& launch, const std::vector<InitialRegister>& registers, std::uint64_t block,
             std::uint32_t thread, unsigned lanes, const Accessor& who, Word* bank, unsigned stride);

  // Executes an instruction, which is the one at pc(). The counters cycle, time and instret read the number of steps
  // before it.
  Step step(const Instruction& instruction, AddressSpace& memory);
  // The same where instruction.op is known: with_constant() in oracle/thread_execute.h.
  template <Op kOp>
  Step step(ConstantOp<kOp>, const Instruction& instruction, AddressSpace& memory);
  Step step(Op, const Instruction& instruction, AddressSpace& memory) { return step(instruction, memory); }

  // Result of the warp-wide operation at pc().
  Step finish_warp_wide(RegId rd, Word value);

  [[nodiscard]] Pc pc() const { return pc_; }
  [[nodiscard]] Word reg(RegId reg) const { return bank_[std::size_t{reg} * stride_]; }
  void set_reg(RegId reg, Word value) { r(reg) = value; }
  [[nodiscard]] std::uint8_t fcsr() const { return fcsr_; }
  [[nodiscard]] bool exited() const { return exited_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] const Dim3& block_index() const { return block_index_; }
  [[nodiscard]] const Dim3& thread_index() const { return thread_index_; }
  [[nodiscard]] const Accessor& place() const { return who_; }

 private:
  static constexpr bool kWide = sizeof(Word) == 8;

  Step execute(Op op, const Instruction& instruction, AddressSpace& memory);
  Step execute_wide(Op op, const Instruction& instruction, AddressSpace& memory);
  Step jump(Word target, RegId rd);
  Step branch(bool taken, std::int32_t offset);
  Step write_back(RegId rd, Word value);
  Step float_op(const Instruction& instruction);
  Step double_op(const Instruction& instruction);
  Step csr_op(const Instruction& instruction);
  [[nodiscard]] bool read_csr(std::uint32_t csr, Word& value) const;
  Step call(AddressSpace& memory);
  // The access that a step makes.
  Step access(Word address) const;
  template <typename T>
  Step load(const Instruction& instruction, AddressSpace& memory);
  Step store(const Instruction& instruction, AddressSpace& memory, unsigned bytes);
  // Where the two words of an aligned doubleword are: local memory has them apart. False if the access faults.
  struct Halves {
    std::uint8_t* low;
    std::uint8_t* high;
  };
  template <bool kWrite>
  bool find_halves(Step& step, AddressSpace& memory, Halves& halves) const;
  Step load_doubleword(const Instruction& instruction, AddressSpace& memory);
  Step store_doubleword(const Instruction& instruction, AddressSpace& memory);
  Step atomic(const Instruction& instruction, AddressSpace& memory);
  Step atomic_doubleword(const Instruction& instruction, AddressSpace& memory);

  [[nodiscard]] Word& r(unsigned reg) { return bank_[std::size_t{reg} * stride_]; }
  // A register that holds a single: with 64 bits a box of ones around it, and what has none is a NaN.
  [[nodiscard]] static std::uint32_t single(Word value) {
    if (kWide && std::uint64_t{value} < 0xFFFFFFFF00000000u) return 0x7FC00000u;
    return static_cast<std::uint32_t>(value);
  }
  [[nodiscard]] static Word box(std::uint32_t single) {
    return static_cast<Word>(kWide ? std::uint64_t{single} - 0x100000000u : std::uint64_t{single});
  }
  // The low word, sign-extended.
  [[nodiscard]] static Word word(Word value) {
    return static_cast<Word>(((value & 0xFFFFFFFFu) ^ 0x80000000u) - 0x80000000u);
  }

  std::uint64_t steps_ = 0;
  Word* bank_ = nullptr;
  unsigned stride_ = 1;
  Pc pc_ = 0;
  std::uint8_t fcsr_ = 0;
  bool exited_ = false;
  Accessor who_;
  Dim3 thread_index_, block_index_, block_dim_, grid_dim_;
  std::uint32_t warp_ = 0;
  std::uint32_t number_ = 0;
};

using ThreadOracle = BasicThreadOracle<std::uint32_t>;
using WideThreadOracle = BasicThreadOracle<std::uint64_t>;  // RV64

}  // namespace heddle
