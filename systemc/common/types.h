// SPDX-License-Identifier: Apache-2.0
// What all SystemC twins share: bit helpers, the fields of an instruction bundle, and the one place that turns a
// module's reset() and step() into a clocked process.
//
// HEDDLE_SYNTHESIS is defined when a synthesis compiler or the subset lint reads the twins. It selects SC_CTHREADs and
// loops in place of clocked SC_METHODs and compiler built-ins, and removes everything that only observes.
#pragma once

#include <cassert>
#include <cstdint>
#include <systemc>

// In the class: the body of the clocked process. In the constructor: its registration. Clock clk_i, asynchronous reset
// rst_ni.
#ifdef HEDDLE_SYNTHESIS
#define HEDDLE_CLOCKED_BODY() \
  void clocked() {            \
    reset();                  \
    wait();                   \
    while (true) {            \
      step();                 \
      wait();                 \
    }                         \
  }
#define HEDDLE_CLOCKED_PROCESS()    \
  SC_CTHREAD(clocked, clk_i.pos()); \
  async_reset_signal_is(rst_ni, false)
#define HEDDLE_EXPECT(condition)
#else
#define HEDDLE_CLOCKED_BODY() \
  void clocked() {            \
    if (rst_ni.read()) {      \
      step();                 \
    } else {                  \
      reset();                \
    }                         \
  }
#define HEDDLE_CLOCKED_PROCESS()            \
  SC_METHOD(clocked);                       \
  sensitive << clk_i.pos() << rst_ni.neg(); \
  dont_initialize()
// A condition that the caller of a module must keep ("asserted" in docs/frontend.md). Off with NDEBUG.
#define HEDDLE_EXPECT(condition) assert(condition)
#endif

namespace heddle {

// Pins and state: a set of N (bit = index) and a number of N bits, N in 1..64 and 1..32. As wide as the RTL's for
// synthesis, a word of the machine in simulation; code that computes with them takes std::uint64_t and std::uint32_t.
#ifdef HEDDLE_SYNTHESIS
template <unsigned N>
using Mask = sc_dt::sc_uint<static_cast<int>(N)>;
template <unsigned N>
using Number = sc_dt::sc_uint<static_cast<int>(N)>;
#else
template <unsigned N>
using Mask = std::uint64_t;
template <unsigned N>
using Number = std::uint32_t;
#endif

// Bits needed to count 0..n-1, at least 1.
[[nodiscard]] constexpr unsigned index_width(unsigned n) {
  unsigned width = 1;
  for (unsigned i = 1; i < 32; ++i) {
    if ((1ull << i) < n) width = i + 1;
  }
  return width;
}

[[nodiscard]] constexpr std::uint64_t bit_of(std::uint32_t index) { return std::uint64_t{1} << index; }
[[nodiscard]] constexpr bool has_bit(std::uint64_t word, std::uint32_t index) { return ((word >> index) & 1u) != 0; }

// `word` with bit `index` set to `value`.
[[nodiscard]] constexpr std::uint64_t with_bit(std::uint64_t word, std::uint32_t index, bool value) {
  return (word & ~bit_of(index)) | (static_cast<std::uint64_t>(value) << index);
}

// Bits 0..n-1, n in 0..64.
[[nodiscard]] constexpr std::uint64_t low_bits(unsigned n) { return n >= 64 ? ~std::uint64_t{0} : bit_of(n & 63u) - 1; }

// Number of the lowest set bit; `word` is not 0.
[[nodiscard]] inline std::uint32_t lowest_bit(std::uint64_t word) {
#ifdef HEDDLE_SYNTHESIS
  std::uint32_t index = 0;
  for (int i = 63; i >= 0; --i) {
    if (((word >> i) & 1u) != 0) index = static_cast<std::uint32_t>(i);
  }
  return index;
#else
  return static_cast<std::uint32_t>(__builtin_ctzll(word));
#endif
}

// One more than the number of the highest set bit, 0 if there is none.
[[nodiscard]] inline std::uint32_t count_to_highest(std::uint64_t word) {
#ifdef HEDDLE_SYNTHESIS
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < 64; ++i) {
    if (((word >> i) & 1u) != 0) count = i + 1;
  }
  return count;
#else
  return word != 0 ? 64 - static_cast<std::uint32_t>(__builtin_clzll(word)) : 0;
#endif
}

[[nodiscard]] constexpr bool at_most_one(std::uint64_t word) { return (word & (word - 1)) == 0; }

// Warp and slot of path slot*NumWarps + warp.
template <unsigned NumWarps>
[[nodiscard]] constexpr std::uint32_t warp_of_path(std::uint32_t path) {
  return path % NumWarps;
}
template <unsigned NumWarps>
[[nodiscard]] constexpr std::uint32_t slot_of_path(std::uint32_t path) {
  return path / NumWarps;
}

// State that a slot takes: nothing with one.
[[nodiscard]] constexpr unsigned slot_state_bits(unsigned slots) { return slots == 1 ? 0 : index_width(slots); }

// Number of set bits.
[[nodiscard]] inline std::uint32_t count_bits(std::uint64_t word) {
#ifdef HEDDLE_SYNTHESIS
  std::uint32_t count = 0;
  for (int i = 0; i < 64; ++i) count += static_cast<std::uint32_t>((word >> i) & 1u);
  return count;
#else
  return static_cast<std::uint32_t>(__builtin_popcountll(word));
#endif
}

// Bytes of an instruction: an odd PC is none.
[[nodiscard]] constexpr bool is_pc_step(unsigned step) { return step >= 2 && (step & (step - 1)) == 0; }

// The instruction bundle of docs/frontend.md, 30 bits.
constexpr unsigned kInstrWidth = 30;
constexpr unsigned kRegWidth = 6;
constexpr unsigned kNamesWidth = 4 * kRegWidth;
constexpr std::uint32_t kUnitCodes = 5;
constexpr std::uint32_t kUnitCodeSfu = 3;
constexpr std::uint32_t kUnitCodeLsu = 4;

[[nodiscard]] constexpr std::uint32_t bundle_rd(std::uint64_t bundle) {
  return static_cast<std::uint32_t>(bundle & 63u);
}
[[nodiscard]] constexpr std::uint32_t bundle_names(std::uint64_t bundle) {  // {rs3, rs2, rs1, rd}, 24 bits
  return static_cast<std::uint32_t>(bundle & 0xffffffu);
}
[[nodiscard]] constexpr std::uint32_t bundle_unit(std::uint64_t bundle) {
  return static_cast<std::uint32_t>((bundle >> 24) & 7u);
}
[[nodiscard]] constexpr bool bundle_control(std::uint64_t bundle) { return has_bit(bundle, 27); }
[[nodiscard]] constexpr bool bundle_barrier(std::uint64_t bundle) { return has_bit(bundle, 28); }
[[nodiscard]] constexpr bool bundle_jump(std::uint64_t bundle) { return has_bit(bundle, 29); }

// What a control instruction says to a mechanism that reads it (resolve_kind_i); the other codes are free.
constexpr unsigned kKindWidth = 4;
constexpr std::uint32_t kMarkNone = 0;
constexpr std::uint32_t kMarkFork = 1;
constexpr std::uint32_t kMarkPush = 2;
constexpr std::uint32_t kMarkPop = 3;
constexpr std::uint32_t kMarkDivide = 4;
constexpr std::uint32_t kMarkOnce = 5;
constexpr std::uint32_t kMarkArm = 6;
constexpr std::uint32_t kMarkArrive = 7;
constexpr std::uint32_t kMarkBreak = 8;
constexpr std::uint32_t kMarkYield = 9;
constexpr std::uint32_t kMarkSync = 10;
constexpr std::uint32_t kMarkSave = 11;
constexpr std::uint32_t kMarkSavePc = 12;
constexpr std::uint32_t kMarkRestore = 13;

// What a mechanism tells (event_code_o).
constexpr unsigned kEventWidth = 3;
constexpr std::uint32_t kEventStuck = 1;
constexpr std::uint32_t kEventArmed = 2;
constexpr std::uint32_t kEventMixed = 3;
constexpr std::uint32_t kEventMoved = 4;

// The set of registers (bit = 6-bit name) that a query {rs3, rs2, rs1, rd} names; name 0 is none.
[[nodiscard]] constexpr std::uint64_t name_set(std::uint32_t names) {
  return (bit_of(names & 63u) | bit_of((names >> 6) & 63u) | bit_of((names >> 12) & 63u) |
          bit_of((names >> 18) & 63u)) &
         ~std::uint64_t{1};
}

}  // namespace heddle
