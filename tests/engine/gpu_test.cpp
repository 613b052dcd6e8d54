// SPDX-License-Identifier: Apache-2.0
// Several SMs: right results, the same counts for any number of host threads, memory that all share, and errors.
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include "support.h"

namespace heddle::test::gpu_test {
namespace {

Config gpu(const std::string& mechanism, unsigned sms, Settings settings = {}) {
  settings.push_back("gpu.sms=" + std::to_string(sms));
  return config(mechanism, settings, preset_of_mechanism(mechanism));
}

Figures figures_of(const std::string& workload, const Config& config, unsigned threads) {
  WorkloadOptions options;
  options.size = "small";
  const std::unique_ptr<Workload> work = make_workload(workload, options);
  Device device(config);
  device.set_host_threads(threads);
  device.load(work->elf(kernel_form(config)));
  work->run(device);
  work->check();
  return all_figures(device.stats());
}

class GpuWorkload : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(All, GpuWorkload, testing::ValuesIn(ending_workloads()),
                         [](const auto& info) { return info.param; });

TEST_P(GpuWorkload, CountsTheSameOnAnyNumberOfHostThreads) {
  const std::pair<const char*, const char*> machines[] = {{"spe", "simple"}, {"dpe", "hierarchy"}, {"dwf", "simple"}};
  for (const auto& [mechanism, memory] : machines) {
    const Config config = gpu(mechanism, 3, {std::string("memory.kind=") + memory});
    const Figures alone = figures_of(GetParam(), config, 1);
    EXPECT_EQ(figures_of(GetParam(), config, 2), alone) << mechanism;
    EXPECT_EQ(figures_of(GetParam(), config, 3), alone) << mechanism;
  }
}

TEST(Gpu, IsRightOnFifteenSms) {
  for (const std::string workload : {"bfs", "qsort", "reduce", "lbm"}) {
    for (const std::string mechanism : {"spe", "dpe", "dws", "forkjoin", "dwf"}) {
      const Config config = gpu(mechanism, 15, {"memory.kind=hierarchy"});
      EXPECT_EQ(figures_of(workload, config, 2), figures_of(workload, config, 1)) << workload << " " << mechanism;
    }
  }
}

struct GpuRun : Outcome {
  std::vector<std::uint32_t> more;
};

// A kernel of gpu.cu; `words`: buffers of one zeroed word each behind the output.
GpuRun run(const std::string& kernel, unsigned grid, unsigned block, const Config& config, unsigned words = 0,
           std::vector<std::uint32_t> numbers = {}, unsigned threads = 2) {
  std::ostringstream text;
  Device device(config);
  device.set_host_threads(threads);
  device.set_text_output(text);
  device.load(elf("gpu"));
  GpuRun run;
  run.out.resize(grid * block);
  const auto bytes = static_cast<std::uint32_t>(run.out.size() * 4);
  std::vector<std::uint64_t> arguments{device.allocate(bytes)};
  for (unsigned i = 0; i < words; ++i) arguments.push_back(device.allocate(4));
  arguments.insert(arguments.end(), numbers.begin(), numbers.end());
  device.launch(kernel, {grid, 1, 1}, {block, 1, 1}, arguments);
  device.read(arguments[0], run.out.data(), bytes);
  for (unsigned i = 0; i < words; ++i) {
    run.more.push_back(0);
    device.read(arguments[1 + i], &run.more.back(), 4);
  }
  run.stats = device.stats();
  return run;
}

TEST(Gpu, BlocksOfAllSmsMeet) {
  const GpuRun met = run("grid_barrier", 12, 64, gpu("dpe", 4, {"memory.kind=hierarchy"}));
  for (unsigned t = 0; t < met.out.size(); ++t) EXPECT_EQ(met.out[t], ~(t + 1)) << t;
}

TEST(Gpu, AtomicsAreOneAfterTheOther) {
  constexpr unsigned kThreads = 8 * 96, kRounds = 5;
  for (const std::string mechanism : {"spe", "dpe", "dwf"}) {
    const Config config = gpu(mechanism, 5);
    const GpuRun taken = run("tickets", 8, 96, config, 1, {kRounds});
    EXPECT_EQ(taken.more[0], kThreads * kRounds);
    std::uint64_t sum = 0;
    for (const std::uint32_t of_thread : taken.out) sum += of_thread;
    EXPECT_EQ(sum, std::uint64_t{kThreads} * kRounds * (kThreads * kRounds - 1) / 2);
    const GpuRun alone = run("tickets", 8, 96, config, 1, {kRounds}, 1);
    EXPECT_EQ(taken.out, alone.out) << "who gets which number does not depend on the host";
    EXPECT_EQ(all_figures(taken.stats), all_figures(alone.stats));
  }
}

TEST(Gpu, ALockProtectsWhatIsNotAtomic) {
  const GpuRun counted = run("locked", 40, 32, gpu("spe", 7, {"memory.kind=hierarchy"}), 2);
  EXPECT_EQ(counted.more[1], 40U);
}

TEST(Gpu, BytesOfOneWordComeFromDifferentSms) {
  const GpuRun written = run("bytes", 16, 64, gpu("spe", 15));
  const auto* bytes = reinterpret_cast<const unsigned char*>(written.out.data());
  for (unsigned t = 0; t < 16 * 64; ++t) EXPECT_EQ(bytes[t], static_cast<unsigned char>(t * 7 + 1)) << t;
}

TEST(Gpu, SharedAndLocalMemoryAreOfAnSm) {
  const GpuRun own = run("own", 30, 64, gpu("dpe", 4));
  for (unsigned b = 0; b < 30; ++b) {
    for (unsigned t = 0; t < 64; ++t) EXPECT_EQ(own.out[b * 64 + t], b + 64 + 4 * (b * 1000 + t) + 6) << b << " " << t;
  }
}

// The kernel frames on as many warps as fit.
Stats run_frames(unsigned sms, unsigned warps, const std::string& more) {
  const unsigned threads = warps / 8 * 32;
  const Config machine =
      config("spe", {"gpu.sms=" + std::to_string(sms), "core.warps=" + std::to_string(warps), more}, "fermi");
  const GpuRun done = run("frames", sms * 8, threads, machine, 0, {3});
  for (unsigned i = 0; i < done.out.size(); ++i)
    EXPECT_EQ(done.out[i], 6 * (i % threads + 3 * (i / threads)) + 15) << i;
  return done.stats;
}

TEST(Gpu, TakesTheSameCyclesWhateverTheSizeOfLocalMemory) {
  const Figures expected = all_figures(run_frames(15, 48, "memory.local_bytes=4096"));
  for (const std::string bytes : {"256", "1024", "1056", "4224", "16384", "16640"}) {
    EXPECT_EQ(all_figures(run_frames(15, 48, "memory.local_bytes=" + bytes)), expected) << bytes;
  }
}

TEST(Gpu, FramesThatFitIntoL2DoNotDriveEachOtherOut) {
  for (const auto& [sms, warps] : {std::pair{15u, 16u}, {15u, 32u}, {15u, 48u}, {8u, 48u}, {16u, 48u}}) {
    const std::uint64_t each_once = run_frames(sms, warps, "l2.bytes=24M").dram.reads;
    ASSERT_LE(each_once * 256, 768U << 10);
    EXPECT_LE(run_frames(sms, warps, "l2.bytes=768K").dram.reads, each_once + each_once / 50) << sms << " " << warps;
  }
}

TEST(Gpu, NoTwoSmsShareALineOfLocalMemory) {
  const auto reads = [](unsigned sms) {
    return run("frames", sms, 64, gpu("spe", sms, {"memory.kind=hierarchy"}), 0, {1}).stats.dram.reads;
  };
  const std::uint64_t one = reads(1);
  EXPECT_GE(one, 2U * 3);
  EXPECT_EQ(reads(5), 5 * one);
}

TEST(Gpu, BlocksThatDoNotTouchMemoryTakeAsLongAsOne) {
  const auto cycles = [](unsigned blocks, unsigned sms) {
    return run("work", blocks, 64, gpu("spe", sms), 0, {500}).stats.cycles;
  };
  // On SMs of their own, and all in one: 8 blocks of two warps keep the schedulers busy.
  EXPECT_EQ(cycles(15, 15), cycles(1, 2));
  EXPECT_GT(static_cast<double>(cycles(30, 2)), 1.7 * static_cast<double>(cycles(30, 4)));
}

TEST(Gpu, SchedulersOfAllSmsAccountForEveryCycle) {
  const GpuRun done = run("work", 20, 96, gpu("dpe", 6), 0, {50});
  std::uint64_t sum = 0;
  for (const std::uint64_t count : done.stats.stalls) sum += count;
  EXPECT_EQ(done.stats.schedulers, 12U);
  EXPECT_EQ(sum, done.stats.cycles * done.stats.schedulers);
}

TEST(Gpu, AFaultIsTheSameOneOnAnyNumberOfHostThreads) {
  std::set<std::string> messages;
  for (const unsigned threads : {1U, 2U, 4U}) {
    try {
      run("fault", 32, 64, gpu("spe", 8), 0, {}, threads);
      ADD_FAILURE() << "no fault";
    } catch (const Error& error) {
      messages.insert(error.what());
    }
  }
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages.begin()->find("block (5,0,0)"), std::string::npos) << *messages.begin();
}

TEST(Gpu, WaitingInVainOnAllSmsIsALivelock) {
  try {
    run("waits_for_ever", 4, 32, gpu("spe", 2, {"run.watchdog=1000"}), 1);
    ADD_FAILURE() << "it ended";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("livelock"), std::string::npos) << error.what();
  }
}

TEST(Gpu, WaitingForAnotherSmIsNone) {
  const GpuRun done = run("waits_for_work", 2, 32, gpu("spe", 2, {"run.watchdog=1000"}), 1, {4000});
  EXPECT_GT(done.stats.cycles, 2 * (1000 + 16384)) << "longer than what a livelock may last";
}

TEST(Gpu, RunsOnEngineSystemcWithoutAWave) {
  const Config config = gpu("spe", 2);
  Device waved(config);
  TraceOptions trace;
  trace.path = testing::TempDir() + "gpu.vcd";
  waved.set_trace(trace);
  waved.load(elf("gpu"));
  EXPECT_THROW(waved.launch("own", {1, 1, 1}, {32, 1, 1}, {waved.allocate(128)}), Error);
  Device rtl(config, Engine::kCosim);
  rtl.load(elf("gpu"));
  EXPECT_THROW(rtl.launch("own", {1, 1, 1}, {32, 1, 1}, {rtl.allocate(128)}), Error);
}

}  // namespace
}  // namespace heddle::test::gpu_test
