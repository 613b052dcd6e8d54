// SPDX-License-Identifier: Apache-2.0
// The load/store unit of docs/memory.md once more, naively: lists in order of use, sets, maps and a port that moves
// bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "memory/memory_access.h"
#include "memory/naive_port.h"

namespace heddle::test {

class NaiveLsu {
 public:
  explicit NaiveLsu(const Config& config, bool bus = true, bool unlimited = false)
      : config_(config),
        bus_(bus),
        unlimited_(unlimited),
        port_(config.memory.latency, config.memory.bytes_per_cycle),
        sets_(config.l1.bytes / config.l1.line / config.l1.ways) {}

  [[nodiscard]] bool can_accept() const {
    return unlimited_ || (queue_.size() < 4 && loads_ < config_.l1.mshrs * config_.l1.mshr_targets +
                                                            config_.l1.hit_latency + config_.shared.latency + 4);
  }

  void accept(const MemoryAccess& access, Cycle now) {
    Instruction instruction{access.token, access.kind, access.space, now, access.mask, {}, 0, false};
    if (access.space == Space::kShared) {
      instruction.passes.resize(shared_passes(access));
    } else {
      add_line_passes(access, instruction);
    }
    if (access.kind != AccessKind::kStore) {
      ++loads_;
      waiting_[access.token] = {access.parts, access.mask, {}};
      for (const Pass& pass : instruction.passes) waiting_[access.token].lines[pass.line] |= pass.lanes;
    }
    queue_.push_back(instruction);
    if (unlimited_ && pass_at_once(queue_.back(), now)) queue_.pop_back();
  }

  void tick(Cycle now) {
    if (now != 0) port_.cycle(now - 1, requests_);
    missed.reset();
    requests_.clear();
    stalled_ = false;
    if (unlimited_) {
      while (const auto mshr = port_.answer(now)) fill(*mshr, now);
      for (std::size_t left = queue_.size(); left != 0; --left) {  // in turn; who still waits goes to the end again
        if (!pass_at_once(queue_.front(), now)) queue_.push_back(queue_.front());
        queue_.pop_front();
      }
    } else {
      if (const auto mshr = port_.answer(now)) fill(*mshr, now);
      pass_in_order(now);
    }
    if (bus_) {
      if (!result && ready(now)) result = take().first;
    } else {
      completed.clear();
      while (ready(now)) completed.push_back(take());
      completed.insert(completed.end(), stores_.begin(), stores_.end());
      stores_.clear();
    }
  }

  // This cycle's outputs; result and store stay until the test empties them. Without bus: tokens and lanes that
  // complete.
  std::optional<std::uint32_t> result, store, missed;
  std::deque<std::pair<std::uint32_t, LaneMask>> completed;
  CacheStats counts;
  std::uint64_t store_fetches = 0, write_backs = 0;

 private:
  struct Pass {  // a line; in shared memory only their number matters
    std::uint64_t line = 0;
    std::set<std::uint64_t> sectors;
    LaneMask lanes = 0;
    bool sends = true;  // atomics: false for the cycles that lanes on one word wait
    bool done = false;
  };
  struct Instruction {
    std::uint32_t token;
    AccessKind kind;
    Space space;
    Cycle accepted;
    LaneMask lanes;
    std::vector<Pass> passes;
    std::size_t done;
    bool miss_told;
  };
  struct Entry {
    std::uint64_t line;
    std::optional<std::uint32_t> mshr;  // outstanding
    std::set<std::uint64_t> dirty;      // sectors
  };
  struct Waiting {
    bool parts;
    LaneMask lanes;                           // not complete
    std::map<std::uint64_t, LaneMask> lines;  // missing, with the lanes that touch them
  };
  struct Fetch {
    std::uint64_t line;
    std::vector<std::uint32_t> waiters;
  };

  // XOR of the bits of a number that are `bits` apart.
  static std::uint64_t folded(std::uint64_t number, unsigned size) {
    unsigned bits = 0;
    while (1u << bits != size) ++bits;
    std::uint64_t result = 0;
    for (unsigned bit = 0; bits != 0 && bit < 64; ++bit) result ^= (number >> bit & 1) << bit % bits;
    return result;
  }
  [[nodiscard]] std::list<Entry>& set_of(std::uint64_t line) {
    const bool hashed = config_.l1.index == L1Index::kHashed;
    return sets_[hashed ? folded(line, static_cast<unsigned>(sets_.size())) : line % sets_.size()];
  }
  [[nodiscard]] bool ready(Cycle now) const { return !results_.empty() && std::get<0>(*results_.begin()) <= now; }
  std::pair<std::uint32_t, LaneMask> take() {
    const auto [at, path, order, token, lanes] = *results_.begin();
    results_.erase(results_.begin());
    Waiting& waiting = waiting_.at(token);
    waiting.lanes &= ~lanes;
    if (waiting.lanes == 0) {
      waiting_.erase(token);
      --loads_;
    }
    return {token, lanes};
  }

  [[nodiscard]] std::size_t shared_passes(const MemoryAccess& access) const {
    std::map<std::uint64_t, std::multiset<std::uint64_t>> wanted;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((access.mask >> lane & 1) == 0) continue;
      const std::uint64_t address = access.address[lane];
      for (std::uint64_t word = address / 4; word <= (address + access.bytes - 1) / 4; ++word) {
        std::multiset<std::uint64_t>& bank = wanted[word % config_.shared.banks];
        if (access.kind == AccessKind::kAtomic || bank.count(word) == 0) bank.insert(word);
      }
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : wanted) most = std::max(most, words.size());
    return most;
  }

  void add_line_passes(const MemoryAccess& access, Instruction& instruction) const {
    std::vector<Pass> lines;
    std::map<std::uint64_t, std::map<std::uint64_t, std::size_t>> lanes;  // line -> word -> lanes
    const auto touch = [&](unsigned lane, std::uint64_t byte) {
      const std::uint64_t line = byte / config_.l1.line;
      auto found = std::find_if(lines.begin(), lines.end(), [&](const Pass& pass) { return pass.line == line; });
      if (found == lines.end()) {
        lines.emplace_back();
        found = std::prev(lines.end());
        found->line = line;
      }
      found->sectors.insert(byte / 32);
      found->lanes |= LaneMask{1} << lane;
    };
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((access.mask >> lane & 1) == 0) continue;
      const std::uint64_t address = access.address[lane];
      for (unsigned n = 0; n < access.bytes; ++n) {
        const bool neighbours_between = access.space == Space::kLocal && access.bytes == 8 && n >= 4;
        touch(lane, address + n + (neighbours_between ? 4 * (config_.core.lanes - 1) : 0));
      }
      ++lanes[address / config_.l1.line][address];
    }
    for (const Pass& pass : lines) {
      std::size_t most = 1;
      for (const auto& [word, count] : lanes[pass.line]) most = std::max(most, count);
      for (; access.kind == AccessKind::kAtomic && most > 1; --most) {
        instruction.passes.push_back({pass.line, {}, pass.lanes, false, false});
      }
      instruction.passes.push_back(pass);
    }
  }

  void pass_in_order(Cycle now) {
    banks_taken_.clear();
    const auto lines = [](const Instruction& i) { return i.space != Space::kShared && i.kind != AccessKind::kAtomic; };
    for (bool first = true; !queue_.empty() && queue_.front().accepted < now; first = false) {
      if (!first && (bus_ || !lines(queue_.front()))) break;
      const bool alone = !lines(queue_.front());
      if (!pass(queue_.front(), now)) break;
      queue_.pop_front();
      if (alone) break;
    }
  }

  // Unlimited: every line that does not have to wait. True if the instruction has left the unit.
  bool pass_at_once(Instruction& instruction, Cycle now) {
    if (instruction.space == Space::kShared) {
      if (instruction.kind == AccessKind::kStore) return finish_store(instruction);
      results_.insert({now + config_.shared.latency, 1, sequence_++, instruction.token, instruction.lanes});
      return true;
    }
    LaneMask hits = 0;
    bool all = true;
    for (Pass& line : instruction.passes) {
      if (line.done || !line.sends) continue;
      switch (instruction.kind) {
        case AccessKind::kLoad: line.done = load(line, instruction, hits); break;
        case AccessKind::kStore: line.done = write(line, instruction.space); break;
        case AccessKind::kAtomic: line.done = atomic(line, instruction); break;
      }
      if (!line.done) stalled();
      all = all && line.done;
    }
    if (hits != 0) results_.insert({now + config_.l1.hit_latency, 0, sequence_++, instruction.token, hits});
    return all && (instruction.kind != AccessKind::kStore || finish_store(instruction));
  }

  // True if the instruction has left the queue.
  bool pass(Instruction& instruction, Cycle now) {
    const bool last = instruction.done + 1 >= instruction.passes.size();
    if (instruction.space == Space::kShared) {
      if (last && instruction.kind == AccessKind::kStore) return finish_store(instruction);
      if (last)
        results_.insert({now + config_.shared.latency - 1, 1, sequence_++, instruction.token, instruction.lanes});
      ++instruction.done;
      return last;
    }
    if (instruction.kind == AccessKind::kAtomic) {
      const Pass& line = instruction.passes[instruction.done];
      if (line.sends && !atomic(line, instruction)) return stalled();
      ++instruction.done;
      return last;
    }
    LaneMask hits = 0;
    bool waits = false;
    for (Pass& line : instruction.passes) {
      if (line.done || !banks_taken_.insert(folded(line.line, config_.l1.banks)).second) continue;
      line.done =
          instruction.kind == AccessKind::kStore ? write(line, instruction.space) : load(line, instruction, hits);
      waits |= !line.done;
    }
    if (waits) stalled();
    if (hits != 0) results_.insert({now + config_.l1.hit_latency - 1, 0, sequence_++, instruction.token, hits});
    const bool done =
        std::all_of(instruction.passes.begin(), instruction.passes.end(), [](const Pass& line) { return line.done; });
    return done && (instruction.kind != AccessKind::kStore || finish_store(instruction));
  }

  bool load(const Pass& line, Instruction& instruction, LaneMask& hits) {
    std::list<Entry>& set = set_of(line.line);
    const auto found = find(line.line);
    if (found != set.end()) {
      if (found->mshr) {
        std::vector<std::uint32_t>& waiters = mshrs_[*found->mshr].waiters;
        if (waiters.size() == config_.l1.mshr_targets) return false;
        waiters.push_back(instruction.token);
        ++counts.merged;
        count_miss(instruction);
      } else {
        ++counts.hits;
        hits |= arrive(instruction.token, line.line);
      }
      set.splice(set.begin(), set, found);
    } else {
      if (!fetch(line.line)) return false;
      mshrs_[next_mshr_++].waiters = {instruction.token};
      count_miss(instruction);
    }
    ++counts.accesses;
    return true;
  }
  bool write(const Pass& line, Space space) {
    const bool there = find(line.line) != set_of(line.line).end();
    if (config_.l1.write == L1Write::kThrough ||
        (config_.l1.write == L1Write::kLocalBack && (space != Space::kLocal || !there))) {
      if (!port_ready()) return false;
      forget(line.line);
      send(line.sectors, 0, true);
      return true;
    }
    std::list<Entry>& set = set_of(line.line);
    const auto found = find(line.line);
    if (found != set.end()) {
      set.splice(set.begin(), set, found);
    } else {
      if (!fetch(line.line)) return false;
      ++store_fetches;
      ++next_mshr_;
    }
    set.front().dirty.insert(line.sectors.begin(), line.sectors.end());
    return true;
  }
  // Asks for a line as next_mshr_, behind its dirty victim.
  bool fetch(std::uint64_t line) {
    std::list<Entry>& set = set_of(line);
    if (mshrs_.size() == config_.l1.mshrs || !port_ready()) return false;
    if (set.size() == config_.l1.ways) {
      const auto victim = std::find_if(set.rbegin(), set.rend(), [](const Entry& entry) { return !entry.mshr; });
      if (victim == set.rend()) return false;
      if (!clean(*victim)) return false;
      set.erase(std::next(victim).base());
    }
    set.push_front({line, next_mshr_, {}});
    mshrs_[next_mshr_] = {line, {}};
    counts.bytes_read += config_.l1.line;
    requests_.push_back({0, config_.l1.line, false, false, next_mshr_});
    return true;
  }
  // False if there is no room for another request behind the write-back.
  bool clean(Entry& entry) {
    if (entry.dirty.empty()) return true;
    send(entry.dirty, 0, true);
    entry.dirty.clear();
    ++write_backs;
    return port_ready();
  }
  bool atomic(const Pass& line, Instruction& instruction) {
    if (mshrs_.size() == config_.l1.mshrs || !port_ready()) return false;
    const auto found = find(line.line);
    if (found != set_of(line.line).end() && !clean(*found)) return false;
    forget(line.line);
    mshrs_[next_mshr_] = {line.line, {instruction.token}};
    send(line.sectors, next_mshr_++, false);
    tell(instruction);
    return true;
  }

  void fill(std::uint32_t mshr, Cycle now) {
    for (const std::uint32_t token : mshrs_[mshr].waiters) {
      const LaneMask lanes = arrive(token, mshrs_[mshr].line);
      if (lanes != 0)
        results_.insert({now + config_.l1.hit_latency - (unlimited_ ? 0 : 1), 0, sequence_++, token, lanes});
    }
    mshrs_.erase(mshr);
    for (std::list<Entry>& set : sets_) {
      for (Entry& entry : set) {
        if (entry.mshr == mshr) entry.mshr.reset();
      }
    }
  }
  // Lanes that have all of their data with this line.
  LaneMask arrive(std::uint32_t token, std::uint64_t line) {
    Waiting& waiting = waiting_.at(token);
    LaneMask lanes = waiting.lines.at(line), missing = 0;
    waiting.lines.erase(line);
    for (const auto& [other, touched] : waiting.lines) missing |= touched;
    if (waiting.parts) return lanes & ~missing;
    return waiting.lines.empty() ? waiting.lanes : 0;
  }
  [[nodiscard]] std::list<Entry>::iterator find(std::uint64_t line) {
    std::list<Entry>& set = set_of(line);
    return std::find_if(set.begin(), set.end(), [&](const Entry& entry) { return entry.line == line; });
  }
  void forget(std::uint64_t line) {
    set_of(line).remove_if([&](const Entry& entry) { return entry.line == line; });
  }
  void send(const std::set<std::uint64_t>& sectors, std::uint32_t tag, bool write) {
    const auto bytes = static_cast<std::uint32_t>(32 * sectors.size());
    counts.bytes_written += bytes;
    requests_.push_back({0, bytes, write, !write, tag});
  }
  void count_miss(Instruction& instruction) {
    ++counts.misses;
    tell(instruction);
  }
  void tell(Instruction& instruction) {
    if (!instruction.miss_told) missed = instruction.token;
    instruction.miss_told = true;
  }
  bool finish_store(const Instruction& instruction) {
    if (bus_ && store) return false;
    if (bus_) store = instruction.token;
    else stores_.emplace_back(instruction.token, instruction.lanes);
    return true;
  }
  bool stalled() {
    if (!stalled_) ++counts.stall_cycles;
    stalled_ = true;
    return false;
  }
  // Of all transfers, those asked for in this cycle too, the first has begun.
  [[nodiscard]] bool port_ready() const { return port_.transfers() + requests_.size() <= 16; }

  const Config config_;
  const bool bus_, unlimited_;
  NaivePort port_;
  std::vector<std::list<Entry>> sets_;  // latest use in front
  std::map<std::uint32_t, Fetch> mshrs_;
  std::uint32_t next_mshr_ = 0;
  std::deque<Instruction> queue_;
  std::map<std::uint32_t, Waiting> waiting_;
  std::set<std::tuple<Cycle, int, std::uint64_t, std::uint32_t, LaneMask>>
      results_;                                            // ready, L1 before shared, order, token
  std::deque<std::pair<std::uint32_t, LaneMask>> stores_;  // without bus
  std::set<std::uint64_t> banks_taken_;                    // in this cycle
  std::uint64_t sequence_ = 0;
  std::size_t loads_ = 0;
  bool stalled_ = false;  // in this cycle
  std::vector<LineRequest> requests_;
};

}  // namespace heddle::test
