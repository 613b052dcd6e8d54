// SPDX-License-Identifier: Apache-2.0
// Photons in plane layers of tissue by Monte Carlo, after CUDAMCML (Alerstam, Svensson and Andersson-Engels; MCML by Wang and Jacques).
// A thread moves its photon in a loop: a step to the next event or to the layer's boundary, reflection or passage there, else absorption and a
// new direction. When the photon has left or lost at roulette, the thread takes the next one from a counter, as there. A photon has a seed of
// its own, whichever thread takes it, and weights are whole numbers, so sums do not depend on the order of threads; they have two words each, so
// that there is room. Compiled without contraction to fused multiply-adds, so that the host decides as the kernel does.
#include <heddle/kernel.h>

#define FULL_WEIGHT 0xffffffu
#define LEAST_WEIGHT 1678u   // a ten-thousandth
#define CHANCE 10u           // one in so many survives, with so many times the weight
#define CLEAR 100.0f         // a step where nothing scatters or absorbs
#define UPRIGHT 0.99999f

struct Layer {
  float top, bottom;
  float free_path;   // mean; 0: clear
  float absorbed;    // of the weight at an event
  float anisotropy;
  float index;       // of refraction
};

struct Setup {
  int layers;        // 1 to this; 0 and this + 1 are outside
  int rings, depths; // of the bins
  float per_ring, per_depth;
  int photons;
};

struct Photon {
  float x, y, z;
  float dx, dy, dz;
  unsigned weight;
  int layer;
};

// Xorshift; in 0 < u <= 1.
__device__ __forceinline__ float uniform(unsigned& state) {
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  return (static_cast<float>(state >> 8) + 0.5f) * 5.9604644775390625e-8f;
}

__device__ __forceinline__ void start(Photon& p) {
  p.x = 0.0f;
  p.y = 0.0f;
  p.z = 0.0f;
  p.dx = 0.0f;
  p.dy = 0.0f;
  p.dz = 1.0f;
  p.weight = FULL_WEIGHT;
  p.layer = 1;
}

// Whether the photon stays in its layer; if not it is in the other one, refracted.
__device__ __forceinline__ bool reflects(Photon& p, int other, const Layer* layers, unsigned& state) {
  const float here = layers[p.layer].index;
  const float there = layers[other].index;
  if (here == there) {
    p.layer = other;
    return false;
  }
  const float cosine = fabsf(p.dz);
  const float ratio = here / there;
  const float sine2 = ratio * ratio * (1.0f - cosine * cosine);
  if (sine2 >= 1.0f) {  // total
    p.dz = -p.dz;
    return true;
  }
  const float out = sqrtf(1.0f - sine2);
  float chance;
  if (cosine > UPRIGHT) {
    chance = (here - there) / (here + there);
    chance = chance * chance;
  } else {
    const float s = (here * cosine - there * out) / (here * cosine + there * out);
    const float t = (here * out - there * cosine) / (here * out + there * cosine);
    chance = 0.5f * (s * s + t * t);
  }
  if (uniform(state) <= chance) {
    p.dz = -p.dz;
    return true;
  }
  p.dx *= ratio;
  p.dy *= ratio;
  p.dz = copysignf(out, p.dz);
  p.layer = other;
  return false;
}

// A new direction by Henyey and Greenstein.
__device__ __forceinline__ void spin(Photon& p, float g, unsigned& state) {
  const float u = uniform(state);
  float cosine = 2.0f * u - 1.0f;
  if (g != 0.0f) {
    const float t = (1.0f - g * g) / (1.0f - g + 2.0f * g * u);
    cosine = fmaxf(-1.0f, fminf(1.0f, (1.0f + g * g - t * t) / (2.0f * g)));
  }
  const float sine = sqrtf(1.0f - cosine * cosine);
  const float azimuth = 6.28318531f * uniform(state);
  const float a = sine * cosf(azimuth);
  const float b = sine * sinf(azimuth);
  if (fabsf(p.dz) > UPRIGHT) {
    p.dx = a;
    p.dy = b;
    p.dz = copysignf(cosine, p.dz * cosine);
  } else {
    const float across = sqrtf(1.0f - p.dz * p.dz);
    const float dx = (p.dx * p.dz * a - p.dy * b) / across + p.dx * cosine;
    const float dy = (p.dy * p.dz * a + p.dx * b) / across + p.dy * cosine;
    p.dz = p.dz * cosine - across * a;
    p.dx = dx;
    p.dy = dy;
  }
}

struct Sum {
  unsigned low, high;  // low + high * 1024
};

__device__ __forceinline__ void add(Sum& sum, unsigned weight) {
  atomicAdd(&sum.low, weight & 1023u);
  atomicAdd(&sum.high, weight >> 10);
}

__device__ __forceinline__ int ring(const Photon& p, const Setup* setup) {
  const int r = static_cast<int>(sqrtf(p.x * p.x + p.y * p.y) * setup->per_ring);
  return min(r, setup->rings - 1);
}

// seeds[photon]; absorbed[depth * rings + ring], reflected[ring], transmitted[ring]. *next: the first photon that no thread has.
extern "C" __global__ void mcml(const Setup* setup, const Layer* layers, const unsigned* seeds, int* next, Sum* absorbed, Sum* reflected, Sum* transmitted, int threads) {
  int photon = blockIdx.x * blockDim.x + threadIdx.x;
  if (photon >= threads) return;
  unsigned state = seeds[photon];
  Photon p;
  start(p);

  while (photon < setup->photons) {
    const Layer layer = layers[p.layer];
    float step = CLEAR;
    if (layer.free_path != 0.0f) step = -logf(uniform(state)) * layer.free_path;

    int other = p.layer;
    if (p.z + step * p.dz < layer.top) {
      other = p.layer - 1;
      step = (layer.top - p.z) / p.dz;
    } else if (p.z + step * p.dz > layer.bottom) {
      other = p.layer + 1;
      step = (layer.bottom - p.z) / p.dz;
    }
    p.x += p.dx * step;
    p.y += p.dy * step;
    p.z = fmaxf(layer.top, fminf(layer.bottom, p.z + p.dz * step));

    if (other != p.layer) {
      if (!reflects(p, other, layers, state)) {
        if (other == 0) {
          add(reflected[ring(p, setup)], p.weight);
          p.weight = 0;
        } else if (other > setup->layers) {
          add(transmitted[ring(p, setup)], p.weight);
          p.weight = 0;
        }
      }
    } else {
      const unsigned loss = __float2uint_rz(layer.absorbed * static_cast<float>(p.weight));
      p.weight -= loss;
      const int depth = min(static_cast<int>(p.z * setup->per_depth), setup->depths - 1);
      add(absorbed[depth * setup->rings + ring(p, setup)], loss);
      spin(p, layer.anisotropy, state);
    }

    bool ends = p.weight == 0;
    if (!ends && p.weight < LEAST_WEIGHT) {
      if (uniform(state) * static_cast<float>(CHANCE) <= 1.0f) {
        p.weight *= CHANCE;
      } else {
        ends = true;
      }
    }
    if (ends) {
      photon = atomicAdd(next, 1);
      if (photon < setup->photons) {
        state = seeds[photon];
        start(p);
      }
    }
  }
}
