// SPDX-License-Identifier: Apache-2.0
#include "engine/frontend.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/mechanisms.h"
#include "heddle/error.h"

namespace heddle {
namespace {

std::vector<FrontendMechanism>& registry() {
  static std::vector<FrontendMechanism> entries = [] {
    std::vector<FrontendMechanism> own;
    for (const MechanismInfo& mechanism : mechanisms()) {
      if (mechanism.kind != MechanismKind::kFrontend) continue;
      own.push_back({mechanism.name, make_twin, {}, make_direct});
#ifdef HEDDLE_HAVE_RTL
      own.back().rtl = make_rtl;
      own.back().direct_rtl = make_direct_rtl;
#endif
    }
    return own;
  }();
  return entries;
}

auto find(const std::string& name) {
  return std::find_if(registry().begin(), registry().end(), [&](const FrontendMechanism& m) { return m.name == name; });
}

}  // namespace

const FrontendMechanism& frontend_mechanism(const std::string& name) {
  const auto found = find(name);
  if (found == registry().end())
    throw bad_input("engine", fmt::format("mechanism {} has no front end in this build", name));
  return *found;
}

void register_mechanism(FrontendMechanism mechanism) {
  const auto found = find(mechanism.name);
  if (found == registry().end()) registry().push_back(std::move(mechanism));
  else *found = std::move(mechanism);
}

}  // namespace heddle
