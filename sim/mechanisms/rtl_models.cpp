// SPDX-License-Identifier: Apache-2.0
#include "engine/rtl_models.h"

#include <fmt/format.h>

#include "config/config.h"
#include "heddle/error.h"

namespace heddle {

const RtlModelOf& choose_rtl(const std::vector<RtlModelOf>& models, const Config& config, const FrontendShape& shape) {
  const auto refuse = [&config](const std::string& key, const std::string& have) {
    return bad_input(
        "engine",
        fmt::format(
            "{} has no Verilated model: the RTL of mechanism {} has {}; use --engine systemc, or add a parameter set "
            "where its models are made (docs/add_a_mechanism.md)",
            key, config.mechanism, have));
  };
  const auto need = [&](const char* key, unsigned value, unsigned have) {
    if (value != have) throw refuse(fmt::format("{} = {}", key, value), fmt::format("{}", have));
  };
  if (models.empty()) throw refuse("mechanism = " + config.mechanism + " with these options", "none of it");
  need("scoreboard.entries", config.scoreboard.entries, kRtlSbEntries);
  need("frontend.ibuffer", config.frontend.ibuffer, kRtlIbufDepth);
  need("stack.level_bits", config.stack.level_bits, kRtlLevelBits);
  if (config.stack.order != models.front().order) {
    Config other = config;
    other.stack.order = models.front().order;
    const std::string order = find_key("stack.order")->text(other);
    throw refuse("a stack.order other than " + order, order);
  }
  if (!config.stack.taken_left) throw refuse("stack.taken_left = false", "true");
  need("stack.depth", config.stack.depth, models.front().stack_depth);
  need("paths of a warp", shape.slots, models.front().slots);
  std::string have;
  for (const RtlModelOf& model : models) {
    if (model.scoreboard == shape.scoreboard && model.selector == shape.selector &&
        model.policy == config.selector.policy && config.core.lanes <= model.lanes) {
      return model;
    }
    Config other = config;
    other.selector.policy = model.policy;
    other.selector.kind = model.selector;
    static constexpr const char* kScoreboards[] = {"shadow", "shadow", "optimistic", "bitmap"};
    have += fmt::format("{}{} {} {} up to {} lanes", have.empty() ? "" : ", ",
                        kScoreboards[static_cast<unsigned>(model.scoreboard)], find_key("selector.kind")->text(other),
                        find_key("selector.policy")->text(other), model.lanes);
  }
  throw refuse("this combination of scoreboard.kind, selector.kind, selector.policy and core.lanes", have);
}

}  // namespace heddle
