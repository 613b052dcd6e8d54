// SPDX-License-Identifier: Apache-2.0
#include "program/cfg_dump.h"

#include <algorithm>
#include <map>
#include <ostream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <nlohmann/json.hpp>

#include "program/disassemble.h"
#include "program/loader.h"

namespace heddle {
namespace {

using Json = nlohmann::ordered_json;

std::string hex(Pc pc) { return fmt::format("{:#x}", pc); }
Json hex_or_null(Pc pc) { return pc == kNoRpc || pc == kReturnRpc ? Json() : Json(hex(pc)); }
std::string rpc_text(Pc rpc) { return rpc == kNoRpc ? "none" : rpc == kReturnRpc ? "return" : hex(rpc); }
// null is also the rpc of sides that meet where they return to: a script that knows addresses only stays right.
const char* meets_name(Pc rpc) { return rpc == kNoRpc ? "never" : rpc == kReturnRpc ? "return" : "pc"; }
const char* yes_no(bool b) { return b ? "yes" : "no"; }

const char* name_of(Terminator t) {
  switch (t) {
    case Terminator::kFallThrough: return "fall_through";
    case Terminator::kBranch: return "branch";
    case Terminator::kJump: return "jump";
    case Terminator::kTableJump: return "table_jump";
    case Terminator::kIndirectJump: return "indirect_jump";
    case Terminator::kReturn: return "return";
    case Terminator::kTailCall: return "tail_call";
    case Terminator::kThreadExit: return "thread_exit";
    case Terminator::kTrap: return "trap";
  }
  return "?";
}

std::string function_name(const FunctionCfg& function) {
  return function.name.empty() ? "code at " + hex(function.begin) : function.name;
}

std::string place_text(const FunctionCfg& f, std::size_t block, const char* outside) {
  return block == kOutside ? outside : hex(f.blocks[block].begin);
}
Json place_json(const FunctionCfg& f, std::size_t block) {
  return block == kOutside ? Json() : Json(hex(f.blocks[block].begin));
}

std::vector<int> conditions_of(const UnstructuredEdge& e) {
  std::vector<int> result;
  if (e.crosses) result.push_back(1);
  if (e.enters_loop) result.push_back(2);
  if (e.leaves_loop) result.push_back(3);
  return result;
}
using Marks = std::map<std::pair<std::size_t, std::size_t>, std::vector<int>>;  // conditions, by edge
Marks marks_of(const Unstructured& u) {
  Marks result;
  for (const UnstructuredEdge& e : u.edges) result[{e.from, e.to}] = conditions_of(e);
  return result;
}
const char* verdict_of(const Unstructured& u) { return u.structured() ? "" : ", unstructured"; }

Json source_json(const Program& program, Pc pc) {
  const SourceLine line = program.source_line(pc);
  return line.file.empty() ? Json() : Json(fmt::format("{}:{}", line.file, line.line));
}

// The source position without the function, for tables that name the function already.
std::string short_source(const Program& program, Pc pc) {
  const SourceLine line = program.source_line(pc);
  if (line.file.empty()) return "";
  return fmt::format("{}:{}", line.file.substr(line.file.rfind('/') + 1), line.line);
}

std::string dot_escape(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

}  // namespace

CfgTotals totals_of(const std::vector<FunctionCfg>& functions) {
  CfgTotals t;
  t.functions = functions.size();
  for (const FunctionCfg& f : functions) {
    t.blocks += f.blocks.size();
    t.branches += f.branches.size();
    t.indirect_jumps += f.indirect_jumps.size();
    t.irreducible += f.irreducible;
    const Unstructured u = find_unstructured(f);
    t.unstructured_edges += u.edges.size();
    t.unstructured_regions += u.regions.size();
    t.unstructured_functions += !u.structured();
    t.missed_functions += !u.missed.empty();
    for (const Branch& b : f.branches) {
      t.without_rpc += b.rpc == kNoRpc;
      t.at_return += b.rpc == kReturnRpc;
      t.unstructured += !b.structured;
      t.interleavable += b.interleavable;
      t.loop_exits += b.loop_exit;
    }
  }
  return t;
}

namespace {

void write_unstructured_text(const FunctionCfg& f, const Unstructured& u, std::ostream& out) {
  const auto list = [&](const std::vector<std::size_t>& blocks) {
    std::string text;
    for (const std::size_t b : blocks) text += " " + hex(f.blocks[b].begin);
    return text;
  };
  for (const UnstructuredEdge& e : u.edges) {
    fmt::print(out, "  unstructured edge {} -> {}, condition {}\n", hex(f.blocks[e.from].begin),
               place_text(f, e.to, "return"), fmt::join(conditions_of(e), " and "));
  }
  for (const UnstructuredRegion& r : u.regions) {
    fmt::print(out, "  unstructured region from {} to {}: {} blocks{}\n", place_text(f, r.entry, "call"),
               place_text(f, r.exit, "return"), r.nodes.size(), list(r.nodes));
    for (const StructuredPart& part : r.parts) {
      fmt::print(out, "    structured part {} to {}: {} blocks{}\n", hex(f.blocks[part.entry].begin),
                 hex(f.blocks[part.exit].begin), part.nodes.size(), list(part.nodes));
    }
  }
  if (!u.missed.empty())
    fmt::print(out, "  unstructured without such an edge: {} blocks{}\n", u.missed.size(), list(u.missed));
}

}  // namespace

void write_cfg_text(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out) {
  for (const FunctionCfg& f : functions) {
    const bool kernel = std::any_of(program.kernels.begin(), program.kernels.end(),
                                    [&](const Kernel& k) { return k.entry == f.begin; });
    const Unstructured u = find_unstructured(f);
    fmt::print(out, "{}{}  {:#x}..{:#x}  {} blocks, {} branches{}{}\n", kernel ? "kernel " : "", function_name(f),
               f.begin, f.end, f.blocks.size(), f.branches.size(), f.irreducible ? ", irreducible" : "", verdict_of(u));
    if (!f.branches.empty() || !f.indirect_jumps.empty()) {
      fmt::print(out, "  {:<10}  {:<28}  {:<10}  {:<10}  {:<13}  {:<9}  {:<4}  {}\n", "pc", "instruction", "rpc",
                 "structured", "interleavable", "loop exit", "skip", "source");
    }
    for (const Branch& b : f.branches) {
      const unsigned skip = program.at(b.pc)->skip;
      fmt::print(out, "  {:<10}  {:<28}  {:<10}  {:<10}  {:<13}  {:<9}  {:<4}  {}\n", hex(b.pc),
                 program.disassemble(b.pc), rpc_text(b.rpc), yes_no(b.structured), yes_no(b.interleavable),
                 yes_no(b.loop_exit), skip == 0 ? "-" : std::to_string(skip), short_source(program, b.pc));
    }
    for (const Pc pc : f.indirect_jumps) {
      fmt::print(out, "  {:<10}  {:<28}  {:<10}  targets unknown {:>39}\n", hex(pc), program.disassemble(pc), "return",
                 short_source(program, pc));
    }
    write_unstructured_text(f, u, out);
  }
  const CfgTotals t = totals_of(functions);
  fmt::print(out,
             "total: {} functions, {} blocks, {} branches; {} unstructured, {} interleavable, {} loop exits, "
             "{} without reconvergence point, {} that meet where they return to, {} indirect jumps with unknown "
             "targets, {} irreducible functions; "
             "{} unstructured edges in {} regions, {} unstructured functions, {} of them outside of the regions, too\n",
             t.functions, t.blocks, t.branches, t.unstructured, t.interleavable, t.loop_exits, t.without_rpc,
             t.at_return, t.indirect_jumps, t.irreducible, t.unstructured_edges, t.unstructured_regions,
             t.unstructured_functions, t.missed_functions);
}

void write_cfg_dot(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out) {
  out << "digraph cfg {\n  node [shape=box, fontname=\"monospace\", fontsize=9];\n  edge [fontsize=8];\n";
  for (const FunctionCfg& f : functions) {
    if (f.blocks.empty()) continue;
    fmt::print(out, "  subgraph \"cluster_{:x}\" {{\n    label=\"{}\";\n", f.begin, dot_escape(function_name(f)));
    const auto node = [&](std::size_t block) { return fmt::format("\"{:x}_{:x}\"", f.begin, f.blocks[block].begin); };
    const Unstructured u = find_unstructured(f);
    const Marks marks = marks_of(u);
    for (std::size_t b = 0; b < f.blocks.size(); ++b) {
      const BasicBlock& block = f.blocks[b];
      std::string text = fmt::format("{:#x}  {}\\l", block.begin, dot_escape(short_source(program, block.begin)));
      for (Pc pc = block.begin; pc < block.end; pc += 4) text += "  " + dot_escape(program.disassemble(pc)) + "\\l";
      fmt::print(out, "    {} [label=\"{}\"];\n", node(b), text);
      for (std::size_t s = 0; s < block.successors.size(); ++s) {
        const bool taken = block.terminator == Terminator::kBranch && s == 0 && block.successors.size() == 2;
        const bool through = block.terminator == Terminator::kBranch && s == 1;
        const std::string side = taken ? "T" : through ? "N" : "";
        const auto bad = marks.find({b, block.successors[s]});
        std::string label = side.empty() ? "" : fmt::format(" [label=\"{}\"]", side);
        if (bad != marks.end())
          label = fmt::format(" [label=\"{} unstructured {}\", color=red]", side, fmt::join(bad->second, ","));
        fmt::print(out, "    {} -> {}{};\n", node(b), node(block.successors[s]), label);
      }
    }
    for (const UnstructuredRegion& r : u.regions) {
      const auto cluster = [&](const char* kind, std::size_t first, std::size_t entry, std::size_t exit,
                               const std::vector<std::size_t>& blocks) {
        fmt::print(out, "    subgraph \"cluster_{}_{:x}\" {{\n    label=\"{} {} to {}\"; color={};\n", kind,
                   f.blocks[first].begin, kind, place_text(f, entry, "call"), place_text(f, exit, "return"),
                   kind[0] == 'r' ? "red" : "gray");
        for (const std::size_t b : blocks) fmt::print(out, "    {};\n", node(b));
      };
      cluster("region", r.nodes[0], r.entry, r.exit, r.nodes);
      for (const StructuredPart& part : r.parts) {
        cluster("part", part.entry, part.entry, part.exit, part.nodes);
        out << "    }\n";
      }
      out << "    }\n";
    }
    const bool returns =
        std::any_of(f.branches.begin(), f.branches.end(), [](const Branch& b) { return b.rpc == kReturnRpc; });
    const std::string behind = fmt::format("\"{:x}_return\"", f.begin);
    if (returns) fmt::print(out, "    {} [shape=plaintext, label=\"return\"];\n", behind);
    for (const Branch& branch : f.branches) {
      if (branch.rpc == kNoRpc) continue;
      fmt::print(out, "    {} -> {} [style=dashed, color={}, constraint=false];\n", node(branch.block),
                 branch.rpc == kReturnRpc ? behind : fmt::format("\"{:x}_{:x}\"", f.begin, branch.rpc),
                 branch.structured ? "gray" : "red");
    }
    out << "  }\n";
  }
  out << "}\n";
}

namespace {

void add_structure(const FunctionCfg& f, const Unstructured& u, Json& function) {
  const auto list = [&](const std::vector<std::size_t>& blocks) {
    Json result = Json::array();
    for (const std::size_t b : blocks) result.push_back(hex(f.blocks[b].begin));
    return result;
  };
  const Marks bad = marks_of(u);
  function["edges"] = Json::array();
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    std::vector<std::size_t> to = f.blocks[b].successors;
    if (f.blocks[b].leaves) to.push_back(kOutside);
    for (const std::size_t s : to) {
      const auto found = bad.find({b, s});
      const bool structured = found == bad.end();
      function["edges"].push_back({{"from", hex(f.blocks[b].begin)},
                                   {"to", place_json(f, s)},
                                   {"structured", structured},
                                   {"conditions", structured ? std::vector<int>{} : found->second}});
    }
  }
  function["regions"] = Json::array();
  for (const UnstructuredRegion& r : u.regions) {
    Json parts = Json::array();
    for (const StructuredPart& part : r.parts) {
      parts.push_back(
          {{"entry", place_json(f, part.entry)}, {"exit", place_json(f, part.exit)}, {"blocks", list(part.nodes)}});
    }
    function["regions"].push_back({{"entry", place_json(f, r.entry)},
                                   {"exit", place_json(f, r.exit)},
                                   {"blocks", list(r.nodes)},
                                   {"structured_parts", std::move(parts)}});
  }
  function["missed"] = list(u.missed);
}

}  // namespace

void write_cfg_json(const Program& program, const std::vector<FunctionCfg>& functions, std::ostream& out) {
  Json document;
  document["program"] = program.path;
  document["kernels"] = Json::array();
  for (const Kernel& k : program.kernels) {
    document["kernels"].push_back({{"name", readable_name(k.name)}, {"symbol", k.name}, {"entry", hex(k.entry)}});
  }
  document["functions"] = Json::array();
  for (const FunctionCfg& f : functions) {
    const Unstructured u = find_unstructured(f);
    Json function = {
        {"name", function_name(f)},     {"begin", hex(f.begin)},        {"end", hex(f.end)},
        {"irreducible", f.irreducible}, {"structured", u.structured()}, {"unstructured_edges", u.edges.size()}};
    function["blocks"] = Json::array();
    for (const BasicBlock& b : f.blocks) {
      Json successors = Json::array();
      for (const std::size_t s : b.successors) successors.push_back(hex(f.blocks[s].begin));
      function["blocks"].push_back({{"begin", hex(b.begin)},
                                    {"end", hex(b.end)},
                                    {"terminator", name_of(b.terminator)},
                                    {"successors", std::move(successors)},
                                    {"leaves", b.leaves},
                                    {"barrier", b.barrier != Barrier::kNone}});
    }
    function["branches"] = Json::array();
    for (const Branch& b : f.branches) {
      function["branches"].push_back({{"pc", hex(b.pc)},
                                      {"instruction", program.disassemble(b.pc)},
                                      {"source", source_json(program, b.pc)},
                                      {"target", hex_or_null(b.target)},
                                      {"rpc", hex_or_null(b.rpc)},
                                      {"meets", meets_name(b.rpc)},
                                      {"structured", b.structured},
                                      {"interleavable", b.interleavable},
                                      {"loop_exit", b.loop_exit},
                                      {"skip", program.at(b.pc)->skip}});
    }
    function["indirect_jumps"] = Json::array();
    for (const Pc pc : f.indirect_jumps) function["indirect_jumps"].push_back(hex(pc));
    add_structure(f, u, function);
    document["functions"].push_back(std::move(function));
  }
  const CfgTotals t = totals_of(functions);
  document["totals"] = {{"functions", t.functions},
                        {"blocks", t.blocks},
                        {"branches", t.branches},
                        {"unstructured", t.unstructured},
                        {"interleavable", t.interleavable},
                        {"loop_exits", t.loop_exits},
                        {"without_rpc", t.without_rpc},
                        {"at_return", t.at_return},
                        {"indirect_jumps", t.indirect_jumps},
                        {"irreducible_functions", t.irreducible},
                        {"unstructured_edges", t.unstructured_edges},
                        {"unstructured_regions", t.unstructured_regions},
                        {"unstructured_functions", t.unstructured_functions},
                        {"missed_functions", t.missed_functions}};
  out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_rpc_rom(const Program& program, const std::vector<FunctionCfg>& /*functions*/, std::ostream& out) {
  fmt::print(out, "// {} instructions from {:#x}: {{skip[35:32], rpc[31:0]}}; rpc 0: none, 1: return\n@0\n",
             program.text.size(), program.text_begin);
  for (std::size_t n = 0; n < program.text.size(); ++n) {
    const Pc pc = program.text_begin + 4 * static_cast<Pc>(n);
    const Instruction& instruction = program.text[n];
    fmt::print(out, "{:x}{:08x}  // {:08x} {}\n", instruction.skip, instruction.rpc, pc, program.disassemble(pc));
  }
}

}  // namespace heddle
