// SPDX-License-Identifier: Apache-2.0
#include "cli/output.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <regex>
#include <streambuf>

#include "cli/commands.h"

namespace heddle {
namespace {

// Standard output with a memory for what went wrong. On a terminal every line appears when it is complete.
class StdoutBuffer final : public std::streambuf {
 public:
  StdoutBuffer() : by_line_(isatty(STDOUT_FILENO) != 0) { empty(); }
  [[nodiscard]] int error() const { return error_; }

 protected:
  int sync() override { return flush() ? 0 : -1; }
  int_type overflow(int_type c) override {
    if (!flush()) return traits_type::eof();
    if (c == traits_type::eof()) return traits_type::not_eof(c);
    return sputc(traits_type::to_char_type(c));
  }
  std::streamsize xsputn(const char* text, std::streamsize count) override {
    const std::streamsize written = std::streambuf::xsputn(text, count);
    if (by_line_ && std::memchr(text, '\n', static_cast<std::size_t>(count)) != nullptr) flush();
    return error_ == 0 ? written : 0;
  }

 private:
  void empty() { setp(buffer_.data(), buffer_.data() + buffer_.size()); }
  bool flush() {
    for (const char* at = pbase(); at != pptr() && error_ == 0;) {
      const ssize_t count = write(STDOUT_FILENO, at, static_cast<std::size_t>(pptr() - at));
      if (count > 0) at += count;
      if (count < 0 && errno != EINTR) error_ = errno;
    }
    empty();
    return error_ == 0;
  }

  const bool by_line_;
  int error_ = 0;
  std::array<char, 1u << 16> buffer_;
};

StdoutBuffer* stdout_buffer = nullptr;  // lives as long as the process: std::cout is flushed at its very end

Error stdout_lost(int why) {
  return bad_input("output",
                   std::string("standard output cannot be written (") + std::strerror(why) + "); some of it is lost");
}

struct Place {
  bool device = false;
  bool exists = false;
  struct stat file {};    // if it exists
  struct stat folder {};  // else the folder and the name
  std::string name;

  [[nodiscard]] bool same(const Place& other) const {
    if (device || other.device || exists != other.exists) return false;
    if (exists) return is(other.file);
    return folder.st_dev == other.folder.st_dev && folder.st_ino == other.folder.st_ino && name == other.name;
  }
  [[nodiscard]] bool is(const struct stat& other) const {
    return exists && !device && file.st_dev == other.st_dev && file.st_ino == other.st_ino;
  }
};

Place find_place(const std::string& path) {
  Place place;
  place.exists = stat(path.c_str(), &place.file) == 0;
  place.device = place.exists && !S_ISREG(place.file.st_mode);
  if (place.exists) return place;
  const std::filesystem::path target = link_target(path);
  const std::filesystem::path folder = target.has_parent_path() ? target.parent_path() : ".";
  static_cast<void>(stat(folder.c_str(), &place.folder));
  place.name = target.filename().string();
  return place;
}

}  // namespace

void check_outputs(const std::vector<NamedOutput>& outputs) {
  struct stat standard[2] = {};
  const bool known[2] = {fstat(STDOUT_FILENO, &standard[0]) == 0, fstat(STDERR_FILENO, &standard[1]) == 0};
  std::vector<Place> places;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const NamedOutput& output = outputs[i];
    places.emplace_back();
    if (output.path.empty() || output.path == "-") continue;
    if (output.asked) check_writable(output.path);
    places.back() = find_place(output.path);
    for (std::size_t j = 0; j < i; ++j) {
      if (outputs[j].path.empty() || outputs[j].path == "-" || !places[i].same(places[j])) continue;
      throw bad_input("option", output.option + " " + output.path + ": " + outputs[j].option + " " + outputs[j].path +
                                    " writes the same file; name two files");
    }
    for (int s = 0; s < 2; ++s) {
      if (!known[s] || !places[i].is(standard[s])) continue;
      throw bad_input("option", output.option + " " + output.path + ": standard " + (s == 0 ? "output" : "error") +
                                    " goes to this file already; name another one");
    }
  }
}

void write_document(const std::string& path, const std::string& document) {
  if (path != "-") {
    write_file(path, document);
  } else {
    std::cout << document;
    check_stdout();
  }
}

void open_standard_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    const int opened =
        open("/dev/null", descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY);  // the lowest free one is this one
    static_cast<void>(opened);
  }
  if (stdout_buffer == nullptr) stdout_buffer = new StdoutBuffer;
  std::cout.rdbuf(stdout_buffer);
}

void check_stdout() {
  static bool told = false;
  std::cout.flush();
  if (told || stdout_buffer == nullptr || stdout_buffer->error() == 0) return;
  told = true;
  throw stdout_lost(stdout_buffer->error());
}

std::string painted(int descriptor, Colour colour, const std::string& word) {
  const char* const no_colour = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if ((no_colour != nullptr && *no_colour != '\0') || terminal == nullptr || std::string(terminal) == "dumb" ||
      isatty(descriptor) == 0)
    return word;
  return "\x1b[1;" + std::to_string(static_cast<int>(colour)) + "m" + word + "\x1b[0m";
}

std::string paint_verdicts(const std::string& text) {
  // Behind "on MECHANISM, engine NAME: ", or a cell of a table.
  static const std::regex verdict("(: |  )(pass|fail|error)(?=\n|  )");
  std::string result;
  std::size_t end = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), verdict), last; match != last; ++match) {
    const std::string word = (*match)[2];
    result += text.substr(end, static_cast<std::size_t>(match->position(2)) - end) +
              painted(STDOUT_FILENO, word == "pass" ? Colour::kGreen : Colour::kRed, word);
    end = static_cast<std::size_t>(match->position(2)) + word.size();
  }
  return result + text.substr(end);
}

ExitStatus tell(const OutputFailures& failures) {
  for (const std::string& line : failures.lines()) print_error(line.c_str());
  return failures.lines().empty() ? ExitStatus::kPass : ExitStatus::kBadInput;
}

}  // namespace heddle
