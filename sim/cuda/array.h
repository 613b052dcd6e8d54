// SPDX-License-Identifier: Apache-2.0
// A cudaArray: rows of texels in device memory. The layout that textures of hardware have is not modelled.
#pragma once

#include <cstddef>

#include "cuda_runtime_api.h"

namespace heddle {

struct Array {
  cudaChannelFormatDesc channels;
  std::size_t width, height;  // texels; height 0: one dimension
  std::size_t element;        // bytes of a texel
  std::size_t pitch;          // bytes of a row
  void* memory;               // device
};

}  // namespace heddle
