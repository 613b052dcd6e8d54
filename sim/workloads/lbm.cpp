// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <utility>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kDirections = 19;
constexpr std::uint32_t kObstacle = 1;     // OBSTACLE of kernels/lbm.cu
constexpr std::uint32_t kAccelerated = 2;  // ACCELERATED
constexpr float kRelaxation = 1.75f;
constexpr float kDriveX = 0.05f;
constexpr float kDriveY = 0.02f;

// In the order of the kernel: the axes, then the diagonals of the planes xy, xz and yz, each direction before its
// opposite.
constexpr int kVelocity[kDirections][3] = {{0, 0, 0},  {1, 0, 0},   {-1, 0, 0},  {0, 1, 0},   {0, -1, 0},
                                           {0, 0, 1},  {0, 0, -1},  {1, 1, 0},   {-1, -1, 0}, {1, -1, 0},
                                           {-1, 1, 0}, {1, 0, 1},   {-1, 0, -1}, {1, 0, -1},  {-1, 0, 1},
                                           {0, 1, 1},  {0, -1, -1}, {0, 1, -1},  {0, -1, 1}};

class Lbm final : public Workload {
 public:
  explicit Lbm(const Settings& settings)
      : Workload(settings),
        nx_(settings["nx"]),
        ny_(settings["ny"]),
        nz_(settings["nz"]),
        steps_(settings["steps"]),
        block_(settings["block"]),
        cells_(nx_ * ny_ * nz_),
        kinds_(cells_, 0) {
    Random random(settings.seed());
    // At rest, with noise that makes every population different: one that arrives at a wrong place shows.
    for (std::uint32_t q = 0; q < kDirections; ++q) {
      for (std::uint32_t i = 0; i < cells_; ++i)
        populations_.push_back(static_cast<float>(weight(q)) * random.between(0.9f, 1.1f));
    }
    // The fluid is driven across the plane x = 0, between walls at y = 0 and y = ny - 1, around balls.
    for (std::uint32_t i = 0; i < cells_; ++i) {
      const std::uint32_t x = i % nx_, y = i / nx_ % ny_;
      if (x == 0) kinds_[i] = kAccelerated;
      if (y == 0 || y == ny_ - 1) kinds_[i] = kObstacle;
    }
    const std::uint32_t balls = 1 + cells_ / 512;
    for (std::uint32_t ball = 0; ball < balls; ++ball) {
      const std::int64_t at[3] = {random.below(nx_), random.below(ny_), random.below(nz_)};
      const std::int64_t square = random.below(10);
      for (std::uint32_t i = 0; i < cells_; ++i) {
        const std::int64_t dx = i % nx_ - at[0], dy = i / nx_ % ny_ - at[1], dz = i / (nx_ * ny_) - at[2];
        if (dx * dx + dy * dy + dz * dz <= square) kinds_[i] = kObstacle;
      }
    }
  }

  void run(DeviceInterface& device) override {
    Address in = upload(device, populations_);
    Address out = device.allocate(bytes_of(populations_));
    const Address kinds = upload(device, kinds_);
    for (std::uint32_t step = 0; step < steps_; ++step) {
      launch(device, "lbm", {blocks_for(cells_, block_)}, {block_}, in, out, kinds, nx_, ny_, nz_, kRelaxation, kDriveX,
             kDriveY);
      std::swap(in, out);
    }
    result_ = download<float>(device, in, populations_.size());
  }

  // In double precision, and the other way round: every cell fetches what its neighbours send. A rounding error is
  // damped from step to step, not amplified, and a population is at most 1 or so, so that the errors of the kernel stay
  // at some units of 2^-24; the noise makes a wrong population wrong by about 1e-3.
  void check() const override {
    std::vector<double> now(populations_.begin(), populations_.end());
    std::vector<double> sent(now.size()), next(now.size());
    for (std::uint32_t step = 0; step < steps_; ++step) {
      for (std::uint32_t i = 0; i < cells_; ++i) collide(now, sent, i);
      for (std::uint32_t q = 0; q < kDirections; ++q) {
        for (std::uint32_t i = 0; i < cells_; ++i) {
          next[std::size_t{q} * cells_ + i] = sent[std::size_t{q} * cells_ + upstream(i, q)];
        }
      }
      now.swap(next);
    }
    expect_close("lbm: population (direction * cells + cell)", result_, now, 2e-6);
  }

 private:
  static double weight(std::uint32_t q) {
    const int* v = kVelocity[q];
    const int square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    return square == 0 ? 1.0 / 3 : square == 1 ? 1.0 / 18 : 1.0 / 36;
  }

  // The cell whose population q arrives at cell i.
  [[nodiscard]] std::uint32_t upstream(std::uint32_t i, std::uint32_t q) const {
    const auto back = [&](std::uint32_t at, std::uint32_t size, int axis) {
      return (at + size - static_cast<std::uint32_t>(kVelocity[q][axis])) % size;
    };
    return (back(i / (nx_ * ny_), nz_, 2) * ny_ + back(i / nx_ % ny_, ny_, 1)) * nx_ + back(i % nx_, nx_, 0);
  }

  void collide(const std::vector<double>& in, std::vector<double>& out, std::uint32_t i) const {
    const auto at = [&](std::uint32_t q) { return std::size_t{q} * cells_ + i; };
    if (kinds_[i] == kObstacle) {
      for (std::uint32_t q = 0; q < kDirections; ++q) out[at(q)] = in[at(q == 0 ? 0 : ((q - 1) ^ 1) + 1)];
      return;
    }
    double density = 0;
    std::array<double, 3> velocity{};
    for (std::uint32_t q = 0; q < kDirections; ++q) {
      density += in[at(q)];
      for (unsigned axis = 0; axis < 3; ++axis) velocity[axis] += kVelocity[q][axis] * in[at(q)];
    }
    for (double& component : velocity) component /= density;
    if (kinds_[i] == kAccelerated) velocity = {kDriveX, kDriveY, 0};
    double square = 0;
    for (const double component : velocity) square += component * component;
    for (std::uint32_t q = 0; q < kDirections; ++q) {
      double along = 0;
      for (unsigned axis = 0; axis < 3; ++axis) along += kVelocity[q][axis] * velocity[axis];
      const double equilibrium = weight(q) * density * (1 + 3 * along + 4.5 * along * along - 1.5 * square);
      out[at(q)] = (1 - double{kRelaxation}) * in[at(q)] + double{kRelaxation} * equilibrium;
    }
  }

  std::uint32_t nx_, ny_, nz_;
  std::uint32_t steps_;
  std::uint32_t block_;
  std::uint32_t cells_;
  std::vector<std::uint32_t> kinds_;
  std::vector<float> populations_;
  std::vector<float> result_;
};

}  // namespace

WorkloadInfo lbm_workload() {
  return {"lbm",
          "lattice-Boltzmann fluid (D3Q19): cells of obstacles send back what cells of fluid let collide",
          "SPEC CPU2006 lbm; DWF paper",
          {{"nx", "cells along x", 8, 16, 32, 1, 64},
           {"ny", "cells along y", 8, 16, 32, 1, 64},
           {"nz", "cells along z", 3, 16, 32, 1, 64},
           {"steps", "time steps, one launch each", 2, 4, 5, 1, 1000},
           {"block", "threads a block", 64, 256, 256, 1, 1024}},
          false,
          make<Lbm>};
}

}  // namespace heddle
