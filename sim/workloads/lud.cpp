// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kMatrixBlock = 16;  // BLOCK of kernels/lud.cu

class Lud final : public Workload {
 public:
  explicit Lud(const Settings& settings) : Workload(settings), n_(settings["n"]), matrix_(std::size_t{n_} * n_) {
    Random random(settings.seed());
    for (float& element : matrix_) element = random.between(-1.0f, 1.0f);
    // A dominant diagonal: no pivoting needed.
    for (std::uint32_t i = 0; i < n_; ++i) matrix_[std::size_t{i} * n_ + i] += static_cast<float>(n_);
  }

  void run(DeviceInterface& device) override {
    const Address matrix = upload(device, matrix_);
    for (std::uint32_t offset = 0; offset < n_; offset += kMatrixBlock) {
      launch(device, "lud_diagonal", {1}, {kMatrixBlock}, matrix, n_, offset);
      const std::uint32_t rest = (n_ - offset) / kMatrixBlock - 1;
      if (rest == 0) break;
      launch(device, "lud_perimeter", {rest}, {2 * kMatrixBlock}, matrix, n_, offset);
      launch(device, "lud_internal", {rest, rest}, {kMatrixBlock, kMatrixBlock}, matrix, n_, offset);
    }
    result_ = download<float>(device, matrix, matrix_.size());
  }

  // Crout's scheme row by row in double precision: U above and on the diagonal, L below it.
  void check() const override {
    std::vector<double> lu(matrix_.begin(), matrix_.end());
    for (std::size_t i = 1; i < n_; ++i) {
      double* row = &lu[i * n_];
      for (std::size_t k = 0; k < i; ++k) {
        const double* above = &lu[k * n_];
        row[k] /= above[k];
        for (std::size_t j = k + 1; j < n_; ++j) row[j] -= row[k] * above[j];
      }
    }
    expect_close("lud: element (row-major)", result_, lu, 1e-5);
  }

 private:
  std::uint32_t n_;
  std::vector<float> matrix_;
  std::vector<float> result_;
};

}  // namespace

WorkloadInfo lud_workload() {
  return {"lud",
          "blocked LU decomposition: diagonal, perimeter (both sides of a branch work) and internal kernels",
          "Rodinia lud; DPE paper, Figure 9",
          {{"n", "rows and columns of the matrix", 48, 256, 512, 16, 4096, kMatrixBlock}},
          false,
          make<Lud>,
          {{"n", 272}}};
}

}  // namespace heddle
