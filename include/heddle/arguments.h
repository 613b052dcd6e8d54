// SPDX-License-Identifier: Apache-2.0
// KernelArguments of a kernel as the core passes them: the RISC-V calling conventions ilp32f for RV32 and lp64d for
// RV64 (psABI, "Hardware Floating-point Calling Convention"). Integers and pointers in a0..a7, floating-point numbers
// in fa0..fa7, what does not fit on each thread's stack; a structure of more than two registers as a copy on that
// stack, by its address.
#pragma once

#include <cstdint>
#include <vector>

#include "heddle/config.h"
#include "heddle/types.h"

namespace heddle {

struct KernelArguments {
  std::vector<std::uint64_t> integers;  // a0..a7
  std::vector<std::uint64_t> floats;    // fa0..fa7
  std::vector<std::uint8_t>
      stack;  // what every thread finds from its stack pointer to stack_top(); a multiple of 16 bytes

  // What may be an address, with the number of their argument: messages say which one a buffer is.
  struct Word {
    Address value = 0;
    std::uint32_t argument = 0;
  };
  std::vector<Word> words;
};

// End of a thread's stack.
[[nodiscard]] Address stack_top(const Config& config);

class ArgumentBuilder {
 public:
  struct Scalar {  // of an aggregate
    std::uint32_t offset = 0, bytes = 0;
    bool is_float = false;
  };
  struct Aggregate {
    std::uint32_t bytes = 0, alignment = 1;
    std::vector<Scalar> scalars;  // all of them, in order, arrays element by element
    bool by_reference = false;    // however small: a C++ class with a copy constructor or destructor of its own
  };

  // register_bytes: 4 for RV32, 8 for RV64.
  explicit ArgumentBuilder(Address stack_top, unsigned register_bytes = 4)
      : top_(stack_top),
        register_bytes_(register_bytes) {}

  void add_word(std::uint32_t value);  // an integer of 32 bits, or a smaller one extended by its sign
  void add_float(std::uint32_t bits);
  void add_double(std::uint64_t bits);
  void add_doubleword(std::uint64_t value);
  void add_aggregate(const std::uint8_t* bytes, const Aggregate& type);
  [[nodiscard]] KernelArguments finish();

 private:
  [[nodiscard]] bool wide() const { return register_bytes_ == 8; }
  void pass(std::uint64_t value);  // in a register, or on the stack
  void note(Address value);        // of the argument that comes next
  void push(std::uint64_t value, std::uint32_t alignment);
  [[nodiscard]] std::uint64_t register_at(const std::uint8_t* bytes, std::uint32_t count) const;
  void add_registers(const std::uint8_t* bytes, const Aggregate& type);
  [[nodiscard]] bool add_in_float_registers(const std::uint8_t* bytes, const Aggregate& type);

  Address top_;
  std::uint32_t register_bytes_;
  KernelArguments arguments_;
  std::uint32_t count_ = 0;           // of arguments
  std::vector<std::uint8_t> passed_;  // on the stack
  std::vector<std::uint8_t> copies_;  // above them; the last byte is the one below top_
};

}  // namespace heddle
