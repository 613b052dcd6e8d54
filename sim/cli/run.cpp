// SPDX-License-Identifier: Apache-2.0
// The commands that simulate: run and compare.
#include <unistd.h>

#include <algorithm>
#include <iostream>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/simulate.h"
#include "config/mechanisms.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

constexpr const char* kWorkloadOptions[] = {"size", "seed", "param"};
constexpr const char* kKernelOptions[] = {"kernel", "grid", "block", "arg"};

void add_job_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char* name) { return po::value<std::vector<std::string>>()->value_name(name)->composing(); };
  options.add_options()
      ("engine", text("NAME"), "systemc (twins), rtl (Verilated), cosim (both, compared in every cycle); default systemc")
      ("size", text("NAME"), "workload: small, default or large")
      ("seed", text("N"), "workload: seed of the input data; default 1")
      ("param", texts("NAME=VALUE"), "workload: one parameter; repeatable ('heddle list parameters')")
      ("kernel", text("NAME"), "ELF: the kernel to launch; may be left out if there is only one")
      ("grid", text("X,Y,Z"), "ELF: blocks of the grid; default 1")
      ("block", text("X,Y,Z"), "ELF: threads of a block; default 1")
      ("arg", texts("KIND:VALUE"), "ELF: the arguments in order: u32:N i32:N f32:X in:FILE out:FILE:BYTES inout:FILE:OUT zero:BYTES")
      ("no-check", "leave out the per-thread reference interpreter (faster)")
      ("max-cycles", text("N"), "stop a launch after N cycles")
      ("json", text("FILE"), "write everything as JSON ('-': standard output, and nothing else there)")
      ("mismatch-wave", text("FILE"), "cosim: last 200 cycles before a mismatch; default heddle-mismatch.fst")
      ("quiet", "print errors only");
}

// "name=value" pairs of --param.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> parameters;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos) throw bad_input("option", "--param " + assignment + ": no '=' in it; write name=value");
    if (!parameters.emplace(assignment.substr(0, equals), assignment.substr(equals + 1)).second) {
      throw bad_input("option", "--param " + assignment + ": this parameter is set twice; set it once");
    }
  }
  return parameters;
}

Job make_job(const ParsedLine& line, const std::string& name) {
  Job job;
  job.name = name;
  job.is_elf = names_elf(name);
  if (!job.is_elf) static_cast<void>(find_workload(name));  // a wrong name is told before anything runs
  for (const char* option : kWorkloadOptions) {
    if (job.is_elf && line.has(option)) {
      throw bad_input("option", std::string("--") + option + ": only for workloads; " + name + " is a kernel file");
    }
  }
  for (const char* option : kKernelOptions) {
    if (!job.is_elf && line.has(option)) {
      throw bad_input("option", std::string("--") + option + ": only for kernel files; '" + name + "' names a workload");
    }
  }
  job.workload.size = line.text("size", job.workload.size);
  if (line.has("seed")) job.workload.seed = parse_count(line.text("seed"), "--seed");
  job.workload.parameters = parse_parameters(line.list("param"));
  job.kernel = line.text("kernel");
  job.grid = line.text("grid", job.grid);
  job.block = line.text("block", job.block);
  job.arguments = line.list("arg");
  job.engine = parse_engine(line.text("engine", "systemc"));
  if (job.engine == Engine::kCosim) {
    job.mismatch_wave = line.text("mismatch-wave", "heddle-mismatch.fst");
  } else if (line.has("mismatch-wave")) {
    throw bad_input("option", "--mismatch-wave: only with --engine cosim");
  }
  job.text_to_stderr = line.text("json") == "-";
  job.progress = !line.has("quiet") && isatty(STDERR_FILENO) != 0;
  return job;
}

Config job_config(const ParsedLine& line, const std::string& mechanism, const char* origin) {
  ConfigBuilder builder = read_config(line);
  if (!mechanism.empty()) builder.set("mechanism", mechanism, origin);
  if (line.has("no-check")) builder.set("run.oracle", "false", "--no-check");
  if (line.has("max-cycles")) builder.set("run.max_cycles", line.text("max-cycles"), "--max-cycles");
  return builder.build();
}

void check_json_path(const std::string& path) {
  if (!path.empty() && path != "-") check_writable(path);
}

std::vector<std::string> split_names(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    names.push_back(list.substr(begin, comma - begin));
    begin = comma + 1;
  }
  return names;
}

std::string all_mechanisms() {
  std::string names;
  for (const MechanismInfo& mechanism : mechanisms()) names += (names.empty() ? "" : ",") + std::string(mechanism.name);
  return names;
}

}  // namespace

ExitStatus run_command(const Arguments& arguments) {
  CommandLine line{"run", "WORKLOAD|KERNEL.elf [options]",
                   "Runs one workload or kernel with one mechanism, checks the result and prints a summary.", {}, 1, 1, "the workload or kernel file"};
  add_config_options(line.options, true);
  add_job_options(line.options);
  line.options.add_options()
      ("wave", po::value<std::string>()->value_name("FILE"), "waveform, .fst or .vcd; a .gtkw and filters for GTKWave come beside it")
      ("timeline", po::value<std::string>()->value_name("FILE"), "which path of which warp issued when: .svg picture, or .json for Perfetto")
      ("wave-start", po::value<std::string>()->value_name("CYCLE"), "first cycle of waveform and timeline; default 0")
      ("wave-end", po::value<std::string>()->value_name("CYCLE"), "last cycle of waveform and timeline; default the end");
  const ParsedLine parsed = parse_line(line, arguments);
  if (parsed.help) return ExitStatus::kPass;
  Job job = make_job(parsed, parsed.words[0]);
  job.config = job_config(parsed, "", "");
  job.wave = parsed.text("wave");
  job.timeline = parsed.text("timeline");
  if (parsed.has("wave-start")) job.window_start = parse_count(parsed.text("wave-start"), "--wave-start");
  if (parsed.has("wave-end")) job.window_end = parse_count(parsed.text("wave-end"), "--wave-end");
  if (job.window_end < job.window_start) throw bad_input("option", "--wave-end " + parsed.text("wave-end") + ": lies before --wave-start");
  const std::string json = parsed.text("json");
  check_json_path(json);

  const RunReport report = simulate(job);
  const bool simulated = report.stats.cycles != 0;
  if (json != "-" && !parsed.has("quiet") && simulated) std::cout << run_summary(report) << std::flush;
  if (!report.error_code.empty()) print_error(report.error_message.c_str());
  if (!json.empty()) write_document(json, run_json(report));
  return report.status;
}

ExitStatus compare_command(const Arguments& arguments) {
  CommandLine line{"compare", "WORKLOAD... [--mechanisms NAME,NAME,...] [options]",
                   "Runs each workload with each mechanism and prints one table; speed-up is against the first mechanism.\n"
                   "The exit status is the greatest of the runs.",
                   {}, 1, 1000, "a workload"};
  add_config_options(line.options, false);
  add_job_options(line.options);
  line.options.add_options()("mechanisms", po::value<std::string>()->value_name("LIST"), "mechanisms, separated by commas; default all");
  const ParsedLine parsed = parse_line(line, arguments);
  if (parsed.help) return ExitStatus::kPass;
  const std::string json = parsed.text("json");
  check_json_path(json);
  std::vector<Job> jobs;
  for (const std::string& name : parsed.words) {
    for (const std::string& mechanism : split_names(parsed.text("mechanisms", all_mechanisms()))) {
      jobs.push_back(make_job(parsed, name));
      jobs.back().config = job_config(parsed, mechanism, "--mechanisms");
    }
  }

  std::vector<RunReport> reports;
  ExitStatus worst = ExitStatus::kPass;
  for (const Job& job : jobs) {
    reports.push_back(simulate(job));
    const RunReport& report = reports.back();
    worst = std::max(worst, report.status);
    if (!report.error_code.empty()) print_error((report.workload + " on " + report.config.mechanism + ": " + report.error_message).c_str());
  }
  if (json != "-" && !parsed.has("quiet")) std::cout << compare_table(reports) << std::flush;
  if (!json.empty()) write_document(json, compare_json(reports));
  return worst;
}

}  // namespace heddle
