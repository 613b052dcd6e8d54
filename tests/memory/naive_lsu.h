// SPDX-License-Identifier: Apache-2.0
// The load/store unit of docs/memory.md once more, naively: lists in order of use, sets, maps and a port that moves bytes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "memory/memory_access.h"
#include "memory/naive_port.h"

namespace heddle::test {

class NaiveLsu {
 public:
  explicit NaiveLsu(const Config& config)
      : config_(config), port_(config.memory.latency, config.memory.bytes_per_cycle),
        sets_(config.l1.bytes / config.l1.line / config.l1.ways) {}

  [[nodiscard]] bool can_accept() const {
    return queue_.size() < 4 && loads_ < config_.l1.mshrs * config_.l1.mshr_targets + config_.l1.hit_latency +
                                             config_.shared.latency + 4;
  }

  void accept(const MemoryAccess& access, Cycle now) {
    Instruction instruction{access.token, access.kind, access.space, now, {}, 0, false};
    if (access.space == Space::kShared) {
      instruction.passes.resize(shared_passes(access));
    } else {
      add_line_passes(access, instruction);
    }
    if (access.kind != AccessKind::kStore) ++loads_;
    queue_.push_back(instruction);
  }

  void tick(Cycle now) {
    missed.reset();
    requests_.clear();
    if (const auto mshr = port_.answer(now)) fill(*mshr, now);
    if (!queue_.empty() && queue_.front().accepted < now && pass(queue_.front(), now)) queue_.pop_front();
    if (!result && !results_.empty() && std::get<0>(*results_.begin()) <= now) {
      result = std::get<3>(*results_.begin());
      results_.erase(results_.begin());
      --loads_;
    }
    port_.cycle(now, requests_);
  }

  // This cycle's outputs; result and store stay until the test empties them.
  std::optional<std::uint32_t> result, store, missed;
  CacheStats counts;

 private:
  struct Pass {  // a line; in shared memory only their number matters
    std::uint64_t line = 0;
    std::set<std::uint64_t> sectors;
    bool sends = true;  // atomics: false for the cycles that lanes on one word wait
  };
  struct Instruction {
    std::uint32_t token;
    AccessKind kind;
    Space space;
    Cycle accepted;
    std::vector<Pass> passes;
    std::size_t done;
    bool miss_told;
    [[nodiscard]] unsigned lines() const {
      return static_cast<unsigned>(
          std::count_if(passes.begin(), passes.end(), [](const Pass& pass) { return pass.sends; }));
    }
  };
  struct Entry {
    std::uint64_t line;
    std::optional<std::uint32_t> mshr;  // outstanding
  };
  struct Waiting {
    unsigned lines;
    unsigned arrived;
  };

  [[nodiscard]] std::size_t shared_passes(const MemoryAccess& access) const {
    std::map<std::uint64_t, std::multiset<std::uint64_t>> wanted;
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((access.mask >> lane & 1) == 0) continue;
      const std::uint64_t word = access.address[lane] / 4;
      std::multiset<std::uint64_t>& bank = wanted[word % config_.shared.banks];
      if (access.kind == AccessKind::kAtomic || bank.count(word) == 0) bank.insert(word);
    }
    std::size_t most = 0;
    for (const auto& [bank, words] : wanted) most = std::max(most, words.size());
    return most;
  }

  void add_line_passes(const MemoryAccess& access, Instruction& instruction) const {
    std::vector<Pass> lines;
    std::map<std::uint64_t, std::map<std::uint64_t, std::size_t>> lanes;  // line -> word -> lanes
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      if ((access.mask >> lane & 1) == 0) continue;
      const std::uint64_t address = access.address[lane];
      const std::uint64_t line = address / config_.l1.line;
      auto found = std::find_if(lines.begin(), lines.end(), [&](const Pass& pass) { return pass.line == line; });
      if (found == lines.end()) found = lines.insert(lines.end(), Pass{line, {}, true});
      found->sectors.insert(address / 32);
      ++lanes[line][address];
    }
    for (const Pass& pass : lines) {
      std::size_t most = 1;
      for (const auto& [word, count] : lanes[pass.line]) most = std::max(most, count);
      for (; access.kind == AccessKind::kAtomic && most > 1; --most) {
        instruction.passes.push_back({pass.line, {}, false});
      }
      instruction.passes.push_back(pass);
    }
  }

  // True if the instruction has left the queue.
  bool pass(Instruction& instruction, Cycle now) {
    const bool last = instruction.done + 1 >= instruction.passes.size();
    if (instruction.space == Space::kShared) {
      if (last && instruction.kind == AccessKind::kStore) return finish_store(instruction);
      if (last) results_.insert({now + config_.shared.latency - 1, 1, sequence_++, instruction.token});
      ++instruction.done;
      return last;
    }
    if (instruction.kind == AccessKind::kStore) {
      if (instruction.done != instruction.passes.size()) {
        if (!port_ready()) return stalled();
        const Pass& line = instruction.passes[instruction.done++];
        forget(line.line);
        send(line, 0, true);
      }
      return last && finish_store(instruction);
    }
    const Pass& line = instruction.passes[instruction.done];
    if (line.sends) {
      waiting_.insert({instruction.token, {instruction.lines(), 0}});
      if (!(instruction.kind == AccessKind::kAtomic ? atomic(line, instruction) : load(line, instruction, now))) {
        return stalled();
      }
    }
    ++instruction.done;
    return last;
  }

  bool load(const Pass& line, Instruction& instruction, Cycle now) {
    std::list<Entry>& set = sets_[line.line % sets_.size()];
    const auto found = std::find_if(set.begin(), set.end(), [&](const Entry& entry) { return entry.line == line.line; });
    if (found != set.end()) {
      if (found->mshr) {
        std::vector<std::uint32_t>& waiters = mshrs_[*found->mshr];
        if (waiters.size() == config_.l1.mshr_targets) return false;
        waiters.push_back(instruction.token);
        ++counts.merged;
        count_miss(instruction);
      } else {
        ++counts.hits;
        arrive(instruction.token, now);
      }
      set.splice(set.begin(), set, found);
    } else {
      if (mshrs_.size() == config_.l1.mshrs || !port_ready()) return false;
      if (set.size() == config_.l1.ways) {
        const auto victim = std::find_if(set.rbegin(), set.rend(), [](const Entry& entry) { return !entry.mshr; });
        if (victim == set.rend()) return false;
        set.erase(std::next(victim).base());
      }
      set.push_front({line.line, next_mshr_});
      mshrs_[next_mshr_] = {instruction.token};
      counts.bytes_read += config_.l1.line;
      requests_.push_back({0, config_.l1.line, false, false, next_mshr_++});
      count_miss(instruction);
    }
    ++counts.accesses;
    return true;
  }
  bool atomic(const Pass& line, Instruction& instruction) {
    if (mshrs_.size() == config_.l1.mshrs || !port_ready()) return false;
    forget(line.line);
    mshrs_[next_mshr_] = {instruction.token};
    send(line, next_mshr_++, false);
    tell(instruction);
    return true;
  }

  void fill(std::uint32_t mshr, Cycle now) {
    for (const std::uint32_t token : mshrs_[mshr]) arrive(token, now);
    mshrs_.erase(mshr);
    for (std::list<Entry>& set : sets_) {
      for (Entry& entry : set) {
        if (entry.mshr == mshr) entry.mshr.reset();
      }
    }
  }
  void arrive(std::uint32_t token, Cycle now) {
    Waiting& waiting = waiting_.at(token);
    if (++waiting.arrived != waiting.lines) return;
    results_.insert({now + config_.l1.hit_latency - 1, 0, sequence_++, token});
    waiting_.erase(token);
  }
  void forget(std::uint64_t line) {
    sets_[line % sets_.size()].remove_if([&](const Entry& entry) { return entry.line == line; });
  }
  void send(const Pass& line, std::uint32_t tag, bool write) {
    const auto bytes = static_cast<std::uint32_t>(32 * line.sectors.size());
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
    if (store) return false;
    store = instruction.token;
    return true;
  }
  bool stalled() {
    ++counts.stall_cycles;
    return false;
  }
  [[nodiscard]] bool port_ready() const { return port_.waiting() < 16; }

  const Config config_;
  NaivePort port_;
  std::vector<std::list<Entry>> sets_;  // latest use in front
  std::map<std::uint32_t, std::vector<std::uint32_t>> mshrs_;
  std::uint32_t next_mshr_ = 0;
  std::deque<Instruction> queue_;
  std::map<std::uint32_t, Waiting> waiting_;
  std::set<std::tuple<Cycle, int, std::uint64_t, std::uint32_t>> results_;  // ready, L1 before shared, order, token
  std::uint64_t sequence_ = 0;
  std::size_t loads_ = 0;
  std::vector<LineRequest> requests_;
};

}  // namespace heddle::test
