// SPDX-License-Identifier: Apache-2.0
#include "workloads/host.h"

namespace heddle {
namespace {

class Mandelbrot final : public Workload {
 public:
  explicit Mandelbrot(const Settings& settings)
      : Workload(settings),
        width_(settings["width"]),
        height_(settings["height"]),
        limit_(settings["limit"]),
        block_(settings["block"]) {
    // The seed shifts the picture by less than a pixel.
    Random random(settings.seed());
    pixel_ = 3.0f / static_cast<float>(width_);
    left_ = -2.25f + pixel_ * random.between(0.0f, 1.0f);
    top_ = 0.5f * pixel_ * static_cast<float>(height_) + pixel_ * random.between(0.0f, 1.0f);
  }

  void run(DeviceInterface& device) override {
    const Address image = device.allocate(width_ * height_ * 4);
    const Dim3 block{kBlockWidth, block_ / kBlockWidth};
    const Dim3 grid{blocks_for(width_, block.x), blocks_for(height_, block.y)};
    launch(device, "mandelbrot", grid, block, image, width_, height_, limit_, left_, top_, pixel_);
    image_ = download<std::uint32_t>(device, image, std::size_t{width_} * height_);
  }

  // Rounded where the kernel rounds: the orbits are chaotic, a tolerance would not help.
  void check() const override {
    std::vector<std::uint32_t> wanted;
    for (std::uint32_t y = 0; y < height_; ++y) {
      for (std::uint32_t x = 0; x < width_; ++x) {
        const float c_re = std::fmaf(pixel_, static_cast<float>(x), left_);
        const float c_im = std::fmaf(-pixel_, static_cast<float>(y), top_);
        float re = 0, im = 0;
        std::uint32_t count = 0;
        for (; count < limit_; ++count) {
          const float im2 = im * im;
          if (std::fmaf(re, re, im2) > 4.0f) break;
          im = std::fmaf(2 * re, im, c_im);
          re = std::fmaf(re, re, c_re - im2);
        }
        wanted.push_back(count);
      }
    }
    expect_equal("mandelbrot: pixel (y * width + x)", image_, wanted);
  }

 private:
  std::uint32_t width_, height_;
  std::uint32_t limit_;
  std::uint32_t block_;
  float pixel_, left_, top_;
  std::vector<std::uint32_t> image_;
};

}  // namespace

WorkloadInfo mandelbrot_workload() {
  return {"mandelbrot",
          "escape-time image: a loop that every lane leaves at its own time",
          "well known",
          {{"width", "pixels of a row", 64, 256, 1024, 1, 4096},
           {"height", "rows", 16, 192, 512, 1, 4096},
           {"limit", "iterations at most", 32, 128, 128, 1, 100000},
           {"block", "threads a block, rows of 16", 256, 256, 256, 16, 1024, kBlockWidth}},
          false,
          make<Mandelbrot>};
}

}  // namespace heddle
