// SPDX-License-Identifier: Apache-2.0
// Host threads that do numbered tasks together, many times a second.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle {

class HostThreads {
 public:
  // The caller is one of them; 0: as many as the host has. At most so many tasks come at once.
  HostThreads(unsigned count, unsigned most_tasks);
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // Between these the threads wait for tasks without sleeping.
  void begin();
  void end();
  // task(0) .. task(count - 1), each once; returns when all are done. Tasks throw nothing. A thread does the same ones each time, whose data
  // it has in its cache, and then what others have not begun.
  void run(unsigned count, const std::function<void(unsigned)>& task);
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }

 private:
  void work(unsigned self);
  void do_tasks(unsigned self);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool awake_ = false, leave_ = false;        // under the mutex
  std::atomic<bool> stay_{false};             // awake: tasks may come
  const std::function<void(unsigned)>* task_ = nullptr;
  unsigned task_count_ = 0;
  std::atomic<unsigned> round_{0};            // of tasks
  std::vector<std::atomic<unsigned>> taken_;  // by task: the last round in which a thread took it
  std::atomic<unsigned> inside_{0};           // threads that have not finished the round
};

}  // namespace heddle
