// SPDX-License-Identifier: Apache-2.0
#include "engine/rtl_frontend.h"

#include "config/config.h"

namespace heddle {

const RtlChoice& choose_rtl(const std::vector<RtlChoice>& choices, const Config& config, const FrontendShape& shape) {
  const auto refuse = [](const std::string& key, const std::string& have) {
    return bad_input(
        "engine",
        fmt::format(
            "{} has no Verilated model: the RTL of this build has {}; use --engine systemc, or add a parameter set "
            "in sim/mechanisms/CMakeLists.txt",
            key, have));
  };
  const auto need = [&](const char* key, unsigned value, unsigned have) {
    if (value != have) throw refuse(fmt::format("{} = {}", key, value), fmt::format("{}", have));
  };
  need("scoreboard.entries", config.scoreboard.entries, kRtlSbEntries);
  need("frontend.ibuffer", config.frontend.ibuffer, kRtlIbufDepth);
  need("stack.level_bits", config.stack.level_bits, kRtlLevelBits);
  if (config.stack.order != PushOrder::kTakenFirst) throw refuse("a stack.order other than taken_first", "taken_first");
  if (!config.stack.taken_left) throw refuse("stack.taken_left = false", "true");
  need("stack.depth", config.stack.depth, choices.front().stack_depth);
  if (shape.core.splits_warps) need("dws.splits", shape.slots, choices.front().slots);
  std::string have;
  for (const RtlChoice& choice : choices) {
    if (choice.scoreboard == shape.scoreboard && choice.selector == shape.selector &&
        choice.policy == config.selector.policy && config.core.lanes <= choice.lanes) {
      return choice;
    }
    Config other = config;
    other.selector.policy = choice.policy;
    other.selector.kind = choice.selector;
    static constexpr const char* kScoreboards[] = {"shadow", "shadow", "optimistic", "bitmap"};
    have += fmt::format("{}{} {} {} up to {} lanes", have.empty() ? "" : ", ",
                        kScoreboards[static_cast<unsigned>(choice.scoreboard)],
                        find_key("selector.kind")->text(other), find_key("selector.policy")->text(other), choice.lanes);
  }
  throw refuse("this combination of scoreboard.kind, selector.kind, selector.policy and core.lanes", have);
}

}  // namespace heddle
