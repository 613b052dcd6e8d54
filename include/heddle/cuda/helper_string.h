// SPDX-License-Identifier: Apache-2.0
// Command lines as programs in the style of NVIDIA's samples read them, -name and -name=value, and what all helpers share.
#pragma once

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <fstream>
#include <string>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

// Behind `-name=`, or "" behind `-name`; null if it is not there.
inline const char* heddle_option(int argc, const char** argv, const char* name) {
  const size_t length = strlen(name);
  for (int i = 1; i < argc; ++i) {
    const char* word = argv[i];
    if (*word != '-') continue;
    while (*word == '-') ++word;
    if (strncasecmp(word, name, length) == 0 && (word[length] == '=' || word[length] == '\0')) return word[length] == '=' ? word + length + 1 : "";
  }
  return nullptr;
}
inline bool checkCmdLineFlag(int argc, const char** argv, const char* name) { return heddle_option(argc, argv, name) != nullptr; }
inline int getCmdLineArgumentInt(int argc, const char** argv, const char* name) {
  const char* value = heddle_option(argc, argv, name);
  return value == nullptr ? 0 : atoi(value);
}
inline float getCmdLineArgumentFloat(int argc, const char** argv, const char* name) {
  const char* value = heddle_option(argc, argv, name);
  return value == nullptr ? 0.0f : static_cast<float>(atof(value));
}
inline bool getCmdLineArgumentString(int argc, const char** argv, const char* name, char** value) {
  const char* found = heddle_option(argc, argv, name);
  *value = found == nullptr ? nullptr : const_cast<char*>(found);
  return found != nullptr;
}
// The file here, in ./data or ../data, or in the program's folder or its ./data; null if it is nowhere. The caller frees it.
inline char* sdkFindFilePath(const char* name, const char* program) {
  std::string folder = program == nullptr ? "" : program;
  folder.erase(folder.rfind('/') + 1);  // all of it, if there is no '/'
  for (const std::string& place : {std::string(), std::string("data/"), std::string("../data/"), folder, folder + "data/"}) {
    if (std::ifstream(place + name).good()) return strdup((place + name).c_str());
  }
  return nullptr;
}
