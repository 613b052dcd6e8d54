// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr float kCentre = 0.4f;
constexpr float kNeighbour = 0.1f;
constexpr float kLoss = 0.125f;

class Stencil3d final : public Workload {
 public:
  explicit Stencil3d(const Settings& settings)
      : Workload(settings),
        nx_(settings["nx"]),
        ny_(settings["ny"]),
        nz_(settings["nz"]),
        steps_(settings["steps"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    for (std::size_t i = 0; i < std::size_t{nx_} * ny_ * nz_; ++i) volume_.push_back(random.between(-1.0f, 1.0f));
  }

  void run(DeviceInterface& device) override {
    Address in = upload(device, volume_);
    Address out = device.allocate(bytes_of(volume_));
    const Dim3 block{kBlockWidth, block_ / kBlockWidth};
    const Dim3 grid{blocks_for(nx_, block.x), blocks_for(ny_, block.y)};
    for (std::uint32_t step = 0; step < steps_; ++step) {
      launch(device, "stencil3d", grid, block, in, out, nx_, ny_, nz_, kCentre, kNeighbour, kLoss);
      std::swap(in, out);
    }
    result_ = download<float>(device, in, volume_.size());
  }

  void check() const override {
    std::vector<double> now(volume_.begin(), volume_.end());
    std::vector<double> next(now.size());
    const std::size_t plane = std::size_t{nx_} * ny_;
    for (std::uint32_t step = 0; step < steps_; ++step) {
      for (std::size_t i = 0; i < now.size(); ++i) {
        const std::size_t x = i % nx_, y = i / nx_ % ny_, z = i / plane;
        if (x == 0 || y == 0 || z == 0 || x + 1 == nx_ || y + 1 == ny_ || z + 1 == nz_) {
          next[i] = now[i] - double{kLoss} * now[i] * std::fabs(now[i]);
        } else {
          next[i] = double{kCentre} * now[i] + double{kNeighbour} * (now[i - 1] + now[i + 1] + now[i - nx_] +
                                                                     now[i + nx_] + now[i - plane] + now[i + plane]);
        }
      }
      now.swap(next);
    }
    expect_close("stencil3d: point (z * ny * nx + y * nx + x)", result_, now, 1e-5);
  }

 private:
  std::uint32_t nx_, ny_, nz_;
  std::uint32_t steps_;
  std::uint32_t block_;
  std::vector<float> volume_;
  std::vector<float> result_;
};

}  // namespace

WorkloadInfo stencil3d_workload() {
  return {"stencil3d",
          "7-point stencil on a volume; points on a face take the other side of a branch",
          "Parboil stencil, ISPASS LPS",
          {{"nx", "points along x", 32, 72, 136, 1, 1024},
           {"ny", "points along y", 16, 72, 136, 1, 1024},
           {"nz", "points along z", 8, 32, 64, 1, 256},
           {"steps", "time steps, one launch each", 1, 6, 8, 1, 1000},
           {"block", "threads a block, rows of 16", 256, 256, 256, 16, 1024, kBlockWidth}},
          false,
          make<Stencil3d>,
          {{"nz", 58}, {"steps", 4}}};
}

}  // namespace heddle
