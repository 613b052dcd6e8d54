// SPDX-License-Identifier: Apache-2.0
#include "program/cfg.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/dominator_tree.hpp>

namespace heddle {
namespace {

using Successors = std::vector<std::vector<std::size_t>>;

constexpr RegId kRa = 1;
constexpr RegId kGp = 3;
constexpr RegId kT0 = 5;
constexpr RegId kA7 = 17;
constexpr std::int32_t kExitCall = 93;
constexpr std::size_t kMaxTable = 4096;  // entries of a jump table

// What is known about an integer register inside a block.
struct Value {
  enum class Kind { kUnknown, kConstant, kScaled, kTableAddress, kTableEntry };
  Kind kind = Kind::kUnknown;
  std::uint32_t number = 0;  // the constant; kTableAddress, kTableEntry: the address of entry 0
};

// Constants and jump-table loads of the instructions of one block, in order.
class BlockValues {
 public:
  explicit BlockValues(Address global_pointer) {
    if (global_pointer != 0) x_[kGp] = {Value::Kind::kConstant, global_pointer};
  }

  [[nodiscard]] Value get(RegId r) const { return r == 0 ? Value{Value::Kind::kConstant, 0} : x_[r]; }

  void execute(const Instruction& i, Pc pc) {
    using Kind = Value::Kind;
    const Value a = get(i.rs1 & 31u);
    const Value b = get(i.rs2 & 31u);
    Value result;
    switch (i.op) {
      case Op::kLui: result = {Kind::kConstant, static_cast<std::uint32_t>(i.imm)}; break;
      case Op::kAuipc: result = {Kind::kConstant, pc + static_cast<std::uint32_t>(i.imm)}; break;
      case Op::kAddi:
        if (a.kind == Kind::kConstant || a.kind == Kind::kTableAddress) {
          result = {a.kind, a.number + static_cast<std::uint32_t>(i.imm)};
        }
        break;
      case Op::kSlli:
        if (i.imm == 2) result.kind = Kind::kScaled;
        break;
      case Op::kAdd:
        if (a.kind == Kind::kConstant && b.kind == Kind::kConstant) {
          result = {Kind::kConstant, a.number + b.number};
        } else if (a.kind == Kind::kConstant && b.kind == Kind::kScaled) {
          result = {Kind::kTableAddress, a.number};
        } else if (a.kind == Kind::kScaled && b.kind == Kind::kConstant) {
          result = {Kind::kTableAddress, b.number};
        }
        break;
      case Op::kLw:
        if (a.kind == Kind::kTableAddress) result = {Kind::kTableEntry, a.number + static_cast<std::uint32_t>(i.imm)};
        break;
      default: break;
    }
    if (i.rd != 0 && i.rd < 32) x_[i.rd] = result;
  }

  // A call clobbers everything but the registers a callee saves; none of those matters here.
  void forget() {
    const Value gp = x_[kGp];
    x_ = {};
    x_[kGp] = gp;
  }

 private:
  std::array<Value, 32> x_{};
};

bool is_link(RegId r) { return r == kRa || r == kT0; }
bool is_call(const Instruction& i) { return (i.op == Op::kJal || i.op == Op::kJalr) && i.rd != 0; }

std::optional<std::uint32_t> read_word(const Program& program, Address address) {
  for (const Segment& s : program.segments) {
    if (address >= s.address && address - s.address + 4 <= s.data.size()) {
      const std::uint8_t* p = &s.data[address - s.address];
      return p[0] | p[1] << 8 | p[2] << 16 | static_cast<std::uint32_t>(p[3]) << 24;
    }
  }
  return std::nullopt;
}

// One function's range of the text, its blocks and edges.
class FunctionAnalysis {
 public:
  FunctionAnalysis(const Program& program, const std::string& name, Pc begin, Pc end, const std::set<Pc>& no_return)
      : program_(program), no_return_(no_return) {
    cfg_.name = name;
    cfg_.begin = begin;
    cfg_.end = end;
  }

  FunctionCfg run() {
    find_ends();
    make_blocks();
    connect();
    find_branches();
    return std::move(cfg_);
  }

 private:
  struct End {  // an instruction after which a block ends
    Terminator terminator;
    std::vector<Pc> targets;  // inside the function, without the fall-through
    bool falls_through;
  };

  [[nodiscard]] bool inside(Pc pc) const { return pc >= cfg_.begin && pc < cfg_.end; }

  // Block ends need values, values are local to a block, and where blocks begin depends on block ends: so leaders are found
  // from direct jumps first; table targets only add leaders.
  void find_ends() {
    std::set<Pc> leaders;
    for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
      const Instruction& i = *program_.at(pc);
      if (i.is_branch() || (i.op == Op::kJal && i.rd == 0)) leaders.insert(pc + static_cast<std::uint32_t>(i.imm));
    }
    BlockValues values(program_.global_pointer);
    for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
      const Instruction& i = *program_.at(pc);
      if (leaders.count(pc) != 0) values = BlockValues(program_.global_pointer);
      if (std::optional<End> end = block_end(i, pc, values)) {
        const bool falls_through = end->falls_through;
        ends_.emplace(pc, std::move(*end));
        // After a conditional branch that nothing else joins, what was known still holds.
        if (!falls_through) values = BlockValues(program_.global_pointer);
      }
      values.execute(i, pc);
      if (is_call(i)) values.forget();
    }
  }

  std::optional<End> block_end(const Instruction& i, Pc pc, const BlockValues& values) {
    switch (i.op) {
      case Op::kIllegal:
      case Op::kEbreak: return End{Terminator::kTrap, {}, false};
      case Op::kEcall: {
        const Value a7 = values.get(kA7);
        if (a7.kind == Value::Kind::kConstant && a7.number == kExitCall) return End{Terminator::kThreadExit, {}, false};
        return std::nullopt;
      }
      case Op::kJal: {
        const Pc target = pc + static_cast<std::uint32_t>(i.imm);
        if (is_call(i)) return call_end(target);
        if (inside(target)) return End{Terminator::kJump, {target}, false};
        return leave(target);
      }
      case Op::kJalr: {
        const Value base = values.get(i.rs1);
        const Pc target = (base.number + static_cast<std::uint32_t>(i.imm)) & ~1u;
        const bool known = base.kind == Value::Kind::kConstant;
        if (is_call(i)) {
          if (!known) cfg_.indirect_calls.push_back(pc);
          return known ? call_end(target) : std::nullopt;
        }
        if (is_link(i.rs1) && !known) return End{Terminator::kReturn, {}, false};
        if (known) return inside(target) ? End{Terminator::kJump, {target}, false} : leave(target);
        if (base.kind == Value::Kind::kTableEntry && i.imm == 0) {
          if (std::vector<Pc> targets = table(base.number); !targets.empty()) {
            return End{Terminator::kTableJump, std::move(targets), false};
          }
        }
        cfg_.indirect_jumps.push_back(pc);
        return End{Terminator::kIndirectJump, {}, false};
      }
      default: break;
    }
    if (i.is_branch()) {
      const Pc target = pc + static_cast<std::uint32_t>(i.imm);
      return End{Terminator::kBranch, {target}, true};
    }
    return std::nullopt;
  }

  std::optional<End> call_end(Pc target) const {
    if (no_return_.count(target) != 0) return End{Terminator::kThreadExit, {}, false};
    return std::nullopt;
  }
  [[nodiscard]] End leave(Pc target) const {
    return End{no_return_.count(target) != 0 ? Terminator::kThreadExit : Terminator::kTailCall, {}, false};
  }

  // The distinct targets of the table at `address`: as many words as are instructions of this function.
  [[nodiscard]] std::vector<Pc> table(Address address) const {
    std::set<Pc> targets;
    for (std::size_t n = 0; n < kMaxTable; ++n) {
      const std::optional<std::uint32_t> word = read_word(program_, address + static_cast<Address>(4 * n));
      if (!word || !inside(*word) || (*word & 3u) != 0) break;
      targets.insert(*word);
    }
    return {targets.begin(), targets.end()};
  }

  void make_blocks() {
    std::set<Pc> leaders{cfg_.begin};
    for (const auto& [pc, end] : ends_) {
      for (const Pc target : end.targets) {
        if (inside(target) && (target & 3u) == 0) leaders.insert(target);
      }
      if (pc + 4 < cfg_.end) leaders.insert(pc + 4);
    }
    if (cfg_.begin >= cfg_.end) return;
    for (auto leader = leaders.begin(); leader != leaders.end(); ++leader) {
      BasicBlock block;
      block.begin = *leader;
      block.end = std::next(leader) == leaders.end() ? cfg_.end : *std::next(leader);
      index_[block.begin] = cfg_.blocks.size();
      cfg_.blocks.push_back(std::move(block));
    }
  }

  void connect() {
    for (BasicBlock& block : cfg_.blocks) {
      const auto end = ends_.find(block.end - 4);
      std::vector<Pc> next;
      if (end == ends_.end()) {
        next.push_back(block.end);
      } else {
        block.terminator = end->second.terminator;
        next = end->second.targets;
        if (end->second.falls_through) next.push_back(block.end);
        block.leaves = block.terminator == Terminator::kReturn || block.terminator == Terminator::kTailCall ||
                       block.terminator == Terminator::kIndirectJump;
      }
      for (const Pc pc : next) {
        const auto found = index_.find(pc);
        if (found == index_.end()) {
          block.leaves = true;  // into the next function, or a branch to another function
        } else if (std::find(block.successors.begin(), block.successors.end(), found->second) == block.successors.end()) {
          block.successors.push_back(found->second);
        }
      }
    }
  }

  void find_branches() {
    Successors successors;
    std::vector<bool> exits;
    for (const BasicBlock& block : cfg_.blocks) {
      successors.push_back(block.successors);
      exits.push_back(block.leaves);
    }
    const std::vector<std::size_t> post = immediate_post_dominators(successors, exits);
    const Structure structure = find_structure(successors, exits);
    cfg_.irreducible = structure.irreducible;
    for (std::size_t b = 0; b < cfg_.blocks.size(); ++b) {
      const BasicBlock& block = cfg_.blocks[b];
      if (block.terminator != Terminator::kBranch && block.terminator != Terminator::kTableJump) continue;
      Branch branch;
      branch.pc = block.end - 4;
      branch.block = b;
      branch.rpc = post[b] == kNoNode ? kNoRpc : cfg_.blocks[post[b]].begin;
      branch.structured = structure.structured[b];
      branch.loop_exit = structure.loop_exit[b];
      if (block.terminator == Terminator::kBranch) {
        branch.target = ends_.at(branch.pc).targets.front();
        branch.interleavable = branch.target != block.end && branch.target != branch.rpc && block.end != branch.rpc;
      } else {
        const auto holds_code = [&](std::size_t s) { return cfg_.blocks[s].begin != branch.rpc; };
        branch.interleavable =
            std::count_if(block.successors.begin(), block.successors.end(), holds_code) > 1;
      }
      cfg_.branches.push_back(branch);
    }
  }

  const Program& program_;
  const std::set<Pc>& no_return_;
  FunctionCfg cfg_;
  std::map<Pc, End> ends_;
  std::map<Pc, std::size_t> index_;  // block by its first address
};

// Does any path from the entry leave the function?
bool returns(const FunctionCfg& cfg) {
  std::vector<bool> seen(cfg.blocks.size());
  std::vector<std::size_t> work{0};
  while (!work.empty()) {
    const std::size_t b = work.back();
    work.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    if (cfg.blocks[b].leaves) return true;
    work.insert(work.end(), cfg.blocks[b].successors.begin(), cfg.blocks[b].successors.end());
  }
  return false;
}

// Every path ends the thread or the run; a function that only loops is no such function.
bool ends_thread(const FunctionCfg& cfg) {
  return !cfg.blocks.empty() && !returns(cfg) &&
         std::any_of(cfg.blocks.begin(), cfg.blocks.end(),
                     [](const BasicBlock& b) { return b.terminator == Terminator::kThreadExit; });
}

// The function symbols, without repetition, and the code between them.
std::vector<Program::Function> pieces(const Program& program) {
  std::vector<Program::Function> result;
  Pc covered = program.text_begin;
  const auto add_gap = [&](Pc end) {
    // Padding and data between functions are no code: a gap counts from its first legal instruction.
    while (covered < end && program.at(covered)->op == Op::kIllegal) covered += 4;
    if (covered < end) result.push_back({"", covered, end});
  };
  for (const Program::Function& f : program.functions) {
    const Pc begin = std::max(f.begin, program.text_begin);
    const Pc end = std::min(f.end, program.text_end);
    if (begin >= end || (!result.empty() && result.back().begin == begin)) continue;
    if (begin > covered) add_gap(begin);
    result.push_back({f.name, begin, end});
    covered = std::max(covered, end);
  }
  if (covered < program.text_end) add_gap(program.text_end);
  return result;
}

}  // namespace

std::vector<FunctionCfg> control_flow(const Program& program) {
  const std::vector<Program::Function> functions = pieces(program);
  std::set<Pc> no_return;
  std::vector<FunctionCfg> result;
  // A call of a function that ends the thread does so too: repeat until no more such functions are found.
  for (bool changed = true; changed;) {
    changed = false;
    result.clear();
    for (const Program::Function& f : functions) {
      FunctionCfg cfg = FunctionAnalysis(program, f.name, f.begin, f.end, no_return).run();
      if (ends_thread(cfg)) changed |= no_return.insert(f.begin).second;
      result.push_back(std::move(cfg));
    }
  }
  return result;
}

std::vector<FunctionCfg> analyse(Program& program) {
  std::vector<FunctionCfg> result = control_flow(program);
  program.branches_without_rpc = 0;
  for (const FunctionCfg& cfg : result) {
    for (const Branch& branch : cfg.branches) {
      program.text[(branch.pc - program.text_begin) / 4].rpc = branch.rpc;
      program.branches_without_rpc += branch.rpc == kNoRpc;
    }
    for (const Pc pc : cfg.indirect_calls) program.text[(pc - program.text_begin) / 4].rpc = pc + 4;
    program.branches_without_rpc += static_cast<unsigned>(cfg.indirect_jumps.size());
  }
  return result;
}

std::vector<std::size_t> immediate_dominators(const Successors& successors) {
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS>;
  const std::size_t size = successors.size();
  std::vector<std::size_t> result(size, kNoNode);
  if (size == 0) return result;
  // Boost's algorithm is wrong when an unreachable node has an edge to a reachable one: only what is reached goes in.
  Graph graph(size);
  std::vector<bool> seen(size);
  std::vector<std::size_t> work{0};
  seen[0] = true;
  while (!work.empty()) {
    const std::size_t v = work.back();
    work.pop_back();
    for (const std::size_t s : successors[v]) {
      boost::add_edge(v, s, graph);
      if (!seen[s]) work.push_back(s);
      seen[s] = true;
    }
  }
  boost::lengauer_tarjan_dominator_tree(
      graph, 0, boost::make_iterator_property_map(result.begin(), boost::get(boost::vertex_index, graph)));
  return result;
}

std::vector<std::size_t> immediate_post_dominators(const Successors& successors, const std::vector<bool>& exits) {
  // The reversed graph with the outside as node 0 and node v as v + 1. Nodes that never leave are not reached in it.
  const std::size_t size = successors.size();
  Successors reversed(size + 1);
  for (std::size_t v = 0; v < size; ++v) {
    if (exits[v]) reversed[0].push_back(v + 1);
    for (const std::size_t s : successors[v]) reversed[s + 1].push_back(v + 1);
  }
  const std::vector<std::size_t> dominators = immediate_dominators(reversed);
  std::vector<std::size_t> result(size, kNoNode);
  for (std::size_t v = 0; v < size; ++v) {
    const std::size_t d = dominators[v + 1];
    if (d != kNoNode && d != 0) result[v] = d - 1;
  }
  return result;
}

Structure find_structure(const Successors& successors, const std::vector<bool>& exits) {
  const std::size_t size = successors.size();
  Structure result{std::vector<bool>(size), std::vector<bool>(size), false};
  if (size == 0) return result;
  const std::vector<std::size_t> dominator = immediate_dominators(successors);
  const std::vector<std::size_t> post = immediate_post_dominators(successors, exits);
  const auto reachable = [&](std::size_t v) { return v == 0 || dominator[v] != kNoNode; };
  const auto dominates = [&](std::size_t a, std::size_t b) {
    while (b != a && b != 0) b = dominator[b];
    return a == b;
  };

  Successors predecessors(size);
  Successors forward(size);  // without back edges
  std::map<std::size_t, std::vector<std::size_t>> latches;  // header -> sources of its back edges
  for (std::size_t v = 0; v < size; ++v) {
    if (!reachable(v)) continue;
    for (const std::size_t s : successors[v]) {
      predecessors[s].push_back(v);
      if (dominates(s, v)) {
        latches[s].push_back(v);
      } else {
        forward[v].push_back(s);
      }
    }
  }

  // Natural loops, one a header.
  struct Loop {
    std::vector<bool> blocks;
    std::size_t exits = 0;  // edges out of it, and blocks that leave the function
  };
  std::vector<Loop> loops;
  for (const auto& [header, sources] : latches) {
    std::vector<bool> in(size);
    in[header] = true;
    std::vector<std::size_t> work = sources;
    while (!work.empty()) {
      const std::size_t v = work.back();
      work.pop_back();
      if (in[v]) continue;
      in[v] = true;
      work.insert(work.end(), predecessors[v].begin(), predecessors[v].end());
    }
    std::size_t exit_edges = 0;
    for (std::size_t v = 0; v < size; ++v) {
      if (!in[v]) continue;
      exit_edges += exits[v];
      for (const std::size_t s : successors[v]) exit_edges += !in[s];
    }
    loops.push_back({std::move(in), exit_edges});
  }

  // What the back edges leave must be acyclic; a cycle that remains has several entries.
  std::vector<std::size_t> incoming(size);
  for (std::size_t v = 0; v < size; ++v) {
    for (const std::size_t s : forward[v]) ++incoming[s];
  }
  std::vector<std::size_t> ready;
  std::vector<bool> ordered(size);
  for (std::size_t v = 0; v < size; ++v) {
    if (incoming[v] == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    const std::size_t v = ready.back();
    ready.pop_back();
    ordered[v] = true;
    for (const std::size_t s : forward[v]) {
      if (--incoming[s] == 0) ready.push_back(s);
    }
  }
  result.irreducible = std::find(ordered.begin(), ordered.end(), false) != ordered.end();

  for (std::size_t b = 0; b < size; ++b) {
    if (successors[b].size() < 2 || !reachable(b)) continue;
    bool structured = post[b] != kNoNode && ordered[b];
    for (const Loop& loop : loops) {
      if (!loop.blocks[b]) continue;
      const bool leaves_loop = std::any_of(successors[b].begin(), successors[b].end(),
                                           [&](std::size_t s) { return !loop.blocks[s]; });
      if (!leaves_loop) continue;
      result.loop_exit[b] = true;
      structured &= loop.exits == 1;
    }
    // The sides: blocks reached without passing the reconvergence point; each block may belong to one side only and be
    // entered from the branch or from its own side only.
    std::vector<std::size_t> side(size, kNoNode);
    for (std::size_t n = 0; structured && n < forward[b].size(); ++n) {
      std::vector<std::size_t> work{forward[b][n]};
      while (!work.empty()) {
        const std::size_t v = work.back();
        work.pop_back();
        if (v == post[b] || side[v] == n) continue;
        if (side[v] != kNoNode || !ordered[v]) structured = false;
        side[v] = n;
        work.insert(work.end(), forward[v].begin(), forward[v].end());
      }
    }
    for (std::size_t v = 0; structured && v < size; ++v) {
      if (side[v] == kNoNode) continue;
      for (const std::size_t p : predecessors[v]) {
        const bool back_edge = dominates(v, p);
        if (p != b && side[p] != side[v] && !back_edge) structured = false;
      }
    }
    result.structured[b] = structured;
  }
  return result;
}

}  // namespace heddle
