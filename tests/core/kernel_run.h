// SPDX-License-Identifier: Apache-2.0
// The core around a front end, for its test: launches warps of a random program, answers fetches, resolves branches,
// writes back, with random latencies and back-pressure; follows every thread for itself, with a call stack of its own,
// and throws Violation when the front end issues what the thread would not execute, or too early, or apart from the
// threads it meets.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <sstream>
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
            const Timing& timing)
      : program_(program),
        config_(config),
        timing_(timing),
        random_(seed),
        warps_(config.warps),
        meet_(program.paths_meet() && timing.mark == 0 && timing.split == 0 && config.barriers == 0 &&
              RandomProgram::kMaxCallDepth < (1u << config.level_bits) - 1) {
    Random masks(seed * 7 + 1);  // the same launches whatever the front end
    for (unsigned i = 0; i < launches; ++i) {
      to_launch_.push_back({i, i % 3 == 0 ? lane_mask(config.lanes) : masks.some_lanes(config.lanes)});
    }
  }

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
  [[nodiscard]] bool finished() const {
    if (!to_launch_.empty() || !writes_.empty() || !resolves_.empty() || held_ || offered_) return false;
    for (const Warp& warp : warps_) {
      if (warp.running && !warp.halted) return false;
    }
    return true;
  }

  // Looks at the outputs of this cycle and decides its inputs.
  FrontendInputs next(const FrontendOutputs& out) {
    ++now_;
    ++stalls_.at(out.stall);
    watch(out);
    if (acting_ && (acting_->what.kind == kMarkArrive || acting_->what.kind == kMarkSync))
      arrival_ = {now_, acting_->what.warp};
    FrontendInputs in;
    in.fetch_ready = random_.chance(timing_.fetch_ready);
    for (unsigned unit = 0; unit < 5; ++unit) in.unit_ready |= random_.chance(timing_.unit_ready) ? 1u << unit : 0u;
    in.issue_ready = random_.chance(timing_.issue_ready);
    for (WarpId w = 0; timing_.hold != 0 && w < config_.warps; ++w)
      in.hold |= std::uint64_t{random_.chance(timing_.hold)} << w;
    if (held_ && in.issue_ready) accept();
    launch(in, out.idle);
    decode(in);
    if (config_.software) rows(in, out);
    resolve(in);
    write_back(in);
    release(in);
    kill(in);
    if (config_.dual && random_.chance(timing_.miss)) in.miss = {random_.below(config_.warps), random_.below(2)};
    if (config_.parts) wait_for_memory(in);
    last_in_ = in;
    return in;
  }

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

  [[noreturn]] void fail(const std::string& what, WarpId warp, Pc pc) const {
    std::ostringstream text;
    text << "cycle " << now_ << ": warp " << warp << ", PC 0x" << std::hex << pc << ": " << what;
    throw Violation(text.str());
  }

  template <class Action>
  void for_lanes(LaneMask mask, Action action) {
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      if (((mask >> lane) & 1) != 0) action(lane);
    }
  }

  void watch(const FrontendOutputs& out) {
    if (out.fetch.valid) {
      if (!last_in_.fetch_ready) fail("fetched without fetch_ready", out.fetch.warp, out.fetch.pc);
      fetches_.push_back({after(timing_.fetch_latency), out.fetch.warp, out.fetch.slot, out.fetch.pc, out.fetch.tag});
      const auto of_path = [&](const Fetched& fetch) {
        return fetch.warp == out.fetch.warp && fetch.slot == out.fetch.slot;
      };
      if (std::count_if(fetches_.begin(), fetches_.end(), of_path) >= 1 << config_.tag_bits) {
        fail("more requests under way than tags tell apart", out.fetch.warp, out.fetch.pc);
      }
    }
    if (held_ && !out.issue.valid) fail("lost an instruction that was not taken", 0, 0);
    if (out.issue.valid && !held_) {
      held_.emplace();
      watch_issue(out.issue);
      last_progress_ = now_;
    }
    for (WarpId w = 0; w < config_.warps; ++w) {
      if (((out.idle >> w) & 1) == 0) continue;
      if (under_way(w)) fail("idle with something under way", w, 0);
      if (out.issue.valid && out.issue.warp == w)
        fail("idle with an instruction in the issue register", w, out.issue.pc);
    }
    // What the inputs of the cycle before made possible can show from the next cycle on; a resolution acts one cycle
    // later.
    for (const Writing& write : written_) {
      if (write.what.reg != 0 && write.launch == warps_[write.what.warp].launch) forget_write(write.what);
    }
    for (WarpId w = 0; w < config_.warps; ++w) {
      if (((last_in_.release >> w) & 1) == 0) continue;
      for (Thread& thread : warps_[w].threads) thread.at_barrier = false;
    }
    if (acting_ && warps_[acting_->what.warp].running) {
      Warp& warp = warps_[acting_->what.warp];
      if (out.overflow.valid) {
        if (out.overflow.warp != acting_->what.warp)
          fail("overflow of a warp that did not branch", out.overflow.warp, 0);
        overflowed_ = true;
        warp.halted = true;
        // No warp is left that could run the others.
        if (std::all_of(warps_.begin(), warps_.end(), [](const Warp& w) { return w.halted; })) to_launch_.clear();
      } else {
        --warp.controls;
        for_lanes(acting_->path, [&](unsigned lane) { warp.threads[lane].waits = false; });
        if (config_.predicate && acting_->what.skip != 0) {
          warp.region_slot = acting_->what.slot;
          warp.region_left = acting_->what.skip;
          ++regions_.at(warp.region_left);
        }
      }
    }
    acting_ = taken_in_;
    if (out.done.valid && warps_.at(out.done.warp).killed_at + 1 != now_) {
      Warp& warp = warps_.at(out.done.warp);
      if (!warp.running) fail("ended without having run", out.done.warp, 0);
      for (const Thread& thread : warp.threads) {
        if (thread.live) fail("ended with a live thread", out.done.warp, thread.pc);
      }
      if (warp.region_left != 0) fail("ended inside a region", out.done.warp, 0);
      warp.running = false;
      ++ended_;
      last_progress_ = now_;
    }
    // Of a warp whose threads all wait for one another nothing more comes.
    if (out.told && out.told->what == Told::kStuck) {
      stuck_ = out.told->warp;
      ++stuck_warps_;
    }
    if (!finished() && now_ - last_progress_ > 3000) fail("nothing issued for 3000 cycles", 0, 0);
  }

  void watch_issue(const FrontendOutputs::Issue& issue) {
    Warp& warp = warps_.at(issue.warp);
    const Instruction& instruction = program_.at(issue.pc);
    const Names names = Names::unpack(issue.instr);
    const bool control = instruction.kind != Kind::kPlain;
    const bool barrier = ((issue.instr >> kBarrierBit) & 1) != 0;
    if (issue.instr != bundle_at(issue.pc)) fail("issued another instruction than the program's", issue.warp, issue.pc);
    if (issue.mask == 0) fail("issued for no thread", issue.warp, issue.pc);
    if (warp.halted) fail("issued after an overflow", issue.warp, issue.pc);
    if ((control || barrier) && warp.controls != 0) {
      fail("control or barrier issued beside an unresolved one", issue.warp, issue.pc);
    }
    if (config_.parts) repeat(warp, issue);
    const bool in_region = warp.region_left != 0 && warp.region_slot == issue.slot;
    if (issue.predicated != in_region) {
      fail(in_region ? "not predicated inside a region" : "predicated outside of a region", issue.warp, issue.pc);
    }
    if ((control || barrier) && warp.region_left != 0)
      fail("control or barrier issued beside a region", issue.warp, issue.pc);
    if (((last_in_.unit_ready >> ((issue.instr >> 24) & 7)) & 1) == 0)
      fail("issued to a busy unit", issue.warp, issue.pc);
    if (((last_in_.hold >> issue.warp) & 1) != 0) fail("issued while its warp is held", issue.warp, issue.pc);
    for_lanes(issue.mask, [&](unsigned lane) {
      const Thread& thread = warp.threads[lane];
      if (!thread.live) fail("issued for an ended thread, lane " + std::to_string(lane), issue.warp, issue.pc);
      if (thread.at_barrier)
        fail("issued behind a barrier that is closed, lane " + std::to_string(lane), issue.warp, issue.pc);
      if (thread.waits) fail("issued behind an unresolved branch, lane " + std::to_string(lane), issue.warp, issue.pc);
      if (thread.pc != issue.pc) {
        fail("lane " + std::to_string(lane) + " is at PC " + std::to_string(thread.pc), issue.warp, issue.pc);
      }
      for (const auto& [reg, count] : thread.writing) {
        if (count != 0 && names.has(reg)) fail("hazard on register " + std::to_string(reg), issue.warp, issue.pc);
      }
    });
    if (in_region) --warp.region_left;
    if (meet_) meet(warp, issue);
    ++issues_[{warp.launch, issue.pc, issue.mask}];
    in_order_.emplace_back(now_, issue.warp, issue.pc, issue.mask);

    for_lanes(issue.mask, [&](unsigned lane) {
      if (names.rd != 0) ++warp.threads[lane].writing[names.rd];
      if (!control) warp.threads[lane].pc += 4;
    });
    // An instruction without a result may still report its end, for register 0.
    if (names.rd != 0 || random_.chance(10)) {
      held_->writing = Writing{0, {issue.warp, issue.slot, names.rd, issue.mask}, warp.launch};
      ++warp.in_flight;
    }
    if (barrier) {
      // A split that has thereby arrived where it meets others is not held there.
      const bool held = !config_.splits() || !program_.may_meet_at(issue.pc + 4);
      for_lanes(config_.splits() ? issue.mask : ~LaneMask{0},
                [&](unsigned lane) { warp.threads[lane].at_barrier = held; });
      held_->release = Release{0, issue.warp};
      ++warp.in_flight;
    }
    if (control) execute(issue, instruction);
  }

  // If the path executes its branch again its threads are where they were. (It may have been split before, and does so
  // in parts.)
  void repeat(Warp& warp, const FrontendOutputs::Issue& issue) {
    for (Branch& branch : warp.branches) {
      bool again = false;
      for_lanes(issue.mask, [&](unsigned lane) {
        again =
            again || (branch.pc == issue.pc && branch.threads.count(lane) != 0 && warp.threads[lane].pc != issue.pc);
      });
      repeated_ += again ? 1 : 0;
      for_lanes(issue.mask, [&](unsigned lane) {
        const auto before = branch.threads.find(lane);
        if (before == branch.threads.end()) return;
        Thread& thread = warp.threads[lane];
        if (again) {
          if (thread.waits) fail("executes an unresolved branch again", issue.warp, issue.pc);
          const auto writing = thread.writing;
          thread = before->second;
          thread.writing = writing;
        }
        branch.threads.erase(before);  // it goes on
      });
    }
    const auto done = [](const Branch& branch) { return branch.threads.empty(); };
    warp.branches.erase(std::remove_if(warp.branches.begin(), warp.branches.end(), done), warp.branches.end());
  }

  // No thread goes on from where it meets others without those of them that still run.
  void meet(const Warp& warp, const FrontendOutputs::Issue& issue) {
    for_lanes(issue.mask, [&](unsigned lane) {
      Thread& thread = warps_[issue.warp].threads[lane];
      std::vector<Meeting> later;
      for (const Meeting& meeting : thread.meetings) {
        if (meeting.pc != issue.pc || meeting.depth != thread.return_to.size()) {
          if (meeting.depth <= thread.return_to.size()) later.push_back(meeting);
          continue;
        }
        ++meetings_;
        for_lanes(meeting.threads & ~issue.mask, [&](unsigned other) {
          if (warp.threads[other].live) {
            fail("lane " + std::to_string(lane) + " goes on without lane " + std::to_string(other), issue.warp,
                 issue.pc);
          }
        });
      }
      thread.meetings = later;
    });
  }

  // Decides the branch for every thread of the path, and what the resolution says of it.
  void execute(const FrontendOutputs::Issue& issue, const Instruction& instruction) {
    Warp& warp = warps_[issue.warp];
    FrontendInputs::Resolve r{issue.warp,       issue.slot,         0, issue.pc + 4, issue.pc + 4, instruction.rpc, 0,
                              instruction.call, instruction.returns};
    if (!instruction.targets.empty()) r.target = instruction.targets[0];
    if (instruction.kind == Kind::kFork) {
      r.kind = kMarkFork;
    } else if (timing_.mark != 0 && random_.chance(timing_.mark)) {
      r.kind = config_.parts ? kMarkOnce : kMarkDivide;
    }
    const bool pops = instruction.kind == Kind::kPop && pop(warp, issue);
    if (instruction.kind == Kind::kPush)
      for_lanes(issue.mask, [&](unsigned lane) {
        Thread& thread = warp.threads[lane];
        thread.pushes.push_back({instruction.rpc, thread.return_to.size(), issue.mask});
      });
    if (instruction.kind == Kind::kPush) r.kind = kMarkPush;
    if (pops) r.kind = kMarkPop;
    if (instruction.kind == Kind::kMark) {
      r.kind = instruction.mark;
      r.barrier = instruction.barrier;
      r.operand = instruction.operand;
    }
    const bool nobody_branches =
        instruction.kind == Kind::kFork || instruction.kind == Kind::kPush || instruction.kind == Kind::kMark || pops;
    Branch branch{issue.pc, {}};
    for_lanes(issue.mask, [&](unsigned lane) { branch.threads[lane] = warp.threads[lane]; });
    std::map<unsigned, std::optional<Pc>> goes;
    for_lanes(issue.mask, [&](unsigned lane) { goes[lane] = outcome(warp, issue.pc, lane, instruction); });
    // The threads that go where the lowest lane goes; the others stay at the jump.
    const bool one_target =
        instruction.kind == Kind::kIndirect || instruction.kind == Kind::kCall || instruction.kind == Kind::kReturn;
    if (one_target) {
      r.target = *goes.begin()->second;
      r.next = issue.pc;
    }
    for (const auto& [lane, to] : goes) {
      Thread& thread = warp.threads[lane];
      const LaneMask bit = LaneMask{1} << lane;
      thread.waits = true;
      if (!to) {
        r.exit |= bit;
        thread.live = false;
        branch.threads.erase(lane);
        continue;
      }
      const bool calls = instruction.kind == Kind::kCall;
      if (calls && !config_.fork_join && !config_.software)
        thread.meetings.push_back({issue.pc + 4, thread.return_to.size(), issue.mask});
      const bool here = !config_.software && config_.fork_join == (instruction.kind == Kind::kFork);
      if (instruction.rpc > kReturnRpc && here)
        thread.meetings.push_back({instruction.rpc, thread.return_to.size(), issue.mask});
      if (one_target && *to != r.target) continue;
      ++thread.visits[issue.pc];
      thread.pc = *to;
      if (calls) {
        thread.return_to.push_back(issue.pc + 4);
        ++thread.calls;
        deepest_call_ = std::max(deepest_call_, thread.return_to.size());
      }
      if (instruction.kind == Kind::kReturn && !thread.return_to.empty()) thread.return_to.pop_back();
      if ((!instruction.targets.empty() || one_target) && *to == r.target) r.taken |= bit;
    }
    const bool diverges = r.taken != 0 && r.taken != issue.mask;
    if (config_.parts && diverges && r.kind != kMarkOnce) warp.branches.push_back(branch);
    if (diverges && random_.chance(timing_.skip)) r.skip = program_.skip(issue.pc);
    if (!nobody_branches)
      r.taken |= random_.next() & ~issue.mask & lane_mask(config_.lanes);  // lanes outside the path mean nothing
    held_->resolving = Resolving{0, r, issue.mask};
    ++warp.controls;
  }

  // A pop where threads come that have executed its push, and others. Of a path all have or none: whether it is one,
  // and then they go on together with the other threads of their push.
  bool pop(Warp& warp, const FrontendOutputs::Issue& issue) {
    std::optional<bool> pops;
    for_lanes(issue.mask, [&](unsigned lane) {
      Thread& thread = warp.threads[lane];
      const bool last = !thread.pushes.empty() && thread.pushes.back().pc == issue.pc + 4 &&
                        thread.pushes.back().depth == thread.return_to.size();
      if (pops && *pops != last) fail("threads of different pushes in one path", issue.warp, issue.pc);
      pops = last;
      if (!last) return;
      thread.meetings.push_back(thread.pushes.back());
      thread.pushes.pop_back();
    });
    ++(*pops ? pops_ : passed_pops_);
    return *pops;
  }

  // Rows on their way to memory are in a queue, room in which is told two cycles ahead; who is asked for a row has it
  // from memory.
  void rows(FrontendInputs& in, const FrontendOutputs& out) {
    in.save_ready = queue_.size() + 3 <= kRowQueue;
    const auto fill = take_due(loads_);
    if (fill) in.fill = SoftwareStackOracle::Fill{fill->warp, rows_.at({fill->warp, fill->row})};
    if (out.load) {
      const auto same = [&](const SoftwareStackOracle::Save& save) {
        return save.warp == out.load->warp && save.row == out.load->row;
      };
      in.load_ready = random_.chance(timing_.load) && std::none_of(queue_.begin(), queue_.end(), same);
      if (in.load_ready) loads_.push_back({after(timing_.load_latency), out.load->warp, out.load->row});
    } else {
      in.load_ready = random_.chance(50);
    }
    if (!queue_.empty() && random_.chance(timing_.save)) {
      const SoftwareStackOracle::Save& save = queue_.front();
      rows_[{save.warp, save.row}] = save.paths;
      queue_.pop_front();
    }
    if (out.save.valid) queue_.push_back(out.save);
    if (queue_.size() > kRowQueue) fail("a row is saved without room for it", out.save.warp, 0);
  }

  // Where this thread goes; nothing if it exits.
  [[nodiscard]] std::optional<Pc> outcome(const Warp& warp, Pc pc, unsigned lane,
                                          const Instruction& instruction) const {
    const Thread& thread = warp.threads[lane];
    if (instruction.kind == Kind::kReturn) return thread.return_to.empty() ? program_.stub() : thread.return_to.back();
    const auto visits = thread.visits.find(pc);
    return program_.outcome(pc, warp.launch, lane,
                            {visits == thread.visits.end() ? 0 : visits->second,
                             static_cast<unsigned>(thread.return_to.size()), thread.calls});
  }

  // The instruction is taken: its latencies begin.
  void accept() {
    if (held_->resolving) {
      held_->resolving->due = after(timing_.resolve_latency);
      resolves_.push_back(*held_->resolving);
    }
    if (held_->writing) {
      held_->writing->due = after(timing_.write_latency);
      Writing& all = *held_->writing;
      if (timing_.split != 0 && all.launch == warps_[all.what.warp].launch &&
          random_.chance(50)) {  // some hit, and come first
        Writing hits = all;
        hits.what.mask &= random_.next();
        all.what.mask &= ~hits.what.mask;
        all.due += timing_.write_latency;
        if (hits.what.mask != 0 && all.what.mask != 0) {
          writes_.push_back(hits);
          ++warps_[all.what.warp].in_flight;
        } else {
          all.what.mask |= hits.what.mask;
        }
      }
      writes_.push_back(all);
    }
    if (held_->release) {
      held_->release->due = after(20);
      releases_.push_back(*held_->release);
    }
    held_.reset();
  }

  // Threads of a path, mostly those that do wait; the same for some cycles, or withdrawn.
  void wait_for_memory(FrontendInputs& in) {
    in.split = last_in_.split;
    in.split.valid = random_.chance(timing_.split);
    if (random_.chance(30)) return;
    const WarpId w = random_.below(config_.warps);
    LaneMask waiting = random_.lanes(config_.lanes);
    if (random_.chance(70)) {
      waiting = 0;
      for (unsigned lane = 0; lane < config_.lanes; ++lane) {
        for (const auto& [reg, count] : warps_[w].threads[lane].writing) waiting |= LaneMask{count != 0} << lane;
      }
    }
    in.split = {in.split.valid, w, random_.below(2), waiting};
  }

  // Answers, or writes to a register.
  [[nodiscard]] bool under_way(WarpId w) const {
    return std::any_of(fetches_.begin(), fetches_.end(), [&](const Fetched& fetch) { return fetch.warp == w; }) ||
           std::any_of(writes_.begin(), writes_.end(),
                       [&](const Writing& write) { return write.what.warp == w && write.what.reg != 0; });
  }

  // Whatever of the warp is under way comes all the same, but for resolutions and releases.
  void kill(FrontendInputs& in) {
    // If all threads wait for one another now it is told four cycles after the last has come.
    const bool last_has_come = timing_.kill != 0 && arrival_.first + 4 == now_ && random_.chance(30);
    if (!stuck_ && !last_has_come && !random_.chance(timing_.kill)) return;
    std::vector<WarpId> busy;
    if (in.resolve) busy.push_back(in.resolve->warp);
    if (acting_) busy.push_back(acting_->what.warp);
    if (in.decode) busy.push_back(in.decode->warp);
    if (in.fill) busy.push_back(in.fill->warp);
    for (WarpId w = 0; w < config_.warps; ++w) {
      if (((in.release >> w) & 1) != 0) busy.push_back(w);
    }
    const WarpId any = busy.empty() || random_.chance(50) ? random_.below(config_.warps) : random_.pick(busy);
    const WarpId w = stuck_.value_or(last_has_come ? arrival_.second : any);
    if (in.launch && in.launch->warp == w) return;
    stuck_.reset();
    in.kill = w;
    ++kills_;
    const auto forget = [&](auto& items, auto of_warp) {
      items.erase(std::remove_if(items.begin(), items.end(), of_warp), items.end());
    };
    forget(resolves_, [&](const Resolving& resolving) { return resolving.what.warp == w; });
    forget(loads_, [&](const Loading& loading) { return loading.warp == w; });
    forget(releases_, [&](const Release& release) { return release.warp == w; });
    for (auto* resolution : {&offered_, &taken_in_, &acting_}) {
      if (*resolution && (*resolution)->what.warp == w) resolution->reset();
    }
    if (held_ && held_->resolving && held_->resolving->what.warp == w) held_->resolving.reset();
    if (held_ && held_->release && held_->release->warp == w) held_->release.reset();
    Warp& warp = warps_[w];
    const unsigned launch = warp.launch;
    warp = Warp{};
    warp.launch = launch;
    warp.killed_at = now_;
    last_progress_ = now_;
  }

  void launch(FrontendInputs& in, std::uint64_t idle) {
    if (to_launch_.empty() || !random_.chance(timing_.launch)) return;
    for (WarpId w = 0; w < config_.warps; ++w) {
      Warp& warp = warps_[w];
      if (warp.running || warp.in_flight != 0) continue;
      if (((idle >> w) & 1) == 0 && random_.chance(50)) continue;
      if (warp.killed_at != 0 && under_way(w)) ++relaunched_beside_old_ones_;
      const auto [id, mask] = to_launch_.front();
      to_launch_.pop_front();
      warp = Warp{};
      warp.running = true;
      warp.launch = id;
      for_lanes(mask, [&](unsigned lane) {
        warp.threads[lane].live = true;
        warp.threads[lane].pc = program_.entry();
      });
      in.launch = {w, program_.entry(), mask};
      return;
    }
  }

  // One answer of those that are due.
  void decode(FrontendInputs& in) {
    const auto answer = take_due(fetches_, [&](const Fetched& fetch) { return &fetch == &first_of_its_path(fetch); });
    if (!answer) return;
    FrontendInputs::Decode decode{answer->warp, answer->slot, answer->tag, {}};
    decode.bundles.push_back(bundle_at(answer->pc));
    const bool jump = ((decode.bundles.front() >> kJumpBit) & 1) != 0;
    if (!jump && random_.chance(80)) decode.bundles.push_back(bundle_at(answer->pc + 4));
    in.decode = decode;
  }
  // Behind the last instruction, which is a jump, only what is never issued is fetched.
  [[nodiscard]] std::uint64_t bundle_at(Pc pc) const {
    const std::uint64_t jump = std::uint64_t{1} << kControlBit | std::uint64_t{1} << kJumpBit;
    return (program_.has(pc) ? program_.at(pc).bundle : jump) | payload_at(pc) << kBundleWidth;
  }
  // Bits that no other instruction of the program has.
  [[nodiscard]] std::uint64_t payload_at(Pc pc) const {
    return pc * 0x9e3779b97f4a7c15u >> 20 & lane_mask(config_.payload_bits);
  }
  // The requests of a path are answered in their order.
  [[nodiscard]] const Fetched& first_of_its_path(const Fetched& fetch) const {
    return *std::find_if(fetches_.begin(), fetches_.end(),
                         [&](const Fetched& other) { return other.warp == fetch.warp && other.slot == fetch.slot; });
  }

  // A resolution is offered until it is taken.
  void resolve(FrontendInputs& in) {
    taken_in_.reset();
    if (!offered_) offered_ = take_due(resolves_);
    if (!offered_) return;
    in.resolve = offered_->what;
    if (in.save_ready) std::swap(taken_in_, offered_);
  }

  void write_back(FrontendInputs& in) {
    written_.clear();
    for (unsigned k = 0; k < config_.write_ports; ++k) {
      const auto done = take_due(writes_);
      if (!done) continue;
      in.wb[k] = done->what;
      written_.push_back(*done);
      Warp& warp = warps_[done->what.warp];
      if (done->launch == warp.launch && warp.in_flight != 0) --warp.in_flight;
    }
  }

  void release(FrontendInputs& in) {
    while (const auto due = take_due(releases_)) {
      in.release |= std::uint64_t{1} << due->warp;
      --warps_[due->warp].in_flight;
    }
  }

  void forget_write(const FrontendInputs::WriteBack& wb) {
    for_lanes(wb.mask, [&](unsigned lane) {
      unsigned& writes = warps_[wb.warp].threads[lane].writing[wb.reg];
      if (writes != 0) --writes;  // a kill has forgotten it
    });
  }

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
