// SPDX-License-Identifier: Apache-2.0
// Reading and writing the variables of a Verilated model, whatever type Verilator has given them.
#pragma once

#include <verilated.h>

#include <cstdint>

#include "heddle/types.h"

namespace heddle {

// Bits [low, low + width) of a vector, width at most 64.
template <class T>
std::uint64_t bits(const T& vector, unsigned low, unsigned width) {
  return (static_cast<std::uint64_t>(vector) >> low) & lane_mask(width);
}
template <std::size_t Words>
std::uint64_t bits(const VlWide<Words>& vector, unsigned low, unsigned width) {
  const unsigned word = low / 32, shift = low % 32;
  std::uint64_t value = vector[word] >> shift;
  if (shift + width > 32) value |= std::uint64_t{vector[word + 1]} << (32 - shift);
  if (shift + width > 64) value |= std::uint64_t{vector[word + 2]} << (64 - shift);
  return value & lane_mask(width);
}

// Field `index` of `Width` bits, of a packed or an unpacked array.
template <unsigned Width, class T>
std::uint16_t element(const T& vector, unsigned index) {
  return static_cast<std::uint16_t>(bits(vector, index * Width, Width));
}
template <unsigned Width, class T, std::size_t Count>
std::uint16_t element(const VlUnpacked<T, Count>& array, unsigned index) {
  return static_cast<std::uint16_t>(array[index]);
}

template <class T>
std::uint8_t flag(const T& vector, unsigned index) {
  return static_cast<std::uint8_t>(bits(vector, index, 1));
}

// Ports are references to words of the model.
template <class T>
void put(T& port, std::uint64_t value) {
  port = static_cast<T>(value);
}

// Bits [low, low + width) of a vector, width at most 64.
template <class T>
void put_bits(T& vector, unsigned low, unsigned width, std::uint64_t value) {
  const std::uint64_t mask = lane_mask(width) << low;
  vector = static_cast<T>((static_cast<std::uint64_t>(vector) & ~mask) | ((value << low) & mask));
}
template <std::size_t Words>
void put_bits(VlWide<Words>& vector, unsigned low, unsigned width, std::uint64_t value) {
  while (width != 0) {
    const unsigned shift = low % 32, part = width < 32 - shift ? width : 32 - shift;
    put_bits(vector[low / 32], shift, part, value);
    value = part < 64 ? value >> part : 0;
    low += part;
    width -= part;
  }
}

// A vector of `Count` fields of `Width` bits.
template <unsigned Width, unsigned Count, class T>
void put_fields(T& port, const std::uint16_t* fields) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < Count; ++i) value |= std::uint64_t{fields[i]} << (i * Width);
  port = static_cast<T>(value);
}
template <unsigned Width, unsigned Count, std::size_t Words>
void put_fields(VlWide<Words>& port, const std::uint16_t* fields) {
  std::uint64_t value = 0;
  unsigned filled = 0;
  std::size_t word = 0;
  for (unsigned i = 0; i < Count; ++i) {
    value |= std::uint64_t{fields[i]} << filled;
    filled += Width;
    if (filled >= 32) {
      port[word++] = static_cast<std::uint32_t>(value);
      value >>= 32;
      filled -= 32;
    }
  }
  if (filled != 0) port[word] = static_cast<std::uint32_t>(value);
}
template <unsigned Width, unsigned Count, class T>
void get_fields(const T& vector, std::uint16_t* fields) {
  for (unsigned i = 0; i < Count; ++i) fields[i] = static_cast<std::uint16_t>(bits(vector, i * Width, Width));
}

// The clock of a model whose logic acts at its rising edge falls: the variable in which Verilator 5.006 keeps its last
// level is all that this changes; where there is none of this name, the low level is evaluated.
template <class Model>
auto lower_clock(Model& model, int = 0) -> decltype(model.rootp->__Vtrigrprev__TOP__clk_i, void()) {
  model.clk_i = 0;
  model.rootp->__Vtrigrprev__TOP__clk_i = 0;
}
template <class Model, class... None>
void lower_clock(Model& model, None...) {
  model.clk_i = 0;
  model.eval();
}

}  // namespace heddle
