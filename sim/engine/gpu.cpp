// SPDX-License-Identifier: Apache-2.0
#include "engine/gpu.h"

#include <algorithm>
#include <numeric>
#include <ostream>

namespace heddle {
namespace {

constexpr Cycle kWindow = 32;           // where nothing but stores goes from one SM to another
constexpr std::uint64_t kWorthIt = 16;  // cycles of SMs, of half a microsecond and more, that others do beside the
                                        // busiest one: less is not worth calling them

unsigned useful_threads(const Config& config, unsigned asked) {
  const unsigned processors = HostThreads::processors();
  return std::min({asked == 0 ? processors : asked, processors, config.gpu.sms});
}

}  // namespace

Gpu::Gpu(const Config& config, unsigned host_threads)
    : config_(config),
      window_(config.memory.kind == MemoryKind::kHierarchy ? config.noc.latency : kWindow),
      texts_(config.gpu.sms),
      stopped_(config.gpu.sms),
      stepped_(config.gpu.sms),
      threads_(useful_threads(config, host_threads), config.gpu.sms + config.dram.channels) {
  if (config.memory.kind == MemoryKind::kHierarchy) system_ = std::make_unique<MemorySystem>(config, config.gpu.sms);
  for (unsigned sm = 0; sm < config.gpu.sms; ++sm) {
    if (!system_) memories_.push_back(make_memory(config));
    sms_.push_back(std::make_unique<Sm>(config, Engine::kSystemC));
  }
}

void Gpu::begin(const Launch& launch, AddressSpace& space, Observer* observer, std::ostream& text) {
  if (system_) system_->reset();
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (views_.size() == sm) views_.push_back(std::make_unique<AddressSpace>(config_, space, sm));
    views_[sm]->follow(space);
    MemoryInterface& memory = system_ ? static_cast<MemoryInterface&>(system_->port(sm)) : *memories_[sm];
    sms_[sm]->begin(launch, *views_[sm], memory, sm == 0 ? observer : nullptr, texts_[sm]);
    sms_[sm]->backend().take_blocks_from_outside();
    sms_[sm]->backend().go();
  }
  blocks_ = launch.blocks();
  next_block_ = 0;
  turn_ = 0;
  text_ = &text;
}

void Gpu::run() {
  for (Cycle end = window_; running() && !first_error(); end += window_) {
    give_blocks();
    run_window(end);
    if (system_) system_->exchange();
    look_for_livelock();
    write_text();
  }
  if (const std::exception_ptr error = first_error()) std::rethrow_exception(error);
  const Cycle end = now();
  for (const auto& sm : sms_) sm->backend().idle_until(end);
}

void Gpu::give_blocks() {
  if (next_block_ == blocks_) return;
  for (unsigned full = 0; next_block_ < blocks_ && full < sms_.size();
       turn_ = (turn_ + 1) % static_cast<unsigned>(sms_.size())) {
    CoreBackend& backend = sms_[turn_]->backend();
    if (!backend.has_room_for_block()) {
      ++full;
      continue;
    }
    backend.give_block(next_block_++);
    full = 0;
  }
  if (next_block_ < blocks_) return;
  for (const auto& sm : sms_) sm->backend().no_more_blocks();
}

void Gpu::run_window(Cycle end) {
  for (const auto& view : views_) view->begin_window();
  const auto sms = static_cast<unsigned>(sms_.size()), channels = system_ ? system_->channels() : 0;
  const std::function<void(unsigned)> task = [&](unsigned n) {
    if (n < sms) {
      sms_[n]->backend().memory_hears_from_outside();
      stepped_[n] = run_until_alone(n, end);
    } else {
      system_->run_channel(n - sms, end - window_, end);
    }
  };
  const std::function<void(unsigned)> go_on = [&](unsigned n) { stepped_[n] = run_until_alone(n, end); };
  run_tasks(sms + channels, task, window_steps_);
  while (std::any_of(stopped_.begin(), stopped_.end(), [](char stopped) { return stopped != 0; })) {
    do_what_needs_memory_alone(end);
    run_tasks(sms, go_on, go_on_steps_);
  }
  for (const auto& view : views_) view->end_window();
}

void Gpu::run_tasks(unsigned count, const std::function<void(unsigned)>& task, std::uint64_t& steps) {
  if (steps >= kWorthIt) {
    threads_.run(count, task);
  } else {
    for (unsigned n = 0; n < count; ++n) task(n);
  }
  steps = std::accumulate(stepped_.begin(), stepped_.end(), std::uint64_t{0}) -
          *std::max_element(stepped_.begin(), stepped_.end());
}

// Returns how many cycles it took that were not passed over.
unsigned Gpu::run_until_alone(unsigned sm, Cycle end) {
  Sm& core = *sms_[sm];
  CoreBackend& backend = core.backend();
  stopped_[sm] = 0;
  core.skip(end);
  unsigned steps = 0;
  for (; !backend.finished() && backend.now() < end; ++steps) {
    if (backend.needs_global_memory_alone()) {
      stopped_[sm] = 1;
      break;
    }
    core.cycle();
    core.skip(end);
  }
  return steps;
}

void Gpu::do_what_needs_memory_alone(Cycle end) {
  for (const auto& view : views_) view->end_window();
  std::vector<unsigned> order;
  for (unsigned sm = 0; sm < sms_.size(); ++sm) {
    if (stopped_[sm] != 0) order.push_back(sm);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](unsigned a, unsigned b) { return sms_[a]->backend().now() < sms_[b]->backend().now(); });
  for (const unsigned sm : order) {
    CoreBackend& backend = sms_[sm]->backend();
    do {
      sms_[sm]->cycle();
    } while (!backend.finished() && backend.now() < end && backend.needs_global_memory_alone());
  }
  for (const auto& view : views_) view->begin_window();
}

// An SM that waits for another one's store does nothing else than an SM that waits in vain: all must do so.
void Gpu::look_for_livelock() {
  Cycle last = 0;
  for (const auto& sm : sms_) last = std::max(last, sm->backend().last_progress());
  CoreBackend* first = nullptr;
  for (const auto& sm : sms_) {
    CoreBackend& backend = sm->backend();
    if (backend.finished()) continue;
    if (!backend.repeats_itself_since(last + window_)) return;
    if (first == nullptr) first = &backend;
  }
  if (first != nullptr) first->stop_repeating();
}

void Gpu::write_text() {
  for (std::ostringstream& of_sm : texts_) {
    if (of_sm.tellp() == std::streampos(0)) continue;
    *text_ << of_sm.str();
    of_sm.str({});
  }
}

std::exception_ptr Gpu::first_error() const {
  const CoreBackend* first = nullptr;
  for (const auto& sm : sms_) {
    if (sm->backend().error() && (first == nullptr || sm->backend().now() < first->now())) first = &sm->backend();
  }
  return first == nullptr ? nullptr : first->error();
}

void Gpu::set_stop_flag(const std::atomic<bool>* flag) {
  for (const auto& sm : sms_) sm->backend().set_stop_flag(flag);
}

Stats Gpu::take_stats() {
  Stats stats = sms_.front()->backend().take_stats();
  for (std::size_t sm = 1; sm < sms_.size(); ++sm) stats.add_sm(sms_[sm]->backend().take_stats());
  if (system_) system_->add_to(stats);
  return stats;
}

Cycle Gpu::now() const {
  Cycle now = 0;
  for (const auto& sm : sms_) now = std::max(now, sm->backend().now());
  return now;
}

bool Gpu::running() const {
  return std::any_of(sms_.begin(), sms_.end(), [](const auto& sm) { return !sm->backend().finished(); });
}

}  // namespace heddle
