// SPDX-License-Identifier: Apache-2.0
// hotspot: heat spreads over a plate with sources, a 2D stencil. Rows are padded by cudaMallocPitch and copied by cudaMemcpy2D.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      printf("hotspot: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

const int kSteps = 8;
const float kSpread = 0.2f;

// Element x of row y; pitch is in bytes.
template <class T>
__device__ __forceinline__ T* at(T* base, size_t pitch, int x, int y) {
  return (T*)((char*)base + y * pitch) + x;
}

// No heat leaves at the border: a neighbour outside is the cell itself.
__global__ void spread(float* from, float* to, size_t pitch, float* source, size_t source_pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float here = *at(from, pitch, x, y);
  const float left = x > 0 ? *at(from, pitch, x - 1, y) : here;
  const float right = x < width - 1 ? *at(from, pitch, x + 1, y) : here;
  const float above = y > 0 ? *at(from, pitch, x, y - 1) : here;
  const float below = y < height - 1 ? *at(from, pitch, x, y + 1) : here;
  *at(to, pitch, x, y) = here + kSpread * (left + right + above + below - 4 * here) + *at(source, source_pitch, x, y);
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 110;
  if (width < 2) {
    printf("hotspot: the width must be at least 2\n");
    return 1;
  }
  const int height = width - 1;
  const size_t row_bytes = width * sizeof(float);
  std::vector<float> heat(width * height), source(width * height);
  for (int i = 0; i < width * height; ++i) {
    heat[i] = 20.0f + i % 13;
    source[i] = i % 101 == 0 ? 5.0f : 0.0f;
  }

  float *from, *to, *device_source;
  size_t pitch, other_pitch, source_pitch;
  CHECK(cudaMallocPitch((void**)&from, &pitch, row_bytes, height));
  CHECK(cudaMallocPitch((void**)&to, &other_pitch, row_bytes, height));
  CHECK(cudaMallocPitch((void**)&device_source, &source_pitch, row_bytes, height));
  if (pitch != other_pitch || pitch < row_bytes) {
    printf("hotspot: rows of %d bytes have a pitch of %d and %d\n", (int)row_bytes, (int)pitch, (int)other_pitch);
    return 1;
  }
  CHECK(cudaMemset2D(to, pitch, 0, row_bytes, height));
  CHECK(cudaMemcpy2D(from, pitch, &heat[0], row_bytes, row_bytes, height, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy2D(device_source, source_pitch, &source[0], row_bytes, row_bytes, height, cudaMemcpyHostToDevice));
  const dim3 block(32, 4);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  for (int step = 0; step < kSteps; ++step) {
    spread<<<grid, block>>>(from, to, pitch, device_source, source_pitch, width, height);
    CHECK(cudaGetLastError());
    float* other = from;
    from = to;
    to = other;
  }
  std::vector<float> result(width * height);
  CHECK(cudaMemcpy2D(&result[0], row_bytes, from, pitch, row_bytes, height, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(from));
  CHECK(cudaFree(to));
  CHECK(cudaFree(device_source));

  for (int step = 0; step < kSteps; ++step) {
    const std::vector<float> old = heat;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const int i = y * width + x;
        const float sum = old[x > 0 ? i - 1 : i] + old[x < width - 1 ? i + 1 : i] + old[y > 0 ? i - width : i] +
                          old[y < height - 1 ? i + width : i];
        heat[i] = old[i] + kSpread * (sum - 4 * old[i]) + source[i];
      }
  }
  for (int i = 0; i < width * height; ++i) {
    if (!(fabsf(result[i] - heat[i]) < 1e-3f)) {
      printf("hotspot: row %d column %d is %g, not %g\n", i / width, i % width, result[i], heat[i]);
      return 1;
    }
  }
  printf("hotspot: passed\n");
  return 0;
}
