// SPDX-License-Identifier: Apache-2.0
// stack/resolve_sides: RTL and twin against the rules of docs/frontend.md ("Where paths meet"), written as a table of
// cases.
#include "stack/resolve_sides.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "models/resolve_sides_default.h"
#include "models/resolve_sides_small.h"
#include "tests/common/bench.h"
#include "tests/common/random.h"
#include "tests/common/set_names.h"

namespace heddle::test {
namespace {

constexpr std::uint32_t kNone = 0, kReturn = 1;

struct Question {
  std::uint32_t target, next, rpc;
  bool call, returns;
  std::uint32_t level, own_rpc, own_level;
};

struct Answer {
  bool tail;
  std::uint32_t meet_rpc, meet_level, target_level;
  bool target_arrives, next_arrives, target_at_own, next_at_own;
};

// A place, and a thread that stands somewhere.
struct Place {
  std::uint32_t rpc, level;
  [[nodiscard]] bool returns() const { return rpc % 2 == 1; }
  // RETURN is one place whether or not its address is known.
  [[nodiscard]] bool is(const Place& other) const {
    return level == other.level && (rpc == other.rpc || (returns() && other.returns()));
  }
  [[nodiscard]] bool has(std::uint32_t pc, std::uint32_t at) const {
    if (rpc == kNone || at != level) return false;
    if (!returns()) return pc == rpc;
    return rpc == kReturn || pc == rpc - 1;
  }
};

// Said once more, case by case.
Answer oracle(const Question& q, std::uint32_t levels) {
  const Place own{q.own_rpc, q.own_level};
  const std::uint32_t up = (q.level + 1) % levels, down = (q.level + levels - 1) % levels;
  const std::uint32_t target_level = q.call ? up : q.returns ? down : q.level;
  Place meet{q.rpc, q.level};
  if (q.rpc == kNone) {
    meet = own;  // no reconvergence point: that of the enclosing region
  } else if (q.rpc % 2 == 1) {
    meet = q.level == 0 ? own : Place{kReturn, down};  // the kernel does not return
    if (meet.is(own)) meet = own;                      // whose address may be known
  }
  Answer answer{};
  answer.tail = meet.is(own);
  answer.meet_level = meet.level;
  answer.target_level = target_level;
  answer.target_arrives = meet.has(q.target, target_level);
  answer.next_arrives = meet.has(q.next, q.level);
  answer.target_at_own = own.has(q.target, target_level);
  answer.next_at_own = own.has(q.next, q.level);
  answer.meet_rpc = meet.returns() && answer.target_arrives ? q.target + 1 : meet.rpc;
  return answer;
}

template <class Set>
class Sides : FreshSimulation {
 public:
  static constexpr std::uint32_t kLevels = 1u << Set::kLevelW;

  Sides() : rtl_(&context_, "rtl"), twin_("twin") {
    twin_.target_i(target_), twin_.next_i(next_), twin_.rpc_i(rpc_), twin_.call_i(call_), twin_.return_i(return_);
    twin_.level_i(level_), twin_.own_rpc_i(own_rpc_), twin_.own_level_i(own_level_);
    twin_.tail_o(tail_), twin_.meet_rpc_o(meet_rpc_), twin_.meet_level_o(meet_level_),
        twin_.target_level_o(target_level_);
    twin_.target_arrives_o(target_arrives_), twin_.next_arrives_o(next_arrives_);
    twin_.target_at_own_o(target_at_own_), twin_.next_at_own_o(next_at_own_);
  }
#if VM_COVERAGE
  ~Sides() { write_coverage(context_); }
#endif

  // RTL, twin and oracle agree.
  Answer ask(const Question& q) {
    rtl_.target_i = q.target, rtl_.next_i = q.next, rtl_.rpc_i = q.rpc, rtl_.call_i = q.call, rtl_.return_i = q.returns;
    rtl_.level_i = q.level, rtl_.own_rpc_i = q.own_rpc, rtl_.own_level_i = q.own_level;
    rtl_.eval();
    target_.write(q.target), next_.write(q.next), rpc_.write(q.rpc), call_.write(q.call), return_.write(q.returns);
    level_.write(q.level), own_rpc_.write(q.own_rpc), own_level_.write(q.own_level);
    sc_core::sc_start(1, sc_core::SC_NS);
    const Answer expected = oracle(q, kLevels);
    expect("tail_o", rtl_.tail_o, tail_, expected.tail);
    expect("meet_rpc_o", rtl_.meet_rpc_o, meet_rpc_, expected.meet_rpc);
    expect("meet_level_o", rtl_.meet_level_o, meet_level_, expected.meet_level);
    expect("target_level_o", rtl_.target_level_o, target_level_, expected.target_level);
    expect("target_arrives_o", rtl_.target_arrives_o, target_arrives_, expected.target_arrives);
    expect("next_arrives_o", rtl_.next_arrives_o, next_arrives_, expected.next_arrives);
    expect("target_at_own_o", rtl_.target_at_own_o, target_at_own_, expected.target_at_own);
    expect("next_at_own_o", rtl_.next_at_own_o, next_at_own_, expected.next_at_own);
    ++asked_;
    return expected;
  }

 private:
  template <class Signal>
  void expect(const char* name, std::uint32_t rtl, const Signal& twin, std::uint32_t expected) const {
    if (rtl == expected && static_cast<std::uint32_t>(twin.read()) == expected) return;
    throw Mismatch("mismatch at cycle " + std::to_string(asked_) + ": " + name + ": RTL " + std::to_string(rtl) +
                   ", twin " + std::to_string(static_cast<std::uint32_t>(twin.read())) + ", oracle " +
                   std::to_string(expected));
  }

  VerilatedContext context_;
  typename Set::Rtl rtl_;
  resolve_sides<Set::kLevelW> twin_;
  std::uint64_t asked_ = 0;
  sc_core::sc_signal<std::uint32_t> target_{"target"}, next_{"next"}, rpc_{"rpc"}, level_{"level"}, own_rpc_{"own_rpc"},
      own_level_{"own_level"};
  sc_core::sc_signal<bool> call_{"call"}, return_{"return"};
  sc_core::sc_signal<std::uint32_t> meet_rpc_{"meet_rpc"}, meet_level_{"meet_level"}, target_level_{"target_level"};
  sc_core::sc_signal<bool> tail_{"tail"}, target_arrives_{"target_arrives"}, next_arrives_{"next_arrives"},
      target_at_own_{"target_at_own"}, next_at_own_{"next_at_own"};
};

using Small = Sides<models::resolve_sides_small>;

TEST(SidesExample, OfABranchMeetAtItsReconvergencePoint) {
  const Answer answer = Small().ask({0x20, 0x14, 0x40, false, false, 1, 0x80, 1});
  EXPECT_EQ(answer.meet_rpc, 0x40u);
  EXPECT_EQ(answer.meet_level, 1u);
  EXPECT_FALSE(answer.tail || answer.target_arrives || answer.next_arrives);
}

TEST(SidesExample, ASideThatGoesToTheReconvergencePointHasArrived) {
  EXPECT_TRUE(Small().ask({0x40, 0x14, 0x40, false, false, 1, 0x80, 1}).target_arrives);
  EXPECT_TRUE(Small().ask({0x20, 0x40, 0x40, false, false, 1, 0x80, 1}).next_arrives);
}

TEST(SidesExample, OnePcAtAnotherLevelIsAnotherPlace) {
  EXPECT_FALSE(Small().ask({0x40, 0x14, 0x40, true, false, 1, 0x80, 1}).target_arrives);  // a call
  EXPECT_TRUE(Small().ask({0x20, 0x14, 0x80, false, false, 1, 0x80, 1}).tail);
  EXPECT_FALSE(Small().ask({0x20, 0x14, 0x80, false, false, 2, 0x80, 1}).tail);
}

TEST(SidesExample, WithoutAReconvergencePointTheSidesMeetWhereTheirEntryDoes) {
  const Answer answer = Small().ask({0x20, 0x14, kNone, false, false, 1, 0x80, 1});
  EXPECT_TRUE(answer.tail);
  EXPECT_EQ(answer.meet_rpc, 0x80u);
}

TEST(SidesExample, TheFirstToReturnBringsTheAddress) {
  const Answer answer = Small().ask({0x64, 0x14, kReturn, false, true, 2, 0x80, 1});
  EXPECT_TRUE(answer.target_arrives);
  EXPECT_EQ(answer.meet_rpc, 0x65u);
  EXPECT_EQ(answer.meet_level, 1u);
}

TEST(SidesExample, TheKernelDoesNotReturn) {
  const Answer answer = Small().ask({0x20, 0x14, kReturn, false, false, 0, kNone, 0});
  EXPECT_TRUE(answer.tail);
  EXPECT_EQ(answer.meet_rpc, kNone);
}

// Few values, so that they are often equal; one bit apart now and then.
template <class Set>
class SidesRandom : public testing::Test {};
using Sets = ParameterSets<models::resolve_sides_small, models::resolve_sides_default>;
TYPED_TEST_SUITE(SidesRandom, Sets, SetNames);

TYPED_TEST(SidesRandom, RtlTwinAndOracleAgree) {
  Random random(1);
  Sides<TypeParam> sides;
  const auto pc = [&] {
    return (0x1000u + 4 * random.below(3)) ^ (random.below(8) == 0 ? 2u << random.below(31) : 0u);
  };
  const auto place = [&] {
    return random.below(4) == 0 ? kNone : random.below(3) == 0 ? (random.below(2) == 0 ? kReturn : pc() | 1u) : pc();
  };
  const auto level = [&] { return random.below(4) == 0 ? random.below(Sides<TypeParam>::kLevels) : random.below(3); };
  unsigned tails = 0, arrivals = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    const unsigned kind = random.below(4);
    const std::uint32_t rpc = place();
    const Answer answer =
        sides.ask({pc(), pc(), rpc % 2 == 1 ? kReturn : rpc, kind == 0, kind == 1, level(), place(), level()});
    tails += answer.tail;
    arrivals += answer.target_arrives;
  }
  EXPECT_GT(tails, 2000u);
  EXPECT_GT(arrivals, 500u);
}

}  // namespace
}  // namespace heddle::test
