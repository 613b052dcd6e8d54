// SPDX-License-Identifier: Apache-2.0
// What a second schedulable path gains, against a model that knows dependences, latencies, stack and issue width and
// nothing of a front end: no fetch, no queue, a stack that acts at once. Dependences are those of the scoreboards: that
// of a single path knows registers of a warp, so the second side waits for what the first one writes; the dual-path
// one's shadow bits keep the sides apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "heddle/observer.h"
#include "isa/instruction.h"
#include "support.h"

namespace heddle::test::gain_test {
namespace {

// What each thread of a block of one warp or more executes.
class Recorder final : public Observer {
 public:
  explicit Recorder(unsigned threads) : traces(threads) {}
  void warp_begin(Cycle, WarpId warp, unsigned, std::uint32_t warp_in_block, LaneMask) override {
    first_[warp] = warp_in_block * 32;
  }
  void commit(const CommitEvent& event) override {
    instructions[event.pc] = *event.instruction;
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((event.mask >> lane & 1) != 0) traces[first_.at(event.warp) + lane].push_back(event.pc);
    }
  }

  std::vector<std::vector<Pc>> traces;
  std::map<Pc, Instruction> instructions;

 private:
  std::map<WarpId, unsigned> first_;
};

// Cycles from an instruction to what needs its result; of a control instruction to the next one of its path.
struct Latencies {
  Cycle alu, load, control;
};

// A warp on a stack of entries with one or two sides; of the top entry one side, or both, may issue.
class ModelWarp {
 public:
  ModelWarp(const Recorder& recorder, unsigned first, unsigned paths, const Latencies& latencies)
      : recorder_(recorder),
        first_(first),
        paths_(paths),
        latencies_(latencies),
        at_(32),
        ready_(32),
        resolved_(32) {
    Path all(32);
    std::iota(all.begin(), all.end(), 0u);
    stack_.push_back({kNoRpc, {all}});
  }

  [[nodiscard]] bool ended() const { return stack_.empty(); }

  // Issues an instruction of a path that may issue, the one whose turn it is first.
  bool issue(Cycle now) {
    std::vector<Path>& paths = stack_.back().paths;
    std::rotate(paths.begin(), paths.begin() + (paths_ == 2 && last_ == paths.front().front() ? 1 : 0), paths.end());
    for (std::size_t i = 0; i < std::min<std::size_t>(paths.size(), paths_); ++i) {
      if (may_issue(paths[i], now)) {
        last_ = paths[i].front();
        execute(Path(paths[i]), now);
        return true;
      }
    }
    return false;
  }

 private:
  using Path = std::vector<unsigned>;  // lanes
  struct Entry {
    Pc meets;
    std::vector<Path> paths;
  };

  [[nodiscard]] const std::vector<Pc>& trace(unsigned lane) const { return recorder_.traces[first_ + lane]; }
  [[nodiscard]] bool over(unsigned lane) const { return at_[lane] == trace(lane).size(); }
  [[nodiscard]] Pc pc(unsigned lane) const { return trace(lane)[at_[lane]]; }

  [[nodiscard]] bool may_issue(const Path& path, Cycle now) const {
    const Instruction& i = recorder_.instructions.at(pc(path.front()));
    return std::all_of(path.begin(), path.end(), [&](unsigned lane) {
      const auto& ready = ready_[lane];
      return std::max({ready[i.rd], ready[i.rs1], ready[i.rs2], ready[i.rs3], resolved_[lane]}) <= now;
    });
  }

  void execute(const Path& path, Cycle now) {
    const Instruction& i = recorder_.instructions.at(pc(path.front()));
    std::map<Pc, Path> sides;
    for (const unsigned lane : path) {
      if (i.rd != 0) write(lane, i.rd, now + (i.is_load() ? latencies_.load : latencies_.alu));
      if (i.control) resolved_[lane] = now + latencies_.control;
      ++at_[lane];
      if (!over(lane)) sides[pc(lane)].push_back(lane);
    }
    if (sides.size() > 1) {
      stack_.push_back({i.rpc, {}});
      for (const auto& [side_pc, lanes] : sides) stack_.back().paths.push_back(lanes);
    }
    settle();
  }

  void write(unsigned lane, unsigned reg, Cycle ready) {
    if (paths_ != 1) ready_[lane][reg] = ready;
    else
      for (auto& of_lane : ready_) of_lane[reg] = ready;
  }

  // Threads that have ended leave, paths that have arrived or are empty, and entries without a path.
  void settle() {
    while (!stack_.empty()) {
      Entry& top = stack_.back();
      for (Path& path : top.paths) {
        path.erase(std::remove_if(path.begin(), path.end(), [&](unsigned lane) { return over(lane); }), path.end());
      }
      top.paths.erase(std::remove_if(top.paths.begin(), top.paths.end(),
                                     [&](const Path& path) { return path.empty() || pc(path.front()) == top.meets; }),
                      top.paths.end());
      if (!top.paths.empty()) return;
      stack_.pop_back();
    }
  }

  const Recorder& recorder_;
  unsigned first_, paths_, last_ = 0;
  Latencies latencies_;
  std::vector<std::size_t> at_;
  std::vector<std::array<Cycle, 256>> ready_;
  std::vector<Cycle> resolved_;
  std::vector<Entry> stack_;
};

Cycle model_cycles(const Recorder& recorder, unsigned paths, const Latencies& latencies) {
  std::vector<ModelWarp> warps;
  for (unsigned first = 0; first < recorder.traces.size(); first += 32)
    warps.emplace_back(recorder, first, paths, latencies);
  Cycle now = 0;
  for (std::size_t turn = 0; std::any_of(warps.begin(), warps.end(), [](const ModelWarp& w) { return !w.ended(); });
       ++now) {
    for (std::size_t i = 0; i < warps.size(); ++i) {
      const std::size_t w = (turn + i) % warps.size();
      if (warps[w].ended() || !warps[w].issue(now)) continue;
      turn = w + 1;
      break;
    }
  }
  return now;
}

struct Recorded {
  Recorder recorder;
  Cycle cycles;
};

Recorded record(const std::string& kernel, const Config& machine, unsigned warps, unsigned n) {
  Recorded run{Recorder(32 * warps), 0};
  Device device(machine);
  device.add_observer(run.recorder);
  device.load(elf("arms"));
  device.launch(kernel, {1}, {32 * warps}, {device.allocate(32 * warps * 4), n});
  run.cycles = device.stats().cycles;
  return run;
}

// Cycles of one path over cycles of two, of a hundred divergent branches.
struct Gains {
  double core;     // of spe over those of dpe
  double model;    // a control instruction is known as late as any result: its latency of one cycle, and three
  double at_once;  // the same with control instructions that are known where they issue
};

Gains gains(const std::string& kernel, unsigned warps) {
  const auto machine = [](const std::string& mechanism) {
    return config(mechanism, {"core.warps=8", "core.schedulers=1"});
  };
  const Config spe = machine("spe"), dpe = machine("dpe");
  const Recorded less = record(kernel, dpe, warps, 20), more = record(kernel, dpe, warps, 120);
  const auto core = [&](const Config& of) {
    return static_cast<double>(record(kernel, of, warps, 120).cycles - record(kernel, of, warps, 20).cycles) /
           static_cast<double>(more.cycles - less.cycles);
  };
  const auto model = [&](unsigned paths, Cycle control) {
    const Latencies latencies{dpe.alu.latency + 3, dpe.lsu_latency + 3 + dpe.l1.hit_latency, control};
    return static_cast<double>(model_cycles(more.recorder, paths, latencies) -
                               model_cycles(less.recorder, paths, latencies));
  };
  return {core(spe), model(1, 1 + 3) / model(2, 1 + 3), model(1, 0) / model(2, 0)};
}

// The table of docs/tables/gains.md, What fetch does.
TEST(Gain, OfASecondPathIsThatOfAModelWithoutAFrontEnd) {
  const std::map<std::string, std::map<unsigned, Gains>> table = {{"independent",
                                                                   {{1, {1.051, 1.000, 1.000}},
                                                                    {2, {1.019, 1.000, 1.000}},
                                                                    {4, {1.000, 1.000, 1.000}},
                                                                    {8, {1.000, 1.000, 1.000}}}},
                                                                  {"dependent",
                                                                   {{1, {1.647, 1.714, 1.809}},
                                                                    {2, {1.628, 1.684, 1.740}},
                                                                    {4, {1.459, 1.500, 1.500}},
                                                                    {8, {1.000, 1.000, 1.000}}}},
                                                                  {"brief",
                                                                   {{1, {1.125, 1.125, 1.174}},
                                                                    {2, {1.067, 1.026, 1.031}},
                                                                    {4, {1.000, 1.000, 1.000}},
                                                                    {8, {1.000, 1.000, 1.000}}}},
                                                                  {"apart",
                                                                   {{1, {1.125, 1.000, 1.000}},
                                                                    {2, {1.067, 1.000, 1.000}},
                                                                    {4, {1.000, 1.000, 1.000}},
                                                                    {8, {1.000, 1.000, 1.000}}}}};
  for (const auto& [kernel, rows] : table) {
    for (const auto& [warps, row] : rows) {
      const Gains seen = gains(kernel, warps);
      EXPECT_NEAR(seen.core, row.core, 0.0006) << kernel << ", " << warps << " warps";
      EXPECT_NEAR(seen.model, row.model, 0.0006) << kernel << ", " << warps << " warps";
      EXPECT_NEAR(seen.at_once, row.at_once, 0.0006) << kernel << ", " << warps << " warps";
      EXPECT_NEAR(seen.core / seen.model, 1, 0.13) << kernel << ", " << warps << " warps";
      if (warps >= 4) {
        EXPECT_NEAR(seen.core / seen.model, 1, kernel == "dependent" ? 0.04 : 0.01)
            << kernel << ", " << warps << " warps";
      }
    }
  }
}

}  // namespace
}  // namespace heddle::test::gain_test
