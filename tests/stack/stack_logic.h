// SPDX-License-Identifier: Apache-2.0
// The logic of a stack, which the front ends hold and its module does not: driven as they drive it, beside the module and the oracle.
#pragma once

#include <cstdint>
#include <sstream>

#include "stack/resolution.h"
#include "tests/common/bench.h"

namespace heddle::test {

// Watch: it knows its largest depth.
template <class Logic, unsigned Warps, bool Watch>
class StackLogic {
 public:
  void reset() { logic_.reset(); }
  [[nodiscard]] const Logic& logic() const { return logic_; }

  // One cycle. What acts in it says what the oracle says: `next`, push and overflow; then the state is that of the oracle.
  template <class Inputs, class Events, class Oracle>
  void step(const Inputs& in, const Events& events, bool next, const Oracle& oracle) {
    ++cycle_;
    const std::uint64_t poppable = logic_.poppable();
    if (in.launch) logic_.launch(in.launch->warp, in.launch->pc, in.launch->mask);
    if (in.advance) logic_.advance(in.advance->warp, slot(*in.advance));
    const TakenIn acts = logic_.taken_in();
    if (acts.valid) {
      const auto did = logic_.act(in.kill == acts.warp);
      expect("next", acts.warp, did.next, next);
      expect("push", acts.warp, did.push, events.push.has_value());
      expect("overflow", acts.warp, did.overflow, events.overflow.has_value());
    }
    if (in.resolve) logic_.take_in(in.resolve->warp, slot(*in.resolve), input(*in.resolve));
    const PopChoice popped = logic_.chosen();
    if (popped.valid) expect("done", popped.warp, logic_.pop(popped.warp), events.done.has_value());
    if (in.kill) logic_.kill(*in.kill);
    logic_.choose(poppable);
    compare(oracle);
  }

 private:
  template <class Event>
  static std::uint32_t slot(const Event& event) {
    if constexpr (Logic::kSlots == 2) {
      return event.slot;
    } else {
      return 0;
    }
  }

  template <class Entry>
  static auto path(const Entry& entry, unsigned slot) {
    if constexpr (Logic::kSlots == 2) {
      return entry.path.at(slot);
    } else {
      return entry;
    }
  }

  template <class Resolve>
  static ResolveInput input(const Resolve& resolve) {
    return {resolve.taken, resolve.exit, resolve.target, resolve.next, resolve.rpc, resolve.call, resolve.returns, mark(resolve, 0)};
  }
  // Oracles of stacks that ignore the mark have none.
  template <class Resolve>
  static auto mark(const Resolve& resolve, int) -> decltype(resolve.mark) {
    return resolve.mark;
  }
  template <class Resolve>
  static bool mark(const Resolve&, long) {
    return false;
  }

  template <class Oracle>
  void compare(const Oracle& oracle) const {
    for (WarpId w = 0; w < Warps; ++w) {
      const auto top = oracle.top(w);
      const bool runs = oracle.depth(w) != 0;
      expect("depth", w, logic_.depth(w), oracle.depth(w));
      expect("occupied", w, has_bit(logic_.occupied(), w), runs);
      for (unsigned slot = 0; slot < Logic::kSlots; ++slot) {
        const StackPath shown = logic_.path(w, slot);
        const auto path = StackLogic::path(top, slot);
        expect("mask", w, shown.mask, path.mask);
        expect("valid", w, has_bit(logic_.valid(slot), w), path.mask != 0);
        if (!runs) continue;
        expect("pc", w, shown.pc, path.pc);
        expect("level", w, shown.level, path.level);
        if constexpr (Logic::kSlots == 2) {
          expect("sibling", w, logic_.sibling(w, slot), top.path.at(1 - slot).mask != 0);
        } else {
          expect("sibling", w, logic_.sibling(w, slot), top.sibling);
        }
      }
      if (!runs) continue;
      expect("rpc", w, logic_.top(w).rpc, top.place.rpc());
      expect("rpc_level", w, logic_.top(w).rpc_level, top.place.level());
      expect("live", w, logic_.live(w), oracle.live(w));
    }
    const auto resolving = oracle.resolving();
    expect("taken in", resolving.value_or(0), logic_.taken_in().valid, resolving.has_value());
    if (resolving) expect("taken in", *resolving, logic_.taken_in().warp, *resolving);
    const auto popping = oracle.popping();
    expect("chosen", popping.value_or(0), logic_.chosen().valid, popping.has_value());
    if (popping) expect("chosen", *popping, logic_.chosen().warp, *popping);
    expect("max_depth", 0, logic_.max_depth(), Watch ? oracle.max_depth() : 0);
  }

  void expect(const char* what, WarpId warp, std::uint64_t shown, std::uint64_t expected) const {
    if (shown == expected) return;
    std::ostringstream text;
    text << "mismatch at cycle " << cycle_ << ": " << what << " of warp " << warp << std::hex << ": logic 0x" << shown << ", oracle 0x" << expected;
    throw Mismatch(text.str());
  }

  Logic logic_;
  std::uint64_t cycle_ = 0;
};

}  // namespace heddle::test
