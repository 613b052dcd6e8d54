// SPDX-License-Identifier: Apache-2.0
#include "output/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace heddle {
namespace {

constexpr std::size_t kBuffer = 1u << 18;

// Names of the unfinished files. A signal handler reads them: pointers to strings that stay until their place is
// cleared.
constexpr std::size_t kParts = 64;
std::array<std::atomic<const char*>, kParts> parts;  // NOLINT: a handler has nothing but globals

std::size_t register_part(const char* name) {
  for (std::size_t slot = 0; slot < kParts; ++slot) {
    const char* free = nullptr;
    if (parts[slot].compare_exchange_strong(free, name)) return slot;
  }
  return kParts;  // is not removed by a signal; nobody writes so many files at once
}

Error cannot_write(const std::string& path, const char* why) {
  return bad_input("output",
                   path + ": cannot be written (" + why + "); name a file in a writable folder with room for it");
}

bool is_special(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

}  // namespace

std::string link_target(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as Linux follows
  if (is_special(path)) return path;
  std::filesystem::path target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, no_link);
    if (no_link) break;
    target = target.parent_path() / next;  // an absolute one replaces all of it
  }
  return target.string();
}

OutputFile::OutputFile(const std::string& path)
    : path_(path),
      target_(link_target(path)),
      renames_(!is_special(path)),
      slot_(kParts) {
  if (path.empty()) throw bad_input("output", "an empty file name cannot be written; name a file");
  std::error_code unknown;
  if (std::filesystem::is_directory(target_, unknown)) throw cannot_write(path, "it is a folder");
  if (renames_ && std::filesystem::is_symlink(target_, unknown))
    throw cannot_write(path, std::strerror(ELOOP));  // a link still, behind all that were followed
  part_ = renames_ ? target_ + "." + std::to_string(getpid()) + ".part" : target_;
  if (renames_) slot_ = register_part(part_.c_str());
  file_ = open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) {
    const int why = errno;
    forget(false);
    throw cannot_write(path, std::strerror(why));
  }
}

OutputFile::~OutputFile() {
  if (file_ >= 0) close(file_);
  forget(true);
}

void OutputFile::forget(bool remove) {
  if (remove && renames_ && !part_.empty()) unlink(part_.c_str());
  if (slot_ < kParts) parts[slot_].store(nullptr);
  slot_ = kParts;
  part_.clear();
}

void OutputFile::fail() const { throw cannot_write(path_, std::strerror(error_)); }

void OutputFile::write(const void* data, std::size_t bytes) {
  if (error_ != 0) return;
  const char* begin = static_cast<const char*>(data);
  buffer_.insert(buffer_.end(), begin, begin + bytes);
  if (buffer_.size() >= kBuffer) flush();
}

void OutputFile::flush() {
  for (std::size_t done = 0; done < buffer_.size() && error_ == 0;) {
    const ssize_t count = ::write(file_, buffer_.data() + done, buffer_.size() - done);
    if (count > 0) done += static_cast<std::size_t>(count);
    if (count == 0) error_ = ENOSPC;
    if (count < 0 && errno != EINTR) error_ = errno;
  }
  buffer_.clear();
}

void OutputFile::seek(std::uint64_t position) {
  flush();
  if (error_ == 0 && lseek(file_, static_cast<off_t>(position), SEEK_SET) < 0) error_ = errno;
}

void OutputFile::truncate(std::uint64_t bytes) {
  flush();
  if (error_ == 0 && ftruncate(file_, static_cast<off_t>(bytes)) != 0) error_ = errno;
}

void OutputFile::complete() {
  flush();
  if (close(file_) != 0 && error_ == 0) error_ = errno;
  file_ = -1;
  if (error_ == 0 && renames_ && std::rename(part_.c_str(), target_.c_str()) != 0) error_ = errno;
  forget(error_ != 0);
  check();
}

void OutputFailures::add(const Error& error) {
  lines_.emplace_back(error.what());
  std::istringstream details(error.details());
  for (std::string line; std::getline(details, line);) lines_.push_back(line);
}

void OutputFailures::raise() const {
  if (lines_.empty()) return;
  std::string details;
  for (std::size_t i = 1; i < lines_.size(); ++i) details += lines_[i] + "\n";
  throw Error(ExitStatus::kBadInput, "output", lines_.front(), details);
}

void check_writable(const std::string& path) {
  if (!is_special(path)) {
    const OutputFile probe(path);
  } else if (access(path.c_str(), W_OK) != 0) {  // opening a pipe would be seen at its other end
    throw cannot_write(path, std::strerror(errno));
  }
}

void write_file(const std::string& path, const std::string& content) {
  OutputFile file(path);
  file.write(content);
  file.complete();
}

void discard_parts() noexcept {
  for (const std::atomic<const char*>& part : parts) {
    if (const char* name = part.load()) unlink(name);
  }
}

}  // namespace heddle
