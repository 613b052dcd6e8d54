// SPDX-License-Identifier: Apache-2.0
#include "cli/raw_kernel.h"

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <limits>

#include "cli/output.h"
#include "heddle/error.h"
#include "isa/program.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMaxBuffer = std::uint64_t{1} << 30;  // address range of the heap

constexpr const char* kArgumentForms = "u32:N, i32:N, f32:X, in:FILE, out:FILE:BYTES, inout:FILE:OUT or zero:BYTES";

Error bad_argument(const std::string& text, const std::string& why) { return bad_input("option", "--arg " + text + ": " + why); }

bool parse_integer(const std::string& text, std::int64_t min, std::int64_t max, std::int64_t& value) {
  const bool negative = !text.empty() && text[0] == '-';
  std::size_t at = negative ? 1 : 0;
  int base = 10;
  if (text.compare(at, 2, "0x") == 0 || text.compare(at, 2, "0X") == 0) {
    base = 16;
    at += 2;
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), magnitude, base);
  if (error != std::errc{} || end != text.data() + text.size() || magnitude > std::uint64_t{1} << 32) return false;
  value = negative ? -static_cast<std::int64_t>(magnitude) : static_cast<std::int64_t>(magnitude);
  return value >= min && value <= max;
}

Dim3 parse_dim(const std::string& text, const char* option) {
  std::uint32_t size[3] = {1, 1, 1};
  std::size_t begin = 0;
  unsigned count = 0;
  for (;; ++count) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    std::int64_t value = 0;
    if (count == 3 || !parse_integer(text.substr(begin, comma - begin), 1, std::numeric_limits<std::uint32_t>::max(), value)) {
      throw bad_input("option", std::string(option) + " " + text + ": write one to three sizes of at least 1, for example 64,2,1");
    }
    size[count] = static_cast<std::uint32_t>(value);
    if (comma == text.size()) break;
    begin = comma + 1;
  }
  return {size[0], size[1], size[2]};
}

std::vector<std::uint8_t> read_all(const std::string& path, const std::string& argument) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw bad_argument(argument, path + " cannot be read (" + std::strerror(errno) + "); name a readable file");
  std::vector<std::uint8_t> content((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (content.empty()) throw bad_argument(argument, path + " holds no data; name a file that is not empty");
  if (content.size() > kMaxBuffer) throw bad_argument(argument, path + " is larger than the device's heap can be (1 GiB)");
  return content;
}

std::vector<std::uint8_t> zeros(const std::string& bytes, const std::string& argument) {
  std::int64_t count = 0;
  if (!parse_integer(bytes, 1, static_cast<std::int64_t>(kMaxBuffer), count)) {
    throw bad_argument(argument, "'" + bytes + "' is not a number of bytes from 1 to 1073741824");
  }
  return std::vector<std::uint8_t>(static_cast<std::size_t>(count));
}

}  // namespace

RawKernel::RawKernel(std::string kernel, const std::string& grid, const std::string& block, const std::vector<std::string>& arguments)
    : kernel_(std::move(kernel)), grid_(parse_dim(grid, "--grid")), block_(parse_dim(block, "--block")) {
  for (const std::string& argument : arguments) parse_argument(argument);
}

void RawKernel::parse_argument(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) throw bad_argument(text, std::string("no ':' in it; write ") + kArgumentForms);
  const std::string kind = text.substr(0, colon);
  const std::string value = text.substr(colon + 1);
  const std::size_t index = arguments_.size();
  arguments_.push_back(0);

  if (kind == "u32" || kind == "i32") {
    const bool is_signed = kind == "i32";
    const std::int64_t min = is_signed ? std::numeric_limits<std::int32_t>::min() : 0;
    const std::int64_t max = is_signed ? std::numeric_limits<std::int32_t>::max() : std::numeric_limits<std::uint32_t>::max();
    std::int64_t number = 0;
    if (!parse_integer(value, min, max, number)) {
      throw bad_argument(text, "'" + value + "' is not a whole number from " + std::to_string(min) + " to " + std::to_string(max));
    }
    arguments_[index] = static_cast<std::uint32_t>(number);
    return;
  }
  if (kind == "f32") {
    char* end = nullptr;
    const float number = std::strtof(value.c_str(), &end);
    if (value.empty() || *end != '\0') throw bad_argument(text, "'" + value + "' is not a number");
    std::memcpy(&arguments_[index], &number, sizeof number);
    float_mask_ |= std::uint32_t{1} << (index & 31);
    return;
  }
  if (kind == "in") {
    buffers_.push_back({read_all(value, text), "", index});
    return;
  }
  if (kind == "zero") {
    buffers_.push_back({zeros(value, text), "", index});
    return;
  }
  if (kind == "out" || kind == "inout") {
    const std::size_t last = value.rfind(':');
    if (last == std::string::npos || last == 0 || last + 1 == value.size()) {
      throw bad_argument(text, kind == "out" ? "write out:FILE:BYTES" : "write inout:FILE:OUT");
    }
    const std::string first = value.substr(0, last);
    const std::string second = value.substr(last + 1);
    if (kind == "out") {
      buffers_.push_back({zeros(second, text), first, index});
    } else {
      buffers_.push_back({read_all(first, text), second, index});
    }
    return;
  }
  throw bad_argument(text, "'" + kind + "' is no kind of argument; write " + kArgumentForms);
}

std::vector<std::string> RawKernel::outputs() const {
  std::vector<std::string> files;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.output.empty()) files.push_back(buffer.output);
  }
  return files;
}

void RawKernel::run(DeviceInterface& device, const Program& program) {
  if (kernel_.empty()) {
    if (program.kernels.size() != 1) {
      std::string names;
      for (const Kernel& kernel : program.kernels) names += (names.empty() ? "" : ", ") + kernel.name;
      throw bad_input("kernel", program.path + " has several kernels; choose one with --kernel: " + names);
    }
    kernel_ = program.kernels.front().name;
  }
  for (Buffer& buffer : buffers_) {
    const auto bytes = static_cast<std::uint32_t>(buffer.content.size());
    buffer.address = device.allocate(bytes);
    device.write(buffer.address, buffer.content.data(), bytes);
    arguments_[buffer.argument] = buffer.address;
  }
  device.launch(kernel_, grid_, block_, arguments_, float_mask_);
  for (Buffer& buffer : buffers_) {
    if (!buffer.output.empty()) device.read(buffer.address, buffer.content.data(), static_cast<std::uint32_t>(buffer.content.size()));
  }
}

void RawKernel::write_results(OutputFailures& failures) const {
  for (const Buffer& buffer : buffers_) {
    if (buffer.output.empty()) continue;
    failures.attempt([&] { write_file(buffer.output, std::string(buffer.content.begin(), buffer.content.end())); });
  }
}

}  // namespace heddle
