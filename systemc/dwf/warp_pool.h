// SPDX-License-Identifier: Apache-2.0
// warp_pool: the warps that wait for issue, lane by lane writable. Contract: docs/dwf.md, dwf/warp_pool; same pins as
// rtl/dwf/warp_pool.sv.
#pragma once

#include "common/types.h"

namespace heddle {

// Words of 64 pool entries: bit i of word k is entry 64 * k + i.
[[nodiscard]] constexpr unsigned pool_words(unsigned threads) { return (threads + 63) / 64; }

// Scheduler data are compared on a circle: `a` is up to half of it, less one, after `b`.
template <unsigned SchedW>
[[nodiscard]] constexpr bool is_later(std::uint32_t a, std::uint32_t b) {
  const std::uint32_t ahead = (a - b) & static_cast<std::uint32_t>(low_bits(SchedW));
  return ahead != 0 && ahead < (std::uint32_t{1} << (SchedW - 1));
}

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned SchedW = 8>
class WarpPoolLogic {
  static_assert(Lanes >= 1 && Lanes <= 64, "warp_pool: 1 to 64 lanes");
  static_assert(Threads >= 2 && Threads <= 65536, "warp_pool: 2 to 65536 entries");
  static_assert(SchedW >= 1 && SchedW <= 32, "warp_pool: 1 to 32 bits of scheduler data");

 public:
  static constexpr unsigned kWords = pool_words(Threads);

  [[nodiscard]] static constexpr unsigned state_bits() {
    return Threads * (Lanes * index_width(Threads) + Lanes + 32 + SchedW + 1);
  }

  void reset() {
    for (unsigned i = 0; i < Threads; ++i) {
      pc_[i] = 0;
      sched_[i] = 0;
      lanes_[i] = 0;
      for (unsigned l = 0; l < Lanes; ++l) tid_[i][l] = 0;
    }
    for (unsigned k = 0; k < kWords; ++k) valid_[k] = 0;
  }

  void free(std::uint32_t index) {
    HEDDLE_EXPECT(valid(index));
    valid_[index / 64] &= ~bit_of(index % 64);
  }

  // A new warp, without threads yet.
  void open(std::uint32_t index, std::uint32_t pc, std::uint32_t sched) {
    HEDDLE_EXPECT(!valid(index));
    valid_[index / 64] |= bit_of(index % 64);
    pc_[index] = pc;
    sched_[index] = sched;
    lanes_[index] = 0;
  }

  // Threads come to a warp; their lanes follow.
  void join(std::uint32_t index, std::uint32_t sched) {
    HEDDLE_EXPECT(valid(index));
    if (is_later<SchedW>(sched, sched_[index])) sched_[index] = sched;
  }

  void write(std::uint32_t index, std::uint32_t lane, std::uint32_t tid) {
    HEDDLE_EXPECT(!has_bit(lanes_[index], lane));
    lanes_[index] |= bit_of(lane);
    tid_[index][lane] = static_cast<std::uint16_t>(tid);
  }

  [[nodiscard]] bool valid(std::uint32_t index) const { return has_bit(valid_[index / 64], index % 64); }
  // Of an entry that is valid:
  [[nodiscard]] std::uint32_t pc(std::uint32_t index) const { return pc_[index]; }
  [[nodiscard]] std::uint32_t sched(std::uint32_t index) const { return sched_[index]; }
  [[nodiscard]] std::uint64_t mask(std::uint32_t index) const { return lanes_[index]; }
  [[nodiscard]] std::uint32_t tid(std::uint32_t index, std::uint32_t lane) const {  // 0 in a free lane
    return has_bit(lanes_[index], lane) ? tid_[index][lane] : 0u;
  }
  // Of all entries, for the choice of the next warp:
  [[nodiscard]] const std::uint64_t (&valid_words() const)[kWords] { return valid_; }
  [[nodiscard]] const std::uint32_t (&pcs() const)[Threads] { return pc_; }
  [[nodiscard]] const std::uint32_t (&scheds() const)[Threads] { return sched_; }

 private:
  std::uint64_t valid_[kWords] = {};
  std::uint32_t pc_[Threads] = {};
  std::uint32_t sched_[Threads] = {};
  std::uint64_t lanes_[Threads] = {};
  std::uint16_t tid_[Threads][Lanes] = {};
};

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned SchedW = 8>
class warp_pool : public sc_core::sc_module {
 public:
  using Logic = WarpPoolLogic<Lanes, Threads, SchedW>;
  static constexpr unsigned kWords = pool_words(Threads);

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // update 0
  sc_core::sc_in<std::uint64_t> SC_NAMED(lane0_we_i);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(lane0_idx_i, Lanes);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(lane0_tid_i, Lanes);
  sc_core::sc_in<bool> SC_NAMED(new0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(new0_idx_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(new0_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(new0_sched_i);
  sc_core::sc_in<bool> SC_NAMED(join0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(join0_idx_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(join0_sched_i);
  // update 1
  sc_core::sc_in<std::uint64_t> SC_NAMED(lane1_we_i);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(lane1_idx_i, Lanes);
  sc_core::sc_vector<sc_core::sc_in<std::uint32_t>> SC_NAMED(lane1_tid_i, Lanes);
  sc_core::sc_in<bool> SC_NAMED(new1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(new1_idx_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(new1_pc_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(new1_sched_i);
  sc_core::sc_in<bool> SC_NAMED(join1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(join1_idx_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(join1_sched_i);
  // issue
  sc_core::sc_in<std::uint32_t> SC_NAMED(read_idx_i);
  sc_core::sc_out<bool> SC_NAMED(read_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(read_pc_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(read_mask_o);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(read_tids_o, Lanes);
  sc_core::sc_out<std::uint32_t> SC_NAMED(read_sched_o);
  sc_core::sc_in<bool> SC_NAMED(free_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(free_idx_i);
  // state
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(valid_o, kWords);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(pc_o, Threads);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(sched_o, Threads);

  SC_HAS_PROCESS(warp_pool);
  explicit warp_pool(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(read);
    sensitive << read_idx_i;
    for (unsigned k = 0; k < kWords; ++k) sensitive << valid_o[k];
    for (unsigned i = 0; i < Threads; ++i) sensitive << pc_o[i] << sched_o[i] << lanes_[i];
    for (unsigned i = 0; i < Threads * Lanes; ++i) sensitive << tid_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    mirror();
  }

  void step() {
    if (free_valid_i.read()) logic_.free(free_idx_i.read());
    if (join0_valid_i.read()) logic_.join(join0_idx_i.read(), join0_sched_i.read());
    if (new0_valid_i.read()) logic_.open(new0_idx_i.read(), new0_pc_i.read(), new0_sched_i.read());
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has_bit(lane0_we_i.read(), l)) logic_.write(lane0_idx_i[l].read(), l, lane0_tid_i[l].read());
    }
    if (join1_valid_i.read()) logic_.join(join1_idx_i.read(), join1_sched_i.read());
    if (new1_valid_i.read()) logic_.open(new1_idx_i.read(), new1_pc_i.read(), new1_sched_i.read());
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has_bit(lane1_we_i.read(), l)) logic_.write(lane1_idx_i[l].read(), l, lane1_tid_i[l].read());
    }
    mirror();
  }

  void read() {
    const std::uint32_t index = read_idx_i.read();
    const bool valid = has_bit(valid_o[index / 64].read(), index % 64);
    const std::uint64_t mask = valid ? lanes_[index].read() : 0;
    read_valid_o.write(valid);
    read_pc_o.write(pc_o[index].read());
    read_mask_o.write(mask);
    read_sched_o.write(sched_o[index].read());
    for (unsigned l = 0; l < Lanes; ++l) read_tids_o[l].write(has_bit(mask, l) ? tid_[index * Lanes + l].read() : 0u);
  }

  void mirror() {
    for (unsigned k = 0; k < kWords; ++k) valid_o[k].write(logic_.valid_words()[k]);
    for (unsigned i = 0; i < Threads; ++i) {
      pc_o[i].write(logic_.valid(i) ? logic_.pc(i) : 0);
      sched_o[i].write(logic_.valid(i) ? logic_.sched(i) : 0);
      lanes_[i].write(logic_.mask(i));
      for (unsigned l = 0; l < Lanes; ++l) tid_[i * Lanes + l].write(logic_.tid(i, l));
    }
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
  // What the combinational process sees beside the state outputs.
  sc_core::sc_vector<sc_core::sc_signal<std::uint64_t>> SC_NAMED(lanes_, Threads);
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> SC_NAMED(tid_, Threads * Lanes);
};

}  // namespace heddle
