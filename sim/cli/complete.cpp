// SPDX-License-Identifier: Apache-2.0
// Completion of command lines, from the tables that the commands themselves read.
#include <algorithm>

#include "cli/commands.h"
#include "cli/input.h"
#include "cli/simulate.h"
#include "config/config.h"
#include "mechanisms/mechanism.h"
#include "mechanisms/plugins.h"

namespace heddle {
namespace {

using Names = std::vector<std::string>;

bool begins_with(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

Names mechanism_names() {
  Names names;
  for (const Mechanism* mechanism : mechanisms()) names.emplace_back(mechanism->name);
  return names;
}

Names preset_names() {
  Names names;
  for (const Preset& preset : presets()) names.emplace_back(preset.name);
  return names;
}

// "name=" of each, or of the one that `word` names "name=choice".
template <class Table>
void add_assignments(Names& names, const Table& table, const std::string& word) {
  for (const auto& item : table) {
    const std::string start = std::string(item.name) + "=";
    if (!begins_with(word, start)) names.push_back(start);
    else
      for (const char* choice : item.choices) names.push_back(start + choice);
  }
}

// What the value of an option can be; `word`: what there is of it. Empty: anything.
Names values_of(const std::string& option, const std::string& word, const Arguments& line) {
  Names names;
  if (option == "mechanism") return mechanism_names();
  if (option == "preset") return preset_names();
  if (option == "size") return workload_sizes();
  if (option == "engine") return engine_names();
  if (option == "set") add_assignments(names, config_keys(), word);
  if (option == "mechanisms") {
    const std::string before = word.substr(0, word.rfind(',') + 1);
    for (const std::string& name : mechanism_names()) names.push_back(before + name);
    names.emplace_back("all");
  }
  if (option == "param") {
    for (const WorkloadInfo& workload : workloads()) {
      if (std::find(line.begin(), line.end(), workload.name) != line.end())
        add_assignments(names, workload.parameters, word);
    }
  }
  return names;
}

bool takes_value(const CommandLine& line, const std::string& option) {
  const auto* found = line.options.find_nothrow(option, false);
  return found != nullptr && found->semantic()->max_tokens() != 0;
}

// Plug-ins of the environment and of the line: one that cannot be loaded offers nothing.
void load_what_can_be(const Arguments& words) {
  const auto attempt = [](const auto& load) {
    try {
      load();
    } catch (const Error&) {
    }
  };
  attempt(load_plugins);
  for (std::size_t i = 0; i + 2 < words.size(); ++i) {
    if (words[i] == "--plugin") attempt([&] { load_plugin(words[i + 1], words[i]); });
  }
}

Names all_completions(const Arguments& words) {
  Names names;
  if (words.size() <= 1) {
    for (const Command& command : commands()) names.emplace_back(command.name);
    names.insert(names.end(), {"--help", "--version"});
    return names;
  }
  for (const Command& command : commands()) {
    if (words.front() != command.name) continue;
    const CommandLine line = command.line();
    const std::string& word = words.back();
    const std::string& before = words[words.size() - 2];
    if (line.program && std::find(words.begin(), words.end() - 1, "--") != words.end() - 1) return {};
    if (const std::size_t equals = word.find('='); begins_with(word, "--") && equals != std::string::npos) {
      for (const std::string& value : values_of(word.substr(2, equals - 2), word.substr(equals + 1), words))
        names.push_back(word.substr(0, equals + 1) + value);
      return names;
    }
    if (begins_with(before, "--") && takes_value(line, before.substr(2)))
      return values_of(before.substr(2), word, words);
    if (!begins_with(word, "-")) return line.words == nullptr ? Names{} : line.words();
    for (const auto& option : line.options.options()) names.push_back("--" + option->long_name());
    names.emplace_back("--help");
  }
  return names;
}

}  // namespace

std::vector<std::string> completions(const Arguments& words) {
  load_what_can_be(words);
  Names names = all_completions(words);
  const std::string word = words.empty() ? "" : words.back();
  names.erase(
      std::remove_if(names.begin(), names.end(), [&](const std::string& name) { return !begins_with(name, word); }),
      names.end());
  return names;
}

}  // namespace heddle
