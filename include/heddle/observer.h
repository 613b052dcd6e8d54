// SPDX-License-Identifier: Apache-2.0
// Events of a run, for those who watch: the oracle, the timeline, traces. The core calls them in the order of its own
// functional execution; an observer must not change the machine. Pointers are valid during the call only.
#pragma once

#include <cstddef>
#include <cstdint>

#include "heddle/types.h"

namespace heddle {

struct Instruction;
struct Launch;
class AddressSpace;
class FrontendView;

// The values of a register, one a lane, of 32 or of 64 bits as the program has them; or none.
class LaneView {
 public:
  LaneView(std::nullptr_t = nullptr) {}
  LaneView(const std::uint32_t* values) : narrow_(values) {}
  LaneView(const std::uint64_t* values) : wide_(values) {}

  [[nodiscard]] std::uint64_t operator[](unsigned lane) const { return wide_ != nullptr ? wide_[lane] : narrow_[lane]; }
  // The array itself, for who knows the width of the program: std::uint32_t or std::uint64_t.
  template <typename Word>
  [[nodiscard]] const Word* as() const {
    if constexpr (sizeof(Word) == sizeof(std::uint64_t)) return wide_;
    else return narrow_;
  }
  [[nodiscard]] explicit operator bool() const { return narrow_ != nullptr || wide_ != nullptr; }

 private:
  const std::uint32_t* narrow_ = nullptr;
  const std::uint64_t* wide_ = nullptr;
};

// One warp instruction, executed functionally: all of it is known, whatever time its write-back takes.
struct CommitEvent {
  Cycle cycle = 0;
  WarpId warp = 0;    // core-wide warp slot
  unsigned slot = 0;  // path: 0 left, 1 right
  Pc pc = 0;
  LaneMask mask = 0;  // threads that execute it (an indirect jump: only those that leave now)
  const Instruction* instruction = nullptr;
  LaneView result;                   // if a register is written (rd, or a0 of a write call); else none
  const Address* address = nullptr;  // per lane, loads, stores and atomics; else nullptr
  LaneMask taken = 0;                // threads of mask that continue at target; the others continue at pc + 4
  Pc target = 0;
  LaneMask exited = 0;  // threads of mask that end
};

class Observer {
 public:
  virtual ~Observer() = default;

  // memory: the functional memory of the device as the first instruction finds it.
  virtual void launch_begin(const Launch& /*launch*/, const AddressSpace& /*memory*/) {}
  // block: linear number in the grid.
  virtual void block_begin(Cycle, unsigned /*block_slot*/, std::uint64_t /*block*/) {}
  // warp_in_block: threads warp_in_block * lanes + lane of the block; threads: lanes that have one.
  virtual void warp_begin(Cycle, WarpId, unsigned /*block_slot*/, std::uint32_t /*warp_in_block*/,
                          LaneMask /*threads*/) {}
  virtual void commit(const CommitEvent&) {}
  // The machine is about to stop because of what these threads do at `pc`: a fault of thread `lane`, which has not
  // executed the instruction, or (lane negative) one that concerns all of them. An observer that knows that they should
  // not be there, or not fault, throws what it knows.
  virtual void stopping(Cycle, WarpId, Pc, LaneMask /*mask*/, int /*lane*/) {}
  // Cores that form their warps in each cycle: one issued; its commits follow. Thread tids[l] of the core (static warp
  // tids[l] / lanes, lane tids[l] % lanes of it) runs in lane l of mask. Warps of several PCs in one cycle (mimd) come
  // one by one.
  virtual void formed_warp(Cycle, Pc, LaneMask /*mask*/, const std::uint16_t* /*tids*/) {}
  // Reconvergence stack: an entry was pushed (a divergence) or popped (a reconvergence, or the end of the warp).
  virtual void push(Cycle, WarpId) {}
  virtual void pop(Cycle, WarpId) {}
  // After either: the entries as they stand now, those of warp `local` of `view` (core/frontend_state.h).
  virtual void stack_changed(Cycle, WarpId, const FrontendView& /*view*/, unsigned /*local*/) {}
  // All threads of the block wait, or have ended: the waiting ones continue.
  virtual void barrier_release(Cycle, unsigned /*block_slot*/) {}
  virtual void warp_end(Cycle, WarpId) {}
  virtual void block_end(Cycle, unsigned /*block_slot*/) {}
  virtual void launch_end(Cycle, const AddressSpace& /*memory*/) {}
};

}  // namespace heddle
