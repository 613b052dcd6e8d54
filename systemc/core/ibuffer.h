// SPDX-License-Identifier: Apache-2.0
// ibuffer: instruction buffer of every path, with its fetch state. Contract: docs/frontend.md, core/ibuffer; same pins
// as rtl/core/ibuffer.sv.
//
// IbufferLogic is the machine without a clock, which the front ends hold. The module below holds its state once, in
// pins and signals. Events of one cycle are applied in the order resume, take, request, answer, redirect / flush: the
// last ones win, and an epoch that ends counts the request of its last cycle.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Depth = 5, unsigned TagW = 3, unsigned PayloadW = 0>
class IbufferLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "ibuffer: 1 to 64 warps");
  static_assert(NumSlots >= 1 && NumSlots <= 64, "ibuffer: 1 to 64 slots");
  static_assert(Depth >= 2, "ibuffer: at least 2 bundles a path");
  static_assert(TagW >= 2 && TagW <= 8, "ibuffer: a tag has 2 to 8 bits");
  static_assert(kInstrWidth + PayloadW <= 64, "ibuffer: the twin carries at most 34 bits of payload");

 public:
  static constexpr std::uint32_t kMostRequests = 2;
  static constexpr std::uint32_t kMostInFlight = (1u << TagW) - 1;

  // depth_limit: use this many bundles of each buffer.
  explicit IbufferLogic(std::uint32_t depth_limit = Depth) : depth_limit_(depth_limit) {
    HEDDLE_EXPECT(depth_limit >= 2 && depth_limit <= Depth);
    reset();
  }

  // State of the contract. The place of the head is the twin's own: with it a take moves no bundle.
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * NumSlots * (Depth * (kInstrWidth + PayloadW) + index_width(Depth + 1) + 1 + 2 + 1 + 2 * TagW);
  }

  void reset() {
    for (unsigned s = 0; s < NumSlots; ++s) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        first_[s][w] = 0;
        count_[s][w] = 0;
        requests_[s][w] = 0;
        tag_[s][w] = 0;
        in_flight_[s][w] = 0;
        for (unsigned i = 0; i < Depth; ++i) bundle_[s][w][i] = 0;
      }
      stop_[s] = 0;
      short_[s] = low_bits(NumWarps);
      head_valid_[s] = 0;
      quiet_[s] = low_bits(NumWarps);
    }
  }

  void take(std::uint32_t warp, std::uint32_t slot) {
    HEDDLE_EXPECT(count_[slot][warp] != 0);
    first_[slot][warp] = place(warp, slot, 1);
    set_state(warp, slot, count_[slot][warp] - 1, requests_[slot][warp]);
  }

  // Of a path that needed it before this cycle's take; it carries the path's tag.
  void request(std::uint32_t warp, std::uint32_t slot) {
    HEDDLE_EXPECT(requests_[slot][warp] < kMostRequests && in_flight_[slot][warp] < kMostInFlight &&
                  !has_bit(stop_[slot], warp));
    in_flight_[slot][warp] = static_cast<std::uint8_t>(in_flight_[slot][warp] + 1);
    quiet_[slot] &= ~bit_of(warp);
    set_state(warp, slot, count_[slot][warp], requests_[slot][warp] + 1);
  }

  // An answer with this tag, in this cycle, continues the queue.
  [[nodiscard]] bool fills(std::uint32_t warp, std::uint32_t slot, std::uint32_t tag) const {
    return tag_[slot][warp] == tag;
  }

  // Returns true if it is a fill; a stale one is counted and forgotten.
  bool answer(std::uint32_t warp, std::uint32_t slot, std::uint32_t tag, std::uint32_t count, std::uint64_t instr0,
              std::uint64_t instr1) {
    HEDDLE_EXPECT(in_flight_[slot][warp] != 0);
    const bool fill = fills(warp, slot, tag);
    const std::uint32_t held = count_[slot][warp];
    in_flight_[slot][warp] = static_cast<std::uint8_t>(in_flight_[slot][warp] - 1);
    if (in_flight_[slot][warp] == 0) quiet_[slot] |= bit_of(warp);
    if (fill) {
      HEDDLE_EXPECT(requests_[slot][warp] != 0 && held + count <= depth_limit_);
      const bool jump = bundle_jump(instr0) || (count == 2 && bundle_jump(instr1));
      bundle_[slot][warp][place(warp, slot, held)] = instr0;
      if (count == 2) bundle_[slot][warp][place(warp, slot, held + 1)] = instr1;
      if (jump) stop_[slot] |= bit_of(warp);
      requests_[slot][warp] = static_cast<std::uint8_t>(requests_[slot][warp] - 1);
      if (jump || count == 1) end_epoch(warp, slot);  // the other requests begin elsewhere
    }
    set_state(warp, slot, fill ? held + count : held, requests_[slot][warp]);
    return fill;
  }

  void redirect(std::uint32_t warp, std::uint32_t slot) {
    stop_[slot] &= ~bit_of(warp);
    end_epoch(warp, slot);
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
  // The bundle behind it, 0 if there is none.
  [[nodiscard]] std::uint64_t second(std::uint32_t warp, std::uint32_t slot) const {
    return count_[slot][warp] > 1 ? bundle_[slot][warp][place(warp, slot, 1)] : 0;
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t warp, std::uint32_t slot) const { return count_[slot][warp]; }
  // Epoch of the requests that are made now.
  [[nodiscard]] std::uint32_t tag(std::uint32_t warp, std::uint32_t slot) const { return tag_[slot][warp]; }
  // Unanswered requests, of whatever epoch.
  [[nodiscard]] std::uint32_t in_flight(std::uint32_t warp, std::uint32_t slot) const { return in_flight_[slot][warp]; }
  // Requests under way that continue the queue, 0 to 2.
  [[nodiscard]] std::uint32_t requests(std::uint32_t warp, std::uint32_t slot) const { return requests_[slot][warp]; }
  // Bundle i of a buffer, 0 = head, i < count.
  [[nodiscard]] std::uint64_t bundle(std::uint32_t warp, std::uint32_t slot, std::uint32_t i) const {
    return bundle_[slot][warp][place(warp, slot, i)];
  }
  // Of a slot, bit a warp:
  [[nodiscard]] std::uint64_t head_valid(std::uint32_t slot) const { return head_valid_[slot]; }
  [[nodiscard]] std::uint64_t quiet(std::uint32_t slot) const { return quiet_[slot]; }  // nothing is in flight
  [[nodiscard]] std::uint64_t stop(std::uint32_t slot) const { return stop_[slot]; }
  [[nodiscard]] std::uint64_t need_fetch(std::uint32_t slot) const { return short_[slot] & ~stop_[slot]; }

 private:
  // A buffer is a ring: place of the bundle i behind the head, i <= Depth.
  [[nodiscard]] std::uint8_t place(std::uint32_t warp, std::uint32_t slot, std::uint32_t i) const {
    const std::uint32_t sum = first_[slot][warp] + i;
    return static_cast<std::uint8_t>(sum >= Depth ? sum - Depth : sum);
  }

  // What is under way does not continue the queue: its tag must not be met again while it may be answered.
  void end_epoch(std::uint32_t warp, std::uint32_t slot) {
    if (requests_[slot][warp] != 0)
      tag_[slot][warp] = static_cast<std::uint8_t>((tag_[slot][warp] + 1) & kMostInFlight);
    requests_[slot][warp] = 0;
  }

  // Counts, and what derives from them.
  void set_state(std::uint32_t warp, std::uint32_t slot, std::uint32_t count, std::uint32_t requests) {
    count_[slot][warp] = static_cast<std::uint8_t>(count);
    requests_[slot][warp] = static_cast<std::uint8_t>(requests);
    head_valid_[slot] = with_bit(head_valid_[slot], warp, count != 0);
    short_[slot] = with_bit(
        short_[slot], warp,
        requests < kMostRequests && count + 2 * requests + 2 <= depth_limit_ && in_flight_[slot][warp] < kMostInFlight);
  }

  const std::uint32_t depth_limit_;
  std::uint64_t bundle_[NumSlots][NumWarps][Depth] = {};
  std::uint8_t first_[NumSlots][NumWarps] = {};  // place of the head
  std::uint8_t count_[NumSlots][NumWarps] = {};
  std::uint8_t requests_[NumSlots][NumWarps] = {};
  std::uint8_t tag_[NumSlots][NumWarps] = {};
  std::uint8_t in_flight_[NumSlots][NumWarps] = {};
  std::uint64_t stop_[NumSlots] = {};
  std::uint64_t short_[NumSlots] = {};       // derived: room for the answer of one more request, which may be made
  std::uint64_t head_valid_[NumSlots] = {};  // derived: count is not 0
  std::uint64_t quiet_[NumSlots] = {};       // derived: nothing is in flight
};

template <unsigned NumWarps = 24, unsigned NumSlots = 2, unsigned Depth = 5, unsigned TagW = 3, unsigned PayloadW = 0>
class ibuffer : public sc_core::sc_module {
  static_assert(NumWarps * NumSlots <= 64, "ibuffer: the pins of the twin carry at most 64 paths");

  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kSlotW = index_width(NumSlots);
  static constexpr unsigned kCountW = index_width(Depth + 1);

 public:
  using Logic = IbufferLogic<NumWarps, NumSlots, Depth, TagW, PayloadW>;
  static constexpr unsigned kPaths = NumWarps * NumSlots;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // decode
  sc_core::sc_in<bool> SC_NAMED(answer_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(answer_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(answer_slot_i);
  sc_core::sc_in<Number<TagW>> SC_NAMED(answer_tag_i);
  sc_core::sc_in<Number<2>> SC_NAMED(answer_count_i);
  sc_core::sc_in<Mask<kInstrWidth + PayloadW>> SC_NAMED(answer_instr0_i);
  sc_core::sc_in<Mask<kInstrWidth + PayloadW>> SC_NAMED(answer_instr1_i);
  // issue
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(take_i);
  // fetch
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(request_i);
  // stack, kill: all slots of the warp; paths that are not there
  sc_core::sc_in<bool> SC_NAMED(flush0_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(flush0_warp_i);
  sc_core::sc_in<bool> SC_NAMED(flush1_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(flush1_warp_i);
  sc_core::sc_in<bool> SC_NAMED(flush2_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(flush2_warp_i);
  sc_core::sc_in<Mask<kPaths>> SC_NAMED(drop_i);
  sc_core::sc_in<bool> SC_NAMED(redirect_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(redirect_warp_i);
  sc_core::sc_in<Number<kSlotW>> SC_NAMED(redirect_slot_i);
  sc_core::sc_in<bool> SC_NAMED(redirect_next_i);
  // state
  sc_core::sc_vector<sc_core::sc_out<Mask<kInstrWidth + PayloadW>>> SC_NAMED(head_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(head_valid_o);
  sc_core::sc_vector<sc_core::sc_out<Number<kNamesWidth>>> SC_NAMED(second_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(second_valid_o);
  sc_core::sc_vector<sc_core::sc_out<Number<kCountW>>> SC_NAMED(count_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<2>>> SC_NAMED(requests_o, kPaths);
  sc_core::sc_vector<sc_core::sc_out<Number<TagW>>> SC_NAMED(tag_o, kPaths);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(quiet_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(need_fetch_o);
  // this cycle
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(fill_o);
  sc_core::sc_out<Mask<kPaths>> SC_NAMED(clear_o);

  SC_HAS_PROCESS(ibuffer);
  explicit ibuffer(sc_core::sc_module_name name, std::uint32_t depth_limit = Depth)
      : sc_core::sc_module(name),
        depth_limit_(depth_limit) {
    HEDDLE_EXPECT(depth_limit >= 2 && depth_limit <= Depth);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_state);
    sensitive << stop_;
    for (unsigned i = 0; i < kPaths; ++i) {
      sensitive << count_o[i] << requests_o[i] << in_flight_[i] << bundle_[i * Depth] << bundle_[i * Depth + 1];
    }
    SC_METHOD(show_fill);
    sensitive << answer_valid_i << answer_warp_i << answer_slot_i << answer_tag_i;
    for (unsigned i = 0; i < kPaths; ++i) sensitive << tag_o[i];
    SC_METHOD(show_clear);
    sensitive << flush0_valid_i << flush0_warp_i << flush1_valid_i << flush1_warp_i << flush2_valid_i << flush2_warp_i
              << drop_i << redirect_valid_i << redirect_warp_i << redirect_slot_i << redirect_next_i;
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  static constexpr std::uint32_t kMostRequests = Logic::kMostRequests;
  static constexpr std::uint32_t kMostInFlight = Logic::kMostInFlight;

  void reset() {
    for (unsigned i = 0; i < kPaths; ++i) {
      count_o[i].write(0);
      requests_o[i].write(0);
      tag_o[i].write(0);
      in_flight_[i].write(0);
    }
    for (unsigned i = 0; i < kPaths * Depth; ++i) bundle_[i].write(0);
    stop_.write(0);
  }

  // Who is filled and who is cleared show_fill() and show_clear() say.
  void step() {
    HEDDLE_EXPECT(at_most_one(take_i.read()) && at_most_one(request_i.read()));
    const std::uint64_t instr0 = answer_instr0_i.read();
    const std::uint64_t instr1 = answer_instr1_i.read();
    std::uint64_t stop = stop_.read();
    for (unsigned slot = 0; slot < NumSlots; ++slot) {
      for (unsigned w = 0; w < NumWarps; ++w) {
        const unsigned path = slot * NumWarps + w;
        const bool resume = redirect_valid_i.read() && redirect_next_i.read() && redirect_warp_i.read() == w &&
                            (NumSlots == 1 || redirect_slot_i.read() == slot);
        const bool answer =
            answer_valid_i.read() && answer_warp_i.read() == w && (NumSlots == 1 || answer_slot_i.read() == slot);
        const bool take = has_bit(take_i.read(), path);
        const bool request = has_bit(request_i.read(), path);
        const bool fill = has_bit(fill_o.read(), path);
        const bool clear = has_bit(clear_o.read(), path);
        const std::uint32_t arriving = answer_count_i.read();
        const bool jump = bundle_jump(instr0) || (arriving == 2 && bundle_jump(instr1));
        const bool ends = fill && (jump || arriving == 1);
        std::uint32_t count = count_o[path].read();
        std::uint32_t requests = requests_o[path].read();
        std::uint32_t in_flight = in_flight_[path].read();
        HEDDLE_EXPECT(!take || count != 0);
        HEDDLE_EXPECT(!answer || in_flight != 0);
        if (resume && count == 0) stop = with_bit(stop, path, false);
        HEDDLE_EXPECT(!request || (requests < kMostRequests && in_flight < kMostInFlight && !has_bit(stop, path)));
        if (take) --count;
        if (request) {
          ++requests;
          ++in_flight;
        }
        if (answer) --in_flight;
        for (unsigned i = 0; i < Depth; ++i) {
          std::uint64_t bundle = bundle_[path * Depth + i].read();
          if (take && i + 1 < Depth) bundle = bundle_[path * Depth + (i + 1) % Depth].read();
          if (fill && i == count) bundle = instr0;
          if (fill && arriving == 2 && i == count + 1) bundle = instr1;
          bundle_[path * Depth + i].write(bundle);
        }
        if (fill) {
          HEDDLE_EXPECT(requests != 0 && count + arriving <= depth_limit_);
          --requests;
          count += arriving;
          if (jump) stop = with_bit(stop, path, true);
        }
        if (clear) {
          count = 0;
          stop = with_bit(stop, path, false);
        }
        // An epoch ends; what is under way does not continue the queue: its tag must not be met again while it may be
        // answered.
        if (clear || ends) {
          if (requests != 0) tag_o[path].write((tag_o[path].read() + 1) & kMostInFlight);
          requests = 0;
        }
        count_o[path].write(count);
        requests_o[path].write(requests);
        in_flight_[path].write(in_flight);
      }
    }
    stop_.write(stop);
  }

  void show_state() {
    std::uint64_t head_valid = 0;
    std::uint64_t second_valid = 0;
    std::uint64_t quiet = 0;
    std::uint64_t need_fetch = 0;
    for (unsigned i = 0; i < kPaths; ++i) {
      const std::uint32_t count = count_o[i].read();
      const std::uint32_t requests = requests_o[i].read();
      const std::uint32_t in_flight = in_flight_[i].read();
      const std::uint64_t head = bundle_[i * Depth].read();
      const std::uint64_t second = bundle_[i * Depth + 1].read();
      const bool room = count + 2 * requests + 2 <= depth_limit_;
      head_o[i].write(count != 0 ? head : 0);
      second_o[i].write(count > 1 ? bundle_names(second) : 0);
      head_valid = with_bit(head_valid, i, count != 0);
      second_valid = with_bit(second_valid, i, count > 1);
      quiet = with_bit(quiet, i, in_flight == 0);
      need_fetch = with_bit(need_fetch, i,
                            room && requests < kMostRequests && in_flight < kMostInFlight && !has_bit(stop_.read(), i));
    }
    head_valid_o.write(head_valid);
    second_valid_o.write(second_valid);
    quiet_o.write(quiet);
    need_fetch_o.write(need_fetch);
  }

  void show_fill() {
    std::uint64_t fill = 0;
    if (answer_valid_i.read()) {
      const std::uint32_t slot = answer_slot_i.read();
      const std::uint32_t warp = answer_warp_i.read();
      const std::uint32_t path = (NumSlots > 1 ? slot * NumWarps : 0) + warp;
      if (tag_o[path].read() == answer_tag_i.read()) fill = bit_of(path);
    }
    fill_o.write(fill);
  }

  void show_clear() {
    std::uint64_t warps = 0;
    if (flush0_valid_i.read()) warps |= bit_of(flush0_warp_i.read());
    if (flush2_valid_i.read()) warps |= bit_of(flush2_warp_i.read());
    if (flush1_valid_i.read()) warps |= bit_of(flush1_warp_i.read());
    std::uint64_t clear = drop_i.read();
    for (unsigned s = 0; s < NumSlots; ++s) clear |= warps << (s * NumWarps);
    if (redirect_valid_i.read() && !redirect_next_i.read()) {
      const std::uint32_t slot = redirect_slot_i.read();
      const std::uint32_t warp = redirect_warp_i.read();
      clear |= bit_of((NumSlots > 1 ? slot * NumWarps : 0) + warp);
    }
    clear_o.write(clear);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t depth_limit_;
  sc_core::sc_vector<sc_core::sc_signal<Mask<kInstrWidth + PayloadW>>> SC_NAMED(bundle_,
                                                                                kPaths* Depth);  // the head comes first
  sc_core::sc_vector<sc_core::sc_signal<Number<TagW>>> SC_NAMED(in_flight_, kPaths);
  sc_core::sc_signal<Mask<kPaths>> SC_NAMED(stop_);
};

}  // namespace heddle
