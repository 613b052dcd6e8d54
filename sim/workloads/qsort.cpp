// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

class Qsort final : public Workload {
 public:
  explicit Qsort(const Settings& settings)
      : Workload(settings),
        threads_(settings["threads"]),
        length_(settings["length"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    // Keys of a limited range, so that equal keys occur.
    for (std::size_t i = 0; i < std::size_t{threads_} * length_; ++i) {
      keys_.push_back(static_cast<std::int32_t>(random.below(16 * length_)) - static_cast<std::int32_t>(8 * length_));
    }
  }

  void run(DeviceInterface& device) override {
    const Address keys = upload(device, keys_);
    launch(device, "quicksort", {blocks_for(threads_, block_)}, {block_}, keys, length_, threads_);
    result_ = download<std::int32_t>(device, keys, keys_.size());
  }

  void check() const override {
    std::vector<std::int32_t> wanted(keys_.size());
    std::vector<std::int32_t> segment(length_);
    for (std::size_t t = 0; t < threads_; ++t) {
      for (std::size_t i = 0; i < length_; ++i) segment[i] = keys_[i * threads_ + t];
      std::sort(segment.begin(), segment.end());
      for (std::size_t i = 0; i < length_; ++i) wanted[i * threads_ + t] = segment[i];
    }
    expect_equal("qsort: key (element * threads + thread)", result_, wanted);
  }

 private:
  std::uint32_t threads_;
  std::uint32_t length_;
  std::uint32_t block_;
  std::vector<std::int32_t> keys_;
  std::vector<std::int32_t> result_;
};

}  // namespace

WorkloadInfo qsort_workload() {
  return {"qsort",
          "iterative quicksort with an explicit stack, a segment a thread: partition or finish a range by insertion",
          "iterative GPU quicksort; QSort of the DPE paper, Table 2",
          {{"threads", "threads, each with a segment of its own", 64, 3104, 12320, 1, 65536},
           {"length", "keys of a segment", 32, 24, 96, 1, 512},
           {"block", "threads a block", 64, 256, 256, 1, 1024}},
          false,
          make<Qsort>,
          {{"length", 72}}};
}

}  // namespace heddle
