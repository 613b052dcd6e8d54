// SPDX-License-Identifier: Apache-2.0
#include "cli/input.h"

#include <filesystem>
#include <map>
#include <memory>

#include "cli/linearized.h"
#include "heddle/error.h"
#include "isa/program.h"
#include "mechanisms/mechanism.h"

namespace heddle {
namespace po = boost::program_options;
namespace {

constexpr const char* kWorkloadOptions[] = {"size", "seed", "param"};
constexpr const char* kKernelOptions[] = {"kernel", "grid", "block", "shared", "arg", "launches", "symbol", "expect"};

constexpr const char* kLaunchOptions[] = {"kernel", "grid", "block", "shared", "arg"};

// "name=value" pairs of --param.
std::map<std::string, std::string> parse_parameters(const std::vector<std::string>& assignments) {
  std::map<std::string, std::string> parameters;
  for (const std::string& assignment : assignments) {
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos)
      throw bad_input("option", "--param " + assignment + ": no '=' in it; write name=value");
    if (!parameters.emplace(assignment.substr(0, equals), assignment.substr(equals + 1)).second) {
      throw bad_input("option", "--param " + assignment + ": this parameter is set twice; set it once");
    }
  }
  return parameters;
}

}  // namespace

bool names_elf(const std::string& name) {
  return name.find('/') != std::string::npos || std::filesystem::path(name).extension() == ".elf";
}

std::vector<std::string> workload_names() {
  std::vector<std::string> names;
  for (const WorkloadInfo& workload : workloads()) names.emplace_back(workload.name);
  return names;
}

void add_input_options(po::options_description& options) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  const auto texts = [](const char* name) {
    return po::value<std::vector<std::string>>()->value_name(name)->composing();
  };
  options.add_options()(
      "size", text("NAME"),
      "workload: small, default, large, or paper (as many instructions as in the DPE paper, for its kernels)")(
      "seed", text("N"), "workload: seed of the input data; default 1")(
      "param", texts("NAME=VALUE"), "workload: one parameter; repeatable ('heddle list parameters')")(
      "kernel", text("NAME"), "ELF: the kernel to launch; may be left out if there is only one")(
      "grid", text("X,Y,Z"), "ELF: blocks of the grid; default 1")(
      "block", text("X,Y,Z"), "ELF: threads of a block; default 1")("shared", text("BYTES"),
                                                                    "ELF: dynamic shared memory of a block; default 0")(
      "arg", texts("KIND:VALUE"),
      "ELF: the arguments in order: u32:N i32:N f32:X addr:N in:FILE out:FILE:BYTES inout:FILE:OUT zero:BYTES")(
      "launches", text("FILE"), "ELF: a list of launches, instead of --kernel, --grid, --block, --shared and --arg")(
      "symbol", texts("NAME=FILE"), "ELF: content of a variable before the first launch; repeatable")(
      "expect", texts("FILE=EXPECTED"), "ELF: an output must be equal to the file EXPECTED, byte by byte; repeatable");
}

Input read_input(const ParsedLine& line, const std::string& name) {
  Input input;
  input.name = name;
  input.is_elf = names_elf(name);
  if (!input.is_elf) static_cast<void>(find_workload(name));  // a wrong name is told before anything runs
  for (const char* option : kWorkloadOptions) {
    if (input.is_elf && line.has(option)) {
      throw bad_input("option", std::string("--") + option + ": only for workloads; " + name + " is a kernel file");
    }
  }
  for (const char* option : kKernelOptions) {
    if (!input.is_elf && line.has(option)) {
      throw bad_input("option",
                      std::string("--") + option + ": only for kernel files; '" + name + "' names a workload");
    }
  }
  for (const char* option : kLaunchOptions) {
    if (line.has("launches") && line.has(option)) {
      throw bad_input("option", std::string("--") + option + ": not with --launches; " + line.text("launches") +
                                    " says what is launched");
    }
  }
  input.workload.size = line.text("size", input.workload.size);
  if (line.has("seed")) input.workload.seed = parse_count(line.text("seed"), "--seed");
  input.workload.parameters = parse_parameters(line.list("param"));
  RawLaunch& launch = input.launch;
  launch.kernel = line.text("kernel");
  launch.grid = line.text("grid", launch.grid);
  launch.block = line.text("block", launch.block);
  launch.arguments = line.list("arg");
  launch.shared = line.text("shared");
  launch.script = line.text("launches");
  launch.symbols = line.list("symbol");
  launch.expected = line.list("expect");
  launch.quiet = line.has("quiet");
  return input;
}

Task make_task(const Input& input, const Config& config) {
  if (input.is_elf) {
    auto kernel = std::make_shared<RawKernel>(input.launch, config.memory.heap_bytes);
    std::vector<NamedOutput> outputs;
    for (const std::string& path : kernel->outputs())
      outputs.push_back({input.launch.script.empty() ? "--arg" : "--launches " + input.launch.script + ", with", path});
    return {input.name,
            [kernel](const Program& program) { kernel->prepare(program); },
            [kernel](DeviceInterface& device, const Program&) { kernel->run(device); },
            [kernel] { kernel->check_results(); },
            kernel->checked(),
            outputs,
            [kernel](OutputFailures& failures) { kernel->write_results(failures); }};
  }
  const std::shared_ptr<Workload> workload = make_workload(input.name, input.workload);
  const std::string form = kernel_form(config);
  const std::string elf = input.linearize.empty() ? workload->elf(form)
                                                  : linearized_kernels().kernel(input.name, input.linearize, form).elf;
  return {elf,
          [](const Program&) {},
          [workload](DeviceInterface& device, const Program&) { workload->run(device); },
          [workload] { workload->check(); },
          true,
          {},
          [](OutputFailures&) {}};
}

}  // namespace heddle
