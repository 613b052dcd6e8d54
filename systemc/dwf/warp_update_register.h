// SPDX-License-Identifier: Apache-2.0
// warp_update_register: a group of threads with one next PC on its way into the warp pool. Contract: docs/dwf.md,
// dwf/warp_update_register; same pins as rtl/dwf/warp_update_register.sv.
//
// WarpUpdateRegisterLogic is the register without a clock, for the scheduler. The module below keeps the same state in
// its pins.
#pragma once

#include "common/types.h"

namespace heddle {

// Threads that go on at one PC. Lane-aware: tids[l] is the thread of lane l, for the lanes in req.
template <unsigned Lanes>
struct DwfGroup {
  bool valid = false;
  std::uint32_t pc = 0;
  std::uint64_t req = 0;
  std::uint32_t sched = 0;
  std::uint16_t tids[Lanes] = {};
};

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned SchedW = 8>
class WarpUpdateRegisterLogic {
  static_assert(Lanes >= 1 && Lanes <= 64, "warp_update_register: 1 to 64 lanes");
  static_assert(Threads >= 1 && Threads <= 65536, "warp_update_register: 1 to 65536 threads");
  static_assert(SchedW >= 1 && SchedW <= 32, "warp_update_register: 1 to 32 bits of scheduler data");

 public:
  using Group = DwfGroup<Lanes>;

  [[nodiscard]] static constexpr unsigned state_bits() {
    return 1 + 32 + Lanes + Lanes * index_width(Threads) + SchedW;
  }

  void reset() {
    group_.valid = false;
    group_.pc = 0;
    group_.req = 0;
    group_.sched = 0;
    for (unsigned l = 0; l < Lanes; ++l) group_.tids[l] = 0;
  }

  // A group without threads is none. Its scheduler data come apart: most heuristics store none.
  void load(const Group& group, std::uint32_t sched) {
    group_.valid = group.valid && group.req != 0;
    if (group_.valid) {
      group_.pc = group.pc;
      group_.req = group.req;
      group_.sched = sched;
      for (unsigned l = 0; l < Lanes; ++l) group_.tids[l] = has_bit(group.req, l) ? group.tids[l] : std::uint16_t{0};
    }
  }

  void clear() { group_.valid = false; }

  [[nodiscard]] bool valid() const { return group_.valid; }
  [[nodiscard]] std::uint32_t pc() const { return group_.pc; }
  [[nodiscard]] std::uint64_t req() const { return group_.req; }
  [[nodiscard]] std::uint32_t sched() const { return group_.sched; }
  [[nodiscard]] std::uint16_t tid(std::uint32_t lane) const { return group_.tids[lane]; }

 private:
  Group group_;
};

// KeepSched 0: scheduler data are not kept.
template <unsigned Lanes = 16, unsigned Threads = 256, unsigned SchedW = 8, unsigned KeepSched = 1>
class warp_update_register : public sc_core::sc_module {
  static constexpr unsigned kTidW = index_width(Threads);

 public:
  using Logic = WarpUpdateRegisterLogic<Lanes, Threads, SchedW>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // from write-back
  sc_core::sc_in<bool> SC_NAMED(valid_i);
  sc_core::sc_in<Number<32>> SC_NAMED(pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(req_i);
  sc_core::sc_vector<sc_core::sc_in<Number<kTidW>>> SC_NAMED(tids_i, Lanes);
  sc_core::sc_in<Number<SchedW>> SC_NAMED(sched_i);
  // control
  sc_core::sc_in<bool> SC_NAMED(load_i);
  sc_core::sc_in<bool> SC_NAMED(clear_i);
  // state
  sc_core::sc_out<bool> SC_NAMED(valid_o);
  sc_core::sc_out<Number<32>> SC_NAMED(pc_o);
  sc_core::sc_out<Mask<Lanes>> SC_NAMED(req_o);
  sc_core::sc_vector<sc_core::sc_out<Number<kTidW>>> SC_NAMED(tids_o, Lanes);
  sc_core::sc_out<Number<SchedW>> SC_NAMED(sched_o);

  SC_HAS_PROCESS(warp_update_register);
  explicit warp_update_register(sc_core::sc_module_name name) : sc_core::sc_module(name) { HEDDLE_CLOCKED_PROCESS(); }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits() - (KeepSched != 0 ? 0 : SchedW); }

 private:
  void reset() {
    valid_o.write(false);
    pc_o.write(0);
    req_o.write(0);
    sched_o.write(0);
    for (unsigned l = 0; l < Lanes; ++l) tids_o[l].write(0);
  }

  void step() {
    const std::uint64_t req = req_i.read();
    const bool group = valid_i.read() && req != 0;
    if (load_i.read()) {
      valid_o.write(group);
    } else if (clear_i.read()) {
      valid_o.write(false);
    }
    if (load_i.read() && group) {
      pc_o.write(pc_i.read());
      req_o.write(req);
      if (KeepSched != 0) sched_o.write(sched_i.read());
      for (unsigned l = 0; l < Lanes; ++l) {
        std::uint32_t tid = 0;
        if (has_bit(req, l)) tid = tids_i[l].read();
        tids_o[l].write(tid);
      }
    }
  }

  HEDDLE_CLOCKED_BODY()
};

}  // namespace heddle
