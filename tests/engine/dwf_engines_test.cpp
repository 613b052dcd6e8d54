// SPDX-License-Identifier: Apache-2.0
// The engines of dwf_scheduler side by side: threads at random PCs go round, and twin and Verilated RTL must show the
// same in every cycle; the comparison itself must find every signal that differs.
#include <gtest/gtest.h>

#include <map>

#include "engine/dwf_schedulers.h"
#include "engine/monitor.h"
#include "heddle/error.h"
#include "tests/common/random.h"

// libsystemc asks for it; the entry point is GoogleTest's main().
extern "C" int sc_main(int, char**) { return 0; }

namespace heddle::test {
namespace {

// The other side of the pins: takes issued warps and hands every thread back after some cycles, at a PC of its own
// choice. It knows for each thread where it is, and so sees threads that are lost, doubled or at the wrong PC.
class ThreadMill : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk{"clk"};

  SC_HAS_PROCESS(ThreadMill);
  ThreadMill(sc_core::sc_module_name name, const Config& config, DwfPins& pins, std::uint64_t seed)
      : sc_module(name),
        lanes_(config.core.lanes),
        pins_(pins),
        random_(seed),
        threads_(config.core.lanes * config.core.warps) {
    const unsigned spread[] = {2, 9, 120};
    pcs_ = spread[seed % 3];
    for (Thread& thread : threads_) thread = {false, next_pc(), random_.below(8)};
    SC_METHOD(step);
    sensitive << clk.pos();
    dont_initialize();
  }

  bool running = false;
  std::uint64_t issued = 0, drained = 0, conflicts = 0, aliases = 0;
  std::string error;  // what is wrong with the warps, if anything

 private:
  struct Thread {
    bool inside = false;  // the scheduler has it
    Pc pc = 0;
    Cycle due = 0;  // when it comes back
  };

  Pc next_pc() { return 0x1000 + 4 * random_.below(pcs_); }

  void step() {
    if (!running) return;
    ++cycle_;
    const DwfOutputs& out = pins_.out.read();
    drained += out.drain;
    conflicts += out.conflict != 0;
    aliases += out.alias != 0;
    if (out.update_ready) {
      in_.update[0].valid = false;
      in_.update[1].valid = false;
    }
    if (out.issue_valid) take(out);
    if (!in_.update[0].valid && !in_.update[1].valid) hand_back();
    in_.issue_ready = random_.chance(80);
    pins_.in.write(in_);
  }

  void take(const DwfOutputs& out) {
    if (out.issue_mask == 0) error = "a warp without threads";
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      if (((out.issue_mask >> lane) & 1) == 0) continue;
      ++issued;
      Thread& thread = threads_.at(out.issue_tids[lane]);
      if (!thread.inside) error = "a thread that is not inside was issued";
      if (thread.pc != out.issue_pc) error = "a thread was issued at another PC than its own";
      thread = {false, next_pc(), cycle_ + random_.below(12)};
    }
  }

  // Two groups at most, of two PCs, a thread a lane.
  void hand_back() {
    std::map<Pc, std::vector<unsigned>> waiting;
    for (unsigned t = 0; t < threads_.size(); ++t) {
      if (!threads_[t].inside && threads_[t].due <= cycle_) waiting[threads_[t].pc].push_back(t);
    }
    for (unsigned u = 0; u < 2 && !waiting.empty(); ++u) {
      if (random_.chance(10)) continue;
      auto chosen = waiting.begin();
      std::advance(chosen, random_.below(static_cast<std::uint32_t>(waiting.size())));
      DwfGroup<kMaxDwfLanes>& group = in_.update[u];
      group = {};
      group.valid = true;
      group.pc = chosen->first;
      group.sched = random_.below(256);
      for (const unsigned t : chosen->second) {
        const unsigned lane = t % lanes_;
        if (((group.req >> lane) & 1) != 0) continue;
        group.req |= std::uint64_t{1} << lane;
        group.tids[lane] = static_cast<std::uint16_t>(t);
        threads_[t].inside = true;
      }
      waiting.erase(chosen);
    }
  }

  const unsigned lanes_;
  DwfPins& pins_;
  Random random_;
  std::vector<Thread> threads_;
  unsigned pcs_;
  Cycle cycle_ = 0;
  DwfInputs in_;
};

// A simulation of two engines on one set of pins; the factories take the configurations that they are to have.
class Pair {
 public:
  Pair(const Config& config, const DwfFactory& driver, const Config& beside_config, const DwfFactory& beside,
       std::uint64_t seed) {
    make_current(context_.get());
    clk_ = std::make_unique<sc_core::sc_clock>("clk", 1.0, sc_core::SC_NS);
    rst_n_ = std::make_unique<sc_core::sc_signal<bool>>("rst_n");
    pins_ = std::make_unique<DwfPins>();
    beside_out_ = std::make_unique<Wire<DwfOutputs>>();
    driver_ = driver({config, "scheduler", *clk_, *rst_n_, pins_->in, pins_->out});
    beside_ = beside({beside_config, "scheduler_beside", *clk_, *rst_n_, pins_->in, *beside_out_});
    mill_ = std::make_unique<ThreadMill>("mill", config, *pins_, seed);
    mill_->clk(*clk_);
    monitored_ = monitor_dwf(config, {pins_.get(), driver_.get(), beside_out_.get(), beside_.get()});
    sc_core::sc_start(2.5, sc_core::SC_NS);  // in reset; from here on half a cycle behind each edge
    rst_n_->write(true);
    mill_->running = true;
  }
  ~Pair() {
    make_current(context_.get());
    monitored_.reset();
    mill_.reset();
    beside_.reset();
    driver_.reset();
    beside_out_.reset();
    pins_.reset();
    rst_n_.reset();
    clk_.reset();
    make_current(nullptr);
  }

  // Runs until the two differ; the cycle, or `cycles`.
  Cycle run(Cycle cycles) {
    make_current(context_.get());
    for (Cycle cycle = 0; cycle < cycles; ++cycle) {
      sc_core::sc_start(1.0, sc_core::SC_NS);
      monitored_->sample();
      if (!monitored_->equal() || !mill_->error.empty()) return cycle;
    }
    return cycles;
  }
  [[nodiscard]] const ThreadMill& mill() const { return *mill_; }
  [[nodiscard]] const Monitored& monitored() const { return *monitored_; }

 private:
  static void make_current(sc_core::sc_simcontext* context) {
    sc_core::sc_curr_simcontext = context;
    sc_core::sc_default_global_context = context;
  }

  std::unique_ptr<sc_core::sc_simcontext> context_ = std::make_unique<sc_core::sc_simcontext>();
  std::unique_ptr<sc_core::sc_clock> clk_;
  std::unique_ptr<sc_core::sc_signal<bool>> rst_n_;
  std::unique_ptr<DwfPins> pins_;
  std::unique_ptr<Wire<DwfOutputs>> beside_out_;
  std::unique_ptr<DwfScheduler> driver_, beside_;
  std::unique_ptr<ThreadMill> mill_;
  std::unique_ptr<Monitored> monitored_;
};

Config sized(unsigned lanes, unsigned warps, DwfHeuristic heuristic = DwfHeuristic::kMajority, bool lane_aware = true) {
  Config config;
  config.mechanism = "dwf";
  config.core.lanes = lanes;
  config.core.warps = warps;
  config.dwf.heuristic = heuristic;
  config.dwf.lane_aware = lane_aware;
  return config;
}

struct Model {
  const char* name;
  Config config;
  Cycle cycles;
};
std::ostream& operator<<(std::ostream& out, const Model& model) { return out << model.name; }

class DwfModels : public testing::TestWithParam<Model> {};

TEST_P(DwfModels, TwinAndRtlShowTheSameInEveryCycle) {
  const Config& config = GetParam().config;
  std::uint64_t drained = 0, conflicts = 0, aliases = 0;
  for (std::uint64_t seed = 0; seed < seeds(3); ++seed) {
    Pair pair(config, make_dwf_twin, config, make_dwf_rtl, seed);
    const Cycle cycle = pair.run(GetParam().cycles);
    ASSERT_EQ(cycle, GetParam().cycles) << "seed " << seed << ": " << pair.mill().error
                                        << describe_difference(pair.monitored());
    EXPECT_GT(pair.mill().issued, GetParam().cycles / 4);
    drained += pair.mill().drained;
    conflicts += pair.mill().conflicts;
    aliases += pair.mill().aliases;
  }
  EXPECT_GT(conflicts, 0u);
  EXPECT_GT(aliases, 0u);
  const bool table = config.dwf.heuristic == DwfHeuristic::kMajority || config.dwf.heuristic == DwfHeuristic::kMinority;
  EXPECT_EQ(drained > 0, table && config.core.lanes > 4);
}

INSTANTIATE_TEST_SUITE_P(all, DwfModels,
                         testing::Values(Model{"l16_dmaj", sized(16, 16), 10000},
                                         Model{"l16_dmin", sized(16, 16, DwfHeuristic::kMinority), 10000},
                                         Model{"l16_dtime", sized(16, 16, DwfHeuristic::kTime), 10000},
                                         Model{"l16_dpdpri", sized(16, 16, DwfHeuristic::kPostDominator), 10000},
                                         Model{"l16_dpc", sized(16, 16, DwfHeuristic::kPc), 10000},
                                         Model{"l16_dmaj_unaware", sized(16, 16, DwfHeuristic::kMajority, false),
                                               10000},
                                         Model{"l4_dmaj", sized(4, 4), 20000}, Model{"l32_dmaj", sized(32, 32), 2000}),
                         [](const testing::TestParamInfo<Model>& info) { return info.param.name; });

TEST(DwfEngines, ATwinOfAnotherHeuristicIsFoundOut) {
  Pair pair(sized(16, 16, DwfHeuristic::kMinority), make_dwf_twin, sized(16, 16), make_dwf_rtl, 1);
  ASSERT_LT(pair.run(10000), 10000u);
  EXPECT_NE(describe_difference(pair.monitored()).find(" in SystemC and 0x"), std::string::npos)
      << describe_difference(pair.monitored());
}

TEST(DwfEngines, AnRtlThatKeepsLanesBesideATwinThatPacksThemIsFoundOut) {
  Config packs = sized(16, 16);
  packs.dwf.lane_aware = false;
  Pair pair(packs, make_dwf_twin, sized(16, 16), make_dwf_rtl, 1);
  ASSERT_LT(pair.run(10000), 10000u);
  EXPECT_FALSE(describe_difference(pair.monitored()).empty());
}

TEST(DwfEngines, EverySignalIsComparedAndNamed) {
  const Config config = sized(4, 4);
  Pair pair(config, make_dwf_twin, config, make_dwf_rtl, 1);
  ASSERT_EQ(pair.run(100), 100u) << describe_difference(pair.monitored());
  const auto is_input = [](const WaveProbe& probe) {
    return probe.scope.rfind("pins", 0) == 0 &&
           (probe.name == "issue_ready" || (probe.name.rfind("update", 0) == 0 && probe.name != "update_ready"));
  };
  unsigned flipped = 0;
  for (const WaveProbe& probe : pair.monitored().outputs(Monitored::Side::kRtl)) {
    if (is_input(probe)) continue;  // one wire for both sides
    auto& byte = *static_cast<std::uint8_t*>(const_cast<void*>(probe.data));
    const std::uint8_t before = byte;
    byte = static_cast<std::uint8_t>(byte ^ 1u);
    EXPECT_FALSE(pair.monitored().equal()) << probe.scope << "." << probe.name;
    EXPECT_EQ(describe_difference(pair.monitored()).rfind(probe.scope + "." + probe.name + " is 0x", 0), 0u)
        << describe_difference(pair.monitored());
    byte = before;
    ++flipped;
  }
  EXPECT_GT(flipped, 200u);
  EXPECT_TRUE(pair.monitored().equal());
}

// The error for a configuration without a model.
std::string refusal(const Config& config) {
  try {
    Pair pair(config, make_dwf_twin, config, make_dwf_rtl, 1);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kBadInput);
    return error.what();
  }
  return "";
}

TEST(DwfEngines, ASizeWithoutAModelIsAnErrorThatNamesThoseThatExist) {
  EXPECT_EQ(refusal(sized(8, 8)),
            "core.lanes = 8 and core.warps = 8 with dwf has no Verilated model: the RTL of this build has lanes x "
            "warps 16 x 16, 4 x 4, "
            "32 x 32; use --engine systemc, or add a parameter set in sim/mechanisms/CMakeLists.txt");
  EXPECT_EQ(refusal(sized(4, 4, DwfHeuristic::kTime)),
            "dwf.heuristic = dtime has no Verilated model: the RTL of this build has at this size dmaj; use --engine "
            "systemc, or add a "
            "parameter set in sim/mechanisms/CMakeLists.txt");
  Config config = sized(16, 16);
  config.dwf.lut_ways = 4;
  EXPECT_EQ(refusal(config),
            "dwf.lut_ways = 4 has no Verilated model: the RTL of this build has 2; use --engine systemc, or "
            "add a parameter set in sim/mechanisms/CMakeLists.txt");
}

}  // namespace
}  // namespace heddle::test
