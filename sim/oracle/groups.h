// SPDX-License-Identifier: Apache-2.0
// The threads of a warp that run, by where they are: those at one PC are a group.
#pragma once

#include <algorithm>
#include <array>

#include "heddle/types.h"

namespace heddle {

struct Group {
  Pc pc = 0;
  LaneMask threads = 0;
};

class Groups {
 public:
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] Pc lowest_pc() const { return all_[count_ - 1].pc; }

  // To those that are there already, if some are.
  void add(const Group& group) {
    unsigned at = count_;
    while (at != 0 && all_[at - 1].pc < group.pc) --at;
    if (at != 0 && all_[at - 1].pc == group.pc) {
      all_[at - 1].threads |= group.threads;
      return;
    }
    for (unsigned i = count_++; i != at; --i) all_[i] = all_[i - 1];
    all_[at] = group;
  }
  Group take_lowest() { return all_[--count_]; }
  // The least one by less(group, other).
  template <typename Less>
  Group take_least(Less less) {
    Group* const found = std::min_element(all_.begin(), all_.begin() + count_, less);
    const Group group = *found;
    std::move(found + 1, all_.begin() + count_--, found);
    return group;
  }

 private:
  std::array<Group, kMaxLanes> all_;  // the highest PC first
  unsigned count_ = 0;
};

}  // namespace heddle
