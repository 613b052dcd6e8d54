// SPDX-License-Identifier: Apache-2.0
// What core/predication must do: a region a warp, of so many instructions, of which so many have issued
// (docs/frontend.md).
#pragma once

#include <optional>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

class PredicationOracle {
 public:
  struct Path {
    WarpId warp;
    unsigned slot;
  };
  struct Start {
    Path path;
    LaneMask off;
    unsigned instructions;
  };
  struct Inputs {
    std::optional<Start> start;
    Path issue{0, 0};  // the path that issues, if one does
    bool take = false;
    std::optional<WarpId> kill = std::nullopt;
  };

  PredicationOracle(unsigned warps, unsigned slots) : slots_(slots), regions_(warps) {}

  void step(const Inputs& in) {
    if (in.take && inside(in.issue)) ++regions_[in.issue.warp].issued;
    if (in.start) regions_.at(in.start->path.warp) = {slot(in.start->path), in.start->off, in.start->instructions, 0};
    if (in.kill) regions_.at(*in.kill).instructions = regions_.at(*in.kill).issued;
  }

  [[nodiscard]] bool active(WarpId w) const { return count(w) != 0; }
  [[nodiscard]] unsigned count(WarpId w) const { return regions_.at(w).instructions - regions_.at(w).issued; }
  // That of the latest region, which may be over.
  [[nodiscard]] unsigned slot(WarpId w) const { return regions_.at(w).slot; }
  [[nodiscard]] bool inside(const Path& path) const { return active(path.warp) && slot(path.warp) == slot(path); }
  [[nodiscard]] LaneMask off(const Path& path) const { return inside(path) ? regions_.at(path.warp).off : 0; }

 private:
  struct Region {
    unsigned slot = 0;
    LaneMask off = 0;
    unsigned instructions = 0, issued = 0;
  };

  [[nodiscard]] unsigned slot(const Path& path) const { return slots_ == 1 ? 0 : path.slot; }

  unsigned slots_;
  std::vector<Region> regions_;
};

}  // namespace heddle::test
