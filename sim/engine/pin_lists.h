// SPDX-License-Identifier: Apache-2.0
// The pins of FrontendPins by name, for what is done with each of them: a module's port that it may have, and the two
// sides of a co-simulation.
#pragma once

#include "core/frontend_pins.h"

// Calls one(name) for each pin, group(name) for each that has several wires. Inputs, outputs of the last edge, and the
// outputs that follow an input within the cycle; they are compared by nobody.
#define HEDDLE_FRONTEND_INPUTS(one, group)                                                                           \
  one(launch_valid) one(launch_warp) one(launch_pc) one(launch_mask) one(kill_valid) one(kill_warp) one(fetch_ready) \
      one(decode_valid) one(decode_warp) one(decode_slot) one(decode_tag) one(decode_count) one(decode_instr0)       \
          one(decode_instr1) one(resolve_valid) one(resolve_warp) one(resolve_slot) one(resolve_taken)               \
              one(resolve_target) one(resolve_next) one(resolve_rpc) one(resolve_exit) one(resolve_call)             \
                  one(resolve_return) one(resolve_kind) one(resolve_operand) one(resolve_skip) one(wb_valid)         \
                      group(wb_warp) group(wb_slot) group(wb_reg) group(wb_mask) one(miss_valid) one(miss_warp)      \
                          one(miss_slot) one(split_valid) one(split_warp) one(split_slot) one(split_mask)            \
                              one(save_ready) one(load_ready) one(fill_valid) one(fill_warp) group(fill_pc)          \
                                  group(fill_mask) one(unit_ready) one(hold) one(release) one(issue_ready)
#define HEDDLE_FRONTEND_OUTPUTS(one, group)                                                                          \
  one(fetch_valid) one(fetch_warp) one(fetch_slot) one(fetch_pc) one(fetch_tag) one(resolve_ready) one(answer_valid) \
      one(answer_warp) one(answer_value) one(event_valid) one(event_warp) one(event_code) one(issue_valid)           \
          one(issue_warp) one(issue_slot) one(issue_pc) one(issue_mask) one(issue_instr) one(issue_sibling)          \
              one(issue_predicated) one(done_valid) one(done_warp) one(idle) one(overflow_valid) one(overflow_warp)  \
                  one(stall) one(max_depth) one(max_splits) one(splits) one(merges) one(refused) one(forwards)       \
                      one(own_count) one(save_valid) one(save_warp) one(save_row) group(save_pc) group(save_mask)    \
                          one(load_valid) one(load_warp) one(load_row)
#define HEDDLE_FRONTEND_COMBINATIONAL(one) one(split_ready)

namespace heddle {

// f(module) if the module has what it names, as f's return type says.
template <class Module, class F>
auto if_it_has(Module& module, F f, int) -> decltype(f(module), void()) {
  f(module);
}
template <class Module, class F>
void if_it_has(Module&, F, long) {}

}  // namespace heddle

// The statement, in which `of` is the module, if the module has the port.
#define HEDDLE_IF_PORT(module, port, statement) \
  ::heddle::if_it_has(                          \
      module, [&](auto& of) -> decltype(static_cast<void>(of.port)) { statement; }, 0)
