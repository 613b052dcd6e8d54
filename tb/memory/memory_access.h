// SPDX-License-Identifier: Apache-2.0
// What the core tells the load/store unit about one warp instruction: all of its lanes that touch one space.
#pragma once

#include <cstdint>

#include "heddle/types.h"

namespace heddle {

enum class Space : std::uint8_t { kGlobal, kShared, kLocal };

enum class AccessKind : std::uint8_t {
  kLoad,
  kStore,
  kAtomic,  // read-modify-write at the memory's side; lr.w and sc.w too
};

struct MemoryAccess {
  std::uint32_t token = 0;  // returned at completion
  AccessKind kind = AccessKind::kLoad;
  Space space = Space::kGlobal;
  std::uint8_t bytes = 4;  // per lane: 1, 2 or 4
  LaneMask mask = 0;       // not empty
  // Physical byte address of each lane in the mask, indexed by lane; read during accept() only. Shared: offset in the
  // core's shared memory or any address congruent to it modulo banks x 4. Local: interleaved, above 4 GiB.
  const std::uint64_t* address = nullptr;
  bool parts = false;  // load or atomic, global or local: lanes complete with their lines, not all together (on a bus:
                       // loads, in two parts)
};

}  // namespace heddle
