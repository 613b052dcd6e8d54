// SPDX-License-Identifier: Apache-2.0
#include "heddle/arguments.h"

#include <algorithm>
#include <cstring>

#include "isa/launch.h"

namespace heddle {
namespace {

constexpr std::uint32_t kStackAlignment = 16;

std::uint32_t round_up(std::size_t value, std::uint32_t unit) {
  return static_cast<std::uint32_t>((value + unit - 1) / unit * unit);
}

std::uint32_t word_at(const std::uint8_t* bytes, std::uint32_t count) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes, std::min<std::uint32_t>(count, 4));
  return word;
}

}  // namespace

Address stack_top(const Config& config) { return kLocalBase + (config.memory.local_bytes & ~(kStackAlignment - 1)); }

void ArgumentBuilder::push(std::uint32_t value, std::uint32_t alignment) {
  passed_.resize(round_up(passed_.size(), alignment));
  for (unsigned i = 0; i < 4; ++i) passed_.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

void ArgumentBuilder::note(std::uint32_t value) { arguments_.words.push_back({value, count_}); }

void ArgumentBuilder::pass_word(std::uint32_t value) {
  if (arguments_.integers.size() < kArgumentRegisters) arguments_.integers.push_back(value);
  else push(value, 4);
}

void ArgumentBuilder::add_word(std::uint32_t value) {
  note(value);
  pass_word(value);
  ++count_;
}

void ArgumentBuilder::add_float(std::uint32_t bits) {
  if (arguments_.floats.size() < kArgumentRegisters) arguments_.floats.push_back(bits);
  else pass_word(bits);
  ++count_;
}

// Two registers, the last one and the stack, or aligned on the stack.
void ArgumentBuilder::add_doubleword(std::uint64_t value) {
  const auto low = static_cast<std::uint32_t>(value), high = static_cast<std::uint32_t>(value >> 32);
  if (arguments_.integers.size() < kArgumentRegisters) pass_word(low);
  else push(low, 8);
  pass_word(high);
  ++count_;
}

// One float, two, or one and an integer: each in a register of its kind, if there are enough.
bool ArgumentBuilder::add_in_float_registers(const std::uint8_t* bytes, const Aggregate& type) {
  const auto& scalars = type.scalars;
  if (scalars.empty() || scalars.size() > 2) return false;
  std::size_t floats = 0, integers = 0;
  for (const Scalar& s : scalars) {
    if (s.bytes > 4) return false;
    ++(s.is_float ? floats : integers);
  }
  if (floats == 0 || arguments_.floats.size() + floats > kArgumentRegisters ||
      arguments_.integers.size() + integers > kArgumentRegisters)
    return false;
  for (const Scalar& s : scalars) {
    const std::uint32_t value = word_at(bytes + s.offset, s.bytes);
    if (s.is_float) arguments_.floats.push_back(value);
    else arguments_.integers.push_back(value);
  }
  return true;
}

void ArgumentBuilder::add_words(const std::uint8_t* bytes, const Aggregate& type) {
  const std::uint32_t low = word_at(bytes, type.bytes);
  if (type.bytes <= 4) return pass_word(low);
  const std::uint32_t high = word_at(bytes + 4, type.bytes - 4);
  if (arguments_.integers.size() < kArgumentRegisters) add_word(low);
  else push(low, std::max(4u, std::min(8u, type.alignment)));
  pass_word(high);
}

void ArgumentBuilder::add_aggregate(const std::uint8_t* bytes, const Aggregate& type) {
  for (const Scalar& s : type.scalars) {
    if (!s.is_float && s.bytes == 4) note(word_at(bytes + s.offset, 4));
  }
  ++count_;
  if (!type.by_reference && type.scalars.empty()) return;  // an empty class is not passed
  if (!type.by_reference && type.bytes <= 8) {
    if (!add_in_float_registers(bytes, type)) add_words(bytes, type);
    return;
  }
  // Copies grow down from the top: the front of copies_ is the lowest one.
  const std::uint32_t end =
      round_up(copies_.size() + type.bytes, std::max(4u, std::min(kStackAlignment, type.alignment)));
  copies_.insert(copies_.begin(), end - copies_.size(), 0);
  std::copy_n(bytes, type.bytes, copies_.begin());
  pass_word(static_cast<std::uint32_t>(top_ - end));
}

KernelArguments ArgumentBuilder::finish() {
  KernelArguments arguments = std::move(arguments_);
  arguments.stack = std::move(passed_);
  arguments.stack.resize(round_up(arguments.stack.size() + copies_.size(), kStackAlignment) - copies_.size());
  arguments.stack.insert(arguments.stack.end(), copies_.begin(), copies_.end());
  copies_.clear();
  return arguments;
}

}  // namespace heddle
