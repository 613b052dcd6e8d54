// SPDX-License-Identifier: Apache-2.0
// The mechanisms a run can be asked for: those of this list, and those of plug-ins.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "heddle/error.h"
#include "mechanisms/mechanism.h"

#define HEDDLE_MECHANISMS(mechanism)                                                                               \
  mechanism(spe) mechanism(dpe) mechanism(dws) mechanism(forkjoin) mechanism(minpc) mechanism(cbar) mechanism(dwf) \
      mechanism(naive) mechanism(pdom_barrel) mechanism(mimd)

namespace heddle {

#define HEDDLE_DECLARE(name) const Mechanism& name##_mechanism();
HEDDLE_MECHANISMS(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

namespace {

struct Registry {
#define HEDDLE_ENTRY(name) &name##_mechanism(),
  std::vector<const Mechanism*> mechanisms = {HEDDLE_MECHANISMS(HEDDLE_ENTRY)};
#undef HEDDLE_ENTRY
  std::map<std::string, std::string> libraries;  // by mechanism
};

Registry& registry() {
  static Registry the_one;
  return the_one;
}

Error refused(const std::string& why) { return bad_input("plugin", why); }

bool is_word(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

// Of one mechanism, beside those that are there.
void check_names(const Mechanism& mechanism, const std::vector<const Mechanism*>& others) {
  const std::string name = mechanism.name;
  if (!is_word(name))
    throw refused(fmt::format("mechanism '{}': a name is of small letters, digits, '_' and '-'", name));
  for (const Mechanism* other : others) {
    if (name == other->name) {
      const std::string library = library_of(*other);
      throw refused(fmt::format("mechanism {} is there already, {}; choose another name", name,
                                library.empty() ? "of Heddle's own" : "of plug-in " + library));
    }
  }
  if (mechanism.kind != MechanismKind::kFrontend || mechanism.design(Config()) == nullptr)
    throw refused(fmt::format("mechanism {} has no front end: a plug-in brings front ends", name));
  for (const ConfigKey& key : mechanism.keys()) {
    if (std::string(key.name).compare(0, name.size() + 1, name + ".") != 0)
      throw refused(fmt::format("key {} of mechanism {}: its name begins with '{}.'", key.name, name, name));
    if (find_key(key.name) != nullptr)
      throw refused(fmt::format("key {} of mechanism {} is there already; choose another name", key.name, name));
  }
}

}  // namespace

const std::vector<const Mechanism*>& mechanisms() { return registry().mechanisms; }

void add_mechanisms(const std::vector<const Mechanism*>& more, const std::string& library) {
  if (more.empty()) throw refused("it brings no mechanism");
  std::vector<const Mechanism*> all = mechanisms();
  for (const Mechanism* mechanism : more) {
    check_names(*mechanism, all);
    all.push_back(mechanism);
  }
  registry().mechanisms = std::move(all);
  for (const Mechanism* mechanism : more) registry().libraries[mechanism->name] = library;
}

std::string library_of(const Mechanism& mechanism) {
  const auto& libraries = registry().libraries;
  const auto found = libraries.find(mechanism.name);
  return found == libraries.end() ? "" : found->second;
}

const Mechanism* find_mechanism(const std::string& name) {
  const auto& table = mechanisms();
  const auto found =
      std::find_if(table.begin(), table.end(), [&](const Mechanism* mechanism) { return name == mechanism->name; });
  return found == table.end() ? nullptr : *found;
}

MechanismKind mechanism_kind(const std::string& name) {
  const Mechanism* mechanism = find_mechanism(name);
  return mechanism == nullptr ? MechanismKind::kFrontend : mechanism->kind;
}

FrontendShape frontend_shape(const Config& config) {
  const Mechanism* mechanism = find_mechanism(config.mechanism);
  const FrontendDesign* design = mechanism == nullptr ? nullptr : mechanism->design(config);
  return design == nullptr ? FrontendShape() : design->shape(config);
}

std::string kernel_form(const Config& config) {
  const Mechanism* mechanism = find_mechanism(config.mechanism);
  return mechanism == nullptr ? "" : mechanism->kernel_form(config);
}

std::string option_of_form(const std::string& form) {
  return form == "forkjoin"   ? "--fork-join"
         : form == "software" ? "--software-stack"
         : form == "barriers" ? "--barriers"
                              : "";
}

std::string preset_of_mechanism(const std::string& name) {
  const Mechanism* mechanism = find_mechanism(name);
  return mechanism == nullptr ? "" : mechanism->preset();
}

unsigned default_stack_depth(const std::string& name) {
  const Mechanism* mechanism = find_mechanism(name);
  return mechanism == nullptr ? Config{}.stack.depth : mechanism->stack_depth();
}

}  // namespace heddle
