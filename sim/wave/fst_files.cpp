// SPDX-License-Identifier: Apache-2.0
#include "wave/fst_files.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "output/output_file.h"
#include "wave/fst_output.h"

namespace heddle {
namespace {

// What stands behind a stream of fstapi.c.
struct FstFile {
  OutputFile* output = nullptr;  // else: in memory
  std::vector<char> content;
  std::uint64_t position = 0;
  std::uint64_t size = 0;
  int number = 0;
};

thread_local OutputFile* next_output = nullptr;  // for the file that is opened next

// Open files by stream and by number. fstapi.c asks for them when it maps or truncates a file: once a section.
struct Table {
  std::mutex mutex;
  std::map<FILE*, FstFile*> by_stream;
  std::map<int, FstFile*> by_number;
  int last_number = 0;
};

Table& table() {
  static Table files;
  return files;
}

FstFile* find(int number) {
  Table& files = table();
  const std::lock_guard<std::mutex> lock(files.mutex);
  const auto found = files.by_number.find(number);
  return found == files.by_number.end() ? nullptr : found->second;
}

// What cannot be written is remembered by the output; for the stream all is well, so that its positions stay right.
ssize_t put_bytes(void* cookie, const char* data, std::size_t bytes) {
  FstFile& file = *static_cast<FstFile*>(cookie);
  const std::uint64_t end = file.position + bytes;
  if (file.output != nullptr) {
    file.output->write(data, bytes);
  } else {
    if (file.content.size() < end) file.content.resize(end);
    std::memcpy(file.content.data() + file.position, data, bytes);
  }
  file.position = end;
  file.size = std::max(file.size, end);
  return static_cast<ssize_t>(bytes);
}

int seek_bytes(void* cookie, off64_t* offset, int whence) {
  FstFile& file = *static_cast<FstFile*>(cookie);
  const std::int64_t from =
      whence == SEEK_SET ? 0 : static_cast<std::int64_t>(whence == SEEK_CUR ? file.position : file.size);
  const std::int64_t position = from + *offset;
  if (position < 0) return -1;
  if (file.output != nullptr && file.position != static_cast<std::uint64_t>(position))
    file.output->seek(static_cast<std::uint64_t>(position));
  file.position = static_cast<std::uint64_t>(position);
  *offset = position;
  return 0;
}

int close_bytes(void* cookie) {
  FstFile* file = static_cast<FstFile*>(cookie);
  Table& files = table();
  const std::lock_guard<std::mutex> lock(files.mutex);
  files.by_number.erase(file->number);
  for (auto entry = files.by_stream.begin(); entry != files.by_stream.end();) {
    entry = entry->second == file ? files.by_stream.erase(entry) : std::next(entry);
  }
  delete file;
  return 0;
}

FILE* open_stream(OutputFile* output) {
  auto file = std::make_unique<FstFile>();
  file->output = output;
  FILE* stream = fopencookie(file.get(), "w", {nullptr, put_bytes, seek_bytes, close_bytes});
  if (stream == nullptr) return nullptr;
  Table& files = table();
  const std::lock_guard<std::mutex> lock(files.mutex);
  file->number = ++files.last_number;
  files.by_number[file->number] = file.get();
  files.by_stream[stream] = file.release();
  return stream;
}

}  // namespace

FstOutput::FstOutput(OutputFile& file) { next_output = &file; }
FstOutput::~FstOutput() { next_output = nullptr; }

}  // namespace heddle

FILE* heddle_fst_open(const char* name, const char* mode) {
  if (mode[0] == 'r') return std::fopen(name, mode);  // /proc/meminfo
  heddle::OutputFile* output = heddle::next_output;
  heddle::next_output = nullptr;  // the second file holds the names of the signals until the end
  return heddle::open_stream(output);
}

FILE* heddle_fst_temporary(void) { return heddle::open_stream(nullptr); }

int heddle_fst_number(FILE* stream) {
  heddle::Table& files = heddle::table();
  const std::lock_guard<std::mutex> lock(files.mutex);
  const auto found = files.by_stream.find(stream);
  return found == files.by_stream.end() ? -1 : found->second->number;
}

// The memory itself: it stays where it is until something is appended, and fstapi.c unmaps before that.
void* heddle_fst_map(size_t bytes, int number) {
  heddle::FstFile* file = heddle::find(number);
  if (file == nullptr || file->output != nullptr) return MAP_FAILED;
  if (file->content.size() < bytes) file->content.resize(bytes);
  return file->content.data();
}

int heddle_fst_truncate(int number, off_t bytes) {
  heddle::FstFile* file = heddle::find(number);
  if (file == nullptr) return -1;
  file->size = static_cast<std::uint64_t>(bytes);
  if (file->output != nullptr) {
    file->output->truncate(file->size);
  } else {
    file->content.resize(file->size);
  }
  return 0;
}
