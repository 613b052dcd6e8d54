// SPDX-License-Identifier: Apache-2.0
// The checks of a run are checked: front ends with a fault built in must be found out, each by the check that is there
// for it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "common/types.h"
#include "engine/frontend.h"
#include "support.h"

namespace heddle::test::checks_test {
namespace {

// What a fault does to the pins, one delta cycle after each clock edge; it may keep state.
using Tamper = std::function<void(FrontendPins& inputs, FrontendPins& outputs)>;
// What a fault does to a stack entry the checks look at.
using TamperEntry = std::function<void(unsigned index, StackEntry& entry)>;
// What it does to the state that is compared; launched: warps that the launch has.
using TamperState = std::function<void(FrontendState& state, unsigned launched)>;

struct Fault {
  Tamper pins = [](FrontendPins&, FrontendPins&) {};
  TamperEntry entry = [](unsigned, StackEntry&) {};
  TamperState state = [](FrontendState&, unsigned) {};
  Settings built = {};  // keys of which the front end is built with another value than the machine
};

class Tampering : public sc_core::sc_module {
 public:
  Tampering(sc_core::sc_module_name name, const FrontendContext& context, Tamper tamper)
      : sc_module(name),
        tamper_(std::move(tamper)),
        inputs_(context.inputs),
        outputs_(context.outputs) {
    SC_HAS_PROCESS(Tampering);
    SC_METHOD(run);
    sensitive << context.clk.posedge_event();
    dont_initialize();
  }

 private:
  void run() {
    edge_ = !edge_;
    if (edge_) next_trigger(sc_core::SC_ZERO_TIME);
    else tamper_(inputs_, outputs_);
  }
  Tamper tamper_;
  FrontendPins& inputs_;
  FrontendPins& outputs_;
  bool edge_ = false;
};

class FaultyFrontend final : public Frontend {
 public:
  FaultyFrontend(const FrontendContext& context, const FrontendFactory& make, const Fault& fault)
      : inner_(make({config(context.config.mechanism, fault.built), context.name, context.clk, context.rst_n,
                     context.inputs, context.outputs})),
        fault_(fault),
        tampering_((std::string(context.name) + "_fault").c_str(), context, fault.pins) {}
  [[nodiscard]] unsigned slots() const override { return inner_->slots(); }
  [[nodiscard]] unsigned splits(unsigned warp) const override { return inner_->splits(warp); }
  [[nodiscard]] LaneMask in_splits(unsigned warp) const override { return inner_->in_splits(warp); }
  void begin_launch(unsigned warps) override {
    inner_->begin_launch(warps);
    launched_ = warps;
  }
  void read_state(FrontendState& state) const override {
    inner_->read_state(state);
    fault_.state(state, launched_);
  }
  void stack_events(WarpEvent& push, WarpEvent& pop) const override { inner_->stack_events(push, pop); }
  [[nodiscard]] bool selection(Selection& selection) const override { return inner_->selection(selection); }
  [[nodiscard]] unsigned stack_entries(unsigned warp) const override { return inner_->stack_entries(warp); }
  [[nodiscard]] unsigned depth(unsigned warp) const override { return inner_->depth(warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return inner_->live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override {
    StackEntry entry = inner_->entry(warp, index);
    fault_.entry(index, entry);
    return entry;
  }

 private:
  std::unique_ptr<Frontend> inner_;
  Fault fault_;
  Tampering tampering_;
  unsigned launched_ = 0;
};

// Replaces a mechanism's front ends for the life of this object. The "RTL" is a second twin, so that co-simulation is
// tested in builds without RTL too.
class Replaced {
 public:
  enum class Where { kSystemC, kRtl };
  Replaced(const std::string& mechanism, Where where, Fault fault) : original_(frontend_mechanism(mechanism)) {
    const FrontendFactory twin = original_.systemc;
    const FrontendFactory faulty = [twin, fault](const FrontendContext& c) {
      return std::make_unique<FaultyFrontend>(c, twin, fault);
    };
    FrontendMechanism replaced = original_;
    replaced.systemc = where == Where::kSystemC ? faulty : twin;
    replaced.rtl = where == Where::kRtl ? faulty : twin;
    replaced.direct = replaced.direct_rtl = {};
    register_mechanism(replaced);
  }
  ~Replaced() { register_mechanism(original_); }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  FrontendMechanism original_;
};

Error error_with(const char* mechanism, const Fault& fault, const Settings& settings = {}) {
  const Replaced replaced(mechanism, Replaced::Where::kSystemC, fault);
  return error_of([&] {
    Settings all = settings;
    all.insert(all.end(), {"run.watchdog=3000"});
    run_workload("figure6", config(mechanism, all));
    run_workload("qsort", config(mechanism, all));
  });
}

// A front end that does what its contract forbids: the error names it, says when and of which warp, and shows what
// every warp does.
void expect_broken(const Error& error, const std::string& mechanism, const std::string& what) {
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult) << error.what();
  EXPECT_EQ(error.code(), "frontend") << error.what();
  for (const std::string& part :
       {"mechanism " + mechanism + " breaks the contract of a front end at cycle ", std::string("warp "), what}) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << " is not in: " << error.what();
  }
  EXPECT_FALSE(error.details().empty());
}

class EachMechanism : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(All, EachMechanism, testing::Values("spe", "dpe", "dws", "forkjoin", "cbar"),
                         [](const auto& info) { return std::string(info.param); });

// Register names of the first source vanish from the instruction the scoreboard sees.
Fault blind_to_a_source() {
  Fault fault;
  fault.pins = [](FrontendPins& inputs, FrontendPins&) {
    constexpr std::uint64_t kRs1 = std::uint64_t{63} << 6;
    inputs.decode_instr0.write(inputs.decode_instr0.read() & ~kRs1);
    inputs.decode_instr1.write(inputs.decode_instr1.read() & ~kRs1);
  };
  return fault;
}

// The front end hears of a write-back as soon as the instruction has issued.
Fault hears_of_writes_too_early() {
  Fault fault;
  fault.pins = [](FrontendPins& inputs, FrontendPins& outputs) {
    const auto rd = static_cast<std::uint32_t>(outputs.issue_instr.read() & 63);
    if (!outputs.issue_valid.read() || rd == 0 || (inputs.wb_valid.read() & 2) != 0) return;
    inputs.wb_valid.write(inputs.wb_valid.read() | 2);
    inputs.wb_warp[1].write(outputs.issue_warp.read());
    inputs.wb_slot[1].write(outputs.issue_slot.read());
    inputs.wb_reg[1].write(rd);
    inputs.wb_mask[1].write(outputs.issue_mask.read());
  };
  return fault;
}

// The n-th issued instruction has a lane too few or too many.
Fault wrong_lanes(LaneMask flip, unsigned at) {
  Fault fault;
  fault.pins = [flip, at, issued = 0u](FrontendPins&, FrontendPins& outputs) mutable {
    if (outputs.issue_valid.read() && ++issued == at) outputs.issue_mask.write(outputs.issue_mask.read() ^ flip);
  };
  return fault;
}

Fault skips_an_instruction(unsigned at) {
  Fault fault;
  fault.pins = [at, issued = 0u](FrontendPins&, FrontendPins& outputs) mutable {
    if (outputs.issue_valid.read() && ++issued == at) outputs.issue_pc.write(outputs.issue_pc.read() + 4);
  };
  return fault;
}

TEST_P(EachMechanism, PassesThroughAHarmlessReplacement) {
  EXPECT_EQ(error_with(GetParam(), Fault{}).code(), "no error");
}

TEST_P(EachMechanism, HazardCheckFindsAReadBeforeTheWrite) {
  const Error error = error_with(GetParam(), hears_of_writes_too_early());
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
  EXPECT_EQ(error.code(), "hazard");
  const std::string message = error.what();
  EXPECT_NE(message.find("while an older write of register"), std::string::npos) << message;
  EXPECT_NE(message.find(".cu:"), std::string::npos) << message;
}

// Results reach the registers at write-back, so a hazard that slips through gives wrong values, and the oracle sees
// them.
TEST_P(EachMechanism, OracleFindsAReadBeforeTheWrite) {
  const Error error = error_with(GetParam(), blind_to_a_source(), {"run.checks=false"});
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
  EXPECT_EQ(error.code(), "oracle");
}

TEST_P(EachMechanism, MaskCheckFindsAThreadThatDoesNotExist) {
  const Error error = error_with(GetParam(), wrong_lanes(LaneMask{1} << 40, 20));
  expect_broken(error, GetParam(), "0x10000000000 of them are not there");
}

// The lane is missing from one instruction only; the next one finds that thread at another place.
TEST_P(EachMechanism, OracleFindsALostLane) {
  EXPECT_EQ(error_with(GetParam(), wrong_lanes(LaneMask{1} << 9, 40), {"run.checks=false"}).code(), "oracle");
}

TEST_P(EachMechanism, OracleFindsASkippedInstruction) {
  const Error error = error_with(GetParam(), skips_an_instruction(60), {"run.checks=false"});
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
  EXPECT_EQ(error.code(), "oracle");
  EXPECT_NE(std::string(error.what()).find("thread"), std::string::npos) << error.what();
}

// A front end that goes astray makes the machine stop like a wrong program; the reference knows better.
TEST_P(EachMechanism, OracleFindsAWildPcBeforeItIsAFault) {
  for (const Pc wild : {Pc{0x40000000}, Pc{0x10000002}, Pc{0}}) {
    Fault fault;
    fault.pins = [wild, issued = 0u](FrontendPins&, FrontendPins& outputs) mutable {
      if (outputs.issue_valid.read() && ++issued == 60) outputs.issue_pc.write(wild);
    };
    const Error error = error_with(GetParam(), fault, {"run.checks=false"});
    EXPECT_EQ(error.status(), ExitStatus::kWrongResult) << error.what();
    EXPECT_EQ(error.code(), "oracle");
    EXPECT_NE(std::string(error.what()).find("the reference is at 0x1000"), std::string::npos) << error.what();
  }
}

// Convergence barriers: what the front end does with threads that wait, answers and tells is held against a model of
// the unit's own.
struct BarrierFault {
  const char* name;
  const char* kernel;
  std::function<void(FrontendPins&, FrontendPins&)> pins;
  const char* says;
};
class EachBarrierFault : public testing::TestWithParam<BarrierFault> {};
const BarrierFault kBarrierFaults[] = {
    {"arrival_passes", "region",
     [](FrontendPins& inputs, FrontendPins&) {
       if ((inputs.resolve_kind.read() & low_bits(kKindWidth)) == kMarkArrive) inputs.resolve_kind.write(kMarkNone);
     },
     "which wait at b0"},
    {"answer", "held",
     [](FrontendPins&, FrontendPins& outputs) {
       if (outputs.answer_valid.read()) outputs.answer_value.write(outputs.answer_value.read() ^ 4);
     },
     "of barrier b7 at"},
    {"mistake_untold", "twice", [](FrontendPins&, FrontendPins& outputs) { outputs.event_valid.write(false); },
     "the front end said nothing of its mistake"},
    {"another_mistake", "twice",
     [](FrontendPins&, FrontendPins& outputs) {
       if (outputs.event_valid.read()) outputs.event_code.write(kEventMixed);
     },
     "the front end tells event 3"},
    {"not_stuck", "region",
     [](FrontendPins&, FrontendPins& outputs) {
       outputs.event_valid.write(outputs.issue_valid.read());
       outputs.event_code.write(kEventStuck);
     },
     "has no path, but threads 0xffffffff wait at no barrier"},
};
INSTANTIATE_TEST_SUITE_P(All, EachBarrierFault, testing::ValuesIn(kBarrierFaults),
                         [](const auto& info) { return info.param.name; });

TEST_P(EachBarrierFault, IsFoundByTheModelOfTheUnit) {
  Fault fault;
  fault.pins = GetParam().pins;
  const Replaced replaced("cbar", Replaced::Where::kSystemC, fault);
  const Error error = error_of([&] { run_kernel("barriers", GetParam().kernel, {1}, {32}, config("cbar"), {7}); });
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult) << error.what();
  EXPECT_EQ(error.code(), "barriers");
  EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
}

// A selector of another kind than the machine's breaks the machine's rule.
struct OtherSelector {
  const char* mechanism;
  Settings machine, built;
  const char* says;
};
class EachSelector : public testing::TestWithParam<OtherSelector> {};

// Workloads of many warps, on a machine whose front end is built with other keys.
Error error_of_selector(const OtherSelector& other, const Settings& built) {
  Fault fault;
  fault.built = built;
  const Replaced replaced(other.mechanism, Replaced::Where::kSystemC, fault);
  return error_of([&] {
    run_workload("reduce", config(other.mechanism, other.machine));
    run_workload("bitonic", config(other.mechanism, other.machine));
    run_workload("qsort", config(other.mechanism, other.machine));
  });
}

const OtherSelector kOtherSelectors[] = {
    {"spe", {}, {"selector.policy=gto"}, "next in turn: the selector is not fair (selector.policy = lrr)"},
    {"spe",
     {"selector.policy=gto"},
     {},
     "comes first, as the last one or the oldest: the selector is not fair (selector.policy = gto)"},
    {"dpe", {}, {"selector.policy=gto"}, "selector.policy = lrr"},
    {"dpe", {"selector.policy=gto"}, {}, "selector.policy = gto"},
    {"dpe", {}, {"selector.kind=constrained"}, "but its other path was ready"},
    {"dpe",
     {"selector.kind=constrained"},
     {"selector.kind=constrained", "selector.policy=gto"},
     "selector.policy = lrr"}};
INSTANTIATE_TEST_SUITE_P(Other, EachSelector, testing::ValuesIn(kOtherSelectors), [](const auto& info) {
  return std::string(info.param.mechanism) + std::to_string(info.index);
});

TEST_P(EachSelector, SelectionCheckFindsAnotherRule) {
  const Error error = error_of_selector(GetParam(), GetParam().built);
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult) << error.what();
  EXPECT_EQ(error.code(), "selection");
  EXPECT_NE(std::string(error.what()).find(GetParam().says), std::string::npos) << error.what();
}

TEST_P(EachSelector, SelectionCheckAcceptsTheSameRule) {
  EXPECT_EQ(error_of_selector(GetParam(), GetParam().machine).code(), "no error");
}

TEST_P(EachMechanism, ContractCheckFindsABundleOfAnotherInstruction) {
  expect_broken(error_with(GetParam(), blind_to_a_source()), GetParam(), "issues the bundle 0x");
}

TEST_P(EachMechanism, ContractCheckFindsAWarpThatIsNotThere) {
  Fault fault;
  fault.pins = [issued = 0u](FrontendPins&, FrontendPins& outputs) mutable {
    if (outputs.issue_valid.read() && ++issued == 20) outputs.issue_warp.write(500);
  };
  expect_broken(error_with(GetParam(), fault), GetParam(), "there is no such warp now");
}

TEST_P(EachMechanism, ContractCheckFindsADoneThatNeverComes) {
  Fault fault;
  fault.pins = [](FrontendPins&, FrontendPins& outputs) { outputs.done_valid.write(false); };
  const Error error = error_with(GetParam(), fault);
  expect_broken(error, GetParam(), "is not done, and its last thread has exited long ago");
  EXPECT_NE(error.details().find("all its threads have exited"), std::string::npos) << error.details();
}

TEST_P(EachMechanism, ContractCheckFindsADoneThatComesTooEarly) {
  Fault fault;
  fault.pins = [issued = 0u](FrontendPins&, FrontendPins& outputs) mutable {
    if (!outputs.issue_valid.read() || ++issued != 20) return;
    outputs.done_valid.write(true);
    outputs.done_warp.write(outputs.issue_warp.read());
  };
  expect_broken(error_with(GetParam(), fault), GetParam(), "is done while it has the threads 0x");
}

TEST_P(EachMechanism, PathCheckFindsALostThread) {
  Fault fault;
  fault.entry = [](unsigned, StackEntry& entry) { entry.mask[0] &= ~LaneMask{2}; };
  expect_broken(error_with(GetParam(), fault), GetParam(), "has the threads 0x2 in no group");
}

TEST_P(EachMechanism, PathCheckFindsAnEntryThatMixesPaths) {
  Fault fault;
  fault.entry = [](unsigned index, StackEntry& entry) {
    if (index > 1) entry.mask[0] = entry.mask[0] << 1 | 1;
  };
  expect_broken(error_with(GetParam(), fault), GetParam(), "has the threads 0x");
}

TEST(DualPath, PathCheckFindsAThreadOnBothPaths) {
  Fault fault;
  fault.entry = [](unsigned, StackEntry& entry) {
    if (entry.mask[0] != 0 && entry.mask[1] != 0) entry.mask[1] |= entry.mask[0] & -entry.mask[0];
  };
  expect_broken(error_with("dpe", fault), "dpe", "has the threads 0x1 in two groups");
}

// Without a resolution the warps wait for their first branch for ever.
TEST_P(EachMechanism, WatchdogFindsWarpsThatAllWait) {
  Fault fault;
  fault.pins = [](FrontendPins& inputs, FrontendPins&) { inputs.resolve_valid.write(0); };
  const Error error = error_with(GetParam(), fault);
  EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
  EXPECT_EQ(error.code(), "watchdog");
  EXPECT_NE(std::string(error.what()).find("no instruction issued for 3000 cycles"), std::string::npos) << error.what();
  EXPECT_NE(error.details().find("waits for its branch to resolve"), std::string::npos) << error.details();
}

// A barrier that releases nobody.
TEST_P(EachMechanism, WatchdogFindsABarrierWithoutEnd) {
  Fault fault;
  fault.pins = [](FrontendPins& inputs, FrontendPins&) { inputs.release.write(0); };
  const Replaced replaced(GetParam(), Replaced::Where::kSystemC, fault);
  const Error error = error_of([&] { run_workload("reduce", config(GetParam(), {"run.watchdog=3000"})); });
  EXPECT_EQ(error.code(), "watchdog") << error.what();
}

// Slow is not stuck, on either core.
TEST(Watchdog, WaitsForWhatIsInFlight) {
  for (const char* mechanism : {"spe", "dpe", "mimd", "dwf"}) {
    ConfigBuilder builder;
    if (std::string(mechanism) == "mimd" || std::string(mechanism) == "dwf") builder.apply_preset("dwf2007");
    for (const char* setting : {"memory.latency=20000", "run.watchdog=1000"}) builder.set(setting, "test");
    builder.set("mechanism", mechanism, "test");
    EXPECT_EQ(error_of([&] { run_workload("reduce", builder.build()); }).code(), "no error") << mechanism;
  }
}

std::vector<std::uint64_t> vcd_times(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::uint64_t> times;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line[0] == '#') times.push_back(std::stoull(line.substr(1)));
  }
  return times;
}

Error cosim_error(const char* mechanism, const Fault& fault, const std::string& wave) {
  const Replaced replaced(mechanism, Replaced::Where::kRtl, fault);
  return error_of([&] {
    const std::unique_ptr<Workload> workload = make_workload("qsort", {"small", 1, {}});
    Device device(config(mechanism), Engine::kCosim);
    device.set_mismatch_wave(wave);
    device.load(workload->elf());
    workload->run(device);
    workload->check();
  });
}

TEST_P(EachMechanism, CosimulationOfTwoEqualFrontEndsPasses) {
  EXPECT_EQ(cosim_error(GetParam(), Fault{}, "").code(), "no error");
}

TEST_P(EachMechanism, CosimulationNamesCycleSignalAndBothValues) {
  const std::string wave = testing::TempDir() + "heddle_mismatch_" + GetParam() + ".vcd";
  std::filesystem::remove(wave);
  Fault fault;
  fault.pins = [cycle = 0u](FrontendPins&, FrontendPins& outputs) mutable {
    if (++cycle == 2500) outputs.fetch_pc.write(0x12345678);
  };
  const Error error = cosim_error(GetParam(), fault, wave);
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
  EXPECT_EQ(error.code(), "mismatch");
  const std::string message = error.what();
  for (const char* part : {"co-simulation mismatch at cycle ", "fetch_pc_o is 0x1000",
                           "in SystemC and 0x12345678 in RTL", "the last 200 cycles are in ", wave.c_str()}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  }
  const std::uint64_t cycle = std::stoull(message.substr(message.find("at cycle ") + 9));
  EXPECT_GT(cycle, 1000u);

  const std::vector<std::uint64_t> times = vcd_times(wave);
  ASSERT_FALSE(times.empty());
  EXPECT_LE(times.back() - times.front(), 200u);
  EXPECT_GE(times.back() - times.front(), 190u);
  EXPECT_LE(times.back() - cycle, 1u) << "the wave ends with the mismatch";
  std::filesystem::remove(wave);
}

TEST_P(EachMechanism, CosimulationComparesEveryOutputPin) {
  const std::vector<std::pair<const char*, Tamper>> lies{
      {"fetch_valid_o", [](FrontendPins&, FrontendPins& o) { o.fetch_valid.write(!o.fetch_valid.read()); }},
      {"fetch_warp_o", [](FrontendPins&, FrontendPins& o) { o.fetch_warp.write(o.fetch_warp.read() ^ 1); }},
      {"issue_valid_o", [](FrontendPins&, FrontendPins& o) { o.issue_valid.write(!o.issue_valid.read()); }},
      {"issue_warp_o", [](FrontendPins&, FrontendPins& o) { o.issue_warp.write(o.issue_warp.read() ^ 1); }},
      {"issue_pc_o", [](FrontendPins&, FrontendPins& o) { o.issue_pc.write(o.issue_pc.read() ^ 4); }},
      {"issue_mask_o", [](FrontendPins&, FrontendPins& o) { o.issue_mask.write(o.issue_mask.read() ^ 8); }},
      {"issue_instr_o", [](FrontendPins&, FrontendPins& o) { o.issue_instr.write(o.issue_instr.read() ^ 1); }},
      {"issue_sibling_o", [](FrontendPins&, FrontendPins& o) { o.issue_sibling.write(!o.issue_sibling.read()); }},
      {"issue_predicated_o",
       [](FrontendPins&, FrontendPins& o) { o.issue_predicated.write(!o.issue_predicated.read()); }},
      {"done_valid_o", [](FrontendPins&, FrontendPins& o) { o.done_valid.write(!o.done_valid.read()); }},
      {"done_warp_o", [](FrontendPins&, FrontendPins& o) { o.done_warp.write(o.done_warp.read() ^ 1); }},
      {"overflow_valid_o", [](FrontendPins&, FrontendPins& o) { o.overflow_valid.write(!o.overflow_valid.read()); }},
      {"overflow_warp_o", [](FrontendPins&, FrontendPins& o) { o.overflow_warp.write(o.overflow_warp.read() ^ 1); }},
      {"stall_o", [](FrontendPins&, FrontendPins& o) { o.stall.write(o.stall.read() ^ 1); }},
      {"max_depth_o", [](FrontendPins&, FrontendPins& o) { o.max_depth.write(o.max_depth.read() ^ 1); }}};
  for (const auto& [name, lie] : lies) {
    Fault fault;
    const Tamper& tamper = lie;
    fault.pins = [tamper, cycle = 0u](FrontendPins& inputs, FrontendPins& outputs) mutable {
      if (++cycle == 900) tamper(inputs, outputs);
    };
    const Error error = cosim_error(GetParam(), fault, "");
    EXPECT_EQ(error.code(), "mismatch") << name;
    EXPECT_NE(std::string(error.what()).find(name), std::string::npos) << error.what();
  }
}

// Warps that a launch has not are compared behind its reset, those that it has in every cycle.
TEST_P(EachMechanism, CosimulationComparesEveryWarpOnceAndThoseOfTheLaunchAlways) {
  Fault fault;
  fault.state = [](FrontendState& state, unsigned) {
    if (state.warps == kMaxPartitionWarps) state.path(kMaxPartitionWarps - 1, 0).tag ^= 1;
  };
  Error error = cosim_error(GetParam(), fault, "");
  EXPECT_EQ(error.code(), "mismatch");
  EXPECT_NE(std::string(error.what()).find("warp46.ibuffer.tag_l_o"), std::string::npos) << error.what();

  unsigned warps = kMaxPartitionWarps;
  fault.state = [&warps, cycle = 0u](FrontendState& state, unsigned launched) mutable {
    warps = launched;
    if (++cycle == 900) state.warp[launched - 1].halted ^= 1;
  };
  error = cosim_error(GetParam(), fault, "");
  EXPECT_EQ(error.code(), "mismatch");
  EXPECT_NE(std::string(error.what()).find("frontend.halted"), std::string::npos) << error.what();
  EXPECT_LT(warps, kMaxPartitionWarps) << "a launch of few warps";
}

}  // namespace
}  // namespace heddle::test::checks_test
