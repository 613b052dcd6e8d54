// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kCellTile = 16;  // TILE of kernels/hotspot.cu

class Hotspot final : public Workload {
 public:
  explicit Hotspot(const Settings& settings)
      : Workload(settings),
        rows_(settings["rows"]),
        columns_(settings["columns"]),
        steps_(settings["steps"]),
        together_(settings["together"]) {
    Random random(settings.seed());
    const std::size_t points = std::size_t{rows_} * columns_;
    for (std::size_t i = 0; i < points; ++i) {
      temperature_.push_back(random.between(323.0f, 341.0f));
      power_.push_back(random.between(0.0f, 0.02f));
    }
    // A chip of 16 mm x 16 mm x 0.5 mm of silicon, and a step that is stable.
    const float height = 0.016f / static_cast<float>(rows_), width = 0.016f / static_cast<float>(columns_);
    constexpr float kThickness = 0.0005f, kConductivity = 100.0f, kHeatCapacity = 0.5f * 1.75e6f;
    const float capacity = kHeatCapacity * kThickness * width * height;
    const float rx = width / (2.0f * kConductivity * kThickness * height);
    const float ry = height / (2.0f * kConductivity * kThickness * width);
    const float rz = kThickness / (kConductivity * height * width);
    const float step = 0.1f * capacity / (2.0f / rx + 2.0f / ry + 1.0f / rz);
    chip_ = {static_cast<std::int32_t>(rows_),
             static_cast<std::int32_t>(columns_),
             step / capacity,
             1.0f / rx,
             1.0f / ry,
             1.0f / rz,
             353.0f};
  }

  void run(DeviceInterface& device) override {
    const Address chip = upload(device, std::vector<Chip>{chip_});
    const Address power = upload(device, power_);
    Address in = upload(device, temperature_);
    Address out = device.allocate(bytes_of(temperature_));
    for (std::uint32_t done = 0; done < steps_; done += together_) {
      const std::uint32_t steps = std::min(together_, steps_ - done);
      const std::uint32_t inner = kCellTile - 2 * steps;
      launch(device, "hotspot", {blocks_for(columns_, inner), blocks_for(rows_, inner)}, {kCellTile, kCellTile}, chip,
             power, in, out, steps);
      std::swap(in, out);
    }
    result_ = download<float>(device, in, temperature_.size());
  }

  // All of the chip, a step at a time: what flows between two neighbours leaves the one and reaches the other.
  void check() const override {
    std::vector<double> now(temperature_.begin(), temperature_.end()), flow(now.size());
    const auto exchange = [&](std::size_t a, std::size_t b, double conductance) {
      flow[a] += (now[b] - now[a]) * conductance;
      flow[b] -= (now[b] - now[a]) * conductance;
    };
    for (std::uint32_t step = 0; step < steps_; ++step) {
      for (std::size_t i = 0; i < now.size(); ++i)
        flow[i] = power_[i] + (double{chip_.ambient} - now[i]) * chip_.per_rz;
      for (std::size_t i = 0; i < now.size(); ++i) {
        if (i % columns_ + 1 < columns_) exchange(i, i + 1, chip_.per_rx);
        if (i + columns_ < now.size()) exchange(i, i + columns_, chip_.per_ry);
      }
      for (std::size_t i = 0; i < now.size(); ++i) now[i] += flow[i] * chip_.per_capacity;
    }
    expect_close("hotspot: temperature (row * columns + column)", result_, now, 1e-6);
  }

 private:
  struct Chip {
    std::int32_t rows, columns;
    float per_capacity, per_rx, per_ry, per_rz;
    float ambient;
  };

  std::uint32_t rows_, columns_;
  std::uint32_t steps_;
  std::uint32_t together_;
  Chip chip_{};
  std::vector<float> temperature_, power_;
  std::vector<float> result_;
};

}  // namespace

WorkloadInfo hotspot_workload() {
  return {"hotspot",
          "temperatures of a chip, several steps a launch on tiles with halos that shrink",
          "Rodinia hotspot; linearization paper",
          {{"rows", "rows of points", 24, 112, 400, 1, 4096},
           {"columns", "points of a row", 24, 112, 400, 1, 4096},
           {"steps", "time steps", 2, 8, 8, 1, 1000},
           {"together", "steps of a launch", 2, 2, 2, 1, kCellTile / 2 - 1}},
          false,
          make<Hotspot>,
          {{"rows", 272}, {"columns", 272}}};
}

}  // namespace heddle
