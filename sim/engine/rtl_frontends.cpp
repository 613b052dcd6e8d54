// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL (core/frontend) as front ends of the engine, with the SystemC kernel and without: at an edge the
// pins are copied, the model is evaluated, and the output pins are written. Models are built for the parameter sets of
// sim/engine/CMakeLists.txt; warps and lanes that are not used stay idle. Most launches have no warps for a model of
// 24: those of eight take a third of the time.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "Vdpe_l32.h"
#include "Vdpe_l32___024root.h"
#include "Vdpe_l32_bitmap.h"
#include "Vdpe_l32_bitmap___024root.h"
#include "Vdpe_l32_constrained.h"
#include "Vdpe_l32_constrained___024root.h"
#include "Vdpe_l32_forward.h"
#include "Vdpe_l32_forward___024root.h"
#include "Vdpe_l32_gto.h"
#include "Vdpe_l32_gto___024root.h"
#include "Vdpe_l32_optimistic.h"
#include "Vdpe_l32_optimistic___024root.h"
#include "Vdpe_l32_software.h"
#include "Vdpe_l32_software___024root.h"
#include "Vdpe_l32_split.h"
#include "Vdpe_l32_split___024root.h"
#include "Vdpe_l32_w8.h"
#include "Vdpe_l32_w8___024root.h"
#include "Vdpe_l32_w8_forward.h"
#include "Vdpe_l32_w8_forward___024root.h"
#include "Vdpe_l32_w8_software.h"
#include "Vdpe_l32_w8_software___024root.h"
#include "Vdpe_l32_w8_split.h"
#include "Vdpe_l32_w8_split___024root.h"
#include "Vdpe_l64.h"
#include "Vdpe_l64___024root.h"
#include "Vdws_l32.h"
#include "Vdws_l32___024root.h"
#include "Vdws_l32_w8.h"
#include "Vdws_l32_w8___024root.h"
#include "Vforkjoin_l32.h"
#include "Vforkjoin_l32___024root.h"
#include "Vforkjoin_l32_w8.h"
#include "Vforkjoin_l32_w8___024root.h"
#include "Vforkjoin_l64.h"
#include "Vforkjoin_l64___024root.h"
#include "Vspe_l32.h"
#include "Vspe_l32___024root.h"
#include "Vspe_l32_bitmap.h"
#include "Vspe_l32_bitmap___024root.h"
#include "Vspe_l32_compact.h"
#include "Vspe_l32_compact___024root.h"
#include "Vspe_l32_gto.h"
#include "Vspe_l32_gto___024root.h"
#include "Vspe_l32_w8.h"
#include "Vspe_l32_w8___024root.h"
#include "Vspe_l64.h"
#include "Vspe_l64___024root.h"
#include "config/mechanisms.h"
#include "engine/frontend.h"
#include "engine/guests.h"
#include "engine/unfolded.h"
#include "engine/verilated_bits.h"
#include "heddle/error.h"

namespace heddle {
namespace {

constexpr unsigned kSbEntries = 8;  // parameters of every model
constexpr unsigned kIbufDepth = 5;
constexpr unsigned kLevelBits = 8;
constexpr unsigned kTagBits = 3;
constexpr unsigned kCountBits = 3;
constexpr unsigned kBundleBits = 30;
constexpr unsigned kRegBits = 6;
constexpr unsigned kSkipBits = 4;
constexpr unsigned kSplits = 8;  // slots of a warp that subdivides
constexpr unsigned kSplitBits = 3;

// Of every model, as sim/engine/CMakeLists.txt has it.
constexpr unsigned stack_depth_of(StackModule stack) { return stack == StackModule::kSplitTable ? 32 : 16; }

Event event(std::uint8_t valid, std::uint32_t warp) { return {valid, warp}; }

// The fields of a row of storage, lowest first.
template <class Row>
class RowReader {
 public:
  explicit RowReader(const Row& row) : row_(row) {}
  std::uint64_t take(unsigned width) {
    const std::uint64_t field = bits(row_, at_, width);
    at_ += width;
    return field;
  }
  std::uint32_t take32(unsigned width) { return static_cast<std::uint32_t>(take(width)); }

 private:
  const Row& row_;
  unsigned at_ = 0;
};

// Inputs of a model, and whether one of them has changed.
class Inputs {
 public:
  [[nodiscard]] bool changed() const { return changed_; }

  template <class T>
  void set(T& port, std::uint64_t value) {
    const T now = static_cast<T>(value);
    changed_ |= now != port;
    port = now;
  }
  // A vector with a field of `Width` bits a port, from its wires.
  template <unsigned Width, class Vector, class Wires>
  void set_ports(Vector& vector, const Wires& wires) {
    for (unsigned port = 0; port < wires.size(); ++port) {
      const std::uint64_t value = wires[port].read() & lane_mask(Width);
      if (bits(vector, port * Width, Width) == value) continue;
      changed_ = true;
      put_bits(vector, port * Width, Width, value);
    }
  }

 private:
  bool changed_ = false;
};

// True if a pin has changed.
template <unsigned Lanes, unsigned WarpBits, unsigned SlotBits, class Model, class Pins>
bool drive(Model& m, const Pins& in) {
  Inputs to;
  to.set(m.launch_valid_i, in.launch_valid.read());
  to.set(m.launch_warp_i, in.launch_warp.read());
  to.set(m.launch_pc_i, in.launch_pc.read());
  to.set(m.launch_mask_i, in.launch_mask.read());
  to.set(m.kill_valid_i, in.kill_valid.read());
  to.set(m.kill_warp_i, in.kill_warp.read());
  to.set(m.fetch_ready_i, in.fetch_ready.read());
  to.set(m.decode_valid_i, in.decode_valid.read());
  to.set(m.decode_warp_i, in.decode_warp.read());
  to.set(m.decode_slot_i, in.decode_slot.read());
  to.set(m.decode_tag_i, in.decode_tag.read());
  to.set(m.decode_count_i, in.decode_count.read());
  to.set(m.decode_instr0_i, in.decode_instr0.read());
  to.set(m.decode_instr1_i, in.decode_instr1.read());
  to.set(m.resolve_valid_i, in.resolve_valid.read());
  to.set(m.resolve_warp_i, in.resolve_warp.read());
  to.set(m.resolve_slot_i, in.resolve_slot.read());
  to.set(m.resolve_taken_i, in.resolve_taken.read());
  to.set(m.resolve_target_i, in.resolve_target.read());
  to.set(m.resolve_next_i, in.resolve_next.read());
  to.set(m.resolve_rpc_i, in.resolve_rpc.read());
  to.set(m.resolve_exit_i, in.resolve_exit.read());
  to.set(m.resolve_call_i, in.resolve_call.read());
  to.set(m.resolve_return_i, in.resolve_return.read());
  to.set(m.resolve_mark_i, in.resolve_mark.read());
  to.set(m.resolve_skip_i, in.resolve_skip.read());
  to.set(m.wb_valid_i, in.wb_valid.read());
  to.set_ports<WarpBits>(m.wb_warp_i, in.wb_warp);
  to.set_ports<SlotBits>(m.wb_slot_i, in.wb_slot);
  to.set_ports<kRegBits>(m.wb_reg_i, in.wb_reg);
  to.set_ports<Lanes>(m.wb_mask_i, in.wb_mask);
  to.set(m.miss_valid_i, in.miss_valid.read());
  to.set(m.miss_warp_i, in.miss_warp.read());
  to.set(m.miss_slot_i, in.miss_slot.read());
  to.set(m.split_valid_i, in.split_valid.read());
  to.set(m.split_warp_i, in.split_warp.read());
  to.set(m.split_slot_i, in.split_slot.read());
  to.set(m.split_mask_i, in.split_mask.read());
  to.set(m.save_ready_i, in.save_ready.read());
  to.set(m.load_ready_i, in.load_ready.read());
  to.set(m.fill_valid_i, in.fill_valid.read());
  to.set(m.fill_warp_i, in.fill_warp.read());
  to.set_ports<32>(m.fill_pc_i, in.fill_pc);
  to.set_ports<Lanes>(m.fill_mask_i, in.fill_mask);
  to.set(m.unit_ready_i, in.unit_ready.read());
  to.set(m.release_i, in.release.read());
  to.set(m.issue_ready_i, in.issue_ready.read());
  return to.changed();
}

template <class Model, class Pins>
void show_rows(const Model& m, unsigned lanes, Pins& out) {
  out.save_valid.write(m.save_valid_o);
  out.save_warp.write(m.save_warp_o);
  out.save_row.write(m.save_row_o);
  for (unsigned slot = 0; slot < 2; ++slot) {
    out.save_pc[slot].write(static_cast<std::uint32_t>(bits(m.save_pc_o, 32 * slot, 32)));
    out.save_mask[slot].write(bits(m.save_mask_o, lanes * slot, lanes));
  }
  out.load_valid.write(m.load_valid_o);
  out.load_warp.write(m.load_warp_o);
  out.load_row.write(m.load_row_o);
}

// Warps that the model does not have are idle.
template <unsigned Warps, class Model, class Pins>
void show_pins(const Model& m, Pins& out) {
  out.fetch_valid.write(m.fetch_valid_o);
  out.fetch_warp.write(m.fetch_warp_o);
  out.fetch_slot.write(m.fetch_slot_o);
  out.fetch_pc.write(m.fetch_pc_o);
  out.fetch_tag.write(m.fetch_tag_o);
  out.resolve_ready.write(m.resolve_ready_o);
  out.split_ready.write(m.split_ready_o);
  out.issue_valid.write(m.issue_valid_o);
  out.issue_warp.write(m.issue_warp_o);
  out.issue_slot.write(m.issue_slot_o);
  out.issue_pc.write(m.issue_pc_o);
  out.issue_mask.write(m.issue_mask_o);
  out.issue_instr.write(m.issue_instr_o);
  out.issue_sibling.write(m.issue_sibling_o);
  out.issue_predicated.write(m.issue_predicated_o);
  out.done_valid.write(m.done_valid_o);
  out.done_warp.write(m.done_warp_o);
  out.idle.write(m.idle_o | (m.rst_ni ? lane_mask(kMaxPartitionWarps) & ~lane_mask(Warps) : 0));
  out.overflow_valid.write(m.overflow_valid_o);
  out.overflow_warp.write(m.overflow_warp_o);
  out.stall.write(m.stall_o);
  out.max_depth.write(m.max_depth_o);
  out.max_splits.write(m.max_splits_o);
  out.splits.write(m.splits_o);
  out.merges.write(m.merges_o);
  out.refused.write(m.refused_o);
  out.forwards.write(m.forwards_o);
}

enum class Option { kNone, kForward, kSplit };

// What a set of parameters was built as.
template <class VerilatedModel, unsigned kWarpsOfModel, unsigned kLanesOfModel, StackModule kStackOfModel,
          ScoreboardModule kScoreboardOfModel, Option kOptionOfModel>
struct Parameters {
  using Model = VerilatedModel;
  static constexpr unsigned kWarps = kWarpsOfModel;
  static constexpr unsigned kLanes = kLanesOfModel;
  static constexpr StackModule kStack = kStackOfModel;
  static constexpr ScoreboardModule kScoreboard = kScoreboardOfModel;
  static constexpr Option kOption = kOptionOfModel;
  static constexpr bool kSubdivides = kStack == StackModule::kSplitTable;
  static constexpr bool kRowsOut = kStack == StackModule::kSoftware;
  static constexpr unsigned kSlots = kSubdivides ? kSplits : kStack == StackModule::kDpe || kRowsOut ? 2 : 1;
  static constexpr unsigned kIndexBits = index_width(stack_depth_of(kStack) - 1);  // of an entry below the top
  static constexpr unsigned kDepthBits = index_width(stack_depth_of(kStack) + 1);  // of a number of entries
};

// A model between its pins, and what can be seen inside: what FrontendView asks for. It stands when an evaluation with
// the inputs of the one before has left every byte of it as it was, state and wires alike; with the same inputs the
// next one would do so, too, and is left out (run.skip_idle).
template <class Of, class Pins>
class RtlModel {
  using Model = typename Of::Model;
  static constexpr unsigned Lanes = Of::kLanes;
  static constexpr unsigned kWarps = Of::kWarps;
  static constexpr unsigned kWarpBits = kWarps > 16 ? 5 : 3;
  static constexpr StackModule kStack = Of::kStack;
  static constexpr ScoreboardModule kScoreboard = Of::kScoreboard;
  static constexpr Option kOption = Of::kOption;
  static constexpr unsigned kSlots = Of::kSlots;
  static constexpr unsigned kSlotBits = Of::kSubdivides ? kSplitBits : 1;
  static constexpr unsigned kIndexBits = Of::kIndexBits;
  static constexpr unsigned kDepthBits = Of::kDepthBits;

 public:
  RtlModel(bool skips, const char* name, Pins& inputs, Pins& outputs)
      : skips_(skips),
        verilated_(std::make_unique<VerilatedContext>()),
        model_(verilated_.get(), name),
        inputs_(inputs),
        outputs_(outputs),
        before_(sizeof *model_.rootp) {}
  ~RtlModel() {
    Verilated::threadContextp(verilated_.get());  // a model is taken out of the current context, whichever that is
    model_.final();
  }
  RtlModel(const RtlModel&) = delete;
  RtlModel& operator=(const RtlModel&) = delete;

  [[nodiscard]] static constexpr unsigned warps() { return kWarps; }
  [[nodiscard]] unsigned splits(unsigned w) const {
    unsigned count = 0;
    for (unsigned slot = 0; slot < kSlots; ++slot) count += valid(path_of(slot, w));
    return count;
  }
  [[nodiscard]] LaneMask in_splits(unsigned w) const {
    LaneMask threads = 0;
    for (unsigned slot = 0; slot < kSlots; ++slot) threads |= mask(path_of(slot, w));
    if constexpr (Of::kSubdivides) {
      bool waits = waiting(w);
      for (unsigned i = stack_depth(w) - 1; waits && i-- > 0;) threads |= row(w, i, waits).mask[0];
    }
    return threads;
  }
  void read_state(FrontendState& state) const {
    const auto& r = root();
    state.resolved =
        event(r.frontend__DOT__u_events__DOT__resolved_valid_q, r.frontend__DOT__u_events__DOT__resolved_warp_q);
    state.resolved_slot = r.frontend__DOT__u_events__DOT__resolved_slot_q;
    state.resolved_next = r.frontend__DOT__u_events__DOT__resolved_next_q;
    stack_events(state.push, state.pop);
    state.done = event(r.frontend__DOT__u_events__DOT__done_valid_q, r.frontend__DOT__u_events__DOT__done_warp_q);
    state.overflow =
        event(r.frontend__DOT__u_events__DOT__overflow_valid_q, r.frontend__DOT__u_events__DOT__overflow_warp_q);
    state.grant_valid = r.frontend__DOT__u_events__DOT__grant_valid_q;
    state.grant_warp = r.frontend__DOT__u_events__DOT__grant_warp_q;
    state.grant_slot = r.frontend__DOT__u_events__DOT__grant_slot_q;
    state.max_depth = model_.max_depth_o;
    for (unsigned w = 0; w < std::min(kWarps, state.warps); ++w) {
      WarpState& warp = state.warp[w];
      warp.depth = stack_depth(w);
      const bool has_entry = warp.depth != 0;
      for (unsigned slot = 0; slot < kSlots; ++slot) read_path(path_of(slot, w), has_entry, state.path(w, slot));
      warp.rpc = has_entry ? rpc(w) : 0;
      warp.rpc_level = has_entry ? rpc_level(w) : 0;
      warp.live = has_entry ? live(w) : 0;
      read_scoreboard(w, warp);
      warp.region_count = r.frontend__DOT__gen_predication__DOT__u_predication__DOT__count_q[w];
      warp.region_slot = warp.region_count != 0
                             ? static_cast<std::uint32_t>(bits(r.frontend__DOT__region_slot, kSlotBits * w, kSlotBits))
                             : 0;
      warp.off_mask = warp.region_count != 0
                          ? bits(r.frontend__DOT__gen_predication__DOT__u_predication__DOT__off_q, Lanes * w, Lanes)
                          : 0;
      warp.branch_pending = flag(r.frontend__DOT__pending_q, w);
      warp.pending_slot =
          warp.branch_pending != 0
              ? static_cast<std::uint32_t>(bits(r.frontend__DOT__pending_slot_q, kSlotBits * w, kSlotBits))
              : 0;
      warp.acting = flag(r.frontend__DOT__acting_q, w);
      warp.at_barrier = 0;
      for (unsigned slot = 0; slot < (Of::kSubdivides ? kSlots : 1); ++slot)
        warp.at_barrier |= flag(r.frontend__DOT__at_barrier_q, path_of(slot, w));
      warp.halted = flag(r.frontend__DOT__halted_q, w);
    }
    for (unsigned w = kWarps; w < state.warps; ++w) {  // as after a reset
      for (unsigned slot = 0; slot < kSlots; ++slot) state.path(w, slot).need_fetch = 1;
    }
  }
  void stack_events(Event& push, Event& pop) const {
    const auto& r = root();
    push = event(r.frontend__DOT__u_events__DOT__push_valid_q, r.frontend__DOT__u_events__DOT__push_warp_q);
    pop = event(r.frontend__DOT__u_events__DOT__pop_valid_q, r.frontend__DOT__u_events__DOT__pop_warp_q);
  }
  [[nodiscard]] unsigned stack_entries(unsigned w) const { return stack_depth(w); }
  [[nodiscard]] unsigned depth(unsigned w) const {
    const unsigned depth = stack_depth(w);
    if constexpr (kStack == StackModule::kCompact) return static_cast<unsigned>(unfolded(CompactRows{*this}, w).size());
    return Of::kSubdivides && depth != 0 ? depth - 1 + std::max(1u, splits(w)) : depth;
  }
  [[nodiscard]] LaneMask live(unsigned w) const { return bits(root().frontend__DOT__unused_live, Lanes * w, Lanes); }
  [[nodiscard]] StackEntry entry(unsigned w, unsigned index) const {
    if constexpr (Of::kSubdivides) return entry_of_splits(w, index);
    else if constexpr (kStack == StackModule::kCompact) return unfolded(CompactRows{*this}, w)[index];
    else if constexpr (kOption == Option::kForward) {
      return entry_at_home(
          stack_depth(w), index, [&](unsigned i) { return held(w, i); }, [&](unsigned i) { return guest(w, i); });
    } else return held(w, index);
  }

  // An edge, or, without rst_n, a reset. False: nothing has changed.
  bool step(bool rst_n) {
    Model& m = model_;
    take_inputs();
    const bool changed = changed_ || m.rst_ni != rst_n;
    changed_ = false;
    if (!changed && stands_) return false;
    m.rst_ni = rst_n;
    const bool may_stand = skips_ && !changed;
    if (may_stand) std::memcpy(before_.data(), model_.rootp, before_.size());
    m.clk_i = 1;
    m.eval();
    lower_clock(m);
    stands_ = may_stand && std::memcmp(before_.data(), model_.rootp, before_.size()) == 0;
    return true;
  }
  // With the inputs as they are at the pins.
  [[nodiscard]] bool stands() const {
    take_inputs();
    return !changed_ && stands_;
  }
  void show_outputs() {
    show_pins<kWarps>(model_, outputs_);
    if constexpr (Of::kRowsOut) show_rows(model_, Lanes, outputs_);
  }
  // The one output that the monitor compares and that follows an input within the cycle.
  void show_ready() {
    model_.save_ready_i = inputs_.save_ready.read();
    model_.eval();
    stands_ = false;
    outputs_.resolve_ready.write(model_.resolve_ready_o);
  }

 private:
  void take_inputs() const { changed_ = drive<Lanes, kWarpBits, kSlotBits>(model_, inputs_) || changed_; }

  // What an entry holds.
  [[nodiscard]] StackEntry held(unsigned w, unsigned index) const {
    StackEntry entry;
    if (index + 1 == depth(w)) {
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        const unsigned path = path_of(slot, w);
        entry.pc[slot] = pc(path);
        entry.mask[slot] = bits(root().frontend__DOT__mask, Lanes * path, Lanes);
        entry.level[slot] = level(path);
      }
      entry.rpc = rpc(w);
      entry.rpc_level = rpc_level(w);
      return entry;
    }
    if constexpr (Of::kRowsOut) {
      return entry;
    } else if constexpr (kStack == StackModule::kForkJoin) {
      return uncovered(w, index);
    } else {
      return row_of_paths(w, index);
    }
  }

  [[nodiscard]] StackEntry row_of_paths(unsigned w, unsigned index) const {
    StackEntry entry;
    // {pc, mask, level} of each slot, the left one first, rpc, rpc_level, with one slot sibling: taken off from the
    // right
    RowReader row(below(w << kIndexBits | index));
    if constexpr (kSlots == 1) row.take(1);
    entry.rpc_level = row.take32(kLevelBits);
    entry.rpc = row.take32(32);
    for (unsigned slot = kSlots; slot-- > 0;) {
      entry.level[slot] = row.take32(kLevelBits);
      entry.mask[slot] = row.take(Lanes);
      entry.pc[slot] = row.take32(32);
    }
    return entry;
  }

  // As unfolded() reads a compact_stack. The row of nesting n, 1 the outermost, is at n modulo a power of two:
  // {later_pc, later_mask, meeting_mask, rpc, level, up, sibling, tail}. A tail has its later side's level and leaves
  // the place as it is; else the level is that of the place below, and the later side is `up` levels above the place on
  // top of it.
  struct CompactRows {
    const RtlModel& model;

    [[nodiscard]] unsigned depth(unsigned w) const { return model.stack_depth(w); }
    [[nodiscard]] SpeEntry top(unsigned w) const {
      SpeEntry top;
      top.pc = model.pc(w);
      top.mask = model.mask(w);
      top.level = model.level(w);
      top.rpc = model.rpc(w);
      top.rpc_level = model.rpc_level(w);
      top.sibling = flag(model.root().frontend__DOT__sibling, w) != 0;
      return top;
    }
    [[nodiscard]] CompactEntry below(unsigned w, unsigned i) const {
      CompactEntry entry;
      std::uint32_t place_level = model.rpc_level(w);
      for (unsigned n = depth(w) - 1; n > i; --n) {
        RowReader row(model.below(w << kIndexBits | (n & ((1u << kIndexBits) - 1))));
        entry.tail = row.take(1) != 0;
        entry.sibling = row.take(1) != 0;
        const std::uint32_t up = row.take32(2), level = row.take32(kLevelBits);
        entry.rpc = row.take32(32);
        entry.meeting_mask = row.take(Lanes);
        entry.later_mask = row.take(Lanes);
        entry.later_pc = row.take32(31) << 1;
        const std::uint32_t up_to = place_level + (up == 3 ? ~0u : up);
        entry.later_level = static_cast<std::uint16_t>((entry.tail ? level : up_to) & lane_mask(kLevelBits));
        if (!entry.tail) place_level = level;
        entry.rpc_level = static_cast<std::uint16_t>(place_level);
      }
      return entry;
    }
  };

  // Behind the plain row {here, gone, offer_l, offer_r, place}, taken off from the right; of the top the same in
  // registers.
  struct Guest {
    bool here, gone, slot;
  };
  [[nodiscard]] Guest guest(unsigned w, unsigned index) const {
    if (index + 1 == stack_depth(w)) {
      const auto& r = root();
      return {flag(r.frontend__DOT__gen_dpe_stack__DOT__u_stack__DOT__here_q, w) != 0,
              flag(r.frontend__DOT__gen_dpe_stack__DOT__u_stack__DOT__gen_forward__DOT__gone_q, w) != 0,
              flag(r.frontend__DOT__gen_dpe_stack__DOT__u_stack__DOT__offer_r_q, w) != 0};
    }
    constexpr unsigned kPlaceBits = 32 + kLevelBits;
    const auto& row = below(w << kIndexBits | index);
    const std::uint64_t flags = bits(row, 2 * (32 + Lanes + kLevelBits) + 2 * kPlaceBits, 4);
    return {(flags >> 3 & 1) != 0, (flags >> 2 & 1) != 0, (flags & 1) != 0};
  }

  void read_path(unsigned path, bool has_entry, PathState& state) const {
    const auto& r = root();
    state.valid = valid(path);
    const bool shown = has_entry && (!Of::kSubdivides || state.valid != 0);  // a split that is not there has no place
    state.pc = shown ? pc(path) : 0;
    state.mask = mask(path);
    state.level = shown ? level(path) : 0;
    state.sibling = shown && flag(r.frontend__DOT__sibling, path) != 0;
    state.blocked = flag(r.frontend__DOT__blocked, path);
    state.full = flag(r.frontend__DOT__full, path);
    state.count = static_cast<std::uint32_t>(bits(r.frontend__DOT__count, kCountBits * path, kCountBits));
    state.requests = static_cast<std::uint32_t>(bits(r.frontend__DOT__requests, 2 * path, 2));
    state.tag = static_cast<std::uint32_t>(bits(r.frontend__DOT__tag, kTagBits * path, kTagBits));
    state.need_fetch = flag(r.frontend__DOT__need_fetch, path);
    state.head = state.count != 0 ? bits(r.frontend__DOT__head, kBundleBits * path, kBundleBits) : 0;
    if constexpr (Of::kSubdivides) state.at_barrier = flag(r.frontend__DOT__at_barrier_q, path);
  }

  [[nodiscard]] const auto& root() const { return *model_.rootp; }
  [[nodiscard]] unsigned stack_depth(unsigned w) const {
    return static_cast<unsigned>(bits(root().frontend__DOT__depth, kDepthBits * w, kDepthBits));
  }
  [[nodiscard]] std::uint8_t valid(unsigned path) const { return flag(root().frontend__DOT__valid, path); }
  [[nodiscard]] LaneMask mask(unsigned path) const { return bits(root().frontend__DOT__mask, Lanes * path, Lanes); }
  static constexpr unsigned path_of(unsigned slot, unsigned w) { return slot * kWarps + w; }
  [[nodiscard]] Pc pc(unsigned path) const { return static_cast<Pc>(bits(root().frontend__DOT__pc, 32 * path, 32)); }
  [[nodiscard]] std::uint16_t level(unsigned path) const {
    return element<kLevelBits>(root().frontend__DOT__unused_level, path);
  }
  [[nodiscard]] Pc rpc(unsigned w) const { return static_cast<Pc>(bits(root().frontend__DOT__unused_rpc, 32 * w, 32)); }
  [[nodiscard]] std::uint16_t rpc_level(unsigned w) const {
    return element<kLevelBits>(root().frontend__DOT__unused_rpc_level, w);
  }
  // The path of a fork_join_stack when what is above the entry is done. A row {pc, mask, level, sibling} is a pending
  // set if the path on it has its sibling bit set, else the outer region's place with the threads of the fork.
  [[nodiscard]] StackEntry uncovered(unsigned w, unsigned index) const {
    const unsigned top = depth(w) - 1;
    StackEntry path = entry(w, top);
    bool sibling = flag(root().frontend__DOT__sibling, w) != 0;
    for (unsigned n = top; n-- > index;) {
      RowReader row(below(w << kIndexBits | ((n + 2) & ((1u << kIndexBits) - 1))));
      const bool set = sibling;
      sibling = row.take(1) != 0;
      const std::uint32_t row_level = row.take32(kLevelBits);
      path.mask[0] = row.take(Lanes) & live(w);
      const Pc row_pc = row.take32(31) << 1;
      path.pc[0] = set ? row_pc : path.rpc;
      path.level[0] = set ? row_level : path.rpc_level;
      if (!set) {
        path.rpc = row_pc;
        path.rpc_level = row_level;
      }
    }
    return path;
  }
  // A warp that subdivides: the rows, then the splits; splits that wait in rows meet where those of the top do.
  [[nodiscard]] StackEntry entry_of_splits(unsigned w, unsigned index) const {
    const unsigned rows = stack_depth(w) - 1;
    StackEntry entry;
    bool waits = waiting(w);
    if (index < rows) {
      bool is_split = waits;
      for (unsigned i = rows; i-- > index;) {
        is_split = waits;
        entry = row(w, i, waits);
      }
      if (!is_split) return entry;
    } else {
      unsigned slot = 0;
      for (unsigned left = index - rows + 1; slot < kSlots; ++slot) {
        left -= valid(path_of(slot, w));
        if (left == 0) break;
      }
      if (slot < kSlots)
        entry = {{pc(path_of(slot, w)), 0}, {mask(path_of(slot, w)), 0}, 0, {level(path_of(slot, w)), 0}, 0};
    }
    entry.rpc = rpc(w);
    entry.rpc_level = rpc_level(w);
    return entry;
  }
  [[nodiscard]] bool waiting(unsigned w) const {
    return flag(root().frontend__DOT__gen_warp_split_table__DOT__u_stack__DOT__waiting_q, w) != 0;
  }
  // {pc, mask, level, rpc, rpc_level, sibling, waiting}: the last says of the row below that it is a split, and goes to
  // `waits`.
  [[nodiscard]] StackEntry row(unsigned w, unsigned index, bool& waits) const {
    StackEntry entry;
    RowReader row(below(w << kIndexBits | index));
    waits = row.take(1) != 0;
    row.take(1);
    entry.rpc_level = row.take32(kLevelBits);
    entry.rpc = row.take32(32);
    entry.level[0] = row.take32(kLevelBits);
    entry.mask[0] = row.take(Lanes);
    entry.pc[0] = row.take32(32);
    return entry;
  }

  [[nodiscard]] const auto& below(unsigned address) const {
    const auto& r = root();
    if constexpr (kStack == StackModule::kForkJoin) {
      return r.frontend__DOT__gen_fork_join_stack__DOT__u_stack__DOT__u_rows__DOT__gen_inferred__DOT__words[address];
    } else if constexpr (Of::kSubdivides) {  // in two banks
      return address % 2 == 0
                 ? r.frontend__DOT__gen_warp_split_table__DOT__u_stack__DOT__u_even__DOT__gen_inferred__DOT__words
                       [address / 2]
                 : r.frontend__DOT__gen_warp_split_table__DOT__u_stack__DOT__u_odd__DOT__gen_inferred__DOT__words
                       [address / 2];
    } else if constexpr (kStack == StackModule::kCompact) {
      return r.frontend__DOT__gen_compact_stack__DOT__u_stack__DOT__u_below__DOT__gen_inferred__DOT__words[address];
    } else if constexpr (kSlots == 2) {
      return r.frontend__DOT__gen_dpe_stack__DOT__u_stack__DOT__u_below__DOT__gen_inferred__DOT__words[address];
    } else {  // in two banks
      return address % 2 == 0
                 ? r.frontend__DOT__gen_spe_stack__DOT__u_stack__DOT__u_even__DOT__gen_inferred__DOT__words[address / 2]
                 : r.frontend__DOT__gen_spe_stack__DOT__u_stack__DOT__u_odd__DOT__gen_inferred__DOT__words[address / 2];
    }
  }
  // Pending bits of a warp's table of `Entries`, and the registers of the entries that are.
  template <unsigned Entries, class Pending, class Registers>
  static void read_table(unsigned w, const Pending& pending, const Registers& registers, std::uint64_t& bits_to,
                         std::array<std::uint8_t, kMaxScoreboardEntries>& to) {
    bits_to = bits(pending, Entries * w, Entries);
    for (unsigned e = 0; e < Entries; ++e) {
      to[e] = ((bits_to >> e) & 1) != 0
                  ? static_cast<std::uint8_t>(bits(registers, kRegBits * (Entries * w + e), kRegBits))
                  : 0;
    }
  }
  void read_scoreboard(unsigned w, WarpState& warp) const {
    const auto& r = root();
    if constexpr (kScoreboard == ScoreboardModule::kSpe) {
      read_table<kSbEntries>(w, r.frontend__DOT__gen_tables__DOT__gen_spe__DOT__u_scoreboard__DOT__pending_o,
                             r.frontend__DOT__gen_tables__DOT__gen_spe__DOT__u_scoreboard__DOT__reg_o, warp.pending[0],
                             warp.reg[0]);
    } else if constexpr (kScoreboard == ScoreboardModule::kDpe) {
      read_table<kSbEntries>(w, r.frontend__DOT__gen_tables__DOT__gen_dpe__DOT__u_scoreboard__DOT__pending_l_o,
                             r.frontend__DOT__gen_tables__DOT__gen_dpe__DOT__u_scoreboard__DOT__reg_l_o,
                             warp.pending[0], warp.reg[0]);
      read_table<kSbEntries>(w, r.frontend__DOT__gen_tables__DOT__gen_dpe__DOT__u_scoreboard__DOT__pending_r_o,
                             r.frontend__DOT__gen_tables__DOT__gen_dpe__DOT__u_scoreboard__DOT__reg_r_o,
                             warp.pending[1], warp.reg[1]);
      warp.shadow = {bits(r.frontend__DOT__gen_tables__DOT__gen_dpe__DOT__u_scoreboard__DOT__shadow_l_o, kSbEntries * w,
                          kSbEntries),
                     bits(r.frontend__DOT__gen_tables__DOT__gen_dpe__DOT__u_scoreboard__DOT__shadow_r_o, kSbEntries * w,
                          kSbEntries)};
    } else if constexpr (kScoreboard == ScoreboardModule::kBitmap) {
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        warp.pending[slot] = bits(r.frontend__DOT__gen_asked__DOT__gen_bitmap__DOT__u_scoreboard__DOT__pending_o,
                                  64 * path_of(slot, w), 64);
        warp.shadow[slot] = bits(r.frontend__DOT__gen_asked__DOT__gen_bitmap__DOT__u_scoreboard__DOT__shadow_o,
                                 64 * path_of(slot, w), 64);
      }
    } else {
      constexpr unsigned entries = 2 * kSbEntries;
      const auto& masks = r.frontend__DOT__gen_asked__DOT__gen_optimistic__DOT__u_scoreboard__DOT__mask_o;
      read_table<entries>(w, r.frontend__DOT__gen_asked__DOT__gen_optimistic__DOT__u_scoreboard__DOT__pending_o,
                          r.frontend__DOT__gen_asked__DOT__gen_optimistic__DOT__u_scoreboard__DOT__reg_o,
                          warp.pending[0], warp.reg[0]);
      for (unsigned e = 0; e < entries; ++e) {
        warp.entry_mask[0][e] = ((warp.pending[0] >> e) & 1) != 0 ? bits(masks, Lanes * (entries * w + e), Lanes) : 0;
      }
    }
  }

  const bool skips_;
  std::unique_ptr<VerilatedContext> verilated_;
  mutable Model model_;
  Pins& inputs_;
  Pins& outputs_;
  std::vector<char> before_;      // the model before an evaluation
  mutable bool changed_ = false;  // an input, since the last step
  bool stands_ = false;
};

// The front end, as the model that has the warps of the launch.
template <class Large, class Small, class Base, class Pins>
class RtlMachine : public Base {
  static constexpr bool kHasSmall = !std::is_void_v<Small>;
  static_assert(Large::kWarps == kMaxPartitionWarps);

 public:
  RtlMachine(const Config& config, const char* name, Pins& inputs, Pins& outputs)
      : skips_(config.run.skip_idle),
        name_(name),
        inputs_(inputs),
        outputs_(outputs),
        large_(std::make_unique<RtlModel<Large, Pins>>(skips_, name, inputs, outputs)) {}

  void begin_launch([[maybe_unused]] unsigned warps) override {
    ++changes_;
    if constexpr (kHasSmall) {
      takes_small_ = warps <= Small::kWarps;
      if (takes_small_ && small_ == nullptr)
        small_ = std::make_unique<RtlModel<Small, Pins>>(skips_, name_.c_str(), inputs_, outputs_);
    }
  }

  [[nodiscard]] unsigned slots() const override { return Large::kSlots; }
  [[nodiscard]] bool rows_in_memory() const override { return Large::kRowsOut; }
  [[nodiscard]] bool knows_forks() const override { return Large::kStack == StackModule::kForkJoin; }
  [[nodiscard]] bool subdivides() const override { return Large::kSubdivides; }
  [[nodiscard]] bool splits_at_loads() const override { return Large::kOption == Option::kSplit; }
  [[nodiscard]] std::uint64_t changes() const override { return changes_; }
  [[nodiscard]] unsigned splits(unsigned w) const override {
    return of_warp(w, 0u, [&](auto& m) { return m.splits(w); });
  }
  [[nodiscard]] LaneMask in_splits(unsigned w) const override {
    return of_warp(w, LaneMask{0}, [&](auto& m) { return m.in_splits(w); });
  }
  void read_state(FrontendState& state) const override {
    with([&](auto& m) { m.read_state(state); });
  }
  void stack_events(Event& push, Event& pop) const override {
    with([&](auto& m) { m.stack_events(push, pop); });
  }
  [[nodiscard]] unsigned stack_entries(unsigned w) const override {
    return of_warp(w, 0u, [&](auto& m) { return m.stack_entries(w); });
  }
  [[nodiscard]] unsigned depth(unsigned w) const override {
    return of_warp(w, 0u, [&](auto& m) { return m.depth(w); });
  }
  [[nodiscard]] LaneMask live(unsigned w) const override {
    return of_warp(w, LaneMask{0}, [&](auto& m) { return m.live(w); });
  }
  [[nodiscard]] StackEntry entry(unsigned w, unsigned index) const override {
    return of_warp(w, StackEntry(), [&](auto& m) { return m.entry(w, index); });
  }

 protected:
  void step_model(bool rst_n) {
    changes_ += with([&](auto& m) { return m.step(rst_n); }) ? 1 : 0;
  }
  [[nodiscard]] bool model_stands() const {
    return with([](auto& m) { return m.stands(); });
  }
  void show_outputs() {
    with([](auto& m) { m.show_outputs(); });
  }
  void show_ready_now() {
    ++changes_;
    with([](auto& m) { m.show_ready(); });
  }

 private:
  template <class F>
  decltype(auto) with(F f) const {
    if constexpr (kHasSmall) {
      if (takes_small_) return f(*small_);
    }
    return f(*large_);
  }
  // Of a warp that the model does not have, `none`.
  template <class T, class F>
  T of_warp(unsigned warp, T none, F f) const {
    return with([&](auto& m) { return warp < m.warps() ? f(m) : none; });
  }

  const bool skips_;
  const std::string name_;
  Pins& inputs_;
  Pins& outputs_;
  std::unique_ptr<RtlModel<Large, Pins>> large_;
  std::unique_ptr<RtlModel<std::conditional_t<kHasSmall, Small, Large>, Pins>> small_;
  bool takes_small_ = false;
  std::uint64_t changes_ = 0;
};

template <class Large, class Small>
class RtlFrontend final : public RtlMachine<Large, Small, Frontend, FrontendPins> {
  using Machine = RtlMachine<Large, Small, Frontend, FrontendPins>;

 public:
  explicit RtlFrontend(const FrontendContext& context)
      : Machine(context.config, context.name, context.inputs, context.outputs),
        process_(context.name, context, *this) {
    process_.clk(context.clk);
    process_.rst_n(context.rst_n);
  }

 private:
  class Process : public sc_core::sc_module {
   public:
    sc_core::sc_in<bool> clk, rst_n;
    Process(sc_core::sc_module_name name, const FrontendContext& context, RtlFrontend& owner)
        : sc_module(name),
          clk("clk"),
          rst_n("rst_n"),
          owner_(owner) {
      SC_HAS_PROCESS(Process);
      SC_METHOD(step);
      sensitive << clk.pos() << rst_n.neg();
      dont_initialize();
      if constexpr (Large::kRowsOut) {
        SC_METHOD(show_ready);
        sensitive << context.inputs.save_ready;
        dont_initialize();
      }
    }
    void step() {
      owner_.step_model(rst_n.read());
      owner_.show_outputs();
    }
    void show_ready() { owner_.show_ready_now(); }

   private:
    RtlFrontend& owner_;
  };

  Process process_;
};

template <class Large, class Small>
class DirectRtl final : public RtlMachine<Large, Small, DirectFrontend, DirectFrontendPins> {
  using Machine = RtlMachine<Large, Small, DirectFrontend, DirectFrontendPins>;

 public:
  explicit DirectRtl(const DirectContext& context)
      : Machine(context.config, "frontend_rtl", context.pins, context.pins) {}
  void reset() override {
    this->step_model(false);
    this->show_outputs();
  }
  void step() override { this->step_model(true); }
  void show() override { this->show_outputs(); }
  [[nodiscard]] bool still() const override { return this->model_stands(); }
};

struct Build {
  FrontendShape shape;
  unsigned lanes;
  Policy policy;
  std::unique_ptr<Frontend> (*make)(const FrontendContext&);
  std::unique_ptr<DirectFrontend> (*make_direct)(const DirectContext&);
};

template <class Large, class Small>
std::unique_ptr<Frontend> make(const FrontendContext& context) {
  return std::make_unique<RtlFrontend<Large, Small>>(context);
}
template <class Large, class Small>
std::unique_ptr<DirectFrontend> make_one_direct(const DirectContext& context) {
  return std::make_unique<DirectRtl<Large, Small>>(context);
}
// Small: the model of eight warps, or void.
template <class Large, class Small, unsigned Lanes, StackModule kStack, ScoreboardModule kScoreboard,
          Option kOption = Option::kNone>
constexpr Build build(const FrontendShape& shape, Policy policy) {
  using Of = Parameters<Large, kMaxPartitionWarps, Lanes, kStack, kScoreboard, kOption>;
  using OfSmall =
      std::conditional_t<std::is_void_v<Small>, void, Parameters<Small, 8, Lanes, kStack, kScoreboard, kOption>>;
  return {shape, Lanes, policy, make<Of, OfSmall>, make_one_direct<Of, OfSmall>};
}

template <unsigned Lanes, class Large, class Small = void, StackModule kStack = StackModule::kSpe,
          ScoreboardModule kScoreboard = ScoreboardModule::kSpe>
constexpr Build single_path(Policy policy) {
  return build<Large, Small, Lanes, kStack, kScoreboard>({1, kStack, kScoreboard, SelectorKind::kTwoLevel}, policy);
}
template <unsigned Lanes, class Large, class Small = void>
constexpr Build fork_join(Policy policy) {
  return single_path<Lanes, Large, Small, StackModule::kForkJoin>(policy);
}
template <unsigned Lanes, class Large, class Small = void, ScoreboardModule kScoreboard = ScoreboardModule::kDpe>
constexpr Build dual_path(Policy policy, SelectorKind selector = SelectorKind::kTwoLevel) {
  return build<Large, Small, Lanes, StackModule::kDpe, kScoreboard>({2, StackModule::kDpe, kScoreboard, selector},
                                                                    policy);
}
template <unsigned Lanes, class Large, class Small>
constexpr Build software_stack(Policy policy) {
  return build<Large, Small, Lanes, StackModule::kSoftware, ScoreboardModule::kDpe>(
      {2, StackModule::kSoftware, ScoreboardModule::kDpe, SelectorKind::kTwoLevel}, policy);
}
template <unsigned Lanes, class Large, class Small, Option kOption>
constexpr Build dual_path_option() {
  constexpr bool kSplit = kOption == Option::kSplit;
  constexpr ScoreboardModule kScoreboard = kSplit ? ScoreboardModule::kOptimistic : ScoreboardModule::kDpe;
  return build<Large, Small, Lanes, StackModule::kDpe, kScoreboard, kOption>(
      {2, StackModule::kDpe, kScoreboard, SelectorKind::kTwoLevel, !kSplit, kSplit}, Policy::kLrr);
}
template <unsigned Lanes, class Large, class Small>
constexpr Build subdivided(Policy policy) {
  return build<Large, Small, Lanes, StackModule::kSplitTable, ScoreboardModule::kOptimistic>(
      {kSplits, StackModule::kSplitTable, ScoreboardModule::kOptimistic, SelectorKind::kTwoLevel}, policy);
}

// In order of preference: the narrowest that holds the configuration.
constexpr Build kBuilds[] = {
    single_path<32, Vspe_l32, Vspe_l32_w8>(Policy::kLrr),
    single_path<32, Vspe_l32_gto>(Policy::kGto),
    single_path<64, Vspe_l64>(Policy::kLrr),
    single_path<32, Vspe_l32_compact, void, StackModule::kCompact>(Policy::kLrr),
    single_path<32, Vspe_l32_bitmap, void, StackModule::kSpe, ScoreboardModule::kBitmap>(Policy::kLrr),
    fork_join<32, Vforkjoin_l32, Vforkjoin_l32_w8>(Policy::kLrr),
    fork_join<64, Vforkjoin_l64>(Policy::kLrr),
    subdivided<32, Vdws_l32, Vdws_l32_w8>(Policy::kLrr),
    dual_path<32, Vdpe_l32, Vdpe_l32_w8>(Policy::kLrr),
    dual_path<32, Vdpe_l32_gto>(Policy::kGto),
    dual_path<32, Vdpe_l32_constrained>(Policy::kLrr, SelectorKind::kConstrained),
    dual_path<32, Vdpe_l32_optimistic, void, ScoreboardModule::kOptimistic>(Policy::kLrr),
    dual_path<32, Vdpe_l32_bitmap, void, ScoreboardModule::kBitmap>(Policy::kLrr),
    dual_path_option<32, Vdpe_l32_forward, Vdpe_l32_w8_forward, Option::kForward>(),
    dual_path_option<32, Vdpe_l32_split, Vdpe_l32_w8_split, Option::kSplit>(),
    software_stack<32, Vdpe_l32_software, Vdpe_l32_w8_software>(Policy::kLrr),
    dual_path<64, Vdpe_l64>(Policy::kLrr),
};

// The build that a configuration takes.
const Build& build_of(const Config& c) {
  const auto refuse = [](const std::string& key, const std::string& have) {
    return bad_input(
        "engine",
        fmt::format(
            "{} has no Verilated model: the RTL of this build has {}; use --engine systemc, or add a parameter set "
            "in sim/engine/CMakeLists.txt",
            key, have));
  };
  if (c.scoreboard.entries != kSbEntries)
    throw refuse(fmt::format("scoreboard.entries = {}", c.scoreboard.entries), fmt::format("{}", kSbEntries));
  if (c.frontend.ibuffer != kIbufDepth)
    throw refuse(fmt::format("frontend.ibuffer = {}", c.frontend.ibuffer), fmt::format("{}", kIbufDepth));
  if (c.stack.level_bits != kLevelBits)
    throw refuse(fmt::format("stack.level_bits = {}", c.stack.level_bits), fmt::format("{}", kLevelBits));
  if (c.stack.order != PushOrder::kTakenFirst) throw refuse("a stack.order other than taken_first", "taken_first");
  if (!c.stack.taken_left) throw refuse("stack.taken_left = false", "true");
  const FrontendShape shape = frontend_shape(c);
  const unsigned depth = stack_depth_of(shape.stack);
  if (c.stack.depth != depth) throw refuse(fmt::format("stack.depth = {}", c.stack.depth), fmt::format("{}", depth));
  if (shape.stack == StackModule::kSplitTable && shape.slots != kSplits)
    throw refuse(fmt::format("dws.splits = {}", shape.slots), fmt::format("{}", kSplits));
  for (const Build& build : kBuilds) {
    if (build.shape == shape && c.core.lanes <= build.lanes && c.selector.policy == build.policy) return build;
  }
  throw refuse(
      "this combination of core.lanes, selector.kind, selector.policy, stack.kind, scoreboard.kind and options of spe "
      "and dpe",
      "gto, constrained, optimistic, bitmap, compact, forwarding, splitting and the software-managed "
      "stack one at a time, up to 32 lanes; the defaults up to 64");
}

}  // namespace

std::unique_ptr<Frontend> make_rtl(const FrontendContext& context) { return build_of(context.config).make(context); }
std::unique_ptr<DirectFrontend> make_direct_rtl(const DirectContext& context) {
  return build_of(context.config).make_direct(context);
}

}  // namespace heddle
