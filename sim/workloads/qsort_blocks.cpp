// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

class QsortBlocks final : public Workload {
 public:
  explicit QsortBlocks(const Settings& settings)
      : Workload(settings),
        blocks_(settings["blocks"]),
        length_(settings["length"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    // Keys of a limited range, so that equal keys occur.
    for (std::size_t i = 0; i < std::size_t{blocks_} * length_; ++i) {
      keys_.push_back(static_cast<std::int32_t>(random.below(16 * length_)) - static_cast<std::int32_t>(8 * length_));
    }
  }

  void run(DeviceInterface& device) override {
    const Address keys = upload(device, keys_);
    const Address spare = device.allocate(4 * keys_.size());
    launch(device, "quicksort_blocks", {blocks_}, {block_}, keys, spare, length_);
    result_ = download<std::int32_t>(device, keys, keys_.size());
  }

  void check() const override {
    std::vector<std::int32_t> wanted = keys_;
    for (auto begin = wanted.begin(); begin != wanted.end(); begin += length_) std::sort(begin, begin + length_);
    expect_equal("qsort_blocks: key", result_, wanted);
  }

 private:
  std::uint32_t blocks_;
  std::uint32_t length_;
  std::uint32_t block_;
  std::vector<std::int32_t> keys_;
  std::vector<std::int32_t> result_;
};

}  // namespace

WorkloadInfo qsort_blocks_workload() {
  return {"qsort_blocks",
          "quicksort by blocks: all threads of a block partition a sequence, a bitonic network sorts a short one",
          "GPU quicksort by Cederman and Tsigas; QSort of the DPE paper, Table 2",
          {{"blocks", "blocks, each sorts its own keys", 2, 12, 60, 1, 4096},
           {"length", "keys of a block", 512, 1024, 2048, 1, 8192},
           {"block", "threads a block", 64, 256, 256, 2, 1024, 1, true}},
          false,
          make<QsortBlocks>,
          {{"blocks", 30}, {"length", 2048}}};
}

}  // namespace heddle
