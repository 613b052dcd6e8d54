// SPDX-License-Identifier: Apache-2.0
// Convergence barriers: core/cbar_frontend. Paths of a warp that wait for their turn, and barriers of the program at
// which threads wait for each other.
#ifdef HEDDLE_HAVE_RTL
#include "Vcbar.h"
#include "Vcbar___024root.h"
#include "Vcbar_w8.h"
#include "Vcbar_w8___024root.h"
#include "Vcbar_w8_branches.h"
#include "Vcbar_w8_branches___024root.h"
#include "Vcbar_w8_leave.h"
#include "Vcbar_w8_leave___024root.h"
#include "Vcbar_w8_swap.h"
#include "Vcbar_w8_swap___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "config/key_macros.h"
#include "core/cbar_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/barrier_unit.h"
#include "mechanisms/designs.h"
#include "report/frontend_bits.h"
#include "wave/frontend_probes.h"

namespace heddle {
namespace {

StackEntry entry_of_path(Pc pc, LaneMask mask) {
  StackEntry entry;
  entry.pc[0] = pc;
  entry.mask[0] = mask;
  return entry;
}
// Threads that wait at a barrier, and where they go on together.
StackEntry entry_of_waiting(Pc pc, LaneMask mask) {
  StackEntry entry = entry_of_path(pc, mask);
  entry.rpc = pc;
  return entry;
}

// for_each(f) calls f with each entry, from the bottom.
template <class ForEach>
unsigned count_entries(ForEach for_each) {
  unsigned entries = 0;
  for_each([&](const StackEntry&) { ++entries; });
  return entries;
}
template <class ForEach>
StackEntry entry_at(unsigned index, ForEach for_each) {
  unsigned at = 0;
  StackEntry found;
  for_each([&](const StackEntry& entry) {
    if (at++ == index) found = entry;
  });
  return found;
}

// Threads that wait at barriers below, then the paths that wait for their turn, and the one that runs on top.
struct CbarTwin : TwinRules {
  [[nodiscard]] static std::uint32_t order(const Config& config) {
    return barrier_order(static_cast<std::uint32_t>(config.stack.order), config.cbar.policy,
                         config.cbar.yield_leaves ? kYieldLeaves : kYieldStays);
  }
  template <class Logic, class F>
  static void for_each_entry(const Logic& logic, unsigned warp, F f) {
    const auto& stack = logic.stack();
    if (stack.depth(warp) == 0) return;
    const auto show_row = [&](unsigned index) {
      const BarrierRow row = stack.row(warp, index);
      const LaneMask waits = row.arrived & row.mask & stack.live(warp);
      if (waits != 0) f(entry_of_waiting(row.pc, waits));
    };
    for (std::uint64_t left = stack.armed(warp); left != 0; left &= left - 1) show_row(lowest_bit(left));
    for (std::uint64_t left = stack.armed_syncs(warp); left != 0; left &= left - 1)
      show_row(kConvergenceBarriers + lowest_bit(left));
    for (unsigned i = 0; i + 1 < stack.depth(warp); ++i)
      f(entry_of_path(stack.waiting(warp, i).pc, stack.waiting(warp, i).mask));
    if (stack.top(warp).mask != 0) f(entry_of_path(stack.top(warp).pc, stack.top(warp).mask));
  }
  template <class Logic>
  static unsigned depth(const Logic& logic, unsigned warp) {
    return count_entries([&](auto f) { for_each_entry(logic, warp, f); });
  }
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned /*slots*/) {
    return entry_at(index, [&](auto f) { for_each_entry(logic, warp, f); });
  }
  template <class Logic>
  static void read_place(const Logic&, unsigned /*warp*/, WarpState& /*state*/) {}
  template <class In>
  static void read(const DirectFrontendPins& p, In& in) {
    in.resolve_operand = p.resolve_operand.read();
  }
  template <class Logic>
  static void show(const Logic& logic, DirectFrontendPins& pins) {
    const BarrierAnswer answer = logic.stack().answer();
    pins.answer_valid.write(answer.valid);
    pins.answer_warp.write(answer.warp);
    pins.answer_value.write(answer.value);
    const BarrierEvent event = logic.stack().event();
    pins.event_valid.write(event.valid);
    pins.event_warp.write(event.warp);
    pins.event_code.write(event.code);
  }
};

#ifdef HEDDLE_HAVE_RTL
struct CbarRtl : RtlRules<1, 32> {
  static constexpr unsigned kStackDepth = 16;  // what the key has if nothing sets it: no path is without room
  static constexpr PushOrder kOrder = PushOrder::kLargerFirst;
  HEDDLE_RTL_NETS(cbar_frontend, warp)
  HEDDLE_RTL_ROWS(list, cbar_frontend, u_list)
  HEDDLE_RTL_ROWS(barriers, cbar_frontend, u_barriers)
  HEDDLE_RTL_STACK(masks, cbar_frontend, mask_q)
  HEDDLE_RTL_STACK(armed, cbar_frontend, armed_q)
  HEDDLE_RTL_STACK(uppers, cbar_frontend, upper_q)

  // A row of a barrier is {pc / 2, arrived, mask}, one of the list, which is a ring, {pc / 2, mask}.
  template <class M, class F>
  static void for_each_entry(const M& m, unsigned w, F f) {
    constexpr unsigned kPlaceBits = index_width(M::kLanes), kRows = kConvergenceBarriers + M::kLanes;
    if (m.stack_entries(w) == 0) return;
    for (LaneMask left = bits(armed(m.root()), kRows * w, kRows); left != 0; left &= left - 1) {
      RowReader row(barriers(m.root())[w << index_width(kRows) | lowest_bit(left)]);
      const LaneMask mask = row.take(M::kLanes), waits = row.take(M::kLanes) & mask & m.live(w);
      if (waits != 0) f(entry_of_waiting(row.take32(31) << 1, waits));
    }
    const auto upper = static_cast<unsigned>(bits(uppers(m.root()), kPlaceBits * w, kPlaceBits));
    for (unsigned from_top = m.stack_entries(w) - 1; from_top-- > 0;) {
      RowReader row(list(m.root())[w << kPlaceBits | ((upper - from_top) & (M::kLanes - 1))]);
      const LaneMask mask = row.take(M::kLanes);
      f(entry_of_path(row.take32(31) << 1, mask));
    }
    const LaneMask top = bits(masks(m.root()), M::kLanes * w, M::kLanes);
    if (top != 0) f(entry_of_path(m.pc(w), top));
  }
  template <class M>
  static unsigned depth(const M& m, unsigned w) {
    return count_entries([&](auto f) { for_each_entry(m, w, f); });
  }
  template <class M>
  static StackEntry entry(const M& m, unsigned w, unsigned index) {
    return entry_at(index, [&](auto f) { for_each_entry(m, w, f); });
  }
  template <class M>
  static StackEntry row(const M&, unsigned /*warp*/, unsigned /*index*/) {
    return {};
  }
};
#endif

// Which of a warp's barriers is the newest is known to every twin; whether it matters is the configuration's.
template <ScoreboardModule kScoreboard>
using CbarBuild = TwinBuild<kScoreboard, SelectorKind::kTwoLevel,
                            cbar_frontend<kMaxPartitionWarps, kTwinLanes, kConvergenceBarriers, kPushLargerFirst,
                                          kYieldSwaps, kYieldStays, static_cast<unsigned>(kScoreboard), kTwinSbEntries,
                                          0, kTwinIbufDepth, kTwinLevelBits, 1, kWritePorts, kTwinTagBits>>;

// One for each policy and mode of a yield: those are parameters of the Verilated models.
class CbarDesign final
    : public TwinDesign<CbarTwin, CbarBuild<ScoreboardModule::kSpe>, CbarBuild<ScoreboardModule::kBitmap>> {
 public:
  explicit CbarDesign([[maybe_unused]] const Config::Cbar& yield) {
#ifdef HEDDLE_HAVE_RTL
    constexpr ScoreboardModule kSpe = ScoreboardModule::kSpe;
    if (yield.yield_leaves) {
      if (yield.policy == kYieldIsFair) models_ = {rtl_model<CbarRtl, 32, kSpe, void, Vcbar_w8_leave>()};
    } else if (yield.policy == kYieldSwaps) {
      models_ = {rtl_model<CbarRtl, 32, kSpe, void, Vcbar_w8_swap>()};
    } else if (yield.policy == kYieldIsFair) {
      models_ = {rtl_model<CbarRtl, 32, kSpe, Vcbar, Vcbar_w8>()};
    } else {
      models_ = {rtl_model<CbarRtl, 32, kSpe, void, Vcbar_w8_branches>()};
    }
#endif
  }
  [[nodiscard]] FrontendShape shape(const Config& config) const override {
    FrontendShape shape = one_slot_shape(config);
    shape.core.parts_warps = true;
    shape.core.has_stack = false;
    return shape;
  }
  [[nodiscard]] std::unique_ptr<MechanismUnit> unit(const Config& config) const override {
    return std::make_unique<BarrierUnit>(config);
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override { return models_; }
#endif
  void add_probes(PinProbes& probes) const override {
    const FrontendPins& pins = probes.pins;
    probes.number("resolve_operand", 64, pins.resolve_operand);
    probes.flag("answer_valid", pins.answer_valid);
    probes.number("answer_warp", 5, pins.answer_warp);
    probes.number("answer_value", 64, pins.answer_value);
    probes.flag("event_valid", pins.event_valid);
    probes.number("event_warp", 5, pins.event_warp);
    probes.number("event_code", kEventWidth, pins.event_code);
  }
  void count_bits(FrontendBits& bits) const override;

 private:
#ifdef HEDDLE_HAVE_RTL
  std::vector<RtlModelOf> models_;
#endif
};

// The paper has one mask of waiting threads and a second stack where they meet; here each barrier has its own, and the
// warpsyncs of a warp have rows, too.
void CbarDesign::count_bits(FrontendBits& bits) const {
  using B = FrontendBits;
  bits.begin("core/cbar_frontend", "stack/convergence_barriers");
  bits.scoreboard_is_not_listed("registers with a write in flight; the paper is about control flow alone");
  const unsigned lanes = bits.lanes(), pc = B::kPcBits - 1, place = ceil_log2(lanes), depth = index_bits(lanes + 1);
  const unsigned rows = kConvergenceBarriers + lanes, row_bits = index_bits(rows);
  const Config::Cbar& yield = bits.config().cbar;
  const bool ages = yield.policy == kYieldSwaps || yield.yield_leaves;
  const PushOrder order = bits.config().stack.order;
  const bool sizes = order == PushOrder::kSmallerFirst || order == PushOrder::kLargerFirst;
  const char* arrived = "threads that wait, of each barrier";
  const char* sync = "a warpsync waits by the lowest lane of its mask: as many at once as there can be";
  const char* list = "the list of paths is a ring: its uppermost row, and how many there are";
  const char* check = "barriers that may open: one is looked at in a cycle";
  const char* age = "armed barriers that are older: a yield asks for the newest";
  const char* told = "what the program, or who runs it, is told";
  const std::vector<BitField> barrier = {{"pc", pc, ""}, {"arrived", lanes, arrived}, {"mask", lanes, ""}};
  const unsigned row = pc + 2 * lanes;
  bits.add("paths that wait", {{"pc", pc, ""}, {"mask", lanes, ""}}, lanes, bits.all_warps(), Storage::kMemory);
  bits.add("barriers", barrier, kConvergenceBarriers, bits.all_warps(), Storage::kMemory);
  bits.add("warpsyncs", {{"row", row, sync}}, lanes, bits.all_warps(), Storage::kMemory);
  bits.add("rows without use", {{"row", row, "an address is {warp, index}: a power of two of rows a warp"}},
           (std::uint64_t{1} << row_bits) - rows, bits.all_warps(), Storage::kMemory);
  bits.add_to_warps("path", {{"pc", pc, ""}, {"mask", lanes, ""}});
  bits.add_to_warps("stack control", {{"valid", 1, B::kValidReason},
                                      {"in use", 1, "the warp has threads"},
                                      {"stuck", 1, "all of them wait for each other"},
                                      {"live", lanes, B::kLiveReason},
                                      {"uppermost", place, list},
                                      {"rows", depth, list}});
  bits.add_to_warps("barrier control", {{"armed", kConvergenceBarriers, ""},
                                        {"armed syncs", lanes, sync},
                                        {"check", kConvergenceBarriers + lanes, check}});
  if (ages) bits.add_to_warps("ages", {{"older", kConvergenceBarriers * ceil_log2(kConvergenceBarriers), age}});
  bits.add_once("resolution register", {{"kind", kKindWidth, B::kStage},
                                        {"row", row_bits, B::kStage},
                                        {"uppermost", place, B::kStage},
                                        {"rows", depth, B::kStage},
                                        {"taken", lanes, B::kStage},
                                        {"stay", lanes, B::kStage},
                                        {"exit", lanes, B::kStage},
                                        {"operand", lanes, B::kStage},
                                        {"target", pc, B::kStage},
                                        {"next", pc, B::kStage},
                                        {"rpc", pc, B::kStage},
                                        {"conditions", yield.policy == kYieldIsFairAtBranches ? 8u : 7u, B::kStage},
                                        {"sizes", sizes ? 4 * ceil_log2((lanes + 1) / 2 + 1) : 0, B::kStage},
                                        {"ages", ages ? 2 * ceil_log2(kConvergenceBarriers) : 0, B::kStage}});
  bits.add_once("settled warp",
                {{"warp", bits.warp_bits(), B::kStage}, {"acts", 1, B::kStage}, {"serves", 1, B::kStage}});
  bits.add_once("answer and event", {{"answer_valid", 1, told},
                                     {"answer_warp", bits.warp_bits(), told},
                                     {"answer_value", std::max(lanes, B::kPcBits), told},
                                     {"event_valid", 1, told},
                                     {"event_warp", bits.warp_bits(), told},
                                     {"event_code", kEventWidth, told}});
  bits.add_once("row addresses", {{"paths", index_bits(bits.warps() << place), B::kStage},
                                  {"barriers", index_bits(bits.warps() << row_bits), B::kStage}});
  bits.add_once("stack high-water mark", {{"max_depth", depth, "statistics: the greatest depth since reset"}});
}

class Cbar final : public Mechanism {
 public:
  Cbar()
      : Mechanism(MechanismKind::kFrontend, "cbar",
                  "convergence barriers: paths of a warp take turns, and wait for each other where the program says so",
                  "Abaie Shoushtary et al., arXiv 2407.02944") {}
  [[nodiscard]] std::vector<ConfigKey> keys() const override {
    return {HEDDLE_NUMBER("cbar.policy", cbar.policy, 0, 2, "",
                          "cbar: what a yield does: 0 the two upper paths of the newest barrier change places, 1 the "
                          "path goes behind all others, 2 so does each at a taken backward branch",
                          "0: arXiv 2407.02944"),
            HEDDLE_BOOL("cbar.yield_leaves", cbar.yield_leaves,
                        "cbar: who yields takes part in the newest barrier no more, which opens without it",
                        "US 10,067,768, claim 1")};
  }
  void complete(Config& config, const IsSet& is_set) const override {
    if (config.mechanism == name && !is_set("stack.order")) config.stack.order = PushOrder::kLargerFirst;
  }
  [[nodiscard]] const FrontendDesign* design(const Config& config) const override {
    static const CbarDesign designs[] = {CbarDesign({0, false}), CbarDesign({0, true}),  CbarDesign({1, false}),
                                         CbarDesign({1, true}),  CbarDesign({2, false}), CbarDesign({2, true})};
    return &designs[2 * config.cbar.policy + (config.cbar.yield_leaves ? 1 : 0)];
  }
  [[nodiscard]] std::string kernel_form(const Config&) const override { return "barriers"; }
};

}  // namespace

const Mechanism& cbar_mechanism() {
  static const Cbar cbar;
  return cbar;
}

}  // namespace heddle
