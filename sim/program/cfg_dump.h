// SPDX-License-Identifier: Apache-2.0
// Control-flow graphs and reconvergence points for people and scripts: what `heddle cfg` prints.
#pragma once

#include <iosfwd>
#include <vector>

#include "program/cfg.h"

namespace heddle {

// A table a function: branch, where it is, target, reconvergence point, structured, interleavable; its unstructured
// edges and regions; then totals.
void write_cfg_text(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out);

// Graphviz: a cluster a function, a node a block with its disassembly; reconvergence points as dashed edges;
// unstructured edges in red with their conditions, regions and their structured parts as clusters.
void write_cfg_dot(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out);

// {"program", "kernels": [...], "functions": [{"name", "begin", "end", "blocks": [...], "branches": [...], "edges":
// [...], "regions": [...]}], "totals"}. Addresses are hexadecimal strings. "meets" of a branch says whether its "rpc"
// is an address ("pc") or null, because the sides meet where the function returns to ("return") or nowhere ("never").
void write_cfg_json(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out);

// For $readmemh: a word {skip[35:32], rpc[31:0]} for each instruction from program.text_begin on, with its address and
// disassembly as a comment. rpc is an address, kReturnRpc or kNoRpc.
void write_rpc_rom(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out);

struct CfgTotals {
  std::size_t functions = 0, blocks = 0, branches = 0;
  std::size_t without_rpc = 0;  // sides never meet
  std::size_t at_return = 0;    // sides meet where the function returns to
  std::size_t unstructured = 0;
  std::size_t interleavable = 0;
  std::size_t loop_exits = 0;
  std::size_t indirect_jumps = 0;  // with unknown targets
  std::size_t irreducible = 0;     // functions
  std::size_t unstructured_edges = 0, unstructured_regions = 0;
  std::size_t unstructured_functions = 0;
  std::size_t missed_functions = 0;  // with unstructured code that is in no region
};
[[nodiscard]] CfgTotals totals_of(const std::vector<FunctionCfg>& functions);

}  // namespace heddle
