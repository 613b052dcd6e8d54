// SPDX-License-Identifier: Apache-2.0
// Every call of the runtime with what it must not be given: each answers with CUDA's error, and the program lives on.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ int number;
__constant__ float table[4];
texture<float, 1, cudaReadModeElementType> reference;
__global__ void kernel(int* p, int n) { if (n > 100) p[0] = static_cast<int>(tex1Dfetch(reference, 0) + table[n & 3]) + number; }

static int calls = 0, wrong = 0;
static void check(int line, const char* text, cudaError_t answer, cudaError_t right) {
  ++calls;
  if (answer == right) return;
  ++wrong;
  std::printf("misuse.cu:%d: %s: %s, CUDA has %s\n", line, text, cudaGetErrorName(answer), cudaGetErrorName(right));
  std::fflush(stdout);
}
#define GIVES(right, ...) check(__LINE__, #__VA_ARGS__, __VA_ARGS__, cudaError##right)
#define SUCCEEDS(...) check(__LINE__, #__VA_ARGS__, __VA_ARGS__, cudaSuccess)

static const size_t kHuge = ~size_t{0}, kMiddle = kHuge / 2 + 1;  // kMiddle * kMiddle is 0 in this many bits
static int host[64];
static void* const foreign = host;
static const void* const no_kernel = reinterpret_cast<const void*>(&check);

template <class T> T odd() { return reinterpret_cast<T>(std::uintptr_t{4242}); }
template <class T> T null() { return nullptr; }

static void device() {
  cudaDeviceProp properties;
  int value;
  size_t bytes;
  GIVES(InvalidValue, cudaGetDeviceCount(nullptr));
  GIVES(InvalidValue, cudaGetDevice(nullptr));
  GIVES(InvalidDevice, cudaSetDevice(1));
  GIVES(InvalidDevice, cudaSetDevice(-7));
  GIVES(InvalidValue, cudaChooseDevice(nullptr, &properties));
  GIVES(InvalidValue, cudaChooseDevice(&value, nullptr));
  GIVES(InvalidValue, cudaGetDeviceProperties(null<cudaDeviceProp*>(), 0));
  GIVES(InvalidDevice, cudaGetDeviceProperties(&properties, 2));
  GIVES(InvalidValue, cudaDeviceGetAttribute(nullptr, cudaDevAttrClockRate, 0));
  GIVES(InvalidValue, cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(54321), 0));
  GIVES(InvalidDevice, cudaDeviceGetAttribute(&value, cudaDevAttrClockRate, -1));
  GIVES(InvalidValue, cudaSetDeviceFlags(0x4000));
  GIVES(InvalidValue, cudaSetDeviceFlags(3));
  GIVES(InvalidValue, cudaDeviceSetCacheConfig(static_cast<cudaFuncCache>(4)));
  GIVES(InvalidValue, cudaThreadSetCacheConfig(static_cast<cudaFuncCache>(-1)));
  GIVES(InvalidValue, cudaDeviceSetSharedMemConfig(static_cast<cudaSharedMemConfig>(3)));
  GIVES(InvalidValue, cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
  GIVES(UnsupportedLimit, cudaDeviceGetLimit(&bytes, static_cast<cudaLimit>(77)));
  GIVES(UnsupportedLimit, cudaDeviceSetLimit(static_cast<cudaLimit>(77), 1));
  GIVES(InvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, kHuge));
  GIVES(InvalidValue, cudaDeviceCanAccessPeer(nullptr, 0, 0));
  GIVES(InvalidDevice, cudaDeviceCanAccessPeer(&value, 0, 1));
  GIVES(InvalidDevice, cudaDeviceEnablePeerAccess(1, 0));
  GIVES(InvalidDevice, cudaDeviceDisablePeerAccess(1));
  GIVES(InvalidValue, cudaDriverGetVersion(nullptr));
  GIVES(InvalidValue, cudaRuntimeGetVersion(nullptr));
  GIVES(InvalidValue, cudaMemGetInfo(nullptr, &bytes));
  GIVES(InvalidValue, cudaMemGetInfo(&bytes, nullptr));
}

static void streams_and_events() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr, unrecorded = nullptr, untimed = nullptr;
  float time;
  int* p;
  GIVES(InvalidValue, cudaStreamCreate(nullptr));
  GIVES(InvalidValue, cudaStreamCreateWithFlags(&stream, 2));
  GIVES(InvalidValue, cudaStreamCreateWithPriority(nullptr, 0, 0));
  GIVES(InvalidResourceHandle, cudaStreamDestroy(nullptr));
  GIVES(InvalidResourceHandle, cudaStreamDestroy(odd<cudaStream_t>()));
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaStreamDestroy(stream));
  GIVES(InvalidResourceHandle, cudaStreamDestroy(stream));
  cudaStream_t other = nullptr;
  SUCCEEDS(cudaStreamCreate(&other));  // has nothing of the one that is gone
  SUCCEEDS(cudaEventCreate(&event));
  SUCCEEDS(cudaMalloc(&p, 256));
  for (const cudaStream_t gone : {stream, odd<cudaStream_t>(), reinterpret_cast<cudaStream_t>(event)}) {
    GIVES(InvalidResourceHandle, cudaStreamSynchronize(gone));
    GIVES(InvalidResourceHandle, cudaStreamQuery(gone));
    GIVES(InvalidResourceHandle, cudaStreamWaitEvent(gone, event, 0));
    GIVES(InvalidResourceHandle, cudaEventRecord(event, gone));
    GIVES(InvalidResourceHandle, cudaMemcpyAsync(p, host, 4, cudaMemcpyHostToDevice, gone));
    GIVES(InvalidResourceHandle, cudaMemcpy2DAsync(p, 8, host, 8, 4, 2, cudaMemcpyHostToDevice, gone));
    GIVES(InvalidResourceHandle, cudaMemsetAsync(p, 0, 4, gone));
    GIVES(InvalidResourceHandle, cudaMemcpyToSymbolAsync(number, host, 4, 0, cudaMemcpyHostToDevice, gone));
    kernel<<<1, 1, 0, gone>>>(p, 0);
    GIVES(InvalidResourceHandle, cudaGetLastError());
  }
  SUCCEEDS(cudaStreamSynchronize(cudaStreamLegacy));
  SUCCEEDS(cudaStreamQuery(cudaStreamPerThread));
  SUCCEEDS(cudaStreamSynchronize(other));
  GIVES(InvalidResourceHandle, cudaStreamWaitEvent(other, nullptr, 0));
  GIVES(InvalidValue, cudaStreamWaitEvent(other, event, 5));
  GIVES(InvalidValue, cudaEventCreate(nullptr));
  GIVES(InvalidValue, cudaEventCreateWithFlags(nullptr, cudaEventDisableTiming));
  GIVES(InvalidValue, cudaEventCreateWithFlags(&untimed, 0x80));
  SUCCEEDS(cudaEventCreate(&unrecorded));
  SUCCEEDS(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
  SUCCEEDS(cudaEventRecord(event));
  SUCCEEDS(cudaEventRecord(untimed));
  GIVES(InvalidValue, cudaEventElapsedTime(nullptr, event, event));
  GIVES(InvalidResourceHandle, cudaEventElapsedTime(&time, event, unrecorded));
  GIVES(InvalidResourceHandle, cudaEventElapsedTime(&time, untimed, event));
  GIVES(InvalidResourceHandle, cudaEventElapsedTime(&time, nullptr, event));
  SUCCEEDS(cudaEventDestroy(unrecorded));
  for (const cudaEvent_t gone : {unrecorded, odd<cudaEvent_t>(), null<cudaEvent_t>(), reinterpret_cast<cudaEvent_t>(other)}) {
    GIVES(InvalidResourceHandle, cudaEventDestroy(gone));
    GIVES(InvalidResourceHandle, cudaEventRecord(gone));
    GIVES(InvalidResourceHandle, cudaEventSynchronize(gone));
    GIVES(InvalidResourceHandle, cudaEventQuery(gone));
    GIVES(InvalidResourceHandle, cudaEventElapsedTime(&time, gone, event));
    GIVES(InvalidResourceHandle, cudaStreamWaitEvent(other, gone, 0));
  }
}

static void memory() {
  void *p = nullptr, *pinned = nullptr, *managed = nullptr, *q = nullptr;
  size_t pitch;
  unsigned flags;
  cudaPitchedPtr pitched;
  cudaPointerAttributes attributes;
  GIVES(InvalidValue, cudaMalloc(null<void**>(), 16));
  GIVES(MemoryAllocation, cudaMalloc(&q, kHuge));
  GIVES(InvalidValue, cudaMallocPitch(&q, nullptr, 16, 2));
  GIVES(InvalidValue, cudaMallocPitch(null<void**>(), &pitch, 16, 2));
  GIVES(MemoryAllocation, cudaMallocPitch(&q, &pitch, kHuge, 2));
  GIVES(MemoryAllocation, cudaMallocPitch(&q, &pitch, kMiddle, kMiddle));
  GIVES(InvalidValue, cudaMalloc3D(nullptr, make_cudaExtent(1, 1, 1)));
  GIVES(MemoryAllocation, cudaMalloc3D(&pitched, make_cudaExtent(kHuge, 2, 2)));
  GIVES(MemoryAllocation, cudaMalloc3D(&pitched, make_cudaExtent(64, kMiddle, kMiddle)));
  GIVES(MemoryAllocation, cudaMalloc3D(&pitched, make_cudaExtent(kMiddle, kMiddle, 1)));
  GIVES(InvalidValue, cudaMallocHost(null<void**>(), 16));
  GIVES(MemoryAllocation, cudaMallocHost(&q, kHuge));
  GIVES(InvalidValue, cudaHostAlloc(null<void**>(), 16, 0));
  GIVES(InvalidValue, cudaHostAlloc(&q, 16, 0x1000));
  GIVES(InvalidValue, cudaMallocManaged(null<void**>(), 16));
  GIVES(InvalidValue, cudaMallocManaged(&q, 0));
  GIVES(InvalidValue, cudaMallocManaged(&q, 16, 9));
  GIVES(MemoryAllocation, cudaMallocManaged(&q, kHuge));
  SUCCEEDS(cudaMalloc(&p, 256));
  SUCCEEDS(cudaMallocHost(&pinned, 256));
  SUCCEEDS(cudaMallocManaged(&managed, 256));
  GIVES(InvalidValue, cudaHostGetDevicePointer(null<void**>(), pinned, 0));
  GIVES(InvalidValue, cudaHostGetDevicePointer(&q, pinned, 1));
  GIVES(InvalidValue, cudaHostGetDevicePointer(&q, foreign, 0));
  GIVES(InvalidValue, cudaHostGetFlags(nullptr, pinned));
  GIVES(InvalidValue, cudaHostGetFlags(&flags, foreign));
  GIVES(InvalidValue, cudaHostRegister(nullptr, 16, 0));
  GIVES(InvalidValue, cudaHostRegister(host, 0, 0));
  GIVES(InvalidValue, cudaHostRegister(host, 16, 0x800));
  GIVES(InvalidValue, cudaHostRegister(host, ~size_t{0}, 0));
  GIVES(InvalidValue, cudaHostRegister(p, 16, 0));
  GIVES(HostMemoryNotRegistered, cudaHostUnregister(host));
  SUCCEEDS(cudaHostRegister(host, sizeof host, 0));
  GIVES(HostMemoryAlreadyRegistered, cudaHostRegister(host, sizeof host, 0));
  SUCCEEDS(cudaHostUnregister(host));
  GIVES(HostMemoryNotRegistered, cudaHostUnregister(host));
  GIVES(InvalidDevicePointer, cudaFree(foreign));
  GIVES(InvalidDevicePointer, cudaFree(static_cast<char*>(p) + 4));
  GIVES(InvalidDevicePointer, cudaFree(pinned));
  GIVES(InvalidValue, cudaFreeHost(foreign));
  GIVES(InvalidValue, cudaFreeHost(p));
  GIVES(InvalidValue, cudaFreeHost(managed));
  GIVES(InvalidValue, cudaPointerGetAttributes(nullptr, p));
  SUCCEEDS(cudaPointerGetAttributes(&attributes, pinned));
  check(__LINE__, "type of pinned memory", attributes.type == cudaMemoryTypeHost ? cudaSuccess : cudaErrorUnknown, cudaSuccess);
  SUCCEEDS(cudaPointerGetAttributes(&attributes, managed));
  check(__LINE__, "type of managed memory", attributes.type == cudaMemoryTypeManaged ? cudaSuccess : cudaErrorUnknown, cudaSuccess);
  GIVES(InvalidValue, cudaMemPrefetchAsync(p, 16, 0));
  GIVES(InvalidValue, cudaMemPrefetchAsync(managed, 257, 0));
  GIVES(InvalidDevice, cudaMemPrefetchAsync(managed, 16, 3));
  GIVES(InvalidValue, cudaMemAdvise(managed, 16, static_cast<cudaMemoryAdvise>(99), 0));
  GIVES(InvalidValue, cudaMemAdvise(foreign, 16, cudaMemAdviseSetReadMostly, 0));
  SUCCEEDS(cudaFree(p));
  SUCCEEDS(cudaFreeHost(pinned));
  SUCCEEDS(cudaFree(managed));
  GIVES(InvalidDevicePointer, cudaFree(p));
  GIVES(InvalidValue, cudaFreeHost(pinned));
  GIVES(InvalidDevicePointer, cudaFree(managed));
}

static void copies() {
  char* p;
  cudaPitchedPtr cube;
  SUCCEEDS(cudaMalloc(&p, 256));
  SUCCEEDS(cudaMalloc3D(&cube, make_cudaExtent(16, 4, 3)));
  GIVES(InvalidValue, cudaMemcpy(nullptr, host, 4, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy(p, nullptr, 4, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy(host, nullptr, 4, cudaMemcpyHostToHost));
  GIVES(InvalidValue, cudaMemcpy(p, host, 257, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy(p, host, kHuge, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy(host, p + 255, 2, cudaMemcpyDeviceToHost));
  GIVES(InvalidValue, cudaMemcpy(host, host + 8, 16, cudaMemcpyDeviceToHost));
  GIVES(InvalidMemcpyDirection, cudaMemcpy(p, host, 4, static_cast<cudaMemcpyKind>(5)));
  GIVES(InvalidMemcpyDirection, cudaMemcpy(p, host, 4, static_cast<cudaMemcpyKind>(-1)));
  GIVES(InvalidDevice, cudaMemcpyPeer(p, 1, p, 0, 4));
  GIVES(InvalidPitchValue, cudaMemcpy2D(p, 4, host, 8, 8, 2, cudaMemcpyHostToDevice));
  GIVES(InvalidPitchValue, cudaMemcpy2D(p, kHuge, host, kHuge, 8, 2, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy2D(p, 8, host, 8, 8, 33, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy2D(p, 1 << 30, host, 1 << 30, 8, kHuge, cudaMemcpyHostToDevice));
  std::memset(host, 0x55, sizeof host);
  GIVES(InvalidValue, cudaMemcpy2D(host, 8, p, 200, 8, 3, cudaMemcpyDeviceToHost));
  check(__LINE__, "a copy that fails leaves its target alone", host[0] == 0x55555555 ? cudaSuccess : cudaErrorUnknown, cudaSuccess);
  GIVES(InvalidValue, cudaMemset(nullptr, 0, 4));
  GIVES(InvalidValue, cudaMemset(foreign, 0, 4));
  GIVES(InvalidValue, cudaMemset(p, 0, kHuge));
  GIVES(InvalidValue, cudaMemset(p + 1, 0, 256));
  GIVES(InvalidPitchValue, cudaMemset2D(p, 4, 0, 8, 2));
  GIVES(InvalidValue, cudaMemset2D(p, 1 << 20, 0, 8, kHuge));
  GIVES(InvalidValue, cudaMemset3D(cube, 0, make_cudaExtent(16, 4, 4)));
  GIVES(InvalidValue, cudaMemset3D(cube, 0, make_cudaExtent(cube.pitch + 1, 4, 3)));
  GIVES(InvalidValue, cudaMemset3D(cube, 0, make_cudaExtent(16, kHuge, kHuge)));
  GIVES(InvalidValue, cudaMemcpy3D(nullptr));
  cudaMemcpy3DParms copy = {};
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  copy.srcPtr = make_cudaPitchedPtr(host, 16, 16, 4);
  copy.dstPtr = cube;
  copy.extent = make_cudaExtent(16, 4, 1);
  copy.kind = cudaMemcpyHostToDevice;
  SUCCEEDS(cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(kHuge, 0, 0);
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(0, 0, kMiddle);
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  copy.dstPos = make_cudaPos(0, 0, 0);
  copy.extent = make_cudaExtent(17, 4, 1);
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(16, 4, 4);
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(16, 4, 1);
  copy.kind = static_cast<cudaMemcpyKind>(12);
  GIVES(InvalidMemcpyDirection, cudaMemcpy3D(&copy));
  copy.kind = cudaMemcpyHostToDevice;
  copy.dstArray = odd<cudaArray_t>();
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
}

static void symbols() {
  void* address;
  size_t bytes;
  int* p;
  SUCCEEDS(cudaMalloc(&p, 256));
  GIVES(InvalidValue, cudaMemcpyToSymbol(number, nullptr, 4));
  GIVES(InvalidValue, cudaMemcpyToSymbol(number, host, 5));
  GIVES(InvalidValue, cudaMemcpyToSymbol(number, host, 4, 1));
  GIVES(InvalidValue, cudaMemcpyToSymbol(number, host, 4, kHuge - 3));
  GIVES(InvalidValue, cudaMemcpyToSymbol(number, host, kHuge, 4));
  GIVES(InvalidValue, cudaMemcpyFromSymbol(host, table, 8, kHuge - 3));
  GIVES(InvalidValue, cudaMemcpyFromSymbol(null<void*>(), table, 16));
  GIVES(InvalidMemcpyDirection, cudaMemcpyToSymbol(number, host, 4, 0, cudaMemcpyDeviceToHost));
  GIVES(InvalidMemcpyDirection, cudaMemcpyToSymbol(number, host, 4, 0, static_cast<cudaMemcpyKind>(40)));
  GIVES(InvalidMemcpyDirection, cudaMemcpyFromSymbol(host, number, 4, 0, static_cast<cudaMemcpyKind>(40)));
  GIVES(InvalidSymbol, cudaMemcpyToSymbol(host[3], host, 4));
  GIVES(InvalidSymbol, cudaMemcpyToSymbol(null<const void*>(), host, 4));
  GIVES(InvalidSymbol, cudaGetSymbolAddress(&address, host));
  GIVES(InvalidValue, cudaGetSymbolAddress(null<void**>(), number));
  GIVES(InvalidValue, cudaGetSymbolSize(nullptr, number));
  GIVES(InvalidSymbol, cudaGetSymbolSize(&bytes, host));
}

static void launches() {
  cudaFuncAttributes attributes;
  int value, n = 0, *p = nullptr;
  void* arguments[] = {&p, nullptr};
  const void* const function = reinterpret_cast<const void*>(kernel);
  GIVES(InvalidValue, cudaLaunchKernel(function, dim3(1), dim3(1), arguments, 0, nullptr));
  GIVES(InvalidValue, cudaLaunchKernel(function, dim3(1), dim3(1), nullptr, 0, nullptr));
  arguments[1] = &n;
  SUCCEEDS(cudaLaunchKernel(function, dim3(1), dim3(1), arguments, 0, nullptr));
  GIVES(InvalidDeviceFunction, cudaLaunchCooperativeKernel(no_kernel, dim3(1), dim3(1), arguments, 0, nullptr));
  GIVES(InvalidDeviceFunction, cudaLaunchKernel(no_kernel, dim3(1), dim3(1), arguments, 0, nullptr));
  GIVES(InvalidDeviceFunction, cudaLaunchKernel(null<const void*>(), dim3(1), dim3(1), arguments, 0, nullptr));
  GIVES(InvalidConfiguration, cudaLaunchKernel(function, dim3(0), dim3(1), arguments, 0, nullptr));
  GIVES(InvalidConfiguration, cudaLaunchKernel(function, dim3(1), dim3(1, 1, 65), arguments, 0, nullptr));
  GIVES(InvalidConfiguration, cudaLaunchKernel(function, dim3(1), dim3(65536, 65536, 65536), arguments, 0, nullptr));
  GIVES(InvalidValue, cudaLaunchKernel(function, dim3(1), dim3(1), arguments, kHuge, nullptr));
  GIVES(InvalidDeviceFunction, cudaFuncSetCacheConfig(no_kernel, cudaFuncCachePreferL1));
  GIVES(InvalidValue, cudaFuncSetCacheConfig(function, static_cast<cudaFuncCache>(8)));
  GIVES(InvalidDeviceFunction, cudaFuncSetSharedMemConfig(no_kernel, cudaSharedMemBankSizeDefault));
  GIVES(InvalidValue, cudaFuncSetSharedMemConfig(function, static_cast<cudaSharedMemConfig>(8)));
  GIVES(InvalidValue, cudaFuncGetAttributes(null<cudaFuncAttributes*>(), function));
  GIVES(InvalidDeviceFunction, cudaFuncGetAttributes(&attributes, no_kernel));
  GIVES(InvalidDeviceFunction, cudaFuncGetAttributes(&attributes, null<const void*>()));
  GIVES(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, function, 32, 0));
  GIVES(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 0, 0));
  GIVES(InvalidValue, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, -32, 0));
  GIVES(InvalidDeviceFunction, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, no_kernel, 32, 0));
  SUCCEEDS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, function, 0x7FFFFFFF, kHuge));
}

static void arrays() {
  cudaArray_t array = nullptr;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaChannelFormatDesc back;
  GIVES(InvalidValue, cudaMallocArray(nullptr, &format, 4, 4));
  GIVES(InvalidValue, cudaMallocArray(&array, nullptr, 4, 4));
  GIVES(InvalidValue, cudaMallocArray(&array, &format, 0, 4));
  GIVES(InvalidValue, cudaMallocArray(&array, &format, kHuge, 1));
  GIVES(InvalidValue, cudaMallocArray(&array, &format, kMiddle, kMiddle));
  GIVES(InvalidValue, cudaMalloc3DArray(nullptr, &format, make_cudaExtent(4, 4, 2), cudaArrayLayered));
  GIVES(InvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(4, kHuge, 2), cudaArrayLayered));
  GIVES(InvalidValue, cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, kHuge), cudaArrayLayered));
  GIVES(NotSupported, cudaMalloc3DArray(&array, &format, make_cudaExtent(4, 4, 2), 0));
  cudaSurfaceObject_t surface = 0;
  cudaResourceDesc no_array = {};
  GIVES(InvalidValue, cudaCreateSurfaceObject(nullptr, &no_array));
  GIVES(InvalidValue, cudaCreateSurfaceObject(&surface, nullptr));
  GIVES(InvalidValue, cudaCreateSurfaceObject(&surface, &no_array));
  GIVES(InvalidValue, cudaDestroySurfaceObject(12345));
  const cudaChannelFormatDesc odd_format = {7, -7, 32, 0, cudaChannelFormatKindFloat};
  GIVES(InvalidChannelDescriptor, cudaMallocArray(&array, &odd_format, 4, 4));
  SUCCEEDS(cudaMallocArray(&array, &format, 4, 4));
  GIVES(InvalidDevicePointer, cudaFree(array));
  GIVES(InvalidValue, cudaMemcpyToArray(array, 0, 0, host, 65, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpyToArray(array, 17, 0, host, 4, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpyToArray(array, 4, 3, host, 16, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpyToArray(array, 0, kHuge, host, 4, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpyFromArray(host, array, kHuge, 1, 4, cudaMemcpyDeviceToHost));
  GIVES(InvalidValue, cudaMemcpy2DToArray(array, 0, 0, host, 16, 17, 1, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy2DToArray(array, kHuge, 0, host, 16, 8, 1, cudaMemcpyHostToDevice));
  GIVES(InvalidValue, cudaMemcpy2DFromArray(host, 16, array, 0, 1, 16, kHuge, cudaMemcpyDeviceToHost));
  GIVES(InvalidValue, cudaGetChannelDesc(nullptr, array));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host, 64, 64, 4);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(5, 1, 1);
  copy.kind = cudaMemcpyHostToDevice;
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  copy.extent = make_cudaExtent(4, 4, 2);
  GIVES(InvalidValue, cudaMemcpy3D(&copy));
  SUCCEEDS(cudaFreeArray(array));
  for (const cudaArray_t gone : {array, odd<cudaArray_t>(), static_cast<cudaArray_t>(foreign)}) {
    GIVES(InvalidValue, cudaFreeArray(gone));
    GIVES(InvalidValue, cudaGetChannelDesc(&back, gone));
    GIVES(InvalidValue, cudaMemcpyToArray(gone, 0, 0, host, 4, cudaMemcpyHostToDevice));
    GIVES(InvalidValue, cudaMemcpyFromArray(host, gone, 0, 0, 4, cudaMemcpyDeviceToHost));
    GIVES(InvalidValue, cudaMemcpy2DToArray(gone, 0, 0, host, 4, 4, 1, cudaMemcpyHostToDevice));
    GIVES(InvalidValue, cudaBindTextureToArray(&reference, gone, &format));
  }
}

static void textures() {
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  const textureReference unknown = {};
  const textureReference* found;
  float* p;
  SUCCEEDS(cudaMalloc(&p, 4096));
  GIVES(InvalidValue, cudaBindTexture(nullptr, &reference, p, nullptr, 64));
  GIVES(InvalidTexture, cudaBindTexture(nullptr, null<const textureReference*>(), p, &format, 64));
  GIVES(InvalidTexture, cudaBindTexture(nullptr, &unknown, p, &format, 64));
  GIVES(InvalidDevicePointer, cudaBindTexture(nullptr, &reference, foreign, &format, 64));
  GIVES(InvalidValue, cudaBindTexture2D(nullptr, &reference, p, nullptr, 4, 4, 256));
  GIVES(InvalidValue, cudaBindTexture2D(nullptr, &reference, p, &format, 65, 4, 256));
  GIVES(InvalidValue, cudaBindTexture2D(nullptr, &reference, p, &format, kHuge, kHuge, kHuge));
  GIVES(InvalidTexture, cudaUnbindTexture(null<const textureReference*>()));
  GIVES(InvalidTexture, cudaUnbindTexture(&unknown));
  GIVES(InvalidValue, cudaGetTextureReference(nullptr, &reference));
  GIVES(InvalidTexture, cudaGetTextureReference(&found, host));

  cudaTextureObject_t object = 0;
  cudaResourceDesc resource = {};
  cudaTextureDesc description = {};
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));  // no array
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = p;
  resource.res.linear.desc = format;
  resource.res.linear.sizeInBytes = 4096;
  SUCCEEDS(cudaCreateTextureObject(&object, &resource, &description, nullptr));
  SUCCEEDS(cudaDestroyTextureObject(object));
  GIVES(InvalidValue, cudaDestroyTextureObject(object));
  GIVES(InvalidValue, cudaDestroyTextureObject(4242));
  GIVES(InvalidValue, cudaDestroyTextureObject(reinterpret_cast<std::uintptr_t>(p)));
  GIVES(InvalidValue, cudaCreateTextureObject(nullptr, &resource, &description, nullptr));
  GIVES(InvalidValue, cudaCreateTextureObject(&object, nullptr, &description, nullptr));
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, nullptr, nullptr));
  description.filterMode = static_cast<cudaTextureFilterMode>(2);
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
  description = {};
  description.addressMode[1] = static_cast<cudaTextureAddressMode>(4);
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
  description = {};
  resource.res.linear.sizeInBytes = kHuge;
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
  resource.res.linear.sizeInBytes = 64;
  resource.res.linear.devPtr = foreign;
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
  resource = {};
  resource.resType = cudaResourceTypePitch2D;
  resource.res.pitch2D = {p, format, 8, kMiddle, 256};
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
  resource.resType = static_cast<cudaResourceType>(44);
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
  resource = {};
  resource.res.array.array = odd<cudaArray_t>();
  GIVES(InvalidValue, cudaCreateTextureObject(&object, &resource, &description, nullptr));
}

static void after_a_reset() {
  void* p;
  cudaStream_t stream;
  cudaEvent_t event;
  size_t before, after, total;
  SUCCEEDS(cudaDeviceReset());
  SUCCEEDS(cudaDeviceReset());
  SUCCEEDS(cudaMemGetInfo(&before, &total));
  SUCCEEDS(cudaMalloc(&p, 4096));
  SUCCEEDS(cudaStreamCreate(&stream));
  SUCCEEDS(cudaEventCreate(&event));
  SUCCEEDS(cudaDeviceReset());
  SUCCEEDS(cudaMemGetInfo(&after, &total));
  check(__LINE__, "a reset gives back all memory", before == after && after == total ? cudaSuccess : cudaErrorUnknown, cudaSuccess);
  GIVES(InvalidDevicePointer, cudaFree(p));
  GIVES(InvalidResourceHandle, cudaStreamDestroy(stream));
  GIVES(InvalidResourceHandle, cudaEventDestroy(event));
}

int main() {
  device();
  streams_and_events();
  memory();
  copies();
  symbols();
  launches();
  arrays();
  textures();
  after_a_reset();
  std::printf("misuse: %d calls, %d with another error than CUDA's\n", calls, wrong);
  return wrong != 0;
}
