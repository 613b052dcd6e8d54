// SPDX-License-Identifier: Apache-2.0
// The bits of state of modules at small parameters and, for dynamic warp formation, at the paper's, a line each: key,
// parameters, what the twin declares, what the formula of `heddle bits` says, "-" where the module or the width of a
// parameter is no key of the machine.
#include <cstdio>
#include <string>

#include "core/dpe_frontend.h"
#include "core/dws_frontend.h"
#include "core/frontend.h"
#include "core/spe_frontend.h"
#include "core/wakeup.h"
#include "dwf/dwf_scheduler.h"
#include "dws/warp_split_table.h"
#include "report/bits.h"
#include "stack/fork_join_stack.h"

namespace {

using namespace heddle;

void line(const char* key, const std::string& parameters, std::uint64_t twin, const std::string& formula = "-") {
  std::printf("%s %s %llu %s\n", key, parameters.c_str(), static_cast<unsigned long long>(twin), formula.c_str());
}

// One instance of a module of a front end; `copies`: how many of it the formula counts together.
void line(const char* key, const std::string& parameters, std::uint64_t twin, const BitReport& report,
          unsigned copies = 1) {
  line(key, parameters, twin, std::to_string(report.module_bits(key) / copies));
}

std::string value(const char* name, unsigned number) { return std::string(name) + "=" + std::to_string(number); }

Config front_end(const char* mechanism, unsigned warps, unsigned lanes, unsigned depth, unsigned entries,
                 unsigned ibuffer, unsigned policy, unsigned level_bits, unsigned predicate) {
  Config config;
  config.mechanism = mechanism;
  config.core.warps = warps;
  config.core.schedulers = 1;
  config.core.lanes = lanes;
  config.core.predicate = predicate;
  config.stack.depth = depth;
  config.stack.level_bits = level_bits;
  config.scoreboard.entries = entries;
  config.frontend.ibuffer = ibuffer;
  config.selector.policy = policy == 1 ? Policy::kGto : Policy::kLrr;
  return config;
}

// Stack 0 the textbook's, 1 compact; Scoreboard 0 table, 1 bitmap.
template <unsigned Warps, unsigned Lanes, unsigned Depth, unsigned Entries, unsigned Ibuf, unsigned Order,
          unsigned Policy, unsigned Level, unsigned Predicate = 1, unsigned Stack = 0, unsigned Scoreboard = 0>
void spe() {
  Config config = front_end("spe", Warps, Lanes, Depth, Entries, Ibuf, Policy, Level, Predicate);
  // The compact stack tells of later sides from a register, which synthesis takes away where nobody hears it: with who
  // does.
  constexpr unsigned kAhead = Stack == 1 ? 1 : 0;
  if (Stack == 1) config.stack.kind = StackKind::kCompact;
  if (Scoreboard == 1) config.scoreboard.kind = ScoreboardKind::kBitmap;
  const BitReport report = count_bits(config);
  const std::string warps = value("NumWarps", Warps);
  const std::string stack = warps + " " + value("Lanes", Lanes) + " " + value("Depth", Depth) + " " +
                            value("PushOrder", Order) + " " + value("LevelW", Level);
  if (Warps > 1) {  // or the warps of a pop and of a fetch are constant, and synthesis takes their registers away
    if constexpr (Stack == 0) {
      line("stack/spe_stack", stack, spe_stack<Warps, Lanes, Depth, Order, Level>::state_bits(), report);
    } else {
      line("stack/compact_stack", stack, compact_stack<Warps, Lanes, Depth, Order, Level>::state_bits());
    }
  }
  if constexpr (Scoreboard == 0) {
    line("scoreboard/spe_scoreboard", warps + " " + value("NumEntries", Entries),
         spe_scoreboard<Warps, Entries>::state_bits(), report);
    if (Warps > 1) {
      line("core/wakeup", warps + " NumSlots=1 " + value("NumEntries", Entries),
           wakeup<Warps, 1, Entries>::state_bits(), report);
    }
  } else {
    line("scoreboard/bitmap_scoreboard", warps + " NumSlots=1", bitmap_scoreboard<Warps, 1>::state_bits(), report);
  }
  line("select/warp_selector", warps + " NumSlots=1 " + value("Policy", Policy),
       warp_selector<Warps, 1, Policy>::state_bits(), report);
  line("core/ibuffer", warps + " NumSlots=1 " + value("Depth", Ibuf) + " " + value("Turn", kAhead),
       ibuffer<Warps, 1, Ibuf, 3, kAhead>::state_bits(),
       kAhead == 1 ? "-" : std::to_string(report.module_bits("core/ibuffer")));
  if (Predicate == 1)
    line("core/predication", warps + " NumSlots=1 " + value("Lanes", Lanes), predication<Warps, 1, Lanes>::state_bits(),
         report);
  if (Warps == 1) return;
  line("core/spe_frontend",
       warps + " " + value("Lanes", Lanes) + " " + value("Stack", Stack) + " " + value("StackDepth", Depth) + " " +
           value("Scoreboard", Scoreboard) + " " + value("SbEntries", Entries) + " " + value("IbufDepth", Ibuf) + " " +
           value("PushOrder", Order) + " " + value("Policy", Policy) + " " + value("LevelW", Level) + " " +
           value("Predicate", Predicate) + " " + value("Ahead", kAhead),
       spe_frontend<Warps, Lanes, Stack, Depth, Scoreboard, Entries, Ibuf, Order, Policy, Level, Predicate, 2, 1, 3,
                    kAhead>::state_bits(),
       kAhead == 1 ? "-" : std::to_string(report.total_bits()));
}

template <unsigned Warps, unsigned Lanes, unsigned Depth, unsigned Entries, unsigned Ibuf, unsigned Left,
          unsigned Scoreboard, unsigned Selector, unsigned Policy, unsigned Level, unsigned Predicate = 1,
          unsigned Split = 0, unsigned Software = 0>
void dpe() {
  Config config = front_end("dpe", Warps, Lanes, Depth, Entries, Ibuf, Policy, Level, Predicate);
  if (Scoreboard == 1) config.scoreboard.kind = ScoreboardKind::kOptimistic;
  if (Scoreboard == 2) config.scoreboard.kind = ScoreboardKind::kBitmap;
  if (Selector == 1) config.selector.kind = SelectorKind::kConstrained;
  config.dpe.memory_split = Split != 0;
  if (Software != 0) config.dpe.stack = DpeStack::kSoftware;
  const BitReport report = count_bits(config);
  const std::string warps = value("NumWarps", Warps);
  if constexpr (Software != 0) {
    line("stack/software_stack",
         warps + " " + value("Lanes", Lanes) + " " + value("Depth", Depth) + " " + value("TakenLeft", Left) + " " +
             value("LevelW", Level),
         software_stack<Warps, Lanes, Depth, Left, Level>::state_bits(), report);
  } else if (Warps >
             1) {  // or the warps of a pop and of a fetch are constant, and synthesis takes their registers away
    line("stack/dpe_stack",
         warps + " " + value("Lanes", Lanes) + " " + value("Depth", Depth) + " " + value("TakenLeft", Left) + " " +
             value("LevelW", Level) + " " + value("Split", Split),
         dpe_stack<Warps, Lanes, Depth, Left, Level, 0, Split>::state_bits(), report);
  }
  if constexpr (Scoreboard == 0) {
    line("scoreboard/dpe_scoreboard", warps + " " + value("NumEntries", Entries),
         dpe_scoreboard<Warps, Entries>::state_bits(), report);
    if (Warps > 1) {
      line("core/wakeup", warps + " NumSlots=2 " + value("NumEntries", Entries),
           wakeup<Warps, 2, Entries>::state_bits(), report);
    }
  } else if constexpr (Scoreboard == 2) {
    line("scoreboard/bitmap_scoreboard", warps + " NumSlots=2", bitmap_scoreboard<Warps, 2>::state_bits(), report);
  } else {
    line("scoreboard/optimistic_scoreboard",
         warps + " " + value("Lanes", Lanes) + " " + value("NumEntries", 2 * Entries),
         optimistic_scoreboard<Warps, Lanes, 2 * Entries>::state_bits(), report);
  }
  if constexpr (Selector == 0) {
    line("select/warp_selector", warps + " NumSlots=2 " + value("Policy", Policy),
         warp_selector<Warps, 2, Policy>::state_bits(), report);
  } else {
    line("select/constrained_selector", warps + " " + value("Policy", Policy),
         constrained_selector<Warps, Policy>::state_bits(), report);
  }
  line("core/ibuffer", warps + " NumSlots=2 " + value("Depth", Ibuf), ibuffer<Warps, 2, Ibuf>::state_bits(), report);
  if (Predicate == 1)
    line("core/predication", warps + " NumSlots=2 " + value("Lanes", Lanes), predication<Warps, 2, Lanes>::state_bits(),
         report);
  if (Warps == 1) return;
  line("core/dpe_frontend",
       warps + " " + value("Lanes", Lanes) + " " + value("Stack", Software) + " " + value("StackDepth", Depth) + " " +
           value("SbEntries", Entries) + " " + value("IbufDepth", Ibuf) + " " + value("TakenLeft", Left) + " " +
           value("Scoreboard", Scoreboard) + " " + value("Selector", Selector) + " " + value("Policy", Policy) + " " +
           value("LevelW", Level) + " " + value("Predicate", Predicate) + " " + value("Split", Split),
       dpe_frontend<Warps, Lanes, Software, Depth, Entries, Ibuf, Left, Scoreboard, Selector, Policy, Level, Predicate,
                    2, 1, 3, 0, Split>::state_bits(),
       std::to_string(report.total_bits()));
}

template <unsigned Warps, unsigned Lanes, unsigned Slots, unsigned Stack, unsigned Depth, unsigned Order,
          unsigned Scoreboard, unsigned Entries, unsigned Selector, unsigned Policy, unsigned Ibuf, unsigned Level,
          unsigned Predicate>
void any() {
  line("core/frontend",
       value("NumWarps", Warps) + " " + value("Lanes", Lanes) + " " + value("NumSlots", Slots) + " " +
           value("Stack", Stack) + " " + value("StackDepth", Depth) + " " + value("StackOrder", Order) + " " +
           value("Scoreboard", Scoreboard) + " " + value("SbEntries", Entries) + " " + value("Selector", Selector) +
           " " + value("Policy", Policy) + " " + value("IbufDepth", Ibuf) + " " + value("LevelW", Level) + " " +
           value("Predicate", Predicate),
       frontend<Warps, Lanes, Slots, Stack, Depth, Order, Scoreboard, Entries, Selector, Policy, Ibuf, Level,
                Predicate>::state_bits());
}

// Splits: the optimistic scoreboard with twice the entries.
template <unsigned Warps, unsigned Lanes, unsigned Slots, unsigned Depth, unsigned Entries, unsigned Ibuf,
          unsigned Order, unsigned Policy, unsigned Level, unsigned Predicate = 1>
void dws() {
  Config config = front_end("dws", Warps, Lanes, Depth, Entries, Ibuf, Policy, Level, Predicate);
  config.dws.splits = Slots;
  const BitReport report = count_bits(config);
  const std::string paths = value("NumWarps", Warps) + " " + value("NumSlots", Slots) + " ";
  line("dws/warp_split_table",
       paths + value("Lanes", Lanes) + " " + value("Depth", Depth) + " " + value("PushOrder", Order) + " " +
           value("LevelW", Level),
       warp_split_table<Warps, Lanes, Slots, Depth, Order, Level>::state_bits(), report);
  line("select/warp_selector", paths + value("Policy", Policy), warp_selector<Warps, Slots, Policy>::state_bits(),
       report);
  line("core/ibuffer", paths + value("Depth", Ibuf), ibuffer<Warps, Slots, Ibuf>::state_bits(), report);
  if (Predicate == 1)
    line("core/predication", paths + value("Lanes", Lanes), predication<Warps, Slots, Lanes>::state_bits(), report);
  line("core/dws_frontend",
       paths + value("Lanes", Lanes) + " " + value("StackDepth", Depth) + " " + value("SbEntries", Entries) + " " +
           value("IbufDepth", Ibuf) + " " + value("PushOrder", Order) + " " + value("Policy", Policy) + " " +
           value("LevelW", Level) + " " + value("Predicate", Predicate),
       dws_frontend<Warps, Lanes, Slots, Depth, Entries, Ibuf, Order, Policy, Level, Predicate>::state_bits(),
       std::to_string(report.total_bits()));
}

// Threads is a whole number of warps here, and scheduler data have the paper's 8 bits.
template <unsigned Lanes, unsigned Threads, unsigned LutEntries, unsigned LutWays, unsigned Table, unsigned Heuristic,
          unsigned LaneAware, unsigned TableSort = 0>
void dwf(bool parts) {
  Config config;
  config.mechanism = "dwf";
  config.core.lanes = Lanes;
  config.core.warps = Threads / Lanes;
  config.dwf.heuristic = static_cast<DwfHeuristic>(Heuristic);
  config.dwf.lane_aware = LaneAware == 1;
  config.dwf.lut_entries = LutEntries;
  config.dwf.lut_ways = LutWays;
  config.dwf.table_entries = Table;
  config.dwf.table_sort = static_cast<DwfTableSort>(TableSort);
  const BitReport report = count_bits(config);
  const std::string lanes = value("Lanes", Lanes), threads = value("Threads", Threads);
  const std::string lut = value("LutEntries", LutEntries) + " " + value("LutWays", LutWays);
  const std::string issue = value("TableEntries", Table) + " SchedW=8 " + value("Heuristic", Heuristic);
  line("dwf/dwf_scheduler",
       lanes + " " + threads + " " + lut + " " + issue + " " + value("LaneAware", LaneAware) + " " +
           value("TableSort", TableSort),
       dwf_scheduler<Lanes, Threads, LutEntries, LutWays, Table, 8, Heuristic, LaneAware, TableSort>::state_bits(),
       std::to_string(report.total_bits()));
  if (!parts) return;
  if (Heuristic ==
      kHeuristicPdom) {  // or the scheduler gives it no scheduler data, and synthesis takes their registers away
    line("dwf/warp_update_register", lanes + " " + threads + " SchedW=8",
         warp_update_register<Lanes, Threads, 8>::state_bits(), report, 2);
  }
  line("dwf/pc_warp_lut", lanes + " " + threads + " " + lut + " " + value("LaneAware", LaneAware),
       pc_warp_lut<Lanes, Threads, LutEntries, LutWays, LaneAware>::state_bits(), report);
  line("dwf/warp_allocator", threads, warp_allocator<Threads>::state_bits(), report);
  line("dwf/warp_pool", lanes + " " + threads, warp_pool<Lanes, Threads>::state_bits(), report);
  line("dwf/issue_logic", threads + " " + lanes + " " + issue + " " + value("TableSort", TableSort),
       issue_logic<Threads, Lanes, 8, Table, Heuristic, TableSort>::state_bits(), report);
}

}  // namespace

int sc_main(int, char**) {
  spe<3, 4, 4, 3, 3, 0, 0, 8>();
  spe<2, 4, 3, 2, 2, 2, 1, 3>();
  dpe<3, 2, 3, 2, 2, 1, 0, 0, 0, 8>();
  dpe<2, 4, 3, 2, 2, 0, 1, 1, 1, 2>();
  spe<1, 4, 4, 3, 3, 0, 0, 8, 0>();
  spe<1, 4, 3, 2, 2, 2, 1, 16>();
  dpe<1, 2, 3, 2, 2, 1, 0, 0, 0, 8>();
  dpe<1, 4, 3, 2, 2, 0, 1, 1, 1, 5, 0>();
  spe<3, 4, 4, 3, 3, 1, 0, 8, 1, 1, 1>();
  dpe<2, 4, 3, 2, 2, 1, 2, 0, 1, 4>();
  dpe<3, 4, 4, 2, 2, 1, 1, 0, 0, 8, 1, 1>();
  dpe<3, 4, 4, 2, 2, 1, 0, 0, 0, 8, 1, 0, 1>();
  dpe<2, 8, 3, 2, 2, 0, 2, 1, 1, 4, 0, 0, 1>();
  any<3, 2, 1, 0, 3, 3, 0, 2, 0, 1, 2, 8, 1>();
  any<2, 4, 2, 1, 3, 1, 2, 2, 1, 0, 3, 2, 0>();
  dwf<4, 8, 4, 2, 4, 0, 1>(true);
  dwf<2, 6, 4, 4, 3, 2, 0>(true);
  dwf<4, 12, 4, 2, 3, 1, 1, 1>(true);
  dwf<2, 8, 4, 1, 3, 3, 1>(true);
  dwf<2, 4, 4, 1, 3, 4, 1>(true);
  dwf<16, 256, 32, 2, 32, 0, 1>(false);  // Table 1 of the paper
  line("core/ibuffer", "NumWarps=3 NumSlots=2 Depth=3 TagW=5", ibuffer<3, 2, 3, 5>::state_bits());
  line("core/ibuffer", "NumWarps=3 NumSlots=1 Depth=5 TagW=3 Turn=1", ibuffer<3, 1, 5, 3, 1>::state_bits());
  line("core/ibuffer", "NumWarps=2 NumSlots=2 Depth=4 TagW=2 Turn=1", ibuffer<2, 2, 4, 2, 1>::state_bits());
  line("core/spe_frontend",
       "NumWarps=3 Lanes=4 Stack=0 StackDepth=5 Scoreboard=0 SbEntries=2 IbufDepth=4 LevelW=3 Ahead=1",
       spe_frontend<3, 4, 0, 5, 0, 2, 4, 0, 0, 3, 1, 2, 1, 3, 1>::state_bits());
  line("core/spe_frontend",
       "NumWarps=3 Lanes=4 Stack=1 StackDepth=5 Scoreboard=1 SbEntries=2 IbufDepth=4 LevelW=3 Ahead=1",
       spe_frontend<3, 4, 1, 5, 1, 2, 4, 0, 0, 3, 1, 2, 1, 3, 1>::state_bits());
  line("stack/spe_stack", "NumWarps=3 Lanes=4 Depth=5 PushOrder=0 LevelW=3 Watch=0",
       spe_stack<3, 4, 5, 0, 3, 0>::state_bits());
  line("stack/dpe_stack", "NumWarps=3 Lanes=4 Depth=5 TakenLeft=0 LevelW=3 Watch=0",
       dpe_stack<3, 4, 5, 0, 3, 0, 0, 0>::state_bits());
  line("stack/dpe_stack", "NumWarps=5 Lanes=4 Depth=4 TakenLeft=1 LevelW=3 Forward=0 Split=1 Watch=0",
       dpe_stack<5, 4, 4, 1, 3, 0, 1, 0>::state_bits());
  line("stack/compact_stack", "NumWarps=3 Lanes=4 Depth=5 PushOrder=0 LevelW=3 Watch=0",
       compact_stack<3, 4, 5, 0, 3, 0>::state_bits());
  line("stack/compact_stack", "NumWarps=3 Lanes=4 Depth=5 PushOrder=0 LevelW=3 Watch=2",
       compact_stack<3, 4, 5, 0, 3, 2>::state_bits());
  line("stack/fork_join_stack", "NumWarps=3 Lanes=4 Depth=4 TieOrder=0 LevelW=8 Watch=1",
       fork_join_stack<3, 4, 4, 0, 8>::state_bits());
  line("stack/fork_join_stack", "NumWarps=2 Lanes=5 Depth=6 TieOrder=1 LevelW=3 Watch=0",
       fork_join_stack<2, 5, 6, 1, 3, 0>::state_bits());
  dws<3, 4, 3, 4, 2, 3, 0, 0, 8>();
  dws<2, 8, 4, 3, 1, 2, 1, 1, 4, 0>();
  line("dws/warp_split_table", "NumWarps=2 Lanes=5 NumSlots=2 Depth=6 PushOrder=2 LevelW=3 Watch=0",
       warp_split_table<2, 5, 2, 6, 2, 3, 0>::state_bits());
  line("core/ibuffer", "NumWarps=2 NumSlots=3 Depth=3 TagW=3", ibuffer<2, 3, 3>::state_bits());
  line("core/predication", "NumWarps=2 NumSlots=5 Lanes=4", predication<2, 5, 4>::state_bits());
  line("select/warp_selector", "NumWarps=3 NumSlots=3 Policy=0", warp_selector<3, 3, 0>::state_bits());
  line("common/rr_arbiter", "NumReq=5", rr_arbiter<5>::state_bits());
  line("select/warp_selector", "NumWarps=5 NumSlots=2 Policy=1", warp_selector<5, 2, 1>::state_bits());
  line("dwf/warp_update_register", "Lanes=4 Threads=17 SchedW=3", warp_update_register<4, 17, 3>::state_bits());
  line("dwf/pc_warp_lut", "Lanes=4 Threads=9 LutEntries=4 LutWays=1 LaneAware=1",
       pc_warp_lut<4, 9, 4, 1, 1>::state_bits());
  line("dwf/warp_allocator", "Threads=13", warp_allocator<13>::state_bits());
  line("dwf/warp_pool", "Lanes=4 Threads=6", warp_pool<4, 6>::state_bits());
  line("dwf/issue_logic", "Threads=9 Lanes=4 SchedW=3 TableEntries=4 Heuristic=1 TableSort=0",
       issue_logic<9, 4, 3, 4, 1>::state_bits());
  line("dwf/issue_logic", "Threads=9 Lanes=4 SchedW=3 TableEntries=4 Heuristic=4 TableSort=0",
       issue_logic<9, 4, 3, 4, 4>::state_bits());
  return 0;
}
