// SPDX-License-Identifier: Apache-2.0
// Command lines, checked: what every command accepts, and where the values of the configuration come from.
#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <string>
#include <vector>

#include "config/config.h"

namespace heddle {

using Arguments = std::vector<std::string>;  // what follows the command's name

// One command: its options and what it takes besides them.
struct CommandLine {
  const char* command;
  const char* synopsis;  // of the first line of --help
  std::string about;     // a line below it
  boost::program_options::options_description options;
  std::size_t min_words = 0, max_words = 0;       // arguments that are no options
  const char* words_name = "";                    // what they are called in messages
  std::vector<std::string> (*words)() = nullptr;  // what they can be, besides names of files; for completion
  bool program = false;                           // behind "--" follow a program and its arguments
};

struct ParsedLine {
  boost::program_options::variables_map values;
  std::vector<std::string> words;
  std::vector<std::string> program;  // behind "--", of a line that takes one
  bool help = false;

  [[nodiscard]] bool has(const char* option) const { return values.count(option) != 0; }
  // The value, or `fallback` if the option was not given.
  [[nodiscard]] std::string text(const char* option, const std::string& fallback = "") const;
  [[nodiscard]] std::vector<std::string> list(const char* option) const;
};

// Parses and loads plug-ins, or prints the help and says so. Throws Error(option, plugin).
[[nodiscard]] ParsedLine parse_line(CommandLine line, const Arguments& arguments);

// --plugin: commands that have it know the plug-ins of the environment, too.
void add_plugin_option(boost::program_options::options_description& options);
// --plugin, --preset, --config, --set; `mechanism`: also --mechanism.
void add_config_options(boost::program_options::options_description& options, bool mechanism);
// Preset, then file, then --set, then --mechanism. Without --preset: starts from `preset`, or if that is empty, from
// the preset of the mechanism that the values name.
[[nodiscard]] ConfigBuilder read_config(const ParsedLine& line, const std::string& preset = "");

// Value of --json anywhere on the line, however wrong the rest is; empty if there is none.
[[nodiscard]] std::string find_json_option(const Arguments& arguments);

// A whole number of an option; throws Error(option) naming it.
[[nodiscard]] std::uint64_t parse_count(const std::string& text, const std::string& option);

}  // namespace heddle
