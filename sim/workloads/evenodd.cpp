// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "workloads/host.h"

namespace heddle {
namespace {

class Evenodd final : public Workload {
 public:
  explicit Evenodd(const Settings& settings)
      : Workload(settings),
        threads_(settings["threads"]),
        iterations_(settings["iterations"]),
        increments_(settings["increments"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    for (std::uint32_t i = 0; i < threads_; ++i) data_.push_back(random.word());
  }

  void run(DeviceInterface& device) override {
    const Address data = upload(device, data_);
    launch(device, "evenodd_" + std::to_string(increments_), {blocks_for(threads_, block_)}, {block_}, data,
           iterations_, threads_);
    result_ = download<std::uint32_t>(device, data, threads_);
  }

  // Even and odd threads pass the same odd numbers.
  void check() const override {
    std::vector<std::uint32_t> wanted = data_;
    for (std::uint32_t& value : wanted) value += iterations_ / 2 * increments_;
    expect_equal("evenodd: datum", result_, wanted);
  }

 private:
  std::uint32_t threads_;
  std::uint32_t iterations_;
  std::uint32_t increments_;
  std::uint32_t block_;
  std::vector<std::uint32_t> data_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

WorkloadInfo evenodd_workload() {
  return {"evenodd",
          "even and odd threads take turns in a loop: a better reconvergence point than the post-dominator exists",
          "DWF paper, Figure 7",
          {{"threads", "threads; the paper traces the first 128", 128, 1536, 16384, 1, 1u << 20},
           {"iterations", "where the loop ends; 128 in the paper", 32, 128, 128, 1, 1u << 20},
           {"increments",
            "of the datum in each iteration that has work: 1 as printed; the length of the loop that the paper "
            "measured is not known",
            32, 32, 32, 1, 32, 1, true},
           {"block", "threads a block", 64, 256, 256, 1, 1024}},
          false,
          make<Evenodd>};
}

}  // namespace heddle
