// SPDX-License-Identifier: Apache-2.0
// A Verilated front end in the engine, with the SystemC kernel and without: at an edge the pins are copied, the model
// is evaluated, and the output pins are written. Models are built for the parameter sets of
// sim/mechanisms/CMakeLists.txt; warps and lanes that are not used stay idle. Most launches have no warps for a model
// of 24: those of eight take a third of the time.
//
// A mechanism says in its own file which models there are and, in rules derived from RtlRules, what its stack shows.
// What all front ends hold is read here, by names that HEDDLE_RTL_NETS makes of the module's.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "common/types.h"
#include "engine/frontend.h"
#include "engine/pin_lists.h"
#include "engine/rtl_models.h"
#include "engine/verilated_bits.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"

namespace heddle {

constexpr unsigned kRtlTagBits = 3;
constexpr unsigned kRtlCountBits = 3;
constexpr unsigned kRtlBundleBits = 30;
constexpr unsigned kRtlRegBits = 6;

// Nets, the accessors of what is inside a model whose top module is `top`; HEDDLE_RTL_NET(name, path) is one of them.
#define HEDDLE_RTL_NET(name, path)            \
  template <class Root>                       \
  static const auto& name(const Root& root) { \
    return root.path;                         \
  }
#define HEDDLE_RTL_EVENT(top, name) HEDDLE_RTL_NET(event_##name, top##__DOT__u_frontend__DOT__u_events__DOT__##name##_q)
#define HEDDLE_RTL_PART(top, name) HEDDLE_RTL_NET(name, top##__DOT__u_frontend__DOT__##name)
#define HEDDLE_RTL_STATE(top, name, block) \
  HEDDLE_RTL_NET(name, top##__DOT__u_frontend__DOT__u_path_state__DOT__##block##name##_q)
#define HEDDLE_RTL_SCOREBOARD(top, kind, name) \
  HEDDLE_RTL_NET(kind##_##name,                \
                 top##__DOT__u_frontend__DOT__u_hazards__DOT__gen_##kind##__DOT__u_scoreboard__DOT__##name##_o)
#define HEDDLE_RTL_TABLE(top, kind, name) \
  HEDDLE_RTL_NET(                         \
      kind##_##name,                      \
      top##__DOT__u_frontend__DOT__u_hazards__DOT__gen_tables__DOT__gen_##kind##__DOT__u_scoreboard__DOT__##name##_o)
// barriers: of paths or of warps, as the module's parameter PathBarriers says.
#define HEDDLE_RTL_NETS(top, barriers)                                                                           \
  struct Nets {                                                                                                  \
    HEDDLE_RTL_NET(pc, top##__DOT__pc)                                                                           \
    HEDDLE_RTL_NET(mask, top##__DOT__mask)                                                                       \
    HEDDLE_RTL_NET(valid, top##__DOT__valid)                                                                     \
    HEDDLE_RTL_NET(sibling, top##__DOT__sibling)                                                                 \
    HEDDLE_RTL_NET(depth, top##__DOT__depth)                                                                     \
    HEDDLE_RTL_NET(level, top##__DOT__unused_level)                                                              \
    HEDDLE_RTL_NET(rpc, top##__DOT__unused_rpc)                                                                  \
    HEDDLE_RTL_NET(rpc_level, top##__DOT__unused_rpc_level)                                                      \
    HEDDLE_RTL_NET(live, top##__DOT__unused_live)                                                                \
    HEDDLE_RTL_PART(top, blocked)                                                                                \
    HEDDLE_RTL_PART(top, full)                                                                                   \
    HEDDLE_RTL_PART(top, count)                                                                                  \
    HEDDLE_RTL_PART(top, head)                                                                                   \
    HEDDLE_RTL_PART(top, requests)                                                                               \
    HEDDLE_RTL_PART(top, tag)                                                                                    \
    HEDDLE_RTL_PART(top, need_fetch)                                                                             \
    HEDDLE_RTL_PART(top, region_slot)                                                                            \
    HEDDLE_RTL_STATE(top, pending, )                                                                             \
    HEDDLE_RTL_STATE(top, halted, )                                                                              \
    HEDDLE_RTL_STATE(top, acting, gen_slots__DOT__)                                                              \
    HEDDLE_RTL_STATE(top, pending_slot, gen_slots__DOT__)                                                        \
    HEDDLE_RTL_STATE(top, at_barrier, gen_##barriers##_barriers__DOT__)                                          \
    HEDDLE_RTL_NET(region_count, top##__DOT__u_frontend__DOT__gen_predication__DOT__u_predication__DOT__count_q) \
    HEDDLE_RTL_NET(region_off, top##__DOT__u_frontend__DOT__gen_predication__DOT__u_predication__DOT__off_q)     \
    HEDDLE_RTL_EVENT(top, resolved_valid)                                                                        \
    HEDDLE_RTL_EVENT(top, resolved_warp)                                                                         \
    HEDDLE_RTL_EVENT(top, resolved_slot)                                                                         \
    HEDDLE_RTL_EVENT(top, resolved_next)                                                                         \
    HEDDLE_RTL_EVENT(top, push_valid)                                                                            \
    HEDDLE_RTL_EVENT(top, push_warp)                                                                             \
    HEDDLE_RTL_EVENT(top, pop_valid)                                                                             \
    HEDDLE_RTL_EVENT(top, pop_warp)                                                                              \
    HEDDLE_RTL_EVENT(top, done_valid)                                                                            \
    HEDDLE_RTL_EVENT(top, done_warp)                                                                             \
    HEDDLE_RTL_EVENT(top, overflow_valid)                                                                        \
    HEDDLE_RTL_EVENT(top, overflow_warp)                                                                         \
    HEDDLE_RTL_EVENT(top, grant_valid)                                                                           \
    HEDDLE_RTL_EVENT(top, grant_warp)                                                                            \
    HEDDLE_RTL_EVENT(top, grant_slot)                                                                            \
    HEDDLE_RTL_TABLE(top, spe, pending)                                                                          \
    HEDDLE_RTL_TABLE(top, spe, reg)                                                                              \
    HEDDLE_RTL_TABLE(top, dpe, pending_l)                                                                        \
    HEDDLE_RTL_TABLE(top, dpe, reg_l)                                                                            \
    HEDDLE_RTL_TABLE(top, dpe, shadow_l)                                                                         \
    HEDDLE_RTL_TABLE(top, dpe, pending_r)                                                                        \
    HEDDLE_RTL_TABLE(top, dpe, reg_r)                                                                            \
    HEDDLE_RTL_TABLE(top, dpe, shadow_r)                                                                         \
    HEDDLE_RTL_SCOREBOARD(top, optimistic, pending)                                                              \
    HEDDLE_RTL_SCOREBOARD(top, optimistic, reg)                                                                  \
    HEDDLE_RTL_SCOREBOARD(top, optimistic, mask)                                                                 \
    HEDDLE_RTL_SCOREBOARD(top, bitmap, pending)                                                                  \
    HEDDLE_RTL_SCOREBOARD(top, bitmap, shadow)                                                                   \
  };
// Inside the stack, and the words of one of its memories.
#define HEDDLE_RTL_STACK(name, top, path) HEDDLE_RTL_NET(name, top##__DOT__u_stack__DOT__##path)
#define HEDDLE_RTL_ROWS(name, top, memory) HEDDLE_RTL_STACK(name, top, memory##__DOT__gen_inferred__DOT__words)

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

// A model, and the sizes that it was built with.
template <class VerilatedModel, unsigned kWarpsOfModel, unsigned kLanesOfModel, ScoreboardModule kScoreboardOfModel>
struct RtlBuild {
  using Model = VerilatedModel;
  static constexpr unsigned kWarps = kWarpsOfModel;
  static constexpr unsigned kLanes = kLanesOfModel;
  static constexpr ScoreboardModule kScoreboard = kScoreboardOfModel;
};

// As of a stack whose entries are the paths of each level. `m`: the RtlModel. A mechanism adds HEDDLE_RTL_NETS, and
// row(m, warp, index), what is stored of an entry below the top.
template <unsigned kSlotsOfStack, unsigned kDepthOfStack>
struct RtlRules {
  static constexpr unsigned kSlots = kSlotsOfStack;
  static constexpr unsigned kStackDepth = kDepthOfStack;
  static constexpr PushOrder kOrder = PushOrder::kTakenFirst;
  static constexpr unsigned kIndexBits = index_width(kDepthOfStack - 1);  // of an entry below the top
  static constexpr unsigned kDepthBits = index_width(kDepthOfStack + 1);  // of a number of entries
  static constexpr bool kPathsEnd = false;   // a path ends by itself, and has no place then; so does its barrier
  static constexpr bool kNeedsRoom = false;  // resolve_ready_o follows save_ready_i within the cycle
  static constexpr bool kPredicates = true;  // it has core/predication

  // Throws Error ("engine") if the model was not built for these keys of the mechanism's own.
  static void check(const Config&) {}

  template <class M>
  [[nodiscard]] static unsigned splits(const M&, unsigned /*warp*/) {
    return 1;
  }
  template <class M>
  [[nodiscard]] static LaneMask in_splits(const M&, unsigned /*warp*/) {
    return 0;
  }
  template <class M>
  [[nodiscard]] static unsigned depth(const M& m, unsigned warp) {
    return m.stack_entries(warp);
  }
  template <class M>
  [[nodiscard]] static StackEntry entry(const M& m, unsigned warp, unsigned index) {
    return m.held(warp, index);
  }
  // The address of an entry below the top.
  [[nodiscard]] static constexpr unsigned address(unsigned warp, unsigned index) { return warp << kIndexBits | index; }
};

// Inputs of a model, and whether one of them has changed.
class RtlInputs {
 public:
  [[nodiscard]] bool changed() const { return changed_; }

  template <class T>
  void set(T& port, std::uint64_t value) {
    const T now = static_cast<T>(value);
    changed_ |= now != port;
    port = now;
  }
  // A vector with a field of `width` bits a port, from its wires.
  template <class Vector, class Wires>
  void set_ports(Vector& vector, unsigned width, const Wires& wires) {
    for (unsigned port = 0; port < wires.size(); ++port) {
      const std::uint64_t value = wires[port].read() & lane_mask(width);
      if (bits(vector, port * width, width) == value) continue;
      changed_ = true;
      put_bits(vector, port * width, width, value);
    }
  }

 private:
  bool changed_ = false;
};

// A model between its pins, and what can be seen inside: what FrontendView asks for. It stands when an evaluation with
// the inputs of the one before has left every byte of it as it was, state and wires alike; with the same inputs the
// next one would do so, too, and is left out (run.skip_idle).
template <class OfRules, class Build, class Pins>
class RtlModel {
 public:
  using Rules = OfRules;
  using Nets = typename Rules::Nets;
  using Model = typename Build::Model;
  static constexpr unsigned kLanes = Build::kLanes;
  static constexpr unsigned kWarps = Build::kWarps;
  static constexpr unsigned kSlots = Rules::kSlots;

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

  // ---- what is seen of it
  [[nodiscard]] static constexpr unsigned warps() { return kWarps; }
  [[nodiscard]] static constexpr unsigned path_of(unsigned slot, unsigned w) { return slot * kWarps + w; }
  [[nodiscard]] const auto& root() const { return *model_.rootp; }
  [[nodiscard]] unsigned stack_entries(unsigned w) const {
    return static_cast<unsigned>(bits(Nets::depth(root()), Rules::kDepthBits * w, Rules::kDepthBits));
  }
  [[nodiscard]] LaneMask live(unsigned w) const { return bits(Nets::live(root()), kLanes * w, kLanes); }
  [[nodiscard]] std::uint8_t valid(unsigned path) const { return flag(Nets::valid(root()), path); }
  [[nodiscard]] bool sibling(unsigned path) const { return flag(Nets::sibling(root()), path) != 0; }
  [[nodiscard]] Pc pc(unsigned path) const { return static_cast<Pc>(bits(Nets::pc(root()), 32 * path, 32)); }
  [[nodiscard]] LaneMask mask(unsigned path) const { return bits(Nets::mask(root()), kLanes * path, kLanes); }
  [[nodiscard]] std::uint16_t level(unsigned path) const { return element<kRtlLevelBits>(Nets::level(root()), path); }
  [[nodiscard]] Pc rpc(unsigned w) const { return static_cast<Pc>(bits(Nets::rpc(root()), 32 * w, 32)); }
  [[nodiscard]] std::uint16_t rpc_level(unsigned w) const { return element<kRtlLevelBits>(Nets::rpc_level(root()), w); }
  // The paths of the top, or what is stored of an entry below.
  [[nodiscard]] StackEntry held(unsigned w, unsigned index) const {
    if (index + 1 != stack_entries(w)) return Rules::row(*this, w, index);
    StackEntry entry;
    for (unsigned slot = 0; slot < (kSlots > 2 ? 1 : kSlots); ++slot) {
      const unsigned path = path_of(slot, w);
      entry.pc[slot] = pc(path);
      entry.mask[slot] = mask(path);
      entry.level[slot] = level(path);
    }
    entry.rpc = rpc(w);
    entry.rpc_level = rpc_level(w);
    return entry;
  }
  [[nodiscard]] unsigned splits(unsigned w) const { return Rules::splits(*this, w); }
  [[nodiscard]] LaneMask in_splits(unsigned w) const { return Rules::in_splits(*this, w); }
  [[nodiscard]] unsigned depth(unsigned w) const { return Rules::depth(*this, w); }
  [[nodiscard]] StackEntry entry(unsigned w, unsigned index) const { return Rules::entry(*this, w, index); }

  void read_state(FrontendState& state) const {
    read_events(state);
    state.max_depth = model_.max_depth_o;
    for (unsigned w = 0; w < std::min(kWarps, state.warps); ++w) read_warp(w, state);
    for (unsigned w = kWarps; w < state.warps; ++w) {  // as after a reset
      for (unsigned slot = 0; slot < kSlots; ++slot) state.path(w, slot).need_fetch = 1;
    }
  }
  void stack_events(WarpEvent& push, WarpEvent& pop) const {
    push = {Nets::event_push_valid(root()), Nets::event_push_warp(root())};
    pop = {Nets::event_pop_valid(root()), Nets::event_pop_warp(root())};
  }

  // ---- what it does
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
  // Warps that the model does not have are idle.
  void show_outputs() {
    [[maybe_unused]] const auto get_each = [](auto& wires, const auto& vector, unsigned width) {
      for (unsigned k = 0; k < wires.size(); ++k)
        wires[k].write(static_cast<std::decay_t<decltype(wires[k].read())>>(bits(vector, k * width, width)));
    };
#define HEDDLE_OUT(name) HEDDLE_IF_PORT(model_, name##_o, outputs_.name.write(of.name##_o));
#define HEDDLE_OUTS(name) HEDDLE_IF_PORT(model_, name##_o, get_each(outputs_.name, of.name##_o, width_of_##name()));
    HEDDLE_FRONTEND_OUTPUTS(HEDDLE_OUT, HEDDLE_OUTS)
    HEDDLE_FRONTEND_COMBINATIONAL(HEDDLE_OUT)
#undef HEDDLE_OUT
#undef HEDDLE_OUTS
    if constexpr (kWarps < kMaxPartitionWarps) {
      if (model_.rst_ni) outputs_.idle.write(model_.idle_o | (lane_mask(kMaxPartitionWarps) & ~lane_mask(kWarps)));
    }
  }
  // The one output that the monitor compares and that follows an input within the cycle.
  void show_ready() {
    HEDDLE_IF_PORT(model_, save_ready_i, of.save_ready_i = inputs_.save_ready.read());
    model_.eval();
    stands_ = false;
    outputs_.resolve_ready.write(model_.resolve_ready_o);
  }

 private:
  static constexpr unsigned kSlotBits = index_width(kSlots);
  static constexpr unsigned kWarpBits = index_width(kWarps);
  static constexpr unsigned width_of_wb_warp() { return kWarpBits; }
  static constexpr unsigned width_of_wb_slot() { return kSlotBits; }
  static constexpr unsigned width_of_wb_reg() { return kRtlRegBits; }
  static constexpr unsigned width_of_wb_mask() { return kLanes; }
  static constexpr unsigned width_of_fill_pc() { return 32; }
  static constexpr unsigned width_of_fill_mask() { return kLanes; }
  static constexpr unsigned width_of_save_pc() { return 32; }
  static constexpr unsigned width_of_save_mask() { return kLanes; }

  void take_inputs() const {
    RtlInputs to;
#define HEDDLE_IN(name) HEDDLE_IF_PORT(model_, name##_i, to.set(of.name##_i, inputs_.name.read()));
#define HEDDLE_INS(name) HEDDLE_IF_PORT(model_, name##_i, to.set_ports(of.name##_i, width_of_##name(), inputs_.name));
    HEDDLE_FRONTEND_INPUTS(HEDDLE_IN, HEDDLE_INS)
#undef HEDDLE_IN
#undef HEDDLE_INS
    changed_ = changed_ || to.changed();
  }

  void read_events(FrontendState& state) const {
    const auto& r = root();
    state.resolved = {Nets::event_resolved_valid(r), Nets::event_resolved_warp(r)};
    state.resolved_slot = Nets::event_resolved_slot(r);
    state.resolved_next = Nets::event_resolved_next(r);
    stack_events(state.push, state.pop);
    state.done = {Nets::event_done_valid(r), Nets::event_done_warp(r)};
    state.overflow = {Nets::event_overflow_valid(r), Nets::event_overflow_warp(r)};
    state.grant_valid = Nets::event_grant_valid(r);
    state.grant_warp = Nets::event_grant_warp(r);
    state.grant_slot = Nets::event_grant_slot(r);
  }

  void read_warp(unsigned w, FrontendState& state) const {
    const auto& r = root();
    WarpState& warp = state.warp[w];
    warp.depth = stack_entries(w);
    const bool has_entry = warp.depth != 0;
    for (unsigned slot = 0; slot < kSlots; ++slot) read_path(path_of(slot, w), has_entry, state.path(w, slot));
    warp.rpc = has_entry ? rpc(w) : 0;
    warp.rpc_level = has_entry ? rpc_level(w) : 0;
    warp.live = has_entry ? live(w) : 0;
    read_scoreboard(w, warp);
    if constexpr (Rules::kPredicates) {
      warp.region_count = Nets::region_count(r)[w];
      const bool region = warp.region_count != 0;
      warp.region_slot = region ? slot_at(Nets::region_slot(r), w) : 0;
      warp.off_mask = region ? bits(Nets::region_off(r), kLanes * w, kLanes) : 0;
    }
    warp.branch_pending = flag(Nets::pending(r), w);
    warp.pending_slot = warp.acting = 0;
    if constexpr (kSlots > 1) {
      warp.pending_slot = warp.branch_pending != 0 ? slot_at(Nets::pending_slot(r), w) : 0;
      warp.acting = flag(Nets::acting(r), w);
    }
    warp.at_barrier = 0;
    for (unsigned slot = 0; slot < (Rules::kPathsEnd ? kSlots : 1); ++slot)
      warp.at_barrier |= flag(Nets::at_barrier(r), path_of(slot, w));
    warp.halted = flag(Nets::halted(r), w);
  }
  template <class Vector>
  [[nodiscard]] static std::uint32_t slot_at(const Vector& vector, unsigned w) {
    return static_cast<std::uint32_t>(bits(vector, kSlotBits * w, kSlotBits));
  }

  void read_path(unsigned path, bool has_entry, PathState& state) const {
    const auto& r = root();
    state.valid = valid(path);
    const bool shown = has_entry && (!Rules::kPathsEnd || state.valid != 0);
    state.pc = shown ? pc(path) : 0;
    state.mask = mask(path);
    state.level = shown ? level(path) : 0;
    state.sibling = shown && sibling(path);
    state.blocked = flag(Nets::blocked(r), path);
    state.full = flag(Nets::full(r), path);
    state.count = static_cast<std::uint32_t>(bits(Nets::count(r), kRtlCountBits * path, kRtlCountBits));
    state.requests = static_cast<std::uint32_t>(bits(Nets::requests(r), 2 * path, 2));
    state.tag = static_cast<std::uint32_t>(bits(Nets::tag(r), kRtlTagBits * path, kRtlTagBits));
    state.need_fetch = flag(Nets::need_fetch(r), path);
    state.head = state.count != 0 ? bits(Nets::head(r), kRtlBundleBits * path, kRtlBundleBits) : 0;
    if constexpr (Rules::kPathsEnd) state.at_barrier = flag(Nets::at_barrier(r), path);
  }

  // Pending bits of a warp's table of `Entries`, and the registers of the entries that are.
  template <unsigned Entries, class Pending, class Registers>
  static void read_table(unsigned w, const Pending& pending, const Registers& registers, std::uint64_t& bits_to,
                         std::array<std::uint8_t, kMaxScoreboardEntries>& to) {
    bits_to = bits(pending, Entries * w, Entries);
    for (unsigned e = 0; e < Entries; ++e) {
      to[e] = ((bits_to >> e) & 1) != 0
                  ? static_cast<std::uint8_t>(bits(registers, kRtlRegBits * (Entries * w + e), kRtlRegBits))
                  : 0;
    }
  }
  void read_scoreboard(unsigned w, WarpState& warp) const {
    constexpr unsigned kEntries = kRtlSbEntries;
    const auto& r = root();
    if constexpr (Build::kScoreboard == ScoreboardModule::kSpe) {
      read_table<kEntries>(w, Nets::spe_pending(r), Nets::spe_reg(r), warp.pending[0], warp.reg[0]);
    } else if constexpr (Build::kScoreboard == ScoreboardModule::kDpe) {
      read_table<kEntries>(w, Nets::dpe_pending_l(r), Nets::dpe_reg_l(r), warp.pending[0], warp.reg[0]);
      read_table<kEntries>(w, Nets::dpe_pending_r(r), Nets::dpe_reg_r(r), warp.pending[1], warp.reg[1]);
      warp.shadow = {bits(Nets::dpe_shadow_l(r), kEntries * w, kEntries),
                     bits(Nets::dpe_shadow_r(r), kEntries * w, kEntries)};
    } else if constexpr (Build::kScoreboard == ScoreboardModule::kBitmap) {
      for (unsigned slot = 0; slot < kSlots; ++slot) {
        warp.pending[slot] = bits(Nets::bitmap_pending(r), 64 * path_of(slot, w), 64);
        warp.shadow[slot] = bits(Nets::bitmap_shadow(r), 64 * path_of(slot, w), 64);
      }
    } else {
      constexpr unsigned kAll = 2 * kEntries;
      read_table<kAll>(w, Nets::optimistic_pending(r), Nets::optimistic_reg(r), warp.pending[0], warp.reg[0]);
      for (unsigned e = 0; e < kAll; ++e) {
        const bool pending = ((warp.pending[0] >> e) & 1) != 0;
        warp.entry_mask[0][e] = pending ? bits(Nets::optimistic_mask(r), kLanes * (kAll * w + e), kLanes) : 0;
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

// The front end, as the model that has the warps of the launch. Large or Small may be void.
template <class Rules, class Large, class Small, class Base, class Pins>
class RtlMachine : public Base {
  static constexpr bool kHasLarge = !std::is_void_v<Large>, kHasSmall = !std::is_void_v<Small>;
  static_assert(kHasLarge || kHasSmall);
  using LargeModel = RtlModel<Rules, std::conditional_t<kHasLarge, Large, Small>, Pins>;
  using SmallModel = RtlModel<Rules, std::conditional_t<kHasSmall, Small, Large>, Pins>;

 public:
  RtlMachine(const Config& config, const char* name, Pins& inputs, Pins& outputs)
      : skips_(config.run.skip_idle),
        schedulers_(config.core.schedulers),
        name_(name),
        inputs_(inputs),
        outputs_(outputs) {
    Rules::check(config);
    if constexpr (kHasLarge) large_ = std::make_unique<LargeModel>(skips_, name, inputs, outputs);
    else small_ = std::make_unique<SmallModel>(skips_, name, inputs, outputs);
  }

  void begin_launch([[maybe_unused]] unsigned warps) override {
    ++changes_;
    if constexpr (!kHasLarge) {
      if (warps <= SmallModel::kWarps) return;
      throw bad_input("engine",
                      fmt::format("a launch of {} warps a scheduler: the Verilated model of this front end has "
                                  "{}; set core.warps = {}, or use --engine systemc",
                                  warps, SmallModel::kWarps, SmallModel::kWarps * schedulers_));
    } else if constexpr (kHasSmall) {
      takes_small_ = warps <= SmallModel::kWarps;
      if (takes_small_ && small_ == nullptr)
        small_ = std::make_unique<SmallModel>(skips_, name_.c_str(), inputs_, outputs_);
    }
  }

  [[nodiscard]] unsigned slots() const override { return Rules::kSlots; }
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
  void stack_events(WarpEvent& push, WarpEvent& pop) const override {
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
    if constexpr (!kHasLarge) {
      return f(*small_);
    } else {
      if constexpr (kHasSmall) {
        if (takes_small_) return f(*small_);
      }
      return f(*large_);
    }
  }
  // Of a warp that the model does not have, `none`.
  template <class T, class F>
  T of_warp(unsigned warp, T none, F f) const {
    return with([&](auto& m) { return warp < m.warps() ? f(m) : none; });
  }

  const bool skips_;
  const unsigned schedulers_;
  const std::string name_;
  Pins& inputs_;
  Pins& outputs_;
  std::unique_ptr<LargeModel> large_;
  std::unique_ptr<SmallModel> small_;
  bool takes_small_ = false;
  std::uint64_t changes_ = 0;
};

template <class Rules, class Large, class Small>
class RtlFrontend final : public RtlMachine<Rules, Large, Small, Frontend, FrontendPins> {
  using Machine = RtlMachine<Rules, Large, Small, Frontend, FrontendPins>;

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
      if constexpr (Rules::kNeedsRoom) {
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

template <class Rules, class Large, class Small>
class DirectRtl final : public RtlMachine<Rules, Large, Small, DirectFrontend, DirectFrontendPins> {
  using Machine = RtlMachine<Rules, Large, Small, DirectFrontend, DirectFrontendPins>;

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

// Large: the model of 24 warps; Small: that of eight; void: there is none.
template <class Rules, unsigned Lanes, ScoreboardModule kScoreboard, class Large, class Small>
[[nodiscard]] RtlModelOf rtl_model(Policy policy = Policy::kLrr, SelectorKind selector = SelectorKind::kTwoLevel) {
  using LargeBuild =
      std::conditional_t<std::is_void_v<Large>, void, RtlBuild<Large, kMaxPartitionWarps, Lanes, kScoreboard>>;
  using SmallBuild = std::conditional_t<std::is_void_v<Small>, void, RtlBuild<Small, 8, Lanes, kScoreboard>>;
  return {kScoreboard,
          selector,
          policy,
          Rules::kOrder,
          Lanes,
          Rules::kSlots,
          Rules::kStackDepth,
          [](const FrontendContext& context) -> std::unique_ptr<Frontend> {
            return std::make_unique<RtlFrontend<Rules, LargeBuild, SmallBuild>>(context);
          },
          [](const DirectContext& context) -> std::unique_ptr<DirectFrontend> {
            return std::make_unique<DirectRtl<Rules, LargeBuild, SmallBuild>>(context);
          }};
}

}  // namespace heddle
