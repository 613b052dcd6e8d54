// SPDX-License-Identifier: Apache-2.0
// C++ forms of the runtime API: typed pointers, symbols and kernels, textures.
#pragma once

#include "cuda_runtime_api.h"
#include "texel.h"

template <class T>
inline cudaError_t cudaMalloc(T** pointer, size_t bytes) { return cudaMalloc(reinterpret_cast<void**>(pointer), bytes); }
template <class T>
inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void**>(pointer), bytes, stream);
}
template <class T>
inline cudaError_t cudaMallocHost(T** pointer, size_t bytes, unsigned int = 0) { return cudaMallocHost(reinterpret_cast<void**>(pointer), bytes); }
template <class T>
inline cudaError_t cudaMallocManaged(T** pointer, size_t bytes, unsigned int flags = cudaMemAttachGlobal) {
  return cudaMallocManaged(reinterpret_cast<void**>(pointer), bytes, flags);
}
template <class T>
inline cudaError_t cudaHostAlloc(T** pointer, size_t bytes, unsigned int flags) { return cudaHostAlloc(reinterpret_cast<void**>(pointer), bytes, flags); }
template <class T>
inline cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
inline cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}

template <class T>
inline cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
  return cudaMemcpyToSymbolAsync(reinterpret_cast<const void*>(&symbol), from, bytes, offset, kind, stream);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
  return cudaMemcpyFromSymbolAsync(to, reinterpret_cast<const void*>(&symbol), bytes, offset, kind, stream);
}
// A symbol's name, as programs of CUDA's first years say it.
template <size_t N>
inline cudaError_t cudaMemcpyToSymbol(const char (&name)[N], const void* from, size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return cudaMemcpyToSymbol(__cudaNamedSymbol(name, N), from, bytes, offset, kind);
}
template <size_t N>
inline cudaError_t cudaMemcpyFromSymbol(void* to, const char (&name)[N], size_t bytes, size_t offset = 0, cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return cudaMemcpyFromSymbol(to, __cudaNamedSymbol(name, N), bytes, offset, kind);
}
template <class T>
inline cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) { return cudaGetSymbolAddress(pointer, reinterpret_cast<const void*>(&symbol)); }
template <class T>
inline cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) { return cudaGetSymbolSize(bytes, reinterpret_cast<const void*>(&symbol)); }

template <class... P>
inline cudaError_t cudaLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
template <class... P>
inline cudaError_t cudaLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block, void** arguments, size_t shared = 0, cudaStream_t stream = 0) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
template <class... P>
inline cudaError_t cudaFuncSetCacheConfig(void (*kernel)(P...), cudaFuncCache config) {
  return cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class... P>
inline cudaError_t cudaFuncSetSharedMemConfig(void (*kernel)(P...), cudaSharedMemConfig config) {
  return cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class... P>
inline cudaError_t cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value) {
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class... P>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, void (*kernel)(P...)) {
  return cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class... P>
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, void (*kernel)(P...), int threads, size_t shared) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, reinterpret_cast<const void*>(kernel), threads, shared);
}
// The size of a block, a multiple of 32 of at most `limit` threads (0: any), with which most threads are on the device, and the blocks that
// fill it; of equal ones the largest. shared_of: bytes of dynamic shared memory of a block of so many threads.
template <class Kernel, class SharedOf>
inline cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, Kernel kernel, SharedOf shared_of, int limit = 0) {
  if (grid == nullptr || block == nullptr || limit < 0) return cudaErrorInvalidValue;
  cudaFuncAttributes attributes;
  int sms = 0;
  cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  if (error != cudaSuccess) return error;
  int most = 0;
  const int largest = limit != 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
  for (int threads = largest < 32 ? largest : largest / 32 * 32; threads > 0; threads = (threads - 1) / 32 * 32) {
    int blocks = 0;
    error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_of(threads));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= most) continue;
    most = blocks * threads;
    *block = threads;
    *grid = blocks * sms;
  }
  return most == 0 ? cudaErrorInvalidConfiguration : cudaSuccess;
}
template <class Kernel>
inline cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, Kernel kernel, size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(grid, block, kernel, [=](int) { return shared; }, limit);
}

#ifdef __CUDA__
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer, const cudaChannelFormatDesc& channels,
                                   size_t bytes = 0xFFFFFFFFu) {
  return cudaBindTexture(offset, static_cast<const textureReference*>(&t), pointer, &channels, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer, size_t bytes = 0xFFFFFFFFu) {
  return cudaBindTexture(offset, t, pointer, t.channelDesc, bytes);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer, const cudaChannelFormatDesc& channels,
                                     size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, static_cast<const textureReference*>(&t), pointer, &channels, width, height, pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTexture2D(size_t* offset, const texture<T, dimensions, mode>& t, const void* pointer, size_t width, size_t height, size_t pitch) {
  return cudaBindTexture2D(offset, t, pointer, t.channelDesc, width, height, pitch);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& t, cudaArray_const_t array, const cudaChannelFormatDesc& channels) {
  return cudaBindTextureToArray(static_cast<const textureReference*>(&t), array, &channels);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaBindTextureToArray(const texture<T, dimensions, mode>& t, cudaArray_const_t array) {
  return cudaBindTextureToArray(t, array, t.channelDesc);
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaUnbindTexture(const texture<T, dimensions, mode>& t) {
  return cudaUnbindTexture(static_cast<const textureReference*>(&t));
}
template <class T, int dimensions, cudaTextureReadMode mode>
inline cudaError_t cudaGetTextureReference(const textureReference** reference, const texture<T, dimensions, mode>& t) {
  *reference = &t;
  return cudaSuccess;
}
#endif
