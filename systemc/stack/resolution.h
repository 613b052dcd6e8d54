// SPDX-License-Identifier: Apache-2.0
// The resolution of a control instruction, as both stacks receive it (docs/frontend.md).
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

}  // namespace heddle
