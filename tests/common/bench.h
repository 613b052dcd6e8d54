// SPDX-License-Identifier: Apache-2.0
// The bench of a module test: drives the Verilated RTL and the SystemC twin with the same inputs and compares every
// output of both with what the oracle expects, in every cycle.
//
// A cycle: the test sets inputs and writes the oracle's opinion of every output; cycle() lets both designs settle,
// compares, and gives the clock edge. The first disagreement throws Mismatch with cycle, seed, pin and three values.
#pragma once

#include <verilated.h>
#if VM_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <systemc>
#include <type_traits>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

// The three opinions differ.
class Mismatch : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The RTL says that its caller made a mistake.
class RtlAssertion : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

namespace pins {

// Bits [low +: width] of a Verilated port; width 1..64.
template <class Port>
std::uint64_t read_bits(const Port& port, unsigned low, unsigned width) {
  if constexpr (std::is_integral_v<Port>) {
    return (static_cast<std::uint64_t>(port) >> low) & lane_mask(width);
  } else {
    std::uint64_t value = 0;
    for (unsigned bit = 0; bit < width; ++bit) {
      const unsigned at = low + bit;
      value |= static_cast<std::uint64_t>((port.at(at / 32) >> (at % 32)) & 1u) << bit;
    }
    return value;
  }
}

template <class Port>
void write_bits(Port& port, unsigned low, unsigned width, std::uint64_t value) {
  if constexpr (std::is_integral_v<Port>) {
    const std::uint64_t mask = lane_mask(width) << low;
    port = static_cast<Port>((static_cast<std::uint64_t>(port) & ~mask) | ((value << low) & mask));
  } else {
    for (unsigned bit = 0; bit < width; ++bit) {
      const unsigned at = low + bit;
      const std::uint32_t one = std::uint32_t{1} << (at % 32);
      if (((value >> bit) & 1) != 0) {
        port.at(at / 32) |= one;
      } else {
        port.at(at / 32) &= ~one;
      }
    }
  }
}

template <class Port>
struct IsVector : std::false_type {};
template <class Port>
struct IsVector<sc_core::sc_vector<Port>> : std::true_type {};

// Makes a signal for a twin port, binds it, keeps it alive in the returned pointer.
template <class Port>
auto bind(Port& port) {
  using Value = typename Port::data_type;
  auto signal = std::make_shared<sc_core::sc_signal<Value>>(sc_core::sc_gen_unique_name("pin"));
  port(*signal);
  return signal;
}

}  // namespace pins

// One input of the module: `count` elements of `width` bits.
class Input {
 public:
  Input& operator=(std::uint64_t value) {
    set(0, value);
    return *this;
  }
  void set(unsigned element, std::uint64_t value) { values_.at(element) = value & lane_mask(width_); }
  [[nodiscard]] std::uint64_t get(unsigned element = 0) const { return values_.at(element); }

 private:
  template <class, class>
  friend class Bench;
  unsigned width_ = 1;
  std::vector<std::uint64_t> values_;
  std::function<void(const std::vector<std::uint64_t>&)> drive_;
};

// One output of the module, with the oracle's opinion of it.
class Output {
 public:
  void expect(std::uint64_t value) { expect(0, value); }
  void expect(unsigned element, std::uint64_t value) { expected_.at(element) = value & lane_mask(width_); }
  // Data that nobody has written: the contract does not say what is there.
  void ignore(unsigned element) { ignored_.at(element) = true; }
  // The value on the RTL's pins when last compared.
  [[nodiscard]] std::uint64_t get(unsigned element = 0) const { return rtl_.at(element); }

 private:
  template <class, class>
  friend class Bench;
  std::string name_;
  unsigned width_ = 1;
  std::vector<std::optional<std::uint64_t>> expected_;
  std::vector<bool> ignored_;
  std::vector<std::uint64_t> rtl_, twin_;
  std::function<void(std::vector<std::uint64_t>&)> sample_rtl_, sample_twin_;
};

// Counts the situations a random test met, so that it can claim to have met them.
class Coverage {
 public:
  void hit(const std::string& situation, bool happened = true) { counts_[situation] += happened ? 1 : 0; }
  // The situations seen less than `least` times, one word each; empty if all were met.
  [[nodiscard]] std::string missing(unsigned least = 1) const {
    std::string names;
    for (const auto& [name, count] : counts_) {
      if (count < least) names += name + " (" + std::to_string(count) + " times) ";
    }
    return names;
  }

 private:
  std::map<std::string, unsigned> counts_;
};

#if VM_COVERAGE
// Built for coverage: one file a bench, of whatever modules, in the folder that scripts/hardware/coverage names.
inline void write_coverage(VerilatedContext& context) {
  static unsigned number = 0;
  if (const char* folder = std::getenv("HEDDLE_COVERAGE_FOLDER")) {
    context.coveragep()->write((std::string(folder) + "/" + std::to_string(number++) + ".dat").c_str());
  }
}
#endif

// SystemC elaborates once per simulation context: every bench lives in a new one.
class FreshSimulation {
 public:
  FreshSimulation() {
    sc_core::sc_curr_simcontext = new sc_core::sc_simcontext();
    sc_core::sc_default_global_context = sc_core::sc_curr_simcontext;
  }
};

template <class Rtl, class Twin>
class Bench : FreshSimulation {
 public:
  explicit Bench(std::uint64_t seed = 0)
      : seed_(seed),
        context_(std::make_unique<VerilatedContext>()),
        rtl_(context_.get(), "rtl"),
        twin_("twin"),
        clock_("clk"),
        reset_("rst", true) {
    twin_.clk_i(clock_);
    twin_.rst_ni(reset_);
    rtl_.rst_ni = 1;  // so that the first reset is an edge for the RTL, too
    rtl_.eval();
  }
  // Verilator's destructors look up the current context, which may be that of a younger bench.
  ~Bench() {
    Verilated::threadContextp(context_.get());
#if VM_COVERAGE
    write_coverage(*context_);
#endif
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  [[nodiscard]] std::uint64_t cycles() const { return cycle_; }

  // Both designs settle with reset low, give the outputs of reset, and go through one edge.
  void reset_cycle() {
    for (const auto& input : inputs_) input->values_.assign(input->values_.size(), 0);
    reset_level_ = false;
    cycle();
    reset_level_ = true;
  }

  // Settles, compares all outputs, gives the edge.
  void cycle() {
    settle();
    compare();
    clock(true);
    ++cycle_;
    for (const auto& output : outputs_) {
      output->expected_.assign(output->expected_.size(), std::nullopt);
      output->ignored_.assign(output->ignored_.size(), false);
    }
  }

 protected:
  template <class RtlPort, class TwinPort>
  Input& input(RtlPort& rtl, TwinPort& twin, unsigned width, unsigned count) {
    auto pin = std::make_unique<Input>();
    pin->width_ = width;
    pin->values_.assign(count, 0);
    auto drive_twin = twin_driver(twin, width, count);
    pin->drive_ = [&rtl, drive_twin, width](const std::vector<std::uint64_t>& values) {
      for (unsigned i = 0; i < values.size(); ++i) pins::write_bits(rtl, i * width, width, values[i]);
      drive_twin(values);
    };
    inputs_.push_back(std::move(pin));
    return *inputs_.back();
  }

  template <class RtlPort, class TwinPort>
  Output& output(const char* name, RtlPort& rtl, TwinPort& twin, unsigned width, unsigned count) {
    auto pin = std::make_unique<Output>();
    pin->name_ = name;
    pin->width_ = width;
    pin->expected_.assign(count, std::nullopt);
    pin->ignored_.assign(count, false);
    pin->rtl_.assign(count, 0);
    pin->twin_.assign(count, 0);
    pin->sample_rtl_ = [&rtl, width](std::vector<std::uint64_t>& values) {
      for (unsigned i = 0; i < values.size(); ++i) values[i] = pins::read_bits(rtl, i * width, width);
    };
    pin->sample_twin_ = twin_sampler(twin, width);
    outputs_.push_back(std::move(pin));
    return *outputs_.back();
  }

  Rtl& rtl() { return rtl_; }
  Twin& twin() { return twin_; }

 private:
  using Values = std::vector<std::uint64_t>;

  template <class TwinPort>
  static std::function<void(const Values&)> twin_driver(TwinPort& port, unsigned width, unsigned count) {
    if constexpr (pins::IsVector<TwinPort>::value) {
      using Signal = decltype(pins::bind(port[0]));
      std::vector<Signal> signals;
      for (unsigned i = 0; i < port.size(); ++i) signals.push_back(pins::bind(port[i]));
      if (signals.size() != count) throw std::logic_error(std::string(port.name()) + ": vector of another size");
      return [signals](const Values& values) {
        for (unsigned i = 0; i < values.size(); ++i) write_signal(*signals[i], values[i]);
      };
    } else {
      auto signal = pins::bind(port);
      return [signal, width](const Values& values) {
        std::uint64_t packed = 0;
        for (unsigned i = 0; i < values.size(); ++i) packed |= values[i] << (i * width);
        write_signal(*signal, packed);
      };
    }
  }

  template <class Signal>
  static void write_signal(Signal& signal, std::uint64_t value) {
    using Value = std::decay_t<decltype(signal.read())>;
    signal.write(static_cast<Value>(value));
  }

  template <class TwinPort>
  static std::function<void(Values&)> twin_sampler(TwinPort& port, unsigned width) {
    if constexpr (pins::IsVector<TwinPort>::value) {
      using Signal = decltype(pins::bind(port[0]));
      std::vector<Signal> signals;
      for (unsigned i = 0; i < port.size(); ++i) signals.push_back(pins::bind(port[i]));
      // One vector element may hold several fields (the pending bits of a warp's entries).
      return [signals, width](Values& values) {
        const unsigned fields = static_cast<unsigned>(values.size() / signals.size());
        for (unsigned i = 0; i < values.size(); ++i) {
          const auto word = static_cast<std::uint64_t>(signals[i / fields]->read());
          values[i] = fields == 1 ? word : (word >> (i % fields * width)) & lane_mask(width);
        }
      };
    } else {
      auto signal = pins::bind(port);
      return [signal, width](Values& values) {
        const auto word = static_cast<std::uint64_t>(signal->read());
        for (unsigned i = 0; i < values.size(); ++i) {
          values[i] = values.size() == 1 ? word : (word >> (i * width)) & lane_mask(width);
        }
      };
    }
  }

  void clock(bool level) {
    rtl_.clk_i = level;
    rtl_.rst_ni = reset_level_;
    rtl_.eval();
    clock_.write(level);
    reset_.write(reset_level_);
    sc_core::sc_start(1, sc_core::SC_NS);
  }

  void settle() {
    for (const auto& input : inputs_) input->drive_(input->values_);
    clock(false);
  }

  void compare() {
    for (const auto& output : outputs_) {
      output->sample_rtl_(output->rtl_);
      output->sample_twin_(output->twin_);
      for (unsigned i = 0; i < output->rtl_.size(); ++i) {
        if (output->ignored_[i]) continue;
        if (!output->expected_[i]) throw std::logic_error("the oracle has no opinion of " + label(*output, i));
        const std::uint64_t expected = *output->expected_[i];
        if (output->rtl_[i] == expected && output->twin_[i] == expected) continue;
        std::ostringstream text;
        text << "mismatch at cycle " << cycle_ << ", seed " << seed_ << ": " << label(*output, i) << std::hex
             << ": RTL 0x" << output->rtl_[i] << ", twin 0x" << output->twin_[i] << ", oracle 0x" << expected;
        throw Mismatch(text.str());
      }
    }
  }

  static std::string label(const Output& output, unsigned element) {
    return output.rtl_.size() == 1 ? output.name_ : output.name_ + "[" + std::to_string(element) + "]";
  }

  std::uint64_t seed_;
  std::uint64_t cycle_ = 0;
  bool reset_level_ = true;
  std::unique_ptr<VerilatedContext> context_;
  Rtl rtl_;
  Twin twin_;
  sc_core::sc_signal<bool> clock_, reset_;
  std::vector<std::unique_ptr<Input>> inputs_;
  std::vector<std::unique_ptr<Output>> outputs_;
};

// Declares a member of a bench: pin `port` of both designs, of `count` elements of `width` bits.
#define HEDDLE_INPUT(port, width, count) \
  ::heddle::test::Input& port = this->input(this->rtl().port, this->twin().port, (width), (count))
#define HEDDLE_OUTPUT(port, width, count) \
  ::heddle::test::Output& port = this->output(#port, this->rtl().port, this->twin().port, (width), (count))

// Bits of an index below `count`, at least 1; and of a number 0 .. `limit`.
constexpr unsigned index_width(unsigned count) {
  unsigned width = 1;
  while ((1u << width) < count) ++width;
  return width;
}
constexpr unsigned count_width(unsigned limit) { return index_width(limit + 1); }

}  // namespace heddle::test
