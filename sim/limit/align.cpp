// SPDX-License-Identifier: Apache-2.0
#include "limit/align.h"

#include <algorithm>

#include "heddle/error.h"

namespace heddle {
namespace {

constexpr std::size_t kSmall = 1u << 18;  // cells whose directions are kept in memory; larger matrices are split
constexpr std::uint64_t kFirstGaps = 64;  // cost beyond the difference in weight that is tried first

}  // namespace

std::uint64_t Aligner::weight(Range range) const {
  std::uint64_t sum = 0;
  for (const Symbol* symbol = range.begin; symbol != range.end; ++symbol) sum += weights_[*symbol];
  return sum;
}

std::uint64_t Aligner::weight(const Sequence& sequence) const {
  return weight(Range{sequence.data(), sequence.data() + sequence.size()});
}

void Aligner::account(std::size_t cells) {
  if (cells > limit_ - cells_) {
    throw bad_input("option",
                    "--max-cells " + std::to_string(limit_) +
                        ": not enough to align these traces; raise it, or choose a smaller size or fewer --threads");
  }
  if (stop_flag_ != nullptr && stop_flag_->load(std::memory_order_relaxed)) {
    throw machine_stopped("interrupted", "the alignment of the traces was stopped from outside after " +
                                             std::to_string(cells_) + " matrix cells");
  }
  cells_ += cells;
}

// The cost of an alignment is the weight of its gaps. Let d be the weight by which, at some cell of the matrix, the
// second trace is ahead of the first. Columns without a gap leave d alone, a gap changes it by its weight; so an
// alignment that passes a cell with d and ends with D costs at least |d| + |D - d|. All alignments that cost no more
// than c lie in the band (D-c)/2 <= d <= (D+c)/2. If the best one found in the band costs no more than c, none outside
// is better: the result is exact.
//
// Equal symbols at the ends of two traces can always be aligned: what either of them is aligned with instead could be
// given up for them without a loss, since equal symbols have equal weights. So cell (i, j) of equal symbols needs its
// diagonal only, and equal beginnings and ends need no cells at all.
template <bool kBackwards>
void Aligner::last_row(Range a, Range b, Band band, std::vector<std::uint64_t>& row) {
  const auto symbol_of = [](Range range, std::size_t i) { return kBackwards ? *(range.end - 1 - i) : range.begin[i]; };
  const std::size_t columns = b.size();
  std::vector<std::uint64_t>& sums = sums_;  // weights of the beginnings of b
  sums.assign(columns + 1, 0);
  for (std::size_t j = 0; j < columns; ++j) sums[j + 1] = sums[j] + weights_[symbol_of(b, j)];
  row.assign(columns + 1, 0);
  std::int64_t ahead = 0;  // weight of the beginning of a
  std::size_t from = 0, to = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Symbol symbol = symbol_of(a, i);
    const std::uint64_t gain = weights_[symbol];
    ahead += static_cast<std::int64_t>(gain);
    while (from < columns && static_cast<std::int64_t>(sums[from + 1]) < ahead + band.low) ++from;
    while (to < columns && static_cast<std::int64_t>(sums[to + 1]) <= ahead + band.high) ++to;
    if (from >= to) continue;
    account(to - from);
    // Left of the band stands what an earlier row has reached: the cells of this row have at least as much.
    std::uint64_t diagonal = row[from], left = row[from];
    for (std::size_t j = from; j < to; ++j) {
      const std::uint64_t up = row[j + 1];
      const std::uint64_t gap = std::max(left, up);
      left = symbol_of(b, j) == symbol ? diagonal + gain : gap;
      diagonal = up;
      row[j + 1] = left;
    }
  }
}

Aligner::Band Aligner::band_of(std::uint64_t weight_a, std::uint64_t weight_b, std::uint64_t cost) {
  const auto difference = static_cast<std::int64_t>(weight_b) - static_cast<std::int64_t>(weight_a),
             most = static_cast<std::int64_t>(cost);
  return {(difference - most) / 2 - 1, (difference + most) / 2 + 1};  // whatever the rounding
}

std::uint64_t Aligner::common_inside(Range a, Range b) {
  if (a.size() == 0 || b.size() == 0) return 0;
  const std::uint64_t weight_a = weight(a), weight_b = weight(b);
  const std::uint64_t least = weight_a > weight_b ? weight_a - weight_b : weight_b - weight_a;
  for (std::uint64_t gaps = kFirstGaps;; gaps *= 4) {
    last_row<false>(a, b, band_of(weight_a, weight_b, least + gaps), row_);
    if (weight_a + weight_b - 2 * row_.back() <= least + gaps) return row_.back();
  }
}

std::uint64_t Aligner::common(const Sequence& a, const Sequence& b) {
  Range x{a.data(), a.data() + a.size()}, y{b.data(), b.data() + b.size()};
  std::uint64_t sum = 0;
  while (x.size() != 0 && y.size() != 0 && *x.begin == *y.begin) sum += weights_[*x.begin], ++x.begin, ++y.begin;
  while (x.size() != 0 && y.size() != 0 && x.end[-1] == y.end[-1]) sum += weights_[x.end[-1]], --x.end, --y.end;
  return sum + common_inside(x, y);
}

Sequence Aligner::merged(const Sequence& a, const Sequence& b) {
  Sequence out;
  out.reserve(std::max(a.size(), b.size()));
  merge({a.data(), a.data() + a.size()}, {b.data(), b.data() + b.size()}, common(a, b), out);
  return out;
}

Aligner::Counts Aligner::count(const Sequence& sequence) {
  Sequence sorted = sequence;
  std::sort(sorted.begin(), sorted.end());
  Counts counts;
  for (const Symbol symbol : sorted) {
    if (counts.empty() || counts.back().first != symbol) counts.emplace_back(symbol, 0);
    ++counts.back().second;
  }
  return counts;
}

std::uint64_t Aligner::common_at_most(const Counts& a, const Counts& b) const {
  std::uint64_t sum = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() && y != b.end();) {
    if (x->first == y->first) {
      sum += std::min(x->second, y->second) * weights_[x->first];
      ++x, ++y;
    } else {
      x->first < y->first ? ++x : ++y;
    }
  }
  return sum;
}

// Hirschberg: the column in which an optimal alignment crosses the middle row is found from both ends, in linear space.
void Aligner::merge(Range a, Range b, std::uint64_t common, Sequence& out) {
  while (a.size() != 0 && b.size() != 0 && *a.begin == *b.begin) {
    common -= weights_[*a.begin];
    out.push_back(*a.begin);
    ++a.begin, ++b.begin;
  }
  const Symbol* const tail = a.end;
  while (a.size() != 0 && b.size() != 0 && a.end[-1] == b.end[-1]) {
    common -= weights_[a.end[-1]];
    --a.end, --b.end;
  }
  const Symbol* const inside = a.end;
  if (a.size() == 0 || b.size() == 0 || common == 0) {
    out.insert(out.end(), a.begin, a.end);
    out.insert(out.end(), b.begin, b.end);
  } else if (a.size() == 1 || a.size() * b.size() <= kSmall) {
    merge_small(a, b, out);
  } else {
    const std::uint64_t weight_a = weight(a), weight_b = weight(b);
    const Band band = band_of(weight_a, weight_b, weight_a + weight_b - 2 * common);
    const Symbol* const middle = a.begin + a.size() / 2;
    std::vector<std::uint64_t> front, back;
    last_row<false>({a.begin, middle}, b, band, front);
    last_row<true>({middle, a.end}, b, band, back);
    std::size_t best = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      if (front[j] + back[b.size() - j] > front[best] + back[b.size() - best]) best = j;
    }
    merge({a.begin, middle}, {b.begin, b.begin + best}, front[best], out);
    merge({middle, a.end}, {b.begin + best, b.end}, back[b.size() - best], out);
  }
  out.insert(out.end(), inside, tail);
}

void Aligner::merge_small(Range a, Range b, Sequence& out) {
  enum Step : std::uint8_t { kBoth, kFirst, kSecond };
  account(a.size() * b.size());
  const std::size_t rows = a.size(), columns = b.size();
  std::vector<std::uint8_t> steps(rows * columns);  // how cell (i, j) was reached
  std::vector<std::uint64_t> row(columns + 1, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint64_t diagonal = 0, left = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const std::uint64_t up = row[j + 1];
      if (a.begin[i] == b.begin[j]) {
        left = diagonal + weights_[a.begin[i]];
        steps[i * columns + j] = kBoth;
      } else {
        steps[i * columns + j] = up >= left ? kFirst : kSecond;
        left = std::max(left, up);
      }
      diagonal = up;
      row[j + 1] = left;
    }
  }
  const std::size_t begin = out.size();
  std::size_t i = rows, j = columns;
  while (i != 0 && j != 0) {
    const std::uint8_t step = steps[(i - 1) * columns + j - 1];
    out.push_back(step == kSecond ? b.begin[j - 1] : a.begin[i - 1]);
    i -= step != kSecond ? 1 : 0;
    j -= step != kFirst ? 1 : 0;
  }
  while (i != 0) out.push_back(a.begin[--i]);
  while (j != 0) out.push_back(b.begin[--j]);
  std::reverse(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
}

// Which pair saves most is found without aligning all of them: a pair that cannot save as much as another one does is
// left alone.
Sequence Aligner::align(std::vector<Sequence> traces) {
  std::sort(traces.begin(), traces.end());
  traces.erase(std::unique(traces.begin(), traces.end()), traces.end());
  struct Pair {
    std::uint64_t saved = 0;
    bool exact = false;  // else at most so much
  };
  std::vector<Counts> counts;
  for (const Sequence& trace : traces) counts.push_back(count(trace));
  std::vector<std::vector<Pair>> pairs(traces.size());  // pairs[i][j], j < i
  for (std::size_t i = 0; i < traces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) pairs[i].push_back({common_at_most(counts[i], counts[j]), false});
  }
  while (traces.size() > 1) {
    std::size_t first = 1, second = 0;
    while (true) {
      for (std::size_t i = 1; i < traces.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (pairs[i][j].saved > pairs[first][second].saved) first = i, second = j;
        }
      }
      Pair& best = pairs[first][second];
      if (best.exact) break;
      best = {common(traces[first], traces[second]), true};
      first = 1, second = 0;
    }
    // The merged one takes the place of `second`; the last one that of `first`.
    traces[second] = merged(traces[first], traces[second]);
    counts[second] = count(traces[second]);
    const std::size_t last = traces.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
      if (k == first) continue;
      (k < first ? pairs[first][k] : pairs[k][first]) = pairs[last][k];
    }
    if (first != last) {
      traces[first] = std::move(traces[last]);
      counts[first] = std::move(counts[last]);
    }
    traces.pop_back();
    counts.pop_back();
    pairs.pop_back();
    for (std::size_t k = 0; k < traces.size(); ++k) {
      if (k != second)
        (k < second ? pairs[second][k] : pairs[k][second]) = {common_at_most(counts[k], counts[second]), false};
    }
  }
  return traces.empty() ? Sequence() : std::move(traces.front());
}

}  // namespace heddle
