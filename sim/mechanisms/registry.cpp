// SPDX-License-Identifier: Apache-2.0
// The mechanisms a run can be asked for. One that is not in this list cannot be selected anywhere.
#include <fmt/format.h>

#include <algorithm>

#include "barrel/warp_source.h"
#include "engine/rtl_models.h"
#include "heddle/error.h"
#include "mechanisms/mechanism.h"
#include "report/frontend_bits.h"

#define HEDDLE_MECHANISMS(mechanism)                                                                               \
  mechanism(spe) mechanism(dpe) mechanism(dws) mechanism(forkjoin) mechanism(minpc) mechanism(cbar) mechanism(dwf) \
      mechanism(naive) mechanism(pdom_barrel) mechanism(mimd)

namespace heddle {

#define HEDDLE_DECLARE(name) const Mechanism& name##_mechanism();
HEDDLE_MECHANISMS(HEDDLE_DECLARE)
#undef HEDDLE_DECLARE

const std::vector<const Mechanism*>& mechanisms() {
#define HEDDLE_ENTRY(name) &name##_mechanism(),
  static const std::vector<const Mechanism*> table = {HEDDLE_MECHANISMS(HEDDLE_ENTRY)};
#undef HEDDLE_ENTRY
  return table;
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

std::string preset_of_mechanism(const std::string& name) {
  const Mechanism* mechanism = find_mechanism(name);
  return mechanism == nullptr ? "" : mechanism->preset();
}

unsigned default_stack_depth(const std::string& name) {
  const Mechanism* mechanism = find_mechanism(name);
  return mechanism == nullptr ? Config{}.stack.depth : mechanism->stack_depth();
}

const std::vector<RtlModelOf>& FrontendDesign::rtl_models() const {
  static const std::vector<RtlModelOf> none;
  return none;
}

std::unique_ptr<WarpSource> Mechanism::source_of_warps(const Config&) const { return nullptr; }

BitReport Mechanism::bits(const Config& config) const {
  if (const FrontendDesign* of = design(config)) return bits_of_frontend(*of, config);
  std::vector<std::string> names;
  for (const Mechanism* mechanism : mechanisms()) {
    if (mechanism->kind != MechanismKind::kReference) names.emplace_back(mechanism->name);
  }
  throw bad_input("option", fmt::format("mechanism {}: there is no hardware of it to count; choose one of {}", name,
                                        fmt::join(names, ", ")));
}

std::string Mechanism::sizes(const Config& config) const {
  return fmt::format("{}: {} warps of {} lanes, {} schedulers, stack depth {}, {} scoreboard entries a table", name,
                     config.core.warps, config.core.lanes, config.core.schedulers, config.stack.depth,
                     config.scoreboard.entries);
}

}  // namespace heddle
