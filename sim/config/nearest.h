// SPDX-License-Identifier: Apache-2.0
// "Did you mean": what a misspelt name may have been.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace heddle {

// The nearest of `names` to `word` by edit distance, or empty when nothing is near.
[[nodiscard]] inline std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;  // farther than that is no help
  for (const std::string& name : names) {
    std::vector<std::size_t> row(name.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < word.size(); ++i) {
      std::size_t diagonal = row[0];
      row[0] = i + 1;
      for (std::size_t j = 0; j < name.size(); ++j) {
        const std::size_t replace = diagonal + (word[i] == name[j] ? 0 : 1);
        diagonal = row[j + 1];
        row[j + 1] = std::min({replace, row[j + 1] + 1, row[j] + 1});
      }
    }
    if (row.back() < best_distance) {
      best_distance = row.back();
      best = name;
    }
  }
  return best;
}

// The end of a message: "; did you mean 'name'?", or nothing.
[[nodiscard]] inline std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
  const std::string near = nearest_name(word, names);
  return near.empty() ? "" : "; did you mean '" + near + "'?";
}

}  // namespace heddle
