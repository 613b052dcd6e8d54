// SPDX-License-Identifier: Apache-2.0
// resolve_sides: where the two sides of a branch meet, and whether a side is there already. Contract and pins:
// rtl/stack/resolve_sides.sv; the rules are those of resolution.h, which the twins of the stacks call themselves.
#pragma once

#include "common/types.h"
#include "stack/resolution.h"

namespace heddle {

template <unsigned LevelW = 8>
class resolve_sides : public sc_core::sc_module {
  static_assert(LevelW >= 2 && LevelW <= 16, "resolve_sides: LevelW is 2 to 16");

 public:
  sc_core::sc_in<Number<32>> SC_NAMED(target_i);
  sc_core::sc_in<Number<32>> SC_NAMED(next_i);
  sc_core::sc_in<Number<32>> SC_NAMED(rpc_i);
  sc_core::sc_in<bool> SC_NAMED(call_i);
  sc_core::sc_in<bool> SC_NAMED(return_i);
  sc_core::sc_in<Number<LevelW>> SC_NAMED(level_i);
  sc_core::sc_in<Number<32>> SC_NAMED(own_rpc_i);
  sc_core::sc_in<Number<LevelW>> SC_NAMED(own_level_i);
  sc_core::sc_out<bool> SC_NAMED(tail_o);
  sc_core::sc_out<Number<32>> SC_NAMED(meet_rpc_o);
  sc_core::sc_out<Number<LevelW>> SC_NAMED(meet_level_o);
  sc_core::sc_out<Number<LevelW>> SC_NAMED(target_level_o);
  sc_core::sc_out<bool> SC_NAMED(target_arrives_o);
  sc_core::sc_out<bool> SC_NAMED(next_arrives_o);
  sc_core::sc_out<bool> SC_NAMED(target_at_own_o);
  sc_core::sc_out<bool> SC_NAMED(next_at_own_o);

  SC_HAS_PROCESS(resolve_sides);
  explicit resolve_sides(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    SC_METHOD(sides);
    sensitive << target_i << next_i << rpc_i << call_i << return_i << level_i << own_rpc_i << own_level_i;
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return 0; }

 private:
  void sides() {
    const std::uint32_t target = target_i.read();
    const std::uint32_t next = next_i.read();
    const std::uint32_t level = level_i.read();
    const std::uint32_t own_rpc = own_rpc_i.read();
    const std::uint32_t own_level = own_level_i.read();
    ResolveInput in;
    in.call = call_i.read();
    in.ret = return_i.read();
    const std::uint32_t to_level = target_level(level, in, level_mask(LevelW));
    MeetingPlace meet;
    find_meeting_place(rpc_i.read(), level, own_rpc, own_level, level_mask(LevelW), meet);
    const bool target_arrives = arrived(target, to_level, meet.rpc, meet.level);
    tail_o.write(same_place(meet.rpc, meet.level, own_rpc, own_level));
    meet_rpc_o.write(target_arrives ? learnt(meet.rpc, target) : meet.rpc);
    meet_level_o.write(meet.level);
    target_level_o.write(to_level);
    target_arrives_o.write(target_arrives);
    next_arrives_o.write(arrived(next, level, meet.rpc, meet.level));
    target_at_own_o.write(arrived(target, to_level, own_rpc, own_level));
    next_at_own_o.write(arrived(next, level, own_rpc, own_level));
  }
};

}  // namespace heddle
