// SPDX-License-Identifier: Apache-2.0
// What stack/software_stack must do, said with two paths a warp and the list of its rows (docs/frontend.md, DPE
// paper 7.3). The rows are in memory: the list says what must come back, and a fill says what does.
#pragma once

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

  SoftwareStackOracle(unsigned warps, unsigned depth, bool taken_left);

  // One clock cycle. Of the inputs a resolution acts a cycle later; the warp that is chosen was so a cycle ago.
  Events step(const Inputs& in);

  // The paths that a warp has; nothing, if it has ended.
  [[nodiscard]] const SoftwareRow& top(WarpId w) const { return warps_.at(w).now; }
  // What it has in memory, the last one first to come back.
  [[nodiscard]] const std::vector<SoftwareRow>& rows(WarpId w) const { return warps_.at(w).rows; }
  [[nodiscard]] LaneMask live(WarpId w) const { return warps_.at(w).live; }
  [[nodiscard]] bool loading(WarpId w) const { return warps_.at(w).loading; }
  [[nodiscard]] unsigned depth(WarpId w) const { return warps_.at(w).runs ? 1 + warps_[w].rows.size() : 0; }
  [[nodiscard]] unsigned max_depth() const { return max_depth_; }
  [[nodiscard]] const Save& save() const { return save_; }
  [[nodiscard]] std::optional<Load> load() const;
  // The resolution that was taken in at the last edge.
  [[nodiscard]] const std::optional<Resolve>& acting() const { return acting_; }
  [[nodiscard]] std::optional<WarpId> resolving() const;
  // The warp that is chosen: it ends, or asks for a row.
  [[nodiscard]] std::optional<WarpId> popping() const { return chosen_; }
  // The lowest warp that waits to be chosen.
  [[nodiscard]] std::optional<WarpId> waiting_for_a_pop(std::optional<WarpId> killed = std::nullopt) const;

 private:
  struct Warp {
    bool runs = false, loading = false;
    SoftwareRow now;
    std::vector<SoftwareRow> rows;
    LaneMask live = 0;
  };

  // The chosen warp has no rows: this is its end, unless a row of another one comes.
  [[nodiscard]] bool ends(const Inputs& in) const { return chosen_ && !load() && !in.fill; }

  [[nodiscard]] std::optional<WarpId> choice(const Inputs& in) const;

  // No row is saved without room for it.
  bool save(const Resolve& in, Warp& warp, const SoftwareRow& row, Events& events);

  void act(const Resolve& in, Events& events);

  void fill(const Fill& in, Events& events);

  unsigned depth_;
  bool taken_left_;
  std::vector<Warp> warps_;
  unsigned max_depth_ = 0;
  std::optional<Resolve> acting_;
  std::optional<WarpId> chosen_;
  Save save_;
};

}  // namespace heddle::test
