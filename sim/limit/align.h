// SPDX-License-Identifier: Apache-2.0
// Optimal alignment of traces. Columns hold one symbol each: threads either stand in a column together or have a gap,
// so the aligned sequence is a common supersequence of the traces and its weight is the number of instructions that are
// issued.
//
// For two traces the alignment is optimal (Needleman and Wunsch: a gap costs the weight of the symbol, different
// symbols never share a column). For more of them pairs are merged one after the other, always the pair of all that
// saves most, as in section 3.3 of the DWF paper; the problem is NP-hard, and the result an upper bound of the optimum.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle {

using Symbol = std::uint32_t;
using Sequence = std::vector<Symbol>;

class Aligner {
 public:
  // weights: of each symbol, at least 1. limit: of matrix cells that may be computed, `cells` of which are used
  // already; more is Error(option), which names the option --max-cells.
  Aligner(std::vector<std::uint32_t> weights, std::uint64_t limit, std::uint64_t cells = 0)
      : weights_(std::move(weights)),
        limit_(limit),
        cells_(cells) {}

  // Once the flag is set, the next row of a matrix is Error(interrupted). May be null.
  void set_stop_flag(const std::atomic<bool>* flag) { stop_flag_ = flag; }

  [[nodiscard]] std::uint64_t weight(const Sequence& sequence) const;
  // Weight of what two traces have in common in their optimal alignment.
  [[nodiscard]] std::uint64_t common(const Sequence& a, const Sequence& b);
  // The optimal alignment of two traces.
  [[nodiscard]] Sequence merged(const Sequence& a, const Sequence& b);
  // The alignment of all traces; empty for none.
  [[nodiscard]] Sequence align(std::vector<Sequence> traces);

  [[nodiscard]] std::uint64_t cells() const { return cells_; }  // used so far

 private:
  struct Range {
    const Symbol* begin;
    const Symbol* end;
    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(end - begin); }
  };

  using Counts = std::vector<std::pair<Symbol, std::uint64_t>>;  // how often each symbol occurs, in order

  // Cells of a matrix that an alignment of a given cost can pass (align.cpp).
  struct Band {
    std::int64_t low, high;
  };

  [[nodiscard]] static Counts count(const Sequence& sequence);
  // Weight that two traces have in common in any order: no alignment has more.
  [[nodiscard]] std::uint64_t common_at_most(const Counts& a, const Counts& b) const;
  [[nodiscard]] static Band band_of(std::uint64_t weight_a, std::uint64_t weight_b, std::uint64_t cost);
  [[nodiscard]] std::uint64_t weight(Range range) const;
  void account(std::size_t cells);
  // Last row of the matrix: the common weight of all of `a` with each beginning (or, backwards, end) of `b`. Outside
  // the band a value may be too small, never too large.
  template <bool kBackwards>
  void last_row(Range a, Range b, Band band, std::vector<std::uint64_t>& row);
  // Common weight of two traces; equal beginnings and ends are cut off before.
  std::uint64_t common_inside(Range a, Range b);
  // common: of the two ranges.
  void merge(Range a, Range b, std::uint64_t common, Sequence& out);
  void merge_small(Range a, Range b, Sequence& out);

  std::vector<std::uint32_t> weights_;
  std::uint64_t limit_;
  std::uint64_t cells_;
  const std::atomic<bool>* stop_flag_ = nullptr;
  std::vector<std::uint64_t> row_, sums_;
};

}  // namespace heddle
