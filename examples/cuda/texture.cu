// SPDX-License-Identifier: Apache-2.0
// texture: an image blurred through a 2D texture reference and a 2D texture object (both clamp at the border), then read in another
// order through a table: tex1Dfetch from linear memory, by reference and by object.
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <vector>

#define CHECK(call)                                                      \
  do {                                                                   \
    cudaError_t error = (call);                                          \
    if (error != cudaSuccess) {                                          \
      printf("texture: %s: %s\n", #call, cudaGetErrorString(error));     \
      exit(1);                                                           \
    }                                                                    \
  } while (0)

texture<float, 2, cudaReadModeElementType> image_reference;
texture<int, 1, cudaReadModeElementType> order_reference;

// Texel x of a row reaches from x to x + 1: its middle is meant.
__global__ void blur_by_reference(float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D(image_reference, x + dx + 0.5f, y + dy + 0.5f);
  out[y * width + x] = sum / 9;
}

__global__ void blur_by_object(cudaTextureObject_t image, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) sum += tex2D<float>(image, x + dx + 0.5f, y + dy + 0.5f);
  out[y * width + x] = sum / 9;
}

__global__ void reorder(cudaTextureObject_t values, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(values, tex1Dfetch(order_reference, i));
}

static int differs(const char* what, const float* device, const std::vector<float>& expected) {
  std::vector<float> result(expected.size());
  CHECK(cudaMemcpy(&result[0], device, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (size_t i = 0; i < result.size(); ++i) {
    if (fabsf(result[i] - expected[i]) <= 1e-4f) continue;
    printf("texture: %s: element %d is %g, not %g\n", what, (int)i, result[i], expected[i]);
    return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 90;
  if (width < 2) {
    printf("texture: the width must be at least 2\n");
    return 1;
  }
  const int height = width / 2, n = width * height;
  std::vector<float> image(n), blurred(n), reordered(n);
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) {
    image[i] = (i * 7919) % 251;
    order[i] = n - 1 - i;
  }
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          sum += image[std::min(std::max(y + dy, 0), height - 1) * width + std::min(std::max(x + dx, 0), width - 1)];
      blurred[y * width + x] = sum / 9;
    }
  for (int i = 0; i < n; ++i) reordered[i] = blurred[order[i]];

  float *device_image, *device_blurred, *device_result;
  int* device_order;
  size_t pitch;
  CHECK(cudaMallocPitch(&device_image, &pitch, width * sizeof(float), height));
  CHECK(cudaMemcpy2D(device_image, pitch, &image[0], width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
  CHECK(cudaMalloc(&device_blurred, n * sizeof(float)));
  CHECK(cudaMalloc(&device_result, n * sizeof(float)));
  CHECK(cudaMalloc(&device_order, n * sizeof(int)));
  CHECK(cudaMemcpy(device_order, &order[0], n * sizeof(int), cudaMemcpyHostToDevice));

  size_t offset = 0;
  image_reference.addressMode[0] = image_reference.addressMode[1] = cudaAddressModeClamp;
  image_reference.filterMode = cudaFilterModePoint;
  image_reference.normalized = false;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK(cudaBindTexture2D(&offset, image_reference, device_image, format, width, height, pitch));
  CHECK(cudaBindTexture(&offset, order_reference, device_order, n * sizeof(int)));

  cudaTextureDesc sampling;
  memset(&sampling, 0, sizeof sampling);
  sampling.addressMode[0] = sampling.addressMode[1] = cudaAddressModeClamp;
  sampling.filterMode = cudaFilterModePoint;
  sampling.readMode = cudaReadModeElementType;
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D.devPtr = device_image;
  resource.res.pitch2D.desc = format;
  resource.res.pitch2D.width = width;
  resource.res.pitch2D.height = height;
  resource.res.pitch2D.pitchInBytes = pitch;
  cudaTextureObject_t image_object = 0, values_object = 0;
  CHECK(cudaCreateTextureObject(&image_object, &resource, &sampling, NULL));
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = device_blurred;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = n * sizeof(float);
  CHECK(cudaCreateTextureObject(&values_object, &resource, &sampling, NULL));

  const dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
  blur_by_reference<<<grid, block>>>(device_blurred, width, height);
  reorder<<<(n + 127) / 128, 128>>>(values_object, device_result, n);
  int failed = differs("2D reference", device_blurred, blurred) || differs("tex1Dfetch", device_result, reordered);
  blur_by_object<<<grid, block>>>(image_object, device_result, width, height);
  failed = failed || differs("2D object", device_result, blurred);

  CHECK(cudaUnbindTexture(image_reference));
  CHECK(cudaUnbindTexture(order_reference));
  CHECK(cudaDestroyTextureObject(image_object));
  CHECK(cudaDestroyTextureObject(values_object));
  CHECK(cudaFree(device_image));
  CHECK(cudaFree(device_blurred));
  CHECK(cudaFree(device_result));
  CHECK(cudaFree(device_order));
  CHECK(cudaGetLastError());
  if (!failed) printf("texture: passed\n");
  return failed;
}
