// SPDX-License-Identifier: Apache-2.0
// Tracking of sample points over the frames of a video by template matching, after Rodinia's heartwall: one launch a frame, one block
// a point. The threads of a block share the displacements of a search window around the point's last place; the score of one is the sum
// of absolute differences between the point's template and the frame (in place of Rodinia's correlation: whole numbers, and a sum that
// can be given up as soon as it is worse than the thread's best). Pixels outside the frame cost as much as the worst.
// The point goes to the best displacement that the whole block finds, and every few frames its template is renewed where it fits.
#include <heddle/kernel.h>

#define MAX_THREADS 256
#define WORST 255
#define UNKNOWN 0x7FFFFFFF

struct Tracker {
  int width, height;
  int side;          // of a template
  int reach;         // of the search window, in each direction
  int renew_every;   // frames
  int good;          // a score up to which a template is renewed
};

// Point p is at places[p], the middle of its template; its template is templates[p * side * side ...], row by row.
extern "C" __global__ void heartwall(const Tracker* tracker, const unsigned char* frame, unsigned char* templates, int2* places, int* scores,
                                     int frame_number) {
  __shared__ int best_score[MAX_THREADS];
  __shared__ int best_shift[MAX_THREADS];
  const int t = threadIdx.x;
  const int threads = blockDim.x;
  const int point = blockIdx.x;
  const int width = tracker->width;
  const int height = tracker->height;
  const int side = tracker->side;
  const int window = 2 * tracker->reach + 1;
  unsigned char* pattern = templates + point * side * side;
  const int left = places[point].x - side / 2;
  const int top = places[point].y - side / 2;

  if (frame_number == 0) {
    // The first frame gives the templates.
    for (int i = t; i < side * side; i += threads) {
      const int x = left + i % side;
      const int y = top + i / side;
      pattern[i] = x >= 0 && x < width && y >= 0 && y < height ? frame[y * width + x] : 0;
    }
    return;
  }

  // The best of the thread's displacements; of equals the first.
  int score = UNKNOWN;
  int shift = 0;
  for (int candidate = t; candidate < window * window; candidate += threads) {
    const int x0 = left + candidate % window - tracker->reach;
    const int y0 = top + candidate / window - tracker->reach;
    int sum = 0;
    for (int row = 0; row < side; ++row) {
      const int y = y0 + row;
      for (int column = 0; column < side; ++column) {
        const int x = x0 + column;
        if (y < 0 || y >= height || x < 0 || x >= width) {
          sum += WORST;
        } else {
          sum += abs(pattern[row * side + column] - frame[y * width + x]);
        }
        if (sum >= score) goto given_up;
      }
    }
    score = sum;
    shift = candidate;
  given_up:;
  }
  best_score[t] = score;
  best_shift[t] = shift;
  __syncthreads();

  // The best of the block, by the first thread, as few displacements are left.
  if (t == 0) {
    for (int other = 1; other < threads; ++other) {
      if (best_score[other] > score || (best_score[other] == score && best_shift[other] >= shift)) continue;
      score = best_score[other];
      shift = best_shift[other];
    }
    best_score[0] = score;
    best_shift[0] = shift;
    scores[point] = score;
    places[point].x += shift % window - tracker->reach;
    places[point].y += shift / window - tracker->reach;
  }
  __syncthreads();

  score = best_score[0];
  shift = best_shift[0];
  if (frame_number % tracker->renew_every != 0 || score > tracker->good) return;
  for (int i = t; i < side * side; i += threads) {
    const int x = left + shift % window - tracker->reach + i % side;
    const int y = top + shift / window - tracker->reach + i / side;
    if (x < 0 || x >= width || y < 0 || y >= height) continue;
    pattern[i] = (19 * pattern[i] + frame[y * width + x] + 10) / 20;
  }
}
