// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "isa/launch.h"
#include "report/text.h"

namespace heddle {

void Progress::launch_begin(const Launch& launch, const AddressSpace& /*memory*/) {
  kernel_ = launch.kernel;
  ++launches_;
  blocks_ = launch.blocks();
  blocks_ended_ = 0;
}

void Progress::show(Cycle cycle) {
  constexpr std::uint64_t kBarWidth = 24;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  shown_ = true;
  const std::uint64_t filled = blocks_ == 0 ? 0 : blocks_ended_ * kBarWidth / blocks_;
  const double seconds = std::chrono::duration<double>(now - begin_).count();
  const std::string line =
      fmt::format("{}: launch {} ({}) [{:#<{}}{:.<{}}] {}/{} blocks, cycle {}, {} warp instructions/s", title_,
                  launches_, kernel_, "", filled, "", kBarWidth - filled, blocks_ended_, blocks_, grouped(cycle),
                  grouped(static_cast<std::uint64_t>(static_cast<double>(instructions_) / seconds)));
  std::fprintf(stderr, "\r%s\x1b[K", line.c_str());
  std::fflush(stderr);
}

void Progress::clear() {
  if (shown_) std::fputs("\r\x1b[K", stderr);
}

}  // namespace heddle
