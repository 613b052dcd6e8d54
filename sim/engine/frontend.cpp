// SPDX-License-Identifier: Apache-2.0
#include "engine/frontend.h"

#include <fmt/format.h>

#include <deque>

#include "engine/rtl_models.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace {

// One of the list of mechanisms, whose front end depends on the configuration.
FrontendMechanism own(const Mechanism& mechanism) {
  const auto design = [&mechanism](const Config& config) { return mechanism.design(config); };
  FrontendMechanism entry;
  entry.name = mechanism.name;
  entry.systemc = [design](const FrontendContext& context) { return design(context.config)->twin(context); };
  entry.direct = [design](const DirectContext& context) { return design(context.config)->direct_twin(context); };
  if (!design(Config())->rtl_models().empty()) {
    const auto model = [design](const Config& config) {
      return choose_rtl(design(config)->rtl_models(), config, design(config)->shape(config));
    };
    entry.rtl = [model](const FrontendContext& context) { return model(context.config).make(context); };
    entry.direct_rtl = [model](const DirectContext& context) { return model(context.config).make_direct(context); };
  }
  entry.capabilities = [design](const Config& config) { return design(config)->shape(config).core; };
  entry.unit = [design](const Config& config) { return design(config)->unit(config); };
  return entry;
}

// Those that were asked for or registered; they stay where they are.
std::deque<FrontendMechanism>& registry() {
  static std::deque<FrontendMechanism> entries;
  return entries;
}

FrontendMechanism* find(const std::string& name) {
  for (FrontendMechanism& entry : registry()) {
    if (entry.name == name) return &entry;
  }
  const Mechanism* mechanism = find_mechanism(name);
  if (mechanism == nullptr || mechanism->kind != MechanismKind::kFrontend) return nullptr;
  return &registry().emplace_back(own(*mechanism));
}

}  // namespace

const FrontendMechanism& frontend_mechanism(const std::string& name) {
  if (const FrontendMechanism* found = find(name)) return *found;
  throw bad_input("engine", fmt::format("mechanism {} has no front end in this build", name));
}

Capabilities capabilities_of(const FrontendMechanism& mechanism, const Config& config) {
  return mechanism.capabilities ? mechanism.capabilities(config) : Capabilities();
}

std::unique_ptr<MechanismUnit> unit_of(const FrontendMechanism& mechanism, const Config& config) {
  return mechanism.unit ? mechanism.unit(config) : nullptr;
}

void register_mechanism(FrontendMechanism mechanism) {
  if (FrontendMechanism* found = find(mechanism.name)) *found = std::move(mechanism);
  else registry().push_back(std::move(mechanism));
}

}  // namespace heddle
