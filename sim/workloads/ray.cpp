// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <optional>

#include "workloads/host.h"

namespace heddle {
namespace {

// What decides where a ray goes is rounded as kernels/ray.cu rounds it: at a silhouette a tolerance would not help.
using Vector = std::array<float, 3>;
using Colour = std::array<double, 3>;

float dot(const Vector& a, const Vector& b) {
  float sum = a[0] * b[0];
  for (int i = 1; i < 3; ++i) sum += a[i] * b[i];
  return sum;
}

// a + b * s.
Vector moved(Vector a, const Vector& b, float s) {
  for (int i = 0; i < 3; ++i) a[i] += b[i] * s;
  return a;
}

Vector between(const Vector& from, Vector to) {
  for (int i = 0; i < 3; ++i) to[i] -= from[i];
  return to;
}

Vector scaled(Vector a, float s) {
  for (float& c : a) c *= s;
  return a;
}

class Ray final : public Workload {
 public:
  explicit Ray(const Settings& settings)
      : Workload(settings),
        width_(settings["width"]),
        height_(settings["height"]),
        block_(settings["block"]) {
    Random random(settings.seed());
    scene_ = {static_cast<std::int32_t>(settings["spheres"]),
              static_cast<std::int32_t>(settings["bounces"]),
              {0, 2, -6},
              {-6, 9, -4},
              0.25f};
    for (std::uint32_t s = 0; s < settings["spheres"]; ++s) {
      const float radius = random.between(0.3f, 1.1f);
      const Vector centre{random.between(-4.0f, 4.0f), radius + random.between(0.0f, 2.0f),
                          random.between(-1.0f, 7.0f)};
      // Half of them are mirrors; what does not reflect at all is the end of a ray.
      const float mirror = random.below(2) == 0 ? 0.0f : random.between(0.2f, 0.9f);
      spheres_.push_back({centre,
                          radius,
                          {random.between(0.0f, 1.0f), random.between(0.0f, 1.0f), random.between(0.0f, 1.0f)},
                          mirror});
    }
  }

  void run(DeviceInterface& device) override {
    const Address scene = upload(device, std::vector<Scene>{scene_});
    const Address spheres = upload(device, spheres_);
    const Address image = device.allocate(width_ * height_ * 12);
    const Dim3 block{kBlockWidth, block_ / kBlockWidth};
    launch(device, "ray", {blocks_for(width_, block.x), blocks_for(height_, block.y)}, block, scene, spheres, image,
           width_, height_);
    image_ = download<float>(device, image, std::size_t{width_} * height_ * 3);
  }

  void check() const override {
    std::vector<double> wanted;
    const auto width = static_cast<float>(width_), height = static_cast<float>(height_);
    for (std::uint32_t y = 0; y < height_; ++y) {
      for (std::uint32_t x = 0; x < width_; ++x) {
        const Vector through{(2.0f * static_cast<float>(x) - width) / height,
                             (height - 2.0f * static_cast<float>(y)) / height, 2.0f};
        const Colour colour = light_from(scene_.eye, scaled(through, 1.0f / std::sqrt(dot(through, through))), 0, 1.0f);
        wanted.insert(wanted.end(), colour.begin(), colour.end());
      }
    }
    expect_close("ray: colour (3 * (y * width + x))", image_, wanted, 2e-6);
  }

 private:
  struct Sphere {
    Vector centre;
    float radius;
    Vector colour;
    float mirror;
  };
  struct Scene {
    std::int32_t spheres;
    std::int32_t bounces;
    Vector eye;
    Vector light;
    float plane_mirror;
  };
  // Where a line through a point enters and leaves a sphere, as distances.
  struct Chord {
    float enters, leaves;
    bool inside, ahead;
  };

  static std::optional<Chord> chord(const Sphere& sphere, const Vector& origin, const Vector& direction) {
    const Vector to_centre = between(origin, sphere.centre);
    const float along = dot(to_centre, direction), distance2 = dot(to_centre, to_centre);
    const float radius2 = sphere.radius * sphere.radius, apart2 = distance2 - along * along;
    if (apart2 > radius2) return std::nullopt;
    const float half = std::sqrt(radius2 - apart2);
    return Chord{along - half, along + half, distance2 <= radius2, along >= 0.0f};
  }

  [[nodiscard]] bool lit(const Vector& point, const Vector& to_light, float distance) const {
    for (const Sphere& sphere : spheres_) {
      const auto through = chord(sphere, point, to_light);
      if (through && through->ahead && through->enters > kNear && through->enters < distance) return false;
    }
    return true;
  }

  // The light that comes from a direction, of which `share` reaches the eye.
  [[nodiscard]] Colour light_from(const Vector& origin, const Vector& direction, std::int32_t bounce,
                                  float share) const {
    float nearest = 1.0e6f;
    const Sphere* sphere = nullptr;
    for (const Sphere& candidate : spheres_) {
      const auto through = chord(candidate, origin, direction);
      if (!through || (!through->ahead && !through->inside)) continue;
      const float hit = through->enters >= kNear ? through->enters : through->leaves;
      if (hit >= kNear && hit < nearest) nearest = hit, sphere = &candidate;
    }
    const float ground = direction[1] < 0.0f ? -origin[1] / direction[1] : 0.0f;
    const bool plane = ground > kNear && ground < nearest;
    if (plane) nearest = ground;
    if (!plane && sphere == nullptr) {
      const double up = std::fmax(0.0, direction[1]);
      return {0.5 - 0.25 * up, 0.625, 0.75 + 0.25 * up};
    }

    const Vector point = moved(origin, direction, nearest);
    Vector normal{0, 1, 0}, surface;
    if (plane) {
      const bool odd =
          ((static_cast<std::int64_t>(std::floor(point[0])) + static_cast<std::int64_t>(std::floor(point[2]))) & 1) !=
          0;
      surface.fill(odd ? 0.875f : 0.125f);
    } else {
      normal = scaled(between(sphere->centre, point), 1.0f / sphere->radius);
      surface = sphere->colour;
    }
    const Vector way = between(point, scene_.light);
    const float distance = std::sqrt(dot(way, way));
    const Vector to_light = scaled(way, 1.0f / distance);
    const float cosine = dot(normal, to_light);
    const Vector reflected = between(scaled(normal, 2.0f * dot(direction, normal)), direction);
    double bright = 0.125, gloss = 0;
    if (cosine > 0.0f && lit(point, to_light, distance)) {
      bright += 0.875 * cosine;
      if (!plane) gloss = 0.5 * std::pow(std::fmax(0.0, dot(reflected, to_light)), 16);
    }
    const float mirror = plane ? scene_.plane_mirror : sphere->mirror;
    Colour mirrored{};
    if (share * mirror >= 0.01f && bounce < scene_.bounces)
      mirrored = light_from(point, reflected, bounce + 1, share * mirror);
    Colour colour;
    for (int i = 0; i < 3; ++i)
      colour[i] = (1.0 - double{mirror}) * (surface[i] * bright + gloss) + mirror * mirrored[i];
    return colour;
  }

  static constexpr float kNear = 0.001f;

  std::uint32_t width_, height_;
  std::uint32_t block_;
  Scene scene_{};
  std::vector<Sphere> spheres_;
  std::vector<float> image_;
};

}  // namespace

WorkloadInfo ray_workload() {
  return {"ray",
          "ray tracer of spheres over a checkered plane with shadows and mirrors, a pixel a thread",
          "Whitted; ISPASS RAY; linearization paper",
          {{"width", "pixels of a row", 16, 128, 320, 1, 4096},
           {"height", "rows", 8, 96, 240, 1, 4096},
           {"spheres", "spheres", 6, 12, 16, 0, 1000},
           {"bounces", "reflections of a ray at most", 3, 4, 5, 0, 100},
           {"block", "threads a block, rows of 16", 64, 256, 256, 16, 1024, kBlockWidth}},
          false,
          make<Ray>,
          {{"width", 512}, {"height", 464}}};
}

}  // namespace heddle
