// SPDX-License-Identifier: Apache-2.0
// Photons in a volume of voxels by Monte Carlo, after Monte Carlo eXtreme (Fang and Boas): a thread follows its photons one after the
// other, from face to face of the voxels they cross, in one loop. A turn of the loop may begin with a scattering event and goes on to the
// next face or event; the photon loses weight on its way, and ends when it is too old, leaves the volume or comes to an empty voxel, or
// loses at Russian roulette. Each of these three launches the next photon and begins the loop anew, or leaves it if there is none. At a
// face between different refractive indices the photon may be reflected. Absorbed weight is summed up in fixed point, so that the
// order of threads does not matter; compiled without contraction to fused multiply-adds, so that the host decides as the kernel does.
#include <heddle/kernel.h>

#define FAR 1.0e9f
#define FIXED 1048576.0f  // of weight 1
#define ROULETTE 10.0f    // one in so many survives, with so many times the weight

struct Medium {
  float absorption, scattering;  // a voxel's edge
  float anisotropy;
  float index;  // of refraction; 1 outside
};

struct Setup {
  int nx, ny, nz;
  int photons;  // a thread
  float beam_x, beam_y, beam_radius;
  float lowest_weight;
  float longest_path;
};

struct Photon {
  float x, y, z;
  float vx, vy, vz;
  int ix, iy, iz;  // its voxel
  float weight;
  float path;      // optical
  float scatter;   // mean free paths to the next event
  bool straight;   // not scattered yet
};

// Xorshift; in 0 < u <= 1.
__device__ __forceinline__ float uniform(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (static_cast<float>(state >> 8) + 0.5f) * 5.9604644775390625e-8f;
}

// The next photon of the thread, downwards from a disc on top of the volume. False if there is none.
__device__ __forceinline__ bool next_photon(Photon& p, int& left, const Setup* setup, unsigned& state) {
  if (left == 0) return false;
  --left;
  float x, y;
  do {
    x = 2.0f * uniform(state) - 1.0f;
    y = 2.0f * uniform(state) - 1.0f;
  } while (x * x + y * y > 1.0f);
  p.x = setup->beam_x + setup->beam_radius * x;
  p.y = setup->beam_y + setup->beam_radius * y;
  p.z = 0.0f;
  p.vx = 0.0f;
  p.vy = 0.0f;
  p.vz = 1.0f;
  p.ix = static_cast<int>(p.x);
  p.iy = static_cast<int>(p.y);
  p.iz = 0;
  p.weight = 1.0f;
  p.path = 0.0f;
  p.scatter = 0.0f;
  p.straight = true;
  return true;
}

// A new direction by Henyey and Greenstein.
__device__ __forceinline__ void deflect(Photon& p, float g, unsigned& state) {
  const float azimuth = 6.28318531f * uniform(state);
  const float u = uniform(state);
  float cosine = 2.0f * u - 1.0f;
  if (fabsf(g) > 0.001f) {
    const float t = (1.0f - g * g) / (1.0f - g + 2.0f * g * u);
    cosine = fmaxf(-1.0f, fminf(1.0f, (1.0f + g * g - t * t) / (2.0f * g)));
  }
  const float sine = sqrtf(1.0f - cosine * cosine);
  const float a = sine * cosf(azimuth);
  const float b = sine * sinf(azimuth);
  if (p.vz > -0.99999f && p.vz < 0.99999f) {
    const float across = sqrtf(1.0f - p.vz * p.vz);
    const float vx = (p.vx * p.vz * a - p.vy * b) / across + p.vx * cosine;
    const float vy = (p.vy * p.vz * a + p.vx * b) / across + p.vy * cosine;
    p.vz = p.vz * cosine - across * a;
    p.vx = vx;
    p.vy = vy;
  } else {
    p.vx = a;
    p.vy = b;
    p.vz = p.vz > 0.0f ? cosine : -cosine;
  }
}

// absorbed[voxel] and escaped[thread] in fixed point; escaped is what has left the volume with the photons of the thread.
extern "C" __global__ void mcx(const Setup* setup, const Medium* media, const unsigned char* volume, const unsigned* seeds, unsigned* absorbed,
                               unsigned* escaped, int threads) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= threads) return;
  const int nx = setup->nx;
  const int ny = setup->ny;
  const int nz = setup->nz;
  unsigned state = seeds[thread];
  unsigned out = 0;
  int left = setup->photons;
  Photon p;
  if (!next_photon(p, left, setup, state)) return;

  for (;;) {
    const int voxel = (p.iz * ny + p.iy) * nx + p.ix;
    const Medium medium = media[volume[voxel]];
    if (p.scatter <= 0.0f) {
      p.scatter = -logf(uniform(state));
      if (!p.straight) deflect(p, medium.anisotropy, state);
      p.straight = false;
    }

    // To the first face of the voxel.
    float length = FAR;
    int axis = 0;
    const int face_x = p.ix + (p.vx > 0.0f);
    const int face_y = p.iy + (p.vy > 0.0f);
    const int face_z = p.iz + (p.vz > 0.0f);
    const float to_x = (face_x - p.x) / p.vx;
    const float to_y = (face_y - p.y) / p.vy;
    const float to_z = (face_z - p.z) / p.vz;
    if (to_x < length) length = to_x;
    if (to_y < length) {
      length = to_y;
      axis = 1;
    }
    if (to_z < length) {
      length = to_z;
      axis = 2;
    }
    length = fmaxf(length, 0.0f);
    bool crosses = true;
    const float left_of_scatter = p.scatter - length * medium.scattering;
    if (left_of_scatter < 0.0f) {
      length = p.scatter / medium.scattering;
      crosses = false;
      p.scatter = 0.0f;
    } else {
      p.scatter = left_of_scatter;
    }

    p.x += p.vx * length;
    p.y += p.vy * length;
    p.z += p.vz * length;
    p.path += length * medium.index;
    const float before = p.weight;
    p.weight *= expf(-medium.absorption * length);
    atomicAdd(&absorbed[voxel], __float2uint_rz((before - p.weight) * FIXED));

    if (p.path > setup->longest_path) {
      if (!next_photon(p, left, setup, state)) break;
      continue;
    }

    if (crosses) {
      // Exactly on the face, and the voxel behind it.
      int ix = p.ix, iy = p.iy, iz = p.iz;
      float inwards;
      if (axis == 0) {
        p.x = face_x;
        ix += 2 * (face_x - ix) - 1;  // 1 or -1
        inwards = fabsf(p.vx);
      } else if (axis == 1) {
        p.y = face_y;
        iy += 2 * (face_y - iy) - 1;
        inwards = fabsf(p.vy);
      } else {
        p.z = face_z;
        iz += 2 * (face_z - iz) - 1;
        inwards = fabsf(p.vz);
      }
      bool leaves = false;
      float index = 1.0f;
      if (ix < 0 || ix >= nx || iy < 0 || iy >= ny || iz < 0 || iz >= nz || volume[(iz * ny + iy) * nx + ix] == 0) {
        leaves = true;
      } else {
        index = media[volume[(iz * ny + iy) * nx + ix]].index;
      }

      if (index != medium.index) {
        const float ratio = medium.index / index;
        const float sine2 = ratio * ratio * (1.0f - inwards * inwards);
        bool reflects = true;
        float outwards = 0.0f;
        if (sine2 < 1.0f) {
          outwards = sqrtf(1.0f - sine2);
          const float s = (medium.index * inwards - index * outwards) / (medium.index * inwards + index * outwards);
          const float t = (medium.index * outwards - index * inwards) / (medium.index * outwards + index * inwards);
          reflects = uniform(state) < 0.5f * (s * s + t * t);
        }
        if (reflects) {
          if (axis == 0) p.vx = -p.vx;
          else if (axis == 1) p.vy = -p.vy;
          else p.vz = -p.vz;
          goto roulette;
        }
        if (!leaves) {  // refracted
          p.vx *= ratio;
          p.vy *= ratio;
          p.vz *= ratio;
          if (axis == 0) p.vx = copysignf(outwards, p.vx);
          else if (axis == 1) p.vy = copysignf(outwards, p.vy);
          else p.vz = copysignf(outwards, p.vz);
        }
      }
      if (leaves) {
        out += __float2uint_rz(p.weight * FIXED);
        if (!next_photon(p, left, setup, state)) break;
        continue;
      }
      p.ix = ix;
      p.iy = iy;
      p.iz = iz;
    }

  roulette:
    if (p.weight < setup->lowest_weight) {
      if (uniform(state) * ROULETTE > 1.0f) {
        if (!next_photon(p, left, setup, state)) break;
        continue;
      }
      p.weight *= ROULETTE;
    }
  }
  escaped[thread] = out;
}
