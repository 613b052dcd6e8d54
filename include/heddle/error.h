// SPDX-License-Identifier: Apache-2.0
// The errors a user can cause. One line: what, where, what to do. The exit status is part of docs/interface (0 to 3).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace heddle {

// As part of a message of one line: characters that control a terminal and bytes that are no UTF-8 as \xNN, and of a
// long text its two ends.
[[nodiscard]] inline std::string one_line(const std::string& text) {
  constexpr std::size_t kMost = 1000, kHead = 700, kTail = 280;
  constexpr const char* kDigits = "0123456789abcdef";
  const auto byte = [&text](std::size_t at) { return at < text.size() ? static_cast<unsigned char>(text[at]) : 0u; };
  const auto follows = [](unsigned byte) { return (byte & 0xc0) == 0x80; };
  // Bytes of the character that begins there; 0: none that can be shown.
  const auto length = [&](std::size_t at) -> std::size_t {
    const unsigned first = byte(at);
    if (first < 0x80) return first >= 0x20 && first != 0x7f ? 1 : 0;
    const std::size_t bytes = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
    for (std::size_t i = 1; i < bytes; ++i) {
      if (!follows(byte(at + i))) return 0;
    }
    return first == 0xc2 && byte(at + 1) < 0xa0 ? 0 : bytes;
  };
  std::string line;
  for (std::size_t at = 0; at < text.size();) {
    if (const std::size_t bytes = length(at); bytes != 0) {
      line.append(text, at, bytes);
      at += bytes;
    } else {
      line += {'\\', 'x', kDigits[byte(at) >> 4], kDigits[byte(at) & 15]};
      ++at;
    }
  }
  if (line.size() <= kMost) return line;
  std::size_t head = kHead, tail = line.size() - kTail;
  while (follows(static_cast<unsigned char>(line[head]))) --head;
  while (follows(static_cast<unsigned char>(line[tail]))) ++tail;
  return line.substr(0, head) + " [...] " + line.substr(tail);
}

enum class ExitStatus { kPass = 0, kWrongResult = 1, kBadInput = 2, kMachineStopped = 3 };

// What a program that catches an error may want to tell apart within its code.
enum class ErrorKind {
  kOther,
  kOutOfMemory,         // memory: a buffer does not fit
  kOutsideBuffers,      // memory: the host's access, or a buffer that is none
  kResources,           // launch: a block needs more registers or shared memory than a core has
  kTooManyBlocks,       // launch: more than the cores have at once, of a cooperative one
  kUnsupported,         // kernel, fault: a warp-wide operation that this machine cannot execute
  kIllegalAddress,      // fault: an access to memory
  kMisalignedAddress,   // fault: of an access or a jump
  kIllegalInstruction,  // fault: what cannot be decoded or executed
  kInvalidPc,           // fault: a jump to address 0
};
[[nodiscard]] constexpr const char* name_of(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::kOther: break;
    case ErrorKind::kOutOfMemory: return "out_of_memory";
    case ErrorKind::kOutsideBuffers: return "outside_buffers";
    case ErrorKind::kResources: return "resources";
    case ErrorKind::kTooManyBlocks: return "too_many_blocks";
    case ErrorKind::kUnsupported: return "unsupported";
    case ErrorKind::kIllegalAddress: return "illegal_address";
    case ErrorKind::kMisalignedAddress: return "misaligned_address";
    case ErrorKind::kIllegalInstruction: return "illegal_instruction";
    case ErrorKind::kInvalidPc: return "invalid_pc";
  }
  return "other";
}

// Thrown for bad usage or input (status 2) and for a stopped simulated machine (status 3).
// `code` is a stable word for scripts (JSON error.code): "elf", "option", "config", "kernel", "fault", "overflow",
// "watchdog", "max_cycles", "barrier", "mismatch", "oracle", ...
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, std::string code, const std::string& message, std::string details = {},
        ErrorKind kind = ErrorKind::kOther)
      : std::runtime_error(one_line(message)),
        status_(status),
        kind_(kind),
        code_(std::move(code)),
        details_(std::move(details)) {}
  [[nodiscard]] ExitStatus status() const { return status_; }
  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] ErrorKind kind() const { return kind_; }
  // Further lines for a person: the state of every warp. Empty if there is nothing to add.
  [[nodiscard]] const std::string& details() const { return details_; }

 private:
  ExitStatus status_;
  ErrorKind kind_;
  std::string code_;
  std::string details_;
};

[[nodiscard]] inline Error bad_input(std::string code, const std::string& message, ErrorKind kind = ErrorKind::kOther) {
  return Error(ExitStatus::kBadInput, std::move(code), message, {}, kind);
}
[[nodiscard]] inline Error machine_stopped(std::string code, const std::string& message, std::string details = {},
                                           ErrorKind kind = ErrorKind::kOther) {
  return Error(ExitStatus::kMachineStopped, std::move(code), message, std::move(details), kind);
}

}  // namespace heddle
