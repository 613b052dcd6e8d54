// SPDX-License-Identifier: Apache-2.0
// The runtime API: memory.
#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include <fmt/format.h>

#include "cuda/array.h"
#include "cuda/runtime.h"

using heddle::Runtime;

namespace {

constexpr std::size_t kPitch = 256;

cudaError_t valid(Runtime& runtime, bool done) { return done ? cudaSuccess : runtime.fail(cudaErrorInvalidValue); }

void* at(void* pointer, std::size_t offset) { return static_cast<char*>(pointer) + offset; }


// Host memory that kernels see: the heap, which the host sees at the same addresses.
cudaError_t allocate_shared(const char* function, void** pointer, std::size_t bytes, bool needed) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (runtime.heap_is_visible()) return runtime.allocate(pointer, bytes);
    if (needed) return runtime.refuse(cudaErrorNotSupported, fmt::format("{}: something else of the program lies at the device's addresses (0x20000000 on): link it as a position-independent executable", function));
    *pointer = std::malloc(bytes);
    return *pointer != nullptr ? cudaSuccess : runtime.fail(cudaErrorMemoryAllocation);
  });
}

// One side of a 3D copy: an array or pitched memory.
struct Side {
  char* base;
  std::size_t pitch, slice, element;
};
Side side_of(const heddle::Array* array, const cudaPos& position, const cudaPitchedPtr& pitched) {
  if (array != nullptr) {
    char* base = static_cast<char*>(array->memory) + position.y * array->pitch + position.x * array->element;
    return {base, array->pitch, array->pitch * std::max<std::size_t>(array->height, 1), array->element};
  }
  char* base = static_cast<char*>(pitched.ptr) + (position.z * pitched.ysize + position.y) * pitched.pitch + position.x;
  return {base, pitched.pitch, pitched.pitch * pitched.ysize, 1};
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** pointer, size_t bytes) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return runtime.allocate(pointer, bytes); });
}
cudaError_t cudaMallocPitch(void** pointer, size_t* pitch, size_t width, size_t height) {
  *pitch = (width + kPitch - 1) / kPitch * kPitch;
  return cudaMalloc(pointer, *pitch * height);
}
cudaError_t cudaMalloc3D(struct cudaPitchedPtr* pointer, struct cudaExtent extent) {
  pointer->xsize = extent.width;
  pointer->ysize = extent.height;
  return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}
cudaError_t cudaMallocHost(void** pointer, size_t bytes) { return allocate_shared("cudaMallocHost", pointer, bytes, false); }
cudaError_t cudaHostAlloc(void** pointer, size_t bytes, unsigned int flags) {
  return allocate_shared("cudaHostAlloc", pointer, bytes, (flags & cudaHostAllocMapped) != 0);
}
cudaError_t cudaMallocManaged(void** pointer, size_t bytes, unsigned int) { return allocate_shared("cudaMallocManaged", pointer, bytes, true); }
cudaError_t cudaHostGetDevicePointer(void** device, void* host, unsigned int) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    *device = runtime.is_device(host) ? host : nullptr;
    return *device != nullptr ? cudaSuccess
                              : runtime.refuse(cudaErrorNotSupported, "cudaHostGetDevicePointer: only for memory of cudaHostAlloc or cudaMallocHost");
  });
}
cudaError_t cudaHostGetFlags(unsigned int* flags, void* host) {
  *flags = Runtime::get().is_device(host) ? cudaHostAllocMapped : cudaHostAllocDefault;
  return cudaSuccess;
}
cudaError_t cudaHostRegister(void*, size_t, unsigned int flags) {
  if ((flags & cudaHostRegisterMapped) == 0) return cudaSuccess;  // pinned: copies are at once anyway
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return runtime.refuse(cudaErrorNotSupported, "cudaHostRegister: memory of the host cannot be mapped afterwards; allocate it with cudaHostAlloc"); });
}
cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
cudaError_t cudaFree(void* pointer) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return runtime.release(pointer); });
}
cudaError_t cudaFreeHost(void* pointer) {
  if (pointer == nullptr || Runtime::get().is_device(pointer)) return cudaFree(pointer);
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemGetInfo(size_t* free_bytes, size_t* total_bytes) {
  Runtime& runtime = Runtime::get();
  *total_bytes = runtime.config().memory.heap_bytes;
  *free_bytes = *total_bytes - runtime.device().allocated();
  return cudaSuccess;
}
cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes* attributes, const void* pointer) {
  *attributes = {};
  const bool device = Runtime::get().is_device(pointer);
  attributes->type = attributes->memoryType = device ? cudaMemoryTypeDevice : cudaMemoryTypeUnregistered;
  attributes->devicePointer = device ? const_cast<void*>(pointer) : nullptr;
  attributes->hostPointer = device ? nullptr : const_cast<void*>(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaMemAdvise(const void*, size_t, enum cudaMemoryAdvise, int) { return cudaSuccess; }

// ---------------------------------------------------------------- copies

cudaError_t cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const auto sides = runtime.sides(to, from, kind);
    if (!sides) return runtime.fail(cudaErrorInvalidMemcpyDirection);
    if (height > 1 && (width > to_pitch || width > from_pitch)) return runtime.fail(cudaErrorInvalidPitchValue);
    return valid(runtime, runtime.copy_rows(to, std::max(to_pitch, width), sides->first, from, std::max(from_pitch, width), sides->second, width, height));
  });
}
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind) { return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind); }
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t) { return cudaMemcpy(to, from, bytes, kind); }
cudaError_t cudaMemcpyPeer(void* to, int, const void* from, int, size_t bytes) { return cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice); }
cudaError_t cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height, enum cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}
cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms* p) {
  const auto* from_array = reinterpret_cast<const heddle::Array*>(p->srcArray);
  const auto* to_array = reinterpret_cast<const heddle::Array*>(p->dstArray);
  const Side from = side_of(from_array, p->srcPos, p->srcPtr), to = side_of(to_array, p->dstPos, p->dstPtr);
  const std::size_t width = p->extent.width * std::max(from.element, to.element);
  for (std::size_t z = 0; z < p->extent.depth; ++z) {
    const cudaError_t error = cudaMemcpy2D(to.base + z * to.slice, to.pitch, from.base + z * from.slice, from.pitch, width, p->extent.height, p->kind);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms* p, cudaStream_t) { return cudaMemcpy3D(p); }

cudaError_t cudaMemset(void* to, int value, size_t bytes) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return valid(runtime, runtime.fill(to, value, bytes)); });
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) { return cudaMemset(to, value, bytes); }
cudaError_t cudaMemset2D(void* to, size_t pitch, int value, size_t width, size_t height) {
  for (std::size_t row = 0; row < height; ++row) {
    const cudaError_t error = cudaMemset(at(to, row * pitch), value, width);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}
cudaError_t cudaMemset3D(struct cudaPitchedPtr to, int value, struct cudaExtent extent) {
  for (std::size_t z = 0; z < extent.depth; ++z) {
    const cudaError_t error = cudaMemset2D(at(to.ptr, z * to.pitch * to.ysize), to.pitch, value, extent.width, extent.height);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

// ---------------------------------------------------------------- symbols

cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyHostToHost) return runtime.fail(cudaErrorInvalidMemcpyDirection);
    return runtime.copy_to_variable(symbol, from, bytes, offset, runtime.is_device(from));
  });
}
cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (kind == cudaMemcpyHostToDevice || kind == cudaMemcpyHostToHost) return runtime.fail(cudaErrorInvalidMemcpyDirection);
    return runtime.copy_from_variable(symbol, to, bytes, offset, runtime.is_device(to));
  });
}
cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind);
}
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind, cudaStream_t) {
  return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const heddle::Variable* v = runtime.variable(symbol);
    if (v == nullptr) return runtime.fail(cudaErrorInvalidSymbol);
    if (v->type != nullptr && !v->type->same) {
      return runtime.refuse(cudaErrorNotSupported, fmt::format("cudaGetSymbolAddress: variable {} ({}) has another layout in kernels; use cudaMemcpyToSymbol", v->name, v->type->name));
    }
    *pointer = reinterpret_cast<void*>(std::uintptr_t{v->address});
    return cudaSuccess;
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return runtime.variable(symbol, bytes) != nullptr ? cudaSuccess : runtime.fail(cudaErrorInvalidSymbol); });
}

}  // extern "C"
