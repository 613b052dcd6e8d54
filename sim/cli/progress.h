// SPDX-License-Identifier: Apache-2.0
// A progress line on standard error for runs that take longer than a second. Only for terminals.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "heddle/observer.h"

namespace heddle {

class Progress final : public Observer {
 public:
  explicit Progress(std::string title) : title_(std::move(title)) {}

  void launch_begin(const Launch& launch, const AddressSpace& memory) override;
  void commit(const CommitEvent& event) override {
    if ((++instructions_ & 0xffff) == 0) show(event.cycle);
  }
  void block_end(Cycle, unsigned) override { ++blocks_ended_; }
  // Takes the line off the screen.
  void clear();

 private:
  void show(Cycle cycle);

  using Clock = std::chrono::steady_clock;
  std::string title_;
  std::string kernel_;
  std::uint64_t launches_ = 0, blocks_ = 0, blocks_ended_ = 0, instructions_ = 0;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_ = begin_ + std::chrono::seconds(1);
  bool shown_ = false;
};

}  // namespace heddle
