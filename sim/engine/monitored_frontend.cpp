// SPDX-License-Identifier: Apache-2.0
// Front ends under the monitor.
#include <fmt/format.h>

#include "engine/monitored.h"
#include "engine/pin_lists.h"
#include "wave/frontend_probes.h"

namespace heddle {
namespace {

// Calls f(name, wire of a, wire of b) for every output pin, and for every input pin.
template <class F>
void for_each_output(FrontendPins& a, FrontendPins& b, F f) {
#define HEDDLE_OUT(name) f(#name "_o", a.name, b.name);
#define HEDDLE_OUTS(name)                \
  f(#name "_l_o", a.name[0], b.name[0]); \
  f(#name "_r_o", a.name[1], b.name[1]);
  HEDDLE_FRONTEND_OUTPUTS(HEDDLE_OUT, HEDDLE_OUTS)
#undef HEDDLE_OUT
#undef HEDDLE_OUTS
}
template <class F>
void for_each_input(FrontendPins& a, FrontendPins& b, F f) {
#define HEDDLE_IN(name) f(a.name, b.name);
#define HEDDLE_INS(name) \
  for (std::size_t port = 0; port < a.name.size(); ++port) f(a.name[port], b.name[port]);
  HEDDLE_FRONTEND_INPUTS(HEDDLE_IN, HEDDLE_INS)
#undef HEDDLE_IN
#undef HEDDLE_INS
}

// Of two slots the left and the right one, of more their numbers.
std::string side_of(unsigned slot) { return slot == 0 ? "_l_o" : slot == 1 ? "_r_o" : fmt::format("_{}_o", slot); }

// Every field of the state, named by the module output it is.
std::vector<WaveProbe> state_outputs(const Config& config, unsigned scheduler, const FrontendState& state) {
  std::vector<WaveProbe> list;
  const auto event = [&](const char* name, const Event& e) {
    list.push_back(wave_probe("stack", fmt::format("{}_valid_o", name), 1, e.valid));
    list.push_back(wave_probe("stack", fmt::format("{}_warp_o", name), 32, e.warp));
  };
  event("resolved", state.resolved);
  list.push_back(wave_probe("stack", "resolved_slot_o", 32, state.resolved_slot));
  list.push_back(wave_probe("stack", "resolved_next_o", 1, state.resolved_next));
  event("push", state.push);
  event("pop", state.pop);
  event("done", state.done);
  event("overflow", state.overflow);
  list.push_back(wave_probe("stack", "max_depth_o", 32, state.max_depth));
  list.push_back(wave_probe("selector", "grant_valid_o", 1, state.grant_valid));
  list.push_back(wave_probe("selector", "grant_warp_o", 32, state.grant_warp));
  list.push_back(wave_probe("selector", "grant_slot_o", 32, state.grant_slot));
  for (unsigned id = scheduler; id < config.core.warps; id += config.core.schedulers) {
    const WarpState& warp = state.warp[id / config.core.schedulers];
    const auto add = [&](const char* module, const std::string& name, unsigned width, const auto& variable) {
      list.push_back(wave_probe(fmt::format("warp{:02}.{}", id, module), name, width, variable));
    };
    add("stack", "rpc_o", 32, warp.rpc);
    add("stack", "rpc_level_o", 32, warp.rpc_level);
    add("stack", "live_o", 64, warp.live);
    add("stack", "depth_o", 32, warp.depth);
    for (unsigned slot = 0; slot * kMaxPartitionWarps < state.paths.size(); ++slot) {
      const PathState& path = state.path(id / config.core.schedulers, slot);
      const std::string side = side_of(slot);
      add("stack", "pc" + side, 32, path.pc);
      add("stack", "mask" + side, 64, path.mask);
      add("stack", "level" + side, 32, path.level);
      add("stack", "valid" + side, 1, path.valid);
      add("stack", "sibling" + side, 1, path.sibling);
      add("scoreboard", "blocked" + side, 1, path.blocked);
      add("scoreboard", "full" + side, 1, path.full);
      add("ibuffer", "count" + side, 32, path.count);
      add("ibuffer", "requests" + side, 2, path.requests);
      add("ibuffer", "tag" + side, 32, path.tag);
      add("ibuffer", "need_fetch" + side, 1, path.need_fetch);
      add("ibuffer", "head" + side, 30, path.head);
      add("frontend", "at_barrier" + side, 1, path.at_barrier);
    }
    for (unsigned table = 0; table < warp.pending.size(); ++table) {
      const std::string side = side_of(table);
      add("scoreboard", "pending" + side, 64, warp.pending[table]);
      add("scoreboard", "shadow" + side, 64, warp.shadow[table]);
      for (unsigned entry = 0; entry < kMaxScoreboardEntries; ++entry) {
        add("scoreboard", fmt::format("reg{}[{}]", side, entry), 6, warp.reg[table][entry]);
      }
    }
    for (unsigned entry = 0; entry < kMaxScoreboardEntries; ++entry) {
      add("scoreboard", fmt::format("mask_o[{}]", entry), 64, warp.entry_mask[0][entry]);
    }
    add("predication", "count_o", 4, warp.region_count);
    add("predication", "slot_o", 32, warp.region_slot);
    add("predication", "off_mask", 64, warp.off_mask);
    add("frontend", "pending", 1, warp.branch_pending);
    add("frontend", "pending_slot", 32, warp.pending_slot);
    add("frontend", "acting", 1, warp.acting);
    add("frontend", "any_at_barrier", 1, warp.at_barrier);
    add("frontend", "halted", 1, warp.halted);
  }
  return list;
}

class MonitoredFrontend final : public Monitored {
 public:
  MonitoredFrontend(const Config& config, unsigned scheduler, const FrontendSides& sides)
      : Monitored(fmt::format("scheduler{}", scheduler)),
        config_(config),
        scheduler_(scheduler),
        sides_(sides),
        state_(sides.view->slots()),
        rtl_state_(sides.view->slots()) {}

  [[nodiscard]] std::vector<WaveProbe> waves(Side side, const std::string& scope) const override {
    return frontend_probes(scope, config_, scheduler_, pins(side), state(side));
  }
  [[nodiscard]] std::string first_view() const override { return fmt::format("warp{:02}", scheduler_); }

  [[nodiscard]] std::vector<WaveProbe> outputs(Side side) const override {
    std::vector<WaveProbe> list;
    for_each_output(pins(side), pins(side), [&](const char* name, const auto& wire, const auto&) {
      list.push_back(wave_probe("", name, 8 * sizeof wire.read(), wire.read()));
    });
    for (WaveProbe& probe : state_outputs(config_, scheduler_, state(side))) list.push_back(std::move(probe));
    return list;
  }

  void begin_launch(unsigned warps) override {
    for (FrontendState* state : {&state_, &rtl_state_}) {
      state->clear();
      state->warps = kMaxPartitionWarps;
    }
    rtl_changes_ = 0;
    warps_ = warps;
    has_read_all_ = false;
  }

  bool sample() override {
    if (has_read_all_) state_.warps = rtl_state_.warps = warps_;
    has_read_all_ = true;
    sides_.view->read_state(state_);
    if (sides_.rtl_view == nullptr) return true;
    bool changed = false;
    for_each_input(*sides_.pins, *sides_.rtl_pins, [&](auto& from, auto& to) {
      if (from.read() == to.read()) return;
      to.write(from.read());
      changed = true;
    });
    const std::uint64_t changes = sides_.rtl_view->changes();
    if (changes == rtl_changes_) return changed;
    rtl_changes_ = changes;
    sides_.rtl_view->read_state(rtl_state_);
    return true;
  }

  [[nodiscard]] bool equal() const override {
    bool equal = state_ == rtl_state_;
    for_each_output(*sides_.pins, *sides_.rtl_pins,
                    [&](const char*, const auto& a, const auto& b) { equal = equal && a.read() == b.read(); });
    return equal;
  }

 private:
  [[nodiscard]] FrontendPins& pins(Side side) const { return side == Side::kRtl ? *sides_.rtl_pins : *sides_.pins; }
  [[nodiscard]] const FrontendState& state(Side side) const { return side == Side::kRtl ? rtl_state_ : state_; }

  const Config config_;
  const unsigned scheduler_;
  const FrontendSides sides_;
  FrontendState state_, rtl_state_;
  std::uint64_t rtl_changes_ = 0;        // when rtl_state_ was read
  unsigned warps_ = kMaxPartitionWarps;  // of the launch: what is read once the others have been, too
  bool has_read_all_ = false;
};

}  // namespace

std::unique_ptr<Monitored> monitor_frontend(const Config& config, unsigned scheduler, const FrontendSides& sides) {
  return std::make_unique<MonitoredFrontend>(config, scheduler, sides);
}

}  // namespace heddle
