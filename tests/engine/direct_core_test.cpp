// SPDX-License-Identifier: Apache-2.0
// Engines systemc and rtl have two cores: in the SystemC kernel where something is watched, without it where nothing
// is. Every count is the same.
#include <filesystem>
#include <tuple>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/frontend.h"
#include "support.h"

namespace heddle::test::direct_core_test {
namespace {

struct Machine {
  std::string name, mechanism;
  Settings settings;
};

std::ostream& operator<<(std::ostream& out, const Machine& machine) { return out << machine.name; }

const std::vector<Machine> kMachines = {
    {"spe", "spe", {}},
    {"compact_stack", "spe", {"stack.kind=compact"}},
    {"bitmap_scoreboard", "spe", {"scoreboard.kind=bitmap"}},
    {"four_schedulers", "spe", {"core.schedulers=4", "core.warps=16", "frontend.resolve=execute"}},
    {"dpe", "dpe", {}},
    {"forwarding", "dpe", {"dpe.path_forwarding=on"}},
    {"memory_split", "dpe", {"dpe.memory_split=on"}},
    {"software_stack", "dpe", {"dpe.stack=software"}},
    {"dws", "dws", {}},
    {"forkjoin", "forkjoin", {}},
    {"cbar", "cbar", {}},
    {"dwf", "dwf", {}},
    {"dwf_exact", "dwf", {"dwf.table_sort=exact"}},
};

class DirectCore : public testing::TestWithParam<std::tuple<Machine, std::string>> {};

INSTANTIATE_TEST_SUITE_P(All, DirectCore,
                         testing::Combine(testing::ValuesIn(kMachines),
                                          testing::Values("figure6", "qsort", "stencil3d", "lud")),
                         [](const auto& info) { return std::get<0>(info.param).name + "_" + std::get<1>(info.param); });

// Of a run in the kernel, where a wave of one cycle is written.
Figures watched_figures(const std::string& name, const Config& config, Engine engine, const std::string& wave) {
  TraceOptions one_cycle;
  one_cycle.path = testing::TempDir() + wave + ".vcd";
  one_cycle.end = 0;
  Stats stats;
  {
    WorkloadOptions options;
    options.size = "small";
    const std::unique_ptr<Workload> workload = make_workload(name, options);
    Device device(config, engine);
    device.set_trace(one_cycle);
    device.load(workload->elf(kernel_form(config)));
    workload->run(device);
    workload->check();
    stats = device.stats();
  }
  EXPECT_TRUE(std::filesystem::exists(one_cycle.path));
  return all_figures(stats);
}

TEST_P(DirectCore, CountsWhatTheKernelsDoes) {
  const auto& [machine, name] = GetParam();
  const Config built = config(machine.mechanism, machine.settings, preset_of_mechanism(machine.mechanism));
  EXPECT_EQ(all_figures(run_workload(name, built)),
            watched_figures(name, built, Engine::kSystemC, machine.name + "_" + name));
}

// ---------------------------------------------------------------- cycles in which nothing can change

struct Surroundings {
  std::string name;
  Settings settings;
};

std::ostream& operator<<(std::ostream& out, const Surroundings& surroundings) { return out << surroundings.name; }

const std::vector<Surroundings> kSurroundings = {
    {"simple", {}},
    {"few_warps", {"core.warps=8", "memory.latency=600"}},
    {"hierarchy", {"memory.kind=hierarchy", "core.warps=16"}},
    {"three_sms", {"memory.kind=hierarchy", "gpu.sms=3"}},
    {"two_sms", {"gpu.sms=2", "memory.latency=500"}},
    {"resolved_at_execute", {"frontend.resolve=execute", "frontend.fetch_latency=7", "alu.latency=20", "core.warps=8"}},
    {"slow_units",
     {"alu.interval=5", "fp.interval=64", "muldiv.interval=33", "sfu.interval=40", "muldiv.div_latency=256",
      "core.warps=8"}},
    {"written_back", {"l1.write=back", "l1.banks=4", "l1.mshrs=2", "memory.bytes_per_cycle=4", "core.warps=8"}},
    {"local_written_back", {"l1.write=local_back", "memory.kind=hierarchy", "core.warps=8"}},
    {"narrow_memory",
     {"memory.kind=hierarchy", "l1.mshrs=4", "l2.bytes=24576", "l2.mshrs=2", "dram.queue=2", "noc.credits=1",
      "noc.queue=1", "core.warps=8"}},
    {"one_scheduler", {"core.schedulers=1", "core.warps=9", "selector.policy=gto"}},
};

class SkipIdle : public testing::TestWithParam<std::tuple<Machine, Surroundings>> {};

INSTANTIATE_TEST_SUITE_P(All, SkipIdle,
                         testing::Combine(testing::ValuesIn(kMachines.begin(), kMachines.end() - 2),
                                          testing::ValuesIn(kSurroundings)),
                         [](const auto& info) {
                           return std::get<0>(info.param).name + "_" + std::get<1>(info.param).name;
                         });

Settings joined(Settings settings, const Settings& more) {
  settings.insert(settings.end(), more.begin(), more.end());
  return settings;
}

TEST_P(SkipIdle, ChangesNoCount) {
  const auto& [machine, surroundings] = GetParam();
  const Settings settings =
      joined(joined(machine.settings, surroundings.settings), {"run.oracle=off", "stack.depth=32"});
  for (const char* workload : {"bfs", "qsort", "lud", "mcml"}) {
    const Stats run = run_workload(workload, config(machine.mechanism, joined(settings, {"run.skip_idle=off"})));
    EXPECT_EQ(all_figures(run_workload(workload, config(machine.mechanism, joined(settings, {"run.skip_idle=on"})))),
              all_figures(run))
        << workload;
  }
}

// ---------------------------------------------------------------- what a front end says of its next step

struct Unneeded {
  std::uint64_t steps = 0, that_changed_something = 0;
};

// Never sleeps. Where the front end is still, and nothing new is at its inputs, its step is made all the same, and must
// change nothing.
class Restless final : public DirectFrontend {
 public:
  Restless(std::unique_ptr<DirectFrontend> inner, DirectFrontendPins& pins, Unneeded& unneeded)
      : inner_(std::move(inner)),
        pins_(pins),
        unneeded_(unneeded),
        before_(inner_->slots()),
        after_(inner_->slots()) {}

  void reset() override {
    inner_->reset();
    nothing_new_ = false;
  }
  void step() override {
    const bool first = !nothing_new_;
    nothing_new_ = inner_->still() && pins_.unit_ready.read() == units_ && !any_input();
    units_ = pins_.unit_ready.read();
    looks_ = nothing_new_ && (first || ++unneeded_.steps % 64 == 0);
    if (looks_) inner_->read_state(before_);
    inner_->step();
    if (!looks_) return;
    inner_->read_state(after_);
    count_if(!(before_ == after_) || !inner_->still());
  }
  void show() override {
    const std::uint32_t stall = pins_.stall.read();
    const std::uint64_t idle = pins_.idle.read();
    inner_->show();
    if (!looks_) return;
    count_if(pins_.issue_valid.read() || pins_.fetch_valid.read() || pins_.done_valid.read() ||
             pins_.overflow_valid.read() || pins_.save_valid.read() || pins_.load_valid.read() ||
             pins_.stall.read() != stall || pins_.idle.read() != idle);
  }

  [[nodiscard]] unsigned slots() const override { return inner_->slots(); }
  [[nodiscard]] unsigned splits(unsigned warp) const override { return inner_->splits(warp); }
  [[nodiscard]] LaneMask in_splits(unsigned warp) const override { return inner_->in_splits(warp); }
  void read_state(FrontendState& state) const override { inner_->read_state(state); }
  void stack_events(WarpEvent& push, WarpEvent& pop) const override { inner_->stack_events(push, pop); }
  [[nodiscard]] bool selection(Selection& selection) const override { return inner_->selection(selection); }
  [[nodiscard]] unsigned stack_entries(unsigned warp) const override { return inner_->stack_entries(warp); }
  [[nodiscard]] unsigned depth(unsigned warp) const override { return inner_->depth(warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return inner_->live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override { return inner_->entry(warp, index); }

 private:
  [[nodiscard]] bool any_input() const {
    return pins_.launch_valid.read() || pins_.kill_valid.read() || pins_.decode_valid.read() ||
           pins_.resolve_valid.read() != 0 || pins_.wb_valid.read() != 0 || pins_.miss_valid.read() ||
           pins_.split_valid.read() || pins_.fill_valid.read() || pins_.release.read() != 0;
  }
  void count_if(bool changed) { unneeded_.that_changed_something += changed ? 1 : 0; }

  std::unique_ptr<DirectFrontend> inner_;
  DirectFrontendPins& pins_;
  Unneeded& unneeded_;
  std::uint32_t units_ = 0;
  bool nothing_new_ = false, looks_ = false;
  FrontendState before_, after_;
};

class StillFrontend : public testing::TestWithParam<Machine> {
 protected:
  StillFrontend() : original_(frontend_mechanism(GetParam().mechanism)) {
    FrontendMechanism watched = original_;
    watched.direct = [this, make = original_.direct](const DirectContext& context) {
      return std::make_unique<Restless>(make(context), context.pins, unneeded_);
    };
    register_mechanism(watched);
  }
  ~StillFrontend() override { register_mechanism(original_); }
  const FrontendMechanism original_;
  Unneeded unneeded_;
};

INSTANTIATE_TEST_SUITE_P(All, StillFrontend, testing::ValuesIn(kMachines.begin(), kMachines.end() - 2),
                         [](const auto& info) { return info.param.name; });
// Its selector switches paths by itself.
INSTANTIATE_TEST_SUITE_P(
    Constrained, StillFrontend,
    testing::Values(Machine{"constrained", "dpe", {"selector.kind=constrained", "selector.switch_at=long"}},
                    Machine{"constrained_software", "dpe", {"selector.kind=constrained", "dpe.stack=software"}}),
    [](const auto& info) { return info.param.name; });

TEST_P(StillFrontend, NeedsNoStep) {
  const Settings settings = joined(GetParam().settings, {"run.oracle=off", "stack.depth=32", "core.warps=16"});
  for (const char* workload : {"figure6", "qsort", "mcml"})
    run_workload(workload, config(GetParam().mechanism, settings));
  EXPECT_GT(unneeded_.steps, 1000u);
  EXPECT_EQ(unneeded_.that_changed_something, 0u);
}

TEST(SkipIdle, StopsInTheSameCycle) {
  for (const auto& [workload, limit] :
       {std::pair{"bfs", "run.max_cycles=3001"}, std::pair{"spin", "run.watchdog=130"}}) {
    std::string said[2];
    for (const bool skip : {false, true}) {
      try {
        run_workload(workload,
                     config("spe", joined({limit}, {"core.warps=8", skip ? "run.skip_idle=on" : "run.skip_idle=off"})));
        said[skip] = "ended";
      } catch (const Error& error) {
        said[skip] = std::string(error.what()) + error.details();
      }
    }
    EXPECT_EQ(said[0], said[1]);
    EXPECT_NE(said[0], "ended");
  }
}

#ifdef HEDDLE_HAVE_RTL
// ---------------------------------------------------------------- Verilated models that stand

const std::vector<Machine> kModels = {
    {"spe", "spe", {}},
    {"dpe", "dpe", {}},
    {"dws", "dws", {}},
    {"forkjoin", "forkjoin", {}},
};
// With eight warps a scheduler only.
const std::vector<Machine> kOptions = {
    {"gto", "dpe", {"selector.policy=gto", "core.warps=16"}},
    {"compact_stack", "spe", {"stack.kind=compact", "core.warps=16"}},
    {"bitmap", "spe", {"scoreboard.kind=bitmap", "core.warps=16"}},
    {"constrained", "dpe", {"selector.kind=constrained", "core.warps=16"}},
    {"optimistic", "dpe", {"scoreboard.kind=optimistic", "core.warps=16"}},
    {"forwarding", "dpe", {"dpe.path_forwarding=on", "core.warps=16"}},
    {"memory_split", "dpe", {"dpe.memory_split=on", "core.warps=16"}},
    {"software_stack", "dpe", {"dpe.stack=software", "core.warps=16"}},
    {"wide", "dpe", {"core.lanes=64", "core.warps=16"}},
    {"cbar", "cbar", {"core.warps=16"}},
};

class RtlSkipIdle : public testing::TestWithParam<Machine> {};

INSTANTIATE_TEST_SUITE_P(All, RtlSkipIdle, testing::ValuesIn(kModels),
                         [](const auto& info) { return info.param.name; });
INSTANTIATE_TEST_SUITE_P(Options, RtlSkipIdle, testing::ValuesIn(kOptions),
                         [](const auto& info) { return info.param.name; });

TEST(RtlModels, SayHowManyWarpsALaunchMayHave) {
  const Error error = error_of([] {
    run_kernel("arms", "independent", {1}, {32 * 20}, config("spe", {"stack.kind=compact"}), {5}, 0, Engine::kRtl);
  });
  EXPECT_STREQ(error.what(),
               "a launch of 10 warps a scheduler: the Verilated model of this front end has 8; set "
               "core.warps = 16, or use --engine systemc");
}

// Slow memory and few warps: nearly always all of them wait.
TEST_P(RtlSkipIdle, ChangesNoCountOnEitherCoreNorInCosimulation) {
  for (const Settings& surroundings :
       {Settings{"core.warps=8", "memory.latency=600"},
        Settings{"core.warps=12", "frontend.resolve=execute", "frontend.fetch_latency=7", "muldiv.interval=33"}}) {
    const auto with = [&](const char* skip) {
      return config(GetParam().mechanism, joined(joined(GetParam().settings, surroundings), {skip, "run.oracle=off"}));
    };
    const Config every = with("run.skip_idle=off"), skipping = with("run.skip_idle=on");
    const Figures expected = all_figures(run_workload("figure6", every, Engine::kRtl));
    EXPECT_EQ(all_figures(run_workload("figure6", skipping, Engine::kRtl)), expected);
    EXPECT_EQ(watched_figures("figure6", skipping, Engine::kRtl, "rtl_" + GetParam().name), expected);
    EXPECT_EQ(all_figures(run_workload("figure6", skipping, Engine::kCosim)), expected);
  }
  const Config longer =
      config(GetParam().mechanism, joined(GetParam().settings, {"run.oracle=off", "run.skip_idle=on"}));
  EXPECT_EQ(all_figures(run_workload("bfs", longer, Engine::kRtl)), all_figures(run_workload("bfs", longer)));
}

// ---------------------------------------------------------------- Verilated models of few warps

class RtlWarps : public testing::TestWithParam<Machine> {};

INSTANTIATE_TEST_SUITE_P(All, RtlWarps, testing::ValuesIn(kModels), [](const auto& info) { return info.param.name; });

// Up to 16 warps, eight a scheduler, a launch has a model of its own; the core goes from one to the other.
TEST_P(RtlWarps, LaunchesOfFewAndOfManyWarpsInTurn) {
  const auto figures = [&](Engine engine) {
    Device device(config(GetParam().mechanism, GetParam().settings), engine);
    device.load(elf("arms"));
    Figures all;
    for (const unsigned warps : {3u, 17u, 16u, 32u, 1u, 18u, 16u}) {
      std::vector<std::uint32_t> out(32 * warps);
      const auto bytes = static_cast<std::uint32_t>(4 * out.size());
      const std::uint32_t address = device.allocate(bytes);
      device.launch("independent", {1}, {32 * warps}, {address, 5});
      device.read(address, out.data(), bytes);
      for (const auto& figure : all_figures(device.stats())) all.push_back(figure);
      for (const std::uint32_t word : out) all.emplace_back("out", word);
    }
    return all;
  };
  const Figures expected = figures(Engine::kSystemC);
  EXPECT_EQ(figures(Engine::kRtl), expected);
  EXPECT_EQ(figures(Engine::kCosim), expected);
}

// Where warps have nested, in loops and in recursion: a few warps in a model of eight, and all in the other.
TEST_P(RtlWarps, ShowsTheSameStacks) {
  const auto stops = [&](Engine engine, unsigned cycles, const auto& run) {
    try {
      run(config(GetParam().mechanism,
                 joined(GetParam().settings, {fmt::format("run.max_cycles={}", cycles), "run.oracle=off"})),
          engine);
      return std::string("ended");
    } catch (const Error& error) {
      return std::string(error.what()) + error.details();
    }
  };
  const auto compare = [&](unsigned cycles, const auto& run) {
    const std::string expected = stops(Engine::kSystemC, cycles, run);
    EXPECT_NE(expected.find("stack[1]"), std::string::npos) << expected;
    EXPECT_EQ(stops(Engine::kRtl, cycles, run), expected);
  };
  for (const std::string size : {"small", "default"}) {
    compare(60007, [&](const Config& c, Engine engine) { run_workload("qsort", c, engine, size); });
  }
  if (!kernel_form(config(GetParam().mechanism, GetParam().settings)).empty())
    return;  // compiled anew for its mechanism
  for (const unsigned warps : {4u, 20u}) {
    for (const unsigned cycles : {301u, 503u, 902u, 1501u}) {
      compare(cycles, [&](const Config& c, Engine engine) {
        run_kernel("meeting", "mutual", {1}, {32 * warps}, c, {}, 0, engine);
      });
    }
  }
}
#endif

}  // namespace
}  // namespace heddle::test::direct_core_test
