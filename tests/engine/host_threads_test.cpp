// SPDX-License-Identifier: Apache-2.0
// Threads of the host: every task once, whoever does it, and nobody waits for a thread that does nothing.
#include "engine/host_threads.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <set>
#include <stdexcept>

namespace heddle::test::host_threads_test {
namespace {

TEST(HostThreads, DoEachTaskOnceInEachRound) {
  constexpr unsigned kTasks = 23;
  HostThreads threads(5, kTasks);
  std::vector<unsigned> done(kTasks), wanted(kTasks);
  const std::function<void(unsigned)> task = [&](unsigned n) { ++done[n]; };
  for (unsigned round = 0; round < 20000; ++round) {
    const unsigned count = round * 7 % (kTasks + 1);
    threads.run(count, task);
    for (unsigned n = 0; n < count; ++n) ++wanted[n];
    ASSERT_EQ(done, wanted) << "round " << round;
  }
}

TEST(HostThreads, ShareTheTasksOfARound) {
  HostThreads threads(2, 2);
  std::atomic<unsigned> begun{0};
  threads.run(2, [&](unsigned) {  // either ends when the other one has begun
    ++begun;
    while (begun.load() != 2) std::this_thread::yield();
  });
  EXPECT_EQ(begun.load(), 2U);
}

// A forked process has the calling thread alone.
TEST(HostThreads, AreNotWaitedForBeforeTheyBegin) {
  HostThreads threads(4, 8);
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // they sleep, and hold no lock
  EXPECT_EXIT(
      {
        alarm(10);
        unsigned done = 0;
        const std::function<void(unsigned)> task = [&](unsigned) { ++done; };
        for (unsigned round = 0; round < 100; ++round) threads.run(8, task);
        std::_Exit(done == 800 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

TEST(HostThreads, HandOnWhatATaskThrows) {
  HostThreads threads(3, 6);
  for (unsigned round = 0; round < 100; ++round) {
    std::atomic<unsigned> done{0};
    EXPECT_THROW(threads.run(6,
                             [&](unsigned n) {
                               ++done;
                               if (n == round % 6) throw std::runtime_error("a task");
                             }),
                 std::runtime_error);
    EXPECT_EQ(done.load(), 6U);
  }
  EXPECT_NO_THROW(threads.run(6, [](unsigned) {}));
}

}  // namespace
}  // namespace heddle::test::host_threads_test
