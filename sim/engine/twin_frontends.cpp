// SPDX-License-Identifier: Apache-2.0
// The SystemC twins as front ends of the engine. One instantiation at the largest sizes serves every configuration:
// warps and lanes that are not used stay idle, and the twins' limits narrow stack, scoreboard and instruction buffers.
#include "config/mechanisms.h"
#include "core/frontend.h"
#include "engine/frontend.h"
#include "engine/guests.h"
#include "engine/unfolded.h"
#include "heddle/error.h"

namespace heddle {
namespace {

constexpr unsigned kLanes = kMaxLanes;
constexpr unsigned kStackDepth = 64;
constexpr unsigned kSbEntries = kMaxScoreboardEntries / 2;  // the optimistic table has twice as many
constexpr unsigned kIbufDepth = 8;
constexpr unsigned kLevelBits = 16;
constexpr unsigned kTagBits = 3;

// The ports of a group, each to its wire.
template <class Vector, class Wires>
void bind_ports(Vector& ports, Wires& wires) {
  for (unsigned k = 0; k < wires.size(); ++k) ports[k](wires[k]);
}

template <class Module>
void bind(Module& module, const FrontendContext& context) {
  FrontendPins& in = context.inputs;
  FrontendPins& out = context.outputs;
  module.clk_i(context.clk);
  module.rst_ni(context.rst_n);
  module.launch_valid_i(in.launch_valid);
  module.launch_warp_i(in.launch_warp);
  module.launch_pc_i(in.launch_pc);
  module.launch_mask_i(in.launch_mask);
  module.kill_valid_i(in.kill_valid);
  module.kill_warp_i(in.kill_warp);
  module.fetch_ready_i(in.fetch_ready);
  module.fetch_valid_o(out.fetch_valid);
  module.fetch_warp_o(out.fetch_warp);
  module.fetch_slot_o(out.fetch_slot);
  module.fetch_pc_o(out.fetch_pc);
  module.fetch_tag_o(out.fetch_tag);
  module.decode_valid_i(in.decode_valid);
  module.decode_warp_i(in.decode_warp);
  module.decode_slot_i(in.decode_slot);
  module.decode_tag_i(in.decode_tag);
  module.decode_count_i(in.decode_count);
  module.decode_instr0_i(in.decode_instr0);
  module.decode_instr1_i(in.decode_instr1);
  module.resolve_valid_i(in.resolve_valid);
  module.resolve_warp_i[0](in.resolve_warp);
  module.resolve_slot_i[0](in.resolve_slot);
  module.resolve_taken_i[0](in.resolve_taken);
  module.resolve_target_i[0](in.resolve_target);
  module.resolve_next_i[0](in.resolve_next);
  module.resolve_rpc_i[0](in.resolve_rpc);
  module.resolve_exit_i[0](in.resolve_exit);
  module.resolve_call_i(in.resolve_call);
  module.resolve_return_i(in.resolve_return);
  module.resolve_mark_i(in.resolve_mark);
  module.resolve_skip_i[0](in.resolve_skip);
  module.resolve_ready_o(out.resolve_ready);
  module.wb_valid_i(in.wb_valid);
  bind_ports(module.wb_warp_i, in.wb_warp);
  bind_ports(module.wb_slot_i, in.wb_slot);
  bind_ports(module.wb_reg_i, in.wb_reg);
  bind_ports(module.wb_mask_i, in.wb_mask);
  module.miss_valid_i(in.miss_valid);
  module.miss_warp_i(in.miss_warp);
  module.miss_slot_i(in.miss_slot);
  module.split_valid_i(in.split_valid);
  module.split_warp_i(in.split_warp);
  module.split_slot_i(in.split_slot);
  module.split_mask_i(in.split_mask);
  module.split_ready_o(out.split_ready);
  module.save_ready_i(in.save_ready);
  module.load_ready_i(in.load_ready);
  module.fill_valid_i(in.fill_valid);
  module.fill_warp_i(in.fill_warp);
  module.save_valid_o(out.save_valid);
  module.save_warp_o(out.save_warp);
  module.save_row_o(out.save_row);
  for (unsigned slot = 0; slot < 2; ++slot) {
    module.fill_pc_i[slot](in.fill_pc[slot]);
    module.fill_mask_i[slot](in.fill_mask[slot]);
    module.save_pc_o[slot](out.save_pc[slot]);
    module.save_mask_o[slot](out.save_mask[slot]);
  }
  module.load_valid_o(out.load_valid);
  module.load_warp_o(out.load_warp);
  module.load_row_o(out.load_row);
  module.unit_ready_i(in.unit_ready);
  module.release_i(in.release);
  module.issue_ready_i(in.issue_ready);
  module.issue_valid_o(out.issue_valid);
  module.issue_warp_o(out.issue_warp);
  module.issue_slot_o(out.issue_slot);
  module.issue_pc_o(out.issue_pc);
  module.issue_mask_o(out.issue_mask);
  module.issue_instr_o(out.issue_instr);
  module.issue_sibling_o(out.issue_sibling);
  module.issue_predicated_o(out.issue_predicated);
  module.done_valid_o(out.done_valid);
  module.done_warp_o(out.done_warp);
  module.idle_o(out.idle);
  module.overflow_valid_o(out.overflow_valid);
  module.overflow_warp_o(out.overflow_warp);
  module.stall_o(out.stall);
  module.max_depth_o(out.max_depth);
  module.max_splits_o(out.max_splits);
  module.splits_o(out.splits);
  module.merges_o(out.merges);
  module.refused_o(out.refused);
  module.forwards_o(out.forwards);
}

std::uint8_t flag(std::uint64_t word, unsigned warp) { return static_cast<std::uint8_t>((word >> warp) & 1u); }

Event event(bool valid, std::uint32_t warp) { return {valid, valid ? warp : 0}; }

template <class Stack>
StackEntry entry_of(const Stack& from, unsigned slots) {
  StackEntry entry;
  for (unsigned slot = 0; slot < slots; ++slot) {
    const StackPath path = path_of(from, slot);
    entry.pc[slot] = path.pc;
    entry.mask[slot] = path.mask;
    entry.level[slot] = path.level;
  }
  entry.rpc = from.rpc;
  entry.rpc_level = from.rpc_level;
  return entry;
}

template <unsigned kSlots, StackModule kStack, ScoreboardModule kScoreboard,
          SelectorKind kSelector = SelectorKind::kTwoLevel, bool kForwards = false, bool kMemorySplits = false>
struct Shape {
  static constexpr FrontendShape kShape{kSlots, kStack, kScoreboard, kSelector, kForwards, kMemorySplits};
};

// What can be seen inside a machine: Of::logic().
template <class OfShape, class Of, class Base>
class TwinView : public Base {
 protected:
  static constexpr FrontendShape kShape = OfShape::kShape;
  static constexpr unsigned kSlots = kShape.slots;
  static constexpr bool kCompact = kShape.stack == StackModule::kCompact;
  static constexpr bool kSplits = kShape.stack == StackModule::kSplitTable;
  static constexpr bool kRowsOut = kShape.stack == StackModule::kSoftware;

 public:
  using Module = frontend<kMaxPartitionWarps, kLanes, kSlots, static_cast<unsigned>(kShape.stack), kStackDepth, 0,
                          static_cast<unsigned>(kShape.scoreboard), kSbEntries, static_cast<unsigned>(kShape.selector),
                          0, kIbufDepth, kLevelBits, 1, kWritePorts, 1, kTagBits, kShape.forwards ? 1 : 0,
                          kShape.memory_splits ? 1 : 0>;
  using Logic = typename Module::Logic;

  static FrontendConfig limits(const Config& config) {
    FrontendConfig limits;
    limits.slots = frontend_shape(config).slots;
    limits.stack_depth = config.stack.depth;
    // One slot: PushOrder, of which the first two are a TieOrder, too.
    limits.stack_order = kShape.slots != 2 || kSplits ? static_cast<std::uint32_t>(config.stack.order)
                         : config.stack.taken_left    ? kTakenLeft
                                                      : kTakenRight;
    limits.sb_entries = config.scoreboard.entries;
    limits.policy = static_cast<std::uint32_t>(config.selector.policy);
    limits.ibuf_depth = config.frontend.ibuffer;
    limits.level_bits = config.stack.level_bits;
    return limits;
  }

  explicit TwinView(const Config& config) : slots_(frontend_shape(config).slots) {}

  [[nodiscard]] unsigned slots() const override { return slots_; }
  [[nodiscard]] bool subdivides() const override { return kSplits; }
  [[nodiscard]] bool splits_at_loads() const override { return kShape.memory_splits; }
  [[nodiscard]] unsigned splits(unsigned warp) const override {
    if constexpr (kSplits) {
      return count_bits(logic().stack().slots(warp));
    } else {
      unsigned count = 0;
      for (unsigned slot = 0; slot < slots_; ++slot) count += flag(logic().stack().valid(slot), warp);
      return count;
    }
  }
  [[nodiscard]] LaneMask in_splits(unsigned warp) const override {
    LaneMask threads = 0;
    if constexpr (kSplits) {
      const auto& stack = logic().stack();
      for (unsigned slot = 0; slot < slots_; ++slot)
        threads |= flag(stack.valid(slot), warp) != 0 ? stack.path(warp, slot).mask : 0;
      for (unsigned i = stack.depth(warp) - 1; i-- > 0 && stack.row_waits(warp, i);) threads |= stack.row(warp, i).mask;
    }
    return threads;
  }
  [[nodiscard]] bool rows_in_memory() const override { return kRowsOut; }
  [[nodiscard]] bool knows_forks() const override { return kShape.stack == StackModule::kForkJoin; }
  void read_state(FrontendState& state) const override {
    read_events(state);
    for (unsigned w = 0; w < state.warps; ++w) {
      for (unsigned slot = 0; slot < slots_; ++slot) read_path(w, slot, state.path(w, slot));
      read_warp(w, state.warp[w]);
    }
  }
  void stack_events(Event& push, Event& pop) const override {
    const FrontendEvents& events = logic().events();
    push = event(events.push_valid, events.acting_warp);
    pop = event(events.popped.valid, events.popped.warp);
  }
  [[nodiscard]] bool selection(Selection& selection) const override {
    const FrontendEvents& events = logic().events();
    selection = {events.grant.valid, events.grant.warp, events.grant.slot, slots_, events.eligible};
    return true;
  }
  [[nodiscard]] unsigned stack_entries(unsigned warp) const override { return logic().stack().depth(warp); }
  [[nodiscard]] unsigned depth(unsigned warp) const override {
    const unsigned depth = stack_entries(warp);
    if constexpr (kCompact) return static_cast<unsigned>(unfolded(logic().stack(), warp).size());
    else if constexpr (kSplits) return depth == 0 ? 0 : depth - 1 + std::max(1u, splits(warp));
    else return depth;
  }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return logic().stack().live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override {
    if constexpr (kCompact) return unfolded(logic().stack(), warp)[index];
    else if constexpr (kSplits) return entry_of_splits(warp, index);
    else if constexpr (kRowsOut) return paths_of(warp, index);
    else if constexpr (kShape.forwards) {
      const auto& stack = logic().stack();
      return entry_at_home(
          stack.depth(warp), index, [&](unsigned i) { return entry_of(stack.entry(warp, i), kSlots); },
          [&](unsigned i) { return stack.guest(warp, i); });
    } else return entry_of(logic().stack().entry(warp, index), kSlots);
  }

 private:
  [[nodiscard]] const Logic& logic() const { return static_cast<const Of&>(*this).machine(); }

  [[nodiscard]] auto top_of(unsigned warp) const {
    if constexpr (kSplits) return logic().stack().top(warp, 0);
    else return logic().stack().top(warp);
  }

  // The two paths, if the entry is the top.
  [[nodiscard]] StackEntry paths_of(unsigned warp, unsigned index) const {
    StackEntry paths;
    if (index + 1 != depth(warp)) return paths;
    for (unsigned slot = 0; slot < 2; ++slot) {
      const StackPath path = logic().stack().path(warp, slot);
      paths.pc[slot] = path.pc;
      paths.mask[slot] = path.mask;
    }
    return paths;
  }

  // The rows, then the splits; splits that wait in rows meet where those of the top do.
  [[nodiscard]] StackEntry entry_of_splits(unsigned warp, unsigned index) const {
    const auto& stack = logic().stack();
    const unsigned rows = stack.depth(warp) - 1;
    SpeEntry place = stack.top(warp, 0);
    StackPath path;
    if (index < rows) {
      const SpeEntry row = stack.row(warp, index);
      path = {row.mask, row.pc, row.level};
      if (!stack.row_waits(warp, index)) place = row;
    } else {
      unsigned slot = 0;
      for (unsigned left = index - rows + 1; slot < slots_; ++slot) {
        left -= flag(stack.valid(slot), warp);
        if (left == 0) break;
      }
      if (slot < slots_) path = stack.path(warp, slot);
    }
    return {{path.pc, 0}, {path.mask, 0}, place.rpc, {path.level, 0}, place.rpc_level};
  }

  void read_events(FrontendState& state) const {
    const FrontendEvents& events = logic().events();
    stack_events(state.push, state.pop);
    state.resolved = event(events.resolved_valid, events.acting_warp);
    state.resolved_slot = events.resolved_valid ? events.acting_slot : 0;
    state.resolved_next = events.resolved_next;
    state.done = event(logic().output().done_valid, logic().output().done_warp);
    state.overflow = event(logic().output().overflow_valid, logic().output().overflow_warp);
    state.grant_valid = events.grant.valid;
    state.grant_warp = events.grant.valid ? events.grant.warp : 0;
    state.grant_slot = events.grant.valid ? events.grant.slot : 0;
    state.max_depth = logic().max_depth();
  }

  // A split that is not there has no place.
  void read_path(unsigned w, unsigned slot, PathState& state) const {
    const auto& stack = logic().stack();
    const auto& ibuffer = logic().ibuffer();
    state.valid = flag(stack.valid(slot), w);
    const bool shown = stack.depth(w) != 0 && (!kSplits || state.valid != 0);
    const StackPath path = shown ? stack.path(w, slot) : StackPath();
    state.pc = path.pc;
    state.mask = path.mask;
    state.level = static_cast<std::uint16_t>(path.level);
    state.sibling = shown && stack.sibling(w, slot);
    state.blocked = flag(logic().blocked(slot), w);
    state.full = flag(logic().full(slot), w);
    state.count = ibuffer.count(w, slot);
    state.requests = ibuffer.requests(w, slot);
    state.tag = ibuffer.tag(w, slot);
    state.need_fetch = flag(ibuffer.need_fetch(slot), w);
    state.head = state.count != 0 ? ibuffer.head(w, slot) : 0;
    if constexpr (kSplits) state.at_barrier = flag(logic().at_barrier(slot), w);
  }

  void read_warp(unsigned w, WarpState& warp) const {
    const auto& stack = logic().stack();
    const auto& predication = logic().predication();
    warp.depth = stack.depth(w);
    const bool has_entry = warp.depth != 0;
    warp.rpc = 0;
    warp.rpc_level = 0;
    if constexpr (!kRowsOut) {
      if (has_entry) {
        warp.rpc = top_of(w).rpc;
        warp.rpc_level = top_of(w).rpc_level;
      }
    }
    warp.live = has_entry ? stack.live(w) : 0;
    read_scoreboard(w, warp);
    warp.region_count = predication.count(w);
    warp.region_slot = warp.region_count != 0 ? predication.slot(w) : 0;
    warp.off_mask = predication.off_mask(w, warp.region_slot);
    warp.branch_pending = flag(logic().pending(), w);
    warp.pending_slot = warp.branch_pending != 0 ? logic().pending_slot(w) : 0;
    warp.acting = flag(logic().acting(), w);
    warp.at_barrier = 0;
    for (unsigned slot = 0; slot < (kSplits ? slots_ : 1); ++slot) warp.at_barrier |= flag(logic().at_barrier(slot), w);
    warp.halted = flag(logic().halted(), w);
  }

  void read_scoreboard(unsigned w, WarpState& warp) const {
    const auto& unit = logic().scoreboard();
    constexpr bool optimistic = kShape.scoreboard == ScoreboardModule::kOptimistic;
    for (unsigned table = 0; table < (optimistic ? 1 : kSlots); ++table) {
      warp.pending[table] = unit.pending(w, table);
      if constexpr (kSlots == 2 && !optimistic) warp.shadow[table] = unit.shadow(w, table);
      if constexpr (kShape.scoreboard != ScoreboardModule::kBitmap) {
        for (unsigned e = 0, entries = count_bits(unit.all_entries()); e < entries; ++e) {
          const bool pending = has_bit(warp.pending[table], e);
          warp.reg[table][e] = pending ? static_cast<std::uint8_t>(unit.reg(w, table, e)) : 0;
          if constexpr (optimistic) warp.entry_mask[table][e] = pending ? unit.mask(w, e) : 0;
        }
      }
    }
  }

  const unsigned slots_;
};

template <class OfShape>
class Twin final : public TwinView<OfShape, Twin<OfShape>, Frontend> {
  using View = TwinView<OfShape, Twin<OfShape>, Frontend>;

 public:
  explicit Twin(const FrontendContext& context)
      : View(context.config),
        module_(context.name, View::limits(context.config)) {
    bind(module_, context);
  }
  [[nodiscard]] const typename View::Logic& machine() const { return module_.state(); }

 private:
  typename View::Module module_;
};

// The machine at its pins, as the module's process has it there.
template <class OfShape>
class DirectTwin final : public TwinView<OfShape, DirectTwin<OfShape>, DirectFrontend> {
  using View = TwinView<OfShape, DirectTwin<OfShape>, DirectFrontend>;
  using Logic = typename View::Logic;

 public:
  explicit DirectTwin(const DirectContext& context)
      : View(context.config),
        pins_(context.pins),
        logic_(View::limits(context.config)) {}
  [[nodiscard]] const Logic& machine() const { return logic_; }
  [[nodiscard]] bool still() const override { return logic_.events().still; }

  void reset() override {
    logic_.reset();
    show();
  }

  void step() override {
    const DirectFrontendPins& p = pins_;
    in_.launch_valid = p.launch_valid.read();
    if (in_.launch_valid) {
      in_.launch_warp = p.launch_warp.read();
      in_.launch_pc = p.launch_pc.read();
      in_.launch_mask = p.launch_mask.read();
    }
    in_.kill_valid = p.kill_valid.read();
    in_.kill_warp = p.kill_warp.read();
    in_.fetch_ready = p.fetch_ready.read();
    in_.decode_valid = p.decode_valid.read();
    if (in_.decode_valid) {
      in_.decode_warp = p.decode_warp.read();
      in_.decode_slot = slot(p.decode_slot);
      in_.decode_tag = p.decode_tag.read();
      in_.decode_count = p.decode_count.read();
      in_.decode_instr0 = p.decode_instr0.read();
      in_.decode_instr1 = p.decode_instr1.read();
    }
    in_.resolve_valid = p.resolve_valid.read() != 0 && (!Logic::kRowsOut || p.save_ready.read());
    if (in_.resolve_valid) {
      in_.resolve_warp = p.resolve_warp.read();
      in_.resolve_slot = slot(p.resolve_slot);
      in_.resolve.taken = p.resolve_taken.read();
      in_.resolve.target = p.resolve_target.read();
      in_.resolve.next = p.resolve_next.read();
      in_.resolve.rpc = p.resolve_rpc.read();
      in_.resolve.exit = p.resolve_exit.read();
      in_.resolve.call = p.resolve_call.read() != 0;
      in_.resolve.ret = p.resolve_return.read() != 0;
      in_.resolve.mark = p.resolve_mark.read() != 0;
      in_.resolve_skip = p.resolve_skip.read();
    }
    in_.wb_valid = p.wb_valid.read();
    for (unsigned k = 0; k < kWritePorts; ++k) {
      if (has_bit(in_.wb_valid, k))
        in_.wb[k] = {p.wb_warp[k].read(), slot(p.wb_slot[k]), p.wb_reg[k].read(), p.wb_mask[k].read()};
    }
    in_.miss_valid = p.miss_valid.read();
    in_.miss_warp = p.miss_warp.read();
    in_.miss_slot = p.miss_slot.read();
    if constexpr (Logic::kParts) {
      in_.split_valid = p.split_valid.read();
      in_.split_warp = p.split_warp.read();
      in_.split_slot = p.split_slot.read();
      in_.split_mask = p.split_mask.read();
    }
    if constexpr (Logic::kRowsOut) {
      in_.load_ready = p.load_ready.read();
      in_.fill_valid = p.fill_valid.read();
      in_.fill_warp = p.fill_warp.read();
      in_.fill.pc_l = p.fill_pc[0].read();
      in_.fill.pc_r = p.fill_pc[1].read();
      in_.fill.mask_l = p.fill_mask[0].read();
      in_.fill.mask_r = p.fill_mask[1].read();
    }
    in_.unit_ready = p.unit_ready.read();
    in_.release = p.release.read();
    in_.issue_ready = p.issue_ready.read();
    logic_.step(in_);
  }

  void show() override {
    const FrontendOutput& out = logic_.output();
    pins_.fetch_valid.write(out.fetch_valid);
    pins_.fetch_warp.write(out.fetch_warp);
    pins_.fetch_slot.write(out.fetch_slot);
    pins_.fetch_pc.write(out.fetch_pc);
    pins_.fetch_tag.write(out.fetch_tag);
    pins_.issue_valid.write(out.issue_valid);
    pins_.issue_warp.write(out.issue_warp);
    pins_.issue_slot.write(out.issue_slot);
    pins_.issue_pc.write(out.issue_pc);
    pins_.issue_mask.write(out.issue_mask);
    pins_.issue_instr.write(out.issue_instr);
    pins_.issue_sibling.write(out.issue_sibling);
    pins_.issue_predicated.write(out.issue_predicated);
    pins_.done_valid.write(out.done_valid);
    pins_.done_warp.write(out.done_warp);
    pins_.idle.write(out.idle);
    pins_.overflow_valid.write(out.overflow_valid);
    pins_.overflow_warp.write(out.overflow_warp);
    pins_.stall.write(out.stall);
    pins_.max_depth.write(logic_.max_depth());
    if constexpr (Logic::kSplits || Logic::kParts) {
      pins_.max_splits.write(logic_.max_splits());
      pins_.splits.write(logic_.splits());
      pins_.merges.write(logic_.merges());
      pins_.refused.write(logic_.refused());
    }
    if constexpr (Logic::kForward) pins_.forwards.write(logic_.forwards());
    if constexpr (Logic::kRowsOut) show_rows();
    if constexpr (Logic::kParts) {  // combinational: of inputs that the core has driven by now
      const std::uint64_t killed = pins_.kill_valid.read() ? bit_of(pins_.kill_warp.read()) : 0;
      pins_.split_ready.write(
          logic_.split_ready(pins_.split_warp.read(), pins_.split_slot.read(), pins_.split_mask.read(), killed));
    }
  }

 private:
  [[nodiscard]] static std::uint32_t slot(const DirectWire<std::uint32_t>& wire) {
    return View::kSlots > 1 ? wire.read() : 0;
  }

  void show_rows() {
    const RowAsked save = logic_.stack().save(), load = logic_.stack().load();
    pins_.save_valid.write(save.valid);
    if (save.valid) {
      const SoftwarePaths& row = logic_.stack().saved_row();
      pins_.save_warp.write(save.warp);
      pins_.save_row.write(save.row);
      pins_.save_pc[0].write(row.pc_l);
      pins_.save_pc[1].write(row.pc_r);
      pins_.save_mask[0].write(row.mask_l);
      pins_.save_mask[1].write(row.mask_r);
    }
    pins_.load_valid.write(load.valid);
    pins_.load_warp.write(load.warp);
    pins_.load_row.write(load.row);
  }

  DirectFrontendPins& pins_;
  Logic logic_;
  typename Logic::Input in_;
};

struct Build {
  FrontendShape shape;
  std::unique_ptr<Frontend> (*make)(const FrontendContext&);
  std::unique_ptr<DirectFrontend> (*make_direct)(const DirectContext&);
};

template <class OfShape>
std::unique_ptr<Frontend> make(const FrontendContext& context) {
  return std::make_unique<Twin<OfShape>>(context);
}
template <class OfShape>
std::unique_ptr<DirectFrontend> make_one_direct(const DirectContext& context) {
  return std::make_unique<DirectTwin<OfShape>>(context);
}
template <unsigned kSlots, StackModule kStack, ScoreboardModule kScoreboard,
          SelectorKind kSelector = SelectorKind::kTwoLevel, bool kForwards = false, bool kMemorySplits = false>
constexpr Build build() {
  using OfShape = Shape<kSlots, kStack, kScoreboard, kSelector, kForwards, kMemorySplits>;
  return {OfShape::kShape, make<OfShape>, make_one_direct<OfShape>};
}

// What sim/config/mechanisms.cpp can ask for.
constexpr Build kBuilds[] = {
    build<1, StackModule::kSpe, ScoreboardModule::kSpe>(),
    build<1, StackModule::kSpe, ScoreboardModule::kBitmap>(),
    build<1, StackModule::kCompact, ScoreboardModule::kSpe>(),
    build<1, StackModule::kCompact, ScoreboardModule::kBitmap>(),
    build<1, StackModule::kForkJoin, ScoreboardModule::kSpe>(),
    build<1, StackModule::kForkJoin, ScoreboardModule::kBitmap>(),
    build<kLanes, StackModule::kSplitTable, ScoreboardModule::kOptimistic>(),  // with any number of slots
    build<2, StackModule::kDpe, ScoreboardModule::kDpe>(),
    build<2, StackModule::kDpe, ScoreboardModule::kOptimistic>(),
    build<2, StackModule::kDpe, ScoreboardModule::kBitmap>(),
    build<2, StackModule::kDpe, ScoreboardModule::kDpe, SelectorKind::kTwoLevel, true>(),
    build<2, StackModule::kDpe, ScoreboardModule::kOptimistic, SelectorKind::kTwoLevel, true>(),
    build<2, StackModule::kDpe, ScoreboardModule::kOptimistic, SelectorKind::kTwoLevel, false, true>(),
    build<2, StackModule::kDpe, ScoreboardModule::kDpe, SelectorKind::kConstrained>(),
    build<2, StackModule::kDpe, ScoreboardModule::kOptimistic, SelectorKind::kConstrained>(),
    build<2, StackModule::kDpe, ScoreboardModule::kBitmap, SelectorKind::kConstrained>(),
    build<2, StackModule::kSoftware, ScoreboardModule::kDpe>(),
    build<2, StackModule::kSoftware, ScoreboardModule::kOptimistic>(),
    build<2, StackModule::kSoftware, ScoreboardModule::kBitmap>(),
    build<2, StackModule::kSoftware, ScoreboardModule::kDpe, SelectorKind::kConstrained>(),
    build<2, StackModule::kSoftware, ScoreboardModule::kOptimistic, SelectorKind::kConstrained>(),
    build<2, StackModule::kSoftware, ScoreboardModule::kBitmap, SelectorKind::kConstrained>(),
};

const Build& build_of(const Config& config) {
  const FrontendShape shape = frontend_shape(config);
  for (const Build& build : kBuilds) {
    FrontendShape with_slots = build.shape;
    if (shape.stack == StackModule::kSplitTable) with_slots.slots = shape.slots;
    if (with_slots == shape) return build;
  }
  throw bad_input("engine", "mechanism " + config.mechanism + " has no twin with this stack, scoreboard and selector");
}

}  // namespace

std::unique_ptr<Frontend> make_twin(const FrontendContext& context) { return build_of(context.config).make(context); }
std::unique_ptr<DirectFrontend> make_direct(const DirectContext& context) {
  return build_of(context.config).make_direct(context);
}

}  // namespace heddle
