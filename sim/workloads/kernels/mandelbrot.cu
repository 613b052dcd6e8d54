// SPDX-License-Identifier: Apache-2.0
// Escape-time image of the Mandelbrot set, one thread a pixel: a loop that every lane leaves at its own time.
#include <heddle/kernel.h>

extern "C" __global__ void mandelbrot(int* image, int width, int height, int limit, float left, float top, float pixel) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float c_re = fmaf(pixel, x, left);
  const float c_im = fmaf(-pixel, y, top);
  float re = 0.0f;
  float im = 0.0f;
  int count = 0;
  while (count < limit) {
    const float im2 = im * im;
    if (fmaf(re, re, im2) > 4.0f) break;
    const float twice = 2.0f * re;
    re = fmaf(re, re, c_re - im2);
    im = fmaf(twice, im, c_im);
    ++count;
  }
  image[y * width + x] = count;
}
