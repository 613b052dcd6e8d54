// SPDX-License-Identifier: Apache-2.0
// DXT1 compression of an image by cluster fit, after the CUDA samples' dxtc and Brown's squish: a block of 64 threads a square of 4 x 4
// colours. Colours are sorted along their principal axis; every way to cut the sorted row into four clusters is tried, each thread some of
// them, with the two end points that fit best, rounded to 5, 6 and 5 bits; the least error wins.
// Compiled without contraction to fused multiply-adds, so that the host sorts as the kernel does.
#include <heddle/kernel.h>

#define THREADS 64
#define COLOURS 16
#define ROUNDS 8  // of the power iteration

struct Vec {
  float r, g, b;
};

__device__ __forceinline__ float rounded(float value, float steps) {
  return floorf(fminf(1.0f, fmaxf(0.0f, value)) * steps + 0.5f);
}

// By cluster: the first end point's share in thirds, and what a colour adds to the sums of squares and products of shares in ninths (first,
// second, both; ten bits each). Tables, as in the samples' program: a branch would part the warp at every colour.
__constant__ const float share[4] = {3.0f, 0.0f, 2.0f, 1.0f};
__constant__ const unsigned products[4] = {9u, 9u << 10, 4u | 1u << 10 | 2u << 20, 1u | 4u << 10 | 2u << 20};

// The best end points for the colours in clusters (two bits a colour), and nine times the error that is left, up to a sum that all ways share.
// whole: the sum of all colours.
__device__ __forceinline__ float fit(const Vec* sorted, const Vec& whole, unsigned clusters, unsigned& first, unsigned& last) {
  unsigned sums = 0;
  Vec a = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < COLOURS; ++i) {
    const unsigned cluster = clusters >> (2 * i) & 3u;
    sums += products[cluster];
    a.r += share[cluster] * sorted[i].r;
    a.g += share[cluster] * sorted[i].g;
    a.b += share[cluster] * sorted[i].b;
  }
  const Vec b = {3.0f * whole.r - a.r, 3.0f * whole.g - a.g, 3.0f * whole.b - a.b};
  const float aa = static_cast<float>(sums & 1023u), bb = static_cast<float>(sums >> 10 & 1023u), ab = static_cast<float>(sums >> 20);
  const float factor = 3.0f / (aa * bb - ab * ab);  // one cluster only: not a number, and so is the error
  const float r0 = rounded((a.r * bb - b.r * ab) * factor, 31.0f), g0 = rounded((a.g * bb - b.g * ab) * factor, 63.0f), b0 = rounded((a.b * bb - b.b * ab) * factor, 31.0f);
  const float r1 = rounded((b.r * aa - a.r * ab) * factor, 31.0f), g1 = rounded((b.g * aa - a.g * ab) * factor, 63.0f), b1 = rounded((b.b * aa - a.b * ab) * factor, 31.0f);
  first = static_cast<unsigned>(r0) << 11 | static_cast<unsigned>(g0) << 5 | static_cast<unsigned>(b0);
  last = static_cast<unsigned>(r1) << 11 | static_cast<unsigned>(g1) << 5 | static_cast<unsigned>(b1);
  const float pr = r0 * (1.0f / 31.0f), pg = g0 * (1.0f / 63.0f), pb = b0 * (1.0f / 31.0f);
  const float qr = r1 * (1.0f / 31.0f), qg = g1 * (1.0f / 63.0f), qb = b1 * (1.0f / 31.0f);
  const float er = pr * pr * aa + qr * qr * bb + 2.0f * (pr * qr * ab - 3.0f * (pr * a.r + qr * b.r));
  const float eg = pg * pg * aa + qg * qg * bb + 2.0f * (pg * qg * ab - 3.0f * (pg * a.g + qg * b.g));
  const float eb = pb * pb * aa + qb * qb * bb + 2.0f * (pb * qb * ab - 3.0f * (pb * a.b + qb * b.b));
  return er + eg + eb + 0.0f * factor;
}

// image: square by square, 16 colours each as 0x00RRGGBB; ways: clusters of the sorted colours; result: two words a square.
extern "C" __global__ void dxtc(const unsigned* image, const unsigned* ways, int way_count, unsigned* result) {
  __shared__ Vec colours[COLOURS];
  __shared__ Vec sorted[COLOURS];
  __shared__ float along[COLOURS];
  __shared__ int rank[COLOURS];
  __shared__ float errors[THREADS];
  __shared__ int winners[THREADS];
  const int thread = threadIdx.x;

  if (thread < COLOURS) {
    const unsigned pixel = image[blockIdx.x * COLOURS + thread];
    colours[thread] = {static_cast<float>(pixel >> 16 & 255u) * (1.0f / 255.0f), static_cast<float>(pixel >> 8 & 255u) * (1.0f / 255.0f), static_cast<float>(pixel & 255u) * (1.0f / 255.0f)};
  }
  __syncthreads();

  // The principal axis: every thread computes it.
  Vec mean = {0.0f, 0.0f, 0.0f};
  for (int i = 0; i < COLOURS; ++i) {
    mean.r += colours[i].r;
    mean.g += colours[i].g;
    mean.b += colours[i].b;
  }
  const Vec whole = mean;
  mean.r *= 1.0f / COLOURS;
  mean.g *= 1.0f / COLOURS;
  mean.b *= 1.0f / COLOURS;
  float rr = 0.0f, rg = 0.0f, rb = 0.0f, gg = 0.0f, gb = 0.0f, bb = 0.0f;
  for (int i = 0; i < COLOURS; ++i) {
    const float r = colours[i].r - mean.r, g = colours[i].g - mean.g, b = colours[i].b - mean.b;
    rr += r * r;
    rg += r * g;
    rb += r * b;
    gg += g * g;
    gb += g * b;
    bb += b * b;
  }
  Vec axis = {1.0f, 1.0f, 1.0f};
  for (int round = 0; round < ROUNDS; ++round) {
    const float r = axis.r * rr + axis.g * rg + axis.b * rb;
    const float g = axis.r * rg + axis.g * gg + axis.b * gb;
    const float b = axis.r * rb + axis.g * gb + axis.b * bb;
    const float largest = fmaxf(fabsf(r), fmaxf(fabsf(g), fabsf(b)));
    if (largest == 0.0f) break;  // one colour
    axis = {r / largest, g / largest, b / largest};
  }

  if (thread < COLOURS) along[thread] = colours[thread].r * axis.r + colours[thread].g * axis.g + colours[thread].b * axis.b;
  __syncthreads();
  if (thread < COLOURS) {
    int before = 0;
    for (int i = 0; i < COLOURS; ++i) before += (along[i] < along[thread]) | ((along[i] == along[thread]) & (i < thread));
    rank[thread] = before;
    sorted[before] = colours[thread];
  }
  __syncthreads();

  float least = 1.0e30f;
  int winner = way_count;
  for (int way = thread; way < way_count; way += THREADS) {
    unsigned first, last;
    const float error = fit(sorted, whole, ways[way], first, last);
    int better = error < least;
    __asm__("" : "+r"(better));  // selected, as a GPU does it: gcc would make a branch to the loop's head of it, which parts the warp
    winner ^= (winner ^ way) & -better;
    least = fminf(error, least);
  }
  errors[thread] = least;
  winners[thread] = winner;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (thread < half && errors[thread + half] < errors[thread]) {
      errors[thread] = errors[thread + half];
      winners[thread] = winners[thread + half];
    }
    __syncthreads();
  }

  if (thread == 0) {
    unsigned first, last, clusters = ways[winners[0]], indices = 0;
    fit(sorted, whole, clusters, first, last);
    if (first < last) {  // the greater one first: four colours
      const unsigned other = first;
      first = last;
      last = other;
      clusters ^= 0x55555555u;
    }
    for (int i = 0; i < COLOURS; ++i) indices |= (clusters >> (2 * rank[i]) & 3u) << (2 * i);
    if (first == last) indices = 0;  // of one colour only
    result[blockIdx.x * 2] = first | last << 16;
    result[blockIdx.x * 2 + 1] = indices;
  }
}
