// SPDX-License-Identifier: Apache-2.0
// The wires between one dwf_scheduler (twin or Verilated RTL) and the barrel core: one bundle a direction, so that a
// clocked process on either side reads one signal and writes one. Pins as in docs/dwf.md, without _i/_o.
//
// Both sides write at the rising edge and read there what stood in the cycle that ends: the scheduler takes the groups
// in `in` if `out.update_ready` stood beside them. update_ready depends on registered state alone, so it is written
// with the registered outputs. Data beside a valid that is 0, and tids of lanes that are not in req, are not looked at.
#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <systemc>

#include "core/frontend_pins.h"
#include "dwf/dwf_scheduler.h"

namespace heddle {

constexpr unsigned kMaxDwfLanes = 32;
constexpr unsigned kMaxDwfThreads = 1024;

using DwfInputs = DwfInput<kMaxDwfLanes>;    // update[0], update[1], issue_ready
using DwfOutputs = DwfOutput<kMaxDwfLanes>;  // update_ready, issue_*, events, status

template <template <class> class WireOf>
struct DwfWires {
  WireOf<DwfInputs> in;    // to the scheduler
  WireOf<DwfOutputs> out;  // from the scheduler
};
using DwfPins = DwfWires<Wire>;
using DirectDwfPins = DwfWires<DirectWire>;

// What a signal needs of its type.
template <unsigned Lanes>
[[nodiscard]] inline bool operator==(const DwfGroup<Lanes>& a, const DwfGroup<Lanes>& b) {
  return a.valid == b.valid && a.pc == b.pc && a.req == b.req && a.sched == b.sched &&
         std::equal(a.tids, a.tids + Lanes, b.tids);
}
template <unsigned Lanes>
[[nodiscard]] inline bool operator==(const DwfInput<Lanes>& a, const DwfInput<Lanes>& b) {
  return a.issue_ready == b.issue_ready && a.update[0] == b.update[0] && a.update[1] == b.update[1];
}
template <unsigned Lanes>
[[nodiscard]] inline bool operator==(const DwfOutput<Lanes>& a, const DwfOutput<Lanes>& b) {
  return a.update_ready == b.update_ready && a.issue_valid == b.issue_valid && a.drain == b.drain &&
         a.issue_pc == b.issue_pc && a.issue_mask == b.issue_mask && a.issue_sched == b.issue_sched && a.hit == b.hit &&
         a.miss == b.miss && a.alias == b.alias && a.conflict == b.conflict && a.fragmented == b.fragmented &&
         a.warps == b.warps && a.max_warps == b.max_warps && a.distinct == b.distinct &&
         std::equal(a.issue_tids, a.issue_tids + Lanes, b.issue_tids);
}
template <unsigned Lanes>
std::ostream& operator<<(std::ostream& out, const DwfInput<Lanes>& in) {
  out << "issue_ready " << in.issue_ready;
  for (unsigned u = 0; u < 2; ++u) {
    if (in.update[u].valid)
      out << ", update" << u << " pc 0x" << std::hex << in.update[u].pc << " req 0x" << in.update[u].req << std::dec;
  }
  return out;
}
template <unsigned Lanes>
std::ostream& operator<<(std::ostream& out, const DwfOutput<Lanes>& o) {
  out << "update_ready " << o.update_ready << ", warps " << o.warps;
  if (o.issue_valid) out << ", issue pc 0x" << std::hex << o.issue_pc << " mask 0x" << o.issue_mask << std::dec;
  return out;
}
template <unsigned Lanes>
void sc_trace(sc_core::sc_trace_file* file, const DwfInput<Lanes>& in, const std::string& name) {
  sc_core::sc_trace(file, in.issue_ready, name + ".issue_ready");
  for (unsigned u = 0; u < 2; ++u) {
    const std::string update = name + ".update" + std::to_string(u);
    sc_core::sc_trace(file, in.update[u].valid, update + "_valid");
    sc_core::sc_trace(file, in.update[u].pc, update + "_pc");
    sc_core::sc_trace(file, in.update[u].req, update + "_req");
  }
}
template <unsigned Lanes>
void sc_trace(sc_core::sc_trace_file* file, const DwfOutput<Lanes>& out, const std::string& name) {
  sc_core::sc_trace(file, out.update_ready, name + ".update_ready");
  sc_core::sc_trace(file, out.issue_valid, name + ".issue_valid");
  sc_core::sc_trace(file, out.issue_pc, name + ".issue_pc");
  sc_core::sc_trace(file, out.issue_mask, name + ".issue_mask");
}

}  // namespace heddle
