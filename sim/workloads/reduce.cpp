// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "workloads/host.h"

namespace heddle {
namespace {

class Reduce final : public Workload {
 public:
  explicit Reduce(const Settings& settings)
      : Workload(settings),
        count_(settings["count"]),
        blocks_(settings["blocks"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    for (std::uint32_t i = 0; i < count_; ++i) values_.push_back(random.word());
  }

  void run(DeviceInterface& device) override {
    const Address values = upload(device, values_);
    const Address sum = device.allocate(4);
    launch(device, "reduce", {blocks_}, {block_}, values, count_, sum);
    sum_ = download<std::uint32_t>(device, sum, 1);
  }

  void check() const override {
    const std::vector<std::uint32_t> wanted = {std::accumulate(values_.begin(), values_.end(), std::uint32_t{0})};
    expect_equal("reduce: sum", sum_, wanted);
  }

 private:
  std::uint32_t count_;
  std::uint32_t blocks_;
  std::uint32_t block_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> sum_;
};

}  // namespace

WorkloadInfo reduce_workload() {
  return {"reduce",
          "sum of an array: strided loads, tree in shared memory with barriers, one atomicAdd a block",
          "CUDA SDK reduction",
          {{"count", "numbers to add", 10000, 2000000, 20000000, 1, 1u << 25},
           {"blocks", "blocks", 4, 96, 96, 1, 65536},
           {"block", "threads a block", 128, 256, 256, 2, 1024, 1, true}},
          false,
          make<Reduce>};
}

}  // namespace heddle
