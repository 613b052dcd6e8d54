// SPDX-License-Identifier: Apache-2.0
// What stack/software_stack must do, said with two paths a warp and the list of its rows (docs/frontend.md, DPE
// paper 7.3). The rows are in memory: the list says what must come back, and a fill says what does.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "common/types.h"
#include "heddle/types.h"
#include "tests/stack/dpe_stack_oracle.h"

namespace heddle::test {

struct SoftwarePath {
  Pc pc = 0;
  LaneMask mask = 0;
  friend bool operator==(const SoftwarePath& a, const SoftwarePath& b) { return a.pc == b.pc && a.mask == b.mask; }
};

// Both paths of a warp: those it has, or those of a row.
struct SoftwareRow {
  std::array<SoftwarePath, 2> path;  // left, right
  [[nodiscard]] LaneMask threads() const { return path[0].mask | path[1].mask; }
  friend bool operator==(const SoftwareRow& a, const SoftwareRow& b) { return a.path == b.path; }
  friend std::ostream& operator<<(std::ostream& out, const SoftwareRow& row) {
    const auto& [left, right] = row.path;
    return out << std::hex << "{L " << left.pc << " " << left.mask << ", R " << right.pc << " " << right.mask << "}"
               << std::dec;
  }
};

class SoftwareStackOracle {
 public:
  using Launch = DpeStackOracle::Launch;
  using Advance = DpeStackOracle::Advance;
  struct Resolve {
    WarpId warp;
    unsigned slot;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
    std::uint32_t kind = kMarkNone;  // kMarkPush: rpc says where its threads go on when the row is back; or kMarkPop
  };
  struct Fill {
    WarpId warp;
    SoftwareRow row;
  };
  struct Inputs {
    std::optional<Launch> launch;
    std::optional<Advance> advance;
    std::optional<Resolve> resolve;
    std::optional<WarpId> kill = std::nullopt;
    bool load_ready = false;
    std::optional<Fill> fill = std::nullopt;
  };
  struct Resolved {
    WarpId warp;
    unsigned slot;
    bool next;
  };
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
    std::set<std::string> met;  // situations, for a test that claims to have met them
  };
  // A row on its way to memory, as the pins say it, and one that is asked for.
  struct Save {
    bool valid = false;
    WarpId warp = 0;
    unsigned row = 0;
    SoftwareRow paths;
  };
  struct Load {
    WarpId warp;
    unsigned row;
  };

  SoftwareStackOracle(unsigned warps, unsigned depth, bool taken_left)
      : depth_(depth),
        taken_left_(taken_left),
        warps_(warps) {}

  // One clock cycle. Of the inputs a resolution acts a cycle later; the warp that is chosen was so a cycle ago.
  Events step(const Inputs& in) {
    Events events;
    const std::optional<WarpId> next = choice(in);
    const std::optional<Load> asked = load();
    if (ends(in)) {
      events.pop = events.done = chosen_;
      warps_.at(*chosen_) = Warp();
    }
    if (chosen_ && !asked && in.fill) events.met.insert("end_waits_for_a_fill");
    if (asked && in.load_ready) warps_.at(asked->warp).loading = true;
    if (asked && !in.load_ready) events.met.insert("load_waits");
    save_.valid = false;
    if (acting_) act(*acting_, events);
    if (in.advance) warps_.at(in.advance->warp).now.path.at(in.advance->slot).pc += 4;
    if (in.launch) {
      Warp fresh;
      fresh.runs = true;
      fresh.now.path[0] = {in.launch->pc, in.launch->mask};
      fresh.live = in.launch->mask;
      warps_.at(in.launch->warp) = fresh;
    }
    if (in.fill) fill(*in.fill, events);
    acting_ = in.resolve;
    chosen_ = next;
    if (in.kill) {
      warps_.at(*in.kill) = Warp();
      if (acting_ && acting_->warp == *in.kill) acting_.reset();
    }
    for (WarpId w = 0; w < warps_.size(); ++w) max_depth_ = std::max(max_depth_, depth(w));
    return events;
  }

  // The paths that a warp has; nothing, if it has ended.
  [[nodiscard]] const SoftwareRow& top(WarpId w) const { return warps_.at(w).now; }
  // What it has in memory, the last one first to come back.
  [[nodiscard]] const std::vector<SoftwareRow>& rows(WarpId w) const { return warps_.at(w).rows; }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] bool loading(WarpId w) const { return warps_.at(w).loading; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).runs ? 1 + warps_[w].rows.size() : 0; }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] const Save& save() const { return save_; }
  [[nodiscard]] std::optional<Load> load() const {
    if (!chosen_ || depth(*chosen_) < 2) return std::nullopt;
    return Load{*chosen_, depth(*chosen_) - 2};
  }
  // The resolution that was taken in at the last edge.
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const {
    return acting_ ? std::optional<WarpId>(acting_->warp) : std::nullopt;
  }
  // The warp that is chosen: it ends, or asks for a row.
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_; }
  // The lowest warp that waits to be chosen.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const {
    for (WarpId w = 0; w < warps_.size(); ++w) {
      const Warp& warp = warps_[w];
      if (warp.runs && warp.now.threads() == 0 && !warp.loading && w != chosen_ && w != killed) return w;
    }
    return std::nullopt;
  }

 private:
  struct Warp {
    bool runs = false, loading = false;
    SoftwareRow now;
    std::vector<SoftwareRow> rows;
    LaneMask live = 0;
  };

  // The chosen warp has no rows: this is its end, unless a row of another one comes.
  [[nodiscard]] bool ends(const Inputs& in) const { return chosen_ && !load() && !in.fill; }

  [[nodiscard]] std::optional<WarpId> choice(const Inputs& in) const {
    const bool over = ends(in) || (load() && in.load_ready) || in.kill == chosen_;
    if (chosen_ && !over) return chosen_;
    return waiting_for_a_pop(in.kill);
  }

  // No row is saved without room for it.
  bool save(const Resolve& in, Warp& warp, const SoftwareRow& row, Events& events) {
    const unsigned number = warp.rows.size();
    if (number + 1 == depth_) {
      events.overflow = in.warp;
      return false;
    }
    save_ = {true, in.warp, number, row};
    warp.rows.push_back(row);
    return true;
  }

  void act(const Resolve& in, Events& events) {
    Warp warp = warps_.at(in.warp);
    SoftwarePath& self = warp.now.path.at(in.slot);
    SoftwarePath& other = warp.now.path.at(1 - in.slot);
    const bool beside = other.mask != 0;
    bool next = false;
    if (in.kind == kMarkPop) {
      self.mask = 0;
      events.met.insert(beside ? "pop_disables_a_path" : "pop_of_the_last_path");
    } else if (in.kind == kMarkPush) {
      SoftwareRow row = warp.now;
      row.path.at(in.slot).pc = in.rpc;
      if (!save(in, warp, row, events)) {
        events.met.insert("overflow_by_a_push");
        return;
      }
      self.pc = in.next;
      other.mask = 0;
      next = true;
      events.met.insert(beside ? "push_suspends_the_other_path" : "push");
    } else {
      warp.live &= ~in.exit;
      const LaneMask mask = self.mask & warp.live, taken = mask & in.taken, rest = mask & ~in.taken;
      if (mask != 0 && mask != self.mask) events.met.insert("some_exit");
      if (mask == 0) {
        self.mask = 0;
        events.met.insert(beside ? "path_exits" : "last_path_exits");
      } else if (taken == 0 || rest == 0 || in.target == in.next) {
        self = {rest == 0 ? in.target : in.next, mask};
        next = self.pc == in.next;
      } else {
        SoftwareRow row = warp.now;
        row.path.at(in.slot).mask = 0;
        if (beside && !save(in, warp, row, events)) {
          events.met.insert("overflow_by_a_divergence");
          return;
        }
        warp.now.path[taken_left_ ? 0 : 1] = {in.target, taken};
        warp.now.path[taken_left_ ? 1 : 0] = {in.next, rest};
        events.push = in.warp;
        events.met.insert(beside ? "divergence_saves_a_row" : "divergence");
      }
    }
    warps_.at(in.warp) = warp;
    events.resolved = Resolved{in.warp, in.slot, next};
  }

  void fill(const Fill& in, Events& events) {
    Warp& warp = warps_.at(in.warp);
    events.pop = in.warp;
    if (!warp.rows.empty()) warp.rows.pop_back();  // a fill that nobody asked for is the caller's mistake
    warp.loading = false;
    warp.now = in.row;
    for (SoftwarePath& path : warp.now.path) path.mask &= warp.live;
    const LaneMask back = warp.now.threads();
    if (in.row.threads() != 0 && back == 0) events.met.insert("row_of_dead_threads");
    if (back != 0 && back != in.row.threads()) events.met.insert("row_with_dead_threads");
    if (warp.now.path[0].mask != 0 && warp.now.path[1].mask != 0) events.met.insert("row_of_two_paths");
  }

  unsigned depth_;
  bool taken_left_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
  std::optional<Resolve> acting_;
  std::optional<WarpId> chosen_;
  Save save_;
};

}  // namespace heddle::test
