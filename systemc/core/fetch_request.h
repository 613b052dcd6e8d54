// SPDX-License-Identifier: Apache-2.0
// fetch_request: which path asks for its next instructions, and where they are. Contract: docs/frontend.md,
// core/fetch_request; same pins as rtl/core/fetch_request.sv.
#pragma once

#include "select/warp_selector.h"

namespace heddle {

// Where the next request of a path begins: behind what its queue holds and what is asked for, two bundles a request.
// The path stands at the first bundle, or at the unresolved instruction that left the queue before it.
[[nodiscard]] constexpr std::uint32_t request_pc(std::uint32_t pc, std::uint32_t queued, std::uint32_t requests,
                                                 bool unresolved) {
  return pc + 4 * (queued + 2 * requests + (unresolved ? 1u : 0u));
}

// Warps take turns, then the slots of a warp; `warps` have a path in `ready`, `slots` are those of the chosen warp.
template <class Turn, unsigned NumSlots, class SlotsOf>
[[nodiscard]] inline PathGrant pick_path(const Turn& turn, const std::uint64_t (&ready)[NumSlots], std::uint64_t warps,
                                         const SlotsOf& paths) {
  PathGrant grant;
  if (warps != 0) {
    grant.valid = true;
    grant.warp = turn.pick_warp(warps);
    grant.slot = turn.pick_slot(ready, paths.slots_of(grant.warp), grant.warp);
  }
  return grant;
}

}  // namespace heddle
