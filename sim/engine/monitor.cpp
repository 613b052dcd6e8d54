// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor.h"

#include <fmt/format.h>

#include <cstring>

#include "heddle/error.h"
#include "wave/frontend_probes.h"
#include "wave/gtkw.h"

namespace heddle {
namespace {

// Calls f(name, wire of a, wire of b) for every output pin.
template <class F>
void for_each_output(FrontendPins& a, FrontendPins& b, F f) {
  f("fetch_valid_o", a.fetch_valid, b.fetch_valid);
  f("fetch_warp_o", a.fetch_warp, b.fetch_warp);
  f("fetch_slot_o", a.fetch_slot, b.fetch_slot);
  f("fetch_pc_o", a.fetch_pc, b.fetch_pc);
  f("issue_valid_o", a.issue_valid, b.issue_valid);
  f("issue_warp_o", a.issue_warp, b.issue_warp);
  f("issue_slot_o", a.issue_slot, b.issue_slot);
  f("issue_pc_o", a.issue_pc, b.issue_pc);
  f("issue_mask_o", a.issue_mask, b.issue_mask);
  f("issue_instr_o", a.issue_instr, b.issue_instr);
  f("issue_sibling_o", a.issue_sibling, b.issue_sibling);
  f("done_valid_o", a.done_valid, b.done_valid);
  f("done_warp_o", a.done_warp, b.done_warp);
  f("overflow_valid_o", a.overflow_valid, b.overflow_valid);
  f("overflow_warp_o", a.overflow_warp, b.overflow_warp);
  f("stall_o", a.stall, b.stall);
  f("max_depth_o", a.max_depth, b.max_depth);
}

// Calls f(name, wire of a, wire of b) for every input pin.
template <class F>
void for_each_input(FrontendPins& a, FrontendPins& b, F f) {
  const auto group = [&](auto... member) { (f(a.*member, b.*member), ...); };
  group(&FrontendPins::launch_valid, &FrontendPins::fetch_ready, &FrontendPins::decode_valid, &FrontendPins::resolve_valid,
        &FrontendPins::miss_valid);
  group(&FrontendPins::launch_warp, &FrontendPins::launch_pc, &FrontendPins::decode_warp, &FrontendPins::decode_slot,
        &FrontendPins::decode_pc, &FrontendPins::decode_count, &FrontendPins::resolve_warp, &FrontendPins::resolve_slot,
        &FrontendPins::resolve_target, &FrontendPins::resolve_next, &FrontendPins::resolve_rpc, &FrontendPins::miss_warp,
        &FrontendPins::miss_slot, &FrontendPins::unit_ready);
  group(&FrontendPins::launch_mask, &FrontendPins::decode_instr0, &FrontendPins::decode_instr1, &FrontendPins::resolve_taken,
        &FrontendPins::resolve_exit, &FrontendPins::release);
  for (unsigned port = 0; port < 2; ++port) {
    f(a.wb[port].valid, b.wb[port].valid);
    f(a.wb[port].warp, b.wb[port].warp);
    f(a.wb[port].slot, b.wb[port].slot);
    f(a.wb[port].reg, b.wb[port].reg);
    f(a.wb[port].mask, b.wb[port].mask);
  }
}

// Every field of the state, named by the module output it is.
std::vector<WaveProbe> state_outputs(const Config& config, unsigned scheduler, const FrontendState& state) {
  std::vector<WaveProbe> list;
  const auto event = [&](const char* name, const Event& e) {
    list.push_back(wave_probe("stack", fmt::format("{}_valid_o", name), 1, e.valid));
    list.push_back(wave_probe("stack", fmt::format("{}_warp_o", name), 32, e.warp));
  };
  event("push", state.push);
  event("pop", state.pop);
  event("done", state.done);
  event("overflow", state.overflow);
  list.push_back(wave_probe("stack", "max_depth_o", 32, state.max_depth));
  list.push_back(wave_probe("selector", "grant_valid_o", 1, state.grant_valid));
  list.push_back(wave_probe("selector", "grant_warp_o", 32, state.grant_warp));
  list.push_back(wave_probe("selector", "grant_slot_o", 1, state.grant_slot));
  for (unsigned id = scheduler; id < config.core.warps; id += config.core.schedulers) {
    const WarpState& warp = state.warp[id / config.core.schedulers];
    const auto add = [&](const char* module, const std::string& name, unsigned width, const auto& variable) {
      list.push_back(wave_probe(fmt::format("warp{:02}.{}", id, module), name, width, variable));
    };
    add("stack", "rpc_o", 32, warp.rpc);
    add("stack", "sibling_o", 1, warp.sibling);
    add("stack", "live_o", 64, warp.live);
    add("stack", "depth_o", 32, warp.depth);
    for (unsigned slot = 0; slot < 2; ++slot) {
      const std::string side = slot == 0 ? "_l_o" : "_r_o";
      add("stack", "pc" + side, 32, warp.pc[slot]);
      add("stack", "mask" + side, 64, warp.mask[slot]);
      add("stack", "valid" + side, 1, warp.valid[slot]);
      add("scoreboard", "pending" + side, 64, warp.pending[slot]);
      add("scoreboard", "shadow" + side, 64, warp.shadow[slot]);
      add("scoreboard", "blocked" + side, 1, warp.blocked[slot]);
      add("scoreboard", "full" + side, 1, warp.full[slot]);
      for (unsigned entry = 0; entry < kMaxScoreboardEntries; ++entry) {
        add("scoreboard", fmt::format("reg{}[{}]", side, entry), 6, warp.reg[slot][entry]);
      }
      add("ibuffer", "count" + side, 32, warp.count[slot]);
      add("ibuffer", "outstanding" + side, 1, warp.outstanding[slot]);
      add("ibuffer", "need_fetch" + side, 1, warp.need_fetch[slot]);
      add("ibuffer", "head" + side, 61, warp.head[slot]);
    }
    for (unsigned entry = 0; entry < kMaxScoreboardEntries; ++entry) {
      add("scoreboard", fmt::format("mask_o[{}]", entry), 64, warp.entry_mask[0][entry]);
    }
    add("frontend", "pending", 1, warp.branch_pending);
    add("frontend", "pending_slot", 1, warp.pending_slot);
    add("frontend", "at_barrier", 1, warp.at_barrier);
    add("frontend", "halted", 1, warp.halted);
  }
  return list;
}

}  // namespace

Monitor::Monitor(sc_core::sc_module_name name, const Config& config, Engine engine, const std::vector<MonitoredScheduler>& schedulers,
                 CoreBackend& backend, const TraceOptions& trace, std::string mismatch_wave, const Program& program)
    : sc_module(name), clk("clk"), backend_(backend), config_(config), mismatch_wave_(std::move(mismatch_wave)) {
  std::vector<WaveProbe> probes;
  const auto add_probes = [&](const std::string& scope, unsigned s, const FrontendPins& pins, const FrontendState& state) {
    for (WaveProbe& probe : frontend_probes(scope, config, s, pins, state)) probes.push_back(std::move(probe));
  };
  for (unsigned s = 0; s < schedulers.size(); ++s) {
    watched_.push_back(std::make_unique<Watched>());
    Watched& watched = *watched_.back();
    watched.scheduler = schedulers[s];
    watched.name = fmt::format("scheduler{}", s);
    add_probes(fmt::format("{}.{}", engine == Engine::kRtl ? "rtl" : "systemc", watched.name), s, *schedulers[s].pins, watched.state);
    if (engine == Engine::kCosim) {
      add_probes("rtl." + watched.name, s, *schedulers[s].rtl_pins, watched.rtl_state);
      watched.outputs = state_outputs(config, s, watched.state);
      watched.rtl_outputs = state_outputs(config, s, watched.rtl_state);
    }
  }
  if (!trace.path.empty()) {
    recorder_ = std::make_unique<WaveRecorder>(trace.path, probes, trace.start, trace.end);
    write_gtkw(trace.path, probes, &program, fmt::format("{}.scheduler0.warp00", engine == Engine::kRtl ? "rtl" : "systemc"), trace.start,
               std::min<Cycle>(trace.end, trace.start + kMismatchCycles));
  }
  if (engine == Engine::kCosim) ring_ = std::make_unique<WaveRing>(probes, kMismatchCycles);
  SC_HAS_PROCESS(Monitor);
  SC_METHOD(sample);
  sensitive << clk.neg();
  dont_initialize();
}

void Monitor::end_launch() {
  watching_ = false;
  base_ += backend_.now();
}

void Monitor::sample() {
  if (!watching_) return;
  const Cycle cycle = base_ + backend_.now();
  if (ring_ == nullptr && !recorder_->wants(cycle)) return;
  for (const std::unique_ptr<Watched>& watched : watched_) {
    watched->scheduler.view->read_state(watched->state);
    if (watched->scheduler.rtl_view != nullptr) {
      watched->scheduler.rtl_view->read_state(watched->rtl_state);
      for_each_input(*watched->scheduler.pins, *watched->scheduler.rtl_pins, [](auto& from, auto& to) { to.write(from.read()); });
    }
  }
  try {
    if (recorder_ != nullptr) recorder_->sample(cycle);
    if (ring_ != nullptr) {
      ring_->sample(cycle);
      for (const std::unique_ptr<Watched>& watched : watched_) compare(*watched);
    }
  } catch (...) {
    watching_ = false;
    backend_.fail(std::current_exception());
  }
}

void Monitor::compare(Watched& watched) {
  bool equal = std::memcmp(&watched.state, &watched.rtl_state, sizeof(FrontendState)) == 0;
  for_each_output(*watched.scheduler.pins, *watched.scheduler.rtl_pins,
                  [&](const char*, const auto& a, const auto& b) { equal = equal && a.read() == b.read(); });
  if (equal) return;
  std::string message = fmt::format("co-simulation mismatch at cycle {} of the launch, {}: {}", backend_.now(), watched.name,
                                    describe_difference(watched));
  if (!mismatch_wave_.empty()) {
    ring_->write(mismatch_wave_);
    message += fmt::format("; the last {} cycles are in {}", kMismatchCycles, mismatch_wave_);
  }
  throw Error(ExitStatus::kWrongResult, "mismatch", message, backend_.state_dump());
}

std::string Monitor::describe_difference(const Watched& watched) const {
  std::string first;
  unsigned differences = 0;
  const auto differs = [&](const std::string& name, std::uint64_t systemc, std::uint64_t rtl) {
    if (systemc == rtl) return;
    if (differences++ == 0) first = fmt::format("{} is 0x{:x} in SystemC and 0x{:x} in RTL", name, systemc, rtl);
  };
  for_each_output(*watched.scheduler.pins, *watched.scheduler.rtl_pins, [&](const char* name, const auto& a, const auto& b) {
    differs(name, static_cast<std::uint64_t>(a.read()), static_cast<std::uint64_t>(b.read()));
  });
  std::vector<std::uint64_t> values(watched.outputs.size()), rtl_values(watched.outputs.size());
  WaveSampler(watched.outputs).read(values.data());
  WaveSampler(watched.rtl_outputs).read(rtl_values.data());
  for (std::size_t i = 0; i < values.size(); ++i) {
    differs(watched.outputs[i].scope + "." + watched.outputs[i].name, values[i], rtl_values[i]);
  }
  return differences > 1 ? fmt::format("{} (and {} more signals)", first, differences - 1) : first;
}

}  // namespace heddle
