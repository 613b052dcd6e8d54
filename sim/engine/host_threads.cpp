// SPDX-License-Identifier: Apache-2.0
#include "engine/host_threads.h"

#include <algorithm>
#include <chrono>

namespace heddle {
namespace {

constexpr unsigned kSpins = 2000;   // before another program may have the processor
constexpr unsigned kYields = 2200;  // before this one sleeps: more threads than processors

template <typename Condition>
void wait_for(const Condition& condition) {
  for (unsigned spins = 0; !condition();) {
    if (++spins < kSpins) {
#if defined(__x86_64__) || defined(__i386__)
      __builtin_ia32_pause();
#endif
    } else if (spins < kYields) {
      std::this_thread::yield();
    } else {
      std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
  }
}

}  // namespace

HostThreads::HostThreads(unsigned count, unsigned most_tasks) : taken_(most_tasks) {
  if (count == 0) count = std::max(1u, std::thread::hardware_concurrency());
  for (unsigned n = 1; n < count; ++n) threads_.emplace_back([this, n] { work(n); });
}

HostThreads::~HostThreads() {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    leave_ = true;
  }
  changed_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void HostThreads::begin() {
  if (threads_.empty()) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    awake_ = true;
    stay_ = true;
  }
  changed_.notify_all();
}

void HostThreads::end() {
  const std::lock_guard<std::mutex> lock(mutex_);
  awake_ = false;
  stay_ = false;
}

void HostThreads::run(unsigned count, const std::function<void(unsigned)>& task) {
  if (threads_.empty() || count < 2) {
    for (unsigned n = 0; n < count; ++n) task(n);
    return;
  }
  task_ = &task;
  task_count_ = count;
  inside_.store(static_cast<unsigned>(threads_.size()), std::memory_order_relaxed);
  round_.fetch_add(1, std::memory_order_release);
  do_tasks(0);
  wait_for([&] { return inside_.load(std::memory_order_acquire) == 0; });
}

void HostThreads::do_tasks(unsigned self) {
  const unsigned round = round_.load(std::memory_order_relaxed);
  const auto take = [&](unsigned n) {
    if (taken_[n].load(std::memory_order_relaxed) != round && taken_[n].exchange(round, std::memory_order_relaxed) != round) (*task_)(n);
  };
  for (unsigned n = self; n < task_count_; n += count()) take(n);
  for (unsigned n = 0; n < task_count_; ++n) take(n);
}

void HostThreads::work(unsigned self) {
  unsigned done = 0;
  while (true) {
    {
      std::unique_lock<std::mutex> lock(mutex_);
      changed_.wait(lock, [&] { return awake_ || leave_; });
      if (leave_) return;
    }
    while (true) {
      wait_for([&] { return round_.load(std::memory_order_acquire) != done || !stay_.load(std::memory_order_relaxed); });
      if (round_.load(std::memory_order_acquire) == done) break;  // nothing more comes for now
      ++done;
      do_tasks(self);
      inside_.fetch_sub(1, std::memory_order_release);
    }
  }
}

}  // namespace heddle
