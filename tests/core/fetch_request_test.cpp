// SPDX-License-Identifier: Apache-2.0
// core/fetch_request: random lockstep of RTL, twin and oracle; the PC with and without a carry, and the turns of warps.
#include "core/fetch_request.h"

#include <gtest/gtest.h>

#include <vector>

#include "models/fetch_request_one_slot.h"
#include "models/fetch_request_two_slots.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"
#include "tests/select/selector_oracles.h"

namespace heddle::test {
namespace {

struct Queue {
  bool valid = false, need = false, waits = false;
  Pc pc = 0;
  unsigned count = 0, requests = 0, tag = 0;
};
struct Inputs {
  std::optional<WarpId> launch;
  bool ready = false;
  std::uint64_t halted = 0;   // bit = warp
  std::vector<Queue> queues;  // by path
};
struct Fetch {
  bool valid = false;
  WarpId warp = 0;
  unsigned slot = 0;
  Pc pc = 0;
  unsigned tag = 0;
};

template <class Set>
using Twin = fetch_request<Set::kNumWarps, Set::kNumSlots, Set::kIbufDepth, Set::kTagW, Set::kPcStep>;

template <class Set>
class FetchRequestBench : public Bench<typename Set::Rtl, Twin<Set>> {
 public:
  static constexpr unsigned kWarps = Set::kNumWarps, kSlots = Set::kNumSlots, kPaths = kWarps * kSlots;

  explicit FetchRequestBench(std::uint64_t seed = 0) : Bench<typename Set::Rtl, Twin<Set>>(seed) { reset(); }
  [[nodiscard]] const Fetch& fetch() const { return fetch_; }

  void reset() {
    turn_ = WarpSelectorOracle(kWarps, kSlots, Policy::kRoundRobin);
    fetch_ = Fetch();
    expect(std::nullopt);
    this->reset_cycle();
  }
  void step(const Inputs& in) {
    launch_valid_i = in.launch.has_value();
    launch_warp_i = in.launch.value_or(0);
    fetch_ready_i = in.ready;
    halted_i = in.halted;
    WarpSelectorOracle::Inputs wants;
    wants.launch = in.launch;
    wants.ready.assign(kSlots, std::vector<bool>(kWarps));
    for (unsigned p = 0; p < kPaths; ++p) {
      const Queue& queue = in.queues.at(p);
      valid_i.set(p, queue.valid);
      pc_i.set(p, queue.pc);
      waits_i.set(p, queue.waits);
      need_fetch_i.set(p, queue.need);
      count_i.set(p, queue.count);
      requests_i.set(p, queue.requests);
      tag_i.set(p, queue.tag);
      wants.ready[p / kWarps][p % kWarps] =
          in.ready && queue.valid && queue.need && ((in.halted >> p % kWarps) & 1) == 0;
    }
    const auto granted = turn_.step(wants);
    expect(granted);
    fetch_.valid = granted.has_value();
    if (granted) {
      const Queue& queue = in.queues[granted->slot * kWarps + granted->warp];
      fetch_ = {true, granted->warp, granted->slot,
                queue.pc + Set::kPcStep * (queue.count + 2 * queue.requests + (queue.waits ? 1 : 0)), queue.tag};
    }
    this->cycle();
  }

 private:
  static constexpr unsigned kWarpWidth = index_width(kWarps), kSlotWidth = index_width(kSlots);

  void expect(const std::optional<Grant>& granted) {
    for (unsigned p = 0; p < kPaths; ++p) {
      request_o.expect(p, granted && granted->slot * kWarps + granted->warp == p);
    }
    fetch_valid_o.expect(fetch_.valid);
    fetch_warp_o.expect(fetch_.warp);
    fetch_slot_o.expect(fetch_.slot);
    fetch_pc_o.expect(fetch_.pc);
    fetch_tag_o.expect(fetch_.tag);
  }

  HEDDLE_INPUT(launch_valid_i, 1, 1);
  HEDDLE_INPUT(launch_warp_i, kWarpWidth, 1);
  HEDDLE_INPUT(valid_i, 1, kPaths);
  HEDDLE_INPUT(pc_i, 32, kPaths);
  HEDDLE_INPUT(waits_i, 1, kPaths);
  HEDDLE_INPUT(halted_i, kWarps, 1);
  HEDDLE_INPUT(need_fetch_i, 1, kPaths);
  HEDDLE_INPUT(count_i, count_width(Set::kIbufDepth), kPaths);
  HEDDLE_INPUT(requests_i, 2, kPaths);
  HEDDLE_INPUT(tag_i, Set::kTagW, kPaths);
  HEDDLE_INPUT(fetch_ready_i, 1, 1);
  HEDDLE_OUTPUT(request_o, 1, kPaths);
  HEDDLE_OUTPUT(fetch_valid_o, 1, 1);
  HEDDLE_OUTPUT(fetch_warp_o, kWarpWidth, 1);
  HEDDLE_OUTPUT(fetch_slot_o, kSlotWidth, 1);
  HEDDLE_OUTPUT(fetch_pc_o, 32, 1);
  HEDDLE_OUTPUT(fetch_tag_o, Set::kTagW, 1);

  WarpSelectorOracle turn_{kWarps, kSlots, Policy::kRoundRobin};
  Fetch fetch_;
};

template <class Set>
class FetchRequestRandom : public testing::Test {};
using Sets = ParameterSets<models::fetch_request_two_slots, models::fetch_request_one_slot>;
TYPED_TEST_SUITE(FetchRequestRandom, Sets, SetNames);

TYPED_TEST(FetchRequestRandom, RtlTwinAndOracleAgreeInEveryCycle) {
  constexpr unsigned kWarps = TypeParam::kNumWarps, kPaths = kWarps * TypeParam::kNumSlots;
  constexpr unsigned kDepth = TypeParam::kIbufDepth;
  Coverage met;
  for (std::uint64_t seed = 1; seed <= seeds(4); ++seed) {
    Random random(seed);
    FetchRequestBench<TypeParam> bench(seed);
    for (unsigned i = 0; i < 4000; ++i) {
      if (random.below(1500) == 0) bench.reset();
      Inputs in;
      in.ready = random.chance(80);
      if (random.chance(5)) in.launch = random.below(kWarps);
      for (WarpId w = 0; w < kWarps; ++w) in.halted |= std::uint64_t{random.chance(5)} << w;
      for (unsigned p = 0; p < kPaths; ++p) {
        Queue queue;
        queue.valid = random.chance(70);
        queue.need = random.chance(i / 100 % 2 == 0 ? 20 : 80);
        queue.waits = random.chance(30);
        queue.requests = random.below(kDepth >= 4 ? 2 : 1);
        queue.count = random.below(kDepth - 2 * queue.requests - 1);
        queue.tag = random.below(1u << TypeParam::kTagW);
        queue.pc = static_cast<Pc>(random.next());
        if (random.chance(40)) queue.pc |= random.chance(50) ? 0x3fffcu : 0x3cu;  // near a carry
        in.queues.push_back(queue);
      }
      bench.step(in);
      const Fetch& fetch = bench.fetch();
      if (!fetch.valid) continue;
      const Queue& queue = in.queues[fetch.slot * kWarps + fetch.warp];
      met.hit("carry", (fetch.pc ^ queue.pc) >= 0x1000);
      met.hit("behind_an_unresolved_one", queue.waits);
    }
  }
  EXPECT_EQ(met.missing(), "");
}

}  // namespace
}  // namespace heddle::test
