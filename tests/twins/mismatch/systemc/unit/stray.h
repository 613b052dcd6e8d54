// SPDX-License-Identifier: Apache-2.0
// Interface only, for the test of scripts/hardware/check_ports.
template <unsigned Width = 4>
class stray : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<std::uint32_t> SC_NAMED(d_i);
  sc_core::sc_out<std::uint32_t> SC_NAMED(q_o);

  SC_HAS_PROCESS(stray);
  explicit stray(sc_core::sc_module_name name);
};
