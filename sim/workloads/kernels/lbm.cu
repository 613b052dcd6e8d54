// SPDX-License-Identifier: Apache-2.0
// One time step of a lattice-Boltzmann fluid, D3Q19 with single relaxation time: a thread takes the 19 populations of a cell, lets
// them collide, and sends each to the neighbour in its direction. An obstacle sends them back where they came from instead, and in
// accelerated cells the velocity is given. The volume is periodic. Population q of cell c is at q * cells + c.
#include <heddle/kernel.h>

#define OBSTACLE 1
#define ACCELERATED 2

// Neighbouring directions 2k - 1 and 2k are opposite.
#define Q 19
static constexpr int kX[Q] = {0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0};
static constexpr int kY[Q] = {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1};
static constexpr int kZ[Q] = {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1};

// Parts of a neighbour's cell number, for the offsets -1, 0 and 1 in each dimension.
struct Around {
  int x[3], y[3], z[3];
};

template <int q>
__device__ __forceinline__ void send(float* out, int cells, const Around& around, float population) {
  out[q * cells + around.x[kX[q] + 1] + around.y[kY[q] + 1] + around.z[kZ[q] + 1]] = population;
}

template <int q>
__device__ __forceinline__ void bounce(const float* in, float* out, int cells, int cell, const Around& around) {
  constexpr int opposite = q == 0 ? 0 : q % 2 == 1 ? q + 1 : q - 1;
  send<q>(out, cells, around, in[opposite * cells + cell]);
  if constexpr (q + 1 < Q) bounce<q + 1>(in, out, cells, cell, around);
}

struct Moments {
  float density, x, y, z;
};

template <int q>
__device__ __forceinline__ void add_up(Moments& sum, const float* in, int cells, int cell, float (&population)[Q]) {
  population[q] = in[q * cells + cell];
  sum.density += population[q];
  if constexpr (kX[q] != 0) sum.x += kX[q] * population[q];
  if constexpr (kY[q] != 0) sum.y += kY[q] * population[q];
  if constexpr (kZ[q] != 0) sum.z += kZ[q] * population[q];
  if constexpr (q + 1 < Q) add_up<q + 1>(sum, in, cells, cell, population);
}

template <int q>
__device__ __forceinline__ void relax(float* out, int cells, const Around& around, const float (&population)[Q], float density,
                                      float x, float y, float z, float square, float rate) {
  constexpr int speed = kX[q] * kX[q] + kY[q] * kY[q] + kZ[q] * kZ[q];
  constexpr float weight = speed == 0 ? 1.0f / 3 : speed == 1 ? 1.0f / 18 : 1.0f / 36;
  const float along = kX[q] * x + kY[q] * y + kZ[q] * z;
  const float equilibrium = weight * density * (1.0f + along * (3.0f + 4.5f * along) - square);
  send<q>(out, cells, around, population[q] + rate * (equilibrium - population[q]));
  if constexpr (q + 1 < Q) relax<q + 1>(out, cells, around, population, density, x, y, z, square, rate);
}

extern "C" __global__ void lbm(const float* in, float* out, const int* kinds, int nx, int ny, int nz, float rate, float drive_x,
                               float drive_y) {
  const int plane = nx * ny;
  const int cells = plane * nz;
  const int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= cells) return;
  const int x = cell % nx;
  const int y = cell / nx % ny;
  const int z = cell / plane;
  const Around around = {{x == 0 ? nx - 1 : x - 1, x, x == nx - 1 ? 0 : x + 1},
                         {(y == 0 ? ny - 1 : y - 1) * nx, y * nx, (y == ny - 1 ? 0 : y + 1) * nx},
                         {(z == 0 ? nz - 1 : z - 1) * plane, z * plane, (z == nz - 1 ? 0 : z + 1) * plane}};
  const int kind = kinds[cell];

  if (kind == OBSTACLE) {
    bounce<0>(in, out, cells, cell, around);
  } else {
    float population[Q];
    Moments sum = {};
    add_up<0>(sum, in, cells, cell, population);
    float vx = sum.x / sum.density;
    float vy = sum.y / sum.density;
    float vz = sum.z / sum.density;
    if (kind == ACCELERATED) {
      vx = drive_x;
      vy = drive_y;
      vz = 0.0f;
    }
    const float square = 1.5f * (vx * vx + vy * vy + vz * vz);
    relax<0>(out, cells, around, population, sum.density, vx, vy, vz, square, rate);
  }
}
