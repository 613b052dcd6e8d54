// SPDX-License-Identifier: Apache-2.0
// rr_arbiter: round-robin arbiter. Contract: docs/frontend.md, common/rr_arbiter; same pins as rtl/common/rr_arbiter.sv.
#pragma once

#include "common/types.h"

namespace heddle {

struct RrGrant {
  bool valid = false;
  std::uint32_t index = 0;  // 0 while not valid
};

// First requester after `last`, cyclically. Bits of `requests` beyond the number of requesters are 0.
[[nodiscard]] inline RrGrant rr_pick(std::uint64_t requests, std::uint32_t last) {
  const std::uint64_t above = requests & ((~std::uint64_t{0} << last) << 1);
  RrGrant grant;
  grant.valid = requests != 0;
  grant.index = grant.valid ? lowest_bit(above != 0 ? above : requests) : 0;
  return grant;
}

// Pins of rtl/common/rr_arbiter.sv.
template <unsigned NumReq = 24>
class rr_arbiter : public sc_core::sc_module {
  static_assert(NumReq >= 1 && NumReq <= 64, "rr_arbiter: the pins of the twin carry 1 to 64 requesters");

 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(enable_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(req_i);
  sc_core::sc_out<bool> SC_NAMED(grant_valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(grant_idx_o);
  sc_core::sc_out<std::uint64_t> SC_NAMED(grant_o);

  SC_HAS_PROCESS(rr_arbiter);
  explicit rr_arbiter(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(grant);
    sensitive << enable_i << req_i << last_;
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return NumReq == 1 ? 0 : index_width(NumReq); }

 private:
  void reset() { last_.write(NumReq - 1); }

  void step() {
    const RrGrant pick = rr_pick(enable_i.read() ? req_i.read() : 0, last_.read());
    if (pick.valid) last_.write(pick.index);
  }

  void grant() {
    const RrGrant pick = rr_pick(enable_i.read() ? req_i.read() : 0, last_.read());
    grant_valid_o.write(pick.valid);
    grant_idx_o.write(pick.index);
    grant_o.write(pick.valid ? bit_of(pick.index) : 0);
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_signal<std::uint32_t> SC_NAMED(last_, NumReq - 1);
};

}  // namespace heddle
