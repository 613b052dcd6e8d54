// SPDX-License-Identifier: Apache-2.0
#include "memory/print_call.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>

#include "memory/fault_text.h"

namespace heddle {
namespace {

constexpr std::int32_t kNoFormat = -1;

struct Stop {  // thrown where the text cannot go on
  WarpMemoryResult read;
};

// Bytes up to a zero, at most `most`.
WarpMemoryResult read_string(AddressSpace& memory, const Accessor& who, Address address, std::uint32_t most,
                             std::string& text) {
  for (std::uint32_t i = 0; i < most; ++i) {
    const std::uint8_t* host = memory.translate<false>(address + i, 1, who);
    if (host == nullptr) return {memory.diagnose(address + i, 1, false, who), who.lane, address + i};
    if (*host == 0) break;
    text.push_back(static_cast<char>(*host));
  }
  return {};
}

bool one_of(const char* set, char c) { return c != '\0' && std::strchr(set, c) != nullptr; }

// A conversion as it stands in the format.
struct Conversion {
  enum class Kind { kUnknown, kPercent, kSigned, kUnsigned, kFloat, kCharacter, kString, kPointer, kCount };

  Kind kind = Kind::kUnknown;
  std::string flags;              // each once
  int width = 0, precision = -1;  // -1: none
  bool star_width = false, star_precision = false;
  std::string length;
  char letter = '\0';
  std::size_t end = 0;  // in the format: behind it

  [[nodiscard]] unsigned arguments() const {
    if (kind == Kind::kUnknown || kind == Kind::kPercent) return 0;
    return 1u + (star_width ? 1u : 0u) + (star_precision ? 1u : 0u);
  }
};

int number_at(const std::string& format, std::size_t& at) {
  std::uint32_t number = 0;
  for (; one_of("0123456789", format[at]); ++at)
    number = number > kMostPrintField ? number : number * 10 + static_cast<std::uint32_t>(format[at] - '0');
  return static_cast<int>(number);
}

Conversion::Kind kind_of(char letter, const std::string& length) {
  using Kind = Conversion::Kind;
  if (letter == '%') return Kind::kPercent;
  if (letter == 'n') return Kind::kCount;
  if (length == "L") return Kind::kUnknown;
  if (one_of("di", letter)) return Kind::kSigned;
  if (one_of("ouxX", letter)) return Kind::kUnsigned;
  if (one_of("eEfFgGaA", letter)) return length.empty() || length == "l" ? Kind::kFloat : Kind::kUnknown;
  if (!length.empty()) return Kind::kUnknown;
  return letter == 'c'   ? Kind::kCharacter
         : letter == 's' ? Kind::kString
         : letter == 'p' ? Kind::kPointer
                         : Kind::kUnknown;
}

// at: behind the %.
Conversion conversion_at(const std::string& format, std::size_t at) {
  Conversion c;
  for (; one_of("-+ #0", format[at]); ++at) {
    if (c.flags.find(format[at]) == std::string::npos) c.flags.push_back(format[at]);
  }
  c.star_width = format[at] == '*';
  c.width = c.star_width ? 0 : number_at(format, at);
  if (c.star_width) ++at;
  if (format[at] == '.') {
    ++at;
    c.star_precision = format[at] == '*';
    c.precision = c.star_precision ? 0 : number_at(format, at);
    if (c.star_precision) ++at;
  }
  for (; one_of("hlqjztL", format[at]) && c.length.size() < 2; ++at) c.length.push_back(format[at]);
  if (c.length.size() == 2 && c.length != "hh" && c.length != "ll") c.length = "L";
  c.letter = format[at];
  if (c.letter != '\0') ++at;
  c.end = at;
  c.kind = kind_of(c.letter, c.length);
  return c;
}

class Printer {
 public:
  Printer(AddressSpace& memory, const Accessor& who, const PrintCall& call, std::string& text)
      : memory_(memory),
        who_(who),
        call_(call),
        next_(call.arguments),
        text_(text) {}

  void print(const std::string& format, std::size_t begin, Conversion& c) {
    using Kind = Conversion::Kind;
    if (c.kind == Kind::kPercent) return text_.push_back('%');
    if (c.kind == Kind::kUnknown) return static_cast<void>(text_.append(format, begin, c.end - begin));
    if (c.star_width) c.width = static_cast<std::int32_t>(argument().bits);
    if (c.star_precision) c.precision = static_cast<std::int32_t>(argument().bits);
    const int most = static_cast<int>(kMostPrintField);
    if (c.width > most || c.width < -most || (c.precision > most && c.kind != Kind::kString)) throw Stop{};
    const Argument a = argument();
    switch (c.kind) {
      case Kind::kSigned: return put_signed(c, a);
      case Kind::kUnsigned: return put_unsigned(c, a.bits);
      case Kind::kFloat: {
        double value;
        std::memcpy(&value, &a.bits, sizeof value);
        return put(c, "", value);
      }
      case Kind::kCharacter: return put(c, "", static_cast<int>(a.bits));
      case Kind::kString: return put_string(c, a.bits);
      case Kind::kPointer: return put(c, "", reinterpret_cast<const void*>(static_cast<std::uintptr_t>(a.bits)));
      default: return;
    }
  }

 private:
  struct Argument {
    std::uint64_t bits = 0;
    bool eight = false;
  };

  Argument argument() {
    Argument argument;
    argument.eight = number_ < 32 && (call_.eight >> number_ & 1) != 0;
    ++number_;
    const unsigned bytes = argument.eight ? 8 : 4;
    if (bytes > call_.slot_bytes) next_ = (next_ + bytes - 1) / bytes * bytes;
    for (unsigned i = 0; i < bytes; ++i) {
      const std::uint8_t* host = memory_.translate<false>(next_ + i, 1, who_);
      if (host == nullptr) throw Stop{{memory_.diagnose(next_ + i, 1, false, who_), who_.lane, next_ + i}};
      argument.bits |= std::uint64_t{*host} << (8 * i);
    }
    next_ += std::max(bytes, call_.slot_bytes);
    return argument;
  }

  void put_signed(const Conversion& c, const Argument& a) {
    const bool four = !a.eight || c.length.empty();
    const long long value = four ? static_cast<std::int32_t>(a.bits) : static_cast<long long>(a.bits);
    if (c.length[0] == 'h') put(c, c.length.c_str(), static_cast<int>(value));
    else put(c, "ll", value);
  }

  void put_unsigned(const Conversion& c, std::uint64_t bits) {
    const unsigned long long value = c.length.empty() ? static_cast<std::uint32_t>(bits) : bits;
    if (c.length[0] == 'h') put(c, c.length.c_str(), static_cast<unsigned>(value));
    else put(c, "ll", value);
  }

  void put_string(const Conversion& c, Address address) {
    if (address == 0) return put(c, "", static_cast<const char*>(nullptr));
    std::string value;
    const WarpMemoryResult read =
        read_string(memory_, who_, address, c.precision < 0 ? ~0u : static_cast<std::uint32_t>(c.precision), value);
    if (read.fault != Fault::kNone) throw Stop{read};
    put(c, "", value.c_str());
  }

  template <typename T>
  void put(const Conversion& c, const char* length, T value) {
    const std::string spec = "%" + c.flags + "*.*" + length + c.letter;
    const std::size_t before = text_.size();
    text_.resize(before + kGuess);
    const int size = std::snprintf(&text_[before], kGuess, spec.c_str(), c.width, c.precision, value);
    const std::size_t bytes = size < 0 ? 0 : static_cast<std::size_t>(size);
    text_.resize(before + std::max(bytes + 1, kGuess));
    if (bytes >= kGuess)
      static_cast<void>(std::snprintf(&text_[before], bytes + 1, spec.c_str(), c.width, c.precision, value));
    text_.resize(before + bytes);
  }

  static constexpr std::size_t kGuess = 64;

  AddressSpace& memory_;
  const Accessor& who_;
  const PrintCall& call_;
  Address next_;  // argument, and its number
  unsigned number_ = 0;
  std::string& text_;
};

}  // namespace

PrintResult print_text(AddressSpace& memory, const Accessor& who, const PrintCall& call, std::string& text) {
  PrintResult result;
  if (call.format == 0) {
    result.arguments = kNoFormat;
    return result;
  }
  std::string format;
  result.read = read_string(memory, who, call.format, ~0u, format);
  if (result.read.fault != Fault::kNone) return result;
  Printer printer(memory, who, call, text);
  try {
    for (std::size_t at = 0; at < format.size();) {
      const std::size_t percent = std::min(format.find('%', at), format.size());
      text.append(format, at, percent - at);
      if (percent == format.size()) break;
      Conversion conversion = conversion_at(format, percent + 1);
      printer.print(format, percent, conversion);
      result.arguments += static_cast<std::int32_t>(conversion.arguments());
      at = conversion.end;
    }
  } catch (const Stop& stop) {
    result.read = stop.read;
    result.too_wide = stop.read.fault == Fault::kNone;
  }
  return result;
}

std::string fault_text(const PrintResult& result, const AddressSpace& memory, const Launch& launch) {
  if (result.too_wide) return "print call: a width or precision of more than " + std::to_string(kMostPrintField);
  char address[19];
  std::snprintf(address, sizeof address, "0x%08" PRIx64, result.read.address);
  return std::string("print call: byte at address ") + address + ": " +
         fault_text(result.read.fault, result.read.address, 1, memory, launch);
}

std::int32_t print_arguments(AddressSpace& memory, const Accessor& who, Address address) {
  if (address == 0) return kNoFormat;
  std::string format;
  static_cast<void>(read_string(memory, who, address, ~0u, format));
  std::int32_t arguments = 0;
  for (std::size_t at = format.find('%'); at < format.size(); at = format.find('%', at)) {
    const Conversion conversion = conversion_at(format, at + 1);
    arguments += static_cast<std::int32_t>(conversion.arguments());
    at = conversion.end;
  }
  return arguments;
}

}  // namespace heddle
