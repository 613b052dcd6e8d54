// SPDX-License-Identifier: Apache-2.0
// Files the program writes: complete under their name, or absent.
//
// A file grows as "<name>.<process>.part" beside its name and is renamed when it is complete: every write, the closing
// and the renaming are checked. A link is followed: the file it names is replaced, not the link. A device or a pipe is
// written as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "heddle/error.h"

namespace heddle {

// One file. After a write that failed nothing more is written, and check() and complete() throw.
class OutputFile {
 public:
  // Throws Error(output).
  explicit OutputFile(const std::string& path);
  ~OutputFile();  // leaves nothing behind unless complete
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(const void* data, std::size_t bytes);  // at the current position
  void write(const std::string& text) { write(text.data(), text.size()); }
  void seek(std::uint64_t position);
  void truncate(std::uint64_t bytes);
  // Throws Error(output) if something could not be written.
  void check() const {
    if (error_ != 0) fail();
  }
  void complete();

 private:
  void flush();
  [[noreturn]] void fail() const;
  void forget(bool remove);

  std::string path_;    // as named
  std::string target_;  // behind links
  std::string part_;    // what is open; the target itself if that is a device
  bool renames_ = true;
  int file_ = -1;
  int error_ = 0;     // errno of what failed first
  std::size_t slot_;  // in the list of discard_parts()
  std::vector<char> buffer_;
};

// Several outputs: each is tried, whatever became of the others.
class OutputFailures {
 public:
  template <class Write>
  void attempt(Write write) {
    try {
      write();
    } catch (const Error& error) {
      add(error);
    }
  }
  void add(const Error& error);
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }  // one for each output that failed
  // Throws Error(output) if one failed: the first line is its message, the others are its details.
  void raise() const;

 private:
  std::vector<std::string> lines_;
};

// Throws Error(output) if a file of that name could not be written; leaves nothing behind.
void check_writable(const std::string& path);

// Throws Error(output).
void write_file(const std::string& path, const std::string& content);

// The file behind links; the path itself of what is no regular file.
[[nodiscard]] std::string link_target(const std::string& path);

// Removes the unfinished files of the process. For signal handlers that end it.
void discard_parts() noexcept;

}  // namespace heddle
