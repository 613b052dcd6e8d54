// SPDX-License-Identifier: Apache-2.0
// The helpers that programs in the style of NVIDIA's samples expect beside the toolkit: checks of calls, choice of a device.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime.h"
#include "helper_string.h"

template <class T>
inline void check(T result, const char* call, const char* file, int line) {
  if (result == 0) return;
  fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(static_cast<cudaError_t>(result)), cudaGetErrorName(static_cast<cudaError_t>(result)));
  exit(EXIT_FAILURE);
}
#define checkCudaErrors(call) check((call), #call, __FILE__, __LINE__)

inline void __getLastCudaError(const char* message, const char* file, int line) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, message, cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define getLastCudaError(message) __getLastCudaError(message, __FILE__, __LINE__)

inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int gpuDeviceInit(int) { return 0; }
inline int findCudaDevice(int, const char**) { return 0; }
inline bool checkCudaCapabilities(int major, int minor) {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  return properties.major > major || (properties.major == major && properties.minor >= minor);
}
inline int _ConvertSMVer2Cores(int, int) { return 32; }
