// SPDX-License-Identifier: Apache-2.0
// Fork/join: core/fork_join_frontend, and the regions that a program opens and closes.
#ifdef HEDDLE_HAVE_RTL
#include "Vforkjoin.h"
#include "Vforkjoin___024root.h"
#include "Vforkjoin_w8.h"
#include "Vforkjoin_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include <fmt/format.h>

#include <algorithm>

#include "core/fork_join_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "report/frontend_bits.h"

namespace heddle {
namespace {

// Whoever comes to the join of its region waits there; all live threads of the fork issue it together.
class ForkJoinUnit final : public MechanismUnit {
 public:
  explicit ForkJoinUnit(const Config& config) : regions_(config.core.warps) {}

  [[nodiscard]] Role role(const Instruction& inst) const override {
    return inst.op == Op::kFork ? Role::kResolves : inst.op == Op::kJoin ? Role::kGoesOn : Role::kNothing;
  }
  void begin_warp(WarpId warp) override { regions_[warp].clear(); }
  // The rows of the stack are pending sets and what open regions leave. At a join its region is closed already.
  void watch_path(UnitCore& core, const PathInstruction& at) override {
    if (at.inst.op == Op::kJoin) return;
    const std::uint64_t sets = core.stack_depth(at.warp) - 1 - open_regions(at).size();
    core.stats().max_pending_sets = std::max(core.stats().max_pending_sets, sets);
  }
  void execute(UnitCore& core, const PathInstruction& at) override {
    std::vector<Region>& regions = open_regions(at);
    if (at.inst.op == Op::kFork) {
      regions.push_back({at.pc, join_of(at), at.mask});
      return;
    }
    if (regions.empty() || regions.back().join != at.pc || (regions.back().mask & at.live) != at.mask)
      join_of_another(core, at, regions);
    regions.pop_back();
  }
  void mark(const UnitCore&, const PathInstruction& at, Mark& mark) const override {
    if (at.inst.op != Op::kFork) return;
    mark.kind = kMarkFork;
    mark.rpc = join_of(at);
  }

 private:
  struct Region {
    Pc fork, join;
    LaneMask mask;
  };

  [[nodiscard]] static Pc join_of(const PathInstruction& fork) { return fork.pc + static_cast<Pc>(fork.inst.imm); }

  // The innermost last: those that still have a live thread, as far as the innermost is one.
  [[nodiscard]] std::vector<Region>& open_regions(const PathInstruction& at) {
    std::vector<Region>& regions = regions_[at.warp];
    while (!regions.empty() && (regions.back().mask & at.live) == 0) regions.pop_back();
    return regions;
  }

  static void join_of_another(const UnitCore& core, const PathInstruction& at, const std::vector<Region>& regions) {
    const Program& program = core.program();
    const std::string why =
        regions.empty() ? "no region is open; a region begins with a fork that names its join, on every way to it"
                        : fmt::format(
                              "threads 0x{:x} are in the region that the fork at {} opened, whose join is at {}; "
                              "a region is left through its own join only",
                              regions.back().mask & at.live, program.where(regions.back().fork),
                              program.where(regions.back().join));
    core.stop_at(at, "join",
                 fmt::format("join without its fork in kernel {}: {} comes to it at {} with threads 0x{:x}: {}",
                             core.kernel(), core.name_of(at.warp), program.where(at.pc), at.mask, why));
  }

  std::vector<std::vector<Region>> regions_;  // by warp
};

#ifdef HEDDLE_HAVE_RTL
struct ForkJoinRtl : RtlRules<1, 16> {
  HEDDLE_RTL_NETS(fork_join_frontend, warp)
  HEDDLE_RTL_ROWS(rows, fork_join_frontend, u_rows)

  // The path when what is above the entry is done. A row {pc, mask, level, sibling} is a pending set if the path on it
  // has its sibling bit set, else the outer region's place with the threads of the fork.
  template <class M>
  static StackEntry row(const M& m, unsigned w, unsigned index) {
    const unsigned top = m.stack_entries(w) - 1;
    StackEntry path = m.held(w, top);
    bool sibling = m.sibling(w);
    for (unsigned n = top; n-- > index;) {
      RowReader row(rows(m.root())[address(w, (n + 2) & ((1u << kIndexBits) - 1))]);
      const bool set = sibling;
      sibling = row.take(1) != 0;
      const std::uint32_t row_level = row.take32(kRtlLevelBits);
      path.mask[0] = row.take(M::kLanes) & m.live(w);
      const Pc row_pc = row.take32(31) << 1;
      path.pc[0] = set ? row_pc : path.rpc;
      path.level[0] = set ? row_level : path.rpc_level;
      if (!set) {
        path.rpc = row_pc;
        path.rpc_level = row_level;
      }
    }
    return path;
  }
};
#endif

class ForkJoinDesign final : public TwinDesign<TwinRules, OneSlotBuild<fork_join_frontend, ScoreboardModule::kSpe>,
                                               OneSlotBuild<fork_join_frontend, ScoreboardModule::kBitmap>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override {
    FrontendShape shape = one_slot_shape(config);
    shape.core.parts_warps = true;
    return shape;
  }
  [[nodiscard]] std::unique_ptr<MechanismUnit> unit(const Config& config) const override {
    return std::make_unique<ForkJoinUnit>(config);
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<ForkJoinRtl, 32, ScoreboardModule::kSpe, Vforkjoin, Vforkjoin_w8>()};
    return models;
  }
#endif

  // The patent has the pending sets, log2(lanes) of them, and a stack pointer; in further rows are regions around the
  // open one.
  void count_bits(FrontendBits& bits) const override {
    using B = FrontendBits;
    bits.begin("core/fork_join_frontend", "stack/fork_join_stack");
    bits.scoreboard_is_not_listed("registers with a write in flight; the patent says nothing of them");
    const unsigned lanes = bits.lanes(), levels = bits.levels(), pc = B::kPcBits - 1;
    const unsigned rows = bits.config().stack.depth - 1;
    const unsigned sets = std::min(ceil_log2(lanes), rows), pointer = ceil_log2(sets + 1);
    const char* path = "the path that runs: every core has it";
    const char* region = "the open region: where its join is";
    const char* open = "regions that are open at a fork: the threads that meet at the join, and the region around it";
    bits.add_to_warps("path", {{"pc", pc, path},
                               {"mask", lanes, path},
                               {"level", levels, B::kLevelReason},
                               {"sibling", 1, "the upper row is a pending set of the region"},
                               {"rpc", pc, region},
                               {"rpc_level", levels, B::kLevelReason}});
    const std::vector<BitField> set = {{"pc", pc, ""},
                                       {"mask", lanes, ""},
                                       {"level", levels, B::kLevelReason},
                                       {"sibling", 1, "what the row below is"}};
    const unsigned row = pc + lanes + levels + 1;
    bits.add("pending sets", set, sets, bits.all_warps(), Storage::kMemory);
    if (rows > sets) bits.add("rows of regions", {{"row", row, open}}, rows - sets, bits.all_warps(), Storage::kMemory);
    bits.rows_without_use(row);
    bits.add_to_warps("stack control",
                      {{"pointer", pointer, ""},
                       {"depth", bits.depth_bits() - pointer, "the depth counts the path and the rows of regions, too"},
                       {"valid", 1, B::kValidReason},
                       {"live", lanes, B::kLiveReason}});
    bits.add_once("resolution register", {{"sets", 2 * lanes, B::kStage},
                                          {"sizes", 4 * ceil_log2((lanes + 1) / 2 + 1), B::kStage},
                                          {"exit", lanes, B::kStage},
                                          {"target", pc, B::kStage},
                                          {"next", pc, B::kStage},
                                          {"join", pc, B::kStage},
                                          {"levels", 2 * levels, B::kStage},
                                          {"depth", bits.depth_bits(), B::kStage},
                                          {"warp", bits.warp_bits(), B::kStage},
                                          {"conditions", 8, B::kStage}});
    bits.add_once(
        "pop register",
        {{"valid", 1, B::kStage}, {"warp", bits.warp_bits(), B::kStage}, {"depth", bits.depth_bits(), B::kStage}});
    bits.row_address(1);
    bits.high_water_mark();
  }
};

class ForkJoin final : public Mechanism {
 public:
  ForkJoin()
      : Mechanism(MechanismKind::kFrontend, "forkjoin",
                  "fork/join: regions from a fork to a join, of a divergence the smaller set first, no meeting in "
                  "between",
                  "US 8,959,319") {}
  [[nodiscard]] const FrontendDesign* design(const Config&) const override {
    static const ForkJoinDesign design;
    return &design;
  }
  [[nodiscard]] std::string kernel_form(const Config&) const override { return "forkjoin"; }
  [[nodiscard]] bool passes_locks() const override { return false; }
  void check(const Config& config, const Describe& describe) const override {
    if (config.stack.order == PushOrder::kTakenFirst || config.stack.order == PushOrder::kFallthroughFirst) return;
    throw bad_input("config", describe("stack.order") + " with " + describe("mechanism") +
                                  ": the smaller set runs first, and the key says which of two equal ones: taken_first "
                                  "or fallthrough_first");
  }
};

}  // namespace

const Mechanism& forkjoin_mechanism() {
  static const ForkJoin forkjoin;
  return forkjoin;
}

}  // namespace heddle
