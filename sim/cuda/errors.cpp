// SPDX-License-Identifier: Apache-2.0
// Names and texts of CUDA's errors.
#include <algorithm>
#include <iterator>

#include "cuda_runtime_api.h"

namespace {

struct ErrorText {
  cudaError_t error;
  const char *name, *text;
};
#define HEDDLE_ERROR(name, text) \
  { name, #name, text }
constexpr ErrorText kErrors[] = {
    HEDDLE_ERROR(cudaSuccess, "no error"),
    HEDDLE_ERROR(cudaErrorInvalidValue, "invalid argument"),
    HEDDLE_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    HEDDLE_ERROR(cudaErrorInitializationError, "initialization error"),
    HEDDLE_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    HEDDLE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    HEDDLE_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    HEDDLE_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    HEDDLE_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    HEDDLE_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    HEDDLE_ERROR(cudaErrorInvalidTexture, "invalid texture reference"),
    HEDDLE_ERROR(cudaErrorInvalidTextureBinding, "texture is not bound"),
    HEDDLE_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HEDDLE_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HEDDLE_ERROR(cudaErrorInvalidFilterSetting, "linear filtering not supported for this type"),
    HEDDLE_ERROR(cudaErrorInvalidNormSetting, "normalized reading not supported for this type"),
    HEDDLE_ERROR(cudaErrorInsufficientDriver, "driver version is insufficient"),
    HEDDLE_ERROR(cudaErrorMissingConfiguration, "launch without configuration"),
    HEDDLE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    HEDDLE_ERROR(cudaErrorNoDevice, "no device"),
    HEDDLE_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    HEDDLE_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    HEDDLE_ERROR(cudaErrorECCUncorrectable, "uncorrectable memory error"),
    HEDDLE_ERROR(cudaErrorUnsupportedLimit, "limit is not supported"),
    HEDDLE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    HEDDLE_ERROR(cudaErrorNotReady, "not ready"),
    HEDDLE_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    HEDDLE_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    HEDDLE_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    HEDDLE_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HEDDLE_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HEDDLE_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active"),
    HEDDLE_ERROR(cudaErrorAssert, "device-side assert triggered"),
    HEDDLE_ERROR(cudaErrorHostMemoryAlreadyRegistered, "memory of the host is registered already"),
    HEDDLE_ERROR(cudaErrorHostMemoryNotRegistered, "memory of the host is not registered"),
    HEDDLE_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    HEDDLE_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    HEDDLE_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    HEDDLE_ERROR(cudaErrorInvalidAddressSpace, "operation not supported on this address space"),
    HEDDLE_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    HEDDLE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    HEDDLE_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HEDDLE_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    HEDDLE_ERROR(cudaErrorNotSupported, "operation not supported"),
    HEDDLE_ERROR(cudaErrorUnknown, "unknown error"),
};
#undef HEDDLE_ERROR

const ErrorText* find(cudaError_t error) {
  const auto* found =
      std::find_if(std::begin(kErrors), std::end(kErrors), [&](const ErrorText& e) { return e.error == error; });
  return found == std::end(kErrors) ? nullptr : found;
}

}  // namespace

extern "C" {

const char* cudaGetErrorString(cudaError_t error) {
  const ErrorText* found = find(error);
  return found == nullptr ? "unrecognized error code" : found->text;
}
const char* cudaGetErrorName(cudaError_t error) {
  const ErrorText* found = find(error);
  return found == nullptr ? "unrecognized error code" : found->name;
}

}  // extern "C"
