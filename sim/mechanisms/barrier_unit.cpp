// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/barrier_unit.h"

#include <fmt/format.h>

#include <algorithm>

#include "common/types.h"

namespace heddle {
namespace {

// What is done to a barrier counts if it is armed and some thread of the path takes part.
template <class Barrier>
bool takes_part(const Barrier& barrier, LaneMask path) {
  return barrier.armed && (barrier.mask & path) != 0;
}

bool has_number(Op op) { return op != Op::kYield && op != Op::kWarpsync; }

}  // namespace

BarrierUnit::BarrierUnit(const Config& config)
    : lanes_(config.core.lanes),
      yield_leaves_(config.cbar.yield_leaves),
      warps_(config.core.warps) {}

MechanismUnit::Role BarrierUnit::role(const Instruction& inst) const {
  return inst.op >= Op::kBssy && inst.op <= Op::kBmovTo ? Role::kResolves : Role::kNothing;
}

void BarrierUnit::arm(Warp& warp, unsigned row, LaneMask mask, LaneMask arrived, Pc pc) const {
  warp.rows[row] = {mask, arrived, pc, warp.pc, true};
  warp.armed.push_back(row);
}

void BarrierUnit::disarm(Warp& warp, unsigned row) {
  warp.rows[row].armed = false;
  warp.armed.erase(std::find(warp.armed.begin(), warp.armed.end(), row));
}

// Barriers that nobody is in any more, and those whose threads have all come: they have been released when a path of
// the warp executes again.
void BarrierUnit::settle(Warp& warp, LaneMask live) {
  const auto open = std::remove_if(warp.armed.begin(), warp.armed.end(), [&](unsigned row) {
    Barrier& barrier = warp.rows[row];
    barrier.armed = (barrier.mask & live & ~barrier.arrived) != 0;
    return !barrier.armed;
  });
  warp.armed.erase(open, warp.armed.end());
}

void BarrierUnit::check_path(UnitCore& core, const PathInstruction& at) {
  Warp& warp = warps_[at.warp];
  if (warp.armed.empty()) return;
  settle(warp, at.live);
  for (const unsigned row : warp.armed) {
    const LaneMask early = warp.rows[row].arrived & warp.rows[row].mask & at.mask;
    if (early == 0) continue;
    core.wrong("barriers", fmt::format("{} executes {} with threads 0x{:x}, which wait at {}", core.name_of(at.warp),
                                       core.program().where(at.pc), early, name_of_row(core, warp, row)));
  }
}

void BarrierUnit::execute(UnitCore& core, const PathInstruction& at) {
  Warp& warp = warps_[at.warp];
  settle(warp, at.live);
  check_instruction(core, at, warp);
  const Instruction& inst = at.inst;
  warp.pc = at.pc;
  warp.threads = at.mask;
  warp.number = inst.zimm;
  Barrier& barrier = warp.rows[inst.zimm];
  const bool counts = takes_part(barrier, at.mask);
  switch (inst.op) {
    case Op::kBssy:
      if (counts) warp.expected = kEventArmed;
      if (!barrier.armed) arm(warp, inst.zimm, at.mask, 0, at.pc + static_cast<Pc>(inst.imm));
      break;
    case Op::kBsync:
      if (!counts) break;
      check_label(core, at, barrier);
      barrier.arrived |= barrier.mask & at.mask;
      break;
    case Op::kBreak:
      if (counts) barrier.mask &= ~at.mask;
      break;
    case Op::kYield: {
      const auto newest =
          std::find_if(warp.armed.rbegin(), warp.armed.rend(), [](unsigned row) { return row < kConvergenceBarriers; });
      if (yield_leaves_ && newest != warp.armed.rend()) warp.rows[*newest].mask &= ~at.mask;
      break;
    }
    case Op::kWarpsync: sync(core, at, warp); break;
    case Op::kBmov:
      warp.answer = counts ? barrier.mask & at.live : 0;
      if (!counts) break;
      if ((barrier.arrived & at.live) != 0) warp.expected = kEventMoved;
      else disarm(warp, inst.zimm);
      break;
    case Op::kBmovPc: warp.answer = counts ? barrier.pc : 0; break;
    case Op::kBmovTo: move_back(core, at, warp); break;
    default: break;
  }
}

// Threads of the path that are all together go on at once. Else those of the lowest thread's mask wait, and the others
// come again.
void BarrierUnit::sync(const UnitCore& core, const PathInstruction& at, Warp& warp) const {
  std::array<LaneMask, kMaxLanes> named{};
  const bool wide = core.program().xlen == Xlen::k64;
  warp.waits = false;
  for (LaneMask left = at.mask; left != 0; left &= left - 1) {
    const unsigned lane = lowest_bit(left);
    named[lane] = sync_mask(core.value(at.warp, at.inst.rs1, lane), wide) & lane_mask(lanes_);
    warp.waits = warp.waits || (named[lane] & at.live & ~at.mask) != 0;
    if (has_bit(named[lane], lane)) continue;
    core.stop_at(at, "warpsync",
                 fmt::format("warpsync by a thread that its mask does not name in kernel {}: {}, lane {}, mask 0x{:x}, "
                             "at {}",
                             core.kernel(), core.name_of(at.warp), lane, named[lane], core.program().where(at.pc)));
  }
  warp.waits_for = named[lowest_bit(at.mask)];
  const LaneMask threads = warp.waits ? at.mask & warp.waits_for : at.mask;
  for (LaneMask left = threads; left != 0; left &= left - 1) warp.last_sync[lowest_bit(left)] = named[lowest_bit(left)];
  if (!warp.waits) return;
  warp.number = kConvergenceBarriers + lowest_bit(warp.waits_for);
  Barrier& row = warp.rows[warp.number];
  if (!row.armed) arm(warp, warp.number, warp.waits_for, threads, at.pc + 4);
  else if (row.mask == warp.waits_for && row.pc == at.pc + 4) row.arrived |= threads;
  else warp.expected = kEventMixed;
}

// All threads of the path say the same.
void BarrierUnit::move_back(const UnitCore& core, const PathInstruction& at, Warp& warp) const {
  const unsigned first = lowest_bit(at.mask);
  const auto operand = [&](unsigned lane) { return core.value(at.warp, at.inst.rs1, lane) & lane_mask(lanes_); };
  const auto place = [&](unsigned lane) { return static_cast<Pc>(core.value(at.warp, at.inst.rs2, lane)); };
  for (LaneMask left = at.mask; left != 0; left &= left - 1) {
    const unsigned lane = lowest_bit(left);
    if (operand(lane) == operand(first) && place(lane) == place(first)) continue;
    core.stop_at(at, "bmov",
                 fmt::format("bmov of different threads or places into barrier b{} in kernel {}: {} at {}: lane {} has "
                             "0x{:x}, 0x{:08x}, lane {} has 0x{:x}, 0x{:08x}",
                             at.inst.zimm, core.kernel(), core.name_of(at.warp), core.program().where(at.pc), first,
                             operand(first), place(first), lane, operand(lane), place(lane)));
  }
  const LaneMask mask = operand(first) & at.live;
  if (mask == 0) return;
  if (warp.rows[at.inst.zimm].armed) warp.expected = kEventArmed;
  else arm(warp, at.inst.zimm, mask, 0, place(first));
}

void BarrierUnit::check_instruction(const UnitCore& core, const PathInstruction& at, const Warp& warp) const {
  if (warp.expected != 0)
    core.wrong("barriers", fmt::format("{}: the front end said nothing of its mistake at {}, event {}",
                                       core.name_of(at.warp), core.program().where(warp.pc), warp.expected));
  if (has_number(at.inst.op) && at.inst.zimm >= kConvergenceBarriers)
    core.stop_at(at, "number",
                 fmt::format("barrier b{} in kernel {}: {} at {}: a warp has {}, b0 to b{}", at.inst.zimm,
                             core.kernel(), core.name_of(at.warp), core.program().where(at.pc), kConvergenceBarriers,
                             kConvergenceBarriers - 1));
  if (at.inst.op == Op::kBmov && lanes_ > 32 && core.program().xlen == Xlen::k32)
    core.stop_at(at, "bmov",
                 fmt::format("bmov of barrier b{} in kernel {} at {}: a register of RV32 has 32 bits, a warp {} "
                             "threads; compile it for RV64, or set core.lanes = 32",
                             at.inst.zimm, core.kernel(), core.program().where(at.pc), lanes_));
}

void BarrierUnit::check_label(const UnitCore& core, const PathInstruction& at, const Barrier& barrier) const {
  if (barrier.pc == at.pc + 4) return;
  core.stop_at(at, "label",
               fmt::format("bsync b{} in kernel {} is not in front of its label: {} comes to it at {} with threads "
                           "0x{:x}, and the barrier, armed at {}, goes on at {}",
                           at.inst.zimm, core.kernel(), core.name_of(at.warp), core.program().where(at.pc), at.mask,
                           core.program().where(barrier.armed_at), core.program().where(barrier.pc)));
}

LaneMask BarrierUnit::executed(const UnitCore&, const PathInstruction& at) const {
  const Warp& warp = warps_[at.warp];
  return at.inst.op == Op::kWarpsync && warp.waits ? at.mask & warp.waits_for : at.mask;
}

void BarrierUnit::mark(const UnitCore& core, const PathInstruction& at, Mark& mark) const {
  static constexpr std::uint32_t kKinds[] = {kMarkArm,  kMarkArrive, kMarkBreak,  kMarkYield,
                                             kMarkSync, kMarkSave,   kMarkSavePc, kMarkRestore};
  if (role(at.inst) == Role::kNothing) return;
  const Warp& warp = warps_[at.warp];
  if (at.inst.op == Op::kWarpsync && !warp.waits) return;
  const auto form = static_cast<unsigned>(at.inst.op) - static_cast<unsigned>(Op::kBssy);
  mark.kind = kKinds[form] | std::uint32_t{at.inst.zimm} << kKindWidth;
  if (at.inst.op == Op::kBssy) mark.rpc = at.pc + static_cast<Pc>(at.inst.imm);
  if (at.inst.op == Op::kWarpsync) mark.operand = warp.waits_for;
  if (at.inst.op == Op::kBmovTo) {
    mark.operand = core.value(at.warp, at.inst.rs1, lowest_bit(at.mask)) & lane_mask(lanes_);
    mark.rpc = static_cast<Pc>(core.value(at.warp, at.inst.rs2, lowest_bit(at.mask)));
  }
}

// Every thread has those with it that its last warpsync named.
bool BarrierUnit::together(WarpId id, LaneMask path, LaneMask live) const {
  if (path == live) return true;
  const Warp& warp = warps_[id];
  bool all = true;
  for (LaneMask left = path; left != 0; left &= left - 1) {
    const LaneMask named = warp.last_sync[lowest_bit(left)];
    all = all && has_bit(named, lowest_bit(left)) && (named & live & ~path) == 0;
  }
  return all;
}

void BarrierUnit::answered(UnitCore& core, WarpId id, std::uint64_t value) {
  const Warp& warp = warps_[id];
  if (value == warp.answer) return;
  core.wrong("barriers", fmt::format("{}: the front end answers 0x{:x} of barrier b{} at {}; it is 0x{:x}",
                                     core.name_of(id), value, warp.number, core.program().where(warp.pc), warp.answer));
}

void BarrierUnit::hear(UnitCore& core, WarpId id, std::uint32_t code) {
  Warp& warp = warps_[id];
  settle(warp, core.live(id));
  if (code == kEventStuck) stuck(core, id, warp);
  if (code != warp.expected)
    core.wrong("barriers", fmt::format("{}: the front end tells event {} of {}; it is {}", core.name_of(id), code,
                                       core.program().where(warp.pc), warp.expected));
  const Program& program = core.program();
  const Barrier& row = warp.rows[warp.number];
  const std::string who = fmt::format("in kernel {}: threads 0x{:x} of {} at {}", core.kernel(), warp.threads,
                                      core.name_of(id), program.where(warp.pc));
  const std::string armed = fmt::format("armed at {} for threads 0x{:x}", program.where(row.armed_at), row.mask);
  switch (code) {
    case kEventArmed:
      core.stop("armed",
                fmt::format("barrier b{} is armed already {}: {}; its region has to end first, at a bsync or a break, "
                            "or the barrier is saved (bmov)",
                            warp.number, who, armed));
      break;
    case kEventMixed:
      core.stop("mixed",
                fmt::format("warpsync of threads 0x{:x} meets another one {}: threads 0x{:x} wait since {} for threads "
                            "0x{:x}; threads that wait for each other execute one warpsync, with one mask",
                            warp.waits_for, who, row.arrived, program.where(row.armed_at), row.mask));
      break;
    default:
      core.stop("moved", fmt::format("bmov of barrier b{}, at which threads 0x{:x} wait already, {}: {}", warp.number,
                                     row.arrived, who, armed));
  }
}

std::string BarrierUnit::name_of_row(const UnitCore& core, const Warp& warp, unsigned row) const {
  const std::string where = core.program().where(warp.rows[row].armed_at);
  return row < kConvergenceBarriers ? fmt::format("b{} (armed at {})", row, where)
                                    : fmt::format("the warpsync at {}", where);
}

// Every armed barrier, who waits there, who is missing, and where else those wait.
void BarrierUnit::stuck(const UnitCore& core, WarpId id, const Warp& warp) const {
  const LaneMask live = core.live(id);
  LaneMask waiting = 0;
  std::vector<std::string> barriers;
  for (const unsigned row : warp.armed) {
    const Barrier& barrier = warp.rows[row];
    const LaneMask here = barrier.arrived & live, missing = barrier.mask & live & ~barrier.arrived;
    waiting |= here;
    barriers.push_back(fmt::format("{} of threads 0x{:x}: 0x{:x} wait, 0x{:x} are missing",
                                   name_of_row(core, warp, row), barrier.mask & live, here, missing));
  }
  if (waiting != live)
    core.wrong("barriers",
               fmt::format("{} has no path, but threads 0x{:x} wait at no barrier", core.name_of(id), live & ~waiting));
  core.stop("stuck",
            fmt::format("deadlock in kernel {}: all threads of {} wait at convergence barriers for each other: {}",
                        core.kernel(), core.name_of(id), fmt::join(barriers, "; ")));
}

}  // namespace heddle
