// SPDX-License-Identifier: Apache-2.0
#include "wave/frontend_probes.h"

#include <fmt/format.h>

#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

class FrontendProbeList {
 public:
  FrontendProbeList(const Config& config, std::vector<WaveProbe>& list)
      : lanes_(config.core.lanes),
        shape_(frontend_shape(config)),
        several_(shape_.slots > 1),
        slot_bits_(several_ ? bits_of(shape_.slots - 1) : 1),
        mask_format_(lanes_ <= 16 ? WaveFormat::kBinary : WaveFormat::kHex),
        design_(design_of(config)),
        list_(list) {}

  // The probes that follow are of variables inside this object, or of no common one; or of this array with an element a
  // warp.
  void inside(const void* object) {
    object_ = object;
    element_ = 0;
  }
  template <class Element>
  void inside_warps(const Element* first) {
    object_ = first;
    element_ = sizeof(Element);
  }

  template <class T>
  void add(const std::string& scope, const std::string& name, unsigned width, const T& variable,
           WaveFormat format = WaveFormat::kHex) {
    list_.push_back(wave_probe(scope, name, width, variable, format, object_, element_));
  }

  // Of one name a slot: "pc" for SPE, "pc_l" and "pc_r" for DPE, "pc_0", "pc_1" ... of splits.
  template <class Member>
  void add_slots(const std::string& scope, const std::string& name, unsigned width, Member member,
                 WaveFormat format = WaveFormat::kHex) {
    for (unsigned slot = 0; slot < shape_.slots; ++slot) {
      inside_warps(&state_->path(0, slot));
      add(scope, name + suffix(slot), width, state_->path(warp_, slot).*member, format);
    }
    inside_warps(state_->warp.data());
  }
  template <class Array>
  void add_tables(const std::string& scope, const std::string& name, unsigned width, const Array& array,
                  WaveFormat format = WaveFormat::kHex) {
    for (unsigned slot = 0; slot < shape_.slots; ++slot) add(scope, name + suffix(slot), width, array[slot], format);
  }

  void pins(const std::string& scope, const FrontendPins& pins) {
    add(scope, "issue_valid", 1, pins.issue_valid.read());
    add(scope, "issue_warp", 5, pins.issue_warp.read(), WaveFormat::kDecimal);
    if (several_) add(scope, "issue_slot", slot_bits_, pins.issue_slot.read(), slot_format());
    add(scope, "issue_pc", 32, pins.issue_pc.read(), WaveFormat::kPc);
    add(scope, "issue_mask", lanes_, pins.issue_mask.read(), mask_format_);
    add(scope, "issue_predicated", 1, pins.issue_predicated.read());
    add(scope, "stall", 4, pins.stall.read(), WaveFormat::kStall);
    add(scope, "fetch_ready", 1, pins.fetch_ready.read());
    add(scope, "fetch_valid", 1, pins.fetch_valid.read());
    add(scope, "fetch_warp", 5, pins.fetch_warp.read(), WaveFormat::kDecimal);
    if (several_) add(scope, "fetch_slot", slot_bits_, pins.fetch_slot.read(), slot_format());
    add(scope, "fetch_pc", 32, pins.fetch_pc.read(), WaveFormat::kPc);
    add(scope, "fetch_tag", 3, pins.fetch_tag.read(), WaveFormat::kDecimal);
    add(scope, "decode_valid", 1, pins.decode_valid.read());
    add(scope, "decode_warp", 5, pins.decode_warp.read(), WaveFormat::kDecimal);
    if (several_) add(scope, "decode_slot", slot_bits_, pins.decode_slot.read(), slot_format());
    add(scope, "decode_tag", 3, pins.decode_tag.read(), WaveFormat::kDecimal);
    add(scope, "decode_count", 2, pins.decode_count.read());
    add(scope, "resolve_valid", 1, pins.resolve_valid.read());
    add(scope, "resolve_warp", 5, pins.resolve_warp.read(), WaveFormat::kDecimal);
    if (several_) add(scope, "resolve_slot", slot_bits_, pins.resolve_slot.read(), slot_format());
    add(scope, "resolve_taken", lanes_, pins.resolve_taken.read(), mask_format_);
    add(scope, "resolve_target", 32, pins.resolve_target.read(), WaveFormat::kPc);
    add(scope, "resolve_next", 32, pins.resolve_next.read(), WaveFormat::kPc);
    add(scope, "resolve_rpc", 32, pins.resolve_rpc.read(), WaveFormat::kPc);
    add(scope, "resolve_exit", lanes_, pins.resolve_exit.read(), mask_format_);
    add(scope, "resolve_call", 1, pins.resolve_call.read());
    add(scope, "resolve_return", 1, pins.resolve_return.read());
    add(scope, "resolve_kind", 4, pins.resolve_kind.read(), WaveFormat::kDecimal);
    add(scope, "resolve_skip", 4, pins.resolve_skip.read(), WaveFormat::kDecimal);
    add(scope, "wb_valid", kWritePorts, pins.wb_valid.read(), WaveFormat::kBinary);
    for (unsigned port = 0; port < kWritePorts; ++port) {
      add(scope, fmt::format("wb_warp{}", port), 5, pins.wb_warp[port].read(), WaveFormat::kDecimal);
      if (several_) add(scope, fmt::format("wb_slot{}", port), slot_bits_, pins.wb_slot[port].read(), slot_format());
      add(scope, fmt::format("wb_reg{}", port), 6, pins.wb_reg[port].read(), WaveFormat::kDecimal);
    }
    add(scope, "unit_ready", 5, pins.unit_ready.read(), WaveFormat::kBinary);
    add(scope, "done_valid", 1, pins.done_valid.read());
    add(scope, "idle", kMaxPartitionWarps, pins.idle.read(), WaveFormat::kBinary);
    add(scope, "overflow_valid", 1, pins.overflow_valid.read());
    add(scope, "max_depth", 7, pins.max_depth.read(), WaveFormat::kDecimal);
    if (design_ == nullptr) return;
    PinProbes own(scope, pins, lanes_, list_);
    design_->add_probes(own);
  }

  void events(const std::string& scope, const FrontendState& state) {
    inside(static_cast<const StackEvents*>(&state));
    add(scope, "grant_valid", 1, state.grant_valid);
    add(scope, "grant_warp", 5, state.grant_warp, WaveFormat::kDecimal);
    if (several_) add(scope, "grant_slot", slot_bits_, state.grant_slot, slot_format());
    add(scope, "resolved_valid", 1, state.resolved.valid);
    add(scope, "resolved_warp", 5, state.resolved.warp, WaveFormat::kDecimal);
    if (several_) add(scope, "resolved_slot", slot_bits_, state.resolved_slot, slot_format());
    add(scope, "resolved_next", 1, state.resolved_next);
    add(scope, "push_valid", 1, state.push.valid);
    add(scope, "push_warp", 5, state.push.warp, WaveFormat::kDecimal);
    add(scope, "pop_valid", 1, state.pop.valid);
    add(scope, "pop_warp", 5, state.pop.warp, WaveFormat::kDecimal);
  }

  void warp(const std::string& scope, const FrontendState& state, unsigned local, const Config& config) {
    const WarpState& warp = state.warp[local];
    state_ = &state;
    warp_ = local;
    inside_warps(state.warp.data());
    const std::string stack = scope + ".stack";
    add(stack, "depth", 7, warp.depth, WaveFormat::kDecimal);
    add_slots(stack, "pc", 32, &PathState::pc, WaveFormat::kPc);
    add_slots(stack, "mask", lanes_, &PathState::mask, mask_format_);
    add_slots(stack, "valid", 1, &PathState::valid);
    add_slots(stack, "level", config.stack.level_bits, &PathState::level, WaveFormat::kDecimal);
    if (!several_) add_slots(stack, "sibling", 1, &PathState::sibling);
    add(stack, "rpc", 32, warp.rpc, WaveFormat::kPc);
    add(stack, "rpc_level", config.stack.level_bits, warp.rpc_level, WaveFormat::kDecimal);
    add(stack, "live", lanes_, warp.live, mask_format_);

    const std::string predication = scope + ".predication";
    add(predication, "count", 4, warp.region_count, WaveFormat::kDecimal);
    if (several_) add(predication, "slot", slot_bits_, warp.region_slot, slot_format());
    add(predication, "off_mask", lanes_, warp.off_mask, mask_format_);

    const std::string scoreboard = scope + ".scoreboard";
    const bool optimistic = shape_.scoreboard == ScoreboardModule::kOptimistic,
               bitmap = shape_.scoreboard == ScoreboardModule::kBitmap;
    const unsigned entries = bitmap ? 64 : config.scoreboard.entries * (optimistic ? 2 : 1);
    add_slots(scoreboard, "blocked", 1, &PathState::blocked);
    add_slots(scoreboard, "full", 1, &PathState::full);
    if (optimistic) {
      add(scoreboard, "pending", entries, warp.pending[0], WaveFormat::kBinary);
      registers(scoreboard, "", entries, warp.reg[0]);
      for (unsigned entry = 0; entry < entries; ++entry) {
        add(scoreboard, fmt::format("mask{:02}", entry), lanes_, warp.entry_mask[0][entry], mask_format_);
      }
    } else {
      add_tables(scoreboard, "pending", entries, warp.pending, WaveFormat::kBinary);
      if (several_) add_tables(scoreboard, "shadow", entries, warp.shadow, WaveFormat::kBinary);
      for (unsigned slot = 0; slot < shape_.slots && !bitmap; ++slot)
        registers(scoreboard, suffix(slot), entries, warp.reg[slot]);
    }

    const std::string selector = scope + ".selector";
    add_slots(selector, "count", 4, &PathState::count, WaveFormat::kDecimal);
    add_slots(selector, "requests", 2, &PathState::requests, WaveFormat::kDecimal);
    add_slots(selector, "tag", 3, &PathState::tag, WaveFormat::kDecimal);
    add_slots(selector, "head", 30, &PathState::head);
    if (splits()) add_slots(selector, "at_barrier", 1, &PathState::at_barrier);
    add(selector, "branch_pending", 1, warp.branch_pending);
    if (several_) add(selector, "pending_slot", slot_bits_, warp.pending_slot, slot_format());
    if (several_) add(selector, "acting", 1, warp.acting);
    if (!splits()) add(selector, "at_barrier", 1, warp.at_barrier);
    add(selector, "halted", 1, warp.halted);
  }

 private:
  [[nodiscard]] static const FrontendDesign* design_of(const Config& config) {
    const Mechanism* mechanism = find_mechanism(config.mechanism);
    return mechanism == nullptr ? nullptr : mechanism->design(config);
  }
  [[nodiscard]] bool splits() const { return shape_.core.splits_warps; }
  [[nodiscard]] WaveFormat slot_format() const { return splits() ? WaveFormat::kDecimal : WaveFormat::kHex; }
  [[nodiscard]] std::string suffix(unsigned slot) const {
    if (!several_) return "";
    return splits() ? fmt::format("_{}", slot) : slot == 0 ? "_l" : "_r";
  }
  [[nodiscard]] static unsigned bits_of(unsigned value) { return value < 2 ? 1 : 1 + bits_of(value / 2); }

  template <class Registers>
  void registers(const std::string& scope, const std::string& suffix, unsigned entries, const Registers& names) {
    for (unsigned entry = 0; entry < entries; ++entry) {
      add(scope, fmt::format("reg{:02}{}", entry, suffix), 6, names[entry], WaveFormat::kDecimal);
    }
  }

  unsigned lanes_;
  FrontendShape shape_;
  bool several_;  // slots
  unsigned slot_bits_;
  WaveFormat mask_format_;
  const FrontendDesign* design_;          // null: one that a program registered
  const FrontendState* state_ = nullptr;  // of whose warp the probes are that follow
  unsigned warp_ = 0;
  const void* object_ = nullptr;
  std::size_t element_ = 0;
  std::vector<WaveProbe>& list_;
};

}  // namespace

std::vector<WaveProbe> frontend_probes(const std::string& scope, const Config& config, unsigned scheduler,
                                       const FrontendPins& pins, const FrontendState& state) {
  std::vector<WaveProbe> list;
  FrontendProbeList probes(config, list);
  probes.pins(scope + ".pins", pins);
  probes.events(scope + ".events", state);
  for (unsigned warp = scheduler; warp < config.core.warps; warp += config.core.schedulers) {
    probes.warp(fmt::format("{}.warp{:02}", scope, warp), state, warp / config.core.schedulers, config);
  }
  return list;
}

}  // namespace heddle
