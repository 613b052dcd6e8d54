// SPDX-License-Identifier: Apache-2.0
#include "cli/signals.h"

#include <unistd.h>

#include <csignal>
#include <cstring>

#include "output/output_file.h"

namespace heddle {
namespace {

constexpr const char* kInterrupted = "interrupted";

// What the handler knows.
volatile std::sig_atomic_t stoppable = 0;
volatile std::sig_atomic_t first_signal = 0;
std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

const char* signal_name(int number) {
  switch (number) {
    case SIGINT: return "SIGINT";
    case SIGTERM: return "SIGTERM";
    default: return "SIGHUP";
  }
}

void say(const char* text) { static_cast<void>(!write(STDERR_FILENO, text, std::strlen(text))); }

// Nothing here but calls that POSIX allows in a handler.
extern "C" void heddle_on_signal(int number) {
  if (stoppable != 0 && first_signal == 0) {
    first_signal = number;
    stop.store(true, std::memory_order_relaxed);
    return;
  }
  discard_parts();
  say("heddle: ended by ");
  say(signal_name(number));
  say("\n");
  _exit(128 + number);
}

}  // namespace

void install_signals() {
  struct sigaction action {};
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN) continue;
    action = {};
    action.sa_handler = heddle_on_signal;
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_RESTART;
    sigaction(number, &action, nullptr);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

Stoppable::Stoppable() { stoppable = 1; }
Stoppable::~Stoppable() { stoppable = 0; }

const std::atomic<bool>& stop_flag() { return stop; }

void check_stop(const std::string& where) {
  if (stop.load(std::memory_order_relaxed)) throw machine_stopped(kInterrupted, "stopped " + where);
}

Error name_signal(const Error& error) {
  if (error.code() != kInterrupted || first_signal == 0) return error;
  return Error(error.status(), error.code(), std::string(signal_name(first_signal)) + ": " + error.what(),
               error.details());
}

ExitStatus signal_status(const std::string& code, ExitStatus status) {
  return code == kInterrupted && first_signal != 0 ? static_cast<ExitStatus>(128 + first_signal) : status;
}

}  // namespace heddle
