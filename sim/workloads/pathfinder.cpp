// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kColumnBlock = 256;  // BLOCK of kernels/pathfinder.cu
constexpr std::int32_t kFar = 1 << 30;

class Pathfinder final : public Workload {
 public:
  explicit Pathfinder(const Settings& settings)
      : Workload(settings),
        columns_(settings["columns"]),
        rows_(settings["rows"]),
        together_(settings["together"]) {
    Random random(settings.seed());
    for (std::size_t i = 0; i < std::size_t{rows_} * columns_; ++i)
      wall_.push_back(static_cast<std::int32_t>(random.below(10)));
  }

  void run(DeviceInterface& device) override {
    const Address wall = upload(device, wall_);
    Address in = upload(device, std::vector<std::int32_t>(wall_.begin(), wall_.begin() + columns_));
    Address out = device.allocate(columns_ * 4);
    for (std::uint32_t row = 1; row < rows_; row += together_) {
      const std::uint32_t rows = std::min(together_, rows_ - row);
      launch(device, "pathfinder", {blocks_for(columns_, kColumnBlock - 2 * rows)}, {kColumnBlock}, wall, in, out,
             columns_, row, rows);
      std::swap(in, out);
    }
    result_ = download<std::int32_t>(device, in, columns_);
  }

  // Each point offers its cost to the three below it; rows are wider by a point without a way at either end.
  void check() const override {
    std::vector<std::int32_t> best(columns_ + 2, kFar);
    std::copy_n(wall_.begin(), columns_, best.begin() + 1);
    for (std::uint32_t row = 1; row < rows_; ++row) {
      std::vector<std::int32_t> next(columns_ + 2, kFar);
      for (std::uint32_t from = 1; from <= columns_; ++from) {
        for (std::uint32_t to = from - 1; to <= from + 1; ++to) next[to] = std::min(next[to], best[from]);
      }
      for (std::uint32_t to = 1; to <= columns_; ++to) next[to] += wall_[std::size_t{row} * columns_ + to - 1];
      next.front() = next.back() = kFar;
      best.swap(next);
    }
    expect_equal("pathfinder: cost of column", result_, std::vector<std::int32_t>(best.begin() + 1, best.end() - 1));
  }

 private:
  std::uint32_t columns_, rows_;
  std::uint32_t together_;
  std::vector<std::int32_t> wall_;
  std::vector<std::int32_t> result_;
};

}  // namespace

WorkloadInfo pathfinder_workload() {
  return {"pathfinder",
          "the cheapest way down a grid, several rows a launch on stretches whose ends shrink",
          "Rodinia pathfinder; DPE paper",
          {{"columns", "points of a row", 500, 20000, 100000, 1, 1000000},
           {"rows", "rows", 9, 41, 101, 1, 10000},
           {"together", "rows of a launch", 4, 20, 20, 1, kColumnBlock / 2 - 1}},
          false,
          make<Pathfinder>,
          {{"rows", 207}}};
}

}  // namespace heddle
