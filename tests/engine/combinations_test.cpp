// SPDX-License-Identifier: Apache-2.0
// Options of the front ends in every combination: what is taken is built and used, and what is refused is refused by
// the names of its keys.
#include <gtest/gtest.h>

#include "engine/core.h"
#include "engine/frontend.h"
#include "isa/program.h"
#include "support.h"

namespace heddle::test::combinations_test {
namespace {

const std::vector<std::vector<std::string>> kOptions = {
    {"stack.kind=textbook", "stack.kind=compact"},
    {"scoreboard.kind=shadow", "scoreboard.kind=optimistic", "scoreboard.kind=bitmap"},
    {"selector.kind=two_level", "selector.kind=constrained"},
    {"dpe.stack=hardware", "dpe.stack=software"},
    {"dpe.path_forwarding=false", "dpe.path_forwarding=true"},
    {"dpe.memory_split=false", "dpe.memory_split=true"}};

template <class F>
void for_each_combination(F f) {
  std::size_t count = 1;
  for (const auto& values : kOptions) count *= values.size();
  for (const char* mechanism : {"spe", "dpe", "dws", "forkjoin"}) {
    for (std::size_t number = 0; number < count; ++number) {
      Settings settings{"core.warps=2", "core.lanes=4"};
      std::size_t left = number;
      for (const auto& values : kOptions) {
        settings.push_back(values[left % values.size()]);
        left /= values.size();
      }
      f(mechanism, settings);
    }
  }
}

std::string text_of(const std::string& mechanism, const Settings& settings) {
  std::string text = mechanism;
  for (const std::string& setting : settings) text += " " + setting;
  return text;
}

// Keys that belong to no single mechanism, as far as they have a use in the mechanism's machine.
void expect_used(const Config& config, const std::string& text) {
  const FrontendShape shape = frontend_shape(config);
  EXPECT_EQ(shape.scoreboard == ScoreboardModule::kBitmap, config.scoreboard.kind == ScoreboardKind::kBitmap) << text;
  if (config.mechanism != "dpe") return;
  const BitReport bits = count_bits(config);
  EXPECT_EQ(bits.module_bits("stack/dpe_forward_stack") != 0, config.dpe.path_forwarding) << text;
  EXPECT_EQ(shape.core.splits_at_loads, config.dpe.memory_split) << text;
  EXPECT_EQ(shape.selector, config.selector.kind) << text;
  EXPECT_EQ(shape.core.rows_in_memory, config.dpe.stack == DpeStack::kSoftware) << text;
  if (config.scoreboard.kind == ScoreboardKind::kOptimistic) {
    EXPECT_EQ(shape.scoreboard, ScoreboardModule::kOptimistic) << text;
  }
}

TEST(Combinations, OfOptionsAreBuiltAndUsedOrRefusedByTheirKeys) {
  unsigned built = 0, refused = 0;
  const Program program;
  for_each_combination([&](const std::string& mechanism, const Settings& settings) {
    const std::string text = text_of(mechanism, settings);
    try {
      const Config chosen = config(mechanism, settings);
      expect_used(chosen, text);
      EXPECT_NE(make_core(chosen, Engine::kSystemC, {}, program), nullptr);
      ++built;
    } catch (const Error& error) {
      const std::string message = error.what();
      EXPECT_EQ(error.code(), "config") << text << ": " << message;
      unsigned keys = 0;
      for (const ConfigKey& key : config_keys())
        keys += message.find(std::string(key.name) + " = ") != std::string::npos ? 1 : 0;
      EXPECT_EQ(keys, 2U) << text << ": " << message;
      ++refused;
    }
  });
  EXPECT_GT(built, 200U);
  EXPECT_GT(refused, 50U);
}

TEST(Combinations, ThatHaveNoFrontEndSayWhatToChange) {
  const auto message = [](const std::string& mechanism, const Settings& settings) {
    return std::string(error_of([&] { config(mechanism, settings); }).what());
  };
  EXPECT_EQ(message("dpe", {"dpe.path_forwarding=true", "selector.kind=constrained"}),
            "dpe.path_forwarding = true (test) with selector.kind = constrained (test): the simulator has no front end "
            "with both; set one of the keys back");
  EXPECT_EQ(message("dpe", {"dpe.path_forwarding=true", "scoreboard.kind=bitmap"}),
            "dpe.path_forwarding = true (test) with scoreboard.kind = bitmap (test): the simulator has no front end "
            "with both; set one of the keys back");
  EXPECT_EQ(message("dpe", {"dpe.memory_split=true", "scoreboard.kind=bitmap"}),
            "dpe.memory_split = true (test) with scoreboard.kind = bitmap (test): a load is written back in parts, for "
            "which the optimistic table has masks; "
            "set one of the keys back");
  EXPECT_EQ(message("dws", {"scoreboard.kind=bitmap"}),
            "scoreboard.kind = bitmap (test) with mechanism = dws (test): splits have the optimistic table, whose "
            "entries have masks, and no other; "
            "leave scoreboard.kind out");
}

TEST(Combinations, AMechanismWithoutAModuleRunsOutsideOfTheSystemCKernelOnly) {
  const Mechanism& spe = *find_mechanism("spe");
  register_mechanism({"direct_only", {}, {}, [&spe](const DirectContext& context) {
                        return spe.design(context.config)->direct_twin(context);
                      }});
  Config config;
  config.mechanism = "direct_only";
  const Program program;
  EXPECT_NE(make_core(config, Engine::kSystemC, {}, program), nullptr);
  Watch watch;
  watch.trace.path = testing::TempDir() + "direct_only.vcd";
  const Error error = error_of([&] { static_cast<void>(make_core(config, Engine::kSystemC, watch, program)); });
  EXPECT_EQ(error.code(), "engine");
  EXPECT_STREQ(
      error.what(),
      "mechanism direct_only has no module for the SystemC kernel, in which waves and engine cosim run: register one "
      "(docs/add_a_mechanism.md), or leave them out");
}

}  // namespace
}  // namespace heddle::test::combinations_test
