// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "heddle/error.h"

namespace heddle {
namespace {

Error cannot_write(const std::string& path, const char* why) {
  return bad_input("output", path + ": cannot be written (" + why + "); name a file in a writable folder");
}

std::string part_of(const std::string& path) { return path + ".part"; }

}  // namespace

void check_writable(const std::string& path) {
  if (path.empty()) throw bad_input("output", "an empty file name cannot be written; name a file");
  if (std::filesystem::is_directory(path)) throw cannot_write(path, "it is a folder");
  // A device such as /dev/null stays what it is.
  const bool special = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
  const std::string probe = special ? path : part_of(path);
  std::FILE* file = std::fopen(probe.c_str(), "wb");
  if (file == nullptr) throw cannot_write(path, std::strerror(errno));
  std::fclose(file);
  if (!special) std::remove(probe.c_str());
}

void write_file(const std::string& path, const std::string& content) {
  check_writable(path);
  const bool special = std::filesystem::exists(path) && !std::filesystem::is_regular_file(path);
  const std::string part = special ? path : part_of(path);
  std::FILE* file = std::fopen(part.c_str(), "wb");
  if (file == nullptr) throw cannot_write(path, std::strerror(errno));
  const bool written = std::fwrite(content.data(), 1, content.size(), file) == content.size();
  const bool closed = std::fclose(file) == 0;
  const int why = errno;
  if (!written || !closed) {
    if (!special) std::remove(part.c_str());
    throw cannot_write(path, std::strerror(why));
  }
  if (!special && std::rename(part.c_str(), path.c_str()) != 0) throw cannot_write(path, std::strerror(errno));
}

}  // namespace heddle
