// SPDX-License-Identifier: Apache-2.0
// How fast the simulator is. CPU time, not wall time, so that other programs on the host matter little. Every figure
// has a goal, which is printed beside it; a benchmark measures and never decides.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <ctime>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "config/config.h"
#include "heddle/device.h"
#include "mechanisms/mechanism.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

using Keys = std::vector<std::string>;

Config config(const std::string& mechanism, const Keys& keys) {
  ConfigBuilder builder;
  if (mechanism == "dwf") builder.apply_preset("dwf2007");
  builder.set("mechanism", mechanism, "heddle_bench");
  for (const std::string& key : keys) builder.set(key, "heddle_bench");
  return builder.build();
}

const Keys kBare{"run.oracle=false", "run.checks=false"};

struct Job {
  std::string workload, mechanism;
  Keys keys = kBare;
  Engine engine = Engine::kSystemC;
  std::map<std::string, std::string> parameters = {};
  std::string size = "default";
  unsigned host_threads = 1;
};

// Time of the launches alone, and what they did.
struct Measured {
  double seconds = 0, wall_seconds = 0;
  std::uint64_t warp_instructions = 0, cycles = 0;
};

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Measured measure(const Job& job) {
  WorkloadOptions options;
  options.size = job.size;
  options.parameters = job.parameters;
  const std::unique_ptr<Workload> workload = make_workload(job.workload, options);
  const Config built = config(job.mechanism, job.keys);
  Device device(built, job.engine);
  device.load(workload->elf(kernel_form(built)));
  device.set_host_threads(job.host_threads);
  const double wall_begin = seconds_of(CLOCK_MONOTONIC), begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  workload->run(device);
  const double end = seconds_of(CLOCK_PROCESS_CPUTIME_ID), wall_end = seconds_of(CLOCK_MONOTONIC);
  workload->check();
  return {end - begin, wall_end - wall_begin, device.stats().warp_instructions, device.stats().cycles};
}

double per_second(std::uint64_t count, double seconds) { return static_cast<double>(count) / seconds; }

// Warp instructions a second.
void instructions(benchmark::State& state, const Job& job, double goal) {
  Measured sum;
  for (auto _ : state) {
    const Measured m = measure(job);
    state.SetIterationTime(m.seconds);
    sum.seconds += m.seconds;
    sum.warp_instructions += m.warp_instructions;
  }
  state.counters["warp_instr/s"] = per_second(sum.warp_instructions, sum.seconds);
  state.counters["goal_at_least"] = goal;
}

#ifdef HEDDLE_HAVE_RTL
// A mechanism, or an option of it, that has a Verilated model.
struct Model {
  const char* name;
  const char* mechanism;
  const char* key;  // that asks for the option
};

// Simulated cycles a second.
void cycles(benchmark::State& state, const Job& job, double goal) {
  Measured sum;
  for (auto _ : state) {
    const Measured m = measure(job);
    state.SetIterationTime(m.seconds);
    sum.seconds += m.seconds;
    sum.cycles += m.cycles;
  }
  state.counters["cycles/s"] = per_second(sum.cycles, sum.seconds);
  state.counters["goal_at_least"] = goal;
}
#endif

// Time per warp instruction of one job relative to another, or total time if the work is what differs.
enum class Unit { kPerInstruction, kTotal };
void ratio(benchmark::State& state, const Job& job, const Job& base, Unit unit, double goal) {
  double time = 0, base_time = 0;
  for (auto _ : state) {
    const Measured m = measure(job), b = measure(base);
    state.SetIterationTime(m.seconds + b.seconds);
    time += unit == Unit::kTotal ? m.seconds : m.seconds / static_cast<double>(m.warp_instructions);
    base_time += unit == Unit::kTotal ? b.seconds : b.seconds / static_cast<double>(b.warp_instructions);
  }
  state.counters["ratio"] = time / base_time;
  state.counters["goal_at_most"] = goal;
}

// Several host threads over one: of the time that a user waits, the least of those measured, and of the processors'
// time.
void threads(benchmark::State& state, Job job, unsigned host_threads, double goal) {
  Measured one{1e9, 1e9}, several{1e9, 1e9};
  for (auto _ : state) {
    double time = 0;
    for (unsigned run = 0; run < 5; ++run) {
      for (const auto& [count, least] : {std::pair{1u, &one}, std::pair{host_threads, &several}}) {
        job.host_threads = count;
        const Measured m = measure(job);
        least->seconds = std::min(least->seconds, m.seconds);
        least->wall_seconds = std::min(least->wall_seconds, m.wall_seconds);
        time += m.seconds;
      }
    }
    state.SetIterationTime(time);
  }
  state.counters["wall_ratio"] = several.wall_seconds / one.wall_seconds;
  state.counters["cpu_ratio"] = several.seconds / one.seconds;
  state.counters["goal_at_most"] = goal;
}

// Of this process, so of all benchmarks before this one too.
void peak_memory(benchmark::State& state) {
  for (auto _ : state) state.SetIterationTime(measure({"bfs", "dpe"}).seconds);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["MB"] = static_cast<double>(usage.ru_maxrss) / 1024;
  state.counters["goal_at_most"] = 300;
}

template <class F, class... Arguments>
void add(const std::string& name, F f, Arguments... arguments) {
  benchmark::RegisterBenchmark(name.c_str(), f, arguments...)->UseManualTime()->Unit(benchmark::kMillisecond);
}

void register_all() {
  for (const char* mechanism : {"spe", "dpe"}) {
    const std::string suffix = std::string("/") + mechanism;
    add("systemc/lud" + suffix, instructions, Job{"lud", mechanism}, 500e3);
    add("systemc/bfs" + suffix, instructions, Job{"bfs", mechanism}, 500e3);
    add("systemc/alu" + suffix, instructions, Job{"alu", mechanism}, 1e6);
  }
  for (const char* workload : {"lud", "bitonic", "alu"}) {
    add(std::string("systemc/") + workload + "/dwf", instructions, Job{workload, "dwf"}, 300e3);
  }
#ifdef HEDDLE_HAVE_RTL
  add("rtl/bitonic/dwf", cycles, Job{"bitonic", "dwf", kBare, Engine::kRtl, {}, "small"}, 50e3);
  add("cosim/bitonic/dwf", cycles, Job{"bitonic", "dwf", kBare, Engine::kCosim, {}, "small"}, 25e3);
  for (const char* workload : {"lud", "bfs"}) {
    for (const auto& [name, mechanism, key] :
         {Model{"spe", "spe", ""}, Model{"dpe", "dpe", ""}, Model{"dpe_forwarding", "dpe", "dpe.path_forwarding=on"},
          Model{"dpe_memory_split", "dpe", "dpe.memory_split=on"},
          Model{"dpe_software_stack", "dpe", "dpe.stack=software"}, Model{"dws", "dws", ""},
          Model{"forkjoin", "forkjoin", ""}}) {
      Keys keys = kBare;
      if (*key != '\0') keys.push_back(key);
      const std::string row = std::string("/") + workload + "/" + name;
      add("rtl" + row, cycles, Job{workload, mechanism, keys, Engine::kRtl, {}, "small"}, 250e3);
      add("cosim" + row, cycles, Job{workload, mechanism, keys, Engine::kCosim, {}, "small"}, 100e3);
    }
  }
#endif
  for (const char* workload : {"lud", "bfs", "alu"}) {
    add(std::string("oracle_and_checks_over_none/") + workload, ratio, Job{workload, "dpe", {}}, Job{workload, "dpe"},
        Unit::kPerInstruction, 2.5);
  }
  const Job once{"alu", "dpe", kBare, Engine::kSystemC, {{"iterations", "80"}}};
  const Job twice{"alu", "dpe", kBare, Engine::kSystemC, {{"iterations", "160"}}};
  add("twice_the_work", ratio, twice, once, Unit::kTotal, 2.1);
  const Job few{
      "alu", "dpe", {"run.oracle=false", "run.checks=false", "core.warps=4"}, Engine::kSystemC, {{"block", "64"}}};
  const Job many{"alu", "dpe", kBare, Engine::kSystemC, {{"block", "64"}, {"blocks", "48"}}};
  add("48_warps_over_4_per_instruction", ratio, many, few, Unit::kPerInstruction, 1.3);
  // SMs that mostly wait for memory, one at a time or all; a few that are busy; many; and atomics, in front of which
  // all wait for each other.
  const Keys idle{"run.oracle=false", "run.checks=false", "gpu.sms=3", "memory.latency=1000"},
      busy{"run.oracle=false", "run.checks=false", "gpu.sms=3"};
  const Keys many_sms{"run.oracle=false", "run.checks=false", "gpu.sms=15", "memory.kind=hierarchy"};
  for (const unsigned count : {2u, 4u}) {
    const std::string suffix = "/" + std::to_string(count);
    add("threads_over_one/waiting" + suffix, threads, Job{"figure6", "dws", idle}, count, 1.2);
    add("threads_over_one/bfs_waiting" + suffix, threads, Job{"bfs", "spe", idle, Engine::kSystemC, {}, "small"}, count,
        1.2);
    add("threads_over_one/lud_3_sms" + suffix, threads, Job{"lud", "dpe", busy}, count, 1.0);
    add("threads_over_one/lud_15_sms" + suffix, threads, Job{"lud", "dpe", many_sms}, count, 0.7);
    add("threads_over_one/reduce_atomics" + suffix, threads, Job{"reduce", "spe", many_sms}, count, 1.0);
  }
  add("peak_memory", peak_memory);
}

}  // namespace
}  // namespace heddle

int main(int argc, char** argv) {
  heddle::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
