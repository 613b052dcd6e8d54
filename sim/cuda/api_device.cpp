// SPDX-License-Identifier: Apache-2.0
// The runtime API: registration by the compiled program, device, errors, streams and events, launches.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "cuda/runtime.h"
#include "heddle/error.h"
#include "isa/launch.h"

using heddle::Runtime;

namespace {

constexpr double kClockKHz = 1e6;  // a cycle is a nanosecond
constexpr int kCapability = 6;     // as the device half is compiled for: __CUDA_ARCH__ 600
constexpr int kWarp = 32;          // of warp-wide operations, whatever core.lanes is

cudaError_t result(cudaError_t error) { return Runtime::get().fail(error); }
cudaError_t device_number(int device) { return result(device == 0 ? cudaSuccess : cudaErrorInvalidDevice); }

template <class T>
cudaError_t give(T* to, T value) {
  if (to == nullptr) return result(cudaErrorInvalidValue);
  *to = value;
  return cudaSuccess;
}

// One of the values of an enumeration whose values follow each other.
cudaError_t choice(int value, int last) {
  return result(value >= 0 && value <= last ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t choice_of_kernel(const void* function, int value, int last) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    return runtime.kernel(function) == nullptr ? runtime.fail(cudaErrorInvalidDeviceFunction) : choice(value, last);
  });
}

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

extern "C" {

// ---------------------------------------------------------------- registration

void** __cudaRegisterFatBinary(void* wrapper) {
  return reinterpret_cast<void**>(Runtime::add_module(static_cast<const Wrapper*>(wrapper)->image));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void** module, const char* stub, char*, const char* name, int, uint3*, uint3*, dim3*, dim3*,
                            int*) {
  Runtime::add_kernel(stub, {reinterpret_cast<const Runtime::Module*>(module), name});
}
void __cudaRegisterVar(void** module, char* shadow, char*, const char* name, int, size_t bytes, int, int) {
  Runtime::add_variable(shadow, {reinterpret_cast<const Runtime::Module*>(module), name, bytes});
}
// Of the host's half of a managed variable: where it is (heddle-nvcc).
void* __cudaHeddleManaged(const void* shadow) {
  try {
    return Runtime::get().managed_variable(shadow);
  } catch (const heddle::Error& error) {
    std::fprintf(stderr, "heddle: %s\n", heddle::one_line(error.what()).c_str());
    std::exit(static_cast<int>(heddle::ExitStatus::kBadInput));
  }
}
void __cudaRegisterTexture(void** module, const struct textureReference* shadow, const void**, const char* name, int,
                           int, int) {
  Runtime::add_texture(shadow, {reinterpret_cast<const Runtime::Module*>(module), name});
}

// ---------------------------------------------------------------- device

cudaError_t cudaGetDeviceCount(int* count) { return give(count, 1); }
cudaError_t cudaGetDevice(int* device) { return give(device, 0); }
cudaError_t cudaSetDevice(int device) { return device_number(device); }
cudaError_t cudaChooseDevice(int* device, const struct cudaDeviceProp* wanted) {
  return wanted == nullptr ? result(cudaErrorInvalidValue) : cudaGetDevice(device);
}
cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  constexpr unsigned kSchedule = 7, kKnown = kSchedule | cudaDeviceMapHost | cudaDeviceLmemResizeToMax;
  const unsigned schedule = flags & kSchedule;
  const bool one = schedule == 0 || (schedule & (schedule - 1)) == 0;
  return result((flags & ~kKnown) == 0 && one ? cudaSuccess : cudaErrorInvalidValue);
}
cudaError_t cudaDeviceReset(void) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    runtime.reset();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceSynchronize(void) {
  return Runtime::get().call([] { return cudaSuccess; });
}
cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) { return choice(config, cudaFuncCachePreferEqual); }
cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) { return cudaDeviceSetCacheConfig(config); }
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  return choice(config, cudaSharedMemBankSizeEightByte);
}
cudaError_t cudaDeviceGetLimit(size_t* value, enum cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize: return give<size_t>(value, Runtime::get().config().memory.local_bytes);
    case cudaLimitPrintfFifoSize: return give<size_t>(value, 1u << 20);
    case cudaLimitMallocHeapSize: return give<size_t>(value, Runtime::get().malloc_heap_bytes());
    case cudaLimitPersistingL2CacheSize: return give<size_t>(value, 0);
  }
  return result(cudaErrorUnsupportedLimit);
}
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (limit == cudaLimitPersistingL2CacheSize) return value == 0 ? cudaSuccess : runtime.fail(cudaErrorInvalidValue);
    if (limit < cudaLimitStackSize || limit > cudaLimitMallocHeapSize) return runtime.fail(cudaErrorUnsupportedLimit);
    if (limit == cudaLimitMallocHeapSize) {
      return runtime.set_malloc_heap_bytes(value)
                 ? cudaSuccess
                 : runtime.refuse(cudaErrorInvalidValue,
                                  "cudaDeviceSetLimit: the heap of malloc in kernels has its size from the first "
                                  "launch on: set it before");
    }
    if (limit != cudaLimitStackSize || runtime.set_local_bytes(value)) return cudaSuccess;
    return runtime.refuse(
        value > Runtime::kMostLocalBytes ? cudaErrorInvalidValue : cudaErrorNotSupported,
        fmt::format(
            "cudaDeviceSetLimit: a stack of {} bytes only before the first allocation and launch, and at most 1 MiB: "
            "set memory.local_bytes in HEDDLE_SET",
            value));
  });
}
cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) { return cudaDeviceSetLimit(limit, value); }
cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return device != 0 || peer != 0 ? result(cudaErrorInvalidDevice) : give(can, 0);
}
cudaError_t cudaDeviceEnablePeerAccess(int, unsigned int) { return result(cudaErrorInvalidDevice); }
cudaError_t cudaDeviceDisablePeerAccess(int) { return result(cudaErrorInvalidDevice); }
cudaError_t cudaDriverGetVersion(int* version) { return give(version, CUDART_VERSION); }
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp* p, int device) {
  if (p == nullptr) return result(cudaErrorInvalidValue);
  if (device_number(device) != cudaSuccess) return cudaErrorInvalidDevice;
  const Runtime& runtime = Runtime::get();
  const heddle::Config& c = runtime.config();
  std::memset(p, 0, sizeof *p);
  std::strncpy(p->name, fmt::format("Heddle {} ({})", c.mechanism, runtime.settings().engine_name).c_str(),
               sizeof p->name - 1);
  p->totalGlobalMem = c.memory.heap_bytes;
  p->sharedMemPerBlock = p->sharedMemPerBlockOptin = p->sharedMemPerMultiprocessor = c.core.shared_bytes;
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
  p->memoryPoolsSupported = 1;
  p->canMapHostMemory = p->unifiedAddressing = p->managedMemory = p->cooperativeLaunch = 1;
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
  if (value == nullptr) return result(cudaErrorInvalidValue);
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, device) != cudaSuccess) return cudaErrorInvalidDevice;
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxBlockDimX:
    case cudaDevAttrMaxBlockDimY:
    case cudaDevAttrMaxBlockDimZ: *value = p.maxThreadsDim[attribute - cudaDevAttrMaxBlockDimX]; break;
    case cudaDevAttrMaxGridDimX:
    case cudaDevAttrMaxGridDimY:
    case cudaDevAttrMaxGridDimZ: *value = p.maxGridSize[attribute - cudaDevAttrMaxGridDimX]; break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(p.sharedMemPerBlock); break;
    case cudaDevAttrTotalConstantMemory: *value = static_cast<int>(p.totalConstMem); break;
    case cudaDevAttrWarpSize: *value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: *value = p.regsPerBlock; break;
    case cudaDevAttrClockRate: *value = p.clockRate; break;
    case cudaDevAttrMultiProcessorCount: *value = p.multiProcessorCount; break;
    case cudaDevAttrMaxPitch: *value = static_cast<int>(p.memPitch); break;
    case cudaDevAttrTextureAlignment: *value = static_cast<int>(p.textureAlignment); break;
    case cudaDevAttrGpuOverlap: *value = p.deviceOverlap; break;
    case cudaDevAttrKernelExecTimeout: *value = p.kernelExecTimeoutEnabled; break;
    case cudaDevAttrIntegrated: *value = p.integrated; break;
    case cudaDevAttrCanMapHostMemory: *value = p.canMapHostMemory; break;
    case cudaDevAttrComputeMode: *value = p.computeMode; break;
    case cudaDevAttrConcurrentKernels: *value = p.concurrentKernels; break;
    case cudaDevAttrEccEnabled: *value = p.ECCEnabled; break;
    case cudaDevAttrPciBusId: *value = p.pciBusID; break;
    case cudaDevAttrPciDeviceId: *value = p.pciDeviceID; break;
    case cudaDevAttrPciDomainId: *value = p.pciDomainID; break;
    case cudaDevAttrTccDriver: *value = p.tccDriver; break;
    case cudaDevAttrMemoryClockRate: *value = p.memoryClockRate; break;
    case cudaDevAttrGlobalMemoryBusWidth: *value = p.memoryBusWidth; break;
    case cudaDevAttrL2CacheSize: *value = p.l2CacheSize; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrAsyncEngineCount: *value = p.asyncEngineCount; break;
    case cudaDevAttrUnifiedAddressing: *value = p.unifiedAddressing; break;
    case cudaDevAttrComputeCapabilityMajor: *value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: *value = p.minor; break;
    case cudaDevAttrStreamPrioritiesSupported: *value = p.streamPrioritiesSupported; break;
    case cudaDevAttrGlobalL1CacheSupported: *value = p.globalL1CacheSupported; break;
    case cudaDevAttrLocalL1CacheSupported: *value = p.localL1CacheSupported; break;
    case cudaDevAttrMaxRegistersPerMultiprocessor: *value = p.regsPerMultiprocessor; break;
    case cudaDevAttrManagedMemory: *value = p.managedMemory; break;
    case cudaDevAttrIsMultiGpuBoard: *value = p.isMultiGpuBoard; break;
    case cudaDevAttrHostNativeAtomicSupported: *value = p.hostNativeAtomicSupported; break;
    case cudaDevAttrPageableMemoryAccess: *value = p.pageableMemoryAccess; break;
    case cudaDevAttrConcurrentManagedAccess: *value = p.concurrentManagedAccess; break;
    case cudaDevAttrComputePreemptionSupported: *value = p.computePreemptionSupported; break;
    case cudaDevAttrCooperativeLaunch: *value = p.cooperativeLaunch; break;
    case cudaDevAttrCooperativeMultiDeviceLaunch: *value = p.cooperativeMultiDeviceLaunch; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: *value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrMemoryPoolsSupported: *value = p.memoryPoolsSupported; break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: *value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
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
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (stream == nullptr || flags > cudaStreamNonBlocking) return runtime.fail(cudaErrorInvalidValue);
    *stream = runtime.streams.add({});
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
  return cudaStreamCreateWithFlags(stream, flags);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  return runtime.query(
      [&] { return runtime.streams.remove(stream) ? cudaSuccess : runtime.fail(cudaErrorInvalidResourceHandle); });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  return runtime.call(
      [&] { return runtime.is_stream(stream) ? cudaSuccess : runtime.fail(cudaErrorInvalidResourceHandle); });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) { return cudaStreamSynchronize(stream); }
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (!runtime.is_stream(stream) || runtime.events.find(event) == nullptr)
      return runtime.fail(cudaErrorInvalidResourceHandle);
    return flags == 0 ? cudaSuccess : runtime.fail(cudaErrorInvalidValue);
  });
}
// All that was asked for before is done: the host's function is called here, outside of the lock, so that it may call
// the runtime.
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data, unsigned int flags) {
  if (callback == nullptr || flags != 0) return Runtime::get().fail(cudaErrorInvalidValue);
  const cudaError_t status = cudaStreamSynchronize(stream);
  if (status == cudaErrorInvalidResourceHandle) return status;
  callback(stream, status, data);
  return cudaSuccess;
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  if (function == nullptr) return Runtime::get().fail(cudaErrorInvalidValue);
  if (const cudaError_t status = cudaStreamSynchronize(stream); status != cudaSuccess) return status;
  function(data);
  return cudaSuccess;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void*, size_t, unsigned int) {
  return cudaStreamSynchronize(stream);
}
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue* value) {
  const bool known = attribute == cudaLaunchAttributeAccessPolicyWindow || attribute == cudaLaunchAttributePriority;
  if (!known || value == nullptr) return Runtime::get().fail(cudaErrorInvalidValue);
  return cudaStreamSynchronize(stream);
}
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;  // either may be null
  if (greatest != nullptr) *greatest = 0;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (event == nullptr || (flags & ~(cudaEventBlockingSync | cudaEventDisableTiming)) != 0)
      return runtime.fail(cudaErrorInvalidValue);
    heddle::Event fresh;
    fresh.timed = (flags & cudaEventDisableTiming) == 0;
    *event = runtime.events.add(fresh);
    return cudaSuccess;
  });
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  Runtime& runtime = Runtime::get();
  return runtime.query(
      [&] { return runtime.events.remove(event) ? cudaSuccess : runtime.fail(cudaErrorInvalidResourceHandle); });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    heddle::Event* const e = runtime.events.find(event);
    if (e == nullptr || !runtime.is_stream(stream)) return runtime.fail(cudaErrorInvalidResourceHandle);
    e->at = runtime.cycles();
    e->recorded = true;
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    return runtime.events.find(event) != nullptr ? cudaSuccess : runtime.fail(cudaErrorInvalidResourceHandle);
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) { return cudaEventSynchronize(event); }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (milliseconds == nullptr) return runtime.fail(cudaErrorInvalidValue);
    const heddle::Event *const from = runtime.events.find(start), *const to = runtime.events.find(end);
    for (const heddle::Event* e : {from, to}) {
      if (e == nullptr || !e->recorded || !e->timed) return runtime.fail(cudaErrorInvalidResourceHandle);
    }
    *milliseconds = static_cast<float>((static_cast<double>(to->at) - static_cast<double>(from->at)) / kClockKHz);
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
cudaError_t cudaLaunchKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (!runtime.is_stream(stream)) return runtime.fail(cudaErrorInvalidResourceHandle);
    return runtime.launch(function, grid, block, arguments, shared);
  });
}
cudaError_t cudaLaunchCooperativeKernel(const void* function, dim3 grid, dim3 block, void** arguments, size_t shared,
                                        cudaStream_t stream) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (!runtime.is_stream(stream)) return runtime.fail(cudaErrorInvalidResourceHandle);
    return runtime.launch(function, grid, block, arguments, shared, true);
  });
}
cudaError_t cudaFuncSetCacheConfig(const void* function, enum cudaFuncCache config) {
  return choice_of_kernel(function, config, cudaFuncCachePreferEqual);
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, enum cudaSharedMemConfig config) {
  return choice_of_kernel(function, config, cudaSharedMemBankSizeEightByte);
}
// A block may have all shared memory of the core without being asked for; more is no valid size.
cudaError_t cudaFuncSetAttribute(const void* function, enum cudaFuncAttribute attribute, int value) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    const heddle::Kernel* kernel = runtime.kernel(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction);
    const bool valid =
        attribute == cudaFuncAttributeMaxDynamicSharedMemorySize
            ? value >= 0 && static_cast<unsigned>(value) + kernel->shared_size <= runtime.config().core.shared_bytes
            : attribute == cudaFuncAttributePreferredSharedMemoryCarveout && value >= -1 && value <= 100;
    return valid ? cudaSuccess : runtime.fail(cudaErrorInvalidValue);
  });
}
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes* attributes, const void* function) {
  Runtime& runtime = Runtime::get();
  return runtime.call([&] {
    if (attributes == nullptr) return runtime.fail(cudaErrorInvalidValue);
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
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          size_t shared) {
  Runtime& runtime = Runtime::get();
  return runtime.query([&] {
    if (blocks == nullptr || threads <= 0) return runtime.fail(cudaErrorInvalidValue);
    const heddle::Kernel* kernel = runtime.kernel(function);
    if (kernel == nullptr) return runtime.fail(cudaErrorInvalidDeviceFunction);
    const bool fits = shared <= runtime.config().core.shared_bytes;
    *blocks = !fits ? 0
                    : static_cast<int>(heddle::resident_blocks(static_cast<unsigned>(threads),
                                                               shared + kernel->shared_size, runtime.config()));
    return cudaSuccess;
  });
}

}  // extern "C"
