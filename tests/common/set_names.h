// SPDX-License-Identifier: Apache-2.0
// Names the parameter sets of a typed test after their models.
#pragma once

#include <string>

namespace heddle::test {

struct SetNames {
  template <class Set>
  static std::string GetName(int) {
    return Set::kModelName;
  }
};

}  // namespace heddle::test
