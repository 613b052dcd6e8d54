// SPDX-License-Identifier: Apache-2.0
// SIGINT, SIGTERM and SIGHUP. While a Stoppable lives, the first of them asks the command to stop: what it has so far
// is written, and the exit status is 128 + signal. A second one, or one at any other time, removes unfinished files and
// ends the program at once.
#pragma once

#include <atomic>
#include <string>

#include "heddle/error.h"

namespace heddle {

// Signals that the parent has set to be ignored (nohup) stay ignored. Writing to a closed pipe, or beyond the limit of
// a file's size, is from here on an error of the write instead of a signal.
void install_signals();

class Stoppable {
 public:
  Stoppable();
  ~Stoppable();
  Stoppable(const Stoppable&) = delete;
  Stoppable& operator=(const Stoppable&) = delete;
};

// Set by the first signal.
[[nodiscard]] const std::atomic<bool>& stop_flag();
// For the parts of a command between its launches: throws Error(interrupted) once there was a signal. where: "before
// lud was loaded".
void check_stop(const std::string& where);
// The error, with the name of the signal if it was one that stopped us.
[[nodiscard]] Error name_signal(const Error& error);
// 128 + signal if that is what `code` is about, else `status`.
[[nodiscard]] ExitStatus signal_status(const std::string& code, ExitStatus status);

}  // namespace heddle
