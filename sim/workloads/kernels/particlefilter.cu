// SPDX-License-Identifier: Apache-2.0
// Two steps of a particle filter that tracks an object in a video, after Rodinia's particlefilter (the form whose weights the host
// normalises), one particle a thread. The likelihood compares the pixels of a disc around the particle with background and object;
// pixels outside the frame do not count. Resampling looks in the cumulative weights for the first that is not below the thread's
// number, from the first one on: a loop that a thread leaves by a break, or at its end, where rounding has left the last sum below.
#include <heddle/kernel.h>

#define BACKGROUND 100
#define OBJECT 228

// evidence[i].x: sum of ((pixel - background)^2 - (pixel - object)^2), .y: pixels in it. The frame is a square.
extern "C" __global__ void likelihood(const int* xs, const int* ys, const int2* disc, int disc_size, const unsigned char* frame, int width,
                                      int2* evidence, int particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles) return;
  const int x = xs[i];
  const int y = ys[i];
  int sum = 0;
  int count = 0;
  for (int point = 0; point < disc_size; ++point) {
    const int px = x + disc[point].x;
    const int py = y + disc[point].y;
    if (px < 0 || px >= width || py < 0 || py >= width) continue;
    const int pixel = frame[py * width + px];
    const int from_background = pixel - BACKGROUND;
    const int from_object = pixel - OBJECT;
    sum += from_background * from_background - from_object * from_object;
    ++count;
  }
  evidence[i] = make_int2(sum, count);
}

// Particle i becomes a copy of the first particle whose cumulative weight is not below numbers[i].
extern "C" __global__ void resample(const int* xs, const int* ys, const float* cumulative, const float* numbers, int* new_xs, int* new_ys,
                                    int particles) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= particles) return;
  const float number = numbers[i];
  int chosen = -1;
  for (int candidate = 0; candidate < particles; ++candidate) {
    if (cumulative[candidate] >= number) {
      chosen = candidate;
      break;
    }
  }
  if (chosen == -1) chosen = particles - 1;
  new_xs[i] = xs[chosen];
  new_ys[i] = ys[chosen];
}
