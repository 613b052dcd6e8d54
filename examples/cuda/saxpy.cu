// SPDX-License-Identifier: Apache-2.0
// saxpy: y = a x + y, one thread an element. The first program.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void saxpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];  // the last block is not full
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 150000;
  if (n < 1) {
    printf("saxpy: the number of elements must be positive\n");
    return 1;
  }
  const size_t bytes = n * sizeof(float);
  float* x = (float*)malloc(bytes);
  float* y = (float*)malloc(bytes);
  for (int i = 0; i < n; ++i) {
    x[i] = i % 1000;
    y[i] = i % 7;
  }

  float *device_x, *device_y;
  cudaMalloc(&device_x, bytes);
  cudaMalloc(&device_y, bytes);
  cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);
  saxpy<<<(n + 255) / 256, 256>>>(2.5f, device_x, device_y, n);
  cudaMemcpy(y, device_y, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device_x);
  cudaFree(device_y);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("saxpy: %s\n", cudaGetErrorString(error));
    return 1;
  }

  for (int i = 0; i < n; ++i) {
    const float expected = 2.5f * (i % 1000) + i % 7;
    if (y[i] != expected) {
      printf("saxpy: y[%d] is %g, not %g\n", i, y[i], expected);
      return 1;
    }
  }
  printf("saxpy: passed\n");
  free(x);
  free(y);
  return 0;
}
