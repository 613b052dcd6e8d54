// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <algorithm>
#include <boost/program_options/parsers.hpp>
#include <charconv>
#include <functional>
#include <optional>
#include <sstream>

#include "config/key_macros.h"
#include "config/nearest.h"
#include "config/read_file.h"
#include "heddle/error.h"
#include "heddle/types.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

constexpr const char* kMechanismKey = "mechanism";
constexpr unsigned kMaxSms = 256;
constexpr unsigned kMaxWarpsPerScheduler = 24;              // warps of one front end
constexpr unsigned kRegistersPerThread = 64;                // x0..x31 and f0..f31
constexpr std::uint64_t kMaxHeap = std::uint64_t{1} << 40;  // kMaxWideHeapBytes of isa/launch.h

bool is_power_of_two(std::uint64_t value) { return value != 0 && (value & (value - 1)) == 0; }

std::vector<const char*> mechanism_names() {
  std::vector<const char*> names;
  for (const Mechanism* mechanism : mechanisms()) names.push_back(mechanism->name);
  return names;
}

std::uint64_t get_mechanism(const Config& config) {
  const std::vector<const Mechanism*>& table = mechanisms();
  const auto it = std::find_if(table.begin(), table.end(), [&](const auto* m) { return config.mechanism == m->name; });
  return static_cast<std::uint64_t>(it - table.begin());
}

void put_mechanism(Config& config, std::uint64_t index) { config.mechanism = mechanisms()[index]->name; }

constexpr const char* kTable1 = "DPE paper, Table 1";
constexpr const char* kAssumed = "assumed";

std::vector<ConfigKey> core_keys() {
  return {
      HEDDLE_NUMBER("gpu.sms", gpu.sms, 1, kMaxSms, "", "SMs (cores) of the GPU; engine systemc", kTable1),

      HEDDLE_POWER("core.lanes", core.lanes, 4, kMaxLanes, "threads", "threads of a warp", kTable1),
      HEDDLE_NUMBER("core.warps", core.warps, 1, kMaxWarps, "warps", "resident warps of the core", kTable1),
      HEDDLE_POWER("core.schedulers", core.schedulers, 1, 4, "",
                   "warp schedulers; warp w belongs to scheduler w mod schedulers", kTable1),
      HEDDLE_NUMBER("core.max_blocks", core.max_blocks, 1, kMaxWarps, "blocks", "resident blocks of the core", "Fermi"),
      HEDDLE_NUMBER("core.registers", core.registers, 256, 1u << 24, "registers",
                    "registers of the core, as wide as the program's; a thread uses 64", "room for 1536 threads"),
      HEDDLE_NUMBER("core.shared_bytes", core.shared_bytes, 0, 1u << 20, "bytes", "shared memory of the core", kTable1),
      HEDDLE_NUMBER("core.clock_mhz", core.clock_mhz, 1, 100000, "MHz", "of a cycle, beside dram.clock_mhz",
                    "Fermi: half the shader clock"),
      HEDDLE_NUMBER(
          "core.predicate", core.predicate, 0, kMaxSkip, "instructions",
          "front ends: a forward branch over at most so many instructions masks threads off instead of diverging",
          kAssumed),
  };
}

std::vector<ConfigKey> frontend_keys() {
  return {
      HEDDLE_NUMBER("frontend.ibuffer", frontend.ibuffer, 2, 8, "instructions", "instruction buffer of a path",
                    kAssumed),
      HEDDLE_NUMBER("frontend.fetch_latency", frontend.fetch_latency, 1, 16, "cycles",
                    "from a fetch request to decoded instructions", kAssumed),
      HEDDLE_CHOICE("frontend.resolve", frontend.resolve,
                    "when branches resolve: the cycle after issue, or the ALU latency later",
                    "DPE paper's simulator has no bubble", "issue", "execute"),

      HEDDLE_CHOICE("stack.kind", stack.kind, "spe: an entry for each side and meeting point, or one for each nesting",
                    "DPE paper 2.1", "textbook", "compact"),
      HEDDLE_NUMBER("stack.depth", stack.depth, 2, kMaxStackDepth, "entries",
                    "reconvergence stack of a warp; dws, whose waiting splits are in it: 32 by default",
                    "11 (SPE) and 7 (DPE) seen in the DPE paper"),
      HEDDLE_CHOICE("stack.order", stack.order,
                    "spe: which side of a divergent branch runs first; cbar: the same, larger_first by default; "
                    "forkjoin: of two of one size",
                    "DWF paper, Figure 5", "taken_first", "fallthrough_first", "smaller_first", "larger_first"),
      HEDDLE_NUMBER("stack.level_bits", stack.level_bits, 2, 16, "bits",
                    "call level of a path: recursion meets at its own depth, modulo 2^bits", kAssumed),
      HEDDLE_BOOL("stack.taken_left", stack.taken_left, "dpe: the taken side becomes the left path", kAssumed),

      HEDDLE_NUMBER("scoreboard.entries", scoreboard.entries, 1, 32, "entries",
                    "pending writes of a table; dpe has two tables a warp", kAssumed),
      HEDDLE_CHOICE("scoreboard.kind", scoreboard.kind,
                    "tables, in dpe with shadow bits; dpe: the optimistic reference without false dependences; a bit a "
                    "register, without tables",
                    "DPE paper 3.2 and 4", "shadow", "optimistic", "bitmap"),

      HEDDLE_CHOICE("selector.kind", selector.kind, "dpe: both paths compete, or only the current path of a warp",
                    "DPE paper 3.3", "two_level", "constrained"),
      HEDDLE_CHOICE("selector.switch_at", selector.switch_at,
                    "dpe, constrained: a path yields at special functions and loads that miss L1; and at loads of "
                    "shared memory; and at divisions",
                    "DPE paper 3.3", "global", "shared", "long"),
      HEDDLE_CHOICE("selector.policy", selector.policy, "between warps: loose round robin, or greedy then oldest",
                    kTable1, "lrr", "gto"),
  };
}

std::vector<ConfigKey> barrel_keys() {
  return {
      HEDDLE_NUMBER("barrel.depth", barrel.depth, 4, 64, "cycles",
                    "barrel core: from an issue of a thread to its next at the earliest; dwf needs two more", kAssumed),
      HEDDLE_BOOL("barrel.split_loads", barrel.split_loads,
                  "dwf and mimd: threads come back when their own line is there, not when all of their warp are",
                  "DWF paper 2.1"),
  };
}

std::vector<ConfigKey> unit_keys() {
  return {
      HEDDLE_NUMBER("alu.latency", alu.latency, 1, 64, "cycles", "issue register to write-back", kAssumed),
      HEDDLE_NUMBER("alu.interval", alu.interval, 1, 64, "cycles", "between two warp instructions of one unit",
                    kAssumed),
      HEDDLE_NUMBER("muldiv.latency", muldiv.latency, 1, 64, "cycles", "multiply: issue register to write-back",
                    kAssumed),
      HEDDLE_NUMBER("muldiv.interval", muldiv.interval, 1, 64, "cycles", "multiply: between two warp instructions",
                    kAssumed),
      HEDDLE_NUMBER("muldiv.div_latency", div_latency, 1, 256, "cycles", "div and rem: issue register to write-back",
                    kAssumed),
      HEDDLE_NUMBER("fp.latency", fp.latency, 1, 64, "cycles", "issue register to write-back", kAssumed),
      HEDDLE_NUMBER("fp.interval", fp.interval, 1, 64, "cycles", "between two warp instructions", kAssumed),
      HEDDLE_NUMBER("fp.div_latency", fp_div_latency, 1, 256, "cycles", "fdiv and fsqrt: issue register to write-back",
                    kAssumed),
      HEDDLE_NUMBER("fp64.latency", fp64.latency, 1, 64, "cycles",
                    "double precision (RV64): issue register to write-back", kAssumed),
      HEDDLE_NUMBER("fp64.interval", fp64.interval, 1, 64, "cycles",
                    "double precision: of a unit that fp shares, between two warp instructions; twice fp's on compute "
                    "cards, 8 times fp's on GeForce",
                    "Fermi: CUDA C Programming Guide 4.2, table 5-1"),
      HEDDLE_NUMBER("fp64.div_latency", fp64_div_latency, 1, 512, "cycles",
                    "fdiv.d and fsqrt.d: issue register to write-back", kAssumed),
      HEDDLE_NUMBER("sfu.latency", sfu.latency, 1, 256, "cycles", "special functions: issue register to write-back",
                    kAssumed),
      HEDDLE_NUMBER("sfu.interval", sfu.interval, 1, 64, "cycles",
                    "special functions: 4 units serve 32 lanes in 8 cycles", kAssumed),
      HEDDLE_NUMBER("lsu.latency", lsu_latency, 1, 64, "cycles", "issue register to the memory pipeline", kAssumed),
  };
}

std::vector<ConfigKey> memory_keys() {
  return {
      HEDDLE_POWER("shared.banks", shared.banks, 1, 64, "banks", "banks of shared memory, 4 bytes wide", "Fermi"),
      HEDDLE_NUMBER("shared.latency", shared.latency, 1, 1024, "cycles", "shared memory without conflicts", kAssumed),

      HEDDLE_NUMBER("l1.bytes", l1.bytes, 256, 1u << 24, "bytes", "capacity of the L1 data cache", kTable1),
      HEDDLE_NUMBER("l1.ways", l1.ways, 1, 64, "", "associativity", kTable1),
      HEDDLE_POWER("l1.line", l1.line, 32, 512, "bytes", "line size", kTable1),
      HEDDLE_NUMBER("l1.mshrs", l1.mshrs, 1, 1024, "lines", "lines outstanding", kAssumed),
      HEDDLE_NUMBER("l1.mshr_targets", l1.mshr_targets, 1, 256, "", "instructions that wait for one line", kAssumed),
      HEDDLE_NUMBER("l1.hit_latency", l1.hit_latency, 1, 1024, "cycles", "load hit", kAssumed),
      HEDDLE_POWER("l1.banks", l1.banks, 1, 64, "banks",
                   "an instruction looks up at most one line of each bank a cycle", kAssumed),
      HEDDLE_CHOICE("l1.write", l1.write,
                    "stores: to memory and out of the cache; into the cache and to memory when replaced; or so for "
                    "local memory that is there",
                    "Fermi's global memory", "through", "back", "local_back"),
      HEDDLE_CHOICE("l1.index", l1.index,
                    "set of a line: its low number bits, all of them XOR-folded, or Fermi's function (folded, too, "
                    "where there are not 32 or 64 sets of 128 bytes)",
                    "Nugteren et al., HPCA 2014", "linear", "hashed", "fermi"),

      HEDDLE_CHOICE("memory.kind", memory.kind,
                    "behind L1: a latency and a bandwidth, or crossbar, L2 and DRAM (keys noc, l2, dram)", kTable1,
                    "simple", "hierarchy"),
      HEDDLE_NUMBER("memory.latency", memory.latency, 1, 100000, "cycles", "behind L1, unloaded", kAssumed),
      HEDDLE_NUMBER("memory.bytes_per_cycle", memory.bytes_per_cycle, 1, 4096, "bytes", "bandwidth of one core's share",
                    kAssumed),
      HEDDLE_NUMBER("memory.heap_bytes", memory.heap_bytes, 4096, kMaxHeap, "bytes",
                    "room for buffers, with RV32 at most 1 GiB of it", kAssumed),
      HEDDLE_NUMBER("memory.local_bytes", memory.local_bytes, 256, kMaxLocalBytes, "bytes",
                    "stack and locals of a thread", kAssumed),
  };
}

std::vector<ConfigKey> hierarchy_keys() {
  return {
      HEDDLE_NUMBER("noc.latency", noc.latency, 1, 1024, "cycles", "crossbar between L1 and L2, each way", kAssumed),
      HEDDLE_NUMBER("noc.flit_bytes", noc.flit_bytes, 8, 256, "bytes", "what a port of the crossbar passes in a cycle",
                    kAssumed),
      HEDDLE_NUMBER("noc.queue", noc.queue, 1, 1024, "requests", "of an SM that wait for the crossbar", kAssumed),
      HEDDLE_NUMBER("noc.credits", noc.credits, 1, 1024, "requests", "of an SM on their way to one slice of L2",
                    kAssumed),

      HEDDLE_NUMBER("l2.bytes", l2.bytes, 0, 1u << 30, "bytes", "capacity of all slices of L2, one a channel; 0: none",
                    kTable1),
      HEDDLE_NUMBER("l2.ways", l2.ways, 1, 64, "", "associativity", kTable1),
      HEDDLE_POWER("l2.line", l2.line, 32, 1024, "bytes", "line size", kTable1),
      HEDDLE_NUMBER("l2.latency", l2.latency, 1, 1024, "cycles", "hit, inside the slice", kAssumed),
      HEDDLE_NUMBER("l2.mshrs", l2.mshrs, 1, 1024, "lines", "lines of a slice outstanding", kAssumed),
      HEDDLE_NUMBER("l2.mshr_targets", l2.mshr_targets, 1, 256, "", "requests that wait for one line", kAssumed),

      HEDDLE_NUMBER("dram.channels", dram.channels, 1, 64, "", "channels, each with a slice of L2", kTable1),
      HEDDLE_NUMBER("dram.clock_mhz", dram.clock_mhz, 1, 100000, "MHz", "clock of the command bus",
                    "29.6 GB/s a channel in the DPE paper, Table 1"),
      HEDDLE_POWER("dram.bytes_per_clock", dram.bytes_per_clock, 1, 256, "bytes", "of a channel's data bus",
                   "29.6 GB/s a channel in the DPE paper, Table 1"),
      HEDDLE_POWER("dram.burst_bytes", dram.burst_bytes, 1, 1024, "bytes", "of a column command", "GDDR5"),
      HEDDLE_NUMBER("dram.banks", dram.banks, 1, 256, "banks", "of a channel", "GDDR5"),
      HEDDLE_POWER("dram.row_bytes", dram.row_bytes, 256, 65536, "bytes", "of a bank's row", "GDDR5"),
      HEDDLE_NUMBER("dram.queue", dram.queue, 2, 256, "requests",
                    "of a channel, served first-ready first-come first-served", kAssumed),
      HEDDLE_NUMBER("dram.controller", dram.controller, 0, 1024, "cycles",
                    "core cycles from a channel's last byte to its slice", kAssumed),
      HEDDLE_NUMBER("dram.t_rcd", dram.t_rcd, 1, 1000, "clocks", "activate to column command", "GDDR5"),
      HEDDLE_NUMBER("dram.t_rp", dram.t_rp, 1, 1000, "clocks", "precharge to activate", "GDDR5"),
      HEDDLE_NUMBER("dram.t_cl", dram.t_cl, 1, 1000, "clocks", "read command to data", "GDDR5"),
      HEDDLE_NUMBER("dram.t_rc", dram.t_rc, 1, 1000, "clocks", "activate to activate of a bank", "GDDR5"),
      HEDDLE_NUMBER("dram.t_ras", dram.t_ras, 1, 1000, "clocks", "activate to precharge", "GDDR5"),
      HEDDLE_NUMBER("dram.t_rrd", dram.t_rrd, 1, 1000, "clocks", "activate to activate of another bank", "GDDR5"),
      HEDDLE_NUMBER("dram.t_wl", dram.t_wl, 1, 1000, "clocks", "write command to data", "GDDR5"),
      HEDDLE_NUMBER("dram.t_wr", dram.t_wr, 1, 1000, "clocks", "written data to precharge", "GDDR5"),
      HEDDLE_NUMBER("dram.t_wtr", dram.t_wtr, 1, 1000, "clocks", "written data to read command", "GDDR5"),
  };
}

std::vector<ConfigKey> run_keys() {
  return {
      HEDDLE_NUMBER("run.max_cycles", run.max_cycles, 0, ~std::uint64_t{0}, "cycles",
                    "stop a launch after so many cycles; 0: no limit", "none"),
      HEDDLE_NUMBER("run.watchdog", run.watchdog, 100, ~std::uint64_t{0}, "cycles",
                    "stop when nothing issued for so long and nothing is in flight", kAssumed),
      HEDDLE_BOOL("run.oracle", run.oracle, "compare every commit with the reference interpreter",
                  "checked by default"),
      HEDDLE_BOOL("run.checks", run.checks, "check hazard, mask and thread invariants", "checked by default"),
      HEDDLE_BOOL("run.bounds", run.bounds,
                  "accesses outside of every buffer and variable are faults; where not set, as run.checks",
                  "checked by default"),
      HEDDLE_BOOL("run.skip_idle", run.skip_idle,
                  "pass over cycles, and leave out evaluations of Verilated models, in which nothing can change; the "
                  "same counts",
                  "none"),
  };
}

std::vector<ConfigKey> make_keys() {
  std::vector<ConfigKey> keys = {
      {kMechanismKey, KeyType::kChoice, 0, 0, false, mechanism_names(), "", "control-flow mechanism",
       "baseline of both papers", get_mechanism, put_mechanism},
  };
  const auto add = [&keys](const std::vector<ConfigKey>& more) { keys.insert(keys.end(), more.begin(), more.end()); };
  add(core_keys());
  add(frontend_keys());
  for (const Mechanism* mechanism : mechanisms()) add(mechanism->keys());
  add(barrel_keys());
  add(unit_keys());
  add(memory_keys());
  add(hierarchy_keys());
  add(run_keys());
  return keys;
}

// Decimal or 0x hexadecimal; K, M, G only where the key counts bytes.
std::optional<std::uint64_t> parse_number(std::string_view text, bool bytes) {
  int base = 10;
  if (text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
    base = 16;
    text.remove_prefix(2);
  }
  unsigned shift = 0;
  if (bytes && base == 10 && !text.empty()) {
    switch (text.back()) {
      case 'k':
      case 'K': shift = 10; break;
      case 'm':
      case 'M': shift = 20; break;
      case 'g':
      case 'G': shift = 30; break;
      default: break;
    }
    if (shift != 0) text.remove_suffix(1);
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (shift != 0 && value > (~std::uint64_t{0} >> shift)) return std::nullopt;
  return value << shift;
}

std::optional<bool> parse_bool(std::string_view text) {
  if (text == "true" || text == "on" || text == "yes" || text == "1") return true;
  if (text == "false" || text == "off" || text == "no" || text == "0") return false;
  return std::nullopt;
}

std::optional<std::uint64_t> parse_value(const ConfigKey& key, std::string_view text) {
  switch (key.type) {
    case KeyType::kBool:
      if (const std::optional<bool> value = parse_bool(text)) return *value ? 1 : 0;
      return std::nullopt;
    case KeyType::kChoice: {
      const auto it = std::find(key.choices.begin(), key.choices.end(), text);
      if (it == key.choices.end()) return std::nullopt;
      return static_cast<std::uint64_t>(it - key.choices.begin());
    }
    case KeyType::kNumber: break;
  }
  return parse_number(text, std::string_view(key.unit) == "bytes");
}

bool in_range(const ConfigKey& key, std::uint64_t value) {
  if (key.type == KeyType::kChoice) return value < key.choices.size();
  return value >= key.min && value <= key.max && (!key.power_of_two || is_power_of_two(value));
}

std::string trimmed(const std::string& text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

// Text of an INI file, without byte order mark; throws what makes it none.
std::string read_ini(const std::string& path) {
  constexpr std::uint64_t kMaxFile = 1u << 20;
  FileContent content = read_file(path, kMaxFile);
  std::string& text = content.bytes;
  if (!content.error.empty())
    throw bad_input("config", path + ": cannot be read (" + content.error + "); give --config a readable INI file");
  if (content.more)
    throw bad_input("config",
                    path + ": larger than 1 MiB, so it is no INI file; give --config a file of key = value lines");
  if (text.compare(0, 3, "\xEF\xBB\xBF") == 0) text.erase(0, 3);
  if (text.compare(0, 2, "\xFF\xFE") == 0 || text.compare(0, 2, "\xFE\xFF") == 0) {
    throw bad_input("config", path + ": is UTF-16 text; save it as UTF-8");
  }
  if (text.find('\0') != std::string::npos)
    throw bad_input("config", path + ": is not text; give --config a file of key = value lines");
  return std::move(text);
}

void check_hierarchy(const Config& c, const std::function<std::string(const char*)>& describe) {
  if (c.l1.line > c.l2.line) {
    throw bad_input("config", describe("l1.line") + " with " + describe("l2.line") +
                                  ": a line of L1 is in one of L2; raise l2.line");
  }
  const std::uint64_t set_bytes = std::uint64_t{c.l2.ways} * c.l2.line * c.dram.channels;
  if (c.l2.bytes % set_bytes != 0) {
    throw bad_input("config", describe("l2.bytes") + " with " + describe("l2.ways") + ", " + describe("l2.line") +
                                  " and " + describe("dram.channels") +
                                  ": must be a multiple of ways x line x channels = " + std::to_string(set_bytes) +
                                  ", or 0");
  }
  if (c.dram.burst_bytes > c.l2.line || c.dram.burst_bytes < c.dram.bytes_per_clock || c.dram.row_bytes < c.l2.line) {
    throw bad_input("config",
                    describe("dram.burst_bytes") + " with " + describe("dram.bytes_per_clock") + ", " +
                        describe("l2.line") + " and " + describe("dram.row_bytes") +
                        ": a clock's bytes, a burst, a line and a row each hold the one before; change one of them");
  }
}

// The relations between keys. `describe` writes "key = value (where it was set)".
void check_relations(const Config& c, const std::function<std::string(const char*)>& describe) {
  const MechanismKind kind = mechanism_kind(c.mechanism);
  const unsigned per_scheduler = (c.core.warps + c.core.schedulers - 1) / c.core.schedulers;
  if (kind == MechanismKind::kFrontend && per_scheduler > kMaxWarpsPerScheduler) {
    throw bad_input("config", describe("core.warps") + " with " + describe("core.schedulers") +
                                  ": a scheduler serves at most " + std::to_string(kMaxWarpsPerScheduler) +
                                  " warps; lower core.warps or raise core.schedulers");
  }
  if (kind != MechanismKind::kFrontend && c.core.schedulers != 1) {
    throw bad_input("config",
                    describe("core.schedulers") + " with " + describe("mechanism") +
                        ": the barrel core has one scheduler; choose --preset dwf2007, or set core.schedulers=1");
  }
  const Mechanism* mechanism = find_mechanism(c.mechanism);
  if (mechanism != nullptr) mechanism->check(c, describe);
  if (c.core.registers < kRegistersPerThread * c.core.lanes) {
    throw bad_input("config", describe("core.registers") + " with " + describe("core.lanes") + ": one warp needs " +
                                  std::to_string(kRegistersPerThread * c.core.lanes) +
                                  " registers; raise core.registers");
  }
  if (c.core.shared_bytes % 4 != 0) {
    throw bad_input("config", describe("core.shared_bytes") + ": must be a multiple of 4");
  }
  for (const Mechanism* each : mechanisms()) each->check_keys(c, describe);
  const unsigned way_bytes = c.l1.ways * c.l1.line;
  if (c.l1.bytes % way_bytes != 0 || !is_power_of_two(c.l1.bytes / way_bytes)) {
    throw bad_input("config", describe("l1.bytes") + " with " + describe("l1.ways") + " and " + describe("l1.line") +
                                  ": bytes / (ways x line) must be a power of two (the number of sets)");
  }
  if (c.memory.kind == MemoryKind::kHierarchy) check_hierarchy(c, describe);
  if (c.memory.local_bytes % 16 != 0) {
    throw bad_input("config", describe("memory.local_bytes") + ": must be a multiple of 16 (stack alignment)");
  }
  if (c.memory.heap_bytes % 4096 != 0) {
    throw bad_input("config", describe("memory.heap_bytes") + ": must be a multiple of 4096");
  }
}

}  // namespace

std::string ConfigKey::allowed() const {
  if (type == KeyType::kBool) return "true or false";
  if (type == KeyType::kChoice) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (i != 0) text += i + 1 == choices.size() ? " or " : ", ";
      text += choices[i];
    }
    return text;
  }
  const std::string from = std::to_string(min);
  if (max == ~std::uint64_t{0}) return min == 0 ? "any whole number" : "at least " + from;
  return (power_of_two ? "a power of two from " : "") + from + " to " + std::to_string(max);
}

std::string ConfigKey::text(const Config& config) const {
  if (std::string_view(name) == kMechanismKey) return config.mechanism;  // may be one that a C++ program registered
  const std::uint64_t value = get(config);
  if (type == KeyType::kBool) return value != 0 ? "true" : "false";
  if (type == KeyType::kChoice) return value < choices.size() ? choices[value] : "?";
  return std::to_string(value);
}

const std::vector<ConfigKey>& config_keys() {
  static std::vector<ConfigKey> keys;
  static std::size_t known = 0;  // mechanisms whose keys are there
  if (known != mechanisms().size()) {
    keys = make_keys();
    known = mechanisms().size();
  }
  return keys;
}

const ConfigKey* find_key(std::string_view name) {
  for (const ConfigKey& key : config_keys()) {
    if (name == key.name) return &key;
  }
  return nullptr;
}

const std::vector<Preset>& presets() {
  static const std::vector<Preset> table = {
      {"fermi",
       "the GPU of the dual-path study, whose 15 SMs are gpu.sms=15: 48 warps of 32 threads, 2 schedulers, 16 KB L1, "
       "Fermi's latencies, L2, DRAM; any number of splits",
       "DPE paper, Table 1; docs/core.md",
       // A cycle is two of Fermi's shader clock. lsu.latency, sfu.latency, mshrs, targets, bandwidth // assumed
       {{"core.lanes", "32"},
        {"core.warps", "48"},
        {"core.schedulers", "2"},
        {"core.max_blocks", "8"},
        {"core.shared_bytes", "48K"},
        {"core.predicate", "4"},
        {"selector.policy", "lrr"},
        {"shared.banks", "32"},
        {"l1.bytes", "16K"},
        {"l1.ways", "4"},
        {"l1.line", "128"},
        {"l1.index", "fermi"},
        {"alu.latency", "6"},
        {"fp.latency", "6"},
        {"muldiv.latency", "6"},
        {"muldiv.interval", "1"},
        {"muldiv.div_latency", "147"},
        {"fp.div_latency", "41"},
        {"fp64.latency", "10"},
        {"fp64.interval", "2"},
        {"fp64.div_latency", "332"},
        {"sfu.interval", "4"},
        {"shared.latency", "19"},
        {"l1.hit_latency", "28"},
        {"l1.write", "local_back"},
        {"memory.kind", "hierarchy"},
        {"memory.latency", "265"},
        {"dws.splits", "32"}}},
      {"volta",
       "an SM of the V100, of which that GPU has 80 (gpu.sms): 64 warps of 32 threads, 4 schedulers, 96 KB shared "
       "memory beside 32 KB L1, published latencies, L2, HBM2",
       "Jia et al., arXiv 1804.06826; docs/core.md",
       // registers (a thread has 64 here), lsu.latency, l1.index, mshrs, targets, noc, l2.line, dram.queue,
       // dram.burst_bytes // assumed
       {{"core.lanes", "32"},
        {"core.warps", "64"},
        {"core.schedulers", "4"},
        {"core.max_blocks", "32"},
        {"core.registers", "131072"},
        {"core.shared_bytes", "96K"},
        {"core.clock_mhz", "1380"},
        {"selector.policy", "lrr"},
        {"alu.latency", "1"},
        {"alu.interval", "2"},
        {"muldiv.latency", "2"},
        {"muldiv.interval", "1"},
        {"muldiv.div_latency", "142"},
        {"fp.latency", "1"},
        {"fp.interval", "2"},
        {"fp.div_latency", "36"},
        {"fp64.latency", "5"},
        {"fp64.interval", "4"},
        {"fp64.div_latency", "327"},
        {"sfu.latency", "11"},
        {"sfu.interval", "2"},
        {"shared.banks", "32"},
        {"shared.latency", "12"},
        {"l1.bytes", "32K"},
        {"l1.ways", "64"},
        {"l1.line", "128"},
        {"l1.hit_latency", "21"},
        {"l1.write", "through"},
        {"memory.kind", "hierarchy"},
        {"memory.latency", "347"},
        {"l2.bytes", "6M"},
        {"l2.ways", "16"},
        {"l2.line", "128"},
        {"l2.latency", "96"},
        {"dram.channels", "32"},
        {"dram.clock_mhz", "877"},
        {"dram.bytes_per_clock", "32"},
        {"dram.burst_bytes", "64"},
        {"dram.banks", "16"},
        {"dram.controller", "252"},
        {"dram.t_rcd", "12"},
        {"dram.t_rp", "12"},
        {"dram.t_cl", "12"},
        {"dram.t_rc", "40"},
        {"dram.t_ras", "28"},
        {"dram.t_rrd", "3"},
        {"dram.t_wl", "2"},
        {"dram.t_wr", "10"},
        {"dram.t_wtr", "3"}}},
      {"dwf2007",
       "one core of the dynamic warp formation study: 256 threads in warps of 16, 512 KB cache, 8 bytes a cycle from "
       "memory",
       "DWF paper, Table 2",
       // One of 8 cores with one of 8 memory modules. Lines outstanding: one a thread, a thread waits for its own miss
       // only. Banks, write-back, hash, memory.latency, mshrs, targets // assumed
       {{"core.lanes", "16"},
        {"core.warps", "16"},
        {"core.schedulers", "1"},
        {"core.predicate", "0"},
        {"dwf.heuristic", "dmaj"},
        {"l1.bytes", "512K"},
        {"l1.ways", "8"},
        {"l1.hit_latency", "10"},
        {"l1.mshrs", "256"},
        {"l1.mshr_targets", "64"},
        {"l1.banks", "16"},
        {"l1.write", "back"},
        {"l1.index", "hashed"},
        {"memory.latency", "100"},
        {"memory.bytes_per_cycle", "8"},
        // With memory.kind=hierarchy: modules without a cache in front. noc.latency, controller, write timings //
        // assumed
        {"core.clock_mhz", "650"},
        {"noc.latency", "16"},
        {"l2.bytes", "0"},
        {"l2.line", "128"},
        {"l2.mshrs", "64"},
        {"dram.channels", "8"},
        {"dram.clock_mhz", "650"},
        {"dram.bytes_per_clock", "8"},
        {"dram.burst_bytes", "32"},
        {"dram.banks", "8"},
        {"dram.controller", "15"},
        {"dram.t_rcd", "12"},
        {"dram.t_rp", "13"},
        {"dram.t_cl", "9"},
        {"dram.t_rc", "34"},
        {"dram.t_ras", "21"},
        {"dram.t_rrd", "8"}}},
      {"teach",
       "a core small enough to look at: 4 warps of 8 threads, one scheduler, every branch a branch, memory near by",
       "assumed",
       {{"core.lanes", "8"},
        {"core.warps", "4"},
        {"core.schedulers", "1"},
        {"core.predicate", "0"},
        {"memory.latency", "20"}}},
  };
  return table;
}

const char* perturbed_key(const Config& config) {
  return config.memory.kind == MemoryKind::kHierarchy ? "dram.controller" : "memory.latency";
}

unsigned& perturbed_latency(Config& config) {
  return config.memory.kind == MemoryKind::kHierarchy ? config.dram.controller : config.memory.latency;
}

std::uint64_t perturbed_values(Config config) { return 2 * (perturbed_latency(config) / 20) + 1; }

std::vector<unsigned> perturbed_latencies(Config config, std::uint64_t runs) {
  const unsigned latency = perturbed_latency(config), reach = latency / 20;
  if (runs == 1) return {latency};
  std::vector<unsigned> latencies;
  for (std::uint64_t i = 0; i < runs; ++i)
    latencies.push_back(latency - reach + static_cast<unsigned>((4 * reach * i + runs - 1) / (2 * (runs - 1))));
  return latencies;
}

unsigned host_threads(const std::string& text, const std::string& option) {
  const std::optional<std::uint64_t> count = parse_number(text, false);
  if (!count || *count == 0 || *count > kMaxSms)
    throw bad_input("option", option + " " + text + ": not a number of threads from 1 to " + std::to_string(kMaxSms));
  return static_cast<unsigned>(*count);
}

void ConfigBuilder::apply_preset(const std::string& name) {
  for (const Preset& preset : presets()) {
    if (name != preset.name) continue;
    for (const auto& [key, value] : preset.values) set(key, value, "preset " + name);
    return;
  }
  std::vector<std::string> names;
  std::string list;
  for (const Preset& preset : presets()) {
    names.emplace_back(preset.name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  throw bad_input("option",
                  "--preset " + name + ": there is no such preset; there is " + list + did_you_mean(name, names));
}

void ConfigBuilder::load_file(const std::string& path) {
  std::istringstream file(read_ini(path));
  namespace po = boost::program_options;
  const po::options_description no_names;
  std::map<std::string, unsigned> seen;
  std::string section;  // the last "[...]" line
  std::string line;
  // One line at a time (with its section), so that each value has a line number.
  for (unsigned number = 1; std::getline(file, line); ++number) {
    const std::string place = path + ":" + std::to_string(number);
    const std::string content = trimmed(line.substr(0, line.find('#')));
    if (content.empty()) continue;
    if (content.front() == '[') {
      if (content.size() < 3 || content.back() != ']') {
        throw bad_input("config", place + ": '" + content + "' is not a section; write [name]");
      }
      section = content;
      continue;
    }
    std::istringstream one(section + "\n" + content + "\n");
    try {
      for (const po::option& option : po::parse_config_file(one, no_names, true).options) {
        const auto [first, inserted] = seen.emplace(option.string_key, number);
        if (!inserted) {
          throw bad_input("config", place + ": " + option.string_key + " is set a second time (first in line " +
                                        std::to_string(first->second) + "); remove one");
        }
        set(option.string_key, option.value.empty() ? "" : option.value.front(), place);
      }
    } catch (const po::error&) {
      throw bad_input("config", place + ": '" + content + "' is not understood; write key = value");
    }
  }
}

void ConfigBuilder::set(const std::string& assignment, const std::string& origin) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos) {
    throw bad_input("option", origin + " " + assignment + ": no '=' in it; write key=value");
  }
  set(trimmed(assignment.substr(0, equals)), trimmed(assignment.substr(equals + 1)), origin);
}

void ConfigBuilder::set(const std::string& name, const std::string& value, const std::string& origin) {
  const ConfigKey* key = find_key(name);
  if (key == nullptr) {
    std::vector<std::string> names;
    for (const ConfigKey& known : config_keys()) names.emplace_back(known.name);
    throw bad_input("config", origin + ": unknown key '" + name + "'" + did_you_mean(name, names) +
                                  " ('heddle list keys' shows all)");
  }
  const std::optional<std::uint64_t> parsed = parse_value(*key, value);
  if (!parsed || !in_range(*key, *parsed)) {
    const std::vector<std::string> choices(key->choices.begin(), key->choices.end());
    throw bad_input("config", origin + ": " + name + " = " + (value.empty() ? "(nothing)" : value) +
                                  " is not possible; allowed: " + key->allowed() + did_you_mean(value, choices));
  }
  key->put(config_, *parsed);
  origins_[name] = origin;
}

std::string ConfigBuilder::describe(const char* name) const {
  const auto origin = origins_.find(name);
  return std::string(name) + " = " + find_key(name)->text(config_) + " (" +
         (origin == origins_.end() ? "default" : origin->second) + ")";
}

Config ConfigBuilder::build() const {
  Config config = config_;
  for (const Mechanism* mechanism : mechanisms())
    mechanism->complete(config, [this](const char* key) { return origins_.count(key) != 0; });
  if (origins_.count("run.bounds") == 0) config.run.bounds = config.run.checks;
  if (origins_.count("stack.depth") == 0) config.stack.depth = default_stack_depth(config.mechanism);
  check_relations(config, [this](const char* key) { return describe(key); });
  return config;
}

ConfigBuilder configure(const std::string& preset, const std::function<void(ConfigBuilder&)>& values,
                        const KeyValues& defaults) {
  ConfigBuilder builder;
  for (const auto& [key, value] : defaults) builder.set(key, value, "default");
  if (!preset.empty()) builder.apply_preset(preset);
  values(builder);
  const std::string home = preset_of_mechanism(builder.values().mechanism);
  return preset.empty() && !home.empty() ? configure(home, values, defaults) : builder;
}

void check_config(const Config& config) {
  for (const ConfigKey& key : config_keys()) {
    if (std::string_view(key.name) != kMechanismKey && !in_range(key, key.get(config))) {
      throw bad_input("config",
                      std::string(key.name) + " = " + key.text(config) + " is not possible; allowed: " + key.allowed());
    }
  }
  check_relations(config,
                  [&config](const char* key) { return std::string(key) + " = " + find_key(key)->text(config); });
}

}  // namespace heddle
