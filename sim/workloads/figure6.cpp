// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

class Figure6 final : public Workload {
 public:
  explicit Figure6(const Settings& settings) : Workload(settings), threads_(settings["threads"]) {
    Random random(settings.seed());
    for (auto* memory : {&m0_, &m1_, &m7_}) {
      for (std::uint32_t i = 0; i < threads_; ++i) memory->push_back(random.below(1000));
    }
  }

  void run(DeviceInterface& device) override {
    const std::uint32_t block = std::min<std::uint32_t>(threads_, 32);
    const Address m0 = upload(device, m0_);
    const Address m1 = upload(device, m1_);
    const Address m7 = upload(device, m7_);
    const Address result = device.allocate(threads_ * 4);
    launch(device, "figure6", {threads_ / block}, {block}, m0, m1, m7, result);
    result_ = download<std::uint32_t>(device, result, threads_);
  }

  void check() const override {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < threads_; ++i) {
      const std::uint32_t c = m0_[i] + 3 * i + 1;
      const std::uint32_t d = 3 * ((i + (i ^ 21)) ^ c);
      const std::uint32_t e = 5 * ((i - (i ^ 21)) ^ c);
      const std::uint32_t through_b = m1_[i] + 7;
      const std::uint32_t through_c = i + m7_[i] + (i % 4 == 2 ? d : e);
      wanted.push_back(m0_[i] + (i % 4 < 2 ? through_b : through_c));
    }
    expect_equal("figure6: result", result_, wanted);
  }

 private:
  std::uint32_t threads_;
  std::vector<std::uint32_t> m0_, m1_, m7_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

WorkloadInfo figure6_workload() {
  return {"figure6",
          "the DPE paper's running example: A -> {B | C}, C -> {D | E}, F, G",
          "DPE paper, Figures 1 and 6",
          {{"threads", "threads, in blocks of at most 32; 4 is the paper's warp", 4, 32, 65536, 4, 1u << 20, 1, true}},
          false,
          make<Figure6>};
}

}  // namespace heddle
