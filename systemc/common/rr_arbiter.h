// SPDX-License-Identifier: Apache-2.0
// rr_arbiter: round-robin arbiter. Contract: docs/frontend.md, common/rr_arbiter; same pins as
// rtl/common/rr_arbiter.sv.
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
  sc_core::sc_in<Mask<NumReq>> SC_NAMED(req_i);
  sc_core::sc_out<bool> SC_NAMED(grant_valid_o);
  sc_core::sc_out<Number<index_width(NumReq)>> SC_NAMED(grant_idx_o);
  sc_core::sc_out<Mask<NumReq>> SC_NAMED(grant_o);

  SC_HAS_PROCESS(rr_arbiter);
  explicit rr_arbiter(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(grant);
    sensitive << enable_i << req_i << last_;
  }

  // The hardware keeps the set behind the last one: nobody is behind the highest number, and requester 0 never is.
  [[nodiscard]] static constexpr unsigned state_bits() { return NumReq - 1; }

 private:
  void reset() { last_.write(NumReq - 1); }

  void step() {
    const RrGrant grant = pick();
    if (grant.valid) last_.write(grant.index);
  }

  void grant() {
    const RrGrant grant = pick();
    grant_valid_o.write(grant.valid);
    grant_idx_o.write(grant.index);
    grant_o.write(grant.valid ? bit_of(grant.index) : 0);
  }

  [[nodiscard]] RrGrant pick() const {
    const std::uint64_t requests = req_i.read();
    return rr_pick(enable_i.read() ? requests : 0, last_.read());
  }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_signal<Number<index_width(NumReq)>> SC_NAMED(last_, NumReq - 1);
};

}  // namespace heddle
