// SPDX-License-Identifier: Apache-2.0
#include "core/backend.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "heddle/error.h"
#include "isa/execute.h"
#include "memory/warp_memory.h"

namespace heddle {
namespace {

constexpr unsigned kFetchGroup = 2;          // instructions of one fetch answer
constexpr unsigned kMemoryWork = 64;         // accesses between issue and the load/store unit
constexpr unsigned kMemoryWorkReady = 8;     // no further load/store is granted above this
constexpr unsigned kSpaces = 3;

unsigned lowest(LaneMask mask) { return static_cast<unsigned>(__builtin_ctzll(mask)); }

// Calls f(lane) for every lane of mask, lowest first.
template <class F>
void for_each_lane(LaneMask mask, F f) {
  for (; mask != 0; mask &= mask - 1) f(lowest(mask));
}

}  // namespace

Backend::Partition::Partition(FrontendPins* p, const FrontendView* v)
    : pins(p), view(v), fetches(64), resolutions(512), launches(kMaxWarps), wheel(kWheel) {}

Backend::Backend(sc_core::sc_module_name name, const Config& config, std::vector<FrontendPins*> pins,
                 std::vector<const FrontendView*> views)
    : sc_module(name),
      clk("clk"),
      config_(config),
      lanes_(config.core.lanes),
      schedulers_(config.core.schedulers),
      memory_work_(kMemoryWork),
      warps_(config.core.warps),
      registers_(std::size_t{config.core.warps} * kNumRegs * config.core.lanes),
      blocks_(config.core.max_blocks),
      pool_(std::size_t{config.core.warps} * config.scoreboard.entries * 2 + kMemoryWork) {
  parts_.reserve(schedulers_);
  for (unsigned s = 0; s < schedulers_; ++s) {
    parts_.emplace_back(pins[s], views[s]);
    parts_[s].alu.configure(config.alu.interval);
    parts_[s].fp.configure(config.fp.interval);
  }
  muldiv_.configure(config.muldiv.interval);
  sfu_.configure(config.sfu.interval);
  SC_HAS_PROCESS(Backend);
  SC_METHOD(step);
  sensitive << clk.pos();
  dont_initialize();
}

void Backend::begin(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer, std::ostream& text) {
  launch_ = launch;
  space_ = &space;
  observer_ = observer;
  text_ = &text;
  prepare_code(*launch.program);
  initial_registers_ = initial_registers(launch, config_);

  lsu_ = std::make_unique<LoadStoreUnit>(config_, memory);
  memory_work_.clear();
  pool_.reset();
  for (Partition& part : parts_) {
    part.alu.reset();
    part.fp.reset();
    part.fetches.clear();
    part.resolutions.clear();
    part.launches.clear();
    for (RecordQueue& queue : part.wheel) queue.clear();
    part.results.clear();
    part.release = 0;
    part.check = {};
  }
  muldiv_.reset();
  sfu_.reset();
  for (Warp& warp : warps_) warp.occupied = false;
  for (Block& block : blocks_) block.resident = false;

  warps_per_block_ = launch.warps_per_block(lanes_);
  free_warps_ = config_.core.warps;
  resident_ = 0;
  resident_limit_ = std::min({config_.core.max_blocks, config_.core.warps / warps_per_block_,
                              config_.core.registers / (warps_per_block_ * lanes_ * kNumRegs),
                              launch.shared_bytes() == 0 ? config_.core.max_blocks : config_.core.shared_bytes / launch.shared_bytes()});
  next_block_ = 0;
  blocks_left_ = launch.blocks();

  now_ = 0;
  stats_ = Stats{};
  stats_.lanes = lanes_;
  stats_.schedulers = schedulers_;
  last_issue_ = 0;
  watch_ = {};
  error_ = nullptr;
  finished_ = false;
  running_ = false;
  for (Partition& part : parts_) {
    FrontendPins& p = *part.pins;
    for (Wire<bool>* valid : {&p.launch_valid, &p.decode_valid, &p.resolve_valid, &p.wb[0].valid, &p.wb[1].valid, &p.miss_valid}) {
      valid->write(false);
    }
    p.release.write(0);
  }
  if (observer_ != nullptr) observer_->launch_begin(launch_, space);
}

void Backend::prepare_code(const Program& program) {
  code_.assign(program.text.size(), {});
  branches_.clear();
  for (std::size_t i = 0; i < program.text.size(); ++i) {
    const Instruction& inst = program.text[i];
    StaticInstruction& info = code_[i];
    info.bundle = bundle_of(inst);
    switch (inst.op) {
      case Op::kIllegal: case Op::kEbreak:
        info.kind = Kind::kIllegal;
        break;
      case Op::kJal: case Op::kJalr:
        info.kind = Kind::kJump;
        break;
      case Op::kEcall:
        info.kind = Kind::kEcall;
        break;
      case Op::kBarrier:
        info.kind = Kind::kBarrier;
        break;
      case Op::kFence: case Op::kFork: case Op::kJoin: case Op::kPush: case Op::kPop:
        info.kind = Kind::kNop;
        break;
      case Op::kCsrrw: case Op::kCsrrs: case Op::kCsrrc: case Op::kCsrrwi: case Op::kCsrrsi: case Op::kCsrrci:
        info.kind = Kind::kCsr;
        break;
      default:
        info.kind = inst.is_branch() ? Kind::kBranch : inst.is_memory() ? Kind::kMemory : Kind::kCompute;
    }
    if (inst.is_branch() || inst.op == Op::kJalr) {
      info.branch = static_cast<std::uint32_t>(branches_.size());
      BranchStats branch;
      branch.pc = program.text_begin + static_cast<Pc>(i) * 4;
      branch.rpc = inst.rpc;
      branches_.push_back(branch);
    }
  }
}

void Backend::step() {
  if (!running_) return;
  try {
    cycle();
  } catch (...) {
    fail(std::current_exception());
  }
}

void Backend::fail(std::exception_ptr error) {
  if (!error_) error_ = std::move(error);
  running_ = false;
  finished_ = true;
  sc_core::sc_pause();
}

void Backend::cycle() {
  for (unsigned s = 0; s < schedulers_; ++s) {
    Partition& part = parts_[s];
    if (part.pins->overflow_valid.read()) overflow(s);
    if (part.pins->done_valid.read()) finish_warps(s);
    if (const unsigned local = part.check[now_ & 3]; local != 0) {
      part.check[now_ & 3] = 0;
      check_paths(s, local - 1);
    }
    if (observer_ != nullptr) {
      Event push, pop;
      part.view->stack_events(push, pop);
      if (push.valid != 0) observer_->push(now_, core_warp(s, push.warp));
      if (pop.valid != 0) observer_->pop(now_, core_warp(s, pop.warp));
    }
  }
  serve_memory();
  for (unsigned s = 0; s < schedulers_; ++s) accept(s);
  dispatch();
  for (Partition& part : parts_) {
    drive_launch(part);
    serve_fetch(part);
    drive_resolution(part);
    write_back(part);
    drive_ready(part);
    if (part.pins->release.read() != part.release) part.pins->release.write(part.release);
    part.release = 0;
  }
  watch_progress();
  ++now_;
  stats_.cycles = now_;
  if (blocks_left_ == 0) {
    if (observer_ != nullptr) observer_->launch_end(now_, *space_);
    running_ = false;
    finished_ = true;
    sc_core::sc_pause();
  } else if (config_.run.max_cycles != 0 && now_ >= config_.run.max_cycles) {
    stop("max_cycles", fmt::format("kernel {} still runs after {} cycles (run.max_cycles): raise the limit with --max-cycles, or "
                                   "look for a loop that does not end", launch_.kernel, now_));
  }
}

// ---------------------------------------------------------------------------------------------------------------- dispatch

void Backend::dispatch() {
  if (next_block_ == launch_.blocks() || resident_ == resident_limit_ || free_warps_ < warps_per_block_) return;
  for (unsigned slot = 0; slot < blocks_.size(); ++slot) {
    if (!blocks_[slot].resident) {
      place_block(slot);
      return;
    }
  }
}

void Backend::place_block(unsigned block_slot) {
  Block& block = blocks_[block_slot];
  block = Block{};
  block.resident = true;
  block.number = next_block_++;
  block.warps_running = block.warps_resident = warps_per_block_;
  ++resident_;
  free_warps_ -= warps_per_block_;
  space_->begin_block(block_slot, launch_.shared_bytes());
  if (observer_ != nullptr) observer_->block_begin(now_, block_slot, block.number);

  std::uint32_t placed = 0;
  for (WarpId id = 0; placed < warps_per_block_; ++id) {
    Warp& warp = warps_[id];
    if (warp.occupied) continue;
    warp = Warp{};
    warp.occupied = true;
    warp.block = block_slot;
    warp.context = WarpContext(launch_, block.number, placed, lanes_);
    warp.live = warp.context.lanes_used;
    std::fill_n(reg(id, 0), std::size_t{kNumRegs} * lanes_, 0u);
    for (const InitialRegister& initial : initial_registers_) std::fill_n(reg(id, initial.reg), lanes_, initial.value);
    space_->begin_warp(id);
    parts_[id % schedulers_].launches.push({id, placed});
    ++placed;
  }
  watch_.progress(now_);
}

void Backend::drive_launch(Partition& part) {
  FrontendPins& pins = *part.pins;
  const bool valid = !part.launches.empty();
  if (valid) {
    const PendingLaunch launch = part.launches.front();
    part.launches.pop();
    Warp& warp = warps_[launch.warp];
    warp.launched = true;
    pins.launch_warp.write(launch.warp / schedulers_);
    pins.launch_pc.write(launch_.entry);
    pins.launch_mask.write(warp.live);
    if (observer_ != nullptr) observer_->warp_begin(now_, launch.warp, warp.block, launch.warp_in_block, warp.live);
  }
  pins.launch_valid.write(valid);
}

void Backend::finish_warps(unsigned partition) {
  const WarpId id = core_warp(partition, parts_[partition].pins->done_warp.read());
  warps_[id].ended = true;
  if (observer_ != nullptr) observer_->warp_end(now_, id);
  free_if_drained(id);
}

void Backend::free_if_drained(WarpId id) {
  Warp& warp = warps_[id];
  if (!warp.ended || warp.in_flight != 0) return;
  warp.occupied = false;
  ++free_warps_;
  Block& block = blocks_[warp.block];
  if (--block.warps_resident == 0) {
    block.resident = false;
    --resident_;
    --blocks_left_;
    if (observer_ != nullptr) observer_->block_end(now_, warp.block);
  }
}

void Backend::threads_exit(WarpId id, LaneMask exited) {
  Warp& warp = warps_[id];
  warp.live &= ~exited;
  watch_.progress(now_);
  if (warp.live != 0) return;
  --blocks_[warp.block].warps_running;
  release_barrier_if_complete(warp.block);
}

void Backend::release_barrier_if_complete(unsigned block_slot) {
  Block& block = blocks_[block_slot];
  if (block.warps_waiting == 0 || block.warps_waiting != block.warps_running) return;
  block.warps_waiting = 0;
  for (WarpId id = 0; id < warps_.size(); ++id) {
    Warp& warp = warps_[id];
    if (!warp.occupied || warp.block != block_slot || !warp.at_barrier) continue;
    warp.at_barrier = false;
    parts_[id % schedulers_].release |= std::uint64_t{1} << (id / schedulers_);
  }
  watch_.progress(now_);
  if (observer_ != nullptr) observer_->barrier_release(now_, block_slot);
}

// ------------------------------------------------------------------------------------------------- towards the front ends

void Backend::serve_fetch(Partition& part) {
  FrontendPins& pins = *part.pins;
  if (pins.fetch_valid.read()) {
    part.fetches.push({now_ + config_.frontend.fetch_latency - 1, pins.fetch_warp.read(), pins.fetch_slot.read(), pins.fetch_pc.read()});
  }
  const bool valid = !part.fetches.empty() && part.fetches.front().at <= now_;
  if (valid) {
    const Fetch fetch = part.fetches.front();
    part.fetches.pop();
    const Program& program = *launch_.program;
    // Outside the code stands an illegal instruction that stops the path: the fault is reported if it is ever issued.
    static const std::uint64_t kOutside = [] {
      Instruction inst;
      inst.control = true;
      return bundle_of(inst);
    }();
    std::array<std::uint64_t, kFetchGroup> bundle{kOutside, kOutside};
    std::uint32_t count = 0;
    bool more = true;
    for (; more && count < kFetchGroup; ++count) {
      const Pc pc = fetch.pc + 4 * count;
      const Instruction* inst = program.at(pc);
      if (inst != nullptr) bundle[count] = code_[(pc - program.text_begin) >> 2].bundle;
      more = inst != nullptr && !inst->control;
    }
    pins.decode_warp.write(fetch.warp);
    pins.decode_slot.write(fetch.slot);
    pins.decode_pc.write(fetch.pc);
    pins.decode_count.write(count);
    pins.decode_instr0.write(bundle[0]);
    if (count > 1) pins.decode_instr1.write(bundle[1]);
  }
  pins.decode_valid.write(valid);
}

void Backend::drive_resolution(Partition& part) {
  FrontendPins& pins = *part.pins;
  const bool valid = !part.resolutions.empty() && part.resolutions.front().at <= now_;
  if (valid) {
    const Resolution r = part.resolutions.front();
    part.resolutions.pop();
    pins.resolve_warp.write(r.warp);
    pins.resolve_slot.write(r.slot);
    pins.resolve_taken.write(r.taken);
    pins.resolve_target.write(r.target);
    pins.resolve_next.write(r.next);
    pins.resolve_rpc.write(r.rpc);
    pins.resolve_exit.write(r.exit);
    if (config_.run.checks) part.check[(now_ + 2) & 3] = static_cast<std::uint8_t>(r.warp + 1);
  }
  pins.resolve_valid.write(valid);
}

void Backend::drive_ready(Partition& part) {
  FrontendPins& pins = *part.pins;
  const std::uint32_t ready = static_cast<std::uint32_t>(part.alu.ready(now_)) | static_cast<std::uint32_t>(muldiv_.ready(now_)) << 1 |
                              static_cast<std::uint32_t>(part.fp.ready(now_)) << 2 | static_cast<std::uint32_t>(sfu_.ready(now_)) << 3 |
                              static_cast<std::uint32_t>(memory_work_.size() <= kMemoryWorkReady) << 4;
  pins.unit_ready.write(ready);
  pins.fetch_ready.write(true);
  pins.miss_valid.write(part.miss);
  if (part.miss) {
    pins.miss_warp.write(part.miss_warp);
    pins.miss_slot.write(part.miss_slot);
    part.miss = false;
  }
}

void Backend::write_back(Partition& part) {
  part.results.append(pool_, part.wheel[now_ % kWheel]);
  for (WritebackPins& port : part.pins->wb) {
    const bool valid = !part.results.empty();
    if (valid) {
      const RecordId record = part.results.pop(pool_);
      const InFlight& done = pool_[record];
      Warp& warp = warps_[done.warp];
      std::uint32_t* destination = reg(done.warp, done.rd);
      if (watch_.open) {
        for_each_lane(done.mask, [&](unsigned lane) {
          warp.recurrence.change(done.rd, lane, destination[lane], done.value[lane]);
        });
      }
      if (done.mask == lane_mask(lanes_)) {
        std::copy_n(done.value, lanes_, destination);
      } else {
        for_each_lane(done.mask, [&](unsigned lane) { destination[lane] = done.value[lane]; });
      }
      warp.writing[done.rd] &= ~done.mask;
      port.warp.write(done.warp / schedulers_);
      port.slot.write(done.slot);
      port.reg.write(done.rd);
      port.mask.write(done.issued);
      drop(record);
    }
    port.valid.write(valid);
  }
}

void Backend::serve_memory() {
  lsu_->tick(now_);
  std::uint32_t token = 0;
  while (lsu_->completion(token)) {
    InFlight& done = pool_[token];
    if (--done.parts != 0) continue;
    if (done.rd != 0) {
      parts_[done.warp % schedulers_].results.push(pool_, token);
    } else {
      drop(token);
    }
  }
  while (lsu_->miss(token)) {
    const InFlight& missed = pool_[token];
    Partition& part = parts_[missed.warp % schedulers_];
    part.miss = true;
    part.miss_warp = missed.warp / schedulers_;
    part.miss_slot = missed.slot;
  }
  if (!memory_work_.empty() && memory_work_.front().at <= now_ && lsu_->can_accept()) {
    MemoryWork& work = memory_work_.front();
    work.access.address = work.address.data();
    lsu_->accept(work.access, now_);
    memory_work_.pop();
  }
}

// ---------------------------------------------------------------------------------------------------------------- execute

void Backend::accept(unsigned partition) {
  Partition& part = parts_[partition];
  const FrontendPins& pins = *part.pins;
  if (!pins.issue_valid.read()) {
    const unsigned stall = pins.stall.read();
    ++stats_.stalls[stall == 0 ? static_cast<unsigned>(Stall::kNoWarp) : stall];
    ++stats_.warp_size[0];
    return;
  }
  const std::uint32_t local = pins.issue_warp.read();
  const WarpId id = core_warp(partition, local);
  const Pc pc = pins.issue_pc.read();
  Warp& warp = warps_[id];
  const Program& program = *launch_.program;
  const Instruction* inst = program.at(pc);
  static const Instruction kOutside;
  static const StaticInstruction kOutsideInfo;
  const Issue issue{part, partition, local, pins.issue_slot.read(), id, warp, pc, pins.issue_mask.read(),
                    inst != nullptr ? *inst : kOutside,
                    inst != nullptr ? code_[(pc - program.text_begin) >> 2] : kOutsideInfo};

  const unsigned threads = popcount(issue.mask);
  const bool sibling = pins.issue_sibling.read();
  ++stats_.stalls[0];
  ++stats_.warp_size[threads];
  ++stats_.warp_instructions;
  stats_.thread_instructions += threads;
  stats_.live_lane_slots += popcount(warp.live);
  stats_.sibling_issues += sibling ? 1 : 0;
  stats_.schedulable_paths += sibling && config_.mechanism != "spe" ? 2 : 1;
  last_issue_ = now_;
  if (watch_.open) warp.recurrence.issue(pc, issue.mask);
  if (config_.run.checks) check_hazards(issue);

  switch (issue.info.kind) {
    case Kind::kCompute: execute_compute(issue); break;
    case Kind::kBranch: execute_branch(issue); break;
    case Kind::kMemory: execute_memory_access(issue); break;
    case Kind::kJump: execute_jump(issue); break;
    case Kind::kCsr: execute_csr_access(issue); break;
    case Kind::kBarrier: execute_barrier(issue); break;
    case Kind::kEcall: execute_ecall(issue); break;
    case Kind::kNop:
      part.alu.start(now_);
      commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
      break;
    case Kind::kIllegal:
      fault(issue, lowest(issue.mask),
            inst == nullptr ? "instruction fetch outside the program's code"
            : issue.inst.op == Op::kEbreak ? "ebreak" : fmt::format("illegal or unsupported instruction 0x{:08x}", issue.inst.word));
  }
  ++warp.issued;
}

RecordId Backend::new_record(const Issue& issue, RegId rd, LaneMask mask) {
  const RecordId id = pool_.allocate();
  InFlight& record = pool_[id];
  record.issued = issue.mask;
  record.mask = mask;
  record.warp = issue.id;
  record.slot = static_cast<std::uint8_t>(issue.slot);
  record.rd = rd;
  record.parts = 0;
  ++issue.warp.in_flight;
  issue.warp.writing[rd] |= rd == 0 ? 0 : mask;
  return id;
}

// The instruction leaves the pipeline.
void Backend::drop(RecordId record) {
  const WarpId id = pool_[record].warp;
  pool_.release(record);
  --warps_[id].in_flight;
  free_if_drained(id);
}

void Backend::finish_at(Partition& part, RecordId record, Cycle at) { part.wheel[at % kWheel].push(pool_, record); }

void Backend::execute_compute(const Issue& issue) {
  const Instruction& inst = issue.inst;
  Cycle done = 0;
  switch (inst.unit) {
    case Unit::kMulDiv:
      done = muldiv_.start(now_) + (inst.op >= Op::kDiv ? config_.div_latency : config_.muldiv.latency);
      break;
    case Unit::kFp:
      done = issue.part.fp.start(now_) + (inst.op == Op::kFdiv || inst.op == Op::kFsqrt ? config_.fp_div_latency : config_.fp.latency);
      break;
    case Unit::kSfu:
      done = sfu_.start(now_) + config_.sfu.latency;
      break;
    default:
      done = issue.part.alu.start(now_) + config_.alu.latency;
  }
  if (inst.rd == 0 && inst.unit != Unit::kFp) {
    commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
    return;
  }
  const RecordId record = new_record(issue, inst.rd, issue.mask);
  std::uint32_t* result = pool_[record].value;
  const LaneMask illegal = execute(inst, issue.pc, reg(issue.id, inst.rs1), reg(issue.id, inst.rs2), reg(issue.id, inst.rs3), result,
                                   issue.mask, lanes_, issue.warp.fcsr.data());
  if (illegal != 0) fault(issue, lowest(illegal), "floating-point instruction with a reserved dynamic rounding mode (frm)");
  if (inst.rd == 0) {  // a comparison into x0: only its flags count
    commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
    drop(record);
    return;
  }
  commit(issue, issue.mask, result, nullptr, 0, 0, 0);
  finish_at(issue.part, record, done);
}

void Backend::execute_branch(const Issue& issue) {
  const Instruction& inst = issue.inst;
  const Pc target = issue.pc + static_cast<Pc>(inst.imm);
  const LaneMask taken = branch_taken(inst, reg(issue.id, inst.rs1), reg(issue.id, inst.rs2), lanes_) & issue.mask;
  if (taken != 0 && (target & 3u) != 0) fault(issue, lowest(taken), fmt::format("branch to misaligned address 0x{:08x}", target));
  issue.part.alu.start(now_);
  commit(issue, issue.mask, nullptr, nullptr, taken, target, 0);
  resolve(issue, taken, target, issue.pc + 4, 0);
}

void Backend::execute_jump(const Issue& issue) {
  const Instruction& inst = issue.inst;
  Pc target = issue.pc + static_cast<Pc>(inst.imm);
  LaneMask leaving = issue.mask;  // the others execute an indirect jump again
  if (inst.op == Op::kJalr) {
    const std::uint32_t* base = reg(issue.id, inst.rs1);
    const auto goal = [&](unsigned lane) { return (base[lane] + static_cast<Pc>(inst.imm)) & ~Pc{1}; };
    target = goal(lowest(issue.mask));
    leaving = 0;
    for_each_lane(issue.mask, [&](unsigned lane) { leaving |= LaneMask{goal(lane) == target} << lane; });
  }
  if ((target & 3u) != 0) fault(issue, lowest(leaving), fmt::format("jump to misaligned address 0x{:08x}", target));
  const Cycle done = issue.part.alu.start(now_) + config_.alu.latency;
  const std::uint32_t* result = nullptr;
  if (inst.rd != 0) {
    const RecordId record = new_record(issue, inst.rd, leaving);
    std::fill_n(pool_[record].value, lanes_, issue.pc + 4);
    result = pool_[record].value;
    finish_at(issue.part, record, done);
  }
  commit(issue, leaving, result, nullptr, leaving, target, 0);
  resolve(issue, leaving, target, issue.pc, 0);
}

void Backend::execute_ecall(const Issue& issue) {
  const std::uint32_t* number = reg(issue.id, kA7);
  LaneMask exited = 0, written = 0;
  const RecordId record = new_record(issue, kA0, 0);
  InFlight& result = pool_[record];
  for_each_lane(issue.mask, [&](unsigned lane) {
    const LaneMask bit = LaneMask{1} << lane;
    if (number[lane] == kEcallExit || number[lane] == kEcallExitGroup) {
      exited |= bit;
    } else if (number[lane] == kEcallWrite) {
      const std::uint32_t descriptor = reg(issue.id, kA0)[lane];
      const std::uint32_t bytes = reg(issue.id, kA2)[lane];
      if (descriptor != 1 && descriptor != 2) {
        fault(issue, lane, fmt::format("write call to file descriptor {}: only 1 and 2 exist", descriptor));
      }
      std::string text;
      const WarpMemoryResult read = read_text(*space_, reg(issue.id, kA1)[lane], bytes, {issue.warp.block, issue.id, lane}, text);
      if (read.fault != Fault::kNone) {
        fault(issue, lane, fmt::format("write call: {} at address 0x{:08x}", describe(read.fault), read.address));
      }
      *text_ << text;
      written |= bit;
      result.value[lane] = bytes;
    } else {
      fault(issue, lane, fmt::format("environment call {}: only {} (write) and {} (exit) exist", number[lane], kEcallWrite, kEcallExit));
    }
  });
  result.mask = written;
  issue.warp.writing[kA0] |= written;
  commit(issue, issue.mask, written != 0 ? result.value : nullptr, nullptr, 0, 0, exited);
  finish_at(issue.part, record, issue.part.alu.start(now_) + config_.alu.latency);
  resolve(issue, 0, issue.pc + 4, issue.pc + 4, exited);
  if (exited != 0) threads_exit(issue.id, exited);
}

void Backend::execute_csr_access(const Issue& issue) {
  const Instruction& inst = issue.inst;
  const RecordId record = new_record(issue, inst.rd, issue.mask);
  std::uint32_t* result = pool_[record].value;
  const LaneMask illegal = execute_csr(inst, issue.warp.context, now_, issue.warp.issued, reg(issue.id, inst.rs1), result, issue.mask,
                                       lanes_, issue.warp.fcsr.data());
  if (illegal != 0) {
    fault(issue, lowest(illegal), fmt::format("control and status register 0x{:03x} does not exist or is read-only",
                                              static_cast<unsigned>(inst.imm) & 0xFFFu));
  }
  const Cycle done = issue.part.alu.start(now_) + config_.alu.latency;
  commit(issue, issue.mask, inst.rd != 0 ? result : nullptr, nullptr, 0, 0, 0);
  if (inst.rd != 0) finish_at(issue.part, record, done); else drop(record);
}

void Backend::execute_memory_access(const Issue& issue) {
  const Instruction& inst = issue.inst;
  if (watch_.open && !inst.is_load() && stores_change_memory(issue)) watch_.progress(now_);
  const RecordId record = new_record(issue, inst.rd, issue.mask);
  InFlight& access = pool_[record];
  alignas(64) std::array<Address, kMaxLanes> address;
  const WarpMemoryResult result =
      execute_memory(*space_, inst, reg(issue.id, inst.rs1), reg(issue.id, inst.rs2), reg(issue.id, inst.rs3), access.value,
                     address.data(), issue.mask, lanes_, issue.warp.block, issue.id);
  if (result.fault != Fault::kNone) {
    fault(issue, result.lane, fmt::format("{} of {} bytes at address 0x{:08x}: {}",
                                          inst.is_store() ? "store" : inst.is_load() ? "load" : "atomic access",
                                          access_bytes(inst.op), result.address, describe(result.fault)));
  }
  commit(issue, issue.mask, inst.rd != 0 ? access.value : nullptr, address.data(), 0, 0, 0);
  queue_accesses(issue, record, address.data());
}

void Backend::queue_accesses(const Issue& issue, RecordId record, const Address* address) {
  std::array<LaneMask, kSpaces> lanes{};
  for_each_lane(issue.mask, [&](unsigned lane) { lanes[static_cast<unsigned>(space_of(address[lane]))] |= LaneMask{1} << lane; });
  for (unsigned space = 0; space < kSpaces; ++space) {
    if (lanes[space] == 0) continue;
    ++pool_[record].parts;
    queue_access(issue, record, address, static_cast<Space>(space), lanes[space]);
  }
}

void Backend::queue_access(const Issue& issue, RecordId record, const Address* address, Space space, LaneMask mask) {
  const Instruction& inst = issue.inst;
  MemoryWork& work = memory_work_.push();
  work.at = now_ + config_.lsu_latency;
  work.access.token = record;
  work.access.kind = inst.is_atomic() ? AccessKind::kAtomic : inst.is_store() ? AccessKind::kStore : AccessKind::kLoad;
  work.access.space = space;
  work.access.bytes = static_cast<std::uint8_t>(access_bytes(inst.op));
  work.access.mask = mask;
  if (space == Space::kLocal) {
    for_each_lane(mask, [&](unsigned lane) {
      work.address[lane] = space_->physical(address[lane], {issue.warp.block, issue.id, lane});
    });
  } else {
    for (unsigned lane = 0; lane < lanes_; ++lane) work.address[lane] = address[lane];
  }
}

void Backend::execute_barrier(const Issue& issue) {
  Warp& warp = issue.warp;
  if (issue.mask != warp.live) divergent_barrier(issue);
  issue.part.alu.start(now_);
  warp.at_barrier = true;
  warp.control_pc = issue.pc;
  commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
  ++blocks_[warp.block].warps_waiting;
  release_barrier_if_complete(warp.block);
}

void Backend::resolve(const Issue& issue, LaneMask taken, Pc target, Pc next, LaneMask exit) {
  issue.warp.control_pc = issue.pc;
  Resolution& r = issue.part.resolutions.push();
  r.at = now_ + (config_.frontend.resolve == Resolve::kExecute ? config_.alu.latency : 0);
  r.warp = issue.local;
  r.slot = issue.slot;
  r.taken = taken;
  r.exit = exit;
  r.target = target;
  r.next = next;
  r.rpc = issue.inst.rpc;
  if (issue.inst.is_branch() || issue.inst.op == Op::kJalr) {
    BranchStats& branch = branches_[issue.info.branch];
    ++branch.executed;
    if (taken != 0 && taken != issue.mask && target != next) {
      const bool interleavable = target != r.rpc && next != r.rpc;
      ++branch.divergent;
      ++stats_.divergent_branches;
      branch.interleavable += interleavable ? 1 : 0;
      stats_.interleavable_branches += interleavable ? 1 : 0;
    }
  }
}

void Backend::commit(const Issue& issue, LaneMask mask, const std::uint32_t* result, const Address* address, LaneMask taken, Pc target,
                     LaneMask exited) {
  if (observer_ == nullptr) return;
  CommitEvent event;
  event.cycle = now_;
  event.warp = issue.id;
  event.slot = issue.slot;
  event.pc = issue.pc;
  event.mask = mask;
  event.instruction = &issue.inst;
  event.result = result;
  event.address = address;
  event.taken = taken;
  event.target = target;
  event.exited = exited;
  observer_->commit(event);
}

// ----------------------------------------------------------------------------------------------------------------- checks

void Backend::check_hazards(const Issue& issue) const {
  const Warp& warp = issue.warp;
  const Instruction& inst = issue.inst;
  for (const RegId r : {inst.rs1, inst.rs2, inst.rs3, inst.rd}) {
    const LaneMask threads = r == 0 ? 0 : warp.writing[r] & issue.mask;
    if (threads != 0) {
      throw Error(ExitStatus::kWrongResult, "hazard",
                  fmt::format("{} issued at cycle {} while an older write of register {}{} is in flight: {} `{}`: the scoreboard failed",
                              thread_name(issue.id, lowest(threads)), now_, r < 32 ? 'x' : 'f', r & 31,
                              launch_.program->where(issue.pc), launch_.program->disassemble(issue.pc)),
                  state_dump());
    }
  }
  if ((issue.mask & ~warp.live) != 0 || issue.mask == 0) {
    throw Error(ExitStatus::kWrongResult, "paths",
                fmt::format("{} issued at cycle {} with mask 0x{:x}, live threads are 0x{:x}: {}", warp_name(issue.id), now_, issue.mask,
                            warp.live, launch_.program->where(issue.pc)),
                state_dump());
  }
}

// Every two entries: the upper one's threads lie inside one path of the lower one, or apart from it; the two paths of an
// entry are disjoint; together they hold every live thread.
void Backend::check_paths(unsigned partition, unsigned local) const {
  const FrontendView& view = *parts_[partition].view;
  const unsigned depth = view.depth(local);
  const LaneMask live = view.live(local);
  LaneMask all = 0;
  bool good = true;
  std::array<StackEntry, 64> entries;
  for (unsigned i = 0; i < depth; ++i) {
    entries[i] = view.entry(local, i);
    for (LaneMask& mask : entries[i].mask) mask &= live;
    const LaneMask left = entries[i].mask[0], right = entries[i].mask[1];
    good = good && (left & right) == 0;
    all |= left | right;
    for (unsigned j = 0; j < i; ++j) {
      for (const LaneMask below : entries[j].mask) {
        const LaneMask common = below & (left | right);
        good = good && (common == 0 || common == (left | right));
      }
    }
  }
  if (depth != 0 && (!good || all != live)) {
    throw Error(ExitStatus::kWrongResult, "paths",
                fmt::format("{} at cycle {}: the reconvergence stack lost, duplicated or mixed threads (live 0x{:x}, in the stack 0x{:x})",
                            warp_name(core_warp(partition, local)), now_, live, all),
                state_dump());
  }
}

bool Backend::stores_change_memory(const Issue& issue) const {
  const Instruction& inst = issue.inst;
  if (inst.op == Op::kLr) return false;
  const unsigned bytes = access_bytes(inst.op);
  const std::uint32_t keep = bytes == 4 ? ~0u : (1u << (8 * bytes)) - 1;
  bool changed = false;
  for_each_lane(issue.mask, [&](unsigned lane) {
    const Address address = reg(issue.id, inst.rs1)[lane] + static_cast<Address>(inst.imm);
    std::uint32_t old = 0;
    const std::uint8_t* host = space_->translate<false>(address, bytes, {issue.warp.block, issue.id, lane});
    if (host == nullptr) return;  // reported as a fault when it is executed
    std::memcpy(&old, host, bytes);
    const std::uint32_t operand = reg(issue.id, inst.rs2)[lane];
    std::uint32_t now = operand;
    if (inst.op == Op::kAmocas) now = old == reg(issue.id, inst.rs3)[lane] ? operand : old;
    else if (inst.is_atomic() && inst.op != Op::kSc) now = amo_result(inst.op, old, operand);
    changed = changed || ((old ^ now) & keep) != 0;
  });
  return changed;
}

void Backend::watch_progress() {
  const Cycle limit = config_.run.watchdog;
  if (now_ - last_issue_ >= limit) {
    stop("watchdog", fmt::format("watchdog: no instruction issued for {} cycles (run.watchdog) in kernel {} at cycle {}: the warps wait "
                                 "for each other; see the state of every warp", limit, launch_.kernel, now_));
  }
  if (!watch_.open) {
    if (now_ - watch_.since < limit) return;
    watch_ = {true, now_};
    for (Warp& warp : warps_) warp.recurrence.reset();
    return;
  }
  if (now_ - watch_.since < LivelockWatch::kWindow) return;
  bool any = false, all = true;
  for (const Warp& warp : warps_) {
    if (!warp.occupied || !warp.recurrence.issued()) continue;
    any = true;
    all = all && warp.recurrence.recurs();
  }
  if (any && all) {
    stop("watchdog", fmt::format("watchdog: livelock in kernel {} at cycle {}: for {} cycles no thread ended and every running warp repeats the "
                                 "same states without changing memory (a lock between threads of one warp, or an endless loop); see the "
                                 "state of every warp", launch_.kernel, now_, limit + LivelockWatch::kWindow));
  }
  watch_.progress(now_);
}

void Backend::overflow(unsigned partition) const {
  const WarpId id = core_warp(partition, parts_[partition].pins->overflow_warp.read());
  const Pc pc = warps_[id].control_pc;
  stop("overflow", fmt::format("reconvergence stack overflow in kernel {}: {} diverges at {} `{}` and all {} entries are in use: raise "
                               "stack.depth (--set stack.depth={})",
                               launch_.kernel, warp_name(id), launch_.program->where(pc), launch_.program->disassemble(pc),
                               config_.stack.depth, std::min(2 * config_.stack.depth, 64u)));
}

void Backend::divergent_barrier(const Issue& issue) const {
  const FrontendView& view = *parts_[issue.partition].view;
  const LaneMask others = issue.warp.live & ~issue.mask;
  Pc other = 0;
  for (unsigned i = view.depth(issue.local); i-- > 0 && other == 0;) {
    const StackEntry entry = view.entry(issue.local, i);
    for (unsigned slot = 0; slot < 2; ++slot) {
      if ((entry.mask[slot] & others) != 0 && (entry.mask[slot] & issue.mask) == 0) other = entry.pc[slot];
    }
    for (unsigned slot = 0; slot < 2 && other == 0; ++slot) {
      if ((entry.mask[slot] & others) != 0) other = entry.pc[slot];
    }
  }
  stop("barrier", fmt::format("barrier in divergent code in kernel {}: {} reaches it at {} with threads 0x{:x} while threads 0x{:x} are at {}: "
                              "move __syncthreads() out of the branch",
                              launch_.kernel, warp_name(issue.id), launch_.program->where(issue.pc), issue.mask, others,
                              launch_.program->where(other)));
}

void Backend::fault(const Issue& issue, unsigned lane, const std::string& what) const {
  stop("fault", fmt::format("{} in kernel {}: {} at {} `{}`", what, launch_.kernel, thread_name(issue.id, lane),
                            launch_.program->where(issue.pc), launch_.program->disassemble(issue.pc)));
}

void Backend::stop(const std::string& code, const std::string& message) const {
  throw machine_stopped(code, message, state_dump());
}

std::string Backend::warp_name(WarpId id) const {
  const WarpContext& context = warps_[id].context;
  return fmt::format("warp {} (block {}, warp {} of it)", id, to_string(context.block_index), context.warp_in_block);
}

std::string Backend::thread_name(WarpId id, unsigned lane) const {
  const WarpContext& c = warps_[id].context;
  return fmt::format("thread ({},{},{}) of block {} (warp {}, lane {})", c.thread_x[lane], c.thread_y[lane], c.thread_z[lane],
                     to_string(c.block_index), id, lane);
}

std::string Backend::state_dump() const {
  std::string dump;
  FrontendState state;
  for (unsigned s = 0; s < schedulers_; ++s) {
    parts_[s].view->read_state(state);
    for (std::uint32_t local = 0; core_warp(s, local) < warps_.size(); ++local) {
      const WarpId id = core_warp(s, local);
      const Warp& warp = warps_[id];
      if (!warp.occupied || warp.live == 0) continue;
      const WarpState& inside = state.warp[local];
      dump += fmt::format("{}: live 0x{:x}, {} writes in flight, {}\n", warp_name(id), warp.live, warp.in_flight,
                          !warp.launched ? "not launched yet"
                          : warp.at_barrier ? "waits at the barrier at " + launch_.program->where(warp.control_pc)
                          : inside.halted != 0 ? "halted by a stack overflow"
                          : inside.branch_pending != 0 ? "waits for its branch to resolve"
                          : (inside.blocked[0] | inside.blocked[1]) != 0 ? "waits for a register" : "runs");
      const unsigned depth = parts_[s].view->depth(local);
      for (unsigned i = depth; i-- > 0;) {
        const StackEntry entry = parts_[s].view->entry(local, i);
        for (unsigned slot = 0; slot < 2; ++slot) {
          if (entry.mask[slot] == 0) continue;
          dump += fmt::format("  stack[{}] {} pc 0x{:08x} mask 0x{:x} rpc {} {}\n", i, slot == 0 ? "left " : "right", entry.pc[slot],
                              entry.mask[slot], entry.rpc == kNoRpc ? "none" : fmt::format("0x{:08x}", entry.rpc),
                              launch_.program->where(entry.pc[slot]));
        }
      }
    }
  }
  return dump;
}

Stats Backend::take_stats() {
  for (const Partition& part : parts_) {
    stats_.max_stack_depth = std::max<std::uint64_t>(stats_.max_stack_depth, part.pins->max_depth.read());
  }
  for (const BranchStats& branch : branches_) {
    if (branch.executed != 0) stats_.branches.push_back(branch);
  }
  lsu_->add_to(stats_);
  return stats_;
}

}  // namespace heddle
