// SPDX-License-Identifier: Apache-2.0
// min_pc_table: the path of a warp is its threads at the lowest place. Contract: docs/frontend.md, minpc/min_pc_table;
// same pins as rtl/minpc/min_pc_table.sv.
//
// MinPcTableLogic is the machine without a clock, which the front ends hold. The module below holds its state once, in
// pins and signals.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"

namespace heddle {

// Where a thread is. The deepest level comes first, and of one level the lowest PC; who stands aside comes last.
struct MinPcPlace {
  std::uint32_t pc = 0;
  std::uint32_t level = 0;
  bool aside = false;
};
[[nodiscard]] constexpr bool is_at(const MinPcPlace& a, const MinPcPlace& b) {
  return a.pc == b.pc && a.level == b.level && a.aside == b.aside;
}
[[nodiscard]] constexpr bool comes_before(const MinPcPlace& a, const MinPcPlace& b) {
  const bool earlier = a.level != b.level ? a.level > b.level : a.pc < b.pc;
  return a.aside != b.aside ? b.aside : earlier;
}

// The path of a warp: its threads, where they are, and where the next threads wait, if any do.
struct MinPcPath {
  std::uint64_t mask = 0;
  std::uint32_t pc = 0;
  std::uint32_t level = 0;
  bool aside = false;
  bool waiting = false;
  std::uint32_t wait_pc = 0;
  std::uint32_t wait_level = 0;
  bool wait_aside = false;
};
inline void read_place(const MinPcPath& path, MinPcPlace& place) {
  place.pc = path.pc;
  place.level = path.level;
  place.aside = path.aside;
}

// A path without threads stays where it was.
inline void stay_at(const MinPcPath& old, MinPcPath& path) {
  path.pc = old.pc;
  path.level = old.level;
  path.aside = old.aside;
}

// One more thread: it is of the path if it stands as low as that, or lower.
inline void min_pc_add(MinPcPath& path, std::uint32_t lane, const MinPcPlace& at) {
  MinPcPlace place;
  read_place(path, place);
  MinPcPlace wait;
  wait.pc = path.wait_pc;
  wait.level = path.wait_level;
  wait.aside = path.wait_aside;
  if (path.mask == 0 || comes_before(at, place)) {
    path.waiting = path.mask != 0;
    path.wait_pc = path.pc;
    path.wait_level = path.level;
    path.wait_aside = path.aside;
    path.pc = at.pc;
    path.level = at.level;
    path.aside = at.aside;
    path.mask = bit_of(lane);
  } else if (is_at(at, place)) {
    path.mask |= bit_of(lane);
  } else if (!path.waiting || comes_before(at, wait)) {
    path.waiting = true;
    path.wait_pc = at.pc;
    path.wait_level = at.level;
    path.wait_aside = at.aside;
  }
}

// The path comes to where others wait by one more instruction.
[[nodiscard]] constexpr bool min_pc_arrives(const MinPcPath& path, std::uint32_t step) {
  return path.waiting && !path.wait_aside && path.level == path.wait_level && path.pc + step == path.wait_pc;
}

// What follows from a resolution: the path goes on behind its instruction, or, after a divergence, elsewhere.
struct MinPcResolved {
  bool next = false;
  bool push = false;
  bool overflow = false;  // never
};

// The sides of the instruction that resolves.
struct MinPcSides {
  std::uint64_t taken = 0;
  std::uint64_t stay = 0;
  std::uint64_t exit = 0;
  std::uint32_t target = 0;
  std::uint32_t target_level = 0;
  std::uint32_t next = 0;
  std::uint32_t level = 0;
  bool divergent = false;
};
inline void find_sides(const ResolveInput& in, std::uint64_t mask, std::uint32_t level, std::uint32_t levels,
                       MinPcSides& sides) {
  sides.taken = in.taken & mask & ~in.exit;
  sides.stay = mask & ~in.taken & ~in.exit;
  sides.exit = in.exit;
  sides.target = in.target;
  sides.target_level = target_level(level, in, levels);
  sides.next = in.next;
  sides.level = level;
  sides.divergent = sides.taken != 0 && sides.stay != 0 && in.target != in.next;
}

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned LevelW = 8, unsigned Watch = 1, unsigned PcStep = 4>
class MinPcTableLogic {
  static_assert(NumWarps >= 1 && NumWarps <= 64, "min_pc_table: 1 to 64 warps");
  static_assert(Lanes >= 2 && Lanes <= 64, "min_pc_table: 2 to 64 lanes");
  static_assert(LevelW >= 2 && LevelW <= 16, "min_pc_table: a call level has 2 to 16 bits");
  static_assert(Watch <= 1, "min_pc_table: Watch is 0 (without max_depth_o) or 1");
  static_assert(is_pc_step(PcStep), "min_pc_table: PcStep is a power of two of at least 2");

 public:
  static constexpr unsigned kSlots = 1;

  [[nodiscard]] static constexpr StackConfig default_config() { return {1, 0, LevelW}; }

  explicit MinPcTableLogic(const StackConfig& config = default_config()) : levels_(level_mask(config.level_bits)) {
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
  }

  [[nodiscard]] static constexpr unsigned place_bits() { return 1 + 30 + LevelW; }
  // By warp: path, next place, threads of the path, live ones, three flags, and a place a thread; the sides of the
  // resolution that acts, and which warp is settled.
  [[nodiscard]] static constexpr unsigned state_bits() {
    return NumWarps * (2 * place_bits() + 2 * Lanes + 3 + Lanes * place_bits()) + 2 * (place_bits() - 1) + 2 * Lanes +
           1 + 2 + 2 * index_width(NumWarps) + Watch;
  }

  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      path_[w] = MinPcPath();
      live_[w] = 0;
    }
    valid_ = 0;
    occupied_ = 0;
    max_depth_ = 0;
    taken_in_ = TakenIn();
    reads_ = false;
    chosen_ = PopChoice();
  }

  void launch(std::uint32_t warp, std::uint32_t pc, std::uint64_t mask) {
    HEDDLE_EXPECT(!has_bit(occupied_, warp) && mask != 0);
    path_[warp] = MinPcPath();
    path_[warp].mask = mask;
    path_[warp].pc = pc;
    live_[warp] = mask;
    valid_ |= bit_of(warp);
    occupied_ |= bit_of(warp);
    max_depth_ = Watch;
  }

  void advance(std::uint32_t warp, std::uint32_t /*slot*/) {
    HEDDLE_EXPECT(has_bit(valid_, warp));
    if (min_pc_arrives(path_[warp], PcStep)) valid_ &= ~bit_of(warp);
    path_[warp].pc += PcStep;
    path_[warp].aside = false;
  }
  // The path is at a barrier: the others of its warp go first.
  void stand_aside(std::uint32_t warp) {
    HEDDLE_EXPECT(has_bit(valid_, warp) && !path_[warp].aside);
    path_[warp].aside = true;
    valid_ &= ~bit_of(warp);
  }

  // The resolution that was taken in at the last edge acts, unless its warp is killed at this one: what it would have
  // done is returned all the same.
  MinPcResolved act(bool killed = false) {
    const std::uint32_t warp = taken_in_.warp;
    const std::uint64_t old = path_[warp].mask;
    MinPcPath path;
    settle(warp, live_[warp] & ~sides_.exit, old & sides_.taken, old & sides_.stay, path);
    MinPcResolved resolved;
    resolved.next = path.mask != 0 && !path.aside && path.pc == sides_.next && path.level == sides_.level;
    resolved.push = sides_.divergent && !resolved.next;
    if (!killed) {
      for (unsigned l = 0; l < Lanes; ++l) {
        if (has_bit(old, l)) read_side(has_bit(sides_.taken, l), place_[warp][l]);
      }
      if (path.mask == 0) stay_at(path_[warp], path);
      path_[warp] = path;
      live_[warp] &= ~sides_.exit;
      valid_ = with_bit(valid_, warp, path.mask != 0);
    }
    taken_in_.valid = false;
    return resolved;
  }
  // After act() of the same cycle; it acts at the next edge.
  void take_in(std::uint32_t warp, std::uint32_t slot, const ResolveInput& in) {
    HEDDLE_EXPECT(has_bit(valid_, warp) && !(in.call && in.ret));
    taken_in_.valid = true;
    taken_in_.warp = warp;
    taken_in_.slot = slot;
    reads_ = true;
    find_sides(in, path_[warp].mask, path_[warp].level, levels_, sides_);
  }

  // Warps without a path that may be chosen: all but the one that meets others in this cycle.
  [[nodiscard]] std::uint64_t poppable() const {
    return occupied_ & ~valid_ & ~(chosen_.valid ? bit_of(chosen_.warp) : 0);
  }
  // After kill(). The lowest of them, from the state before the edge, meets others at the next one, unless a resolution
  // was taken in.
  void choose(std::uint64_t poppable) {
    const std::uint64_t candidates = reads_ ? 0 : poppable & occupied_;
    chosen_.valid = candidates != 0;
    chosen_.warp = chosen_.valid ? lowest_bit(candidates) : 0;
    reads_ = false;
  }

  // Returns true if the warp has ended.
  bool pop(std::uint32_t warp) {
    const bool ends = live_[warp] == 0;
    if (ends) {
      occupied_ &= ~bit_of(warp);
    } else {
      const std::uint64_t old = path_[warp].mask;
      for (unsigned l = 0; l < Lanes; ++l) {
        if (has_bit(old, l)) read_place(path_[warp], place_[warp][l]);
      }
      MinPcPath path;
      settle(warp, live_[warp], 0, 0, path);
      path_[warp] = path;
      valid_ |= bit_of(warp);
    }
    return ends;
  }

  // After everything else of the cycle but choose().
  void kill(std::uint32_t warp) {
    valid_ &= ~bit_of(warp);
    occupied_ &= ~bit_of(warp);
    path_[warp].waiting = false;
    if (taken_in_.warp == warp) taken_in_.valid = false;
  }

  [[nodiscard]] TakenIn taken_in() const { return taken_in_; }
  [[nodiscard]] PopChoice chosen() const { return chosen_; }
  [[nodiscard]] MinPcPath whole_path(std::uint32_t warp) const { return path_[warp]; }
  [[nodiscard]] std::uint64_t live(std::uint32_t warp) const { return live_[warp]; }
  [[nodiscard]] std::uint32_t depth(std::uint32_t warp) const { return has_bit(occupied_, warp) ? 1 : 0; }
  [[nodiscard]] StackPath path(std::uint32_t warp, std::uint32_t /*slot*/) const {
    StackPath path;
    path.mask = has_bit(valid_, warp) ? path_[warp].mask : 0;
    path.pc = path_[warp].pc;
    path.level = path_[warp].level;
    return path;
  }
  // Other threads wait where this path meets them.
  [[nodiscard]] bool sibling(std::uint32_t warp, std::uint32_t /*slot*/) const { return path_[warp].waiting; }
  [[nodiscard]] std::uint64_t valid(std::uint32_t /*slot*/) const { return valid_; }  // bit a warp
  // Bit a warp: others wait, and may go before the path.
  [[nodiscard]] std::uint64_t others() const {
    std::uint64_t warps = 0;
    for (std::uint64_t left = valid_; left != 0; left &= left - 1) {
      const std::uint32_t warp = lowest_bit(left);
      if (path_[warp].waiting && !path_[warp].aside) warps |= bit_of(warp);
    }
    return warps;
  }
  [[nodiscard]] std::uint64_t occupied() const { return occupied_; }  // bit a warp: it has threads
  [[nodiscard]] std::uint32_t max_depth() const { return max_depth_; }
  // Where a live thread is.
  void place(std::uint32_t warp, std::uint32_t lane, MinPcPlace& place) const {
    place = place_[warp][lane];
    if (has_bit(path_[warp].mask, lane)) read_place(path_[warp], place);
  }

 private:
  // The path of `live`, of which some go to the sides of the instruction that resolves.
  void settle(std::uint32_t warp, std::uint64_t live, std::uint64_t taken, std::uint64_t stay, MinPcPath& path) const {
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has_bit(live, l)) {
        MinPcPlace place = place_[warp][l];
        if (has_bit(taken | stay, l)) read_side(has_bit(taken, l), place);
        min_pc_add(path, l, place);
      }
    }
  }

  void read_side(bool taken, MinPcPlace& place) const {
    place.pc = taken ? sides_.target : sides_.next;
    place.level = taken ? sides_.target_level : sides_.level;
    place.aside = false;
  }

  const std::uint32_t levels_;
  MinPcPath path_[NumWarps];
  MinPcPlace place_[NumWarps][Lanes];  // of threads that are not of the path
  std::uint64_t live_[NumWarps] = {};
  std::uint64_t valid_ = 0;
  std::uint64_t occupied_ = 0;
  std::uint32_t max_depth_ = 0;
  TakenIn taken_in_;
  MinPcSides sides_;
  bool reads_ = false;  // of this cycle: a resolution was taken in
  PopChoice chosen_;
};

template <unsigned NumWarps = 24, unsigned Lanes = 32, unsigned LevelW = 8, unsigned Watch = 1, unsigned PcStep = 4>
class min_pc_table : public sc_core::sc_module {
  static constexpr unsigned kWarpW = index_width(NumWarps);
  static constexpr unsigned kPlaces = NumWarps * Lanes;

 public:
  using Logic = MinPcTableLogic<NumWarps, Lanes, LevelW, Watch, PcStep>;

  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  // launch
  sc_core::sc_in<bool> SC_NAMED(launch_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(launch_warp_i);
  sc_core::sc_in<Number<32>> SC_NAMED(launch_pc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(launch_mask_i);
  sc_core::sc_in<bool> SC_NAMED(kill_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(kill_warp_i);
  // issue
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(advance_i);
  sc_core::sc_in<Mask<NumWarps>> SC_NAMED(aside_i);
  // resolution
  sc_core::sc_in<bool> SC_NAMED(resolve_valid_i);
  sc_core::sc_in<Number<kWarpW>> SC_NAMED(resolve_warp_i);
  sc_core::sc_in<Number<1>> SC_NAMED(resolve_slot_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_taken_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(resolve_rpc_i);
  sc_core::sc_in<Mask<Lanes>> SC_NAMED(resolve_exit_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_call_i);
  sc_core::sc_in<bool> SC_NAMED(resolve_return_i);
  // paths
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(pc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(mask_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(level_o, NumWarps);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(valid_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(sibling_o);
  // warps
  sc_core::sc_vector<sc_core::sc_out<Number<32>>> SC_NAMED(rpc_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<LevelW>>> SC_NAMED(rpc_level_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Mask<Lanes>>> SC_NAMED(live_o, NumWarps);
  sc_core::sc_vector<sc_core::sc_out<Number<1>>> SC_NAMED(depth_o, NumWarps);
  // events
  sc_core::sc_out<bool> SC_NAMED(resolved_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(resolved_warp_o);
  sc_core::sc_out<Number<1>> SC_NAMED(resolved_slot_o);
  sc_core::sc_out<bool> SC_NAMED(resolved_next_o);
  sc_core::sc_out<bool> SC_NAMED(push_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(push_warp_o);
  sc_core::sc_out<bool> SC_NAMED(pop_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(pop_warp_o);
  sc_core::sc_out<bool> SC_NAMED(done_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(done_warp_o);
  sc_core::sc_out<bool> SC_NAMED(overflow_valid_o);
  sc_core::sc_out<Number<kWarpW>> SC_NAMED(overflow_warp_o);
  sc_core::sc_out<Mask<NumWarps>> SC_NAMED(others_o);
  // status
  sc_core::sc_out<Number<1>> SC_NAMED(max_depth_o);

  SC_HAS_PROCESS(min_pc_table);
  explicit min_pc_table(sc_core::sc_module_name name, const StackConfig& config = Logic::default_config())
      : sc_core::sc_module(name),
        levels_(level_mask(config.level_bits)) {
    HEDDLE_EXPECT(config.level_bits >= 2 && config.level_bits <= LevelW);
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(show_paths);
    sensitive << waiting_ << valid_ << aside_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << mask_[w] << wait_pc_[w] << wait_level_[w];
    SC_METHOD(show_events);
    sensitive << acts_ << meets_ << warp_ << taken_ << exit_ << target_ << next_ << target_level_ << divergent_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << pc_o[w] << level_o[w] << mask_[w] << live_o[w];
    sensitive << aside_;
    for (unsigned w = 0; w < NumWarps; ++w) sensitive << place_aside_[w];
    for (unsigned i = 0; i < kPlaces; ++i) sensitive << place_pc_[i] << place_level_[i];
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return Logic::state_bits(); }

 private:
  void reset() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      pc_o[w].write(0);
      level_o[w].write(0);
      mask_[w].write(0);
      wait_pc_[w].write(0);
      wait_level_[w].write(0);
      place_aside_[w].write(0);
      live_o[w].write(0);
      depth_o[w].write(0);
    }
    for (unsigned i = 0; i < kPlaces; ++i) {
      place_pc_[i].write(0);
      place_level_[i].write(0);
    }
    valid_.write(0);
    waiting_.write(0);
    aside_.write(0);
    wait_aside_.write(0);
    acts_.write(false);
    meets_.write(false);
    warp_.write(0);
    taken_.write(0);
    exit_.write(0);
    target_.write(0);
    next_.write(0);
    target_level_.write(0);
    divergent_.write(false);
    max_depth_o.write(0);
  }

  // Of the events of a cycle only a kill meets another one of its warp: it comes last, and wins.
  void step() {
    std::uint64_t valid = valid_.read();
    std::uint64_t waiting = waiting_.read();
    std::uint64_t aside = aside_.read();
    if (launch_valid_i.read()) {
      const std::uint32_t warp = launch_warp_i.read();
      HEDDLE_EXPECT(depth_o[warp].read() == 0 && launch_mask_i.read() != 0);
      pc_o[warp].write(launch_pc_i.read());
      level_o[warp].write(0);
      mask_[warp].write(launch_mask_i.read());
      live_o[warp].write(launch_mask_i.read());
      depth_o[warp].write(1);
      valid = with_bit(valid, warp, true);
      waiting = with_bit(waiting, warp, false);
      aside = with_bit(aside, warp, false);
      if (Watch != 0) max_depth_o.write(1);
    }
    HEDDLE_EXPECT(at_most_one(advance_i.read()));
    for (unsigned w = 0; w < NumWarps; ++w) {
      if (has_bit(advance_i.read(), w)) {
        HEDDLE_EXPECT(has_bit(valid_.read(), w));
        if (arrives(w)) valid = with_bit(valid, w, false);
        pc_o[w].write(pc_o[w].read() + PcStep);
        aside = with_bit(aside, w, false);
      }
    }
    HEDDLE_EXPECT((aside_i.read() & (advance_i.read() | aside_.read() | ~valid_.read() | ~waiting_.read())) == 0);
    valid &= ~aside_i.read();
    aside |= aside_i.read();
    if (acts_.read() || meets_.read()) settle(valid, waiting, aside);
    if (kill_valid_i.read()) {
      const std::uint32_t killed = kill_warp_i.read();
      HEDDLE_EXPECT(!(launch_valid_i.read() && launch_warp_i.read() == killed));
      depth_o[killed].write(0);
      valid = with_bit(valid, killed, false);
      waiting = with_bit(waiting, killed, false);
    }
    valid_.write(valid);
    waiting_.write(waiting);
    aside_.write(aside);
    take_in();
    choose();
  }

  // The resolution or the meeting of this cycle.
  void settle(std::uint64_t& valid, std::uint64_t& waiting, std::uint64_t& aside) {
    const std::uint32_t warp = warp_.read();
    const std::uint64_t old = mask_[warp].read();
    const std::uint64_t live = live_after();
    const bool lives = live != 0;
    MinPcPath path;
    find_path(path);
    std::uint64_t stand_aside = place_aside_[warp].read();
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has_bit(old, l)) {
        MinPcPlace place;
        place_of(warp, l, place);
        stand_aside = with_bit(stand_aside, l, place.aside);
        place_pc_[warp * Lanes + l].write(place.pc);
        place_level_[warp * Lanes + l].write(place.level);
      }
    }
    place_aside_[warp].write(stand_aside);
    if (lives) {
      pc_o[warp].write(path.pc);
      level_o[warp].write(path.level);
      aside = with_bit(aside, warp, path.aside);
    }
    mask_[warp].write(path.mask);
    wait_pc_[warp].write(path.wait_pc);
    wait_level_[warp].write(path.wait_level);
    live_o[warp].write(live);
    if (meets_.read() && !lives) depth_o[warp].write(0);
    valid = with_bit(valid, warp, lives);
    waiting = with_bit(waiting, warp, path.waiting);
    wait_aside_.write(with_bit(wait_aside_.read(), warp, path.wait_aside));
  }

  // The resolution that acts at the next edge.
  void take_in() {
    const std::uint32_t warp = resolve_warp_i.read();
    acts_.write(resolve_valid_i.read() && !(kill_valid_i.read() && kill_warp_i.read() == warp));
    if (resolve_valid_i.read()) {
      HEDDLE_EXPECT(has_bit(valid_.read(), warp) && !(resolve_call_i.read() && resolve_return_i.read()));
      ResolveInput in;
      in.taken = resolve_taken_i.read();
      in.exit = resolve_exit_i.read();
      in.target = resolve_target_i.read();
      in.next = resolve_next_i.read();
      in.call = resolve_call_i.read();
      in.ret = resolve_return_i.read();
      MinPcSides sides;
      find_sides(in, mask_[warp].read(), level_o[warp].read(), levels_, sides);
      taken_.write(sides.taken);
      exit_.write(sides.exit);
      target_.write(sides.target);
      next_.write(sides.next);
      target_level_.write(sides.target_level);
      divergent_.write(sides.divergent);
    }
  }

  // The lowest warp without a path, but for those that meet others or are killed in this cycle, meets others in the
  // next, unless a resolution acts then.
  void choose() {
    std::uint64_t wants = 0;
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool settled = (acts_.read() || meets_.read()) && warp_.read() == w;
      const bool killed = kill_valid_i.read() && kill_warp_i.read() == w;
      wants = with_bit(wants, w, depth_o[w].read() != 0 && !has_bit(valid_.read(), w) && !settled && !killed);
    }
    meets_.write(wants != 0 && !resolve_valid_i.read());
    if (resolve_valid_i.read()) {
      warp_.write(resolve_warp_i.read());
    } else if (wants != 0) {
      warp_.write(lowest_bit(wants));
    }
  }

  [[nodiscard]] bool arrives(std::uint32_t warp) const {
    MinPcPath path;
    path.pc = pc_o[warp].read();
    path.level = level_o[warp].read();
    path.waiting = has_bit(waiting_.read(), warp);
    path.wait_pc = wait_pc_[warp].read();
    path.wait_level = wait_level_[warp].read();
    path.wait_aside = has_bit(wait_aside_.read(), warp);
    return min_pc_arrives(path, PcStep);
  }

  // Threads of the warp that is settled, where one of them is then, and who is lowest.
  [[nodiscard]] std::uint64_t live_after() const {
    const std::uint64_t live = live_o[warp_.read()].read();
    return acts_.read() ? live & ~exit_.read() : live;
  }
  void place_of(std::uint32_t warp, std::uint32_t lane, MinPcPlace& place) const {
    if (!has_bit(mask_[warp].read(), lane)) {
      place.pc = place_pc_[warp * Lanes + lane].read();
      place.level = place_level_[warp * Lanes + lane].read();
      place.aside = has_bit(place_aside_[warp].read(), lane);
    } else if (!acts_.read()) {
      place.pc = pc_o[warp].read();
      place.level = level_o[warp].read();
      place.aside = has_bit(aside_.read(), warp);
    } else if (has_bit(taken_.read(), lane)) {
      place.pc = target_.read();
      place.level = target_level_.read();
    } else {
      place.pc = next_.read();
      place.level = level_o[warp].read();
    }
  }
  void find_path(MinPcPath& path) const {
    const std::uint32_t warp = warp_.read();
    const std::uint64_t live = live_after();
    for (unsigned l = 0; l < Lanes; ++l) {
      if (has_bit(live, l)) {
        MinPcPlace place;
        place_of(warp, l, place);
        min_pc_add(path, l, place);
      }
    }
  }

  void show_paths() {
    for (unsigned w = 0; w < NumWarps; ++w) {
      const bool waits = has_bit(waiting_.read(), w);
      mask_o[w].write(has_bit(valid_.read(), w) ? static_cast<std::uint64_t>(mask_[w].read()) : 0);
      rpc_o[w].write(waits ? static_cast<std::uint32_t>(wait_pc_[w].read()) : 0);
      rpc_level_o[w].write(waits ? static_cast<std::uint32_t>(wait_level_[w].read()) : 0);
    }
    valid_o.write(valid_.read());
    sibling_o.write(waiting_.read());
    others_o.write(waiting_.read() & ~aside_.read());
  }

  void show_events() {
    const std::uint32_t warp = warp_.read();
    MinPcPath path;
    find_path(path);
    const bool acts = acts_.read();
    const bool next =
        acts && path.mask != 0 && !path.aside && path.pc == next_.read() && path.level == level_o[warp].read();
    const bool push = acts && divergent_.read() && !next;
    const bool done = meets_.read() && path.mask == 0;
    resolved_valid_o.write(acts);
    resolved_warp_o.write(acts ? warp : 0);
    resolved_slot_o.write(0);
    resolved_next_o.write(next);
    push_valid_o.write(push);
    push_warp_o.write(push ? warp : 0);
    pop_valid_o.write(meets_.read());
    pop_warp_o.write(meets_.read() ? warp : 0);
    done_valid_o.write(done);
    done_warp_o.write(done ? warp : 0);
    overflow_valid_o.write(false);
    overflow_warp_o.write(0);
  }

  HEDDLE_CLOCKED_BODY()

  const std::uint32_t levels_;
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(mask_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(wait_pc_, NumWarps);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(wait_level_, NumWarps);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(valid_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(waiting_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(aside_);
  sc_core::sc_signal<Mask<NumWarps>> SC_NAMED(wait_aside_);
  // places of threads: of lane l of warp w at w * Lanes + l; those of the path are not up to date
  sc_core::sc_vector<sc_core::sc_signal<Number<32>>> SC_NAMED(place_pc_, kPlaces);
  sc_core::sc_vector<sc_core::sc_signal<Number<LevelW>>> SC_NAMED(place_level_, kPlaces);
  sc_core::sc_vector<sc_core::sc_signal<Mask<Lanes>>> SC_NAMED(place_aside_, NumWarps);
  // the warp that is settled in this cycle, by a resolution or a meeting, and the sides of the resolution
  sc_core::sc_signal<bool> SC_NAMED(acts_);
  sc_core::sc_signal<bool> SC_NAMED(meets_);
  sc_core::sc_signal<Number<kWarpW>> SC_NAMED(warp_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(taken_);
  sc_core::sc_signal<Mask<Lanes>> SC_NAMED(exit_);
  sc_core::sc_signal<Number<32>> SC_NAMED(target_);
  sc_core::sc_signal<Number<32>> SC_NAMED(next_);
  sc_core::sc_signal<Number<LevelW>> SC_NAMED(target_level_);
  sc_core::sc_signal<bool> SC_NAMED(divergent_);
};

}  // namespace heddle
