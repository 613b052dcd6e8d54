// SPDX-License-Identifier: Apache-2.0
// The Verilated RTL of dwf_scheduler as schedulers of the engine: one clocked process copies the pins, evaluates the
// model at both levels of the clock, and writes the output pins. Pool indices, fragmentation counts and packing depend
// on the sizes, so a model serves exactly the configuration it was built for (sim/mechanisms/CMakeLists.txt).
#include <fmt/format.h>

#include <string>

#include "Vdwf_l16_dmaj.h"
#include "Vdwf_l16_dmaj___024root.h"
#include "Vdwf_l16_dmaj_unaware.h"
#include "Vdwf_l16_dmaj_unaware___024root.h"
#include "Vdwf_l16_dmin.h"
#include "Vdwf_l16_dmin___024root.h"
#include "Vdwf_l16_dpc.h"
#include "Vdwf_l16_dpc___024root.h"
#include "Vdwf_l16_dpdpri.h"
#include "Vdwf_l16_dpdpri___024root.h"
#include "Vdwf_l16_dtime.h"
#include "Vdwf_l16_dtime___024root.h"
#include "Vdwf_l32_dmaj.h"
#include "Vdwf_l32_dmaj___024root.h"
#include "Vdwf_l4_dmaj.h"
#include "Vdwf_l4_dmaj___024root.h"
#include "config/config.h"
#include "engine/dwf_schedulers.h"
#include "engine/verilated_bits.h"
#include "heddle/error.h"

namespace heddle {
namespace {

constexpr unsigned kLutEntries = 32;  // parameters of every model
constexpr unsigned kLutWays = 2;
constexpr unsigned kTableEntries = 32;
constexpr unsigned kSchedW = 8;

template <class Model, unsigned Lanes, unsigned Threads, DwfHeuristic Heuristic>
class DwfRtl final : public DwfScheduler, public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  SC_HAS_PROCESS(DwfRtl);
  DwfRtl(sc_core::sc_module_name name, const DwfContext& context)
      : sc_module(name),
        verilated_(std::make_unique<VerilatedContext>()),
        model_(verilated_.get(), context.name),
        in_(context.in),
        out_(context.out) {
    clk_i(context.clk);
    rst_ni(context.rst_n);
    SC_METHOD(step);
    sensitive << clk_i.pos() << rst_ni.neg();
    dont_initialize();
  }
  ~DwfRtl() override { model_.final(); }

  void read_state(DwfState& state) const override {
    read_common(state.common);
    read_lut(state);
    read_issue(state);
  }

 private:
  static constexpr unsigned kTidW = index_width(Threads);
  static constexpr unsigned kCountW = index_width(Threads + 1);

  void step() {
    Model& m = model_;
    const bool rst_n = rst_ni.read();
    const DwfInputs& in = in_.read();
    m.rst_ni = rst_n;
    m.issue_ready_i = in.issue_ready;
    m.update0_valid_i = in.update[0].valid;
    if (in.update[0].valid) {
      m.update0_pc_i = in.update[0].pc;
      put(m.update0_req_i, in.update[0].req);
      put(m.update0_sched_i, in.update[0].sched);
      put_fields<kTidW, Lanes>(m.update0_tids_i, in.update[0].tids);
    }
    m.update1_valid_i = in.update[1].valid;
    if (in.update[1].valid) {
      m.update1_pc_i = in.update[1].pc;
      put(m.update1_req_i, in.update[1].req);
      put(m.update1_sched_i, in.update[1].sched);
      put_fields<kTidW, Lanes>(m.update1_tids_i, in.update[1].tids);
    }
    m.clk_i = 0;
    m.eval();
    capture_lookups(rst_n);
    m.clk_i = 1;
    m.eval();
    show();
  }

  void capture_lookups(bool rst_n) {
    const auto& r = *model_.rootp;
    lookup_ = {};
    if (!rst_n) return;
    lookup_[0] = {r.dwf_scheduler__DOT__occ0, r.dwf_scheduler__DOT__hit0, r.dwf_scheduler__DOT__found0,
                  r.dwf_scheduler__DOT__alias0, 0};
    lookup_[1] = {r.dwf_scheduler__DOT__occ1, r.dwf_scheduler__DOT__hit1, r.dwf_scheduler__DOT__found1,
                  r.dwf_scheduler__DOT__alias1, 0};
  }

  void show() {
    const Model& m = model_;
    DwfOutputs& out = outputs_;
    out.update_ready = m.update_ready_o;
    out.issue_valid = m.issue_valid_o;
    out.issue_pc = m.issue_pc_o;
    out.issue_mask = m.issue_mask_o;
    out.issue_sched = m.issue_sched_o;
    get_fields<kTidW, Lanes>(m.issue_tids_o, out.issue_tids);
    out.hit = m.hit_o;
    out.miss = m.miss_o;
    out.alias = m.alias_o;
    out.conflict = m.conflict_o;
    out.fragmented = m.fragmented_o;
    out.drain = m.drain_o;
    out.warps = m.warps_o;
    out.max_warps = m.max_warps_o;
    out.distinct = m.distinct_o;
    out_.write(out);
  }

  void read_common(DwfCommonState& state) const {
    const auto& r = *model_.rootp;
    state.update[0].valid = r.dwf_scheduler__DOT__valid0;
    state.update[0].pc = r.dwf_scheduler__DOT__pc0;
    state.update[0].req = r.dwf_scheduler__DOT__req0;
    state.update[0].sched = r.dwf_scheduler__DOT__sched0;
    get_fields<kTidW, Lanes>(r.dwf_scheduler__DOT__tids0, state.update[0].tids.data());
    state.update[1].valid = r.dwf_scheduler__DOT__valid1;
    state.update[1].pc = r.dwf_scheduler__DOT__pc1;
    state.update[1].req = r.dwf_scheduler__DOT__req1;
    state.update[1].sched = r.dwf_scheduler__DOT__sched1;
    get_fields<kTidW, Lanes>(r.dwf_scheduler__DOT__tids1, state.update[1].tids.data());
    state.lookup = lookup_;
    state.read_pc = r.dwf_scheduler__DOT__read_pc;
    state.read_mask = r.dwf_scheduler__DOT__read_mask;
    get_fields<kTidW, Lanes>(r.dwf_scheduler__DOT__read_tids, state.read_tids.data());
    state.pick_valid = r.dwf_scheduler__DOT__pick_valid;
    state.pick_idx = r.dwf_scheduler__DOT__pick_idx;
    state.pick_sched = r.dwf_scheduler__DOT__pick_sched;
    state.hold0 = r.dwf_scheduler__DOT__hold0;
    state.hold1 = r.dwf_scheduler__DOT__hold1;
    state.offer0 = r.dwf_scheduler__DOT__offer0;
    state.offer1 = r.dwf_scheduler__DOT__offer1;
    state.free = r.dwf_scheduler__DOT__free_count;
  }

  void read_lut(DwfState& state) const {
    const auto& r = *model_.rootp;
    for (unsigned e = 0; e < kLutEntries; ++e) {
      const bool valid = flag(r.dwf_scheduler__DOT__u_lut__DOT__valid_q, e) != 0;
      state.lut_valid[e] = valid;
      state.lut_pc[e] = valid ? r.dwf_scheduler__DOT__u_lut__DOT__pc_q[e] : 0;
      state.lut_idx[e] = valid ? r.dwf_scheduler__DOT__u_lut__DOT__idx_q[e] : 0;
      state.lut_occ[e] = valid ? r.dwf_scheduler__DOT__u_lut__DOT__occ_q[e] : 0;
    }
    for (unsigned s = 0; s < kLutEntries / kLutWays; ++s)
      state.lut_order[s] = flag(r.dwf_scheduler__DOT__u_lut__DOT__order_q, s);
  }

  void read_issue(DwfState& state) const {
    if constexpr (Heuristic == DwfHeuristic::kMajority || Heuristic == DwfHeuristic::kMinority) {
      const auto& r = *model_.rootp;
      state.common.table_valid = r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__valid_q;
      state.common.table_waits = r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__waits_q;
      state.common.table_current = r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__current_q;
      state.common.table_left = r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__left_q;
      for (unsigned e = 0; e < kTableEntries; ++e) {
        const auto field = [e](bool means_something, const auto& vector, unsigned width) {
          return means_something ? static_cast<std::uint32_t>(bits(vector, e * width, width)) : 0;
        };
        const bool valid = has_bit(state.common.table_valid, e), waits = has_bit(state.common.table_waits, e);
        state.table_pc[e] = field(valid, r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__pc_q, 32);
        state.table_count[e] = field(valid, r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__count_q, kCountW);
        state.table_head[e] =
            static_cast<std::uint16_t>(field(waits, r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__head_q, kTidW));
        state.table_tail[e] =
            static_cast<std::uint16_t>(field(waits, r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__tail_q, kTidW));
      }
      state.set_next(
          [&](unsigned i) { return element<kTidW>(r.dwf_scheduler__DOT__u_issue__DOT__gen_table__DOT__next_q, i); });
    } else if constexpr (Heuristic == DwfHeuristic::kPostDominator || Heuristic == DwfHeuristic::kPc) {
      const auto& r = *model_.rootp;
      constexpr unsigned kKeyW = Heuristic == DwfHeuristic::kPc ? 32 : kSchedW;
      state.common.waiting = 0;
      for (unsigned i = 0; i < Threads; ++i) {
        const bool taken = flag(r.dwf_scheduler__DOT__u_issue__DOT__gen_list__DOT__valid_q, i) != 0;
        state.common.waiting += taken;
        state.list_idx[i] = static_cast<std::uint16_t>(
            taken ? bits(r.dwf_scheduler__DOT__u_issue__DOT__gen_list__DOT__idx_q, i * kTidW, kTidW) : 0);
        state.list_key[i] = static_cast<std::uint32_t>(
            taken ? bits(r.dwf_scheduler__DOT__u_issue__DOT__gen_list__DOT__key_q, i * kKeyW, kKeyW) : 0);
      }
    }
  }

  std::unique_ptr<VerilatedContext> verilated_;
  mutable Model model_;
  Wire<DwfInputs>& in_;
  Wire<DwfOutputs>& out_;
  DwfOutputs outputs_;
  std::array<DwfLookupState, 2> lookup_;
};

struct Build {
  unsigned lanes, threads;
  DwfHeuristic heuristic;
  bool lane_aware;
  std::unique_ptr<DwfScheduler> (*make)(const DwfContext&);
};

template <class Model, unsigned Lanes, unsigned Threads, DwfHeuristic Heuristic>
std::unique_ptr<DwfScheduler> make(const DwfContext& context) {
  return std::make_unique<DwfRtl<Model, Lanes, Threads, Heuristic>>(context.name, context);
}

using H = DwfHeuristic;
constexpr Build kBuilds[] = {
    {16, 256, H::kMajority, true, make<Vdwf_l16_dmaj, 16, 256, H::kMajority>},
    {16, 256, H::kMinority, true, make<Vdwf_l16_dmin, 16, 256, H::kMinority>},
    {16, 256, H::kTime, true, make<Vdwf_l16_dtime, 16, 256, H::kTime>},
    {16, 256, H::kPostDominator, true, make<Vdwf_l16_dpdpri, 16, 256, H::kPostDominator>},
    {16, 256, H::kPc, true, make<Vdwf_l16_dpc, 16, 256, H::kPc>},
    {16, 256, H::kMajority, false, make<Vdwf_l16_dmaj_unaware, 16, 256, H::kMajority>},
    {4, 16, H::kMajority, true, make<Vdwf_l4_dmaj, 4, 16, H::kMajority>},
    {32, 1024, H::kMajority, true, make<Vdwf_l32_dmaj, 32, 1024, H::kMajority>},
};

const char* name_of(DwfHeuristic heuristic) {
  return find_key("dwf.heuristic")->choices[static_cast<unsigned>(heuristic)];
}

}  // namespace

std::unique_ptr<DwfScheduler> make_dwf_rtl(const DwfContext& context) {
  const Config& c = context.config;
  const auto refuse = [](const std::string& key, const std::string& have) {
    return bad_input(
        "engine",
        fmt::format(
            "{} has no Verilated model: the RTL of this build has {}; use --engine systemc, or add a parameter set "
            "in sim/mechanisms/CMakeLists.txt",
            key, have));
  };
  if (c.dwf.lut_entries != kLutEntries)
    throw refuse(fmt::format("dwf.lut_entries = {}", c.dwf.lut_entries), fmt::format("{}", kLutEntries));
  if (c.dwf.lut_ways != kLutWays)
    throw refuse(fmt::format("dwf.lut_ways = {}", c.dwf.lut_ways), fmt::format("{}", kLutWays));
  if (c.dwf.table_entries != kTableEntries) {
    throw refuse(fmt::format("dwf.table_entries = {}", c.dwf.table_entries), fmt::format("{}", kTableEntries));
  }
  if (c.dwf.table_sort != DwfTableSort::kStep) throw refuse("dwf.table_sort = exact", "step");
  const unsigned threads = c.core.lanes * c.core.warps;
  std::string sizes, variants;
  for (const Build& build : kBuilds) {
    const bool size = build.lanes == c.core.lanes && build.threads == threads;
    if (size && build.heuristic == c.dwf.heuristic && build.lane_aware == c.dwf.lane_aware) return build.make(context);
    const std::string name = fmt::format("{} x {}", build.lanes, build.threads / build.lanes);
    if (sizes.find(name) == std::string::npos) sizes += (sizes.empty() ? "" : ", ") + name;
    if (size) {
      variants += fmt::format("{}{}{}", variants.empty() ? "" : ", ", name_of(build.heuristic),
                              build.lane_aware ? "" : " with dwf.lane_aware = false");
    }
  }
  if (variants.empty()) {
    throw refuse(fmt::format("core.lanes = {} and core.warps = {} with dwf", c.core.lanes, c.core.warps),
                 fmt::format("lanes x warps {}", sizes));
  }
  throw refuse(fmt::format("dwf.heuristic = {}{}", name_of(c.dwf.heuristic),
                           c.dwf.lane_aware ? "" : " with dwf.lane_aware = false"),
               fmt::format("at this size {}", variants));
}

}  // namespace heddle
