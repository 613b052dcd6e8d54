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
  kAtomic,  // read-modify-write at the memory's side; lr and sc too
};

struct MemoryAccess {
  std::uint32_t token = 0;  // returned at completion
  AccessKind kind = AccessKind::kLoad;
  Space space = Space::kGlobal;
  std::uint8_t bytes = 4;  // per lane: 1, 2, 4 or 8
  LaneMask mask = 0;       // not empty
  // Physical byte address of each lane in the mask, indexed by lane; read during accept() only. Shared: offset in the
  // core's shared memory or any address congruent to it modulo banks x 4. Local: interleaved, behind the greatest heap;
  // of 8 bytes, the lower word, and the other one lies 4 x lanes behind it.
  const std::uint64_t* address = nullptr;
  bool parts = false;  // load or atomic, global or local: lanes complete with their lines, not all together (on a bus:
                       // loads, in two parts)
};

}  // namespace heddle
