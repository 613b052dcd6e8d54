// SPDX-License-Identifier: Apache-2.0
#include "engine/clocked_core.h"

#include <fmt/format.h>

#include "barrel/barrel_backend.h"
#include "barrel/dwf_source.h"
#include "barrel/warp_source.h"
#include "core/backend.h"
#include "engine/direct_core.h"
#include "engine/gpu.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"

// libsystemc brings a main() that calls sc_main(); a program with a main() of its own needs neither.
extern "C" __attribute__((weak)) int sc_main(int, char**) { return 0; }

namespace heddle {
namespace {

constexpr double kPeriodNs = 1.0;
constexpr double kResetCycles = 2.0;

// SystemC has one current simulation per process; a core makes its own the current one while it uses the kernel.
void make_current(sc_core::sc_simcontext* context) {
  sc_core::sc_curr_simcontext = context;
  sc_core::sc_default_global_context = context;
}

Error no_module(const Config& config) {
  return bad_input(
      "engine",
      fmt::format(
          "mechanism {} has no module for the SystemC kernel, in which waves and engine cosim run: register one "
          "(docs/add_a_mechanism.md), or leave them out",
          config.mechanism));
}

}  // namespace

ClockedCore::Process::Process(sc_core::sc_module_name name, CoreBackend& backend) : sc_module(name), backend_(backend) {
  SC_HAS_PROCESS(Process);
  SC_METHOD(edge);
  sensitive << clk.pos();
  dont_initialize();
}

void ClockedCore::Process::edge() {
  if (backend_.finished()) return;
  backend_.edge();
  if (backend_.finished()) sc_core::sc_pause();
}

ClockedCore::ClockedCore(const Config& config, Engine engine, const Watch& watch, const Program& program)
    : context_(std::make_unique<sc_core::sc_simcontext>()),
      memory_(make_memory(config)) {
  make_current(context_.get());
  clk_ = std::make_unique<sc_core::sc_clock>("clk", kPeriodNs, sc_core::SC_NS);
  rst_n_ = std::make_unique<sc_core::sc_signal<bool>>("rst_n");
  std::vector<std::unique_ptr<Monitored>> monitored;
  switch (mechanism_kind(config.mechanism)) {
    case MechanismKind::kFrontend: build_frontends(config, engine, monitored); break;
    case MechanismKind::kFormation: build_formation(config, engine, monitored); break;
    case MechanismKind::kReference: build_reference(config, watch); break;
  }
  process_ = std::make_unique<Process>("core", *backend_);
  process_->clk(*clk_);
  if (engine == Engine::kCosim || !watch.trace.path.empty()) {
    monitor_ = std::make_unique<Monitor>("monitor", engine, std::move(monitored), *backend_, watch.trace,
                                         watch.mismatch_wave, program);
    monitor_->clk(*clk_);
  }
}

void ClockedCore::build_frontends(const Config& config, Engine engine,
                                  std::vector<std::unique_ptr<Monitored>>& monitored) {
  const FrontendMechanism& mechanism = frontend_mechanism(config.mechanism);
  if (engine != Engine::kRtl && !mechanism.systemc) throw no_module(config);
  std::vector<FrontendPins*> pins;
  std::vector<const FrontendView*> views;
  for (unsigned s = 0; s < config.core.schedulers; ++s) {
    schedulers_.push_back(std::make_unique<Scheduler>());
    Scheduler& scheduler = *schedulers_.back();
    const std::string name = fmt::format("frontend{}", s);
    const std::string rtl_name = name + "_rtl";
    if (engine == Engine::kRtl) {
      scheduler.frontend = mechanism.rtl({config, rtl_name.c_str(), *clk_, *rst_n_, scheduler.pins, scheduler.pins});
    } else {
      scheduler.frontend = mechanism.systemc({config, name.c_str(), *clk_, *rst_n_, scheduler.pins, scheduler.pins});
      if (scheduler.frontend == nullptr) throw no_module(config);
    }
    if (engine == Engine::kCosim) {
      scheduler.rtl = mechanism.rtl({config, rtl_name.c_str(), *clk_, *rst_n_, scheduler.pins, scheduler.rtl_pins});
    }
    pins.push_back(&scheduler.pins);
    views.push_back(scheduler.frontend.get());
    monitored.push_back(
        monitor_frontend(config, s,
                         {&scheduler.pins, scheduler.frontend.get(),
                          engine == Engine::kCosim ? &scheduler.rtl_pins : nullptr, scheduler.rtl.get()}));
  }
  backend_ = std::make_unique<Backend<FrontendPins>>(config, pins, views, capabilities_of(mechanism, config),
                                                     unit_of(mechanism, config));
}

void ClockedCore::build_formation(const Config& config, Engine engine,
                                  std::vector<std::unique_ptr<Monitored>>& monitored) {
  const DwfEngines& engines = dwf_engines();
  formation_ = std::make_unique<Formation>();
  Formation& formation = *formation_;
  const DwfFactory& driver = engine == Engine::kRtl ? engines.rtl : engines.systemc;
  formation.scheduler = driver({config, "dwf_scheduler", *clk_, *rst_n_, formation.pins.in, formation.pins.out});
  const Wire<DwfOutputs>* rtl_out = nullptr;
  if (engine == Engine::kCosim) {
    formation.rtl = engines.rtl({config, "dwf_scheduler_rtl", *clk_, *rst_n_, formation.pins.in, formation.rtl_out});
    rtl_out = &formation.rtl_out;
  }
  monitored.push_back(monitor_dwf(config, {&formation.pins, formation.scheduler.get(), rtl_out, formation.rtl.get()}));
  backend_ =
      std::make_unique<BarrelBackend>(config, std::make_unique<DwfSource<DwfPins>>(formation.pins, config.core.lanes));
}

void ClockedCore::build_reference(const Config& config, const Watch& watch) {
  if (!watch.trace.path.empty()) {
    throw bad_input(
        "option",
        fmt::format("--wave {}: mechanism {} is a reference model without signals; choose another one or leave "
                    "out the wave",
                    watch.trace.path, config.mechanism));
  }
  backend_ = std::make_unique<BarrelBackend>(config, find_mechanism(config.mechanism)->source_of_warps()(config));
}

ClockedCore::~ClockedCore() {
  make_current(context_.get());
  monitor_.reset();
  process_.reset();
  backend_.reset();
  formation_.reset();
  schedulers_.clear();
  rst_n_.reset();
  clk_.reset();
  make_current(nullptr);
}

void ClockedCore::begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) {
  make_current(context_.get());
  backend_->begin(launch, space, *memory_, observer, text);
  for (const std::unique_ptr<Scheduler>& scheduler : schedulers_) {
    scheduler->frontend->begin_launch(backend_->warp_slots());
    if (scheduler->rtl != nullptr) scheduler->rtl->begin_launch(backend_->warp_slots());
  }
}

void ClockedCore::run() {
  make_current(context_.get());
  rst_n_->write(false);
  sc_core::sc_start(kResetCycles * kPeriodNs, sc_core::SC_NS);
  rst_n_->write(true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  backend_->go();
  if (monitor_ != nullptr) monitor_->begin_launch(backend_->warp_slots());
  while (!backend_->finished()) sc_core::sc_start();
  if (monitor_ != nullptr) monitor_->end_launch();
  if (backend_->error()) std::rethrow_exception(backend_->error());
}

void check_engine(const Config& config, Engine engine) {
  if (engine == Engine::kSystemC || Sm::exists(config, engine)) return;
  const MechanismKind kind = mechanism_kind(config.mechanism);
  if (kind == MechanismKind::kReference) {
    throw bad_input(
        "engine", fmt::format("mechanism {} is a reference model without RTL: use --engine systemc", config.mechanism));
  }
  if (kind == MechanismKind::kFrontend ? !frontend_mechanism(config.mechanism).rtl : !dwf_engines().rtl) {
    const Mechanism* mechanism = find_mechanism(config.mechanism);
    const std::string library = mechanism == nullptr ? "" : library_of(*mechanism);
    throw bad_input(
        "engine", library.empty()
                      ? fmt::format("this build has no Verilated model of mechanism {}: run scripts/build, or use "
                                    "--engine systemc",
                                    config.mechanism)
                      : fmt::format("plug-in {} has no Verilated model of mechanism {}: use --engine systemc", library,
                                    config.mechanism));
  }
}

std::unique_ptr<Core> make_core(const Config& config, Engine engine, const Watch& watch, const Program& program,
                                unsigned host_threads) {
  const bool direct = watch.trace.path.empty() && Sm::exists(config, engine);
  if (config.gpu.sms > 1) {
    if (direct && engine == Engine::kSystemC) return std::make_unique<Gpu>(config, host_threads);
    throw bad_input("engine", fmt::format("gpu.sms = {}: {}; set gpu.sms=1", config.gpu.sms,
                                          engine != Engine::kSystemC ? "several SMs run on engine systemc only"
                                          : !watch.trace.path.empty()
                                              ? "a wave is of one SM"
                                              : "mechanism " + config.mechanism + " runs in the SystemC kernel only"));
  }
  if (direct) return std::make_unique<DirectCore>(config, engine);
  return std::make_unique<ClockedCore>(config, engine, watch, program);
}

}  // namespace heddle
