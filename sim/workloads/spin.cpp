// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

class Spin final : public Workload {
 public:
  explicit Spin(const Settings& settings) : Workload(settings), threads_(settings["threads"]) {}

  void run(DeviceInterface& device) override {
    const Address lock = device.allocate(4);
    const Address counter = device.allocate(4);
    launch(device, "spin", {1}, {threads_}, lock, counter);
    counter_ = download<std::uint32_t>(device, counter, 1);
  }

  void check() const override { expect_equal("spin: counter", counter_, {threads_}); }

 private:
  std::uint32_t threads_;
  std::vector<std::uint32_t> counter_;
};

}  // namespace

WorkloadInfo spin_workload() {
  return {"spin",
          "a spin lock between the threads of a warp: hangs stack machines, must end in the watchdog's message",
          "well known",
          {{"threads", "threads of the block", 32, 32, 32, 2, 1024}},
          true,
          make<Spin>};
}

}  // namespace heddle
