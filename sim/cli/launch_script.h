// SPDX-License-Identifier: Apache-2.0
// Launches of a kernel file, one after the other, as a text file lists them: `buffer NAME KIND:...`, `launch KERNEL
// GRID BLOCK ARGUMENT...`, `repeat N` ... `end`, comments from '#' on (docs/cli.md).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace heddle {

struct LaunchScript {
  struct Buffer {
    std::string name, text;
    std::string place;  // "FILE:LINE", for messages
  };
  struct Launch {
    std::string kernel, grid, block;
    std::string shared;  // bytes of dynamic shared memory; empty: none
    std::vector<std::string> arguments;
    std::string place;
  };
  std::vector<Buffer> buffers;
  std::vector<Launch> launches;
  std::vector<std::size_t> order;  // which of them run, repeats unrolled
};

// Throws Error(option) naming file and line.
[[nodiscard]] LaunchScript read_launch_script(const std::string& path);

}  // namespace heddle
