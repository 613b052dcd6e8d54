// SPDX-License-Identifier: Apache-2.0
// core/cbar_frontend: random programs with convergence barriers on RTL, twin and oracle in lockstep; every thread
// executes exactly its own path.
#include <gtest/gtest.h>

#include "core/cbar_frontend.h"
#include "models/cbar_frontend_leaves.h"
#include "models/cbar_frontend_loops.h"
#include "models/cbar_frontend_small.h"
#include "tests/common/set_names.h"
#include "tests/core/queue_of_frontends.h"
#include "tests/core/skips_of_frontends.h"

namespace heddle::test {
namespace {

// There are as many paths as threads.
template <class Model>
struct CbarSet : Model {
  static constexpr unsigned kStackDepth = Model::kLanes;
};

template <class Set>
using CbarPins = FrontendBench<
    Set, cbar_frontend<Set::kNumWarps, Set::kLanes, Set::kBarriers, Set::kPushOrder, Set::kYieldPolicy, Set::kYieldMode,
                       Set::kScoreboard, Set::kSbEntries, Set::kPolicy, Set::kIbufDepth, Set::kLevelW, Set::kPredicate,
                       Set::kNumWb, Set::kTagW, Set::kWatch, Set::kPayloadW, Set::kPcStep>>;

template <class Set>
class CbarFrontendBench : public CbarPins<Set> {
 public:
  explicit CbarFrontendBench(std::uint64_t seed = 0) : CbarPins<Set>(seed, config_of_set()) { this->reset(); }

 protected:
  void drive(const FrontendInputs& in) override {
    CbarPins<Set>::drive(in);
    if (!in.resolve) return;
    const FrontendInputs::Resolve& r = *in.resolve;
    // A branch may have a kind that is another mechanism's, but for one with a skip.
    const bool free = r.kind == kMarkNone && r.skip == 0 && this->cycles() % 2 != 0;
    resolve_kind_i = (free ? kMarkFree : r.kind) | r.barrier << kKindWidth;
    resolve_operand_i = r.operand;
  }
  void expect(const FrontendOutputs& out) override {
    CbarPins<Set>::expect(out);
    answer_valid_o.expect(out.answer.has_value());
    answer_warp_o.expect(out.answer ? out.answer->warp : 0);
    answer_value_o.expect(!out.answer         ? 0
                          : out.answer->place ? pc_on_pins<Set>(static_cast<Pc>(out.answer->value))
                                              : out.answer->value);
    event_valid_o.expect(out.told.has_value());
    event_warp_o.expect(out.told ? out.told->warp : 0);
    event_code_o.expect(out.told ? static_cast<unsigned>(out.told->what) : 0);
  }

 private:
  HEDDLE_INPUT(resolve_kind_i, kKindWidth + index_width(Set::kBarriers), 1);
  HEDDLE_INPUT(resolve_operand_i, 64, 1);
  HEDDLE_OUTPUT(answer_valid_o, 1, 1);
  HEDDLE_OUTPUT(answer_warp_o, index_width(Set::kNumWarps), 1);
  HEDDLE_OUTPUT(answer_value_o, 64, 1);
  HEDDLE_OUTPUT(event_valid_o, 1, 1);
  HEDDLE_OUTPUT(event_warp_o, index_width(Set::kNumWarps), 1);
  HEDDLE_OUTPUT(event_code_o, kEventWidth, 1);

  static FrontendConfig config_of_set() {
    FrontendConfig config = single_config<Set>();
    config.barriers = Set::kBarriers;
    config.push_order = static_cast<PushOrder>(Set::kPushOrder);
    config.yield_rule = static_cast<YieldRule>(Set::kYieldPolicy);
    config.yield_leaves = Set::kYieldMode != 0;
    return config;
  }
};

template <class Model>
class CbarFrontendRandom : public testing::Test {};
using Models = ParameterSets<models::cbar_frontend_small, models::cbar_frontend_leaves, models::cbar_frontend_loops>;
TYPED_TEST_SUITE(CbarFrontendRandom, Models, SetNames);

TYPED_TEST(CbarFrontendRandom, ThreadsExecuteTheirOwnPathsAndAllOpinionsAgreeInEveryCycle) {
  CbarFrontendBench<CbarSet<TypeParam>> bench;
  Coverage met;
  unsigned ended = 0, stuck = 0;
  for (std::uint64_t seed = 1; seed <= seeds(48); ++seed) {
    SCOPED_TRACE("program " + std::to_string(seed));
    const RandomProgram program(seed, shape_of(seed, bench.config()));
    const KernelRun run = run_kernel(bench, program, 2 * TypeParam::kNumWarps + 1, seed,
                                     seed % 3 == 0 ? rough(timing_of(seed)) : timing_of(seed));
    ended += run.ended();
    stuck += run.stuck();
    met.hit("recursion", run.deepest_call() >= 3);
    for (unsigned reason : {kStallNone, kStallNoWarp, kStallUnitBusy, kStallMemory, kStallScoreboard,
                            kStallBranchPending, kStallBarrier, kStallIbufferEmpty}) {
      met.hit("stall_reason_" + std::to_string(reason), run.stalls(reason) != 0);
    }
  }
  for (const char* situation : {"release", "release_before_a_path", "release_of_a_sync", "some_of_the_path_arrive",
                                "barrier_without_threads", "restore"}) {
    met.hit(situation, bench.met().count(situation) != 0);
  }
  EXPECT_EQ(met.missing(), "");
  EXPECT_GT(stuck, 0u);
  EXPECT_GT(ended, stuck);
}

TYPED_TEST(CbarFrontendRandom, KilledWarpsLeaveNothingBehindAndAllOpinionsAgreeInEveryCycle) {
  CbarFrontendBench<CbarSet<TypeParam>> bench;
  Coverage met = kill_runs(bench, seeds(240), timing_of);
  for (const char* situation : {"kill_with_an_answer", "kill_with_an_event"})
    met.hit(situation, bench.met().count(situation) != 0);
  if (TypeParam::kBarriers == 4)  // with fewer that seldom happens
    met.hit("kill_as_all_its_threads_wait", bench.met().count("kill_as_all_its_threads_wait") != 0);
  EXPECT_EQ(met.missing(), "");
}

struct Cbar {
  template <class Set>
  using Bench = CbarFrontendBench<Set>;
  using Small = CbarSet<models::cbar_frontend_small>;
  using Deep = CbarSet<models::cbar_frontend_loops>;
};
INSTANTIATE_TYPED_TEST_SUITE_P(CbarFrontend, SkipMistake, Cbar);
INSTANTIATE_TYPED_TEST_SUITE_P(CbarFrontend, QueueOf, Cbar);

}  // namespace
}  // namespace heddle::test
