// SPDX-License-Identifier: Apache-2.0
#include "core/backend.h"

#include <fmt/format.h>

#include <algorithm>

#include "heddle/error.h"
#include "memory/warp_memory.h"

namespace heddle {
namespace {

constexpr unsigned kFetchGroup = 2;       // instructions of one fetch answer
constexpr unsigned kMemoryWork = 64;      // accesses between issue and the load/store unit
constexpr unsigned kMemoryWorkReady = 8;  // no further load/store is granted above this
constexpr unsigned kSpaces = 3;

bool divides(Op op) {
  const Op of_single = narrow(op);
  return (op >= Op::kDiv && op <= Op::kRemu) || (op >= Op::kDivw && op <= Op::kRemuw) || of_single == Op::kFdiv ||
         of_single == Op::kFsqrt;
}

// All lanes are in one of the parts of the memory map that space_of() tells apart, or in one piece of global memory.
bool in_one_window(const Address* address, unsigned lanes) {
  constexpr Address kWindow = kWindowsEnd - kLocalBase;
  static_assert(kLocalBase - kSharedBase == kWindow && kSharedBase % kWindow == 0);
  Address differ = 0;
  for (unsigned lane = 0; lane < lanes; ++lane) differ |= address[lane] ^ address[0];
  return differ < kWindow;
}

// In double precision, conversions and moves among them.
bool is_double(Op op) { return op >= Op::kFmaddD && op <= Op::kFcvtDS; }

}  // namespace

template <class Pins>
Backend<Pins>::Partition::Partition(Pins* p, const FrontendView* v, const Config& config)
    : pins(p),
      view(v),
      rule(config.selector),
      fetches(64),
      resolutions(512),
      launches(kMaxWarps),
      wheel(kWheel),
      long_waits(2 * kMaxPartitionWarps),
      rows(kRowQueue),
      fills(kMaxPartitionWarps) {}

template <class Pins>
Backend<Pins>::Backend(const Config& config, std::vector<Pins*> pins, std::vector<const FrontendView*> views,
                       const Capabilities& mechanism, std::unique_ptr<MechanismUnit> unit)
    : CoreBackend(config, LoadStoreUnit::Path::kOneBus),
      schedulers_(config.core.schedulers),
      can_(mechanism),
      unit_(std::move(unit)),
      memory_work_(kMemoryWork),
      rows_(can_.rows_in_memory ? std::size_t{config.core.warps} * config.stack.depth : 0),
      warps_(config.core.warps),
      pool_(std::size_t{config.core.warps} * config.scoreboard.entries * 2 + kMemoryWork + config.core.warps +
                LoadStoreUnit::kQueueEntries,
            lanes_) {
  parts_.reserve(schedulers_);
  for (unsigned s = 0; s < schedulers_; ++s) {
    parts_.emplace_back(pins[s], views[s], config);
    parts_[s].alu.configure(config.alu.interval);
    parts_[s].fp.configure(config.fp.interval);
  }
  muldiv_.configure(config.muldiv.interval);
  sfu_.configure(config.sfu.interval);
}

template <class Pins>
void Backend<Pins>::reset_machine() {
  memory_work_.clear();
  pool_.reset(wide_);
  for (Partition& part : parts_) {
    part.alu.reset();
    part.fp.reset();
    part.fetches.clear();
    part.long_waits.clear();
    part.missing.clear();
    part.offered = 0;
    part.rows.clear();
    part.fills.clear();
    part.loading = 0;
    part.rows_ready = false;
    part.waits = {};
    part.resolutions.clear();
    part.launches.clear();
    for (RecordQueue& queue : part.wheel) queue.clear();
    part.results.clear();
    part.release = 0;
    part.check = {};
    part.due = {};
    part.lists_due = 0;
    part.rule.reset();
  }
  asleep_ = 0;
  memory_wakes_ = 0;
  muldiv_.reset();
  sfu_.reset();
  for (Warp& warp : warps_) warp.occupied = false;
  if (unit_ != nullptr) unit_->begin_launch();
  for (Partition& part : parts_) {
    Pins& p = *part.pins;
    for (auto* valid : {&p.launch_valid, &p.kill_valid, &p.decode_valid, &p.miss_valid, &p.split_valid, &p.save_ready,
                        &p.load_ready, &p.fill_valid, &p.resolve_valid})
      valid->write(false);
    for (auto* valid : {&p.wb_valid, &p.release}) valid->write(0);
    p.fetch_ready.write(true);
    p.issue_ready.write(true);
  }
}

template <class Pins>
void Backend<Pins>::cycle() {
  for (unsigned s = 0; s < schedulers_; ++s) {
    if ((asleep_ >> s & 1) == 0) look_at(s);
  }
  serve_memory();
  for (unsigned s = 0; s < schedulers_; ++s) accept(s);
  dispatch();
  const std::uint32_t shared = shared_units();
  const bool same_shared = shared == shared_units_;
  shared_units_ = shared;
  for (unsigned s = 0; s < schedulers_; ++s) {
    Partition& part = parts_[s];
    const std::uint32_t bit = 1u << s;
    if ((asleep_ & bit) != 0 && now_ < part.wake && same_shared) continue;
    drive_launch(part);
    serve_fetch(part);
    if (can_.rows_in_memory) drive_rows(part);
    drive_resolution(part);
    write_back(part);
    drive_ready(part, shared);
    if (can_.splits_at_loads) offer_split(part);
    if (part.pins->release.read() != part.release) part.pins->release.write(part.release);
    part.release = 0;
    if (may_sleep(part)) {
      asleep_ |= bit;
      part.wake = next_event(part);
    } else {
      asleep_ &= ~bit;
    }
  }
  end_of_cycle();
}

// What the front end of a partition shows, but for its issue.
template <class Pins>
void Backend<Pins>::look_at(unsigned partition) {
  Partition& part = parts_[partition];
  if (part.pins->overflow_valid.read()) overflow(partition);
  if (can_.rows_in_memory) take_rows(part);
  if (part.pins->done_valid.read()) finish_warps(partition);
  if (const unsigned local = part.check[now_ & 3]; local != 0) {
    part.check[now_ & 3] = 0;
    check_paths(partition, local - 1);
  }
  if (can_.splits_at_loads) commit_branch(partition);
  if (unit_ != nullptr) hear(partition);
  if (config_.run.checks) check_selection(partition);
  if (observer_ != nullptr) {
    WarpEvent push, pop;
    part.view->stack_events(push, pop);
    if (push.valid != 0) observer_->push(now_, core_warp(partition, push.warp));
    if (pop.valid != 0) observer_->pop(now_, core_warp(partition, pop.warp));
    for (const WarpEvent& event : {push, pop}) {
      if (event.valid != 0) observer_->stack_changed(now_, core_warp(partition, event.warp), *part.view, event.warp);
    }
  }
}

// ---------------------------------------------------------------------------------------------- cycles that nothing
// changes

// The front end stands, and the inputs that have just been driven say nothing new: it need not be stepped, nor looked
// at, until something goes to it. What waits here keeps it awake.
template <class Pins>
bool Backend<Pins>::may_sleep(const Partition& part) const {
  const Pins& p = *part.pins;
  if (!config_.run.skip_idle || !part.same_units || !part.view->still()) return false;
  if (p.launch_valid.read() || p.decode_valid.read() || p.resolve_valid.read() || p.wb_valid.read() != 0 ||
      p.miss_valid.read() || p.split_valid.read() || p.fill_valid.read() || p.release.read() != 0) {
    return false;
  }
  return part.launches.empty() && part.results.empty() && part.long_waits.empty() && part.missing.empty() &&
         part.rows.empty() && part.fills.empty() && part.check == std::array<std::uint8_t, 4>{};
}

// Of a partition that sleeps from this cycle on.
template <class Pins>
Cycle Backend<Pins>::next_event(const Partition& part) const {
  Cycle next = std::min({part.alu.ready_changes(now_), part.fp.ready_changes(now_), next_result(part)});
  if (!part.fetches.empty()) next = std::min(next, part.fetches.front().at);
  if (!part.resolutions.empty()) next = std::min(next, part.resolutions.front().at);
  return next;
}

template <class Pins>
Cycle Backend<Pins>::next_result(const Partition& part) const {
  constexpr unsigned kWords = kWheel / 64;
  if (part.lists_due == 0) return kNever;
  const unsigned first = now_ % kWheel;
  for (unsigned n = 0; n <= kWords; ++n) {
    const unsigned word = (first / 64 + n) % kWords;
    std::uint64_t bits = part.due[word];
    if (n == 0) bits &= ~std::uint64_t{0} << (first % 64);
    if (n == kWords) bits &= ~(~std::uint64_t{0} << (first % 64));
    if (bits != 0) return now_ + (word * 64 + static_cast<unsigned>(__builtin_ctzll(bits)) + kWheel - first) % kWheel;
  }
  return kNever;
}

template <class Pins>
Cycle Backend<Pins>::next_event() const {
  if (asleep_ != (1u << schedulers_) - 1 || can_place_block() || memory_may_accept()) return now_;
  // The pins show the units as they were at the last edge.
  Cycle next = std::min({memory_wakes_, next_look(), muldiv_.ready_changes(now_ - 1), sfu_.ready_changes(now_ - 1)});
  if (!memory_work_.empty() && memory_work_.front().at > now_) next = std::min(next, memory_work_.front().at);
  for (const Partition& part : parts_) next = std::min(next, part.wake);
  return std::max(next, now_);
}

template <class Pins>
void Backend<Pins>::pass_over(Cycle next) {
  const Cycle cycles = next - now_;
  for (const Partition& part : parts_) stats_.stalls[static_cast<unsigned>(stall(part))] += cycles;
  stats_.warp_size[0] += cycles * schedulers_;
  lsu_->pass_over(next - 1);
  stats_.cycles = now_ = next;
}

// ----------------------------------------------------------------------------------------------------------------
// dispatch

template <class Pins>
CoreBackend::ResidentWarp& Backend<Pins>::clear_warp(WarpId id) {
  warps_[id] = Warp{};
  if (unit_ != nullptr) unit_->begin_warp(id);
  return warps_[id];
}

template <class Pins>
void Backend<Pins>::warp_placed(WarpId id, std::uint32_t warp_in_block) {
  ++blocks_[warps_[id].block].running;
  Partition& part = parts_[id % schedulers_];
  part.launches.push({id, warp_in_block});
  part.wake = now_;
}

template <class Pins>
void Backend<Pins>::drive_launch(Partition& part) {
  Pins& pins = *part.pins;
  const bool valid = !part.launches.empty();
  if (valid) {
    const PendingLaunch launch = part.launches.front();
    part.launches.pop();
    Warp& warp = warps_[launch.warp];
    warp.launched = true;
    part.rule.launch(launch.warp / schedulers_);
    pins.launch_warp.write(launch.warp / schedulers_);
    pins.launch_pc.write(launch_.entry);
    pins.launch_mask.write(warp.live);
    if (observer_ != nullptr) observer_->warp_begin(now_, launch.warp, warp.block, launch.warp_in_block, warp.live);
  }
  pins.launch_valid.write(valid);
}

template <class Pins>
void Backend<Pins>::finish_warps(unsigned partition) {
  const WarpId id = named_warp(partition, parts_[partition].pins->done_warp.read(), "done_warp_o");
  Warp& warp = warps_[id];
  if (warp.live != 0) broken(id, fmt::format("is done while it has the threads 0x{:x}", warp.live));
  if (warp.ended) broken(id, "is done a second time");
  warp.ended = true;
  if (observer_ != nullptr) observer_->warp_end(now_, id);
  free_if_drained(id);
}

template <class Pins>
void Backend<Pins>::free_if_drained(WarpId id) {
  Warp& warp = warps_[id];
  if (!warp.ended || warp.in_flight != 0) return;
  warp.occupied = false;
  release_warp(id);
}

template <class Pins>
void Backend<Pins>::threads_exit(WarpId id, LaneMask exited) {
  Warp& warp = warps_[id];
  warp.live &= ~exited;
  watch_.progress(now_);
  if (warp.live == 0) {
    --blocks_[warp.block].running;
    release_barrier_if_complete(warp.block);
  } else if (warp.waiting == warp.live) {  // its other splits are at the barrier
    comes_to_barrier(warp);
  }
}

template <class Pins>
void Backend<Pins>::release_barrier_if_complete(unsigned block_slot) {
  Block& block = blocks_[block_slot];
  if (block.waiting == 0 || block.waiting != block.running) return;
  block.waiting = 0;
  for (WarpId id = 0; id < warps_.size(); ++id) {
    Warp& warp = warps_[id];
    if (!warp.occupied || warp.block != block_slot || !warp.at_barrier) continue;
    warp.at_barrier = false;
    warp.waiting = 0;
    Partition& part = parts_[id % schedulers_];
    part.release |= std::uint64_t{1} << (id / schedulers_);
    part.wake = now_;
  }
  watch_.progress(now_);
  if (observer_ != nullptr) observer_->barrier_release(now_, block_slot);
}

// ------------------------------------------------------------------------------------------------- towards the front
// ends

template <class Pins>
void Backend<Pins>::serve_fetch(Partition& part) {
  Pins& pins = *part.pins;
  if (pins.fetch_valid.read()) {
    part.fetches.push({now_ + config_.frontend.fetch_latency - 1, pins.fetch_warp.read(), pins.fetch_slot.read(),
                       pins.fetch_tag.read(), pins.fetch_pc.read()});
  }
  const bool valid = !part.fetches.empty() && part.fetches.front().at <= now_;
  if (valid) {
    const Fetch fetch = part.fetches.front();
    part.fetches.pop();
    const Program& program = *launch_.program;
    std::array<std::uint64_t, kFetchGroup> bundle{};
    std::uint32_t count = 0;
    bool more = true;
    for (; more && count < kFetchGroup; ++count) {
      const Pc pc = fetch.pc + 4 * count;
      bundle[count] = static_instruction(pc).bundle;
      more = program.at(pc) != nullptr && (bundle[count] & kBundleJump) == 0;
    }
    pins.decode_warp.write(fetch.warp);
    pins.decode_slot.write(fetch.slot);
    pins.decode_tag.write(fetch.tag);
    pins.decode_count.write(count);
    pins.decode_instr0.write(bundle[0]);
    if (count > 1) pins.decode_instr1.write(bundle[1]);
  }
  pins.decode_valid.write(valid);
}

template <class Pins>
void Backend<Pins>::drive_resolution(Partition& part) {
  Pins& pins = *part.pins;
  const bool valid =
      !part.resolutions.empty() && part.resolutions.front().at <= now_ && (!can_.rows_in_memory || part.rows_ready);
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
    pins.resolve_call.write(r.call);
    pins.resolve_return.write(r.ret);
    pins.resolve_kind.write(r.kind);
    pins.resolve_operand.write(r.operand);
    pins.resolve_skip.write(r.skip);
    if (config_.run.checks) part.check[(now_ + 3) & 3] = static_cast<std::uint8_t>(r.warp + 1);
  }
  pins.resolve_valid.write(valid);
}

template <class Pins>
std::uint32_t Backend<Pins>::shared_units() const {
  return static_cast<std::uint32_t>(muldiv_.ready(now_)) << 1 | static_cast<std::uint32_t>(sfu_.ready(now_)) << 3 |
         static_cast<std::uint32_t>(memory_work_.size() <= kMemoryWorkReady) << 4;
}

template <class Pins>
void Backend<Pins>::drive_ready(Partition& part, std::uint32_t shared) {
  Pins& pins = *part.pins;
  const std::uint32_t ready =
      shared | static_cast<std::uint32_t>(part.alu.ready(now_)) | static_cast<std::uint32_t>(part.fp.ready(now_)) << 2;
  part.same_units = ready == pins.unit_ready.read();
  pins.unit_ready.write(ready);
  const bool wait = !part.long_waits.empty();
  pins.miss_valid.write(wait);
  if (wait) {
    const LongWait path = part.long_waits.front();
    part.long_waits.pop();
    part.waits[path.slot] &= ~(std::uint64_t{1} << path.warp);
    pins.miss_warp.write(path.warp);
    pins.miss_slot.write(path.slot);
  }
}

template <class Pins>
void Backend<Pins>::write_back(Partition& part) {
  const unsigned now = now_ % kWheel;
  const std::uint64_t bit = std::uint64_t{1} << (now % 64);
  if ((part.due[now / 64] & bit) != 0) {
    part.due[now / 64] &= ~bit;
    --part.lists_due;
    part.results.append(pool_, part.wheel[now]);
  }
  Pins& pins = *part.pins;
  std::uint64_t valid = 0;
  for (unsigned port = 0; port < kWritePorts && !part.results.empty(); ++port) {
    const RecordId record = part.results.pop(pool_);
    const InFlight& done = pool_[record];
    Warp& warp = warps_[done.warp];
    const LaneArray result = pool_.value(record);
    if (watch_.open) {
      for_each_lane(done.mask, [&](unsigned lane) {
        warp.recurrence.change(done.rd, lane, value(done.warp, done.rd, lane), value(result, lane));
      });
    }
    write_register(done.warp, done.rd, done.mask, result);
    warp.writing[done.rd] &= ~done.mask;
    pins.wb_warp[port].write(done.warp / schedulers_);
    pins.wb_slot[port].write(done.slot);
    pins.wb_reg[port].write(done.rd);
    pins.wb_mask[port].write(done.issued);
    valid |= std::uint64_t{1} << port;
    drop(record);
  }
  pins.wb_valid.write(valid);
}

template <class Pins>
void Backend<Pins>::serve_memory() {
  if (now_ < memory_wakes_ && !memory_may_accept() && !rows_wait()) return lsu_->pass_over(now_);
  lsu_->tick(now_);
  std::uint32_t token = 0;
  LaneMask lanes = 0;
  while (lsu_->completion(token, lanes)) load_arrives(token, lanes);
  while (lsu_->miss(token)) {
    const InFlight& missed = pool_[token];
    if (!missed.fills) tell_long_wait(missed.warp, missed.slot);
  }
  if (!(can_.rows_in_memory && send_row()) && memory_may_accept()) {
    MemoryWork& work = memory_work_.front();
    if (config_.selector.switch_at != SwitchAt::kGlobal && work.access.space == Space::kShared &&
        work.access.kind != AccessKind::kStore) {
      tell_long_wait(pool_[work.access.token].warp, pool_[work.access.token].slot);
    }
    work.access.address = work.address.data();
    lsu_->accept(work.access, now_);
    memory_work_.pop();
  }
  if (config_.run.skip_idle) memory_wakes_ = lsu_->next_event();
}

// ---- rows of the software-managed stack: to the load/store unit in the order in which the front end asks

template <class Pins>
void Backend<Pins>::take_rows(Partition& part) {
  const Pins& pins = *part.pins;
  if (pins.save_valid.read()) {
    const WarpId id = core_warp(static_cast<unsigned>(&part - parts_.data()), pins.save_warp.read());
    Row& row = row_of(id, pins.save_row.read());
    for (unsigned slot = 0; slot < 2; ++slot) {
      row.pc[slot] = pins.save_pc[slot].read();
      row.mask[slot] = pins.save_mask[slot].read();
    }
    part.rows.push({id, pins.save_row.read(), false});
    ++warps_[id].in_flight;
    ++stats_.saved_rows;
  }
  if (pins.load_valid.read() && part.rows_ready) {
    const WarpId id = core_warp(static_cast<unsigned>(&part - parts_.data()), pins.load_warp.read());
    part.rows.push({id, pins.load_row.read(), true});
    part.loading |= std::uint64_t{1} << pins.load_warp.read();
    ++warps_[id].in_flight;
    ++stats_.loaded_rows;
  }
}

// Three saves may be under way to the pins, and one load.
template <class Pins>
void Backend<Pins>::drive_rows(Partition& part) {
  Pins& pins = *part.pins;
  const bool ready = part.rows.size() + 4 <= kRowQueue;
  pins.save_ready.write(ready);
  pins.load_ready.write(ready);
  part.rows_ready = ready;
  const bool fill = !part.fills.empty();
  pins.fill_valid.write(fill);
  if (!fill) return;
  const std::uint32_t local = part.fills.front();
  part.fills.pop();
  part.loading &= ~(std::uint64_t{1} << local);
  const unsigned partition = static_cast<unsigned>(&part - parts_.data());
  const Row& row = row_of(core_warp(partition, local), part.view->depth(local) - 2);
  pins.fill_warp.write(local);
  for (unsigned slot = 0; slot < 2; ++slot) {
    pins.fill_pc[slot].write(row.pc[slot]);
    pins.fill_mask[slot].write(row.mask[slot]);
  }
}

// A row is words of its warp's memory, behind its frame of local memory: {pc, mask} of the left path and of the right
// one.
template <class Pins>
bool Backend<Pins>::send_row() {
  for (unsigned tried = 0; tried < schedulers_; ++tried) {
    Partition& part = parts_[(row_turn_ + tried) % schedulers_];
    if (part.rows.empty()) continue;
    if (!lsu_->can_accept()) return false;
    const RowAccess row = part.rows.front();
    part.rows.pop();
    row_turn_ = (row_turn_ + tried + 1) % schedulers_;
    const RecordId id = pool_.allocate();
    InFlight& record = pool_[id];
    record.issued = record.mask = 0;
    record.warp = row.warp;
    record.slot = 0;
    record.rd = 0;
    record.parts = 1;
    record.in_parts = false;
    record.fills = row.load;
    const unsigned words = config_.core.lanes <= 32 ? 4 : 6, stride = config_.core.lanes <= 32 ? 16 : 32;
    static_assert(kMaxStackDepth * 32 <= AddressSpace::kBehindFrame);
    std::array<std::uint64_t, kMaxLanes> address;
    for (unsigned word = 0; word < words; ++word) {
      address[word] = space_->frame_end(row.warp) + std::uint64_t{row.row} * stride + word * 4;
    }
    MemoryAccess access;
    access.token = id;
    access.kind = row.load ? AccessKind::kLoad : AccessKind::kStore;
    access.space = Space::kLocal;
    access.bytes = 4;
    access.mask = (LaneMask{1} << words) - 1;
    access.address = address.data();
    lsu_->accept(access, now_);
    return true;
  }
  return false;
}

template <class Pins>
StackEntry Backend<Pins>::entry(unsigned partition, unsigned local, unsigned index) const {
  const FrontendView& view = *parts_[partition].view;
  if (!can_.rows_in_memory || index + 1 == view.depth(local)) return view.entry(local, index);
  const Row& row = rows_[std::size_t{core_warp(partition, local)} * config_.stack.depth + index];
  StackEntry entry;
  entry.pc = row.pc;
  entry.mask = row.mask;
  return entry;
}

// An access of `record` is complete for these lanes.
template <class Pins>
void Backend<Pins>::load_arrives(RecordId record, LaneMask lanes) {
  InFlight& access = pool_[record];
  Partition& part = parts_[access.warp % schedulers_];
  part.wake = now_;
  if (access.fills) part.fills.push(access.warp / schedulers_);
  const LaneMask missing = access.issued & ~lanes;
  if (access.in_parts && missing != 0) {  // those that hit: written back by themselves
    const RecordId hits = pool_.copy(record);
    InFlight& all = pool_[record];
    InFlight& done = pool_[hits];
    done.issued &= lanes;
    done.mask &= lanes;
    done.in_parts = all.in_parts = false;
    all.issued = missing;
    all.mask &= missing;
    ++warps_[all.warp].in_flight;
    part.results.push(pool_, hits);
    part.missing.push_back(record);
    return;
  }
  if (--access.parts != 0) return;
  if (can_.splits_at_loads)
    part.missing.erase(std::remove(part.missing.begin(), part.missing.end(), record), part.missing.end());
  if (access.rd != 0) {
    part.results.push(pool_, record);
  } else {
    drop(record);
  }
}

// One load a cycle, in turn. Whether the front end is ready is not looked at: a path that has been split has none of
// these threads.
template <class Pins>
void Backend<Pins>::offer_split(Partition& part) {
  Pins& pins = *part.pins;
  part.offered = part.offered + 1 < part.missing.size() ? part.offered + 1 : 0;
  const bool any = !part.missing.empty();
  pins.split_valid.write(any);
  if (!any) return;
  const InFlight& load = pool_[part.missing[part.offered]];
  pins.split_warp.write(load.warp / schedulers_);
  pins.split_slot.write(load.slot);
  pins.split_mask.write(load.issued);
}

// The resolution of a divergent branch has acted, and the path has diverged. (Else it comes to its branch again, with
// its other part or after it.)
template <class Pins>
void Backend<Pins>::commit_branch(unsigned partition) {
  WarpEvent push, pop;
  parts_[partition].view->stack_events(push, pop);
  if (push.valid == 0) return;
  const WarpId id = core_warp(partition, push.warp);
  Warp& warp = warps_[id];
  const DivergentBranch branch = warp.branch;
  warp.branch = {};
  if (branch.mask == 0) return;
  commit({id, warp, branch.slot, branch.pc, branch.mask, instruction_at(branch.pc)}, branch.mask, nullptr, nullptr,
         branch.taken, branch.target, 0);
}

// ----------------------------------------------------------------------------------------------------------------
// execute

template <class Pins>
bool Backend<Pins>::needs_global_memory_alone() const {
  if (!has_atomics_) return false;
  for (unsigned s = 0; s < schedulers_; ++s) {
    const Pins& pins = *parts_[s].pins;
    if (!pins.issue_valid.read()) continue;
    if (needs_alone(core_warp(s, pins.issue_warp.read()), pins.issue_mask.read(), instruction_at(pins.issue_pc.read())))
      return true;
  }
  return false;
}

template <class Pins>
void Backend<Pins>::accept(unsigned partition) {
  Partition& part = parts_[partition];
  const Pins& pins = *part.pins;
  if (!pins.issue_valid.read()) {
    ++stats_.stalls[static_cast<unsigned>(stall(part))];
    ++stats_.warp_size[0];
    return;
  }
  const std::uint32_t local = pins.issue_warp.read();
  const WarpId id = named_warp(partition, local, "issue_warp_o");
  const Pc pc = pins.issue_pc.read();
  Warp& warp = warps_[id];
  const Issue issue{{id, warp, pins.issue_slot.read(), pc, pins.issue_mask.read(), instruction_at(pc)},
                    part,
                    partition,
                    local,
                    warp,
                    static_instruction(pc)};

  const unsigned threads = popcount(issue.mask);
  const bool sibling = pins.issue_sibling.read();
  ++stats_.stalls[0];
  ++stats_.warp_size[threads];
  ++stats_.warp_instructions;
  stats_.thread_instructions += threads;
  count_helper(issue.info, threads);
  stats_.live_lane_slots += popcount(warp.live);
  stats_.sibling_issues += sibling ? 1 : 0;
  stats_.schedulable_paths += can_.splits_warps                    ? std::max(1u, part.view->splits(local))
                              : sibling && part.view->slots() == 2 ? 2
                                                                   : 1;
  if (can_.has_stack) ++stats_.stack_depth[std::min(part.view->stack_entries(local), kMaxStackDepth)];
  if (pins.issue_predicated.read()) {
    ++stats_.predicated_instructions;
    stats_.masked_threads += warp.masked;
  }
  last_issue_ = now_;
  if (watch_.open) warp.recurrence.issue(pc, issue.mask);
  if (unit_ != nullptr) unit_->watch_path(core_, path_of(issue));
  if (config_.run.checks) {
    check_issue(issue);
    check_hazards(issue);
    if (unit_ != nullptr) unit_->check_path(core_, path_of(issue));
  }
  if (can_.splits_warps && (issue.mask & warp.waiting) != 0) past_the_barrier(issue);

  switch (issue.info.kind) {
    case Kind::kCompute: execute_compute(issue); break;
    case Kind::kBranch: execute_branch(issue); break;
    case Kind::kMemory: execute_memory_access(issue); break;
    case Kind::kJump: execute_jump(issue); break;
    case Kind::kCsr: execute_csr_access(issue); break;
    case Kind::kBarrier: execute_barrier(issue); break;
    case Kind::kEcall: execute_ecall(issue); break;
    case Kind::kOwn: execute_own(issue); break;
    case Kind::kWarpsync: check_warpsync(issue); [[fallthrough]];
    case Kind::kNop:
      part.alu.start(now_);
      commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
      break;
    case Kind::kIllegal: illegal(issue);
  }
  ++warp.issued;
}

// Why the front end does not issue.
template <class Pins>
Stall Backend<Pins>::stall(const Partition& part) const {
  const Stall stall = static_cast<Stall>(part.pins->stall.read());
  if (stall == Stall::kIssued) return Stall::kNoWarp;
  return stall == Stall::kIbufferEmpty && part.loading != 0 ? Stall::kRow : stall;
}

template <class Pins>
RecordId Backend<Pins>::new_record(const Issue& issue, RegId rd, LaneMask mask) {
  const RecordId id = pool_.allocate();
  InFlight& record = pool_[id];
  record.issued = issue.mask;
  record.mask = mask;
  record.warp = issue.id;
  record.slot = static_cast<std::uint8_t>(issue.slot);
  record.rd = rd;
  record.parts = 0;
  record.in_parts = false;
  record.fills = false;
  ++issue.state.in_flight;
  issue.state.writing[rd] |= rd == 0 ? 0 : mask;
  return id;
}

// The instruction leaves the pipeline.
template <class Pins>
void Backend<Pins>::drop(RecordId record) {
  const WarpId id = pool_[record].warp;
  pool_.release(record);
  --warps_[id].in_flight;
  free_if_drained(id);
}

template <class Pins>
void Backend<Pins>::finish_at(Partition& part, RecordId record, Cycle at) {
  const unsigned slot = at % kWheel;
  part.lists_due += (part.due[slot / 64] >> (slot % 64) & 1) == 0 ? 1 : 0;
  part.due[slot / 64] |= std::uint64_t{1} << (slot % 64);
  part.wheel[slot].push(pool_, record);
}

template <class Pins>
void Backend<Pins>::tell_long_wait(WarpId id, unsigned slot) {
  if (!can_.long_waits) return;
  Partition& part = parts_[id % schedulers_];
  const std::uint32_t local = id / schedulers_;
  if ((part.waits[slot] >> local & 1) != 0) return;
  part.waits[slot] |= std::uint64_t{1} << local;
  part.long_waits.push({local, slot});
  part.wake = now_;
}

template <class Pins>
void Backend<Pins>::execute_compute(const Issue& issue) {
  const Instruction& inst = issue.inst;
  Cycle done = 0;
  switch (inst.unit) {
    case Unit::kMulDiv:
      done = muldiv_.start(now_) + (divides(inst.op) ? config_.div_latency : config_.muldiv.latency);
      break;
    case Unit::kFp:
      if (is_double(inst.op)) {
        done = issue.part.fp.start(now_, config_.fp64.interval) +
               (divides(inst.op) ? config_.fp64_div_latency : config_.fp64.latency);
      } else {
        done = issue.part.fp.start(now_) + (divides(inst.op) ? config_.fp_div_latency : config_.fp.latency);
      }
      break;
    case Unit::kSfu: done = sfu_.start(now_) + config_.sfu.latency; break;
    default: done = issue.part.alu.start(now_) + config_.alu.latency;
  }
  if (!inst.has_effect()) {
    commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
    return;
  }
  const RecordId record = new_record(issue, inst.rd, issue.mask);
  const LaneArray result = pool_.value(record);
  compute(issue, result);
  if (inst.rd == 0) {
    commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
    drop(record);
    return;
  }
  commit(issue, issue.mask, result, nullptr, 0, 0, 0);
  finish_at(issue.part, record, done);
  if (config_.selector.switch_at == SwitchAt::kLong && divides(inst.op)) tell_long_wait(issue.id, issue.slot);
}

template <class Pins>
void Backend<Pins>::execute_branch(const Issue& issue) {
  const Pc target = issue.pc + static_cast<Pc>(issue.inst.imm);
  const LaneMask taken = branch_taken_lanes(issue, target);
  issue.part.alu.start(now_);
  const bool may_wait =
      can_.splits_at_loads && taken != 0 && taken != issue.mask && target != issue.pc + 4 && issue.info.skip == 0;
  if (!may_wait) commit(issue, issue.mask, nullptr, nullptr, taken, target, 0);
  resolve(issue, taken, target, issue.pc + 4, 0);
  if (may_wait) issue.state.branch = {issue.pc, target, issue.mask, taken, issue.slot};
}

template <class Pins>
void Backend<Pins>::execute_jump(const Issue& issue) {
  const Instruction& inst = issue.inst;
  const Pc target = jump_target(issue, lowest_lane(issue.mask));
  const LaneMask leaving = jumping_to(issue, target);  // the others execute an indirect jump again
  const Cycle done = issue.part.alu.start(now_) + config_.alu.latency;
  LaneArray result;
  if (inst.rd != 0) {
    const RecordId record = new_record(issue, inst.rd, leaving);
    result = pool_.value(record);
    fill(result, issue.pc + 4);
    finish_at(issue.part, record, done);
  }
  commit(issue, leaving, result, nullptr, leaving, target, 0);
  resolve(issue, leaving, target, issue.pc, 0);
}

template <class Pins>
void Backend<Pins>::execute_ecall(const Issue& issue) {
  const RecordId record = new_record(issue, kA0, 0);
  const LaneArray result = pool_.value(record);
  const EcallResult call = environment_call(issue, result);
  pool_[record].mask = call.written;
  issue.state.writing[kA0] |= call.written;
  commit(issue, issue.mask, call.written != 0 ? result : nullptr, nullptr, 0, 0, call.exited);
  finish_at(issue.part, record, issue.part.alu.start(now_) + config_.alu.latency);
  resolve(issue, 0, issue.pc + 4, issue.pc + 4, call.exited);
  if (call.exited != 0) threads_exit(issue.id, call.exited);
}

template <class Pins>
void Backend<Pins>::execute_csr_access(const Issue& issue) {
  const Instruction& inst = issue.inst;
  const RecordId record = new_record(issue, inst.rd, issue.mask);
  const LaneArray result = pool_.value(record);
  control_register(issue, issue.state.issued, result);
  const Cycle done = issue.part.alu.start(now_) + config_.alu.latency;
  commit(issue, issue.mask, inst.rd != 0 ? result : nullptr, nullptr, 0, 0, 0);
  if (inst.rd != 0) finish_at(issue.part, record, done);
  else drop(record);
}

template <class Pins>
void Backend<Pins>::execute_memory_access(const Issue& issue) {
  const Instruction& inst = issue.inst;
  if (watch_.open && stores_change_memory(issue)) watch_.progress(now_);
  const RecordId record = new_record(issue, inst.rd, issue.mask);
  const LaneArray result = pool_.value(record);
  alignas(64) std::array<Address, kMaxLanes> address;
  access_memory(issue, result, address.data());
  commit(issue, issue.mask, inst.rd != 0 ? result : nullptr, address.data(), 0, 0, 0);
  queue_accesses(issue, record, address.data());
}

template <class Pins>
void Backend<Pins>::queue_accesses(const Issue& issue, RecordId record, const Address* address) {
  std::array<LaneMask, kSpaces> lanes{};
  if (issue.mask == lane_mask(lanes_) && in_one_window(address, lanes_)) {
    lanes[static_cast<unsigned>(space_of(address[0]))] = issue.mask;
  } else {
    for_each_lane(issue.mask,
                  [&](unsigned lane) { lanes[static_cast<unsigned>(space_of(address[lane]))] |= LaneMask{1} << lane; });
  }
  for (unsigned space = 0; space < kSpaces; ++space) {
    if (lanes[space] == 0) continue;
    ++pool_[record].parts;
    pool_[record].in_parts = can_.splits_at_loads && lanes[space] == issue.mask &&
                             static_cast<Space>(space) != Space::kShared &&
                             access_kind(issue.inst) == AccessKind::kLoad && issue.inst.rd != 0;
    queue_access(issue, record, address, static_cast<Space>(space), lanes[space]);
  }
}

template <class Pins>
void Backend<Pins>::queue_access(const Issue& issue, RecordId record, const Address* address, Space space,
                                 LaneMask mask) {
  const Instruction& inst = issue.inst;
  MemoryWork& work = memory_work_.push();
  work.at = now_ + config_.lsu_latency;
  work.access.token = record;
  work.access.kind = access_kind(inst);
  work.access.space = space;
  work.access.bytes = static_cast<std::uint8_t>(access_bytes(inst.op));
  work.access.mask = mask;
  work.access.parts = pool_[record].in_parts;
  if (space == Space::kLocal) {
    for_each_lane(mask, [&](unsigned lane) {
      work.address[lane] = space_->physical(address[lane], {issue.warp.block, issue.id, lane});
    });
  } else {
    for (unsigned lane = 0; lane < lanes_; ++lane) work.address[lane] = address[lane];
  }
}

template <class Pins>
void Backend<Pins>::execute_barrier(const Issue& issue) {
  Warp& warp = issue.state;
  const LaneMask come_here =
      issue.mask | (can_.splits_warps ? warp.waiting | issue.part.view->in_splits(issue.local) : 0);  // now or later
  if (come_here != warp.live) barrier_of_a_path(issue);
  issue.part.alu.start(now_);
  warp.waiting |= issue.mask;
  warp.control_pc = issue.pc;
  commit(issue, issue.mask, nullptr, nullptr, 0, 0, 0);
  if (warp.waiting == warp.live) comes_to_barrier(warp);
}

template <class Pins>
void Backend<Pins>::comes_to_barrier(Warp& warp) {
  warp.at_barrier = true;
  ++blocks_[warp.block].waiting;
  release_barrier_if_complete(warp.block);
}

// ---- instructions of the mechanism, and what its front end says

template <class Pins>
void Backend<Pins>::execute_own(const Issue& issue) {
  unit_->execute(core_, path_of(issue));
  issue.part.alu.start(now_);
  if (issue.info.resolves && issue.inst.rd != 0) {
    issue.state.question = {new_record(issue, issue.inst.rd, issue.mask), issue.slot, issue.pc};
  } else {
    commit(issue, unit_->executed(core_, path_of(issue)), nullptr, nullptr, 0, 0, 0);
  }
  if (issue.info.resolves) resolve(issue, 0, issue.pc + 4, issue.pc + 4, 0);
}

template <class Pins>
void Backend<Pins>::hear(unsigned partition) {
  const Pins& pins = *parts_[partition].pins;
  if (pins.answer_valid.read()) answer(partition);
  if (pins.event_valid.read())
    unit_->hear(core_, named_warp(partition, pins.event_warp.read(), "event_warp_o"), pins.event_code.read());
}

template <class Pins>
void Backend<Pins>::answer(unsigned partition) {
  Partition& part = parts_[partition];
  const WarpId id = named_warp(partition, part.pins->answer_warp.read(), "answer_warp_o");
  Warp& warp = warps_[id];
  const Question question = warp.question;
  if (question.record == kNoRecord) return;
  warp.question = {};
  unit_->answered(core_, id, part.pins->answer_value.read());
  const LaneMask mask = pool_[question.record].mask;
  const LaneArray value = pool_.value(question.record);
  fill(value, part.pins->answer_value.read());
  commit({id, warp, question.slot, question.pc, mask, instruction_at(question.pc)}, mask, value, nullptr, 0, 0, 0);
  part.results.push(pool_, question.record);
}

template <class Pins>
unsigned Backend<Pins>::Core::stack_depth(WarpId warp) const {
  const unsigned schedulers = backend_.schedulers_;
  return backend_.parts_[warp % schedulers].view->depth(warp / schedulers);
}

template <class Pins>
StackEntry Backend<Pins>::Core::stack_entry(WarpId warp, unsigned index) const {
  const unsigned schedulers = backend_.schedulers_;
  return backend_.entry(warp % schedulers, warp / schedulers, index);
}

template <class Pins>
void Backend<Pins>::Core::stop_at(const PathInstruction& at, const std::string& code,
                                  const std::string& message) const {
  if (backend_.observer_ != nullptr) backend_.observer_->stopping(backend_.now_, at.warp, at.pc, at.mask, -1);
  backend_.stop(code, message);
}

template <class Pins>
void Backend<Pins>::resolve(const Issue& issue, LaneMask taken, Pc target, Pc next, LaneMask exit) {
  issue.state.control_pc = issue.pc;
  issue.state.branch = {};
  Resolution& r = issue.part.resolutions.push();
  r.at = now_ + (config_.frontend.resolve == Resolve::kExecute ? config_.alu.latency : 0);
  r.warp = issue.local;
  r.slot = issue.slot;
  r.taken = taken;
  r.exit = exit;
  r.target = target;
  r.next = next;
  Mark mark{0, 0, issue.inst.rpc};
  if (unit_ != nullptr) unit_->mark(core_, path_of(issue), mark);
  r.kind = mark.kind;
  r.operand = mark.operand;
  r.rpc = mark.rpc;
  r.call = issue.inst.is_call();
  r.ret = issue.inst.is_return();
  const bool divergent = taken != 0 && taken != issue.mask && target != next;
  r.skip = divergent ? issue.info.skip : 0;
  count_branch(issue.inst, issue.pc, divergent && r.skip == 0, target, next);
  if (r.skip == 0) return;
  issue.state.masked = popcount(taken);
  count_predicated(issue.pc);
}

// -----------------------------------------------------------------------------------------------------------------
// checks

template <class Pins>
void Backend<Pins>::check_selection(unsigned partition) {
  Partition& part = parts_[partition];
  Selection selection;
  if (!part.view->selection(selection)) return;
  bool other_slot = false;
  const std::uint32_t passed_over = part.rule.step(selection, other_slot);
  if (passed_over == SelectionRule::kFair) return;
  const bool gto = config_.selector.policy == Policy::kGto;
  wrong("selection", fmt::format("{} was selected at cycle {} in kernel {}, but {} was ready and {}: the selector is "
                                 "not fair (selector.policy = {})",
                                 warp_name(core_warp(partition, selection.warp)), now_, launch_.kernel,
                                 other_slot ? "its other path" : warp_name(core_warp(partition, passed_over)),
                                 other_slot ? "next in turn"
                                 : gto      ? "comes first, as the last one or the oldest"
                                            : "next in turn",
                                 gto ? "gto" : "lrr"));
}

template <class Pins>
WarpId Backend<Pins>::named_warp(unsigned partition, std::uint32_t local, const char* pin) const {
  const WarpId id = core_warp(partition, local);
  if (id < warps_.size() && warps_[id].occupied) return id;
  wrong("frontend",
        fmt::format("mechanism {} breaks the contract of a front end at cycle {} in kernel {}: {} says warp "
                    "{}, and there is no such warp now",
                    config_.mechanism, now_, launch_.kernel, pin, id));
}

template <class Pins>
void Backend<Pins>::broken(WarpId id, const std::string& what) const {
  wrong("frontend", fmt::format("mechanism {} breaks the contract of a front end at cycle {} in kernel {}: {} {}",
                                config_.mechanism, now_, launch_.kernel, warp_name(id), what));
}

template <class Pins>
void Backend<Pins>::check_issue(const Issue& issue) const {
  const auto where = [this](Pc pc) {
    return fmt::format("{} `{}`", launch_.program->where(pc), launch_.program->disassemble(pc));
  };
  if (issue.mask == 0) broken(issue.id, "issues without a thread at " + where(issue.pc));
  if (const LaneMask none = issue.mask & ~issue.warp.live; none != 0) {
    broken(issue.id, fmt::format("issues with the threads 0x{:x} at {}: 0x{:x} of them are not there, live are 0x{:x}",
                                 issue.mask, where(issue.pc), none, issue.warp.live));
  }
  const std::uint64_t bundle = issue.part.pins->issue_instr.read();
  if (bundle != issue.info.bundle) {
    broken(issue.id, fmt::format("issues the bundle 0x{:x} at {}, whose bundle is 0x{:x}: its queue or its PC is that "
                                 "of another instruction",
                                 bundle, where(issue.pc), issue.info.bundle));
  }
  const Question& question = issue.state.question;
  if (question.record != kNoRecord && question.slot == issue.slot) {
    broken(issue.id, fmt::format("issues {} before the answer to {} has come", where(issue.pc), where(question.pc)));
  }
}

template <class Pins>
void Backend<Pins>::check_hazards(const Issue& issue) const {
  const Warp& warp = issue.state;
  const Instruction& inst = issue.inst;
  for (const RegId r : {inst.rs1, inst.rs2, inst.rs3, inst.rd}) {
    const LaneMask threads = r == 0 ? 0 : warp.writing[r] & issue.mask;
    if (threads != 0) {
      throw Error(ExitStatus::kWrongResult, "hazard",
                  fmt::format("{} issued at cycle {} while an older write of register {}{} is in flight: {} `{}`: the "
                              "scoreboard failed",
                              thread_name(issue.id, lowest_lane(threads)), now_, r < 32 ? 'x' : 'f', r & 31,
                              launch_.program->where(issue.pc), launch_.program->disassemble(issue.pc)),
                  state_dump());
    }
  }
}

// Every two entries: the upper one's threads lie inside one path of the lower one, or apart from it; the two paths of
// an entry are disjoint; together they hold every live thread.
template <class Pins>
void Backend<Pins>::check_paths(unsigned partition, unsigned local) {
  const FrontendView& view = *parts_[partition].view;
  const unsigned depth = view.depth(local);
  const LaneMask live = view.live(local);
  LaneMask all = 0, twice = 0;
  std::vector<StackEntry>& entries = checked_;
  entries.resize(depth);
  for (unsigned i = 0; i < depth; ++i) {
    entries[i] = entry(partition, local, i);
    for (LaneMask& mask : entries[i].mask) mask &= live;
    const LaneMask left = entries[i].mask[0], right = entries[i].mask[1];
    twice |= left & right;
    all |= left | right;
    for (unsigned j = 0; j < i; ++j) {
      for (const LaneMask below : entries[j].mask) {
        const LaneMask common = below & (left | right);
        if (common != (left | right)) twice |= common;
      }
    }
  }
  if (depth == 0) return;
  const WarpId id = core_warp(partition, local);
  if (twice != 0)
    broken(id, fmt::format("has the threads 0x{:x} in two groups, of which neither is in the other", twice));
  if (all != live) broken(id, fmt::format("has the threads 0x{:x} in no group", live & ~all));
}

template <class Pins>
bool Backend<Pins>::in_flight() const {
  // What waits for an answer does not come back by itself.
  return std::any_of(warps_.begin(), warps_.end(), [](const Warp& warp) {
    return warp.occupied && warp.in_flight > (warp.question.record == kNoRecord ? 0u : 1u);
  });
}

template <class Pins>
void Backend<Pins>::reset_recurrence() {
  for (Warp& warp : warps_) warp.recurrence.reset();
}

template <class Pins>
bool Backend<Pins>::only_recurrence() const {
  bool any = false, all = true;
  for (const Warp& warp : warps_) {
    if (!warp.occupied || !warp.recurrence.issued()) continue;
    any = true;
    all = all && warp.recurrence.recurs();
  }
  return any && all;
}

template <class Pins>
std::string Backend<Pins>::livelock_text() const {
  return "every running warp repeats the same states without changing memory";
}

template <class Pins>
void Backend<Pins>::name_what_waits() {
  for (WarpId id = 0; id < warps_.size(); ++id) {
    const Warp& warp = warps_[id];
    if (!warp.occupied || !warp.launched || warp.ended) continue;
    if (warp.live == 0) broken(id, "is not done, and its last thread has exited long ago");
    if (warp.question.record != kNoRecord) {
      broken(id, fmt::format("waits for the answer to {} `{}`, which does not come",
                             launch_.program->where(warp.question.pc), launch_.program->disassemble(warp.question.pc)));
    }
  }
  if (can_.splits_at_loads) name_divergent_barrier();
}

// Parts of a path wait for each other at a barrier: at two of them, for ever.
template <class Pins>
void Backend<Pins>::name_divergent_barrier() {
  const auto at_barrier = [&](const StackEntry& paths, unsigned slot) {
    return paths.mask[slot] != 0 && instruction_at(paths.pc[slot]).op == Op::kBarrier;
  };
  for (WarpId id = 0; id < warps_.size(); ++id) {
    Warp& warp = warps_[id];
    if (!warp.occupied || !warp.launched || warp.ended) continue;
    const FrontendView& view = *parts_[id % schedulers_].view;
    const std::uint32_t local = id / schedulers_;
    const unsigned depth = view.depth(local);
    if (depth == 0) continue;
    const StackEntry paths = view.entry(local, depth - 1);
    if (at_barrier(paths, 0) && at_barrier(paths, 1) && paths.pc[0] != paths.pc[1]) {
      divergent_barrier({id, warp, 0, paths.pc[0], paths.mask[0], instruction_at(paths.pc[0])}, paths.mask[1],
                        paths.pc[1]);
    }
  }
}

template <class Pins>
void Backend<Pins>::overflow(unsigned partition) const {
  const WarpId id = core_warp(partition, parts_[partition].pins->overflow_warp.read());
  stack_overflow(id, warps_[id].control_pc);
}

template <class Pins>
void Backend<Pins>::barrier_of_a_path(const Issue& issue) const {
  const FrontendView& view = *parts_[issue.partition].view;
  const LaneMask others = issue.warp.live & ~issue.mask;
  Pc other = 0;
  for (unsigned i = view.depth(issue.local); i-- > 0 && other == 0;) {
    const StackEntry entry = this->entry(issue.partition, issue.local, i);
    for (unsigned slot = 0; slot < 2; ++slot) {
      if ((entry.mask[slot] & others) != 0 && (entry.mask[slot] & issue.mask) == 0) other = entry.pc[slot];
    }
    for (unsigned slot = 0; slot < 2 && other == 0; ++slot) {
      if ((entry.mask[slot] & others) != 0) other = entry.pc[slot];
    }
  }
  divergent_barrier(issue, others, other);
}

// Splits that have arrived where they meet do not hold who goes on there.
template <class Pins>
void Backend<Pins>::past_the_barrier(const Issue& issue) const {
  if (observer_ != nullptr) observer_->stopping(now_, issue.id, issue.pc, issue.mask, -1);
  const Program& program = *launch_.program;
  stop("barrier",
       fmt::format(
           "barrier as the last instruction before threads meet in kernel {}: threads 0x{:x} of {} wait at {} and go "
           "on at {}: splits of a "
           "warp meet before a barrier or behind it; put an instruction between the two, or choose another mechanism",
           launch_.kernel, issue.mask & issue.state.waiting, warp_name(issue.id), program.where(issue.state.control_pc),
           program.where(issue.pc)));
}

namespace {

bool blocked(const FrontendState& state, unsigned local) {
  bool any = false;
  for (unsigned slot = 0; slot * kMaxPartitionWarps < state.paths.size(); ++slot)
    any |= state.path(local, slot).blocked != 0;
  return any;
}

std::string place_name(const StackEntry& entry) {
  if (entry.rpc == kNoRpc) return "none";
  const std::string level = fmt::format(" at level {}", entry.rpc_level);
  if ((entry.rpc & 1) == 0) return fmt::format("0x{:08x}", entry.rpc) + level;
  return (entry.rpc == kReturnRpc ? "return" : fmt::format("return to 0x{:08x}", entry.rpc & ~Pc{1})) + level;
}

}  // namespace

template <class Pins>
std::string Backend<Pins>::state_dump() const {
  std::string dump;
  for (unsigned s = 0; s < schedulers_; ++s) {
    const unsigned slots = parts_[s].view->slots();
    FrontendState state(slots);
    parts_[s].view->read_state(state);
    for (std::uint32_t local = 0; core_warp(s, local) < warps_.size(); ++local) {
      const WarpId id = core_warp(s, local);
      const Warp& warp = warps_[id];
      if (!warp.occupied) continue;
      const WarpState& inside = state.warp[local];
      dump += fmt::format("{}: live 0x{:x}, {} writes in flight, {}\n", warp_name(id), warp.live, warp.in_flight,
                          !warp.launched       ? "not launched yet"
                          : warp.live == 0     ? "all its threads have exited"
                          : warp.at_barrier    ? "waits at the barrier at " + launch_.program->where(warp.control_pc)
                          : inside.halted != 0 ? "halted by a stack overflow"
                          : inside.branch_pending != 0 ? "waits for its branch to resolve"
                          : warp.waiting != 0 ? fmt::format("threads 0x{:x} wait at the barrier at {}", warp.waiting,
                                                            launch_.program->where(warp.control_pc))
                          : blocked(state, local)                 ? "waits for a register"
                          : (parts_[s].loading >> local & 1) != 0 ? "waits for its row of the stack"
                                                                  : "runs");
      const unsigned depth = parts_[s].view->depth(local);
      for (unsigned i = depth; i-- > 0;) {
        const StackEntry entry = this->entry(s, local, i);
        for (unsigned slot = 0; slot < 2; ++slot) {
          if (entry.mask[slot] == 0) continue;
          const bool waits_for_return = (entry.pc[slot] & 1) != 0;
          dump +=
              fmt::format("  stack[{}] {}pc {} level {} mask 0x{:x} rpc {} {}\n", i,
                          slots != 2  ? ""
                          : slot == 0 ? "left  "
                                      : "right ",
                          waits_for_return ? "where its function returns to" : fmt::format("0x{:08x}", entry.pc[slot]),
                          entry.level[slot], entry.mask[slot], place_name(entry),
                          waits_for_return ? "" : launch_.program->where(entry.pc[slot]));
        }
      }
    }
  }
  return dump.empty() ? "no warp is there\n" : dump;
}

template <class Pins>
Stats Backend<Pins>::take_stats() {
  for (const Partition& part : parts_) {
    if (can_.has_stack)
      stats_.max_stack_depth = std::max<std::uint64_t>(stats_.max_stack_depth, part.pins->max_depth.read());
    if (unit_ == nullptr) continue;
    const Pins& p = *part.pins;
    unit_->add_counts({p.max_splits.read(), p.splits.read(), p.merges.read(), p.refused.read(), p.forwards.read(),
                       p.own_count.read()},
                      stats_);
  }
  return CoreBackend::take_stats();
}

template class Backend<FrontendPins>;
template class Backend<DirectFrontendPins>;

}  // namespace heddle
