// SPDX-License-Identifier: Apache-2.0
// The bits of state of modules at small parameters and, for dynamic warp formation, at the paper's, a line each: key,
// parameters, what the twin declares, what the formula of `heddle bits` says, "-" where the module or the width of a
// parameter is no key of the machine.
#include <cstdio>
#include <string>

#include "core/cbar_frontend.h"
#include "core/compact_frontend.h"
#include "core/dpe_forward_frontend.h"
#include "core/dpe_frontend.h"
#include "core/dpe_split_frontend.h"
#include "core/dws_frontend.h"
#include "core/fork_join_frontend.h"
#include "core/frontend.h"
#include "core/software_frontend.h"
#include "core/spe_frontend.h"
#include "dwf/dwf_scheduler.h"
#include "minpc/minpc_frontend.h"
#include "report/bits.h"
#include "stack/settled_choice.h"

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

// Stack 0 the textbook's, 1 compact; Scoreboard as of the front end.
template <unsigned Warps, unsigned Lanes, unsigned Depth, unsigned Entries, unsigned Ibuf, unsigned Order,
          unsigned Policy, unsigned Level, unsigned Predicate = 1, unsigned Stack = 0,
          unsigned Scoreboard = kScoreboardSpe>
void spe() {
  Config config = front_end("spe", Warps, Lanes, Depth, Entries, Ibuf, Policy, Level, Predicate);
  if (Stack == 1) config.stack.kind = StackKind::kCompact;
  if (Scoreboard == kScoreboardBitmap) config.scoreboard.kind = ScoreboardKind::kBitmap;
  const BitReport report = count_bits(config);
  const std::string warps = value("NumWarps", Warps);
  const std::string stack = warps + " " + value("Lanes", Lanes) + " " + value("Depth", Depth) + " " +
                            value("PushOrder", Order) + " " + value("LevelW", Level);
  if (Warps > 1) {  // or the warps of a pop and of a fetch are constant, and synthesis takes their registers away
    if constexpr (Stack == 0) {
      line("stack/spe_stack", stack, spe_stack<Warps, Lanes, Depth, Order, Level>::state_bits(), report);
    } else {
      line("stack/compact_stack", stack, compact_stack<Warps, Lanes, Depth, Order, Level>::state_bits(), report);
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
  line("core/ibuffer", warps + " NumSlots=1 " + value("Depth", Ibuf), ibuffer<Warps, 1, Ibuf>::state_bits(), report);
  if (Predicate == 1)
    line("core/predication", warps + " NumSlots=1 " + value("Lanes", Lanes), predication<Warps, 1, Lanes>::state_bits(),
         report);
  if (Warps == 1) return;
  const std::string parameters =
      warps + " " + value("Lanes", Lanes) + " " + value("StackDepth", Depth) + " " + value("PushOrder", Order) + " " +
      value("Scoreboard", Scoreboard) + " " + value("SbEntries", Entries) + " " + value("Policy", Policy) + " " +
      value("IbufDepth", Ibuf) + " " + value("LevelW", Level) + " " + value("Predicate", Predicate);
  using Textbook = spe_frontend<Warps, Lanes, Depth, Order, Scoreboard, Entries, Policy, Ibuf, Level, Predicate>;
  using Compact = compact_frontend<Warps, Lanes, Depth, Order, Scoreboard, Entries, Policy, Ibuf, Level, Predicate>;
  line(Stack == 0 ? "core/spe_frontend" : "core/compact_frontend", parameters,
       Stack == 0 ? Textbook::state_bits() : Compact::state_bits(), std::to_string(report.total_bits()));
}

// The parts of a front end with two paths, but the stack.
template <unsigned Warps, unsigned Lanes, unsigned Entries, unsigned Ibuf, unsigned Scoreboard, unsigned Selector,
          unsigned Policy, unsigned Predicate>
void two_path_parts(const BitReport& report) {
  const std::string warps = value("NumWarps", Warps);
  if constexpr (Scoreboard == kScoreboardDpe) {
    line("scoreboard/dpe_scoreboard", warps + " " + value("NumEntries", Entries),
         dpe_scoreboard<Warps, Entries>::state_bits(), report);
    if (Warps > 1) {
      line("core/wakeup", warps + " NumSlots=2 " + value("NumEntries", Entries),
           wakeup<Warps, 2, Entries>::state_bits(), report);
    }
  } else if constexpr (Scoreboard == kScoreboardBitmap) {
    line("scoreboard/bitmap_scoreboard", warps + " NumSlots=2", bitmap_scoreboard<Warps, 2>::state_bits(), report);
  } else {
    line("scoreboard/optimistic_scoreboard",
         warps + " " + value("Lanes", Lanes) + " " + value("NumEntries", 2 * Entries),
         optimistic_scoreboard<Warps, Lanes, 2 * Entries>::state_bits(), report);
  }
  if constexpr (Selector == kSelectorTwoLevel) {
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
}

// Which of the front ends with two paths; Scoreboard as of the front end.
enum class Two { kPlain, kForward, kSplit, kSoftware };

template <unsigned Warps, unsigned Lanes, unsigned Depth, unsigned Entries, unsigned Ibuf, unsigned Left,
          unsigned Scoreboard, unsigned Selector, unsigned Policy, unsigned Level, unsigned Predicate = 1,
          Two Which = Two::kPlain>
void dpe() {
  Config config = front_end("dpe", Warps, Lanes, Depth, Entries, Ibuf, Policy, Level, Predicate);
  if (Scoreboard == kScoreboardOptimistic) config.scoreboard.kind = ScoreboardKind::kOptimistic;
  if (Scoreboard == kScoreboardBitmap) config.scoreboard.kind = ScoreboardKind::kBitmap;
  if (Selector == kSelectorConstrained) config.selector.kind = SelectorKind::kConstrained;
  config.dpe.path_forwarding = Which == Two::kForward;
  config.dpe.memory_split = Which == Two::kSplit;
  if (Which == Two::kSoftware) config.dpe.stack = DpeStack::kSoftware;
  const BitReport report = count_bits(config);
  const std::string warps = value("NumWarps", Warps);
  two_path_parts<Warps, Lanes, Entries, Ibuf, Scoreboard, Selector, Policy, Predicate>(report);
  const std::string stack = warps + " " + value("Lanes", Lanes) + " " + value("Depth", Depth) + " " +
                            value("TakenLeft", Left) + " " + value("LevelW", Level);
  const std::string sizes = warps + " " + value("Lanes", Lanes) + " " + value("StackDepth", Depth) + " " +
                            value("TakenLeft", Left) + " " + value("SbEntries", Entries) + " " +
                            value("Policy", Policy) + " " + value("IbufDepth", Ibuf) + " " + value("LevelW", Level) +
                            " " + value("Predicate", Predicate);
  const std::string kinds = " " + value("Scoreboard", Scoreboard) + " " + value("Selector", Selector);
  const std::string total = std::to_string(report.total_bits());
  if constexpr (Which == Two::kSoftware) {
    line("stack/software_stack", stack, software_stack<Warps, Lanes, Depth, Left, Level>::state_bits(), report);
    line("core/software_frontend", sizes + kinds,
         software_frontend<Warps, Lanes, Depth, Left, Scoreboard, Entries, Selector, Policy, Ibuf, Level,
                           Predicate>::state_bits(),
         total);
  } else if constexpr (Which == Two::kForward) {
    line("stack/dpe_forward_stack", stack, dpe_forward_stack<Warps, Lanes, Depth, Left, Level>::state_bits(), report);
    line("core/dpe_forward_frontend", sizes + kinds,
         dpe_forward_frontend<Warps, Lanes, Depth, Left, Scoreboard, Entries, Selector, Policy, Ibuf, Level,
                              Predicate>::state_bits(),
         total);
  } else if constexpr (Which == Two::kSplit) {
    line("stack/dpe_split_stack", stack, dpe_split_stack<Warps, Lanes, Depth, Left, Level>::state_bits(), report);
    line("core/dpe_split_frontend", sizes,
         dpe_split_frontend<Warps, Lanes, Depth, Left, Entries, Policy, Ibuf, Level, Predicate>::state_bits(), total);
  } else if (Warps >
             1) {  // or the warps of a pop and of a fetch are constant, and synthesis takes their registers away
    line("stack/dpe_stack", stack, dpe_stack<Warps, Lanes, Depth, Left, Level>::state_bits(), report);
    line("core/dpe_frontend", sizes + kinds,
         dpe_frontend<Warps, Lanes, Depth, Left, Scoreboard, Entries, Selector, Policy, Ibuf, Level,
                      Predicate>::state_bits(),
         total);
  }
}

// The common front end without a stack, and its parts.
template <unsigned Warps, unsigned Lanes, unsigned Slots, unsigned Scoreboard, unsigned Entries, unsigned Selector,
          unsigned Policy, unsigned Ibuf, unsigned Predicate, unsigned PathBarriers = 0, unsigned Partial = 0>
void common() {
  const std::string paths = value("NumWarps", Warps) + " " + value("NumSlots", Slots);
  const std::string kinds = " " + value("Lanes", Lanes) + " " + value("Scoreboard", Scoreboard) + " " +
                            value("SbEntries", Entries) + " " + value("Partial", Partial);
  line("core/path_state", paths + " " + value("PathBarriers", PathBarriers),
       path_state<Warps, Slots, PathBarriers>::state_bits());
  line("core/fetch_request", paths + " " + value("IbufDepth", Ibuf), fetch_request<Warps, Slots, Ibuf>::state_bits());
  line("core/stall_reason", paths, stall_reason<Warps, Slots>::state_bits());
  line("core/hazards", paths + kinds, hazards<Warps, Lanes, Slots, Scoreboard, Entries, 2, Partial>::state_bits());
  line("core/frontend",
       paths + kinds + " " + value("Selector", Selector) + " " + value("Policy", Policy) + " " +
           value("IbufDepth", Ibuf) + " " + value("Predicate", Predicate) + " " + value("PathBarriers", PathBarriers),
       frontend<Warps, Lanes, Slots, 4, Scoreboard, Entries, Selector, Policy, Ibuf, Predicate, 2, 3, 1, PathBarriers,
                Partial>::state_bits());
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
       dws_frontend<Warps, Lanes, Slots, Depth, Order, Entries, Policy, Ibuf, Level, Predicate>::state_bits(),
       std::to_string(report.total_bits()));
}

// Threads in the order of their PCs.
template <unsigned Warps, unsigned Lanes, unsigned Scoreboard, unsigned Entries, unsigned Ibuf, unsigned Policy,
          unsigned Level, unsigned Predicate>
void minpc() {
  Config config = front_end("minpc", Warps, Lanes, 4, Entries, Ibuf, Policy, Level, Predicate);
  if (Scoreboard == kScoreboardBitmap) config.scoreboard.kind = ScoreboardKind::kBitmap;
  const BitReport report = count_bits(config);
  const std::string sizes = value("NumWarps", Warps) + " " + value("Lanes", Lanes) + " " + value("LevelW", Level);
  line("minpc/min_pc_table", sizes, min_pc_table<Warps, Lanes, Level>::state_bits(), report);
  line("minpc/minpc_frontend",
       sizes + " " + value("Scoreboard", Scoreboard) + " " + value("SbEntries", Entries) + " " +
           value("IbufDepth", Ibuf) + " " + value("Policy", Policy) + " " + value("Predicate", Predicate),
       minpc_frontend<Warps, Lanes, Scoreboard, Entries, Policy, Ibuf, Level, Predicate>::state_bits(),
       std::to_string(report.total_bits()));
}

// Convergence barriers, of which the machine has 16.
template <unsigned Warps, unsigned Lanes, unsigned YieldPolicy, unsigned YieldMode, unsigned Scoreboard,
          unsigned Entries, unsigned Ibuf, unsigned Policy, unsigned Predicate>
void cbar() {
  Config config = front_end("cbar", Warps, Lanes, 4, Entries, Ibuf, Policy, 8, Predicate);
  if (Scoreboard == kScoreboardBitmap) config.scoreboard.kind = ScoreboardKind::kBitmap;
  config.stack.order = PushOrder::kLargerFirst;
  config.cbar.policy = YieldPolicy;
  config.cbar.yield_leaves = YieldMode == kYieldLeaves;
  const BitReport report = count_bits(config);
  const std::string sizes =
      value("NumWarps", Warps) + " " + value("Lanes", Lanes) + " " + value("YieldMode", YieldMode) + " ";
  line("stack/convergence_barriers", sizes + value("Policy", YieldPolicy),
       convergence_barriers<Warps, Lanes, 16, kPushLargerFirst, YieldPolicy, YieldMode>::state_bits(), report);
  line("core/cbar_frontend",
       sizes + value("YieldPolicy", YieldPolicy) + " " + value("Scoreboard", Scoreboard) + " " +
           value("SbEntries", Entries) + " " + value("IbufDepth", Ibuf) + " " + value("Policy", Policy) + " " +
           value("Predicate", Predicate),
       cbar_frontend<Warps, Lanes, 16, kPushLargerFirst, YieldPolicy, YieldMode, Scoreboard, Entries, Policy, Ibuf, 8,
                     Predicate>::state_bits(),
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
  spe<1, 4, 4, 3, 3, 0, 0, 8, 0>();
  spe<1, 4, 3, 2, 2, 2, 1, 16>();
  spe<3, 4, 4, 3, 3, 1, 0, 8, 1, 1, kScoreboardBitmap>();
  spe<3, 4, 5, 2, 4, 0, 0, 3, 1, 1>();
  dpe<3, 2, 3, 2, 2, 1, kScoreboardDpe, 0, 0, 8>();
  dpe<2, 4, 3, 2, 2, 0, kScoreboardOptimistic, 1, 1, 2>();
  dpe<1, 2, 3, 2, 2, 1, kScoreboardDpe, 0, 0, 8>();
  dpe<1, 4, 3, 2, 2, 0, kScoreboardOptimistic, 1, 1, 5, 0>();
  dpe<2, 4, 3, 2, 2, 1, kScoreboardBitmap, 0, 1, 4>();
  dpe<3, 4, 3, 2, 2, 0, kScoreboardDpe, 0, 1, 8, 1, Two::kForward>();
  dpe<3, 4, 4, 2, 2, 1, kScoreboardOptimistic, 0, 0, 8, 1, Two::kSplit>();
  dpe<3, 4, 4, 2, 2, 1, kScoreboardDpe, 0, 0, 8, 1, Two::kSoftware>();
  dpe<2, 8, 3, 2, 2, 0, kScoreboardBitmap, 1, 1, 4, 0, Two::kSoftware>();
  common<3, 2, 1, kScoreboardSpe, 2, 0, 1, 2, 1>();
  common<2, 4, 2, kScoreboardOptimistic, 2, 1, 0, 3, 0, 0, 1>();
  common<2, 4, 4, kScoreboardOptimistic, 2, 0, 1, 3, 1, 1>();
  common<3, 2, 2, kScoreboardDpe, 2, 0, 0, 3, 1>();
  minpc<3, 4, kScoreboardSpe, 2, 3, 0, 8, 1>();
  minpc<2, 8, kScoreboardBitmap, 2, 2, 1, 3, 0>();
  cbar<3, 4, kYieldIsFair, kYieldStays, kScoreboardSpe, 2, 3, 0, 1>();
  cbar<2, 8, kYieldSwaps, kYieldStays, kScoreboardBitmap, 2, 2, 1, 0>();
  cbar<1, 4, kYieldIsFairAtBranches, kYieldLeaves, kScoreboardSpe, 2, 2, 0, 1>();
  line("stack/convergence_barriers", "NumWarps=3 Lanes=5 Barriers=4 Watch=0",
       convergence_barriers<3, 5, 4, kPushLargerFirst, kYieldIsFair, kYieldStays, 8, 0>::state_bits());
  line("stack/settled_choice", "NumWarps=5", settled_choice<5>::state_bits());
  line("minpc/min_pc_table", "NumWarps=3 Lanes=5 LevelW=2 Watch=0", min_pc_table<3, 5, 2, 0>::state_bits());
  dwf<4, 8, 4, 2, 4, 0, 1>(true);
  dwf<2, 6, 4, 4, 3, 2, 0>(true);
  dwf<4, 12, 4, 2, 3, 1, 1, 1>(true);
  dwf<2, 8, 4, 1, 3, 3, 1>(true);
  dwf<2, 4, 4, 1, 3, 4, 1>(true);
  dwf<16, 256, 32, 2, 32, 0, 1>(false);  // Table 1 of the paper
  line("core/ibuffer", "NumWarps=3 NumSlots=2 Depth=3 TagW=5", ibuffer<3, 2, 3, 5>::state_bits());
  line("core/ibuffer", "NumWarps=2 NumSlots=2 Depth=4 TagW=2", ibuffer<2, 2, 4, 2>::state_bits());
  line("core/fork_join_frontend", "NumWarps=3 Lanes=4 StackDepth=5 TieOrder=1 SbEntries=2 IbufDepth=4 LevelW=3",
       fork_join_frontend<3, 4, 5, 1, kScoreboardSpe, 2, 0, 4, 3>::state_bits());
  line("core/compact_frontend", "NumWarps=3 Lanes=4 StackDepth=5 SbEntries=2 IbufDepth=4 LevelW=3 Watch=0",
       compact_frontend<3, 4, 5, 0, kScoreboardSpe, 2, 0, 4, 3, 1, 2, 3, 0>::state_bits());
  line("stack/spe_stack", "NumWarps=3 Lanes=4 Depth=5 PushOrder=0 LevelW=3 Watch=0",
       spe_stack<3, 4, 5, 0, 3, 0>::state_bits());
  line("stack/dpe_stack", "NumWarps=3 Lanes=4 Depth=5 TakenLeft=0 LevelW=3 Watch=0",
       dpe_stack<3, 4, 5, 0, 3, 0>::state_bits());
  line("stack/dpe_split_stack", "NumWarps=5 Lanes=4 Depth=4 TakenLeft=1 LevelW=3 Watch=0",
       dpe_split_stack<5, 4, 4, 1, 3, 0>::state_bits());
  line("stack/compact_stack", "NumWarps=3 Lanes=4 Depth=5 PushOrder=0 LevelW=3 Watch=0",
       compact_stack<3, 4, 5, 0, 3, 0>::state_bits());
  line("stack/fork_join_stack", "NumWarps=3 Lanes=4 Depth=4 TieOrder=0 LevelW=8 Watch=1",
       fork_join_stack<3, 4, 4, 0, 8>::state_bits());
  line("stack/fork_join_stack", "NumWarps=2 Lanes=5 Depth=6 TieOrder=1 LevelW=3 Watch=0",
       fork_join_stack<2, 5, 6, 1, 3, 0>::state_bits());
  line("stack/convergence_barriers", "NumWarps=2 Lanes=5 Barriers=4 PushOrder=0 Policy=0 YieldMode=0 LevelW=3 Watch=0",
       convergence_barriers<2, 5, 4, 0, 0, 0, 3, 0>::state_bits());
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
