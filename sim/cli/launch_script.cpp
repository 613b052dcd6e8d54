// SPDX-License-Identifier: Apache-2.0
#include "cli/launch_script.h"

#include <charconv>
#include <sstream>

#include <fmt/format.h>

#include "config/read_file.h"
#include "heddle/error.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMostBytes = 1 << 20;
constexpr std::size_t kMostLaunches = 1000000;

struct Repeat {
  std::size_t begin;  // in the order
  std::uint64_t times;
  std::string place;
};

}  // namespace

LaunchScript read_launch_script(const std::string& path) {
  const FileContent content = read_file(path, kMostBytes);
  if (!content.error.empty())
    throw bad_input("option", "--launches " + path + ": cannot be read (" + content.error + "); name a readable file");
  if (content.more)
    throw bad_input("option", fmt::format("--launches {}: has more than {} bytes; use repeat", path, kMostBytes));

  LaunchScript script;
  std::vector<Repeat> repeats;
  std::istringstream lines(content.bytes);
  unsigned number = 0;
  for (std::string line; std::getline(lines, line);) {
    const std::string place = fmt::format("{}:{}", path, ++number);
    const auto refuse = [&](const std::string& why) { return bad_input("option", place + ": " + why); };
    std::istringstream rest(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.empty()) continue;

    if (words[0] == "buffer") {
      if (words.size() != 3) throw refuse("write buffer NAME KIND:..., for example buffer x zero:4096");
      if (words[1].find(':') != std::string::npos) throw refuse("'" + words[1] + "': a buffer's name has no ':'");
      for (const LaunchScript::Buffer& other : script.buffers) {
        if (other.name == words[1]) throw refuse("buffer " + words[1] + " is there already, at " + other.place);
      }
      script.buffers.push_back({words[1], words[2], place});
    } else if (words[0] == "launch") {
      if (words.size() < 4)
        throw refuse("write launch KERNEL GRID BLOCK ARGUMENT..., for example launch saxpy 4 128 u32:512 x y");
      LaunchScript::Launch launch{words[1], words[2], words[3], "", {}, place};
      for (std::size_t i = 4; i < words.size(); ++i) {
        if (words[i].compare(0, 7, "shared:") == 0) launch.shared = words[i].substr(7);
        else launch.arguments.push_back(words[i]);
      }
      script.order.push_back(script.launches.size());
      script.launches.push_back(launch);
    } else if (words[0] == "repeat") {
      std::uint64_t times = 0;
      const bool one = words.size() == 2;
      const char* const end = one ? words[1].data() + words[1].size() : nullptr;
      if (!one || std::from_chars(words[1].data(), end, times).ptr != end || times == 0)
        throw refuse("write repeat N with a whole number of at least 1");
      repeats.push_back({script.order.size(), times, place});
    } else if (words[0] == "end") {
      if (words.size() != 1 || repeats.empty())
        throw refuse(repeats.empty() ? "end without a repeat above it" : "nothing follows end");
      const std::vector<std::size_t> body(script.order.begin() + static_cast<std::ptrdiff_t>(repeats.back().begin),
                                          script.order.end());
      if (!body.empty() && repeats.back().times > (kMostLaunches - script.order.size()) / body.size() + 1) {
        throw refuse(fmt::format("more than {} launches in all", kMostLaunches));
      }
      for (std::uint64_t i = 1; i < repeats.back().times && !body.empty(); ++i)
        script.order.insert(script.order.end(), body.begin(), body.end());
      repeats.pop_back();
    } else {
      throw refuse("'" + words[0] + "' is none of buffer, launch, repeat and end");
    }
  }
  if (!repeats.empty()) throw bad_input("option", repeats.back().place + ": repeat without an end below it");
  if (script.order.empty()) throw bad_input("option", "--launches " + path + ": there is no launch in it");
  return script;
}

}  // namespace heddle
