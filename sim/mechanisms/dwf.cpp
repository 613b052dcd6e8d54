// SPDX-License-Identifier: Apache-2.0
// Dynamic warp formation: keys and bits of dwf/dwf_scheduler. Its twin and its RTL in an engine are in dwf_twin.cpp and
// dwf_rtl.cpp.
#include <fmt/format.h>

#include "config/key_macros.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

constexpr unsigned kPcBits = 32;
constexpr unsigned kMaxLanesFormed = 32;
constexpr unsigned kMaxThreads = 1024;
constexpr const char* kTable1 = "DWF paper, Table 1";
constexpr const char* kTable2 = "DWF paper, Table 2";

// Builds the list of dynamic warp formation; names and widths follow docs/dwf.md section by section. The paper gives
// widths for 16 lanes and 256 threads only: an index of a thread or of a pool entry is log2(threads) bits, REQ half a
// bit a lane, scheduler data 8 bits.
class DwfCounter {
 public:
  explicit DwfCounter(const Config& config)
      : config_(config),
        lanes_(config.core.lanes),
        threads_(config.core.lanes * config.core.warps),
        tid_bits_(index_bits(threads_)),
        count_bits_(index_bits(std::uint64_t{threads_} + 1)) {}

  BitReport report() {
    update_registers();
    lookup_table();
    pool();
    allocator();
    issue_logic();
    scheduler();
    BitReport report;
    report.mechanism = config_.mechanism;
    report.warps = config_.core.warps;
    report.partitions = 1;
    report.structures = structures_;
    for (const BitStructure& built : structures_) {
      BitStructure listed = listed_part(report, built);
      if (!listed.fields.empty()) report.paper.push_back(std::move(listed));
    }
    not_in_the_pool(report);
    return report;
  }

 private:
  [[nodiscard]] bool looks_at_sched() const { return config_.dwf.heuristic == DwfHeuristic::kPostDominator; }

  // Scheduler data, which the paper has in every entry of the pool.
  void not_in_the_pool(BitReport& report) const {
    for (BitStructure& listed : report.paper) {
      if (listed.name != "warp pool") continue;
      listed.fields.push_back({"sched", kSchedBits, ""});
      report.differences.push_back({"warp pool: sched", -static_cast<std::int64_t>(kSchedBits * listed.entries),
                                    looks_at_sched()
                                        ? "the list of the issue logic has them, in the order in which warps leave"
                                        : "no heuristic but dpdpri looks at scheduler data"});
    }
  }

  void add(const std::string& name, const char* module, std::vector<BitField> fields, std::uint64_t entries,
           Storage storage = Storage::kFlipFlop) {
    structures_.push_back({name, module, std::move(fields), entries, 1, storage});
  }

  static std::string range(const std::string& name, unsigned high, unsigned low) {
    return name + "[" + std::to_string(high) + (high == low ? "" : ":" + std::to_string(low)) + "]";
  }

  void update_registers() {
    const unsigned half = lanes_ / 2;
    std::vector<BitField> group = {{"tids", lanes_ * tid_bits_, ""},
                                   {"pc", kPcBits, ""},
                                   {range("req", half - 1, 0), half, ""},
                                   {range("req", lanes_ - 1, half), lanes_ - half,
                                    "one request bit a lane; the paper lists half as many as lanes"},
                                   {"valid", 1, "a group waits in the register"}};
    if (looks_at_sched()) group.push_back({"sched", kSchedBits, "scheduler data enter together with the threads"});
    add("warp update registers", "dwf/warp_update_register", group, 2);
  }

  void lookup_table() {
    const char* module = "dwf/pc_warp_lut";
    const unsigned ways = config_.dwf.lut_ways;
    add("PC-warp LUT", module, {{"pc", kPcBits, ""}, {"occ", lanes_, ""}, {"idx", tid_bits_, ""}},
        config_.dwf.lut_entries, Storage::kMemory);
    add("PC-warp LUT control", module, {{"valid", 1, "the entry points to a warp that is being formed"}},
        config_.dwf.lut_entries);
    if (ways > 1) {
      add("PC-warp LUT order", module,
          {{"older", ways * (ways - 1) / 2, "least recently used way: for each two ways which was used before"}},
          config_.dwf.lut_entries / ways);
    }
  }

  void pool() {
    const char* module = "dwf/warp_pool";
    const char* twice =
        "the lanes once more, as the last join left them: so two write ports are enough for each memory";
    add("warp pool", module,
        {{"tids", lanes_ * tid_bits_, ""},
         {"pc", kPcBits, ""},
         {"began", lanes_, "which lanes hold a thread; the paper's entry cannot tell an empty lane"},
         {"grown", lanes_, twice}},
        threads_, Storage::kMemory);
    add("warp pool control", module, {{"joined", 1, twice}}, threads_);
  }

  void allocator() {
    const char* module = "dwf/warp_allocator";
    const char* ring = "the memory is a ring: where to take, where to return, and how many are left";
    add("warp allocator", module, {{"idx", tid_bits_, ""}}, threads_, Storage::kMemory);
    add("warp allocator control", module,
        {{"read", tid_bits_, ring},
         {"write", tid_bits_, ring},
         {"free", count_bits_, ring},
         {"written", 1,
          "after reset the memory is not written: until the read pointer has wrapped a place stands for its own "
          "number"}},
        1);
  }

  void issue_logic() {
    const char* module = "dwf/issue_logic";
    const char* ahead = "the warp is picked a cycle before it issues";
    std::vector<BitField> pick = {{"valid", 1, ahead}, {"idx", tid_bits_, ahead}};
    if (looks_at_sched()) pick.push_back({"sched", kSchedBits, ahead});
    add("pick register", module, pick, 1);
    switch (config_.dwf.heuristic) {
      case DwfHeuristic::kMajority:
      case DwfHeuristic::kMinority: {
        std::vector<BitField> entry = {{"pc", kPcBits, ""}, {range("count", tid_bits_ - 1, 0), tid_bits_, ""}};
        if (count_bits_ > tid_bits_) {
          entry.push_back({range("count", count_bits_ - 1, tid_bits_), count_bits_ - tid_bits_,
                           "all threads may have one PC: the paper's counter overflows"});
        }
        entry.push_back({"valid", 1, "the entry counts a PC"});
        const char* queue =
            "the warps of a PC leave in order of age: by pool index half-formed warps would overtake full ones";
        entry.push_back({"head", tid_bits_, queue});
        entry.push_back({"tail", tid_bits_, queue});
        entry.push_back({"waits", 1, queue});
        entry.push_back(
            {"current", 1,
             "the PC that issues until no warp is left at it, by position, so that the choice compares no PC"});
        entry.push_back(
            {"left", 1, "the threads of a warp that issued are counted a cycle later, out of the issue register"});
        add("issue logic", module, entry, config_.dwf.table_entries);
        add("issue order", module, {{"next", tid_bits_, queue}}, threads_, Storage::kMemory);
        if (config_.dwf.table_sort == DwfTableSort::kStep) {
          add("issue logic control", module, {{"odd", 1, "which neighbours are compared in this cycle"}}, 1);
        }
        break;
      }
      case DwfHeuristic::kTime: {
        const char* order = "pool entries in order of age; the paper gives bits for the majority heuristic only";
        add("issue order", module, {{"idx", tid_bits_, order}}, threads_, Storage::kMemory);
        add("issue order control", module,
            {{"read", tid_bits_, order}, {"write", tid_bits_, order}, {"waiting", count_bits_, order}}, 1);
        break;
      }
      case DwfHeuristic::kPostDominator: {
        const char* list =
            "warps in the order in which they leave; the paper gives bits for the majority heuristic only";
        add("issue order", module, {{"valid", 1, list}, {"idx", tid_bits_, list}, {"sched", kSchedBits, list}},
            threads_);
        add("issue order control", module, {{"odd", 1, "which neighbours are compared in this cycle"}}, 1);
        break;
      }
      case DwfHeuristic::kPc: {
        const char* list =
            "warps in the order in which they leave; the paper gives bits for the majority heuristic only";
        add("issue order", module, {{"valid", 1, list}, {"idx", tid_bits_, list}, {"pc", kPcBits, list}}, threads_);
        break;
      }
    }
  }

  void scheduler() {
    const char* module = "dwf/dwf_scheduler";
    const char* pipeline = "pipeline register between the pool and the register file";
    std::vector<BitField> issue = {{"valid", 1, pipeline},
                                   {"pc", kPcBits, pipeline},
                                   {"mask", lanes_, pipeline},
                                   {"tids", lanes_ * tid_bits_, pipeline}};
    if (looks_at_sched()) issue.push_back({"sched", kSchedBits, pipeline});
    add("issue register", module, issue, 1);
    const char* events = "statistics: what the two updates of the last cycle met";
    add("event registers", module,
        {{"hit", 2, events},
         {"miss", 2, events},
         {"alias", 2, events},
         {"conflict", 2, events},
         {"fragmented", 2, events},
         {"drain", 1, events}},
        1);
    add("pool high-water mark", module, {{"max_warps", count_bits_, "statistics: the most entries in use since reset"}},
        1);
  }

  static constexpr unsigned kSchedBits = 8;

  const Config& config_;
  const unsigned lanes_;
  const unsigned threads_;     // of the core
  const unsigned tid_bits_;    // a thread, or an entry of the pool
  const unsigned count_bits_;  // a number of threads
  std::vector<BitStructure> structures_;
};

class Dwf final : public Mechanism {
 public:
  Dwf()
      : Mechanism(MechanismKind::kFormation, "dwf",
                  "dynamic warp formation: threads with equal next PC form warps anew in every cycle (barrel core)",
                  "DWF paper 4") {}

  [[nodiscard]] std::vector<ConfigKey> keys() const override {
    return {HEDDLE_CHOICE(
                "dwf.heuristic", dwf.heuristic,
                "dwf: which warp issues: most or least common PC, oldest, fewest post-dominators passed, smallest PC",
                kTable2, "dmaj", "dmin", "dtime", "dpdpri", "dpc"),
            HEDDLE_BOOL("dwf.lane_aware", dwf.lane_aware, "dwf: a thread keeps its home lane", "DWF paper 4.1"),
            HEDDLE_CHOICE(
                "dwf.swizzle", dwf.swizzle,
                "dwf: home lanes at launch: tid mod lanes, neighbours swapped in odd warps, or rotated by the warp",
                "DWF paper 4.1", "none", "swap", "rotate"),
            HEDDLE_CHOICE("dwf.regfile", dwf.regfile,
                          "dwf: one bank a lane, any thread in any lane, or a crossbar with bank conflicts",
                          "DWF paper, Figure 10", "lane_aware", "ideal", "crossbar"),
            HEDDLE_POWER("dwf.lut_entries", dwf.lut_entries, 1, 1024, "entries", "dwf: PC-warp LUT", kTable1),
            HEDDLE_POWER("dwf.lut_ways", dwf.lut_ways, 1, 4, "", "dwf: associativity of the PC-warp LUT", kTable1),
            HEDDLE_NUMBER("dwf.table_entries", dwf.table_entries, 2, 64, "entries",
                          "dwf: PCs in the table of dmaj and dmin", kTable1),
            HEDDLE_CHOICE(
                "dwf.table_sort", dwf.table_sort,
                "dwf: dmaj and dmin sort their table by a step a cycle, or know the most or least common PC exactly",
                "DWF paper 4.3", "step", "exact")};
  }

  // dwf.regfile and dwf.lane_aware say the same thing at different length: the one that was set decides.
  void complete(Config& config, const IsSet& is_set) const override {
    const bool regfile_set = is_set("dwf.regfile"), lane_aware_set = is_set("dwf.lane_aware");
    if (regfile_set && !lane_aware_set) config.dwf.lane_aware = config.dwf.regfile == DwfRegfile::kLaneAware;
    if (lane_aware_set && !regfile_set)
      config.dwf.regfile = config.dwf.lane_aware ? DwfRegfile::kLaneAware : DwfRegfile::kIdeal;
  }

  void check_keys(const Config& config, const Describe& describe) const override {
    if ((config.dwf.regfile == DwfRegfile::kLaneAware) != config.dwf.lane_aware) {
      throw bad_input("config", describe("dwf.regfile") + " with " + describe("dwf.lane_aware") +
                                    ": warps of lane-aware formation need no other register file, and the others need "
                                    "lane_aware = false; set one of them");
    }
    if (config.dwf.lut_entries < config.dwf.lut_ways) {
      throw bad_input("config", describe("dwf.lut_entries") + " with " + describe("dwf.lut_ways") +
                                    ": a set has fewer entries than ways; raise dwf.lut_entries");
    }
  }

  void check(const Config& config, const Describe& describe) const override {
    const unsigned lanes = config.core.lanes;
    if (lanes <= kMaxLanesFormed && lanes * config.core.warps <= kMaxThreads) return;
    throw bad_input("config", describe("core.lanes") + " and " + describe("core.warps") + " with " +
                                  describe("mechanism") + ": dynamic warp formation has at most " +
                                  std::to_string(kMaxLanesFormed) + " lanes and " + std::to_string(kMaxThreads) +
                                  " threads (lanes x warps); lower them, or choose --preset dwf2007");
  }

  [[nodiscard]] std::optional<BitReport> bits(const Config& config) const override {
    return DwfCounter(config).report();
  }
  [[nodiscard]] std::string sizes(const Config& config) const override {
    const bool table =
        config.dwf.heuristic == DwfHeuristic::kMajority || config.dwf.heuristic == DwfHeuristic::kMinority;
    return fmt::format("dwf: {} threads in warps of {} lanes, LUT of {} entries in sets of {}, {}{}",
                       config.core.warps * config.core.lanes, config.core.lanes, config.dwf.lut_entries,
                       config.dwf.lut_ways, find_key("dwf.heuristic")->text(config),
                       table ? fmt::format(" with a table of {} PCs{}", config.dwf.table_entries,
                                           config.dwf.table_sort == DwfTableSort::kExact ? " of exact order" : "")
                             : "");
  }
  [[nodiscard]] const char* bits_compared() const override {
    return " (its whole front end, with scoreboards and instruction buffers)";
  }
};

}  // namespace

const Mechanism& dwf_mechanism() {
  static const Dwf dwf;
  return dwf;
}

}  // namespace heddle
