// SPDX-License-Identifier: Apache-2.0
// Host threads that do numbered tasks together, many times a second.
//
// The caller never waits for a thread that has not begun a task: it does all that nobody else has taken. Who has
// nothing to do looks around for some microseconds and then sleeps. So threads that the host has no processor for cost
// little.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace heddle {

class HostThreads {
 public:
  // The caller is one of them. At most so many tasks come at once. If the host refuses a thread there are fewer.
  HostThreads(unsigned count, unsigned most_tasks);
  ~HostThreads();
  HostThreads(const HostThreads&) = delete;
  HostThreads& operator=(const HostThreads&) = delete;

  // task(0) .. task(count - 1), each once; returns when all are done, and throws what one of them has thrown. A thread
  // begins with the same ones each time, whose data it has in its cache.
  void run(unsigned count, const std::function<void(unsigned)>& task);
  [[nodiscard]] unsigned count() const { return static_cast<unsigned>(threads_.size()) + 1; }

  // Processors that this process may use.
  [[nodiscard]] static unsigned processors();

 private:
  using Round = std::uint64_t;
  struct Sleepers {
    std::atomic<unsigned> count{0};
    std::condition_variable changed;
  };

  void work(unsigned self);
  void do_tasks(unsigned self, Round round);
  void do_task(unsigned n, Round round);
  template <class Condition>
  void wait_for(Sleepers& sleepers, Condition condition);
  void wake(Sleepers& sleepers);

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::atomic<bool> leave_{false};
  std::atomic<Round> round_{0};
  std::atomic<unsigned> left_{0};  // tasks of the round that are not done
  Sleepers idle_;                  // threads, until the next round
  Sleepers waiting_;               // the caller, until the round is done
  const std::function<void(unsigned)>* task_ = nullptr;
  std::vector<std::atomic<Round>>
      marks_;                 // by task: twice the round in which it was open, and one more when it was taken
  std::exception_ptr error_;  // the first one of the round, under the mutex
};

}  // namespace heddle
