// SPDX-License-Identifier: Apache-2.0
// The mechanisms a run can be asked for: one line each. A mechanism that is not in this table cannot be selected anywhere.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct MechanismInfo {
  const char* name;     // value of --mechanism and of the key `mechanism`
  const char* summary;
  const char* source;   // paper and section
};

[[nodiscard]] const std::vector<MechanismInfo>& mechanisms();

}  // namespace heddle
