// SPDX-License-Identifier: Apache-2.0
// What a front end must do: the oracles of its stack and of the parts of core/frontend, wired as docs/frontend.md says.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "common/types.h"
#include "tests/common/rr_arbiter_oracle.h"
#include "tests/core/ibuffer_oracle.h"
#include "tests/core/predication_oracle.h"
#include "tests/dws/warp_split_table_oracle.h"
#include "tests/scoreboard/scoreboard_oracles.h"
#include "tests/select/selector_oracles.h"
#include "tests/stack/compact_stack_oracle.h"
#include "tests/stack/convergence_barriers_oracle.h"
#include "tests/stack/dpe_stack_oracle.h"
#include "tests/stack/fork_join_stack_oracle.h"
#include "tests/stack/software_stack_oracle.h"
#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

constexpr unsigned kMarkFree = 14;  // a kind that says nothing to any mechanism

// The pins of a front end. Slots and `mask` of write-backs matter with several slots only, `miss` with the two of
// dpe_stack.
struct FrontendInputs {
  struct Launch {
    WarpId warp;
    Pc pc;
    LaneMask mask;
  };
  struct Decode {
    WarpId warp;
    unsigned slot;
    unsigned tag;
    std::vector<std::uint64_t> bundles;
  };
  struct Resolve {
    WarpId warp;
    unsigned slot;
    LaneMask taken;
    Pc target, next, rpc;
    LaneMask exit;
    bool call = false, returns = false;
    unsigned skip = 0;
    unsigned kind = kMarkNone;
    unsigned barrier = 0;  // of a mark of convergence barriers, with its operand
    LaneMask operand = 0;
  };
  struct WriteBack {
    WarpId warp;
    unsigned slot;
    unsigned reg;
    LaneMask mask;
  };
  struct Miss {
    WarpId warp;
    unsigned slot;
  };
  std::optional<Launch> launch;
  std::optional<WarpId> kill;
  bool fetch_ready = false;
  std::optional<Decode> decode;
  std::optional<Resolve> resolve;
  std::array<std::optional<WriteBack>, 3> wb;
  std::optional<Miss> miss;
  // Of the threads of this path these wait for memory; the pins say something without `valid`, too.
  struct Split {
    bool valid = false;
    WarpId warp = 0;
    unsigned slot = 0;
    LaneMask mask = 0;
  };
  Split split;
  // Room for rows that are saved, for one that is asked for, and one that comes back: of software_stack.
  bool save_ready = true, load_ready = false;
  std::optional<SoftwareStackOracle::Fill> fill;
  unsigned unit_ready = 0;    // bit = unit
  std::uint64_t release = 0;  // bit = warp
  std::uint64_t hold = 0;     // bit = warp
  bool issue_ready = true;
};

struct FrontendOutputs {
  struct Fetch {
    bool valid = false;
    WarpId warp = 0;
    unsigned slot = 0;
    Pc pc = 0;
    unsigned tag = 0;
  };
  struct Issue {
    bool valid = false;
    WarpId warp = 0;
    unsigned slot = 0;
    Pc pc = 0;
    LaneMask mask = 0;
    std::uint64_t instr = 0;
    bool sibling = false, predicated = false;
  };
  struct Event {
    bool valid = false;
    WarpId warp = 0;
  };
  Fetch fetch;
  Issue issue;
  Event done, overflow;
  std::optional<BarriersOracle::Answer> answer;
  std::optional<BarriersOracle::Event> told;
  SoftwareStackOracle::Save save;
  std::optional<SoftwareStackOracle::Load> load;
  std::uint64_t idle = 0;  // bit = warp
  unsigned stall = 0;
  unsigned max_depth = 0;
  unsigned max_splits = 0;
  std::uint32_t splits = 0, merges = 0, refused = 0;
  std::uint32_t forwards = 0;
};

struct FrontendConfig {
  bool dual = false;         // dpe_stack
  bool software = false;     // dual path: software_stack in its place
  unsigned split_slots = 0;  // warp_split_table, if not 0
  unsigned warps = 1, lanes = 1, stack_depth = 2, sb_entries = 1, ibuf_depth = 2;
  PushOrder push_order = PushOrder::kTakenFirst;  // single path, splits
  bool taken_left = true;                         // dual path
  bool forward = false;                           // dual path
  bool parts = false;                             // dual path: paths are split at loads
  bool compact = false;                           // single path
  bool fork_join = false;                         // single path; ties as push_order says
  unsigned barriers = 0;                          // single path: convergence_barriers, if not 0
  YieldRule yield_rule = YieldRule::kFair;
  bool yield_leaves = false;
  bool optimistic = false;
  bool bitmap = false;
  bool constrained = false;
  Policy policy = Policy::kRoundRobin;
  unsigned level_bits = 8;
  bool predicate = true;
  unsigned write_ports = 2, tag_bits = 3, payload_bits = 0;
  bool watch = true;
  [[nodiscard]] bool splits() const { return split_slots != 0; }
  [[nodiscard]] bool several() const { return dual || splits(); }
  [[nodiscard]] unsigned slots() const { return splits() ? split_slots : dual ? 2 : 1; }
};

enum Stall : unsigned {
  kStallNone = 0,
  kStallNoWarp = 1,
  kStallUnitBusy = 2,
  kStallMemory = 3,
  kStallScoreboard = 4,
  kStallScoreboardFull = 5,
  kStallBranchPending = 6,
  kStallBarrier = 7,
  kStallIbufferEmpty = 8,
  kStallPathSwitch = 9
};

// optimistic_scoreboard with Partial = 1: a write is in flight for as long as one of its threads has not got it.
class PartialScoreboardOracle {
 public:
  using Write = OptimisticScoreboardOracle::Write;
  PartialScoreboardOracle(unsigned warps, unsigned entries) : tables_(warps, Table(entries)) {}

  void step(const OptimisticScoreboardOracle::Inputs& in);
  [[nodiscard]] bool blocked(WarpId w, const Names& names, LaneMask path) const;
  [[nodiscard]] bool full(WarpId w, const Names& names) const;
  [[nodiscard]] bool any(WarpId w) const;

 private:
  using Table = std::vector<std::optional<Write>>;
  std::vector<Table> tables_;
};

class FrontendOracle {
 public:
  // What the stack says in a cycle.
  struct Resolved {
    IbufferOracle::Path path;
    bool next;
  };
  struct Events {
    std::optional<Resolved> resolved;
    std::optional<WarpId> push, pop, done, overflow;
  };

  explicit FrontendOracle(const FrontendConfig& config);
  FrontendOracle(const FrontendOracle&);
  FrontendOracle& operator=(const FrontendOracle&);
  ~FrontendOracle();

  [[nodiscard]] const FrontendConfig& config() const { return config_; }
  [[nodiscard]] const FrontendOutputs& outputs() const { return outputs_; }
  // Situations of kills and of fetches that were met since the construction.
  [[nodiscard]] const std::set<std::string>& met() const { return met_; }
  // The entries of the stack with one slot, bottom to top, as the textbook's has them.
  [[nodiscard]] std::vector<SpeEntry> single_entries(WarpId w) const;
  [[nodiscard]] LaneMask live(WarpId w) const;
  [[nodiscard]] const BarriersOracle& barriers() const { return barriers_; }
  [[nodiscard]] const DpeStackOracle& dpe_stack() const { return dpe_stack_; }
  [[nodiscard]] const SoftwareStackOracle& software_stack() const { return software_stack_; }
  [[nodiscard]] const WarpSplitTableOracle& table() const { return table_; }
  [[nodiscard]] const PredicationOracle& predication() const { return predication_; }
  [[nodiscard]] DpePath path(WarpId w, unsigned slot) const;
  [[nodiscard]] unsigned depth(WarpId w) const;

  // The resolution that is taken in: rows that it may save have room.
  [[nodiscard]] std::optional<FrontendInputs::Resolve> taken(const FrontendInputs& in) const;

  // A path has a control or barrier instruction, which waits for the end of a region of its warp.
  [[nodiscard]] bool waits_for_region(WarpId w, unsigned slot) const;

  // The path may be split: it is the only one, some of its threads but not all wait, and so does its next instruction.
  [[nodiscard]] bool split_ready(const FrontendInputs& in) const;

  // One clock cycle: everything is decided on the state before the edge.
  void step(const FrontendInputs& in);

  // ---- what core/frontend sees and shows, on the state before an edge

  // Of the latest step: of a copy, what this cycle brings.
  [[nodiscard]] const std::optional<Grant>& granted() const { return granted_; }
  [[nodiscard]] const Events& events() const { return events_; }
  [[nodiscard]] bool sibling(const Grant& grant) const;
  [[nodiscard]] std::uint64_t head(WarpId w, unsigned slot) const;
  [[nodiscard]] bool has_head(WarpId w, unsigned slot) const { return !ibuffer_.buffer(w, slot).bundles.empty(); }
  [[nodiscard]] bool blocked(WarpId w, unsigned slot) const;
  [[nodiscard]] bool pending(WarpId w, unsigned slot) const { return warps_[w].pending_slot == slot; }
  [[nodiscard]] bool at_barrier(WarpId w, unsigned slot) const;
  // Nothing else than its issue happens to a path of the warp.
  [[nodiscard]] bool settled(WarpId w, const std::optional<WarpId>& kill) const;
  // Paths that are not there leave their queues where slots change hands within an entry.
  [[nodiscard]] bool drops(WarpId w, unsigned slot) const;
  // A part that has come to a barrier, which it does not execute without the other one; and one that waits for it at a
  // branch.
  [[nodiscard]] bool stopped(WarpId w, unsigned slot) const;
  [[nodiscard]] bool waits_for_part(WarpId w, unsigned slot) const;
  // The threads that take the branch stay with the path if it says a skip: the stack sees one that nobody takes.
  [[nodiscard]] LaneMask leaves(const FrontendInputs::Resolve& resolve) const;

 private:
  struct Warp {
    std::optional<unsigned> pending_slot;  // slot of the unresolved control instruction
    std::set<unsigned> at_barrier;         // slots; with splits each stands there for itself, else the whole warp does
    bool halted = false;
  };

  // What the front end's stack answers; of the last, one of those that have a textbook's entries.
  template <class Ask>
  [[nodiscard]] auto of_stack(const Ask& ask) const;
  template <class Ask>
  [[nodiscard]] auto of_single_stack(const Ask& ask) const;

  void meet(const std::string& situation, bool happened);
  // What the cycle of a kill would be without it, as far as it is known before the stack's events.
  void meet_kill(const FrontendInputs& in, const std::optional<Grant>& fetched);

  // A bitmap is a table that never fills (no random program has so many registers).
  static unsigned entries(const FrontendConfig& config) { return config.bitmap ? 32 : config.sb_entries; }
  [[nodiscard]] bool occupied(const FrontendInputs& in) const { return outputs_.issue.valid && !in.issue_ready; }
  [[nodiscard]] SpeEntry single_top(WarpId w) const;
  [[nodiscard]] unsigned max_depth() const;
  [[nodiscard]] bool writes_in_flight(WarpId w) const;
  // But for the issue register.
  [[nodiscard]] bool nothing_under_way(WarpId w) const;

  static unsigned unit(std::uint64_t bundle) { return (bundle >> 24) & 7; }
  static bool minds_siblings(std::uint64_t bundle);

  [[nodiscard]] bool skips(const FrontendInputs::Resolve& resolve) const;
  // The instruction that the queue lacks: it holds those from the path's own on, or behind it while that one is
  // unresolved.
  [[nodiscard]] Pc next_pc(WarpId w, unsigned slot) const;
  template <class OfStack>
  static Events events_of_one_slot(const OfStack& stack) {
    Events events{{}, stack.push, stack.pop, stack.done, stack.overflow};
    if (stack.resolved) events.resolved = {{*stack.resolved, 0}, stack.next};
    return events;
  }
  template <class OfStack>
  static Events events_of(const OfStack& stack) {
    Events events{{}, stack.push, stack.pop, stack.done, stack.overflow};
    if (stack.resolved) events.resolved = {{stack.resolved->warp, stack.resolved->slot}, stack.resolved->next};
    return events;
  }
  // With forwarding and tables an instruction waits for writes of the other slot that were shadowed when it asked: as
  // it came to an empty queue, or in the cycle after it became the second. (Without, no shadow bit is new while a queue
  // holds anything.)
  [[nodiscard]] bool listens() const { return config_.forward && !config_.optimistic && !config_.bitmap; }
  [[nodiscard]] static std::uint64_t shadowed(const DpeScoreboardOracle& tables, WarpId w, unsigned slot,
                                              std::uint64_t bundle);
  void seconds_ask();
  // Behind the edge; `tables` are those before it.
  void heads_ask(const std::optional<Grant>& taken, const DpeScoreboardOracle& tables);
  [[nodiscard]] bool full(WarpId w, unsigned slot) const;
  [[nodiscard]] std::optional<WarpId> resolving() const;
  [[nodiscard]] std::set<DpeStackOracle::PathId> all_stopped() const;
  // The path has an instruction that neither an unresolved branch nor a region nor a barrier nor an overflow holds.
  [[nodiscard]] bool may_go(WarpId w, unsigned slot) const;
  // No unit is as long as the issue register holds an instruction, or its warp is held.
  [[nodiscard]] bool unit_ready(WarpId w, unsigned slot, const FrontendInputs& in) const;
  [[nodiscard]] bool eligible(WarpId w, unsigned slot, const FrontendInputs& in) const;

  std::optional<Grant> select(const FrontendInputs& in);

  // Called when nothing was granted, on the state before the edge.
  [[nodiscard]] unsigned stall_reason(const FrontendInputs& in) const;

  Events step_single(const FrontendInputs& in, const std::optional<Grant>& advance);
  Events step_fork_join(const FrontendInputs& in, const std::optional<Grant>& advance);
  Events step_barriers(const FrontendInputs& in, const std::optional<Grant>& advance);
  // control: what is granted is one.
  Events step_dual(const FrontendInputs& in, const std::optional<Grant>& grant, bool control);

  Events step_software(const FrontendInputs& in, const std::optional<Grant>& advance);

  // What the stack is told of parts. Nobody joins who waits for a resolution, or from or to the inside of a region.
  void step_parts(const FrontendInputs& in, const std::optional<Grant>& grant, DpeStackOracle::Inputs& stack);
  // Which conditions kept a split back alone.
  void meet_refusal(const FrontendInputs& in);

  // Who joins whom: nobody that waits for a resolution, or is inside a region; at a barrier just those who come to it,
  // too.
  Events step_splits(const FrontendInputs& in, const std::optional<Grant>& advance,
                     const std::optional<WarpId>& to_barrier);

  void step_scoreboard(const FrontendInputs& in, const std::optional<Grant>& grant, std::uint64_t bundle, LaneMask mask,
                       const Events& events);

  FrontendConfig config_;
  SpeStackOracle spe_stack_;
  CompactStackOracle compact_stack_;
  ForkJoinStackOracle fork_join_stack_;
  BarriersOracle barriers_;
  DpeStackOracle dpe_stack_;
  SoftwareStackOracle software_stack_;
  WarpSplitTableOracle table_;
  SpeScoreboardOracle spe_scoreboard_;
  DpeScoreboardOracle dpe_scoreboard_;
  OptimisticScoreboardOracle optimistic_;
  PartialScoreboardOracle partial_;  // in its place, with parts
  IbufferOracle ibuffer_;
  PredicationOracle predication_;
  WarpSelectorOracle selector_;
  ConstrainedSelectorOracle constrained_;
  WarpSelectorOracle fetch_turn_;
  std::vector<Warp> warps_;
  // By slot, of the first and the second instruction of a path: entries of the other slot's table that it waits for,
  // once it has asked.
  std::vector<std::array<std::array<std::optional<std::uint64_t>, 2>, 2>> asked_;
  FrontendOutputs outputs_;
  std::optional<WarpId> killed_, taken_before_;  // in the cycle before: was killed, had a resolution taken
  std::optional<Grant> granted_;
  Events events_;
  std::set<std::string> met_;
};

}  // namespace heddle::test
