// SPDX-License-Identifier: Apache-2.0
// The errors a user can cause. One line: what, where, what to do. The exit status is part of docs/interface (0 to 3).
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace heddle {

enum class ExitStatus { kPass = 0, kWrongResult = 1, kBadInput = 2, kMachineStopped = 3 };

// Thrown for bad usage or input (status 2) and for a stopped simulated machine (status 3).
// `code` is a stable word for scripts (JSON error.code): "elf", "option", "config", "kernel", "fault", "overflow",
// "watchdog", "max_cycles", "barrier", "mismatch", "oracle", ...
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, std::string code, const std::string& message, std::string details = {})
      : std::runtime_error(message), status_(status), code_(std::move(code)), details_(std::move(details)) {}
  [[nodiscard]] ExitStatus status() const { return status_; }
  [[nodiscard]] const std::string& code() const { return code_; }
  // Further lines for a person: the state of every warp. Empty if there is nothing to add.
  [[nodiscard]] const std::string& details() const { return details_; }

 private:
  ExitStatus status_;
  std::string code_;
  std::string details_;
};

[[nodiscard]] inline Error bad_input(std::string code, const std::string& message) {
  return Error(ExitStatus::kBadInput, std::move(code), message);
}
[[nodiscard]] inline Error machine_stopped(std::string code, const std::string& message, std::string details = {}) {
  return Error(ExitStatus::kMachineStopped, std::move(code), message, std::move(details));
}

}  // namespace heddle
