// SPDX-License-Identifier: Apache-2.0
// Interface only, for the test of scripts/hardware/check_ports.
template <unsigned Width>
class DerivedPorts : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(d_i);

  explicit DerivedPorts(sc_core::sc_module_name name);
};

template <unsigned Width>
using DerivedForm = Form<derived<Width>, DerivedPorts<Width>>;

template <unsigned Width = 4>
class derived : public DerivedForm<Width> {
 public:
  sc_core::sc_out<bool> SC_NAMED(valid_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(q_o);

  explicit derived(sc_core::sc_module_name name);
};
