// SPDX-License-Identifier: Apache-2.0
// Scalar reference interpreter of one thread: registers, PC, and one instruction at a time. It knows nothing of warps,
// and shares with the core only the decoded instructions, the memory map and the definition of the special functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "heddle/config.h"
#include "heddle/device_interface.h"
#include "heddle/types.h"
#include "isa/instruction.h"
#include "isa/launch.h"
#include "isa/program.h"
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

class ThreadOracle {
 public:
  // Thread `thread` (linear number) of block `block` (linear number); who: its place in an address space. Register n
  // lives in bank[n * stride]: the threads of a warp can share a bank in which equal registers are neighbours.
  void start(const Launch& launch, const std::vector<InitialRegister>& registers, std::uint64_t block,
             std::uint32_t thread, unsigned lanes, const Accessor& who, std::uint32_t* bank, unsigned stride);

  // Executes an instruction, which is the one at pc(). The counters cycle, time and instret read the number of steps
  // before it.
  Step step(const Instruction& instruction, AddressSpace& memory);
  // The same in a loop where instruction.op is known to be `op` (oracle/thread_execute.h).
  Step step_as(Op op, const Instruction& instruction, AddressSpace& memory);
  // Steps through the program until an event that is not kNone, or `limit` times.
  Step run(const Program& program, AddressSpace& memory, std::uint64_t limit);

  // Result of the warp-wide operation at pc().
  Step finish_warp_wide(RegId rd, std::uint32_t value);

  [[nodiscard]] Pc pc() const { return pc_; }
  [[nodiscard]] std::uint32_t reg(RegId reg) const { return bank_[std::size_t{reg} * stride_]; }
  void set_reg(RegId reg, std::uint32_t value) { r(reg) = value; }
  [[nodiscard]] std::uint8_t fcsr() const { return fcsr_; }
  [[nodiscard]] bool exited() const { return exited_; }
  [[nodiscard]] std::uint64_t steps() const { return steps_; }
  [[nodiscard]] const Dim3& block_index() const { return block_index_; }
  [[nodiscard]] const Dim3& thread_index() const { return thread_index_; }
  [[nodiscard]] const Accessor& place() const { return who_; }

 private:
  Step execute(Op op, const Instruction& instruction, AddressSpace& memory);
  Step jump(Pc target, RegId rd);
  Step branch(bool taken, std::int32_t offset);
  Step write_back(RegId rd, std::uint32_t value);
  Step float_op(const Instruction& instruction);
  Step csr_op(const Instruction& instruction);
  [[nodiscard]] bool read_csr(std::uint32_t csr, std::uint32_t& value) const;
  Step call(AddressSpace& memory);
  template <typename T>
  Step load(const Instruction& instruction, AddressSpace& memory);
  Step store(const Instruction& instruction, AddressSpace& memory, unsigned bytes);
  Step atomic(const Instruction& instruction, AddressSpace& memory);

  [[nodiscard]] std::uint32_t& r(unsigned reg) { return bank_[std::size_t{reg} * stride_]; }

  std::uint64_t steps_ = 0;
  std::uint32_t* bank_ = nullptr;
  unsigned stride_ = 1;
  Pc pc_ = 0;
  std::uint8_t fcsr_ = 0;
  bool exited_ = false;
  Accessor who_;
  Dim3 thread_index_, block_index_, block_dim_, grid_dim_;
  std::uint32_t warp_ = 0;
  std::uint32_t number_ = 0;
};

}  // namespace heddle
