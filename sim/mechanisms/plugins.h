// SPDX-License-Identifier: Apache-2.0
// Plug-ins are loaded here, once, and stay. Throws Error ("plugin") with what is wrong with one.
#pragma once

#include <string>
#include <vector>

namespace heddle {

constexpr const char* kPluginVariable = "HEDDLE_PLUGIN";  // of the environment: plug-ins, separated by colons

// `origin` is what messages call the place, for example "--plugin".
void load_plugin(const std::string& path, const std::string& origin);
// Those of the environment.
void load_plugins();

}  // namespace heddle
