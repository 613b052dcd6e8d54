// SPDX-License-Identifier: Apache-2.0
#include "barrel/barrel_backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dwf/issue_logic.h"
#include "dwf/thread_swizzle.h"
#include "heddle/error.h"
#include "memory/warp_memory.h"

namespace heddle {
namespace {

constexpr unsigned kMemoryWorkReady =
    8;  // instructions before a limited load/store unit, for each that a cycle may issue; nothing issues above this
constexpr unsigned kTailStages = 3;      // update port, update register, pool: the last stages of the pipeline
constexpr unsigned kThreadsListed = 24;  // of a line of the state dump

constexpr const char* kPlaceNames[] = {"nowhere", "wait to be issued", "are in the pipeline", "wait for memory",
                                       "wait at a barrier"};

LoadStoreUnit::Path memory_path(WarpSource::Style style, const Config& config) {
  const bool unlimited = style == WarpSource::Style::kIndependent && config.mimd.memory_path == MemoryPath::kUnlimited;
  return unlimited ? LoadStoreUnit::Path::kUnlimited : LoadStoreUnit::Path::kNoBus;
}

std::uint32_t swizzle_of(WarpSource::Style style, const Config& config) {
  return style == WarpSource::Style::kFormed ? static_cast<std::uint32_t>(config.dwf.swizzle) : kSwizzleNone;
}

}  // namespace

BarrelBackend::BarrelBackend(const Config& config, std::unique_ptr<WarpSource> source)
    : CoreBackend(config, memory_path(source->style(), config)),
      source_(std::move(source)),
      style_(source_->style()),
      whole_(style_ == WarpSource::Style::kParts || style_ == WarpSource::Style::kStack),
      splits_(!whole_ && config.barrel.split_loads),
      crossbar_(style_ == WarpSource::Style::kFormed && config.dwf.regfile == DwfRegfile::kCrossbar),
      counts_postdominators_(style_ == WarpSource::Style::kFormed &&
                             config.dwf.heuristic == DwfHeuristic::kPostDominator),
      homes_matter_(style_ == WarpSource::Style::kFormed && config.dwf.lane_aware),
      posts_stores_(path_ != LoadStoreUnit::Path::kUnlimited),
      memory_work_ready_(!posts_stores_ ? ~0u
                                        : kMemoryWorkReady * (style_ == WarpSource::Style::kIndependent ? lanes_ : 1)),
      lane_shift_(static_cast<unsigned>(__builtin_ctz(config.core.lanes))),
      entry_delay_(source_->entry_delay()),
      pipeline_delay_(config.barrel.depth - kTailStages),
      warps_(config.core.warps),
      threads_(std::size_t{config.core.warps} * config.core.lanes),
      postdominators_(std::size_t{config.core.warps} * config.core.lanes),
      flights_(threads_.size()),
      at_barrier_(config.core.max_blocks),
      pipeline_(static_cast<std::uint32_t>(threads_.size())),
      arrivals_(static_cast<std::uint32_t>(threads_.size())),
      memory_work_(static_cast<std::uint32_t>(threads_.size())),
      accesses_(threads_.size()),
      group_lane_(threads_.size()) {
  for (std::uint32_t tid = 0; tid < threads_.size(); ++tid) {
    threads_[tid].home_lane = static_cast<std::uint8_t>(home_lane(tid, lanes_, swizzle_of(style_, config)));
  }
}

void BarrelBackend::reset_machine() {
  source_->reset();
  for (ResidentWarp& warp : warps_) warp.occupied = false;
  for (Thread& thread : threads_) thread.place = Place::kNone;
  count_ = {};
  live_ = 0;
  free_flights_.clear();
  free_accesses_.clear();
  for (std::uint32_t i = static_cast<std::uint32_t>(threads_.size()); i-- > 0;) {
    free_flights_.push_back(i);
    free_accesses_.push_back(i);
  }
  for (std::vector<FlightId>& waiting : at_barrier_) waiting.clear();
  pipeline_.clear();
  arrivals_.clear();
  memory_work_.clear();
  memory_instructions_ = 0;
  held_.clear();
  held_threads_ = 0;
  banks_free_ = 0;
  ready_ = ready_before_ = false;
  waiting_at_.assign(code_.size(), 0);
  postdominators_.reset();
  distinct_pcs_ = 0;
  barrel_ = BarrelStats{};
  barrel_.used = true;
}

void BarrelBackend::cycle() {
  serve_memory();
  leave_pipeline();
  dispatch();
  arrive();
  issue();
  ready_before_ = ready_;
  const bool banks_ready = banks_free_ <= now_ + 1;
  ready_ = banks_ready && memory_instructions_ <= memory_work_ready_;
  if (!ready_) not_ready_ = banks_ready ? Stall::kUnitBusy : Stall::kRegfile;
  source_->drive(ready_);
  if (config_.run.checks) check_conservation();
  end_of_cycle();
}

// ----------------------------------------------------------------------------------------------------- threads come
// and go

CoreBackend::ResidentWarp& BarrelBackend::clear_warp(WarpId id) {
  warps_[id] = ResidentWarp{};
  return warps_[id];
}

// The threads of a static warp enter like those that come back from an instruction.
void BarrelBackend::warp_placed(WarpId id, std::uint32_t warp_in_block) {
  const ResidentWarp& warp = warps_[id];
  ThreadGroup group;
  for_each_lane(warp.live, [&](unsigned lane) {
    const ThreadId tid = thread_of(id, lane);
    Thread& thread = threads_[tid];
    thread.place = Place::kPipeline;
    thread.next_pc = launch_.entry;
    thread.instret = 0;
    if (counts_postdominators_) postdominators_.start(tid);
    thread.recurrence.reset();
    ++count_[static_cast<unsigned>(Place::kPipeline)];
    ++live_;
    group.mask |= LaneMask{1} << thread.home_lane;
    group.tid[thread.home_lane] = tid;
  });
  blocks_[warp.block].running += popcount(warp.live);
  if (observer_ != nullptr) observer_->warp_begin(now_, id, warp.block, warp_in_block, warp.live);
  const FlightId flight = new_flight(group);
  flights_[flight].event = Flight::Event::kLaunch;
  flights_[flight].target = flights_[flight].next = launch_.entry;
  come_back(flight, group.mask);
}

BarrelBackend::FlightId BarrelBackend::new_flight(const ThreadGroup& group) {
  const FlightId id = free_flights_.back();
  free_flights_.pop_back();
  Flight& flight = flights_[id];
  flight = Flight{};
  flight.group = group;
  flight.waiting = group.mask;
  flight.target = flight.next = group.pc + 4;
  return id;
}

void BarrelBackend::leave_pipeline() {
  while (!pipeline_.empty() && pipeline_.front().at <= now_) {
    const FlightId id = pipeline_.front().flight;
    pipeline_.pop();
    if (flights_[id].event == Flight::Event::kBarrier) wait_at_barrier(id);
    else come_back(id, flights_[id].group.mask);
  }
}

void BarrelBackend::arrive() {
  while (!arrivals_.empty() && arrivals_.front().at <= now_) {
    const Arrival arrival = arrivals_.front();
    arrivals_.pop();
    enter(arrival.flight, arrival.lanes);
  }
}

void BarrelBackend::enter(FlightId id, LaneMask lanes) {
  Flight& flight = flights_[id];
  WarpSource::Priorities priorities{};
  unsigned group = 0;
  flight.for_each_next(lanes, [&](Pc pc, LaneMask mask) {
    for_each_lane(mask, [&](unsigned lane) {
      const ThreadId tid = flight.group.tid[lane];
      Thread& thread = threads_[tid];
      move(tid, Place::kSource);
      thread.next_pc = pc;
      thread.entered = now_;
      if (counts_postdominators_) {
        if ((flight.taken >> lane & 1) != 0) postdominators_.change_level(tid, flight.call, flight.ret);
        postdominators_.arrive(tid, pc);
      }
    });
    count_pc(pc, static_cast<int>(popcount(mask)));
  });
  if (counts_postdominators_) {
    flight.for_each_next(lanes, [&](Pc, LaneMask mask) {
      priorities[group] = postdominators_.count(flight.group.tid[lowest_lane(mask)]);
      for_each_lane(mask, [&](unsigned lane) {
        const std::uint32_t count = postdominators_.count(flight.group.tid[lane]);
        if (is_later<8>(count, priorities[group])) priorities[group] = count;
      });
      ++group;
    });
  }
  if (!source_->enter(flight, lanes, priorities)) {
    stack_overflow(warp_of(flight.group.tid[lowest_lane(flight.group.mask)]), flight.group.pc);
  }
  if ((flight.exited & lanes) != 0) threads_exit(flight);
  flight.waiting &= ~lanes;
  if (flight.waiting == 0) free_flights_.push_back(id);
}

void BarrelBackend::threads_exit(const Flight& flight) {
  for_each_lane(flight.exited, [&](unsigned lane) {
    const ThreadId tid = flight.group.tid[lane];
    const WarpId id = warp_of(tid);
    ResidentWarp& warp = warps_[id];
    move(tid, Place::kNone);
    if (counts_postdominators_) postdominators_.end(tid);
    --live_;
    warp.live &= ~(LaneMask{1} << (tid & (lanes_ - 1)));
    --blocks_[warp.block].running;
    if (warp.live == 0) {
      warp.occupied = false;
      if (observer_ != nullptr) observer_->warp_end(now_, id);
      release_warp(id);
    }
    release_barrier_if_complete(warp.block);
  });
  watch_.progress(now_);
}

void BarrelBackend::wait_at_barrier(FlightId id) {
  const Flight& flight = flights_[id];
  for_each_lane(flight.group.mask, [&](unsigned lane) {
    const ThreadId tid = flight.group.tid[lane];
    move(tid, Place::kBarrier);
    threads_[tid].next_pc = flight.next;
    ++blocks_[warps_[warp_of(tid)].block].waiting;
  });
  const ThreadGroup group = flight.group;
  if (whole_) {
    at_barrier_[warps_[warp_of(group.tid[lowest_lane(group.mask)])].block].push_back(id);
  } else {
    free_flights_.push_back(id);
  }
  for_each_lane(group.mask,
                [&](unsigned lane) { release_barrier_if_complete(warps_[warp_of(group.tid[lane])].block); });
}

// Groups that stay together go on as they came; other threads enter as at launch, by static warp and PC.
void BarrelBackend::release_barrier_if_complete(unsigned block_slot) {
  Block& block = blocks_[block_slot];
  if (block.waiting == 0 || block.waiting != block.running) return;
  block.waiting = 0;
  for (const FlightId id : at_barrier_[block_slot]) come_back(id, flights_[id].group.mask);
  at_barrier_[block_slot].clear();
  for (WarpId id = 0; id < warps_.size() && !whole_; ++id) {
    const ResidentWarp& warp = warps_[id];
    if (!warp.occupied || warp.block != block_slot) continue;
    LaneMask rest = 0;
    for_each_lane(warp.live, [&](unsigned lane) {
      rest |= LaneMask{threads_[thread_of(id, lane)].place == Place::kBarrier} << lane;
    });
    while (rest != 0) {
      const Pc pc = threads_[thread_of(id, lowest_lane(rest))].next_pc;
      ThreadGroup group;
      LaneMask together = 0;
      for_each_lane(rest, [&](unsigned lane) {
        const Thread& thread = threads_[thread_of(id, lane)];
        if (thread.next_pc != pc) return;
        together |= LaneMask{1} << lane;
        group.mask |= LaneMask{1} << thread.home_lane;
        group.tid[thread.home_lane] = thread_of(id, lane);
      });
      rest &= ~together;
      const FlightId flight = new_flight(group);
      flights_[flight].target = flights_[flight].next = pc;
      come_back(flight, group.mask);
    }
  }
  watch_.progress(now_);
  if (observer_ != nullptr) observer_->barrier_release(now_, block_slot);
}

// Whichever way they go, the threads of a branch are in its region now.
void BarrelBackend::open_region(const Flight& flight) {
  for_each_lane(flight.group.mask, [&](unsigned lane) { postdominators_.open(flight.group.tid[lane], flight.rpc); });
}

// -------------------------------------------------------------------------------------------------------------------
// issue

void BarrelBackend::issue() {
  issued_.clear();
  source_->issue(ready_, issued_);
  if (crossbar_) read_banks();
  unsigned threads = 0;
  for (const ThreadGroup& group : issued_) {
    threads += popcount(group.mask);
    count_helper(static_instruction(group.pc), popcount(group.mask));
    take_from_source(group);
    if (style_ == WarpSource::Style::kIndependent) execute_independently(group);
    else execute(group);
  }
  account(threads);
}

// Threads whose registers lie in one bank are read one after the other; the next warp waits.
void BarrelBackend::read_banks() {
  for (const ThreadGroup& group : issued_) {
    held_.push_back(group);
    held_threads_ += popcount(group.mask);
  }
  issued_.clear();
  if (held_.empty() || banks_free_ > now_) return;
  issued_.push_back(held_.front());
  held_.erase(held_.begin());
  const ThreadGroup& group = issued_.front();
  held_threads_ -= popcount(group.mask);
  std::array<unsigned, kMaxLanes> reads{};
  unsigned most = 1;
  for_each_lane(group.mask,
                [&](unsigned lane) { most = std::max(most, ++reads[threads_[group.tid[lane]].home_lane]); });
  banks_free_ = now_ + most;
  barrel_.crossbar_cycles += most - 1;
}

void BarrelBackend::account(unsigned threads) {
  ++stats_.warp_size[threads];
  if (threads == 0) {
    ++stats_.stalls[static_cast<unsigned>(idle_reason())];
    return;
  }
  ++stats_.stalls[0];
  ++stats_.warp_instructions;
  ++stats_.schedulable_paths;
  stats_.thread_instructions += threads;
  if (!whole_) stats_.live_lane_slots += std::min(live_, lanes_);  // as many as could have been issued together
  last_issue_ = now_;
}

// Why nothing issued: the core held the source back, or else the place where most threads are.
Stall BarrelBackend::idle_reason() const {
  if (live_ == 0) return Stall::kNoWarp;
  if (!held_.empty()) return Stall::kRegfile;
  if (now_ != 0 && (!ready_ || !ready_before_) && count_[static_cast<unsigned>(Place::kSource)] != 0) return not_ready_;
  constexpr std::pair<Place, Stall> kReasons[] = {{Place::kMemory, Stall::kMemory},
                                                  {Place::kPipeline, Stall::kPipeline},
                                                  {Place::kBarrier, Stall::kBarrier},
                                                  {Place::kSource, Stall::kFormation}};
  Stall reason = Stall::kFormation;
  unsigned most = 0;
  for (const auto& [place, stall] : kReasons) {
    if (count_[static_cast<unsigned>(place)] <= most) continue;
    most = count_[static_cast<unsigned>(place)];
    reason = stall;
  }
  return reason;
}

void BarrelBackend::take_from_source(const ThreadGroup& group) {
  if (group.mask == 0)
    wrong("threads", fmt::format("an empty warp was issued at cycle {} at 0x{:08x}", now_, group.pc));
  for_each_lane(group.mask, [&](unsigned lane) {
    const ThreadId tid = group.tid[lane];
    if (lane >= lanes_ || tid >= threads_.size()) wrong_thread(group, lane, "does not exist");
    Thread& thread = threads_[tid];
    if (thread.place != Place::kSource) {
      wrong_thread(group, lane, thread.place == Place::kNone ? "is not alive" : "has an instruction in flight already");
    }
    if (thread.next_pc != group.pc) wrong_thread(group, lane, fmt::format("is at 0x{:08x}", thread.next_pc));
    if (homes_matter_ && thread.home_lane != lane)
      wrong_thread(group, lane, fmt::format("has home lane {}", thread.home_lane));
    move(tid, Place::kPipeline);
    ++thread.instret;
    barrel_.max_wait = std::max(barrel_.max_wait, now_ - thread.entered);
    if (watch_.open) thread.recurrence.issue(group.pc, 1);
  });
  count_pc(group.pc, -static_cast<int>(popcount(group.mask)));
  if (whole_) stats_.live_lane_slots += popcount(warps_[warp_of(group.tid[lowest_lane(group.mask)])].live);
}

// The static warps of a group, and where their lanes are in it.
void BarrelBackend::split(const ThreadGroup& group) {
  parts_ = 0;
  for_each_lane(group.mask, [&](unsigned lane) {
    const ThreadId tid = group.tid[lane];
    const WarpId id = warp_of(tid);
    const std::uint64_t bit = std::uint64_t{1} << id;
    if ((parts_ & bit) == 0) part_mask_[id] = 0;
    parts_ |= bit;
    part_mask_[id] |= LaneMask{1} << (tid & (lanes_ - 1));
    group_lane_[tid] = static_cast<std::uint8_t>(lane);
  });
}

// Every target of an indirect jump is a group of its own.
void BarrelBackend::execute_independently(const ThreadGroup& group) {
  const Instruction& inst = instruction_at(group.pc);
  if (inst.op != Op::kJalr) {
    execute(group);
    return;
  }
  ThreadGroup rest = group;
  while (rest.mask != 0) {
    split(rest);
    const ThreadId first = rest.tid[lowest_lane(rest.mask)];
    LaneMask going = 0;
    Pc target = 0;
    for_each_part(rest.pc, inst, [&](const Part& part) {
      if (part.id == warp_of(first)) target = jump_target(part, first & (lanes_ - 1));
    });
    for_each_part(rest.pc, inst, [&](const Part& part) { going |= group_lanes(part.id, jumping_to(part, target)); });
    ThreadGroup together = rest;
    together.mask = going;
    rest.mask &= ~going;
    execute(together);
  }
}

void BarrelBackend::execute(const ThreadGroup& group) {
  const Instruction& inst = instruction_at(group.pc);
  const Kind kind = static_instruction(group.pc).kind;
  split(group);
  if (observer_ != nullptr) observer_->formed_warp(now_, group.pc, group.mask, group.tid.data());
  const FlightId id = new_flight(group);
  Flight& flight = flights_[id];
  switch (kind) {
    case Kind::kCompute: execute_compute(flight, inst); break;
    case Kind::kBranch: execute_branch(flight, inst); break;
    case Kind::kMemory: execute_memory_access(id, inst); return;
    case Kind::kJump: execute_jump(flight, inst); break;
    case Kind::kCsr: execute_csr_access(flight, inst); break;
    case Kind::kBarrier: execute_barrier(flight, inst); break;
    case Kind::kEcall: execute_ecall(flight, inst); break;
    case Kind::kWarpsync:
      for_each_part(group.pc, inst, [&](const Part& part) { check_warpsync(part); });
      [[fallthrough]];
    case Kind::kNop:
    case Kind::kOwn:  // no source of this core has any
      for_each_part(group.pc, inst, [&](const Part& part) { commit(part, part.mask, nullptr, nullptr, 0, 0, 0); });
      break;
    case Kind::kIllegal: for_each_part(group.pc, inst, [&](const Part& part) { illegal(part); });
  }
  pipeline_.push({now_ + pipeline_delay_, id});
}

void BarrelBackend::execute_compute(Flight& flight, const Instruction& inst) {
  LaneBuffer out;
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    if (inst.has_effect()) compute(part, out);
    commit(part, part.mask, inst.rd != 0 ? LaneArray(out) : nullptr, nullptr, 0, 0, 0);
    write(part, part.mask, inst.rd, out);
  });
}

void BarrelBackend::execute_branch(Flight& flight, const Instruction& inst) {
  flight.event = Flight::Event::kResolve;
  flight.target = flight.group.pc + static_cast<Pc>(inst.imm);
  flight.rpc = inst.rpc;
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    const LaneMask taken = branch_taken_lanes(part, flight.target);
    commit(part, part.mask, nullptr, nullptr, taken, flight.target, 0);
    flight.taken |= group_lanes(part.id, taken);
  });
  const bool divergent = flight.taken != 0 && flight.taken != flight.group.mask && flight.target != flight.next;
  count_branch(inst, flight.group.pc, divergent, flight.target, flight.next);
  if (counts_postdominators_) open_region(flight);
}

// An indirect jump with several targets: the threads that go where the lowest lane goes leave, the others execute it
// again.
void BarrelBackend::execute_jump(Flight& flight, const Instruction& inst) {
  const ThreadId first = flight.group.tid[lowest_lane(flight.group.mask)];
  LaneBuffer link;
  fill(link, flight.group.pc + 4);
  flight.event = Flight::Event::kResolve;
  flight.rpc = inst.rpc;
  flight.call = inst.is_call();
  flight.ret = inst.is_return();
  flight.next = flight.group.pc;
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    if (part.id == warp_of(first)) flight.target = jump_target(part, first & (lanes_ - 1));
  });
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    const LaneMask leaving = jumping_to(part, flight.target);
    if (leaving == 0) return;
    commit(part, leaving, inst.rd != 0 ? LaneArray(link) : nullptr, nullptr, leaving, flight.target, 0);
    write(part, leaving, inst.rd, link);
    flight.taken |= group_lanes(part.id, leaving);
  });
  const bool divergent = flight.taken != flight.group.mask && flight.target != flight.next;
  count_branch(inst, flight.group.pc, divergent, flight.target, flight.next);
  if (counts_postdominators_) open_region(flight);
}

void BarrelBackend::execute_ecall(Flight& flight, const Instruction& inst) {
  LaneBuffer out;
  flight.event = Flight::Event::kResolve;
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    const EcallResult call = environment_call(part, out);
    commit(part, part.mask, call.written != 0 ? LaneArray(out) : nullptr, nullptr, 0, 0, call.exited);
    write(part, call.written, kA0, out);
    flight.exited |= group_lanes(part.id, call.exited);
  });
}

void BarrelBackend::execute_csr_access(Flight& flight, const Instruction& inst) {
  LaneBuffer out, one;
  const std::uint32_t csr = static_cast<std::uint32_t>(inst.imm) & 0xFFFu;
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    if (csr == kCsrInstret || csr == kCsrInstreth) {  // instructions of the thread, this one not included
      for_each_lane(part.mask, [&](unsigned lane) {
        control_register({part.id, part.warp, 0, part.pc, LaneMask{1} << lane, inst},
                         threads_[thread_of(part.id, lane)].instret - 1, one);
        set_value(out, lane, value(one, lane));
      });
    } else {
      control_register(part, 0, out);
    }
    commit(part, part.mask, inst.rd != 0 ? LaneArray(out) : nullptr, nullptr, 0, 0, 0);
    write(part, part.mask, inst.rd, out);
  });
}

void BarrelBackend::execute_barrier(Flight& flight, const Instruction& inst) {
  flight.event = Flight::Event::kBarrier;
  for_each_part(flight.group.pc, inst, [&](const Part& part) {
    const LaneMask others = part.warp.live & ~part.mask;
    if (style_ == WarpSource::Style::kStack && others != 0) {
      divergent_barrier(part, others, threads_[thread_of(part.id, lowest_lane(others))].next_pc);
    }
    commit(part, part.mask, nullptr, nullptr, 0, 0, 0);
  });
}

void BarrelBackend::execute_memory_access(FlightId id, const Instruction& inst) {
  const ThreadGroup& group = flights_[id].group;
  LaneBuffer out;
  alignas(64) std::array<Address, kMaxLanes> address;
  std::array<std::uint64_t, kMaxLanes> physical;
  std::array<LaneMask, 3> lanes{};
  for_each_part(group.pc, inst, [&](const Part& part) {
    if (watch_.open && stores_change_memory(part)) watch_.progress(now_);
    access_memory(part, out, address.data());
    commit(part, part.mask, inst.rd != 0 ? LaneArray(out) : nullptr, address.data(), 0, 0, 0);
    write(part, part.mask, inst.rd, out);
    for_each_lane(part.mask, [&](unsigned lane) {
      const unsigned at = group_lane_[thread_of(part.id, lane)];
      const Space space = space_of(address[lane]);
      lanes[static_cast<unsigned>(space)] |= LaneMask{1} << at;
      physical[at] =
          space == Space::kLocal ? space_->physical(address[lane], {part.warp.block, part.id, lane}) : address[lane];
    });
  });
  for_each_lane(group.mask, [&](unsigned lane) { move(group.tid[lane], Place::kMemory); });
  queue_accesses(id, inst, physical.data(), lanes);
}

// One access for each space. Threads that need not come back together do so with their lines.
void BarrelBackend::queue_accesses(FlightId id, const Instruction& inst, const std::uint64_t* physical,
                                   const std::array<LaneMask, 3>& lanes) {
  for (unsigned s = 0; s < lanes.size(); ++s) {
    if (lanes[s] == 0) continue;
    const auto space = static_cast<Space>(s);
    ++flights_[id].accesses;
    const std::uint32_t token = free_accesses_.back();
    free_accesses_.pop_back();
    accesses_[token] = {id, lanes[s]};
    MemoryWork& work = memory_work_.push();
    work.last = false;
    work.at = now_ + config_.lsu_latency;
    work.token = token;
    work.access.kind = access_kind(inst);
    work.access.token = posts_stores_ && work.access.kind == AccessKind::kStore ? kNoToken : token;
    work.access.space = space;
    work.access.bytes = static_cast<std::uint8_t>(access_bytes(inst.op));
    work.access.mask = lanes[s];
    work.access.parts = splits_ && !inst.is_store() && space != Space::kShared;
    std::copy_n(physical, lanes_, work.address.begin());
  }
  ++memory_instructions_;
  memory_work_.back().last = true;
}

// Loads and atomics come back with their data, stores when the unit has them, or, unlimited, when all of their lines
// have left it.
void BarrelBackend::serve_memory() {
  lsu_->tick(now_);
  take_completions();
  while (!memory_work_.empty() && memory_work_.front().at <= now_ && lsu_->can_accept()) {
    MemoryWork& work = memory_work_.front();
    work.access.address = work.address.data();
    lsu_->accept(work.access, now_);
    if (posts_stores_ && work.access.kind == AccessKind::kStore) access_done(work.token, work.access.mask);
    if (work.last) --memory_instructions_;
    memory_work_.pop();
  }
  if (!posts_stores_) take_completions();
}

void BarrelBackend::take_completions() {
  std::uint32_t token = 0;
  LaneMask lanes = 0;
  while (lsu_->completion(token, lanes)) {
    if (token != kNoToken) access_done(token, lanes);
  }
}

void BarrelBackend::access_done(std::uint32_t token, LaneMask lanes) {
  AccessInFlight& access = accesses_[token];
  Flight& flight = flights_[access.flight];
  if ((lanes & ~access.lanes) != 0) {
    wrong("threads",
          fmt::format("lanes 0x{:x} of the access of {} came back at cycle {}, but only 0x{:x} of it are in memory",
                      lanes, launch_.program->where(flight.group.pc), now_, access.lanes));
  }
  access.lanes &= ~lanes;
  if (access.lanes == 0) {
    free_accesses_.push_back(token);
    --flight.accesses;
  }
  if (splits_) come_back(access.flight, lanes);
  else if (flight.accesses == 0) come_back(access.flight, flight.group.mask);
}

void BarrelBackend::write(const Part& part, LaneMask mask, RegId rd, LaneArray values) {
  if (rd == 0) return;
  if (watch_.open) {
    for_each_lane(mask, [&](unsigned lane) {
      threads_[thread_of(part.id, lane)].recurrence.change(rd, lane, value(part.id, rd, lane), value(values, lane));
    });
  }
  write_register(part.id, rd, mask, values);
}

// ------------------------------------------------------------------------------------------------------ bookkeeping,
// checks

void BarrelBackend::move(ThreadId tid, Place to) {
  Thread& thread = threads_[tid];
  --count_[static_cast<unsigned>(thread.place)];
  ++count_[static_cast<unsigned>(to)];
  thread.place = to;
}

void BarrelBackend::count_pc(Pc pc, int change) {
  if (launch_.program->at(pc) == nullptr) return;
  std::uint32_t& threads = waiting_at_[(pc - launch_.program->text_begin) >> 2];
  const bool before = threads != 0;
  threads += static_cast<std::uint32_t>(change);
  if (before == (threads != 0)) return;
  distinct_pcs_ += before ? ~std::uint64_t{0} : 1;
  barrel_.max_distinct_pcs = std::max(barrel_.max_distinct_pcs, distinct_pcs_);
}

// Each live thread is in one place, and the source has those that the core thinks it has.
void BarrelBackend::check_conservation() const {
  const unsigned waiting = count_[static_cast<unsigned>(Place::kSource)];
  unsigned sum = 0;
  for (unsigned place = 1; place < kPlaces; ++place) sum += count_[place];
  if (sum == live_ && source_->may_hold(waiting - held_threads_)) return;
  wrong("threads",
        fmt::format(
            "threads were lost or duplicated at cycle {}: {} live threads are in {} places, {} of them where warps are "
            "issued from, which shows another number",
            now_, live_, sum, waiting));
}

void BarrelBackend::wrong_thread(const ThreadGroup& group, unsigned lane, const std::string& what) const {
  const ThreadId tid = group.tid[lane];
  const bool known = tid < threads_.size() && warps_[warp_of(tid)].occupied;
  wrong("threads", fmt::format("warp issued at cycle {} at {} with lanes 0x{:x}: thread {} in lane {}{} {}", now_,
                               launch_.program->where(group.pc), group.mask, tid, lane,
                               known ? ", " + thread_name(warp_of(tid), tid & (lanes_ - 1)) + "," : "", what));
}

bool BarrelBackend::in_flight() const {
  return count_[static_cast<unsigned>(Place::kPipeline)] + count_[static_cast<unsigned>(Place::kMemory)] != 0;
}

void BarrelBackend::reset_recurrence() {
  for (Thread& thread : threads_) thread.recurrence.reset();
}

bool BarrelBackend::only_recurrence() const {
  bool any = false, all = true;
  for (const Thread& thread : threads_) {
    if (thread.place == Place::kNone || !thread.recurrence.issued()) continue;
    any = true;
    all = all && thread.recurrence.recurs();
  }
  return any && all;
}

std::string BarrelBackend::livelock_text() const {
  unsigned starved = 0;
  for (const Thread& thread : threads_)
    starved += thread.place == Place::kSource && !thread.recurrence.issued() ? 1 : 0;
  std::string text = "every thread that issues repeats the same states without changing memory";
  if (starved != 0) text += fmt::format(", while {} threads wait and are never issued", starved);
  return text;
}

std::string BarrelBackend::state_dump() const {
  std::map<std::pair<Place, Pc>, std::vector<unsigned>> groups;
  for (unsigned tid = 0; tid < threads_.size(); ++tid) {
    const Thread& thread = threads_[tid];
    if (thread.place == Place::kNone) continue;
    groups[{thread.place, thread.next_pc}].push_back(tid);
  }
  std::string dump;
  for (const auto& [key, tids] : groups) {
    dump += fmt::format("{} threads {} {} 0x{:08x} {}:", tids.size(), kPlaceNames[static_cast<unsigned>(key.first)],
                        key.first == Place::kSource || key.first == Place::kBarrier ? "for" : "from", key.second,
                        launch_.program->where(key.second));
    for (std::size_t i = 0; i < tids.size() && i < kThreadsListed; ++i) dump += fmt::format(" {}", tids[i]);
    dump += tids.size() > kThreadsListed ? " ...\n" : "\n";
  }
  return dump;
}

Stats BarrelBackend::take_stats() {
  source_->add_to(stats_);
  Stats own;
  own.barrel = barrel_;
  stats_.add(own);
  return CoreBackend::take_stats();
}

}  // namespace heddle
