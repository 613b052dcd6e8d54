// SPDX-License-Identifier: Apache-2.0
#include "heddle/data_type.h"

#include <fmt/format.h>
#include <cstring>

#include "heddle/error.h"

namespace heddle {
namespace {

[[noreturn]] void refuse(const DataType& type, const std::string& what, const std::string& why) {
  throw bad_input("kernel", fmt::format("{} ({}): {}", what, type.name, why));
}

std::uint64_t read_integer(const std::uint8_t* from, std::uint32_t bytes, bool is_signed) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  if (is_signed && bytes < 8 && (value >> (8 * bytes - 1) & 1) != 0) value |= ~std::uint64_t{0} << 8 * bytes;
  return value;
}

void add_scalars(const DataType& type, std::uint32_t offset, std::vector<ArgumentBuilder::Scalar>& scalars) {
  constexpr std::size_t kEnough = 3;  // more than two are passed as words
  if (scalars.size() >= kEnough) return;
  switch (type.kind) {
    case DataType::Kind::kAggregate:
      for (const DataType::Member& m : type.members) add_scalars(*m.type, offset + m.device_offset, scalars);
      break;
    case DataType::Kind::kArray:
      for (std::uint32_t i = 0; i < type.count && scalars.size() < kEnough; ++i)
        add_scalars(*type.element, offset + i * type.element->device.bytes, scalars);
      break;
    default: scalars.push_back({offset, type.device.bytes, type.kind == DataType::Kind::kFloat});
  }
}

}  // namespace

void to_device(const DataType& type, const std::uint8_t* host, std::uint8_t* device, const std::string& what,
               const ConvertPointer& pointer) {
  if (!type.problem.empty()) refuse(type, what, type.problem);
  if (type.same && type.kind != DataType::Kind::kPointer) {
    std::memcpy(device, host, type.device.bytes);
    return;
  }
  switch (type.kind) {
    case DataType::Kind::kInteger: {
      const std::uint64_t value = read_integer(host, type.host.bytes, type.is_signed);
      std::memcpy(device, &value, type.device.bytes);
      if (read_integer(device, type.device.bytes, type.is_signed) != value) {
        refuse(type, what,
               fmt::format("the value {} does not fit into the {} bytes that it has in a kernel",
                           static_cast<std::int64_t>(value), type.device.bytes));
      }
      break;
    }
    case DataType::Kind::kPointer: {
      const std::uint64_t address = pointer(type, read_integer(host, 8, false));
      std::memcpy(device, &address, type.device.bytes);
      break;
    }
    case DataType::Kind::kAggregate:
      std::memset(device, 0, type.device.bytes);
      for (const DataType::Member& m : type.members)
        to_device(*m.type, host + m.host_offset, device + m.device_offset, what + "." + m.name, pointer);
      break;
    case DataType::Kind::kArray:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        to_device(*type.element, host + std::size_t{i} * type.element->host.bytes,
                  device + std::size_t{i} * type.element->device.bytes, what, pointer);
      }
      break;
    default: refuse(type, what, "a type that cannot be passed");
  }
}

void to_host(const DataType& type, const std::uint8_t* device, std::uint8_t* host, const std::string& what) {
  if (!type.problem.empty()) refuse(type, what, type.problem);
  if (type.same) {
    std::memcpy(host, device, type.host.bytes);
    return;
  }
  switch (type.kind) {
    case DataType::Kind::kInteger:
    case DataType::Kind::kPointer: {
      const std::uint64_t value = read_integer(device, type.device.bytes, type.is_signed);
      std::memcpy(host, &value, type.host.bytes);
      break;
    }
    case DataType::Kind::kAggregate:
      for (const DataType::Member& m : type.members)
        to_host(*m.type, device + m.device_offset, host + m.host_offset, what + "." + m.name);
      break;
    case DataType::Kind::kArray:
      for (std::uint32_t i = 0; i < type.count; ++i) {
        to_host(*type.element, device + std::size_t{i} * type.element->device.bytes,
                host + std::size_t{i} * type.element->host.bytes, what);
      }
      break;
    default: refuse(type, what, "a type that cannot be read");
  }
}

void add_argument(ArgumentBuilder& builder, const DataType& type, const std::uint8_t* host, const std::string& what,
                  const ConvertPointer& pointer) {
  std::vector<std::uint8_t> bytes(type.device.bytes);
  to_device(type, host, bytes.data(), what, pointer);
  if (type.kind == DataType::Kind::kAggregate) {
    ArgumentBuilder::Aggregate aggregate{type.device.bytes, type.device.alignment, {}, type.by_reference};
    add_scalars(type, 0, aggregate.scalars);
    builder.add_aggregate(bytes.data(), aggregate);
  } else if (type.kind == DataType::Kind::kFloat) {
    const std::uint64_t value = read_integer(bytes.data(), type.device.bytes, false);
    if (type.device.bytes == 8) builder.add_double(value);
    else builder.add_float(static_cast<std::uint32_t>(value));
  } else if (type.device.bytes == 8) {
    builder.add_doubleword(read_integer(bytes.data(), 8, false));
  } else {
    builder.add_word(static_cast<std::uint32_t>(read_integer(bytes.data(), type.device.bytes, type.is_signed)));
  }
}

}  // namespace heddle
