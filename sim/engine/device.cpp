// SPDX-License-Identifier: Apache-2.0
#include "heddle/device.h"

#include <fmt/format.h>

#include <iostream>

#include "config/config.h"
#include "engine/core.h"
#include "engine/observers.h"
#include "heddle/error.h"
#include "isa/launch.h"
#include "mechanisms/mechanism.h"
#include "memory/address_space.h"
#include "oracle/functional.h"
#include "oracle/oracle.h"
#include "program/loader.h"

namespace heddle {

const char* engine_name(Engine engine) {
  switch (engine) {
    case Engine::kSystemC: return "systemc";
    case Engine::kRtl: return "rtl";
    case Engine::kCosim: break;
  }
  return "cosim";
}

std::optional<Engine> find_engine(const std::string& name) {
  for (const Engine engine : {Engine::kSystemC, Engine::kRtl, Engine::kCosim}) {
    if (name == engine_name(engine)) return engine;
  }
  return std::nullopt;
}

class Device::Implementation {
 public:
  Implementation(const Config& config, Engine engine, bool heap_at_its_addresses)
      : config_(config),
        engine_(engine),
        space_(config, heap_at_its_addresses) {
    check_config(config_);
    check_engine(config_, engine_);
    if (config_.run.oracle && config_.gpu.sms == 1) {
      oracle_ = std::make_unique<Oracle>(config_);
      observers_.add(*oracle_);
    }
  }

  const Config config_;
  const Engine engine_;
  Watch watch_;
  AddressSpace space_;
  std::unique_ptr<Oracle> oracle_;
  ObserverList observers_;
  std::ostream* text_ = &std::cout;
  const std::atomic<bool>* stop_flag_ = nullptr;
  unsigned host_threads_ = 0;
  std::unique_ptr<Program> program_;
  // A program of which a part was compiled for the mechanism, and a part was not, would leave threads apart in places.
  void check_forms(const Program& program) const {
    const std::string form = kernel_form(config_);
    const auto& forms = program.forms;
    if (forms.size() < 2 || forms.count(form) == 0) return;
    throw bad_input("elf", fmt::format("{}: a part of the program was compiled without {}, which mechanism {} needs: "
                                       "compile all of it so",
                                       program.path, option_of_form(form), config_.mechanism));
  }

  std::unique_ptr<Core> core_;
  std::unique_ptr<FunctionalRunner> functional_;
  std::vector<Stats> launches_;
  bool last_launch_only_ = false;
  std::uint64_t launch_count_ = 0;
  Stats total_;
};

Device::Device(const Config& config, Engine engine, bool heap_at_its_addresses)
    : self_(std::make_unique<Implementation>(config, engine, heap_at_its_addresses)) {}
Device::~Device() = default;

void Device::load(const std::string& elf_path) {
  if (self_->core_ != nullptr)
    throw bad_input("elf", fmt::format("{}: a program is already running on this device", elf_path));
  auto program = std::make_unique<Program>(load_program(elf_path));
  self_->check_forms(*program);
  self_->space_.load(*program);
  self_->program_ = std::move(program);
}

void Device::load_module(const std::string& name, std::vector<char> elf) {
  if (self_->core_ != nullptr)
    throw bad_input("elf", fmt::format("{}: a program is already running on this device", name));
  Program module = load_program(name, std::move(elf));
  if (self_->program_ != nullptr) {
    add_module(*self_->program_, std::move(module));
    self_->space_.load(*self_->program_);
  } else {
    self_->space_.load(module);
    self_->program_ = std::make_unique<Program>(std::move(module));
  }
  self_->check_forms(*self_->program_);
}

Stats Device::launch_functional(const std::string& kernel, Dim3 grid, Dim3 block, const KernelArguments& arguments,
                                std::uint32_t dynamic_shared, bool cooperative) {
  Implementation& self = *self_;
  if (self.program_ == nullptr) throw bad_input("kernel", fmt::format("kernel {}: no program is loaded", kernel));
  if (self.functional_ == nullptr) {
    self.functional_ = std::make_unique<FunctionalRunner>(self.config_, self.space_);
    self.functional_->set_text_sink([&self](unsigned, const std::string& text) { *self.text_ << text; });
  }
  self.functional_->set_stop_flag(self.stop_flag_);
  const std::uint64_t before = self.functional_->thread_instructions();
  Launch launch = make_launch(*self.program_, find_kernel(*self.program_, kernel), grid, block, arguments,
                              dynamic_shared, self.config_);
  launch.cooperative = cooperative;
  if (cooperative) check_resident(launch, self.config_, 1);
  self.functional_->run(launch);
  Stats stats;
  stats.thread_instructions = self.functional_->thread_instructions() - before;
  stats.exits = self.functional_->exits();
  stats.lanes = self.config_.core.lanes;
  return stats;
}

bool Device::heap_at_its_addresses() const { return self_->space_.heap_at_its_addresses(); }

Address Device::allocate(std::uint64_t bytes) { return self_->space_.allocate(bytes); }
void Device::release(Address buffer) {
  if (!self_->space_.release(buffer))
    throw bad_input(
        "memory",
        fmt::format("{:#010x} is given back, and no buffer begins there: give back what allocate() returned, once",
                    buffer),
        ErrorKind::kOutsideBuffers);
}
std::optional<Device::Buffer> Device::buffer(Address address, std::uint64_t bytes) const {
  const Heap::Block* block = self_->space_.buffers().find(address, bytes);
  return block == nullptr ? std::nullopt : std::optional<Buffer>({block->begin, block->bytes});
}
bool Device::map_host(void* begin, std::uint64_t bytes) {
  return self_->space_.map_host(static_cast<std::uint8_t*>(begin), bytes);
}
bool Device::unmap_host(const void* begin) { return self_->space_.unmap_host(static_cast<const std::uint8_t*>(begin)); }
std::uint64_t Device::allocated() const { return self_->space_.buffers().used(); }
std::uint64_t Device::heap_bytes() const { return self_->space_.buffers().limit(); }
void Device::write(Address destination, const void* source, std::uint64_t bytes) {
  self_->space_.write(destination, source, bytes);
}
void Device::read(Address source, void* destination, std::uint64_t bytes) {
  self_->space_.read(source, destination, bytes);
}

void Device::launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
                    std::uint32_t float_mask, std::uint32_t dynamic_shared) {
  if (self_->program_ == nullptr) throw bad_input("kernel", fmt::format("kernel {}: no program is loaded", kernel));
  const Program& program = *self_->program_;
  launch_with(kernel, grid, block,
              word_arguments(arguments, float_mask, program, find_kernel(program, kernel), self_->config_),
              dynamic_shared);
}

void Device::launch_with(const std::string& kernel, Dim3 grid, Dim3 block, const KernelArguments& arguments,
                         std::uint32_t dynamic_shared, bool cooperative) {
  Implementation& self = *self_;
  if (self.program_ == nullptr) throw bad_input("kernel", fmt::format("kernel {}: no program is loaded", kernel));
  if (self.stop_flag_ != nullptr && self.stop_flag_->load()) {
    throw machine_stopped("interrupted",
                          fmt::format("kernel {} was stopped from outside before its first cycle", kernel));
  }
  const Launch launch = make_launch(*self.program_, find_kernel(*self.program_, kernel), grid, block, arguments,
                                    dynamic_shared, self.config_);
  if (cooperative) check_resident(launch, self.config_, self.config_.gpu.sms);
  if (self.core_ == nullptr)
    self.core_ = make_core(self.config_, self.engine_, self.watch_, *self.program_, self.host_threads_);
  self.core_->set_stop_flag(self.stop_flag_);
  const auto account = [&] {
    if (self.last_launch_only_) self.launches_.clear();
    self.launches_.push_back(self.core_->take_stats());
    ++self.launch_count_;
    self.total_.add(self.launches_.back());
  };
  self.core_->begin(launch, self.space_, self.observers_.get(), *self.text_);
  try {
    self.core_->run();
  } catch (...) {
    account();
    throw;
  }
  account();
}

const std::optional<std::vector<Parameter>>& Device::parameters(const std::string& kernel) const {
  if (self_->program_ == nullptr) throw bad_input("kernel", fmt::format("kernel {}: no program is loaded", kernel));
  return find_kernel(*self_->program_, kernel).parameters;
}

const Config& Device::config() const { return self_->config_; }
const Program& Device::program() const { return *self_->program_; }
const Stats& Device::stats() const { return self_->total_; }
const std::vector<Stats>& Device::launches() const { return self_->launches_; }
std::uint64_t Device::launch_count() const { return self_->launch_count_; }
void Device::keep_last_launch_only() { self_->last_launch_only_ = true; }

Cycle Device::cycles() const {
  return self_->total_.cycles + (self_->core_ != nullptr && self_->core_->running() ? self_->core_->now() : 0);
}

void Device::add_observer(Observer& observer) { self_->observers_.add(observer); }
void Device::set_trace(const TraceOptions& trace) { self_->watch_.trace = trace; }
void Device::set_mismatch_wave(const std::string& path) { self_->watch_.mismatch_wave = path; }
void Device::set_host_threads(unsigned count) { self_->host_threads_ = count; }
void Device::set_stop_flag(const std::atomic<bool>* flag) { self_->stop_flag_ = flag; }

void Device::finish_trace() {
  if (self_->core_ != nullptr) self_->core_->finish_trace();
}

void Device::set_text_output(std::ostream& text) { self_->text_ = &text; }

}  // namespace heddle
