// SPDX-License-Identifier: Apache-2.0
// The runtime API: arrays and textures. Kernels read textures by loads, through the descriptor that is filled in here.
#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "cuda/array.h"
#include "cuda/runtime.h"

using heddle::Array;
using heddle::Runtime;

namespace {

constexpr std::size_t kAlignment = 256;  // of a texture's rows and base

std::size_t texel_bytes(const cudaChannelFormatDesc& c) { return static_cast<std::size_t>(c.x + c.y + c.z + c.w) / 8; }
Array* array_of(cudaArray_t array) { return reinterpret_cast<Array*>(array); }
const Array* array_of(cudaArray_const_t array) { return reinterpret_cast<const Array*>(array); }
std::uint32_t address(const void* pointer) { return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(pointer)); }

cudaError_t bind(const textureReference* texture, const heddle_texture& descriptor) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (texture->filterMode == cudaFilterModeLinear && texture->channelDesc.f != cudaChannelFormatKindFloat && texture->channelDesc.x > 16) {
      return runtime.refuse(cudaErrorInvalidFilterSetting, "texture: linear filtering of 32-bit integers; CUDA has it for floats and normalized texels");
    }
    return runtime.bind(texture, descriptor) ? cudaSuccess : runtime.fail(cudaErrorInvalidTexture);
  });
}

heddle_texture of_array(const Array& array) {
  heddle_texture t{};
  t.base = address(array.memory);
  t.width = static_cast<unsigned>(array.width);
  t.height = static_cast<unsigned>(array.height);
  t.pitch = static_cast<unsigned>(array.pitch);
  return t;
}

cudaError_t copy_array(const Array* array, std::size_t x, std::size_t y, void* other, std::size_t pitch, std::size_t width, std::size_t height, cudaMemcpyKind kind,
                       bool to_array) {
  if (array == nullptr) return Runtime::get().fail(cudaErrorInvalidResourceHandle);
  const std::size_t rows = std::max<std::size_t>(array->height, 1);
  if (x + width > array->width * array->element || y + height > rows) return Runtime::get().fail(cudaErrorInvalidValue);
  char* place = static_cast<char*>(array->memory) + y * array->pitch + x;
  return to_array ? cudaMemcpy2D(place, array->pitch, other, pitch, width, height, kind) : cudaMemcpy2D(other, pitch, place, array->pitch, width, height, kind);
}

// Copies without a pitch fill row after row.
cudaError_t copy_array_bytes(const Array* array, std::size_t x, std::size_t y, char* other, std::size_t bytes, cudaMemcpyKind kind, bool to_array) {
  if (array == nullptr) return Runtime::get().fail(cudaErrorInvalidResourceHandle);
  const std::size_t row = array->width * array->element;
  while (bytes != 0) {
    const std::size_t now = std::min(bytes, row - std::min(row, x));
    if (now == 0) return Runtime::get().fail(cudaErrorInvalidValue);
    const cudaError_t error = copy_array(array, x, y, other, now, now, 1, kind, to_array);
    if (error != cudaSuccess) return error;
    bytes -= now;
    other += now;
    x = 0;
    ++y;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) { return {x, y, z, w, kind}; }

cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels, size_t width, size_t height, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  if (flags != cudaArrayDefault) return runtime.refuse(cudaErrorNotSupported, "cudaMallocArray: layered arrays, surfaces and gathering are not modelled");
  const std::size_t element = texel_bytes(*channels);
  if (element == 0 || width == 0) return runtime.fail(cudaErrorInvalidChannelDescriptor);
  const std::size_t pitch = (width * element + kAlignment - 1) / kAlignment * kAlignment;
  void* memory = nullptr;
  const cudaError_t error = cudaMalloc(&memory, pitch * std::max<std::size_t>(height, 1));
  if (error != cudaSuccess) return error;
  *array = reinterpret_cast<cudaArray_t>(new Array{*channels, width, height, element, pitch, memory});
  return cudaSuccess;
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  if (array == nullptr) return cudaSuccess;
  const cudaError_t error = cudaFree(array_of(array)->memory);
  delete array_of(array);
  return error;
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  *channels = array_of(array)->channels;
  return cudaSuccess;
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  return copy_array_bytes(array_of(to), x, y, static_cast<char*>(const_cast<void*>(from)), bytes, kind, true);
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes, enum cudaMemcpyKind kind) {
  return copy_array_bytes(array_of(from), x, y, static_cast<char*>(to), bytes, kind, false);
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_array(array_of(to), x, y, const_cast<void*>(from), pitch, width, height, kind, true);
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width, size_t height, enum cudaMemcpyKind kind) {
  return copy_array(array_of(from), x, y, to, pitch, width, height, kind, false);
}

cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* texture, const void* pointer, const struct cudaChannelFormatDesc* channels, size_t bytes) {
  const std::size_t element = texel_bytes(*channels);
  if (element == 0) return Runtime::get().fail(cudaErrorInvalidChannelDescriptor);
  if (!Runtime::get().is_device(pointer)) return Runtime::get().fail(cudaErrorInvalidDevicePointer);
  heddle_texture t{};
  // The base is rounded down as hardware needs it, and the program told by how much, if it asks.
  t.base = address(pointer);
  if (offset != nullptr) *offset = 0;
  const auto buffer = Runtime::get().device().buffer(t.base);
  const std::size_t most = !buffer ? bytes : std::min<std::size_t>(bytes, buffer->begin + buffer->bytes - t.base);
  t.width = static_cast<unsigned>(most / element);
  return bind(texture, t);
}
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* texture, const void* pointer, const struct cudaChannelFormatDesc* channels, size_t width,
                              size_t height, size_t pitch) {
  if (texel_bytes(*channels) == 0) return Runtime::get().fail(cudaErrorInvalidChannelDescriptor);
  if (!Runtime::get().is_device(pointer)) return Runtime::get().fail(cudaErrorInvalidDevicePointer);
  if (offset != nullptr) *offset = 0;
  heddle_texture t{};
  t.base = address(pointer);
  t.width = static_cast<unsigned>(width);
  t.height = static_cast<unsigned>(height);
  t.pitch = static_cast<unsigned>(pitch);
  return bind(texture, t);
}
cudaError_t cudaBindTextureToArray(const struct textureReference* texture, cudaArray_const_t array, const struct cudaChannelFormatDesc*) {
  if (array == nullptr) return Runtime::get().fail(cudaErrorInvalidResourceHandle);
  return bind(texture, of_array(*array_of(array)));
}
cudaError_t cudaUnbindTexture(const struct textureReference* texture) {
  Runtime::get().unbind(texture);
  return cudaSuccess;
}
cudaError_t cudaGetTextureReference(const struct textureReference** texture, const void* symbol) {
  *texture = static_cast<const textureReference*>(symbol);
  return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const struct cudaResourceDesc* resource, const struct cudaTextureDesc* texture,
                                    const struct cudaResourceViewDesc*) {
  Runtime& runtime = Runtime::get();
  heddle_texture t{};
  cudaChannelFormatDesc channels{};
  switch (resource->resType) {
    case cudaResourceTypeArray:
      if (resource->res.array.array == nullptr) return runtime.fail(cudaErrorInvalidResourceHandle);
      t = of_array(*array_of(resource->res.array.array));
      channels = array_of(resource->res.array.array)->channels;
      break;
    case cudaResourceTypeLinear:
      channels = resource->res.linear.desc;
      if (texel_bytes(channels) == 0) return runtime.fail(cudaErrorInvalidChannelDescriptor);
      t.base = address(resource->res.linear.devPtr);
      t.width = static_cast<unsigned>(resource->res.linear.sizeInBytes / texel_bytes(channels));
      break;
    case cudaResourceTypePitch2D:
      channels = resource->res.pitch2D.desc;
      t.base = address(resource->res.pitch2D.devPtr);
      t.width = static_cast<unsigned>(resource->res.pitch2D.width);
      t.height = static_cast<unsigned>(resource->res.pitch2D.height);
      t.pitch = static_cast<unsigned>(resource->res.pitch2D.pitchInBytes);
      break;
    default: return runtime.refuse(cudaErrorNotSupported, "cudaCreateTextureObject: mipmapped arrays are not modelled");
  }
  if (texture->readMode == cudaReadModeNormalizedFloat && channels.f != cudaChannelFormatKindFloat) {
    return runtime.refuse(cudaErrorNotSupported, "cudaCreateTextureObject: normalized reading of integers is there for texture references only");
  }
  if (texture->filterMode == cudaFilterModeLinear && channels.f != cudaChannelFormatKindFloat) {
    return runtime.refuse(cudaErrorInvalidFilterSetting, "cudaCreateTextureObject: linear filtering of integers");
  }
  t.normalized = texture->normalizedCoords;
  t.linear = texture->filterMode == cudaFilterModeLinear;
  t.address_mode[0] = texture->addressMode[0];
  t.address_mode[1] = texture->addressMode[1];
  void* descriptor = nullptr;
  const cudaError_t error = cudaMalloc(&descriptor, sizeof t);
  if (error != cudaSuccess) return error;
  *object = address(descriptor);
  return cudaMemcpy(descriptor, &t, sizeof t, cudaMemcpyHostToDevice);
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) { return cudaFree(reinterpret_cast<void*>(static_cast<std::uintptr_t>(object))); }

}  // extern "C"
