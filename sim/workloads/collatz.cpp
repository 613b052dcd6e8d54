// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

class Collatz final : public Workload {
 public:
  explicit Collatz(const Settings& settings)
      : Workload(settings),
        count_(settings["count"]),
        block_(settings["block"]) {}

  void run(DeviceInterface& device) override {
    const Address odd = device.allocate(count_ * 4);
    const Address even = device.allocate(count_ * 4);
    const Address peaks = device.allocate(count_ * 4);
    launch(device, "collatz", {blocks_for(count_, block_)}, {block_}, odd, even, peaks, count_);
    odd_ = download<std::uint32_t>(device, odd, count_);
    even_ = download<std::uint32_t>(device, even, count_);
    peaks_ = download<std::uint32_t>(device, peaks, count_);
  }

  void check() const override {
    std::vector<std::uint32_t> odd(count_), even(count_), peaks(count_);
    for (std::uint32_t i = 0; i < count_; ++i) {
      std::uint64_t value = i + 1;
      std::uint64_t peak = value;
      while (value != 1) {
        const bool is_odd = value % 2 == 1;
        ++(is_odd ? odd : even)[i];
        value = is_odd ? 3 * value + 1 : value / 2;
        peak = std::max(peak, value);
      }
      peaks[i] = static_cast<std::uint32_t>(peak);
    }
    expect_equal("collatz: odd steps", odd_, odd);
    expect_equal("collatz: even steps", even_, even);
    expect_equal("collatz: peak", peaks_, peaks);
  }

 private:
  std::uint32_t count_;
  std::uint32_t block_;
  std::vector<std::uint32_t> odd_, even_, peaks_;
};

}  // namespace

WorkloadInfo collatz_workload() {
  return {
      "collatz",
      "Collatz sequences: odd and even numbers take two sides of a branch in a loop of data-dependent length",
      "well known",
      // From 159487 on a sequence leaves 32 bits.
      {{"count", "numbers, from 1", 256, 8192, 65536, 1, 159486}, {"block", "threads a block", 128, 256, 256, 1, 1024}},
      false,
      make<Collatz>};
}

}  // namespace heddle
