// SPDX-License-Identifier: Apache-2.0
// core/hazards: random queues in front of each kind of scoreboard. The third opinion is a list of the writes in flight:
// in every cycle the head of each queue is compared with all of them.
#include "core/hazards.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <vector>

#include "models/hazards_bitmap.h"
#include "models/hazards_dpe.h"
#include "models/hazards_optimistic.h"
#include "models/hazards_spe.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/scoreboard/scoreboard_oracles.h"

namespace heddle::test {
namespace {

struct Path {
  WarpId warp;
  unsigned slot;
};
struct Write {
  Path path;
  unsigned reg;
  LaneMask mask;
  bool shadow = false;  // holds for the other path of the warp, too
};
struct Cycle {
  std::optional<Path> fill, take;
  std::vector<Names> bundles;  // of the fill
  std::vector<std::optional<Write>> wb;
  std::optional<WarpId> push, pop;  // both empty the queues of the warp
};

template <class Set>
using Twin =
    hazards<Set::kNumWarps, Set::kLanes, Set::kNumSlots, Set::kScoreboard, Set::kSbEntries, Set::kNumWb, Set::kPartial>;

template <class Set>
class HazardsBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kSlots = Set::kNumSlots, kPaths = kWarps * kSlots, kRoom = 4;
  static constexpr bool kOptimistic = Set::kScoreboard == kScoreboardOptimistic;
  static constexpr bool kBitmap = Set::kScoreboard == kScoreboardBitmap;

  explicit HazardsBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }

  static Path path(unsigned p) { return {p % kWarps, p / kWarps}; }
  static unsigned index(const Path& path) { return path.slot * kWarps + path.warp; }
  [[nodiscard]] const std::deque<Names>& queue(unsigned p) const { return queues_.at(p); }
  [[nodiscard]] const std::vector<Write>& writes() const { return writes_; }
  // Who is where changes as a warp pushes or pops.
  [[nodiscard]] LaneMask mask(unsigned p) const {
    LaneMask lanes = 0;
    for (unsigned lane = 0; lane < Set::kLanes; ++lane) {
      if (lane % kSlots == (p / kWarps + turns_[p % kWarps]) % kSlots) lanes |= LaneMask{1} << lane;
    }
    return lanes;
  }
  [[nodiscard]] bool blocked(unsigned p) const {
    return !queues_[p].empty() && std::any_of(writes_.begin(), writes_.end(), [&](const Write& write) {
      if (write.path.warp != p % kWarps || !queues_[p].front().has(write.reg)) return false;
      return kOptimistic ? (write.mask & mask(p)) != 0 : write.path.slot == p / kWarps || write.shadow;
    });
  }
  [[nodiscard]] bool full(unsigned p) const {
    if (kBitmap || queues_[p].empty() || queues_[p].front().rd == 0) return false;
    const auto in_table = [&](const Write& write) {
      return write.path.warp == p % kWarps && (kOptimistic || write.path.slot == p / kWarps);
    };
    return std::count_if(writes_.begin(), writes_.end(), in_table) == (kOptimistic ? 2 : 1) * Set::kSbEntries;
  }

  void reset() {
    queues_.assign(kPaths, {});
    writes_.clear();
    turns_ = {};
    expect();
    this->reset_cycle();
  }
  void step(const Cycle& in) {
    drive(in);
    expect();
    std::optional<Write> set;
    if (in.take) {
      auto& queue = queues_[index(*in.take)];
      if (queue.front().rd != 0) set = Write{*in.take, queue.front().rd, taken_mask(*in.take)};
      queue.pop_front();
    }
    for (const auto& wb : in.wb) {
      if (!wb) continue;
      const auto same = [&](const Write& write) {
        return write.path.warp == wb->path.warp && write.reg == wb->reg &&
               (kOptimistic ? (write.mask & wb->mask) != 0 : write.path.slot == wb->path.slot);
      };
      writes_.erase(std::remove_if(writes_.begin(), writes_.end(), same), writes_.end());
    }
    if (set) writes_.push_back(*set);
    for (const Names& names : in.bundles) queues_[index(*in.fill)].push_back(names);
    for (const auto& event : {in.push, in.pop}) {
      if (!event) continue;
      for (Write& write : writes_) write.shadow = write.shadow || write.path.warp == *event;
      for (unsigned slot = 0; slot < kSlots; ++slot) queues_[slot * kWarps + *event].clear();
    }
    for (WarpId w = 0; w < kWarps; ++w) turns_[w] += in.push == w || in.pop == w ? 1 : 0;
    this->cycle();
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kSlotWidth = index_width(kSlots);

  // Not all threads of a path execute what is predicated.
  [[nodiscard]] LaneMask taken_mask(const Path& path) const {
    const LaneMask all = mask(index(path));
    return this->cycles() % 3 == 0 ? all & (~all + 1) : all;
  }
  void drive(const Cycle& in) {
    for (unsigned p = 0; p < kPaths; ++p) {
      const auto& queue = queues_[p];
      clear_i.set(p, in.push == p % kWarps || in.pop == p % kWarps);
      fill_i.set(p, in.fill && index(*in.fill) == p);
      grant_i.set(p, in.take && index(*in.take) == p);
      head_valid_i.set(p, !queue.empty());
      head_names_i.set(p, queue.empty() ? 0 : queue[0].packed());
      second_valid_i.set(p, queue.size() > 1);
      second_names_i.set(p, queue.size() > 1 ? queue[1].packed() : 0);
      mask_i.set(p, mask(p));
    }
    if (in.fill) {
      fill_warp_i = in.fill->warp;
      fill_slot_i = in.fill->slot;
      fill_names_i = in.bundles.front().packed();
    }
    grant_reg_i = 0;
    if (in.take) {
      grant_warp_i = in.take->warp;
      grant_slot_i = in.take->slot;
      grant_reg_i = queues_[index(*in.take)].front().rd;
      grant_mask_i = taken_mask(*in.take);
    }
    push_valid_i = in.push.has_value();
    push_warp_i = in.push.value_or(0);
    pop_valid_i = in.pop.has_value();
    pop_warp_i = in.pop.value_or(0);
    for (unsigned k = 0; k < Set::kNumWb; ++k) {
      const bool valid = k < in.wb.size() && in.wb[k];
      wb_valid_i.set(k, valid);
      if (!valid) continue;
      wb_warp_i.set(k, in.wb[k]->path.warp);
      wb_slot_i.set(k, in.wb[k]->path.slot);
      wb_reg_i.set(k, in.wb[k]->reg);
      wb_mask_i.set(k, in.wb[k]->mask);
    }
  }
  void expect() {
    for (unsigned p = 0; p < kPaths; ++p) {
      blocked_o.expect(p, blocked(p));
      full_o.expect(p, full(p));
    }
    for (WarpId w = 0; w < kWarps; ++w) {
      writes_o.expect(
          w, std::any_of(writes_.begin(), writes_.end(), [&](const Write& write) { return write.path.warp == w; }));
    }
  }

  HEDDLE_INPUT(clear_i, 1, kPaths);
  HEDDLE_INPUT(fill_i, 1, kPaths);
  HEDDLE_INPUT(head_valid_i, 1, kPaths);
  HEDDLE_INPUT(head_names_i, 24, kPaths);
  HEDDLE_INPUT(second_valid_i, 1, kPaths);
  HEDDLE_INPUT(second_names_i, 24, kPaths);
  HEDDLE_INPUT(fill_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(fill_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(fill_names_i, 24, 1);
  HEDDLE_INPUT(grant_i, 1, kPaths);
  HEDDLE_INPUT(grant_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(grant_slot_i, kSlotWidth, 1);
  HEDDLE_INPUT(grant_reg_i, 6, 1);
  HEDDLE_INPUT(grant_mask_i, Set::kLanes, 1);
  HEDDLE_INPUT(mask_i, Set::kLanes, kPaths);
  HEDDLE_INPUT(push_valid_i, 1, 1);
  HEDDLE_INPUT(push_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(pop_valid_i, 1, 1);
  HEDDLE_INPUT(pop_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(wb_valid_i, 1, Set::kNumWb);
  HEDDLE_INPUT(wb_warp_i, kWarpWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_slot_i, kSlotWidth, Set::kNumWb);
  HEDDLE_INPUT(wb_reg_i, 6, Set::kNumWb);
  HEDDLE_INPUT(wb_mask_i, Set::kLanes, Set::kNumWb);
  HEDDLE_OUTPUT(blocked_o, 1, kPaths);
  HEDDLE_OUTPUT(full_o, 1, kPaths);
  HEDDLE_OUTPUT(writes_o, 1, kWarps);

  std::vector<std::deque<Names>> queues_ = std::vector<std::deque<Names>>(kPaths);
  std::vector<Write> writes_;
  std::array<unsigned, kWarps> turns_{};
};

template <class Set>
class HazardsRandom : public testing::Test {};
using Sets =
    ParameterSets<models::hazards_spe, models::hazards_dpe, models::hazards_optimistic, models::hazards_bitmap>;
TYPED_TEST_SUITE(HazardsRandom, Sets, SetNames);

TYPED_TEST(HazardsRandom, BlockedIsWhatTheWritesInFlightSayOfEachHeadInEveryCycle) {
  using Bench = HazardsBench<TypeParam>;
  constexpr unsigned kPaths = Bench::kPaths;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    Bench bench(seed);
    for (unsigned i = 0; i < 6000; ++i) {
      if (random.below(1500) == 0) bench.reset();
      const unsigned registers = i / 300 % 2 == 0 ? 4 : 16;  // many dependences, or tables that fill up
      const auto name = [&] { return random.chance(25) ? 0 : 1 + random.below(registers); };
      std::vector<unsigned> ready, room;
      for (unsigned p = 0; p < kPaths; ++p) {
        if (!bench.queue(p).empty() && !bench.blocked(p) && !bench.full(p)) ready.push_back(p);
        if (bench.queue(p).size() + 2 <= Bench::kRoom) room.push_back(p);
        met.hit("blocked", bench.blocked(p));
        if (!Bench::kBitmap) met.hit("full", bench.full(p));
      }
      Cycle in;
      if (!ready.empty() && random.chance(70)) in.take = Bench::path(random.pick(ready));
      if (!room.empty() && random.chance(70)) {
        in.fill = Bench::path(random.pick(room));
        for (unsigned n = random.between(1, 2); n > 0; --n) in.bundles.push_back({name(), name(), name(), name()});
      }
      for (unsigned k = 0; k < TypeParam::kNumWb; ++k) {
        in.wb.emplace_back();
        if (!bench.writes().empty() && random.chance(i / 150 % 3 == 0 ? 8 : 30))
          in.wb.back() = random.pick(bench.writes());
      }
      if (random.chance(4)) in.push = random.below(TypeParam::kNumWarps);
      if (random.chance(4)) in.pop = random.below(TypeParam::kNumWarps);
      if (TypeParam::kNumSlots == 2) {
        for (const Write& write : bench.writes()) met.hit("holds_for_the_other_path", write.shadow);
        met.hit("push_with_a_set", in.take && in.push == in.take->warp);
      }
      bench.step(in);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

}  // namespace
}  // namespace heddle::test
