// SPDX-License-Identifier: Apache-2.0
// State bits: the paper's numbers, the twins' own counts, and the sum of the differences.
#include "report/bits.h"

#include <gtest/gtest.h>

#include "core/cbar_frontend.h"
#include "core/compact_frontend.h"
#include "core/dpe_forward_frontend.h"
#include "core/dpe_frontend.h"
#include "core/dpe_split_frontend.h"
#include "core/dws_frontend.h"
#include "core/fork_join_frontend.h"
#include "core/software_frontend.h"
#include "core/spe_frontend.h"
#include "dwf/dwf_scheduler.h"
#include "heddle/error.h"

namespace heddle::bits_test {
namespace {

Config config_of(const std::string& mechanism, unsigned warps = 48, unsigned schedulers = 2) {
  Config config;
  config.mechanism = mechanism;
  config.core.warps = warps;
  config.core.schedulers = schedulers;
  return config;
}

const BitStructure& structure(const std::vector<BitStructure>& list, const std::string& name) {
  for (const BitStructure& s : list) {
    if (s.name == name) return s;
  }
  throw std::out_of_range("no structure " + name);
}

TEST(Bits, EntriesAreThoseOfThePaper) {
  const BitReport spe = count_bits(config_of("spe"));
  EXPECT_EQ(structure(spe.paper, "stack").entry_bits(), 96u);
  EXPECT_EQ(structure(spe.paper, "stack").entries, 16u);
  EXPECT_EQ(structure(spe.paper, "scoreboard").entry_bits(), 7u);
  const BitReport dpe = count_bits(config_of("dpe"));
  EXPECT_EQ(structure(dpe.paper, "stack").entry_bits(), 160u);
  EXPECT_EQ(structure(dpe.paper, "scoreboard left").entry_bits(), 8u);
  EXPECT_EQ(structure(dpe.paper, "scoreboard right").entry_bits(), 8u);
}

TEST(Bits, EntriesGrowWithTheLanes) {
  for (const unsigned lanes : {4u, 16u, 64u}) {
    Config config = config_of("spe");
    config.core.lanes = lanes;
    EXPECT_EQ(structure(count_bits(config).paper, "stack").entry_bits(), 64 + lanes);
    config.mechanism = "dpe";
    EXPECT_EQ(structure(count_bits(config).paper, "stack").entry_bits(), 96 + 2 * lanes);
  }
}

// All configurations of these tests, also odd ones and ones that do not divide evenly.
std::vector<Config> configurations() {
  std::vector<Config> list;
  for (const char* mechanism : {"spe", "dpe"}) {
    for (const unsigned warps : {1u, 5u, 24u, 48u}) {
      for (const unsigned schedulers : {1u, 2u, 4u}) {
        if (warps > 24 * schedulers) continue;
        for (const Policy policy : {Policy::kLrr, Policy::kGto}) {
          for (const ScoreboardKind kind :
               {ScoreboardKind::kShadow, ScoreboardKind::kOptimistic, ScoreboardKind::kBitmap}) {
            Config config = config_of(mechanism, warps, schedulers);
            config.selector.policy = policy;
            config.scoreboard.kind = kind;
            config.stack.kind = warps == 24 ? StackKind::kCompact : StackKind::kTextbook;
            config.core.predicate = schedulers == 2 ? 0 : 4;
            config.selector.kind = warps == 5 ? SelectorKind::kConstrained : SelectorKind::kTwoLevel;
            list.push_back(config);
          }
        }
      }
    }
  }
  for (const DwfHeuristic heuristic : {DwfHeuristic::kMajority, DwfHeuristic::kMinority, DwfHeuristic::kTime,
                                       DwfHeuristic::kPostDominator, DwfHeuristic::kPc}) {
    for (const unsigned warps : {1u, 5u, 16u}) {
      for (const unsigned ways : {1u, 2u, 4u}) {
        Config config = config_of("dwf", warps, 1);
        config.core.lanes = 4 * ways;
        config.dwf.heuristic = heuristic;
        config.dwf.lut_ways = ways;
        if (ways == 4) config.dwf.table_sort = DwfTableSort::kExact;
        list.push_back(config);
      }
    }
  }
  return list;
}

// DWF paper, Table 1.
TEST(Bits, DynamicWarpFormationIsAsInThePapersTable) {
  Config config = config_of("dwf", 16, 1);
  config.core.lanes = 16;
  const BitReport report = count_bits(config);
  EXPECT_EQ(structure(report.paper, "warp update registers").bits(), 336u);
  EXPECT_EQ(structure(report.paper, "PC-warp LUT").bits(), 1792u);
  EXPECT_EQ(structure(report.paper, "warp pool").bits(), 43008u);
  EXPECT_EQ(structure(report.paper, "warp allocator").bits(), 2048u);
  EXPECT_EQ(structure(report.paper, "issue logic").bits(), 1280u);
  EXPECT_EQ(report.paper.size(), 5u);
  EXPECT_EQ(report.paper_bits(), 48464u);
}

TEST(Bits, TheSchedulersOfACoreDoNotMultiplyDynamicWarpFormation) {
  EXPECT_EQ(count_bits(config_of("dwf", 16, 4)).total_bits(), count_bits(config_of("dwf", 16, 1)).total_bits());
}

TEST(Bits, AsBuiltIsThePaperPlusTheDifferences) {
  for (const Config& config : configurations()) {
    const BitReport report = count_bits(config);
    std::int64_t differences = 0;
    for (const BitDifference& difference : report.differences) {
      differences += difference.bits;
      EXPECT_FALSE(difference.reason.empty()) << difference.what;
    }
    EXPECT_EQ(static_cast<std::int64_t>(report.paper_bits()) + differences,
              static_cast<std::int64_t>(report.total_bits()));
  }
}

TEST(Bits, ThePaperCountsTheWarpsOfTheCoreAndTheHardwareWholeFrontEnds) {
  const BitReport report = count_bits(config_of("spe", 5, 2));
  EXPECT_EQ(structure(report.paper, "stack").copies, 5u);
  EXPECT_EQ(structure(report.structures, "stack top").copies, 6u);
}

// The twins count themselves; tests/twins compares those counts with what yosys finds in the RTL.
template <class Frontend>
void expect_twin(const Config& config) {
  EXPECT_EQ(count_bits(config).total_bits() / config.core.schedulers, Frontend::state_bits());
}

TEST(Bits, AMechanismThatIsNotCountedIsRefused) {
  for (const char* mechanism : {"mine", "naive", "pdom-barrel", "mimd"})
    EXPECT_THROW(static_cast<void>(count_bits(config_of(mechanism))), Error) << mechanism;
}

TEST(Bits, TheTwinsHoldAsMany) {
  expect_twin<spe_frontend<24, 32, 16, kPushTakenFirst, kScoreboardSpe, 8>>(config_of("spe"));
  expect_twin<dpe_frontend<24, 32, 16, 1, kScoreboardDpe, 8>>(config_of("dpe"));
  Config odd = config_of("dpe", 3, 1);
  odd.core.lanes = 8;
  odd.stack.depth = 5;
  odd.scoreboard.entries = 3;
  odd.frontend.ibuffer = 3;
  odd.selector.policy = Policy::kGto;
  expect_twin<dpe_frontend<3, 8, 5, 1, kScoreboardDpe, 3, kSelectorTwoLevel, 1, 3>>(odd);
  odd.selector.kind = SelectorKind::kConstrained;
  odd.scoreboard.kind = ScoreboardKind::kOptimistic;
  expect_twin<dpe_frontend<3, 8, 5, 1, kScoreboardOptimistic, 3, kSelectorConstrained, 1, 3>>(odd);
  odd.core.predicate = 0;
  expect_twin<dpe_frontend<3, 8, 5, 1, kScoreboardOptimistic, 3, kSelectorConstrained, 1, 3, 8, 0>>(odd);
  odd.mechanism = "spe";
  expect_twin<spe_frontend<3, 8, 5, kPushTakenFirst, kScoreboardSpe, 3, 1, 3, 8, 0>>(odd);
  odd.core.predicate = 8;
  expect_twin<spe_frontend<3, 8, 5, kPushTakenFirst, kScoreboardSpe, 3, 1, 3>>(odd);
  odd.stack.kind = StackKind::kCompact;
  expect_twin<compact_frontend<3, 8, 5, kPushTakenFirst, kScoreboardSpe, 3, 1, 3>>(odd);
  odd.scoreboard.kind = ScoreboardKind::kBitmap;
  expect_twin<compact_frontend<3, 8, 5, kPushTakenFirst, kScoreboardBitmap, 3, 1, 3>>(odd);
  odd.mechanism = "dpe";
  expect_twin<dpe_frontend<3, 8, 5, 1, kScoreboardBitmap, 3, kSelectorConstrained, 1, 3>>(odd);
  odd.dpe.stack = DpeStack::kSoftware;
  expect_twin<software_frontend<3, 8, 5, 1, kScoreboardBitmap, 3, kSelectorConstrained, 1, 3>>(odd);
}

TEST(Bits, TheTwinsOfOptionsHoldAsMany) {
  Config config = config_of("dpe", 3, 1);
  config.core.lanes = 8;
  config.stack.depth = 5;
  config.dpe.path_forwarding = true;
  expect_twin<dpe_forward_frontend<3, 8, 5>>(config);
  config.dpe.path_forwarding = false;
  config.dpe.memory_split = true;
  expect_twin<dpe_split_frontend<3, 8, 5>>(config);
  config.mechanism = "forkjoin";
  expect_twin<fork_join_frontend<3, 8, 5>>(config);
  config.mechanism = "cbar";
  config.stack.order = PushOrder::kLargerFirst;
  expect_twin<cbar_frontend<3, 8>>(config);
  config.cbar.policy = kYieldSwaps;
  expect_twin<cbar_frontend<3, 8, 16, kPushLargerFirst, kYieldSwaps>>(config);
  config.cbar.policy = kYieldIsFairAtBranches;
  config.cbar.yield_leaves = true;
  expect_twin<cbar_frontend<3, 8, 16, kPushLargerFirst, kYieldIsFairAtBranches, kYieldLeaves>>(config);
  config.mechanism = "dws";
  expect_twin<dws_frontend<3, 8, 8, 5>>(config);
}

// One front end, so expect_twin's division by the schedulers is by one.
template <int Lanes, int Warps, int LutEntries, int LutWays, int TableEntries, int Heuristic>
void expect_dwf_twin() {
  Config config = config_of("dwf", Warps, 1);
  config.core.lanes = Lanes;
  config.dwf.lut_entries = LutEntries;
  config.dwf.lut_ways = LutWays;
  config.dwf.table_entries = TableEntries;
  config.dwf.heuristic = static_cast<DwfHeuristic>(Heuristic);
  for (const bool lane_aware : {false, true}) {
    config.dwf.lane_aware = lane_aware;
    if (lane_aware) {
      expect_twin<dwf_scheduler<Lanes, Lanes * Warps, LutEntries, LutWays, TableEntries, 8, Heuristic, 1>>(config);
    } else {
      expect_twin<dwf_scheduler<Lanes, Lanes * Warps, LutEntries, LutWays, TableEntries, 8, Heuristic, 0>>(config);
    }
  }
  config.dwf.table_sort = DwfTableSort::kExact;
  expect_twin<dwf_scheduler<Lanes, Lanes * Warps, LutEntries, LutWays, TableEntries, 8, Heuristic, 1, 1>>(config);
}

template <int Heuristic>
void expect_dwf_twins() {
  expect_dwf_twin<16, 16, 32, 2, 32, Heuristic>();
  expect_dwf_twin<4, 2, 4, 1, 2, Heuristic>();
  expect_dwf_twin<8, 5, 8, 4, 5, Heuristic>();
  expect_dwf_twin<32, 32, 64, 4, 40, Heuristic>();
  expect_dwf_twin<4, 1, 1, 1, 3, Heuristic>();
}

TEST(Bits, TheTwinsOfDynamicWarpFormationHoldAsMany) {
  expect_dwf_twins<0>();
  expect_dwf_twins<1>();
  expect_dwf_twins<2>();
  expect_dwf_twins<3>();
  expect_dwf_twins<4>();
}

}  // namespace
}  // namespace heddle::bits_test
