// SPDX-License-Identifier: Apache-2.0
// The SystemC twin of dwf_scheduler as a scheduler of the engine. Instantiations at two sizes serve every
// configuration: lanes, threads, LUT, table, its order, heuristic and lane awareness are limits and options of the
// twin's machine.
#include "engine/dwf_schedulers.h"

#include <cstring>

namespace heddle {
namespace {

// The largest that the keys allow.
constexpr unsigned kLutWays = 4;
constexpr unsigned kLutSets = 1024;
constexpr unsigned kTableEntries = 64;

template <unsigned Threads>
using TwinLogic = DwfSchedulerLogic<kMaxDwfLanes, Threads, kLutWays * kLutSets, kLutWays, kTableEntries>;

DwfConfig limits(const Config& config) {
  const Config::Dwf& dwf = config.dwf;
  return {config.core.lanes, config.core.lanes * config.core.warps,
          dwf.lut_entries,   dwf.lut_ways,
          dwf.table_entries, static_cast<std::uint32_t>(dwf.heuristic),
          dwf.lane_aware,    static_cast<std::uint32_t>(dwf.table_sort)};
}

template <unsigned Threads>
class DwfTwin final : public DwfScheduler, public sc_core::sc_module {
 public:
  using Logic = TwinLogic<Threads>;

  sc_core::sc_in<bool> clk_i{"clk_i"}, rst_ni{"rst_ni"};

  SC_HAS_PROCESS(DwfTwin);
  DwfTwin(sc_core::sc_module_name name, const DwfContext& context)
      : sc_module(name),
        in_(context.in),
        out_(context.out),
        logic_(limits(context.config)) {
    clk_i(context.clk);
    rst_ni(context.rst_n);
    HEDDLE_CLOCKED_PROCESS();
  }

  void read_state(DwfState& state) const override {
    read_updates(state.common);
    read_lut(state);
    read_issue(state);
    state.common.offer0 = logic_.allocator().offer0();
    state.common.offer1 = logic_.allocator().offer1();
    state.common.free = logic_.allocator().free();
  }

 private:
  void reset() {
    logic_.reset();
    out_.write(logic_.output());
  }
  void step() {
    logic_.step(in_.read());
    out_.write(logic_.output());
  }
  HEDDLE_CLOCKED_BODY()

  void read_updates(DwfCommonState& state) const {
    for (unsigned u = 0; u < 2; ++u) {
      const typename Logic::UpdateRegister& group = logic_.update(u);
      DwfUpdateState& update = state.update[u];
      update.valid = group.valid();
      update.pc = group.pc();
      update.req = group.req();
      update.sched = group.sched();
      for (unsigned l = 0; l < kMaxDwfLanes; ++l) update.tids[l] = group.tid(l);
      const LutAnswer& answer = logic_.found(u);
      state.lookup[u] = {answer.occ, answer.hit, answer.idx, answer.alias, 0};
    }
  }

  void read_lut(DwfState& state) const {
    const unsigned ways = logic_.config().lut_ways;
    for (unsigned s = 0; s < state.lut_order.size(); ++s) {
      const LutSet<kLutWays> set = logic_.lut().set(s);
      unsigned order = 0;
      for (unsigned w = 0; w < ways; ++w) {
        const bool valid = has_bit(set.valid, w);
        const unsigned entry = s * ways + w;
        state.lut_valid[entry] = valid;
        state.lut_pc[entry] = valid ? set.pc[w] : 0;
        state.lut_idx[entry] = valid ? set.idx[w] : 0;
        state.lut_occ[entry] = valid ? set.occ[w] : 0;
        for (unsigned v = 0; v < w; ++v)
          order |= unsigned{has_bit(set.older, w * kLutWays + v)} << (w * (w - 1) / 2 + v);
      }
      state.lut_order[s] = static_cast<std::uint8_t>(order);
    }
  }

  void read_issue(DwfState& state) const {
    DwfCommonState& common = state.common;
    const typename Logic::Pool& pool = logic_.pool();
    const typename Logic::Issue& issue = logic_.issue();
    const bool picked = issue.pick_valid();
    const std::uint32_t index = issue.pick_index();
    common.pick_valid = picked;
    common.pick_idx = index;
    common.pick_sched = issue.pick_sched();
    common.read_pc = picked ? pool.pc(index) : 0;
    common.read_mask = picked ? pool.mask(index) : 0;
    for (unsigned l = 0; l < kMaxDwfLanes; ++l)
      common.read_tids[l] = static_cast<std::uint16_t>(picked ? pool.tid(index, l) : 0);
    const typename Logic::UpdateRegister& update0 = logic_.update(0);
    const typename Logic::UpdateRegister& update1 = logic_.update(1);
    const HoldAnswer hold = issue.hold(update0.valid(), update0.pc(), update1.valid(), update1.pc());
    common.hold0 = hold.hold0;
    common.hold1 = hold.hold1;
    if (issue.counts_pcs()) read_table(state);
    if (issue.sorts_warps()) read_list(state);
  }

  void read_table(DwfState& state) const {
    const typename Logic::Issue::Table& table = logic_.issue().table();
    state.common.table_valid = table.valid();
    state.common.table_waits = table.waits();
    state.common.table_current = table.current();
    state.common.table_left = table.left();
    for (unsigned i = 0; i < state.table_pc.size(); ++i) {
      const bool valid = has_bit(table.valid(), i), waits = has_bit(table.waits(), i);
      state.table_pc[i] = valid ? table.pc(i) : 0;
      state.table_count[i] = valid ? table.count(i) : 0;
      state.table_head[i] = static_cast<std::uint16_t>(waits ? table.head(i) : 0);
      state.table_tail[i] = static_cast<std::uint16_t>(waits ? table.tail(i) : 0);
    }
    state.set_next([&](unsigned i) { return table.next(i); });
  }

  void read_list(DwfState& state) const {
    const typename Logic::Issue::List& list = logic_.issue().list();
    state.common.waiting = list.count();
    for (unsigned i = 0; i < state.list_idx.size(); ++i) {
      const bool taken = i < list.count();
      state.list_idx[i] = static_cast<std::uint16_t>(taken ? list.index(i) : 0);
      state.list_key[i] = taken ? list.key(i) : 0;
    }
  }

  Wire<DwfInputs>& in_;
  Wire<DwfOutputs>& out_;
  Logic logic_;
};

template <unsigned Threads>
class DirectDwf final : public DirectDwfScheduler {
 public:
  explicit DirectDwf(const DirectDwfContext& context) : pins_(context.pins), logic_(limits(context.config)) {}
  void reset() override {
    logic_.reset();
    show();
  }
  void step() override { logic_.step(pins_.in.read()); }
  void show() override { pins_.out.write(logic_.output()); }

 private:
  DirectDwfPins& pins_;
  TwinLogic<Threads> logic_;
};

DwfEngines& engines() {
#ifdef HEDDLE_HAVE_RTL
  static DwfEngines engines{make_dwf_twin, make_dwf_rtl, make_direct_dwf};
#else
  static DwfEngines engines{make_dwf_twin, {}, make_direct_dwf};
#endif
  return engines;
}

}  // namespace

bool DwfState::operator==(const DwfState& other) const {
  return std::memcmp(&common, &other.common, sizeof common) == 0 && lut_occ == other.lut_occ &&
         lut_pc == other.lut_pc && lut_idx == other.lut_idx && lut_valid == other.lut_valid &&
         lut_order == other.lut_order && table_pc == other.table_pc && table_count == other.table_count &&
         table_head == other.table_head && table_tail == other.table_tail && next == other.next &&
         list_idx == other.list_idx && list_key == other.list_key;
}

const DwfEngines& dwf_engines() { return engines(); }
void replace_dwf_engines(DwfEngines replacement) { engines() = std::move(replacement); }

std::unique_ptr<DwfScheduler> make_dwf_twin(const DwfContext& context) {
  const unsigned threads = context.config.core.lanes * context.config.core.warps;
  if (threads <= 256) return std::make_unique<DwfTwin<256>>(context.name, context);
  return std::make_unique<DwfTwin<kMaxDwfThreads>>(context.name, context);
}

std::unique_ptr<DirectDwfScheduler> make_direct_dwf(const DirectDwfContext& context) {
  const unsigned threads = context.config.core.lanes * context.config.core.warps;
  if (threads <= 256) return std::make_unique<DirectDwf<256>>(context);
  return std::make_unique<DirectDwf<kMaxDwfThreads>>(context);
}

}  // namespace heddle
