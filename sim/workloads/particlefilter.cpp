// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::int32_t kBackground = 100, kObject = 228;  // pixels; BACKGROUND and OBJECT of kernels/particlefilter.cu
constexpr std::int32_t kRadius = 4;                       // of the object's disc
constexpr std::int32_t kMargin = 12;                      // from its centre to the nearest edges in the first frame

class Particlefilter final : public Workload {
 public:
  explicit Particlefilter(const Settings& settings)
      : Workload(settings),
        count_(settings["particles"]),
        frames_(settings["frames"]),
        width_(settings["width"]),
        block_(settings["block"]) {
    for (std::int32_t y = -kRadius; y <= kRadius; ++y) {
      for (std::int32_t x = -kRadius; x <= kRadius; ++x) {
        if (x * x + y * y <= kRadius * kRadius) disc_.push_back({x, y});
      }
    }
    Random random(settings.seed());
    for (std::uint32_t frame = 0; frame < frames_; ++frame) make_frame(random, frame);
  }

  void run(DeviceInterface& device) override {
    Random random(settings().seed() + 1);
    const Address disc = upload(device, disc_);
    const Address frame = device.allocate(width_ * width_);
    const Address xs = device.allocate(count_ * 4), ys = device.allocate(count_ * 4);
    const Address new_xs = device.allocate(count_ * 4), new_ys = device.allocate(count_ * 4);
    const Address evidence = device.allocate(count_ * 8);
    const Address cumulative = device.allocate(count_ * 4), numbers = device.allocate(count_ * 4);
    const Dim3 grid{blocks_for(count_, block_)};
    Particles now = start();
    for (const auto& pixels : video_) {
      move(now, random);
      device.write(frame, pixels.data(), bytes_of(pixels));
      device.write(xs, now.x.data(), bytes_of(now.x));
      device.write(ys, now.y.data(), bytes_of(now.y));
      launch(device, "likelihood", grid, {block_}, xs, ys, disc, static_cast<std::uint32_t>(disc_.size()), frame,
             width_, evidence, count_);
      evidence_.push_back(download<std::int32_t>(device, evidence, 2 * count_));
      const Draw draw = weigh(evidence_.back(), random);
      device.write(cumulative, draw.cumulative.data(), bytes_of(draw.cumulative));
      device.write(numbers, draw.numbers.data(), bytes_of(draw.numbers));
      launch(device, "resample", grid, {block_}, xs, ys, cumulative, numbers, new_xs, new_ys, count_);
      now = {download<std::int32_t>(device, new_xs, count_), download<std::int32_t>(device, new_ys, count_)};
      resampled_.push_back(now);
    }
  }

  // The same filter; pixels are classed when a frame is looked at first, and particles found by bisection.
  void check() const override {
    if (resampled_.size() != frames_)
      throw wrong_result("particlefilter: frames", std::to_string(resampled_.size()), std::to_string(frames_));
    Random random(settings().seed() + 1);
    Particles now = start();
    for (std::uint32_t frame = 0; frame < frames_; ++frame) {
      move(now, random);
      std::vector<std::int32_t> of_pixel, evidence(2 * count_, 0);
      // (p - b)^2 - (p - o)^2, expanded.
      for (const std::uint8_t pixel : video_[frame])
        of_pixel.push_back((kObject - kBackground) * (2 * pixel - kBackground - kObject));
      for (const Offset& point : disc_) {
        for (std::uint32_t i = 0; i < count_; ++i) {
          const auto x = static_cast<std::uint32_t>(now.x[i] + point.x),
                     y = static_cast<std::uint32_t>(now.y[i] + point.y);
          if (std::max(x, y) >= width_) continue;
          evidence[2 * i] += of_pixel[std::size_t{y} * width_ + x];
          ++evidence[2 * i + 1];
        }
      }
      expect_equal(fmt::format("particlefilter: frame {}: evidence", frame), evidence_[frame], evidence);
      const Draw draw = weigh(evidence, random);
      Particles next;
      for (const float number : draw.numbers) {
        const auto found =
            std::lower_bound(draw.cumulative.begin(), draw.cumulative.end() - 1, number) - draw.cumulative.begin();
        next.x.push_back(now.x[found]);
        next.y.push_back(now.y[found]);
      }
      expect_equal(fmt::format("particlefilter: frame {}: x", frame), resampled_[frame].x, next.x);
      expect_equal(fmt::format("particlefilter: frame {}: y", frame), resampled_[frame].y, next.y);
      now = next;
    }
  }

 private:
  struct Offset {
    std::int32_t x, y;
  };
  struct Particles {
    std::vector<std::int32_t> x, y;
  };
  struct Draw {
    std::vector<float> cumulative, numbers;
  };

  // A disc near the upper right corner that goes right and up, before noise.
  void make_frame(Random& random, std::uint32_t frame) {
    std::vector<std::uint8_t> pixels;
    const auto width = static_cast<std::int32_t>(width_), time = static_cast<std::int32_t>(frame);
    for (std::int32_t y = 0; y < width; ++y) {
      for (std::int32_t x = 0; x < width; ++x) {
        const std::int32_t dx = x - (width - kMargin) - time, dy = y - kMargin + 2 * time;
        const bool inside = dx * dx + dy * dy <= kRadius * kRadius;
        pixels.push_back(static_cast<std::uint8_t>((inside ? kObject : kBackground) - 10 +
                                                   static_cast<std::int32_t>(random.below(21))));
      }
    }
    video_.push_back(pixels);
  }

  [[nodiscard]] Particles start() const {
    return {std::vector<std::int32_t>(count_, static_cast<std::int32_t>(width_) - kMargin),
            std::vector<std::int32_t>(count_, kMargin)};
  }

  // As the object is known to move, and a bell of whole pixels.
  static void move(Particles& particles, Random& random) {
    const auto bell = [&](std::uint32_t half) {
      return static_cast<std::int32_t>(random.below(half + 1) + random.below(half + 1)) -
             static_cast<std::int32_t>(half);
    };
    for (std::size_t i = 0; i < particles.x.size(); ++i) {
      particles.x[i] += 1 + bell(10);
      particles.y[i] += -2 + bell(6);
    }
  }

  // The host's part of a frame: weights from likelihoods, their sums, and equidistant numbers to look for.
  static Draw weigh(const std::vector<std::int32_t>& evidence, Random& random) {
    const std::size_t particles = evidence.size() / 2;
    Draw draw;
    std::vector<double> weights;
    double total = 0;
    for (std::size_t i = 0; i < particles; ++i) {
      weights.push_back(std::exp(evidence[2 * i] / (50.0 * std::max(evidence[2 * i + 1], 1)) /
                                 16));  // 16: the noise of neighbours is not independent
      total += weights.back();
    }
    double sum = 0;
    for (const double weight : weights) draw.cumulative.push_back(static_cast<float>((sum += weight) / total));
    const float first = random.between(0.0f, 1.0f);
    const auto count = static_cast<float>(particles);
    for (std::size_t i = 0; i < particles; ++i) draw.numbers.push_back((first + static_cast<float>(i)) / count);
    return draw;
  }

  std::uint32_t count_;
  std::uint32_t frames_;
  std::uint32_t width_;
  std::uint32_t block_;
  std::vector<Offset> disc_;
  std::vector<std::vector<std::uint8_t>> video_;
  std::vector<std::vector<std::int32_t>> evidence_;  // frame by frame: sum and pixels of each particle
  std::vector<Particles> resampled_;
};

}  // namespace

WorkloadInfo particlefilter_workload() {
  return {"particlefilter",
          "a particle filter that follows a disc in a video: likelihoods and resampling, two launches a frame",
          "Rodinia particlefilter; linearization paper",
          {{"particles", "particles, one a thread", 96, 1000, 4000, 1, 65536},
           {"frames", "frames of the video", 2, 4, 4, 1, 100},
           {"width", "rows and columns of a frame", 32, 128, 128, 16, 1024},
           {"block", "threads a block", 32, 256, 256, 1, 1024}},
          false,
          make<Particlefilter>};
}

}  // namespace heddle
