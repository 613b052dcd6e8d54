// SPDX-License-Identifier: Apache-2.0
// csmith_runner PROGRAM.elf EXPECTED SEED: runs one divergent program under every option that changes the order of execution, with
// oracle and checks on, and compares every thread's result with EXPECTED (32-bit words, one a thread). All runs with the same
// number of lanes must take the same paths; where warps are formed anew, the same thread instructions. Exit status: 0 all equal, 1 a run failed (its configuration is printed), 2 bad usage,
// 4 the program is not one to test with (uniform, or too long).
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "config/config.h"
#include "heddle/device.h"
#include "heddle/error.h"
#include "oracle/functional.h"
#include "program/loader.h"

namespace heddle {
namespace {

constexpr int kPassed = 0, kFailed = 1, kUsage = 2, kUnusable = 4;
constexpr const char* kMaxInstructions = "400000";  // of all threads, on the functional device

constexpr const char* kHeuristics[] = {"dmaj", "dmin", "dtime", "dpdpri", "dpc"};

struct Unusable {
  std::string why;
};

// What the order of execution may not change.
struct Paths {
  std::uint64_t warp_instructions, thread_instructions, divergent_branches;
  bool operator==(const Paths& other) const {
    return std::tie(warp_instructions, thread_instructions, divergent_branches) ==
           std::tie(other.warp_instructions, other.thread_instructions, other.divergent_branches);
  }
};

struct Setting {
  std::vector<std::string> keys;
  Engine engine = Engine::kSystemC;
  bool static_warps = true;

  [[nodiscard]] std::string text() const {
    std::string all = engine == Engine::kCosim ? "cosim" : "systemc";
    for (const std::string& key : keys) all += " " + key;
    return all;
  }
  [[nodiscard]] Config config() const {
    ConfigBuilder builder;
    for (const char* common : {"memory.local_bytes=65536", "core.registers=196608"}) builder.set(common, "csmith_runner");
    for (const std::string& key : keys) builder.set(key, "csmith_runner");
    return builder.build();
  }
};

class Runner {
 public:
  Runner(std::string elf, std::vector<std::uint32_t> expected) : elf_(std::move(elf)), expected_(std::move(expected)) {}

  // Throws Unusable.
  void run_functional() {
    Setting setting{{"run.max_cycles=" + std::string(kMaxInstructions)}};
    FunctionalDevice device(setting.config());
    device.load(load_program(elf_));
    try {
      check(launch(device));
    } catch (const Error& error) {
      if (error.code() == "max_cycles") throw Unusable{"runs more than " + std::string(kMaxInstructions) + " instructions"};
      fail("functional device", error.what());
    }
  }

  Stats run(const Setting& setting) {
    ++runs_;
    Device device(setting.config(), setting.engine);
    device.load(elf_);
    try {
      check(launch(device));
    } catch (const Error& error) {
      fail(setting.text(), error.what());
    }
    const Stats& stats = device.stats();
    Paths paths{stats.warp_instructions, stats.thread_instructions, stats.divergent_branches};
    const auto [first, is_new] = paths_.emplace(stats.lanes, std::pair{paths, setting.text()});
    if (!setting.static_warps) {
      paths.warp_instructions = first->second.first.warp_instructions;
      paths.divergent_branches = first->second.first.divergent_branches;
    }
    if (!is_new && !(first->second.first == paths)) {
      const Paths& other = first->second.first;
      fail(setting.text(), fmt::format("{} warp and {} thread instructions, {} divergent branches, but {}, {} and {} with {}",
                                       paths.warp_instructions, paths.thread_instructions, paths.divergent_branches,
                                       other.warp_instructions, other.thread_instructions, other.divergent_branches, first->second.second));
    }
    return stats;
  }

  [[nodiscard]] unsigned runs() const { return runs_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::vector<std::uint32_t> launch(DeviceInterface& device) const {
    const auto threads = static_cast<std::uint32_t>(expected_.size());
    const Address result = device.allocate(4 * threads);
    device.launch("run", {2}, {threads / 2}, {result});
    std::vector<std::uint32_t> words(threads);
    device.read(result, words.data(), 4 * threads);
    return words;
  }
  void check(const std::vector<std::uint32_t>& result) const {
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result[i] != expected_[i]) {
        throw Error(ExitStatus::kWrongResult, "result", fmt::format("thread {} has 0x{:08x}, expected 0x{:08x}", i, result[i], expected_[i]));
      }
    }
  }
  void fail(const std::string& setting, const std::string& what) {
    failed_ = true;
    fmt::print("{}: {}\n", setting, what);
  }

  const std::string elf_;
  const std::vector<std::uint32_t> expected_;
  std::map<unsigned, std::pair<Paths, std::string>> paths_;  // by lanes: the first run's
  unsigned runs_ = 0;
  bool failed_ = false;
};

std::vector<Setting> scheduling_options(const std::string& lanes) {
  std::vector<Setting> settings;
  for (const char* resolve : {"issue", "execute"}) {
    for (const char* policy : {"lrr", "gto"}) {
      const std::vector<std::string> common{"core.lanes=" + lanes, std::string("frontend.resolve=") + resolve,
                                            std::string("selector.policy=") + policy, "stack.depth=64"};
      const auto add = [&](std::initializer_list<std::string> more) {
        settings.push_back({common});
        settings.back().keys.insert(settings.back().keys.end(), more);
      };
      for (const char* order : {"taken_first", "fallthrough_first", "smaller_first", "larger_first"}) {
        add({"mechanism=spe", std::string("stack.order=") + order});
      }
      for (const char* kind : {"two_level", "constrained"}) {
        for (const char* scoreboard : {"shadow", "optimistic"}) {
          for (const char* left : {"true", "false"}) {
            add({"mechanism=dpe", std::string("selector.kind=") + kind, std::string("scoreboard.kind=") + scoreboard,
                 std::string("stack.taken_left=") + left});
          }
        }
      }
    }
  }
  return settings;
}

// The barrel core: all heuristics and register files, structures so small that they overflow, and the reference bounds.
std::vector<Setting> barrel_options(const std::string& lanes) {
  std::vector<Setting> settings;
  const auto add = [&](bool static_warps, std::initializer_list<std::string> more) {
    settings.push_back({{"core.lanes=" + lanes, "core.warps=16", "core.schedulers=1"}, Engine::kSystemC, static_warps});
    settings.back().keys.insert(settings.back().keys.end(), more);
  };
  for (const char* heuristic : kHeuristics) {
    const std::string key = std::string("dwf.heuristic=") + heuristic;
    for (const char* regfile : {"lane_aware", "ideal", "crossbar"}) add(false, {"mechanism=dwf", key, std::string("dwf.regfile=") + regfile});
    add(false, {"mechanism=dwf", key, "dwf.lut_entries=2", "dwf.lut_ways=1", "dwf.table_entries=2"});
  }
  for (const char* swizzle : {"none", "rotate"}) add(false, {"mechanism=dwf", std::string("dwf.swizzle=") + swizzle});
  add(true, {"mechanism=pdom-barrel", "stack.depth=64"});
  add(false, {"mechanism=naive"});
  add(false, {"mechanism=mimd"});
  return settings;
}

#ifdef HEDDLE_HAVE_RTL
constexpr unsigned kRtlStackDepth = 16;

// The combinations the Verilated models are built for: one of each mechanism, chosen by the seed.
std::vector<Setting> cosimulations(std::uint64_t seed) {
  const std::vector<Setting> spe{{{"mechanism=spe"}},
                                 {{"mechanism=spe", "selector.policy=gto"}},
                                 {{"mechanism=spe", "core.lanes=64"}}};
  const std::vector<Setting> dpe{{{"mechanism=dpe"}},
                                 {{"mechanism=dpe", "selector.policy=gto"}},
                                 {{"mechanism=dpe", "selector.kind=constrained"}},
                                 {{"mechanism=dpe", "scoreboard.kind=optimistic"}},
                                 {{"mechanism=dpe", "core.lanes=64"}}};
  std::vector<Setting> settings{spe[seed % spe.size()], dpe[seed % dpe.size()]};
  for (Setting& setting : settings) {
    setting.engine = Engine::kCosim;
    setting.keys.push_back(std::string("frontend.resolve=") + (seed % 2 == 0 ? "issue" : "execute"));
  }
  settings.push_back({{"mechanism=dwf", "core.lanes=16", "core.warps=16", "core.schedulers=1", std::string("dwf.heuristic=") + kHeuristics[seed % 5]},
                      Engine::kCosim,
                      false});
  return settings;
}
#endif

int run(const std::string& elf, const std::vector<std::uint32_t>& expected, std::uint64_t seed) {
  static constexpr const char* kLanes[] = {"4", "8", "16", "32", "64"};
  Runner runner(elf, expected);
  runner.run_functional();
  std::uint64_t depth = 0, divergent = 0;
  for (const char* lanes : kLanes) {
    for (const char* mechanism : {"spe", "dpe"}) {
      const Stats stats = runner.run({{std::string("core.lanes=") + lanes, std::string("mechanism=") + mechanism, "stack.depth=64"}});
      depth = std::max(depth, stats.max_stack_depth);
      divergent = std::max(divergent, stats.divergent_branches);
    }
  }
  if (!runner.failed() && divergent < 2) throw Unusable{"threads take the same path"};
  for (const Setting& setting : scheduling_options(kLanes[seed % 5])) runner.run(setting);
  for (const Setting& setting : barrel_options(kLanes[seed % 4])) runner.run(setting);
#ifdef HEDDLE_HAVE_RTL
  if (depth <= kRtlStackDepth) {
    for (const Setting& setting : cosimulations(seed)) runner.run(setting);
  }
#endif
  if (runner.failed()) return kFailed;
  fmt::print("{} runs, {} divergent branches, stack depth {}\n", runner.runs(), divergent, depth);
  return kPassed;
}

int usage() {
  std::fputs("usage: csmith_runner PROGRAM.elf EXPECTED SEED\n", stderr);
  return kUsage;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  if (argc != 4) return heddle::usage();
  std::ifstream file(argv[2], std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.empty() || bytes.size() % 8 != 0) return heddle::usage();
  std::vector<std::uint32_t> expected(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(expected.data()));
  try {
    return heddle::run(argv[1], expected, std::strtoull(argv[3], nullptr, 10));
  } catch (const heddle::Unusable& unusable) {
    fmt::print("{}\n", unusable.why);
    return heddle::kUnusable;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return heddle::kFailed;
  }
}
