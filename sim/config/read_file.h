// SPDX-License-Identifier: Apache-2.0
// Input files of unknown kind: regular files, pipes, devices without an end.
#pragma once

#include <cstdint>
#include <string>

namespace heddle {

struct FileContent {
  std::string bytes;
  bool more = false;  // there is more than the limit
  std::string error;  // why it cannot be read ("Is a directory"); empty if it can
};

// Reads to the end, or one byte beyond `limit` at most.
[[nodiscard]] FileContent read_file(const std::string& path, std::uint64_t limit);

}  // namespace heddle
