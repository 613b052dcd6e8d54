// SPDX-License-Identifier: Apache-2.0
// The registry of configuration keys: defaults, texts, limits, precedence, relations.
#include "config/config.h"
#include "config/nearest.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "heddle/error.h"
#include "mechanisms/mechanism.h"

namespace heddle::config_test {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.status(), ExitStatus::kBadInput);
    return error.what();
  }
  return "nothing was thrown";
}

void expect_message(const std::string& part, const std::function<void()>& action) {
  const std::string message = message_of(action);
  EXPECT_NE(message.find(part), std::string::npos) << "message: " << message << "\nwanted:  " << part;
}

Config built(const std::vector<std::string>& assignments) {
  ConfigBuilder builder;
  for (const std::string& assignment : assignments) builder.set(assignment, "--set");
  return builder.build();
}

TEST(ConfigKeys, NamesAreUniqueAndEveryKeyIsDescribed) {
  std::set<std::string> names;
  for (const ConfigKey& key : config_keys()) {
    EXPECT_TRUE(names.insert(key.name).second) << key.name;
    EXPECT_STRNE(key.help, "") << key.name;
    EXPECT_STRNE(key.source, "") << key.name;
  }
}

TEST(ConfigKeys, EveryDefaultIsAllowedAndItsTextReadsBackAsItself) {
  const Config defaults;
  for (const ConfigKey& key : config_keys()) {
    ConfigBuilder builder;
    builder.set(key.name, key.text(defaults), "test");
    EXPECT_EQ(key.get(builder.values()), key.get(defaults)) << key.name;
  }
}

TEST(ConfigKeys, EveryKeyWritesItsOwnFieldAndNoOther) {
  for (const ConfigKey& key : config_keys()) {
    const Config defaults;
    Config changed;
    const std::uint64_t other =
        key.type == KeyType::kNumber ? (key.get(defaults) == key.max ? key.min : key.max) : key.get(defaults) ^ 1;
    key.put(changed, other);
    for (const ConfigKey& check : config_keys()) {
      if (std::string(check.name) == key.name) {
        EXPECT_EQ(check.get(changed), other) << key.name;
      } else {
        EXPECT_EQ(check.get(changed), check.get(defaults)) << key.name << " changed " << check.name;
      }
    }
  }
}

TEST(ConfigKeys, NumbersOneBeyondTheirRangeAreRefused) {
  for (const ConfigKey& key : config_keys()) {
    if (key.type != KeyType::kNumber) continue;
    if (key.min > 0) {
      expect_message(key.name, [&] { ConfigBuilder().set(key.name, std::to_string(key.min - 1), "test"); });
    }
    if (key.max < ~std::uint64_t{0}) {
      expect_message(key.allowed(), [&] { ConfigBuilder().set(key.name, std::to_string(key.max + 1), "test"); });
    }
    ConfigBuilder builder;
    builder.set(key.name, std::to_string(key.min), "test");
    EXPECT_EQ(key.get(builder.values()), key.min) << key.name;
    if (key.max < ~std::uint64_t{0}) builder.set(key.name, std::to_string(key.max), "test");
  }
}

TEST(ConfigKeys, PowersOfTwoAreAskedForWhereTheHardwareNeedsThem) {
  for (const char* assignment : {"core.lanes=24", "core.schedulers=3", "shared.banks=12", "l1.line=96",
                                 "dwf.lut_entries=24", "dwf.lut_ways=3"}) {
    expect_message("a power of two", [&] { ConfigBuilder().set(assignment, "--set"); });
  }
}

TEST(ConfigKeys, MechanismsOfTheRegistryAreTheChoices) {
  const ConfigKey* key = find_key("mechanism");
  ASSERT_NE(key, nullptr);
  ASSERT_EQ(key->choices.size(), mechanisms().size());
  for (const Mechanism* mechanism : mechanisms()) {
    ConfigBuilder builder;
    builder.apply_preset("dwf2007");  // a machine that every mechanism can have
    builder.set("mechanism", mechanism->name, "test");
    EXPECT_EQ(builder.build().mechanism, mechanism->name);
  }
}

TEST(ConfigValues, BytesTakeUnitsAndOtherNumbersDoNot) {
  EXPECT_EQ(built({"l1.bytes=32K"}).l1.bytes, 32768u);
  EXPECT_EQ(built({"memory.heap_bytes=1G"}).memory.heap_bytes, 1u << 30);
  EXPECT_EQ(built({"core.shared_bytes=0xC000"}).core.shared_bytes, 49152u);
  expect_message("core.warps = 1K", [] { ConfigBuilder().set("core.warps=1K", "--set"); });
}

TEST(ConfigValues, NumbersThatAreNoneAreRefused) {
  for (const char* text : {"", "x", "-1", "1.5", "12 3", "0x", "99999999999999999999999", "K"}) {
    expect_message("stack.depth", [&] { ConfigBuilder().set("stack.depth", text, "--set"); });
    expect_message("l1.bytes", [&] { ConfigBuilder().set("l1.bytes", text, "--set"); });
  }
}

TEST(ConfigValues, BooleansHaveFourSpellings) {
  for (const char* text : {"true", "on", "yes", "1"})
    EXPECT_TRUE(built({std::string("run.oracle=") + text}).run.oracle);
  for (const char* text : {"false", "off", "no", "0"})
    EXPECT_FALSE(built({std::string("run.oracle=") + text}).run.oracle);
  expect_message("true or false", [] { ConfigBuilder().set("run.oracle=maybe", "--set"); });
}

TEST(ConfigValues, TheLastOneSetWins) {
  EXPECT_EQ(built({"stack.depth=4", "stack.depth=9"}).stack.depth, 9u);
  ConfigBuilder builder;
  builder.apply_preset("fermi");
  builder.set("l1.bytes=8K", "--set");
  EXPECT_EQ(builder.build().l1.bytes, 8192u);
}

TEST(ConfigValues, SubdivisionHasADeeperStackUnlessOneSaysOtherwise) {
  EXPECT_EQ(built({}).stack.depth, 16u);
  EXPECT_EQ(built({"mechanism=dws"}).stack.depth, 32u);
  EXPECT_EQ(built({"mechanism=dws", "stack.depth=16"}).stack.depth, 16u);
  EXPECT_EQ(built({"stack.depth=16", "mechanism=dws"}).stack.depth, 16u);
  EXPECT_EQ(built({"mechanism=dws", "mechanism=dpe"}).stack.depth, 16u);
}

TEST(ConfigValues, TheFermiPresetIsTheDefaultMachineWithLatenciesAndIndexOfItsOwn) {
  ConfigBuilder builder;
  builder.apply_preset("fermi");
  const Config preset = builder.build();
  const Config defaults;
  for (const ConfigKey& key : config_keys()) {
    const std::string name = key.name;
    const bool own = name == "l1.index" || name == "l1.write" || name == "memory.kind" || name == "dws.splits" ||
                     (name.find("latency") != std::string::npos && name != "frontend.fetch_latency") ||
                     name.find(".interval") != std::string::npos;
    EXPECT_TRUE(own || key.get(preset) == key.get(defaults)) << name;
  }
  EXPECT_EQ(preset.l1.index, L1Index::kFermi);
  EXPECT_EQ(preset.l1.write, L1Write::kLocalBack);
  EXPECT_EQ(preset.memory.kind, MemoryKind::kHierarchy);
  EXPECT_EQ(preset.dws.splits, preset.core.lanes);
}

// docs/core.md: cycles from an issue to the first that depends on it, in cycles of two shader clocks.
TEST(ConfigValues, TheFermiPresetHasThePublishedDistances) {
  ConfigBuilder builder;
  builder.apply_preset("fermi");
  const Config fermi = builder.build();
  EXPECT_EQ(fermi.alu.latency + 3, 18u / 2);
  EXPECT_EQ(fermi.fp.latency + 3, 18u / 2);
  EXPECT_EQ(fermi.lsu_latency + fermi.shared.latency + 3, 26u);
  EXPECT_EQ(fermi.lsu_latency + fermi.l1.hit_latency + 3, 35u);
  EXPECT_EQ(fermi.lsu_latency + fermi.l1.hit_latency + fermi.memory.latency + 3,
            (400u + 800u) / 2 / 2);  // with memory.kind=simple
}

// docs/core.md: cycles of the SM's clock, as Jia et al. measured them.
TEST(ConfigValues, TheVoltaPresetHasThePublishedSizesAndDistances) {
  ConfigBuilder builder;
  builder.apply_preset("volta");
  builder.set("mechanism=cbar", "--mechanism");
  const Config volta = builder.build();
  EXPECT_EQ(volta.core.warps, 64u);
  EXPECT_EQ(volta.core.schedulers, 4u);
  EXPECT_EQ(volta.core.shared_bytes + volta.l1.bytes, 128u << 10);
  EXPECT_EQ(volta.l1.bytes / (volta.l1.ways * volta.l1.line), 4u) << "sets";
  const unsigned load = volta.lsu_latency + 3;
  EXPECT_EQ(volta.alu.latency + 3, 4u);
  EXPECT_EQ(volta.muldiv.latency + 3, 5u);
  EXPECT_EQ(volta.fp64.latency + 3, 8u);
  EXPECT_EQ(volta.sfu.latency + 3, 14u);
  EXPECT_EQ(load + volta.shared.latency, 19u);
  EXPECT_EQ(load + volta.l1.hit_latency, 28u);
  EXPECT_EQ(load + volta.l1.hit_latency + volta.memory.latency, 375u);  // with memory.kind=simple
  const unsigned flits = (8 + volta.l1.line + volta.noc.flit_bytes - 1) / volta.noc.flit_bytes;
  EXPECT_EQ(load + volta.l1.hit_latency + 2 * volta.noc.latency + volta.l2.latency + flits, 193u);
  EXPECT_EQ(volta.stack.order, PushOrder::kLargerFirst) << "of the mechanism";
}

TEST(ConfigValues, TheDwf2007PresetIsTheCoreOfThatPaper) {
  ConfigBuilder builder;
  builder.apply_preset("dwf2007");
  const Config preset = builder.build();
  EXPECT_EQ(preset.core.lanes, 16u);
  EXPECT_EQ(preset.core.lanes * preset.core.warps, 256u);
  EXPECT_EQ(preset.core.schedulers, 1u);
  EXPECT_EQ(preset.dwf.heuristic, DwfHeuristic::kMajority);
  EXPECT_EQ(preset.l1.bytes, 512u << 10);
  EXPECT_EQ(preset.l1.ways, 8u);
  EXPECT_EQ(preset.l1.hit_latency, 10u);
  EXPECT_EQ(preset.l1.banks, 16u);
  EXPECT_EQ(preset.l1.write, L1Write::kBack);
  EXPECT_EQ(preset.l1.index, L1Index::kHashed);
  EXPECT_EQ(preset.l1.mshrs, 256u);
  EXPECT_EQ(preset.memory.bytes_per_cycle, 8u);
}

TEST(ConfigRelations, ALookupTableHasAtLeastOneSet) {
  expect_message("dwf.lut_entries = 2 (--set) with dwf.lut_ways = 4 (--set): a set has fewer entries than ways", [] {
    static_cast<void>(built({"dwf.lut_entries=2", "dwf.lut_ways=4"}));
  });
  EXPECT_EQ(built({"dwf.lut_entries=4", "dwf.lut_ways=4"}).dwf.lut_entries, 4u);
}

TEST(ConfigRelations, WarpsOfASchedulerAreLimited) {
  expect_message("core.warps = 25 (--set) with core.schedulers = 1 (--set): a scheduler serves at most 24 warps", [] {
    static_cast<void>(built({"core.warps=25", "core.schedulers=1"}));
  });
  EXPECT_EQ(built({"core.warps=24", "core.schedulers=1"}).core.warps, 24u);
  EXPECT_EQ(built({"core.warps=48", "core.schedulers=4"}).core.schedulers, 4u);
}

TEST(ConfigRelations, CacheGeometryMustGiveAPowerOfTwoOfSets) {
  expect_message("the number of sets", [] { static_cast<void>(built({"l1.ways=3"})); });
  expect_message("l1.bytes = 256 (--set) with l1.ways = 4 (default) and l1.line = 128 (default)",
                 [] { static_cast<void>(built({"l1.bytes=256"})); });
  EXPECT_EQ(built({"l1.ways=3", "l1.bytes=12K"}).l1.ways, 3u);
}

TEST(ConfigRelations, OneWarpMustFitIntoTheRegisters) {
  expect_message("one warp needs 2048 registers", [] { static_cast<void>(built({"core.registers=2047"})); });
  EXPECT_EQ(built({"core.registers=2048"}).core.registers, 2048u);
}

TEST(ConfigRelations, AlignmentsAreChecked) {
  expect_message("multiple of 4", [] { static_cast<void>(built({"core.shared_bytes=1022"})); });
  expect_message("multiple of 16", [] { static_cast<void>(built({"memory.local_bytes=1000"})); });
  expect_message("multiple of 4096", [] { static_cast<void>(built({"memory.heap_bytes=5000"})); });
}

TEST(ConfigRelations, ConfigurationsMadeInCppAreCheckedToo) {
  Config config;
  EXPECT_NO_THROW(check_config(config));
  config.core.lanes = 5;
  expect_message("core.lanes = 5", [&] { check_config(config); });
  config = Config();
  config.core.schedulers = 1;
  expect_message("at most 24 warps", [&] { check_config(config); });
}

TEST(ConfigRelations, AMechanismRegisteredByAProgramIsLeftToTheEngine) {
  Config config;
  config.mechanism = "mine";
  EXPECT_NO_THROW(check_config(config));
  EXPECT_EQ(find_key("mechanism")->text(config), "mine");
}

TEST(NearestName, FindsSlipsAndLeavesStrangersAlone) {
  const std::vector<std::string> names = {"stack.depth", "stack.order", "core.lanes"};
  EXPECT_EQ(nearest_name("stack.dept", names), "stack.depth");
  EXPECT_EQ(nearest_name("core.lane", names), "core.lanes");
  EXPECT_EQ(nearest_name("zzzzzz", names), "");
}

}  // namespace
}  // namespace heddle::config_test
