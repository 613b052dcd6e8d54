// SPDX-License-Identifier: Apache-2.0
// What a stack does in a front end beside the calls that all stacks have: hooks of FrontendLogic, resolved when the
// front end is compiled. StackHooks is a stack that has no such thing; a mechanism derives its own from it, in its own
// file, and hides what is different. The front end calls them in the order in which they stand here. They see it as
// `front`: its state by the accessors, and ask(), drop() to say whose threads changed and whose queue is to be emptied.
#pragma once

#include "select/warp_selector.h"
#include "stack/resolution.h"

namespace heddle {

// Pins of a front end that only a mechanism has: none. `says_nothing`: no valid is set.
struct NoOwnInput {
  [[nodiscard]] static bool says_nothing() { return true; }
};

template <class OfStack, unsigned NumWarps, unsigned Lanes, class OfOwnInput = NoOwnInput>
class StackHooks {
 public:
  using Stack = OfStack;
  using OwnInput = OfOwnInput;
  static constexpr unsigned kWarps = NumWarps;
  static constexpr unsigned kLanes = Lanes;
  static constexpr unsigned kSlots = OfStack::kSlots;
  static constexpr unsigned kPathBarriers = 0;  // 1: paths come to a barrier one by one
  static constexpr bool kKeepsQueues = false;   // a pop keeps the queues of its warp
  static constexpr bool kNarrowsSlots = false;  // a configuration may have fewer slots
  static constexpr bool kNeedsRoom = false;     // a resolution waits for room

  explicit StackHooks(const StackConfig& config) : stack_(config) {}

  void reset() {
    stack_.reset();
    poppable_ = 0;
  }

  // Above these no slot has a path. Slots with a path of the warp; those whose queues a push or a pop of the slot
  // empties; bit a slot.
  [[nodiscard]] static constexpr unsigned slots_in_use() { return kSlots; }
  [[nodiscard]] static constexpr std::uint64_t slots_of(std::uint32_t /*warp*/) { return low_bits(kSlots); }
  [[nodiscard]] static constexpr std::uint64_t emptied(std::uint32_t /*slot*/) { return low_bits(kSlots); }

  // Decisions, on the state before the edge. First of all; then by slot, bit a warp: paths that wait at their branch,
  // and that are stopped at a barrier.
  template <class Front>
  void look(const Front& /*front*/) {}
  [[nodiscard]] static constexpr std::uint64_t waits(std::uint32_t /*slot*/) { return 0; }
  [[nodiscard]] static constexpr std::uint64_t stops(std::uint32_t /*slot*/) { return 0; }
  // With the path that issues; the warp that is popped at the edge.
  template <class Front>
  [[nodiscard]] PopChoice decide(const Front& /*front*/, const OwnInput& /*in*/, const PathGrant& /*grant*/,
                                 std::uint64_t /*killed*/) {
    poppable_ = stack_.poppable();
    return stack_.chosen();
  }

  // The edge: first; the path that is granted goes on; the resolution that was taken in acts, `grown`: other paths with
  // more threads now, bit a slot.
  template <class Front>
  void begin(Front& /*front*/, std::uint64_t /*killed*/) {}
  template <class Front>
  void advance(Front& /*front*/, const PathGrant& grant) {
    stack_.advance(grant.warp, grant.slot);
  }
  template <class Front>
  auto act(const Front& /*front*/, bool killed, std::uint64_t& /*grown*/) {
    return stack_.act(killed);
  }
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) { stack_.take_in(warp, slot, in); }
  // Returns true if the popped warp has ended.
  bool pop(const PopChoice& popped, const OwnInput& /*in*/) { return popped.valid && stack_.pop(popped.warp); }
  // Before launch and kill; last: who is popped at the next edge.
  template <class Front>
  void end(Front& /*front*/, const OwnInput& /*in*/, std::uint64_t /*killed*/) {}
  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) { stack_.launch(warp, pc, mask); }
  void kill(std::uint32_t warp) { stack_.kill(warp); }
  void choose() { stack_.choose(poppable_); }

  // A register holds what acts at the next edge by itself.
  [[nodiscard]] bool moves() const { return stack_.taken_in().valid || stack_.chosen().valid; }

  [[nodiscard]] const Stack& stack() const { return stack_; }

 protected:
  Stack stack_;
  std::uint64_t poppable_ = 0;  // of this cycle
};

// A stack whose paths end by themselves: what such a path left in its queue is dropped in the next cycle.
template <class OfStack, unsigned NumWarps, unsigned Lanes, class OfOwnInput = NoOwnInput>
class EndingStackHooks : public StackHooks<OfStack, NumWarps, Lanes, OfOwnInput> {
 public:
  using Base = StackHooks<OfStack, NumWarps, Lanes, OfOwnInput>;
  using Base::Base;

  void reset() {
    Base::reset();
    ended_ = PathGrant();
    dropped_ = PathGrant();
  }
  template <class Front>
  void begin(Front& /*front*/, std::uint64_t /*killed*/) {
    dropped_ = ended_;
    ended_.valid = false;
  }
  template <class Front>
  void end(Front& front, const OfOwnInput& /*in*/, std::uint64_t /*killed*/) {
    drop_ended(front);
  }
  [[nodiscard]] bool moves() const { return Base::moves() || ended_.valid; }

 protected:
  // After its advance: the path is not there any more.
  void note_end(const PathGrant& path) {
    if (!has_bit(this->stack_.valid(path.slot), path.warp)) ended_ = path;
  }
  template <class Front>
  void drop_ended(Front& front) {
    if (dropped_.valid) front.drop(dropped_.warp, dropped_.slot);
  }

 private:
  PathGrant ended_;    // derived: at the last edge
  PathGrant dropped_;  // of this cycle
};

}  // namespace heddle
