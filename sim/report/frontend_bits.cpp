// SPDX-License-Identifier: Apache-2.0
#include "report/frontend_bits.h"

#include <numeric>

#include "heddle/error.h"

namespace heddle {
namespace {

constexpr unsigned kRegBits = 6;
constexpr unsigned kBundleBits = 30;
constexpr unsigned kStallBits = 4;
constexpr unsigned kRegionCountBits = 4;
constexpr unsigned kTagBits = 3;
constexpr unsigned kNamedRegisters = 63;  // register 0 is none

}  // namespace

FrontendBits::FrontendBits(const Config& config, const FrontendShape& shape)
    : config_(config),
      shape_(shape),
      several_(shape.slots > 1),
      slot_bits_(several_ ? index_bits(shape.slots) : 0),
      partitions_(config.core.schedulers),
      warps_((config.core.warps + config.core.schedulers - 1) / config.core.schedulers),
      warp_bits_(index_bits(warps_)),
      depth_bits_(ceil_log2(std::uint64_t{config.stack.depth} + 1)) {}

BitReport FrontendBits::report() {
  if (frontend_.empty())
    throw bad_input("option",
                    "mechanism " + config_.mechanism + ": it says nothing of its bits (FrontendDesign::count_bits)");
  scoreboard();
  selector();
  ibuffer();
  if (predicated()) predication();
  frontend();
  BitReport report;
  report.mechanism = config_.mechanism;
  report.warps = config_.core.warps;
  report.partitions = partitions_;
  report.structures = structures_;
  compare_with_paper(report);
  return report;
}

void FrontendBits::storage(const std::vector<BitField>& entry) {
  add("stack below the top", entry, config_.stack.depth - 1, all_warps(), Storage::kMemory);
  const unsigned row = std::accumulate(entry.begin(), entry.end(), 0u,
                                       [](unsigned bits, const BitField& field) { return bits + field.bits; });
  rows_without_use(row);
}

void FrontendBits::rows_without_use(unsigned row) {
  add("stack rows without use",
      {{"row", row, "an address is {warp, index}: no arithmetic, but a power of two of rows a warp"}},
      (1u << index_bits(config_.stack.depth - 1)) - (config_.stack.depth - 1), all_warps(), Storage::kMemory);
}

// The addresses at which the memories of the rows were read, and of two of them the one that the row is in.
void FrontendBits::row_address(unsigned banks) {
  const unsigned rows = warps_ << (index_bits(config_.stack.depth - 1) - (banks - 1));
  add("row address", {{"row", banks * index_bits(rows), kStage}, {"bank", banks - 1, kStage}}, 1, partitions_);
}

void FrontendBits::stack_control() {
  std::vector<BitField> control;
  if (several_) {
    control = {{"valid_l", 1, kValidReason}, {"valid_r", 1, kValidReason}};
  } else {
    control = {{"valid", 1, kValidReason}};
  }
  control.push_back({"live", config_.core.lanes, kLiveReason});
  control.push_back({"depth", depth_bits_, kDepthReason});
  add("stack control", control, 1, all_warps());
}

void FrontendBits::add_pop_register() {
  add_once("pop register",
           {{"valid", 1, kStage}, {"last", 1, kStage}, {"warp", warp_bits_, kStage}, {"depth", depth_bits_, kStage}});
}

void FrontendBits::high_water_mark() {
  add("stack high-water mark", {{"max_depth", depth_bits_, "statistics: the greatest depth since reset"}}, 1,
      partitions_);
}

void FrontendBits::scoreboard() {
  const unsigned entries = config_.scoreboard.entries;
  const std::vector<BitField> shadowed = {{"P", 1, ""}, {"S", 1, ""}, {"reg", kRegBits, ""}};
  switch (shape_.scoreboard) {
    case ScoreboardModule::kSpe:
      module_ = "scoreboard/spe_scoreboard";
      add("scoreboard", {{"P", 1, scoreboard_reason_}, {"reg", kRegBits, scoreboard_reason_}}, entries, all_warps());
      break;
    case ScoreboardModule::kDpe:
      module_ = "scoreboard/dpe_scoreboard";
      add("scoreboard left", shadowed, entries, all_warps());
      add("scoreboard right", shadowed, entries, all_warps());
      break;
    case ScoreboardModule::kOptimistic:
      module_ = "scoreboard/optimistic_scoreboard";
      add("scoreboard",
          {{"P", 1, ""},
           {"reg", kRegBits, ""},
           {"mask", config_.core.lanes,
            "threads of the pending write: the price of having no false dependences, not counted in the paper"}},
          2 * std::uint64_t{entries}, all_warps());
      break;
    case ScoreboardModule::kBitmap: {
      module_ = "scoreboard/bitmap_scoreboard";
      const char* reason = "a bit a register in place of the paper's table: never full, and nothing is compared";
      std::vector<BitField> bits = {{"P", 1, reason}};
      if (several_) bits.push_back({"S", 1, reason});
      add("scoreboard", bits, kNamedRegisters, all_warps() * shape_.slots);
      break;
    }
  }
  if (shape_.scoreboard == ScoreboardModule::kSpe || shape_.scoreboard == ScoreboardModule::kDpe) wakeup();
}

void FrontendBits::wakeup() {
  module_ = "core/wakeup";
  const unsigned entries = config_.scoreboard.entries * shape_.slots;
  const char* reason =
      "which entries the first two instructions of a path wait for: whether the head may issue is a register and not "
      "a search";
  add("wake-up",
      {{"wait_head", entries, reason},
       {"wait_second", entries, reason},
       {"depends", 1, reason},
       {"blocked", 1, reason},
       {"full", 1, reason}},
      1, all_warps() * shape_.slots);
  const unsigned path = 1 + warp_bits_ + slot_bits_;
  add("wake-up registers", {{"taken", path, reason}, {"filled", path, reason}}, 1, partitions_);
}

void FrontendBits::selector() {
  const bool constrained = shape_.selector == SelectorKind::kConstrained;
  module_ = constrained ? "select/constrained_selector" : "select/warp_selector";
  if (constrained) {
    add("selector level 1",
        {{"current", 1, "which path of the warp may compete; the paper gives no bits for the selector"}}, 1,
        all_warps());
  } else if (several_) {
    add("selector level 1",
        {{"last_slot", slot_bits_, "takes turns between ready paths; the paper gives no bits for the selector"}}, 1,
        all_warps());
  }
  if (warps_ == 1) return;  // level 2 has nothing to choose
  if (config_.selector.policy == Policy::kGto) {
    add("selector level 2",
        {{"last", warp_bits_, "last granted warp; the paper gives no bits for the selector"},
         {"greedy", 1, "the last granted warp may go on: it was granted, and not launched anew since"}},
        1, partitions_);
    add("selector ages", {{"older", warps_ * (warps_ - 1) / 2, "for each two warps which was launched before"}}, 1,
        partitions_);
  } else {
    add("selector level 2",
        {{"behind_last", warps_ - 1,
          "the warps behind the last granted one; the paper gives no bits for the selector"}},
        1, partitions_);
  }
}

void FrontendBits::ibuffer() {
  module_ = "core/ibuffer";
  const char* reason =
      "decoded instructions of a path; the paper notes that two paths need twice as many, without a number";
  const std::uint64_t paths = all_warps() * shape_.slots;
  add("instruction buffer", {{"bundle", kBundleBits, reason}}, config_.frontend.ibuffer, paths);
  add("instruction buffer control",
      {{"count", ceil_log2(std::uint64_t{config_.frontend.ibuffer} + 1), "bundles in the buffer"},
       {"head_valid", 1, "the same, decoded: there is one"},
       {"requests", 2, "fetch requests on their way that continue the queue"},
       {"tag", kTagBits, "epoch of these requests: answers of others are stale"},
       {"in_flight", kTagBits, "fetch requests on their way, of whatever epoch"},
       {"stop", 1, "a jump was delivered: no fetch behind it"}},
      1, paths);
}

void FrontendBits::predication() {
  module_ = "core/predication";
  const char* reason =
      "a short forward branch masks threads off instead of splitting the path; the paper counts none of it";
  std::vector<BitField> control = {{"count", kRegionCountBits, reason}};
  if (several_) control.push_back({"slot", slot_bits_, reason});
  add("predication", {{"off", config_.core.lanes, reason}}, 1, all_warps(), Storage::kMemory);
  add("predication control", control, 1, all_warps());
}

void FrontendBits::frontend() {
  const bool splits = shape_.core.splits_warps;
  module_ = frontend_;
  std::vector<BitField> control = {{"pending", 1, "a control instruction of the warp is unresolved (no speculation)"}};
  if (several_) control.push_back({"pending_slot", slot_bits_, "the path that waits for it"});
  if (several_) control.push_back({"acting", 1, "its resolution acts: the other paths wait"});
  control.push_back({"at_barrier", splits ? shape_.slots : 1,
                     splits ? "splits that wait at a block barrier" : "the warp waits at a block barrier"});
  control.push_back({"halted", 1, "stack overflow: the warp issues nothing more"});
  add("warp control", control, 1, all_warps());

  if (several_)
    add("fetch turn level 1", {{"last_slot", slot_bits_, "takes turns between paths that fetch"}}, 1, all_warps());
  if (warps_ > 1)
    add("fetch turn", {{"behind_last", warps_ - 1, "the warps behind the one that fetched last"}}, 1, partitions_);
  const std::string pipeline = "pipeline register between this part and its neighbour";
  std::vector<BitField> fetch = {{"valid", 1, pipeline}, {"warp", warp_bits_, pipeline}};
  if (several_) fetch.push_back({"slot", slot_bits_, pipeline});
  fetch.push_back({"pc", kPcBits, pipeline});
  fetch.push_back({"tag", kTagBits, pipeline});
  add("fetch register", fetch, 1, partitions_);

  std::vector<BitField> issue = {{"valid", 1, pipeline}, {"warp", warp_bits_, pipeline}};
  if (several_) issue.push_back({"slot", slot_bits_, pipeline});
  for (const BitField& field : std::vector<BitField>{{"pc", kPcBits, pipeline},
                                                     {"mask", config_.core.lanes, pipeline},
                                                     {"instr", kBundleBits, pipeline},
                                                     {"sibling", 1, "statistics: another path could have issued"}}) {
    issue.push_back(field);
  }
  if (predicated()) issue.push_back({"predicated", 1, "statistics: threads of the path may be masked off"});
  add("issue register", issue, 1, partitions_);
  add("status registers",
      {{"done_valid", 1, pipeline},
       {"done_warp", warp_bits_, pipeline},
       {"idle", warps_, pipeline},
       {"overflow_valid", 1, pipeline},
       {"overflow_warp", warp_bits_, pipeline},
       {"stall", kStallBits, "statistics: why nothing was issued"}},
      1, partitions_);
}

// The paper's part is what has no reason of its own, for the warps of the core; the rest are differences.
void FrontendBits::compare_with_paper(BitReport& report) const {
  std::uint64_t padding = 0;
  for (const BitStructure& built : structures_) {
    BitStructure listed = listed_part(report, built);
    if (listed.fields.empty()) continue;
    listed.copies = config_.core.warps;  // the paper's structures are all per warp
    padding += built.copies * built.entries * listed.entry_bits() - listed.bits();
    // One stack in the paper; as built its top is in registers and the rest in memory.
    if (listed.name == "stack below the top") {
      report.paper.front().name = "stack";
      report.paper.front().entries += listed.entries;
      report.paper.front().storage = Storage::kMemory;
    } else {
      report.paper.push_back(listed);
    }
  }
  if (padding != 0) {
    report.differences.push_back(
        {"warps", static_cast<std::int64_t>(padding),
         "all front ends are built for the same number of warps; here it does not divide evenly"});
  }
}

BitReport bits_of_frontend(const FrontendDesign& design, const Config& config) {
  FrontendBits bits(config, design.shape(config));
  design.count_bits(bits);
  return bits.report();
}

}  // namespace heddle
