// SPDX-License-Identifier: Apache-2.0
// What linearization costs and gains, beside the tables of "Taming Control Divergence in GPUs through Control Flow
// Linearization" (CC 2014).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "heddle/error.h"
#include "isa/program.h"
#include "report/perturbed.h"

namespace heddle {

// The code of a program.
struct CodeFigures {
  std::uint64_t instructions = 0, blocks = 0;
  std::uint64_t registers = 0;        // integer and float registers that it names, zero apart
  std::uint64_t unstructured = 0;     // edges by Definition 1, and blocks that it overlooks
  std::optional<int> frame_accesses;  // loads and stores of the frame more, where registers were reserved for the pass
};

[[nodiscard]] CodeFigures code_figures(const Program& program);

// One kernel in one form on one mechanism, all its perturbed runs.
struct LinearizeRun {
  std::string mechanism, form;  // form: what is behind --linearize=; empty: as it was built
  bool passed = true;
  std::uint64_t instructions = 0, loads = 0,
                stores = 0;    // by warps; loads and stores of global memory; of the first run
  std::vector<double> cycles;  // of each run
};

struct LinearizeResult {
  std::string workload;
  std::vector<CodeFigures> code;   // by form, as in LinearizeStudy
  std::vector<LinearizeRun> runs;  // by mechanism, then by form
};

struct LinearizeStudy {
  std::vector<std::string> mechanisms, forms;  // the first form is the empty one
  std::string size;
  std::vector<unsigned> latencies;  // memory.latency of the runs
  std::vector<LinearizeResult> results;
};

// Tables, and a verdict for each claim.
[[nodiscard]] std::string linearize_text(const LinearizeStudy& study);
[[nodiscard]] std::string linearize_json(const LinearizeStudy& study, const Error* failure = nullptr);

}  // namespace heddle
