// SPDX-License-Identifier: Apache-2.0
// Command lines as programs in the style of NVIDIA's samples read them: -name, --name=value.
#pragma once

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
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
inline char* sdkFindFilePath(const char* name, const char*) { return strdup(name); }
