// SPDX-License-Identifier: Apache-2.0
// core/dpe_forward_frontend: dual-path execution in which a free slot takes the path that is suspended in the entry
// below. A path that is forwarded is shown in the entry that it comes from, as it stands now.
#ifdef HEDDLE_HAVE_RTL
#include "Vdpe_forward_w8.h"
#include "Vdpe_forward_w8___024root.h"
#include "engine/rtl_frontend.h"
#endif
#include "core/dpe_forward_frontend.h"
#include "engine/twin_frontend.h"
#include "mechanisms/designs.h"
#include "mechanisms/dpe_stack.h"

namespace heddle {
namespace {

// Entry `index` of `depth`. entry(i) is what entry i holds, guest(i) says whose path is in its slot `slot`: {here,
// gone, slot}, of the path of the entry below that it has or had.
template <class EntryOf, class GuestOf>
StackEntry entry_at_home(unsigned depth, unsigned index, EntryOf entry, GuestOf guest) {
  StackEntry shown = entry(index);
  const auto own = guest(index);
  const unsigned own_slot = own.slot ? 1 : 0;
  if (own.here) shown.mask[own_slot] = 0;
  if (index + 1 == depth) return shown;
  const auto above = guest(index + 1);
  const unsigned slot = above.slot ? 1 : 0;
  if (!(above.here || above.gone) || (own.here && own_slot == slot)) return shown;
  unsigned at = index + 1;
  bool here = above.here;
  while (here && at + 1 < depth) {  // it may be a guest's guest
    const auto next = guest(at + 1);
    if (!(next.here || next.gone) || next.slot != above.slot) break;
    here = next.here;
    ++at;
  }
  const StackEntry host = entry(at);
  shown.pc[slot] = host.pc[slot];
  shown.mask[slot] = here ? host.mask[slot] : 0;
  shown.level[slot] = host.level[slot];
  return shown;
}

class ForwardUnit final : public MechanismUnit {
 public:
  void add_counts(const FrontendCounts& counts, Stats& stats) const override {
    stats.forwarded_paths += counts.forwards;
  }
};

struct ForwardTwin : TwoSlotTwinRules {
  template <class Logic>
  static StackEntry entry(const Logic& logic, unsigned warp, unsigned index, unsigned /*slots*/) {
    const auto& stack = logic.stack();
    return entry_at_home(
        stack.depth(warp), index, [&](unsigned i) { return entry_of(stack.entry(warp, i), 2); },
        [&](unsigned i) { return stack.guest(warp, i); });
  }
  template <class Logic>
  static void show(const Logic& logic, DirectFrontendPins& pins) {
    pins.forwards.write(logic.stack().forwards());
  }
};

#ifdef HEDDLE_HAVE_RTL
struct ForwardRtl : RtlRules<2, 16> {
  HEDDLE_RTL_NETS(dpe_forward_frontend, warp)
  HEDDLE_RTL_ROWS(rows, dpe_forward_frontend, u_below)
  HEDDLE_RTL_STACK(here, dpe_forward_frontend, here_q)
  HEDDLE_RTL_STACK(gone, dpe_forward_frontend, gone_q)
  HEDDLE_RTL_STACK(offer_r, dpe_forward_frontend, offer_r_q)

  // Behind the plain row {here, gone, offer_l, offer_r, place}; of the top the same in registers.
  struct Guest {
    bool here, gone, slot;
  };
  template <class M>
  static Guest guest(const M& m, unsigned w, unsigned index) {
    if (index + 1 == m.stack_entries(w)) {
      return {flag(here(m.root()), w) != 0, flag(gone(m.root()), w) != 0, flag(offer_r(m.root()), w) != 0};
    }
    constexpr unsigned kPlaceBits = 32 + kRtlLevelBits, kPathBits = 32 + M::kLanes + kRtlLevelBits;
    const std::uint64_t flags = bits(rows(m.root())[address(w, index)], 2 * kPathBits + 2 * kPlaceBits, 4);
    return {(flags >> 3 & 1) != 0, (flags >> 2 & 1) != 0, (flags & 1) != 0};
  }
  template <class M>
  static StackEntry row(const M& m, unsigned w, unsigned index) {
    return dual_row<M::kLanes>(rows(m.root())[address(w, index)]);
  }
  template <class M>
  static StackEntry entry(const M& m, unsigned w, unsigned index) {
    return entry_at_home(
        m.stack_entries(w), index, [&](unsigned i) { return m.held(w, i); },
        [&](unsigned i) { return guest(m, w, i); });
  }
};
#endif

class ForwardDesign final : public TwinDesign<ForwardTwin, TwoSlotBuild<dpe_forward_frontend, ScoreboardModule::kDpe>,
                                              TwoSlotBuild<dpe_forward_frontend, ScoreboardModule::kOptimistic>> {
 public:
  [[nodiscard]] FrontendShape shape(const Config& config) const override { return two_slot_shape(config); }
  [[nodiscard]] std::unique_ptr<MechanismUnit> unit(const Config&) const override {
    return std::make_unique<ForwardUnit>();
  }
#ifdef HEDDLE_HAVE_RTL
  [[nodiscard]] const std::vector<RtlModelOf>& rtl_models() const override {
    static const std::vector<RtlModelOf> models = {
        rtl_model<ForwardRtl, 32, ScoreboardModule::kDpe, void, Vdpe_forward_w8>()};
    return models;
  }
#endif
  void count_bits(FrontendBits& bits) const override {
    const char* forwarding =
        "path forwarding: the path of the entry below that is in a slot, with the place where it arrives, and where "
        "there is one";
    bits.begin("core/dpe_forward_frontend", "stack/dpe_forward_stack");
    count_dual_path_bits(
        bits,
        {{"guest_rpc", FrontendBits::kPcBits, forwarding},
         {"guest_level", bits.levels(), forwarding},
         {"guest", 2, forwarding},
         {"offer", 2, forwarding}},
        [&] {
          bits.add_once("forward register", {{"valid", 1, forwarding}, {"replaces", 1, forwarding}});
          bits.add_once("forward counter", {{"forwards", 32, "statistics: paths forwarded since reset"}});
        });
  }
};

}  // namespace

const FrontendDesign& dpe_forward_design() {
  static const ForwardDesign design;
  return design;
}

}  // namespace heddle
