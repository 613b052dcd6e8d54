// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <numeric>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kSquareThreads = 64;  // THREADS, COLOURS and ROUNDS of kernels/dxtc.cu
constexpr std::size_t kColours = 16;
constexpr int kRounds = 8;

using Square = std::array<std::array<float, 3>, kColours>;
constexpr std::array<float, 3> kLevels = {31, 63, 31};

// The colours' order along their principal axis; rounded as the kernel rounds, since the order decides which clusters
// there are.
std::array<std::size_t, kColours> order_of(const Square& colours) {
  std::array<float, 3> mean{}, axis{1, 1, 1};
  for (const auto& colour : colours) {
    for (int c = 0; c < 3; ++c) mean[c] += colour[c];
  }
  for (float& m : mean) m *= 1.0f / 16;
  float covariance[3][3] = {};
  for (const auto& colour : colours) {
    for (int c = 0; c < 3; ++c) {
      for (int d = c; d < 3; ++d) covariance[d][c] = covariance[c][d] += (colour[c] - mean[c]) * (colour[d] - mean[d]);
    }
  }
  for (int round = 0; round < kRounds; ++round) {
    std::array<float, 3> next{};
    float largest = 0;
    for (int c = 0; c < 3; ++c) {
      next[c] = axis[0] * covariance[c][0] + axis[1] * covariance[c][1] + axis[2] * covariance[c][2];
      largest = std::fmax(largest, std::fabs(next[c]));
    }
    if (largest == 0.0f) break;
    for (int c = 0; c < 3; ++c) axis[c] = next[c] / largest;
  }
  std::array<float, kColours> along{};
  for (std::size_t i = 0; i < kColours; ++i)
    along[i] = colours[i][0] * axis[0] + colours[i][1] * axis[1] + colours[i][2] * axis[2];
  std::array<std::size_t, kColours> order{};
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return along[a] < along[b]; });
  return order;
}

// Squared distance of the colours from those that a result stands for.
double error_of(const Square& colours, std::uint32_t ends, std::uint32_t indices) {
  double error = 0;
  for (std::size_t i = 0; i < kColours; ++i) {
    const std::uint32_t index = indices >> (2 * i) & 3u;
    const double share = index == 0 ? 0.0 : index == 1 ? 1.0 : index == 2 ? 1.0 / 3 : 2.0 / 3;  // of the second end
    for (int c = 0; c < 3; ++c) {
      const unsigned shift = c == 0 ? 11 : c == 1 ? 5 : 0;
      const auto level = [&](std::uint32_t end) {
        return static_cast<double>(end >> shift & static_cast<std::uint32_t>(kLevels[c])) /
               static_cast<double>(kLevels[c]);
      };
      const double d =
          static_cast<double>(colours[i][c]) - ((1 - share) * level(ends & 0xffff) + share * level(ends >> 16));
      error += d * d;
    }
  }
  return error;
}

class Dxtc final : public Workload {
 public:
  explicit Dxtc(const Settings& settings) : Workload(settings), squares_(settings["squares"]) {
    Random random(settings.seed());
    for (std::uint32_t s = 0; s < squares_; ++s) {
      // Between two colours, with some noise; one square in eight has a colour of its own only.
      std::array<float, 3> from{}, to{};
      for (int c = 0; c < 3; ++c) from[c] = random.between(0.0f, 255.0f), to[c] = random.between(0.0f, 255.0f);
      if (random.below(8) == 0) to = from;
      const float noise = to == from ? 0.0f : 24.0f;
      for (std::size_t i = 0; i < kColours; ++i) {
        const float where = random.between(0.0f, 1.0f);
        std::uint32_t pixel = 0;
        for (int c = 0; c < 3; ++c) {
          const float value = from[c] + where * (to[c] - from[c]) + random.between(-noise, noise);
          pixel = pixel << 8 | static_cast<std::uint32_t>(std::fmin(255.0f, std::fmax(0.0f, value)));
        }
        image_.push_back(pixel);
      }
    }
    for (unsigned i = 0; i <= kColours; ++i) {
      for (unsigned j = i; j <= kColours; ++j) {
        for (unsigned k = j; k <= kColours; ++k) {
          std::uint32_t way = 0;  // clusters in the order of their colours: first end, a third, two thirds, second end
          for (unsigned c = 0; c < kColours; ++c) way |= (c < i ? 0u : c < j ? 2u : c < k ? 3u : 1u) << (2 * c);
          ways_.push_back(way);
        }
      }
    }
  }

  void run(DeviceInterface& device) override {
    const Address image = upload(device, image_);
    const Address ways = upload(device, ways_);
    const Address result = device.allocate(squares_ * 8);
    launch(device, "dxtc", {squares_}, {kSquareThreads}, image, ways, static_cast<std::uint32_t>(ways_.size()), result);
    result_ = download<std::uint32_t>(device, result, std::size_t{2} * squares_);
  }

  // A result must be as good as the best of all ways, each with the end points that least squares give, in double
  // precision. Of ways that are equally good within rounding any will do.
  void check() const override {
    if (result_.size() != std::size_t{2} * squares_)
      throw wrong_result("dxtc: result", fmt::format("{} words long", result_.size()),
                         fmt::format("{} words", 2 * squares_));
    for (std::uint32_t s = 0; s < squares_; ++s) {
      Square colours{};
      for (std::size_t i = 0; i < kColours; ++i) {
        for (int c = 0; c < 3; ++c)
          colours[i][c] = static_cast<float>(image_[s * kColours + i] >> (16 - 8 * c) & 255u) * (1.0f / 255.0f);
      }
      const std::uint32_t ends = result_[std::size_t{2} * s], indices = result_[std::size_t{2} * s + 1];
      const double found = error_of(colours, ends, indices), best = best_error(colours);
      if (std::fabs(found - best) > 1e-4)
        throw wrong_result(fmt::format("dxtc: error of square {}", s), fmt::format("{:.6f}", found),
                           fmt::format("{:.6f}", best));
      if ((ends & 0xffff) < ends >> 16)
        throw wrong_result(fmt::format("dxtc: first end of square {}", s), fmt::format("{:#x}", ends & 0xffff),
                           "at least the second one");
    }
  }

 private:
  [[nodiscard]] double best_error(const Square& colours) const {
    const std::array<std::size_t, kColours> order = order_of(colours);
    double best = 1e30;
    for (const std::uint32_t way : ways_) {
      // Normal equations of x_i = (1 - s_i) p + s_i q.
      double pp = 0, qq = 0, pq = 0, px[3] = {}, qx[3] = {};
      std::uint32_t indices = 0;
      for (std::size_t i = 0; i < kColours; ++i) {
        const std::uint32_t index = way >> (2 * i) & 3u;
        indices |= index << (2 * order[i]);
        const double s = index == 0 ? 0.0 : index == 1 ? 1.0 : index == 2 ? 1.0 / 3 : 2.0 / 3;
        pp += (1 - s) * (1 - s), qq += s * s, pq += s * (1 - s);
        for (int c = 0; c < 3; ++c)
          px[c] += (1 - s) * static_cast<double>(colours[order[i]][c]),
              qx[c] += s * static_cast<double>(colours[order[i]][c]);
      }
      const double determinant = pp * qq - pq * pq;
      if (determinant < 1e-9) continue;  // one cluster
      std::uint32_t first = 0, second = 0;
      for (int c = 0; c < 3; ++c) {
        const unsigned shift = c == 0 ? 11 : c == 1 ? 5 : 0;
        const auto level = [&](double value) {
          return static_cast<std::uint32_t>(
                     std::floor(std::clamp(value, 0.0, 1.0) * static_cast<double>(kLevels[c]) + 0.5))
                 << shift;
        };
        first |= level((px[c] * qq - qx[c] * pq) / determinant);
        second |= level((qx[c] * pp - px[c] * pq) / determinant);
      }
      best = std::min(best, error_of(colours, first | second << 16, indices));
    }
    return best;
  }

  std::uint32_t squares_;
  std::vector<std::uint32_t> image_, ways_, result_;
};

}  // namespace

WorkloadInfo dxtc_workload() {
  return {
      "dxtc",
      "DXT1 compression by cluster fit: each thread tries some of the ways to cut sixteen colours into four clusters",
      "CUDA samples dxtc; DPE paper",
      {{"squares", "squares of 4 x 4 colours", 1, 48, 512, 1, 65536}},
      false,
      make<Dxtc>,
      {{"squares", 512}}};
}

}  // namespace heddle
