// SPDX-License-Identifier: Apache-2.0
// The runtime API: registration by the compiled program, device, errors, streams and events, launches.
#include <algorithm>
#include <cstring>

#include <fmt/format.h>

#include "cuda/runtime.h"
#include "heddle/error.h"

using heddle::Runtime;

namespace {

constexpr double kClockKHz = 1e6;  // a cycle is a nanosecond
constexpr int kCapability = 6;     // as the device half is compiled for: __CUDA_ARCH__ 600
constexpr int kWarp = 32;          // of warp-wide operations, whatever core.lanes is

cudaError_t device_number(int device) { return device == 0 ? cudaSuccess : Runtime::get().fail(cudaErrorInvalidDevice); }

// Of the call that is being put together by <<<>>>; calls may be nested in their arguments.
struct Configuration {
  dim3 grid, block;
  size_t shared;
  cudaStream_t stream;
};
std::vector<Configuration>& configurations() {
  thread_local std::vector<Configuration> stack;
  return stack;
}

struct Wrapper {  // what the host's compiler makes of the device's program
  int magic, version;
  const void* image;
  void* unused;
};

}  // namespace

struct CUstream_st { unsigned flags; };
struct CUevent_st {
  heddle::Cycle at = 0;
  bool recorded = false, timed = true;
};

extern "C" {

// ---------------------------------------------------------------- registration

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(Runtime::add_module(static_cast<const Wrapper*>(wrapper)->image));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*, int*) {
  Runtime::add_kernel(stub, {reinterpret_cast<const Runtime::Module*>(module), name});
}
void __cudaRegisterVar(void** module, char* shadow, char*, const char* name, int, size_t bytes, int, int) {
  Runtime::add_variable(shadow, {reinterpret_cast<const Runtime::Module*>(module), name, bytes});
}
void __cudaRegisterTexture(void** module, const struct textureReference* shadow, const void**, const char* name, int, int, int) {
  Runtime::add_texture(shadow, {reinterpret_cast<const Runtime::Module*>(module), name});
}

// ---------------------------------------------------------------- device

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 1;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) { return device_number(device); }
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp*) { return cudaGetDevice(device); }
cudaError_t cudaSetDeviceFlags(unsigned int) { return cudaSuccess; }
cudaError_t cudaDeviceReset(void) { return cudaSuccess; }
cudaError_t cudaDeviceSynchronize(void) { return Runtime::get().call([] { return cudaSuccess; }); }
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaSuccess; }
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
  *value = limit == cudaLimitStackSize ? Runtime::get().config().memory.local_bytes : limit == cudaLimitPrintfFifoSize ? 1u << 20 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (limit != cudaLimitStackSize || runtime.set_local_bytes(value)) return cudaSuccess;
    return runtime.refuse(cudaErrorNotSupported, fmt::format("cudaDeviceSetLimit: a stack of {} bytes only before the first allocation and launch, and at most 1 MiB: "
                                                             "set memory.local_bytes in HEDDLE_SET", value));
  });
}
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaDeviceCanAccessPeer(int* can, int, int) {
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return Runtime::get().fail(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return Runtime::get().fail(cudaErrorInvalidDevice); }
cudaError_t cudaDriverGetVersion(int* version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* p, int device) {
  if (device_number(device) != cudaSuccess) return cudaErrorInvalidDevice;
  const Runtime& runtime = Runtime::get();
  const heddle::Config& c = runtime.config();
  std::memset(p, 0, sizeof *p);
  std::strncpy(p->name, fmt::format("Heddle {} ({})", c.mechanism, runtime.settings().engine_name).c_str(), sizeof p->name - 1);
  p->totalGlobalMem = c.memory.heap_bytes;
  p->sharedMemPerBlock = p->sharedMemPerMultiprocessor = c.core.shared_bytes;
  p->regsPerBlock = p->regsPerMultiprocessor = static_cast<int>(c.core.registers);
  p->warpSize = kWarp;
  p->memPitch = 0x7FFFFFFF;
  p->maxThreadsPerBlock = static_cast<int>(runtime.max_threads_per_block());
  const int block[3] = {p->maxThreadsPerBlock, p->maxThreadsPerBlock, 64}, grid[3] = {0x7FFFFFFF, 65535, 65535};
  std::copy_n(block, 3, p->maxThreadsDim);
  std::copy_n(grid, 3, p->maxGridSize);
  p->clockRate = p->memoryClockRate = static_cast<int>(kClockKHz);
  p->totalConstMem = 65536;
  p->major = kCapability;
  p->textureAlignment = p->surfaceAlignment = 256;
  p->texturePitchAlignment = 32;
  p->multiProcessorCount = static_cast<int>(c.gpu.sms);
  p->deviceOverlap = 1;  // asynchronous copies are taken: programs that ask for them first give up without
  p->asyncEngineCount = 1;
  p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = 1;
  p->maxTexture1D = p->maxTexture2D[0] = p->maxTexture2D[1] = 65536;
  p->maxTexture1DLinear = 1 << 27;
  p->maxTexture2DLinear[0] = p->maxTexture2DLinear[1] = 65536;
  p->maxTexture2DLinear[2] = 1 << 20;
  p->memoryBusWidth = static_cast<int>(8 * c.memory.bytes_per_cycle);
  if (c.memory.kind == heddle::MemoryKind::kHierarchy) p->l2CacheSize = static_cast<int>(c.l2.bytes);
  p->maxThreadsPerMultiProcessor = static_cast<int>(c.core.warps * c.core.lanes);
  p->maxBlocksPerMultiProcessor = static_cast<int>(c.core.max_blocks);
  p->globalL1CacheSupported = p->localL1CacheSupported = 1;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int* value, enum cudaDeviceAttr attribute, int device) {
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, device) != cudaSuccess) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX: case cudaDevAttrMaxBlockDimY: case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX]; break;
    case cudaDevAttrMaxGridDimX: case cudaDevAttrMaxGridDimY: case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[attribute - cudaDevAttrMaxGridDimX]; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrUnifiedAddressing: case cudaDevAttrManagedMemory: *value = 1; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    default: return Runtime::get().fail(cudaErrorInvalidValue);
  }
  return cudaSuccess;
}

// ---------------------------------------------------------------- errors

cudaError_t cudaGetLastError(void) { return Runtime::get().take_last_error(); }
cudaError_t cudaPeekAtLastError(void) { return Runtime::get().last_error(); }

// ---------------------------------------------------------------- streams and events

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  *stream = new CUstream_st{flags};
  return cudaSuccess;
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) { return cudaStreamCreateWithFlags(stream, flags); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamQuery(cudaStream_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int) { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  *event = new CUevent_st;
  (*event)->timed = (flags & cudaEventDisableTiming) == 0;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (event == nullptr) return runtime.fail(cudaErrorInvalidResourceHandle);
    event->at = runtime.cycles();
    event->recorded = true;
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaEventQuery(cudaEvent_t) { return cudaDeviceSynchronize(); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (start == nullptr || end == nullptr || !start->recorded || !end->recorded || !start->timed || !end->timed) return runtime.fail(cudaErrorInvalidResourceHandle);
    *milliseconds = static_cast<float>((static_cast<double>(end->at) - static_cast<double>(start->at)) / kClockKHz);
    return cudaSuccess;
  });
}

// ---------------------------------------------------------------- launches

unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
  configurations().push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations().empty()) return Runtime::get().fail(cudaErrorMissingConfiguration);
  const Configuration c = configurations().back();
  configurations().pop_back();
  *grid = c.grid;
  *block = c.block;
  *shared = c.shared;
  *static_cast<cudaStream_t*>(stream) = c.stream;
  return cudaSuccess;
}
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared, cudaStream_t) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] { return runtime.launch(function, grid, block, arguments, shared); });
}
cudaError_t cudaFuncSetCacheConfig(const void*, enum cudaFuncCache) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void*, enum cudaSharedMemConfig) { return cudaSuccess; }
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const heddle::Kernel* kernel = runtime.kernel(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction);
    *attributes = {};
    attributes->sharedSizeBytes = kernel->shared_size;
    attributes->maxThreadsPerBlock = static_cast<int>(runtime.max_threads_per_block());
    attributes->numRegs = 64;
    attributes->localSizeBytes = runtime.config().memory.local_bytes;
    attributes->ptxVersion = attributes->binaryVersion = 10 * kCapability;
    return cudaSuccess;
  });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads, size_t shared) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    const heddle::Config::Core& core = runtime.config().core;
    const heddle::Kernel* kernel = runtime.kernel(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction);
    if (threads <= 0) return runtime.fail(cudaErrorInvalidValue);
    const unsigned warps = (static_cast<unsigned>(threads) + core.lanes - 1) / core.lanes;
    unsigned most = std::min({core.max_blocks, core.warps / warps, core.registers / (warps * core.lanes * 64)});
    if (shared + kernel->shared_size != 0) most = static_cast<unsigned>(std::min<size_t>(most, core.shared_bytes / (shared + kernel->shared_size)));
    *blocks = static_cast<int>(most);
    return cudaSuccess;
  });
}

}  // extern "C"
