// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>

#include "cli/commands.h"
#include "config/config.h"
#include "config/nearest.h"
#include "mechanisms/mechanism.h"
#include "report/text.h"
#include "workloads/workload.h"

namespace heddle {
namespace {

void list_workloads() {
  TextTable table("lll");
  for (const WorkloadInfo& workload : workloads())
    table.row({workload.name, workload.summary, fmt::format("[{}]", workload.source)});
  std::cout << table.text("  ");
}

void list_parameters() {
  TextTable table("lrrrl");
  table.row({"parameter", "small", "default", "large", "meaning"});
  for (const WorkloadInfo& workload : workloads()) {
    for (const ParameterInfo& parameter : workload.parameters) {
      table.row({fmt::format("{} {}", workload.name, parameter.name), parameter.text(parameter.small_value),
                 parameter.text(parameter.default_value), parameter.text(parameter.large_value),
                 fmt::format("{} ({})", parameter.summary,
                             parameter.choices.empty() ? fmt::format("{} to {}", parameter.min, parameter.max)
                                                       : parameter.allowed())});
    }
  }
  std::cout << table.text("  ");
}

// And the plug-in that it came with.
std::string source_of(const Mechanism& mechanism) {
  const std::string library = library_of(mechanism);
  return fmt::format("[{}]{}{}", mechanism.source, library.empty() ? "" : " ", library);
}

void list_mechanisms() {
  TextTable table("lll");
  for (const Mechanism* mechanism : mechanisms())
    table.row({mechanism->name, mechanism->summary, source_of(*mechanism)});
  std::cout << table.text("  ");
}

void list_presets() {
  TextTable table("lll");
  for (const Preset& preset : presets()) table.row({preset.name, preset.summary, fmt::format("[{}]", preset.source)});
  std::cout << table.text("  ");
}

void list_keys() {
  const Config defaults;
  TextTable table("lllll");
  table.row({"key", "default", "allowed", "meaning", "source of the default"});
  for (const ConfigKey& key : config_keys()) {
    const std::string help = *key.unit == '\0' ? key.help : fmt::format("{} [{}]", key.help, key.unit);
    table.row({key.name, key.text(defaults), key.allowed(), help, key.source});
  }
  std::cout << table.text("  ");
}

struct Topic {
  const char* name;
  void (*print)();
  bool by_default;  // shown when no topic is named
};

constexpr Topic kTopics[] = {{"workloads", list_workloads, true},
                             {"mechanisms", list_mechanisms, true},
                             {"presets", list_presets, true},
                             {"parameters", list_parameters, false},
                             {"keys", list_keys, false}};

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const Topic& topic : kTopics) names.emplace_back(topic.name);
  return names;
}

}  // namespace

CommandLine list_line() {
  CommandLine line{"list",
                   "[workloads|mechanisms|presets|parameters|keys]",
                   "Lists what there is, one line each with its source. 'parameters' are those of the workloads "
                   "(--param), 'keys' those of the\n"
                   "configuration (--set).",
                   {},
                   0,
                   1,
                   "a topic",
                   topic_names};
  add_plugin_option(line.options);
  return line;
}

ExitStatus list_command(const ParsedLine& parsed) {
  bool found = false;
  for (const Topic& topic : kTopics) {
    if (parsed.words.empty()) {
      if (topic.by_default) std::cout << topic.name << "\n";
      if (topic.by_default) topic.print();
    } else if (parsed.words[0] == topic.name) {
      topic.print();
      found = true;
    }
  }
  if (!parsed.words.empty() && !found) {
    throw bad_input("option", "heddle list " + parsed.words[0] +
                                  ": there is no such list; choose workloads, mechanisms, presets, parameters or keys" +
                                  did_you_mean(parsed.words[0], topic_names()));
  }
  return ExitStatus::kPass;
}

}  // namespace heddle
