// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

constexpr int kSteps = 32;  // STEPS of kernels/ifelse.cu

class Ifelse final : public Workload {
 public:
  explicit Ifelse(const Settings& settings)
      : Workload(settings),
        blocks_(settings["blocks"]),
        block_(settings["block"]),
        rounds_(settings["rounds"]),
        one_in_(settings["one_in"]) {
    Random random(settings.seed());
    for (std::uint32_t i = 0; i < blocks_ * block_; ++i) values_.push_back(random.word());
  }

  void run(DeviceInterface& device) override {
    const Address values = upload(device, values_);
    launch(device, "ifelse", {blocks_}, {block_}, values, rounds_, one_in_);
    result_ = download<std::uint32_t>(device, values, values_.size());
  }

  void check() const override {
    std::vector<std::uint32_t> wanted = values_;
    for (std::uint32_t thread = 0; thread < wanted.size(); ++thread) {
      std::uint32_t random = (thread + 1) * 2654435761u;
      for (std::uint32_t i = 0; i < rounds_; ++i) {
        random ^= random << 13;
        random ^= random >> 17;
        random ^= random << 5;
        const bool taken = (random >> 8) % one_in_ == 0;
        std::uint32_t& value = wanted[thread];
        for (int k = 0; k < kSteps; ++k) value = taken ? (value ^ value << 3) + random : (value ^ value >> 5) - random;
      }
    }
    expect_equal("ifelse: value", result_, wanted);
  }

 private:
  std::uint32_t blocks_, block_, rounds_, one_in_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint32_t> result_;
};

}  // namespace

WorkloadInfo ifelse_workload() {
  return {"ifelse",
          "a branch with two sides of one length, which every thread takes with the same probability",
          "none; what formed warps make of it has a formula",
          {{"blocks", "blocks", 1, 12, 64, 1, 1024},
           {"block", "threads a block", 64, 256, 256, 1, 1024},
           {"rounds", "branches of a thread", 10, 64, 128, 0, 1u << 20},
           {"one_in", "branches of which one is taken", 2, 2, 2, 1, 1u << 20, 1, true}},
          false,
          make<Ifelse>};
}

}  // namespace heddle
