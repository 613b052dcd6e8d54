// SPDX-License-Identifier: Apache-2.0
#include "cli/options.h"

#include <algorithm>
#include <boost/program_options/parsers.hpp>
#include <boost/program_options/positional_options.hpp>
#include <charconv>
#include <iostream>
#include <iterator>

#include "config/nearest.h"
#include "heddle/error.h"
#include "mechanisms/plugins.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

constexpr const char* kWords = "words";  // hidden option that collects the positional arguments

std::string see_help(const CommandLine& line) {
  return "; 'heddle " + std::string(line.command) + " --help' lists the options";
}

Error unknown_option(const CommandLine& line, const std::string& name) {
  std::vector<std::string> known;
  for (const auto& option : line.options.options()) known.push_back("--" + option->long_name());
  return bad_input("option", name + ": there is no such option" + did_you_mean(name, known) + see_help(line));
}

}  // namespace

std::string ParsedLine::text(const char* option, const std::string& fallback) const {
  return has(option) ? values[option].as<std::string>() : fallback;
}

std::vector<std::string> ParsedLine::list(const char* option) const {
  return has(option) ? values[option].as<std::vector<std::string>>() : std::vector<std::string>{};
}

ParsedLine parse_line(CommandLine line, const Arguments& arguments) {
  po::options_description all;
  line.options.add_options()("help", "this text");
  all.add(line.options);
  all.add_options()(kWords, po::value<std::vector<std::string>>());
  po::positional_options_description positions;
  positions.add(kWords, -1);
  const int style = po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;

  ParsedLine parsed;
  Arguments own = arguments;
  if (const auto split = std::find(own.begin(), own.end(), "--"); line.program && split != own.end()) {
    parsed.program.assign(std::next(split), own.end());
    own.erase(split, own.end());
  }
  try {
    po::store(po::command_line_parser(own).options(all).positional(positions).style(style).run(), parsed.values);
    po::notify(parsed.values);
  } catch (const po::unknown_option& error) {
    throw unknown_option(line, error.get_option_name());
  } catch (const po::multiple_occurrences& error) {
    throw bad_input("option", error.get_option_name() + ": given more than once; give it once");
  } catch (const po::invalid_command_line_syntax& error) {
    throw bad_input("option", std::string(error.what()) + see_help(line));
  } catch (const po::error& error) {
    throw bad_input("option", std::string(error.what()) + see_help(line));
  }
  parsed.words = parsed.list(kWords);
  parsed.help = parsed.has("help");
  if (parsed.help) {
    std::cout << "usage: heddle " << line.command << " " << line.synopsis << "\n"
              << line.about << "\n\n"
              << line.options;
    return parsed;
  }
  for (const auto& [name, value] : parsed.values) {
    const auto* text = boost::any_cast<std::string>(&value.value());
    const bool takes_value = all.find(name, false).semantic()->max_tokens() != 0;
    if (takes_value && text != nullptr && text->empty())
      throw bad_input("option", "--" + name + ": its value is empty; write one, or leave the option out");
  }
  if (parsed.words.size() < line.min_words) {
    throw bad_input("option",
                    "heddle " + std::string(line.command) + ": " + line.words_name + " is missing" + see_help(line));
  }
  if (parsed.words.size() > line.max_words) {
    throw bad_input("option", "heddle " + std::string(line.command) + ": '" + parsed.words[line.max_words] +
                                  "' is one argument too many" + see_help(line));
  }
  if (line.options.find_nothrow("plugin", false) != nullptr) {
    load_plugins();
    for (const std::string& path : parsed.list("plugin")) load_plugin(path, "--plugin");
  }
  return parsed;
}

void add_plugin_option(po::options_description& options) {
  options.add_options()("plugin", po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
                        "shared library with mechanisms, as HEDDLE_PLUGIN=FILE:FILE...; repeatable");
}

void add_config_options(po::options_description& options, bool mechanism) {
  add_plugin_option(options);
  if (mechanism) {
    options.add_options()("mechanism", po::value<std::string>()->value_name("NAME"),
                          "control-flow mechanism ('heddle list mechanisms'); default spe");
  }
  options.add_options()("preset", po::value<std::string>()->value_name("NAME"),
                        "machine to start from ('heddle list presets')")(
      "config", po::value<std::string>()->value_name("FILE"), "INI file with keys, after the preset")(
      "set", po::value<std::vector<std::string>>()->value_name("KEY=VALUE")->composing(),
      "one key, after the file; repeatable ('heddle list keys')");
}

ConfigBuilder read_config(const ParsedLine& line, const std::string& preset) {
  return configure(line.text("preset", preset), [&](ConfigBuilder& builder) {
    if (line.has("config")) builder.load_file(line.text("config"));
    for (const std::string& assignment : line.list("set")) builder.set(assignment, "--set");
    if (line.has("mechanism")) builder.set("mechanism", line.text("mechanism"), "--mechanism");
  });
}

std::string find_json_option(const Arguments& arguments) {
  const std::string option = "--json";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == option && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].compare(0, option.size() + 1, option + "=") == 0) return arguments[i].substr(option.size() + 1);
  }
  return {};
}

std::uint64_t parse_count(const std::string& text, const std::string& option) {
  const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char* begin = text.data() + (hex ? 2 : 0);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value, hex ? 16 : 10);
  if (error != std::errc{} || end != text.data() + text.size()) {
    throw bad_input("option", option + " " + text + ": not a whole number from 0 to 18446744073709551615");
  }
  return value;
}

}  // namespace heddle
