// SPDX-License-Identifier: Apache-2.0
// turns_frontend without a clock, and as a SystemC module: the twin of turns_frontend.sv, which has the contract.
#pragma once

#include "core/frontend_form.h"

namespace turns {

// What follows from a resolution: the path goes on behind its instruction, or, after a divergence, elsewhere.
struct Resolved {
  bool next = false;
  bool push = false;
  bool overflow = false;  // never
};

// A thread's PC is in place[]; those of the path are at its PC.
struct Warp {
  std::uint64_t live = 0;
  std::uint64_t mask = 0;  // the path
  std::uint32_t pc = 0;
  unsigned turn = 0;    // the lane whose turn it is
  unsigned issued = 0;  // instructions of it
  bool others = false;  // there are other groups
};

template <unsigned NumWarps, unsigned Lanes>
class Table {
 public:
  static constexpr unsigned kSlots = 1;
  static constexpr heddle::StackConfig default_config() { return {1, 1, 8, 1}; }
  explicit Table(const heddle::StackConfig& config) : each_(config.order) {}

  void reset() { *this = Table({1, each_, 8, 1}); }

  // ---- what the front end tells, in the order in which it does within a cycle (core/stack_hooks.h)
  void advance(std::uint32_t w, std::uint32_t /*slot*/) {
    Warp& warp = warp_[w];
    warp.pc += 4;
    if (!warp.others) return;
    if (++warp.issued == each_) valid_ &= ~heddle::bit_of(w);
  }
  // The resolution of the cycle before acts. Where the warp is killed at the same edge nothing changes but the count.
  Resolved act(bool killed) {
    const heddle::TakenIn at = taken_in_;
    taken_in_.valid = false;
    Warp after = warp_[at.warp];
    std::uint32_t place[Lanes];
    for (unsigned l = 0; l < Lanes; ++l) {
      place[l] = !heddle::has_bit(after.mask, l)      ? place_[at.warp][l]
                 : heddle::has_bit(resolve_.taken, l) ? resolve_.target
                                                      : resolve_.next;
    }
    const std::uint64_t stayed = after.mask & ~resolve_.exit;
    const bool divides = (stayed & resolve_.taken) != 0 && (stayed & ~resolve_.taken) != 0;
    after.live &= ~resolve_.exit;
    choose_turn(after, place);
    Resolved resolved;
    resolved.next = after.live != 0 && after.pc == resolve_.next;
    resolved.push = divides && resolve_.target != resolve_.next && !resolved.next;
    if (!killed) {
      warp_[at.warp] = after;
      for (unsigned l = 0; l < Lanes; ++l) place_[at.warp][l] = place[l];
      valid_ = heddle::with_bit(valid_, at.warp, after.live != 0);
    }
    return resolved;
  }
  void take_in(std::uint32_t w, std::uint32_t slot, const heddle::ResolveInput& in) {
    taken_in_ = {true, w, slot};
    resolve_ = in;
    reads_ = true;
  }
  // Turns change, or the warp has ended: true.
  bool pop(std::uint32_t w) {
    Warp& warp = warp_[w];
    if (warp.live == 0) {
      occupied_ &= ~heddle::bit_of(w);
      return true;
    }
    for (unsigned l = 0; l < Lanes; ++l) {
      if (heddle::has_bit(warp.mask, l)) place_[w][l] = warp.pc;
    }
    choose_turn(warp, place_[w]);
    valid_ |= heddle::bit_of(w);
    return false;
  }
  // The path is at a barrier, and others are not.
  void stand_aside(std::uint32_t w) { valid_ &= ~heddle::bit_of(w); }
  void launch(std::uint32_t w, std::uint32_t pc, std::uint64_t mask) {
    warp_[w] = {mask, mask, pc};
    valid_ |= heddle::bit_of(w);
    occupied_ |= heddle::bit_of(w);
    max_depth_ = 1;
  }
  void kill(std::uint32_t w) {
    valid_ &= ~heddle::bit_of(w);
    occupied_ &= ~heddle::bit_of(w);
    warp_[w].others = false;
    if (taken_in_.warp == w) taken_in_.valid = false;
  }
  // Who is popped at the next edge: of those that poppable() named before this one, the lowest that is still there.
  void choose(std::uint64_t poppable) {
    const std::uint64_t candidates = reads_ ? 0 : poppable & occupied_;
    chosen_ = {candidates != 0, candidates != 0 ? heddle::lowest_bit(candidates) : 0};
    reads_ = false;
  }
  std::uint64_t poppable() const { return occupied_ & ~valid_ & ~(chosen_.valid ? heddle::bit_of(chosen_.warp) : 0); }

  // ---- what is seen
  heddle::TakenIn taken_in() const { return taken_in_; }
  heddle::PopChoice chosen() const { return chosen_; }
  std::uint64_t live(std::uint32_t w) const { return warp_[w].live; }
  std::uint32_t depth(std::uint32_t w) const { return heddle::has_bit(occupied_, w) ? 1 : 0; }
  heddle::StackPath path(std::uint32_t w, std::uint32_t /*slot*/) const {
    return {heddle::has_bit(valid_, w) ? warp_[w].mask : 0, warp_[w].pc, 0};
  }
  bool sibling(std::uint32_t w, std::uint32_t /*slot*/) const { return warp_[w].others; }
  std::uint64_t valid(std::uint32_t /*slot*/) const { return valid_; }
  std::uint64_t occupied() const { return occupied_; }
  std::uint32_t max_depth() const { return max_depth_; }
  const Warp& warp(std::uint32_t w) const { return warp_[w]; }
  std::uint32_t place(std::uint32_t w, unsigned lane) const { return place_[w][lane]; }
  std::uint64_t others() const {  // bit a warp
    std::uint64_t warps = 0;
    for (unsigned w = 0; w < NumWarps; ++w) warps |= warp_[w].others ? heddle::bit_of(w) : 0;
    return warps & valid_;
  }
  std::uint32_t changes() const { return changes_; }

 private:
  void choose_turn(Warp& warp, const std::uint32_t* place) {
    const std::uint64_t others = warp.live & ~warp.mask, may = others != 0 ? others : warp.live;
    changes_ += others != 0 ? 1 : 0;
    warp.mask = 0;
    warp.issued = 0;
    warp.others = false;
    if (may == 0) return;
    do warp.turn = (warp.turn + 1) % Lanes;
    while (!heddle::has_bit(may, warp.turn));
    warp.pc = place[warp.turn];
    for (unsigned l = 0; l < Lanes; ++l) {
      if (heddle::has_bit(warp.live, l) && place[l] == warp.pc) warp.mask |= heddle::bit_of(l);
    }
    warp.others = warp.mask != warp.live;
  }

  std::uint32_t each_;  // instructions of a turn
  Warp warp_[NumWarps];
  std::uint32_t place_[NumWarps][Lanes] = {};
  std::uint64_t valid_ = 0, occupied_ = 0;  // bit a warp: it has a path; it has threads
  std::uint32_t max_depth_ = 0, changes_ = 0;
  heddle::TakenIn taken_in_;
  heddle::ResolveInput resolve_;
  heddle::PopChoice chosen_;
  bool reads_ = false;  // of this cycle: a resolution was taken in
};

// A barrier is for all threads of a warp: whoever comes to one gives its turn away while there are others.
template <unsigned NumWarps, unsigned Lanes>
class Hooks : public heddle::StackHooks<Table<NumWarps, Lanes>, NumWarps, Lanes> {
 public:
  using Base = heddle::StackHooks<Table<NumWarps, Lanes>, NumWarps, Lanes>;
  using Base::Base;
  template <class Front>
  void look(const Front& front) {
    aside_ = 0;
    const std::uint64_t may =
        this->stack_.others() & front.ibuffer().head_valid(0) & ~front.pending() & ~front.at_barrier();
    for (unsigned w = 0; w < NumWarps; ++w) {
      if (heddle::has_bit(may, w) && heddle::bundle_barrier(front.ibuffer().head(w, 0))) aside_ |= heddle::bit_of(w);
    }
  }
  std::uint64_t stops(std::uint32_t /*slot*/) const { return aside_; }
  template <class Front>
  void end(Front&, const heddle::NoOwnInput&, std::uint64_t /*killed*/) {
    for (std::uint64_t left = aside_; left != 0; left &= left - 1) this->stack_.stand_aside(heddle::lowest_bit(left));
  }
  bool moves() const { return Base::moves() || aside_ != 0; }

 private:
  std::uint64_t aside_ = 0;  // of this cycle
};

template <unsigned NumWarps, unsigned Lanes, unsigned SbEntries, unsigned IbufDepth>
using Logic =
    heddle::FrontendLogic<Hooks<NumWarps, Lanes>,
                          heddle::ScoreboardOf<heddle::kScoreboardSpe, NumWarps, Lanes, 1, SbEntries, 0>,
                          heddle::SelectorOf<heddle::kSelectorTwoLevel, NumWarps, 1, heddle::kPolicyRoundRobin>,
                          SbEntries, heddle::kPolicyRoundRobin, IbufDepth, /*Predicate*/ 0>;

template <unsigned NumWarps, unsigned Lanes, unsigned SbEntries, unsigned IbufDepth>
class turns_frontend : public heddle::FrontendProcess<turns_frontend<NumWarps, Lanes, SbEntries, IbufDepth>,
                                                      heddle::FrontendPorts<NumWarps, Lanes, 1, 2, 3, 0>,
                                                      Logic<NumWarps, Lanes, SbEntries, IbufDepth>> {
 public:
  using Base = heddle::FrontendProcess<turns_frontend, heddle::FrontendPorts<NumWarps, Lanes, 1, 2, 3, 0>,
                                       turns::Logic<NumWarps, Lanes, SbEntries, IbufDepth>>;
  sc_core::sc_out<std::uint32_t> SC_NAMED(own_count_o);
  turns_frontend(sc_core::sc_module_name name, const heddle::FrontendConfig& config) : Base(name, config) {}
  void reset_own() { own_count_o.write(0); }
  void write_own() { own_count_o.write(this->logic_.stack().changes()); }
};

}  // namespace turns
