// SPDX-License-Identifier: Apache-2.0
#include "tests/core/random_program.h"

namespace heddle::test {

RandomProgram::RandomProgram(std::uint64_t seed, const ProgramShape& shape)
    : seed_(seed),
      shape_(shape),
      entry_(place(seed, shape)) {
  Random random(seed);
  plan(random);
  find_post_dominators();
  if (shape.forks || shape.pushes) place_forks(random);
  if (shape.barriers_used != 0) place_arrivals(random);
  place_blocks();
  emit(random);
}

const Instruction& RandomProgram::at(Pc pc) const {
  const auto found = code_.find(pc);
  if (found == code_.end()) throw std::runtime_error("no instruction at PC " + std::to_string(pc));
  return found->second;
}

unsigned RandomProgram::skip(Pc branch) const {
  const Instruction& i = at(branch);
  if (i.kind != Kind::kBranch || i.targets[0] <= branch || i.targets[0] > branch + 4 * (kMaxSkip + 1)) return 0;
  for (Pc inside = branch + 4; inside != i.targets[0]; inside += 4) {
    const bool barrier = ((at(inside).bundle >> kBarrierBit) & 1) != 0;
    if (at(inside).kind != Kind::kPlain || barrier || meeting_places_.count(inside) != 0) return 0;
  }
  return (i.targets[0] - branch) / 4 - 1;
}

std::optional<Pc> RandomProgram::outcome(Pc pc, unsigned launch, unsigned lane, const History& history) const {
  const Instruction& i = at(pc);
  const unsigned visit = history.visits;
  const std::uint64_t branch = mix(seed_, pc);
  const bool agrees = shape_.uniform || branch % 4 == 0;  // all threads alike, or each for itself
  const std::uint64_t dice = mix(mix(branch, launch * 131 + visit), agrees ? 0 : lane + 1);
  switch (i.kind) {
    case Kind::kPlain:
    case Kind::kFork:
    case Kind::kPush:
    case Kind::kMark:
    case Kind::kPop: return pc + 4;
    case Kind::kJump: return i.targets[0];
    case Kind::kIndirect:
    case Kind::kCall: return i.targets[dice % i.targets.size()];
    case Kind::kExit:
    case Kind::kReturn: return std::nullopt;
    case Kind::kConditionalExit:
      if (dice % 3 == 0) return std::nullopt;
      return pc + 4;
    case Kind::kBranch: break;
  }
  if (i.guard) {
    const std::uint64_t limit = mix(seed_ + launch, agrees ? 0 : lane + 1);
    const bool enough = history.depth >= limit % (kMaxCallDepth + 1) || history.calls >= 12;
    return enough ? i.targets[0] : pc + 4;
  }
  if (!i.backward) return dice % 2 == 0 ? i.targets[0] : pc + 4;
  const std::uint64_t trips = mix(branch, agrees ? 0 : lane + 1) % 4;
  return visit < trips ? i.targets[0] : pc + 4;
}

std::uint64_t RandomProgram::mix(std::uint64_t a, std::uint64_t b) {
  Random random(a * 0x100000001b3u ^ b);
  return random.next();
}

Pc RandomProgram::place(std::uint64_t seed, const ProgramShape& shape) {
  Random random(mix(seed, 0));
  const Pc any =
      random.chance(50) ? random.between(4, 0xffff0000) : (Pc{1} << random.between(9, 31)) - random.between(4, 128);
  return any & ~Pc{shape.functions == 0 && !shape.misleading ? 1u : 3u};
}

void RandomProgram::plan(Random& random) {
  const unsigned in_functions = shape_.functions == 0 ? 0 : 6 * shape_.functions;
  blocks_.resize(shape_.blocks + in_functions + 1);
  for (unsigned f = 1; f <= shape_.functions; ++f) entries_.push_back(shape_.blocks + 6 * (f - 1));
  plan_function(random, 0, shape_.blocks - 1);
  for (unsigned entry : entries_) plan_function(random, entry, entry + 5);
  blocks_.back().end = Kind::kExit;
  // Nobody goes to a call but through its guard.
  for (Block& block : blocks_) {
    if (block.end == Kind::kCall) continue;
    for (unsigned& to : block.to) {
      if (blocks_[to].end == Kind::kCall) --to;
    }
  }
}

void RandomProgram::place_blocks() {
  Pc pc = entry_;
  for (Block& block : blocks_) {
    block.address = pc;
    pc += 4 * ((block.pops || block.arrives ? 1 : 0) + block.body + (block.end ? 1 : 0));
  }
}

void RandomProgram::place_arrivals(Random& random) {
  for (unsigned barrier = 0; barrier < shape_.barriers_used; ++barrier) {
    const unsigned b = random.between(random.chance(70) ? shape_.blocks / 2 : 1, shape_.blocks - 1);
    if (!blocks_[b].arrives) blocks_[b].arrives = barrier;
  }
}

std::optional<Pc> RandomProgram::place_of(unsigned barrier) const {
  for (const Block& block : blocks_) {
    if (block.arrives == barrier) return block.address + 4;
  }
  return std::nullopt;
}

Instruction RandomProgram::mark(Random& random, unsigned mark, unsigned barrier) const {
  Instruction instruction;
  instruction.kind = Kind::kMark;
  instruction.mark = mark;
  instruction.barrier = barrier;
  instruction.operand = mark == kMarkSync ? ~LaneMask{0} : random.next();
  if (mark == kMarkArm || mark == kMarkRestore) instruction.rpc = *place_of(barrier);
  instruction.bundle = (bundle(random, 0) & ~std::uint64_t{63}) | std::uint64_t{1} << kControlBit;
  return instruction;
}

std::optional<Instruction> RandomProgram::any_mark(Random& random) const {
  const unsigned barrier = random.below(shape_.barriers_used);
  static const std::vector<unsigned> kMarks = {kMarkArm,  kMarkArm,  kMarkArm,    kMarkBreak,  kMarkYield,
                                               kMarkSync, kMarkSave, kMarkSavePc, kMarkRestore};
  if (!place_of(barrier)) return std::nullopt;
  return mark(random, random.pick(kMarks), barrier);
}

void RandomProgram::place_forks(Random& random) {
  std::set<unsigned> joins;
  for (unsigned b = 0; b < blocks_.size(); ++b) {
    Block& block = blocks_[b];
    if (block.end || !block.post_dominator || random.chance(50)) continue;
    const auto beyond = blocks_[*block.post_dominator].post_dominator;
    if (beyond && random.chance(80)) block.post_dominator = beyond;
    if (comes_back(b, *block.post_dominator) || !joins.insert(*block.post_dominator).second) continue;
    block.end = shape_.pushes ? Kind::kPush : Kind::kFork;
    blocks_[*block.post_dominator].pops = shape_.pushes;
  }
}

bool RandomProgram::comes_back(unsigned b, unsigned join) const {
  std::set<unsigned> seen;
  std::vector<unsigned> left = successors(b);
  while (!left.empty()) {
    const unsigned at = left.back();
    left.pop_back();
    if (at == b) return true;
    if (at == join || at == blocks_.size() || !seen.insert(at).second) continue;
    for (const unsigned next : successors(at)) left.push_back(next);
  }
  return false;
}

void RandomProgram::plan_function(Random& random, unsigned first, unsigned last) {
  const bool kernel = first == 0;
  for (unsigned b = first; b < last; ++b) {
    Block& block = blocks_[b];
    block.in_function = !kernel;
    block.body = random.below(5);
    const auto forward = [&] { return random.between(b + 1, last); };
    if (shape_.functions != 0 && b + 2 <= last && random.chance(30)) {
      block.end = Kind::kBranch;
      block.guard = true;
      block.to = {b + 2};
      Block& call = blocks_[++b];
      call.in_function = !kernel;
      call.body = random.below(3);
      call.end = Kind::kCall;
      for (unsigned targets = random.chance(70) ? 1 : 3; targets > 0; --targets)
        call.to.push_back(random.pick(entries_));
    } else if (b + 2 <= last && random.chance(shape_.short_percent)) {
      block.end = Kind::kBranch;
      block.to = {b + 2};
      Block& skipped = blocks_[++b];
      skipped.in_function = !kernel;
      skipped.body = random.between(1, kMaxSkip);
    } else if (random.chance(shape_.branch_percent)) {
      block.end = Kind::kBranch;
      block.to = {random.chance(30) ? first + random.below(b - first + 1) : forward()};
    } else {
      const Kind leaves = random.chance(kernel ? 30 : 80) && shape_.functions != 0 ? Kind::kReturn : Kind::kExit;
      switch (random.below(10)) {
        case 0:
        case 1:
          block.end = Kind::kJump;
          block.to = {forward()};
          break;
        case 2:
        case 3:
          block.end = Kind::kIndirect;
          block.to = {forward(), forward(), forward()};
          break;
        case 4: block.end = leaves; break;
        case 5:
        case 6: block.end = kernel ? Kind::kConditionalExit : leaves; break;
        default: break;
      }
    }
  }
  blocks_[last].in_function = !kernel;
  blocks_[last].body = random.below(3);
  blocks_[last].end = kernel ? Kind::kExit : Kind::kReturn;
}

std::vector<unsigned> RandomProgram::successors(unsigned b) const {
  const Block& block = blocks_[b];
  const unsigned leave = blocks_.size();
  if (block.end == Kind::kCall) return {b + 1};
  std::vector<unsigned> next = block.to;
  const bool forks = block.end == Kind::kFork || block.end == Kind::kPush;
  if (!block.end || forks || block.end == Kind::kBranch || block.end == Kind::kConditionalExit) next.push_back(b + 1);
  if (block.end == Kind::kExit || block.end == Kind::kConditionalExit || block.end == Kind::kReturn)
    next.push_back(leave);
  return next;
}

void RandomProgram::find_post_dominators() {
  const unsigned leave = blocks_.size();
  std::set<unsigned> all;
  for (unsigned b = 0; b <= leave; ++b) all.insert(b);
  std::vector<std::set<unsigned>> after(leave + 1, all);
  after[leave] = {leave};
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned b = leave; b-- > 0;) {
      std::set<unsigned> common = all;
      for (unsigned s : successors(b)) {
        std::set<unsigned> both;
        std::set_intersection(common.begin(), common.end(), after[s].begin(), after[s].end(),
                              std::inserter(both, both.end()));
        common = both;
      }
      common.insert(b);
      if (common != after[b]) {
        after[b] = common;
        changed = true;
      }
    }
  }
  for (unsigned b = 0; b < leave; ++b) {
    // The nearest strict post-dominator is post-dominated by all others.
    for (unsigned p : after[b]) {
      if (p != b && p != leave && after[p].size() + 1 == after[b].size()) blocks_[b].post_dominator = p;
    }
  }
}

void RandomProgram::emit(Random& random) {
  Pc pc = entry_;
  for (const Block& block : blocks_) {
    if (block.pops) {
      Instruction pop;
      pop.kind = Kind::kPop;
      pop.bundle = (bundle(random, 0) & ~std::uint64_t{63}) | std::uint64_t{1} << kControlBit;
      if (random.chance(50)) pop.bundle |= std::uint64_t{1} << kJumpBit;
      code_[pc] = pop;
      pc += 4;
    }
    if (block.arrives) {
      code_[pc] = mark(random, kMarkArrive, *block.arrives);
      pc += 4;
    }
    for (unsigned i = 0; i < block.body; ++i, pc += 4) {
      Instruction plain;
      plain.bundle = bundle(random, random.below(5));
      if (shape_.barriers && random.chance(4)) plain.bundle = std::uint64_t{1} << kBarrierBit;
      code_[pc] = plain;
      if (shape_.barriers_used == 0 || !random.chance(25)) continue;
      if (const auto marked = any_mark(random)) code_[pc] = *marked;
    }
    if (!block.end) continue;
    Instruction control;
    control.kind = *block.end;
    control.guard = block.guard;
    control.call = control.kind == Kind::kCall;
    control.returns = control.kind == Kind::kReturn;
    control.bundle = bundle(random, 0) | std::uint64_t{1} << kControlBit;
    const bool goes_on = control.kind == Kind::kFork || control.kind == Kind::kPush;
    if (control.kind != Kind::kBranch && !goes_on) control.bundle |= std::uint64_t{1} << kJumpBit;
    if (control.kind != Kind::kJump && control.kind != Kind::kIndirect) control.bundle &= ~std::uint64_t{63};  // no rd
    if (control.call) control.bundle |= 1;
    if (control.returns) control.bundle = (control.bundle & ~std::uint64_t{0xfc0}) | 1 << 6;
    for (unsigned to : block.to) {
      control.targets.push_back(blocks_[to].address);
      control.backward = control.backward || blocks_[to].address <= pc;
    }
    if (block.post_dominator) {
      control.rpc = blocks_[*block.post_dominator].address + (control.kind == Kind::kPush ? 4 : 0);
    } else if (block.in_function || random.chance(50)) {
      control.rpc = kReturnRpc;
    }
    if (shape_.misleading && !goes_on) mislead(random, control, pc);
    if (control.rpc > kReturnRpc) meeting_places_.insert(control.rpc);
    // Where a misleading call or return goes may be taken for the address that its function returns to.
    if (control.call || control.returns) meeting_places_.insert(control.targets.begin(), control.targets.end());
    code_[pc] = control;
    pc += 4;
  }
}

void RandomProgram::mislead(Random& random, Instruction& control, Pc pc) const {
  const bool jump = control.kind == Kind::kJump || control.kind == Kind::kIndirect;
  if (jump && random.chance(60)) (random.chance(50) ? control.call : control.returns) = true;
  if (control.call && random.chance(10)) control.call = false;
  if (control.returns && random.chance(20)) control.returns = false;
  if (random.chance(20)) control.rpc = kNoRpc;
  if (random.chance(15)) control.rpc = kReturnRpc;
  if (random.chance(15)) control.rpc = pc + 4 * random.below(8);
}

std::uint64_t RandomProgram::bundle(Random& random, unsigned unit) {
  const auto name = [&](unsigned percent) -> std::uint64_t {
    static const std::vector<unsigned> kNames = {1, 2, 5, 31, 32, 33, 63};
    return random.chance(percent) ? random.pick(kNames) : 0;
  };
  return name(70) | name(60) << 6 | name(40) << 12 | name(10) << 18 | std::uint64_t{unit} << 24;
}
}  // namespace heddle::test
