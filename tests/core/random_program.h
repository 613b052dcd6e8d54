// SPDX-License-Identifier: Apache-2.0
// Random programs for the front ends: a control-flow graph with its immediate post-dominators, and what every thread does
// at every branch. Every program ends: a backward branch is taken a few times only by each thread.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/common/random.h"
#include "tests/core/ibuffer_oracle.h"

namespace heddle::test {

enum class Kind { kPlain, kBranch, kJump, kIndirect, kExit, kConditionalExit };

struct Instruction {
  Kind kind = Kind::kPlain;
  std::uint64_t bundle = 0;
  std::vector<Pc> targets;  // of a control instruction, without the next instruction
  bool backward = false;
  Pc rpc = kNoRpc;
};

struct ProgramShape {
  unsigned blocks = 8;
  unsigned branch_percent = 60;  // of the blocks that end in something but an exit
  bool barriers = true;
  bool uniform = false;  // no thread ever differs from its neighbours
};

class RandomProgram {
 public:
  RandomProgram(std::uint64_t seed, const ProgramShape& shape) : seed_(seed), shape_(shape), entry_(place(seed)) {
    Random random(seed);
    plan(random);
    find_post_dominators();
    emit(random);
  }

  [[nodiscard]] Pc entry() const { return entry_; }
  [[nodiscard]] const Instruction& at(Pc pc) const {
    const auto found = code_.find(pc);
    if (found == code_.end()) throw std::runtime_error("no instruction at PC " + std::to_string(pc));
    return found->second;
  }
  [[nodiscard]] bool has(Pc pc) const { return code_.count(pc) != 0; }
  [[nodiscard]] Pc random_pc(Random& random) const { return entry_ + 4 * random.below(code_.size()); }

  // Where a thread goes from a control instruction that it meets for the `visit`-th time; nothing if it exits.
  [[nodiscard]] std::optional<Pc> outcome(Pc pc, unsigned launch, unsigned lane, unsigned visit) const {
    const Instruction& i = at(pc);
    const std::uint64_t branch = mix(seed_, pc);
    const bool agrees = shape_.uniform || branch % 4 == 0;  // all threads alike, or each for itself
    const std::uint64_t dice = mix(mix(branch, launch * 131 + visit), agrees ? 0 : lane + 1);
    switch (i.kind) {
      case Kind::kPlain: return pc + 4;
      case Kind::kJump: return i.targets[0];
      case Kind::kIndirect: return i.targets[dice % i.targets.size()];
      case Kind::kExit: return std::nullopt;
      case Kind::kConditionalExit:
        if (dice % 3 == 0) return std::nullopt;
        return pc + 4;
      case Kind::kBranch: break;
    }
    if (!i.backward) return dice % 2 == 0 ? i.targets[0] : pc + 4;
    const std::uint64_t trips = mix(branch, agrees ? 0 : lane + 1) % 4;
    return visit < trips ? i.targets[0] : pc + 4;
  }

 private:
  struct Block {
    unsigned body = 0;
    std::optional<Kind> end;  // falls through without
    std::vector<unsigned> to;  // blocks of the targets
    Pc address = 0;
    std::optional<unsigned> post_dominator;
  };

  static std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    Random random(a * 0x100000001b3u ^ b);
    return random.next();
  }

  // The first PC: any, or a little below a power of two, so that the program goes across it. No instruction is at 0.
  static Pc place(std::uint64_t seed) {
    Random random(mix(seed, 0));
    return random.chance(50) ? random.between(1, 0xffff0000) : (Pc{1} << random.between(8, 31)) - random.between(1, 64);
  }

  void plan(Random& random) {
    blocks_.resize(shape_.blocks);
    const unsigned last = shape_.blocks - 1;
    for (unsigned b = 0; b < last; ++b) {
      Block& block = blocks_[b];
      block.body = random.below(5);
      const auto forward = [&] { return random.between(b + 1, last); };
      if (random.chance(shape_.branch_percent)) {
        block.end = Kind::kBranch;
        block.to = {random.chance(30) ? random.below(b + 1) : forward()};
      } else {
        switch (random.below(10)) {
          case 0: case 1: block.end = Kind::kJump; block.to = {forward()}; break;
          case 2: case 3: block.end = Kind::kIndirect; block.to = {forward(), forward(), forward()}; break;
          case 4: block.end = Kind::kExit; break;
          case 5: case 6: block.end = Kind::kConditionalExit; break;
          default: break;
        }
      }
    }
    blocks_[last].body = random.below(3);
    blocks_[last].end = Kind::kExit;
    Pc pc = entry_;
    for (Block& block : blocks_) {
      block.address = pc;
      pc += 4 * (block.body + (block.end ? 1 : 0));
    }
  }

  // Every block that a thread may go to; the number of blocks stands for leaving the program.
  [[nodiscard]] std::vector<unsigned> successors(unsigned b) const {
    const Block& block = blocks_[b];
    const unsigned leave = blocks_.size();
    std::vector<unsigned> next = block.to;
    if (!block.end || block.end == Kind::kBranch || block.end == Kind::kConditionalExit) next.push_back(b + 1);
    if (block.end == Kind::kExit || block.end == Kind::kConditionalExit) next.push_back(leave);
    return next;
  }

  void find_post_dominators() {
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

  void emit(Random& random) {
    Pc pc = entry_;
    for (const Block& block : blocks_) {
      for (unsigned i = 0; i < block.body; ++i, pc += 4) {
        Instruction plain;
        plain.bundle = bundle(random, random.below(5), pc);
        if (shape_.barriers && random.chance(4)) plain.bundle = barrier(pc);
        code_[pc] = plain;
      }
      if (!block.end) continue;
      Instruction control;
      control.kind = *block.end;
      control.bundle = bundle(random, 0, pc) | std::uint64_t{1} << kControlBit;
      if (control.kind != Kind::kJump && control.kind != Kind::kIndirect) control.bundle &= ~std::uint64_t{63};  // no rd
      for (unsigned to : block.to) {
        control.targets.push_back(blocks_[to].address);
        control.backward = control.backward || blocks_[to].address <= pc;
      }
      if (block.post_dominator) control.rpc = blocks_[*block.post_dominator].address;
      code_[pc] = control;
      pc += 4;
    }
  }

  // Few registers, so that instructions depend on one another; the PC is carried as the instruction word.
  static std::uint64_t bundle(Random& random, unsigned unit, Pc pc) {
    const auto name = [&](unsigned percent) -> std::uint64_t {
      static const std::vector<unsigned> kNames = {1, 2, 5, 31, 32, 33, 63};
      return random.chance(percent) ? random.pick(kNames) : 0;
    };
    return name(70) | name(60) << 6 | name(40) << 12 | name(10) << 18 | std::uint64_t{unit} << 24 | std::uint64_t{pc} << 29;
  }
  static std::uint64_t barrier(Pc pc) { return std::uint64_t{1} << kBarrierBit | std::uint64_t{pc} << 29; }

  std::uint64_t seed_;
  ProgramShape shape_;
  Pc entry_;
  std::vector<Block> blocks_;
  std::map<Pc, Instruction> code_;
};

}  // namespace heddle::test
