// SPDX-License-Identifier: Apache-2.0
#include "program/jump_targets.h"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>

namespace heddle {
namespace {

constexpr std::uint64_t kAll = std::uint64_t{1} << 32;
constexpr std::uint32_t kSign = 1u << 31;
constexpr std::uint64_t kMaxTable = 65536;        // entries of a table whose bound is known from the code
constexpr std::uint64_t kMaxGuess = 4096;         // and of one whose bound is not
constexpr std::size_t kChain = 64;                // blocks in front of a jump that are looked at
constexpr std::size_t kLooksPerJump = 1024;       // instructions that are looked at for each jump in any case
constexpr std::size_t kLooksPerInstruction = 16;  // and for all jumps together, by the size of the program
constexpr unsigned kDepth = 8;                    // instructions that form a constant
constexpr unsigned kJoins = 2;                    // joins that a range is followed through

// Registers that a call may change.
bool clobbered(unsigned r) { return r == 1 || (r >= 5 && r <= 7) || (r >= 10 && r <= 17) || r >= 28; }

// Values start, start + 1, ... modulo 2^32.
struct Range {
  std::uint32_t start = 0;
  std::uint64_t count = kAll;

  static Range of(std::uint32_t low, std::uint32_t high) { return {low, std::uint64_t{high} - low + 1}; }
  [[nodiscard]] bool full() const { return count >= kAll; }
  [[nodiscard]] Range moved(std::uint32_t by) const { return {start + by, count}; }
  [[nodiscard]] bool wraps() const { return std::uint64_t{start} + count > kAll; }
  [[nodiscard]] std::uint32_t high() const {
    return full() || wraps() ? ~0u : static_cast<std::uint32_t>(start + (count - 1));
  }

  // What is in both; one of the two if that is not one range or empty.
  [[nodiscard]] Range with(const Range& other) const {
    if (full()) return other;
    if (other.full()) return *this;
    const std::uint64_t from = other.start - start;  // relative to this range's start, modulo 2^32
    if (from + other.count <= kAll) {
      if (from >= count) return count < other.count ? *this : other;
      return {other.start, std::min(count - from, other.count)};
    }
    if (from >= count) return {start, std::min(count, from + other.count - kAll)};
    return count < other.count ? *this : other;
  }
};

// Where the extent that holds the address ends.
std::optional<std::uint64_t> end_around(const std::vector<Program::Extent>& list, Address address) {
  const auto after = std::upper_bound(list.begin(), list.end(), address,
                                      [](Address a, const Program::Extent& e) { return a < e.begin; });
  if (after == list.begin()) return std::nullopt;
  const Program::Extent& e = *std::prev(after);
  return address - e.begin < e.size ? std::optional(std::uint64_t{e.begin} + e.size) : std::nullopt;
}

}  // namespace

std::size_t CodeBlocks::block_of(Pc pc) const {
  const auto after = std::upper_bound(blocks.begin(), blocks.end(), std::pair<Pc, Pc>{pc, ~Pc{0}});
  return static_cast<std::size_t>(after - blocks.begin()) - 1;
}

CodePointers::CodePointers(const Program& program) : program_(program) {
  for (const Segment& s : program.segments) {
    const Address first = (s.address + 3) & ~3u;
    for (std::size_t at = first - s.address; at + 4 <= s.data.size(); at += 4) {
      const std::uint8_t* p = &s.data[at];
      const std::uint32_t value = p[0] | p[1] << 8 | p[2] << 16 | static_cast<std::uint32_t>(p[3]) << 24;
      if (program.at(value) == nullptr) continue;
      const auto address = static_cast<Address>(s.address + at);
      const Instruction* code = program.at(address);
      if (code != nullptr && code->op != Op::kIllegal) continue;
      places_.emplace_back(value, address);
    }
  }
  std::sort(places_.begin(), places_.end());
}

std::optional<std::uint32_t> CodePointers::word(Address address) const {
  const auto& all = program_.segments;  // sorted, apart
  auto after =
      std::upper_bound(all.begin(), all.end(), address, [](Address a, const Segment& s) { return a < s.address; });
  if (after == all.begin()) return std::nullopt;
  const Segment& s = *std::prev(after);
  if (address - s.address + std::uint64_t{4} > s.data.size()) return std::nullopt;
  const std::uint8_t* p = &s.data[address - s.address];
  return p[0] | p[1] << 8 | p[2] << 16 | static_cast<std::uint32_t>(p[3]) << 24;
}

std::pair<std::vector<CodePointers::Place>::const_iterator, std::vector<CodePointers::Place>::const_iterator>
CodePointers::between(Pc begin, Pc end) const {
  return {std::lower_bound(places_.begin(), places_.end(), Place{begin, 0}),
          std::lower_bound(places_.begin(), places_.end(), Place{end, 0})};
}

std::uint64_t CodePointers::end_of_data(Address address, const std::vector<Address>& known) const {
  if (const auto end = end_around(program_.objects, address)) return *end;
  const std::uint64_t end = end_around(program_.sections, address).value_or(kAll);
  const auto next = std::upper_bound(known.begin(), known.end(), address);
  return next == known.end() ? end : std::min<std::uint64_t>(end, *next);
}

// Runs the instructions of a chain of blocks, each the only predecessor of the next, on values of the form base +
// offset. Equal bases are equal values, whatever registers or stack slots they are in; what branches say about them is
// kept by base. Of registers of 64 bits the lower words are looked at: there are addresses, and numbers of entries.
class JumpTargets::Evaluation {
 public:
  struct Value {
    std::uint32_t base = 0;  // index of a Base; 0 is the number zero
    std::uint32_t offset = 0;
    bool operator<(const Value& o) const { return std::tie(base, offset) < std::tie(o.base, o.offset); }
    bool operator==(const Value& o) const { return base == o.base && offset == o.offset; }
    [[nodiscard]] bool constant() const { return base == 0; }
  };
  enum class Kind {
    kZero,
    kRegister,
    kOther,
    kAnd,
    kMinimum,
    kSignedMinimum,
    kSignedMaximum,
    kRemainder,
    kSignedRemainder,
    kRight,
    kLeft,
    kWord,
    kByte,
    kHalf,
    kLess
  };
  struct Base {
    Kind kind = Kind::kZero;
    Value a, b;
    std::uint32_t number = 0;  // register, mask, limit, divisor, shift, or the place of a load
  };

  Evaluation(JumpTargets& owner, const CodeBlocks& code, std::vector<std::size_t> chain, unsigned joins)
      : owner_(owner),
        code_(code),
        chain_(std::move(chain)),
        joins_(joins),
        wide_(owner.program_.xlen == Xlen::k64) {
    bases_.emplace_back();
    for (RegId r = 1; r < 32; ++r) x_[r] = {make({Kind::kRegister, {}, {}, r}), 0};
    if (owner_.program_.global_pointer() != 0)
      x_[kGp] = {0, static_cast<std::uint32_t>(owner_.program_.global_pointer())};
  }

  // Up to the last instruction of the chain, without it.
  void run_to_end() { run_to(code_.blocks[chain_.back()].second - 4); }
  // Up to an instruction of the chain's last block.
  void run_to(Pc stop) {
    for (std::size_t n = 0; n < chain_.size(); ++n) {
      const auto [begin, end] = code_.blocks[chain_[n]];
      const bool last = n + 1 == chain_.size();
      for (Pc pc = begin; pc < (last ? stop : end - 4); pc += 4) execute(pc);
      if (last) return;
      for (const CodeBlocks::Predecessor& p : code_.predecessors[chain_[n + 1]]) leave(end - 4, p.edge);
    }
  }
  // Past the last instruction along an edge.
  void leave(Pc pc, CodeBlocks::Edge edge) {
    const Instruction& i = *owner_.program_.at(pc);
    if (!i.is_branch()) {
      execute(pc);
    } else if (edge != CodeBlocks::Edge::kOther) {
      assume(i, edge == CodeBlocks::Edge::kTaken);
    }
  }

  // Reads are what makes a register's value at the chain's start wanted: only then is it searched.
  [[nodiscard]] Value get(RegId r) {
    if (r == 0) return {};
    Value& v = x_[r & 31u];
    return settle(v);
  }
  [[nodiscard]] const Base& base(Value v) const { return bases_[v.base]; }

  // Values the base may have.
  [[nodiscard]] Range range(std::uint32_t of) {
    const Base b = bases_[of];
    Range result;
    const auto inner = [&] { return range(b.a.base).moved(b.a.offset); };
    switch (b.kind) {
      case Kind::kZero: result = Range::of(0, 0); break;
      case Kind::kAnd:
      case Kind::kMinimum: result = Range::of(0, std::min(b.number, inner().high())); break;
      case Kind::kSignedMinimum:
      case Kind::kSignedMaximum: {
        const Range r = inner().moved(kSign);  // in signed order
        const std::uint32_t low = r.wraps() ? 0 : r.start, limit = b.number ^ kSign;
        result = b.kind == Kind::kSignedMinimum ? Range::of(std::min(low, limit), std::min(r.high(), limit))
                                                : Range::of(std::max(low, limit), std::max(r.high(), limit));
        result = result.moved(kSign);
        break;
      }
      case Kind::kRemainder: result = Range::of(0, b.number - 1); break;
      case Kind::kSignedRemainder:
        if (inner().high() < kSign) result = Range::of(0, b.number - 1);
        break;
      case Kind::kRight: {
        const Range r = inner();
        result = r.wraps() ? Range::of(0, ~0u >> b.number) : Range::of(r.start >> b.number, r.high() >> b.number);
        break;
      }
      case Kind::kByte: result = Range::of(0, 0xFF); break;
      case Kind::kHalf: result = Range::of(0, 0xFFFF); break;
      case Kind::kLess: result = Range::of(0, 1); break;
      case Kind::kRegister: result = range_at_start(static_cast<RegId>(b.number)); break;
      default: break;
    }
    if (const auto known = known_.find(of); known != known_.end()) result = result.with(known->second);
    return result;
  }

 private:
  std::uint32_t make(const Base& b) {
    const auto key = std::make_tuple(b.kind, b.a, b.b, b.number);
    const auto [at, added] = index_.emplace(key, static_cast<std::uint32_t>(bases_.size()));
    if (added) bases_.push_back(b);
    return at->second;
  }
  Value fresh() { return {make({Kind::kOther, {}, {}, ++others_}), 0}; }

  Value settle(Value& v) {
    if (bases_[v.base].kind != Kind::kRegister) return v;
    const auto r = static_cast<RegId>(bases_[v.base].number);
    if (r == kSp) return v;  // the frame pointer may be an ordinary register
    auto found = constants_.find(r);
    if (found == constants_.end())
      found = constants_.emplace(r, owner_.constant_before(code_, chain_.front(), r)).first;
    if (found->second) v = {0, *found->second + v.offset};
    return v;
  }

  // The range of a register where the chain begins: what holds on every way there.
  Range range_at_start(RegId r) {
    if (joins_ == 0 || owner_.budget_ == 0) return {};
    if (const auto found = starts_.find(r); found != starts_.end()) return found->second;
    starts_[r] = Range{};
    const auto& predecessors = code_.predecessors[chain_.front()];
    Range result;
    for (std::size_t n = 0; n < predecessors.size() && n < kChain; ++n) {
      Evaluation before(owner_, code_, owner_.chain_to(code_, predecessors[n].block), joins_ - 1);
      before.run_to_end();
      before.leave(code_.blocks[predecessors[n].block].second - 4, predecessors[n].edge);
      const Value v = before.get(r);
      const Range one = before.range(v.base).moved(v.offset);
      if (one.full() || one.wraps() || predecessors.size() > kChain) return {};
      result = n == 0 ? one : Range::of(std::min(result.start, one.start), std::max(result.high(), one.high()));
    }
    return starts_[r] = result;
  }

  Value masked(Value v, std::uint32_t mask) {
    if (wide_ && mask == ~0u) return v;
    if (v.constant()) return {0, v.offset & mask};
    return {make({Kind::kAnd, v, {}, mask}), 0};
  }
  // With a constant on either side, which limits the other one.
  Value limited(Kind kind, Value a, Value b) {
    if (a.constant()) std::swap(a, b);
    return b.constant() ? Value{make({kind, a, {}, b.offset}), 0} : fresh();
  }
  Value remainder(Kind kind, Value a, Value b) {
    return b.constant() && b.offset != 0 && b.offset < kSign ? Value{make({kind, a, {}, b.offset}), 0} : fresh();
  }
  Value sum(Value a, Value b) {
    return a.constant() || b.constant() ? Value{a.base + b.base, a.offset + b.offset} : fresh();
  }
  // The lower word of a register whose uppermost bits are zero.
  [[nodiscard]] std::uint32_t without_upper(std::uint32_t bits) const {
    return static_cast<std::uint32_t>((wide_ ? ~std::uint64_t{0} : 0xFFFFFFFFu) >> bits);
  }
  Value right(Value v, std::uint32_t by) {
    if (by == 0) return v;
    const Base b = bases_[v.base];
    if (b.kind == Kind::kLeft && v.offset == 0) {  // zero extension
      return b.number >= by ? left(masked(b.a, without_upper(b.number)), b.number - by)
                            : masked(right(b.a, by - b.number), without_upper(by));
    }
    if (by >= 32) return fresh();
    if (v.constant()) return {0, v.offset >> by};
    return {make({Kind::kRight, v, {}, by}), 0};
  }
  Value left(Value v, std::uint32_t by) {
    if (by == 0) return v;
    if (v.constant() && by < 32) return {0, v.offset << by};
    if (by > 3) return {make({Kind::kLeft, v, {}, by}), 0};
    return {make({Kind::kLeft, {v.base, 0}, {}, by}), v.offset << by};
  }

  void execute(Pc pc) {
    if (owner_.budget_ > 0) --owner_.budget_;
    const Instruction& i = *owner_.program_.at(pc);
    const auto imm = static_cast<std::uint32_t>(i.imm);
    if (i.is_store()) {
      const unsigned width = i.op == Op::kSd ? 8 : i.op == Op::kSw ? 4 : i.op == Op::kSh ? 2 : 1;
      if (i.op != Op::kFsw && i.op != Op::kFsd) store(get(i.rs1), imm, width, get(i.rs2));
      return;
    }
    if (i.is_jump() && i.rd != 0) {
      for (unsigned r = 1; r < 32; ++r) {
        if (clobbered(r)) x_[r] = fresh();
      }
      for (auto slot = slots_.begin();
           slot != slots_.end();) {  // the callee may change globals, not this function's frame
        const Base& b = bases_[slot->first.first.base];
        const bool frame = b.kind == Kind::kRegister && (b.number == kSp || b.number == kFp);
        slot = frame ? std::next(slot) : slots_.erase(slot);
      }
      return;
    }
    if (i.rd == 0 || i.rd >= 32) return;
    Value result;
    switch (i.op) {
      case Op::kLui: result = {0, imm}; break;
      case Op::kAuipc: result = {0, pc + imm}; break;
      case Op::kAddi:
      case Op::kAddiw: {
        const Value a = get(i.rs1);
        result = {a.base, a.offset + imm};
        break;
      }
      case Op::kAdd:
      case Op::kAddw:
      case Op::kAddUw: result = sum(get(i.rs1), get(i.rs2)); break;
      case Op::kSh1add:
      case Op::kSh1addUw: result = sum(left(get(i.rs1), 1), get(i.rs2)); break;
      case Op::kSh2add:
      case Op::kSh2addUw: result = sum(left(get(i.rs1), 2), get(i.rs2)); break;
      case Op::kSh3add:
      case Op::kSh3addUw: result = sum(left(get(i.rs1), 3), get(i.rs2)); break;
      case Op::kSub:
      case Op::kSubw: {
        const Value a = get(i.rs1), b = get(i.rs2);
        result = b.constant() ? Value{a.base, a.offset - b.offset} : fresh();
        break;
      }
      case Op::kSlli:
      case Op::kSlliw:
      case Op::kSlliUw: result = left(get(i.rs1), imm & 63u); break;
      case Op::kSrli:
      case Op::kSrliw: result = right(get(i.rs1), imm & 63u); break;
      case Op::kAndi: result = i.imm >= 0 ? masked(get(i.rs1), imm) : fresh(); break;
      case Op::kAnd: {
        const Value a = get(i.rs1), b = get(i.rs2);
        result = b.constant() ? masked(a, b.offset) : a.constant() ? masked(b, a.offset) : fresh();
        break;
      }
      case Op::kZextH: result = masked(get(i.rs1), 0xFFFFu); break;
      case Op::kBexti: result = masked(right(get(i.rs1), imm), 1); break;
      case Op::kBext: result = masked(fresh(), 1); break;
      case Op::kMinu: result = limited(Kind::kMinimum, get(i.rs1), get(i.rs2)); break;
      case Op::kMin: result = limited(Kind::kSignedMinimum, get(i.rs1), get(i.rs2)); break;
      case Op::kMax: result = limited(Kind::kSignedMaximum, get(i.rs1), get(i.rs2)); break;
      case Op::kRemu:
      case Op::kRemuw: result = remainder(Kind::kRemainder, get(i.rs1), get(i.rs2)); break;
      case Op::kRem:
      case Op::kRemw: result = remainder(Kind::kSignedRemainder, get(i.rs1), get(i.rs2)); break;
      case Op::kSltiu: result = {make({Kind::kLess, get(i.rs1), {0, imm}, 0}), 0}; break;
      case Op::kSltu: result = {make({Kind::kLess, get(i.rs1), get(i.rs2), 0}), 0}; break;
      case Op::kSlti: result = {make({Kind::kLess, get(i.rs1), {0, imm}, 1}), 0}; break;
      case Op::kSlt: result = {make({Kind::kLess, get(i.rs1), get(i.rs2), 1}), 0}; break;
      case Op::kXori: {  // the other truth value
        const Value a = get(i.rs1);
        result = imm == 1 && a.offset == 0 && base(a).kind == Kind::kLess ? Value{make({Kind::kLess, {}, a, 0}), 0}
                                                                          : fresh();
        if (base(result).kind == Kind::kLess) negated_.insert(result.base);
        break;
      }
      case Op::kLd: result = load(get(i.rs1), imm, 8, Kind::kWord); break;
      case Op::kLw:
      case Op::kLwu: result = load(get(i.rs1), imm, 4, Kind::kWord); break;
      case Op::kLbu: result = load(get(i.rs1), imm, 1, Kind::kByte); break;
      case Op::kLhu: result = load(get(i.rs1), imm, 2, Kind::kHalf); break;
      default: result = fresh(); break;
    }
    x_[i.rd] = result;
  }

  using Place = std::pair<Value, unsigned>;  // address and width
  Value load(Value address, std::uint32_t imm, unsigned width, Kind kind) {
    address.offset += imm;
    const auto found = slots_.find({address, width});
    if (found != slots_.end()) return found->second;
    const Value v{make({kind, address, {}, ++others_}), 0};
    slots_[{address, width}] = v;
    return v;
  }
  void store(Value address, std::uint32_t imm, unsigned width, Value v) {
    address.offset += imm;
    for (std::uint32_t at = address.offset - 7; at != address.offset + width; ++at) {
      for (const unsigned w : {1u, 2u, 4u, 8u}) {
        if (static_cast<std::int32_t>(at + w - address.offset) > 0) slots_.erase({{address.base, at}, w});
      }
    }
    slots_[{address, width}] = width >= 4 ? v : masked(v, width == 2 ? 0xFFFFu : 0xFFu);
  }

  void restrict(Value v, const Range& to) {
    if (v.constant()) return;
    Range& known = known_.try_emplace(v.base).first->second;
    known = known.with(to.moved(0u - v.offset));
  }
  // a < b holds, or does not.
  void compare(Value a, Value b, bool is_signed, bool less) {
    const std::uint32_t least = is_signed ? kSign : 0, most = least - 1;
    const auto between = [&](std::uint32_t low, std::uint32_t high) {
      return Range{low, std::uint64_t{high - low} + 1};
    };
    if (b.constant()) {
      if (!less) restrict(a, between(b.offset, most));
      if (less && b.offset != least) restrict(a, between(least, b.offset - 1));
    } else if (a.constant()) {
      if (!less) restrict(b, between(least, a.offset));
      if (less && a.offset != most) restrict(b, between(a.offset + 1, most));
    }
  }
  void equal(Value a, Value b, bool holds) {
    if (a.constant()) std::swap(a, b);
    if (!b.constant() || a.constant()) return;
    const Base& of = base(a);
    if (of.kind == Kind::kLess && a.offset == 0 && b.offset <= 1) {
      const bool truth = holds == (b.offset == 1);
      if (negated_.count(a.base) != 0) return equal(of.b, {}, truth);
      return compare(of.a, of.b, of.number != 0, truth);
    }
    if (holds) return restrict(a, Range::of(b.offset, b.offset));
    const Range now = range(a.base).moved(a.offset);
    if (now.full() || now.count < 2) return;
    if (now.start == b.offset) restrict(a, {now.start + 1, now.count - 1});
    if (now.start + static_cast<std::uint32_t>(now.count - 1) == b.offset) restrict(a, {now.start, now.count - 1});
  }
  void assume(const Instruction& i, bool taken) {
    const Value a = get(i.rs1), b = get(i.rs2);
    switch (i.op) {
      case Op::kBltu: compare(a, b, false, taken); break;
      case Op::kBgeu: compare(a, b, false, !taken); break;
      case Op::kBlt: compare(a, b, true, taken); break;
      case Op::kBge: compare(a, b, true, !taken); break;
      case Op::kBeq: equal(a, b, taken); break;
      case Op::kBne: equal(a, b, !taken); break;
      default: break;
    }
  }

  JumpTargets& owner_;
  const CodeBlocks& code_;
  std::vector<std::size_t> chain_;
  unsigned joins_;
  bool wide_;
  std::array<Value, 32> x_{};
  std::vector<Base> bases_;
  std::map<std::tuple<Kind, Value, Value, std::uint32_t>, std::uint32_t> index_;
  std::map<Place, Value> slots_;
  std::map<std::uint32_t, Range> known_;                     // by base
  std::map<RegId, std::optional<std::uint32_t>> constants_;  // registers at the chain's start
  std::map<RegId, Range> starts_;
  std::set<std::uint32_t> negated_;
  std::uint32_t others_ = 0;
};

JumpTargets::JumpTargets(const Program& program, const CodePointers& pointers)
    : program_(program),
      pointers_(pointers),
      shared_(kLooksPerInstruction * program.text.size()) {}

// The block, and before it the blocks from which alone it is reached.
std::vector<std::size_t> JumpTargets::chain_to(const CodeBlocks& code, std::size_t block) {
  std::vector<std::size_t> chain{block};
  std::size_t left = budget_;
  const auto length = [&](std::size_t b) { return (code.blocks[b].second - code.blocks[b].first) / 4; };
  while (chain.size() < kChain && code.predecessors[chain.back()].size() == 1) {
    const std::size_t before = code.predecessors[chain.back()][0].block;
    if (length(before) > left || std::find(chain.begin(), chain.end(), before) != chain.end()) break;
    left -= length(before);
    chain.push_back(before);
  }
  std::reverse(chain.begin(), chain.end());
  return chain;
}

// The constant that register r holds on every way to the block's first instruction.
std::optional<std::uint32_t> JumpTargets::constant_before(const CodeBlocks& code, std::size_t block, RegId r) {
  return constant_at(code, block, code.blocks[block].first, r, kDepth);
}

// The same for an instruction of the block.
std::optional<std::uint32_t> JumpTargets::constant_at(const CodeBlocks& code, std::size_t block, Pc at, RegId r,
                                                      unsigned depth) {
  if (r == 0) return 0;
  if (depth == 0) return std::nullopt;
  struct Search {
    std::size_t block;
    Pc end;
  };
  std::vector<Search> work{{block, at}};
  std::set<std::size_t> seen;
  std::optional<std::uint32_t> result;
  while (!work.empty()) {
    const Search search = work.back();
    work.pop_back();
    const Pc begin = code.blocks[search.block].first;
    Pc pc = search.end;
    bool defined = false;
    while (!defined && pc > begin) {
      if (budget_ == 0) return std::nullopt;
      --budget_;
      pc -= 4;
      const Instruction& i = *program_.at(pc);
      if (i.is_jump() && i.rd != 0 && clobbered(r)) return std::nullopt;
      defined = i.rd == r;
    }
    if (!defined) {
      if (code.predecessors[search.block].empty() || search.block == 0) return std::nullopt;
      for (const CodeBlocks::Predecessor& p : code.predecessors[search.block]) {
        if (seen.insert(p.block).second) work.push_back({p.block, code.blocks[p.block].second});
      }
      continue;
    }
    const Instruction& i = *program_.at(pc);
    const auto imm = static_cast<std::uint32_t>(i.imm);
    std::optional<std::uint32_t> value;
    if (i.op == Op::kLui) {
      value = imm;
    } else if (i.op == Op::kAuipc) {
      value = pc + imm;
    } else if (i.op == Op::kAddi || i.op == Op::kAddiw) {
      value = constant_at(code, search.block, pc, i.rs1, depth - 1);
      if (value) *value += imm;
    }
    if (!value || (result && *result != *value)) return std::nullopt;
    result = value;
  }
  return result;
}

std::vector<Pc> JumpTargets::callees(const CodeBlocks& code, std::size_t block, Pc call) {
  using Kind = Evaluation::Kind;
  budget_ = kLooksPerJump;
  const Instruction& i = *program_.at(call);
  Evaluation evaluation(*this, code, chain_to(code, block), kJoins);
  evaluation.run_to(call);
  const Evaluation::Value target = evaluation.get(i.rs1);
  const Evaluation::Base entry = evaluation.base(target);
  std::vector<Pc> result;
  if (entry.kind != Kind::kWord || target.offset + static_cast<std::uint32_t>(i.imm) != 0) return result;
  const Address first = entry.a.offset;
  const unsigned pointer = program_.xlen == Xlen::k64 ? 8 : 4;
  const std::uint64_t end =
      std::min<std::uint64_t>(pointers_.end_of_data(first, {}), std::uint64_t{first} + pointer * kMaxGuess);
  for (std::uint64_t at = first; at + pointer <= end; at += pointer) {
    const std::optional<std::uint32_t> word = pointers_.word(static_cast<Address>(at));
    if (!word || program_.at(*word) == nullptr) break;
    result.push_back(*word);
  }
  return result;
}

std::optional<JumpTable> JumpTargets::find(const CodeBlocks& code, std::size_t block) {
  using Kind = Evaluation::Kind;
  using Value = Evaluation::Value;
  const std::size_t extra = std::min<std::size_t>(shared_, 64 * kLooksPerJump);
  budget_ = kLooksPerJump + extra;
  const Instruction& i = *program_.at(code.blocks[block].second - 4);
  Evaluation evaluation(*this, code, chain_to(code, block), kJoins);
  evaluation.run_to_end();
  const Value target = evaluation.get(i.rs1);
  const Evaluation::Base entry = evaluation.base(target);
  std::optional<JumpTable> result;
  if (entry.kind == Kind::kWord) {
    const Value address = entry.a;
    const Evaluation::Base index = evaluation.base(address);
    JumpTable table;
    table.begin = address.offset;
    table.add = target.offset + static_cast<std::uint32_t>(i.imm);
    if (index.kind == Kind::kLeft && index.number >= 2 && index.number < 8) {
      table.stride = 1u << index.number;
      const Range range = evaluation.range(index.a.base).moved(index.a.offset);
      const Range whole = evaluation.range(address.base);  // what a check of the scaled index says
      if (range.count <= kMaxTable) {
        table.begin = static_cast<std::uint32_t>(table.begin + range.start * table.stride);  // modulo 2^32
        table.entries = range.count;
      } else if (!whole.wraps() && whole.high() / table.stride < kMaxTable) {
        table.entries = whole.high() / table.stride + 1;
      }
    } else if (index.kind == Kind::kAnd && index.number != 0 && (index.number & 3u) == 0) {
      table.stride = index.number & (0u - index.number);
      const Range range = evaluation.range(address.base);
      if (range.high() / table.stride < kMaxTable) table.entries = range.high() / table.stride + 1;
    }
    if (table.stride != 0) result = std::move(table);
  }
  const std::size_t used = kLooksPerJump + extra - budget_;
  shared_ -= std::min(shared_, used > kLooksPerJump ? used - kLooksPerJump : 0);
  return result;
}

bool JumpTargets::read(JumpTable& table, const CodeBlocks& code, const std::vector<Address>& known) const {
  const std::uint64_t entries = table.entries != 0 ? table.entries : kMaxGuess;
  const std::uint64_t end =
      std::min(pointers_.end_of_data(table.begin, known), std::uint64_t{table.begin} + entries * table.stride);
  for (std::uint64_t at = table.begin; at + 4 <= end; at += table.stride) {
    const std::optional<std::uint32_t> word = pointers_.word(static_cast<Address>(at));
    if (!word) break;
    const Pc pc = *word + table.add;
    if (pc < code.begin || pc >= code.end || (pc & 3u) != 0) break;
    table.targets.push_back(pc);
    table.end = static_cast<Address>(at + 4);
  }
  std::sort(table.targets.begin(), table.targets.end());
  table.targets.erase(std::unique(table.targets.begin(), table.targets.end()), table.targets.end());
  return !table.targets.empty();
}

}  // namespace heddle
