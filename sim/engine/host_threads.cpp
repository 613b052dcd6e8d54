// SPDX-License-Identifier: Apache-2.0
#include "engine/host_threads.h"

#include <sched.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

namespace heddle {
namespace {

constexpr std::chrono::microseconds kLook{30};  // before a thread sleeps: about what waking it costs

}  // namespace

HostThreads::HostThreads(unsigned count, unsigned most_tasks) : marks_(most_tasks) {
  threads_.reserve(count);
  try {
    for (unsigned n = 1; n < count; ++n) threads_.emplace_back([this, n] { work(n); });
  } catch (const std::system_error&) {  // those that there are do all of it
  }
}

HostThreads::~HostThreads() {
  leave_.store(true);
  wake(idle_);
  for (std::thread& thread : threads_) thread.join();
}

unsigned HostThreads::processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0)
    return std::max(1u, std::thread::hardware_concurrency());  // more than a set has room for
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// Who sleeps counts itself before it looks once more, and who changes something does so before it looks for sleepers:
// one sees the other.
template <class Condition>
void HostThreads::wait_for(Sleepers& sleepers, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kLook;
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return;
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++sleepers.count;
  sleepers.changed.wait(lock, condition);
  --sleepers.count;
}

void HostThreads::wake(Sleepers& sleepers) {
  if (sleepers.count.load() == 0) return;
  { const std::lock_guard<std::mutex> lock(mutex_); }  // a sleeper is in front of its look, or asleep
  sleepers.changed.notify_all();
}

void HostThreads::run(unsigned count, const std::function<void(unsigned)>& task) {
  if (threads_.empty() || count < 2) {
    for (unsigned n = 0; n < count; ++n) task(n);
    return;
  }
  const Round round = round_.load(std::memory_order_relaxed) + 1;
  task_ = &task;
  left_.store(count, std::memory_order_relaxed);
  for (unsigned n = 0; n < count; ++n) marks_[n].store(2 * round, std::memory_order_relaxed);
  round_.store(round);
  wake(idle_);
  do_tasks(0, round);
  wait_for(waiting_, [this] { return left_.load() == 0; });
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void HostThreads::do_tasks(unsigned self, Round round) {
  for (std::size_t n = self; n < marks_.size(); n += count()) do_task(static_cast<unsigned>(n), round);
  for (std::size_t n = 0; n < marks_.size(); ++n) do_task(static_cast<unsigned>(n), round);
}

// A round does not end before what was taken in it is done: what a thread that comes late looks at is of a later one,
// and it takes nothing.
void HostThreads::do_task(unsigned n, Round round) {
  Round open = 2 * round;
  if (marks_[n].load(std::memory_order_relaxed) != open ||
      !marks_[n].compare_exchange_strong(open, open + 1, std::memory_order_relaxed))
    return;
  try {
    (*task_)(n);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!error_) error_ = std::current_exception();
  }
  if (left_.fetch_sub(1) == 1) wake(waiting_);
}

void HostThreads::work(unsigned self) {
  Round seen = 0;
  while (true) {
    wait_for(idle_, [&] { return round_.load() != seen || leave_.load(); });
    if (leave_.load()) return;
    seen = round_.load();
    do_tasks(self, seen);
  }
}

}  // namespace heddle
