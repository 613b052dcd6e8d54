// SPDX-License-Identifier: Apache-2.0
#include "tests/core/frontend_oracle.h"

#include <algorithm>
#include <utility>

namespace heddle::test {

void PartialScoreboardOracle::step(const OptimisticScoreboardOracle::Inputs& in) {
  std::optional<Write>* entry = nullptr;
  if (in.set) {
    Table& table = tables_.at(in.set->warp);
    entry = &*std::find_if(table.begin(), table.end(), [](const auto& write) { return !write; });
  }
  for (const auto& wb : in.wb) {
    for (auto& write : tables_.at(wb->warp)) {
      if (!write || write->reg != wb->reg) continue;
      write->mask &= ~wb->mask;
      if (write->mask == 0) write.reset();
    }
  }
  if (entry != nullptr) *entry = in.set;
}

bool PartialScoreboardOracle::blocked(WarpId w, const Names& names, LaneMask path) const {
  const Table& table = tables_.at(w);
  const auto waits = [&](const auto& write) { return write && names.has(write->reg) && (write->mask & path) != 0; };
  return std::any_of(table.begin(), table.end(), waits);
}

bool PartialScoreboardOracle::full(WarpId w, const Names& names) const {
  const Table& table = tables_.at(w);
  return names.rd != 0 && std::all_of(table.begin(), table.end(), [](const auto& write) { return write.has_value(); });
}

bool PartialScoreboardOracle::any(WarpId w) const {
  const Table& table = tables_.at(w);
  return std::any_of(table.begin(), table.end(), [](const auto& write) { return write.has_value(); });
}

FrontendOracle::FrontendOracle(const FrontendConfig& config)
    : config_(config),
      spe_stack_(config.warps, config.stack_depth, config.push_order, config.level_bits),
      compact_stack_(config.warps, config.stack_depth, config.push_order, config.level_bits),
      fork_join_stack_(config.warps, config.stack_depth, static_cast<TieOrder>(config.push_order), config.level_bits),
      barriers_({config.warps, config.lanes, config.barriers, static_cast<FirstSide>(config.push_order),
                 config.yield_rule, config.yield_leaves, 4}),
      dpe_stack_(config.warps, config.stack_depth, config.taken_left, config.level_bits, config.forward, config.parts),
      software_stack_(config.warps, config.stack_depth, config.taken_left),
      table_(config.warps, config.slots(), config.stack_depth, config.push_order, config.level_bits),
      spe_scoreboard_(config.warps, entries(config)),
      dpe_scoreboard_(config.warps, entries(config)),
      optimistic_(config.warps, 2 * config.sb_entries),
      partial_(config.warps, 2 * config.sb_entries),
      ibuffer_(config.warps, config.slots(), config.ibuf_depth, config.tag_bits),
      predication_(config.warps, config.slots()),
      selector_(config.warps, config.slots(), config.policy),
      constrained_(config.warps, config.policy),
      fetch_turn_(config.warps, config.slots(), Policy::kRoundRobin),
      warps_(config.warps),
      asked_(config.warps) {}

FrontendOracle::FrontendOracle(const FrontendOracle&) = default;
FrontendOracle& FrontendOracle::operator=(const FrontendOracle&) = default;
FrontendOracle::~FrontendOracle() = default;

template <class Ask>
auto FrontendOracle::of_single_stack(const Ask& ask) const {
  if (config_.fork_join) return ask(fork_join_stack_);
  return config_.compact ? ask(compact_stack_) : ask(spe_stack_);
}

template <class Ask>
auto FrontendOracle::of_stack(const Ask& ask) const {
  if (config_.software) return ask(software_stack_);
  if (config_.dual) return ask(dpe_stack_);
  if (config_.splits()) return ask(table_);
  if (config_.barriers != 0) return ask(barriers_);
  return of_single_stack(ask);
}

std::vector<SpeEntry> FrontendOracle::single_entries(WarpId w) const {
  return of_single_stack([w](const auto& stack) { return stack.entries(w); });
}

LaneMask FrontendOracle::live(WarpId w) const {
  return of_stack([w](const auto& stack) { return stack.live(w); });
}

DpePath FrontendOracle::path(WarpId w, unsigned slot) const {
  if (config_.software) return {software_stack_.top(w).path[slot].pc, software_stack_.top(w).path[slot].mask};
  if (config_.dual) return dpe_stack_.top(w).path[slot];
  if (config_.splits()) return {table_.split(w, slot).pc, table_.split(w, slot).mask};
  if (config_.barriers != 0) return {barriers_.path(w).pc, barriers_.path(w).mask};
  return {single_top(w).pc, single_top(w).mask};
}

unsigned FrontendOracle::depth(WarpId w) const {
  return of_stack([w](const auto& stack) { return stack.depth(w); });
}

std::optional<FrontendInputs::Resolve> FrontendOracle::taken(const FrontendInputs& in) const {
  return config_.software && !in.save_ready ? std::nullopt : in.resolve;
}

bool FrontendOracle::waits_for_region(WarpId w, unsigned slot) const {
  return config_.several() && predication_.active(w) && path(w, slot).mask != 0 && minds_siblings(head(w, slot));
}

bool FrontendOracle::split_ready(const FrontendInputs& in) const {
  if (!config_.parts) return false;
  const auto& [valid, w, slot, behind] = in.split;
  const LaneMask mask = path(w, slot).mask;
  return settled(w, in.kill) && (mask & behind) != 0 && (mask & ~behind) != 0 && path(w, 1 - slot).mask == 0 &&
         has_head(w, slot) && blocked(w, slot);
}

void FrontendOracle::step(const FrontendInputs& in) {
  FrontendOutputs next = outputs_;
  IbufferOracle::Inputs buffer;
  const auto resolution = taken(in);
  next.idle = 0;
  for (WarpId w = 0; w < config_.warps; ++w) {
    const bool issuing = outputs_.issue.valid && outputs_.issue.warp == w;
    next.idle |= std::uint64_t{nothing_under_way(w) && !issuing} << w;
    meet("only_the_issue_register_is_not_idle", nothing_under_way(w) && occupied(in) && issuing);
  }

  const DpeScoreboardOracle tables = dpe_scoreboard_;
  if (listens()) seconds_ask();

  // Selection.
  const auto grant = select(in);
  next.issue.valid = grant.has_value() || occupied(in);
  std::uint64_t bundle = 0;
  DpePath issued;
  PredicationOracle::Inputs region;
  if (grant) {
    bundle = head(grant->warp, grant->slot);
    issued = path(grant->warp, grant->slot);
    region.issue = {grant->warp, grant->slot};
    region.take = true;
    issued.mask &= ~predication_.off(region.issue);
    next.issue = {true,        grant->warp, grant->slot,     issued.pc,
                  issued.mask, bundle,      sibling(*grant), predication_.inside(region.issue)};
    buffer.take = IbufferOracle::Path{grant->warp, grant->slot};
  }
  if (config_.watch) next.stall = grant ? kStallNone : stall_reason(in);

  // Fetch and decode.
  WarpSelectorOracle::Inputs wants;
  for (unsigned slot = 0; slot < config_.slots(); ++slot) {
    wants.ready.emplace_back();
    for (WarpId w = 0; w < config_.warps; ++w) {
      const unsigned i = slot * config_.warps + w;
      const bool may = in.fetch_ready && path(w, slot).mask != 0 && !warps_[w].halted;
      wants.ready[slot].push_back(may && ibuffer_.need_fetch(i));
      meet("fetch_waits_for_an_answer", may && ibuffer_.has_room(i) && ibuffer_.all_tags_used(i));
      meet("tag_wraps", ibuffer_.buffer(i).epochs >= 1u << config_.tag_bits);
    }
  }
  const auto fetched = fetch_turn_.step(wants);
  next.fetch.valid = fetched.has_value();
  if (fetched) {
    const auto [w, slot] = *fetched;
    next.fetch = {true, w, slot, next_pc(w, slot) + 8 * ibuffer_.buffer(w, slot).requests(),
                  ibuffer_.tag(ibuffer_.buffer(w, slot))};
    buffer.request = IbufferOracle::Path{w, slot};
  }
  if (in.decode) buffer.answer = IbufferOracle::Answer{{in.decode->warp, in.decode->slot}, in.decode->bundles};
  if (in.kill) meet_kill(in, fetched);

  // Stack.
  const bool control = ((bundle >> kControlBit) & 1) != 0;
  const bool barrier = ((bundle >> kBarrierBit) & 1) != 0;
  std::optional<Grant> advance;
  if (grant && !control) advance = grant;
  std::optional<WarpId> to_barrier;  // whose barrier is granted
  if (grant && barrier) to_barrier = grant->warp;
  // What is not there any more, of the state before the edge.
  for (unsigned slot = 0; slot < config_.slots(); ++slot) {
    for (WarpId w = 0; w < config_.warps; ++w) {
      if (drops(w, slot)) buffer.drop.push_back({w, slot});
    }
  }
  const std::vector<IbufferOracle::Path>& not_there = buffer.drop;
  const Events events = config_.software   ? step_software(in, advance)
                        : config_.dual     ? step_dual(in, grant, control)
                        : config_.splits() ? step_splits(in, advance, to_barrier)
                                           : step_single(in, advance);
  if (in.kill) {
    meet("kill_as_a_resolution_acts", events.resolved && events.resolved->path.warp == *in.kill);
    meet("kill_with_push", events.push == in.kill);
    meet("kill_with_pop", events.pop == in.kill);
    meet("kill_with_the_last_pop", events.done == in.kill);
    meet("kill_with_overflow", events.overflow == in.kill);
  }
  next.done.valid = events.done.has_value();
  if (events.done) next.done.warp = *events.done;
  next.save = software_stack_.save();
  next.load = software_stack_.load();
  next.answer = barriers_.answer();
  next.told = barriers_.event();
  next.overflow.valid = events.overflow.has_value();
  if (events.overflow) next.overflow.warp = *events.overflow;
  if (config_.watch) {
    next.max_depth = max_depth();
    if (config_.splits()) {
      const auto& counters = table_.counters();
      next.max_splits = counters.max_splits;
      next.splits = counters.splits;
      next.merges = counters.merges;
      next.refused = counters.refused;
    }
    if (config_.parts) {
      next.splits = dpe_stack_.splits();
      next.merges = dpe_stack_.merges();
    }
    next.forwards = dpe_stack_.forwards();
  }

  // Warp bits.
  if (events.overflow) warps_.at(*events.overflow).halted = true;
  if (events.resolved) {
    warps_.at(events.resolved->path.warp).pending_slot.reset();
    buffer.redirect = events.resolved->path;
    buffer.next = events.resolved->next;
  }
  for (WarpId w = 0; w < config_.warps; ++w) {
    if (((in.release >> w) & 1) != 0 && to_barrier != w) warps_[w].at_barrier.clear();
  }
  for (const IbufferOracle::Path& path : not_there) {
    if (config_.splits()) warps_[path.warp].at_barrier.erase(path.slot);
  }
  if (grant && control) warps_[grant->warp].pending_slot = grant->slot;
  if (grant && barrier) warps_[grant->warp].at_barrier.insert(grant->slot);
  if (in.kill) warps_.at(*in.kill) = Warp();

  // Scoreboard, buffers, regions.
  step_scoreboard(in, grant, bundle, issued.mask, events);
  buffer.flush0 = events.push;
  if (!config_.forward) buffer.flush1 = events.pop;  // else what is not valid is empty already
  buffer.flush2 = in.kill;
  ibuffer_.step(buffer);
  if (listens()) heads_ask(grant, tables);
  if (resolution && skips(*resolution)) {
    region.start = PredicationOracle::Start{{resolution->warp, resolution->slot}, resolution->taken, resolution->skip};
  }
  region.kill = in.kill;
  predication_.step(region);
  killed_ = in.kill;
  taken_before_ = resolution ? std::optional<WarpId>(resolution->warp) : std::nullopt;
  granted_ = grant;
  events_ = events;
  outputs_ = next;
}

bool FrontendOracle::sibling(const Grant& grant) const {
  if (config_.splits()) return table_.sibling(grant.warp, grant.slot);
  if (config_.barriers != 0) return barriers_.depth(grant.warp) > 1;
  return config_.dual ? path(grant.warp, 1 - grant.slot).mask != 0 : single_top(grant.warp).sibling;
}

std::uint64_t FrontendOracle::head(WarpId w, unsigned slot) const {
  const auto& bundles = ibuffer_.buffer(w, slot).bundles;
  return bundles.empty() ? 0 : bundles.front();
}

bool FrontendOracle::blocked(WarpId w, unsigned slot) const {
  const Names names = Names::unpack(head(w, slot));
  if (listens()) return dpe_scoreboard_.table(w, slot).named(names) != 0 || asked_[w][slot][0].value_or(0) != 0;
  if (config_.parts) return partial_.blocked(w, names, path(w, slot).mask);
  if (!config_.several()) return spe_scoreboard_.wait(w, names) != 0;
  return (config_.optimistic ? optimistic_.wait(w, names, path(w, slot).mask) : dpe_scoreboard_.wait(w, slot, names)) !=
         0;
}

bool FrontendOracle::at_barrier(WarpId w, unsigned slot) const {
  const std::set<unsigned>& there = warps_[w].at_barrier;
  return config_.splits() ? there.count(slot) != 0 : !there.empty();
}

bool FrontendOracle::settled(WarpId w, const std::optional<WarpId>& kill) const {
  const Warp& warp = warps_[w];
  return !warp.pending_slot && (!config_.several() || taken_before_ != w) && !predication_.active(w) &&
         warp.at_barrier.empty() && !warp.halted && kill != w;
}

bool FrontendOracle::drops(WarpId w, unsigned slot) const {
  return (config_.splits() || config_.forward || config_.parts) && path(w, slot).mask == 0;
}

bool FrontendOracle::stopped(WarpId w, unsigned slot) const {
  return config_.parts && dpe_stack_.top(w).parts && has_head(w, slot) && ((head(w, slot) >> kBarrierBit) & 1) != 0;
}

bool FrontendOracle::waits_for_part(WarpId w, unsigned slot) const {
  return config_.parts && dpe_stack_.waits(w, slot, all_stopped());
}

LaneMask FrontendOracle::leaves(const FrontendInputs::Resolve& resolve) const {
  return skips(resolve) ? 0 : resolve.taken;
}

void FrontendOracle::meet(const std::string& situation, bool happened) {
  if (happened) met_.insert(situation);
}

void FrontendOracle::meet_kill(const FrontendInputs& in, const std::optional<Grant>& fetched) {
  const WarpId killed = *in.kill;
  FrontendInputs spared = in;
  spared.kill.reset();
  for (unsigned slot = 0; slot < config_.slots(); ++slot)
    meet("kill_of_an_eligible_path", eligible(killed, slot, spared));
  meet("kill_with_resolution_taken_in", taken(in) && taken(in)->warp == killed);
  meet("kill_with_region_begun", taken(in) && taken(in)->warp == killed && skips(*taken(in)));
  meet("kill_with_fetch_grant", fetched && fetched->warp == killed);
  if (in.decode && in.decode->warp == killed) {
    meet(ibuffer_.buffer(killed, in.decode->slot).under_way.front().continues ? "kill_with_fill"
                                                                              : "kill_with_stale_answer",
         true);
  }
  meet("kill_with_barrier_release", !warps_[killed].at_barrier.empty() && ((in.release >> killed) & 1) != 0);
  meet("kill_at_a_barrier", !warps_[killed].at_barrier.empty());
  meet("kill_of_a_halted_warp", warps_[killed].halted);
  meet("kill_inside_a_region", predication_.active(killed));
  meet("kill_behind_an_issued_instruction", outputs_.issue.valid && outputs_.issue.warp == killed);
  meet("kill_without_an_entry", depth(killed) == 0);
  meet("kill_twice", killed_ == in.kill);
  bool under_way = false;
  for (unsigned slot = 0; slot < config_.slots(); ++slot)
    under_way = under_way || !ibuffer_.buffer(killed, slot).under_way.empty();
  meet("kill_with_requests_under_way", under_way);
  meet("kill_with_writes_in_flight", writes_in_flight(killed));
}

SpeEntry FrontendOracle::single_top(WarpId w) const {
  return of_single_stack([w](const auto& stack) { return stack.top(w); });
}

unsigned FrontendOracle::max_depth() const {
  if (config_.software) return software_stack_.max_depth();
  if (config_.dual) return dpe_stack_.max_depth();
  if (config_.splits()) return table_.counters().max_depth;
  if (config_.barriers != 0) return barriers_.most();
  return of_single_stack([](const auto& stack) { return stack.max_depth(); });
}

bool FrontendOracle::writes_in_flight(WarpId w) const {
  if (!config_.several()) return !spe_scoreboard_.table(w).pending_registers().empty();
  if (config_.parts) return partial_.any(w);
  if (config_.optimistic) return !optimistic_.table(w).pending_registers().empty();
  return !dpe_scoreboard_.table(w, 0).pending_registers().empty() ||
         !dpe_scoreboard_.table(w, 1).pending_registers().empty();
}

bool FrontendOracle::nothing_under_way(WarpId w) const {
  bool quiet = depth(w) == 0 && !writes_in_flight(w);
  for (unsigned slot = 0; slot < config_.slots(); ++slot) quiet = quiet && ibuffer_.buffer(w, slot).under_way.empty();
  return quiet;
}

bool FrontendOracle::minds_siblings(std::uint64_t bundle) {
  return ((bundle >> kControlBit | bundle >> kBarrierBit) & 1) != 0;
}

bool FrontendOracle::skips(const FrontendInputs::Resolve& resolve) const {
  return config_.predicate && resolve.skip != 0;
}

Pc FrontendOracle::next_pc(WarpId w, unsigned slot) const {
  const Pc first = path(w, slot).pc + (warps_[w].pending_slot == slot ? 4 : 0);
  return first + 4 * static_cast<Pc>(ibuffer_.buffer(w, slot).bundles.size());
}

std::uint64_t FrontendOracle::shadowed(const DpeScoreboardOracle& tables, WarpId w, unsigned slot,
                                       std::uint64_t bundle) {
  return tables.wait(w, slot, Names::unpack(bundle)) >> tables.table(w, slot).entries().size();
}

void FrontendOracle::seconds_ask() {
  for (WarpId w = 0; w < config_.warps; ++w) {
    for (unsigned slot = 0; slot < 2; ++slot) {
      const auto& bundles = ibuffer_.buffer(w, slot).bundles;
      auto& second = asked_[w][slot][1];
      if (bundles.size() >= 2 && !second) second = shadowed(dpe_scoreboard_, w, slot, bundles[1]);
    }
  }
}

void FrontendOracle::heads_ask(const std::optional<Grant>& taken, const DpeScoreboardOracle& tables) {
  for (WarpId w = 0; w < config_.warps; ++w) {
    for (unsigned slot = 0; slot < 2; ++slot) {
      const auto& bundles = ibuffer_.buffer(w, slot).bundles;
      auto& [first, second] = asked_[w][slot];
      if (taken && taken->warp == w && taken->slot == slot) first = std::exchange(second, std::nullopt);
      if (bundles.empty()) first = second = std::nullopt;
      if (!bundles.empty() && !first) first = shadowed(tables, w, slot, bundles.front());
      const auto& entries = dpe_scoreboard_.table(w, 1 - slot).entries();
      for (unsigned e = 0; e < entries.size(); ++e) {  // written back: whoever takes the entry next is another write
        for (auto* waits : {&first, &second}) {
          if (*waits && !entries[e].pending) **waits &= ~(std::uint64_t{1} << e);
        }
      }
      meet("shadowed_since_it_asked",
           first && blocked(w, slot) != (dpe_scoreboard_.wait(w, slot, Names::unpack(bundles.front())) != 0));
    }
  }
}

bool FrontendOracle::full(WarpId w, unsigned slot) const {
  const Names names = Names::unpack(head(w, slot));
  if (config_.parts) return partial_.full(w, names);
  if (!config_.several()) return spe_scoreboard_.full(w, names);
  return config_.optimistic ? optimistic_.full(w, names) : dpe_scoreboard_.full(w, slot, names);
}

std::optional<WarpId> FrontendOracle::resolving() const {
  if (config_.software) return software_stack_.resolving();
  return config_.dual ? dpe_stack_.resolving() : table_.resolving();
}

std::set<DpeStackOracle::PathId> FrontendOracle::all_stopped() const {
  std::set<DpeStackOracle::PathId> paths;
  for (WarpId w = 0; w < config_.warps; ++w) {
    for (const unsigned slot : {0, 1}) {
      if (stopped(w, slot)) paths.emplace(w, slot);
    }
  }
  return paths;
}

bool FrontendOracle::may_go(WarpId w, unsigned slot) const {
  if (path(w, slot).mask == 0 || !has_head(w, slot)) return false;
  const Warp& warp = warps_[w];
  if (warp.halted || at_barrier(w, slot) || warp.pending_slot == slot) return false;
  if (stopped(w, slot) || waits_for_part(w, slot)) return false;
  if (config_.several() && resolving() == w) return false;  // as a resolution acts the other paths stand still
  if (waits_for_region(w, slot)) return false;
  return !(minds_siblings(head(w, slot)) && warp.pending_slot);
}

bool FrontendOracle::unit_ready(WarpId w, unsigned slot, const FrontendInputs& in) const {
  const unsigned code = unit(head(w, slot));
  return code < 5 && ((in.unit_ready >> code) & 1) != 0 && !occupied(in) && ((in.hold >> w) & 1) == 0;
}

bool FrontendOracle::eligible(WarpId w, unsigned slot, const FrontendInputs& in) const {
  return may_go(w, slot) && !blocked(w, slot) && !full(w, slot) && unit_ready(w, slot, in) && in.kill != w;
}

std::optional<Grant> FrontendOracle::select(const FrontendInputs& in) {
  std::vector<std::vector<bool>> ready(config_.slots());
  std::array<std::vector<bool>, 2> valid, slow;
  for (WarpId w = 0; w < config_.warps; ++w) {
    for (unsigned slot = 0; slot < config_.slots(); ++slot) {
      ready[slot].push_back(eligible(w, slot, in));
      if (!config_.constrained) continue;
      valid[slot].push_back(path(w, slot).mask != 0 && !waits_for_region(w, slot));
      slow[slot].push_back(unit(head(w, slot)) == 3);
    }
  }
  std::optional<WarpId> launch;
  if (in.launch) launch = in.launch->warp;
  if (!config_.constrained) return selector_.step({launch, ready});
  std::optional<ConstrainedSelectorOracle::Miss> miss;
  if (in.miss) miss = {in.miss->warp, in.miss->slot};
  return constrained_.step({launch, {ready[0], ready[1]}, valid, slow, miss});
}

unsigned FrontendOracle::stall_reason(const FrontendInputs& in) const {
  bool any_warp = false, switching = false, memory = false, busy = false, hazard = false, table = false;
  bool branch = false, barrier = false;
  for (WarpId w = 0; w < config_.warps; ++w) {
    any_warp = any_warp || depth(w) != 0;
    branch = branch || warps_[w].pending_slot || warps_[w].halted;
    barrier = barrier || !warps_[w].at_barrier.empty();
    for (unsigned slot = 0; slot < config_.slots(); ++slot) {
      branch = branch || waits_for_region(w, slot) || waits_for_part(w, slot);
      barrier = barrier || stopped(w, slot);
      if (!may_go(w, slot)) continue;
      const bool is_blocked = blocked(w, slot), is_full = full(w, slot);
      if (is_blocked) hazard = true;
      if (is_full) table = true;
      if (is_blocked || is_full) continue;
      if (unit_ready(w, slot, in)) {
        switching = switching || in.kill != w;
      } else if (unit(head(w, slot)) == 4) {
        memory = true;
      } else {
        busy = true;
      }
    }
  }
  if (!any_warp) return kStallNoWarp;
  if (switching) return kStallPathSwitch;
  if (memory) return kStallMemory;
  if (busy) return kStallUnitBusy;
  if (hazard) return kStallScoreboard;
  if (table) return kStallScoreboardFull;
  if (branch) return kStallBranchPending;
  return barrier ? kStallBarrier : kStallIbufferEmpty;
}

FrontendOracle::Events FrontendOracle::step_single(const FrontendInputs& in, const std::optional<Grant>& advance) {
  if (config_.fork_join) return step_fork_join(in, advance);
  if (config_.barriers != 0) return step_barriers(in, advance);
  SpeStackOracle::Inputs stack;
  const auto resolution = taken(in);
  stack.kill = in.kill;
  if (in.launch) stack.launch = {in.launch->warp, in.launch->pc, in.launch->mask};
  if (advance) stack.advance = {advance->warp};
  if (resolution) {
    stack.resolve = {resolution->warp, leaves(*resolution), resolution->target, resolution->next,
                     resolution->rpc,  resolution->exit,    resolution->call,   resolution->returns};
  }
  if (config_.compact) return events_of_one_slot(compact_stack_.step(stack));
  return events_of(spe_stack_.step(stack));
}

FrontendOracle::Events FrontendOracle::step_fork_join(const FrontendInputs& in, const std::optional<Grant>& advance) {
  ForkJoinStackOracle::Inputs stack;
  const auto resolution = taken(in);
  stack.kill = in.kill;
  if (in.launch) stack.launch = {in.launch->warp, in.launch->pc, in.launch->mask};
  if (advance) stack.advance = {advance->warp};
  if (resolution) {
    stack.resolve = {resolution->warp, leaves(*resolution), resolution->target,  resolution->next, resolution->rpc,
                     resolution->exit, resolution->call,    resolution->returns, resolution->kind};
  }
  return events_of_one_slot(fork_join_stack_.step(stack));
}

FrontendOracle::Events FrontendOracle::step_barriers(const FrontendInputs& in, const std::optional<Grant>& advance) {
  BarriersOracle::Inputs stack;
  stack.kill = in.kill;
  if (in.launch) stack.launch = {in.launch->warp, in.launch->pc, in.launch->mask};
  if (advance) stack.advance = advance->warp;
  if (in.resolve) {
    const FrontendInputs::Resolve& r = *in.resolve;
    BarriersOracle::Resolve resolve;
    resolve.warp = r.warp;
    resolve.mark = static_cast<Mark>(r.kind);
    resolve.barrier = r.barrier;
    resolve.next = r.next;
    resolve.taken = leaves(r);
    resolve.target = r.target;
    resolve.exit = r.exit;
    resolve.place = r.rpc;
    resolve.operand = r.operand;
    stack.resolve = resolve;
  }
  if (in.kill) {
    BarriersOracle::Inputs spared = stack;
    spared.kill.reset();
    BarriersOracle lives = barriers_;
    lives.step(spared);
    meet("kill_with_an_answer", lives.answer() && lives.answer()->warp == *in.kill);
    meet("kill_with_an_event", lives.event() && lives.event()->warp == *in.kill);
    meet("kill_as_all_its_threads_wait", lives.event() && lives.event()->warp == *in.kill && lives.stuck(*in.kill));
  }
  const auto events = barriers_.step(stack);
  for (const std::string& situation : barriers_.met()) meet(situation, true);
  Events all{{}, events.push, events.pop, events.done, {}};
  if (events.resolved) all.resolved = {{*events.resolved, 0}, events.next};
  return all;
}

FrontendOracle::Events FrontendOracle::step_dual(const FrontendInputs& in, const std::optional<Grant>& grant,
                                                 bool control) {
  DpeStackOracle::Inputs stack;
  const std::optional<Grant> advance = control ? std::nullopt : grant;
  const auto resolution = taken(in);
  stack.kill = in.kill;
  if (in.launch) stack.launch = {in.launch->warp, in.launch->pc, in.launch->mask};
  if (advance) stack.advance = {advance->warp, advance->slot};
  if (resolution) {
    stack.resolve = {resolution->warp, resolution->slot, leaves(*resolution), resolution->target,  resolution->next,
                     resolution->rpc,  resolution->exit, resolution->call,    resolution->returns, resolution->kind};
  }
  for (WarpId w = 0; config_.forward && w < config_.warps; ++w) {
    if (warps_[w].pending_slot || (control && grant->warp == w)) stack.hold.insert(w);
  }
  if (config_.parts) step_parts(in, grant, stack);
  const auto events = dpe_stack_.step(stack);
  for (const std::string& situation : events.met) meet(situation, true);
  meet("forward", events.forward.has_value());
  meet("forward_beside_an_advance", events.forward && advance && advance->warp == *events.forward);
  meet("pop_beside_an_advance", events.pop && advance && advance->warp == *events.pop);
  meet("kill_with_a_forward", events.forward && in.kill == events.forward);
  return events_of(events);
}

FrontendOracle::Events FrontendOracle::step_software(const FrontendInputs& in, const std::optional<Grant>& advance) {
  SoftwareStackOracle::Inputs stack;
  const auto resolution = taken(in);
  stack.kill = in.kill;
  stack.load_ready = in.load_ready;
  stack.fill = in.fill;
  if (in.launch) stack.launch = {in.launch->warp, in.launch->pc, in.launch->mask};
  if (advance) stack.advance = {advance->warp, advance->slot};
  if (resolution) {
    stack.resolve = {resolution->warp, resolution->slot, leaves(*resolution), resolution->target,  resolution->next,
                     resolution->rpc,  resolution->exit, resolution->call,    resolution->returns, resolution->kind};
  }
  meet("resolution_waits_for_room", in.resolve && !resolution);
  meet("kill_with_a_resolution_that_waits_for_room", in.resolve && !resolution && in.kill == in.resolve->warp);
  const auto events = software_stack_.step(stack);
  for (const std::string& situation : events.met) meet(situation, true);
  if (in.fill) {
    meet("fill_beside_a_push", events.push.has_value());
    meet("fill_beside_a_grant", advance.has_value());
    meet("kill_with_a_fill_of_a_row", in.kill == in.fill->warp);
  }
  // What the push suspended leaves its queue behind.
  if (events.met.count("push_suspends_the_other_path") != 0) {
    const unsigned other = 1 - events.resolved->slot;
    meet("suspended_path_leaves_its_queue", has_head(events.resolved->warp, other));
    meet("suspended_path_has_requests_under_way", !ibuffer_.buffer(events.resolved->warp, other).under_way.empty());
  }
  return events_of(events);
}

void FrontendOracle::step_parts(const FrontendInputs& in, const std::optional<Grant>& grant,
                                DpeStackOracle::Inputs& stack) {
  stack.stopped = all_stopped();
  const auto& acts = dpe_stack_.acting();
  for (WarpId w = 0; w < config_.warps; ++w) {
    const bool from_inside = (grant && grant->warp == w && predication_.inside({w, grant->slot})) ||
                             (acts && acts->warp == w && predication_.inside({w, acts->slot}));
    for (const unsigned slot : {0, 1}) {
      const bool may =
          path(w, slot).mask != 0 && warps_[w].pending_slot != slot && !predication_.inside({w, slot}) && !from_inside;
      if (!may) stack.apart.emplace(w, slot);
    }
  }
  const auto& [valid, w, slot, behind] = in.split;
  const bool ready = split_ready(in);
  meet("split_withdrawn", ready && !valid);
  if (valid && !ready) meet_refusal(in);
  if (valid && ready) {
    stack.split = DpeStackOracle::Split{w, slot, behind};
    const LaneMask mask = path(w, slot).mask;
    meet("split", true);
    meet("split_of_who_goes_on", !partial_.blocked(w, Names::unpack(head(w, slot)), mask & ~behind));
    meet("split_of_a_right_path", slot == 1);
    meet("split_beside_a_grant", grant.has_value());
  }
  for (const auto& [warp, part] : stack.stopped) {
    meet("stopped", true);
    if (dpe_stack_.waits(warp, 1 - part)) meet("stops_as_the_other_part_waits", true);
  }
}

void FrontendOracle::meet_refusal(const FrontendInputs& in) {
  const auto& [valid, w, slot, behind] = in.split;
  const LaneMask mask = path(w, slot).mask;
  const Warp& warp = warps_.at(w);
  std::vector<const char*> reasons;
  const auto unless = [&](bool holds, const char* reason) {
    if (!holds) reasons.push_back(reason);
  };
  unless(mask != 0, "no_split_of_an_empty_slot");
  unless(path(w, 1 - slot).mask == 0, "no_split_beside_another_path");
  unless(mask == 0 || (mask & behind) != 0, "no_split_without_who_stays");
  unless(mask == 0 || (mask & ~behind) != 0, "no_split_without_who_goes");
  unless(mask == 0 || has_head(w, slot), "no_split_without_a_head");
  unless(!has_head(w, slot) || blocked(w, slot), "no_split_of_who_is_not_blocked");
  unless(!warp.pending_slot, "no_split_behind_an_unresolved_branch");
  unless(!predication_.active(w), "no_split_inside_a_region");
  unless(warp.at_barrier.empty(), "no_split_at_a_barrier");
  unless(!warp.halted, "no_split_of_a_halted_warp");
  unless(in.kill != w, "no_split_with_a_kill");
  if (reasons.size() == 1) meet(reasons.front(), true);
}

FrontendOracle::Events FrontendOracle::step_splits(const FrontendInputs& in, const std::optional<Grant>& advance,
                                                   const std::optional<WarpId>& to_barrier) {
  WarpSplitTableOracle::Inputs stack;
  const auto resolution = taken(in);
  stack.kill = in.kill;
  if (in.launch) stack.launch = {in.launch->warp, in.launch->pc, in.launch->mask};
  if (advance) stack.advance = {advance->warp, advance->slot};
  if (resolution) {
    stack.resolve = {resolution->warp, resolution->slot, leaves(*resolution), resolution->target,  resolution->next,
                     resolution->rpc,  resolution->exit, resolution->call,    resolution->returns, resolution->kind};
  }
  for (unsigned slot = 0; slot < config_.slots(); ++slot) {
    stack.merge.emplace_back();
    for (WarpId w = 0; w < config_.warps; ++w) {
      bool may = path(w, slot).mask != 0 && warps_[w].pending_slot != slot && at_barrier(w, slot) == (to_barrier == w);
      may = may && !predication_.inside({w, slot});
      if (advance && advance->warp == w && predication_.inside({w, advance->slot})) may = false;
      const auto& acts = table_.acting();
      if (acts && acts->warp == w && predication_.inside({w, acts->slot})) may = false;
      stack.merge.back().push_back(may);
    }
  }
  meet("release_beside_a_barrier",
       to_barrier && ((in.release >> *to_barrier) & 1) != 0 && !warps_[*to_barrier].at_barrier.empty());
  const auto merges = table_.counters().merges;
  const auto events = table_.step(stack);
  meet("join_at_a_barrier", to_barrier && table_.counters().merges != merges);
  for (const char* situation :
       {"joins_by_an_advance", "goes_joins", "divergence_joins", "split", "split_without_mark", "refused", "refill"}) {
    meet(situation, events.met.count(situation) != 0);
  }
  return events_of(events);
}

void FrontendOracle::step_scoreboard(const FrontendInputs& in, const std::optional<Grant>& grant, std::uint64_t bundle,
                                     LaneMask mask, const Events& events) {
  const unsigned rd = Names::unpack(bundle).rd;
  const bool set = grant && rd != 0;
  SpeScoreboardOracle::Inputs spe;
  DpeScoreboardOracle::Inputs dpe;
  OptimisticScoreboardOracle::Inputs optimistic;
  if (set) {
    spe.set = {grant->warp, rd};
    dpe.set = {grant->warp, grant->slot, rd};
    optimistic.set = {grant->warp, rd, mask};
  }
  for (const auto& wb : in.wb) {
    if (!wb) continue;
    spe.wb.push_back(SpeScoreboardOracle::Write{wb->warp, wb->reg});
    dpe.wb.push_back(DpeScoreboardOracle::Write{wb->warp, wb->slot, wb->reg});
    optimistic.wb.push_back(OptimisticScoreboardOracle::Write{wb->warp, wb->reg, wb->mask});
  }
  dpe.copy = {events.push, events.pop};
  if (config_.parts) {
    partial_.step(optimistic);
  } else if (!config_.several()) {
    spe_scoreboard_.step(spe);
  } else if (config_.optimistic) {
    optimistic_.step(optimistic);
  } else {
    dpe_scoreboard_.step(dpe);
  }
}
}  // namespace heddle::test
