// SPDX-License-Identifier: Apache-2.0
// What the writers of wave files have in common, and the one that is made only where fstapi.c was found.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "wave/wave.h"

namespace heddle {

[[nodiscard]] inline std::vector<std::string> split_scope(const std::string& scope) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= scope.size();) {
    const std::size_t end = std::min(scope.find('.', begin), scope.size());
    parts.push_back(scope.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

[[nodiscard]] inline std::string with_range(const std::string& name, unsigned width) {
  return width == 1 ? name : name + " [" + std::to_string(width - 1) + ":0]";
}

// Goes from one scope to the next by leaving and entering as few levels as possible.
class ScopeWalk {
 public:
  template <class Leave, class Enter>
  void go(const std::string& scope, Leave leave, Enter enter) {
    const std::vector<std::string> next = scope.empty() ? std::vector<std::string>{} : split_scope(scope);
    std::size_t common = 0;
    while (common < next.size() && common < open_.size() && next[common] == open_[common]) ++common;
    for (std::size_t i = open_.size(); i > common; --i) leave();
    for (std::size_t i = common; i < next.size(); ++i) enter(next[i]);
    open_ = next;
  }

 private:
  std::vector<std::string> open_;
};

// fst_writer.cpp.
[[nodiscard]] std::unique_ptr<WaveWriter> open_fst(const std::string& path);

}  // namespace heddle
