// SPDX-License-Identifier: Apache-2.0
// Load/store unit of a core: timing of global, local and shared accesses. Data is functional (address_space.h).
// The model is described in docs/memory.md.
//
// Contract
//   Use      once a cycle: tick(now), then completion() and miss(). accept() before or after the tick, if can_accept().
//   `now`
//            grows by one each tick since construction or reset().
//   Latency  accepted in cycle t, n passes, nothing in the way: a shared load completes in t + n - 1 + shared.latency,
//   an L1
//            hit in t + n - 1 + l1.hit_latency, a miss of one line in t + l1.hit_latency + memory.latency, a store in t
//            + n. A pass is a line of each L1 bank (global, local) or a cycle of the shared banks; the unit does one
//            pass a cycle. Without bus, L1 banks that an instruction leaves free in its last pass go to the loads and
//            stores of lines behind it, in order.
//   Order    passes start in the order of acceptance; a pass that cannot go on holds the unit. Completions come in any
//   order. Output   one result bus: a cycle completes at most one load or atomic, and one store. A completion that is
//   not
//            taken waits and holds back its successors; none is lost. A load that asked for parts completes in two:
//            lanes whose lines all hit, when the last line has been looked up, and the others, when the last line has
//            come. No bus: everything that is ready completes, the stores of a cycle last, and is taken in that cycle.
//            Lanes of an access that asked for parts complete together if their lines were hits of one cycle or one
//            fill.
//   Unlimited  as without bus, but an instruction is one pass, whatever its lines, banks and words are, in the cycle in
//   which it is
//            accepted: so accept() comes after the tick and completion() after both. A store completes in that cycle;
//            the rest as above with n = 1. A line that has to wait holds nothing else, and all lines that have come
//            fill in one cycle. The unit refuses nothing as long as a thread of the core has one access in it.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <vector>

#include "heddle/config.h"
#include "heddle/stats.h"
#include "heddle/types.h"
#include "memory/coalescer.h"
#include "memory/l1_cache.h"
#include "memory/memory_access.h"
#include "memory/memory_interface.h"
#include "memory/ring.h"
#include "memory/shared_memory.h"

namespace heddle {

class LoadStoreUnit {
 public:
  static constexpr unsigned kQueueEntries = 4;  // accepted instructions whose passes are not finished // assumed
  enum class Path : std::uint8_t { kOneBus, kNoBus, kUnlimited };

  // Throws Error ("config") when the keys do not describe a machine.
  LoadStoreUnit(const Config& config, MemoryInterface& memory, Path path = Path::kOneBus);

  // As constructed, statistics too; the memory behind as well. Before every launch but the first.
  void reset();

  [[nodiscard]] bool can_accept() const { return !spare_.empty() && !free_loads_.empty(); }
  // Copies what it needs. The mask is not empty.
  void accept(const MemoryAccess& access, Cycle now);

  // Ticks the memory behind as well.
  void tick(Cycle now) {
    memory_.tick(now);
    now_ = now;
    miss_valid_ = progress_ = false;
    if (in_flight_ != 0 || l1_.outstanding()) advance(now);
  }

  // One result bus: takes one completed instruction of this cycle; false if there is none (left). Loads and atomics:
  // all data has arrived, write-back may happen. Stores: everything has left the unit.
  bool completion(std::uint32_t& token) {
    LaneMask lanes;
    return completion(token, lanes);
  }
  // The same for the lanes of an instruction that have completed: all of them, or a part of those that asked for it.
  bool completion(std::uint32_t& token, LaneMask& lanes) {
    return bus_ ? from_bus(token, lanes) : from_results(token, lanes);
  }
  // A load missed L1 in this cycle (global atomics always do); told once an instruction, lost with the next tick.
  bool miss(std::uint32_t& token) {
    if (!miss_valid_) return false;
    miss_valid_ = false;
    token = miss_token_;
    return true;
  }

  // As MemoryInterface's, behind completion() and miss() of the last tick's cycle and without another accept(); the
  // memory behind included.
  [[nodiscard]] Cycle next_event() const;
  void pass_over(Cycle last);

  // Nothing accepted is incomplete. (Stores may still be on their way in memory.)
  [[nodiscard]] bool idle() const { return in_flight_ == 0; }

  // Adds the counts of this unit and of the memory behind it.
  void add_to(Stats& stats) const;

 private:
  struct Request {  // an accepted instruction, until its last pass is done
    std::uint32_t token;
    std::uint32_t load;  // index into loads_, kNoLoad for a store
    AccessKind kind;
    Space space;
    bool miss_told;
    std::uint32_t pass;    // shared: passes done; else cycles spent on the current line (atomics)
    std::uint32_t passes;  // shared: passes in all
    std::uint32_t line;    // those before it are done
    LaneMask lanes;
    Cycle accepted;
    LineList lines;
    std::array<bool, 2 * kMaxLanes> done;           // of lines
    std::array<std::uint64_t, 2 * kMaxLanes> bank;  // of lines, one bit set; only with several banks
  };
  struct Load {  // a load or atomic, until it completes
    std::uint32_t token;
    std::uint32_t lines_missing;  // counts in an access that completes whole
    LaneMask lanes;               // not complete
    LaneMask two_lines;           // parts, no bus: lanes that wait for two lines
    LaneMask missed;              // parts, bus: lanes of a line that missed
    bool parts;
    bool hits_to_come;  // parts, bus: those that hit are among the results
  };
  struct Arriving {
    std::uint32_t load;
    Cycle ready;
    LaneMask lanes;
  };
  struct StoreDone {
    std::uint32_t token;
    LaneMask lanes;
  };
  static constexpr std::uint32_t kNoLoad = ~0u;

  void advance(Cycle now);
  void pass_in_order(Cycle now);
  void pass_all(Cycle now);
  bool pass(Request& request, Cycle now);
  [[nodiscard]] static bool shares_banks(const Request& request);
  bool pass_shared(Request& request, Cycle now);
  bool pass_load(Request& request, Cycle now);
  bool pass_store(Request& request);
  bool pass_atomic(Request& request);
  bool atomic_line(Request& request, const Line& line);
  template <class LineDone>
  bool pass_lines(Request& request, LineDone line_done);
  bool load_line(Request& request, const Line& line, LaneMask& hits);
  bool store_line(const Line& line, Space space);
  template <class LookUp>
  L1Cache::Access look_up(LookUp look_up);
  void stall();
  void write(std::uint64_t line, std::uint32_t sectors);
  bool finish_store(const Request& request);
  void tell_miss(Request& request);
  LaneMask line_arrived(Load& load, LaneMask lanes);
  void hits_arrive(std::uint32_t load, Cycle now);
  bool from_bus(std::uint32_t& token, LaneMask& lanes) {
    if (result_valid_) {
      result_valid_ = false;
      token = result_token_;
      lanes = result_lanes_;
      in_flight_ -= result_ends_ ? 1 : 0;
      return true;
    }
    return take_store(token, lanes);
  }
  bool from_results(std::uint32_t& token, LaneMask& lanes);
  bool take_store(std::uint32_t& token, LaneMask& lanes) {
    if (stores_done_.empty()) return false;
    token = stores_done_.front().token;
    lanes = stores_done_.front().lanes;
    stores_done_.pop();
    --in_flight_;
    return true;
  }
  Ring<Arriving>* ready_results(Cycle now);
  void drive_result(Cycle now);

  MemoryInterface& memory_;
  const bool bus_, unlimited_;
  const L1Write write_;
  const Cycle l1_delay_;      // cycles from the lookup or fill of a line to its data on the result bus
  const Cycle shared_delay_;  // the same from the last shared pass
  const std::uint32_t line_bytes_;
  const unsigned bank_bits_;
  const std::uint64_t all_banks_;
  std::uint64_t taken_banks_ = 0;  // of this cycle
  L1Cache l1_;
  const Coalescer coalescer_;
  BankConflicts banks_;
  std::list<Request> queue_;  // oldest first
  std::list<Request> spare_;  // entries that are free
  std::vector<Load> loads_;
  std::vector<std::uint32_t> free_loads_;  // stack
  Ring<Arriving> l1_results_;              // ready cycles ascend
  Ring<Arriving> shared_results_;          // ready cycles ascend
  std::uint32_t in_flight_ = 0;
  Cycle now_ = 0;          // of the last tick
  Cycle stalled_ = 0;      // the last cycle, and one, in which a pass had to wait
  bool progress_ = false;  // since the last tick something but time and stall_cycles has changed

  bool result_valid_ = false, result_ends_ = false, miss_valid_ = false;
  LaneMask result_lanes_ = 0;
  std::uint32_t result_token_ = 0, miss_token_ = 0;
  Ring<StoreDone> stores_done_;  // one, with a bus

  Stats stats_;  // the fields of this unit
};

}  // namespace heddle
