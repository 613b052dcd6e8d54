// SPDX-License-Identifier: Apache-2.0
// Files the program writes: never half written, and known to be writable before a long run begins.
#pragma once

#include <string>

namespace heddle {

// Throws Error(output) if a file of that name could not be written; leaves nothing behind.
void check_writable(const std::string& path);

// Writes to "<path>.part" and renames. Throws Error(output).
void write_file(const std::string& path, const std::string& content);

}  // namespace heddle
