// SPDX-License-Identifier: Apache-2.0
#include "cli/simulate.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <iostream>
#include <new>
#include <optional>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/signals.h"
#include "config/nearest.h"
#include "heddle/error.h"
#include "isa/program.h"
#include "mechanisms/mechanism.h"
#include "program/loader.h"
#include "report/html_report.h"
#include "timeline/draw.h"
#include "wave/gtkw.h"
#include "wave/wave.h"

namespace heddle {
namespace {

// Forwards to the device and notes what was launched and how long it took.
class NotedDevice final : public DeviceInterface {
 public:
  explicit NotedDevice(Device& device) : device_(device) {}
  Address allocate(std::uint64_t bytes) override {
    check_stop("between two launches");
    return device_.allocate(bytes);
  }
  void write(Address destination, const void* source, std::uint64_t bytes) override {
    check_stop("between two launches");
    device_.write(destination, source, bytes);
  }
  void read(Address source, void* destination, std::uint64_t bytes) override {
    check_stop("between two launches");
    device_.read(source, destination, bytes);
  }
  void launch(const std::string& kernel, Dim3 grid, Dim3 block, const std::vector<std::uint64_t>& arguments,
              std::uint32_t float_mask, std::uint32_t dynamic_shared) override {
    notes_.push_back({kernel, {grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, {}});
    const Stopwatch stopwatch(seconds_);
    device_.launch(kernel, grid, block, arguments, float_mask, dynamic_shared);
  }

  // Launches with their statistics, the one that was stopped by an error included.
  [[nodiscard]] std::vector<LaunchReport> take_notes() {
    const std::vector<Stats>& each = device_.launches();
    notes_.resize(std::min(notes_.size(), each.size()));  // the last may not have begun
    for (std::size_t i = 0; i < notes_.size(); ++i) notes_[i].stats = each[i];
    return std::move(notes_);
  }
  [[nodiscard]] double seconds() const { return seconds_; }

 private:
  // Adds the time of its life, however it ends.
  class Stopwatch {
   public:
    explicit Stopwatch(double& sum) : sum_(sum) {}
    ~Stopwatch() { sum_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

   private:
    double& sum_;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  };

  Device& device_;
  std::vector<LaunchReport> notes_;
  double seconds_ = 0;
};

// The task, after all that can be known to be wrong before it runs.
Task checked_task(const Job& job) {
  Task task = make_task(job, job.config);
  std::vector<NamedOutput> outputs = {{"--json", job.json},
                                      {"--report", job.html},
                                      {"--wave", job.wave},
                                      {"--timeline", job.timeline},
                                      {"--mismatch-wave", job.mismatch_wave, job.mismatch_wave_asked}};
  if (!job.html.empty()) check_html_path(job.html);
  if (!job.timeline.empty()) check_timeline_path(job.timeline);
  if (!job.wave.empty()) check_wave_path(job.wave);
  if (job.mismatch_wave_asked) check_wave_path(job.mismatch_wave);
  if (!job.wave.empty()) {
    const GtkwFiles beside = gtkw_files(job.wave);
    for (const std::string& file : {beside.save, beside.pc_filter, beside.stall_filter})
      outputs.push_back({"--wave " + job.wave + ", with", file});
  }
  outputs.insert(outputs.end(), task.outputs.begin(), task.outputs.end());
  check_outputs(outputs);
  return task;
}

}  // namespace

void check_job(const Job& job) {
  const Task task = checked_task(job);
  task.prepare(load_program(task.elf));
}

std::vector<std::string> engine_names() {
  return {engine_name(Engine::kSystemC), engine_name(Engine::kRtl), engine_name(Engine::kCosim)};
}

Engine parse_engine(const std::string& name) {
  if (const std::optional<Engine> engine = find_engine(name)) return *engine;
  throw bad_input("option", "--engine " + name + ": there is no such engine; choose systemc, rtl or cosim" +
                                did_you_mean(name, engine_names()));
}

RunReport simulate(const Job& job) {
  check_stop("before " + job.name + " was loaded");
  const Task task = checked_task(job);
  std::optional<Timeline> timeline;
  if (!job.timeline.empty()) timeline.emplace(job.window_start, job.window_end, timeline_issues(job.timeline));
  if (job.recorded != nullptr) timeline.emplace(job.window_start, job.window_end, kSvgIssues, /*keep_stacks=*/true);
  std::optional<Progress> progress;
  if (job.progress) progress.emplace(job.name + " on " + job.config.mechanism);

  Device device(job.config, job.engine);
  device.load(task.elf);
  device.set_stop_flag(&stop_flag());
  device.set_host_threads(job.host_threads);
  task.prepare(device.program());
  if (timeline) device.add_observer(*timeline);
  if (progress) device.add_observer(*progress);
  LaneLoss lanes;
  if (!job.html.empty()) device.add_observer(lanes);
  if (job.observer != nullptr) device.add_observer(*job.observer);
  if (!job.wave.empty()) device.set_trace({job.wave, job.window_start, job.window_end});
  if (!job.mismatch_wave.empty()) device.set_mismatch_wave(job.mismatch_wave);
  if (job.text_to_stderr) device.set_text_output(std::cerr);

  RunReport report;
  report.workload = job.name;
  report.linearize = job.linearize;
  report.engine = engine_name(job.engine);
  report.checked = task.checked;
  report.config = job.config;
  NotedDevice noted(device);
  OutputFailures failures;
  try {
    task.run(noted, device.program());
    task.write_outputs(failures);
    check_stop("before the result was checked");
    task.finish();
    check_exits(device.stats().exits, device.program());
  } catch (const Error& error) {
    report.set_error(name_signal(error));
  } catch (const std::bad_alloc&) {
    report.set_error(out_of_memory());
  }
  if (progress) progress->clear();
  report.launches = noted.take_notes();
  for (const LaunchReport& launch : report.launches) report.kernels[launch.kernel].add(launch.stats);
  report.fill(device.stats(), device.launch_count(), device.program());
  report.host.wall_seconds = noted.seconds();
  if (job.recorded != nullptr)
    *job.recorded = record_run(source_name(job.name), *timeline, device.program(), job.config);
  if (!job.timeline.empty())
    failures.attempt([&] {
      write_file(job.timeline,
                 draw_timeline(job.timeline, source_name(job.name), *timeline, device.program(), job.config));
    });
  if (!job.html.empty()) failures.attempt([&] { write_file(job.html, run_html(report, lanes, device.program())); });
  failures.attempt([&] { device.finish_trace(); });
  report.add_output_errors(failures.lines());
  return report;
}

}  // namespace heddle
