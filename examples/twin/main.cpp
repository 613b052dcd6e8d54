// SPDX-License-Identifier: Apache-2.0
// A twin in a SystemC model of one's own: the single-path stack of two warps of four threads, driven by a thread that
// plays the core. Warp 0 runs an if/else: a branch at 0x104 sends threads 0 and 1 to 0x200, the others go on at 0x108,
// and both meet at 0x300.
#include <cstdio>
#include <systemc>

#include "common/open_pins.h"
#include "stack/spe_stack.h"

namespace {

constexpr unsigned kWarps = 2, kLanes = 4, kDepth = 4;
using Stack = heddle::spe_stack<kWarps, kLanes, kDepth>;

SC_MODULE(Model) {
  sc_core::sc_clock clk{"clk", 10, sc_core::SC_NS};
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  Stack stack{"stack"};

  // A signal for each pin that is used: a bit is a bool, a set of threads or warps a heddle::Mask<N>, a number a
  // heddle::Number<N>. The others are left open.
  sc_core::sc_signal<bool> launch_valid, resolve_valid, push_valid, pop_valid, done_valid;
  sc_core::sc_signal<heddle::Number<32>> launch_pc, resolve_target, resolve_next, resolve_rpc;
  sc_core::sc_signal<heddle::Mask<kLanes>> launch_mask, resolve_taken, resolve_exit;
  sc_core::sc_signal<heddle::Mask<kWarps>> advance, valid;
  sc_core::sc_vector<sc_core::sc_signal<heddle::Number<32>>> pc{"pc", kWarps};
  sc_core::sc_vector<sc_core::sc_signal<heddle::Mask<kLanes>>> mask{"mask", kWarps};
  sc_core::sc_vector<sc_core::sc_signal<heddle::Number<3>>> depth{"depth", kWarps};
  heddle::OpenPins open;

  SC_CTOR(Model) {
    stack.clk_i(clk);
    stack.rst_ni(rst_n);
    stack.launch_valid_i(launch_valid);
    stack.launch_pc_i(launch_pc);
    stack.launch_mask_i(launch_mask);
    stack.advance_i(advance);
    stack.resolve_valid_i(resolve_valid);
    stack.resolve_taken_i(resolve_taken);
    stack.resolve_target_i(resolve_target);
    stack.resolve_next_i(resolve_next);
    stack.resolve_rpc_i(resolve_rpc);
    stack.resolve_exit_i(resolve_exit);
    stack.pc_o(pc);
    stack.mask_o(mask);
    stack.valid_o(valid);
    stack.depth_o(depth);
    stack.push_valid_o(push_valid);
    stack.pop_valid_o(pop_valid);
    stack.done_valid_o(done_valid);
    open(stack.launch_warp_i, stack.kill_valid_i, stack.kill_warp_i, stack.resolve_warp_i, stack.resolve_slot_i,
         stack.resolve_call_i, stack.resolve_return_i, stack.level_o, stack.sibling_o, stack.rpc_o, stack.rpc_level_o,
         stack.live_o, stack.resolved_valid_o, stack.resolved_warp_o, stack.resolved_slot_o, stack.resolved_next_o,
         stack.push_warp_o, stack.pop_warp_o, stack.done_warp_o, stack.overflow_valid_o, stack.overflow_warp_o,
         stack.max_depth_o);
    SC_THREAD(core);
  }

  // What stands after the next edge.
  void cycle(const char* what) {
    wait(clk.posedge_event());
    wait(1, sc_core::SC_NS);
    std::printf("%-34s", what);
    if (!heddle::has_bit(valid.read(), 0)) std::printf(" no path may issue");
    else std::printf(" pc %03x mask %x depth %u", pc[0].read(), static_cast<unsigned>(mask[0].read()), depth[0].read());
    std::printf("%s%s%s\n", push_valid.read() ? "  push" : "", pop_valid.read() ? "  pop" : "",
                done_valid.read() ? "  done" : "");
    for (auto* valid_pin : {&launch_valid, &resolve_valid}) valid_pin->write(false);
    advance.write(0);
    resolve_exit.write(0);
  }

  void resolve(std::uint64_t taken, unsigned target, unsigned next, unsigned meet) {
    resolve_valid.write(true);
    resolve_taken.write(taken);
    resolve_target.write(target);
    resolve_next.write(next);
    resolve_rpc.write(meet);
  }

  // Stacks of warps without a path are popped, one a cycle.
  void until_a_path() {
    do cycle("");
    while (!heddle::has_bit(valid.read(), 0) && depth[0].read() != 0);
  }

  void core() {
    wait(15, sc_core::SC_NS);
    rst_n.write(true);
    launch_valid.write(true);
    launch_pc.write(0x100);
    launch_mask.write(0xf);
    cycle("launch at 100");
    advance.write(1);
    cycle("100 issues");
    resolve(0x3, 0x200, 0x108, 0x300);
    cycle("the branch at 104 is resolved");
    cycle("");
    resolve(0x3, 0x300, 0x204, 0);
    cycle("threads 0, 1 jump from 200 to 300");
    until_a_path();
    resolve(0xc, 0x300, 0x10c, 0);
    cycle("threads 2, 3 jump from 108 to 300");
    until_a_path();
    sc_assert(pc[0].read() == 0x300 && mask[0].read() == 0xf && depth[0].read() == 1);
    resolve_valid.write(true);
    resolve_taken.write(0);
    resolve_exit.write(0xf);
    cycle("all threads end");
    until_a_path();
    std::printf("twin: passed\n");
    sc_core::sc_stop();
  }
};

}  // namespace

int sc_main(int, char**) {
  Model model("model");
  sc_core::sc_start();
  return 0;
}
