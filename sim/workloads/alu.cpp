// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

class Alu final : public Workload {
 public:
  explicit Alu(const Settings& settings)
      : Workload(settings),
        threads_(settings["blocks"] * settings["block"]),
        iterations_(settings["iterations"]),
        start_(Random(settings.seed()).word()) {}

  void run(DeviceInterface& device) override {
    const Address result = device.allocate(threads_ * 4);
    launch(device, "alu", {settings()["blocks"]}, {settings()["block"]}, result, iterations_, start_);
    result_ = download<std::uint32_t>(device, result, threads_);
  }

  void check() const override {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t i = 0; i < threads_; ++i) {
      std::uint32_t folded = 0;
      for (std::uint32_t chain = 0; chain < 8; ++chain) {
        std::uint32_t a = start_ + i + chain;
        for (std::uint32_t n = 0; n < 4 * iterations_; ++n) a = ((a * 8) ^ (a / 32)) + n % 4 + 1;
        folded ^= a;
      }
      wanted.push_back(folded);
    }
    expect_equal("alu: result", result_, wanted);
  }

 private:
  std::uint32_t threads_;
  std::uint32_t iterations_;
  std::uint32_t start_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

WorkloadInfo alu_workload() {
  return {"alu",
          "integer work only, eight independent chains, no divergence: for speed measurements",
          "synthetic",
          {{"blocks", "blocks", 2, 12, 12, 1, 65536},
           {"block", "threads a block", 128, 256, 256, 1, 1024},
           {"iterations", "rounds of the unrolled loop (130 instructions each)", 8, 80, 800, 0, 1000000}},
          false,
          make<Alu>};
}

}  // namespace heddle
