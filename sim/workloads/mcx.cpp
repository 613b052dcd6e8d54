// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr float kFixed = 1048576.0f;  // FIXED and ROULETTE of kernels/mcx.cu
constexpr float kRoulette = 10.0f;

float exponential(float x) { return special(std::exp2, x * 1.44269504f); }

struct Medium {
  float absorption, scattering;
  float anisotropy;
  float index;
};

struct McxSetup {
  std::array<std::int32_t, 3> size;
  std::int32_t photons;
  float beam_x, beam_y, beam_radius;
  float lowest_weight;
  float longest_path;
};

struct Volume {
  McxSetup setup;
  std::vector<Medium> media;
  std::vector<std::uint8_t> voxels;

  [[nodiscard]] std::size_t place(const std::array<std::int32_t, 3>& at) const {
    return (static_cast<std::size_t>(at[2]) * setup.size[1] + at[1]) * setup.size[0] + at[0];
  }
  // What a photon leaves the volume by entering: nothing at all, or an empty voxel.
  [[nodiscard]] bool empty(const std::array<std::int32_t, 3>& at) const {
    for (int a = 0; a < 3; ++a) {
      if (at[a] < 0 || at[a] >= setup.size[a]) return true;
    }
    return voxels[place(at)] == 0;
  }
};

// One photon from its start to its end, axis by axis; rounded as kernels/mcx.cu rounds, since a path is chaotic.
class McxPhoton {
 public:
  McxPhoton(const Volume& volume, std::uint32_t& state) : volume_(volume), state_(state) {
    const McxSetup& setup = volume.setup;
    float x = 0, y = 0;
    do {
      x = 2.0f * uniform() - 1.0f;
      y = 2.0f * uniform() - 1.0f;
    } while (x * x + y * y > 1.0f);
    at_ = {setup.beam_x + setup.beam_radius * x, setup.beam_y + setup.beam_radius * y, 0.0f};
    voxel_ = {static_cast<std::int32_t>(at_[0]), static_cast<std::int32_t>(at_[1]), 0};
  }

  // Adds what is absorbed; returns what escapes, in fixed point.
  std::uint32_t follow(std::vector<std::uint32_t>& absorbed) {
    while (true) {
      if (scatter_ <= 0.0f) scatter();
      absorbed[volume_.place(voxel_)] += go();
      if (path_ > volume_.setup.longest_path) return 0;
      if (axis_ >= 0 && face() == Face::kLeft) return static_cast<std::uint32_t>(weight_ * kFixed);
      if (weight_ >= volume_.setup.lowest_weight) continue;
      if (uniform() * kRoulette > 1.0f) return 0;
      weight_ *= kRoulette;
    }
  }

 private:
  enum class Face { kPassed, kReflected, kLeft };

  [[nodiscard]] const Medium& medium() const { return volume_.media[volume_.voxels[volume_.place(voxel_)]]; }

  float uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return (static_cast<float>(state_ >> 8) + 0.5f) * 0x1p-24f;
  }

  void scatter() {
    scatter_ = -logarithm(uniform());
    if (straight_) {
      straight_ = false;
      return;
    }
    const float azimuth = 6.28318531f * uniform(), u = uniform(), g = medium().anisotropy;
    float cosine = 2.0f * u - 1.0f;
    if (std::fabs(g) > 0.001f) {
      const float t = (1.0f - g * g) / (1.0f - g + 2.0f * g * u);
      cosine = std::fmax(-1.0f, std::fmin(1.0f, (1.0f + g * g - t * t) / (2.0f * g)));
    }
    const float sine = std::sqrt(1.0f - cosine * cosine);
    const float a = sine * special(std::cos, azimuth), b = sine * special(std::sin, azimuth);
    const auto [x, y, z] = direction_;
    if (std::fabs(z) < 0.99999f) {
      const float across = std::sqrt(1.0f - z * z);
      direction_ = {(x * z * a - y * b) / across + x * cosine, (y * z * a + x * b) / across + y * cosine,
                    z * cosine - across * a};
    } else {
      direction_ = {a, b, z > 0.0f ? cosine : -cosine};
    }
  }

  // To the next face (axis_ says which) or event (axis_ is -1). Returns what is absorbed on the way.
  std::uint32_t go() {
    float length = 1.0e9f;
    axis_ = 0;
    for (int a = 0; a < 3; ++a) {
      const std::int32_t wall = voxel_[a] + (direction_[a] > 0.0f ? 1 : 0);
      const float distance = (static_cast<float>(wall) - at_[a]) / direction_[a];
      if (distance < length) length = distance, axis_ = a;
    }
    if (length < 0.0f) length = 0.0f;
    const float rest = scatter_ - length * medium().scattering;
    if (rest < 0.0f) length = scatter_ / medium().scattering, axis_ = -1;
    scatter_ = rest < 0.0f ? 0.0f : rest;
    for (int a = 0; a < 3; ++a) at_[a] += direction_[a] * length;
    path_ += length * medium().index;
    const float before = weight_;
    weight_ *= exponential(-medium().absorption * length);
    return static_cast<std::uint32_t>((before - weight_) * kFixed);
  }

  Face face() {
    const bool up = direction_[axis_] > 0.0f;
    auto next = voxel_;
    next[axis_] += up ? 1 : -1;
    at_[axis_] = static_cast<float>(up ? next[axis_] : voxel_[axis_]);
    const bool leaves = volume_.empty(next);
    const float here = medium().index, there = leaves ? 1.0f : volume_.media[volume_.voxels[volume_.place(next)]].index;
    if (here != there) {
      const float in = std::fabs(direction_[axis_]), ratio = here / there;
      const float sine2 = ratio * ratio * (1.0f - in * in);
      const float out = sine2 < 1.0f ? std::sqrt(1.0f - sine2) : 0.0f;
      const float s = (here * in - there * out) / (here * in + there * out),
                  t = (here * out - there * in) / (here * out + there * in);
      if (sine2 >= 1.0f || uniform() < 0.5f * (s * s + t * t)) {
        direction_[axis_] = -direction_[axis_];
        return Face::kReflected;
      }
      for (float& component : direction_) component *= ratio;
      direction_[axis_] = up ? out : -out;
    }
    if (leaves) return Face::kLeft;
    voxel_ = next;
    return Face::kPassed;
  }

  const Volume& volume_;
  std::uint32_t& state_;
  std::array<float, 3> at_{}, direction_{0.0f, 0.0f, 1.0f};
  std::array<std::int32_t, 3> voxel_{};
  float weight_ = 1.0f, path_ = 0.0f, scatter_ = 0.0f;
  bool straight_ = true;
  int axis_ = -1;
};

class Mcx final : public Workload {
 public:
  explicit Mcx(const Settings& settings)
      : Workload(settings),
        threads_(settings["threads"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    const auto edge = static_cast<std::int32_t>(settings["edge"]);
    const float middle = 0.5f * static_cast<float>(edge);
    volume_.setup = {{edge, edge, edge},
                     static_cast<std::int32_t>(settings["photons"]),
                     middle,
                     middle,
                     0.2f * middle,
                     0.05f,
                     3.0f * static_cast<float>(edge)};
    // Empty, tissue, a denser ball in it, and a clear layer on top.
    volume_.media = {
        {0.0f, 0.0f, 0.0f, 1.0f}, {0.1f, 1.0f, 0.9f, 1.37f}, {0.5f, 2.0f, 0.7f, 1.37f}, {0.01f, 0.05f, 0.0f, 1.33f}};
    for (std::int32_t z = 0; z < edge; ++z) {
      for (std::int32_t y = 0; y < edge; ++y) {
        for (std::int32_t x = 0; x < edge; ++x) volume_.voxels.push_back(kind(random, x, y, z, edge));
      }
    }
    for (std::uint32_t t = 0; t < threads_; ++t) seeds_.push_back(random.word() | 1u);
  }

  void run(DeviceInterface& device) override {
    const Address setup = upload(device, std::vector<McxSetup>{volume_.setup});
    const Address media = upload(device, volume_.media);
    const Address voxels = upload(device, volume_.voxels);
    const Address seeds = upload(device, seeds_);
    const Address absorbed = upload(device, std::vector<std::uint32_t>(volume_.voxels.size()));
    const Address escaped = device.allocate(threads_ * 4);
    launch(device, "mcx", {blocks_for(threads_, block_)}, {block_}, setup, media, voxels, seeds, absorbed, escaped,
           threads_);
    absorbed_ = download<std::uint32_t>(device, absorbed, volume_.voxels.size());
    escaped_ = download<std::uint32_t>(device, escaped, threads_);
  }

  void check() const override {
    std::vector<std::uint32_t> absorbed(volume_.voxels.size()), escaped(threads_);
    for (std::uint32_t t = 0; t < threads_; ++t) {
      std::uint32_t state = seeds_[t];
      for (std::int32_t p = 0; p < volume_.setup.photons; ++p) escaped[t] += McxPhoton(volume_, state).follow(absorbed);
    }
    expect_equal("mcx: absorbed in voxel ((z * edge + y) * edge + x)", absorbed_, absorbed);
    expect_equal("mcx: escaped of thread", escaped_, escaped);
  }

 private:
  static std::uint8_t kind(Random& random, std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t edge) {
    if (z == 0) return 3;
    if (random.below(64) == 0) return 0;
    const std::int32_t dx = 2 * x + 1 - edge, dy = 2 * y + 1 - edge, dz = 2 * z + 1 - edge;
    return 4 * (dx * dx + dy * dy + dz * dz) < edge * edge ? 2 : 1;
  }

  std::uint32_t threads_;
  std::uint32_t block_;
  Volume volume_;
  std::vector<std::uint32_t> seeds_;
  std::vector<std::uint32_t> absorbed_, escaped_;
};

}  // namespace

WorkloadInfo mcx_workload() {
  return {"mcx",
          "Monte Carlo transport of photons in a volume of voxels: scattering, absorption, reflection, roulette",
          "Monte Carlo eXtreme; linearization paper",
          {{"threads", "threads", 24, 128, 1024, 1, 65536},
           {"photons", "photons of a thread, one after the other", 2, 2, 8, 1, 10000},
           {"edge", "voxels along each edge of the volume", 3, 12, 20, 1, 256},
           {"block", "threads a block", 16, 64, 128, 1, 1024}},
          false,
          make<Mcx>};
}

}  // namespace heddle
