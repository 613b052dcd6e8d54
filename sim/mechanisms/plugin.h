// SPDX-License-Identifier: Apache-2.0
// A plug-in: a shared library with mechanisms for heddle, for the runtime of CUDA programs and for Python
// (docs/add_a_mechanism.md). It derives from Mechanism as those of sim/mechanisms do, and says at its end
//
//   HEDDLE_PLUGIN(list) {
//     static const Turns turns;
//     list.add(turns);
//   }
//
// It names no symbol of Heddle: whoever loads it need not show any.
#pragma once

#include <utility>

#include "mechanisms/mechanism.h"
#include "mechanisms/plugin_interface.h"  // made by the build: HEDDLE_PLUGIN_INTERFACE

namespace heddle {

class PluginList {
 public:
  // It lives as long as the program.
  virtual void add(const Mechanism& mechanism) = 0;

 protected:
  ~PluginList() = default;
};

// Keys of a plug-in (Mechanism::keys), which begin with their mechanism's name and a dot. key.get(config) is the value.
[[nodiscard]] inline ConfigKey own_key(ConfigKey key, std::uint64_t otherwise) {
  const std::string name = key.name;
  key.get = [name, otherwise](const Config& config) {
    const auto set = config.own.find(name);
    return set == config.own.end() ? otherwise : set->second;
  };
  key.put = [name](Config& config, std::uint64_t value) { config.own[name] = value; };
  return key;
}
[[nodiscard]] inline ConfigKey own_number(const char* name, std::uint64_t otherwise, std::uint64_t min,
                                          std::uint64_t max, const char* unit, const char* help, const char* source) {
  return own_key({name, KeyType::kNumber, min, max, false, {}, unit, help, source, {}, {}}, otherwise);
}
[[nodiscard]] inline ConfigKey own_bool(const char* name, bool otherwise, const char* help, const char* source) {
  return own_key({name, KeyType::kBool, 0, 1, false, {}, "", help, source, {}, {}}, otherwise ? 1 : 0);
}
// The value is the number of the choice.
[[nodiscard]] inline ConfigKey own_choice(const char* name, std::uint64_t otherwise, std::vector<const char*> choices,
                                          const char* help, const char* source) {
  return own_key({name, KeyType::kChoice, 0, 0, false, std::move(choices), "", help, source, {}, {}}, otherwise);
}

}  // namespace heddle

#define HEDDLE_PLUGIN(list)                                                           \
  extern "C" {                                                                        \
  extern __attribute__((visibility("default"))) const char heddle_plugin_interface[]; \
  const char heddle_plugin_interface[] = HEDDLE_PLUGIN_INTERFACE;                     \
  __attribute__((visibility("default"))) void heddle_plugin(::heddle::PluginList&);   \
  }                                                                                   \
  void heddle_plugin(::heddle::PluginList& list)
