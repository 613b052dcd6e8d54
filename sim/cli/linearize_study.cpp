// SPDX-License-Identifier: Apache-2.0
#include "report/linearize_study.h"

#include <unistd.h>

#include <iostream>
#include <new>
#include <optional>

#include "cli/commands.h"
#include "cli/linearized.h"
#include "cli/output.h"
#include "cli/signals.h"
#include "cli/simulate.h"
#include "mechanisms/mechanism.h"
#include "program/loader.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

// Those of the paper's Table 1.
constexpr const char* kWorkloads[] = {"hotspot", "heartwall", "mcx", "mum", "nqueen", "particlefilter", "ray"};
constexpr const char* kMechanisms[] = {"spe", "dpe", "forkjoin"};
constexpr const char* kForms[] = {"", "0", "1", "2", "3"};

// Warp instructions that load from or store to global memory.
class GlobalAccesses final : public Observer {
 public:
  std::uint64_t loads = 0, stores = 0;
  void commit(const CommitEvent& event) override {
    if (event.address == nullptr || event.mask == 0 || event.instruction->is_atomic()) return;
    const Address address = event.address[__builtin_ctzll(event.mask)];
    if (address >= kShared && address < kBehindLocal) return;
    ++(event.instruction->is_load() ? loads : stores);
  }

 private:
  static constexpr Address kShared = 0x60000000,
                           kBehindLocal = 0x80000000;  // the windows of shared and local memory (docs/isa.md)
};

std::vector<unsigned> latencies_around(Config config, std::uint64_t runs) {
  const std::uint64_t values = perturbed_values(config);
  if (runs == 0 || runs > values) {
    throw bad_input("option", "--runs " + std::to_string(runs) + ": choose 1 to " + std::to_string(values) +
                                  ", the whole numbers within 5 % of " + perturbed_key(config) + " = " +
                                  std::to_string(perturbed_latency(config)));
  }
  return perturbed_latencies(config, runs);
}

LinearizeRun run_form(const Job& form, const std::vector<unsigned>& latencies) {
  LinearizeRun result;
  result.mechanism = form.config.mechanism;
  result.form = form.linearize;
  for (const unsigned latency : latencies) {
    Job job = form;
    GlobalAccesses accesses;
    job.observer = &accesses;
    perturbed_latency(job.config) = latency;
    const RunReport report = simulate(job);
    if (signal_status(report.error_code, report.status) != report.status)
      throw Error(report.status, report.error_code, report.error_message);
    if (!report.error_code.empty())
      print_error((report.workload + " on " + row_name(report) + ": " + report.error_message).c_str());
    result.passed = result.passed && report.status == ExitStatus::kPass;
    if (result.cycles.empty()) {
      result.instructions = report.stats.warp_instructions;
      result.loads = accesses.loads;
      result.stores = accesses.stores;
    }
    result.cycles.push_back(static_cast<double>(report.stats.cycles));
  }
  return result;
}

}  // namespace

CommandLine linearize_study_line() {
  CommandLine line{"linearize-study",
                   "[WORKLOAD...] [options]",
                   "What heddle-cc --linearize costs and gains, at each of its levels, beside the paper's Tables 1, 2 "
                   "and 4, with a verdict for each\n"
                   "claim. Without names: the paper's seven kernels.",
                   {},
                   0,
                   1000,
                   "a workload",
                   workload_names};
  add_config_options(line.options, false);
  line.options.add_options()("size", po::value<std::string>()->value_name("NAME"),
                             "small, default or large; default small")(
      "runs", po::value<std::string>()->value_name("N"),
      "runs each, memory.latency spread over 5 % to either side; default 5")(
      "json", po::value<std::string>()->value_name("FILE"),
      "write the figures as JSON ('-': standard output, and no table)");
  return line;
}

ExitStatus linearize_study_command(const ParsedLine& parsed) {
  const std::string json = parsed.text("json");
  check_outputs({{"--json", json}});
  LinearizeStudy study;
  study.size = parsed.text("size", "small");
  study.mechanisms.assign(std::begin(kMechanisms), std::end(kMechanisms));
  study.forms.assign(std::begin(kForms), std::end(kForms));
  std::vector<std::string> names = parsed.words;
  if (names.empty()) names.assign(std::begin(kWorkloads), std::end(kWorkloads));

  std::vector<Job> jobs;
  for (const std::string& name : names) {
    if (names_elf(name)) throw bad_input("option", name + ": a kernel file is one form already; name workloads");
    for (const std::string& mechanism : study.mechanisms) {
      ConfigBuilder builder = read_config(parsed);
      builder.set("mechanism", mechanism, "linearize-study");
      for (const std::string& form : study.forms) {
        Job job;
        job.name = name;
        job.workload.size = study.size;
        job.linearize = form;
        job.config = builder.build();
        job.progress = isatty(STDERR_FILENO) != 0;
        job.text_to_stderr = json == "-";
        check_job(job);
        jobs.push_back(job);
      }
    }
  }
  study.latencies =
      latencies_around(jobs.front().config, parsed.has("runs") ? parse_count(parsed.text("runs"), "--runs") : 5);

  const Stoppable stoppable;
  std::optional<Error> failure;  // what ended the study; the workloads before it stay
  bool right = true;
  try {
    for (std::size_t first = 0; first < jobs.size(); first += study.mechanisms.size() * study.forms.size()) {
      LinearizeResult result;
      result.workload = jobs[first].name;
      for (std::size_t f = 0; f < study.forms.size(); ++f) {
        const Job& job = jobs[first + f];
        result.code.push_back(code_figures(load_program(make_task(job, job.config).elf)));
        if (!job.linearize.empty())
          result.code.back().frame_accesses =
              linearized_kernels().kernel(job.name, job.linearize, kernel_form(job.config)).frame_accesses;
      }
      for (std::size_t i = 0; i < study.mechanisms.size() * study.forms.size(); ++i) {
        result.runs.push_back(run_form(jobs[first + i], study.latencies));
        right = right && result.runs.back().passed;
      }
      study.results.push_back(std::move(result));
    }
  } catch (const Error& error) {
    failure = name_signal(error);
  } catch (const std::bad_alloc&) {
    failure = out_of_memory();
  }
  if (failure) print_error(failure->what());
  OutputFailures failures;
  if (json != "-" && !study.results.empty()) std::cout << linearize_text(study);
  failures.attempt(check_stdout);
  if (!failure && !failures.lines().empty()) failure = bad_input("output", failures.lines().front());
  if (!failure && !right) failure = Error(ExitStatus::kWrongResult, "result", "a run was wrong");
  if (!json.empty())
    failures.attempt([&] { write_document(json, linearize_json(study, failure ? &*failure : nullptr)); });
  const ExitStatus written = tell(failures);
  return failure ? signal_status(failure->code(), std::max(failure->status(), written)) : written;
}

}  // namespace heddle
