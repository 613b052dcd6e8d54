// SPDX-License-Identifier: Apache-2.0
// The runtime API: memory.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "cuda/runtime.h"

using heddle::Runtime;

namespace {

using Memory = Runtime::Memory;

constexpr std::size_t kPitch = 256;
constexpr std::size_t kMostPitch = 0x7FFFFFFF;  // memPitch of cudaGetDeviceProperties
// The only pool, and what programs ask of it: memory that is freed is free at once, so it changes nothing.
const auto kPool = reinterpret_cast<cudaMemPool_t>(std::uintptr_t{1});
std::array<int, 4> pool_reuse{0, 1, 1, 1};
std::uint64_t pool_release_threshold = 0;
constexpr std::size_t kTooMany = ~std::size_t{0};  // bytes that no memory has

cudaError_t valid(Runtime& runtime, bool done) { return done ? cudaSuccess : runtime.fail(cudaErrorInvalidValue); }

std::size_t product(std::size_t a, std::size_t b) {
  std::size_t result = 0;
  return __builtin_mul_overflow(a, b, &result) ? kTooMany : result;
}
// The end of a part that begins at a position.
std::size_t end_of(std::size_t position, std::size_t size) {
  return size > kTooMany - position ? kTooMany : position + size;
}

// Host memory that kernels see: the heap, which the host sees at the same addresses.
cudaError_t allocate_shared(const char* function, void** pointer, std::size_t bytes, Memory kind, bool needed) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (pointer == nullptr) return runtime.fail(cudaErrorInvalidValue);
    if (runtime.heap_is_visible()) return runtime.allocate(pointer, bytes, kind);
    if (needed)
      return runtime.refuse(cudaErrorNotSupported,
                            fmt::format("{}: something else of the program lies at the addresses of device memory: "
                                        "link it as a position-independent executable",
                                        function));
    *pointer = std::malloc(bytes);
    if (*pointer == nullptr) return runtime.fail(cudaErrorMemoryAllocation);
    runtime.pinned.insert(*pointer);
    return cudaSuccess;
  });
}

// One side of a 3D copy or fill: an array or pitched memory.
struct Side {
  char* base;
  std::size_t pitch, slice, element;
};
// Nothing if the extent leaves it. An array's extents and positions in x are texels.
std::optional<Side> side_of(const heddle::Array* array, const cudaPos& position, const cudaPitchedPtr& pitched,
                            const cudaExtent& extent, std::size_t width) {
  if (array != nullptr) {
    if (end_of(position.x, extent.width) > array->width || end_of(position.y, extent.height) > array->rows() ||
        end_of(position.z, extent.depth) > std::max<std::size_t>(array->layers, 1))
      return std::nullopt;
    char* base = static_cast<char*>(array->memory) + position.z * array->layer_bytes() + position.y * array->pitch +
                 position.x * array->element;
    return Side{base, array->pitch, array->layer_bytes(), array->element};
  }
  const bool slices = end_of(position.z, extent.depth) > 1;  // only then it matters how many rows one has
  if (end_of(position.x, width) > pitched.pitch || (slices && end_of(position.y, extent.height) > pitched.ysize))
    return std::nullopt;
  const std::size_t slice = product(pitched.pitch, pitched.ysize);
  const std::size_t offset = end_of(product(position.z, slice), end_of(product(position.y, pitched.pitch), position.x));
  if (end_of(offset, product(extent.depth, slice)) == kTooMany) return std::nullopt;
  return Side{static_cast<char*>(pitched.ptr) + offset, pitched.pitch, slice, 1};
}

cudaError_t copy_3d(Runtime& runtime, const cudaMemcpy3DParms& p) {
  const heddle::Array* const from_array = runtime.arrays.find(p.srcArray);
  const heddle::Array* const to_array = runtime.arrays.find(p.dstArray);
  if ((p.srcArray != nullptr && from_array == nullptr) || (p.dstArray != nullptr && to_array == nullptr))
    return runtime.fail(cudaErrorInvalidValue);
  // Each side is one or the other.
  if ((p.srcArray == nullptr) == (p.srcPtr.ptr == nullptr) || (p.dstArray == nullptr) == (p.dstPtr.ptr == nullptr))
    return runtime.fail(cudaErrorInvalidValue);
  if (from_array != nullptr && to_array != nullptr && from_array->element != to_array->element)
    return runtime.fail(cudaErrorInvalidValue);
  const cudaExtent& e = p.extent;
  const std::size_t width = product(e.width, from_array != nullptr ? from_array->element
                                             : to_array != nullptr ? to_array->element
                                                                   : 1);
  const std::optional<Side> from = side_of(from_array, p.srcPos, p.srcPtr, e, width),
                            to = side_of(to_array, p.dstPos, p.dstPtr, e, width);
  if (!from || !to) return runtime.fail(cudaErrorInvalidValue);
  if (e.width == 0 || e.height == 0) return cudaSuccess;
  for (std::size_t z = 0; z < e.depth; ++z) {
    const cudaError_t error = cudaMemcpy2D(to->base + z * to->slice, to->pitch, from->base + z * from->slice,
                                           from->pitch, width, e.height, p.kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// A call that is the other one, on a stream.
template <class Call>
cudaError_t on(cudaStream_t stream, Call call) {
  Runtime& runtime = Runtime::get();
  return runtime.call(
      [&] { return runtime.is_stream(stream) ? call() : runtime.fail(cudaErrorInvalidResourceHandle); });
}

cudaError_t no_other_process() {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    return runtime.refuse(cudaErrorNotSupported,
                          "cudaIpc: each process has a device of its own, whose memory and events "
                          "no other one sees");
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return runtime.allocate(pointer, bytes); });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (pitch == nullptr) return runtime.fail(cudaErrorInvalidValue);
    const std::size_t row = width > kTooMany - kPitch ? kTooMany : (width + kPitch - 1) / kPitch * kPitch;
    const cudaError_t error = runtime.allocate(pointer, product(row, height));
    if (error == cudaSuccess) *pitch = row;
    return error;
  });
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (pointer == nullptr) return runtime.fail(cudaErrorInvalidValue);
    const cudaError_t error =
        cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, product(extent.height, extent.depth));
    if (error != cudaSuccess) return error;
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return cudaSuccess;
  });
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) {
  return allocate_shared("cudaMallocHost", pointer, bytes, Memory::kHost, false);
}
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  if ((flags & ~(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined)) != 0)
    return Runtime::get().fail(cudaErrorInvalidValue);
  return allocate_shared("cudaHostAlloc", pointer, bytes, Memory::kHost, (flags & cudaHostAllocMapped) != 0);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int flags) {
  if ((flags != cudaMemAttachGlobal && flags != cudaMemAttachHost) || bytes == 0)
    return Runtime::get().fail(cudaErrorInvalidValue);
  return allocate_shared("cudaMallocManaged", pointer, bytes, Memory::kManaged, true);
}
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (device == nullptr || flags != 0) return runtime.fail(cudaErrorInvalidValue);
    *device = nullptr;
    const std::optional<Memory> kind = runtime.memory_at(host);
    const bool registered = runtime.maps_registered() && runtime.is_registered(host);
    if (kind != Memory::kHost && kind != Memory::kManaged && !registered) {
      return runtime.refuse(
          cudaErrorInvalidValue,
          "cudaHostGetDevicePointer: only for memory of cudaHostAlloc, cudaMallocHost or cudaHostRegister");
    }
    *device = host;
    return cudaSuccess;
  });
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    const bool mapped = runtime.memory_at(host) == Memory::kHost;
    if (flags == nullptr || (!mapped && runtime.pinned.count(host) == 0)) return runtime.fail(cudaErrorInvalidValue);
    *flags = mapped ? cudaHostAllocMapped : cudaHostAllocDefault;
    return cudaSuccess;
  });
}
cudaError_t cudaHostRegister(void* host, size_t bytes, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (host == nullptr || bytes == 0 || (flags & ~(cudaHostRegisterPortable | cudaHostRegisterMapped)) != 0)
      return runtime.fail(cudaErrorInvalidValue);
    if ((flags & cudaHostRegisterMapped) != 0 && !runtime.maps_registered()) {
      return runtime.refuse(cudaErrorNotSupported,
                            "cudaHostRegister: kernels of 32 bits cannot name memory of the host: compile without "
                            "--rv32, or allocate it with cudaHostAlloc");
    }
    const std::uintptr_t begin = reinterpret_cast<std::uintptr_t>(host);
    if (bytes > ~begin || runtime.is_device(host)) return runtime.fail(cudaErrorInvalidValue);
    return runtime.register_memory(host, bytes) ? cudaSuccess : runtime.fail(cudaErrorHostMemoryAlreadyRegistered);
  });
}
cudaError_t cudaHostUnregister(void* host) {
  Runtime& runtime = Runtime::get();
  return runtime.query(
      [&] { return runtime.unregister_memory(host) ? cudaSuccess : runtime.fail(cudaErrorHostMemoryNotRegistered); });
}
cudaError_t cudaFree(void* pointer) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    return pointer == nullptr || runtime.release(pointer, {Memory::kDevice, Memory::kManaged})
               ? cudaSuccess
               : runtime.fail(cudaErrorInvalidDevicePointer);
  });
}
cudaError_t cudaFreeHost(void* pointer) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (pointer == nullptr || runtime.release(pointer, {Memory::kHost})) return cudaSuccess;
    if (runtime.pinned.erase(pointer) == 0) return runtime.fail(cudaErrorInvalidValue);
    std::free(pointer);
    return cudaSuccess;
  });
}
cudaError_t cudaMallocAsync(void** pointer, size_t bytes, cudaStream_t stream) {
  return on(stream, [&] { return cudaMalloc(pointer, bytes); });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return on(stream, [&] { return cudaFree(pointer); });
}
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (device != 0) return runtime.fail(cudaErrorInvalidDevice);
    if (pool == nullptr) return runtime.fail(cudaErrorInvalidValue);
    *pool = kPool;
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) { return cudaDeviceGetDefaultMemPool(pool, device); }
cudaError_t cudaMallocFromPoolAsync(void** pointer, size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return pool == kPool ? cudaMallocAsync(pointer, bytes, stream) : Runtime::get().fail(cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (pool != kPool || value == nullptr) return runtime.fail(cudaErrorInvalidValue);
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies: pool_reuse[attribute] = *static_cast<int*>(value); break;
      case cudaMemPoolAttrReleaseThreshold: pool_release_threshold = *static_cast<std::uint64_t*>(value); break;
      default: return runtime.fail(cudaErrorInvalidValue);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void* value) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (pool != kPool || value == nullptr) return runtime.fail(cudaErrorInvalidValue);
    switch (attribute) {
      case cudaMemPoolReuseFollowEventDependencies:
      case cudaMemPoolReuseAllowOpportunistic:
      case cudaMemPoolReuseAllowInternalDependencies: *static_cast<int*>(value) = pool_reuse[attribute]; break;
      case cudaMemPoolAttrReleaseThreshold: *static_cast<std::uint64_t*>(value) = pool_release_threshold; break;
      case cudaMemPoolAttrReservedMemCurrent:
      case cudaMemPoolAttrUsedMemCurrent: *static_cast<std::uint64_t*>(value) = runtime.device().allocated(); break;
      default: return runtime.fail(cudaErrorNotSupported);
    }
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t) {
  return pool == kPool ? cudaSuccess : Runtime::get().fail(cudaErrorInvalidValue);
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc* descriptions, size_t count) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (pool != kPool || (descriptions == nullptr && count != 0)) return runtime.fail(cudaErrorInvalidValue);
    for (std::size_t i = 0; i < count; ++i) {
      const cudaMemAccessDesc& d = descriptions[i];
      if (d.location.type != cudaMemLocationTypeDevice) return runtime.fail(cudaErrorInvalidValue);
      if (d.location.id != 0) return runtime.fail(cudaErrorInvalidDevice);
      if (d.flags != cudaMemAccessFlagsProtReadWrite)
        return runtime.fail(cudaErrorInvalidValue);  // it is the pool's own
    }
    return cudaSuccess;
  });
}
cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t*, void*) { return no_other_process(); }
cudaError_t cudaIpcOpenMemHandle(void**, cudaIpcMemHandle_t, unsigned int) { return no_other_process(); }
cudaError_t cudaIpcCloseMemHandle(void*) { return no_other_process(); }
cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t*, cudaEvent_t) { return no_other_process(); }
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t*, cudaIpcEventHandle_t) { return no_other_process(); }
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (free_bytes == nullptr || total_bytes == nullptr) return runtime.fail(cudaErrorInvalidValue);
    *total_bytes = runtime.device().heap_bytes();
    *free_bytes = *total_bytes - runtime.device().allocated();
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (attributes == nullptr) return runtime.fail(cudaErrorInvalidValue);
    *attributes = {};
    const std::optional<Memory> kind = runtime.memory_at(pointer);
    const bool device = runtime.is_device(pointer);
    const bool managed = kind == Memory::kManaged || kind == Memory::kManagedVariable;
    const bool registered = runtime.is_registered(pointer);
    attributes->type = attributes->memoryType =
        kind == Memory::kHost || runtime.pinned.count(pointer) != 0 || registered ? cudaMemoryTypeHost
        : managed                                                                 ? cudaMemoryTypeManaged
        : device                                                                  ? cudaMemoryTypeDevice
                                                                                  : cudaMemoryTypeUnregistered;
    attributes->isManaged = managed;
    attributes->devicePointer =
        device || (registered && runtime.maps_registered()) ? const_cast<void*>(pointer) : nullptr;
    attributes->hostPointer = !device || managed || kind == Memory::kHost ? const_cast<void*>(pointer) : nullptr;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  return on(stream, [&] {
    if (device != 0 && device != cudaCpuDeviceId) return runtime.fail(cudaErrorInvalidDevice);
    const auto begin = static_cast<heddle::Address>(reinterpret_cast<std::uintptr_t>(pointer));
    const std::optional<Memory> kind = runtime.memory_at(pointer);
    return valid(runtime, (kind == Memory::kManaged || kind == Memory::kManagedVariable) &&
                              runtime.device().buffer(begin, bytes));
  });
}
cudaError_t cudaMemAdvise(const void* pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
  if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
    return Runtime::get().fail(cudaErrorInvalidValue);
  return cudaMemPrefetchAsync(pointer, bytes, device, nullptr);
}

// ---------------------------------------------------------------- copies

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
                         enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const auto sides = runtime.sides(to, from, kind);
    if (!sides) return runtime.fail(cudaErrorInvalidMemcpyDirection);
    if (height > 1 && (width > to_pitch || width > from_pitch || to_pitch > kMostPitch || from_pitch > kMostPitch))
      return runtime.fail(cudaErrorInvalidPitchValue);
    return valid(runtime, runtime.copy_rows(to, std::max(to_pitch, width), sides->first, from,
                                            std::max(from_pitch, width), sides->second, width, height));
  });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) {
  return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return on(stream, [&] { return cudaMemcpy(to, from, bytes, kind); });
}
cudaError_t cudaMemcpyPeer(void* to, int to_device, const void* from, int from_device, size_t bytes) {
  if (to_device != 0 || from_device != 0) return Runtime::get().fail(cudaErrorInvalidDevice);
  return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
  return on(stream, [&] { return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind); });
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* p) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return p == nullptr ? runtime.fail(cudaErrorInvalidValue) : copy_3d(runtime, *p); });
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p, cudaStream_t stream) {
  return on(stream, [&] { return cudaMemcpy3D(p); });
}

cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (height > 1 && (width > pitch || pitch > kMostPitch)) return runtime.fail(cudaErrorInvalidPitchValue);
    return valid(runtime, runtime.fill_rows(to, std::max(pitch, width), value, width, height));
  });
}
cudaError_t cudaMemset(void* to, int value, size_t bytes) { return cudaMemset2D(to, bytes, value, bytes, 1); }
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  return on(stream, [&] { return cudaMemset(to, value, bytes); });
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const std::optional<Side> side = side_of(nullptr, {}, to, extent, extent.width);
    if (!side) return runtime.fail(cudaErrorInvalidValue);
    if (extent.width == 0 || extent.height == 0) return cudaSuccess;
    for (std::size_t z = 0; z < extent.depth; ++z) {
      const cudaError_t error =
          cudaMemset2D(side->base + z * side->slice, to.pitch, value, extent.width, extent.height);
      if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
  });
}

// ---------------------------------------------------------------- symbols

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return runtime.fail(cudaErrorInvalidMemcpyDirection);
    return runtime.copy_to_variable(symbol, from, bytes, offset, runtime.is_device(from));
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
      return runtime.fail(cudaErrorInvalidMemcpyDirection);
    return runtime.copy_from_variable(symbol, to, bytes, offset, runtime.is_device(to));
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
  return on(stream, [&] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); });
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
  return on(stream, [&] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); });
}
const void* __cudaNamedSymbol(const char* symbol, size_t bytes) { return Runtime::named_variable(symbol, bytes); }
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (pointer == nullptr) return runtime.fail(cudaErrorInvalidValue);
    const heddle::Variable* v = runtime.variable(symbol);
    if (v == nullptr) return runtime.fail(cudaErrorInvalidSymbol);
    if (v->type != nullptr && !v->type->same) {
      return runtime.refuse(
          cudaErrorNotSupported,
          fmt::format("cudaGetSymbolAddress: variable {} ({}) has another layout in kernels; use cudaMemcpyToSymbol",
                      v->name, v->type->name));
    }
    *pointer = reinterpret_cast<void*>(std::uintptr_t{v->address});
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (bytes == nullptr) return runtime.fail(cudaErrorInvalidValue);
    return runtime.variable(symbol, bytes) != nullptr ? cudaSuccess : runtime.fail(cudaErrorInvalidSymbol);
  });
}

}  // extern "C"
