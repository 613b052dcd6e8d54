// SPDX-License-Identifier: Apache-2.0
// Every workload on the functional device: right results are accepted, wrong ones are not, and the options are checked.
// The kernels' branches are what their sources claim: real two-sided branches where a workload is about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>

#include "heddle/config.h"
#include "heddle/error.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "oracle/functional.h"
#include "program/cfg.h"
#include "program/loader.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

// Passes everything on to a device, remembers the launches, and may spoil what the host reads last.
class Observer final : public DeviceInterface {
 public:
  explicit Observer(DeviceInterface& device) : device_(device) {}

  Address allocate(std::uint64_t bytes) override { return device_.allocate(bytes); }
  void write(Address destination, const void* source, std::uint64_t bytes) override {
    device_.write(destination, source, bytes);
  }
  void read(Address source, void* destination, std::uint64_t bytes) override {
    device_.read(source, destination, bytes);
    if (reads_++ == spoiled_read_) spoil(destination, bytes);
  }
  void launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
              std::uint32_t float_mask, std::uint32_t dynamic_shared) override {
    threads_ += grid.count() * block.count();
    device_.launch(kernel, grid, block, arguments, float_mask, dynamic_shared);
  }

  // What to change in the given read: bit 6 of a byte, or, for kLargestFloat, bit 12 of the float farthest from 0.
  static constexpr std::uint32_t kLargestFloat = ~0u;
  void spoil_read(int read, std::uint32_t byte) { spoiled_read_ = read, spoiled_byte_ = byte; }
  [[nodiscard]] int reads() const { return reads_; }
  [[nodiscard]] std::uint64_t threads() const { return threads_; }

 private:
  void spoil(void* data, std::uint32_t bytes) const {
    if (spoiled_byte_ != kLargestFloat) {
      static_cast<unsigned char*>(data)[spoiled_byte_ % bytes] ^= 0x40;
      return;
    }
    std::vector<float> values(bytes / 4);
    std::memcpy(values.data(), data, bytes);
    const auto largest =
        std::max_element(values.begin(), values.end(), [](float a, float b) { return std::fabs(a) < std::fabs(b); });
    std::uint32_t word;
    std::memcpy(&word, &*largest, 4);
    word ^= 1u << 12;
    std::memcpy(static_cast<unsigned char*>(data) + 4 * (largest - values.begin()), &word, 4);
  }

  DeviceInterface& device_;
  int reads_ = 0;
  int spoiled_read_ = -1;
  std::uint32_t spoiled_byte_ = 0;
  std::uint64_t threads_ = 0;
};

struct Run {
  int reads;
  std::uint64_t threads;
  std::uint64_t thread_instructions;
};

Run run(Workload& workload, int spoiled_read = -1, std::uint32_t spoiled_byte = 0) {
  FunctionalDevice device{Config()};
  device.load(load_program(workload.elf()));
  Observer observer(device);
  observer.spoil_read(spoiled_read, spoiled_byte);
  workload.run(observer);
  return {observer.reads(), observer.threads(), device.thread_instructions()};
}

WorkloadOptions options(const std::string& size, std::map<std::string, std::string> parameters = {},
                        std::uint64_t seed = 1) {
  WorkloadOptions result;
  result.size = size;
  result.parameters = std::move(parameters);
  result.seed = seed;
  return result;
}

std::string error_of(const std::string& name, const WorkloadOptions& options, const std::string& code) {
  try {
    (void)make_workload(name, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kBadInput);
    EXPECT_EQ(error.code(), code);
    return error.what();
  }
  return "accepted";
}

class EachWorkload : public testing::TestWithParam<std::string> {};

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const WorkloadInfo& info : workloads()) result.emplace_back(info.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, EachWorkload, testing::ValuesIn(names()), [](const auto& info) { return info.param; });

TEST_P(EachWorkload, IsRightAtSmallSizeForSeveralSeeds) {
  for (std::uint64_t seed : {1, 2, 77}) {
    const auto workload = make_workload(GetParam(), options("small", {}, seed));
    run(*workload);
    EXPECT_NO_THROW(workload->check()) << "seed " << seed;
  }
}

TEST_P(EachWorkload, IsRightAtDefaultSize) {
  const auto workload = make_workload(GetParam());
  run(*workload);
  EXPECT_NO_THROW(workload->check());
}

// One bit of each array of results; bit 6 of the highest byte of a word, so that floats change beyond any tolerance.
TEST_P(EachWorkload, RefusesAWrongResult) {
  const int reads = run(*make_workload(GetParam(), options("small"))).reads;
  for (std::uint32_t byte : {3u, 40003u}) {
    const auto workload = make_workload(GetParam(), options("small"));
    run(*workload, reads - 1, byte);
    try {
      workload->check();
      ADD_FAILURE() << "byte " << byte << " of the last result was wrong and accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
      EXPECT_EQ(error.code(), "result");
      const std::string message = error.what();
      EXPECT_EQ(message.rfind(GetParam() + ": ", 0), 0u) << message;
      EXPECT_NE(message.find(", expected "), std::string::npos) << message;
    }
  }
}

// A tolerance is for rounding: 2^-11 of the largest result, too much by one bit of 24 in the middle, is no rounding.
class EachFloatWorkload : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(All, EachFloatWorkload,
                         testing::Values("lud", "stencil3d", "lbm", "blackscholes", "fft", "lu", "matmul", "hotspot",
                                         "ray", "lps", "backprop"),
                         [](const auto& info) { return info.param; });

TEST_P(EachFloatWorkload, RefusesASmallError) {
  const int reads = run(*make_workload(GetParam(), options("small"))).reads;
  const auto workload = make_workload(GetParam(), options("small"));
  run(*workload, reads - 1, Observer::kLargestFloat);
  EXPECT_THROW(workload->check(), Error);
}

TEST_P(EachWorkload, RefusesToPassWithoutHavingRun) {
  const auto workload = make_workload(GetParam(), options("small"));
  EXPECT_THROW(workload->check(), Error);
}

TEST_P(EachWorkload, HasTheSameInputForASeed) {
  if (GetParam() == "bfs") {
    // The search depends on the graph: one with another seed takes another number of instructions.
    const auto count = [](std::uint64_t seed) {
      return run(*make_workload("bfs", options("small", {}, seed))).thread_instructions;
    };
    EXPECT_NE(count(1), count(2));
  }
  EXPECT_EQ(run(*make_workload(GetParam(), options("small"))).thread_instructions,
            run(*make_workload(GetParam(), options("small"))).thread_instructions);
}

TEST_P(EachWorkload, GrowsWithItsSize) {
  const std::uint64_t small = run(*make_workload(GetParam(), options("small"))).thread_instructions;
  const std::uint64_t standard = run(*make_workload(GetParam())).thread_instructions;
  if (find_workload(GetParam()).expects_watchdog) {
    EXPECT_EQ(standard, small) << "it is there to hang, not to take long";
  } else {
    EXPECT_GT(standard, 5 * small);
  }
}

TEST_P(EachWorkload, DescribesItself) {
  const WorkloadInfo& info = find_workload(GetParam());
  EXPECT_GT(std::string(info.summary).size(), 10u);
  EXPECT_FALSE(std::string(info.source).empty());
  std::set<std::string> seen;
  for (const ParameterInfo& parameter : info.parameters) {
    EXPECT_TRUE(seen.insert(parameter.name).second) << parameter.name << " occurs twice";
    EXPECT_FALSE(std::string(parameter.summary).empty()) << parameter.name;
    for (std::uint32_t value : {parameter.small_value, parameter.default_value, parameter.large_value, parameter.min}) {
      EXPECT_GE(value, parameter.min) << parameter.name;
      EXPECT_LE(value, parameter.max) << parameter.name;
      EXPECT_EQ(value % parameter.multiple_of, 0u) << parameter.name;
      EXPECT_TRUE(!parameter.power_of_two || (value & (value - 1)) == 0) << parameter.name;
    }
  }
}

// Shapes that fill no warp and no block evenly.
struct Shape {
  const char* name;
  std::map<std::string, std::string> parameters;
};

class OddShapes : public testing::TestWithParam<Shape> {};

TEST_P(OddShapes, AreRight) {
  const auto workload = make_workload(GetParam().name, options("small", GetParam().parameters));
  run(*workload);
  EXPECT_NO_THROW(workload->check());
}

INSTANTIATE_TEST_SUITE_P(
    All, OddShapes,
    testing::Values(
        Shape{"figure6", {{"threads", "128"}}}, Shape{"bfs", {{"nodes", "1"}, {"degree", "1"}}},
        Shape{"bfs", {{"nodes", "333"}, {"block", "50"}, {"degree", "2"}}}, Shape{"lud", {{"n", "16"}}},
        Shape{"lud", {{"n", "80"}}}, Shape{"qsort", {{"threads", "37"}, {"length", "61"}, {"block", "10"}}},
        Shape{"qsort", {{"threads", "5"}, {"length", "1"}}}, Shape{"qsort", {{"threads", "3"}, {"length", "512"}}},
        Shape{"qsort_blocks", {{"blocks", "3"}, {"length", "1"}, {"block", "2"}}},
        Shape{"qsort_blocks", {{"blocks", "1"}, {"length", "8192"}, {"block", "2"}}},
        Shape{"qsort_blocks", {{"blocks", "3"}, {"length", "129"}, {"block", "128"}}},
        Shape{"qsort_blocks", {{"blocks", "3"}, {"length", "777"}, {"block", "16"}}},
        Shape{"qsort_blocks", {{"blocks", "1"}, {"length", "3000"}, {"block", "1024"}}},
        Shape{"stencil3d", {{"nx", "19"}, {"ny", "7"}, {"nz", "3"}, {"steps", "3"}, {"block", "48"}}},
        Shape{"stencil3d", {{"nx", "1"}, {"ny", "1"}, {"nz", "1"}}},
        Shape{"bitonic", {{"blocks", "3"}, {"block", "2"}}}, Shape{"bitonic", {{"blocks", "1"}, {"block", "1024"}}},
        Shape{"bitonic", {{"blocks", "3"}, {"block", "2"}, {"memory", "global"}}},
        Shape{"bitonic", {{"memory", "global"}}}, Shape{"bitonic", {{"memory", "launches"}}},
        Shape{"bitonic", {{"blocks", "3"}, {"block", "2"}, {"memory", "launches"}}},
        Shape{"mandelbrot", {{"width", "45"}, {"height", "13"}, {"block", "32"}}},
        Shape{"reduce", {{"count", "1"}, {"blocks", "3"}, {"block", "2"}}},
        Shape{"reduce", {{"count", "777"}, {"blocks", "5"}, {"block", "64"}}}, Shape{"collatz", {{"count", "1"}}},
        Shape{"collatz", {{"count", "131"}, {"block", "33"}}},
        Shape{"viterbi", {{"sequences", "1"}, {"positions", "1"}, {"length", "1"}}},
        Shape{"viterbi", {{"sequences", "3"}, {"positions", "40"}, {"length", "100"}, {"block", "33"}}},
        Shape{"lbm", {{"nx", "1"}, {"ny", "1"}, {"nz", "1"}, {"steps", "3"}}},
        Shape{"lbm", {{"nx", "7"}, {"ny", "5"}, {"nz", "3"}, {"steps", "5"}, {"block", "50"}}},
        Shape{"blackscholes", {{"count", "1"}}},
        Shape{"blackscholes", {{"count", "777"}, {"blocks", "3"}, {"block", "50"}}},
        Shape{"blackscholes", {{"functions", "library"}}},
        Shape{"blackscholes", {{"functions", "library"}, {"count", "99"}, {"blocks", "1"}}},
        Shape{"fft", {{"points", "2"}, {"block", "5"}}}, Shape{"fft", {{"points", "1024"}, {"block", "48"}}},
        Shape{"fft", {{"points", "2"}, {"block", "5"}, {"memory", "global"}}}, Shape{"fft", {{"memory", "global"}}},
        Shape{"fft", {{"points", "2"}, {"block", "5"}, {"memory", "launches"}}}, Shape{"fft", {{"memory", "launches"}}},
        Shape{"lu", {{"n", "4"}, {"block", "1"}}}, Shape{"lu", {{"n", "44"}, {"block", "2"}}},
        Shape{"lu", {{"n", "12"}, {"block", "128"}}}, Shape{"lu", {{"n", "4"}, {"block", "1"}, {"loops", "all"}}},
        Shape{"lu", {{"n", "44"}, {"block", "2"}, {"loops", "all"}}},
        Shape{"lu", {{"n", "4"}, {"block", "1"}, {"loops", "launches"}}},
        Shape{"lu", {{"n", "44"}, {"block", "128"}, {"loops", "launches"}}},
        Shape{"lu", {{"n", "44"}, {"block", "128"}, {"loops", "all"}}},
        Shape{"matmul", {{"rows", "1"}, {"inner", "1"}, {"columns", "1"}}},
        Shape{"matmul", {{"rows", "33"}, {"inner", "100"}, {"columns", "17"}}},
        Shape{"matmul", {{"rows", "33"}, {"inner", "100"}, {"columns", "17"}, {"memory", "global"}}},
        Shape{"evenodd", {{"threads", "1"}, {"iterations", "1"}}},
        Shape{"evenodd", {{"threads", "77"}, {"iterations", "35"}, {"increments", "1"}, {"block", "25"}}},
        Shape{"ifelse", {{"block", "33"}, {"one_in", "8"}}}, Shape{"ifelse", {{"rounds", "0"}, {"one_in", "1"}}},
        Shape{"heartwall", {{"points", "3"}, {"edge", "11"}, {"side", "7"}, {"reach", "4"}, {"block", "50"}}},
        Shape{"heartwall", {{"points", "1"}, {"frames", "2"}, {"side", "1"}, {"reach", "0"}, {"block", "1"}}},
        Shape{"heartwall", {{"frames", "7"}, {"edge", "4"}, {"side", "5"}, {"block", "256"}}},
        Shape{"lps", {{"nx", "1"}, {"ny", "1"}, {"nz", "1"}}},
        Shape{"lps", {{"nx", "67"}, {"ny", "5"}, {"nz", "4"}, {"steps", "3"}}},
        Shape{"lps", {{"nx", "32"}, {"ny", "4"}, {"nz", "2"}}}, Shape{"pathfinder", {{"columns", "1"}, {"rows", "1"}}},
        Shape{"mcml", {{"threads", "1"}, {"photons", "5"}, {"rings", "1"}, {"depths", "1"}}},
        Shape{"mcml", {{"threads", "70"}, {"block", "33"}, {"photons", "3"}}}, Shape{"dxtc", {{"squares", "9"}}},
        Shape{"bfs2", {{"nodes", "1"}}}, Shape{"bfs2", {{"nodes", "3000"}, {"degree", "1"}, {"block", "77"}}},
        Shape{"pathfinder", {{"columns", "7"}, {"rows", "12"}, {"together", "5"}}},
        Shape{"pathfinder", {{"columns", "700"}, {"rows", "130"}, {"together", "127"}}},
        Shape{"nw", {{"length", "16"}, {"penalty", "0"}}}, Shape{"nw", {{"length", "80"}, {"penalty", "1"}}},
        Shape{"backprop", {{"inputs", "16"}}}, Shape{"backprop", {{"inputs", "528"}}},
        Shape{"hotspot", {{"rows", "1"}, {"columns", "1"}, {"steps", "1"}}},
        Shape{"hotspot", {{"rows", "37"}, {"columns", "5"}, {"steps", "9"}, {"together", "4"}}},
        Shape{"hotspot", {{"rows", "3"}, {"columns", "41"}, {"steps", "15"}, {"together", "7"}}},
        Shape{"mcx", {{"threads", "1"}, {"photons", "1"}, {"edge", "1"}}},
        Shape{"mcx", {{"threads", "77"}, {"photons", "5"}, {"edge", "9"}, {"block", "33"}}},
        Shape{"mum", {{"reference", "1"}, {"queries", "1"}, {"length", "1"}, {"shortest", "1"}}},
        Shape{"mum", {{"reference", "10"}, {"queries", "50"}, {"length", "60"}, {"shortest", "1"}, {"block", "33"}}},
        Shape{"mum", {{"reference", "3000"}, {"length", "200"}, {"shortest", "20"}}},
        Shape{"mum", {{"shortest", "100"}, {"length", "99"}}}, Shape{"nqueen", {{"n", "4"}, {"given", "5"}}},
        Shape{"nqueen", {{"n", "9"}, {"given", "3"}, {"block", "1"}}}, Shape{"nqueen", {{"n", "6"}, {"block", "96"}}},
        Shape{"particlefilter", {{"particles", "1"}, {"frames", "1"}}},
        Shape{"particlefilter", {{"particles", "77"}, {"frames", "9"}, {"width", "16"}, {"block", "25"}}},
        Shape{"ray", {{"width", "1"}, {"height", "1"}, {"spheres", "0"}}},
        Shape{"ray", {{"width", "33"}, {"height", "19"}, {"spheres", "40"}, {"bounces", "12"}}},
        Shape{"ray", {{"bounces", "0"}, {"block", "48"}}}, Shape{"spin", {{"threads", "33"}}},
        Shape{"alu", {{"iterations", "0"}}}, Shape{"alu", {{"blocks", "1"}, {"block", "7"}, {"iterations", "3"}}}),
    [](const auto& info) { return std::string(info.param.name) + "_" + std::to_string(info.index); });

// ---------------------------------------------------------------- options

TEST(Options, RefuseAnUnknownWorkload) {
  const std::string message = error_of("quicksort", {}, "workload");
  EXPECT_NE(message.find("'quicksort'"), std::string::npos) << message;
  EXPECT_NE(message.find("figure6 bfs lud qsort"), std::string::npos) << message;
}

TEST(Options, RefuseAnUnknownSize) {
  EXPECT_EQ(error_of("lud", options("huge"), "option"),
            "size of workload lud is 'huge': choose small, default, large or paper");
  EXPECT_EQ(error_of("collatz", options("paper"), "option"),
            "size of workload collatz is 'paper': choose small, default or large");
}

TEST(Options, RefuseAnUnknownParameter) {
  EXPECT_EQ(error_of("bfs", options("small", {{"edges", "5"}}), "option"),
            "workload bfs has no parameter 'edges': it has nodes degree block");
}

TEST(Options, RefuseAValueThatIsNoWholeNumber) {
  for (const char* text : {"", "x", "1.5", "-16", " 16", "16k", "0x10", "99999999999"}) {
    EXPECT_EQ(error_of("lud", options("small", {{"n", text}}), "option"),
              std::string("parameter n of workload lud is '") + text +
                  "': give a whole number in 16..4096, a multiple of 16");
  }
}

TEST(Options, RefuseAValueOutOfRange) {
  for (const char* text : {"0", "4112", "40"}) {
    EXPECT_EQ(error_of("lud", options("small", {{"n", text}}), "option"),
              std::string("parameter n of workload lud is '") + text +
                  "': give a whole number in 16..4096, a multiple of 16");
  }
  EXPECT_EQ(error_of("bitonic", options("small", {{"block", "96"}}), "option"),
            "parameter block of workload bitonic is '96': give a whole number in 2..1024, a power of two");
}

TEST(Options, RefuseANameThatIsNoChoice) {
  for (const char* text : {"", "1", "Shared", "local"}) {
    EXPECT_EQ(error_of("fft", options("small", {{"memory", text}}), "option"),
              std::string("parameter memory of workload fft is '") + text + "': choose shared or global or launches");
  }
  EXPECT_EQ(make_workload("fft", options("large"))->settings()["memory"], 0u);
  EXPECT_EQ(make_workload("fft", options("small", {{"memory", "global"}}))->settings()["memory"], 1u);
}

TEST(Options, AreKeptInTheSettings) {
  const auto workload = make_workload("bfs", options("large", {{"degree", "3"}}, 9));
  EXPECT_EQ(workload->settings().workload(), "bfs");
  EXPECT_EQ(workload->settings().seed(), 9u);
  EXPECT_EQ(workload->settings()["degree"], 3u);
  EXPECT_EQ(workload->settings()["nodes"], 262144u);
}

TEST(Kernels, AreLookedForInTheFolderOfTheEnvironment) {
  const std::string before = kernel_directory();
  setenv("HEDDLE_KERNELS", "/nowhere", 1);
  try {
    (void)make_workload("bfs")->elf();
    ADD_FAILURE() << "found a kernel in a folder that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kBadInput);
    EXPECT_EQ(error.code(), "elf");
    EXPECT_EQ(
        std::string(error.what()),
        "/nowhere/bfs.elf: the kernel of workload bfs is not there; build it ('scripts/build run heddle_kernels' makes "
        "all), or set HEDDLE_KERNELS to the folder of the kernels' ELFs");
  }
  unsetenv("HEDDLE_KERNELS");
  EXPECT_EQ(std::filesystem::path(kernel_directory()),
            std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "share/heddle/kernels");
  setenv("HEDDLE_KERNELS", before.c_str(), 1);
}

// ---------------------------------------------------------------- the kernels' branches

std::vector<std::string> kernel_source(const std::string& workload) {
  std::ifstream file(std::string(HEDDLE_SOURCE_DIR "/sim/workloads/kernels/") + workload + ".cu");
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

struct KernelBranches {
  Program program;
  std::vector<Branch> branches;
};

KernelBranches branches_of(const std::string& workload, const std::string& function) {
  KernelBranches result{load_program(make_workload(workload)->elf()), {}};
  for (const FunctionCfg& cfg : control_flow(result.program)) {
    if (cfg.name == function) result.branches = cfg.branches;
  }
  return result;
}

// Source lines of the interleavable branches of a function, by their text, without those of loops.
std::multiset<std::string> two_sided(const std::string& workload, const std::string& function) {
  const std::vector<std::string> lines = kernel_source(workload);
  const KernelBranches kernel = branches_of(workload, function);
  std::multiset<std::string> result;
  for (const Branch& branch : kernel.branches) {
    const unsigned line = kernel.program.source_line(branch.pc).line;
    if (!branch.interleavable || line == 0 || line > lines.size()) continue;
    const std::string& text = lines[line - 1];
    const std::size_t start = text.find("if (");
    if (start != std::string::npos) result.insert(text.substr(start, text.rfind(')') + 1 - start));
  }
  return result;
}

// Branches without one are of loops around barriers that come back to other barriers, and of a condition with barriers
// on both sides: what they ask is the same for all threads of a block, so they must not diverge, which tests/engine
// looks at.
TEST_P(EachWorkload, HasAReconvergencePointForEveryBranch) {
  const Program program = load_program(make_workload(GetParam())->elf());
  const std::vector<std::string> lines = kernel_source(GetParam());
  std::set<std::string> without;
  for (const Instruction& inst : program.text) {
    if (!inst.is_branch() || inst.rpc != kNoRpc) continue;
    const unsigned line = program.source_line(program.text_begin + 4 * (&inst - program.text.data())).line;
    ASSERT_TRUE(line > 0 && line <= lines.size());
    without.insert(lines[line - 1].substr(lines[line - 1].find_first_not_of(' ')));
  }
  EXPECT_EQ(program.branches_without_rpc == 0, without.empty());
  std::set<std::string> same_for_all;
  if (GetParam() == "qsort_blocks") {
    same_for_all = {"if (end - begin <= threads) {", "for (int run = 2; run <= size; run <<= 1) {",
                    "for (int distance = run >> 1; distance > 0; distance >>= 1) {",
                    "for (int pairs = threads >> 1; pairs > 0; pairs >>= 1) {",
                    "for (int pairs = 1; pairs < threads; pairs <<= 1) {"};
  }
  EXPECT_EQ(without, same_for_all);
}

TEST(Branches, OfTheInterleavableWorkloadsHaveTwoSides) {
  EXPECT_EQ(two_sided("figure6", "figure6"), (std::multiset<std::string>{"if (way < 2)", "if (way == 2)"}));
  EXPECT_EQ(two_sided("lud", "lud_perimeter").count("if (threadIdx.x < BLOCK)"), 3u);  // load, solve, store
  EXPECT_EQ(two_sided("qsort", "quicksort").count("if (high - low < SHORT_RANGE)"), 1u);
  EXPECT_EQ(two_sided("qsort_blocks", "quicksort_blocks").count("if (key < pivot)"), 1u);
  EXPECT_EQ(two_sided("qsort_blocks", "quicksort_blocks").count("if ((thread & run) == 0)"), 1u);
  EXPECT_GE(two_sided("stencil3d", "stencil3d").count("if (face || z == 0 || z == nz - 1)"), 1u);
  EXPECT_EQ(two_sided("bitonic", "bitonic").count("if ((t & run) == 0)"), 1u);
  EXPECT_EQ(two_sided("collatz", "collatz").count("if (value & 1)"), 1u);
  EXPECT_EQ(two_sided("lbm", "lbm").count("if (kind == OBSTACLE)"), 1u);
  EXPECT_EQ(two_sided("blackscholes", "blackscholes").count("if (time > 0.0f)"), 1u);
}

// Text of the source at the branches of a function that are not structured: whose sides meet late, or that leave a loop
// with other exits.
std::multiset<std::string> unstructured(const std::string& workload, const std::string& function) {
  const std::vector<std::string> lines = kernel_source(workload);
  const KernelBranches kernel = branches_of(workload, function);
  std::multiset<std::string> result;
  for (const Branch& branch : kernel.branches) {
    const unsigned line = kernel.program.source_line(branch.pc).line;
    if (branch.structured || line == 0 || line > lines.size()) continue;
    const std::string& text = lines[line - 1];
    result.insert(text.substr(text.find_first_not_of(' ')));
  }
  return result;
}

// The ways of the algorithms out of loops, and into what two conditions share, are those of the compiled code.
TEST(Branches, OfTheUnstructuredWorkloadsAreUnstructured) {
  EXPECT_GE(unstructured("heartwall", "heartwall").count("if (sum >= score) goto given_up;"), 1u);
  EXPECT_GE(unstructured("heartwall", "heartwall").count("if (y < 0 || y >= height || x < 0 || x >= width) {"), 2u);
  EXPECT_GE(unstructured("hotspot", "hotspot").count("if (step == steps - 1) break;"), 1u);
  EXPECT_GE(unstructured("mcx", "mcx")
                .count("if (ix < 0 || ix >= nx || iy < 0 || iy >= ny || iz < 0 || iz >= nz || volume[(iz * ny + iy) * "
                       "nx + ix] == 0) {"),
            4u);
  EXPECT_GE(unstructured("mcx", "mcx").count("if (p.weight < setup->lowest_weight) {"), 1u);
  EXPECT_GE(unstructured("mum", "mum").count("if (child == NONE) goto record;"), 1u);
  EXPECT_GE(unstructured("mum", "mum").count("if (queries[at] != reference[begin + below]) goto record;"), 1u);
  EXPECT_GE(unstructured("nqueen", "nqueen").count("if (free == 0 || row == rows - 1) {"), 2u);
  EXPECT_GE(unstructured("particlefilter", "resample").count("if (cumulative[candidate] >= number) {"), 1u);
  EXPECT_GE(unstructured("ray", "ray").count("if (share < 0.01f) break;"), 1u);
  EXPECT_GE(unstructured("ray", "shadowed").count("if (hit > NEAR && hit < distance) return true;"), 1u);
}

// The DPE paper says so of BFS: what its branches guard has no other side.
TEST(Branches, OfBfsHaveOneSide) {
  for (const char* function : {"bfs_expand", "bfs_advance"}) {
    const auto branches = branches_of("bfs", function).branches;
    EXPECT_FALSE(branches.empty()) << function;
    for (const Branch& branch : branches) EXPECT_FALSE(branch.interleavable) << function;
  }
}

// Nine maxima in the loop over the positions and three behind it; the compiler may turn one at the end of a loop
// around.
TEST(Branches, OfViterbiSkipOneMove) {
  unsigned skips = 0;
  for (const Branch& branch : branches_of("viterbi", "viterbi").branches)
    skips += branch.rpc == branch.pc + 8 && branch.target == branch.rpc;
  EXPECT_GE(skips, 9u);
}

// What the test of ownership guards is what the threads of a warp do at different times: a branch in the innermost loop
// over all blocks.
TEST(Branches, OfLuAskWhoseBlockItIs) {
  const auto asks = [](const std::string& function) {
    std::ifstream file(HEDDLE_SOURCE_DIR "/sim/workloads/kernels/lu.cu");
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    const KernelBranches kernel = branches_of("lu", function);
    unsigned found = 0;
    for (const Branch& branch : kernel.branches) {
      const unsigned line = kernel.program.source_line(branch.pc).line;
      found += line != 0 && !branch.loop_exit && lines[line - 1].find("if (mine(") != std::string::npos;
    }
    return found;
  };
  EXPECT_EQ(asks("lu_all"), 4u);  // factor, divide, solve, subtract
  EXPECT_EQ(asks("lu_diagonal"), 1u);
  EXPECT_EQ(asks("lu_border"), 2u);
  EXPECT_EQ(asks("lu_rest"), 1u);
  EXPECT_EQ(asks("lu"), 0u);
}

// Their data is found by the address of the shared window only where the name says so.
TEST(Kernels, OfFormsThroughTheCacheUseNoSharedMemory) {
  const auto forms_a_shared_address = [](const std::string& workload, const std::string& function) {
    const Program program = load_program(make_workload(workload)->elf());
    bool found = false, exists = false;
    for (const FunctionCfg& cfg : control_flow(program)) {
      if (cfg.name != function) continue;
      exists = true;
      for (Pc pc = cfg.begin; pc < cfg.end; pc += 4) {
        const Instruction& inst = *program.at(pc);
        found |= inst.op == Op::kLui && static_cast<std::uint32_t>(inst.imm) >= kSharedBase &&
                 static_cast<std::uint32_t>(inst.imm) < kSharedBase + (1u << 28);
      }
    }
    EXPECT_TRUE(exists) << function;
    return found;
  };
  for (const std::string name : {"bitonic", "fft", "matmul"}) {
    EXPECT_TRUE(forms_a_shared_address(name, name));
    EXPECT_FALSE(forms_a_shared_address(name, name + "_global"));
  }
}

// The shape of the DWF paper's Figure 7: in the loop a branch around the increments, which meets before the loop's own
// branch.
TEST(Evenodd, HasTheLoopOfThePaper) {
  for (const unsigned increments : {1u, 2u, 4u, 8u, 16u, 32u}) {
    const KernelBranches kernel = branches_of("evenodd", "evenodd_" + std::to_string(increments));
    std::vector<Branch> around, loop;
    for (const Branch& branch : kernel.branches) {
      if (branch.loop_exit) loop.push_back(branch);
    }
    ASSERT_EQ(loop.size(), 1u);
    for (const Branch& branch : kernel.branches) {
      if (branch.rpc == loop[0].pc) around.push_back(branch);
    }
    ASSERT_EQ(around.size(), 1u);
    EXPECT_FALSE(around[0].interleavable) << "there is no other side";
    unsigned loads = 0, stores = 0;
    for (Pc pc = around[0].pc + 4; pc != loop[0].pc;) {
      const Instruction& inst = *kernel.program.at(pc);
      ASSERT_FALSE(inst.is_branch()) << "the work is straight";
      loads += inst.is_load();
      stores += inst.is_store();
      pc += inst.op == Op::kJal ? static_cast<Pc>(inst.imm) : 4;
    }
    EXPECT_EQ(loads, increments);
    EXPECT_EQ(stores, increments);
  }
}

// The example needs B's load to go to the very register that D and E read: else the false dependence is not there.
TEST(Figure6, HasTheDependencesOfThePaper) {
  const KernelBranches kernel = branches_of("figure6", "figure6");
  ASSERT_EQ(kernel.branches.size(), 2u);
  const Branch& a = kernel.branches[0];
  const Branch& c = kernel.branches[1];
  const auto load_of = [&](Pc begin, Pc end) -> const Instruction* {
    for (Pc pc = begin; pc < end; pc += 4) {
      if (kernel.program.at(pc)->is_load()) return kernel.program.at(pc);
    }
    return nullptr;
  };
  const auto reads = [&](Pc begin, Pc end, RegId reg) {
    for (Pc pc = begin; pc < end; pc += 4) {
      const Instruction* i = kernel.program.at(pc);
      if (i->rs1 == reg || i->rs2 == reg) return true;
      if (i->rd == reg) return false;
    }
    return false;
  };
  const Instruction* r0 = load_of(kernel.program.text_begin, a.pc);
  ASSERT_NE(r0, nullptr) << "A loads r0";
  const Instruction* r1 = load_of(a.target, a.target + 16);
  ASSERT_NE(r1, nullptr) << "the taken side of A's branch is B and loads r1";
  EXPECT_EQ(load_of(a.pc + 4, c.pc), nullptr) << "C loads nothing";
  EXPECT_TRUE(reads(a.pc + 4, c.pc, r0->rd)) << "C uses r0";
  EXPECT_TRUE(reads(c.target, c.target + 16, r1->rd)) << "the taken side of C's branch uses r1";
  EXPECT_TRUE(reads(c.pc + 4, c.rpc, r1->rd)) << "the other side uses r1";
  const Instruction* r7 = load_of(c.rpc, a.rpc);
  ASSERT_NE(r7, nullptr) << "F loads r7";
  EXPECT_TRUE(reads(a.rpc, a.rpc + 8, r1->rd)) << "G uses r1";
  EXPECT_TRUE(reads(a.rpc, a.rpc + 8, r7->rd)) << "G uses r7";
}

}  // namespace
}  // namespace heddle
