// SPDX-License-Identifier: Apache-2.0
#include "config/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace heddle {

FileContent read_file(const std::string& path, std::uint64_t limit) {
  constexpr std::uint64_t kChunk = 1u << 16;
  FileContent content;
  errno = 0;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), std::fclose);
  if (file == nullptr) {
    content.error = std::strerror(errno);
    return content;
  }
  while (content.bytes.size() <= limit) {
    const std::size_t before = content.bytes.size();
    const auto wanted = static_cast<std::size_t>(std::min(kChunk, limit + 1 - before));
    content.bytes.resize(before + wanted);
    const std::size_t got = std::fread(&content.bytes[before], 1, wanted, file.get());
    content.bytes.resize(before + got);
    if (got == wanted) continue;
    if (std::ferror(file.get()) != 0) content.error = std::strerror(errno);
    break;
  }
  content.more = content.bytes.size() > limit;
  return content;
}

}  // namespace heddle
