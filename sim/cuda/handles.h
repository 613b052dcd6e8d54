// SPDX-License-Identifier: Apache-2.0
// What a CUDA program holds by handles: streams, events, arrays. A handle is a number that is given once and never
// followed, so one that was destroyed, or never was one, is simply not found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "cuda_runtime_api.h"
#include "heddle/types.h"

namespace heddle {

struct Stream {};  // work is done at once, in order
struct Event {
  Cycle at = 0;
  bool recorded = false, timed = true;
};
// Rows of texels in device memory. The layout that textures of hardware have is not modelled.
struct Array {
  cudaChannelFormatDesc channels{};
  std::size_t width = 0, height = 0;  // texels; height 0: one dimension
  std::size_t element = 0;            // bytes of a texel
  std::size_t pitch = 0;              // bytes of a row
  std::size_t layers = 0;             // 0: not layered
  bool surface = false;
  void* memory = nullptr;  // device

  [[nodiscard]] std::size_t rows() const { return height == 0 ? 1 : height; }
  [[nodiscard]] std::size_t layer_bytes() const { return pitch * rows(); }
};

// The next handle of any kind: no pointer of a program has these bits.
inline std::uintptr_t next_handle() {
  static std::uintptr_t last = std::uintptr_t{1} << 48;
  return ++last;
}

template <class Handle, class T>
class HandleTable {
 public:
  Handle add(const T& object) {
    const std::uintptr_t number = next_handle();
    objects_[number] = object;
    return reinterpret_cast<Handle>(number);
  }
  // Null if there is none. `H`: a handle to a const object, too.
  template <class H>
  [[nodiscard]] T* find(H handle) {
    const auto found = objects_.find(reinterpret_cast<std::uintptr_t>(handle));
    return found == objects_.end() ? nullptr : &found->second;
  }
  bool remove(Handle handle) { return objects_.erase(reinterpret_cast<std::uintptr_t>(handle)) != 0; }
  void clear() { objects_.clear(); }

 private:
  std::map<std::uintptr_t, T> objects_;
};

}  // namespace heddle
