// SPDX-License-Identifier: Apache-2.0
// What can be seen inside one dwf_scheduler after a clock edge, whichever engine runs it: the outputs of every module
// of docs/dwf.md, the entries of LUT and PC table, and the order in which warps wait. Used by the co-simulation
// comparison and by waveforms.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "barrel/dwf_pins.h"
#include "heddle/config.h"

namespace heddle {

// Parts of fixed size are compared as memory, so there is no padding.
struct DwfUpdateState {  // warp_update_register
  std::uint64_t req = 0;
  std::uint32_t valid = 0, pc = 0, sched = 0, unused = 0;
  std::array<std::uint16_t, kMaxDwfLanes> tids{};
};

struct DwfLookupState {  // pc_warp_lut: the answer to one update in the cycle that ended at this edge
  std::uint64_t occ = 0;
  std::uint32_t hit = 0, idx = 0, alias = 0, unused = 0;
};

struct DwfCommonState {
  std::array<DwfUpdateState, 2> update;
  std::array<DwfLookupState, 2> lookup;
  // issue_logic: the pick register, and the table of dmaj and dmin, bit a position
  std::uint64_t table_valid = 0, table_waits = 0, table_current = 0, table_left = 0;
  std::uint32_t pick_valid = 0, pick_idx = 0, pick_sched = 0, hold0 = 0, hold1 = 0;
  // warp_pool, read port: the picked entry
  std::uint32_t read_pc = 0;
  std::uint64_t read_mask = 0;
  std::array<std::uint16_t, kMaxDwfLanes> read_tids{};
  // warp_allocator
  std::uint32_t offer0 = 0, offer1 = 0, free = 0;
  std::uint32_t waiting = 0;  // dpdpri and dpc: warps in the list
};
static_assert(std::has_unique_object_representations_v<DwfCommonState>);

struct DwfState {
  explicit DwfState(const Config& config)
      : lut_occ(config.dwf.lut_entries),
        lut_pc(config.dwf.lut_entries),
        lut_idx(config.dwf.lut_entries),
        lut_valid(config.dwf.lut_entries),
        lut_order(config.dwf.lut_entries / config.dwf.lut_ways),
        table_pc(config.dwf.table_entries),
        table_count(config.dwf.table_entries),
        table_head(config.dwf.table_entries),
        table_tail(config.dwf.table_entries),
        next(config.core.lanes * config.core.warps),
        list_idx(config.core.lanes * config.core.warps),
        list_key(config.core.lanes * config.core.warps) {}

  DwfCommonState common;
  // pc_warp_lut, by entry = set * ways + way; 0 in an entry that is not valid
  std::vector<std::uint64_t> lut_occ;
  std::vector<std::uint32_t> lut_pc, lut_idx;
  std::vector<std::uint8_t> lut_valid;
  std::vector<std::uint8_t> lut_order;  // by set: bit j(j-1)/2 + i says that way j was used after way i, i < j
  // issue_logic: the table of dmaj and dmin; 0 in a position that is not valid, head and tail also where no warp waits
  std::vector<std::uint32_t> table_pc, table_count;
  std::vector<std::uint16_t> table_head, table_tail;  // oldest and youngest warp of the PC
  std::vector<std::uint16_t> next;  // by pool entry: the warp behind it at its PC; 0 if none waits here or it is a tail
  // issue_logic: the list of dpdpri and dpc, by place; 0 behind its end
  std::vector<std::uint16_t> list_idx;
  std::vector<std::uint32_t> list_key;  // priority or PC

  // The places of the queues in `next`; what is stored elsewhere means nothing.
  template <class F>
  void set_next(F stored) {
    std::fill(next.begin(), next.end(), std::uint16_t{0});
    std::size_t most = next.size();  // a queue with a fault may have no end
    for (unsigned i = 0; i < table_pc.size(); ++i) {
      if (!has_bit(common.table_waits, i)) continue;
      for (unsigned warp = table_head[i]; warp != table_tail[i] && warp < next.size() && most != 0;
           warp = next[warp], --most) {
        next[warp] = static_cast<std::uint16_t>(stored(warp));
      }
    }
  }

  [[nodiscard]] bool operator==(const DwfState& other) const;
};

// Access to the inside of a running scheduler.
class DwfView {
 public:
  virtual ~DwfView() = default;
  // `state` is of the scheduler's own configuration.
  virtual void read_state(DwfState& state) const = 0;
};

}  // namespace heddle
