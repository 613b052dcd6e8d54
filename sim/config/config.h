// SPDX-License-Identifier: Apache-2.0
// The configuration keys of the simulated machine: names, ranges, help, and how values are read from options, files and
// presets.
//
// One registry table (config.cpp) serves `--set`, `--config`, presets, the "config" object of the JSON report and the
// table of keys in the documentation. Every error is heddle::Error of status 2 and names the key, the value, what is
// allowed, and where the value came from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "heddle/config.h"

namespace heddle {

enum class KeyType { kNumber, kBool, kChoice };

struct ConfigKey {
  const char* name;
  KeyType type;
  std::uint64_t min;  // kNumber: inclusive range
  std::uint64_t max;
  bool power_of_two;                 // kNumber: only powers of two
  std::vector<const char*> choices;  // kChoice: names, index = value
  const char* unit;                  // "" if none; a key in bytes accepts K, M and G
  const char* help;
  const char* source;  // where the default comes from; "assumed" for a guess
  std::function<std::uint64_t(const Config&)> get;
  std::function<void(Config&, std::uint64_t)> put;

  [[nodiscard]] std::string allowed() const;  // "1 to 48", "a power of two from 4 to 64", "issue or execute"
  [[nodiscard]] std::string text(const Config& config) const;  // value as --set accepts it
};

// A plug-in adds to them.
[[nodiscard]] const std::vector<ConfigKey>& config_keys();
[[nodiscard]] const ConfigKey* find_key(std::string_view name);  // nullptr if there is none

struct Preset {
  const char* name;
  const char* summary;
  const char* source;
  std::vector<std::pair<const char*, const char*>> values;  // key, value; every other key keeps its default
};

[[nodiscard]] const std::vector<Preset>& presets();

// The latency of memory that a perturbed run varies: memory.latency, or in a hierarchy dram.controller, which all that
// comes from DRAM waits.
[[nodiscard]] const char* perturbed_key(const Config& config);
[[nodiscard]] unsigned& perturbed_latency(Config& config);
// Its values within 5 % to either side: how many whole numbers there are, and 1 to so many of them, evenly spread. One
// is the latency as it is.
[[nodiscard]] std::uint64_t perturbed_values(Config config);
[[nodiscard]] std::vector<unsigned> perturbed_latencies(Config config, std::uint64_t runs);

// Collects values from several places; a later call overrides an earlier one. build() checks what keys allow only
// together.
class ConfigBuilder {
 public:
  // Throws Error(option) if there is no such preset.
  void apply_preset(const std::string& name);
  // INI file: `key = value` lines, `[section]` prefixes keys with "section.", '#' starts a comment. UTF-8, with or
  // without byte order mark; line ends of any system. Throws Error(config) naming file and line.
  void load_file(const std::string& path);
  // `assignment` is "key=value"; `origin` is what messages call the place, for example "--set".
  void set(const std::string& assignment, const std::string& origin);
  void set(const std::string& key, const std::string& value, const std::string& origin);
  // The configuration, when its keys fit together.
  [[nodiscard]] Config build() const;
  // Key values without the checks of build().
  [[nodiscard]] const Config& values() const { return config_; }

 private:
  [[nodiscard]] std::string describe(const char* key) const;  // "core.warps = 48 (--set)"

  Config config_;
  std::map<std::string, std::string, std::less<>> origins_;  // key -> place, for keys that were set
};

// Values over a preset: `defaults` of the caller first, which presets override, then the preset, then `values`. No
// preset named: that of the mechanism which the values name.
using KeyValues = std::vector<std::pair<const char*, const char*>>;
[[nodiscard]] ConfigBuilder configure(const std::string& preset, const std::function<void(ConfigBuilder&)>& values,
                                      const KeyValues& defaults = {});

// Every rule of a usable configuration: ranges of all keys and the relations between them. For configurations built in
// C++. The mechanism is not looked up: a program may have registered one of its own, and the engine refuses names it
// does not know.
void check_config(const Config& config);

// A number of threads of the host, from an option or variable; throws bad_input("option").
[[nodiscard]] unsigned host_threads(const std::string& text, const std::string& option);

}  // namespace heddle
