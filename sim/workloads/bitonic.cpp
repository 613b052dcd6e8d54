// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

class Bitonic final : public Workload {
 public:
  explicit Bitonic(const Settings& settings)
      : Workload(settings),
        blocks_(settings["blocks"]),
        block_(settings["block"]),
        memory_(settings["memory"]) {
    Random random(settings.seed());
    for (std::size_t i = 0; i < std::size_t{blocks_} * block_; ++i) keys_.push_back(random.word());
  }

  void run(DeviceInterface& device) override {
    const Address keys = upload(device, keys_);
    if (memory_ == 2) {
      for (std::uint32_t run = 2; run <= block_; run *= 2) {
        for (std::uint32_t step = run / 2; step > 0; step /= 2)
          launch(device, "bitonic_step", {blocks_}, {block_}, keys, run, step);
      }
    } else {
      launch(device, memory_ == 0 ? "bitonic" : "bitonic_global", {blocks_}, {block_}, keys);
    }
    result_ = download<std::uint32_t>(device, keys, keys_.size());
  }

  void check() const override {
    std::vector<std::uint32_t> wanted = keys_;
    for (auto begin = wanted.begin(); begin != wanted.end(); begin += block_) std::sort(begin, begin + block_);
    expect_equal("bitonic: key", result_, wanted);
  }

 private:
  std::uint32_t blocks_;
  std::uint32_t block_;
  std::uint32_t memory_;
  std::vector<std::uint32_t> keys_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

WorkloadInfo bitonic_workload() {
  return {"bitonic",
          "bitonic sort in shared or global memory, a barrier or a launch after every step",
          "CUDA SDK bitonic; DWF paper",
          {{"blocks", "blocks, each sorts its own keys", 2, 128, 1024, 1, 16384},
           {"block", "threads and keys a block", 128, 256, 256, 2, 1024, 1, true},
           choice("memory", "where the keys are sorted; launches: in global memory, a launch for every step",
                  {"shared", "global", "launches"})},
          false,
          make<Bitonic>};
}

}  // namespace heddle
