// SPDX-License-Identifier: Apache-2.0
// What a mechanism may add to the core: an instruction of its own, {kind, operand} with its resolution, an answer for
// its destination register, and an event. A stub uses all of it around the front end of spe.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "engine/frontend.h"
#include "engine/sm.h"
#include "isa/launch.h"
#include "mechanisms/mechanism.h"
#include "memory/memory_system.h"
#include "support.h"

namespace heddle::test::unit_test {
namespace {

constexpr std::uint32_t kAsks = 9, kEvent = 77;  // numbers that nobody else has
constexpr std::uint64_t kOperand = 0x1234567800000028;
constexpr RegId kResult = 5;
constexpr unsigned kWarps = 4;

// Answers a resolution of its kind with one more than the operand, and tells an event of it; a late one does so only
// after `late` cycles.
class AnsweringFrontend final : public DirectFrontend {
 public:
  explicit AnsweringFrontend(const DirectContext& context, unsigned late = 0)
      : inner_(find_mechanism("spe")->design(context.config)->direct_twin(context)),
        pins_(context.pins),
        late_(late) {}
  void reset() override { inner_->reset(); }
  void step() override {
    const bool asks = pins_.resolve_valid.read() && pins_.resolve_kind.read() == kAsks;
    asked_ = late_ == 0 ? asks : waits_ != 0 && --waits_ == 0;
    if (asks) {
      warp_ = pins_.resolve_warp.read();
      value_ = pins_.resolve_operand.read() + 1;
      waits_ = late_;
    }
    inner_->step();
  }
  void show() override {
    inner_->show();
    pins_.answer_valid.write(asked_);
    pins_.answer_warp.write(warp_);
    pins_.answer_value.write(value_);
    pins_.event_valid.write(asked_);
    pins_.event_warp.write(warp_);
    pins_.event_code.write(kEvent);
  }
  [[nodiscard]] unsigned slots() const override { return inner_->slots(); }
  void read_state(FrontendState& state) const override { inner_->read_state(state); }
  void stack_events(WarpEvent& push, WarpEvent& pop) const override { inner_->stack_events(push, pop); }
  [[nodiscard]] unsigned stack_entries(unsigned warp) const override { return inner_->stack_entries(warp); }
  [[nodiscard]] unsigned depth(unsigned warp) const override { return inner_->depth(warp); }
  [[nodiscard]] LaneMask live(unsigned warp) const override { return inner_->live(warp); }
  [[nodiscard]] StackEntry entry(unsigned warp, unsigned index) const override { return inner_->entry(warp, index); }

 private:
  std::unique_ptr<DirectFrontend> inner_;
  DirectFrontendPins& pins_;
  const unsigned late_;
  unsigned waits_ = 0;  // cycles until the answer
  bool asked_ = false;
  std::uint32_t warp_ = 0;
  std::uint64_t value_ = 0;
};

struct Heard {
  std::vector<std::pair<WarpId, std::uint32_t>> events;
  unsigned executed = 0;
};

class StubUnit final : public MechanismUnit {
 public:
  explicit StubUnit(Heard& heard) : heard_(heard) {}
  [[nodiscard]] Role role(const Instruction& inst) const override {
    return inst.op == Op::kFork ? Role::kResolves : Role::kNothing;
  }
  void execute(UnitCore&, const PathInstruction&) override { ++heard_.executed; }
  void mark(const UnitCore&, const PathInstruction& at, Mark& mark) const override {
    if (at.inst.op != Op::kFork) return;
    mark.kind = kAsks;
    mark.operand = kOperand;
  }
  void hear(UnitCore&, WarpId warp, std::uint32_t code) override { heard_.events.emplace_back(warp, code); }

 private:
  Heard& heard_;
};

class Commits final : public Observer {
 public:
  void commit(const CommitEvent& event) override {
    if (event.result) results.emplace_back(event.pc, event.result[0], event.mask);
  }
  std::vector<std::tuple<Pc, std::uint32_t, LaneMask>> results;
};

// The instruction that asks, one that needs the answer, and the end.
Program program_that_asks() {
  Program program;
  program.text_begin = 0x10000000;
  for (const std::uint32_t word : {0x0000100Bu, 0x00128313u, 0x05D00893u, 0x00000513u, 0x00000073u})
    program.text.push_back(decode(word));
  program.text[0].rd = kResult;
  program.text_end = program.text_begin + 4 * static_cast<Pc>(program.text.size());
  program.kernels.push_back({"asks", program.text_begin});
  return program;
}

TEST(MechanismUnit, AnswersGoToTheRegisterAndEventsToTheUnit) {
  Heard heard;
  FrontendMechanism stub;
  stub.name = "stub";
  stub.direct = [](const DirectContext& context) { return std::make_unique<AnsweringFrontend>(context); };
  stub.unit = [&heard](const Config&) { return std::make_unique<StubUnit>(heard); };
  register_mechanism(stub);

  Config config = test::config("spe", {"run.bounds=off", "core.warps=4"});
  config.mechanism = "stub";
  const Program program = program_that_asks();
  const Launch launch = make_launch(program, program.kernels.front(), {1}, {32 * kWarps}, {}, 0, config);
  AddressSpace space(config);
  const std::unique_ptr<MemoryInterface> memory = make_memory(config);
  Commits commits;
  std::ostringstream text;
  Sm sm(config, Engine::kSystemC);
  sm.begin(launch, space, *memory, &commits, text);
  sm.backend().go();
  while (!sm.backend().finished()) sm.cycle();
  if (sm.backend().error()) std::rethrow_exception(sm.backend().error());

  constexpr std::uint32_t kAnswer = static_cast<std::uint32_t>(kOperand) + 1;
  const LaneMask all = lane_mask(32);
  unsigned asked = 0, used = 0;
  for (const auto& [pc, value, mask] : commits.results) {
    if (pc == program.text_begin) asked += value == kAnswer && mask == all ? 1 : 100;
    if (pc == program.text_begin + 4) used += value == kAnswer + 1 && mask == all ? 1 : 100;
  }
  EXPECT_EQ(asked, kWarps);
  EXPECT_EQ(used, kWarps);
  EXPECT_EQ(heard.executed, kWarps);
  std::sort(heard.events.begin(), heard.events.end());
  ASSERT_EQ(heard.events.size(), kWarps);
  for (WarpId warp = 0; warp < kWarps; ++warp) EXPECT_EQ(heard.events[warp], std::make_pair(warp, kEvent));
}

// One warp; what stops it.
Error error_of_a_late_answer(unsigned late, const Program& program) {
  Heard heard;
  FrontendMechanism stub;
  stub.name = "stub";
  stub.direct = [late](const DirectContext& context) { return std::make_unique<AnsweringFrontend>(context, late); };
  stub.unit = [&heard](const Config&) { return std::make_unique<StubUnit>(heard); };
  register_mechanism(stub);
  Config config = test::config("spe", {"run.bounds=off", "core.warps=4", "run.watchdog=1000"});
  config.mechanism = "stub";
  const Launch launch = make_launch(program, program.kernels.front(), {1}, {32}, {}, 0, config);
  AddressSpace space(config);
  const std::unique_ptr<MemoryInterface> memory = make_memory(config);
  std::ostringstream text;
  Sm sm(config, Engine::kSystemC);
  return error_of([&] {
    sm.begin(launch, space, *memory, nullptr, text);
    sm.backend().go();
    while (!sm.backend().finished()) sm.cycle();
    if (sm.backend().error()) std::rethrow_exception(sm.backend().error());
  });
}

// The instruction behind the one that asks does not need the answer: the path issues before it has come.
TEST(MechanismUnit, ALateAnswerIsNamed) {
  Program program = program_that_asks();
  program.text[1] = decode(0x00100313u);
  const Error error = error_of_a_late_answer(30, program);
  EXPECT_EQ(error.code(), "frontend") << error.what();
  EXPECT_NE(std::string(error.what()).find("mechanism stub breaks the contract of a front end at cycle "),
            std::string::npos)
      << error.what();
  EXPECT_NE(std::string(error.what()).find(" before the answer to "), std::string::npos) << error.what();
  EXPECT_FALSE(error.details().empty());
}

// It does need it.
TEST(MechanismUnit, AnAnswerThatDoesNotComeIsNamed) {
  const Error error = error_of_a_late_answer(1u << 30, program_that_asks());
  EXPECT_EQ(error.code(), "frontend") << error.what();
  EXPECT_NE(std::string(error.what()).find("waits for the answer to "), std::string::npos) << error.what();
  EXPECT_FALSE(error.details().empty());
}

// To a mechanism without a unit it is an instruction that does nothing.
TEST(MechanismUnit, OthersPassOverItsInstructions) {
  Program program = program_that_asks();
  program.text[0].rd = 0;
  const Config config = test::config("spe", {"run.bounds=off", "core.warps=4"});
  const Launch launch = make_launch(program, program.kernels.front(), {1}, {32}, {}, 0, config);
  AddressSpace space(config);
  const std::unique_ptr<MemoryInterface> memory = make_memory(config);
  Commits commits;
  std::ostringstream text;
  Sm sm(config, Engine::kSystemC);
  sm.begin(launch, space, *memory, &commits, text);
  sm.backend().go();
  while (!sm.backend().finished()) sm.cycle();
  EXPECT_EQ(sm.backend().error(), nullptr);
  ASSERT_FALSE(commits.results.empty());
  EXPECT_EQ(std::get<1>(commits.results.front()), 1u);  // the register is 0, and one is added
}

}  // namespace
}  // namespace heddle::test::unit_test
