// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kFactorTile = 16;  // TILE of kernels/matmul.cu

class Matmul final : public Workload {
 public:
  explicit Matmul(const Settings& settings)
      : Workload(settings),
        rows_(settings["rows"]),
        inner_(settings["inner"]),
        columns_(settings["columns"]),
        kernel_(settings["memory"] == 0 ? "matmul" : "matmul_global") {
    Random random(settings.seed());
    for (std::size_t i = 0; i < std::size_t{rows_} * inner_; ++i) a_.push_back(random.between(-1.0f, 1.0f));
    for (std::size_t i = 0; i < std::size_t{inner_} * columns_; ++i) b_.push_back(random.between(-1.0f, 1.0f));
  }

  void run(DeviceInterface& device) override {
    const Address a = upload(device, a_);
    const Address b = upload(device, b_);
    const Address c = device.allocate(rows_ * columns_ * 4);
    launch(device, kernel_, {blocks_for(columns_, kFactorTile), blocks_for(rows_, kFactorTile)},
           {kFactorTile, kFactorTile}, a, b, c, rows_, inner_, columns_);
    product_ = download<float>(device, c, std::size_t{rows_} * columns_);
  }

  // After k products a sum is about sqrt(k) / 3 in size, and every step rounds it by at most 2^-24 of that. As a random
  // walk this adds up to some 1e-8 * inner; ten times as much is allowed.
  void check() const override {
    std::vector<double> wanted(std::size_t{rows_} * columns_, 0.0);
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t k = 0; k < inner_; ++k) {
        for (std::size_t j = 0; j < columns_; ++j)
          wanted[i * columns_ + j] += double{a_[i * inner_ + k]} * b_[k * columns_ + j];
      }
    }
    expect_close("matmul: element (row-major)", product_, wanted, 1e-7 * inner_);
  }

 private:
  std::uint32_t rows_, inner_, columns_;
  const char* kernel_;
  std::vector<float> a_, b_;
  std::vector<float> product_;
};

}  // namespace

WorkloadInfo matmul_workload() {
  return {"matmul",
          "product of two matrices by tiles in shared memory, or from global memory",
          "CUDA SDK matrixMul; Matrix of the DWF paper",
          {{"rows", "rows of the product", 20, 96, 256, 1, 2048},
           {"inner", "columns of the left, rows of the right factor", 24, 96, 256, 1, 2048},
           {"columns", "columns of the product", 28, 96, 256, 1, 2048},
           choice("memory", "what a thread reads the factors from: tiles of them in shared memory, or global memory",
                  {"shared", "global"})},
          false,
          make<Matmul>};
}

}  // namespace heddle
