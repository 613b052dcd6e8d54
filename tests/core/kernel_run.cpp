// SPDX-License-Identifier: Apache-2.0
#include "tests/core/kernel_run.h"

#include <algorithm>
#include <sstream>

namespace heddle::test {

KernelRun::KernelRun(const RandomProgram& program, const FrontendConfig& config, unsigned launches, std::uint64_t seed,
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

bool KernelRun::finished() const {
  if (!to_launch_.empty() || !writes_.empty() || !resolves_.empty() || held_ || offered_) return false;
  for (const Warp& warp : warps_) {
    if (warp.running && !warp.halted) return false;
  }
  return true;
}

FrontendInputs KernelRun::next(const FrontendOutputs& out) {
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

void KernelRun::fail(const std::string& what, WarpId warp, Pc pc) const {
  std::ostringstream text;
  text << "cycle " << now_ << ": warp " << warp << ", PC 0x" << std::hex << pc << ": " << what;
  throw Violation(text.str());
}

void KernelRun::watch(const FrontendOutputs& out) {
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
    if (out.issue.valid && out.issue.warp == w) fail("idle with an instruction in the issue register", w, out.issue.pc);
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
      if (out.overflow.warp != acting_->what.warp) fail("overflow of a warp that did not branch", out.overflow.warp, 0);
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

void KernelRun::watch_issue(const FrontendOutputs::Issue& issue) {
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

void KernelRun::repeat(Warp& warp, const FrontendOutputs::Issue& issue) {
  for (Branch& branch : warp.branches) {
    bool again = false;
    for_lanes(issue.mask, [&](unsigned lane) {
      again = again || (branch.pc == issue.pc && branch.threads.count(lane) != 0 && warp.threads[lane].pc != issue.pc);
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

void KernelRun::meet(const Warp& warp, const FrontendOutputs::Issue& issue) {
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
          fail("lane " + std::to_string(lane) + " goes on without lane " + std::to_string(other), issue.warp, issue.pc);
        }
      });
    }
    thread.meetings = later;
  });
}

void KernelRun::execute(const FrontendOutputs::Issue& issue, const Instruction& instruction) {
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

bool KernelRun::pop(Warp& warp, const FrontendOutputs::Issue& issue) {
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

void KernelRun::rows(FrontendInputs& in, const FrontendOutputs& out) {
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

std::optional<Pc> KernelRun::outcome(const Warp& warp, Pc pc, unsigned lane, const Instruction& instruction) const {
  const Thread& thread = warp.threads[lane];
  if (instruction.kind == Kind::kReturn) return thread.return_to.empty() ? program_.stub() : thread.return_to.back();
  const auto visits = thread.visits.find(pc);
  return program_.outcome(pc, warp.launch, lane,
                          {visits == thread.visits.end() ? 0 : visits->second,
                           static_cast<unsigned>(thread.return_to.size()), thread.calls});
}

void KernelRun::accept() {
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

void KernelRun::wait_for_memory(FrontendInputs& in) {
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

bool KernelRun::under_way(WarpId w) const {
  return std::any_of(fetches_.begin(), fetches_.end(), [&](const Fetched& fetch) { return fetch.warp == w; }) ||
         std::any_of(writes_.begin(), writes_.end(),
                     [&](const Writing& write) { return write.what.warp == w && write.what.reg != 0; });
}

void KernelRun::kill(FrontendInputs& in) {
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

void KernelRun::launch(FrontendInputs& in, std::uint64_t idle) {
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

void KernelRun::decode(FrontendInputs& in) {
  const auto answer = take_due(fetches_, [&](const Fetched& fetch) { return &fetch == &first_of_its_path(fetch); });
  if (!answer) return;
  FrontendInputs::Decode decode{answer->warp, answer->slot, answer->tag, {}};
  decode.bundles.push_back(bundle_at(answer->pc));
  const bool jump = ((decode.bundles.front() >> kJumpBit) & 1) != 0;
  if (!jump && random_.chance(80)) decode.bundles.push_back(bundle_at(answer->pc + 4));
  in.decode = decode;
}

std::uint64_t KernelRun::bundle_at(Pc pc) const {
  const std::uint64_t jump = std::uint64_t{1} << kControlBit | std::uint64_t{1} << kJumpBit;
  return (program_.has(pc) ? program_.at(pc).bundle : jump) | payload_at(pc) << kBundleWidth;
}

std::uint64_t KernelRun::payload_at(Pc pc) const {
  return pc * 0x9e3779b97f4a7c15u >> 20 & lane_mask(config_.payload_bits);
}

const KernelRun::Fetched& KernelRun::first_of_its_path(const Fetched& fetch) const {
  return *std::find_if(fetches_.begin(), fetches_.end(),
                       [&](const Fetched& other) { return other.warp == fetch.warp && other.slot == fetch.slot; });
}

void KernelRun::resolve(FrontendInputs& in) {
  taken_in_.reset();
  if (!offered_) offered_ = take_due(resolves_);
  if (!offered_) return;
  in.resolve = offered_->what;
  if (in.save_ready) std::swap(taken_in_, offered_);
}

void KernelRun::write_back(FrontendInputs& in) {
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

void KernelRun::release(FrontendInputs& in) {
  while (const auto due = take_due(releases_)) {
    in.release |= std::uint64_t{1} << due->warp;
    --warps_[due->warp].in_flight;
  }
}

void KernelRun::forget_write(const FrontendInputs::WriteBack& wb) {
  for_lanes(wb.mask, [&](unsigned lane) {
    unsigned& writes = warps_[wb.warp].threads[lane].writing[wb.reg];
    if (writes != 0) --writes;  // a kill has forgotten it
  });
}
}  // namespace heddle::test
