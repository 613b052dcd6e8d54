// SPDX-License-Identifier: Apache-2.0
// ibuffer: instruction buffer of every path, with its fetch state. Contract: docs/frontend.md, core/ibuffer; same pins as
// rtl/core/ibuffer.sv.
//
// IbufferLogic is the machine without a clock. The front ends hold it directly; the module below puts pins around it.
// Events of one cycle are applied in the order resume, take, request, fill, redirect / flush: the last ones win.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Depth = 5>
class IbufferLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "ibuffer: 1 to 64 warps");
  static_assert(NumSlots == 1 || NumSlots == 2, "ibuffer: 1 or 2 slots");
  static_assert(Depth >= 2, "ibuffer: at least 2 bundles a path");

 public:
  // depth_limit: use this many bundles of each buffer.
  explicit IbufferLogic(std::uint32_t depth_limit = Depth) : depth_limit_(depth_limit) {
    HEDDLE_EXPECT(depth_limit >= 2 && depth_limit <= Depth);
    reset();
  }

  // State of the contract. The place of the head is the twin's own: with it a take moves no bundle.
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * NumSlots * (Depth * kInstrWidth + index_width(Depth + 1) + 2 + 1);
  }

  void reset() {
    for (unsigned s = 0; s < NumSlots; ++s) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        first_[s][w] = 0;
        count_[s][w] = 0;
        requests_[s][w] = 0;
        for (unsigned i = 0; i < Depth; ++i) bundle_[s][w][i] = 0;
      }
      waits_[s] = 0;
      stop_[s] = 0;
      short_[s] = low_bits(NumWarps);
      head_valid_[s] = 0;
    }
  }

  void take(std::uint32_t warp, std::uint32_t slot) {
    HEDDLE_EXPECT(count_[slot][warp] != 0);
    first_[slot][warp] = place(warp, slot, 1);
    set_state(warp, slot, count_[slot][warp] - 1, requests_[slot][warp]);
  }

  void fill(std::uint32_t warp, std::uint32_t slot, std::uint32_t count, std::uint64_t instr0, std::uint64_t instr1) {
    HEDDLE_EXPECT(requests_[slot][warp] != 0 && count_[slot][warp] + count <= depth_limit_);
    const std::uint32_t held = count_[slot][warp];
    const bool jump = bundle_jump(instr0) || (count == 2 && bundle_jump(instr1));
    const std::uint32_t requests = jump || count == 1 ? 0 : requests_[slot][warp] - 1;  // else they begin elsewhere
    bundle_[slot][warp][place(warp, slot, held)] = instr0;
    if (count == 2) bundle_[slot][warp][place(warp, slot, held + 1)] = instr1;
    if (jump) stop_[slot] |= bit_of(warp);
    set_state(warp, slot, held + count, requests);
  }

  // Of a path that needed it before this cycle's take.
  void request(std::uint32_t warp, std::uint32_t slot) {
    HEDDLE_EXPECT(requests_[slot][warp] < kMostRequests && !has_bit(stop_[slot], warp));
    set_state(warp, slot, count_[slot][warp], requests_[slot][warp] + 1);
  }

  void redirect(std::uint32_t warp, std::uint32_t slot) {
    stop_[slot] &= ~bit_of(warp);
    set_state(warp, slot, 0, 0);
  }

  // The path goes on behind its control instruction: if that was the jump which stopped the fetches they go on, too.
  void resume(std::uint32_t warp, std::uint32_t slot) {
    if (count_[slot][warp] == 0) stop_[slot] &= ~bit_of(warp);
  }

  void flush(std::uint32_t warp) {
    for (unsigned s = 0; s < NumSlots; ++s) redirect(warp, s);
  }

  // 0 when the buffer is empty.
  [[nodiscard]] std::uint64_t head(std::uint32_t warp, std::uint32_t slot) const {
    return count_[slot][warp] != 0 ? bundle_[slot][warp][first_[slot][warp]] : 0;
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t warp, std::uint32_t slot) const { return count_[slot][warp]; }
  // Requests that are under way, 0 to 2.
  [[nodiscard]] std::uint32_t requests(std::uint32_t warp, std::uint32_t slot) const { return requests_[slot][warp]; }
  // Bundle i of a buffer, 0 = head, i < count.
  [[nodiscard]] std::uint64_t bundle(std::uint32_t warp, std::uint32_t slot, std::uint32_t i) const {
    return bundle_[slot][warp][place(warp, slot, i)];
  }
  // Of a slot, bit a warp:
  [[nodiscard]] std::uint64_t head_valid(std::uint32_t slot) const { return head_valid_[slot]; }
  [[nodiscard]] std::uint64_t waits(std::uint32_t slot) const { return waits_[slot]; }  // a request is under way
  [[nodiscard]] std::uint64_t stop(std::uint32_t slot) const { return stop_[slot]; }
  [[nodiscard]] std::uint64_t need_fetch(std::uint32_t slot) const { return short_[slot] & ~stop_[slot]; }

 private:
  static constexpr std::uint32_t kMostRequests = 2;

  // A buffer is a ring: place of the bundle i behind the head, i <= Depth.
  [[nodiscard]] std::uint8_t place(std::uint32_t warp, std::uint32_t slot, std::uint32_t i) const {
    const std::uint32_t sum = first_[slot][warp] + i;
    return static_cast<std::uint8_t>(sum >= Depth ? sum - Depth : sum);
  }

  void set_state(std::uint32_t warp, std::uint32_t slot, std::uint32_t count, std::uint32_t requests) {
    count_[slot][warp] = static_cast<std::uint8_t>(count);
    requests_[slot][warp] = static_cast<std::uint8_t>(requests);
    head_valid_[slot] = with_bit(head_valid_[slot], warp, count != 0);
    waits_[slot] = with_bit(waits_[slot], warp, requests != 0);
    short_[slot] = with_bit(short_[slot], warp, requests < kMostRequests && count + 2 * requests + 2 <= depth_limit_);
  }

  const std::uint32_t depth_limit_;
  std::uint64_t bundle_[NumSlots][NumWarps][Depth] = {};
  std::uint8_t first_[NumSlots][NumWarps] = {};  // place of the head
  std::uint8_t count_[NumSlots][NumWarps] = {};
  std::uint8_t requests_[NumSlots][NumWarps] = {};
  std::uint64_t stop_[NumSlots] = {};
  std::uint64_t waits_[NumSlots] = {};       // derived: requests are not 0
  std::uint64_t short_[NumSlots] = {};       // derived: room for the answer of one more request, which may be made
  std::uint64_t head_valid_[NumSlots] = {};  // derived: count is not 0
};

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Depth = 5>
class ibuffer : public sc_core::sc_module {
  static_assert(NumWarps * NumSlots <= 64, "ibuffer: the pins of the twin carry at most 64 paths");

 public:
  using Logic = IbufferLogic<NumWarps, NumSlots, Depth>;
  static constexpr unsigned kPaths = NumWarps * NumSlots;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // decode
  sc_core::sc_in<bool> SC_NAMED(fill_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(fill_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(fill_slot_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(fill_count_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(fill_instr0_i);
  sc_core::sc_in<std::uint64_t> SC_NAMED(fill_instr1_i);
  // issue
  sc_core::sc_in<bool> SC_NAMED(take_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(take_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(take_slot_i);
  // fetch
  sc_core::sc_in<bool> SC_NAMED(request_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(request_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(request_slot_i);
  // stack
  sc_core::sc_in<bool> SC_NAMED(flush0_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(flush0_warp_i);
  sc_core::sc_in<bool> SC_NAMED(flush1_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(flush1_warp_i);
  sc_core::sc_in<bool> SC_NAMED(redirect_valid_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(redirect_warp_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(redirect_slot_i);
  sc_core::sc_in<bool> SC_NAMED(redirect_next_i);
  // state
  sc_core::sc_vector<sc_core::sc_out<std::uint64_t>> SC_NAMED(head_o, kPaths);
  sc_core::sc_out<std::uint64_t> SC_NAMED(head_valid_o);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(count_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<std::uint32_t>> SC_NAMED(requests_o, kPaths);
  sc_core::sc_out<std::uint64_t> SC_NAMED(need_fetch_o);

  SC_HAS_PROCESS(ibuffer);
  explicit ibuffer(sc_core::sc_module_name name, std::uint32_t depth_limit = Depth)
      : sc_core::sc_module(name), logic_(depth_limit) {
    HEDDLE_CLOCKED_PROCESS();
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }
#ifndef HEDDLE_SYNTHESIS
  [[nodiscard]] const Logic& state() const { return logic_; }
#endif

 private:
  void reset() {
    logic_.reset();
    write_all();
  }

  void step() {
    const bool resumes = redirect_next_i.read();
    if (redirect_valid_i.read() && resumes) logic_.resume(redirect_warp_i.read(), slot_of(redirect_slot_i));
    if (take_valid_i.read()) logic_.take(take_warp_i.read(), slot_of(take_slot_i));
    if (request_valid_i.read()) logic_.request(request_warp_i.read(), slot_of(request_slot_i));
    if (fill_valid_i.read()) {
      logic_.fill(fill_warp_i.read(), slot_of(fill_slot_i), fill_count_i.read(), fill_instr0_i.read(), fill_instr1_i.read());
    }
    if (redirect_valid_i.read() && !resumes) logic_.redirect(redirect_warp_i.read(), slot_of(redirect_slot_i));
    if (flush0_valid_i.read()) logic_.flush(flush0_warp_i.read());
    if (flush1_valid_i.read()) logic_.flush(flush1_warp_i.read());
    write_all();
  }

  [[nodiscard]] static std::uint32_t slot_of(const sc_core::sc_in<std::uint32_t>& port) {
    return NumSlots == 2 ? port.read() : 0;
  }

  void write_all() {
    std::uint64_t head_valid = 0;
    std::uint64_t need_fetch = 0;
    for (unsigned s = 0; s < NumSlots; ++s) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        head_o[s * NumWarps + w].write(logic_.head(w, s));
        count_o[s * NumWarps + w].write(logic_.count(w, s));
        requests_o[s * NumWarps + w].write(logic_.requests(w, s));
      }
      head_valid |= logic_.head_valid(s) << (s * NumWarps);
      need_fetch |= logic_.need_fetch(s) << (s * NumWarps);
    }
    head_valid_o.write(head_valid);
    need_fetch_o.write(need_fetch);
  }

  HEDDLE_CLOCKED_BODY()

  Logic logic_;
};

}  // namespace heddle
