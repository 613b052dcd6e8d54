// SPDX-License-Identifier: Apache-2.0
// A kernel of an ELF run without a host program: grid, block and arguments come from the command line.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "heddle/device_interface.h"

namespace heddle {

class OutputFailures;
class Program;

class RawKernel {
 public:
  // Texts as on the command line; input files are read here. Throws Error(option) naming the option.
  RawKernel(std::string kernel, const std::string& grid, const std::string& block, const std::vector<std::string>& arguments);

  // Names of the files that write_results() will write.
  [[nodiscard]] std::vector<std::string> outputs() const;
  // Allocates and fills buffers, launches, reads the output buffers back. With no kernel named, the program must have just one.
  void run(DeviceInterface& device, const Program& program);
  // Every output buffer to its file, whatever becomes of the others.
  void write_results(OutputFailures& failures) const;

 private:
  struct Buffer {
    std::vector<std::uint8_t> content;
    std::string output;     // file to write, or empty
    std::size_t argument;   // index of the argument that holds its address
    Address address = 0;
  };

  void parse_argument(const std::string& text);

  std::string kernel_;
  Dim3 grid_, block_;
  std::vector<std::uint32_t> arguments_;
  std::uint32_t float_mask_ = 0;
  std::vector<Buffer> buffers_;
};

}  // namespace heddle
