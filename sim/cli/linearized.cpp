// SPDX-License-Identifier: Apache-2.0
#include "cli/linearized.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <vector>

#include "heddle/error.h"
#include "mechanisms/mechanism.h"
#include "workloads/workload.h"

extern char** environ;

namespace heddle {
namespace {

// Runs a program; what it says on standard error goes to a file. Its exit status, or -1.
int run_program(std::vector<std::string> words, const std::string& messages) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, words[0].c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (failed != 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

// The first line that is not a note.
std::string refusal(const std::string& messages) {
  std::ifstream file(messages);
  for (std::string line; std::getline(file, line);) {
    if (line.find("heddle-cc: note: ") != 0) return line;
  }
  return "no message";
}

// What the notes count.
std::optional<int> frame_accesses(const std::string& messages) {
  constexpr const char* kReserved = "reserved to linearize with: ";
  std::optional<int> sum;
  std::ifstream file(messages);
  for (std::string line; std::getline(file, line);) {
    if (const std::size_t at = line.find(kReserved); at != std::string::npos)
      sum = sum.value_or(0) + std::atoi(line.c_str() + at + std::strlen(kReserved));
  }
  return sum;
}

}  // namespace

LinearizedKernels::~LinearizedKernels() {
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

LinearizedKernels& linearized_kernels() {
  static LinearizedKernels kernels;
  return kernels;
}

const LinearizedKernel& LinearizedKernels::kernel(const std::string& workload, const std::string& how,
                                                  const std::string& form) {
  LinearizedKernel& made = made_[workload + '\n' + how + '\n' + form];
  if (!made.elf.empty()) return made;
  const auto fail = [&](const std::string& why) {
    return bad_input("elf", fmt::format("--linearize {}: workload {}: {}", how, workload, why));
  };

  std::error_code ignored;
  const std::filesystem::path compiler = std::filesystem::path(program_path()).parent_path() / "heddle-cc";
  if (!std::filesystem::exists(compiler, ignored))
    throw fail(compiler.string() + " is not there: build or install all of Heddle");
  const std::filesystem::path source = std::filesystem::path(kernel_directory()) / "source" / workload;
  std::vector<std::string> words = {compiler.string(), "--linearize=" + how,
                                    "-ffile-prefix-map=" + source.string() + "/="};
  if (const std::string option = option_of_form(form); !option.empty()) words.push_back(option);
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source, ignored)) {
    if (entry.path().filename() != "flags") files.push_back(entry.path().string());
  }
  if (files.empty())
    throw fail(source.string() +
               ": the kernel's source is not there; set HEDDLE_KERNELS to a folder of kernels with their sources");
  std::sort(files.begin(), files.end());
  words.insert(words.end(), files.begin(), files.end());
  std::ifstream flags(source / "flags");
  for (std::string flag; flags >> flag;) words.push_back(flag);

  if (folder_.empty()) {
    std::error_code unusable;
    std::string name = (std::filesystem::temp_directory_path(unusable) / "heddle-XXXXXX").string();
    if (unusable || mkdtemp(name.data()) == nullptr) throw fail(name + ": no folder can be made there; set TMPDIR");
    folder_ = name;
  }
  const std::string path = (folder_ / fmt::format("{}.{}.elf", workload, made_.size())).string();
  const std::string messages = path + ".messages";
  words.insert(words.end(), {"-o", path});
  if (run_program(words, messages) != 0) throw fail(refusal(messages));
  made = {path, frame_accesses(messages)};
  return made;
}

}  // namespace heddle
