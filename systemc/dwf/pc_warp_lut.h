// SPDX-License-Identifier: Apache-2.0
// pc_warp_lut: finds the warp that is being formed for a PC. Contract: docs/dwf.md, dwf/pc_warp_lut; same pins as
// rtl/dwf/pc_warp_lut.sv.
//
// What a lookup finds and leaves behind is a pure function of one set. The scheduler holds the logic directly; the
// module below keeps the same state in its signals.
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
inline void lut_look_up(LutSet<Ways>& set, std::uint32_t pc, std::uint64_t req, std::uint32_t new_idx,
                        const LutRules& rules, LutAnswer& answer) {
  answer.hit = false;
  answer.alias = false;
  answer.idx = 0;
  answer.occ = 0;
  std::uint32_t way = 0;
  bool has_free = false;
  std::uint32_t free_way = 0;
  std::uint32_t oldest = 0;
  const std::uint32_t row = static_cast<std::uint32_t>(low_bits(Ways));
  for (unsigned w = 0; w < Ways; ++w) {
    if (w < rules.ways) {
      if (!has_bit(set.valid, w)) {
        if (!has_free) free_way = w;
        has_free = true;
      } else if (set.pc[w] == pc) {
        answer.hit = true;
        way = w;
      }
      if (((set.older >> (w * Ways)) & row) == 0) oldest = w;
    }
  }
  if (answer.hit) {
    answer.idx = set.idx[way];
    answer.occ = set.occ[way];
  } else {
    answer.alias = !has_free;
    way = answer.alias ? oldest : free_way;
  }
  const DwfPlacement place = dwf_place(req, answer.hit, answer.occ, rules.lane_aware, rules.lanes);
  set.valid |= 1u << way;
  set.pc[way] = pc;
  if (place.fresh != 0) set.idx[way] = new_idx;
  set.occ[way] = place.fresh != 0 ? place.fresh : answer.occ | place.join;
  for (unsigned w = 0; w < Ways; ++w) set.older &= ~(1u << (w * Ways + way));
  set.older |= (static_cast<std::uint32_t>(low_bits(rules.ways)) & ~(1u << way)) << (way * Ways);
}

// Limits of a table that is used smaller than it was made.
struct LutConfig {
  std::uint32_t entries = 0;
  std::uint32_t ways = 0;
  std::uint32_t lanes = 0;
  bool lane_aware = true;
};

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned LutEntries = 32, unsigned LutWays = 2,
          unsigned LaneAware = 1>
class PcWarpLutLogic {
  static_assert(Lanes >= 1 && Lanes <= 64, "pc_warp_lut: 1 to 64 lanes");
  static_assert(LutWays == 1 || LutWays == 2 || LutWays == 4, "pc_warp_lut: 1, 2 or 4 ways");
  static_assert(LutEntries % LutWays == 0 && (LutEntries / LutWays & (LutEntries / LutWays - 1)) == 0,
                "pc_warp_lut: the number of sets is a power of two");

 public:
  static constexpr unsigned kSets = LutEntries / LutWays;
  using Set = LutSet<LutWays>;

  [[nodiscard]] static constexpr LutConfig default_config() { return {LutEntries, LutWays, Lanes, LaneAware != 0}; }

  explicit PcWarpLutLogic(const LutConfig& config = default_config())
      : rules_{config.ways, config.lanes, config.lane_aware},
        set_mask_(config.entries / config.ways - 1) {
    HEDDLE_EXPECT(config.ways <= LutWays && set_mask_ < kSets && config.lanes <= Lanes);
  }

  // The order of use of a set takes a bit for each pair of ways.
  [[nodiscard]] static constexpr unsigned state_bits() {
    return LutEntries * (1 + 32 + Lanes + index_width(Threads)) + kSets * (LutWays * (LutWays - 1) / 2);
  }

  void reset() {
    for (unsigned s = 0; s < kSets; ++s) {
      sets_[s].valid = 0;
      sets_[s].older = 0;
      for (unsigned w = 0; w < LutWays; ++w) {
        sets_[s].pc[w] = 0;
        sets_[s].idx[w] = 0;
        sets_[s].occ[w] = 0;
      }
    }
  }

  // The warp of pool entry `idx` with PC `pc` was issued.
  void invalidate(std::uint32_t pc, std::uint32_t idx) { lut_invalidate(sets_[set_of(pc)], idx); }
  // The same where the PC is not known.
  void invalidate(std::uint32_t idx) {
    for (unsigned s = 0; s < kSets; ++s) lut_invalidate(sets_[s], idx);
  }

  // After invalidate() of the same cycle; lookup 0 before lookup 1.
  [[nodiscard]] LutAnswer look_up(std::uint32_t pc, std::uint64_t req, std::uint32_t new_idx) {
    LutAnswer answer;
    lut_look_up(sets_[set_of(pc)], pc, req, new_idx, rules_, answer);
    return answer;
  }

  [[nodiscard]] std::uint32_t set_of(std::uint32_t pc) const { return (pc >> 2) & set_mask_; }
  [[nodiscard]] Set set(std::uint32_t index) const { return sets_[index]; }

 private:
  const LutRules rules_;
  const std::uint32_t set_mask_;
  Set sets_[kSets];
};

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned LutEntries = 32, unsigned LutWays = 2,
          unsigned LaneAware = 1>
class pc_warp_lut : public sc_core::sc_module {
  static constexpr unsigned kIdxW = index_width(Threads);

 public:
  using Logic = PcWarpLutLogic<Lanes, Threads, LutEntries, LutWays, LaneAware>;
  static constexpr unsigned kSets = Logic::kSets;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // issue
  sc_core::sc_in<bool> SC_NAMED(invalidate_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(invalidate_idx_i);
  // update registers, allocator
  sc_core::sc_in<bool> SC_NAMED(lookup0_valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(lookup0_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(lookup0_req_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(lookup0_new_idx_i);
  sc_core::sc_in<bool> SC_NAMED(lookup1_valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(lookup1_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(lookup1_req_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(lookup1_new_idx_i);
  // answers
  sc_core::sc_out<bool> SC_NAMED(hit0_o);
  sc_core::sc_out<Number<kIdxW>> SC_NAMED(idx0_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(occ0_o);
  sc_core::sc_out<bool> SC_NAMED(alias0_o);
  sc_core::sc_out<bool> SC_NAMED(hit1_o);
  sc_core::sc_out<Number<kIdxW>> SC_NAMED(idx1_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(occ1_o);
  sc_core::sc_out<bool> SC_NAMED(alias1_o);

  SC_HAS_PROCESS(pc_warp_lut);
  explicit pc_warp_lut(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(answer);
    sensitive << invalidate_valid_i << invalidate_idx_i << lookup0_valid_i << lookup0_pc_i << lookup0_req_i
              << lookup0_new_idx_i << lookup1_valid_i << lookup1_pc_i << lookup1_req_i << lookup1_new_idx_i;
    for (unsigned s = 0; s < kSets; ++s) sensitive << valid_[s] << older_[s];
    for (unsigned i = 0; i < LutEntries; ++i) sensitive << pc_[i] << idx_[i] << occ_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned s = 0; s < kSets; ++s) {
      valid_[s].write(0);
      older_[s].write(0);
    }
    for (unsigned i = 0; i < LutEntries; ++i) {
      pc_[i].write(0);
      idx_[i].write(0);
      occ_[i].write(0);
    }
  }

  void step() {
    const std::uint32_t set0 = set_of(lookup0_pc_i.read());
    const std::uint32_t set1 = set_of(lookup1_pc_i.read());
    LutAnswer ignored;
    for (unsigned s = 0; s < kSets; ++s) {
      LutSet<LutWays> ways;
      read_set(ways, s);
      if (lookup0_valid_i.read() && set0 == s)
        look_up(ways, lookup0_pc_i.read(), lookup0_req_i.read(), lookup0_new_idx_i.read(), ignored);
      if (lookup1_valid_i.read() && set1 == s)
        look_up(ways, lookup1_pc_i.read(), lookup1_req_i.read(), lookup1_new_idx_i.read(), ignored);
      valid_[s].write(ways.valid);
      older_[s].write(ways.older);
      for (unsigned w = 0; w < LutWays; ++w) {
        pc_[s * LutWays + w].write(ways.pc[w]);
        idx_[s * LutWays + w].write(ways.idx[w]);
        occ_[s * LutWays + w].write(ways.occ[w]);
      }
    }
  }

  void answer() {
    const std::uint32_t set0 = set_of(lookup0_pc_i.read());
    const std::uint32_t set1 = set_of(lookup1_pc_i.read());
    LutSet<LutWays> ways;
    LutAnswer answer0;
    LutAnswer answer1;
    read_set(ways, set0);
    if (lookup0_valid_i.read())
      look_up(ways, lookup0_pc_i.read(), lookup0_req_i.read(), lookup0_new_idx_i.read(), answer0);
    if (set1 != set0) read_set(ways, set1);
    if (lookup1_valid_i.read())
      look_up(ways, lookup1_pc_i.read(), lookup1_req_i.read(), lookup1_new_idx_i.read(), answer1);
    hit0_o.write(answer0.hit);
    idx0_o.write(answer0.idx);
    occ0_o.write(answer0.occ);
    alias0_o.write(answer0.alias);
    hit1_o.write(answer1.hit);
    idx1_o.write(answer1.idx);
    occ1_o.write(answer1.occ);
    alias1_o.write(answer1.alias);
  }

  [[nodiscard]] static std::uint32_t set_of(std::uint32_t pc) { return (pc >> 2) & (kSets - 1); }

  static void look_up(LutSet<LutWays>& ways, std::uint32_t pc, std::uint64_t req, std::uint32_t new_idx,
                      LutAnswer& answer) {
    LutRules rules;
    rules.ways = LutWays;
    rules.lanes = Lanes;
    rules.lane_aware = LaneAware != 0;
    lut_look_up(ways, pc, req, new_idx, rules, answer);
  }

  // A set in registered state, without the entry of the warp that is issued.
  void read_set(LutSet<LutWays>& ways, std::uint32_t set) const {
    ways.valid = static_cast<std::uint32_t>(valid_[set].read());
    ways.older = static_cast<std::uint32_t>(older_[set].read());
    for (unsigned w = 0; w < LutWays; ++w) {
      ways.pc[w] = pc_[set * LutWays + w].read();
      ways.idx[w] = idx_[set * LutWays + w].read();
      ways.occ[w] = occ_[set * LutWays + w].read();
    }
    if (invalidate_valid_i.read()) lut_invalidate(ways, invalidate_idx_i.read());
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_vector<sc_core::sc_signal<Mask<LutWays>>> SC_NAMED(valid_, kSets);
  sc_core::sc_vector<sc_core::sc_signal<Mask<LutWays * LutWays>>> SC_NAMED(older_, kSets);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(pc_, LutEntries);
  sc_core::sc_vector<sc_core::sc_signal<Number<kIdxW>>> SC_NAMED(idx_, LutEntries);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(occ_, LutEntries);
};

}  // namespace heddle
