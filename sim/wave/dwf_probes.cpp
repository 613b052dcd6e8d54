// SPDX-License-Identifier: Apache-2.0
#include "wave/dwf_probes.h"

#include <fmt/format.h>

namespace heddle {
namespace {

constexpr unsigned kSchedWidth = 8;

class DwfProbeList {
 public:
  DwfProbeList(std::string scope, const Config& config, std::vector<WaveProbe>& list)
      : scope_(std::move(scope)),
        lanes_(config.core.lanes),
        ways_(config.dwf.lut_ways),
        counts_pcs_(config.dwf.heuristic == DwfHeuristic::kMajority || config.dwf.heuristic == DwfHeuristic::kMinority),
        sorts_warps_(config.dwf.heuristic == DwfHeuristic::kPostDominator || config.dwf.heuristic == DwfHeuristic::kPc),
        by_pc_(config.dwf.heuristic == DwfHeuristic::kPc),
        index_width_(index_width(config.core.lanes * config.core.warps)),
        count_width_(index_width(config.core.lanes * config.core.warps + 1)),
        mask_format_(lanes_ <= 16 ? WaveFormat::kBinary : WaveFormat::kHex),
        list_(list) {}

  void pins(const DwfInputs& in, const DwfOutputs& out) {
    enter("pins", &out);
    add("issue_valid", 1, out.issue_valid);
    add("issue_pc", 32, out.issue_pc, WaveFormat::kPc);
    mask("issue_mask", out.issue_mask);
    add("issue_sched", kSchedWidth, out.issue_sched, WaveFormat::kDecimal);
    add("hit", 2, out.hit, WaveFormat::kBinary);
    add("miss", 2, out.miss, WaveFormat::kBinary);
    add("alias", 2, out.alias, WaveFormat::kBinary);
    add("conflict", 2, out.conflict, WaveFormat::kBinary);
    add("fragmented", 2, out.fragmented, WaveFormat::kBinary);
    add("drain", 1, out.drain);
    add("warps", count_width_, out.warps, WaveFormat::kDecimal);
    add("max_warps", count_width_, out.max_warps, WaveFormat::kDecimal);
    add("distinct", 7, out.distinct, WaveFormat::kDecimal);
    add("update_ready", 1, out.update_ready);
    object_ = &in;
    add("issue_ready", 1, in.issue_ready);
    for (unsigned u = 0; u < 2; ++u) {
      const DwfGroup<kMaxDwfLanes>& group = in.update[u];
      const std::string name = fmt::format("update{}_", u);
      add(name + "valid", 1, group.valid);
      add(name + "pc", 32, group.pc, WaveFormat::kPc);
      mask(name + "req", group.req);
      add(name + "sched", kSchedWidth, group.sched, WaveFormat::kDecimal);
    }
    enter("pins_tids", &out);
    tids("issue", out.issue_tids);
    object_ = &in;
    for (unsigned u = 0; u < 2; ++u) tids(fmt::format("update{}_", u), in.update[u].tids);
  }

  void updates(const DwfCommonState& state) {
    for (unsigned u = 0; u < 2; ++u) {
      const DwfUpdateState& update = state.update[u];
      enter(fmt::format("update{}", u), &state);
      add("valid", 1, update.valid);
      add("pc", 32, update.pc, WaveFormat::kPc);
      mask("req", update.req);
      add("sched", kSchedWidth, update.sched, WaveFormat::kDecimal);
      enter(fmt::format("update{}_tids", u), &state);
      tids("tid", update.tids);
    }
  }

  void lut(const DwfState& state) {
    enter("lut", &state.common);
    for (unsigned u = 0; u < 2; ++u) {
      const DwfLookupState& lookup = state.common.lookup[u];
      add(fmt::format("hit{}", u), 1, lookup.hit);
      add(fmt::format("idx{}", u), index_width_, lookup.idx, WaveFormat::kDecimal);
      mask(fmt::format("occ{}", u), lookup.occ);
      add(fmt::format("alias{}", u), 1, lookup.alias);
    }
    for (unsigned s = 0; s < state.lut_order.size(); ++s) {
      enter(fmt::format("lut.set{:02}", s), nullptr);
      for (unsigned w = 0; w < ways_; ++w) {
        const unsigned entry = s * ways_ + w;
        const std::string name = fmt::format("way{}_", w);
        of(state.lut_valid).add(name + "valid", 1, state.lut_valid[entry]);
        of(state.lut_pc).add(name + "pc", 32, state.lut_pc[entry], WaveFormat::kPc);
        of(state.lut_occ).mask(name + "occ", state.lut_occ[entry]);
        of(state.lut_idx).add(name + "idx", index_width_, state.lut_idx[entry], WaveFormat::kDecimal);
      }
      of(state.lut_order).add("order", 6, state.lut_order[s], WaveFormat::kBinary);
    }
  }

  void allocator(const DwfCommonState& state) {
    enter("allocator", &state);
    add("offer0", index_width_, state.offer0, WaveFormat::kDecimal);
    add("offer1", index_width_, state.offer1, WaveFormat::kDecimal);
    add("free", count_width_, state.free, WaveFormat::kDecimal);
  }

  void issue(const DwfState& state) {
    enter("issue", &state.common);
    add("pick_valid", 1, state.common.pick_valid);
    add("pick_idx", index_width_, state.common.pick_idx, WaveFormat::kDecimal);
    add("pick_sched", kSchedWidth, state.common.pick_sched, WaveFormat::kDecimal);
    add("hold0", 1, state.common.hold0);
    add("hold1", 1, state.common.hold1);
    if (counts_pcs_) table(state);
    if (sorts_warps_) list(state);
  }

  void table(const DwfState& state) {
    const auto entries = static_cast<unsigned>(state.table_pc.size());
    enter("issue_table", &state.common);
    add("valid", entries, state.common.table_valid, WaveFormat::kBinary);
    add("waits", entries, state.common.table_waits, WaveFormat::kBinary);
    add("current", entries, state.common.table_current, WaveFormat::kBinary);
    add("left", entries, state.common.table_left, WaveFormat::kBinary);
    for (unsigned i = 0; i < entries; ++i) {
      of(state.table_count).add(fmt::format("count{:02}", i), count_width_, state.table_count[i], WaveFormat::kDecimal);
      of(state.table_pc).add(fmt::format("pc{:02}", i), 32, state.table_pc[i], WaveFormat::kPc);
      of(state.table_head).add(fmt::format("head{:02}", i), index_width_, state.table_head[i], WaveFormat::kDecimal);
      of(state.table_tail).add(fmt::format("tail{:02}", i), index_width_, state.table_tail[i], WaveFormat::kDecimal);
    }
    enter("issue_order", nullptr);
    for (unsigned i = 0; i < state.next.size(); ++i) {
      of(state.next).add(fmt::format("next{:04}", i), index_width_, state.next[i], WaveFormat::kDecimal);
    }
  }

  void list(const DwfState& state) {
    enter("issue_order", &state.common);
    add("waiting", count_width_, state.common.waiting, WaveFormat::kDecimal);
    for (unsigned i = 0; i < state.list_idx.size(); ++i) {
      of(state.list_idx).add(fmt::format("idx{:04}", i), index_width_, state.list_idx[i], WaveFormat::kDecimal);
      const std::string key = fmt::format("{}{:04}", by_pc_ ? "pc" : "sched", i);
      of(state.list_key)
          .add(key, by_pc_ ? 32 : kSchedWidth, state.list_key[i], by_pc_ ? WaveFormat::kPc : WaveFormat::kDecimal);
    }
  }

  void pool(const DwfState& state) {
    enter("pool", &state.common);
    add("read_pc", 32, state.common.read_pc, WaveFormat::kPc);
    mask("read_mask", state.common.read_mask);
    enter("pool_tids", &state.common);
    tids("read", state.common.read_tids);
  }

 private:
  // The probes that follow are in this scope, of variables inside `object`, or of no common one.
  void enter(const std::string& unit, const void* object) {
    place_ = scope_.empty() ? unit : scope_ + "." + unit;
    object_ = object;
  }
  // The probes that follow are of elements of this vector.
  template <class T>
  DwfProbeList& of(const std::vector<T>& vector) {
    object_ = vector.data();
    return *this;
  }
  template <class T>
  void add(const std::string& name, unsigned width, const T& variable, WaveFormat format = WaveFormat::kHex) {
    list_.push_back(wave_probe(place_, name, width, variable, format, object_));
  }
  void mask(const std::string& name, const std::uint64_t& variable) { add(name, lanes_, variable, mask_format_); }
  // Tracks of the lanes, in scopes of their own: a viewer shows them folded.
  template <class Array>
  void tids(const std::string& name, const Array& array) {
    for (unsigned l = 0; l < lanes_; ++l)
      add(fmt::format("{}{:02}", name, l), index_width_, array[l], WaveFormat::kDecimal);
  }

  const std::string scope_;
  const unsigned lanes_, ways_;
  const bool counts_pcs_, sorts_warps_, by_pc_;
  const unsigned index_width_, count_width_;
  const WaveFormat mask_format_;
  std::string place_;
  const void* object_ = nullptr;
  std::vector<WaveProbe>& list_;
};

}  // namespace

std::vector<WaveProbe> dwf_probes(const std::string& scope, const Config& config, const Wire<DwfInputs>& in,
                                  const Wire<DwfOutputs>& out, const DwfState& state) {
  std::vector<WaveProbe> list;
  DwfProbeList probes(scope, config, list);
  probes.pins(in.read(), out.read());
  probes.updates(state.common);
  probes.lut(state);
  probes.allocator(state.common);
  probes.issue(state);
  probes.pool(state);
  return list;
}

}  // namespace heddle
