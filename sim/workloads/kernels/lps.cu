// SPDX-License-Identifier: Apache-2.0
// A Jacobi step of Laplace's equation in a volume, after Giles' laplace3d: a block owns a column of tiles and walks along z with three
// planes of its tile and their halo in shared memory, one plane further in each turn. Points on the surface keep their value, the others
// take the mean of their six neighbours; the halo is loaded by the first threads of the block.
#include <heddle/kernel.h>

#define WIDTH 32
#define HEIGHT 4
#define ROW (WIDTH + 2)
#define PLANE (ROW * (HEIGHT + 2))
#define HALO (2 * WIDTH + 2 * HEIGHT)

extern "C" __global__ void lps(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float planes[3 * PLANE];
  const int thread = threadIdx.x + threadIdx.y * WIDTH;
  const int x = blockIdx.x * WIDTH + threadIdx.x;
  const int y = blockIdx.y * HEIGHT + threadIdx.y;
  const bool active = x < nx && y < ny;

  // Where this thread's point of the halo is, above, below, left or right of the tile.
  int halo_x = 0, halo_y = 0;
  if (thread < 2 * WIDTH) {
    halo_x = thread % WIDTH;
    halo_y = thread < WIDTH ? -1 : HEIGHT;
  } else if (thread < HALO) {
    halo_x = thread - 2 * WIDTH < HEIGHT ? -1 : WIDTH;
    halo_y = (thread - 2 * WIDTH) % HEIGHT;
  }
  const int outer_x = blockIdx.x * WIDTH + halo_x;
  const int outer_y = blockIdx.y * HEIGHT + halo_y;
  const bool halo = thread < HALO && outer_x >= 0 && outer_x < nx && outer_y >= 0 && outer_y < ny;

  const int here = (threadIdx.y + 1) * ROW + threadIdx.x + 1;
  const int there = (halo_y + 1) * ROW + halo_x + 1;
  const int step = nx * ny;
  int below = 0, middle = PLANE, above = 2 * PLANE;
  if (active) planes[above + here] = in[y * nx + x];
  if (halo) planes[above + there] = in[outer_y * nx + outer_x];

  for (int z = 0; z < nz; ++z) {
    const int last = below;
    below = middle;
    middle = above;
    above = last;
    __syncthreads();  // everyone has read the plane that is written now
    if (z + 1 < nz) {
      if (active) planes[above + here] = in[(z + 1) * step + y * nx + x];
      if (halo) planes[above + there] = in[(z + 1) * step + outer_y * nx + outer_x];
    }
    __syncthreads();
    if (active) {
      float value;
      if (x == 0 || x == nx - 1 || y == 0 || y == ny - 1 || z == 0 || z == nz - 1) {
        value = planes[middle + here];
      } else {
        value = (planes[middle + here - 1] + planes[middle + here + 1] + planes[middle + here - ROW] + planes[middle + here + ROW] +
                 planes[below + here] + planes[above + here]) *
                (1.0f / 6.0f);
      }
      out[z * step + y * nx + x] = value;
    }
  }
}
