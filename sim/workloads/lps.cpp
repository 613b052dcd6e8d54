// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kWidth = 32, kHeight = 4;  // WIDTH and HEIGHT of kernels/lps.cu

class Lps final : public Workload {
 public:
  explicit Lps(const Settings& settings)
      : Workload(settings),
        nx_(settings["nx"]),
        ny_(settings["ny"]),
        nz_(settings["nz"]),
        steps_(settings["steps"]) {
    Random random(settings.seed());
    for (std::size_t i = 0; i < std::size_t{nx_} * ny_ * nz_; ++i) volume_.push_back(random.between(0.0f, 1.0f));
  }

  void run(DeviceInterface& device) override {
    Address in = upload(device, volume_);
    Address out = device.allocate(bytes_of(volume_));
    for (std::uint32_t step = 0; step < steps_; ++step) {
      launch(device, "lps", {blocks_for(nx_, kWidth), blocks_for(ny_, kHeight)}, {kWidth, kHeight}, in, out, nx_, ny_,
             nz_);
      std::swap(in, out);
    }
    result_ = download<float>(device, in, volume_.size());
  }

  // Each point gives a sixth of itself to its neighbours.
  void check() const override {
    std::vector<double> now(volume_.begin(), volume_.end()), next;
    const std::size_t strides[] = {1, nx_, std::size_t{nx_} * ny_};
    for (std::uint32_t step = 0; step < steps_; ++step) {
      next.assign(now.size(), 0.0);
      for (std::size_t i = 0; i < now.size(); ++i) {
        for (const std::size_t stride : strides) {
          if (i >= stride) next[i - stride] += now[i] / 6.0;
          if (i + stride < now.size()) next[i + stride] += now[i] / 6.0;
        }
      }
      for (std::size_t i = 0; i < now.size(); ++i) {
        const std::size_t x = i % nx_, y = i / nx_ % ny_, z = i / strides[2];
        if (x == 0 || x + 1 == nx_ || y == 0 || y + 1 == ny_ || z == 0 || z + 1 == nz_) next[i] = now[i];
      }
      now.swap(next);
    }
    expect_close("lps: point (z * ny * nx + y * nx + x)", result_, now, 1e-6);
  }

 private:
  std::uint32_t nx_, ny_, nz_;
  std::uint32_t steps_;
  std::vector<float> volume_;
  std::vector<float> result_;
};

}  // namespace

WorkloadInfo lps_workload() {
  return {"lps",
          "Laplace's equation: tiles with a halo in shared memory walk through the volume; points on its surface take "
          "the other side",
          "laplace3d (ISPASS 2009 suite); DPE paper",
          {{"nx", "points in x", 40, 100, 164, 1, 1024},
           {"ny", "points in y", 9, 100, 164, 1, 1024},
           {"nz", "points in z", 5, 24, 100, 1, 1024},
           {"steps", "steps", 1, 1, 1, 1, 1000}},
          false,
          make<Lps>,
          {{"nz", 46}}};
}

}  // namespace heddle
