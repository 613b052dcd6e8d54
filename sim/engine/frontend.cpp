// SPDX-License-Identifier: Apache-2.0
#include "engine/frontend.h"

#include <fmt/format.h>

#include <algorithm>

#include "heddle/error.h"

namespace heddle {
namespace {

std::vector<FrontendMechanism>& registry() {
#ifdef HEDDLE_HAVE_RTL
  static std::vector<FrontendMechanism> mechanisms{{"spe", make_spe_twin, make_spe_rtl}, {"dpe", make_dpe_twin, make_dpe_rtl}};
#else
  static std::vector<FrontendMechanism> mechanisms{{"spe", make_spe_twin, {}}, {"dpe", make_dpe_twin, {}}};
#endif
  return mechanisms;
}

auto find(const std::string& name) {
  return std::find_if(registry().begin(), registry().end(), [&](const FrontendMechanism& m) { return m.name == name; });
}

}  // namespace

const FrontendMechanism& frontend_mechanism(const std::string& name) {
  const auto found = find(name);
  if (found == registry().end()) throw bad_input("engine", fmt::format("mechanism {} has no front end in this build", name));
  return *found;
}

void register_mechanism(FrontendMechanism mechanism) {
  const auto found = find(mechanism.name);
  if (found == registry().end()) registry().push_back(std::move(mechanism)); else *found = std::move(mechanism);
}

}  // namespace heddle
