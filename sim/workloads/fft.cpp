// SPDX-License-Identifier: Apache-2.0
#include <complex>

#include "workloads/host.h"

namespace heddle {
namespace {

class Fft final : public Workload {
 public:
  explicit Fft(const Settings& settings)
      : Workload(settings),
        transforms_(settings["transforms"]),
        points_(settings["points"]),
        block_(settings["block"]),
        memory_(settings["memory"]) {
    Random random(settings.seed());
    for (std::size_t i = 0; i < 2 * std::size_t{transforms_} * points_; ++i)
      signals_.push_back(random.between(-1.0f, 1.0f));
  }

  void run(DeviceInterface& device) override {
    const Address in = upload(device, signals_);
    const Address out = device.allocate(bytes_of(signals_));
    std::uint32_t log2_points = 0;
    while (1u << log2_points < points_) ++log2_points;
    if (memory_ == 2) {
      launch(device, "fft_load", {transforms_}, {block_}, in, out, points_, log2_points);
      for (std::uint32_t half = 1; half < points_; half *= 2)
        launch(device, "fft_stage", {transforms_}, {block_}, out, points_, half);
    } else {
      launch(device, memory_ == 0 ? "fft" : "fft_global", {transforms_}, {block_}, in, out, points_, log2_points);
    }
    spectra_ = download<float>(device, out, signals_.size());
  }

  // The sum that defines the transform, in double precision. A stage may be off by 4e-7 of the size of its points: up
  // to 2e-7 from the rounded angle, the rest from the butterfly. Their size is sqrt(points) at the end. About a fifth
  // of that is seen.
  void check() const override {
    const std::size_t n = points_;
    std::vector<std::complex<double>> roots;
    for (std::size_t i = 0; i < n; ++i)
      roots.push_back(std::polar(1.0, -2 * kPi * static_cast<double>(i) / static_cast<double>(n)));
    std::vector<double> wanted;
    for (std::size_t base = 0; base < signals_.size(); base += 2 * n) {
      for (std::size_t k = 0; k < n; ++k) {
        double re = 0, im = 0;
        for (std::size_t i = 0; i < n; ++i) {
          const double x = signals_[base + 2 * i], y = signals_[base + 2 * i + 1];
          const std::complex<double>& root = roots[k * i & (n - 1)];
          re += x * root.real() - y * root.imag();
          im += x * root.imag() + y * root.real();
        }
        wanted.push_back(re);
        wanted.push_back(im);
      }
    }
    expect_close("fft: word (2 * (transform * points + point), real before imaginary)", spectra_, wanted,
                 4e-7 * std::log2(static_cast<double>(n)) * std::sqrt(static_cast<double>(n)));
  }

 private:
  static constexpr double kPi = 3.14159265358979323846;

  std::uint32_t transforms_;
  std::uint32_t points_;
  std::uint32_t block_;
  std::uint32_t memory_;
  std::vector<float> signals_;  // real, imaginary
  std::vector<float> spectra_;
};

}  // namespace

WorkloadInfo fft_workload() {
  return {"fft",
          "radix-2 Fourier transforms in shared or global memory, a barrier or a launch after every stage",
          "SPLASH-2 FFT; DWF paper",
          {{"transforms", "transforms, one a block", 2, 64, 384, 1, 4096},
           {"points", "complex points of a transform", 64, 512, 1024, 2, 1024, 1, true},
           {"block", "threads a block", 32, 256, 256, 1, 1024},
           choice("memory", "where the butterflies work; launches: in global memory, a launch for every stage",
                  {"shared", "global", "launches"})},
          false,
          make<Fft>};
}

}  // namespace heddle
