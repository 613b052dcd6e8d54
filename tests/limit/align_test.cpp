// SPDX-License-Identifier: Apache-2.0
// Alignment of traces: known optima, brute force, linear space against the whole matrix.
#include "limit/align.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "heddle/error.h"

// libsystemc asks for it; the entry point is GoogleTest's main().
extern "C" int sc_main(int, char**) { return 0; }

namespace heddle {
namespace {

constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};

Sequence letters(const std::string& text) {
  Sequence sequence;
  for (const char c : text) sequence.push_back(static_cast<Symbol>(c - 'A'));
  return sequence;
}

std::string text(const Sequence& sequence) {
  std::string result;
  for (const Symbol symbol : sequence) result += static_cast<char>('A' + symbol);
  return result;
}

const std::vector<std::uint32_t> kOnes(26, 1);

bool contains(const Sequence& super, const Sequence& part) {
  std::size_t found = 0;
  for (const Symbol symbol : super) found += found < part.size() && part[found] == symbol ? 1 : 0;
  return found == part.size();
}

// Every way to go through all traces together, tried out.
std::uint64_t brute_force(const std::vector<std::uint32_t>& weights, const std::vector<Sequence>& traces,
                          std::vector<std::size_t> at) {
  std::uint64_t best = ~std::uint64_t{0};
  bool done = true;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    if (at[t] == traces[t].size()) continue;
    done = false;
    const Symbol symbol = traces[t][at[t]];
    // Whoever stands at the symbol may come along: going alone is tried too.
    std::vector<std::size_t> together = at, alone = at;
    for (std::size_t u = 0; u < traces.size(); ++u)
      together[u] += at[u] < traces[u].size() && traces[u][at[u]] == symbol ? 1 : 0;
    ++alone[t];
    best = std::min(best, weights[symbol] + brute_force(weights, traces, together));
    if (together != alone) best = std::min(best, weights[symbol] + brute_force(weights, traces, alone));
  }
  return done ? 0 : best;
}

Sequence random_sequence(std::mt19937& random, std::size_t length, unsigned symbols) {
  Sequence sequence(length);
  for (Symbol& symbol : sequence) symbol = random() % symbols;
  return sequence;
}

std::vector<std::uint32_t> random_weights(std::mt19937& random, unsigned symbols) {
  std::vector<std::uint32_t> weights(symbols);
  for (std::uint32_t& weight : weights) weight = 1 + random() % 9;
  return weights;
}

TEST(Align, KnownAlignmentsOfTwo) {
  Aligner aligner(kOnes, kNoLimit);
  EXPECT_EQ(text(aligner.merged(letters("ABC"), letters("ABC"))), "ABC");
  EXPECT_EQ(text(aligner.merged(letters("ABDE"), letters("ACDE"))).size(), 5u);  // A {B, C} D E
  EXPECT_EQ(text(aligner.merged(letters(""), letters("XY"))), "XY");
  EXPECT_EQ(text(aligner.merged(letters("XY"), letters(""))), "XY");
  // The loop of Figure 7: H is the loop, B the body. One iteration apart, the bodies fall together.
  EXPECT_EQ(text(aligner.merged(letters("HHBHHBHHB"), letters("HBHHBHHB"))), "HHBHHBHHB");
  EXPECT_EQ(aligner.common(letters("XAYBZC"), letters("ABC")), 3u);
}

TEST(Align, WeightsDecideWhatIsAligned) {
  std::vector<std::uint32_t> weights(26, 1);
  weights[25] = 5;  // Z
  Aligner aligner(weights, kNoLimit);
  EXPECT_EQ(text(aligner.merged(letters("ZAB"), letters("ABZ"))), "ABZAB");  // five together rather than two
  EXPECT_EQ(aligner.common(letters("ZAB"), letters("ABZ")), 5u);
}

TEST(Align, EqualTracesCostNothingMore) {
  Aligner aligner(kOnes, kNoLimit);
  EXPECT_EQ(text(aligner.align({letters("ABC"), letters("ABC"), letters(""), letters("ABC")})), "ABC");
  EXPECT_TRUE(aligner.align({}).empty());
  EXPECT_TRUE(aligner.align({letters(""), letters("")}).empty());
  EXPECT_EQ(aligner.cells(), 0u);
}

TEST(Align, TwoTracesAreOptimalByBruteForce) {
  std::mt19937 random(1);
  for (int round = 0; round < 300; ++round) {
    const unsigned symbols = 1 + random() % 4;
    const std::vector<std::uint32_t> weights = random_weights(random, symbols);
    const Sequence a = random_sequence(random, random() % 8, symbols),
                   b = random_sequence(random, random() % 8, symbols);
    Aligner aligner(weights, kNoLimit);
    const Sequence both = aligner.merged(a, b);
    EXPECT_TRUE(contains(both, a) && contains(both, b)) << "round " << round;
    EXPECT_EQ(aligner.weight(both), brute_force(weights, {a, b}, {0, 0})) << "round " << round;
    EXPECT_EQ(aligner.weight(a) + aligner.weight(b) - aligner.common(a, b), aligner.weight(both)) << "round " << round;
    EXPECT_EQ(aligner.weight(aligner.align({a, b})), aligner.weight(both)) << "round " << round;
  }
}

TEST(Align, MoreTracesGiveACommonSupersequenceThatIsNeverBetterThanTheOptimum) {
  std::mt19937 random(2);
  unsigned optimal = 0;
  constexpr int kRounds = 50;
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<std::uint32_t> weights = random_weights(random, 3);
    std::vector<Sequence> traces;
    for (int t = 0; t < 3; ++t) traces.push_back(random_sequence(random, random() % 6, 3));
    Aligner aligner(weights, kNoLimit);
    const Sequence all = aligner.align(traces);
    for (const Sequence& trace : traces) EXPECT_TRUE(contains(all, trace)) << "round " << round;
    const std::uint64_t best = brute_force(weights, traces, {0, 0, 0});
    EXPECT_GE(aligner.weight(all), best) << "round " << round;
    optimal += aligner.weight(all) == best ? 1 : 0;
  }
  EXPECT_GT(optimal, kRounds / 2u);  // pairs are a good guide, no more is claimed
}

// Pairs that cannot save as much as another one are not aligned; the pair that is merged is the same as if they were.
TEST(Align, LeavingPairsOutChangesNothing) {
  std::mt19937 random(6);
  for (int round = 0; round < 40; ++round) {
    const std::vector<std::uint32_t> weights = random_weights(random, 6);
    std::vector<Sequence> traces;
    for (int t = 0; t < 9; ++t) traces.push_back(random_sequence(random, random() % 40, 6));
    Aligner lazy(weights, kNoLimit), all(weights, kNoLimit);
    const Sequence aligned = lazy.align(traces);
    std::sort(traces.begin(), traces.end());
    while (traces.size() > 1) {
      std::size_t first = 1, second = 0;
      for (std::size_t i = 1; i < traces.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (all.common(traces[i], traces[j]) > all.common(traces[first], traces[second])) first = i, second = j;
        }
      }
      traces[second] = all.merged(traces[first], traces[second]);
      traces[first] = traces.back();
      traces.pop_back();
    }
    EXPECT_EQ(aligned, traces.front()) << "round " << round;
  }
}

TEST(Align, LinearSpaceFindsWhatTheWholeMatrixFinds) {
  std::mt19937 random(3);
  const std::vector<std::uint32_t> weights = random_weights(random, 12);
  // More cells than are kept at once; different ends, so that nothing is cut off before.
  Sequence a = random_sequence(random, 3100, 11), b = random_sequence(random, 2900, 11);
  a.insert(a.begin(), 11);
  a.push_back(11);
  Aligner aligner(weights, kNoLimit);
  const Sequence both = aligner.merged(a, b);
  EXPECT_TRUE(contains(both, a));
  EXPECT_TRUE(contains(both, b));
  EXPECT_EQ(aligner.weight(both), aligner.weight(a) + aligner.weight(b) - aligner.common(a, b));
}

// Blocks stand for their instructions: one column for each instruction is not better than one for each block.
TEST(Align, BlocksAlignAsWellAsTheirInstructions) {
  std::mt19937 random(4);
  for (int round = 0; round < 200; ++round) {
    const unsigned symbols = 1 + random() % 4;
    std::vector<std::uint32_t> weights(symbols);
    for (std::uint32_t& weight : weights) weight = 1 + random() % 4;
    const auto instructions = [&](const Sequence& blocks) {
      Sequence result;
      for (const Symbol block : blocks) {
        for (std::uint32_t k = 0; k < weights[block]; ++k) result.push_back(8 * block + k);
      }
      return result;
    };
    const Sequence a = random_sequence(random, random() % 30, symbols),
                   b = random_sequence(random, random() % 30, symbols);
    Aligner blocks(weights, kNoLimit), single(std::vector<std::uint32_t>(64, 1), kNoLimit);
    EXPECT_EQ(blocks.common(a, b), single.common(instructions(a), instructions(b))) << "round " << round;
  }
}

// Traces that differ little need little of the matrix, and get the same result as with all of it.
TEST(Align, SimilarTracesNeedABandOnly) {
  std::mt19937 random(5);
  const std::vector<std::uint32_t> weights = random_weights(random, 12);
  for (const unsigned changes : {1u, 10u, 100u, 1000u}) {
    const Sequence a = random_sequence(random, 3000, 12);
    Sequence b = a;
    for (unsigned k = 0; k < changes; ++k) {
      const auto at = b.begin() + static_cast<std::ptrdiff_t>(random() % b.size());
      if (random() % 2 == 0) {
        b.erase(at);
      } else {
        b.insert(at, random() % 12);
      }
    }
    // All of the matrix, by the recurrence of Needleman and Wunsch as it stands.
    std::vector<std::uint64_t> above(b.size() + 1, 0), row(b.size() + 1, 0);
    for (const Symbol symbol : a) {
      for (std::size_t j = 0; j < b.size(); ++j) {
        row[j + 1] = std::max({above[j + 1], row[j], above[j] + (symbol == b[j] ? weights[symbol] : 0)});
      }
      above.swap(row);
    }
    Aligner aligner(weights, kNoLimit);
    EXPECT_EQ(aligner.common(a, b), above.back()) << changes;
    if (changes <= 100) {
      EXPECT_LT(aligner.cells(), a.size() * b.size() / 2) << changes;
    }
    const Sequence both = aligner.merged(a, b);
    EXPECT_TRUE(contains(both, a) && contains(both, b)) << changes;
    EXPECT_EQ(aligner.weight(both), aligner.weight(a) + aligner.weight(b) - above.back()) << changes;
  }
}

TEST(Align, TheLimitOfCellsIsKeptToTheCell) {
  const Sequence a = letters("ABAB"), b = letters("BAAA");
  Aligner free(kOnes, kNoLimit);
  EXPECT_EQ(free.common(a, b), 2u);
  Aligner enough(kOnes, free.cells());
  EXPECT_EQ(enough.common(a, b), 2u);
  EXPECT_EQ(enough.cells(), free.cells());
  Aligner used(kOnes, free.cells(), 1);
  try {
    static_cast<void>(used.common(a, b));
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kBadInput);
    EXPECT_NE(std::string(error.what()).find("--max-cells 16: not enough"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace heddle
