// SPDX-License-Identifier: Apache-2.0
#include "engine/frontend.h"

#include <fmt/format.h>

#include <algorithm>

#include "heddle/error.h"
#include "mechanisms/mechanism.h"
#ifdef HEDDLE_HAVE_RTL
#include "engine/rtl_models.h"
#endif

namespace heddle {
namespace {

// One of this project, whose front end depends on the configuration.
FrontendMechanism own(const Mechanism& mechanism) {
  const auto design = [&mechanism](const Config& config) { return mechanism.design(config); };
  FrontendMechanism entry;
  entry.name = mechanism.name;
  entry.systemc = [design](const FrontendContext& context) { return design(context.config)->twin(context); };
  entry.direct = [design](const DirectContext& context) { return design(context.config)->direct_twin(context); };
#ifdef HEDDLE_HAVE_RTL
  const auto model = [design](const Config& config) {
    return choose_rtl(design(config)->rtl_models(), config, design(config)->shape(config));
  };
  entry.rtl = [model](const FrontendContext& context) { return model(context.config).make(context); };
  entry.direct_rtl = [model](const DirectContext& context) { return model(context.config).make_direct(context); };
#endif
  entry.capabilities = [design](const Config& config) { return design(config)->shape(config).core; };
  entry.unit = [design](const Config& config) { return design(config)->unit(config); };
  return entry;
}

std::vector<FrontendMechanism>& registry() {
  static std::vector<FrontendMechanism> entries = [] {
    std::vector<FrontendMechanism> list;
    for (const Mechanism* mechanism : mechanisms()) {
      if (mechanism->kind == MechanismKind::kFrontend) list.push_back(own(*mechanism));
    }
    return list;
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

Capabilities capabilities_of(const FrontendMechanism& mechanism, const Config& config) {
  return mechanism.capabilities ? mechanism.capabilities(config) : Capabilities();
}

std::unique_ptr<MechanismUnit> unit_of(const FrontendMechanism& mechanism, const Config& config) {
  return mechanism.unit ? mechanism.unit(config) : nullptr;
}

void register_mechanism(FrontendMechanism mechanism) {
  const auto found = find(mechanism.name);
  if (found == registry().end()) registry().push_back(std::move(mechanism));
  else *found = std::move(mechanism);
}

}  // namespace heddle
