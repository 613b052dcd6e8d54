// SPDX-License-Identifier: Apache-2.0
// The runtime API: arrays and textures. Kernels read textures by loads, through the descriptor that is filled in here.
#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "cuda/runtime.h"

using heddle::Array;
using heddle::Runtime;

namespace {

constexpr std::size_t kAlignment = 256;  // of a texture's rows and base

constexpr std::size_t kMostTexels =
    1u << 27;  // of linear memory, and of a side of an array or of pitched memory: as cudaGetDeviceProperties says
constexpr std::size_t kMostSide = 65536;
constexpr std::size_t kMostTexturePitch = 1u << 20;
constexpr std::size_t kMostLayers = 2048;

// 0: not a format. One, two or four components of the same 8, 16 or 32 bits.
std::size_t texel_bytes(const cudaChannelFormatDesc& c) {
  const bool bits = c.x == 8 || c.x == 16 || c.x == 32;
  const bool one = c.y == 0 && c.z == 0 && c.w == 0, two = c.y == c.x && c.z == 0 && c.w == 0,
             four = c.y == c.x && c.z == c.x && c.w == c.x;
  if (!bits || !(one || two || four) || c.f < cudaChannelFormatKindSigned || c.f > cudaChannelFormatKindFloat) return 0;
  return static_cast<std::size_t>(c.x + c.y + c.z + c.w) / 8;
}
heddle::Address address(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

cudaError_t bind(const textureReference* texture, const heddle_texture& descriptor) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (!Runtime::is_texture(texture)) return runtime.fail(cudaErrorInvalidTexture);
    if (texture->filterMode == cudaFilterModeLinear && texture->channelDesc.f != cudaChannelFormatKindFloat &&
        texture->channelDesc.x > 16) {
      return runtime.refuse(
          cudaErrorInvalidFilterSetting,
          "texture: linear filtering of 32-bit integers; CUDA has it for floats and normalized texels");
    }
    runtime.bind(texture, descriptor);
    return cudaSuccess;
  });
}

heddle_texture of_array(const Array& array) {
  heddle_texture t{};
  t.base = address(array.memory);
  t.width = static_cast<unsigned>(array.width);
  t.height = static_cast<unsigned>(array.height);
  t.pitch = static_cast<unsigned>(array.pitch);
  t.layers = static_cast<unsigned>(array.layers);
  t.layer = array.layer_bytes();
  return t;
}

// Nothing, with the error, if it is no format, or the memory is none that a texture can read.
bool describe(heddle_texture& t, const void* pointer, const cudaChannelFormatDesc& channels, cudaError_t& error) {
  error = texel_bytes(channels) == 0           ? cudaErrorInvalidChannelDescriptor
          : !Runtime::get().is_device(pointer) ? cudaErrorInvalidDevicePointer
                                               : cudaSuccess;
  if (error == cudaSuccess) t.base = address(pointer);
  return error == cudaSuccess;
}
bool describe_2d(heddle_texture& t, std::size_t element, std::size_t width, std::size_t height, std::size_t pitch) {
  t.width = static_cast<unsigned>(width);
  t.height = static_cast<unsigned>(height);
  t.pitch = static_cast<unsigned>(pitch);
  return width != 0 && height != 0 && width <= kMostSide && height <= kMostSide && pitch <= kMostTexturePitch &&
         width * element <= pitch;
}

bool within(std::size_t position, std::size_t size, std::size_t all) {
  return position <= all && size <= all - position;
}

cudaError_t copy_array(const Array& array, std::size_t x, std::size_t y, void* other, std::size_t pitch,
                       std::size_t width, std::size_t height, cudaMemcpyKind kind, bool to_array) {
  if (!within(x, width, array.width * array.element) || !within(y, height, std::max<std::size_t>(array.height, 1)))
    return Runtime::get().fail(cudaErrorInvalidValue);
  char* place = static_cast<char*>(array.memory) + y * array.pitch + x;
  return to_array ? cudaMemcpy2D(place, array.pitch, other, pitch, width, height, kind)
                  : cudaMemcpy2D(other, pitch, place, array.pitch, width, height, kind);
}

// Copies without a pitch fill row after row.
cudaError_t copy_array_bytes(const Array& array, std::size_t x, std::size_t y, char* other, std::size_t bytes,
                             cudaMemcpyKind kind, bool to_array) {
  const std::size_t row = array.width * array.element, rows = std::max<std::size_t>(array.height, 1);
  if (x > row || y > rows || bytes > (rows - y) * row || (rows - y) * row - bytes < x)
    return Runtime::get().fail(cudaErrorInvalidValue);
  while (bytes != 0) {
    const std::size_t now = std::min(bytes, row - x);
    const cudaError_t error = copy_array(array, x, y, other, now, now, 1, kind, to_array);
    if (error != cudaSuccess) return error;
    bytes -= now;
    other += now;
    x = 0;
    ++y;
  }
  return cudaSuccess;
}

// A call about an array: an error if there is no such one.
template <class H, class Call>
cudaError_t with_array(H handle, Call call) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const Array* const array = runtime.arrays.find(handle);
    return array == nullptr ? runtime.fail(cudaErrorInvalidValue) : call(*array);
  });
}

cudaError_t create_array(cudaArray_t* handle, const cudaChannelFormatDesc* channels, std::size_t width,
                         std::size_t height, std::size_t layers, bool surface) {
  Runtime& runtime = Runtime::get();
  if (handle == nullptr || channels == nullptr) return runtime.fail(cudaErrorInvalidValue);
  Array array{*channels, width, height, texel_bytes(*channels), 0, layers, surface, nullptr};
  if (array.element == 0) return runtime.fail(cudaErrorInvalidChannelDescriptor);
  if (width == 0 || width > kMostSide || height > kMostSide || layers > kMostLayers)
    return runtime.fail(cudaErrorInvalidValue);
  array.pitch = (width * array.element + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t bytes = array.layer_bytes() * std::max<std::size_t>(layers, 1);
  const cudaError_t error = runtime.allocate(&array.memory, bytes, Runtime::Memory::kArray);
  if (error == cudaSuccess) *handle = runtime.arrays.add(array);
  return error;
}

cudaError_t create_object(Runtime& runtime, cudaTextureObject_t* object, const cudaResourceDesc& resource,
                          const cudaTextureDesc& texture) {
  heddle_texture t{};
  cudaChannelFormatDesc channels{};
  cudaError_t error = cudaSuccess;  // CUDA names none but an invalid value
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const Array* const array = runtime.arrays.find(resource.res.array.array);
      if (array == nullptr) return runtime.fail(cudaErrorInvalidValue);
      t = of_array(*array);
      channels = array->channels;
      break;
    }
    case cudaResourceTypeLinear: {
      channels = resource.res.linear.desc;
      if (!describe(t, resource.res.linear.devPtr, channels, error)) return runtime.fail(cudaErrorInvalidValue);
      const std::size_t texels = resource.res.linear.sizeInBytes / texel_bytes(channels);
      if (texels == 0 || texels > kMostTexels) return runtime.fail(cudaErrorInvalidValue);
      t.width = static_cast<unsigned>(texels);
      break;
    }
    case cudaResourceTypePitch2D: {
      const auto& plane = resource.res.pitch2D;
      channels = plane.desc;
      if (!describe(t, plane.devPtr, channels, error)) return runtime.fail(cudaErrorInvalidValue);
      if (!describe_2d(t, texel_bytes(channels), plane.width, plane.height, plane.pitchInBytes))
        return runtime.fail(cudaErrorInvalidValue);
      break;
    }
    case cudaResourceTypeMipmappedArray:
      return runtime.refuse(cudaErrorNotSupported, "cudaCreateTextureObject: mipmapped arrays are not modelled");
    default: return runtime.fail(cudaErrorInvalidValue);
  }
  const auto among = [](int value, int last) { return value >= 0 && value <= last; };
  if (!among(texture.readMode, cudaReadModeNormalizedFloat) || !among(texture.filterMode, cudaFilterModeLinear) ||
      !among(texture.addressMode[0], cudaAddressModeBorder) || !among(texture.addressMode[1], cudaAddressModeBorder)) {
    return runtime.fail(cudaErrorInvalidValue);
  }
  if (texture.readMode == cudaReadModeNormalizedFloat && channels.f != cudaChannelFormatKindFloat) {
    return runtime.refuse(
        cudaErrorNotSupported,
        "cudaCreateTextureObject: normalized reading of integers is there for texture references only");
  }
  if (texture.filterMode == cudaFilterModeLinear && channels.f != cudaChannelFormatKindFloat) {
    return runtime.refuse(cudaErrorInvalidFilterSetting, "cudaCreateTextureObject: linear filtering of integers");
  }
  t.normalized = texture.normalizedCoords;
  t.linear = texture.filterMode == cudaFilterModeLinear;
  t.address_mode[0] = texture.addressMode[0];
  t.address_mode[1] = texture.addressMode[1];
  void* descriptor = nullptr;
  error = runtime.allocate(&descriptor, sizeof t, Runtime::Memory::kTextureObject);
  if (error != cudaSuccess) return error;
  *object = address(descriptor);
  return cudaMemcpy(descriptor, &t, sizeof t, cudaMemcpyHostToDevice);
}

}  // namespace

extern "C" {

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind kind) {
  return {x, y, z, w, kind};
}

cudaError_t cudaMallocArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels, size_t width,
                            size_t height, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if ((flags & ~cudaArraySurfaceLoadStore) != 0)
      return runtime.refuse(cudaErrorNotSupported, "cudaMallocArray: gathering is not modelled");
    return create_array(array, channels, width, height, 0, flags != 0);
  });
}
cudaError_t cudaMalloc3DArray(cudaArray_t* array, const struct cudaChannelFormatDesc* channels,
                              struct cudaExtent extent, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const bool layered = (flags & cudaArrayLayered) != 0;
    if ((flags & ~(cudaArrayLayered | cudaArraySurfaceLoadStore)) != 0 || layered != (extent.depth != 0)) {
      return runtime.refuse(cudaErrorNotSupported,
                            "cudaMalloc3DArray: only layered arrays of one or two dimensions, none of three, of cubes "
                            "or for gathering");
    }
    return create_array(array, channels, extent.width, extent.height, extent.depth,
                        (flags & cudaArraySurfaceLoadStore) != 0);
  });
}
cudaError_t cudaFreeArray(cudaArray_t array) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (array == nullptr) return cudaSuccess;
    const Array* const known = runtime.arrays.find(array);
    if (known == nullptr || !runtime.release(known->memory, {Runtime::Memory::kArray}))
      return runtime.fail(cudaErrorInvalidValue);
    runtime.arrays.remove(array);
    return cudaSuccess;
  });
}
cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc* channels, cudaArray_const_t array) {
  if (channels == nullptr) return Runtime::get().fail(cudaErrorInvalidValue);
  return with_array(array, [&](const Array& a) {
    *channels = a.channels;
    return cudaSuccess;
  });
}
cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t bytes,
                              enum cudaMemcpyKind kind) {
  return with_array(to, [&](const Array& array) {
    return copy_array_bytes(array, x, y, static_cast<char*>(const_cast<void*>(from)), bytes, kind, true);
  });
}
cudaError_t cudaMemcpyFromArray(void* to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind) {
  return with_array(from, [&](const Array& array) {
    return copy_array_bytes(array, x, y, static_cast<char*>(to), bytes, kind, false);
  });
}
cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                                size_t height, enum cudaMemcpyKind kind) {
  return with_array(to, [&](const Array& array) {
    return copy_array(array, x, y, const_cast<void*>(from), pitch, width, height, kind, true);
  });
}
cudaError_t cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                                  size_t height, enum cudaMemcpyKind kind) {
  return with_array(from,
                    [&](const Array& array) { return copy_array(array, x, y, to, pitch, width, height, kind, false); });
}

cudaError_t cudaBindTexture(size_t* offset, const struct textureReference* texture, const void* pointer,
                            const struct cudaChannelFormatDesc* channels, size_t bytes) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (channels == nullptr) return runtime.fail(cudaErrorInvalidValue);
    heddle_texture t{};
    cudaError_t error = cudaSuccess;
    if (!describe(t, pointer, *channels, error)) return runtime.fail(error);
    // The base is rounded down as hardware needs it, and the program told by how much, if it asks.
    if (offset != nullptr) *offset = 0;
    const auto buffer = runtime.device().buffer(t.base);
    const std::size_t most = !buffer ? bytes : std::min<std::size_t>(bytes, buffer->begin + buffer->bytes - t.base);
    t.width = static_cast<unsigned>(std::min(most, std::size_t{0xFFFFFFFFu}) / texel_bytes(*channels));
    return bind(texture, t);
  });
}
cudaError_t cudaBindTexture2D(size_t* offset, const struct textureReference* texture, const void* pointer,
                              const struct cudaChannelFormatDesc* channels, size_t width, size_t height, size_t pitch) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (channels == nullptr) return runtime.fail(cudaErrorInvalidValue);
    heddle_texture t{};
    cudaError_t error = cudaSuccess;
    if (!describe(t, pointer, *channels, error)) return runtime.fail(error);
    if (!describe_2d(t, texel_bytes(*channels), width, height, pitch)) return runtime.fail(cudaErrorInvalidValue);
    if (offset != nullptr) *offset = 0;
    return bind(texture, t);
  });
}
cudaError_t cudaBindTextureToArray(const struct textureReference* texture, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc*) {
  return with_array(array, [&](const Array& a) { return bind(texture, of_array(a)); });
}
cudaError_t cudaUnbindTexture(const struct textureReference* texture) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (!Runtime::is_texture(texture)) return runtime.fail(cudaErrorInvalidTexture);
    runtime.unbind(texture);
    return cudaSuccess;
  });
}
cudaError_t cudaGetTextureReference(const struct textureReference** texture, const void* symbol) {
  if (texture == nullptr) return Runtime::get().fail(cudaErrorInvalidValue);
  const auto* const reference = static_cast<const textureReference*>(symbol);
  if (!Runtime::is_texture(reference)) return Runtime::get().fail(cudaErrorInvalidTexture);
  *texture = reference;
  return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const struct cudaResourceDesc* resource,
                                    const struct cudaTextureDesc* texture, const struct cudaResourceViewDesc*) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (object == nullptr || resource == nullptr || texture == nullptr) return runtime.fail(cudaErrorInvalidValue);
    return create_object(runtime, object, *resource, *texture);
  });
}
cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const struct cudaResourceDesc* resource) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (object == nullptr || resource == nullptr || resource->resType != cudaResourceTypeArray)
      return runtime.fail(cudaErrorInvalidValue);
    const Array* const array = runtime.arrays.find(resource->res.array.array);
    if (array == nullptr || !array->surface) return runtime.fail(cudaErrorInvalidValue);
    if (array->layers != 0)
      return runtime.refuse(cudaErrorNotSupported,
                            "cudaCreateSurfaceObject: surfaces of layered arrays are not modelled");
    const heddle_surface surface{address(array->memory), static_cast<unsigned>(array->width * array->element),
                                 static_cast<unsigned>(array->pitch), static_cast<unsigned>(array->rows())};
    void* descriptor = nullptr;
    const cudaError_t error = runtime.allocate(&descriptor, sizeof surface, Runtime::Memory::kSurfaceObject);
    if (error != cudaSuccess) return error;
    *object = address(descriptor);
    return cudaMemcpy(descriptor, &surface, sizeof surface, cudaMemcpyHostToDevice);
  });
}
cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const bool known =
        object == 0 || runtime.release(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(object)),
                                       {Runtime::Memory::kSurfaceObject});
    return known ? cudaSuccess : runtime.fail(cudaErrorInvalidValue);
  });
}
cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const bool known =
        object == 0 || runtime.release(reinterpret_cast<const void*>(static_cast<std::uintptr_t>(object)),
                                       {Runtime::Memory::kTextureObject});
    return known ? cudaSuccess : runtime.fail(cudaErrorInvalidValue);
  });
}

}  // extern "C"
