// SPDX-License-Identifier: Apache-2.0
// The command that runs a paper's evaluation: options are checked here, the rest is share/heddle/reproduce
// (sim/reproduce).
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <thread>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "config/nearest.h"
#include "workloads/workload.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

constexpr std::uint64_t kMaxJobs = 1024;
constexpr std::uint64_t kMaxRuns = 17;  // an odd number of latencies, one cycle apart at least

std::vector<std::string> evaluations() { return {"dpe", "dwf", "linearize", "forkjoin"}; }

void check_name(const std::vector<std::string>& names, const std::string& name, const std::string& what) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  std::string all;
  for (const std::string& n : names) all += (all.empty() ? "" : ", ") + n;
  throw bad_input("option", "heddle reproduce: " + what + " '" + name + "' is not known; there is " + all +
                                did_you_mean(name, names));
}

}  // namespace

CommandLine reproduce_line() {
  CommandLine line{
      "reproduce",
      "dpe|dwf|linearize|forkjoin [options]",
      "Runs the evaluation of a paper anew and writes one HTML page: plots, the paper's figures beside ours, a verdict "
      "for each statement.\n"
      "Runs that are kept in the folder are not run again, so that a command that was stopped goes on where it was.",
      {},
      1,
      1,
      "an evaluation",
      evaluations};
  line.options.add_options()(
      "size", po::value<std::string>()->value_name("NAME"),
      "of the workloads: small, default, large, or paper (dpe: as many instructions as there); default small")(
      "out", po::value<std::string>()->value_name("DIR"), "folder of the runs and the page; default reproduce")(
      "jobs", po::value<std::string>()->value_name("N"), "runs at a time; default: as many as the host has processors")(
      "programs", po::value<std::string>()->value_name("FILE"),
      "dpe, linearize: programs made by heddle-nvcc in the place of the kernels (docs/reproduce.md)")(
      "runs", po::value<std::string>()->value_name("N"),
      "of each figure with a spread, memory latency up to 5 % to either side; odd, default 3");
  add_plugin_option(line.options);
  return line;
}

ExitStatus reproduce_command(const ParsedLine& parsed) {
  const std::string& evaluation = parsed.words.front();
  check_name(evaluations(), evaluation, "evaluation");
  const std::string size = parsed.text("size", "small");
  check_name(workload_sizes(), size, "--size");
  if (size == "paper" && evaluation != "dpe")
    throw bad_input("option", "heddle reproduce: --size paper is dpe's; choose small, default or large");
  if (parsed.has("programs") && evaluation != "dpe" && evaluation != "linearize")
    throw bad_input("option", "heddle reproduce: --programs is for dpe and linearize");
  const std::uint64_t jobs = parsed.has("jobs") ? parse_count(parsed.text("jobs"), "--jobs")
                                                : std::max(1U, std::thread::hardware_concurrency());
  if (jobs == 0 || jobs > kMaxJobs)
    throw bad_input("option", "--jobs " + std::to_string(jobs) + ": choose 1 to " + std::to_string(kMaxJobs));
  const std::uint64_t runs = parsed.has("runs") ? parse_count(parsed.text("runs"), "--runs") : 3;
  if (runs % 2 == 0 || runs > kMaxRuns)
    throw bad_input("option",
                    "--runs " + std::to_string(runs) + ": choose an odd number from 1 to " + std::to_string(kMaxRuns));

  const std::string program = program_path();
  const std::string script =
      (std::filesystem::path(program).parent_path().parent_path() / "share" / "heddle" / "reproduce" / "main.py")
          .string();
  if (access(script.c_str(), R_OK) != 0)
    throw bad_input("option", "heddle reproduce: " + script + " cannot be read: build or install heddle with it");
  std::vector<std::string> words = {HEDDLE_PYTHON_INTERPRETER,
                                    script,
                                    evaluation,
                                    "--heddle",
                                    program,
                                    "--size",
                                    size,
                                    "--out",
                                    parsed.text("out", "reproduce"),
                                    "--jobs",
                                    std::to_string(jobs),
                                    "--perturb",
                                    std::to_string(runs)};
  if (parsed.has("programs")) words.insert(words.end(), {"--programs", parsed.text("programs")});
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pass_plugins(parsed);
  std::cout.flush();
  execvp(argv.front(), argv.data());
  throw bad_input("option", std::string("heddle reproduce: ") + argv.front() +
                                " cannot be run: " + std::strerror(errno) + "; install python3");
}

}  // namespace heddle
