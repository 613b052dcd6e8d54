// SPDX-License-Identifier: Apache-2.0
// The random numbers of the tests: each seed tries something else.
#include "tests/common/random.h"

#include <gtest/gtest.h>

#include <set>

namespace heddle::test {
namespace {

TEST(Random, StreamsOfNeighbouringSeedsShareNoNumber) {
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    for (unsigned i = 0; i < 1000; ++i)
      ASSERT_TRUE(seen.insert(random.next()).second) << "number " << i << " of seed " << seed;
  }
}

TEST(Random, ASeedIsTheSameStreamEveryTime) {
  Random one(7), other(7);
  for (unsigned i = 0; i < 10; ++i) EXPECT_EQ(one.next(), other.next());
}

}  // namespace
}  // namespace heddle::test
