// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kPointThreads = 256;  // MAX_THREADS of kernels/heartwall.cu
constexpr std::int32_t kWorst = 255;

class Heartwall final : public Workload {
 public:
  explicit Heartwall(const Settings& settings)
      : Workload(settings),
        points_(settings["points"]),
        frames_(settings["frames"]),
        block_(settings["block"]) {
    const auto edge = static_cast<std::int32_t>(settings["edge"]), side = static_cast<std::int32_t>(settings["side"]);
    tracker_ = {edge, edge, side, static_cast<std::int32_t>(settings["reach"]), 2, 16 * side * side};
    Random random(settings.seed());
    make_video(random);
    for (std::uint32_t p = 0; p < points_; ++p) {
      places_.push_back({static_cast<std::int32_t>(random.below(settings["edge"])),
                         static_cast<std::int32_t>(random.below(settings["edge"]))});
    }
  }

  void run(DeviceInterface& device) override {
    const Address tracker = upload(device, std::vector<Tracker>{tracker_});
    const Address frame = device.allocate(bytes_of(video_[0]));
    const Address templates = device.allocate(points_ * tracker_.side * tracker_.side);
    const Address places = upload(device, places_);
    const Address scores = device.allocate(points_ * 4);
    for (std::uint32_t f = 0; f < frames_; ++f) {
      device.write(frame, video_[f].data(), bytes_of(video_[f]));
      launch(device, "heartwall", {points_}, {block_}, tracker, frame, templates, places, scores, f);
      if (f == 0) continue;  // templates alone
      tracks_.push_back(download<std::int32_t>(device, places, 2 * points_));
      scores_.push_back(download<std::int32_t>(device, scores, points_));
    }
    templates_ = download<std::uint8_t>(device, templates, std::size_t{points_} * tracker_.side * tracker_.side);
  }

  // Point by point; every displacement to its end, with pixels outside of the frame as pixels that differ most.
  void check() const override {
    if (tracks_.size() + 1 != frames_)
      throw wrong_result("heartwall: frames", std::to_string(tracks_.size() + 1), std::to_string(frames_));
    const std::int32_t side = tracker_.side;
    std::vector<std::vector<std::int32_t>> tracks(frames_ - 1), scores(frames_ - 1);
    std::vector<std::uint8_t> templates;
    for (Place at : places_) {
      std::vector<std::int32_t> pattern;
      for (std::int32_t i = 0; i < side * side; ++i) pattern.push_back(std::max(0, pixel(0, at, i)));
      for (std::uint32_t f = 1; f < frames_; ++f) {
        std::int64_t best = -1;
        Place found{};
        for (std::int32_t y = -tracker_.reach; y <= tracker_.reach; ++y) {
          for (std::int32_t x = -tracker_.reach; x <= tracker_.reach; ++x) {
            std::int64_t sum = 0;
            for (std::int32_t i = 0; i < side * side; ++i) {
              const std::int32_t there = pixel(f, {at.x + x, at.y + y}, i);
              sum += there < 0 ? kWorst : std::abs(pattern[i] - there);
            }
            if (best < 0 || sum < best) best = sum, found = {at.x + x, at.y + y};
          }
        }
        at = found;
        tracks[f - 1].insert(tracks[f - 1].end(), {at.x, at.y});
        scores[f - 1].push_back(static_cast<std::int32_t>(best));
        if (f % tracker_.renew_every != 0 || best > tracker_.good) continue;
        for (std::int32_t i = 0; i < side * side; ++i) {
          const std::int32_t there = pixel(f, at, i);
          if (there >= 0) pattern[i] = (19 * pattern[i] + there + 10) / 20;
        }
      }
      templates.insert(templates.end(), pattern.begin(), pattern.end());
    }
    for (std::uint32_t f = 1; f < frames_; ++f) {
      expect_equal(fmt::format("heartwall: frame {}: coordinate (2 * point)", f), tracks_[f - 1], tracks[f - 1]);
      expect_equal(fmt::format("heartwall: frame {}: score", f), scores_[f - 1], scores[f - 1]);
    }
    expect_equal("heartwall: pixel of a template (point by point)",
                 std::vector<int>(templates_.begin(), templates_.end()),
                 std::vector<int>(templates.begin(), templates.end()));
  }

 private:
  struct Tracker {
    std::int32_t width, height, side, reach, renew_every, good;
  };
  struct Place {
    std::int32_t x, y;
  };

  // Pixel i of the square around a place; -1 outside.
  [[nodiscard]] std::int32_t pixel(std::uint32_t frame, Place middle, std::int32_t i) const {
    const std::int32_t x = middle.x - tracker_.side / 2 + i % tracker_.side,
                       y = middle.y - tracker_.side / 2 + i / tracker_.side;
    const bool inside = std::min(x, y) >= 0 && x < tracker_.width && y < tracker_.height;
    return inside ? video_[frame][static_cast<std::size_t>(y) * tracker_.width + x] : -1;
  }

  // A texture of 2 x 2 pixels, bands of which move at speeds of their own, and noise; a part is black, where all
  // displacements are equal.
  void make_video(Random& random) {
    const auto edge = static_cast<std::uint32_t>(tracker_.width);
    std::vector<std::uint32_t> texture;
    for (std::uint32_t i = 0; i < edge * edge; ++i) texture.push_back(8 + random.below(240));
    for (std::uint32_t f = 0; f < frames_; ++f) {
      std::vector<std::uint8_t> frame;
      for (std::uint32_t y = 0; y < edge; ++y) {
        for (std::uint32_t x = 0; x < edge; ++x) {
          const std::uint32_t u = (x + f * (y / 16 % 3)) / 2 % edge, v = (y + f) / 2 % edge;
          const bool black = u / 8 % 3 == 2;
          frame.push_back(static_cast<std::uint8_t>(black ? 0 : texture[v * edge + u] - 8 + random.below(17)));
        }
      }
      video_.push_back(frame);
    }
  }

  std::uint32_t points_;
  std::uint32_t frames_;
  std::uint32_t block_;
  Tracker tracker_{};
  std::vector<std::vector<std::uint8_t>> video_;
  std::vector<Place> places_;                               // in the first frame
  std::vector<std::vector<std::int32_t>> tracks_, scores_;  // from the second frame on
  std::vector<std::uint8_t> templates_;
};

}  // namespace

WorkloadInfo heartwall_workload() {
  return {"heartwall",
          "sample points tracked over the frames of a video by template matching, a block a point, one launch a frame",
          "Rodinia heartwall; linearization paper",
          {{"points", "sample points, one a thread block", 4, 20, 32, 1, 4096},
           {"frames", "frames of the video", 3, 6, 8, 2, 1000},
           {"edge", "rows and columns of a frame", 24, 96, 160, 4, 1024},
           {"side", "rows and columns of a template", 6, 10, 12, 1, 64},
           {"reach", "displacements searched in each direction", 3, 6, 8, 0, 64},
           {"block", "threads a block", 32, 64, 128, 1, kPointThreads}},
          false,
          make<Heartwall>};
}

}  // namespace heddle
