// SPDX-License-Identifier: Apache-2.0
// A step of training a layer of a neural network, after Rodinia's backprop: products of inputs and weights are summed by a tree in shared
// memory, a block for each 16 inputs; then the weights are moved by the errors that the host has found.
#include <heddle/kernel.h>

#define SIDE 16

// weight[input * hidden + unit]. sum[block * hidden + unit]: of the block's 16 inputs; hidden is SIDE.
extern "C" __global__ void layer_forward(const float* input, const float* weight, float* sum) {
  __shared__ float in[SIDE];
  __shared__ float product[SIDE][SIDE];
  const int unit = threadIdx.x;
  const int row = threadIdx.y;
  const int number = blockIdx.x * SIDE + row;
  if (unit == 0) in[row] = input[number];
  __syncthreads();
  product[row][unit] = weight[number * SIDE + unit] * in[row];
  __syncthreads();
  for (int width = 2; width <= SIDE; width *= 2) {
    if (row % width == 0) product[row][unit] += product[row + width / 2][unit];
    __syncthreads();
  }
  if (row == 0) sum[blockIdx.x * SIDE + unit] = product[0][unit];
}

// momentum: what the step before has changed, as much of which is changed again.
extern "C" __global__ void adjust_weights(const float* input, const float* delta, float* weight, float* momentum, float rate, float keep) {
  const int unit = threadIdx.x;
  const int number = blockIdx.x * SIDE + threadIdx.y;
  const int at = number * SIDE + unit;
  const float change = rate * delta[unit] * input[number] + keep * momentum[at];
  weight[at] += change;
  momentum[at] = change;
}
