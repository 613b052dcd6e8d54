// SPDX-License-Identifier: Apache-2.0
#include "engine/monitor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "heddle/error.h"
#include "wave/gtkw.h"

namespace heddle {

Monitor::Monitor(sc_core::sc_module_name name, Engine engine, std::vector<std::unique_ptr<Monitored>> watched,
                 CoreBackend& backend, const TraceOptions& trace, std::string mismatch_wave, const Program& program)
    : sc_module(name),
      clk("clk"),
      backend_(backend),
      watched_(std::move(watched)),
      mismatch_wave_(std::move(mismatch_wave)),
      trace_(trace),
      program_(program) {
  const std::string driver = engine == Engine::kRtl ? "rtl" : "systemc";
  std::vector<WaveProbe> probes;
  const auto add = [&probes](std::vector<WaveProbe> list) {
    for (WaveProbe& probe : list) probes.push_back(std::move(probe));
  };
  for (const std::unique_ptr<Monitored>& unit : watched_) {
    add(unit->waves(Monitored::Side::kDriver, driver + "." + unit->name()));
    if (engine == Engine::kCosim) add(unit->waves(Monitored::Side::kRtl, "rtl." + unit->name()));
  }
  if (!trace.path.empty()) {
    const Monitored& first = *watched_.front();
    recorder_ = std::make_unique<WaveRecorder>(trace.path, probes, trace.start, trace.end);
    open_scope_ = fmt::format("{}.{}.{}", driver, first.name(), first.first_view());
  }
  if (engine == Engine::kCosim) ring_ = std::make_unique<WaveRing>(probes, kMismatchCycles);
  probes_ = std::move(probes);
  SC_HAS_PROCESS(Monitor);
  SC_METHOD(sample);
  sensitive << clk.neg();
  dont_initialize();
}

Monitor::~Monitor() {
  try {
    finish_trace();
  } catch (const Error& error) {
    std::fprintf(stderr, "heddle: %s\n%s", error.what(), error.details().c_str());
  }
}

void Monitor::finish_trace() {
  if (trace_finished_) return;
  trace_finished_ = true;
  const Cycle last = base_ + (watching_ ? backend_.now() : 0);
  watching_ = false;
  if (recorder_ != nullptr) {
    failures_.attempt([&] {  // what lies beside a wave is of no use without it
      recorder_->finish();
      write_gtkw(trace_.path, probes_, &program_, open_scope_, trace_.start, std::min(trace_.end, last));
    });
  }
  failures_.raise();
}

void Monitor::begin_launch(unsigned warps) {
  for (const std::unique_ptr<Monitored>& unit : watched_) unit->begin_launch(warps);
  if (ring_ != nullptr) ring_->begin(warps);
  watching_ = true;
}

void Monitor::end_launch() {
  watching_ = false;
  base_ += backend_.now();
}

void Monitor::sample() {
  if (!watching_) return;
  const Cycle cycle = base_ + backend_.now();
  if (ring_ == nullptr && !recorder_->wants(cycle)) return;
  bool changed = false;
  for (const std::unique_ptr<Monitored>& unit : watched_) changed = unit->sample() || changed;
  try {
    if (recorder_ != nullptr) recorder_->sample(cycle);
    if (ring_ != nullptr) {
      const auto different = std::find_if(watched_.begin(), watched_.end(),
                                          [](const std::unique_ptr<Monitored>& unit) { return !unit->equal(); });
      if (changed || different != watched_.end()) ring_->sample(cycle);
      else ring_->pass(cycle);
      if (different != watched_.end()) stop(**different);
    }
  } catch (...) {
    watching_ = false;
    backend_.fail(std::current_exception());
    sc_core::sc_pause();
  }
}

void Monitor::stop(const Monitored& watched) {
  std::string message = fmt::format("co-simulation mismatch at cycle {} of the launch, {}: {}", backend_.now(),
                                    watched.name(), describe_difference(watched));
  if (!mismatch_wave_.empty()) {
    try {
      ring_->write(mismatch_wave_);
      message += fmt::format("; the last {} cycles are in {}", kMismatchCycles, mismatch_wave_);
    } catch (const Error& error) {
      failures_.add(error);
    }
  }
  throw Error(ExitStatus::kWrongResult, "mismatch", message, backend_.state_dump());
}

std::string describe_difference(const Monitored& watched) {
  const std::vector<WaveProbe> outputs = watched.outputs(Monitored::Side::kDriver),
                               rtl_outputs = watched.outputs(Monitored::Side::kRtl);
  std::vector<std::uint64_t> values(outputs.size()), rtl_values(rtl_outputs.size());
  WaveSampler(outputs).read(values.data());
  WaveSampler(rtl_outputs).read(rtl_values.data());
  std::string first;
  unsigned differences = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == rtl_values[i]) continue;
    if (differences++ == 0) {
      first = fmt::format("{}{}{} is 0x{:x} in SystemC and 0x{:x} in RTL", outputs[i].scope,
                          outputs[i].scope.empty() ? "" : ".", outputs[i].name, values[i], rtl_values[i]);
    }
  }
  return differences > 1 ? fmt::format("{} (and {} more signals)", first, differences - 1) : first;
}

}  // namespace heddle
