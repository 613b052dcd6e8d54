// SPDX-License-Identifier: Apache-2.0
// stack/pop_choice: RTL and twin against a search from warp 0 up.
#include "stack/pop_choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "models/pop_choice_default.h"
#include "models/pop_choice_one.h"
#include "models/pop_choice_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

struct Choice {
  std::uint64_t chosen = 0;
  std::uint32_t warp = 0, depth = 0;
};

template <class Set>
class Chooser : FreshSimulation {
 public:
  using Depths = std::vector<std::uint32_t>;

  Chooser() : rtl_(&context_, "rtl"), twin_("twin") {
    twin_.wants_i(wants_);
    twin_.depth_i(depths_);
    twin_.chosen_o(chosen_);
    twin_.warp_o(warp_);
    twin_.depth_o(depth_);
  }
#if VM_COVERAGE
  ~Chooser() { write_coverage(context_); }
#endif

  // RTL, twin and oracle agree.
  Choice choose(const std::vector<bool>& wants, const Depths& depths) {
    const auto first = std::find(wants.begin(), wants.end(), true) - wants.begin();
    Choice expected;
    if (first != static_cast<std::ptrdiff_t>(wants.size())) {
      expected = {std::uint64_t{1} << first, static_cast<std::uint32_t>(first),
                  depths[static_cast<std::size_t>(first)]};
    }
    std::uint64_t mask = 0;
    for (unsigned w = 0; w < Set::kNumWarps; ++w) mask |= static_cast<std::uint64_t>(wants[w]) << w;
    rtl_.wants_i = mask;
    wants_.write(mask);
    for (unsigned bit = 0; bit < Set::kNumWarps * Set::kDepthW; ++bit) {
      put_bit(rtl_.depth_i, bit, depths[bit / Set::kDepthW] >> (bit % Set::kDepthW) & 1);
    }
    for (unsigned w = 0; w < Set::kNumWarps; ++w) depths_[w].write(depths[w]);
    rtl_.eval();
    sc_core::sc_start(1, sc_core::SC_NS);
    expect("chosen_o", rtl_.chosen_o, chosen_.read(), expected.chosen);
    expect("warp_o", rtl_.warp_o, warp_.read(), expected.warp);
    expect("depth_o", rtl_.depth_o, depth_.read(), expected.depth);
    ++asked_;
    return expected;
  }

 private:
  template <class Vector>
  static void put_bit(Vector& vector, unsigned bit, std::uint32_t value) {
    if constexpr (std::is_integral_v<Vector>) {
      vector = static_cast<Vector>((vector & ~(Vector{1} << bit)) | (static_cast<Vector>(value) << bit));
    } else {
      vector[bit / 32] = (vector[bit / 32] & ~(1u << bit % 32)) | value << bit % 32;
    }
  }
  void expect(const char* name, std::uint64_t rtl, std::uint64_t twin, std::uint64_t expected) const {
    if (rtl == expected && twin == expected) return;
    throw Mismatch("mismatch at cycle " + std::to_string(asked_) + ": " + name + ": RTL " + std::to_string(rtl) +
                   ", twin " + std::to_string(twin) + ", oracle " + std::to_string(expected));
  }

  VerilatedContext context_;
  typename Set::Rtl rtl_;
  pop_choice<Set::kNumWarps, Set::kDepthW> twin_;
  std::uint64_t asked_ = 0;
  sc_core::sc_signal<std::uint64_t> wants_{"wants"}, chosen_{"chosen"};
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> depths_{"depths", Set::kNumWarps};
  sc_core::sc_signal<std::uint32_t> warp_{"warp"}, depth_{"depth"};
};

TEST(PopChoiceExample, TheLowestNumberedWarpIsPopped) {
  const Choice choice = Chooser<models::pop_choice_small>().choose({false, true, true}, {7, 5, 3});
  EXPECT_EQ(choice.warp, 1u);
  EXPECT_EQ(choice.depth, 5u);
}

TEST(PopChoiceExample, NobodyIsPoppedIfNobodyWants) {
  EXPECT_EQ(Chooser<models::pop_choice_small>().choose({false, false, false}, {7, 5, 3}).chosen, 0u);
}

template <class Set>
class PopChoiceRandom : public testing::Test {};
using Sets = ParameterSets<models::pop_choice_small, models::pop_choice_one, models::pop_choice_default>;
TYPED_TEST_SUITE(PopChoiceRandom, Sets, SetNames);

TYPED_TEST(PopChoiceRandom, RtlTwinAndOracleAgree) {
  Random random(1);
  Chooser<TypeParam> chooser;
  std::vector<bool> wants(TypeParam::kNumWarps);
  std::vector<std::uint32_t> depths(TypeParam::kNumWarps);
  std::uint64_t chosen = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    const unsigned percent = random.pick<unsigned>({3, 20, 80});
    for (unsigned w = 0; w < TypeParam::kNumWarps; ++w) {
      wants[w] = random.chance(percent);
      depths[w] = random.below(1u << TypeParam::kDepthW);
    }
    chosen |= chooser.choose(wants, depths).chosen;
  }
  EXPECT_EQ(chosen, low_bits(TypeParam::kNumWarps));
}

}  // namespace
}  // namespace heddle::test
