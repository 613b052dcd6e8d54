// SPDX-License-Identifier: Apache-2.0
// What minpc/min_pc_table must do, said with a place a thread and nothing else (docs/modules/minpc/min_pc_table.md).
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

class MinPcOracle {
 public:
  struct Launch {
    WarpId warp;
    Pc pc;
    LaneMask mask;
  };
  struct Resolve {
    WarpId warp;
    LaneMask taken;
    Pc target, next;
    LaneMask exit = 0;
    bool call = false, returns = false;
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<WarpId> advance;
    std::optional<WarpId> aside = std::nullopt;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
  };
  struct Events {
    std::optional<WarpId> resolved, push, pop, done;
    bool next = false;
  };
  struct Path {
    LaneMask mask = 0;
    Pc pc = 0;
    unsigned level = 0;
    std::optional<std::pair<Pc, unsigned>> waiting;  // where the next threads are
    bool others = false;                             // some wait, and may go before the path
  };

  MinPcOracle(unsigned warps, unsigned level_bits, unsigned pc_step)
      : levels_(1u << level_bits),
        pc_step_(pc_step),
        warps_(warps) {}

  Events step(const Inputs& in) {
    Events events;
    const std::optional<WarpId> meets = chosen_;
    chosen_ = in.resolve ? std::nullopt : waiting_for_a_pop(in.kill);
    if (in.advance) advance(warps_.at(*in.advance));
    if (in.aside) stand_aside(warps_.at(*in.aside));
    if (acting_) resolve(*acting_, events);
    if (meets) {
      events.pop = meets;
      if (warps_[*meets].threads.empty()) events.done = meets;
      else warps_[*meets].moving = settled(*meets);
    }
    if (in.launch) {
      Warp& warp = warps_.at(in.launch->warp);
      for (unsigned lane = 0; lane < 64; ++lane) {
        if ((in.launch->mask >> lane & 1) != 0) warp.threads[lane] = Place{0, in.launch->pc};
      }
      warp.runs = true;
      warp.moving = in.launch->mask;
    }
    if (events.done) warps_[*events.done] = Warp();
    acting_ = in.resolve;
    if (in.kill) {
      warps_.at(*in.kill) = Warp();
      if (acting_ && acting_->warp == *in.kill) acting_.reset();
    }
    launched_ |= in.launch.has_value();
    return events;
  }

  // The path, with the threads that it has while it does not wait for others.
  [[nodiscard]] Path path(WarpId w) const {
    const Warp& warp = warps_.at(w);
    Path path;
    bool aside = false;
    const LaneMask lowest = warp.moving != 0 ? warp.moving : warp.stopped;
    for (const auto& [lane, place] : warp.threads) {
      if ((lowest >> lane & 1) == 0) continue;
      path.pc = place.pc;
      path.level = level_of(place);
      aside = place.aside;
    }
    path.mask = warp.moving;
    std::optional<Place> next;
    for (const auto& [lane, place] : warp.threads) {
      if ((lowest >> lane & 1) == 0 && (!next || order(place) < order(*next))) next = place;
    }
    if (next) path.waiting = {next->pc, level_of(*next)};
    path.others = next && !aside;
    return path;
  }
  [[nodiscard]] LaneMask live(WarpId w) const {
    LaneMask live = 0;
    for (const auto& thread : warps_.at(w).threads) live |= LaneMask{1} << thread.first;
    return live;
  }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).runs ? 1 : 0; }
  [[nodiscard]] bool launched() const { return launched_; }
  [[nodiscard]] std::optional<WarpId> resolving() const {
    return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
  }
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_; }
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      if (warps_[w].runs && warps_[w].moving == 0 && w != chosen_ && w != killed) return w;
    }
    return std::nullopt;
  }

 private:
  struct Place {
    unsigned below = 0;  // levels below 0: see order()
    Pc pc = 0;
    bool aside = false;
    friend bool operator==(const Place& a, const Place& b) {
      return a.below == b.below && a.pc == b.pc && a.aside == b.aside;
    }
  };
  struct Warp {
    std::map<unsigned, Place> threads;  // by lane: who is live, and where
    LaneMask moving = 0;                // the path, while it does not wait for others
    LaneMask stopped = 0;               // the path, while it does
    bool runs = false;
  };

  // A place keeps its level as what is missing to 2^LevelW, so that the deepest level is the lowest; level 0 is the
  // highest of all.
  [[nodiscard]] std::tuple<bool, unsigned, Pc> order(const Place& place) const {
    return {place.aside, place.below == 0 ? levels_ : place.below, place.pc};
  }
  [[nodiscard]] unsigned level_of(const Place& place) const { return place.below == 0 ? 0 : levels_ - place.below; }

  [[nodiscard]] LaneMask settled(WarpId w) {
    Warp& warp = warps_[w];
    warp.stopped = 0;
    std::optional<Place> lowest;
    for (const auto& [lane, place] : warp.threads) {
      if (!lowest || order(place) < order(*lowest)) lowest = place;
    }
    LaneMask there = 0;
    for (const auto& [lane, place] : warp.threads) {
      if (place == *lowest) there |= LaneMask{1} << lane;
    }
    return there;
  }

  void advance(Warp& warp) {
    std::optional<Place> now;
    for (auto& [lane, place] : warp.threads) {
      if ((warp.moving >> lane & 1) == 0) continue;
      place.pc += pc_step_;
      place.aside = false;
      now = place;
    }
    for (const auto& [lane, place] : warp.threads) {
      if ((warp.moving >> lane & 1) == 0 && now == place) {
        warp.stopped = warp.moving;
      }
    }
    if (warp.stopped != 0) warp.moving = 0;
  }

  // The path lets the others go first.
  static void stand_aside(Warp& warp) {
    for (auto& [lane, place] : warp.threads) place.aside |= (warp.moving >> lane & 1) != 0;
    warp.stopped = warp.moving;
    warp.moving = 0;
  }

  void resolve(const Resolve& in, Events& events) {
    Warp& warp = warps_.at(in.warp);
    LaneMask taken = 0, stay = 0;
    std::optional<Place> next;
    for (unsigned lane = 0; lane < 64; ++lane) {
      if ((warp.moving >> lane & 1) == 0) continue;
      Place& place = warp.threads[lane];
      if (!next) next = Place{place.below, in.next};
      if ((in.exit >> lane & 1) != 0) {
        warp.threads.erase(lane);
      } else if ((in.taken >> lane & 1) != 0) {
        taken |= LaneMask{1} << lane;
        place.below = (place.below + (in.call ? levels_ - 1 : 0) + (in.returns ? 1 : 0)) % levels_;
        place.pc = in.target;
        place.aside = false;
      } else {
        stay |= LaneMask{1} << lane;
        place.pc = in.next;
        place.aside = false;
      }
    }
    warp.moving = warp.threads.empty() ? 0 : settled(in.warp);
    events.resolved = in.warp;
    for (const auto& [lane, place] : warp.threads) events.next |= (warp.moving >> lane & 1) != 0 && place == *next;
    if (taken != 0 && stay != 0 && in.target != in.next && !events.next) events.push = in.warp;
  }

  unsigned levels_;
  unsigned pc_step_;
  std::vector<Warp> warps_;
  bool launched_ = false;
  std::optional<Resolve> acting_;
  std::optional<WarpId> chosen_;
};

}  // namespace heddle::test
