// SPDX-License-Identifier: Apache-2.0
// What both stacks share: the resolution of a control instruction as they receive it, and when a path has arrived
// (docs/frontend.md).
#pragma once

#include "common/types.h"

namespace heddle {

// What execute says about a control instruction.
struct ResolveInput {
  std::uint64_t taken = 0;
  std::uint64_t exit = 0;
  std::uint32_t target = 0;
  std::uint32_t next = 0;
  std::uint32_t rpc = 0;
};

// A path whose PC equals the rpc of its entry has arrived. No rpc (0) is never reached.
[[nodiscard]] constexpr bool arrived(std::uint32_t pc, std::uint32_t rpc) { return rpc != 0 && pc == rpc; }

}  // namespace heddle
