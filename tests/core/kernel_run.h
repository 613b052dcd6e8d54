// SPDX-License-Identifier: Apache-2.0
// The core around a front end, for its test: launches warps of a random program, answers fetches, resolves branches,
// writes back, with random latencies and back-pressure; follows every thread for itself, with a call stack of its own,
// and throws Violation when the front end issues what the thread would not execute, or too early, or apart from the
// threads it meets.
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "tests/common/random.h"
#include "tests/core/frontend_oracle.h"
#include "tests/core/random_program.h"

namespace heddle::test {

// The front end broke a rule that a program can observe.
class Violation : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Timing {
  unsigned fetch_ready = 80, unit_ready = 80;                           // percent of cycles
  unsigned fetch_latency = 4, resolve_latency = 4, write_latency = 12;  // at most, cycles
  unsigned miss = 10, launch = 50;                                      // percent of cycles
  unsigned skip = 70;                                                   // percent of the branches that allow it
  unsigned issue_ready = 100, kill = 0;                                 // percent of cycles
  unsigned mark = 0;              // percent of the branches that may subdivide, or never wait
  unsigned split = 0;             // percent of cycles in which threads are said to wait for memory
  unsigned save = 70, load = 60;  // percent of cycles in which memory takes a row, or is asked for one
  unsigned load_latency = 10;     // at most, cycles behind the first
  unsigned hold = 0;              // percent of cycles in which a warp is held
};

class KernelRun {
 public:
  // One issued instruction of a launch: what single-path and dual-path execution must agree on.
  using Issues = std::map<std::tuple<unsigned, Pc, LaneMask>, unsigned>;

  KernelRun(const RandomProgram& program, const FrontendConfig& config, unsigned launches, std::uint64_t seed,
            const Timing& timing);

  [[nodiscard]] const Issues& issues() const { return issues_; }
  // Cycle, warp, PC and threads of every instruction, in their order.
  using Issue = std::tuple<std::uint64_t, WarpId, Pc, LaneMask>;
  [[nodiscard]] const std::vector<Issue>& in_order() const { return in_order_; }
  [[nodiscard]] bool overflowed() const { return overflowed_; }
  [[nodiscard]] std::size_t deepest_call() const { return deepest_call_; }
  // How often a thread went on together with those that it had to wait for.
  [[nodiscard]] unsigned meetings() const { return meetings_; }
  // How many predicated regions of that many instructions were started.
  [[nodiscard]] unsigned regions(unsigned instructions) const { return regions_.at(instructions); }
  // How often a path of which not all threads go one way waited for its other part, and executed its branch again.
  [[nodiscard]] unsigned repeated() const { return repeated_; }
  // How often a path executed the pop of its push, and how often one that had not come by it.
  [[nodiscard]] unsigned pops() const { return pops_; }
  [[nodiscard]] unsigned passed_pops() const { return passed_pops_; }
  // How often a warp was killed, launched anew before its old answers or writes had come, and with those of its
  // instructions that had issued.
  [[nodiscard]] unsigned kills() const { return kills_; }
  // How many warps had threads that all waited for one another, and were killed; how many ended.
  [[nodiscard]] unsigned stuck() const { return stuck_warps_; }
  [[nodiscard]] unsigned ended() const { return ended_; }
  [[nodiscard]] unsigned relaunched_beside_old_ones() const { return relaunched_beside_old_ones_; }
  [[nodiscard]] std::uint64_t stalls(unsigned reason) const { return stalls_.at(reason); }

  // All launched warps ended (or overflowed) and nothing is in flight.
  [[nodiscard]] bool finished() const;

  // Looks at the outputs of this cycle and decides its inputs.
  FrontendInputs next(const FrontendOutputs& out);

 private:
  // Threads that entered a call or diverged together are at this PC, that many calls deep, together again.
  struct Meeting {
    Pc pc;
    std::size_t depth;
    LaneMask threads;
  };
  // Threads that executed a push together, and where they go on when all of them have executed its pop.
  using Push = Meeting;
  struct Thread {
    bool live = false, waits = false;  // waits: has issued a control instruction that is not resolved
    bool at_barrier = false;           // without splits all threads of the warp, whoever has come to it
    Pc pc = 0;
    std::vector<Pc> return_to;  // one PC for each call that it is in
    unsigned calls = 0;
    std::vector<Meeting> meetings;
    std::vector<Push> pushes;
    std::map<Pc, unsigned> visits;
    std::map<unsigned, unsigned> writing;  // register: writes in flight
  };
  // Threads that a branch sends apart, as they were: until they go on they may execute it again.
  struct Branch {
    Pc pc;
    std::map<unsigned, Thread> threads;
  };
  struct Warp {
    bool running = false, halted = false;
    std::uint64_t killed_at = 0;
    unsigned launch = 0;
    unsigned in_flight = 0;                     // instructions whose result is not written, barriers included
    unsigned controls = 0;                      // unresolved control instructions
    unsigned region_slot = 0, region_left = 0;  // predicated instructions still to issue
    std::array<Thread, kMaxLanes> threads;
    std::vector<Branch> branches;
  };
  struct Fetched {
    std::uint64_t due;
    WarpId warp;
    unsigned slot;
    Pc pc;
    unsigned tag;
  };
  struct Resolving {
    std::uint64_t due;
    FrontendInputs::Resolve what;
    LaneMask path;
  };
  struct Writing {
    std::uint64_t due;
    FrontendInputs::WriteBack what;
    unsigned launch;
  };
  struct Release {
    std::uint64_t due;
    WarpId warp;
  };
  struct Loading {
    std::uint64_t due;
    WarpId warp;
    unsigned row;
  };
  // What follows from the instruction in the issue register, once it is taken.
  struct Held {
    std::optional<Resolving> resolving;
    std::optional<Writing> writing;
    std::optional<Release> release;
  };

  std::uint64_t after(unsigned latency) { return now_ + random_.below(latency + 1); }

  [[noreturn]] void fail(const std::string& what, WarpId warp, Pc pc) const;

  template <class Action>
  void for_lanes(LaneMask mask, Action action) {
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      if (((mask >> lane) & 1) != 0) action(lane);
    }
  }

  void watch(const FrontendOutputs& out);

  void watch_issue(const FrontendOutputs::Issue& issue);

  // If the path executes its branch again its threads are where they were. (It may have been split before, and does so
  // in parts.)
  void repeat(Warp& warp, const FrontendOutputs::Issue& issue);

  // No thread goes on from where it meets others without those of them that still run.
  void meet(const Warp& warp, const FrontendOutputs::Issue& issue);

  // Decides the branch for every thread of the path, and what the resolution says of it.
  void execute(const FrontendOutputs::Issue& issue, const Instruction& instruction);

  // A pop where threads come that have executed its push, and others. Of a path all have or none: whether it is one,
  // and then they go on together with the other threads of their push.
  bool pop(Warp& warp, const FrontendOutputs::Issue& issue);

  // Rows on their way to memory are in a queue, room in which is told two cycles ahead; who is asked for a row has it
  // from memory.
  void rows(FrontendInputs& in, const FrontendOutputs& out);

  // Where this thread goes; nothing if it exits.
  [[nodiscard]] std::optional<Pc> outcome(const Warp& warp, Pc pc, unsigned lane, const Instruction& instruction) const;

  // The instruction is taken: its latencies begin.
  void accept();

  // Threads of a path, mostly those that do wait; the same for some cycles, or withdrawn.
  void wait_for_memory(FrontendInputs& in);

  // Answers, or writes to a register.
  [[nodiscard]] bool under_way(WarpId w) const;

  // Whatever of the warp is under way comes all the same, but for resolutions and releases.
  void kill(FrontendInputs& in);

  void launch(FrontendInputs& in, std::uint64_t idle);

  // One answer of those that are due.
  void decode(FrontendInputs& in);
  // Behind the last instruction, which is a jump, only what is never issued is fetched.
  [[nodiscard]] std::uint64_t bundle_at(Pc pc) const;
  // Bits that no other instruction of the program has.
  [[nodiscard]] std::uint64_t payload_at(Pc pc) const;
  // The requests of a path are answered in their order.
  [[nodiscard]] const Fetched& first_of_its_path(const Fetched& fetch) const;

  // A resolution is offered until it is taken.
  void resolve(FrontendInputs& in);

  void write_back(FrontendInputs& in);

  void release(FrontendInputs& in);

  void forget_write(const FrontendInputs::WriteBack& wb);

  // Removes and returns one of the items that are due, any of them that may go.
  template <class Item, class MayGo>
  std::optional<Item> take_due(std::vector<Item>& items, MayGo may_go) {
    std::vector<unsigned> due;
    for (unsigned i = 0; i < items.size(); ++i) {
      if (items[i].due <= now_ && may_go(items[i])) due.push_back(i);
    }
    if (due.empty()) return std::nullopt;
    const unsigned chosen = random_.pick(due);
    const Item item = items[chosen];
    items.erase(items.begin() + chosen);
    return item;
  }

  template <class Item>
  std::optional<Item> take_due(std::vector<Item>& items) {
    return take_due(items, [](const Item&) { return true; });
  }

  const RandomProgram& program_;
  FrontendConfig config_;
  Timing timing_;
  Random random_;
  std::uint64_t now_ = 0, last_progress_ = 0;
  bool overflowed_ = false;
  std::size_t deepest_call_ = 0;
  unsigned pops_ = 0, passed_pops_ = 0;
  unsigned meetings_ = 0, repeated_ = 0, kills_ = 0, relaunched_beside_old_ones_ = 0;
  std::deque<std::pair<unsigned, LaneMask>> to_launch_;
  std::vector<Warp> warps_;
  bool meet_;
  std::vector<Fetched> fetches_;
  std::vector<Resolving> resolves_;
  std::vector<Writing> writes_;
  std::vector<Release> releases_;
  static constexpr std::size_t kRowQueue = 4;
  std::deque<SoftwareStackOracle::Save> queue_;
  std::map<std::pair<WarpId, unsigned>, SoftwareRow> rows_;  // in memory
  std::vector<Loading> loads_;
  std::optional<Held> held_;
  std::optional<WarpId> stuck_;
  std::pair<std::uint64_t, WarpId> arrival_ = {0, 0};  // when a path last came to a convergence barrier
  unsigned stuck_warps_ = 0, ended_ = 0;
  std::optional<Resolving> offered_, taken_in_, acting_;
  std::vector<Writing> written_;
  FrontendInputs last_in_;
  Issues issues_;
  std::vector<Issue> in_order_;
  std::array<unsigned, RandomProgram::kMaxSkip + 1> regions_{};
  std::array<std::uint64_t, 16> stalls_{};
};

}  // namespace heddle::test
