// SPDX-License-Identifier: Apache-2.0
// One layer of a neural network: products of inputs and weights summed over a tree whose width is a power of two, and the correction
// of the weights.
#include <heddle/kernel.h>

constexpr int kSide = 16;

extern "C" __global__ void forward(const float* input, const float* weight, float* partial, int hidden) {
  __shared__ float node[kSide];
  __shared__ float product[kSide][kSide];
  const int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  const int index = (hidden + 1) * kSide * by + (hidden + 1) * ty + tx + 1 + hidden + 1;
  if (tx == 0) node[ty] = input[kSide * by + ty + 1];
  __syncthreads();
  product[ty][tx] = weight[index];
  __syncthreads();
  product[ty][tx] *= node[ty];
  __syncthreads();
  for (int step = 1; (1 << step) <= kSide; ++step) {
    const int width = 1 << step;
    if (ty % width == 0) product[ty][tx] += product[ty + width / 2][tx];
    __syncthreads();
  }
  if (tx == 0) partial[by * hidden + ty] = product[tx][ty];
}

extern "C" __global__ void correct(const float* delta, const float* layer, float* weight, float* previous, int hidden, float limit) {
  const int tx = threadIdx.x, ty = threadIdx.y, by = blockIdx.y;
  const int index = (hidden + 1) * kSide * by + (hidden + 1) * ty + tx + 1 + hidden + 1;
  float change = 0.3f * delta[tx + 1] * layer[kSide * by + ty + 1] + 0.3f * previous[index];
  if (change > limit) change = limit;
  else if (change < -limit) change = -limit;
  weight[index] += change;
  previous[index] = change;
  __syncthreads();
  if (ty == 0 && by == 0) {
    weight[tx + 1] += 0.3f * delta[tx + 1] + 0.3f * previous[tx + 1];
    previous[tx + 1] = 0.3f * delta[tx + 1] + 0.3f * previous[tx + 1];
  }
}
