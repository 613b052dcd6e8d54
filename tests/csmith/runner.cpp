// SPDX-License-Identifier: Apache-2.0
// csmith_runner [--blocks N] [--sample|--brief FORM] [--mechanisms A,B] [--left-out FORMS] PROGRAM.elf EXPECTED SEED:
// runs one divergent program under every option that changes the order of execution, with oracle and checks on, and
// compares every thread's result with EXPECTED (32-bit words, one a thread, 2 blocks of them by default). All runs with
// the same number of lanes must take the same paths; where warps are formed anew or subdivided, the same thread
// instructions. A mechanism that asks for another form of kernels runs PROGRAM.form.elf.
// --sample: each scheduling option in some of the runs, as the seed says, and a line of counts.
// --brief FORM: PROGRAM.elf is of that form (plain, or what kernels of a mechanism are called); every mechanism that
// runs it, and every option of the dual-path stack and the scoreboards, once, with lanes and other options as the seed
// says, co-simulation apart. Exit status: 0 all equal, 1 a run failed (its configuration is printed), 2 bad usage, 4
// the program is not one to test with (uniform, or too long).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "config/config.h"
#include "heddle/device.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"
#include "oracle/functional.h"
#include "program/cfg.h"
#include "program/loader.h"

namespace heddle {
namespace {

constexpr int kPassed = 0, kFailed = 1, kUsage = 2, kUnusable = 4;
constexpr const char* kMaxInstructions = "400000";  // of all threads, on the functional device
constexpr const char* kMaxSampled = "1500000";      // with --sample, which is fewer runs

constexpr const char* kLanes[] = {"4", "8", "16", "32", "64"};
constexpr const char* kHeuristics[] = {"dmaj", "dmin", "dtime", "dpdpri", "dpc"};

struct Unusable {
  std::string why;
};

struct Options {
  unsigned blocks = 2;
  bool sample = false;
  std::string mechanisms;  // separated by commas; empty: all
  std::string left_out;    // forms of kernels that are not there, separated by commas
  std::string brief;       // a form, or empty
  std::string elf, expected;
  std::uint64_t seed = 0;
};

// What the order of execution may not change.
struct Paths {
  std::uint64_t warp_instructions, thread_instructions, divergent_branches;  // or predicated ones
  bool operator==(const Paths& other) const {
    return std::tie(warp_instructions, thread_instructions, divergent_branches) ==
           std::tie(other.warp_instructions, other.thread_instructions, other.divergent_branches);
  }
};

struct Setting {
  std::vector<std::string> keys;
  Engine engine = Engine::kSystemC;

  [[nodiscard]] std::string text() const {
    std::string all = engine == Engine::kCosim ? "cosim" : "systemc";
    for (const std::string& key : keys) all += " " + key;
    return all;
  }
  [[nodiscard]] bool is_of(const std::string& mechanisms) const {
    return mechanisms.empty() || std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
             return key.rfind("mechanism=", 0) == 0 &&
                    ("," + mechanisms + ",").find("," + key.substr(10) + ",") != std::string::npos;
           });
  }
  // Runs of one form with one number of lanes take the same paths; where threads meet at joins only, the sides of a
  // branch that is predicated meet earlier.
  [[nodiscard]] std::string paths() const {
    return form().empty() ? "" : form() + std::to_string(config().core.predicate);
  }
  // Threads issue together from where they meet to where they part; not so where warps are formed anew or subdivided.
  [[nodiscard]] bool static_warps() const {
    const Config all = config();
    if (mechanism_kind(all.mechanism) != MechanismKind::kFrontend) return all.mechanism == "pdom-barrel";
    const FrontendShape shape = frontend_shape(all);
    return !shape.core.splits_warps && !shape.core.splits_at_loads;
  }
  // Of the kernel's ELFs, by what is in front of the extension.
  [[nodiscard]] std::string form() const { return kernel_form(config()); }
  [[nodiscard]] Config config() const {
    ConfigBuilder builder;
    for (const char* common : {"memory.local_bytes=65536", "core.registers=196608"})
      builder.set(common, "csmith_runner");
    for (const std::string& key : keys) builder.set(key, "csmith_runner");
    return builder.build();
  }
};

class Runner {
 public:
  Runner(const Options& options, std::vector<std::uint32_t> expected)
      : options_(options),
        expected_(std::move(expected)) {}

  // Throws Unusable.
  void run_functional() {
    const std::string most = options_.sample || !options_.brief.empty() ? kMaxSampled : kMaxInstructions;
    const Setting setting{{"run.max_cycles=" + most}};
    FunctionalDevice device(setting.config());
    device.load(load_program(options_.elf));
    try {
      check(launch(device));
    } catch (const Error& error) {
      if (error.code() == "max_cycles") throw Unusable{"runs more than " + most + " instructions"};
      fail("functional device", error.code(), error.what());
    }
  }

  // Nothing if the run failed, or its mechanism was not asked for, or its form of the kernels left out.
  std::optional<Stats> run(const Setting& setting) {
    const std::string form = options_.brief.empty() ? setting.form() : "";
    if (!setting.is_of(options_.mechanisms) ||
        (!form.empty() && ("," + options_.left_out + ",").find("," + form + ",") != std::string::npos)) {
      return std::nullopt;
    }
    ++runs_;
    Device device(setting.config(), setting.engine);
    device.load(form.empty() ? options_.elf
                             : std::filesystem::path(options_.elf).replace_extension(form + ".elf").string());
    try {
      check(launch(device));
    } catch (const Error& error) {
      fail(setting.text(), error.code(), error.what());
      return std::nullopt;
    }
    const Stats& stats = device.stats();
    check_paths(setting, stats);
    return stats;
  }

  [[nodiscard]] unsigned runs() const { return runs_; }
  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::vector<std::uint32_t> launch(DeviceInterface& device) const {
    const auto threads = static_cast<std::uint32_t>(expected_.size());
    const Address result = device.allocate(4 * threads);
    device.launch("run", {options_.blocks}, {threads / options_.blocks}, {result});
    std::vector<std::uint32_t> words(threads);
    device.read(result, words.data(), 4 * threads);
    return words;
  }
  void check(const std::vector<std::uint32_t>& result) const {
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (result[i] != expected_[i]) {
        throw Error(ExitStatus::kWrongResult, "result",
                    fmt::format("thread {} has 0x{:08x}, expected 0x{:08x}", i, result[i], expected_[i]));
      }
    }
  }
  void check_paths(const Setting& setting, const Stats& stats) {
    // A return or jump whose threads go different ways is issued again for those that stay: how often depends on the
    // warps.
    if (!setting.static_warps() && (options_.sample || !options_.brief.empty())) return;
    if (frontend_shape(setting.config()).core.splits_at_loads)
      return;                                  // nor is it with a branch that waits for the other part
    if (setting.form() == "barriers") return;  // where nothing is marked, who meets depends on whose turn it is
    Paths paths{stats.warp_instructions, stats.thread_instructions,
                stats.divergent_branches + stats.predicated_branches};
    const auto& [first, where] =
        paths_.emplace(std::pair{setting.paths(), stats.lanes}, std::pair{paths, setting.text()}).first->second;
    if (!setting.static_warps()) {
      paths.warp_instructions = first.warp_instructions;
      paths.divergent_branches = first.divergent_branches;
    }
    if (first == paths) return;
    fail(setting.text(), "paths",
         fmt::format("{} warp and {} thread instructions, {} divergent branches, but {}, {} and {} with {}",
                     paths.warp_instructions, paths.thread_instructions, paths.divergent_branches,
                     first.warp_instructions, first.thread_instructions, first.divergent_branches, where));
  }
  void fail(const std::string& setting, const std::string& code, const std::string& what) {
    failed_ = true;
    fmt::print("{}: {}: {}\n", setting, code, what);
  }

  const Options options_;
  const std::vector<std::uint32_t> expected_;
  std::map<std::pair<std::string, unsigned>, std::pair<Paths, std::string>>
      paths_;  // by Setting::paths and lanes: the first run's
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
        settings.back().keys.push_back("core.predicate=" + std::to_string(settings.size() % 3 * 4));
        settings.back().keys.insert(settings.back().keys.end(), more);
      };
      for (const char* order : {"taken_first", "fallthrough_first", "smaller_first", "larger_first"}) {
        add({"mechanism=spe", std::string("stack.order=") + order});
      }
      add({"mechanism=spe", "stack.kind=compact"});
      for (const char* order : {"taken_first", "fallthrough_first"})
        add({"mechanism=forkjoin", std::string("stack.order=") + order});
      for (const char* policy : {"0", "1", "2"}) add({"mechanism=cbar", std::string("cbar.policy=") + policy});
      for (const char* splits : {"2", "8", "64"}) {
        add({"mechanism=dws", std::string("dws.splits=") + splits,
             std::string("dws.threshold=") + (settings.size() % 2 == 0 ? "10" : "100")});
      }
      for (const char* scoreboard : {"shadow", "optimistic"}) {
        add({"mechanism=dpe", "dpe.path_forwarding=true", std::string("scoreboard.kind=") + scoreboard});
      }
      for (const char* mechanism : {"spe", "dpe"})
        add({std::string("mechanism=") + mechanism, "scoreboard.kind=bitmap"});
      add({"mechanism=dpe", "dpe.memory_split=true"});
      for (const char* kind : {"two_level", "constrained"}) {
        add({"mechanism=dpe", "dpe.stack=software", std::string("selector.kind=") + kind});
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
  const auto add = [&](std::initializer_list<std::string> more) {
    settings.push_back({{"core.lanes=" + lanes, "core.warps=16", "core.schedulers=1"}});
    settings.back().keys.insert(settings.back().keys.end(), more);
  };
  for (const char* heuristic : kHeuristics) {
    const std::string key = std::string("dwf.heuristic=") + heuristic;
    for (const char* regfile : {"lane_aware", "ideal", "crossbar"})
      add({"mechanism=dwf", key, std::string("dwf.regfile=") + regfile});
    add({"mechanism=dwf", key, "dwf.lut_entries=2", "dwf.lut_ways=1", "dwf.table_entries=2"});
  }
  for (const char* heuristic : {"dmaj", "dmin"})
    add({"mechanism=dwf", std::string("dwf.heuristic=") + heuristic, "dwf.table_sort=exact"});
  for (const char* swizzle : {"none", "rotate"}) add({"mechanism=dwf", std::string("dwf.swizzle=") + swizzle});
  add({"mechanism=pdom-barrel", "stack.depth=64"});
  add({"mechanism=naive"});
  add({"mechanism=mimd"});
  return settings;
}

#ifdef HEDDLE_HAVE_RTL
constexpr unsigned kRtlStackDepth = 16;

// The combinations the Verilated models are built for: one of each mechanism, chosen by the seed.
std::vector<Setting> cosimulations(std::uint64_t seed) {
  const std::vector<Setting> spe{
      {{"mechanism=spe"}}, {{"mechanism=spe", "stack.kind=compact"}}, {{"mechanism=spe", "scoreboard.kind=bitmap"}}};
  const std::vector<Setting> dpe{{{"mechanism=dpe"}},
                                 {{"mechanism=dpe", "selector.policy=gto"}},
                                 {{"mechanism=dpe", "selector.kind=constrained"}},
                                 {{"mechanism=dpe", "scoreboard.kind=optimistic"}},
                                 {{"mechanism=dpe", "dpe.path_forwarding=true"}},
                                 {{"mechanism=dpe", "dpe.memory_split=true"}},
                                 {{"mechanism=dpe", "dpe.stack=software"}},
                                 {{"mechanism=dpe", "core.lanes=64"}}};
  const std::vector<Setting> forkjoin{{{"mechanism=forkjoin"}}};
  const std::vector<Setting> dws{
      {{"mechanism=dws"}}, {{"mechanism=dws", "dws.threshold=100"}}, {{"mechanism=dws", "dws.threshold=5"}}};
  std::vector<Setting> settings{spe[seed % spe.size()], dpe[seed % dpe.size()], forkjoin[seed % forkjoin.size()],
                                dws[seed % dws.size()]};
  for (Setting& setting : settings) {
    setting.engine = Engine::kCosim;
    setting.keys.push_back(std::string("frontend.resolve=") + (seed % 2 == 0 ? "issue" : "execute"));
    setting.keys.push_back(std::string("core.predicate=") + (seed / 2 % 2 == 0 ? "8" : "4"));
  }
  settings.push_back({{"mechanism=dwf", "core.lanes=16", "core.warps=16", "core.schedulers=1",
                       std::string("dwf.heuristic=") + kHeuristics[seed % 5]},
                      Engine::kCosim});
  return settings;
}
#endif

// A sixth of the scheduling options, each heuristic once, and the reference bounds; other ones for the next seed.
std::vector<Setting> sampled_options(std::uint64_t seed) {
  std::vector<Setting> settings;
  const std::vector<Setting> scheduling = scheduling_options(kLanes[seed % 5]);
  for (std::size_t i = seed % 6; i < scheduling.size(); i += 6) settings.push_back(scheduling[i]);
  for (std::size_t lanes = 0; lanes < std::size(kLanes); ++lanes) {
    const std::vector<Setting> barrel = barrel_options(kLanes[lanes]);
    for (std::size_t i = 0; i < barrel.size(); ++i) {
      const bool formed = barrel[i].is_of("dwf");  // of 32 lanes at most
      if (formed && i % 4 != seed % 4) continue;
      if ((seed / 4 + i) % (formed ? 4 : 5) == lanes) settings.push_back(barrel[i]);
    }
  }
  return settings;
}

std::vector<Setting> brief_options(const std::string& form, std::uint64_t seed) {
  std::mt19937_64 random(seed);  // seeds may all be multiples of something
  const auto one_of = [&](const char* key, const std::vector<std::string>& values) {
    return key + ("=" + values[random() % values.size()]);
  };
  const std::string lanes = one_of("core.lanes", {"4", "8", "16", "32", "64"}),
                    formed = one_of("core.lanes", {"4", "8", "16", "32"});
  const std::string resolve = one_of("frontend.resolve", {"issue", "execute"}),
                    predicate = one_of("core.predicate", {"0", "4", "8"});
  const std::string kind = one_of("selector.kind", {"two_level", "constrained"}),
                    scoreboard = one_of("scoreboard.kind", {"shadow", "optimistic"});
  const std::vector<Setting> all{
      {{"mechanism=spe", "stack.depth=64", lanes, resolve, predicate}},
      {{"mechanism=spe", "stack.depth=64", lanes, resolve, predicate, "stack.kind=compact"}},
      {{"mechanism=dpe", "stack.depth=64", lanes, resolve, predicate, kind}},
      {{"mechanism=dpe", "stack.depth=64", lanes, resolve, predicate, kind, "dpe.stack=software"}},
      {{"mechanism=dpe", "stack.depth=64", lanes, resolve, predicate, "dpe.path_forwarding=true", scoreboard}},
      {{"mechanism=dpe", "stack.depth=64", lanes, resolve, predicate, "dpe.memory_split=true"}},
      {{one_of("mechanism", {"spe", "dpe"}), "stack.depth=64", lanes, resolve, predicate, "scoreboard.kind=bitmap"}},
      {{"mechanism=dws", "stack.depth=64", lanes, resolve, predicate, one_of("dws.splits", {"2", "8"})}},
      {{"mechanism=forkjoin", "stack.depth=64", lanes, resolve, predicate}},
      {{"mechanism=cbar", lanes, resolve, predicate, "cbar.policy=0"}},
      {{"mechanism=cbar", lanes, resolve, predicate, one_of("cbar.policy", {"1", "2"}),
        one_of("stack.order", {"taken_first", "fallthrough_first", "smaller_first", "larger_first"}),
        one_of("cbar.yield_leaves", {"false", "true"})}},
      {{"mechanism=dwf", formed, "core.warps=16", "core.schedulers=1",
        one_of("dwf.heuristic", {std::begin(kHeuristics), std::end(kHeuristics)})}}};
  std::vector<Setting> settings;
  std::copy_if(all.begin(), all.end(), std::back_inserter(settings),
               [&](const Setting& s) { return s.form() == (form == "plain" ? "" : form); });
  return settings;
}

// For who wants to know what the programs did: branches as one run executed them, static ones by where their sides
// meet.
void print_counts(const Options& options, const Stats& stats, std::uint64_t depth) {
  std::uint64_t executed = 0, divergent = 0;
  unsigned at_pc = 0, at_return = 0, nowhere = 0, irreducible = 0, table_jumps = 0, indirect_jumps = 0, structured = 0,
           unstructured = 0;
  for (const BranchStats& branch : stats.branches) {
    executed += branch.executed;
    divergent += branch.divergent;
    (branch.rpc == kNoRpc ? nowhere : branch.rpc == kReturnRpc ? at_return : at_pc) += 1;
  }
  for (const FunctionCfg& function : control_flow(load_program(options.elf))) {
    irreducible += function.irreducible ? 1 : 0;
    indirect_jumps += static_cast<unsigned>(function.indirect_jumps.size());
    for (const BasicBlock& block : function.blocks) table_jumps += block.terminator == Terminator::kTableJump ? 1 : 0;
    for (const Branch& branch : function.branches) (branch.structured ? structured : unstructured) += 1;
  }
  fmt::print(
      "counts instructions={} executed={} divergent={} at_pc={} at_return={} nowhere={} structured={} unstructured={} "
      "irreducible={} "
      "table_jumps={} indirect_jumps={} depth={}\n",
      stats.thread_instructions, executed, divergent, at_pc, at_return, nowhere, structured, unstructured, irreducible,
      table_jumps, indirect_jumps, depth);
}

int run(const Options& options, const std::vector<std::uint32_t>& expected) {
  Runner runner(options, expected);
  runner.run_functional();
  std::uint64_t depth = 0, divergent = 0;
  std::optional<Stats> counted;  // of the first run that passed
  const auto note = [&](const std::optional<Stats>& stats) {
    if (!stats) return;
    depth = std::max(depth, stats->max_stack_depth);
    divergent = std::max(divergent, stats->divergent_branches);
    if (!counted) counted = stats;
  };
  if (!options.brief.empty()) {
    for (const Setting& setting : brief_options(options.brief, options.seed)) note(runner.run(setting));
    if (runner.failed()) return kFailed;
    if (runner.runs() == 0)
      throw Error(ExitStatus::kBadInput, "option", "--brief " + options.brief + ": no mechanism runs that form");
    fmt::print("{} runs, {} divergent branches, stack depth {}\n", runner.runs(), divergent, depth);
    return kPassed;
  }
  for (const char* lanes : kLanes) {
    for (const char* mechanism : {"spe", "dpe", "dws", "forkjoin"}) {
      note(runner.run({{std::string("core.lanes=") + lanes, std::string("mechanism=") + mechanism, "stack.depth=64"}}));
    }
  }
  if (!options.sample && !runner.failed() && divergent < 2) throw Unusable{"threads take the same path"};
  const std::uint64_t seed = options.seed;
  if (options.sample) {
    for (const Setting& setting : sampled_options(seed)) note(runner.run(setting));
  } else {
    for (const Setting& setting : scheduling_options(kLanes[seed % 5])) runner.run(setting);
    for (const Setting& setting : barrel_options(kLanes[seed % 4])) runner.run(setting);
  }
#ifdef HEDDLE_HAVE_RTL
  for (const Setting& setting : cosimulations(seed)) {
    Setting deep{setting.keys};  // how deep its stack gets: that of rows in memory is another one
    deep.keys.emplace_back("stack.depth=64");
    const std::optional<Stats> stats = runner.run(deep);
    if (stats && stats->max_stack_depth <= kRtlStackDepth) runner.run(setting);
  }
#endif
  if (options.sample && counted) print_counts(options, *counted, depth);
  if (runner.failed()) return kFailed;
  fmt::print("{} runs, {} divergent branches, stack depth {}\n", runner.runs(), divergent, depth);
  return kPassed;
}

int usage() {
  std::fputs(
      "usage: csmith_runner [--blocks N] [--sample|--brief FORM] [--mechanisms A,B] [--left-out FORMS] PROGRAM.elf "
      "EXPECTED SEED\n",
      stderr);
  return kUsage;
}

// Nothing if the command line is not one.
std::optional<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  std::size_t i = 0;
  for (; i < arguments.size() && arguments[i].rfind("--", 0) == 0; ++i) {
    if (arguments[i] == "--sample") {
      options.sample = true;
    } else if (arguments[i] == "--blocks" && i + 1 < arguments.size()) {
      options.blocks = static_cast<unsigned>(std::strtoul(arguments[++i].c_str(), nullptr, 10));
    } else if (arguments[i] == "--brief" && i + 1 < arguments.size()) {
      options.brief = arguments[++i];
    } else if (arguments[i] == "--mechanisms" && i + 1 < arguments.size()) {
      options.mechanisms = arguments[++i];
    } else if (arguments[i] == "--left-out" && i + 1 < arguments.size()) {
      options.left_out = arguments[++i];
    } else {
      return std::nullopt;
    }
  }
  if (arguments.size() - i != 3 || options.blocks == 0) return std::nullopt;
  options.elf = arguments[i];
  options.expected = arguments[i + 1];
  options.seed = std::strtoull(arguments[i + 2].c_str(), nullptr, 10);
  return options;
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  const auto options = heddle::parse({argv + 1, argv + argc});
  if (!options) return heddle::usage();
  std::ifstream file(options->expected, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (bytes.empty() || bytes.size() % (4 * options->blocks) != 0) return heddle::usage();
  std::vector<std::uint32_t> expected(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(expected.data()));
  try {
    return heddle::run(*options, expected);
  } catch (const heddle::Unusable& unusable) {
    fmt::print("{}\n", unusable.why);
    return heddle::kUnusable;
  } catch (const std::exception& error) {
    fmt::print("{}\n", error.what());
    return heddle::kFailed;
  }
}
