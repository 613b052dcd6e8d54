// SPDX-License-Identifier: Apache-2.0
// Runs the twin of dwf_scheduler with threads that go round, and prints a digest of its outputs in every cycle. Built
// twice, as the simulator uses the twins and as a synthesis compiler reads them (HEDDLE_SYNTHESIS): the two must print
// the same.
#include <cinttypes>
#include <cstdio>
#include <deque>
#include <string>

#include "dwf/dwf_scheduler.h"
#include "tests/common/random.h"

namespace {

using heddle::test::Random;

constexpr unsigned kLanes = 4, kThreads = 24, kTableEntries = 4, kSchedW = 3;

template <class T>
using Signal = sc_core::sc_signal<T>;
using Tid = Signal<heddle::Number<heddle::index_width(kThreads)>>;
using Sched = Signal<heddle::Number<kSchedW>>;
using Event = Signal<heddle::Number<2>>;
using Count = Signal<heddle::Number<heddle::index_width(kThreads + 1)>>;

struct Group {
  std::uint32_t pc = 0;
  std::uint64_t req = 0;
  std::uint32_t tids[kLanes] = {};
};

template <unsigned Heuristic, unsigned LaneAware, unsigned TableSort = 0>
void run() {
  heddle::dwf_scheduler<kLanes, kThreads, 4, 2, kTableEntries, kSchedW, Heuristic, LaneAware, TableSort> dwf("dwf");
  Signal<bool> clk, rst("rst", true), valid[2], update_ready, issue_ready, issue_valid, drain;
  Signal<heddle::Number<32>> pc[2], issue_pc;
  Sched sched[2], issue_sched;
  Event hit, miss, alias, conflict, fragmented;
  Count warps, max_warps;
  Signal<heddle::Number<heddle::index_width(kTableEntries + 1)>> distinct;
  Signal<heddle::Mask<kLanes>> req[2], issue_mask;
  sc_core::sc_vector<Tid> tids0("tids0", kLanes), tids1("tids1", kLanes), issue_tids("issue_tids", kLanes);
  dwf.clk_i(clk);
  dwf.rst_ni(rst);
  dwf.update0_valid_i(valid[0]);
  dwf.update0_pc_i(pc[0]);
  dwf.update0_req_i(req[0]);
  dwf.update0_tids_i(tids0);
  dwf.update0_sched_i(sched[0]);
  dwf.update1_valid_i(valid[1]);
  dwf.update1_pc_i(pc[1]);
  dwf.update1_req_i(req[1]);
  dwf.update1_tids_i(tids1);
  dwf.update1_sched_i(sched[1]);
  dwf.update_ready_o(update_ready);
  dwf.issue_ready_i(issue_ready);
  dwf.issue_valid_o(issue_valid);
  dwf.issue_pc_o(issue_pc);
  dwf.issue_mask_o(issue_mask);
  dwf.issue_tids_o(issue_tids);
  dwf.issue_sched_o(issue_sched);
  dwf.hit_o(hit);
  dwf.miss_o(miss);
  dwf.alias_o(alias);
  dwf.conflict_o(conflict);
  dwf.fragmented_o(fragmented);
  dwf.drain_o(drain);
  dwf.warps_o(warps);
  dwf.max_warps_o(max_warps);
  dwf.distinct_o(distinct);

  const auto cycle = [&] {
    for (const bool level : {false, true}) {
      clk.write(level);
      sc_core::sc_start(1, sc_core::SC_NS);
    }
  };
  cycle();
  rst.write(false);
  cycle();
  rst.write(true);

  Random random(11);
  std::deque<Group> waiting;
  for (std::uint32_t tid = 0; tid < kThreads; ++tid) {
    Group group{0x100, std::uint64_t{1} << (tid % kLanes), {}};
    group.tids[tid % kLanes] = tid;
    waiting.push_back(group);
  }
  std::uint64_t digest = 14695981039346656037ull;
  const auto add = [&](std::uint64_t value) { digest = (digest ^ value) * 1099511628211ull; };
  unsigned issued = 0, ended = 0;
  for (unsigned now = 0; now < 8000; ++now) {
    if (update_ready.read()) {
      std::uint32_t first_pc = 0;
      for (unsigned u = 0; u < 2; ++u) {
        const bool any = !waiting.empty() && random.chance(70) && waiting.front().pc != first_pc;
        valid[u].write(any);
        if (!any) continue;
        const Group group = waiting.front();
        waiting.pop_front();
        first_pc = group.pc;
        pc[u].write(group.pc);
        req[u].write(group.req);
        sched[u].write(random.below(8));
        for (unsigned l = 0; l < kLanes; ++l) (u == 0 ? tids0 : tids1)[l].write(group.tids[l]);
      }
    }
    issue_ready.write(random.chance(80));
    cycle();
    const auto add_pins = [&](const auto&... pins) { (add(pins.read()), ...); };
    add_pins(issue_pc, issue_sched, hit, miss, alias, conflict, fragmented, warps, max_warps, distinct, update_ready,
             issue_valid, drain, issue_mask);
    for (unsigned l = 0; l < kLanes; ++l) add(issue_tids[l].read());
    if (!issue_valid.read()) continue;
    ++issued;
    const std::uint64_t mask = issue_mask.read(), taken = mask & random.next();
    for (const std::uint64_t side : {taken, mask & ~taken}) {
      if (side == 0) continue;
      Group group{0x100 + 4 * random.below(6), side, {}};
      if (group.pc == 0x100) ++ended;  // the kernel begins again
      for (unsigned l = 0; l < kLanes; ++l) group.tids[l] = issue_tids[l].read();
      waiting.push_back(group);
    }
  }
  std::printf("digest %016" PRIx64 " issued %u ended %u warps %u\n", digest, issued, ended,
              static_cast<unsigned>(max_warps.read()));
}

}  // namespace

int sc_main(int argc, char** argv) {
  const std::string which = argc > 1 ? argv[1] : "";
  int status = 0;
  if (which == "majority") {
    run<0, 1>();
  } else if (which == "time_unaware") {
    run<2, 0>();
  } else if (which == "minority_exact") {
    run<1, 1, 1>();
  } else if (which == "pdom") {
    run<3, 1>();
  } else if (which == "pc") {
    run<4, 0>();
  } else {
    std::fprintf(stderr, "usage: %s majority|time_unaware|minority_exact|pdom|pc\n", argv[0]);
    status = 2;
  }
  return status;
}
