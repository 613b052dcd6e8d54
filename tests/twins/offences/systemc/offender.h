// SPDX-License-Identifier: Apache-2.0
// Every mistake that scripts/hardware/lint_twins must find, one each. A line that holds an S rule, T6 or T7 names it at
// its end; the rules about processes are named beside the class.
#pragma once

#include <cstdint>
#include <systemc>

#define HEDDLE_CLOCKED_PROCESS()    \
  SC_CTHREAD(clocked, clk_i.pos()); \
  async_reset_signal_is(rst_ni, false)

namespace heddle {

struct Fields {
  std::uint32_t fine = 0;
  std::uint32_t forgotten;   // finds T6
  std::uint32_t narrow : 3;  // finds S9_bitfield
};

inline std::uint32_t early(std::uint32_t a) {
  if (a == 0) return 1;  // finds S14_early_return
  return a;
}

inline std::uint32_t first(std::uint32_t a) {
  for (unsigned i = 0; i < 8; ++i) {
    if (a == i) {  // finds S14_early_return
      return i;    // finds S13_return_in_loop
    }
  }
  return 8;
}

inline std::uint32_t bounded_by_data(std::uint32_t a) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < a; ++i) sum += i;  // finds S23_variable_loop_bound
  return sum;
}

inline std::uint32_t loops_for_long(std::uint32_t a) {
  while (a > 100) a >>= 1;  // finds S22_while_without_wait
  return a;
}

inline std::uint32_t remembers(std::uint32_t a) {
  static std::uint32_t calls = 0;                            // finds S10_static_local
  float scaled = 0;                                          // finds S12_float
  const auto twice = [](std::uint32_t x) { return 2 * x; };  // finds S3_lambda
  const std::uint32_t table[3] = {1, 2, 3};
  for (std::uint32_t entry : table) calls += entry;  // finds S4_rangefor
  if (std::uint32_t b = a; b != 0) calls += b;       // finds S6_ifinit
  const std::uint64_t wide = std::uint64_t{a};       // finds T10
  return twice(a) + calls + static_cast<std::uint32_t>(scaled) + static_cast<std::uint32_t>(wide);
}

struct Pair {
  Fields first = Fields();
  Fields second = Fields();
};

inline Pair paired(std::uint32_t a) {  // finds S24_returns_record_of_records
  Pair pair;                           // finds S24_local_record_of_records
  pair.first.fine = a;
  return pair;
}

inline const Fields& chosen(const Fields& a, const Fields& b) { return a.fine > b.fine ? a : b; }

inline std::uint32_t place_of(const std::uint32_t (&table)[4], std::uint32_t a) {
  constexpr std::uint32_t Entries = 4;
  std::uint32_t place = Entries;  // finds T9
  for (unsigned i = 0; i < 4; ++i) {
    if (table[i] == a) place = i;
  }
  return place;
}

inline void talks() {
  std::cout << "state";  // finds T7
}

// finds T1: watch() uses count_ of the clocked process. finds T2: watch() reads enable_i unannounced. finds T3: watch()
// and the clocked process drive shared_o. finds T4: reset() forgets late_o. finds T5: watch() sometimes leaves held_o
// alone. finds T8: reset() shows the old count_. finds T11: tie() has a loop and waits for nothing.
class offender : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> SC_NAMED(clk_i);
  sc_core::sc_in<bool> SC_NAMED(rst_ni);
  sc_core::sc_in<bool> SC_NAMED(enable_i);
  sc_core::sc_in<bool> SC_NAMED(data_i);
  sc_core::sc_out<std::uint32_t> SC_NAMED(shared_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(late_o);
  sc_core::sc_out<std::uint32_t> SC_NAMED(held_o);
  sc_core::sc_vector<sc_core::sc_out<bool>> SC_NAMED(tied_o, 4);

  SC_HAS_PROCESS(offender);
  explicit offender(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    HEDDLE_CLOCKED_PROCESS();
    SC_METHOD(watch);
    sensitive << data_i;
    SC_METHOD(tie);
  }

 private:
  void reset() {
    shared_o.write(count_);
    count_ = 0;
  }

  void step() {
    count_ = count_ + early(first(bounded_by_data(loops_for_long(remembers(fields_.fine)))));
    count_ += chosen(fields_, Fields()).fine + paired(count_).first.fine;  // finds S25_call_returns_reference
    late_o.write(count_);
    shared_o.write(count_);
  }

  void watch() {
    if (enable_i.read() && data_i.read()) {
      held_o.write(count_);
      shared_o.write(1);
    }
  }

  void tie() {
    for (unsigned i = 0; i < 4; ++i) tied_o[i].write(false);
  }

  void clocked() {
    reset();
    wait();
    while (true) {
      step();
      wait();
    }
  }

  Fields fields_ = Fields();
  std::uint32_t count_ = 0;
};

}  // namespace heddle
