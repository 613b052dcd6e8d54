// SPDX-License-Identifier: Apache-2.0
// The mechanisms a run can be asked for: one line each. A mechanism that is not in this table cannot be selected anywhere.
#pragma once

#include <string>
#include <vector>

namespace heddle {

// The core that runs it: front ends with static warps (also those that a program registers), or the barrel core with a dwf_scheduler
// or with a reference model that has no hardware.
enum class MechanismKind { kFrontend, kFormation, kReference };

struct MechanismInfo {
  const char* name;     // value of --mechanism and of the key `mechanism`
  const char* summary;
  const char* source;   // paper and section
  MechanismKind kind;
};

[[nodiscard]] const std::vector<MechanismInfo>& mechanisms();
[[nodiscard]] MechanismKind mechanism_kind(const std::string& name);
// The preset that a command line without one starts from; empty: the defaults of all keys.
[[nodiscard]] std::string preset_of_mechanism(const std::string& name);

}  // namespace heddle
