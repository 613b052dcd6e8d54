// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "config/nearest.h"
#include "heddle/error.h"
#include "workloads/workload.h"

namespace heddle {

// One line per workload; each is defined in the file of its name.
WorkloadInfo figure6_workload();
WorkloadInfo bfs_workload();
WorkloadInfo lud_workload();
WorkloadInfo qsort_workload();
WorkloadInfo qsort_blocks_workload();
WorkloadInfo stencil3d_workload();
WorkloadInfo bitonic_workload();
WorkloadInfo mandelbrot_workload();
WorkloadInfo reduce_workload();
WorkloadInfo collatz_workload();
WorkloadInfo viterbi_workload();
WorkloadInfo lbm_workload();
WorkloadInfo blackscholes_workload();
WorkloadInfo fft_workload();
WorkloadInfo lu_workload();
WorkloadInfo matmul_workload();
WorkloadInfo evenodd_workload();
WorkloadInfo ifelse_workload();
WorkloadInfo heartwall_workload();
WorkloadInfo hotspot_workload();
WorkloadInfo mcx_workload();
WorkloadInfo mum_workload();
WorkloadInfo nqueen_workload();
WorkloadInfo particlefilter_workload();
WorkloadInfo ray_workload();
WorkloadInfo lps_workload();
WorkloadInfo mcml_workload();
WorkloadInfo dxtc_workload();
WorkloadInfo bfs2_workload();
WorkloadInfo pathfinder_workload();
WorkloadInfo nw_workload();
WorkloadInfo backprop_workload();
WorkloadInfo spin_workload();
WorkloadInfo alu_workload();

const std::vector<WorkloadInfo>& workloads() {
  static const std::vector<WorkloadInfo> all = {
      figure6_workload(),      bfs_workload(),        lud_workload(),       qsort_workload(),
      qsort_blocks_workload(), stencil3d_workload(),  bitonic_workload(),   mandelbrot_workload(),
      reduce_workload(),       collatz_workload(),    viterbi_workload(),   lbm_workload(),
      blackscholes_workload(), fft_workload(),        lu_workload(),        matmul_workload(),
      evenodd_workload(),      ifelse_workload(),     heartwall_workload(), hotspot_workload(),
      mcx_workload(),          mum_workload(),        nqueen_workload(),    particlefilter_workload(),
      ray_workload(),          lps_workload(),        mcml_workload(),      dxtc_workload(),
      bfs2_workload(),         pathfinder_workload(), nw_workload(),        backprop_workload(),
      spin_workload(),         alu_workload(),
  };
  return all;
}

namespace {

template <typename Range>
std::vector<std::string> names_of(const Range& range) {
  std::vector<std::string> names;
  for (const auto& item : range) names.emplace_back(item.name);
  return names;
}

std::uint32_t parse_value(const std::string& workload, const ParameterInfo& info, const std::string& text) {
  std::uint32_t value = 0;
  if (!info.choices.empty()) {
    for (; value < info.choices.size(); ++value) {
      if (text == info.choices[value]) return value;
    }
    throw bad_input("option", fmt::format("parameter {} of workload {} is '{}': choose {}", info.name, workload, text,
                                          info.allowed()));
  }
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool number = error == std::errc{} && end == text.data() + text.size() && !text.empty();
  const bool shape = value % info.multiple_of == 0 && (!info.power_of_two || (value & (value - 1)) == 0);
  if (number && value >= info.min && value <= info.max && shape) return value;
  throw bad_input("option", fmt::format("parameter {} of workload {} is '{}': give a whole number in {}", info.name,
                                        workload, text, info.allowed()));
}

}  // namespace

std::string ParameterInfo::allowed() const {
  std::string result;
  for (const char* name : choices) result += (result.empty() ? "" : " or ") + std::string(name);
  if (!choices.empty()) return result;
  result = fmt::format("{}..{}", min, max);
  if (multiple_of > 1) result += fmt::format(", a multiple of {}", multiple_of);
  if (power_of_two) result += ", a power of two";
  return result;
}

ParameterInfo choice(const char* name, const char* summary, std::vector<const char*> choices) {
  const auto last = static_cast<std::uint32_t>(choices.size() - 1);
  return {name, summary, 0, 0, 0, 0, last, 1, false, std::move(choices)};
}

const std::vector<std::string>& workload_sizes() {
  static const std::vector<std::string> sizes = {"small", "default", "large", "paper"};
  return sizes;
}

const WorkloadInfo& find_workload(const std::string& name) {
  for (const WorkloadInfo& info : workloads()) {
    if (name == info.name) return info;
  }
  const std::vector<std::string> names = names_of(workloads());
  throw bad_input("workload", fmt::format("no workload is named '{}': choose one of {}{}", name, fmt::join(names, " "),
                                          did_you_mean(name, names)));
}

Settings resolve_settings(const WorkloadInfo& info, const WorkloadOptions& options) {
  std::uint32_t ParameterInfo::*value_of_size = nullptr;
  if (options.size == "small") value_of_size = &ParameterInfo::small_value;
  if (options.size == "default") value_of_size = &ParameterInfo::default_value;
  const bool paper = options.size == "paper" && !info.paper.empty();
  if (options.size == "large" || paper) value_of_size = &ParameterInfo::large_value;
  if (value_of_size == nullptr) {
    std::vector<std::string> sizes = {"small", "default", "large"};
    if (!info.paper.empty()) sizes.emplace_back("paper");
    throw bad_input("option", fmt::format("size of workload {} is '{}': choose small, default{}{}", info.name,
                                          options.size, info.paper.empty() ? " or large" : ", large or paper",
                                          did_you_mean(options.size, sizes)));
  }
  std::map<std::string, std::uint32_t> values;
  for (const ParameterInfo& parameter : info.parameters) values[parameter.name] = parameter.*value_of_size;
  if (paper) {
    for (const auto& [name, value] : info.paper) values.at(name) = value;
  }
  for (const auto& [name, text] : options.parameters) {
    const ParameterInfo* found = nullptr;
    for (const ParameterInfo& parameter : info.parameters) {
      if (name == parameter.name) found = &parameter;
    }
    if (found == nullptr) {
      const std::vector<std::string> names = names_of(info.parameters);
      throw bad_input("option", fmt::format("workload {} has no parameter '{}': it has {}{}", info.name, name,
                                            fmt::join(names, " "), did_you_mean(name, names)));
    }
    values[name] = parse_value(info.name, *found, text);
  }
  return Settings(info.name, options.seed, std::move(values));
}

std::unique_ptr<Workload> make_workload(const std::string& name, const WorkloadOptions& options) {
  const WorkloadInfo& info = find_workload(name);
  return info.make(resolve_settings(info, options));
}

std::string program_path() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

std::string kernel_directory() {
  if (const char* directory = std::getenv("HEDDLE_KERNELS"); directory != nullptr && *directory != '\0')
    return directory;
  return (std::filesystem::path(program_path()).parent_path().parent_path() / "share" / "heddle" / "kernels").string();
}

std::string Workload::elf(const std::string& form) const {
  const std::filesystem::path path =
      std::filesystem::path(kernel_directory()) / (settings_.workload() + (form.empty() ? "" : "." + form) + ".elf");
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) {
    throw bad_input(
        "elf",
        fmt::format(
            "{}: the kernel of workload {} is not there; build it ('scripts/build run heddle_kernels' makes all), "
            "or set HEDDLE_KERNELS to the folder of the kernels' ELFs",
            path.string(), settings_.workload()));
  }
  return path.string();
}

}  // namespace heddle
