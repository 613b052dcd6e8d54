// SPDX-License-Identifier: Apache-2.0
// The logic of a stack, which the front ends hold and its module does not: driven as they drive it, beside the module
// and the oracle.
#pragma once

#include <cstdint>
#include <sstream>
#include <type_traits>

#include "stack/dpe_forward_logic.h"
#include "stack/dpe_split_logic.h"
#include "stack/resolution.h"
#include "stack/software_stack.h"
#include "tests/common/bench.h"

namespace heddle::test {

// Stacks that forward paths (dpe_forward_stack).
template <class Logic, class = void>
inline constexpr bool kForwards = false;
template <class Logic>
inline constexpr bool kForwards<Logic, std::void_t<decltype(Logic::kForward)>> = Logic::kForward;

// Stacks that split paths (dpe_split_stack).
template <class Logic, class = void>
inline constexpr bool kSplitsPaths = false;
template <class Logic>
inline constexpr bool kSplitsPaths<Logic, std::void_t<decltype(Logic::kSplit)>> = Logic::kSplit;

// Stacks whose rows are in memory (software_stack).
template <class Logic, class = void>
inline constexpr bool kRowsInMemory = false;
template <class Logic>
inline constexpr bool kRowsInMemory<Logic, std::void_t<decltype(Logic::kRowsInMemory)>> = Logic::kRowsInMemory;

// Watch: it knows its largest depth.
template <class Logic, unsigned Warps, bool Watch>
class StackLogic {
 public:
  void reset() { logic_.reset(); }
  [[nodiscard]] const Logic& logic() const { return logic_; }

  // One cycle. What acts in it says what the oracle says: `next`, push and overflow; then the state is that of the
  // oracle.
  template <class Inputs, class Events, class Oracle>
  void step(const Inputs& in, const Events& events, bool next, const Oracle& oracle) {
    ++cycle_;
    std::uint64_t poppable = 0, forwardable = 0;
    if constexpr (kForwards<Logic>) {
      std::uint64_t hold = 0;
      for (const WarpId w : in.hold) hold |= bit_of(w);
      poppable = logic_.poppable(hold);
      forwardable = logic_.forwardable(hold);
    } else {
      poppable = logic_.poppable();
    }
    const auto parts = parts_input(in);
    std::uint64_t meetable = 0;
    if constexpr (kSplitsPaths<Logic>) {
      meetable = logic_.meetable(parts);
      if (in.kill) meetable &= ~bit_of(*in.kill);
      logic_.end_waits(parts);
      const PopChoice meets = logic_.meet_chosen();
      if (meets.valid) logic_.meet(in.kill == meets.warp);
    }
    bool stays = false;
    if constexpr (kRowsInMemory<Logic>) {
      logic_.forget_saved();
      stays = logic_.stays(in.fill.has_value(), in.load_ready) && !(in.kill == logic_.chosen().warp);
    }
    if (in.launch) logic_.launch(in.launch->warp, in.launch->pc, in.launch->mask);
    if (in.advance) advance(in, parts);
    const TakenIn acts = logic_.taken_in();
    if (acts.valid) {
      const auto did = act(in.kill == acts.warp, parts);
      expect("next", acts.warp, did.next, next);
      expect("push", acts.warp, did.push, events.push.has_value());
      expect("overflow", acts.warp, did.overflow, events.overflow.has_value());
    }
    if (in.resolve) logic_.take_in(in.resolve->warp, slot(*in.resolve), input(*in.resolve));
    pop(in, events);
    if constexpr (kForwards<Logic>) {
      const PopChoice forwarded = logic_.forward_chosen();
      if (forwarded.valid) logic_.forward(in.kill == forwarded.warp);
    }
    if constexpr (kSplitsPaths<Logic>) {
      if (in.split) logic_.split(in.split->warp, in.split->slot, in.split->mask);
    }
    if (in.kill) logic_.kill(*in.kill);
    if constexpr (kSplitsPaths<Logic>) logic_.choose_meet(meetable);
    if constexpr (kForwards<Logic>) {
      logic_.choose(poppable, forwardable);
    } else {
      if (!stays) logic_.choose(poppable);
    }
    compare(oracle);
    if constexpr (kForwards<Logic>) compare_guests(oracle);
    if constexpr (kSplitsPaths<Logic>) compare_parts(oracle, in, parts);
    if constexpr (kRowsInMemory<Logic>) compare_rows(oracle);
  }

 private:
  struct NoParts {};
  // Of two slots, parts: who may be joined and who stands at a barrier.
  template <class Inputs>
  static auto parts_input(const Inputs& in) {
    if constexpr (kSplitsPaths<Logic>) {
      DpePartsInput parts;
      for (const unsigned slot : {0, 1}) {
        for (WarpId w = 0; w < Warps; ++w) {
          if (in.apart.count({w, slot}) == 0) parts.merge[slot] |= bit_of(w);
          if (in.stopped.count({w, slot}) != 0) parts.stopped[slot] |= bit_of(w);
        }
      }
      return parts;
    } else {
      return NoParts();
    }
  }
  template <class Inputs, class Parts>
  void advance(const Inputs& in, const Parts& parts) {
    if constexpr (kSplitsPaths<Logic>) {
      if (in.kill == in.advance->warp) return;  // it is not granted then, and counts joins
      logic_.advance(in.advance->warp, in.advance->slot, has_bit(parts.merge[1 - in.advance->slot], in.advance->warp));
    } else {
      logic_.advance(in.advance->warp, slot(*in.advance));
    }
  }
  template <class Parts>
  auto act(bool killed, const Parts& parts) {
    if constexpr (kSplitsPaths<Logic>) {
      DpePart part;
      return logic_.act(killed, parts, part);
    } else {
      return logic_.act(killed);
    }
  }
  template <class Inputs, class Events>
  void pop(const Inputs& in, const Events& events) {
    const PopChoice chosen = logic_.chosen();
    if constexpr (kRowsInMemory<Logic>) {
      expect("done", chosen.warp, logic_.ends(in.fill.has_value()), events.done.has_value());
      logic_.serve_chosen(in.fill.has_value(), in.load_ready);
      if (in.fill) {
        const auto& [left, right] = in.fill->row.path;
        logic_.fill(in.fill->warp, {left.mask, right.mask, left.pc, right.pc});
      }
    } else if (chosen.valid) {
      expect("done", chosen.warp, logic_.pop(chosen.warp), events.done.has_value());
    }
  }
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
    return {resolve.taken, resolve.exit, resolve.target,  resolve.next,
            resolve.rpc,   resolve.call, resolve.returns, kind(resolve, 0)};
  }
  // Oracles of stacks that read no kind have none.
  template <class Resolve>
  static auto kind(const Resolve& resolve, int) -> decltype(resolve.kind) {
    return resolve.kind;
  }
  template <class Resolve>
  static std::uint32_t kind(const Resolve&, long) {
    return kMarkNone;
  }

  // Of two slots, path forwarding.
  template <class Oracle>
  void compare_guests(const Oracle& oracle) const {
    for (WarpId w = 0; w < Warps; ++w) {
      if (oracle.depth(w) == 0) continue;
      const auto top = oracle.top(w);
      const auto shown = logic_.guest(w);
      const bool here = top.path[0].guest || top.path[1].guest;
      expect("offer", w, shown.offer, top.offer.has_value());
      expect("slot of the offer", w, shown.slot, top.offer.value_or(0));
      expect("guest is here", w, shown.here, here);
      expect("guest is gone", w, shown.gone, top.handed && !here);
    }
    const auto forwarding = oracle.forwarding();
    expect("to forward", forwarding.value_or(0), logic_.forward_chosen().valid, forwarding.has_value());
    if (forwarding) expect("to forward", *forwarding, logic_.forward_chosen().warp, *forwarding);
    expect("forwards", 0, logic_.forwards(), Watch ? oracle.forwards() : 0);
  }

  template <class Oracle, class Inputs>
  void compare_parts(const Oracle& oracle, const Inputs& in, const DpePartsInput& parts) const {
    for (WarpId w = 0; w < Warps; ++w) {
      expect("parts", w, has_bit(logic_.parts(), w), oracle.top(w).parts);
      for (const unsigned slot : {0, 1})
        expect("wait", w, has_bit(logic_.waiting(slot, parts), w), oracle.waits(w, slot, in.stopped));
    }
    const auto meeting = oracle.meeting();
    expect("to meet", meeting.value_or(0), logic_.meet_chosen().valid, meeting.has_value());
    if (meeting) expect("to meet", *meeting, logic_.meet_chosen().warp, *meeting);
    expect("splits", 0, logic_.splits(), Watch ? oracle.splits() : 0);
    expect("merges", 0, logic_.merges(), Watch ? oracle.merges() : 0);
  }

  template <class Oracle>
  void compare_rows(const Oracle& oracle) const {
    for (WarpId w = 0; w < Warps; ++w) expect("loading", w, has_bit(logic_.loading(), w), oracle.loading(w));
    const auto load = oracle.load();
    expect("load", load ? load->warp : 0, logic_.load().valid, load.has_value());
    if (load) {
      expect("warp of the load", load->warp, logic_.load().warp, load->warp);
      expect("row of the load", load->warp, logic_.load().row, load->row);
    }
    const auto& save = oracle.save();
    expect("save", save.warp, logic_.save().valid, save.valid);
    if (!save.valid) return;
    expect("warp of the save", save.warp, logic_.save().warp, save.warp);
    expect("row of the save", save.warp, logic_.save().row, save.row);
    const SoftwarePaths row = logic_.saved_row();
    const auto& [left, right] = save.paths.path;
    expect("saved pc, left", save.warp, row.pc_l, left.pc);
    expect("saved pc, right", save.warp, row.pc_r, right.pc);
    expect("saved mask, left", save.warp, row.mask_l, left.mask);
    expect("saved mask, right", save.warp, row.mask_r, right.mask);
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
        if constexpr (!kRowsInMemory<Logic>) expect("level", w, shown.level, path.level);
        if constexpr (Logic::kSlots == 2) {
          expect("sibling", w, logic_.sibling(w, slot), top.path.at(1 - slot).mask != 0);
        } else {
          expect("sibling", w, logic_.sibling(w, slot), top.sibling);
        }
      }
      if (!runs) continue;
      if constexpr (!kRowsInMemory<Logic>) {
        expect("rpc", w, logic_.top(w).rpc, top.place.rpc());
        expect("rpc_level", w, logic_.top(w).rpc_level, top.place.level());
      }
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
    text << "mismatch at cycle " << cycle_ << ": " << what << " of warp " << warp << std::hex << ": logic 0x" << shown
         << ", oracle 0x" << expected;
    throw Mismatch(text.str());
  }

  Logic logic_;
  std::uint64_t cycle_ = 0;
};

}  // namespace heddle::test
