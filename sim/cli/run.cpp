// SPDX-License-Identifier: Apache-2.0
// The commands that simulate: run and compare.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <optional>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/simulate.h"
#include "config/mechanisms.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

void add_job_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  options.add_options()
      ("engine", text("NAME"), "systemc (twins), rtl (Verilated), cosim (both, compared in every cycle); default systemc");
  add_input_options(options);
  options.add_options()
      ("no-check", "leave out the per-thread reference interpreter (faster)")
      ("max-cycles", text("N"), "stop a launch after N cycles")
      ("json", text("FILE"), "write everything as JSON ('-': standard output, and nothing else there)")
      ("mismatch-wave", text("FILE"), "cosim: last 200 cycles before a mismatch; default heddle-mismatch.fst")
      ("quiet", "print errors only");
}

Job make_job(const ParsedLine& line, const std::string& name) {
  Job job;
  static_cast<Input&>(job) = read_input(line, name);
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

Config job_config(const ParsedLine& line, const std::string& mechanism, const char* origin, const std::string& preset = "") {
  ConfigBuilder builder = read_config(line, preset);
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
    const std::string name = list.substr(begin, comma - begin);
    if (name.empty()) throw bad_input("option", "--mechanisms " + list + ": a name is missing; write them as in spe,dpe");
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw bad_input("option", "--mechanisms " + list + ": " + name + " stands twice; name it once");
    }
    names.push_back(name);
    begin = comma + 1;
  }
  return names;
}

// Without --mechanisms: all that the chosen machine can be built with (the barrel core needs one scheduler, for example).
std::vector<std::string> compared_mechanisms(const ParsedLine& line) {
  if (line.has("mechanisms")) return split_names(line.text("mechanisms"));
  std::vector<std::string> names;
  std::optional<Error> refusal;
  for (const MechanismInfo& mechanism : mechanisms()) {
    try {
      static_cast<void>(job_config(line, mechanism.name, "--mechanisms"));
      names.emplace_back(mechanism.name);
    } catch (const Error& error) {
      if (!refusal) refusal = error;
    }
  }
  if (names.empty()) throw Error(*refusal);
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
  line.options.add_options()("mechanisms", po::value<std::string>()->value_name("LIST"), "mechanisms, separated by commas; default all that fit the machine");
  const ParsedLine parsed = parse_line(line, arguments);
  if (parsed.help) return ExitStatus::kPass;
  const std::string json = parsed.text("json");
  check_json_path(json);
  const std::vector<std::string> compared = compared_mechanisms(parsed);
  std::string preset;  // one machine for all rows
  if (parsed.has("mechanisms")) {
    for (const std::string& mechanism : compared) preset = preset.empty() ? preset_of_mechanism(mechanism) : preset;
  }
  std::vector<Job> jobs;
  for (const std::string& name : parsed.words) {
    for (const std::string& mechanism : compared) {
      jobs.push_back(make_job(parsed, name));
      jobs.back().config = job_config(parsed, mechanism, "--mechanisms", preset);
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
