// SPDX-License-Identifier: Apache-2.0
// Several observers as one. With one or none there is no indirection.
#pragma once

#include <vector>

#include "heddle/observer.h"

namespace heddle {

class ObserverList final : public Observer {
 public:
  void add(Observer& observer) { observers_.push_back(&observer); }
  // What to hand to the core: nothing, the only one, or this list.
  [[nodiscard]] Observer* get() {
    return observers_.empty() ? nullptr : observers_.size() == 1 ? observers_.front() : this;
  }

  void launch_begin(const Launch& launch, const AddressSpace& memory) override {
    for (Observer* o : observers_) o->launch_begin(launch, memory);
  }
  void block_begin(Cycle cycle, unsigned block_slot, std::uint64_t block) override {
    for (Observer* o : observers_) o->block_begin(cycle, block_slot, block);
  }
  void warp_begin(Cycle cycle, WarpId warp, unsigned block_slot, std::uint32_t warp_in_block,
                  LaneMask threads) override {
    for (Observer* o : observers_) o->warp_begin(cycle, warp, block_slot, warp_in_block, threads);
  }
  void commit(const CommitEvent& event) override {
    for (Observer* o : observers_) o->commit(event);
  }
  void stopping(Cycle cycle, WarpId warp, Pc pc, LaneMask mask, int lane) override {
    for (Observer* o : observers_) o->stopping(cycle, warp, pc, mask, lane);
  }
  void formed_warp(Cycle cycle, Pc pc, LaneMask mask, const std::uint16_t* tids) override {
    for (Observer* o : observers_) o->formed_warp(cycle, pc, mask, tids);
  }
  void push(Cycle cycle, WarpId warp) override {
    for (Observer* o : observers_) o->push(cycle, warp);
  }
  void pop(Cycle cycle, WarpId warp) override {
    for (Observer* o : observers_) o->pop(cycle, warp);
  }
  void stack_changed(Cycle cycle, WarpId warp, const FrontendView& view, unsigned local) override {
    for (Observer* o : observers_) o->stack_changed(cycle, warp, view, local);
  }
  void barrier_release(Cycle cycle, unsigned block_slot) override {
    for (Observer* o : observers_) o->barrier_release(cycle, block_slot);
  }
  void warp_end(Cycle cycle, WarpId warp) override {
    for (Observer* o : observers_) o->warp_end(cycle, warp);
  }
  void block_end(Cycle cycle, unsigned block_slot) override {
    for (Observer* o : observers_) o->block_end(cycle, block_slot);
  }
  void launch_end(Cycle cycle, const AddressSpace& memory) override {
    for (Observer* o : observers_) o->launch_end(cycle, memory);
  }

 private:
  std::vector<Observer*> observers_;
};

}  // namespace heddle
