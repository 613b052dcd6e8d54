// SPDX-License-Identifier: Apache-2.0
// A ray tracer (Whitted) of spheres over a checkered plane, with shadows and mirrors, one pixel a thread; a loop over the bounces in
// place of the recursion. A ray ends at the sky, at a surface that does not reflect, when too little of its light is left, or after the
// last bounce. Of the tests of a ray with a sphere most end early, and the search for something in the light's way ends with the first
// found. Compiled without contraction to fused multiply-adds, so that the host decides every comparison as the kernel does.
#include <heddle/kernel.h>

#define NEAR 0.001f
#define FAR 1.0e6f
#define NOTHING -2
#define PLANE -1

struct Vector {
  float x, y, z;
};

struct Sphere {
  Vector centre;
  float radius;
  float red, green, blue;
  float mirror;  // share of the light that is reflected
};

struct Scene {
  int spheres;
  int bounces;
  Vector eye;
  Vector light;
  float plane_mirror;
};

__device__ __forceinline__ Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__device__ __forceinline__ Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__device__ __forceinline__ Vector operator*(Vector a, float s) { return {a.x * s, a.y * s, a.z * s}; }
__device__ __forceinline__ float dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ __forceinline__ Vector unit(Vector a) { return a * (1.0f / sqrtf(dot(a, a))); }

// Is anything between the point and the light?
__device__ bool shadowed(const Scene* scene, const Sphere* spheres, Vector point, Vector to_light, float distance) {
  for (int s = 0; s < scene->spheres; ++s) {
    const Vector to_centre = spheres[s].centre - point;
    const float along = dot(to_centre, to_light);
    if (along < 0.0f) continue;
    const float radius2 = spheres[s].radius * spheres[s].radius;
    const float apart2 = dot(to_centre, to_centre) - along * along;
    if (apart2 > radius2) continue;
    const float hit = along - sqrtf(radius2 - apart2);
    if (hit > NEAR && hit < distance) return true;
  }
  return false;
}

extern "C" __global__ void ray(const Scene* scene, const Sphere* spheres, Vector* image, int width, int height) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;

  Vector origin = scene->eye;
  Vector direction = unit({(2.0f * px - width) / height, (height - 2.0f * py) / height, 2.0f});
  Vector colour = {0.0f, 0.0f, 0.0f};
  float share = 1.0f;

  for (int bounce = 0; bounce <= scene->bounces; ++bounce) {
    float nearest = FAR;
    int thing = NOTHING;
    for (int s = 0; s < scene->spheres; ++s) {
      const Vector to_centre = spheres[s].centre - origin;
      const float along = dot(to_centre, direction);
      const float radius2 = spheres[s].radius * spheres[s].radius;
      const float distance2 = dot(to_centre, to_centre);
      if (along < 0.0f && distance2 > radius2) continue;  // behind
      const float apart2 = distance2 - along * along;
      if (apart2 > radius2) continue;
      const float half = sqrtf(radius2 - apart2);
      float hit = along - half;
      if (hit < NEAR) hit = along + half;  // from inside
      if (hit < NEAR || hit >= nearest) continue;
      nearest = hit;
      thing = s;
    }
    if (direction.y < 0.0f) {
      const float hit = -origin.y / direction.y;
      if (hit > NEAR && hit < nearest) {
        nearest = hit;
        thing = PLANE;
      }
    }
    if (thing == NOTHING) {
      const float up = direction.y > 0.0f ? direction.y : 0.0f;
      colour = colour + Vector{0.5f - 0.25f * up, 0.625f, 0.75f + 0.25f * up} * share;
      break;
    }

    const Vector point = origin + direction * nearest;
    Vector normal = {0.0f, 1.0f, 0.0f};
    Vector surface = {0.125f, 0.125f, 0.125f};
    float mirror = scene->plane_mirror;
    if (thing != PLANE) {
      const Sphere* sphere = spheres + thing;
      normal = (point - sphere->centre) * (1.0f / sphere->radius);
      surface = {sphere->red, sphere->green, sphere->blue};
      mirror = sphere->mirror;
    } else if ((__float2int_rd(point.x) ^ __float2int_rd(point.z)) & 1) {
      surface = {0.875f, 0.875f, 0.875f};
    }

    const Vector way = scene->light - point;
    const float distance = sqrtf(dot(way, way));
    const Vector to_light = way * (1.0f / distance);
    const float cosine = dot(normal, to_light);
    const Vector reflected = direction - normal * (2.0f * dot(direction, normal));
    float bright = 0.125f;
    float gloss = 0.0f;
    if (cosine > 0.0f && !shadowed(scene, spheres, point, to_light, distance)) {
      bright += 0.875f * cosine;
      const float glance = dot(reflected, to_light);
      if (thing != PLANE && glance > 0.0f) {
        const float square = glance * glance;
        const float fourth = square * square;
        gloss = 0.5f * fourth * fourth * fourth * fourth;
      }
    }
    const float kept = share * (1.0f - mirror);
    colour = colour + (surface * bright + Vector{gloss, gloss, gloss}) * kept;

    share *= mirror;
    if (share < 0.01f) break;
    origin = point;
    direction = reflected;
  }
  image[py * width + px] = colour;
}
