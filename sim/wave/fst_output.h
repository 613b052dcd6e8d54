// SPDX-License-Identifier: Apache-2.0
// Where the next FST writer of this thread puts its bytes.
#pragma once

namespace heddle {

class OutputFile;

// While it lives, fstWriterCreate() writes to `file` instead of opening the name it is given.
class FstOutput {
 public:
  explicit FstOutput(OutputFile& file);
  ~FstOutput();
  FstOutput(const FstOutput&) = delete;
  FstOutput& operator=(const FstOutput&) = delete;
};

}  // namespace heddle
