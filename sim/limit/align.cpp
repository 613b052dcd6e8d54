// SPDX-License-Identifier: Apache-2.0
#include "limit/align.h"

#include <algorithm>

#include "heddle/error.h"

namespace heddle {
namespace {

constexpr std::size_t kSmall = 1u << 22;  // cells whose directions are kept in memory; larger matrices are split

}  // namespace

std::uint64_t Aligner::weight(const Sequence& sequence) const {
  std::uint64_t sum = 0;
  for (const Symbol symbol : sequence) sum += weights_[symbol];
  return sum;
}

void Aligner::account(std::size_t rows, std::size_t columns) {
  const auto cells = std::uint64_t{rows} * columns;
  if (cells > limit_ - cells_) {
    throw bad_input("option", "--max-cells " + std::to_string(limit_) + ": not enough to align these traces (next: " + std::to_string(rows) + " by " +
                                  std::to_string(columns) + " blocks); raise it, or choose a smaller size or fewer --threads");
  }
  cells_ += cells;
}

// Equal symbols at the ends of two traces can always be aligned: what either of them is aligned with instead could be given up for
// them without a loss, since equal symbols have equal weights. So cell (i, j) of equal symbols needs its diagonal only, and equal
// beginnings and ends need no cells at all.
template <bool kBackwards>
void Aligner::last_row(Range a, Range b, std::vector<std::uint64_t>& row) {
  account(a.size(), b.size());
  const std::size_t columns = b.size();
  row.assign(columns + 1, 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Symbol symbol = kBackwards ? a.end[-1 - static_cast<std::ptrdiff_t>(i)] : a.begin[i];
    const std::uint64_t gain = weights_[symbol];
    std::uint64_t diagonal = 0, left = 0;
    for (std::size_t j = 0; j < columns; ++j) {
      const Symbol other = kBackwards ? b.end[-1 - static_cast<std::ptrdiff_t>(j)] : b.begin[j];
      const std::uint64_t up = row[j + 1];
      const std::uint64_t gap = std::max(left, up);
      left = other == symbol ? diagonal + gain : gap;
      diagonal = up;
      row[j + 1] = left;
    }
  }
}

std::uint64_t Aligner::common(const Sequence& a, const Sequence& b) {
  Range x{a.data(), a.data() + a.size()}, y{b.data(), b.data() + b.size()};
  std::uint64_t sum = 0;
  while (x.size() != 0 && y.size() != 0 && *x.begin == *y.begin) sum += weights_[*x.begin], ++x.begin, ++y.begin;
  while (x.size() != 0 && y.size() != 0 && x.end[-1] == y.end[-1]) sum += weights_[x.end[-1]], --x.end, --y.end;
  if (x.size() == 0 || y.size() == 0) return sum;
  last_row<false>(x, y, row_);
  return sum + row_.back();
}

Sequence Aligner::merged(const Sequence& a, const Sequence& b) {
  Sequence out;
  out.reserve(std::max(a.size(), b.size()));
  merge({a.data(), a.data() + a.size()}, {b.data(), b.data() + b.size()}, out);
  return out;
}

// Hirschberg: the column in which an optimal alignment crosses the middle row is found from both ends, in linear space.
void Aligner::merge(Range a, Range b, Sequence& out) {
  while (a.size() != 0 && b.size() != 0 && *a.begin == *b.begin) out.push_back(*a.begin), ++a.begin, ++b.begin;
  const Symbol* const tail = a.end;
  while (a.size() != 0 && b.size() != 0 && a.end[-1] == b.end[-1]) --a.end, --b.end;
  if (a.size() == 0 || b.size() == 0) {
    out.insert(out.end(), a.begin, a.end);
    out.insert(out.end(), b.begin, b.end);
  } else if (a.size() == 1 || a.size() * b.size() <= kSmall) {
    merge_small(a, b, out);
  } else {
    const Symbol* const middle = a.begin + a.size() / 2;
    std::vector<std::uint64_t> front, back;
    last_row<false>({a.begin, middle}, b, front);
    last_row<true>({middle, a.end}, b, back);
    std::size_t best = 0;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      if (front[j] + back[b.size() - j] > front[best] + back[b.size() - best]) best = j;
    }
    merge({a.begin, middle}, {b.begin, b.begin + best}, out);
    merge({middle, a.end}, {b.begin + best, b.end}, out);
  }
  out.insert(out.end(), a.end, tail);
}

void Aligner::merge_small(Range a, Range b, Sequence& out) {
  enum Step : std::uint8_t { kBoth, kFirst, kSecond };
  account(a.size(), b.size());
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

Sequence Aligner::align(std::vector<Sequence> traces) {
  std::sort(traces.begin(), traces.end());
  traces.erase(std::unique(traces.begin(), traces.end()), traces.end());
  std::vector<std::vector<std::uint64_t>> saved(traces.size());  // saved[i][j], j < i
  for (std::size_t i = 0; i < traces.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) saved[i].push_back(common(traces[i], traces[j]));
  }
  while (traces.size() > 1) {
    std::size_t first = 1, second = 0;
    for (std::size_t i = 1; i < traces.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (saved[i][j] > saved[first][second]) first = i, second = j;
      }
    }
    // The merged one takes the place of `second`; the last one that of `first`.
    traces[second] = merged(traces[first], traces[second]);
    const std::size_t last = traces.size() - 1;
    for (std::size_t k = 0; k < last; ++k) {
      if (k == first) continue;
      (k < first ? saved[first][k] : saved[k][first]) = saved[last][k];
    }
    traces[first] = std::move(traces[last]);
    traces.pop_back();
    saved.pop_back();
    for (std::size_t k = 0; k < traces.size(); ++k) {
      if (k != second) (k < second ? saved[second][k] : saved[k][second]) = common(traces[k], traces[second]);
    }
  }
  return traces.empty() ? Sequence() : std::move(traces.front());
}

}  // namespace heddle
