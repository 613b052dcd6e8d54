// SPDX-License-Identifier: Apache-2.0
// What can be seen inside one dwf_scheduler after a clock edge, whichever engine runs it: the outputs of every module of docs/dwf.md,
// the entries of LUT and PC table, and the order of age. Used by the co-simulation comparison and by waveforms.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "barrel/dwf_pins.h"
#include "heddle/config.h"

namespace heddle {

// Parts of fixed size are compared as memory, so there is no padding.
struct DwfUpdateState {            // warp_update_register
  std::uint64_t req = 0;
  std::uint32_t valid = 0, pc = 0, sched = 0, unused = 0;
  std::array<std::uint16_t, kMaxDwfLanes> tids{};
};

struct DwfLookupState {            // pc_warp_lut: the answer to one update in the cycle that ended at this edge
  std::uint64_t occ = 0;
  std::uint32_t hit = 0, idx = 0, alias = 0, unused = 0;
};

struct DwfCommonState {
  std::array<DwfUpdateState, 2> update;
  std::array<DwfLookupState, 2> lookup;
  // warp_pool, read port: the entry that issue_logic has picked
  std::uint64_t read_mask = 0;
  std::uint32_t read_pc = 0, read_sched = 0;
  std::array<std::uint16_t, kMaxDwfLanes> read_tids{};
  // issue_logic
  std::uint32_t pick_valid = 0, pick_idx = 0, hold0 = 0, hold1 = 0;
  std::uint32_t current_valid = 0, current_pc = 0;  // dmaj and dmin: the PC whose warps issue
  // warp_allocator
  std::uint32_t offer0 = 0, offer1 = 0, free = 0, unused = 0;
};
static_assert(std::has_unique_object_representations_v<DwfCommonState>);

struct DwfState {
  explicit DwfState(const Config& config)
      : lut_occ(config.dwf.lut_entries),
        lut_pc(config.dwf.lut_entries),
        lut_idx(config.dwf.lut_entries),
        lut_valid(config.dwf.lut_entries),
        lut_order(config.dwf.lut_entries / config.dwf.lut_ways),
        pool_valid(pool_words(config.core.lanes * config.core.warps)),
        pool_pc(config.core.lanes * config.core.warps),
        pool_sched(config.core.lanes * config.core.warps),
        table_pc(config.dwf.table_entries),
        table_count(config.dwf.table_entries),
        table_head(config.dwf.table_entries),
        table_tail(config.dwf.table_entries),
        next(config.core.lanes * config.core.warps),
        rank(config.core.lanes * config.core.warps) {}

  DwfCommonState common;
  // pc_warp_lut, by entry = set * ways + way; 0 in an entry that is not valid
  std::vector<std::uint64_t> lut_occ;
  std::vector<std::uint32_t> lut_pc, lut_idx;
  std::vector<std::uint8_t> lut_valid;
  std::vector<std::uint8_t> lut_order;   // by set: bit j(j-1)/2 + i says that way j was used after way i, i < j
  // warp_pool; 0 in an entry that is not valid
  std::vector<std::uint64_t> pool_valid;  // bit i of word k: entry 64 k + i
  std::vector<std::uint32_t> pool_pc;
  std::vector<std::uint8_t> pool_sched;
  // issue_logic: the table of dmaj and dmin; 0 in a position that is not valid. A valid one has threads.
  std::vector<std::uint32_t> table_pc, table_count;
  std::vector<std::uint16_t> table_head, table_tail;  // oldest and youngest warp of the PC
  std::vector<std::uint16_t> next;   // of dmaj and dmin, by pool entry: the warp behind it at its PC; 0 if none waits here or it is a tail
  std::vector<std::uint16_t> rank;   // of dpdpri and dpc, by pool entry: 0 = oldest

  // `next` as it counts: what stands in an entry that is not valid, or that is a tail, means nothing.
  template <class F>
  void set_next(F stored) {
    for (unsigned i = 0; i < next.size(); ++i) next[i] = static_cast<std::uint16_t>(has_bit(pool_valid[i / 64], i % 64) ? stored(i) : 0);
    for (unsigned i = 0; i < table_count.size(); ++i) {
      if (table_count[i] != 0 && table_tail[i] < next.size()) next[table_tail[i]] = 0;
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
