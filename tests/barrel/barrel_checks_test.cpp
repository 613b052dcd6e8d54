// SPDX-License-Identifier: Apache-2.0
// The checks of the barrel core are checked: schedulers with a fault built in must be found out, each by the check that
// is there for it.
#include <gtest/gtest.h>

#include <functional>

#include "core/core_backend.h"
#include "engine/dwf_schedulers.h"
#include "engine/support.h"

namespace heddle::test::barrel_checks_test {
namespace {

// What a fault does to the outputs, one delta cycle after each clock edge; it may keep state.
using Tamper = std::function<void(DwfOutputs& outputs)>;

class Tampering : public sc_core::sc_module {
 public:
  Tampering(sc_core::sc_module_name name, const DwfContext& context, Tamper tamper)
      : sc_module(name),
        tamper_(std::move(tamper)),
        out_(context.out) {
    SC_HAS_PROCESS(Tampering);
    SC_METHOD(run);
    sensitive << context.clk.posedge_event();
    dont_initialize();
  }

 private:
  void run() {
    edge_ = !edge_;
    if (edge_) {
      next_trigger(sc_core::SC_ZERO_TIME);
      return;
    }
    DwfOutputs outputs = out_.read();
    tamper_(outputs);
    out_.write(outputs);
  }
  Tamper tamper_;
  Wire<DwfOutputs>& out_;
  bool edge_ = false;
};

class FaultyScheduler final : public DwfScheduler {
 public:
  FaultyScheduler(const DwfContext& context, const Tamper& tamper)
      : inner_(make_dwf_twin(context)),
        tampering_((std::string(context.name) + "_fault").c_str(), context, tamper) {}
  void read_state(DwfState& state) const override { inner_->read_state(state); }

 private:
  std::unique_ptr<DwfScheduler> inner_;
  Tampering tampering_;
};

// The scheduler has the fault for the life of this object.
class Replaced {
 public:
  explicit Replaced(const Tamper& tamper) : original_(dwf_engines()) {
    replace_dwf_engines({[tamper](const DwfContext& c) { return std::make_unique<FaultyScheduler>(c, tamper); }, {}});
  }
  ~Replaced() { replace_dwf_engines(original_); }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  const DwfEngines original_;
};

Error error_with(const Tamper& tamper, const Settings& settings = {}) {
  const Replaced replaced(tamper);
  return error_of([&] {
    Settings all{"core.schedulers=1", "core.lanes=16", "core.warps=16", "run.watchdog=3000"};
    all.insert(all.end(), settings.begin(), settings.end());
    run_workload("qsort", config("dwf", all));
  });
}

// Calls change(outputs) for the n-th issued warp that has at least two threads.
Tamper at_issue(unsigned n, std::function<void(DwfOutputs&)> change) {
  return [n, change = std::move(change), issued = 0u](DwfOutputs& out) mutable {
    if (out.issue_valid && popcount(out.issue_mask) >= 2 && ++issued == n) change(out);
  };
}

void expect_threads_error(const Tamper& tamper, const char* what, const Settings& settings = {}) {
  const Error error = error_with(tamper, settings);
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult) << what;
  EXPECT_EQ(error.code(), "threads") << what;
  EXPECT_NE(std::string(error.what()).find(what), std::string::npos) << what << " is not in: " << error.what();
  EXPECT_NE(error.details().find(" threads "), std::string::npos) << error.details();
}

TEST(BarrelChecks, PassAHarmlessReplacement) {
  EXPECT_EQ(error_with([](DwfOutputs&) {}).code(), "no error");
}

TEST(BarrelChecks, FindALostThread) {
  expect_threads_error(at_issue(50, [](DwfOutputs& out) { out.issue_mask &= out.issue_mask - 1; }),
                       "lost or duplicated");
}

TEST(BarrelChecks, FindALostWarp) {
  expect_threads_error(at_issue(50, [](DwfOutputs& out) { out.issue_valid = false; }), "lost or duplicated");
}

TEST(BarrelChecks, FindAThreadIssuedTwice) {
  std::uint16_t last = 0;
  unsigned lane = 0, issued = 0;
  expect_threads_error(
      [=](DwfOutputs& out) mutable {
        if (!out.issue_valid) return;
        if (++issued == 40) {
          out.issue_mask |= LaneMask{1} << lane;
          out.issue_tids[lane] = last;
        }
        lane = lowest_lane(out.issue_mask);
        last = out.issue_tids[lane];
      },
      "has an instruction in flight already");
}

TEST(BarrelChecks, FindAThreadThatDoesNotExist) {
  expect_threads_error(at_issue(20, [](DwfOutputs& out) { out.issue_tids[lowest_lane(out.issue_mask)] = 300; }),
                       "thread 300 in lane");
}

TEST(BarrelChecks, FindAWarpWithoutThreads) {
  expect_threads_error(at_issue(20, [](DwfOutputs& out) { out.issue_mask = 0; }), "an empty warp was issued");
}

TEST(BarrelChecks, FindAPcThatIsNotTheThreads) {
  expect_threads_error(at_issue(20, [](DwfOutputs& out) { out.issue_pc += 4; }), "is at 0x");
}

TEST(BarrelChecks, FindAThreadOutsideItsHomeLane) {
  expect_threads_error(at_issue(20,
                                [](DwfOutputs& out) {
                                  const unsigned lane = lowest_lane(out.issue_mask);
                                  const unsigned other = lowest_lane(out.issue_mask & (out.issue_mask - 1));
                                  std::swap(out.issue_tids[lane], out.issue_tids[other]);
                                }),
                       "has home lane");
}

TEST(BarrelChecks, FindAPoolThatShowsMoreWarpsThanThreads) {
  expect_threads_error(
      [cycle = 0u](DwfOutputs& out) mutable {
        if (++cycle == 500) out.warps = 256;
      },
      "lost or duplicated");
}

TEST(BarrelChecks, FindASchedulerThatTakesThreadsItHasRefused) {
  expect_threads_error(
      [cycle = 0u](DwfOutputs& out) mutable {
        if (++cycle >= 300) out.update_ready = false;
      },
      "lost or duplicated");
}

// Without a check of homes and pool a wrong thread would still execute wrong instructions: the place checks are never
// off.
TEST(BarrelChecks, OfTheThreadsOfAWarpCannotBeSwitchedOff) {
  expect_threads_error(at_issue(20, [](DwfOutputs& out) { out.issue_pc += 4; }), "is at 0x",
                       {"run.checks=false", "run.oracle=false"});
}

TEST(BarrelWatchdog, FindsASchedulerThatStopsIssuing) {
  const Error error =
      error_with([cycle = 0u](DwfOutputs& out) mutable { out.issue_valid = out.issue_valid && ++cycle < 100; },
                 {"run.checks=false"});
  EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
  EXPECT_EQ(error.code(), "watchdog");
  EXPECT_NE(std::string(error.what()).find("no instruction issued for 3000 cycles"), std::string::npos) << error.what();
  EXPECT_NE(error.details().find("threads wait to be issued for"), std::string::npos) << error.details();
}

TEST(BarrelWatchdog, StopsAfterTheCyclesThatWereAllowed) {
  const Error error = error_with([](DwfOutputs&) {}, {"run.max_cycles=500"});
  EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
  EXPECT_EQ(error.code(), "max_cycles");
}

// A barrier in divergent code is no error where threads are counted, and one for the stack of a static warp.
TEST(BarrelBarrier, CountsThreadsExceptWithAStack) {
  for (const char* mechanism : {"dwf", "naive", "mimd", "pdom-barrel"}) {
    const Error error = error_of([&] {
      run_kernel("faults", "divergent_barrier", {1}, {32},
                 config(mechanism, {"core.schedulers=1", "core.lanes=32", "core.warps=8"}));
    });
    EXPECT_EQ(error.code(), std::string(mechanism) == "pdom-barrel" ? "barrier" : "no error")
        << mechanism << ": " << error.what();
  }
}

TEST(BarrelFaults, NameTheThreadAndTheSource) {
  for (const char* mechanism : {"dwf", "naive", "mimd", "pdom-barrel"}) {
    const Error error = error_of([&] {
      run_kernel("faults", "null_store", {1}, {32},
                 config(mechanism, {"core.schedulers=1", "core.lanes=16", "core.warps=16"}), {21});
    });
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped) << mechanism;
    EXPECT_EQ(error.code(), "fault") << mechanism;
    EXPECT_NE(std::string(error.what()).find("faults.cu:"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("thread ("), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heddle::test::barrel_checks_test
