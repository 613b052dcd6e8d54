// SPDX-License-Identifier: Apache-2.0
#include "cli/raw_kernel.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <limits>
#include <map>
#include <set>

#include <fmt/format.h>

#include "cli/launch_script.h"
#include "cli/output.h"
#include "config/nearest.h"
#include "config/read_file.h"
#include "heddle/error.h"
#include "isa/program.h"
#include "program/loader.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMaxBuffer = std::uint64_t{1} << 30;  // address range of the heap
constexpr std::uint64_t kAlignment = 256;                     // of a buffer
constexpr std::size_t kMostArguments = 32;                    // bits of a mask

constexpr const char* kArgumentForms =
    "u32:N, i32:N, f32:X, u64:N, i64:N, f64:X, addr:N, in:FILE, out:FILE:BYTES, inout:FILE:OUT or zero:BYTES";
constexpr const char* kBufferForms = "in:FILE, out:FILE:BYTES, inout:FILE:OUT or zero:BYTES";

Error bad_argument(const std::string& place, const std::string& why) { return bad_input("option", place + ": " + why); }

__extension__ using Number = __int128;

bool parse_integer(const std::string& text, Number min, Number max, Number& value) {
  const bool negative = !text.empty() && text[0] == '-';
  std::size_t at = negative ? 1 : 0;
  int base = 10;
  if (text.compare(at, 2, "0x") == 0 || text.compare(at, 2, "0X") == 0) {
    base = 16;
    at += 2;
  }
  std::uint64_t magnitude = 0;
  const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), magnitude, base);
  if (error != std::errc{} || end != text.data() + text.size()) return false;
  value = negative ? -static_cast<Number>(magnitude) : static_cast<Number>(magnitude);
  return value >= min && value <= max;
}

Dim3 parse_dim(const std::string& text, const std::string& option) {
  std::uint32_t size[3] = {1, 1, 1};
  std::size_t begin = 0;
  unsigned count = 0;
  for (;; ++count) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    Number value = 0;
    if (count == 3 ||
        !parse_integer(text.substr(begin, comma - begin), 1, std::numeric_limits<std::uint32_t>::max(), value)) {
      throw bad_input("option", option + " " + text + ": write one to three sizes of at least 1, for example 64,2,1");
    }
    size[count] = static_cast<std::uint32_t>(value);
    if (comma == text.size()) break;
    begin = comma + 1;
  }
  return {size[0], size[1], size[2]};
}

std::uint32_t parse_shared(const std::string& text, const std::string& option) {
  Number bytes = 0;
  if (!parse_integer(text, 0, std::numeric_limits<std::uint32_t>::max(), bytes)) {
    throw bad_input("option", option + text + ": write a number of bytes");
  }
  return static_cast<std::uint32_t>(bytes);
}

// Whole, finite text of a number, which `parse` reads.
template <typename Float>
Float parse_number(const std::string& value, const std::string& argument, Float (*parse)(const char*, char**),
                   const char* largest, const char* smallest) {
  const bool begins = !value.empty() && std::isspace(static_cast<unsigned char>(value[0])) == 0;
  char* end = nullptr;
  errno = 0;
  const Float number = parse(value.c_str(), &end);
  if (!begins || *end != '\0' || end != value.c_str() + value.size())
    throw bad_argument(argument, "'" + value + "' is not a number");
  if (errno == ERANGE && std::isinf(number)) throw bad_argument(argument, "'" + value + "' is beyond " + largest);
  if (errno == ERANGE && number == 0) throw bad_argument(argument, "'" + value + "' is nearer to 0 than " + smallest);
  return number;
}

std::string spelled(const Parameter& parameter) {
  return parameter.type + (parameter.name.empty() ? "" : " " + parameter.name);
}

std::string parameter_name(const std::string& kernel, std::size_t index, const Parameter& parameter) {
  return fmt::format("kernel {}, parameter {}{} ({})", kernel, index + 1,
                     parameter.name.empty() ? "" : " '" + parameter.name + "'", parameter.type);
}

// What --arg can give it.
std::string form_of(const Parameter& parameter) {
  switch (parameter.kind) {
    case Parameter::Kind::kBool: return "u32:0 or u32:1";
    case Parameter::Kind::kInteger:
      return std::string(parameter.is_signed ? "i" : "u") + (parameter.bytes == 8 ? "64:N" : "32:N");
    case Parameter::Kind::kFloat: return parameter.bytes == 8 ? "f64:X" : "f32:X";
    case Parameter::Kind::kPointer: return kBufferForms;
    case Parameter::Kind::kOther: break;
  }
  return "";
}

// A value as the calling convention passes it: widened by the type's sign.
bool convert(const Parameter& parameter, Number number, std::uint64_t& word) {
  word = static_cast<std::uint64_t>(number);
  if (parameter.kind == Parameter::Kind::kBool) return number == 0 || number == 1;
  const unsigned bits = parameter.bytes * 8;
  if (number < -(Number{1} << (bits - 1)) || number >= Number{1} << bits) return false;
  const unsigned shift = 64 - bits;
  word = parameter.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(word << shift) >> shift)
                             : word << shift >> shift;
  return true;
}

// Once for a program, however often it runs.
void note_unchecked(const Program& program, const std::string& kernel) {
  static std::set<std::string> noted;
  if (!noted.insert(program.path + '\0' + kernel).second) return;
  const std::string name = program.path + " does not say what kernel " + kernel;
  std::cerr << "heddle: note: " << one_line(name) << " takes (no debug information): its arguments are not checked\n";
}

}  // namespace

RawKernel::RawKernel(RawLaunch launch, std::uint64_t heap_bytes)
    : launch_(std::move(launch)),
      heap_bytes_(heap_bytes),
      heap_left_(heap_bytes) {
  if (!launch_.script.empty()) {
    read_script();
  } else {
    Step step{launch_.kernel, parse_dim(launch_.grid, "--grid"), parse_dim(launch_.block, "--block"), 0, {}, "",
              "--arg "};
    if (!launch_.shared.empty()) step.shared = parse_shared(launch_.shared, "--shared ");
    for (const std::string& argument : launch_.arguments)
      step.arguments.push_back(parse_argument(argument, "--arg " + argument));
    steps_.push_back(std::move(step));
    order_.push_back(0);
  }
  for (const std::string& symbol : launch_.symbols) parse_symbol(symbol);
  for (const std::string& expected : launch_.expected) parse_expected(expected);
}

void RawKernel::read_script() {
  const LaunchScript script = read_launch_script(launch_.script);
  std::map<std::string, Argument> named;
  for (const LaunchScript::Buffer& buffer : script.buffers) {
    const Argument argument = parse_argument(buffer.text, buffer.place + ": " + buffer.text);
    if (argument.kind != Argument::Kind::kBuffer)
      throw bad_argument(argument.place, std::string("is no buffer; write ") + kBufferForms);
    named.emplace(buffer.name, argument);
  }
  for (const LaunchScript::Launch& launch : script.launches) {
    const std::string place = launch.place + ": ";
    Step step{launch.kernel,
              parse_dim(launch.grid, place + "grid"),
              parse_dim(launch.block, place + "block"),
              0,
              {},
              place,
              ""};
    if (!launch.shared.empty()) step.shared = parse_shared(launch.shared, place + "shared:");
    for (const std::string& text : launch.arguments) {
      const auto buffer = named.find(text);
      if (buffer == named.end() && text.find(':') == std::string::npos) {
        throw bad_argument(place + text, std::string("no buffer of that name above it; write buffer ") + text +
                                             " ..., or one of " + kArgumentForms);
      }
      step.arguments.push_back(buffer == named.end() ? parse_argument(text, place + text) : buffer->second);
    }
    steps_.push_back(std::move(step));
  }
  order_ = script.order;
}

// NAME=FILE
void RawKernel::parse_symbol(const std::string& text) {
  const std::string place = "--symbol " + text;
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) throw bad_argument(place, "write NAME=FILE");
  Symbol symbol{place, text.substr(0, equals), {}};
  for (const Symbol& other : symbols_) {
    if (other.name == symbol.name) throw bad_argument(place, "variable " + symbol.name + " is set twice; set it once");
  }
  const std::string file = text.substr(equals + 1);
  FileContent content = read_file(file, kMaxBuffer);
  if (!content.error.empty())
    throw bad_argument(place, file + " cannot be read (" + content.error + "); name a readable file");
  symbol.content = std::move(content.bytes);
  symbols_.push_back(std::move(symbol));
}

void RawKernel::find_symbol(const Program& program, Symbol& symbol) const {
  const Variable* const variable = program.variable(symbol.name);
  if (variable == nullptr) {
    std::vector<std::string> names;
    for (const Variable& v : program.variables) names.push_back(readable_name(v.name));
    throw bad_input("symbol", fmt::format("{}: {} has no variable of that name in global memory, or several{}",
                                          symbol.place, program.path, did_you_mean(symbol.name, names)));
  }
  if (variable->bytes != symbol.content.size()) {
    throw bad_input("symbol", fmt::format("{}: the file has {} bytes, the variable {}", symbol.place,
                                          symbol.content.size(), variable->bytes));
  }
  symbol.address = variable->address;
}

Error RawKernel::no_room(const std::string& argument) const {
  return bad_argument(
      argument,
      fmt::format("does not fit into the device's heap of {} bytes (memory.heap_bytes){}", heap_bytes_,
                  heap_left_ == heap_bytes_ ? std::string() : fmt::format(", of which {} are left", heap_left_)));
}

std::string RawKernel::read_input(const std::string& path, const std::string& argument) const {
  // A pipe can be read once only, but several runs may want it.
  static std::map<std::string, std::string> pipes;
  if (const auto known = pipes.find(path); known != pipes.end()) return known->second;
  FileContent content = read_file(path, heap_left_);
  if (!content.error.empty())
    throw bad_argument(argument, path + " cannot be read (" + content.error + "); name a readable file");
  if (content.more) throw no_room(argument);
  if (content.bytes.empty()) throw bad_argument(argument, path + " holds no data; name a file that is not empty");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) pipes.emplace(path, content.bytes);
  return std::move(content.bytes);
}

std::string RawKernel::zeros(const std::string& bytes, const std::string& argument) const {
  Number count = 0;
  if (!parse_integer(bytes, 1, kMaxBuffer, count)) {
    throw bad_argument(argument, "'" + bytes + "' is not a number of bytes from 1 to 1073741824");
  }
  if (static_cast<std::uint64_t>(count) > heap_left_) throw no_room(argument);
  return std::string(static_cast<std::size_t>(count), '\0');
}

RawKernel::Argument RawKernel::add_buffer(const std::string& place, std::string content, const std::string& output) {
  const std::uint64_t taken = (content.size() + kAlignment - 1) / kAlignment * kAlignment;
  if (taken > heap_left_) throw no_room(place);
  heap_left_ -= taken;
  buffers_.push_back({std::move(content), output});
  return {place, Argument::Kind::kBuffer, 0, 0, buffers_.size() - 1};
}

RawKernel::Argument RawKernel::parse_argument(const std::string& text, const std::string& place) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) throw bad_argument(place, std::string("no ':' in it; write ") + kArgumentForms);
  const std::string kind = text.substr(0, colon);
  const std::string value = text.substr(colon + 1);

  if (kind == "u32" || kind == "i32" || kind == "u64" || kind == "i64" || kind == "addr") {
    const bool is_signed = kind[0] == 'i', is_long = kind == "u64" || kind == "i64";
    const unsigned bits = is_long || kind == "addr" ? 64 : 32;
    const Number end = Number{1} << (is_signed ? bits - 1 : bits), min = is_signed ? -end : 0, max = end - 1;
    Number number = 0;
    if (!parse_integer(value, min, max, number))
      throw bad_argument(place, fmt::format("'{}' is not a whole number from {} to {}", value, min, max));
    const auto what = kind == "addr" ? Argument::Kind::kAddress : Argument::Kind::kInteger;
    const auto word = static_cast<std::uint64_t>(number);
    return {place, what, number, bits == 64 ? word : word & 0xFFFFFFFFu, 0, is_long};
  }
  if (kind == "f32" || kind == "f64") {
    Argument argument{place, Argument::Kind::kFloat};
    argument.is_long = kind == "f64";
    if (argument.is_long) {
      const double number = parse_number(value, place, std::strtod,
                                         "the largest double, 1.7976931348623157e+308; write f64:inf for infinity",
                                         "the smallest double, 4.9406564584124654e-324; write f64:0 for zero");
      std::memcpy(&argument.word, &number, sizeof number);
    } else {
      const float number =
          parse_number(value, place, std::strtof, "the largest float, 3.40282347e+38; write f32:inf for infinity",
                       "the smallest float, 1.40129846e-45; write f32:0 for zero");
      std::memcpy(&argument.word, &number, sizeof number);
    }
    return argument;
  }
  if (kind == "in") return add_buffer(place, read_input(value, place), "");
  if (kind == "zero") return add_buffer(place, zeros(value, place), "");
  if (kind == "out" || kind == "inout") {
    const std::size_t last = value.rfind(':');
    if (last == std::string::npos || last == 0 || last + 1 == value.size()) {
      throw bad_argument(place, kind == "out" ? "write out:FILE:BYTES" : "write inout:FILE:OUT");
    }
    const std::string first = value.substr(0, last);
    const std::string second = value.substr(last + 1);
    return kind == "out" ? add_buffer(place, zeros(second, place), first)
                         : add_buffer(place, read_input(first, place), second);
  }
  throw bad_argument(place, "'" + kind + "' is no kind of argument; write " + kArgumentForms);
}

// FILE=EXPECTED; there may be a '=' in either name, so FILE is what an --arg writes.
void RawKernel::parse_expected(const std::string& text) {
  const auto refuse = [&](const std::string& why) { return bad_input("option", "--expect " + text + ": " + why); };
  if (text.find('=') == std::string::npos)
    throw refuse("no '=' in it; write FILE=EXPECTED, where FILE is that of an --arg out: or inout:");
  for (std::size_t b = 0; b < buffers_.size(); ++b) {
    const Buffer& buffer = buffers_[b];
    const std::size_t length = buffer.output.size();
    if (length == 0 || text.compare(0, length + 1, buffer.output + "=") != 0) continue;
    for (const Expected& other : expected_) {
      if (other.buffer == b) throw refuse(buffer.output + " is compared with " + other.file + " already");
    }
    const std::string file = text.substr(length + 1);
    FileContent content = read_file(file, buffer.content.size());
    if (!content.error.empty()) throw refuse(file + " cannot be read (" + content.error + "); name a readable file");
    if (content.bytes.size() != buffer.content.size()) {
      throw refuse(fmt::format("{} has {}{} bytes, {} will have {}", file, content.more ? "more than " : "",
                               content.bytes.size() - (content.more ? 1 : 0), buffer.output, buffer.content.size()));
    }
    expected_.push_back({b, file, std::move(content.bytes)});
    return;
  }
  throw refuse("no --arg out: or inout: writes the file before the '='");
}

std::vector<std::string> RawKernel::outputs() const {
  std::vector<std::string> files;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.output.empty()) files.push_back(buffer.output);
  }
  return files;
}

void RawKernel::prepare(const Program& program) {
  for (Step& step : steps_) {
    if (step.kernel.empty()) {
      if (program.kernels.size() != 1) {
        std::string names;
        for (const Kernel& kernel : program.kernels) names += (names.empty() ? "" : ", ") + readable_name(kernel.name);
        throw bad_input("kernel", program.path + " has several kernels; choose one with --kernel: " + names);
      }
      step.kernel = program.kernels.front().name;
    }
    const Kernel& kernel = find_kernel(program, step.kernel);
    const std::string name = readable_name(kernel.name);
    if (step.arguments.size() > kMostArguments) {
      throw bad_input(
          "argument",
          fmt::format(
              "{}kernel {}: {} arguments are given, at most {} can be; the Python module and heddle-nvcc have no limit",
              step.place, name, step.arguments.size(), kMostArguments));
    }
    check_width(step, program, kernel.parameters.has_value());
    if (kernel.parameters) {
      check_arguments(step, name, *kernel.parameters, 8 * program.register_bytes());
    } else if (!launch_.quiet) {
      note_unchecked(program, name);
    }
  }
  for (Symbol& symbol : symbols_) find_symbol(program, symbol);
}

// What the program's registers hold, as far as that does not depend on the parameters; without these a 32-bit integer
// is extended as the calling convention has it.
void RawKernel::check_width(Step& step, const Program& program, bool typed) const {
  const bool wide = program.xlen == Xlen::k64;
  for (Argument& argument : step.arguments) {
    const bool is_float = argument.kind == Argument::Kind::kFloat, integer = argument.kind == Argument::Kind::kInteger;
    const bool large = argument.kind == Argument::Kind::kAddress && argument.number >> 32 != 0;
    if (!wide && (large || (argument.is_long && (!typed || is_float)))) {
      throw bad_input("argument", argument.place + ": does not fit into the 32-bit registers of " + program.path +
                                      ": compile it with heddle-cc --rv64");
    }
    if (wide && argument.is_long && is_float && !typed) {
      throw bad_input("argument", argument.place + ": " + program.path +
                                      " does not say whether the kernel takes a double: compile it with -g");
    }
    if (wide && integer && !argument.is_long)
      argument.word = static_cast<std::uint64_t>(std::int64_t{static_cast<std::int32_t>(argument.word)});
  }
}

void RawKernel::check_arguments(Step& step, const std::string& kernel, const std::vector<Parameter>& parameters,
                                unsigned register_bits) const {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].kind == Parameter::Kind::kOther) {
      throw bad_input(
          "argument",
          fmt::format(
              "{}{}: cannot be passed, only types of up to {} bits and pointers can; give the kernel a pointer to it",
              step.place, parameter_name(kernel, i, parameters[i]), register_bits));
    }
  }
  if (step.arguments.size() != parameters.size()) {
    std::string list;
    for (const Parameter& parameter : parameters) list += (list.empty() ? "" : ", ") + spelled(parameter);
    const std::size_t given = step.arguments.size();
    const std::string way_out = given < parameters.size()
                                    ? fmt::format("parameter {} ({}) has none: write {}{}", given + 1,
                                                  spelled(parameters[given]), step.option, form_of(parameters[given]))
                                    : fmt::format("leave out {}{}", step.arguments[parameters.size()].place,
                                                  given == parameters.size() + 1 ? "" : " and what follows");
    const std::string has = parameters.empty() ? "no parameters"
                                               : fmt::format("{} parameter{} ({})", parameters.size(),
                                                             parameters.size() == 1 ? "" : "s", list);
    throw bad_input("argument", fmt::format("{}kernel {} has {}, {} argument{} given: {}", step.place, kernel, has,
                                            given, given == 1 ? " is" : "s are", way_out));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Parameter& parameter = parameters[i];
    Argument& argument = step.arguments[i];
    const auto refuse = [&](const std::string& what) {
      return bad_input("argument",
                       fmt::format("{}: {} {}", parameter_name(kernel, i, parameter), argument.place, what));
    };
    const bool address = argument.kind == Argument::Kind::kBuffer || argument.kind == Argument::Kind::kAddress;
    switch (parameter.kind) {
      case Parameter::Kind::kFloat:
        if (argument.kind != Argument::Kind::kFloat)
          throw refuse(std::string(address ? "is an address" : "is a whole number") + "; write " + form_of(parameter));
        if (argument.is_long != (parameter.bytes == 8))
          throw refuse(std::string(argument.is_long ? "is a double" : "is a float") + "; write " + form_of(parameter));
        break;
      case Parameter::Kind::kPointer:
        if (argument.kind == Argument::Kind::kFloat) throw refuse(std::string("is a float; write ") + kBufferForms);
        if (argument.kind == Argument::Kind::kInteger && argument.number != 0) {
          throw refuse(
              fmt::format("is a number; write {}, or addr:{:#x} if it is an address", kBufferForms, argument.word));
        }
        break;
      default:
        if (argument.kind == Argument::Kind::kFloat) throw refuse("is a float; write " + form_of(parameter));
        if (address && !parameter.may_be_address) throw refuse("is an address; write " + form_of(parameter));
        if (argument.kind == Argument::Kind::kInteger && !convert(parameter, argument.number, argument.word)) {
          throw refuse(parameter.kind == Parameter::Kind::kBool
                           ? "is neither 0 nor 1"
                           : fmt::format("does not fit into {} bits", 8 * parameter.bytes));
        }
    }
  }
}

void RawKernel::run(DeviceInterface& device) {
  for (Buffer& buffer : buffers_) {
    buffer.address = device.allocate(buffer.content.size());
    device.write(buffer.address, buffer.content.data(), buffer.content.size());
  }
  for (const Symbol& symbol : symbols_) device.write(symbol.address, symbol.content.data(), symbol.content.size());
  for (const std::size_t number : order_) {
    const Step& step = steps_[number];
    std::vector<std::uint64_t> words;
    std::uint32_t float_mask = 0;
    for (const Argument& argument : step.arguments) {
      if (argument.kind == Argument::Kind::kFloat) float_mask |= std::uint32_t{1} << words.size();
      words.push_back(argument.kind == Argument::Kind::kBuffer ? buffers_[argument.buffer].address : argument.word);
    }
    device.launch(step.kernel, step.grid, step.block, words, float_mask, step.shared);
  }
  for (Buffer& buffer : buffers_) {
    if (!buffer.output.empty()) device.read(buffer.address, buffer.content.data(), buffer.content.size());
  }
}

void RawKernel::write_results(OutputFailures& failures) const {
  for (const Buffer& buffer : buffers_) {
    if (buffer.output.empty()) continue;
    failures.attempt([&] { write_file(buffer.output, buffer.content); });
  }
}

void RawKernel::check_results() const {
  for (const Expected& expected : expected_) {
    const Buffer& buffer = buffers_[expected.buffer];
    const std::string& got = buffer.content;
    const std::string& want = expected.content;
    const auto [first, other] = std::mismatch(got.begin(), got.end(), want.begin());
    if (first == got.end()) continue;
    const auto at = static_cast<std::size_t>(first - got.begin());
    std::size_t differing = 0;
    for (std::size_t i = at; i < got.size(); ++i) differing += got[i] != want[i] ? 1 : 0;
    std::string word;
    const std::size_t begin = at & ~std::size_t{3};
    if (begin + 4 <= got.size()) {
      std::uint32_t a = 0, b = 0;
      std::memcpy(&a, &got[begin], sizeof a);
      std::memcpy(&b, &want[begin], sizeof b);
      word = fmt::format(" (word {}: {:#010x}, expected {:#010x})", begin / 4, a, b);
    }
    throw Error(
        ExitStatus::kWrongResult, "result",
        fmt::format("wrong result: {} differs from {} at byte {}: {:#04x}, expected {:#04x}{}; {} of {} bytes differ",
                    buffer.output, expected.file, at, static_cast<unsigned char>(*first),
                    static_cast<unsigned char>(*other), word, differing, got.size()));
  }
}

}  // namespace heddle
