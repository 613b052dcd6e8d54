// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "workloads/host.h"

namespace heddle {
namespace {

constexpr std::uint32_t kFullWeight = 0xffffff, kLeastWeight = 1678, kChance = 10;  // of kernels/mcml.cu
constexpr float kUpright = 0.99999f;

struct Layer {
  float top, bottom, free_path, absorbed, anisotropy, index;
};

struct McmlSetup {
  std::int32_t layers, rings, depths;
  float per_ring, per_depth;
  std::int32_t photons;
};

// What is absorbed, reflected or transmitted by a bin.
struct Bins {
  std::vector<std::uint64_t> absorbed, reflected, transmitted;
};

// One photon until it has left or lost; rounded as kernels/mcml.cu rounds, since a path is chaotic.
class McmlPhoton {
 public:
  McmlPhoton(const McmlSetup& setup, const std::vector<Layer>& layers, std::uint32_t& state, Bins& bins)
      : setup_(setup),
        layers_(layers),
        state_(state),
        bins_(bins) {}

  void follow() {
    while (weight_ != 0) {
      if (!move()) {
        absorb();
        deflect();
      }
      roulette();
    }
  }

 private:
  [[nodiscard]] const Layer& layer(std::size_t number) const { return layers_[number]; }
  [[nodiscard]] std::size_t ring() const {
    const float r = std::sqrt(x_ * x_ + y_ * y_) * setup_.per_ring;
    return std::min(static_cast<std::size_t>(r), static_cast<std::size_t>(setup_.rings - 1));
  }

  float uniform() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return (static_cast<float>(state_ >> 8) + 0.5f) * 0x1p-24f;
  }

  // Whether the step ended at the layer's boundary.
  bool move() {
    const Layer& in = layer(layer_);
    float step = in.free_path == 0.0f ? 100.0f : -logarithm(uniform()) * in.free_path;
    const float end = z_ + step * dz_;
    const bool above = end<in.top, below = end> in.bottom;
    if (above || below) step = ((above ? in.top : in.bottom) - z_) / dz_;
    x_ += dx_ * step;
    y_ += dy_ * step;
    z_ = std::fmax(in.top, std::fmin(in.bottom, z_ + dz_ * step));
    if (above || below) cross(above ? layer_ - 1 : layer_ + 1);
    return above || below;
  }

  void cross(std::size_t other) {
    const float from = layer(layer_).index, to = layer(other).index;
    if (from != to) {
      const float in = std::fabs(dz_), ratio = from / to, sine2 = ratio * ratio * (1.0f - in * in);
      bool back = sine2 >= 1.0f;
      const float out = back ? 0.0f : std::sqrt(1.0f - sine2);
      if (!back) {
        const float r = (from - to) / (from + to);
        const float s = (from * in - to * out) / (from * in + to * out),
                    t = (from * out - to * in) / (from * out + to * in);
        back = uniform() <= (in > kUpright ? r * r : 0.5f * (s * s + t * t));
      }
      if (back) {
        dz_ = -dz_;
        return;
      }
      dx_ *= ratio;
      dy_ *= ratio;
      dz_ = dz_ < 0.0f ? -out : out;
    }
    layer_ = other;
    if (other != 0 && other != static_cast<std::size_t>(setup_.layers) + 1) return;
    (other == 0 ? bins_.reflected : bins_.transmitted)[ring()] += weight_;
    weight_ = 0;
  }

  void absorb() {
    const auto loss = static_cast<std::uint32_t>(layer(layer_).absorbed * static_cast<float>(weight_));
    weight_ -= loss;
    const std::size_t depth =
        std::min(static_cast<std::size_t>(z_ * setup_.per_depth), static_cast<std::size_t>(setup_.depths - 1));
    bins_.absorbed[depth * static_cast<std::size_t>(setup_.rings) + ring()] += loss;
  }

  void deflect() {
    const float u = uniform(), g = layer(layer_).anisotropy;
    float cosine = 2.0f * u - 1.0f;
    if (g != 0.0f) {
      const float t = (1.0f - g * g) / (1.0f - g + 2.0f * g * u);
      cosine = std::fmax(-1.0f, std::fmin(1.0f, (1.0f + g * g - t * t) / (2.0f * g)));
    }
    const float sine = std::sqrt(1.0f - cosine * cosine), azimuth = 6.28318531f * uniform();
    const float a = sine * special(std::cos, azimuth), b = sine * special(std::sin, azimuth);
    if (std::fabs(dz_) > kUpright) {
      dx_ = a;
      dy_ = b;
      dz_ = (dz_ < 0.0f) == (cosine < 0.0f) ? std::fabs(cosine) : -std::fabs(cosine);
      return;
    }
    const float across = std::sqrt(1.0f - dz_ * dz_), x = dx_, y = dy_, z = dz_;
    dx_ = (x * z * a - y * b) / across + x * cosine;
    dy_ = (y * z * a + x * b) / across + y * cosine;
    dz_ = z * cosine - across * a;
  }

  void roulette() {
    if (weight_ == 0 || weight_ >= kLeastWeight) return;
    weight_ = uniform() * static_cast<float>(kChance) <= 1.0f ? weight_ * kChance : 0;
  }

  const McmlSetup& setup_;
  const std::vector<Layer>& layers_;
  std::uint32_t& state_;
  Bins& bins_;
  float x_ = 0, y_ = 0, z_ = 0, dx_ = 0, dy_ = 0, dz_ = 1;
  std::uint32_t weight_ = kFullWeight;
  std::size_t layer_ = 1;
};

class Mcml final : public Workload {
 public:
  explicit Mcml(const Settings& settings)
      : Workload(settings),
        threads_(settings["threads"]),
        block_(settings["block"]),
        setup_{3,
               static_cast<std::int32_t>(settings["rings"]),
               static_cast<std::int32_t>(settings["depths"]),
               static_cast<float>(settings["rings"]) / 0.5f,
               static_cast<float>(settings["depths"]) / 0.22f,
               static_cast<std::int32_t>(threads_ * settings["photons"])} {
    // Glass, epidermis, dermis [cm]: scattering coefficients of MCML's manual, about.
    add_layer(0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 1.0f);
    add_layer(0.0f, 0.01f, 0.0f, 0.0f, 0.0f, 1.5f);
    add_layer(0.01f, 0.03f, 20.0f, 180.0f, 0.8f, 1.37f);
    add_layer(0.03f, 0.22f, 5.0f, 200.0f, 0.76f, 1.37f);
    add_layer(0.22f, 0.22f, 0.0f, 0.0f, 0.0f, 1.0f);
    Random random(settings.seed());
    for (std::int32_t p = 0; p < setup_.photons; ++p) seeds_.push_back(random.word() | 1u);
  }

  void run(DeviceInterface& device) override {
    const std::size_t rings = static_cast<std::size_t>(setup_.rings),
                      bins = rings * static_cast<std::size_t>(setup_.depths);
    const Address setup = upload(device, std::vector<McmlSetup>{setup_});
    const Address layers = upload(device, layers_);
    const Address seeds = upload(device, seeds_);
    const Address next = upload(device, std::vector<std::uint32_t>{threads_});
    const Address absorbed = upload(device, std::vector<Sum>(bins));
    const Address reflected = upload(device, std::vector<Sum>(rings));
    const Address transmitted = upload(device, std::vector<Sum>(rings));
    launch(device, "mcml", {blocks_for(threads_, block_)}, {block_}, setup, layers, seeds, next, absorbed, reflected,
           transmitted, threads_);
    result_ = {sums(device, absorbed, bins), sums(device, reflected, rings), sums(device, transmitted, rings)};
  }

  void check() const override {
    const auto rings = static_cast<std::size_t>(setup_.rings);
    Bins wanted{std::vector<std::uint64_t>(rings * static_cast<std::size_t>(setup_.depths)),
                std::vector<std::uint64_t>(rings), std::vector<std::uint64_t>(rings)};
    for (std::uint32_t state : seeds_) McmlPhoton(setup_, layers_, state, wanted).follow();
    expect_equal("mcml: absorbed (depth * rings + ring)", result_.absorbed, wanted.absorbed);
    expect_equal("mcml: reflected in ring", result_.reflected, wanted.reflected);
    expect_equal("mcml: transmitted in ring", result_.transmitted, wanted.transmitted);
  }

 private:
  struct Sum {
    std::uint32_t low = 0, high = 0;
  };

  void add_layer(float top, float bottom, float absorption, float scattering, float anisotropy, float index) {
    const float both = absorption + scattering;
    layers_.push_back(
        {top, bottom, both == 0.0f ? 0.0f : 1.0f / both, both == 0.0f ? 0.0f : absorption / both, anisotropy, index});
  }
  [[nodiscard]] static std::vector<std::uint64_t> sums(DeviceInterface& device, Address buffer, std::size_t count) {
    std::vector<std::uint64_t> values;
    for (const Sum& sum : download<Sum>(device, buffer, count))
      values.push_back(sum.low + std::uint64_t{sum.high} * 1024);
    return values;
  }

  std::uint32_t threads_, block_;
  McmlSetup setup_;
  std::vector<Layer> layers_;
  std::vector<std::uint32_t> seeds_;
  Bins result_;
};

}  // namespace

WorkloadInfo mcml_workload() {
  return {"mcml",
          "Monte Carlo transport of photons in plane layers of tissue: steps and boundaries, passage and reflection, "
          "absorption, roulette",
          "CUDAMCML, MCML; DPE paper",
          {{"threads", "threads", 16, 320, 1536, 1, 65536},
           {"photons", "photons a thread, which it takes from a counter", 2, 4, 8, 1, 1000},
           {"rings", "bins by the distance from the beam", 50, 50, 50, 1, 1000},
           {"depths", "bins by depth", 100, 100, 100, 1, 1000},
           {"block", "threads a block", 16, 64, 256, 1, 1024}},
          false,
          make<Mcml>,
          {{"threads", 7680}, {"photons", 4}}};
}

}  // namespace heddle
