// SPDX-License-Identifier: Apache-2.0
// One Jacobi step of a 7-point stencil: a thread owns a column of the volume and walks along z.
// Interior points relax towards their neighbours; points on a face lose heat to the outside instead.
#include <heddle/kernel.h>

extern "C" __global__ void stencil3d(const float* in, float* out, int nx, int ny, int nz, float centre, float side, float loss) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int plane = nx * ny;
  const bool face = x == 0 || x == nx - 1 || y == 0 || y == ny - 1;
  int at = y * nx + x;

  for (int z = 0; z < nz; ++z, at += plane) {
    if (face || z == 0 || z == nz - 1) {
      const float here = in[at];
      out[at] = here - loss * here * fabsf(here);
    } else {
      const float around = in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - plane] + in[at + plane];
      out[at] = centre * in[at] + side * around;
    }
  }
}
