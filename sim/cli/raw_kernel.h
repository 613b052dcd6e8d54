// SPDX-License-Identifier: Apache-2.0
// A kernel of an ELF run without a host program: grid, block, arguments and expected results come from the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/device_interface.h"
#include "heddle/error.h"
#include "heddle/parameter.h"

namespace heddle {

class Program;
struct Kernel;

// Texts as on the command line.
struct RawLaunch {
  std::string kernel, grid = "1", block = "1";
  std::vector<std::string> arguments;   // --arg
  std::vector<std::string> expected;    // --expect
  bool quiet = false;                   // no notes
};

class RawKernel {
 public:
  // Input files are read here, as far as a heap of that size can hold them. Throws Error(option) naming the option.
  RawKernel(RawLaunch launch, std::uint64_t heap_bytes);

  // Names of the files that write_results() will write.
  [[nodiscard]] std::vector<std::string> outputs() const;
  // There is something to compare outputs with.
  [[nodiscard]] bool checked() const { return !expected_.empty(); }

  // Chooses the kernel and checks the arguments against its parameters. With no kernel named, the program must have just one.
  // Throws Error(kernel) or Error(argument).
  void prepare(const Program& program);
  // Allocates and fills buffers, launches, reads the output buffers back. After prepare().
  void run(DeviceInterface& device);
  void write_results() const;
  // Throws Error(result) at the first difference from what is expected.
  void check_results() const;

 private:
  struct Argument {
    enum class Kind { kInteger, kFloat, kAddress, kBuffer };
    std::string text;
    Kind kind = Kind::kInteger;
    std::int64_t number = 0;   // kInteger
    std::uint32_t word = 0;    // what is passed; of a buffer after its allocation
  };
  struct Buffer {
    std::string content;
    std::string output;     // file to write, or empty
    std::size_t argument;   // index of the argument that holds its address
    Address address = 0;
  };
  struct Expected {
    std::size_t buffer;
    std::string file, content;
  };

  void parse_argument(const std::string& text);
  void parse_expected(const std::string& text);
  void add_buffer(const std::string& argument, std::string content, const std::string& output);
  [[nodiscard]] std::string read_input(const std::string& path, const std::string& argument) const;
  [[nodiscard]] std::string zeros(const std::string& bytes, const std::string& argument) const;
  [[nodiscard]] Error no_room(const std::string& argument) const;
  void check_arguments(const std::string& kernel, const std::vector<Parameter>& parameters);

  RawLaunch launch_;
  Dim3 grid_, block_;
  std::uint64_t heap_bytes_, heap_left_;
  std::vector<Argument> arguments_;
  std::vector<Buffer> buffers_;
  std::vector<Expected> expected_;
};

}  // namespace heddle
