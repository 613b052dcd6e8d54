// SPDX-License-Identifier: Apache-2.0
// Kernels of an ELF run without a host program: grids, blocks, arguments and expected results come from the command
// line and a list of launches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/device_interface.h"
#include "heddle/error.h"
#include "heddle/parameter.h"

namespace heddle {

class OutputFailures;
class Program;
struct Kernel;

// Texts as on the command line.
struct RawLaunch {
  std::string kernel, grid = "1", block = "1";
  std::vector<std::string> arguments;  // --arg
  std::string shared;                  // --shared
  std::string script;                  // --launches, instead of what stands above
  std::vector<std::string> symbols;    // --symbol
  std::vector<std::string> expected;   // --expect
  bool quiet = false;                  // no notes
};

class RawKernel {
 public:
  // Input files are read here, as far as a heap of that size can hold them. Throws Error(option) naming the option.
  RawKernel(RawLaunch launch, std::uint64_t heap_bytes);

  // Names of the files that write_results() will write.
  [[nodiscard]] std::vector<std::string> outputs() const;
  // There is something to compare outputs with.
  [[nodiscard]] bool checked() const { return !expected_.empty(); }

  // Chooses the kernels and checks the arguments against their parameters, and finds the variables. With no kernel
  // named, the program must have just one. Throws Error(kernel), Error(argument) or Error(symbol).
  void prepare(const Program& program);
  // Allocates and fills buffers and variables, launches, reads the output buffers back. After prepare().
  void run(DeviceInterface& device);
  // Every output buffer to its file, whatever becomes of the others.
  void write_results(OutputFailures& failures) const;
  // Throws Error(result) at the first difference from what is expected.
  void check_results() const;

 private:
  __extension__ using Number = __int128;  // any of 64 bits, with a sign or without
  struct Argument {
    enum class Kind { kInteger, kFloat, kAddress, kBuffer };
    std::string place;  // what messages call it: "--arg u32:7"
    Kind kind = Kind::kInteger;
    Number number = 0;       // kInteger, kAddress
    std::uint64_t word = 0;  // what is passed, unless kBuffer
    std::size_t buffer = 0;  // kBuffer
    bool is_long = false;    // u64, i64, f64
  };
  struct Buffer {
    std::string content;
    std::string output;  // file to write, or empty
    Address address = 0;
  };
  struct Step {
    std::string kernel;
    Dim3 grid, block;
    std::uint32_t shared = 0;
    std::vector<Argument> arguments;
    std::string place;   // before messages about all of it: "FILE:LINE: "
    const char* option;  // before an argument in messages: "--arg "
  };
  struct Symbol {
    std::string place, name, content;
    Address address = 0;
  };
  struct Expected {
    std::size_t buffer;
    std::string file, content;
  };

  void read_script();
  [[nodiscard]] Argument parse_argument(const std::string& text, const std::string& place);
  void parse_expected(const std::string& text);
  void parse_symbol(const std::string& text);
  [[nodiscard]] Argument add_buffer(const std::string& place, std::string content, const std::string& output);
  [[nodiscard]] std::string read_input(const std::string& path, const std::string& place) const;
  [[nodiscard]] std::string zeros(const std::string& bytes, const std::string& place) const;
  [[nodiscard]] Error no_room(const std::string& place) const;
  void check_width(Step& step, const Program& program, bool typed) const;
  void check_arguments(Step& step, const std::string& kernel, const std::vector<Parameter>& parameters,
                       unsigned register_bits) const;
  void find_symbol(const Program& program, Symbol& symbol) const;

  RawLaunch launch_;
  std::uint64_t heap_bytes_, heap_left_;
  std::vector<Step> steps_;
  std::vector<std::size_t> order_;  // of the steps
  std::vector<Buffer> buffers_;
  std::vector<Symbol> symbols_;
  std::vector<Expected> expected_;
};

}  // namespace heddle
