// SPDX-License-Identifier: Apache-2.0
// pc_warp_lut: finds the warp that is being formed for a PC. Contract: docs/dwf.md, dwf/pc_warp_lut; same pins as
// rtl/dwf/pc_warp_lut.sv.
//
// What a lookup finds and leaves behind is a pure function of one set; the scheduler holds the logic directly.
#pragma once

#include "common/types.h"

namespace heddle {

// The lanes of a group in the pool: those that join the warp being formed, and those that begin a new one.
struct DwfPlacement {
  std::uint64_t join = 0;
  std::uint64_t fresh = 0;
};

// Lane-unaware groups are packed: free lanes of the warp being formed first, then lanes 0, 1, ... of the new one.
[[nodiscard]] inline DwfPlacement dwf_place(std::uint64_t req, bool hit, std::uint64_t occ, bool lane_aware,
                                            std::uint32_t lanes) {
  DwfPlacement place;
  if (lane_aware) {
    place.join = hit ? req & ~occ : 0;
    place.fresh = req & ~place.join;
  } else {
    const std::uint32_t threads = count_bits(req);
    const std::uint32_t taken = count_bits(occ);
    const std::uint32_t room = hit ? lanes - taken : 0;
    const std::uint32_t joining = threads < room ? threads : room;
    place.join = hit ? low_bits(taken + joining) & ~occ : 0;
    place.fresh = low_bits(threads - joining);
  }
  return place;
}

// The ways of one set. older: bit w * Ways + v says that way v was used before way w.
template <unsigned Ways>
struct LutSet {
  std::uint32_t valid = 0;  // bit a way
  std::uint32_t older = 0;
  std::uint32_t pc[Ways] = {};
  std::uint32_t idx[Ways] = {};
  std::uint64_t occ[Ways] = {};
};

struct LutAnswer {
  bool hit = false;
  bool alias = false;     // a valid entry was replaced
  std::uint32_t idx = 0;  // 0 without a hit
  std::uint64_t occ = 0;
};

struct LutRules {
  std::uint32_t ways = 0;
  std::uint32_t lanes = 0;
  bool lane_aware = true;
};

// The entry of a pool index that was issued, if this set has one.
template <unsigned Ways>
inline void lut_invalidate(LutSet<Ways>& set, std::uint32_t idx) {
  for (unsigned w = 0; w < Ways; ++w) {
    if (has_bit(set.valid, w) && set.idx[w] == idx) set.valid &= ~(1u << w);
  }
}

// One lookup, and what it writes.
template <unsigned Ways>
[[nodiscard]] inline LutAnswer lut_look_up(LutSet<Ways>& set, std::uint32_t pc, std::uint64_t req, std::uint32_t new_idx,
                                           const LutRules& rules) {
  LutAnswer answer;
  std::uint32_t way = 0;
  std::uint32_t free_way = Ways;
  std::uint32_t oldest = 0;
  const std::uint32_t all = static_cast<std::uint32_t>(low_bits(Ways));
  for (unsigned w = 0; w < Ways; ++w) {
    if (w < rules.ways) {
      if (!has_bit(set.valid, w)) {
        if (free_way == Ways) free_way = w;
      } else if (set.pc[w] == pc) {
        answer.hit = true;
        way = w;
      }
      if (((set.older >> (w * Ways)) & all) == 0) oldest = w;
    }
  }
  if (answer.hit) {
    answer.idx = set.idx[way];
    answer.occ = set.occ[way];
  } else {
    answer.alias = free_way == Ways;
    way = answer.alias ? oldest : free_way;
  }
  const DwfPlacement place = dwf_place(req, answer.hit, answer.occ, rules.lane_aware, rules.lanes);
  set.valid |= 1u << way;
  set.pc[way] = pc;
  if (place.fresh != 0) set.idx[way] = new_idx;
  set.occ[way] = place.fresh != 0 ? place.fresh : answer.occ | place.join;
  for (unsigned w = 0; w < Ways; ++w) {  // all other ways are older now, and this one is older than none
    if (w < rules.ways) set.older = set.older & ~(1u << (w * Ways + way));
  }
  set.older = (set.older & ~(all << (way * Ways))) | ((all & low_bits_32(rules.ways) & ~(1u << way)) << (way * Ways));
  return answer;
}

}  // namespace heddle
