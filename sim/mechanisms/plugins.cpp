// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/plugins.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "heddle/error.h"
#include "mechanisms/plugin.h"

namespace heddle {
namespace {

class Brought final : public PluginList {
 public:
  void add(const Mechanism& mechanism) override { mechanisms.push_back(&mechanism); }
  std::vector<const Mechanism*> mechanisms;
};

// What the loader says, without the path that it begins with.
std::string loader_says(const std::string& path) {
  const char* text = dlerror();
  const std::string said = text == nullptr ? "unknown error" : text;
  return said.compare(0, path.size() + 2, path + ": ") == 0 ? said.substr(path.size() + 2) : said;
}

}  // namespace

void load_plugin(const std::string& path, const std::string& origin) {
  static std::vector<std::string> loaded;
  const auto refuse = [&](const std::string& why) { return bad_input("plugin", origin + " " + path + ": " + why); };
  std::error_code error;
  const std::string file = std::filesystem::canonical(path, error).string();
  if (error) throw refuse("cannot be read: " + error.message());
  if (std::find(loaded.begin(), loaded.end(), file) != loaded.end()) return;
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw refuse("is no shared library that can be loaded: " + loader_says(file));
  try {
    const auto* interface = static_cast<const char*>(dlsym(library, "heddle_plugin_interface"));
    const auto plugin = reinterpret_cast<void (*)(PluginList&)>(dlsym(library, "heddle_plugin"));
    if (interface == nullptr || plugin == nullptr) throw refuse("is no plug-in of Heddle: HEDDLE_PLUGIN is not in it");
    if (std::string(interface) != HEDDLE_PLUGIN_INTERFACE) {
      throw refuse(std::string("was built with interface ") + interface + ", and this Heddle has " +
                   HEDDLE_PLUGIN_INTERFACE + ": build it anew");
    }
    Brought brought;
    try {
      plugin(brought);
      add_mechanisms(brought.mechanisms, file);
    } catch (const std::exception& failed) {
      throw refuse(failed.what());
    }
  } catch (...) {
    dlclose(library);
    throw;
  }
  loaded.push_back(file);
}

void load_plugins() {
  const char* list = std::getenv(kPluginVariable);
  std::istringstream paths(list == nullptr ? "" : list);
  for (std::string path; std::getline(paths, path, ':');) {
    if (!path.empty()) load_plugin(path, kPluginVariable);
  }
}

}  // namespace heddle
