// SPDX-License-Identifier: Apache-2.0
// What a command writes: files that are known to be writable, each under a name of its own, before a long run begins;
// and standard output, whose failures are noticed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "heddle/error.h"
#include "output/output_file.h"

namespace heddle {

struct NamedOutput {
  std::string option;  // that asks for it, for messages
  std::string path;    // empty or "-": no file
  bool asked = true;   // else it may never be written, and need not be writable
};

// Throws Error(option) if two of them, however spelled or linked, are one file, or one is where standard output or
// standard error go; Error(output) if one could not be written. Leaves nothing behind. A device such as /dev/null may
// be named often.
void check_outputs(const std::vector<NamedOutput>& outputs);

// Writes a document to a file, or to standard output for "-". Throws Error(output).
void write_document(const std::string& path, const std::string& document);

// Makes std::cout remember why a write failed. A descriptor 0, 1 or 2 that is closed becomes one that fails, so that no
// file gets its number.
void open_standard_streams();

// Flushes std::cout; throws Error(output) if something of it was lost, once.
void check_stdout();

enum class Colour { kRed = 31, kGreen = 32, kYellow = 33 };
// The word in a colour, if the descriptor is a terminal that shows one and NO_COLOR is not set.
[[nodiscard]] std::string painted(int descriptor, Colour colour, const std::string& word);
// A summary or table for standard output, its verdicts painted.
[[nodiscard]] std::string paint_verdicts(const std::string& text);

// One line on standard error for each; the exit status.
[[nodiscard]] ExitStatus tell(const OutputFailures& failures);

}  // namespace heddle
