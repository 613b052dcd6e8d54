// SPDX-License-Identifier: Apache-2.0
#include "report/bits.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "config/mechanisms.h"
#include "heddle/error.h"

namespace heddle {
namespace {

constexpr unsigned kPcBits = 32;
constexpr unsigned kRegBits = 6;
constexpr unsigned kBundleBits = 30;
constexpr unsigned kStallBits = 4;
constexpr unsigned kRegionCountBits = 4;
constexpr unsigned kTagBits = 3;
constexpr unsigned kNamedRegisters = 63;  // register 0 is none

unsigned ceil_log2(std::uint64_t value) {
  unsigned bits = 0;
  while ((std::uint64_t{1} << bits) < value) ++bits;
  return bits;
}

unsigned index_bits(std::uint64_t count) { return std::max(1u, ceil_log2(count)); }

constexpr const char* kLevelReason =
    "call level: threads of a recursive function meet at their own depth, and behind a function with several returns";
constexpr const char* kValidReason = "mask not empty, kept so that selection does not wait for a wide OR";
constexpr const char* kLiveReason = "threads that have not exited; every mask is read through it";
constexpr const char* kSiblingReason =
    "statistics: the entry below has the same rpc, so a dual-path stack could interleave";
constexpr const char* kDepthReason = "number of entries: stack pointer, emptiness and overflow";
constexpr const char* kStage = "pipeline register: resolutions act, and pops are chosen, a cycle ahead of the change";

// Neighbouring fields with one reason are one difference.
void add_difference(BitReport& report, const BitStructure& built, const BitField& field) {
  const auto bits = static_cast<std::int64_t>(field.bits * built.entries * built.copies);
  const std::string prefix = built.name + ": ";
  if (!report.differences.empty()) {
    BitDifference& last = report.differences.back();
    if (last.reason == field.reason && last.what.compare(0, prefix.size(), prefix) == 0) {
      last.what += ", " + field.name;
      last.bits += bits;
      return;
    }
  }
  report.differences.push_back({prefix + field.name, bits, field.reason});
}

// The fields that the paper lists; every other one becomes a difference.
BitStructure listed_part(BitReport& report, const BitStructure& built) {
  BitStructure listed = built;
  listed.fields.clear();
  for (const BitField& field : built.fields) {
    if (field.bits == 0) continue;
    if (field.reason.empty()) {
      listed.fields.push_back(field);
    } else {
      add_difference(report, built, field);
    }
  }
  return listed;
}

// Builds the list of a front end; names and widths follow docs/frontend.md section by section.
class FrontendCounter {
 public:
  explicit FrontendCounter(const Config& config)
      : config_(config),
        shape_(frontend_shape(config)),
        several_(shape_.slots > 1),
        slot_bits_(several_ ? index_bits(shape_.slots) : 0),
        partitions_(config.core.schedulers),
        warps_((config.core.warps + config.core.schedulers - 1) / config.core.schedulers),
        warp_bits_(index_bits(warps_)),
        depth_bits_(ceil_log2(std::uint64_t{config.stack.depth} + 1)) {}

  BitReport report() {
    stack();
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

 private:
  [[nodiscard]] bool predicated() const { return config_.core.predicate != 0; }
  [[nodiscard]] std::uint64_t all_warps() const { return std::uint64_t{warps_} * partitions_; }

  void add(const std::string& name, std::vector<BitField> fields, std::uint64_t entries, std::uint64_t copies,
           Storage storage = Storage::kFlipFlop) {
    structures_.push_back({name, module_, std::move(fields), entries, copies, storage});
  }

  void stack() {
    switch (shape_.stack) {
      case StackModule::kSpe: return textbook_stack("stack/spe_stack");
      case StackModule::kDpe:
        return textbook_stack(shape_.forwards        ? "stack/dpe_forward_stack"
                              : shape_.memory_splits ? "stack/dpe_split_stack"
                                                     : "stack/dpe_stack");
      case StackModule::kCompact: return compact_stack();
      case StackModule::kForkJoin: return fork_join_stack();
      case StackModule::kSplitTable: return warp_split_table();
      case StackModule::kSoftware: return software_stack();
    }
    throw bad_input("option",
                    fmt::format("mechanism {}: nothing is known of the bits of its stack", config_.mechanism));
  }

  void textbook_stack(const char* module) {
    module_ = module;
    const unsigned lanes = config_.core.lanes;
    const unsigned levels = config_.stack.level_bits;
    std::vector<BitField> entry;
    if (several_) {
      entry = {{"pc_l", kPcBits, ""},
               {"mask_l", lanes, ""},
               {"pc_r", kPcBits, ""},
               {"mask_r", lanes, ""},
               {"rpc", kPcBits, ""},
               {"level_l", levels, kLevelReason},
               {"level_r", levels, kLevelReason},
               {"rpc_level", levels, kLevelReason}};
    } else {
      entry = {{"pc", kPcBits, ""},
               {"mask", lanes, ""},
               {"rpc", kPcBits, ""},
               {"level", levels, kLevelReason},
               {"rpc_level", levels, kLevelReason},
               {"sibling", 1, kSiblingReason}};
    }
    const char* forwarding =
        "path forwarding: the path of the entry below that is in a slot, with the place where it arrives, and where "
        "there is one";
    if (shape_.forwards) {
      entry.insert(entry.end(), {{"guest_rpc", kPcBits, forwarding},
                                 {"guest_level", levels, forwarding},
                                 {"guest", 2, forwarding},
                                 {"offer", 2, forwarding}});
    }
    const char* splitting =
        "splitting at loads: whether the two paths are parts of one, which of them waits at its branch, and where "
        "parts meet";
    if (shape_.memory_splits) entry.push_back({"parts", 1, splitting});
    add("stack top", entry, 1, all_warps());
    storage(entry);
    stack_control();
    if (shape_.memory_splits) add("parts control", {{"waits", 2, splitting}}, 1, all_warps());
    std::vector<BitField> resolution = {{"valid", 1, kStage}, {"warp", warp_bits_, kStage}};
    if (several_) resolution.push_back({"slot", 1, kStage});
    for (const BitField& field : std::vector<BitField>{{"taken", lanes, kStage},
                                                       {"not_taken", lanes, kStage},
                                                       {"live", lanes, kStage},
                                                       {"target", kPcBits, kStage},
                                                       {"next", kPcBits, kStage},
                                                       {"rpc", kPcBits, kStage},
                                                       {"levels", (several_ ? 4 : 3) * levels, kStage},
                                                       {"conditions", several_ ? 8u : 11u, kStage},
                                                       {"depth", depth_bits_, kStage}}) {
      resolution.push_back(field);
    }
    add("resolution register", resolution, 1, partitions_);
    add("pop register",
        {{"valid", 1, kStage}, {"last", 1, kStage}, {"warp", warp_bits_, kStage}, {"depth", depth_bits_, kStage}}, 1,
        partitions_);
    row_address(several_ ? 1 : 2);
    if (shape_.forwards) {
      add("forward register", {{"valid", 1, forwarding}, {"replaces", 1, forwarding}}, 1, partitions_);
      add("forward counter", {{"forwards", 32, "statistics: paths forwarded since reset"}}, 1, partitions_);
    }
    if (shape_.memory_splits) {
      add("meet register", {{"valid", 1, splitting}, {"warp", warp_bits_, splitting}, {"never_waits", 1, splitting}}, 1,
          partitions_);
      const char* counted = "statistics: paths split, and parts joined, since reset";
      add("parts counters", {{"splits", 32, counted}, {"merges", 32, counted}}, 1, partitions_);
    }
    high_water_mark();
  }

  // One entry a nesting: the later side, and the meeting point with what its own entry said.
  void compact_stack() {
    module_ = "stack/compact_stack";
    const unsigned lanes = config_.core.lanes;
    const unsigned levels = config_.stack.level_bits;
    const char* folded = "the meeting point, which the paper's stack keeps in an entry of its own";
    const char* known = "whether an advance arrives is known before it is granted";
    const std::vector<BitField> top = {{"pc", kPcBits - 1, ""},
                                       {"mask", lanes, ""},
                                       {"rpc", kPcBits, ""},
                                       {"level", levels, kLevelReason},
                                       {"rpc_level", levels, kLevelReason},
                                       {"sibling", 1, "the later side of the nesting is still to execute"},
                                       {"rpc_again", kPcBits - 1, known},
                                       {"conditions", 3, known}};
    add("stack top", top, 1, all_warps());
    storage({{"later_pc", kPcBits - 1, ""},
             {"later_mask", lanes, ""},
             {"rpc", kPcBits, ""},
             {"meeting_mask", lanes, folded},
             {"sibling", 1, folded},
             {"tail", 1, folded},
             {"level", levels + 2, kLevelReason}});
    stack_control();
    add("resolution register",
        {{"top", 31 + 32 + lanes + 2 * levels + 1, kStage},
         {"depth", depth_bits_, kStage},
         {"warp", warp_bits_, kStage},
         {"conditions", 6, kStage}},
        1, partitions_);
    if (shape_.ahead) add("later register", {{"both", 1, kStage}, {"later_pc", kPcBits - 1, kStage}}, 1, partitions_);
    add("advance register", {{"warp", warps_, known}, {"pc", kPcBits - 1, known}}, 1, partitions_);
    add("pop register", {{"valid", 1, kStage}, {"warp", warp_bits_, kStage}, {"depth", depth_bits_, kStage}}, 1,
        partitions_);
    row_address(1);
    high_water_mark();
  }

  // The two paths of a warp. What is pushed is in memory, and counts as the program's data.
  void software_stack() {
    module_ = "stack/software_stack";
    const unsigned lanes = config_.core.lanes;
    const unsigned pc = kPcBits - 1;
    const char* row = "a row on its way to memory";
    const char* loading = "a row is on its way back";
    add("paths", {{"pc_l", pc, ""}, {"mask_l", lanes, ""}, {"pc_r", pc, ""}, {"mask_r", lanes, ""}}, 1, all_warps());
    stack_control();
    add("loading", {{"loading", 1, loading}}, 1, all_warps());
    add("resolution register",
        {{"pc_l", pc, kStage},
         {"pc_r", pc, kStage},
         {"later", pc, kStage},
         {"mask_l", lanes, kStage},
         {"mask_r", lanes, kStage},
         {"exit", lanes, kStage},
         {"warp", warp_bits_, kStage},
         {"slot", 1, kStage},
         {"conditions", 6, kStage},
         {"depth", depth_bits_, kStage}},
        1, partitions_);
    add("save register",
        {{"valid", 1, row},
         {"warp", warp_bits_, row},
         {"row", depth_bits_, row},
         {"pc", 2 * pc, row},
         {"mask", 2 * lanes, row}},
        1, partitions_);
    add("choice register",
        {{"valid", 1, kStage}, {"last", 1, kStage}, {"warp", warp_bits_, kStage}, {"depth", depth_bits_, kStage}}, 1,
        partitions_);
    high_water_mark();
  }

  // A split is a path of the top entry; rows are those of the single-path stack, or splits for which there was no slot.
  void warp_split_table() {
    module_ = "dws/warp_split_table";
    const unsigned lanes = config_.core.lanes;
    const unsigned levels = config_.stack.level_bits;
    const char* waits = "a full table loses nothing: a split without a slot waits in a row";
    add("splits",
        {{"pc", kPcBits, ""}, {"mask", lanes, ""}, {"level", levels, kLevelReason}, {"valid", 1, kValidReason}},
        shape_.slots, all_warps());
    add("stack top", {{"rpc", kPcBits, ""}, {"rpc_level", levels, kLevelReason}, {"sibling", 1, kSiblingReason}}, 1,
        all_warps());
    storage({{"pc", kPcBits, ""},
             {"mask", lanes, ""},
             {"rpc", kPcBits, ""},
             {"level", levels, kLevelReason},
             {"rpc_level", levels, kLevelReason},
             {"sibling", 1, kSiblingReason},
             {"waiting", 1, waits}});
    add("stack control", {{"waiting", 1, waits}, {"live", lanes, kLiveReason}, {"depth", depth_bits_, kDepthReason}}, 1,
        all_warps());
    add("resolution register",
        {{"valid", 1, kStage},
         {"warp", warp_bits_, kStage},
         {"slot", slot_bits_, kStage},
         {"taken", lanes, kStage},
         {"not_taken", lanes, kStage},
         {"exit", lanes, kStage},
         {"target", kPcBits, kStage},
         {"next", kPcBits, kStage},
         {"rpc", kPcBits, kStage},
         {"levels", 3 * levels, kStage},
         {"depth", depth_bits_, kStage},
         {"conditions", 13, kStage}},
        1, partitions_);
    add("pop register",
        {{"valid", 1, kStage},
         {"last", 1, kStage},
         {"refill", 1, waits},
         {"warp", warp_bits_, kStage},
         {"depth", depth_bits_, kStage}},
        1, partitions_);
    row_address(2);
    high_water_mark();
    const char* watched = "statistics: splits, merges and refused ones since reset, and the most splits of a warp";
    add("split counters",
        {{"splits", 32, watched},
         {"merges", 32, watched},
         {"refused", 32, watched},
         {"max_splits", index_bits(shape_.slots + 1), watched}},
        1, partitions_);
  }

  // The patent has the pending sets, log2(lanes) of them, and a stack pointer; in further rows are regions around the
  // open one.
  void fork_join_stack() {
    module_ = "stack/fork_join_stack";
    const unsigned lanes = config_.core.lanes;
    const unsigned levels = config_.stack.level_bits;
    const unsigned sets = std::min(ceil_log2(lanes), config_.stack.depth - 1);
    const unsigned pointer = ceil_log2(sets + 1);
    const char* path = "the path that runs: every core has it";
    const char* region = "the open region: where its join is";
    const char* rows = "regions that are open at a fork: the threads that meet at the join, and the region around it";
    add("path",
        {{"pc", kPcBits - 1, path},
         {"mask", lanes, path},
         {"level", levels, kLevelReason},
         {"sibling", 1, "the upper row is a pending set of the region"},
         {"rpc", kPcBits - 1, region},
         {"rpc_level", levels, kLevelReason}},
        1, all_warps());
    const std::vector<BitField> set = {{"pc", kPcBits - 1, ""},
                                       {"mask", lanes, ""},
                                       {"level", levels, kLevelReason},
                                       {"sibling", 1, "what the row below is"}};
    const unsigned row = kPcBits - 1 + lanes + levels + 1;
    add("pending sets", set, sets, all_warps(), Storage::kMemory);
    if (config_.stack.depth - 1 > sets)
      add("rows of regions", {{"row", row, rows}}, config_.stack.depth - 1 - sets, all_warps(), Storage::kMemory);
    rows_without_use(row);
    add("stack control",
        {{"pointer", pointer, ""},
         {"depth", depth_bits_ - pointer, "the depth counts the path and the rows of regions, too"},
         {"valid", 1, kValidReason},
         {"live", lanes, kLiveReason}},
        1, all_warps());
    add("resolution register",
        {{"sets", 2 * lanes, kStage},
         {"sizes", 4 * ceil_log2((lanes + 1) / 2 + 1), kStage},
         {"exit", lanes, kStage},
         {"target", kPcBits - 1, kStage},
         {"next", kPcBits - 1, kStage},
         {"join", kPcBits - 1, kStage},
         {"levels", 2 * levels, kStage},
         {"depth", depth_bits_, kStage},
         {"warp", warp_bits_, kStage},
         {"conditions", 8, kStage}},
        1, partitions_);
    add("pop register", {{"valid", 1, kStage}, {"warp", warp_bits_, kStage}, {"depth", depth_bits_, kStage}}, 1,
        partitions_);
    row_address(1);
    high_water_mark();
  }

  // The addresses at which the memories of the rows were read, and of two of them the one that the row is in.
  void row_address(unsigned banks) {
    const unsigned rows = warps_ << (index_bits(config_.stack.depth - 1) - (banks - 1));
    add("row address", {{"row", banks * index_bits(rows), kStage}, {"bank", banks - 1, kStage}}, 1, partitions_);
  }

  void storage(const std::vector<BitField>& entry) {
    add("stack below the top", entry, config_.stack.depth - 1, all_warps(), Storage::kMemory);
    const unsigned row = std::accumulate(entry.begin(), entry.end(), 0u,
                                         [](unsigned bits, const BitField& field) { return bits + field.bits; });
    rows_without_use(row);
  }

  void rows_without_use(unsigned row) {
    add("stack rows without use",
        {{"row", row, "an address is {warp, index}: no arithmetic, but a power of two of rows a warp"}},
        (1u << index_bits(config_.stack.depth - 1)) - (config_.stack.depth - 1), all_warps(), Storage::kMemory);
  }

  void stack_control() {
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

  void high_water_mark() {
    add("stack high-water mark", {{"max_depth", depth_bits_, "statistics: the greatest depth since reset"}}, 1,
        partitions_);
  }

  void scoreboard() {
    const unsigned entries = config_.scoreboard.entries;
    const char* not_listed = shape_.stack == StackModule::kForkJoin
                                 ? "registers with a write in flight; the patent says nothing of them"
                                 : "";
    const std::vector<BitField> shadowed = {{"P", 1, ""}, {"S", 1, ""}, {"reg", kRegBits, ""}};
    switch (shape_.scoreboard) {
      case ScoreboardModule::kSpe:
        module_ = "scoreboard/spe_scoreboard";
        add("scoreboard", {{"P", 1, not_listed}, {"reg", kRegBits, not_listed}}, entries, all_warps());
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

  void wakeup() {
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

  void selector() {
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

  void ibuffer() {
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
    if (shape_.ahead) {
      const char* turned =
          "fetching ahead: where the queue turns to the side that executes second, and what is asked for beyond";
      add("instruction buffer turn",
          {{"turned", 1, turned},
           {"one", 1, turned},
           {"due", 2, turned},
           {"beyond", ceil_log2(std::uint64_t{config_.frontend.ibuffer} + 1), turned}},
          1, paths);
    }
  }

  void predication() {
    module_ = "core/predication";
    const char* reason =
        "a short forward branch masks threads off instead of splitting the path; the paper counts none of it";
    std::vector<BitField> control = {{"count", kRegionCountBits, reason}};
    if (several_) control.push_back({"slot", slot_bits_, reason});
    add("predication", {{"off", config_.core.lanes, reason}}, 1, all_warps(), Storage::kMemory);
    add("predication control", control, 1, all_warps());
  }

  void frontend() {
    const bool splits = shape_.stack == StackModule::kSplitTable;
    module_ = splits ? "core/dws_frontend" : several_ ? "core/dpe_frontend" : "core/spe_frontend";
    std::vector<BitField> control = {
        {"pending", 1, "a control instruction of the warp is unresolved (no speculation)"}};
    if (several_) control.push_back({"pending_slot", slot_bits_, "the path that waits for it"});
    if (several_) control.push_back({"acting", 1, "its resolution acts: the other paths wait"});
    control.push_back({"at_barrier", splits ? shape_.slots : 1,
                       splits ? "splits that wait at a block barrier" : "the warp waits at a block barrier"});
    control.push_back({"halted", 1, "stack overflow: the warp issues nothing more"});
    add("warp control", control, 1, all_warps());

    if (shape_.ahead) {
      const char* later =
          "fetching ahead: the PC of the side that executes second, and of the place where the path arrives before";
      add("fetch ahead", {{"valid", 1, later}, {"pc", kPcBits, later}, {"place", kPcBits, later}}, 1, all_warps());
    }
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
  void compare_with_paper(BitReport& report) const {
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

  const Config& config_;
  const FrontendShape shape_;
  const bool several_;        // paths of a warp
  const unsigned slot_bits_;  // 0 with one
  const unsigned partitions_;
  const unsigned warps_;  // of one partition
  const unsigned warp_bits_;
  const unsigned depth_bits_;
  std::string module_;
  std::vector<BitStructure> structures_;
};

// Builds the list of dynamic warp formation; names and widths follow docs/dwf.md section by section. The paper gives
// widths for 16 lanes and 256 threads only: an index of a thread or of a pool entry is log2(threads) bits, REQ half a
// bit a lane, scheduler data 8 bits.
class DwfCounter {
 public:
  explicit DwfCounter(const Config& config)
      : config_(config),
        lanes_(config.core.lanes),
        threads_(config.core.lanes * config.core.warps),
        tid_bits_(index_bits(threads_)),
        count_bits_(index_bits(std::uint64_t{threads_} + 1)) {}

  BitReport report() {
    update_registers();
    lookup_table();
    pool();
    allocator();
    issue_logic();
    scheduler();
    BitReport report;
    report.mechanism = config_.mechanism;
    report.warps = config_.core.warps;
    report.partitions = 1;
    report.structures = structures_;
    for (const BitStructure& built : structures_) {
      BitStructure listed = listed_part(report, built);
      if (!listed.fields.empty()) report.paper.push_back(std::move(listed));
    }
    not_in_the_pool(report);
    return report;
  }

 private:
  [[nodiscard]] bool looks_at_sched() const { return config_.dwf.heuristic == DwfHeuristic::kPostDominator; }

  // Scheduler data, which the paper has in every entry of the pool.
  void not_in_the_pool(BitReport& report) const {
    for (BitStructure& listed : report.paper) {
      if (listed.name != "warp pool") continue;
      listed.fields.push_back({"sched", kSchedBits, ""});
      report.differences.push_back({"warp pool: sched", -static_cast<std::int64_t>(kSchedBits * listed.entries),
                                    looks_at_sched()
                                        ? "the list of the issue logic has them, in the order in which warps leave"
                                        : "no heuristic but dpdpri looks at scheduler data"});
    }
  }

  void add(const std::string& name, const char* module, std::vector<BitField> fields, std::uint64_t entries,
           Storage storage = Storage::kFlipFlop) {
    structures_.push_back({name, module, std::move(fields), entries, 1, storage});
  }

  static std::string range(const std::string& name, unsigned high, unsigned low) {
    return name + "[" + std::to_string(high) + (high == low ? "" : ":" + std::to_string(low)) + "]";
  }

  void update_registers() {
    const unsigned half = lanes_ / 2;
    std::vector<BitField> group = {{"tids", lanes_ * tid_bits_, ""},
                                   {"pc", kPcBits, ""},
                                   {range("req", half - 1, 0), half, ""},
                                   {range("req", lanes_ - 1, half), lanes_ - half,
                                    "one request bit a lane; the paper lists half as many as lanes"},
                                   {"valid", 1, "a group waits in the register"}};
    if (looks_at_sched()) group.push_back({"sched", kSchedBits, "scheduler data enter together with the threads"});
    add("warp update registers", "dwf/warp_update_register", group, 2);
  }

  void lookup_table() {
    const char* module = "dwf/pc_warp_lut";
    const unsigned ways = config_.dwf.lut_ways;
    add("PC-warp LUT", module, {{"pc", kPcBits, ""}, {"occ", lanes_, ""}, {"idx", tid_bits_, ""}},
        config_.dwf.lut_entries, Storage::kMemory);
    add("PC-warp LUT control", module, {{"valid", 1, "the entry points to a warp that is being formed"}},
        config_.dwf.lut_entries);
    if (ways > 1) {
      add("PC-warp LUT order", module,
          {{"older", ways * (ways - 1) / 2, "least recently used way: for each two ways which was used before"}},
          config_.dwf.lut_entries / ways);
    }
  }

  void pool() {
    const char* module = "dwf/warp_pool";
    const char* twice =
        "the lanes once more, as the last join left them: so two write ports are enough for each memory";
    add("warp pool", module,
        {{"tids", lanes_ * tid_bits_, ""},
         {"pc", kPcBits, ""},
         {"began", lanes_, "which lanes hold a thread; the paper's entry cannot tell an empty lane"},
         {"grown", lanes_, twice}},
        threads_, Storage::kMemory);
    add("warp pool control", module, {{"joined", 1, twice}}, threads_);
  }

  void allocator() {
    const char* module = "dwf/warp_allocator";
    const char* ring = "the memory is a ring: where to take, where to return, and how many are left";
    add("warp allocator", module, {{"idx", tid_bits_, ""}}, threads_, Storage::kMemory);
    add("warp allocator control", module,
        {{"read", tid_bits_, ring},
         {"write", tid_bits_, ring},
         {"free", count_bits_, ring},
         {"written", 1,
          "after reset the memory is not written: until the read pointer has wrapped a place stands for its own "
          "number"}},
        1);
  }

  void issue_logic() {
    const char* module = "dwf/issue_logic";
    const char* ahead = "the warp is picked a cycle before it issues";
    std::vector<BitField> pick = {{"valid", 1, ahead}, {"idx", tid_bits_, ahead}};
    if (looks_at_sched()) pick.push_back({"sched", kSchedBits, ahead});
    add("pick register", module, pick, 1);
    switch (config_.dwf.heuristic) {
      case DwfHeuristic::kMajority:
      case DwfHeuristic::kMinority: {
        std::vector<BitField> entry = {{"pc", kPcBits, ""}, {range("count", tid_bits_ - 1, 0), tid_bits_, ""}};
        if (count_bits_ > tid_bits_) {
          entry.push_back({range("count", count_bits_ - 1, tid_bits_), count_bits_ - tid_bits_,
                           "all threads may have one PC: the paper's counter overflows"});
        }
        entry.push_back({"valid", 1, "the entry counts a PC"});
        const char* queue =
            "the warps of a PC leave in order of age: by pool index half-formed warps would overtake full ones";
        entry.push_back({"head", tid_bits_, queue});
        entry.push_back({"tail", tid_bits_, queue});
        entry.push_back({"waits", 1, queue});
        entry.push_back(
            {"current", 1,
             "the PC that issues until no warp is left at it, by position, so that the choice compares no PC"});
        entry.push_back(
            {"left", 1, "the threads of a warp that issued are counted a cycle later, out of the issue register"});
        add("issue logic", module, entry, config_.dwf.table_entries);
        add("issue order", module, {{"next", tid_bits_, queue}}, threads_, Storage::kMemory);
        if (config_.dwf.table_sort == DwfTableSort::kStep) {
          add("issue logic control", module, {{"odd", 1, "which neighbours are compared in this cycle"}}, 1);
        }
        break;
      }
      case DwfHeuristic::kTime: {
        const char* order = "pool entries in order of age; the paper gives bits for the majority heuristic only";
        add("issue order", module, {{"idx", tid_bits_, order}}, threads_, Storage::kMemory);
        add("issue order control", module,
            {{"read", tid_bits_, order}, {"write", tid_bits_, order}, {"waiting", count_bits_, order}}, 1);
        break;
      }
      case DwfHeuristic::kPostDominator: {
        const char* list =
            "warps in the order in which they leave; the paper gives bits for the majority heuristic only";
        add("issue order", module, {{"valid", 1, list}, {"idx", tid_bits_, list}, {"sched", kSchedBits, list}},
            threads_);
        add("issue order control", module, {{"odd", 1, "which neighbours are compared in this cycle"}}, 1);
        break;
      }
      case DwfHeuristic::kPc: {
        const char* list =
            "warps in the order in which they leave; the paper gives bits for the majority heuristic only";
        add("issue order", module, {{"valid", 1, list}, {"idx", tid_bits_, list}, {"pc", kPcBits, list}}, threads_);
        break;
      }
    }
  }

  void scheduler() {
    const char* module = "dwf/dwf_scheduler";
    const char* pipeline = "pipeline register between the pool and the register file";
    std::vector<BitField> issue = {{"valid", 1, pipeline},
                                   {"pc", kPcBits, pipeline},
                                   {"mask", lanes_, pipeline},
                                   {"tids", lanes_ * tid_bits_, pipeline}};
    if (looks_at_sched()) issue.push_back({"sched", kSchedBits, pipeline});
    add("issue register", module, issue, 1);
    const char* events = "statistics: what the two updates of the last cycle met";
    add("event registers", module,
        {{"hit", 2, events},
         {"miss", 2, events},
         {"alias", 2, events},
         {"conflict", 2, events},
         {"fragmented", 2, events},
         {"drain", 1, events}},
        1);
    add("pool high-water mark", module, {{"max_warps", count_bits_, "statistics: the most entries in use since reset"}},
        1);
  }

  static constexpr unsigned kSchedBits = 8;

  const Config& config_;
  const unsigned lanes_;
  const unsigned threads_;     // of the core
  const unsigned tid_bits_;    // a thread, or an entry of the pool
  const unsigned count_bits_;  // a number of threads
  std::vector<BitStructure> structures_;
};

std::uint64_t sum(const std::vector<BitStructure>& structures) {
  std::uint64_t bits = 0;
  for (const BitStructure& structure : structures) bits += structure.bits();
  return bits;
}

}  // namespace

unsigned BitStructure::entry_bits() const {
  unsigned bits = 0;
  for (const BitField& field : fields) bits += field.bits;
  return bits;
}

std::uint64_t BitReport::total_bits() const { return sum(structures); }
std::uint64_t BitReport::paper_bits() const { return sum(paper); }

std::uint64_t BitReport::module_bits(std::string_view module) const {
  std::uint64_t bits = 0;
  for (const BitStructure& structure : structures) {
    if (structure.module == module) bits += structure.bits();
  }
  return bits / partitions;
}

BitReport count_bits(const Config& config) {
  for (const MechanismInfo& mechanism : mechanisms()) {
    if (config.mechanism != mechanism.name) continue;
    if (mechanism.kind == MechanismKind::kFrontend) return FrontendCounter(config).report();
    if (mechanism.kind == MechanismKind::kFormation) return DwfCounter(config).report();
  }
  std::vector<std::string> names;
  for (const MechanismInfo& mechanism : mechanisms()) {
    if (mechanism.kind != MechanismKind::kReference) names.emplace_back(mechanism.name);
  }
  throw bad_input("option", fmt::format("mechanism {}: there is no hardware of it to count; choose one of {}",
                                        config.mechanism, fmt::join(names, ", ")));
}

}  // namespace heddle
