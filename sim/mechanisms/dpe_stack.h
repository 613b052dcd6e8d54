// SPDX-License-Identifier: Apache-2.0
// What the three dual-path stacks share in the simulator: rows of two paths, and their bits.
#pragma once

#include "report/frontend_bits.h"
#ifdef HEDDLE_HAVE_RTL
#include "engine/rtl_frontend.h"
#endif

namespace heddle {

#ifdef HEDDLE_HAVE_RTL
// {pc, mask, level} of each slot, the left one first, rpc, rpc_level, the lowest field last; what an option adds is
// above.
template <unsigned Lanes, class Row>
[[nodiscard]] StackEntry dual_row(const Row& stored) {
  RowReader row(stored);
  StackEntry entry;
  entry.rpc_level = row.take32(kRtlLevelBits);
  entry.rpc = row.take32(32);
  for (unsigned slot = 2; slot-- > 0;) {
    entry.level[slot] = row.take32(kRtlLevelBits);
    entry.mask[slot] = row.take(Lanes);
    entry.pc[slot] = row.take32(32);
  }
  return entry;
}
#endif

// The stack whose entries have these further fields; `option` adds its registers.
template <class Option>
void count_dual_path_bits(FrontendBits& bits, const std::vector<BitField>& further, Option option) {
  using B = FrontendBits;
  const unsigned lanes = bits.lanes(), levels = bits.levels();
  std::vector<BitField> entry = {{"pc_l", B::kPcBits, ""},
                                 {"mask_l", lanes, ""},
                                 {"pc_r", B::kPcBits, ""},
                                 {"mask_r", lanes, ""},
                                 {"rpc", B::kPcBits, ""},
                                 {"level_l", levels, B::kLevelReason},
                                 {"level_r", levels, B::kLevelReason},
                                 {"rpc_level", levels, B::kLevelReason}};
  entry.insert(entry.end(), further.begin(), further.end());
  bits.add_to_warps("stack top", entry);
  bits.storage(entry);
  bits.stack_control();
  bits.add_once("resolution register", {{"valid", 1, B::kStage},
                                        {"warp", bits.warp_bits(), B::kStage},
                                        {"slot", 1, B::kStage},
                                        {"taken", lanes, B::kStage},
                                        {"not_taken", lanes, B::kStage},
                                        {"live", lanes, B::kStage},
                                        {"target", B::kPcBits, B::kStage},
                                        {"next", B::kPcBits, B::kStage},
                                        {"rpc", B::kPcBits, B::kStage},
                                        {"levels", 4 * levels, B::kStage},
                                        {"conditions", 8, B::kStage},
                                        {"depth", bits.depth_bits(), B::kStage}});
  bits.add_pop_register();
  bits.row_address(1);
  option();
  bits.high_water_mark();
}

}  // namespace heddle
