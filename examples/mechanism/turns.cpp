// SPDX-License-Identifier: Apache-2.0
// The mechanism `turns` as a plug-in: what the simulator knows of turns_frontend.
#ifdef TURNS_HAVE_RTL
#include "Vturns.h"
#include "Vturns___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "engine/twin_frontend.h"
#include "mechanisms/plugin.h"
#include "report/frontend_bits.h"
#include "wave/frontend_probes.h"

#include "turns_frontend.h"

namespace turns {

using namespace heddle;

const ConfigKey kEach =
    own_number("turns.each", 1, 1, 15, "instructions", "turns: a group issues so many, then the next", "assumed");

// Groups as entries, for dumps, checks and comparison: the path on top, below it the others in the order of their PCs.
template <class Place>
std::vector<StackEntry> groups(LaneMask live, LaneMask path, Place place) {
  std::vector<StackEntry> entries;
  const auto add = [&](Pc pc, LaneMask threads) {
    StackEntry entry;
    entry.pc[0] = pc;
    entry.mask[0] = threads;
    entries.push_back(entry);
  };
  std::map<Pc, LaneMask> others;
  for (LaneMask left = live & ~path; left != 0; left &= left - 1) others[place(lowest_bit(left))] |= left & -left;
  for (const auto& [pc, threads] : others) add(pc, threads);
  if ((live & path) != 0) add(place(lowest_bit(live & path)), live & path);
  return entries;
}

struct Twin : TwinRules {
  static std::uint32_t order(const Config& config) { return static_cast<std::uint32_t>(kEach.get(config)); }
  template <class Logic>
  static std::vector<StackEntry> entries(const Logic& logic, unsigned w) {
    const auto& table = logic.stack();
    if (table.depth(w) == 0) return {};
    const Warp& warp = table.warp(w);
    return groups(warp.live, warp.mask,
                  [&](unsigned lane) { return has_bit(warp.mask, lane) ? warp.pc : table.place(w, lane); });
  }
  template <class Logic>
  static unsigned depth(const Logic& logic, unsigned w) {
    return static_cast<unsigned>(entries(logic, w).size());
  }
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned w, unsigned index, unsigned /*slots*/) {
    return entries(logic, w)[index];
  }
  template <class Logic>
  static void read_place(const Logic&, unsigned /*warp*/, WarpState&) {}  // groups meet nowhere in particular
  template <class Logic>
  static void show(const Logic& logic, DirectFrontendPins& pins) {
    pins.own_count.write(logic.stack().changes());
  }
};

#ifdef TURNS_HAVE_RTL
struct Rtl : RtlRules<1, 1> {
  static constexpr unsigned kStackDepth = 16;  // what the key has if nothing sets it: there are no entries
  static constexpr bool kPredicates = false;
  HEDDLE_RTL_NETS(turns_frontend, warp)
  HEDDLE_RTL_ROWS(rows, turns_frontend, u_places)
  HEDDLE_RTL_STACK(paths, turns_frontend, mask_q)

  static void check(const Config& config) {
    if (kEach.get(config) != 1)
      throw bad_input("engine", "turns.each = " + std::to_string(kEach.get(config)) +
                                    " has no Verilated model: set turns.each=1, or use "
                                    "--engine systemc");
  }
  template <class M>
  static std::vector<StackEntry> entries(const M& m, unsigned w) {
    if (m.stack_entries(w) == 0) return {};
    const LaneMask path = bits(paths(m.root()), M::kLanes * w, M::kLanes);
    return groups(m.live(w), path, [&](unsigned lane) {
      return has_bit(path, lane) ? m.pc(w) : static_cast<Pc>(bits(rows(m.root())[w], 32 * lane, 32));
    });
  }
  template <class M>
  static unsigned depth(const M& m, unsigned w) {
    return static_cast<unsigned>(entries(m, w).size());
  }
  template <class M>
  static StackEntry entry(const M& m, unsigned w, unsigned index) {
    return entries(m, w)[index];
  }
};
#endif

// Turns are counted by the front end.
class Unit final : public MechanismUnit {
 public:
  void add_counts(const FrontendCounts& counts, Stats& stats) const override {
    stats.own["turns.changes"] += counts.own;
  }
};

class Design final
    : public TwinDesign<Twin,
                        TwinBuild<ScoreboardModule::kSpe, SelectorKind::kTwoLevel,
                                  turns_frontend<kMaxPartitionWarps, kTwinLanes, kTwinSbEntries, kTwinIbufDepth>>> {
 public:
  FrontendShape shape(const Config&) const override {
    FrontendShape shape;
    shape.core.parts_warps = true;  // a warp-wide operation may meet a part of the warp
    shape.core.predicates = false;  // core/predication is left out
    shape.core.has_stack = false;   // paths are in a table
    return shape;
  }
#ifdef TURNS_HAVE_RTL
  const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {rtl_model<Rtl, 32, ScoreboardModule::kSpe, void, Vturns>()};
    return models;
  }
#endif
  std::unique_ptr<MechanismUnit> unit(const Config&) const override { return std::make_unique<Unit>(); }
  void count_bits(FrontendBits& bits) const override {
    const unsigned pc = FrontendBits::kPcBits, lanes = bits.lanes();
    bits.begin("turns_frontend", "turns_table");
    bits.add("places of threads", {{"pc", pc, ""}}, lanes, bits.all_warps(), Storage::kMemory);
    bits.add_to_warps("path", {{"pc", pc, ""},
                               {"mask", lanes, ""},
                               {"turn", index_width(lanes), "the lane whose turn it is"},
                               {"issued", 1, "instructions of the turn"},
                               {"valid", 1, FrontendBits::kValidReason},
                               {"others", 1, "there are other groups"},
                               {"live", lanes, FrontendBits::kLiveReason},
                               {"in use", 1, "the warp has threads"}});
    bits.add_once("resolution register", {{"target", pc, FrontendBits::kStage},
                                          {"next", pc, FrontendBits::kStage},
                                          {"taken", lanes, FrontendBits::kStage},
                                          {"exit", lanes, FrontendBits::kStage},
                                          {"diverges", 1, FrontendBits::kStage}});
    bits.add_once("settled warp", {{"warp", 2 * bits.warp_bits(), FrontendBits::kStage},
                                   {"acts", 1, FrontendBits::kStage},
                                   {"changes", 1, FrontendBits::kStage}});
    bits.add_once("watched", {{"high-water mark", 1, "statistics"}, {"changes", 32, "statistics"}});
  }
  void add_probes(PinProbes& probes) const override { probes.number("own_count", 32, probes.pins.own_count); }
};

class Turns final : public Mechanism {
 public:
  Turns()
      : Mechanism(MechanismKind::kFrontend, "turns", "groups of threads with one PC take turns, a group an issue",
                  "an example: docs/add_a_mechanism.md") {}
  std::vector<ConfigKey> keys() const override { return {kEach}; }
  void check(const Config& config, const Describe& describe) const override {
    if (config.scoreboard.kind != ScoreboardKind::kShadow)
      throw bad_input("config",
                      describe("scoreboard.kind") + " with turns: it has tables alone; set scoreboard.kind=shadow");
  }
  const FrontendDesign* design(const Config&) const override {
    static const Design design;
    return &design;
  }
};

}  // namespace turns

HEDDLE_PLUGIN(list) {
  static const turns::Turns mechanism;
  list.add(mechanism);
}
