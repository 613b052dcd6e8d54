// SPDX-License-Identifier: Apache-2.0
// What the single-path stack machine issues for a traced warp: its reconvergence stack, driven by the traces alone.
#pragma once

#include <cstdint>

#include "heddle/config.h"
#include "isa/program.h"
#include "limit/trace.h"

namespace heddle {

// Warp instructions of the warp on mechanism spe with immediate post-dominators; the depth of the stack is not limited.
// order: which side runs first (it changes nothing about the sum unless threads depend on each other).
[[nodiscard]] std::uint64_t replay_pdom(const Program& program, const LaunchTrace& launch, const WarpTrace& warp,
                                        PushOrder order);

}  // namespace heddle
