// SPDX-License-Identifier: Apache-2.0
// warp_allocator: free list of the warp pool. Contract: docs/dwf.md, dwf/warp_allocator; same pins as
// rtl/dwf/warp_allocator.sv.
//
// The ring has no reset: a place that was never written stands for its own number, and the read pointer meets each such
// place once. WarpAllocatorLogic is the list without a clock, for the scheduler. The module below keeps the same state
// in its signals.
#pragma once

#include "common/types.h"

namespace heddle {

template <unsigned Threads = 256>
class WarpAllocatorLogic {
  static_assert(Threads >= 2 && Threads <= 65536, "warp_allocator: 2 to 65536 pool entries");

 public:
  // `threads`: entries in use, 2 to Threads.
  explicit WarpAllocatorLogic(std::uint32_t threads = Threads) : threads_(threads) {
    HEDDLE_EXPECT(threads >= 2 && threads <= Threads);
    reset();
  }

  [[nodiscard]] static constexpr unsigned state_bits() {
    return Threads * index_width(Threads) + 2 * index_width(Threads) + index_width(Threads + 1) + 1;
  }

  void reset() {
    wrapped_ = false;
    read_ = 0;
    write_ = 0;
    free_ = threads_;
  }

  [[nodiscard]] std::uint32_t free() const { return free_; }
  // The next free index, and the one after it; 0 if there is none.
  [[nodiscard]] std::uint32_t offer0() const { return free_ >= 1 ? at(read_, wrapped_) : 0u; }
  [[nodiscard]] std::uint32_t offer1() const {
    return free_ >= 2 ? at(after(read_), wrapped_ || after(read_) == 0) : 0u;
  }

#ifndef HEDDLE_SYNTHESIS
  // Free index `i` of those that are offered one after another.
  [[nodiscard]] std::uint32_t offer(std::uint32_t i) const {
    const std::uint32_t place = read_ + i;
    return place < threads_ ? at(place, wrapped_) : ring_[place - threads_];
  }
#endif

  void take() {
    HEDDLE_EXPECT(free_ != 0);
    read_ = after(read_);
    wrapped_ = wrapped_ || read_ == 0;
    --free_;
  }
  // After all takes of the cycle.
  void release(std::uint32_t index) {
    HEDDLE_EXPECT(free_ < threads_);
    ring_[write_] = static_cast<std::uint16_t>(index);
    write_ = after(write_);
    ++free_;
  }

 private:
  [[nodiscard]] std::uint32_t at(std::uint32_t place, bool written) const { return written ? ring_[place] : place; }
  [[nodiscard]] std::uint32_t after(std::uint32_t place) const { return place + 1 == threads_ ? 0 : place + 1; }

  const std::uint32_t threads_;
  std::uint16_t ring_[Threads] = {};
  bool wrapped_ = false;  // the read pointer was at the end of the ring
  std::uint32_t read_ = 0;
  std::uint32_t write_ = 0;
  std::uint32_t free_ = 0;
};

template <unsigned Threads = 256>
class warp_allocator : public sc_core::sc_module {
  static constexpr unsigned kIdxW = index_width(Threads);

 public:
  using Logic = WarpAllocatorLogic<Threads>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_out<Number<kIdxW>> SC_NAMED(offer0_o);
  sc_core::sc_out<Number<kIdxW>> SC_NAMED(offer1_o);
  sc_core::sc_out<Number<index_width(Threads + 1)>> SC_NAMED(free_o);
  sc_core::sc_in<Number<2>> SC_NAMED(take_i);
  sc_core::sc_in<bool> SC_NAMED(release_valid_i);
  sc_core::sc_in<Number<kIdxW>> SC_NAMED(release_idx_i);

  SC_HAS_PROCESS(warp_allocator);
  explicit warp_allocator(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(offer);
    sensitive << free_o << wrapped_ << read_;
    for (unsigned i = 0; i < Threads; ++i) sensitive << ring_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned i = 0; i < Threads; ++i) ring_[i].write(0);
    wrapped_.write(false);
    read_.write(0);
    write_.write(0);
    free_o.write(Threads);
  }

  void step() {
    const std::uint32_t takes = take_i.read();
    const std::uint32_t releases = release_valid_i.read() ? 1 : 0;
    const std::uint32_t free = free_o.read();
    HEDDLE_EXPECT(takes <= 2 && takes <= free && free - takes + releases <= Threads);
    const std::uint32_t behind1 = after(read_.read());
    const std::uint32_t behind2 = after(behind1);
    if (takes == 1) read_.write(behind1);
    if (takes == 2) read_.write(behind2);
    if ((takes != 0 && behind1 == 0) || (takes == 2 && behind2 == 0)) wrapped_.write(true);
    if (releases != 0) {
      ring_[write_.read()].write(release_idx_i.read());
      write_.write(after(write_.read()));
    }
    free_o.write(free - takes + releases);
  }

  void offer() {
    const std::uint32_t free = free_o.read();
    const std::uint32_t read = read_.read();
    const std::uint32_t behind = after(read);
    offer0_o.write(free >= 1 ? at(read, wrapped_.read()) : 0);
    offer1_o.write(free >= 2 ? at(behind, wrapped_.read() || behind == 0) : 0);
  }

  [[nodiscard]] std::uint32_t at(std::uint32_t place, bool written) const {
    std::uint32_t index = place;
    if (written) index = ring_[place].read();
    return index;
  }
  [[nodiscard]] static std::uint32_t after(std::uint32_t place) { return place + 1 == Threads ? 0 : place + 1; }

  HEDDLE_CLOCKED_BODY()

  sc_core::sc_vector<sc_core::sc_signal<Number<kIdxW>>> SC_NAMED(ring_, Threads);
  sc_core::sc_signal<bool> SC_NAMED(wrapped_);  // the read pointer was at the end of the ring
  sc_core::sc_signal<Number<kIdxW>> SC_NAMED(read_);
  sc_core::sc_signal<Number<kIdxW>> SC_NAMED(write_);
};

}  // namespace heddle
