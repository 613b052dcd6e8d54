// SPDX-License-Identifier: Apache-2.0
// Directed tests of a front end: a few instructions by hand. Fetches are answered at once or some cycles later, units
// are ready, and nothing else happens but what the test says.
#pragma once

#include <deque>
#include <optional>
#include <ostream>
#include <utility>
#include <vector>

#include "tests/core/frontend_bench.h"

namespace heddle::test {

constexpr Pc kScriptBase = 0x100;
constexpr std::uint64_t kControl = std::uint64_t{1} << kControlBit, kBarrier = std::uint64_t{1} << kBarrierBit;
constexpr std::uint64_t kJump = kControl | std::uint64_t{1} << kJumpBit;
constexpr std::uint64_t on_unit(unsigned unit) { return std::uint64_t{unit} << 24; }
constexpr std::uint64_t writes(unsigned reg) { return reg; }
constexpr std::uint64_t reads(unsigned reg) { return std::uint64_t{reg} << 6; }

// PC, threads and whether predicated, of an instruction that issued.
struct Issued {
  Pc pc;
  LaneMask mask;
  bool predicated;
  friend bool operator==(const Issued& a, const Issued& b) {
    return a.pc == b.pc && a.mask == b.mask && a.predicated == b.predicated;
  }
  friend std::ostream& operator<<(std::ostream& out, const Issued& i) {
    return out << std::hex << "0x" << i.pc << " for 0x" << i.mask << std::dec << (i.predicated ? ", predicated" : "");
  }
};

template <class Set, template <class> class AnyBench>
class FrontendScript {
 public:
  using Issue = FrontendOutputs::Issue;
  using Resolve = FrontendInputs::Resolve;

  bool fetch = true;
  bool one_by_one = false;  // answers of one instruction
  unsigned latency = 0;     // cycles between a request and its answer
  unsigned units = 0x1f;

  // Instructions from kScriptBase on, for warp 0.
  FrontendScript(std::vector<std::uint64_t> code, LaneMask threads) : code_(std::move(code)) {
    FrontendInputs in;
    in.launch = {0, kScriptBase, threads};
    step(in);
  }

  // The pins of the latest cycle.
  [[nodiscard]] const FrontendOutputs& pins() const { return pins_; }
  [[nodiscard]] std::uint64_t now() const { return bench_.cycles(); }

  void step(FrontendInputs in = {}) {
    pins_ = bench_.oracle().outputs();
    in.fetch_ready = fetch;
    in.unit_ready = units;
    answers_.emplace_back();
    if (pins_.fetch.valid) {
      answers_.back() = {pins_.fetch.warp, pins_.fetch.slot, pins_.fetch.tag, {at(pins_.fetch.pc)}};
      if (at(pins_.fetch.pc) < kJump && !one_by_one) answers_.back()->bundles.push_back(at(pins_.fetch.pc + 4));
    }
    if (answers_.size() > latency) {
      in.decode = answers_.front();
      answers_.pop_front();
    }
    bench_.step(in);
  }
  void resolve(const Resolve& resolution) {
    FrontendInputs in;
    in.resolve = resolution;
    step(in);
  }
  // Nothing is given for so many cycles; whether something issues meanwhile.
  bool issues_within(unsigned cycles) {
    for (; cycles > 0; --cycles) {
      step();
      if (pins_.issue.valid) return true;
    }
    return false;
  }
  // The next instruction that issues.
  Issue issue() {
    if (!issues_within(20)) throw Violation("nothing issued for 20 cycles");
    return pins_.issue;
  }
  // The next ones.
  std::vector<Issued> issues(unsigned count) {
    std::vector<Issued> all;
    for (; count > 0; --count) {
      const Issue next = issue();
      all.push_back({next.pc, next.mask, next.predicated});
    }
    return all;
  }

 private:
  // Behind the last instruction is a jump that is not executed.
  [[nodiscard]] std::uint64_t at(Pc pc) const {
    const Pc index = (pc - kScriptBase) / 4;
    return index < code_.size() ? code_[index] : kJump;
  }

  std::vector<std::uint64_t> code_;
  std::deque<std::optional<FrontendInputs::Decode>> answers_;
  AnyBench<Set> bench_;
  FrontendOutputs pins_;
};

// Two of four threads branch over two instructions, which those of the path that stays may issue without them.
inline FrontendInputs::Resolve short_branch() {
  FrontendInputs::Resolve branch{0, 0, 0b0011, kScriptBase + 12, kScriptBase + 4, kScriptBase + 12, 0};
  branch.skip = 2;
  return branch;
}
// Executes such a branch at the begin of a program.
template <class Script>
void resolve_first(const FrontendInputs::Resolve& branch,
                   const std::vector<std::uint64_t>& behind = std::vector<std::uint64_t>(10)) {
  std::vector<std::uint64_t> code{kControl};
  code.insert(code.end(), behind.begin(), behind.end());
  Script script(code, 0b1111);
  script.issue();
  script.resolve(branch);
  script.issues(3);
}

}  // namespace heddle::test
