// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation on every engine, with the barrel core around it; and co-simulation that finds a scheduler with
// a fault built in.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "engine/dwf_schedulers.h"
#include "support.h"

namespace heddle::test::dwf_cosim_test {
namespace {

const Settings kPaper{"core.lanes=16", "core.warps=16", "core.schedulers=1"};

Config dwf_config(const Settings& more = {}, const Settings& size = kPaper) {
  Settings all = size;
  all.insert(all.end(), more.begin(), more.end());
  return config("dwf", all);
}

#ifdef HEDDLE_HAVE_RTL
struct Variant {
  const char* name;
  Settings settings, size;
};
std::ostream& operator<<(std::ostream& out, const Variant& variant) { return out << variant.name; }

class DwfVariant : public testing::TestWithParam<Variant> {};

INSTANTIATE_TEST_SUITE_P(All, DwfVariant,
                         testing::Values(Variant{"dmaj", {}, kPaper}, Variant{"dmin", {"dwf.heuristic=dmin"}, kPaper},
                                         Variant{"dtime", {"dwf.heuristic=dtime"}, kPaper},
                                         Variant{"dpdpri", {"dwf.heuristic=dpdpri"}, kPaper},
                                         Variant{"dpc", {"dwf.heuristic=dpc"}, kPaper},
                                         Variant{"unaware", {"dwf.lane_aware=false"}, kPaper},
                                         Variant{"small", {}, {"core.lanes=4", "core.warps=4", "core.schedulers=1"}},
                                         Variant{"large", {}, {"core.lanes=32", "core.warps=32", "core.schedulers=1"}}),
                         [](const testing::TestParamInfo<Variant>& info) { return info.param.name; });

TEST_P(DwfVariant, AllCountsAreEqualOnEveryEngine) {
  const Config config = dwf_config(GetParam().settings, GetParam().size);
  const bool small = config.core.lanes == 4;  // too small for the blocks of most workloads
  for (const char* workload :
       small ? std::vector<const char*>{"figure6"} : std::vector<const char*>{"figure6", "bitonic"}) {
    const Figures expected = all_figures(run_workload(workload, config, Engine::kSystemC));
    EXPECT_EQ(all_figures(run_workload(workload, config, Engine::kRtl)), expected) << workload;
    EXPECT_EQ(all_figures(run_workload(workload, config, Engine::kCosim)), expected) << workload;
  }
}
#endif

// What a fault does to the outputs, one delta cycle after each clock edge, and to the state that is seen; both may keep
// state.
struct DwfFault {
  std::function<void(DwfOutputs&)> outputs = [](DwfOutputs&) {};
  std::function<void(DwfState&)> state = [](DwfState&) {};
};

class FaultyScheduler final : public DwfScheduler, public sc_core::sc_module {
 public:
  FaultyScheduler(sc_core::sc_module_name name, const DwfContext& context, const DwfFault& fault)
      : sc_module(name),
        inner_(make_dwf_twin(context)),
        fault_(fault),
        out_(context.out) {
    SC_HAS_PROCESS(FaultyScheduler);
    SC_METHOD(run);
    sensitive << context.clk.posedge_event();
    dont_initialize();
  }
  void read_state(DwfState& state) const override {
    inner_->read_state(state);
    fault_.state(state);
  }

 private:
  void run() {
    edge_ = !edge_;
    if (edge_) {
      next_trigger(sc_core::SC_ZERO_TIME);
    } else {
      DwfOutputs outputs = out_.read();
      fault_.outputs(outputs);
      out_.write(outputs);
    }
  }

  std::unique_ptr<DwfScheduler> inner_;
  DwfFault fault_;
  Wire<DwfOutputs>& out_;
  bool edge_ = false;
};

// Two twins, the one that stands for the RTL with a fault: a test for builds without RTL, too.
class ReplacedRtl {
 public:
  explicit ReplacedRtl(const DwfFault& fault) : original_(dwf_engines()) {
    replace_dwf_engines({make_dwf_twin, [fault](const DwfContext& context) {
                           return std::make_unique<FaultyScheduler>((std::string(context.name) + "_faulty").c_str(),
                                                                    context, fault);
                         }});
  }
  ~ReplacedRtl() { replace_dwf_engines(original_); }
  ReplacedRtl(const ReplacedRtl&) = delete;
  ReplacedRtl& operator=(const ReplacedRtl&) = delete;

 private:
  const DwfEngines original_;
};

Error cosim_error(const DwfFault& fault, const std::string& wave, const Settings& settings = {}) {
  const ReplacedRtl replaced(fault);
  return error_of([&] {
    const std::unique_ptr<Workload> workload = make_workload("bitonic", {"small", 1, {}});
    Device device(dwf_config(settings), Engine::kCosim);
    device.set_mismatch_wave(wave);
    device.load(workload->elf());
    workload->run(device);
    workload->check();
  });
}

// True in the one cycle `at`.
std::function<bool()> once(unsigned at) {
  return [at, cycle = 0u]() mutable { return ++cycle == at; };
}

TEST(DwfCosim, TwoEqualSchedulersPass) { EXPECT_EQ(cosim_error({}, "").code(), "no error"); }

TEST(DwfCosim, AMismatchNamesCycleSignalAndBothValuesAndItsWaveEndsThere) {
  const std::string wave = testing::TempDir() + "heddle_mismatch_dwf.vcd";
  DwfFault fault;
  fault.outputs = [now = once(500)](DwfOutputs& out) mutable {
    if (now()) out.issue_pc = 0x12345678;
  };
  const Error error = cosim_error(fault, wave);
  EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
  EXPECT_EQ(error.code(), "mismatch");
  const std::string message = error.what();
  for (const char* part : {"co-simulation mismatch at cycle ", "of the launch, scheduler0: pins.issue_pc is 0x1000",
                           " in SystemC and 0x12345678 in RTL", "the last 200 cycles are in ", wave.c_str()}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is not in: " << message;
  }
  EXPECT_FALSE(error.details().empty());
  const std::uint64_t cycle = std::stoull(message.substr(message.find("at cycle ") + 9));
  std::ifstream file(wave);
  std::uint64_t last = 0, first = ~std::uint64_t{0};
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] != '#') continue;
    last = std::stoull(line.substr(1));
    first = std::min(first, last);
  }
  EXPECT_LE(last - cycle, 1u);
  EXPECT_LE(last - first, 200u);
  EXPECT_GE(last - first, 190u);
  std::filesystem::remove(wave);
}

TEST(DwfCosim, AFaultInTheStateIsNamedBeforeItReachesThePins) {
  DwfFault fault;
  fault.state = [](DwfState& state) {
    if (state.lut_valid[4] != 0) state.lut_occ[4] ^= 1;
  };
  const Error error = cosim_error(fault, "");
  EXPECT_EQ(error.code(), "mismatch");
  EXPECT_NE(std::string(error.what()).find("lut.set02.way0_occ is 0x"), std::string::npos) << error.what();
}

TEST(DwfCosim, AFaultInTheOrderInWhichWarpsWaitIsNamed) {
  DwfFault queue;
  queue.state = [](DwfState& state) {
    if (state.next[3] != 0) ++state.next[3];
  };
  const Error next = cosim_error(queue, "");
  EXPECT_NE(std::string(next.what()).find("issue_order.next0003 is 0x"), std::string::npos) << next.what();
  DwfFault head;
  head.state = [](DwfState& state) {
    if (state.table_head[0] != 0) state.table_head[0] = 0;
  };
  const Error first = cosim_error(head, "", {"dwf.heuristic=dmin", "dwf.table_sort=exact"});
  EXPECT_NE(std::string(first.what()).find("issue_table.head00 is 0x"), std::string::npos) << first.what();
  DwfFault list;
  list.state = [](DwfState& state) {
    if (state.common.waiting > 2) ++state.list_key[2];
  };
  for (const auto& [heuristic, signal] : {std::pair{"dwf.heuristic=dpdpri", "issue_order.sched0002 is 0x"},
                                          {"dwf.heuristic=dpc", "issue_order.pc0002 is 0x"}}) {
    const Error key = cosim_error(list, "", {heuristic});
    EXPECT_NE(std::string(key.what()).find(signal), std::string::npos) << key.what();
  }
  DwfFault current;
  current.state = [](DwfState& state) {
    if (state.common.table_current != 0) state.common.table_current <<= 1;
  };
  const Error moved = cosim_error(current, "");
  EXPECT_NE(std::string(moved.what()).find("issue_table.current is 0x"), std::string::npos) << moved.what();
}

TEST(DwfWave, HoldsPinsAndEveryModuleOfTheScheduler) {
  const std::string wave = testing::TempDir() + "heddle_dwf.vcd";
  {
    const std::unique_ptr<Workload> workload = make_workload("figure6", {"small", 1, {}});
    Device device(dwf_config(), Engine::kSystemC);
    TraceOptions trace;
    trace.path = wave;
    device.set_trace(trace);
    device.load(workload->elf());
    workload->run(device);
  }
  std::stringstream text;
  text << std::ifstream(wave).rdbuf();
  const std::string vcd = text.str();
  for (const char* scope : {"pins", "update0", "update1", "lut", "set15", "allocator", "issue", "issue_table",
                            "issue_order", "pool", "pool_tids"}) {
    EXPECT_NE(vcd.find(std::string("$scope module ") + scope + " $end"), std::string::npos) << scope;
  }
  for (const char* name : {"issue_mask [15:0]", "issue15 [7:0]", "way1_occ [15:0]", "waits [31:0]", "pick_idx [7:0]"}) {
    EXPECT_NE(vcd.find(name), std::string::npos) << name;
  }
  std::stringstream save;
  save << std::ifstream(testing::TempDir() + "heddle_dwf.gtkw").rdbuf();
  EXPECT_NE(save.str().find("systemc.scheduler0.pins.issue_pc[31:0]"), std::string::npos);
  for (const char* extension : {".vcd", ".gtkw", ".pc.flt", ".stall.flt"})
    std::filesystem::remove(testing::TempDir() + "heddle_dwf" + extension);
}

}  // namespace
}  // namespace heddle::test::dwf_cosim_test
