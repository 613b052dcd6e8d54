// SPDX-License-Identifier: Apache-2.0
// The commands that simulate: run and compare.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>
#include <utility>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/simulate.h"
#include "mechanisms/mechanism.h"
#include "report/html_report.h"
#include "timeline/draw.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

void add_job_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  options.add_options()("engine", text("NAME"),
                        "systemc (twins), rtl (Verilated), cosim (both, compared in every cycle); default systemc");
  add_input_options(options);
  options.add_options()("no-check", "leave out the per-thread reference interpreter (faster)")(
      "max-cycles", text("N"), "stop a launch after N cycles")(
      "threads", text("N"),
      "host threads that simulate several SMs (gpu.sms); default: as many as the host has; changes no count")(
      "json", text("FILE"), "write everything as JSON ('-': standard output, and nothing else there)")(
      "mismatch-wave", text("FILE"), "cosim: last 200 cycles before a mismatch; default heddle-mismatch.fst")(
      "quiet", "print errors only");
}

void add_window_options(po::options_description& options) {
  options.add_options()("wave-start", po::value<std::string>()->value_name("CYCLE"),
                        "first cycle of waveform and timeline; default 0")(
      "wave-end", po::value<std::string>()->value_name("CYCLE"),
      "last cycle of waveform and timeline; default the end");
}

void read_window(const ParsedLine& line, Job& job) {
  if (line.has("wave-start")) job.window_start = parse_count(line.text("wave-start"), "--wave-start");
  if (line.has("wave-end")) job.window_end = parse_count(line.text("wave-end"), "--wave-end");
  if (job.window_end < job.window_start)
    throw bad_input("option", "--wave-end " + line.text("wave-end") + ": lies before --wave-start");
}

Job make_job(const ParsedLine& line, const std::string& name) {
  Job job;
  static_cast<Input&>(job) = read_input(line, name);
  if (line.has("linearize") && job.is_elf)
    throw bad_input("option", "--linearize: only for workloads; compile " + name + " with heddle-cc --linearize");
  job.engine = parse_engine(line.text("engine", "systemc"));
  if (job.engine == Engine::kCosim) {
    job.mismatch_wave = line.text("mismatch-wave", "heddle-mismatch.fst");
    job.mismatch_wave_asked = line.has("mismatch-wave");
  } else if (line.has("mismatch-wave")) {
    throw bad_input("option", "--mismatch-wave: only with --engine cosim");
  }
  if (line.has("threads")) job.host_threads = host_threads(line.text("threads"), "--threads");
  job.json = line.text("json");
  job.text_to_stderr = job.json == "-";
  job.progress = !line.has("quiet") && isatty(STDERR_FILENO) != 0;
  return job;
}

Config job_config(const ParsedLine& line, const std::string& mechanism, const char* origin,
                  const std::string& preset = "") {
  ConfigBuilder builder = read_config(line, preset);
  if (!mechanism.empty()) builder.set("mechanism", mechanism, origin);
  if (line.has("no-check")) builder.set("run.oracle", "false", "--no-check");
  if (line.has("max-cycles")) builder.set("run.max_cycles", line.text("max-cycles"), "--max-cycles");
  return builder.build();
}

// What the commands have in common after their runs: the text, and what became of it. The document comes last: it can
// say that.
template <class Text>
void print_text(bool wanted, OutputFailures& failures, Text text) {
  if (wanted) std::cout << paint_verdicts(text());
  failures.attempt(check_stdout);
}

std::vector<std::string> split_names(const std::string& option, const std::string& list, const char* example) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t comma = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, comma - begin);
    if (name.empty())
      throw bad_input("option", option + " " + list + ": a name is missing; write them as in " + example);
    if (std::find(names.begin(), names.end(), name) != names.end()) {
      throw bad_input("option", option + " " + list + ": " + name + " stands twice; name it once");
    }
    names.push_back(name);
    begin = comma + 1;
  }
  return names;
}

// Without --mechanisms, or with `all`: all that the chosen machine can be built with (the barrel core needs
// one scheduler, for example) and the engine has.
std::vector<std::string> compared_mechanisms(const ParsedLine& line) {
  if (line.has("mechanisms") && line.text("mechanisms") != "all")
    return split_names("--mechanisms", line.text("mechanisms"), "spe,dpe");
  std::vector<std::string> names;
  std::optional<Error> refusal;
  const bool hardware = line.text("engine", "systemc") != "systemc";
  for (const Mechanism* mechanism : mechanisms()) {
    if (hardware && mechanism->kind == MechanismKind::kReference) continue;
    try {
      static_cast<void>(job_config(line, mechanism->name, "--mechanisms"));
      names.emplace_back(mechanism->name);
    } catch (const Error& error) {
      if (!refusal) refusal = error;
    }
  }
  if (names.empty()) throw Error(*refusal);
  return names;
}

void tell_errors(const RunReport& report, const std::string& prefix) {
  if (!report.error_code.empty()) print_error((prefix + report.error_message).c_str());
  for (const std::string& line : report.output_errors) {
    if (line != report.error_message) print_error((prefix + line).c_str());
  }
}

// Those of a workload once, whatever the number of its runs.
void tell_notes(const std::vector<RunReport>& reports) {
  std::string workload;
  for (const RunReport& report : reports) {
    if (report.workload == std::exchange(workload, report.workload)) continue;
    for (const std::string& note : report.notes) {
      std::cerr << "heddle: " << painted(STDERR_FILENO, Colour::kYellow, "note:") << " " << note << '\n';
    }
  }
}

// What is wrong with any of the rows is told before the first one runs.
void check_rows(const std::vector<Job>& jobs, std::size_t mechanisms) {
  for (std::size_t i = 0; i < jobs.size(); i += mechanisms) {
    if (jobs.size() > 1 && jobs[i].is_elf) {
      for (const NamedOutput& output : make_task(jobs[i], jobs[i].config).outputs) {
        throw bad_input("option",
                        output.option + " " + output.path + ": each of the " + std::to_string(jobs.size()) +
                            " runs would write this file; compare without out: and inout:, or use 'heddle run'");
      }
    }
    check_job(jobs[i]);
  }
}

void check_pictures(const ParsedLine& line, const std::string& page, const std::string& picture,
                    const std::string& json) {
  if (line.has("perturb") && !(page.empty() && picture.empty()))
    throw bad_input("option", "--perturb: not with --report or --timeline, which show one run of each mechanism");
  if (!page.empty()) check_html_path(page);
  if (!picture.empty()) check_timeline_path(picture);
  if (!picture.empty() && timeline_issues(picture) != kSvgIssues)
    throw bad_input("option", "--timeline " + picture + ": a comparison is a picture, .svg; rename it");
  check_outputs({{"--json", json}, {"--report", page}, {"--timeline", picture}});
}

// Without --perturb the latency alone.
std::vector<unsigned> memory_latencies(const ParsedLine& line, Config config) {
  if (!line.has("perturb")) return perturbed_latencies(config, 1);
  const std::string option = "--perturb " + line.text("perturb");
  const std::uint64_t runs = parse_count(line.text("perturb"), "--perturb"), values = perturbed_values(config);
  if (runs < 2) throw bad_input("option", option + ": a spread needs at least 2 runs");
  if (runs > values) {
    throw bad_input("option",
                    option + ": there " +
                        (values == 1 ? "is 1 whole number" : "are " + std::to_string(values) + " whole numbers") +
                        " within 5 % of " + perturbed_key(config) + " = " + std::to_string(perturbed_latency(config)) +
                        "; lower --perturb or raise the latency");
  }
  return perturbed_latencies(config, runs);
}

// Each row has a wave of its own: "heddle-mismatch-2.fst".
void number_wave(std::string& path, std::size_t row) {
  if (path.empty()) return;
  const std::filesystem::path wave = path;
  path = (wave.parent_path() / (wave.stem().string() + "-" + std::to_string(row) + wave.extension().string())).string();
}

// A row that cannot even begin is a row, too: those before it stay.
RunReport simulate_row(const Job& job) {
  RunReport report;
  try {
    return simulate(job);
  } catch (const Error& error) {
    report.set_error(name_signal(error));
  } catch (const std::bad_alloc&) {
    report.set_error(out_of_memory());
  }
  report.workload = job.name;
  report.linearize = job.linearize;
  report.engine = engine_name(job.engine);
  report.config = job.config;
  return report;
}

}  // namespace

CommandLine run_line() {
  CommandLine line{"run",
                   "WORKLOAD|KERNEL.elf [options]",
                   "Runs one workload or kernel with one mechanism, checks the result and prints a summary.",
                   {},
                   1,
                   1,
                   "the workload or kernel file",
                   workload_names};
  add_config_options(line.options, true);
  add_job_options(line.options);
  line.options.add_options()("linearize", po::value<std::string>()->value_name("LIST"),
                             "workload: compile its kernel anew with heddle-cc --linearize=LIST")(
      "report", po::value<std::string>()->value_name("FILE"),
      "a page (.html): lanes lost by each branch, depth of the stack, annotated source")(
      "wave", po::value<std::string>()->value_name("FILE"),
      "waveform, .fst or .vcd; a .gtkw and filters for GTKWave come beside it")(
      "timeline", po::value<std::string>()->value_name("FILE"),
      "which path of which warp issued when: .svg picture, or .json for Perfetto");
  add_window_options(line.options);
  return line;
}

ExitStatus run_command(const ParsedLine& parsed) {
  Job job = make_job(parsed, parsed.words[0]);
  job.linearize = parsed.text("linearize");
  job.config = job_config(parsed, "", "");
  job.wave = parsed.text("wave");
  job.timeline = parsed.text("timeline");
  job.html = parsed.text("report");
  read_window(parsed, job);
  const std::string& json = job.json;
  const Stoppable stoppable;

  RunReport report = simulate(job);
  OutputFailures failures;
  print_text(json != "-" && !parsed.has("quiet") && report.stats.cycles != 0, failures,
             [&] { return run_summary(report); });
  report.add_output_errors(failures.lines());
  if (!parsed.has("quiet")) tell_notes({report});
  tell_errors(report, "");
  failures = {};
  if (!json.empty()) failures.attempt([&] { write_document(json, run_json(report)); });
  return signal_status(report.error_code, std::max(report.exit_status(), tell(failures)));
}

CommandLine compare_line() {
  CommandLine line{
      "compare",
      "WORKLOAD... [--mechanisms NAME,NAME,...] [options]",
      "Runs each workload with each mechanism and prints one table; speed-up is against the first mechanism.\n"
      "The exit status is the greatest of the runs.",
      {},
      1,
      1000,
      "a workload",
      workload_names};
  add_config_options(line.options, false);
  add_job_options(line.options);
  line.options.add_options()("mechanisms", po::value<std::string>()->value_name("LIST"),
                             "mechanisms, separated by commas; default 'all': those that fit the machine")(
      "linearize", po::value<std::string>()->value_name("LIST"),
      "more rows with the kernel compiled anew by heddle-cc --linearize: 0,3 or 3+merge-loops,...")(
      "perturb", po::value<std::string>()->value_name("N"),
      "N runs each, memory.latency (with memory.kind=hierarchy dram.controller) spread over 5 % to either side: mean "
      "and spread of the speed-up")(
      "report", po::value<std::string>()->value_name("FILE"),
      "a page (.html): the mechanisms side by side, step by step with a slider: where each thread of a warp stands")(
      "timeline", po::value<std::string>()->value_name("FILE"),
      "a picture (.svg): the timelines of all runs under each other");
  add_window_options(line.options);
  return line;
}

ExitStatus compare_command(const ParsedLine& parsed) {
  const std::string json = parsed.text("json");
  const std::vector<std::string> compared = compared_mechanisms(parsed);
  std::string preset;  // one machine for all rows
  if (parsed.has("mechanisms")) {
    for (const std::string& mechanism : compared) preset = preset.empty() ? preset_of_mechanism(mechanism) : preset;
  }
  std::vector<std::string> forms = {""};  // of the kernel; the first is the one that was built
  if (parsed.has("linearize")) {
    for (std::string form : split_names("--linearize", parsed.text("linearize"), "0,3")) {
      std::replace(form.begin(), form.end(), '+', ',');
      forms.push_back(form);
    }
  }
  std::vector<Job> jobs;
  std::size_t each = 1;  // runs of a workload, mechanism and form
  for (const std::string& name : parsed.words) {
    for (const std::string& mechanism : compared) {
      const Config config = job_config(parsed, mechanism, "--mechanisms", preset);
      const std::vector<unsigned> latencies = memory_latencies(parsed, config);
      each = latencies.size();
      for (const std::string& form : forms) {
        for (const unsigned latency : latencies) {
          jobs.push_back(make_job(parsed, name));
          jobs.back().linearize = form;
          jobs.back().config = config;
          perturbed_latency(jobs.back().config) = latency;
          check_config(jobs.back().config);
          number_wave(jobs.back().mismatch_wave, jobs.size());
          read_window(parsed, jobs.back());
        }
      }
    }
  }

  const std::string page = parsed.text("report"), picture = parsed.text("timeline");
  check_pictures(parsed, page, picture, json);
  std::vector<RecordedRun> recorded(page.empty() && picture.empty() ? 0 : jobs.size());
  for (std::size_t i = 0; i < recorded.size(); ++i) jobs[i].recorded = &recorded[i];
  check_rows(jobs, compared.size() * forms.size() * each);
  for (const Job& job : jobs) {
    if (!job.linearize.empty())
      static_cast<void>(make_task(job, job.config));  // the kernels are compiled before the first run
  }

  const Stoppable stoppable;
  std::vector<RunReport> reports;
  std::optional<Error> failure;  // what ended the comparison, or became of its text
  ExitStatus worst = ExitStatus::kPass;
  for (const Job& job : jobs) {
    reports.push_back(simulate_row(job));
    const RunReport& report = reports.back();
    worst = std::max(worst, report.exit_status());
    Config config = report.config;
    const std::string latency =
        each == 1 ? ""
                  : std::string(", ") + perturbed_key(job.config) + " " + std::to_string(perturbed_latency(config));
    tell_errors(report, report.workload + " on " + row_name(report) + latency + ": ");
    if (signal_status(report.error_code, report.status) == report.status) continue;
    worst = signal_status(report.error_code, report.status);
    failure = Error(report.status, report.error_code, report.error_message);
    break;
  }
  OutputFailures failures;
  print_text(json != "-" && !parsed.has("quiet"), failures,
             [&] { return each == 1 ? compare_table(reports) : perturbed_table(reports, each); });
  if (!parsed.has("quiet")) tell_notes(reports);
  worst = std::max(worst, tell(failures));
  if (!failure && !failures.lines().empty()) failure = bad_input("output", failures.lines().front());
  failures = {};
  if (!page.empty()) failures.attempt([&] { write_file(page, side_by_side_page(reports, recorded)); });
  if (!picture.empty()) failures.attempt([&] { write_file(picture, stacked_pictures(recorded)); });
  if (!failure && !failures.lines().empty()) failure = bad_input("output", failures.lines().front());
  if (!json.empty())
    failures.attempt([&] { write_document(json, compare_json(reports, failure ? &*failure : nullptr, each)); });
  return std::max(worst, tell(failures));
}

}  // namespace heddle
