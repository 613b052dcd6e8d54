// SPDX-License-Identifier: Apache-2.0
// What common/rr_arbiter must do: requesters stand in a queue, the one that was served goes to the end with all before
// it.
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

namespace heddle::test {

class RrArbiterOracle {
 public:
  explicit RrArbiterOracle(unsigned requesters) {
    for (unsigned i = 0; i < requesters; ++i) turn_.push_back(i);
  }

  std::optional<unsigned> step(bool enable, const std::vector<bool>& wants) {
    if (!enable) return std::nullopt;
    const auto first = std::find_if(turn_.begin(), turn_.end(), [&](unsigned i) { return wants[i]; });
    if (first == turn_.end()) return std::nullopt;
    const unsigned granted = *first;
    std::rotate(turn_.begin(), first + 1, turn_.end());
    return granted;
  }

 private:
  std::deque<unsigned> turn_;
};

}  // namespace heddle::test
