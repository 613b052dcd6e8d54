// SPDX-License-Identifier: Apache-2.0
// The command that runs a CUDA program made by heddle-nvcc: options become the environment that its runtime reads
// (sim/cuda/settings.h).
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <iostream>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/simulate.h"
#include "mechanisms/plugins.h"
#include "timeline/draw.h"
#include "wave/wave.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

// Options whose text goes into a variable as it is.
constexpr std::pair<const char*, const char*> kPassed[] = {
    {"preset", "HEDDLE_PRESET"},     {"engine", "HEDDLE_ENGINE"},
    {"detail", "HEDDLE_DETAIL"},     {"json", "HEDDLE_JSON"},
    {"timeline", "HEDDLE_TIMELINE"}, {"wave", "HEDDLE_WAVE"},
    {"window", "HEDDLE_WINDOW"},     {"mismatch-wave", "HEDDLE_MISMATCH_WAVE"},
    {"report", "HEDDLE_REPORT"},     {"threads", "HEDDLE_THREADS"},
    {"config", "HEDDLE_CONFIG"}};

}  // namespace

void set_variable(const char* name, const std::string& value) {
  if (setenv(name, value.c_str(), 1) != 0) throw out_of_memory();
}

void pass_plugins(const ParsedLine& line) {
  const char* before = std::getenv(kPluginVariable);
  std::string list = before == nullptr ? "" : before;
  for (const std::string& path : line.list("plugin")) {
    if (path.find(':') != std::string::npos)
      throw bad_input("plugin", "--plugin " + path + ": a path with ':' cannot be passed on to a program; rename it");
    list += (list.empty() ? "" : ":") + path;
  }
  if (!list.empty()) set_variable(kPluginVariable, list);
}

CommandLine exec_line() {
  CommandLine line{"exec",
                   "[options] -- PROGRAM [ARGUMENT...]",
                   "Runs a CUDA program that heddle-nvcc made, on the machine that the options describe. The program's "
                   "output and exit status are its own;\n"
                   "statistics come on standard error when it ends. Each option is a variable of the environment: "
                   "HEDDLE_SET, HEDDLE_JSON, ...",
                   {},
                   0,
                   0,
                   ""};
  line.program = true;
  add_config_options(line.options, true);
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  line.options.add_options()("engine", text("NAME"),
                             "systemc (twins), rtl (Verilated), cosim (both), functional (no machine: right results, "
                             "no cycles); default systemc")(
      "detail", text("LIST"),
      "launches that run on the machine, the others run functionally: kernel:3-5,other,third:2-")(
      "json", text("FILE"), "statistics of each launch and of all, as of 'heddle run'")(
      "timeline", text("FILE"), "which path of which warp issued when: .svg picture, or .json for Perfetto")(
      "wave", text("FILE"), "waveform, .fst or .vcd")("window", text("FIRST-LAST"),
                                                      "cycles of timeline and waveform, counted over all launches")(
      "mismatch-wave", text("FILE"), "cosim: last 200 cycles before a mismatch; default heddle-mismatch.fst")(
      "threads", text("N"), "host threads that simulate several SMs (gpu.sms); default: as many as the host has")(
      "report", text("KIND"), "on standard error at the end: none, sum or launches; default sum");
  return line;
}

ExitStatus exec_command(const ParsedLine& parsed) {
  if (parsed.program.empty()) {
    throw bad_input("option",
                    "heddle exec: a program is missing; write it behind two dashes: heddle exec --mechanism dpe -- "
                    "./app arguments");
  }
  static_cast<void>(read_config(parsed).build());  // what is wrong is told here, with the option's name
  if (const std::string engine = parsed.text("engine", "systemc"); engine != "functional")
    static_cast<void>(parse_engine(engine));
  if (parsed.has("timeline")) check_timeline_path(parsed.text("timeline"));
  if (parsed.has("wave")) check_wave_path(parsed.text("wave"));
  std::vector<NamedOutput> outputs;
  for (const char* name : {"json", "timeline", "wave", "mismatch-wave"}) {
    if (parsed.has(name)) outputs.push_back({std::string("--") + name, parsed.text(name)});
  }
  check_outputs(outputs);

  for (const auto& [option, variable] : kPassed) {
    if (parsed.has(option)) set_variable(variable, parsed.text(option));
  }
  std::string assignments;
  for (const std::string& assignment : parsed.list("set")) assignments += (assignments.empty() ? "" : " ") + assignment;
  if (parsed.has("mechanism"))
    assignments += (assignments.empty() ? "mechanism=" : " mechanism=") + parsed.text("mechanism");
  if (!assignments.empty()) set_variable("HEDDLE_SET", assignments);
  pass_plugins(parsed);

  std::vector<char*> words;
  for (const std::string& word : parsed.program) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::cout.flush();
  execvp(words.front(), words.data());
  throw bad_input("option", std::string("heddle exec: ") + words.front() + " cannot be run: " + std::strerror(errno));
}

}  // namespace heddle
