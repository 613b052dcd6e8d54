// SPDX-License-Identifier: Apache-2.0
// warp_pool: PC and threads of the warps, lane by lane writable. Contract: docs/dwf.md, dwf/warp_pool; same pins as
// rtl/dwf/warp_pool.sv.
//
// Plain storage: nothing here says which entries hold a warp. What a reset leaves is never read: the RTL has none, a
// clocked process of the synthesizable subset must have one.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned Lanes = 16, unsigned Threads = 256>
class WarpPoolLogic {
  static_assert(Lanes >= 1 && Lanes <= 64, "warp_pool: 1 to 64 lanes");
  static_assert(Threads >= 2 && Threads <= 65536, "warp_pool: 2 to 65536 entries");

 public:
  // In hardware a mask takes two memories, one for what a warp began with and one for what the last join left, and a
  // bit that says which counts: so two write ports are enough for each.
  [[nodiscard]] static constexpr unsigned state_bits() {
    return Threads * (Lanes * index_width(Threads) + 2 * Lanes + 1 + 32);
  }

  // A new warp; its threads are written after this.
  void open(std::uint32_t index, std::uint32_t pc, std::uint64_t mask) {
    pc_[index] = pc;
    mask_[index] = mask;
  }

  // Threads come to a warp, which then has these lanes; they are written after this.
  void join(std::uint32_t index, std::uint64_t mask) {
    HEDDLE_EXPECT((mask_[index] & ~mask) == 0);
    mask_[index] = mask;
  }

  void write(std::uint32_t index, std::uint32_t lane, std::uint32_t tid) {
    HEDDLE_EXPECT(has_bit(mask_[index], lane));
    tid_[index][lane] = static_cast<std::uint16_t>(tid);
  }

  [[nodiscard]] std::uint32_t pc(std::uint32_t index) const { return pc_[index]; }
  [[nodiscard]] std::uint64_t mask(std::uint32_t index) const { return mask_[index]; }
  [[nodiscard]] std::uint32_t tid(std::uint32_t index, std::uint32_t lane) const {  // 0 in a free lane
    return has_bit(mask_[index], lane) ? tid_[index][lane] : 0u;
  }

 private:
  std::uint32_t pc_[Threads] = {};
  std::uint64_t mask_[Threads] = {};
  std::uint16_t tid_[Threads][Lanes] = {};
};

template <unsigned Lanes = 16, unsigned Threads = 256>
class warp_pool : public sc_core::sc_module {
  static constexpr unsigned kIdxW = index_width(Threads);

 public:
  using Logic = WarpPoolLogic<Lanes, Threads>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // update 0
  sc_core::sc_in<bool> SC_NAMED(join0_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(join0_idx_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(join0_mask_i);
  sc_core::sc_in<bool> SC_NAMED(new0_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(new0_idx_i);
  sc_core::sc_in<Number<32>> SC_NAMED(new0_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(new0_mask_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(lane0_we_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kIdxW>>> SC_NAMED(lane0_tid_i, Lanes);
  // update 1
  sc_core::sc_in<bool> SC_NAMED(join1_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(join1_idx_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(join1_mask_i);
  sc_core::sc_in<bool> SC_NAMED(new1_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(new1_idx_i);
  sc_core::sc_in<Number<32>> SC_NAMED(new1_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(new1_mask_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(lane1_we_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kIdxW>>> SC_NAMED(lane1_tid_i, Lanes);
  // issue
  sc_core::sc_in<bool> SC_NAMED(read_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(read_idx_i);
  sc_core::sc_out<Number<32>> SC_NAMED(read_pc_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(read_mask_o);
  sc_core::sc_vector<sc_core::sc_out<Number<kIdxW>>> SC_NAMED(read_tids_o, Lanes);

  SC_HAS_PROCESS(warp_pool);
  explicit warp_pool(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(read);
    sensitive << read_valid_i << read_idx_i;
    for (unsigned i = 0; i < Threads; ++i) sensitive << pc_[i] << mask_[i];
    for (unsigned i = 0; i < Threads * Lanes; ++i) sensitive << tid_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned i = 0; i < Threads; ++i) {
      pc_[i].write(0);
      mask_[i].write(0);
    }
    for (unsigned i = 0; i < Threads * Lanes; ++i) tid_[i].write(0);
  }

  void step() {
    if (join0_valid_i.read()) mask_[join0_idx_i.read()].write(join0_mask_i.read());
    if (new0_valid_i.read()) {
      pc_[new0_idx_i.read()].write(new0_pc_i.read());
      mask_[new0_idx_i.read()].write(new0_mask_i.read());
    }
    for (unsigned l = 0; l < Lanes; ++l) {
      const bool begins = new0_valid_i.read() && has_bit(new0_mask_i.read(), l);
      const std::uint32_t index = begins ? new0_idx_i.read() : join0_idx_i.read();
      if (has_bit(lane0_we_i.read(), l)) tid_[index * Lanes + l].write(lane0_tid_i[l].read());
    }
    if (join1_valid_i.read()) mask_[join1_idx_i.read()].write(join1_mask_i.read());
    if (new1_valid_i.read()) {
      pc_[new1_idx_i.read()].write(new1_pc_i.read());
      mask_[new1_idx_i.read()].write(new1_mask_i.read());
    }
    for (unsigned l = 0; l < Lanes; ++l) {
      const bool begins = new1_valid_i.read() && has_bit(new1_mask_i.read(), l);
      const std::uint32_t index = begins ? new1_idx_i.read() : join1_idx_i.read();
      if (has_bit(lane1_we_i.read(), l)) tid_[index * Lanes + l].write(lane1_tid_i[l].read());
    }
  }

  void read() {
    const std::uint32_t index = read_idx_i.read();
    std::uint32_t pc = 0;
    std::uint64_t mask = 0;
    if (read_valid_i.read()) {
      pc = pc_[index].read();
      mask = mask_[index].read();
    }
    read_pc_o.write(pc);
    read_mask_o.write(mask);
    for (unsigned l = 0; l < Lanes; ++l) {
      std::uint32_t tid = 0;
      if (has_bit(mask, l)) tid = tid_[index * Lanes + l].read();
      read_tids_o[l].write(tid);
    }
  }

  HEDDLE_CLOCKED_BODY()

  // Entry by entry.
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(pc_, Threads);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(mask_, Threads);
  sc_core::sc_vector<sc_core::sc_signal<Number<kIdxW>>> SC_NAMED(tid_, Threads* Lanes);
};

}  // namespace heddle
