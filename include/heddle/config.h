// SPDX-License-Identifier: Apache-2.0
// Every configuration key of the simulated machine. One field per key; the registry in sim/config gives names, ranges
// and help.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace heddle {

enum class Resolve {
  kIssue,
  kExecute
};  // where branches resolve (mechanisms: "issue" reaches the stack in the cycle after issue)
enum class StackKind { kTextbook, kCompact };
enum class PushOrder { kTakenFirst, kFallthroughFirst, kSmallerFirst, kLargerFirst };
enum class DpeStack { kHardware, kSoftware };
enum class SelectorKind { kTwoLevel, kConstrained };
enum class SwitchAt { kGlobal, kShared, kLong };  // each also what is before it
enum class Policy { kLrr, kGto };
enum class ScoreboardKind { kShadow, kOptimistic, kBitmap };
enum class DwfHeuristic {
  kMajority,
  kMinority,
  kTime,
  kPostDominator,
  kPc
};                                                // in the order of dwf/issue_logic's parameter
enum class DwfSwizzle { kNone, kSwap, kRotate };  // in the order of dwf/thread_swizzle's parameter
enum class DwfTableSort { kStep, kExact };        // in the order of dwf/issue_logic's parameter
enum class DwfRegfile { kLaneAware, kIdeal, kCrossbar };
enum class MemoryPath { kUnlimited, kLsu };
enum class MemoryKind { kSimple, kHierarchy };
enum class L1Write { kThrough, kBack, kLocalBack };
enum class L1Index { kLinear, kHashed, kFermi };

struct PipelineConfig {
  unsigned latency;   // cycles from the issue register to write-back
  unsigned interval;  // initiation interval: cycles between two warp instructions of one unit
};

struct Config {
  std::string mechanism = "spe";             // key mechanism
  std::map<std::string, std::uint64_t> own;  // keys of plug-ins that were set

  struct Gpu {
    unsigned sms = 1;  // gpu.sms
  } gpu;

  struct Core {
    unsigned lanes = 32;            // core.lanes: threads of a warp, power of two 4..64
    unsigned warps = 48;            // core.warps: resident warps, 1..48
    unsigned schedulers = 2;        // core.schedulers: 1, 2 or 4; at most 24 warps each
    unsigned max_blocks = 8;        // core.max_blocks: resident blocks, 1..48 (Fermi: 8)
    unsigned registers = 98304;     // core.registers: of the core, as wide as the program's; a thread uses 64
    unsigned shared_bytes = 49152;  // core.shared_bytes: shared memory of the core
    unsigned predicate =
        4;  // core.predicate: forward branches over at most so many instructions are predicated, 0..8 // assumed
    unsigned clock_mhz = 700;  // core.clock_mhz: one cycle, beside dram.clock_mhz
  } core;

  struct Frontend {
    unsigned ibuffer = 5;               // frontend.ibuffer: instructions per path, 2..8
    unsigned fetch_latency = 1;         // frontend.fetch_latency: cycles from request to decoded group, 1..16
    Resolve resolve = Resolve::kIssue;  // frontend.resolve: issue | execute
  } frontend;

  struct Stack {
    StackKind kind = StackKind::kTextbook;  // stack.kind (SPE): textbook | compact
    unsigned depth = 16;                    // stack.depth: entries a warp, 2..64
    PushOrder order =
        PushOrder::kTakenFirst;  // stack.order (SPE): taken_first, fallthrough_first, smaller_first, larger_first
    bool taken_left = true;      // stack.taken_left (DPE)
    unsigned level_bits = 8;     // stack.level_bits: call level of a path, modulo 2^bits, 2..16
  } stack;

  struct Scoreboard {
    unsigned entries = 8;                           // scoreboard.entries: per table, 1..32
    ScoreboardKind kind = ScoreboardKind::kShadow;  // scoreboard.kind: shadow | optimistic (DPE) | bitmap
  } scoreboard;

  struct Selector {
    SelectorKind kind = SelectorKind::kTwoLevel;  // selector.kind (DPE): two_level | constrained
    SwitchAt switch_at = SwitchAt::kGlobal;       // selector.switch_at (constrained): global | shared | long
    Policy policy = Policy::kLrr;                 // selector.policy: lrr | gto
  } selector;

  struct Dpe {                             // options of the dual-path stack
    DpeStack stack = DpeStack::kHardware;  // dpe.stack: hardware | software; software: rows in memory, pushed and
                                           // popped by the program
    bool path_forwarding =
        false;                  // dpe.path_forwarding: a free slot takes the path that is suspended in the entry below
    bool memory_split = false;  // dpe.memory_split: threads that hit go on in a free slot while others wait for memory
  } dpe;

  struct Dws {  // dynamic warp subdivision
    unsigned splits =
        8;  // dws.splits: splits of a warp that the table holds, 2..64; one a thread is the unconstrained table
    unsigned threshold =
        50;  // dws.threshold: a branch subdivides if the block where its paths meet has at most so many instructions
  } dws;

  struct Cbar {                 // convergence barriers
    unsigned policy = 1;        // cbar.policy: of a yield, 0 to 2
    bool yield_leaves = false;  // cbar.yield_leaves: who yields leaves the newest barrier
  } cbar;

  struct Dwf {                                         // dynamic warp formation
    DwfHeuristic heuristic = DwfHeuristic::kMajority;  // dwf.heuristic: dmaj | dmin | dtime | dpdpri | dpc
    bool lane_aware = true;                            // dwf.lane_aware: a thread keeps its home lane
    DwfSwizzle swizzle = DwfSwizzle::kSwap;            // dwf.swizzle: none | swap | rotate
    DwfRegfile regfile = DwfRegfile::kLaneAware;       // dwf.regfile: lane_aware | ideal | crossbar
    unsigned lut_entries = 32;                         // dwf.lut_entries, power of two, at least lut_ways
    unsigned lut_ways = 2;                             // dwf.lut_ways: 1, 2 or 4
    unsigned table_entries = 32;                       // dwf.table_entries: PCs of the dmaj and dmin table, at least 2
    DwfTableSort table_sort = DwfTableSort::kStep;     // dwf.table_sort: step | exact
  } dwf;

  struct Barrel {
    unsigned depth = 8;  // barrel.depth: cycles from an issue of a thread to its next; dwf: one more // assumed
    bool split_loads =
        true;  // barrel.split_loads: dwf and mimd: threads come back with their line, not with their access
  } barrel;

  struct Mimd {
    MemoryPath memory_path = MemoryPath::kUnlimited;  // mimd.memory_path: unlimited | lsu
  } mimd;

  PipelineConfig alu{4, 1};      // alu.latency, alu.interval            // assumed
  PipelineConfig muldiv{8, 2};   // muldiv.latency, muldiv.interval (mul) // assumed
  unsigned div_latency = 24;     // muldiv.div_latency: div and rem       // assumed
  PipelineConfig fp{6, 1};       // fp.latency, fp.interval               // assumed
  unsigned fp_div_latency = 24;  // fp.div_latency: fdiv and fsqrt        // assumed
  // Double precision, on the pipelines of fp.
  PipelineConfig fp64{8, 2};       // fp64.latency, fp64.interval            // assumed; half the rate of float
  unsigned fp64_div_latency = 48;  // fp64.div_latency: fdiv.d and fsqrt.d // assumed
  PipelineConfig sfu{20, 8};       // sfu.latency, sfu.interval (4 units for 32 lanes) // assumed
  unsigned lsu_latency =
      4;  // lsu.latency: address generation, from the issue register to the memory pipeline // assumed

  struct Shared {
    unsigned banks = 32;    // shared.banks, power of two
    unsigned latency = 20;  // shared.latency // assumed
  } shared;

  struct L1 {
    unsigned bytes = 16384;     // l1.bytes
    unsigned ways = 4;          // l1.ways
    unsigned line = 128;        // l1.line
    unsigned mshrs = 32;        // l1.mshrs: lines outstanding
    unsigned mshr_targets = 8;  // l1.mshr_targets: instructions waiting for one line
    unsigned hit_latency = 18;  // l1.hit_latency // assumed
    unsigned banks = 1;  // l1.banks: lines of one instruction that a cycle looks up, one a bank, power of two 1..64
    L1Write write = L1Write::kThrough;  // l1.write: through | back | local_back
    L1Index index = L1Index::kLinear;   // l1.index: linear | hashed | fermi
  } l1;

  struct Memory {
    unsigned latency = 200;                 // memory.latency: cycles behind L1, unloaded // assumed
    unsigned bytes_per_cycle = 32;          // memory.bytes_per_cycle: bandwidth of one core's share // assumed
    MemoryKind kind = MemoryKind::kSimple;  // memory.kind: simple (the two above) | hierarchy (noc, l2, dram)
    std::uint64_t heap_bytes = 256u << 20;  // memory.heap_bytes
    unsigned local_bytes = 4096;            // memory.local_bytes: stack and locals of a thread
  } memory;

  struct Noc {
    unsigned latency = 32;     // noc.latency: cycles through the crossbar, each way // assumed
    unsigned flit_bytes = 32;  // noc.flit_bytes: of a port in a cycle
    unsigned queue = 16;       // noc.queue: requests of an SM that wait for the crossbar // assumed
    unsigned credits = 8;      // noc.credits: requests of an SM on their way to one L2 slice // assumed
  } noc;

  struct L2 {
    unsigned bytes = 768u << 10;  // l2.bytes: of all slices, one a channel; 0: none
    unsigned ways = 8;            // l2.ways
    unsigned line = 256;          // l2.line
    unsigned latency = 50;        // l2.latency: hit, cycles in the slice // assumed
    unsigned mshrs = 32;          // l2.mshrs: of a slice // assumed
    unsigned mshr_targets = 8;    // l2.mshr_targets // assumed
  } l2;

  // Times in clocks of the command bus.
  struct Dram {
    unsigned channels = 6;          // dram.channels
    unsigned clock_mhz = 924;       // dram.clock_mhz
    unsigned bytes_per_clock = 32;  // dram.bytes_per_clock: 29.6 GB/s a channel
    unsigned burst_bytes = 64;      // dram.burst_bytes: of a column command
    unsigned banks = 16;            // dram.banks: of a channel
    unsigned row_bytes = 2048;      // dram.row_bytes
    unsigned queue = 32;            // dram.queue: requests of a channel // assumed
    unsigned controller = 170;      // dram.controller: core cycles from a channel's data to the slice // assumed
    unsigned t_rcd = 12, t_rp = 12, t_cl = 12, t_rc = 40, t_ras = 28, t_rrd = 6;
    unsigned t_wl = 4, t_wr = 12, t_wtr = 5;
  } dram;

  struct Run {
    std::uint64_t max_cycles = 0;     // run.max_cycles: 0 = no limit
    std::uint64_t watchdog = 100000;  // run.watchdog: cycles without an issued instruction
    bool oracle = true;               // run.oracle: per-thread reference interpreter
    bool checks = true;               // run.checks: hazard, mask and thread invariants
    bool bounds = true;               // run.bounds: accesses outside of buffers and variables fault
    bool skip_idle = true;            // run.skip_idle: cycles in which nothing can change are passed over
  } run;
};

}  // namespace heddle
