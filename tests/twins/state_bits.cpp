// SPDX-License-Identifier: Apache-2.0
// Prints state_bits() of every twin at small parameters, a line each: key, parameters, bits.
#include <cstdio>

#include "core/dpe_frontend.h"
#include "core/spe_frontend.h"
#include "dwf/dwf_scheduler.h"

int sc_main(int, char**) {
  using namespace heddle;
  std::printf("common/rr_arbiter NumReq=5 %u\n", rr_arbiter<5>::state_bits());
  std::printf("stack/spe_stack NumWarps=3 Lanes=8 Depth=5 %u\n", spe_stack<3, 8, 5>::state_bits());
  std::printf("stack/dpe_stack NumWarps=3 Lanes=8 Depth=4 %u\n", dpe_stack<3, 8, 4>::state_bits());
  std::printf("scoreboard/spe_scoreboard NumWarps=3 NumEntries=5 %u\n", spe_scoreboard<3, 5>::state_bits());
  std::printf("scoreboard/dpe_scoreboard NumWarps=2 NumEntries=3 %u\n", dpe_scoreboard<2, 3>::state_bits());
  std::printf("scoreboard/optimistic_scoreboard NumWarps=2 Lanes=4 NumEntries=3 %u\n",
              optimistic_scoreboard<2, 4, 3>::state_bits());
  std::printf("select/warp_selector NumWarps=5 NumSlots=2 Policy=0 %u\n", warp_selector<5, 2, 0>::state_bits());
  std::printf("select/warp_selector NumWarps=5 NumSlots=1 Policy=1 %u\n", warp_selector<5, 1, 1>::state_bits());
  std::printf("select/constrained_selector NumWarps=3 Policy=1 %u\n", constrained_selector<3, 1>::state_bits());
  std::printf("core/ibuffer NumWarps=3 NumSlots=2 Depth=3 %u\n", ibuffer<3, 2, 3>::state_bits());
  std::printf("core/spe_frontend NumWarps=2 Lanes=4 StackDepth=3 SbEntries=2 IbufDepth=2 PushOrder=0 Policy=1 %u\n",
              spe_frontend<2, 4, 3, 2, 2, 0, 1>::state_bits());
  std::printf("core/dpe_frontend NumWarps=2 Lanes=4 StackDepth=3 SbEntries=2 IbufDepth=2 Scoreboard=0 Selector=0 %u\n",
              dpe_frontend<2, 4, 3, 2, 2, 1, 0, 0>::state_bits());
  std::printf("core/dpe_frontend NumWarps=2 Lanes=4 StackDepth=3 SbEntries=2 IbufDepth=2 Scoreboard=1 Selector=1 %u\n",
              dpe_frontend<2, 4, 3, 2, 2, 1, 1, 1>::state_bits());
  std::printf("dwf/warp_update_register Lanes=4 Threads=16 SchedW=3 %u\n", warp_update_register<4, 16, 3>::state_bits());
  std::printf("dwf/warp_allocator Threads=12 %u\n", warp_allocator<12>::state_bits());
  std::printf("dwf/pc_warp_lut Lanes=4 Threads=8 LutEntries=4 LutWays=2 LaneAware=1 %u\n",
              pc_warp_lut<4, 8, 4, 2, 1>::state_bits());
  std::printf("dwf/pc_warp_lut Lanes=4 Threads=8 LutEntries=8 LutWays=4 LaneAware=0 %u\n",
              pc_warp_lut<4, 8, 8, 4, 0>::state_bits());
  std::printf("dwf/pc_warp_lut Lanes=4 Threads=8 LutEntries=4 LutWays=1 LaneAware=1 %u\n",
              pc_warp_lut<4, 8, 4, 1, 1>::state_bits());
  std::printf("dwf/warp_pool Lanes=4 Threads=6 SchedW=3 %u\n", warp_pool<4, 6, 3>::state_bits());
  std::printf("dwf/issue_logic Threads=8 Lanes=4 SchedW=3 TableEntries=4 Heuristic=0 %u\n",
              issue_logic<8, 4, 3, 4, 0>::state_bits());
  std::printf("dwf/issue_logic Threads=8 Lanes=4 SchedW=3 TableEntries=4 Heuristic=2 %u\n",
              issue_logic<8, 4, 3, 4, 2>::state_bits());
  std::printf("dwf/issue_logic Threads=8 Lanes=4 SchedW=3 TableEntries=4 Heuristic=4 %u\n",
              issue_logic<8, 4, 3, 4, 4>::state_bits());
  std::printf("dwf/dwf_scheduler Lanes=4 Threads=8 LutEntries=4 LutWays=2 TableEntries=4 SchedW=3 Heuristic=1 LaneAware=1 %u\n",
              dwf_scheduler<4, 8, 4, 2, 4, 3, 1, 1>::state_bits());
  std::printf("dwf/dwf_scheduler Lanes=4 Threads=20 LutEntries=8 LutWays=4 TableEntries=3 SchedW=8 Heuristic=2 LaneAware=0 %u\n",
              dwf_scheduler<4, 20, 8, 4, 3, 8, 2, 0>::state_bits());
  std::printf("dwf/dwf_scheduler Lanes=8 Threads=16 LutEntries=4 LutWays=1 TableEntries=5 SchedW=8 Heuristic=0 LaneAware=1 %u\n",
              dwf_scheduler<8, 16, 4, 1, 5, 8, 0, 1>::state_bits());
  // The size of the paper's Table 1.
  std::printf("dwf/dwf_scheduler Lanes=16 Threads=256 LutEntries=32 LutWays=2 TableEntries=32 SchedW=8 Heuristic=0 LaneAware=1 %u\n",
              dwf_scheduler<16, 256, 32, 2, 32, 8, 0, 1>::state_bits());
  return 0;
}
