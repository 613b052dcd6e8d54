// SPDX-License-Identifier: Apache-2.0
// Temperatures of a chip by explicit steps of the heat equation, after Rodinia's hotspot: a block of threads loads a tile with a halo
// and takes several steps on it in shared memory before it writes; with each step the points whose neighbours are still known are
// fewer by one at every edge of the tile, and a point outside the chip has the temperature of the nearest one inside.
// Whether a thread takes part in a step is a chain of comparisons, and the loop over the steps is left in its middle.
#include <heddle/kernel.h>

#define TILE 16

#define IN_RANGE(x, low, high) ((x) >= (low) && (x) <= (high))

struct Chip {
  int rows, columns;
  float per_capacity, per_rx, per_ry, per_rz;  // step over capacity; one over each thermal resistance
  float ambient;
};

extern "C" __global__ void hotspot(const Chip* chip, const float* power, const float* in, float* out, int steps) {
  __shared__ float temperature[TILE][TILE];
  __shared__ float heat[TILE][TILE];
  __shared__ float next[TILE][TILE];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int rows = chip->rows;
  const int columns = chip->columns;

  // The tile writes (TILE - 2 steps) squared points; its first is `steps` further out. Tiles at an edge reach beyond it.
  const int inner = TILE - 2 * steps;
  const int first_row = inner * static_cast<int>(blockIdx.y) - steps;
  const int first_column = inner * static_cast<int>(blockIdx.x) - steps;
  const int row = first_row + ty;
  const int column = first_column + tx;
  if (IN_RANGE(row, 0, rows - 1) && IN_RANGE(column, 0, columns - 1)) {
    temperature[ty][tx] = in[row * columns + column];
    heat[ty][tx] = power[row * columns + column];
  }
  __syncthreads();

  // The part of the tile that is inside the chip.
  const int top = first_row < 0 ? -first_row : 0;
  const int bottom = first_row + TILE > rows ? rows - 1 - first_row : TILE - 1;
  const int left = first_column < 0 ? -first_column : 0;
  const int right = first_column + TILE > columns ? columns - 1 - first_column : TILE - 1;
  const int north = ty - 1 < top ? top : ty - 1;
  const int south = ty + 1 > bottom ? bottom : ty + 1;
  const int west = tx - 1 < left ? left : tx - 1;
  const int east = tx + 1 > right ? right : tx + 1;

  bool computed = false;
  for (int step = 0; step < steps; ++step) {
    computed = false;
    if (IN_RANGE(tx, step + 1, TILE - 2 - step) && IN_RANGE(ty, step + 1, TILE - 2 - step) && IN_RANGE(tx, left, right) &&
        IN_RANGE(ty, top, bottom)) {
      computed = true;
      const float here = temperature[ty][tx];
      const float along_y = (temperature[south][tx] + temperature[north][tx] - 2.0f * here) * chip->per_ry;
      const float along_x = (temperature[ty][east] + temperature[ty][west] - 2.0f * here) * chip->per_rx;
      next[ty][tx] = here + chip->per_capacity * (heat[ty][tx] + along_y + along_x + (chip->ambient - here) * chip->per_rz);
    }
    __syncthreads();
    if (step == steps - 1) break;
    if (computed) temperature[ty][tx] = next[ty][tx];
    __syncthreads();
  }
  if (computed) out[row * columns + column] = next[ty][tx];
}
