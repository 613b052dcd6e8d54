// SPDX-License-Identifier: Apache-2.0
// What a single-path stack tells whoever fetches the side that executes second ahead, and the pop that is chosen as a
// path arrives (docs/frontend.md, "later" and "choice with hasten_i"). Each takes a bench of a stack of two warps or
// more that executes the taken side first.
#pragma once

#include <gtest/gtest.h>

#include <optional>

#include "tests/stack/spe_stack_oracle.h"

namespace heddle::test {

inline constexpr Pc kFork = 0x10, kFirst = 0x40, kSecond = 0x80, kJoin = 0xc0;

template <class Bench>
void each_divergence_tells_the_side_that_the_next_pop_brings(Bench stack) {
  stack.launch(0, kFork, 0b1111);
  const auto outer = stack.branch(0, 0b1110, kFirst, kSecond, kJoin);
  ASSERT_TRUE(outer.later);
  EXPECT_EQ(outer.later->pc, kSecond);
  EXPECT_EQ(outer.later->rpc, kJoin);
  const auto inner = stack.branch(0, 0b1000, kFirst + 0x10, kFirst + 4, kFirst + 0x20);
  ASSERT_TRUE(inner.later);
  EXPECT_EQ(inner.later->pc, kFirst + 4);
  EXPECT_EQ(inner.later->rpc, kFirst + 0x20);
  EXPECT_FALSE(stack.jump(0, kFirst + 0x20).later);
  EXPECT_FALSE(stack.pop().later);
  EXPECT_EQ(stack.oracle().top(0).pc, kFirst + 4);
}

template <class Bench>
void nothing_is_told_where_the_first_side_does_not_walk_to_a_second(Bench stack) {
  const auto told = [&](const SpeStackOracle::Resolve& resolution) {
    stack.reset();
    stack.launch(0, kFork, 0b1111);
    return stack.resolve(resolution).later.has_value();
  };
  ASSERT_TRUE(told({0, 0b0011, kFirst, kSecond, kJoin, 0}));
  EXPECT_FALSE(told({0, 0b1111, kFirst, kSecond, kJoin, 0})) << "nobody stays";
  EXPECT_FALSE(told({0, 0b0011, kFirst, kSecond, kJoin, 0b1100})) << "who stays ends";
  EXPECT_FALSE(told({0, 0b0011, kFirst, kJoin, kJoin, 0})) << "the second side is there already";
  EXPECT_FALSE(told({0, 0b0011, kFirst, kSecond, kNoRpc, 0})) << "they never meet";
  EXPECT_FALSE(told({0, 0b0011, kFirst, kSecond, kReturnRpc, 0})) << "nobody knows yet where they meet";
  EXPECT_FALSE(told({0, 0b0011, kFirst, kSecond, kJoin, 0, true, false})) << "the first side has called";
}

// The cycles from the advance that arrives to the pop.
template <class Bench>
void who_arrives_by_its_advance_is_popped_a_cycle_earlier_if_hastened(Bench stack) {
  const auto pops_after = [&](Pc first, bool hasten, std::optional<WarpId> kill) -> unsigned {
    stack.reset();
    stack.launch(0, kFork, 0b1111);
    stack.branch(0, 0b0011, first, kSecond, kJoin);
    if (stack.step({{}, SpeStackOracle::Advance{0}, {}, kill, hasten ? std::uint64_t{1} : 0}).pop) return 0;
    for (unsigned cycles = 1; cycles <= 4; ++cycles) {
      if (stack.idle().pop) return cycles;
    }
    return 99;
  };
  EXPECT_EQ(pops_after(kJoin - 4, false, {}), 2u);
  EXPECT_EQ(pops_after(kJoin - 4, true, {}), 1u);
  EXPECT_EQ(pops_after(kJoin - 8, true, {}), 99u) << "it has not arrived";
  EXPECT_EQ(pops_after(kJoin - 4, true, WarpId{0}), 99u) << "it is killed";
}

template <class Bench>
void a_warp_that_waits_for_its_pop_goes_before_one_that_arrives(Bench stack) {
  for (const WarpId w : {0u, 1u}) {
    stack.launch(w, kFork, 0b1111);
    stack.branch(w, 0b0011, kJoin - 4, kSecond, kJoin);
  }
  stack.advance(1);
  stack.step({{}, SpeStackOracle::Advance{0}, {}, {}, 0b11});  // warp 1 is chosen
  EXPECT_EQ(stack.idle().pop, WarpId{1});
  EXPECT_EQ(stack.idle().pop, WarpId{0});
}

}  // namespace heddle::test
