// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kEdge = 4;  // EDGE of kernels/lu.cu

class Lu final : public Workload {
 public:
  explicit Lu(const Settings& settings)
      : Workload(settings),
        matrices_(settings["matrices"]),
        n_(settings["n"]),
        block_(settings["block"]),
        loops_(settings["loops"]) {
    Random random(settings.seed());
    for (std::size_t i = 0; i < std::size_t{matrices_} * n_ * n_; ++i) elements_.push_back(random.between(-1.0f, 1.0f));
    // A dominant diagonal: no pivoting needed.
    for (std::size_t m = 0; m < matrices_; ++m) {
      for (std::size_t i = 0; i < n_; ++i) elements_[place(m, i, i)] += static_cast<float>(n_);
    }
  }

  void run(DeviceInterface& device) override {
    std::uint32_t columns = 1;
    while (columns * columns < block_) columns *= 2;
    const Address elements = upload(device, elements_);
    const std::uint32_t size = n_ / kEdge;
    if (loops_ == 2) {
      for (std::uint32_t k = 0; k < size; ++k) {
        for (const char* phase : {"lu_diagonal", "lu_border", "lu_rest"})
          launch(device, phase, {matrices_}, {block_}, elements, size, columns, k);
      }
    } else {
      launch(device, loops_ == 0 ? "lu" : "lu_all", {matrices_}, {block_}, elements, size, columns);
    }
    result_ = download<float>(device, elements, elements_.size());
  }

  // L times U must be the matrix. Only one pair of a unit lower and an upper triangle has that product, so a wrong
  // element of either shows.
  void check() const override {
    std::vector<float> product(result_.size());
    std::vector<double> wanted(elements_.begin(), elements_.end());
    for (std::size_t m = 0; m < matrices_ && !result_.empty(); ++m) {
      for (std::size_t i = 0; i < n_; ++i) {
        for (std::size_t j = 0; j < n_; ++j) {
          double sum = i <= j ? result_[place(m, i, j)] : 0;
          for (std::size_t k = 0; k < i && k <= j; ++k)
            sum += double{result_[place(m, i, k)]} * result_[place(m, k, j)];
          product[place(m, i, j)] = static_cast<float>(sum);
        }
      }
    }
    expect_close("lu: element of L U (block by block)", product, wanted, 1e-5);
  }

 private:
  // Element (row, column) of matrix m: block by block, in each block row by row.
  [[nodiscard]] std::size_t place(std::size_t m, std::size_t row, std::size_t column) const {
    const std::size_t block = (m * (n_ / kEdge) + row / kEdge) * (n_ / kEdge) + column / kEdge;
    return (block * kEdge + row % kEdge) * kEdge + column % kEdge;
  }

  std::uint32_t matrices_;
  std::uint32_t n_;
  std::uint32_t block_;
  std::uint32_t loops_;
  std::vector<float> elements_;
  std::vector<float> result_;
};

}  // namespace

WorkloadInfo lu_workload() {
  return {"lu",
          "LU decomposition by threads that own scattered blocks of a matrix, three phases a step with barriers or "
          "launches between",
          "SPLASH-2 LU, contiguous blocks; DWF paper",
          {{"matrices", "matrices, one a thread block", 4, 6, 24, 1, 256},
           {"n", "rows and columns of a matrix", 12, 64, 96, 4, 256, kEdge},
           {"block", "threads a block: the owners", 32, 256, 256, 1, 1024, 1, true},
           choice("loops",
                  "over the blocks a thread owns, or over all blocks with a test of whose it is; launches: over all, a "
                  "launch for every phase",
                  {"owned", "all", "launches"})},
          false,
          make<Lu>};
}

}  // namespace heddle
