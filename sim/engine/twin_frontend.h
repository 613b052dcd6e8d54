// SPDX-License-Identifier: Apache-2.0
// A SystemC twin as a front end of the engine, in the kernel and without it. One instantiation at the largest sizes
// serves every configuration: warps and lanes that are not used stay idle, and the twins' limits narrow stack,
// scoreboard and instruction buffers.
//
// A mechanism says in its own file which module it is and, in rules derived from TwinRules, what its stack shows and
// which pins only it has.
#pragma once

#include "core/frontend_ports.h"
#include "engine/frontend.h"
#include "engine/pin_lists.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"

namespace heddle {

// Sizes of every twin.
constexpr unsigned kTwinLanes = kMaxLanes;
constexpr unsigned kTwinStackDepth = kMaxStackDepth;
constexpr unsigned kTwinSbEntries = kMaxScoreboardEntries / 2;  // the optimistic table has twice as many
constexpr unsigned kTwinIbufDepth = 8;
constexpr unsigned kTwinLevelBits = 16;
constexpr unsigned kTwinTagBits = 3;

// A module of one slot or of two, by the numbers of what it is built with.
template <template <unsigned...> class Module, ScoreboardModule kScoreboard>
using OneSlotTwin = Module<kMaxPartitionWarps, kTwinLanes, kTwinStackDepth, 0, static_cast<unsigned>(kScoreboard),
                           kTwinSbEntries, 0, kTwinIbufDepth, kTwinLevelBits, 1, kWritePorts, kTwinTagBits>;
template <template <unsigned...> class Module, ScoreboardModule kScoreboard, SelectorKind kSelector>
using TwoSlotTwin =
    Module<kMaxPartitionWarps, kTwinLanes, kTwinStackDepth, 1, static_cast<unsigned>(kScoreboard), kTwinSbEntries,
           static_cast<unsigned>(kSelector), 0, kTwinIbufDepth, kTwinLevelBits, 1, kWritePorts, kTwinTagBits>;

// A row of a stack as it is stored.
template <class Row>
[[nodiscard]] StackEntry entry_of(const Row& from, unsigned slots) {
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

// As of a stack whose entries are the paths of each level, and that has no pins of its own. `in`: the logic's input.
struct TwinRules {
  static constexpr bool kPathsEnd = false;  // a path ends by itself, and has no place then; so does its barrier
  // Order of the two sides of a divergence, as the stack numbers it.
  [[nodiscard]] static std::uint32_t order(const Config& config) {
    return static_cast<std::uint32_t>(config.stack.order);
  }
  // Paths of a warp, and their threads, where warps are in splits.
  template <class Logic>
  [[nodiscard]] static unsigned splits(const Logic&, unsigned /*warp*/) {
    return 1;
  }
  template <class Logic>
  [[nodiscard]] static LaneMask in_splits(const Logic&, unsigned /*warp*/, unsigned /*slots*/) {
    return 0;
  }
  // Entries that are shown.
  template <class Logic>
  [[nodiscard]] static unsigned depth(const Logic& logic, unsigned warp) {
    return logic.stack().depth(warp);
  }
  template <class Logic>
  [[nodiscard]] static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned /*slots*/) {
    return entry_of(logic.stack().entry(warp, index), Logic::kSlots);
  }
  // Where the paths of the top entry meet.
  template <class Logic>
  static void read_place(const Logic& logic, unsigned warp, WarpState& state) {
    const auto top = logic.stack().top(warp);
    state.rpc = top.rpc;
    state.rpc_level = top.rpc_level;
  }
  // Pins without the kernel.
  template <class In>
  static void read(const DirectFrontendPins&, In& /*in*/) {}
  template <class Logic>
  static void show(const Logic&, DirectFrontendPins&) {}
};
// Of two slots the order is which one the taken side goes to.
struct TwoSlotTwinRules : TwinRules {
  [[nodiscard]] static std::uint32_t order(const Config& config) {
    return config.stack.taken_left ? kTakenLeft : kTakenRight;
  }
  template <class In>
  static void read(const DirectFrontendPins& p, In& in) {
    in.miss_valid = p.miss_valid.read();
    in.miss_warp = p.miss_warp.read();
    in.miss_slot = p.miss_slot.read();
  }
};

// What can be seen inside a machine: Of::machine().
template <class Rules, class OfLogic, class Of, class Base>
class TwinView : public Base {
 public:
  using Logic = OfLogic;
  static constexpr unsigned kSlots = Logic::kSlots;

  explicit TwinView(const FrontendShape& shape) : slots_(shape.slots) {}

  static FrontendConfig limits(const Config& config, const FrontendShape& shape) {
    FrontendConfig limits;
    limits.slots = shape.slots;
    limits.stack_depth = config.stack.depth;
    limits.stack_order = Rules::order(config);
    limits.sb_entries = config.scoreboard.entries;
    limits.policy = static_cast<std::uint32_t>(config.selector.policy);
    limits.ibuf_depth = config.frontend.ibuffer;
    limits.level_bits = config.stack.level_bits;
    return limits;
  }

  [[nodiscard]] unsigned slots() const override { return slots_; }
  [[nodiscard]] unsigned splits(unsigned warp) const override { return Rules::splits(logic(), warp); }
  [[nodiscard]] LaneMask in_splits(unsigned warp) const override { return Rules::in_splits(logic(), warp, slots_); }
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
  [[nodiscard]] unsigned depth(unsigned warp) const override { return Rules::depth(logic(), warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return logic().stack().live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override {
    return Rules::entry(logic(), warp, index, slots_);
  }

 private:
  [[nodiscard]] const Logic& logic() const { return static_cast<const Of&>(*this).machine(); }

  static std::uint8_t flag(std::uint64_t word, unsigned warp) { return static_cast<std::uint8_t>((word >> warp) & 1u); }
  static Event event(bool valid, std::uint32_t warp) { return {valid, valid ? warp : 0}; }

  void read_events(FrontendState& state) const {
    const FrontendEvents& events = logic().events();
    stack_events(state.push, state.pop);
    state.resolved = event(events.resolved_valid, events.acting_warp);
    state.resolved_slot = events.resolved_valid ? events.acting_slot : 0;
    state.resolved_next = events.resolved_next;
    const FrontendOutput& out = logic().output();
    state.done = event(out.done_valid, out.done_warp);
    state.overflow = event(out.overflow_valid, out.overflow_warp);
    state.grant_valid = events.grant.valid;
    state.grant_warp = events.grant.valid ? events.grant.warp : 0;
    state.grant_slot = events.grant.valid ? events.grant.slot : 0;
    state.max_depth = logic().max_depth();
  }

  void read_path(unsigned w, unsigned slot, PathState& state) const {
    const auto& stack = logic().stack();
    const auto& ibuffer = logic().ibuffer();
    state.valid = flag(stack.valid(slot), w);
    const bool shown = stack.depth(w) != 0 && (!Rules::kPathsEnd || state.valid != 0);
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
    if constexpr (Rules::kPathsEnd) state.at_barrier = flag(logic().at_barrier(slot), w);
  }

  void read_warp(unsigned w, WarpState& warp) const {
    const auto& stack = logic().stack();
    const auto& predication = logic().predication();
    warp.depth = stack.depth(w);
    warp.rpc = 0;
    warp.rpc_level = 0;
    if (warp.depth != 0) Rules::read_place(logic(), w, warp);
    warp.live = warp.depth != 0 ? stack.live(w) : 0;
    read_scoreboard(w, warp);
    warp.region_count = predication.count(w);
    warp.region_slot = warp.region_count != 0 ? predication.slot(w) : 0;
    warp.off_mask = predication.off_mask(w, warp.region_slot);
    warp.branch_pending = flag(logic().pending(), w);
    warp.pending_slot = warp.branch_pending != 0 ? logic().pending_slot(w) : 0;
    warp.acting = flag(logic().acting(), w);
    warp.at_barrier = 0;
    for (unsigned slot = 0; slot < (Rules::kPathsEnd ? slots_ : 1); ++slot)
      warp.at_barrier |= flag(logic().at_barrier(slot), w);
    warp.halted = flag(logic().halted(), w);
  }

  void read_scoreboard(unsigned w, WarpState& warp) const {
    using Unit = std::decay_t<decltype(logic().scoreboard())>;
    const Unit& unit = logic().scoreboard();
    for (unsigned table = 0; table < (Logic::kOneTable ? 1 : kSlots); ++table) {
      warp.pending[table] = unit.pending(w, table);
      if constexpr (kSlots == 2 && !Logic::kOneTable) warp.shadow[table] = unit.shadow(w, table);
      if_it_has(
          unit,
          [&](const auto& of) -> decltype(static_cast<void>(of.reg(w, table, 0))) { read_table(of, w, table, warp); },
          0);
    }
  }
  template <class Unit>
  static void read_table(const Unit& unit, unsigned w, unsigned table, WarpState& warp) {
    for (unsigned e = 0, entries = count_bits(unit.all_entries()); e < entries; ++e) {
      const bool pending = has_bit(warp.pending[table], e);
      warp.reg[table][e] = pending ? static_cast<std::uint8_t>(unit.reg(w, table, e)) : 0;
      if constexpr (Logic::kOneTable) warp.entry_mask[table][e] = pending ? unit.mask(w, e) : 0;
    }
  }

  const unsigned slots_;
};

// The module's ports at the wires, as far as it has them.
template <class Module>
void bind_ports(Module& module, const FrontendContext& context) {
  [[maybe_unused]] FrontendPins& in = context.inputs;
  [[maybe_unused]] FrontendPins& out = context.outputs;
  const auto bind_each = [](auto& ports, auto& wires) {
    for (unsigned k = 0; k < wires.size(); ++k) ports[k](wires[k]);
  };
  module.clk_i(context.clk);
  module.rst_ni(context.rst_n);
#define HEDDLE_IN(name) HEDDLE_IF_PORT(module, name##_i, of.name##_i(in.name));
#define HEDDLE_INS(name) HEDDLE_IF_PORT(module, name##_i, bind_each(of.name##_i, in.name));
#define HEDDLE_OUT(name) HEDDLE_IF_PORT(module, name##_o, of.name##_o(out.name));
#define HEDDLE_OUTS(name) HEDDLE_IF_PORT(module, name##_o, bind_each(of.name##_o, out.name));
  HEDDLE_FRONTEND_INPUTS(HEDDLE_IN, HEDDLE_INS)
  HEDDLE_FRONTEND_OUTPUTS(HEDDLE_OUT, HEDDLE_OUTS)
  HEDDLE_FRONTEND_COMBINATIONAL(HEDDLE_OUT)
#undef HEDDLE_IN
#undef HEDDLE_INS
#undef HEDDLE_OUT
#undef HEDDLE_OUTS
}

template <class Rules, class Module>
class Twin final : public TwinView<Rules, typename Module::Logic, Twin<Rules, Module>, Frontend> {
  using View = TwinView<Rules, typename Module::Logic, Twin<Rules, Module>, Frontend>;

 public:
  Twin(const FrontendContext& context, const FrontendShape& shape)
      : View(shape),
        module_(context.name, View::limits(context.config, shape)) {
    bind_ports(module_, context);
  }
  [[nodiscard]] const typename View::Logic& machine() const { return module_.state(); }

 private:
  Module module_;
};

// The machine at its pins, as the module's process has it there.
template <class Rules, class Module>
class DirectTwin final : public TwinView<Rules, typename Module::Logic, DirectTwin<Rules, Module>, DirectFrontend> {
  using View = TwinView<Rules, typename Module::Logic, DirectTwin<Rules, Module>, DirectFrontend>;
  using Logic = typename View::Logic;

 public:
  DirectTwin(const DirectContext& context, const FrontendShape& shape)
      : View(shape),
        pins_(context.pins),
        logic_(View::limits(context.config, shape)) {}
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
    in_.resolve_valid = p.resolve_valid.read() && (!Logic::kNeedsRoom || p.save_ready.read());
    if (in_.resolve_valid) read_resolution();
    in_.wb_valid = p.wb_valid.read();
    for (unsigned k = 0; k < kWritePorts; ++k) {
      if (has_bit(in_.wb_valid, k))
        in_.wb[k] = {p.wb_warp[k].read(), slot(p.wb_slot[k]), p.wb_reg[k].read(), p.wb_mask[k].read()};
    }
    in_.unit_ready = p.unit_ready.read();
    in_.hold = p.hold.read();
    in_.release = p.release.read();
    in_.issue_ready = p.issue_ready.read();
    Rules::read(p, in_);
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
    Rules::show(logic_, pins_);
  }

 private:
  [[nodiscard]] static std::uint32_t slot(const DirectWire<std::uint32_t>& wire) {
    return View::kSlots > 1 ? wire.read() : 0;
  }

  void read_resolution() {
    const DirectFrontendPins& p = pins_;
    in_.resolve_warp = p.resolve_warp.read();
    in_.resolve_slot = slot(p.resolve_slot);
    in_.resolve.taken = p.resolve_taken.read();
    in_.resolve.target = p.resolve_target.read();
    in_.resolve.next = p.resolve_next.read();
    in_.resolve.rpc = p.resolve_rpc.read();
    in_.resolve.exit = p.resolve_exit.read();
    in_.resolve.call = p.resolve_call.read();
    in_.resolve.ret = p.resolve_return.read();
    in_.resolve.kind = p.resolve_kind.read();
    in_.resolve_skip = p.resolve_skip.read();
  }

  DirectFrontendPins& pins_;
  Logic logic_;
  typename Logic::Input in_;
};

// One of the modules that a front end comes as.
template <ScoreboardModule kScoreboard, SelectorKind kSelector, class OfModule>
struct TwinBuild {
  using Module = OfModule;
  [[nodiscard]] static bool is(const FrontendShape& shape) {
    return shape.scoreboard == kScoreboard && shape.selector == kSelector;
  }
};
template <template <unsigned...> class Module, ScoreboardModule kScoreboard>
using OneSlotBuild = TwinBuild<kScoreboard, SelectorKind::kTwoLevel, OneSlotTwin<Module, kScoreboard>>;
template <template <unsigned...> class Module, ScoreboardModule kScoreboard,
          SelectorKind kSelector = SelectorKind::kTwoLevel>
using TwoSlotBuild = TwinBuild<kScoreboard, kSelector, TwoSlotTwin<Module, kScoreboard, kSelector>>;

// A front end as its twins: all but what is seen of its RTL.
template <class Rules, class... Builds>
class TwinDesign : public FrontendDesign {
 public:
  [[nodiscard]] std::unique_ptr<Frontend> twin(const FrontendContext& context) const override {
    return make<Frontend, Twin>(context);
  }
  [[nodiscard]] std::unique_ptr<DirectFrontend> direct_twin(const DirectContext& context) const override {
    return make<DirectFrontend, DirectTwin>(context);
  }

 private:
  template <class Made, template <class, class> class Kind, class Context>
  [[nodiscard]] std::unique_ptr<Made> make(const Context& context) const {
    const FrontendShape shape = this->shape(context.config);
    std::unique_ptr<Made> made;
    const auto try_one = [&](auto build) {
      using Build = decltype(build);
      if (made == nullptr && Build::is(shape))
        made = std::make_unique<Kind<Rules, typename Build::Module>>(context, shape);
    };
    (try_one(Builds()), ...);
    if (made == nullptr)
      throw bad_input("engine",
                      "mechanism " + context.config.mechanism + " has no twin with this scoreboard and selector");
    return made;
  }
};

}  // namespace heddle
