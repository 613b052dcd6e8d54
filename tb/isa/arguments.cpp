// SPDX-License-Identifier: Apache-2.0
#include "heddle/arguments.h"

#include <algorithm>
#include <cstring>

#include "isa/launch.h"

namespace heddle {
namespace {

constexpr std::uint32_t kStackAlignment = 16;

// A single in a register of 64 bits.
std::uint64_t boxed(std::uint64_t bits) { return 0xFFFFFFFF00000000u | bits; }

}  // namespace

Address stack_top(const Config& config) { return kLocalBase + (config.memory.local_bytes & ~(kStackAlignment - 1)); }

void ArgumentBuilder::push(std::uint64_t value, std::uint32_t alignment) {
  passed_.resize(round_up(passed_.size(), alignment));
  for (unsigned i = 0; i < register_bytes_; ++i) passed_.push_back(static_cast<std::uint8_t>(value >> 8 * i));
}

void ArgumentBuilder::note(Address value) { arguments_.words.push_back({value, count_}); }

void ArgumentBuilder::pass(std::uint64_t value) {
  if (arguments_.integers.size() < kArgumentRegisters) arguments_.integers.push_back(value);
  else push(value, register_bytes_);
}

void ArgumentBuilder::add_word(std::uint32_t value) {
  if (wide()) {
    pass(static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(value)}));
  } else {
    note(value);
    pass(value);
  }
  ++count_;
}

void ArgumentBuilder::add_float(std::uint32_t bits) {
  if (arguments_.floats.size() < kArgumentRegisters) arguments_.floats.push_back(wide() ? boxed(bits) : bits);
  else pass(bits);
  ++count_;
}

void ArgumentBuilder::add_double(std::uint64_t bits) {
  if (!wide()) return add_doubleword(bits);
  if (arguments_.floats.size() < kArgumentRegisters) arguments_.floats.push_back(bits);
  else pass(bits);
  ++count_;
}

// With registers of 32 bits two, the last one and the stack, or aligned on the stack.
void ArgumentBuilder::add_doubleword(std::uint64_t value) {
  if (wide()) {
    note(value);
    pass(value);
  } else {
    const std::uint64_t low = value & 0xFFFFFFFFu;
    if (arguments_.integers.size() < kArgumentRegisters) pass(low);
    else push(low, 8);
    pass(value >> 32);
  }
  ++count_;
}

std::uint64_t ArgumentBuilder::register_at(const std::uint8_t* bytes, std::uint32_t count) const {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes, std::min(count, register_bytes_));
  return value;
}

// One float, two, or one and an integer: each in a register of its kind, if there are enough.
bool ArgumentBuilder::add_in_float_registers(const std::uint8_t* bytes, const Aggregate& type) {
  const auto& scalars = type.scalars;
  if (scalars.empty() || scalars.size() > 2) return false;
  std::size_t floats = 0, integers = 0;
  for (const Scalar& s : scalars) {
    if (s.bytes > register_bytes_) return false;
    ++(s.is_float ? floats : integers);
  }
  if (floats == 0 || arguments_.floats.size() + floats > kArgumentRegisters ||
      arguments_.integers.size() + integers > kArgumentRegisters)
    return false;
  for (const Scalar& s : scalars) {
    const std::uint64_t value = register_at(bytes + s.offset, s.bytes);
    if (s.is_float) arguments_.floats.push_back(wide() && s.bytes == 4 ? boxed(value) : value);
    else arguments_.integers.push_back(value);
  }
  return true;
}

void ArgumentBuilder::add_registers(const std::uint8_t* bytes, const Aggregate& type) {
  const std::uint64_t low = register_at(bytes, type.bytes);
  if (type.bytes <= register_bytes_) return pass(low);
  const std::uint64_t high = register_at(bytes + register_bytes_, type.bytes - register_bytes_);
  if (arguments_.integers.size() < kArgumentRegisters) pass(low);
  else push(low, std::max(register_bytes_, std::min(2 * register_bytes_, type.alignment)));
  pass(high);
}

void ArgumentBuilder::add_aggregate(const std::uint8_t* bytes, const Aggregate& type) {
  for (const Scalar& s : type.scalars) {
    if (!s.is_float && s.bytes == register_bytes_) note(register_at(bytes + s.offset, s.bytes));
  }
  ++count_;
  if (!type.by_reference && type.scalars.empty()) return;  // an empty class is not passed
  if (!type.by_reference && type.bytes <= 2 * register_bytes_) {
    if (!add_in_float_registers(bytes, type)) add_registers(bytes, type);
    return;
  }
  // Copies grow down from the top: the front of copies_ is the lowest one.
  const std::uint32_t end =
      round_up(copies_.size() + type.bytes, std::max(register_bytes_, std::min(kStackAlignment, type.alignment)));
  copies_.insert(copies_.begin(), end - copies_.size(), 0);
  std::copy_n(bytes, type.bytes, copies_.begin());
  pass(top_ - end);
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
