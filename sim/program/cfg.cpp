// SPDX-License-Identifier: Apache-2.0
#include "program/cfg.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>

#include "program/jump_targets.h"

namespace heddle {
namespace {

constexpr std::int32_t kExitCall = 93;

// Integer registers that are known constants inside a block.
class BlockConstants {
 public:
  explicit BlockConstants(Address global_pointer) : global_pointer_(global_pointer) { forget(); }

  [[nodiscard]] std::optional<std::uint32_t> get(RegId r) const {
    return r < 32 && (known_ >> r & 1u) != 0 ? std::optional(x_[r]) : std::nullopt;
  }
  void execute(const Instruction& i, Pc pc) {
    std::optional<std::uint32_t> result;
    const auto imm = static_cast<std::uint32_t>(i.imm);
    if (i.op == Op::kLui) result = imm;
    if (i.op == Op::kAuipc) result = pc + imm;
    if ((i.op == Op::kAddi || i.op == Op::kAddiw) && get(i.rs1)) result = *get(i.rs1) + imm;
    if (i.op == Op::kAdd && get(i.rs1) && get(i.rs2)) result = *get(i.rs1) + *get(i.rs2);
    if (i.rd == 0 || i.rd >= 32) return;
    known_ = (known_ & ~(1u << i.rd)) | (result ? 1u << i.rd : 0u);
    x_[i.rd] = result.value_or(0);
  }
  // A call changes all but the registers a callee saves; none of those matters here.
  void forget() {
    known_ = 1;
    x_[0] = 0;
    if (global_pointer_ == 0) return;
    known_ |= 1u << kGp;
    x_[kGp] = global_pointer_;
  }

 private:
  Address global_pointer_;
  std::array<std::uint32_t, 32> x_{};
  std::uint32_t known_ = 0;
};

// A call, or a jump out of the function.
struct Call {
  Pc pc = 0;
  Pc target = 0;  // 0: unknown
  bool tail = false;
  std::vector<Pc> callees = {};  // of an unknown one: where a table says that it goes
};

// One function's range of the text: first what its instructions say alone, then, with what is known of other functions,
// its blocks, edges and branches.
class FunctionAnalysis {
 public:
  FunctionAnalysis(const Program& program, const Program::Function& function) : program_(program) {
    cfg_.name = function.name;
    cfg_.begin = function.begin;
    cfg_.end = function.end;
    scan();
  }

  [[nodiscard]] Pc begin() const { return cfg_.begin; }
  [[nodiscard]] Pc end() const { return cfg_.end; }
  [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<Pc>& addresses() const { return addresses_; }  // of code, formed in code
  [[nodiscard]] bool has_barrier() const { return has_barrier_; }

  // Follows control from an instruction until `visited` (one flag an instruction) stops it. True if the function may be
  // left; each call on the way is given to `calls`, and control goes on behind it only if that says so.
  template <typename Calls>
  [[nodiscard]] bool leaves_from(Pc from, std::vector<bool>& visited, const Calls& calls) const {
    std::vector<Pc> work{from};
    bool leaves = false;
    while (!work.empty()) {
      Pc pc = work.back();
      work.pop_back();
      for (;; pc += 4) {
        if (!inside(pc)) {
          leaves = true;
          break;
        }
        if (visited[index(pc)]) break;
        visited[index(pc)] = true;
        const std::uint32_t n = mark_[index(pc)];
        if (n == 0) continue;
        if (n <= ends_.size()) {
          const End& end = ends_[n - 1];
          work.insert(work.end(), end.targets.begin(), end.targets.end());
          leaves |= end.terminator == Terminator::kReturn || end.terminator == Terminator::kIndirectJump;
          if (end.call != kNoCall) leaves |= calls(calls_[end.call]);
          if (!end.falls_through) break;
        } else if (!calls(calls_[n - 1 - kCallMark])) {
          break;
        }
      }
    }
    return leaves;
  }

  // A call that does not come back ends the thread.
  template <typename Returns>
  void end_calls(const Returns& returns) {
    for (std::size_t n = 0; n < calls_.size(); ++n) {
      const Call& call = calls_[n];
      if (call.target == 0 || returns(call.target)) continue;
      if (!call.tail) {
        set_end(call.pc, End{Terminator::kThreadExit, {}, false, n});
      } else {
        ends_[mark_[index(call.pc)] - 1].terminator = Terminator::kThreadExit;
      }
    }
  }

  // Reads jump tables, those that their code bounds first; each may show where others begin, or lead to others.
  void find_targets(JumpTargets& targets, const CodePointers& pointers) {
    std::vector<Address> known;
    std::vector<JumpTable> tables;  // of switches
    const auto resolve = [&](bool guess) {
      bool found = false;
      const CodeBlocks code = code_blocks();
      std::vector<std::optional<JumpTable>> places;
      for (const Pc pc : unresolved_) {
        places.push_back(targets.find(code, code.block_of(pc)));
        std::optional<JumpTable>& place = places.back();
        if (place && place->entries == 0 && !guess) place.reset();
        if (place) known.insert(std::upper_bound(known.begin(), known.end(), place->begin), place->begin);
      }
      for (std::size_t n = 0; n < places.size(); ++n) {
        std::optional<JumpTable>& table = places[n];
        if (!table || !targets.read(*table, code, known)) continue;
        found = true;
        Pc& pc = unresolved_[n];
        ends_[mark_[index(pc)] - 1] = End{Terminator::kTableJump, table->targets, false, kNoCall};
        if (!guess) tables.push_back(std::move(*table));
        pc = 0;
      }
      unresolved_.erase(std::remove(unresolved_.begin(), unresolved_.end(), Pc{0}), unresolved_.end());
      return found;
    };
    for (int round = 0; round < kRounds && !unresolved_.empty(); ++round) {
      if (!resolve(false) && !resolve(true)) break;
    }
    if (unresolved_.empty()) return;
    // Computed gotos: labels of this function whose address is somewhere in data or formed in code.
    std::vector<Pc> labels;
    for (const Pc pc : addresses_) {
      if (inside(pc) && pc != cfg_.begin) labels.push_back(pc);
    }
    std::sort(tables.begin(), tables.end(), [](const JumpTable& a, const JumpTable& b) { return a.begin < b.begin; });
    const auto [first, last] = pointers.between(cfg_.begin + 4, cfg_.end);
    for (auto place = first; place != last; ++place) {
      auto after = std::upper_bound(tables.begin(), tables.end(), place->second,
                                    [](Address a, const JumpTable& t) { return a < t.begin; });
      if (after == tables.begin() || place->second >= std::prev(after)->end) labels.push_back(place->first);
    }
    std::sort(labels.begin(), labels.end());
    labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
    if (labels.empty() || labels.size() > kMaxGotoEdges / unresolved_.size()) return;
    for (const Pc pc : unresolved_) ends_[mark_[index(pc)] - 1] = End{Terminator::kTableJump, labels, false, kNoCall};
    unresolved_.clear();
  }

  void find_callees(JumpTargets& targets) {
    CodeBlocks code;
    for (Call& call : calls_) {
      if (call.target != 0) continue;
      if (code.blocks.empty()) code = code_blocks();
      call.callees = targets.callees(code, code.block_of(call.pc), call.pc);
    }
  }

  // `barrier_of` says whether a call may execute a barrier.
  template <typename BarrierOf>
  FunctionCfg finish(const BarrierOf& barrier_of) {
    std::vector<Barrier> barriers((cfg_.end - cfg_.begin) / 4, Barrier::kNone);
    if (has_barrier_) {
      for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
        if (program_.at(pc)->barrier) barriers[index(pc)] = Barrier::kSure;
      }
    }
    for (const Call& call : calls_) barriers[index(call.pc)] = barrier_of(call);
    for (const Pc pc : unresolved_) barriers[index(pc)] = barrier_of(Call{pc, 0, true});
    make_blocks(barriers);
    find_branches();
    cfg_.indirect_jumps = std::move(unresolved_);
    for (const Call& call : calls_) {
      if (call.target == 0) cfg_.indirect_calls.push_back(call.pc);
    }
    return std::move(cfg_);
  }

 private:
  static constexpr std::size_t kNoCall = static_cast<std::size_t>(-1);
  static constexpr std::uint32_t kCallMark = 1u << 31;  // marks of calls that come back
  static constexpr int kRounds = 8;                     // of tables that lead to code with tables
  static constexpr std::size_t kMaxGotoEdges = 1u << 20;

  struct End {  // an instruction after which a block ends
    Terminator terminator = Terminator::kFallThrough;
    std::vector<Pc> targets;  // without the fall-through
    bool falls_through = false;
    std::size_t call = kNoCall;
  };

  [[nodiscard]] bool inside(Pc pc) const { return pc >= cfg_.begin && pc < cfg_.end && (pc & 3u) == 0; }
  [[nodiscard]] std::size_t index(Pc pc) const { return (pc - cfg_.begin) / 4; }

  void set_end(Pc pc, End end) {
    ends_.push_back(std::move(end));
    mark_[index(pc)] = static_cast<std::uint32_t>(ends_.size());
  }

  // Where control goes needs constants, constants are local to a block, and where blocks begin depends on where control
  // goes: so blocks begin where direct jumps lead; what tables lead to is told by find_targets().
  void scan() {
    const std::size_t size = (cfg_.end - cfg_.begin) / 4;
    mark_.resize(size);
    std::vector<bool> leaders(size);
    for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
      const Instruction& i = *program_.at(pc);
      const Pc target = pc + static_cast<std::uint32_t>(i.imm);
      if ((i.is_branch() || (i.op == Op::kJal && i.rd == 0)) && inside(target)) leaders[index(target)] = true;
      has_barrier_ |= i.barrier;
    }
    BlockConstants constants(program_.global_pointer());
    for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
      const Instruction& i = *program_.at(pc);
      if (leaders[index(pc)]) constants.forget();
      const std::size_t ends = ends_.size();
      look_at(i, pc, constants);
      // After a conditional branch that nothing else joins, what was known still holds.
      if (ends_.size() != ends && !ends_.back().falls_through) constants.forget();
      constants.execute(i, pc);
      if (i.op == Op::kAddi && i.rs1 != 0 && i.rd != 0) {
        const std::optional<std::uint32_t> address = constants.get(i.rd);
        if (address && program_.at(*address) != nullptr) addresses_.push_back(*address);
      }
      if (i.is_jump() && i.rd != 0) constants.forget();
    }
  }

  void look_at(const Instruction& i, Pc pc, const BlockConstants& constants) {
    if (i.is_branch())
      return set_end(pc, End{Terminator::kBranch, {pc + static_cast<std::uint32_t>(i.imm)}, true, kNoCall});
    switch (i.op) {
      case Op::kIllegal:
      case Op::kEbreak: return set_end(pc, End{Terminator::kTrap, {}, false, kNoCall});
      case Op::kEcall:
        if (constants.get(kA7) == kExitCall) set_end(pc, End{Terminator::kThreadExit, {}, false, kNoCall});
        return;
      case Op::kJal: return look_at_jump(i, pc, pc + static_cast<std::uint32_t>(i.imm));
      case Op::kJalr: {
        const std::optional<std::uint32_t> base = constants.get(i.rs1);
        if (base) return look_at_jump(i, pc, (*base + static_cast<std::uint32_t>(i.imm)) & ~1u);
        if (i.is_return()) return set_end(pc, End{Terminator::kReturn, {}, false, kNoCall});
        if (i.rd != 0) return add_call(pc, 0);
        unresolved_.push_back(pc);
        return set_end(pc, End{Terminator::kIndirectJump, {}, false, kNoCall});
      }
      default: return;
    }
  }

  void look_at_jump(const Instruction& i, Pc pc, Pc target) {
    // Any jump that keeps its own address is taken for a call: what it calls comes back behind it.
    if (i.rd != 0) return add_call(pc, target);
    if (inside(target)) return set_end(pc, End{Terminator::kJump, {target}, false, kNoCall});
    calls_.push_back({pc, target, true});
    set_end(pc, End{Terminator::kTailCall, {}, false, calls_.size() - 1});
  }

  void add_call(Pc pc, Pc target) {
    calls_.push_back({pc, target, false});
    mark_[index(pc)] = static_cast<std::uint32_t>(calls_.size() + kCallMark);
  }

  [[nodiscard]] const End* end_at(Pc pc) const {
    const std::uint32_t n = mark_[index(pc)];
    return n != 0 && n <= ends_.size() ? &ends_[n - 1] : nullptr;
  }

  // The first addresses of blocks, ascending.
  [[nodiscard]] std::vector<Pc> leaders(const std::vector<Barrier>& barriers) const {
    std::vector<bool> leads((cfg_.end - cfg_.begin) / 4);
    if (!leads.empty()) leads[0] = true;
    for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
      if (!barriers.empty() && barriers[index(pc)] != Barrier::kNone) leads[index(pc)] = true;
      const End* end = end_at(pc);
      if (end == nullptr) continue;
      for (const Pc target : end->targets) {
        if (inside(target)) leads[index(target)] = true;
      }
      if (inside(pc + 4)) leads[index(pc + 4)] = true;
    }
    std::vector<Pc> result;
    for (Pc pc = cfg_.begin; pc < cfg_.end; pc += 4) {
      if (leads[index(pc)]) result.push_back(pc);
    }
    return result;
  }

  // Calls `edge(block, target, kind)` for everything that follows a block.
  template <typename Blocks, typename Edge>
  void for_each_edge(const Blocks& ends_of_blocks, const Edge& edge) const {
    using Kind = CodeBlocks::Edge;
    for (std::size_t b = 0; b < ends_of_blocks.size(); ++b) {
      const Pc behind = ends_of_blocks[b];
      const End* end = end_at(behind - 4);
      const Kind taken = end != nullptr && end->terminator == Terminator::kBranch ? Kind::kTaken : Kind::kOther;
      if (end != nullptr) {
        for (const Pc target : end->targets) edge(b, target, taken);
      }
      if (end == nullptr || end->falls_through) edge(b, behind, end == nullptr ? Kind::kOther : Kind::kThrough);
    }
  }

  [[nodiscard]] static std::vector<Pc> ends_of(const std::vector<Pc>& leaders, Pc end) {
    std::vector<Pc> result(leaders.begin() + (leaders.empty() ? 0 : 1), leaders.end());
    if (!leaders.empty()) result.push_back(end);
    return result;
  }

  [[nodiscard]] CodeBlocks code_blocks() const {
    CodeBlocks code{cfg_.begin, cfg_.end, {}, {}};
    const std::vector<Pc> begins = leaders({});
    const std::vector<Pc> ends = ends_of(begins, cfg_.end);
    for (std::size_t b = 0; b < begins.size(); ++b) code.blocks.emplace_back(begins[b], ends[b]);
    code.predecessors.resize(begins.size());
    const std::vector<std::uint32_t> block = block_numbers(begins);
    for_each_edge(ends, [&](std::size_t b, Pc target, CodeBlocks::Edge kind) {
      if (inside(target)) code.predecessors[block[index(target)]].push_back({b, kind});
    });
    return code;
  }

  // By instruction: the block that begins there.
  [[nodiscard]] std::vector<std::uint32_t> block_numbers(const std::vector<Pc>& begins) const {
    std::vector<std::uint32_t> result((cfg_.end - cfg_.begin) / 4);
    for (std::size_t b = 0; b < begins.size(); ++b) result[index(begins[b])] = static_cast<std::uint32_t>(b);
    return result;
  }

  void make_blocks(const std::vector<Barrier>& barriers) {
    const std::vector<Pc> begins = leaders(barriers);
    const std::vector<Pc> ends = ends_of(begins, cfg_.end);
    const std::vector<std::uint32_t> number = block_numbers(begins);
    cfg_.blocks.resize(begins.size());
    for (std::size_t b = 0; b < begins.size(); ++b) {
      BasicBlock& block = cfg_.blocks[b];
      block.begin = begins[b];
      block.end = ends[b];
      block.barrier = barriers[index(block.begin)];
      if (const End* end = end_at(block.end - 4)) block.terminator = end->terminator;
      block.leaves = block.terminator == Terminator::kReturn || block.terminator == Terminator::kTailCall ||
                     block.terminator == Terminator::kIndirectJump;
    }
    for_each_edge(ends, [&](std::size_t b, Pc target, CodeBlocks::Edge) {
      BasicBlock& block = cfg_.blocks[b];
      if (!inside(target)) {
        block.leaves = true;  // into the next function, or a branch to another function
        return;
      }
      // Targets of a table are distinct; only a branch may go to its next instruction.
      const std::size_t to = number[index(target)];
      if (block.successors.empty() || block.successors.back() != to) block.successors.push_back(to);
    });
  }

  void find_branches() {
    Successors successors;
    std::vector<bool> exits, barriers, possible;
    for (const BasicBlock& block : cfg_.blocks) {
      successors.push_back(block.successors);
      exits.push_back(block.leaves);
      barriers.push_back(block.barrier == Barrier::kSure);
      possible.push_back(block.barrier != Barrier::kNone);
    }
    // A call through a pointer is taken for a barrier as long as that leaves the sides a place to meet.
    std::vector<std::size_t> meets = meeting_points(successors, exits, possible);
    if (possible != barriers) {
      const std::vector<std::size_t> sure = meeting_points(successors, exits, barriers);
      for (std::size_t b = 0; b < meets.size(); ++b) {
        if (meets[b] == kNoNode) meets[b] = sure[b];
      }
    }
    const Structure structure = find_structure(successors, exits);
    cfg_.irreducible = structure.irreducible;
    for (std::size_t b = 0; b < cfg_.blocks.size(); ++b) {
      const BasicBlock& block = cfg_.blocks[b];
      if (block.terminator != Terminator::kBranch && block.terminator != Terminator::kTableJump) continue;
      Branch branch;
      branch.pc = block.end - 4;
      branch.block = b;
      branch.rpc = meets[b] == kNoNode ? kNoRpc : meets[b] == kOutside ? kReturnRpc : cfg_.blocks[meets[b]].begin;
      branch.structured = structure.structured[b];
      branch.loop_exit = structure.loop_exit[b];
      if (block.terminator == Terminator::kBranch) {
        branch.target = end_at(branch.pc)->targets.front();
        branch.interleavable = branch.target != block.end && branch.target != branch.rpc && block.end != branch.rpc;
      } else {
        const auto holds_code = [&](std::size_t s) { return cfg_.blocks[s].begin != branch.rpc; };
        branch.interleavable = std::count_if(block.successors.begin(), block.successors.end(), holds_code) > 1;
      }
      cfg_.branches.push_back(branch);
    }
  }

  const Program& program_;
  FunctionCfg cfg_;
  std::vector<std::uint32_t>
      mark_;  // by instruction: 0, number of its End plus 1, or kCallMark + number of its Call plus 1
  std::vector<End> ends_;
  std::vector<Call> calls_;
  std::vector<Pc> unresolved_;  // indirect jumps
  std::vector<Pc> addresses_;
  bool has_barrier_ = false;
};

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

// What functions do to their callers.
class ProgramAnalysis {
 public:
  explicit ProgramAnalysis(const Program& program) : program_(program), pointers_(program) {
    for (const Program::Function& f : pieces(program)) {
      by_entry_.emplace(f.begin, functions_.size());
      functions_.emplace_back(program, f);
    }
  }

  std::vector<FunctionCfg> run() {
    // Tables show where code goes on, and calls that do not come back where it does not: neither can wait for the
    // other.
    find_returning();
    end_calls();
    JumpTargets targets(program_, pointers_);
    for (FunctionAnalysis& f : functions_) f.find_targets(targets, pointers_);
    for (FunctionAnalysis& f : functions_) f.find_callees(targets);
    find_returning();
    end_calls();
    find_barriers();
    std::vector<FunctionCfg> result;
    for (FunctionAnalysis& f : functions_)
      result.push_back(f.finish([&](const Call& call) { return barrier_of(call); }));
    return result;
  }

 private:
  static constexpr std::size_t kUnknown = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t function(Pc entry) const {
    const auto found = by_entry_.find(entry);
    return found == by_entry_.end() ? kUnknown : found->second;
  }

  // A function returns if one of its paths leaves it on which every call is of a function that returns. So each is
  // followed up to such calls, and on from there once the callee is found to return.
  void find_returning() {
    returns_.assign(functions_.size(), false);
    struct Resume {
      std::size_t function;
      Pc pc;
      bool tail;
    };
    std::vector<std::vector<Resume>> waiting(functions_.size());
    std::vector<std::vector<bool>> visited;
    std::vector<Resume> work;
    for (std::size_t f = functions_.size(); f-- > 0;) work.push_back({f, functions_[f].begin(), false});
    for (const FunctionAnalysis& f : functions_) visited.emplace_back((f.end() - f.begin()) / 4);
    while (!work.empty()) {
      const Resume at = work.back();
      work.pop_back();
      if (returns_[at.function]) continue;
      const auto passes = [&](const Call& call) {
        const std::size_t callee = function(call.target);
        if (callee == kUnknown || returns_[callee]) return true;
        waiting[callee].push_back({at.function, call.pc + 4, call.tail});
        return false;
      };
      if (!at.tail && !functions_[at.function].leaves_from(at.pc, visited[at.function], passes)) continue;
      returns_[at.function] = true;
      work.insert(work.end(), waiting[at.function].begin(), waiting[at.function].end());
      waiting[at.function].clear();
    }
  }

  void end_calls() {
    for (FunctionAnalysis& f : functions_) {
      f.end_calls([&](Pc target) {
        const std::size_t callee = function(target);
        return callee == kUnknown || returns_[callee];
      });
    }
  }

  // A function may execute a barrier if it has one, or calls a function that may; through a pointer it may call every
  // function whose address is taken.
  void find_barriers() {
    const std::size_t any = functions_.size();  // stands for all functions whose address is taken
    std::vector<std::vector<std::size_t>> callers(any + 1);
    for (std::size_t f = 0; f < any; ++f) {
      for (const Call& call : functions_[f].calls()) {
        for (const Pc callee : call.callees) {
          if (function(callee) != kUnknown) callers[function(callee)].push_back(f);
        }
        const std::size_t callee = call.target == 0 ? any : function(call.target);
        if (callee != kUnknown && call.callees.empty()) callers[callee].push_back(f);
      }
      for (const Pc pc : functions_[f].addresses()) {
        if (function(pc) != kUnknown) callers[function(pc)].push_back(any);
      }
    }
    for (const auto& [value, address] : pointers_.places()) {
      if (function(value) != kUnknown) callers[function(value)].push_back(any);
    }
    // First without calls through pointers, then with them.
    barriers_.assign(any + 1, Barrier::kNone);
    std::vector<std::size_t> work;
    for (std::size_t f = 0; f < any; ++f) {
      if (functions_[f].has_barrier()) work.push_back(f);
    }
    bool through_pointer = false;
    for (const Barrier kind : {Barrier::kSure, Barrier::kPossible}) {
      while (!work.empty()) {
        const std::size_t f = work.back();
        work.pop_back();
        if (f == any && kind == Barrier::kSure) {
          through_pointer = true;
          continue;
        }
        if (barriers_[f] != Barrier::kNone) continue;
        barriers_[f] = kind;
        work.insert(work.end(), callers[f].begin(), callers[f].end());
      }
      if (through_pointer) work.push_back(any);
    }
  }

  [[nodiscard]] Barrier barrier_of(const Call& call) const {
    const auto of = [&](std::size_t callee) { return callee == kUnknown ? Barrier::kNone : barriers_[callee]; };
    if (call.callees.empty()) return of(call.target == 0 ? functions_.size() : function(call.target));
    const Barrier first = of(function(call.callees.front()));
    const bool same =
        std::all_of(call.callees.begin(), call.callees.end(), [&](Pc callee) { return of(function(callee)) == first; });
    return same ? first : Barrier::kPossible;
  }

  const Program& program_;
  CodePointers pointers_;
  std::vector<FunctionAnalysis> functions_;
  std::unordered_map<Pc, std::size_t> by_entry_;
  std::vector<bool> returns_;
  std::vector<Barrier> barriers_;  // by function, and of a call through a pointer
};

// Instructions between a forward branch and its target if a path can issue all of them with threads masked off: 1 to
// kMaxSkip, none of them a control or barrier instruction or a mark, and none a place where paths meet.
std::uint8_t skip_of(const Program& program, std::size_t branch, const std::vector<bool>& meets) {
  const std::int32_t distance = program.text[branch].imm / 4;
  if (distance < 2 || distance > static_cast<std::int32_t>(kMaxSkip) + 1) return 0;
  const std::size_t target = branch + static_cast<std::size_t>(distance);
  if (target >= program.text.size() || program.text[branch].imm % 4 != 0) return 0;
  for (std::size_t i = branch + 1; i < target; ++i) {
    const Instruction& inst = program.text[i];
    if (inst.control || inst.barrier || inst.op == Op::kIllegal || inst.op == Op::kEbreak || inst.is_own() || meets[i])
      return 0;
  }
  return static_cast<std::uint8_t>(distance - 1);
}

void find_skips(Program& program) {
  std::vector<bool> meets(program.text.size());
  for (const Instruction& inst : program.text) {
    if (program.at(inst.rpc) != nullptr) meets[(inst.rpc - program.text_begin) / 4] = true;
  }
  for (std::size_t i = 0; i < program.text.size(); ++i) {
    if (program.text[i].is_branch()) program.text[i].skip = skip_of(program, i, meets);
  }
}

// The length of the block that begins where the paths of a branch meet.
void measure_blocks(Program& program, const std::vector<FunctionCfg>& functions) {
  std::unordered_map<Pc, std::uint16_t> lengths;
  for (const FunctionCfg& cfg : functions) {
    for (const BasicBlock& block : cfg.blocks) {
      lengths[block.begin] = static_cast<std::uint16_t>(std::min<Pc>((block.end - block.begin) / 4, 0xffff));
    }
  }
  for (Instruction& inst : program.text) {
    const auto found = lengths.find(inst.rpc);
    inst.rpc_block = inst.rpc != kNoRpc && found != lengths.end() ? found->second : std::uint16_t{0};
  }
}

}  // namespace

std::vector<FunctionCfg> analyse(Program& program) {
  std::vector<FunctionCfg> result = control_flow(program);
  program.branches_without_rpc = 0;
  for (const FunctionCfg& cfg : result) {
    const auto rpc = [&](Pc pc) -> Pc& { return program.text[(pc - program.text_begin) / 4].rpc; };
    for (const Branch& branch : cfg.branches) {
      rpc(branch.pc) = branch.rpc;
      program.branches_without_rpc += branch.rpc == kNoRpc;
    }
    for (const Pc pc : cfg.indirect_calls) rpc(pc) = pc + 4;
    for (const Pc pc : cfg.indirect_jumps) rpc(pc) = kReturnRpc;
  }
  find_skips(program);
  measure_blocks(program, result);
  return result;
}

std::vector<FunctionCfg> control_flow(const Program& program) { return ProgramAnalysis(program).run(); }

Unstructured find_unstructured(const FunctionCfg& function) {
  Successors successors;
  std::vector<bool> exits;
  for (const BasicBlock& block : function.blocks) {
    successors.push_back(block.successors);
    exits.push_back(block.leaves);
  }
  return find_unstructured(successors, exits);
}

}  // namespace heddle
