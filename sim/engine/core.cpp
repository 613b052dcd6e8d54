// SPDX-License-Identifier: Apache-2.0
#include "engine/core.h"

#include <fmt/format.h>

#include "barrel/barrel_backend.h"
#include "barrel/reference_sources.h"
#include "core/backend.h"
#include "heddle/error.h"

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

}  // namespace

Core::Core(const Config& config, Engine engine, const Watch& watch, const Program& program)
    : context_(std::make_unique<sc_core::sc_simcontext>()) {
  make_current(context_.get());
  clk_ = std::make_unique<sc_core::sc_clock>("clk", kPeriodNs, sc_core::SC_NS);
  rst_n_ = std::make_unique<sc_core::sc_signal<bool>>("rst_n");
  if (std::unique_ptr<WarpSource> reference = make_reference_source(config)) {
    if (engine != Engine::kSystemC) {
      throw bad_input("engine", fmt::format("mechanism {} is a reference model without RTL: use --engine systemc", config.mechanism));
    }
    if (!watch.trace.path.empty()) {
      throw bad_input("option", fmt::format("--wave {}: mechanism {} is a reference model without signals", watch.trace.path, config.mechanism));
    }
    backend_ = std::make_unique<BarrelBackend>("barrel", config, std::move(reference));
    backend_->clk(*clk_);
    return;
  }
  const FrontendMechanism& mechanism = frontend_mechanism(config.mechanism);
  if (engine != Engine::kSystemC && !mechanism.rtl) {
    throw bad_input("engine", fmt::format("this build has no RTL of mechanism {}: configure with -DHEDDLE_RTL=ON, or use --engine systemc",
                                          config.mechanism));
  }

  std::vector<FrontendPins*> pins;
  std::vector<const FrontendView*> views;
  std::vector<std::unique_ptr<Monitored>> monitored;
  for (unsigned s = 0; s < config.core.schedulers; ++s) {
    schedulers_.push_back(std::make_unique<Scheduler>());
    Scheduler& scheduler = *schedulers_.back();
    const std::string name = fmt::format("frontend{}", s);
    const std::string rtl_name = name + "_rtl";
    if (engine == Engine::kRtl) {
      scheduler.frontend = mechanism.rtl({config, rtl_name.c_str(), *clk_, *rst_n_, scheduler.pins, scheduler.pins});
    } else {
      scheduler.frontend = mechanism.systemc({config, name.c_str(), *clk_, *rst_n_, scheduler.pins, scheduler.pins});
    }
    if (engine == Engine::kCosim) {
      scheduler.rtl = mechanism.rtl({config, rtl_name.c_str(), *clk_, *rst_n_, scheduler.pins, scheduler.rtl_pins});
    }
    pins.push_back(&scheduler.pins);
    views.push_back(scheduler.frontend.get());
    monitored.push_back(monitor_frontend(config, s, {&scheduler.pins, scheduler.frontend.get(),
                                                     engine == Engine::kCosim ? &scheduler.rtl_pins : nullptr, scheduler.rtl.get()}));
  }
  backend_ = std::make_unique<Backend>("backend", config, pins, views);
  backend_->clk(*clk_);
  if (engine == Engine::kCosim || !watch.trace.path.empty()) {
    monitor_ = std::make_unique<Monitor>("monitor", engine, std::move(monitored), *backend_, watch.trace, watch.mismatch_wave, program);
    monitor_->clk(*clk_);
  }
}

Core::~Core() {
  make_current(context_.get());
  monitor_.reset();
  backend_.reset();
  schedulers_.clear();
  rst_n_.reset();
  clk_.reset();
  make_current(nullptr);
}

void Core::run(const Launch& launch, AddressSpace& space, MemoryInterface& memory, Observer* observer, std::ostream& text) {
  make_current(context_.get());
  backend_->begin(launch, space, memory, observer, text);
  rst_n_->write(false);
  sc_core::sc_start(kResetCycles * kPeriodNs, sc_core::SC_NS);
  rst_n_->write(true);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  backend_->go();
  if (monitor_ != nullptr) monitor_->begin_launch();
  while (!backend_->finished()) sc_core::sc_start();
  if (monitor_ != nullptr) monitor_->end_launch();
  if (backend_->error()) std::rethrow_exception(backend_->error());
}

}  // namespace heddle
