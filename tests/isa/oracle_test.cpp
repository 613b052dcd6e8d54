// SPDX-License-Identifier: Apache-2.0
// The oracle lets a right machine pass and stops a wrong one: every kind of event is falsified once. And the functional
// device.
#include "oracle/oracle.h"

#include <gtest/gtest.h>

#include <functional>

#include "isa/csr.h"
#include "isa/execute.h"
#include "memory/warp_memory.h"
#include "oracle/functional.h"
#include "reference_thread.h"

namespace heddle::oracle_test {
namespace {

Instruction op3(Op op, RegId rd, RegId rs1, RegId rs2, std::int32_t imm = 0) {
  Instruction i;
  i.op = op;
  i.rd = rd;
  i.rs1 = rs1;
  i.rs2 = rs2;
  i.imm = imm;
  return i;
}

Program program_of(std::vector<Instruction> text) {
  Program program;
  program.path = "test.elf";
  program.text_begin = test::kTextBegin;
  program.text_end = test::kTextBegin + 4 * static_cast<Pc>(text.size());
  program.text = std::move(text);
  program.kernels = {{"k", test::kTextBegin}};
  program.exit_stub = program.text_end - 8;
  program.kernels[0].shared_size = 64;
  return program;
}

// Address of instruction n.
constexpr Pc at(unsigned n) { return test::kTextBegin + 4 * n; }

// out[thread] = 3 for even threads, 7 for odd ones; *sum += that.
Program sample() {
  return program_of({
      op3(Op::kCsrrs, 5, 0, 0, kCsrMhartid),  // 0
      op3(Op::kSlli, 6, 5, 0, 2),             // 1
      op3(Op::kAdd, 6, 6, kA0),               // 2
      op3(Op::kAndi, 7, 5, 0, 1),             // 3
      op3(Op::kBne, 0, 7, 0, 12),             // 4 -> 7
      op3(Op::kAddi, 8, 0, 0, 3),             // 5
      op3(Op::kJal, 0, 0, 0, 8),              // 6 -> 8
      op3(Op::kAddi, 8, 0, 0, 7),             // 7
      op3(Op::kSw, 0, 6, 8),                  // 8
      op3(Op::kCsrrs, 9, 0, 0, kCsrCycle),    // 9
      op3(Op::kAmoadd, 0, kA1, 8),            // 10
      op3(Op::kAddi, kA7, 0, 0, 93),          // 11
      op3(Op::kEcall, 0, 17, 10),             // 12
  });
}

// A machine of one warp that takes the smallest PC first; `corrupt` may change an event before it is reported.
class Machine {
 public:
  using Corrupt = std::function<void(CommitEvent&, LaneValues& result, WideLaneValues& address)>;

  Machine() : config_(test::small_config()), program_(sample()), memory_(config_), oracle_(config_) {
    memory_.load(program_);
    out_ = memory_.allocate(128);
    sum_ = memory_.allocate(4);
  }

  void run(const Corrupt& corrupt = {}, const std::function<void(AddressSpace&)>& at_end = {}) {
    const Kernel& kernel = program_.kernels[0];
    const Launch launch =
        make_launch(program_, kernel, {1}, {8}, word_arguments({out_, sum_}, 0, program_, kernel, config_), 0, config_);
    WarpContext context(launch, 0, 0, 32);
    LaneValues r[kNumRegs] = {};
    for (const InitialRegister& initial : initial_registers(launch, config_)) {
      for (std::uint32_t& value : r[initial.reg].v) value = initial.value;
    }
    memory_.begin_block(0, launch.shared_bytes());
    memory_.begin_warp(2);
    oracle_.launch_begin(launch, memory_);
    oracle_.block_begin(0, 0, 0);
    oracle_.warp_begin(0, 2, 0, 0, context.lanes_used);
    std::vector<Pc> pc(8, launch.entry);
    LaneMask live = context.lanes_used;
    std::uint8_t fcsr[kMaxLanes] = {};
    for (Cycle cycle = 1; live != 0; ++cycle) {
      CommitEvent event;
      event.cycle = cycle;
      event.warp = 2;
      event.pc = ~0u;
      for (unsigned l = 0; l < 8; ++l) {
        if ((live >> l & 1) != 0) event.pc = std::min(event.pc, pc[l]);
      }
      for (unsigned l = 0; l < 8; ++l) event.mask |= LaneMask{(live >> l & 1) != 0 && pc[l] == event.pc} << l;
      const Instruction& i = *program_.at(event.pc);
      event.instruction = &i;
      LaneValues out{};
      WideLaneValues address{};
      if (i.op == Op::kSw || i.op == Op::kAmoadd) {
        EXPECT_EQ(execute_memory(memory_, i, r[i.rs1].v, r[i.rs2].v, r[i.rs3].v, out.v, address.v, event.mask, 32, 0, 2)
                      .fault,
                  Fault::kNone);
        event.address = address.v;
      } else if (i.op == Op::kCsrrs) {
        EXPECT_EQ(execute_csr(i, context, cycle, 0, r[i.rs1].v, out.v, event.mask, 32, fcsr), 0u);
      } else if (i.is_branch()) {
        event.taken = branch_taken(i, r[i.rs1].v, r[i.rs2].v, 32) & event.mask;
      } else if (i.op == Op::kEcall) {
        event.exited = event.mask;
      } else {
        EXPECT_EQ(execute(i, event.pc, r[i.rs1].v, r[i.rs2].v, r[i.rs3].v, out.v, event.mask, 32, fcsr), 0u);
        if (i.op == Op::kJal) event.taken = event.mask;
      }
      event.target = event.pc + static_cast<Pc>(i.imm);
      if (i.rd != 0) event.result = out.v;
      for (unsigned l = 0; l < 8; ++l) {
        if ((event.mask >> l & 1) == 0) continue;
        if (i.rd != 0) r[i.rd].v[l] = out.v[l];
        pc[l] = (event.taken >> l & 1) != 0 ? event.target : event.pc + 4;
      }
      live &= ~event.exited;
      if (corrupt) corrupt(event, out, address);
      oracle_.commit(event);
    }
    oracle_.warp_end(99, 2);
    if (at_end) at_end(memory_);
    oracle_.launch_end(100, memory_);
  }

  std::string failure(const Corrupt& corrupt, const std::function<void(AddressSpace&)>& at_end = {}) {
    try {
      run(corrupt, at_end);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), "oracle");
      EXPECT_EQ(error.status(), ExitStatus::kWrongResult);
      return error.what();
    }
    return "";
  }

  Config config_;
  Program program_;
  AddressSpace memory_;
  Oracle oracle_;
  Address out_ = 0, sum_ = 0;
};

std::uint32_t word(AddressSpace& memory, Address address) {
  std::uint32_t value;
  memory.read(address, &value, 4);
  return value;
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Oracle, a_right_machine_passes_and_every_thread_instruction_is_checked) {
  Machine machine;
  machine.run();
  EXPECT_EQ(machine.oracle_.instructions_checked(), 8u * 5 + 4 * 2 + 4 + 8 * 5);
  for (unsigned t = 0; t < 8; ++t) EXPECT_EQ(word(machine.memory_, machine.out_ + 4 * t), t % 2 == 0 ? 3u : 7u);
  EXPECT_EQ(word(machine.memory_, machine.sum_), 40u);
  machine.run();  // a second launch on the memory the first one left
  EXPECT_EQ(word(machine.memory_, machine.sum_), 80u);
}

TEST(Oracle, a_wrong_register_names_thread_pc_instruction_and_both_values) {
  const std::string message = Machine().failure([](CommitEvent& event, LaneValues& result, WideLaneValues&) {
    if (event.pc == at(2)) result.v[5] ^= 0x100;
  });
  EXPECT_TRUE(contains(message, "thread (5,0,0) of block (0,0,0) (warp 2, lane 5)")) << message;
  EXPECT_TRUE(contains(message, "pc 0x00010008")) << message;
  EXPECT_TRUE(contains(message, "x6 is 0x20000114, reference says 0x20000014")) << message;
}

TEST(Oracle, a_wrong_branch_target_is_found) {
  EXPECT_TRUE(contains(Machine().failure([](CommitEvent& event, LaneValues&, WideLaneValues&) {
    if (event.pc == at(4)) event.taken ^= 1;
  }),
                       "lane 0) in cycle 5"));
}

TEST(Oracle, a_thread_at_another_pc_is_found) {
  EXPECT_TRUE(contains(Machine().failure([](CommitEvent& event, LaneValues&, WideLaneValues&) {
    if (event.pc == at(5)) event.mask |= 2;  // thread 1 took the branch
  }),
                       "the reference is at 0x0001001c"));
}

TEST(Oracle, a_wrong_address_is_found) {
  EXPECT_TRUE(contains(Machine().failure([](CommitEvent& event, LaneValues&, WideLaneValues& address) {
    if (event.pc == at(8)) address.v[7] += 4;
  }),
                       "address is 0x20000020, reference says 0x2000001c"));
}

TEST(Oracle, an_early_and_a_missing_exit_are_found) {
  EXPECT_TRUE(contains(Machine().failure([](CommitEvent& event, LaneValues&, WideLaneValues&) {
    if (event.pc == at(3)) event.exited = 4;
  }),
                       "the thread ends, in the reference it lives on"));
  EXPECT_TRUE(contains(Machine().failure([](CommitEvent& event, LaneValues&, WideLaneValues&) {
    if (event.pc == at(12)) event.exited = 0;
  }),
                       "in the reference it ends"));
}

TEST(Oracle, an_instruction_of_a_dead_thread_is_found) {
  EXPECT_TRUE(contains(Machine().failure([](CommitEvent& event, LaneValues&, WideLaneValues&) { event.mask |= 0x100; }),
                       "no thread lives there"));
}

TEST(Oracle, a_skipped_instruction_is_found) {
  Machine machine;
  EXPECT_TRUE(contains(machine.failure([](CommitEvent& event, LaneValues&, WideLaneValues&) {
    if (event.pc == at(5)) event.mask = 0;
  }),
                       "the reference is at 0x00010014"));
}

TEST(Oracle, a_wrong_byte_of_memory_at_the_end_is_found) {
  Machine machine;
  const std::string message = machine.failure({}, [&](AddressSpace& memory) {
    const std::uint8_t byte = 1;
    memory.write(machine.out_ + 99, &byte, 1);
  });
  EXPECT_TRUE(contains(message, "memory at 0x20000063 holds byte 1, reference says 0")) << message;
}

TEST(Oracle, a_launch_or_a_warp_that_ends_before_its_threads_is_found) {
  Machine machine;
  const Launch launch = make_launch(machine.program_, machine.program_.kernels[0], {2}, {8}, {}, 0, machine.config_);
  machine.oracle_.launch_begin(launch, machine.memory_);
  EXPECT_THROW(machine.oracle_.launch_end(1, machine.memory_), Error);
  machine.oracle_.block_begin(1, 0, 0);
  machine.oracle_.warp_begin(1, 0, 0, 0, 0xFF);
  EXPECT_THROW(machine.oracle_.warp_end(2, 0), Error);
}

TEST(Oracle, counters_are_taken_from_the_machine) {
  Machine machine;
  EXPECT_NO_THROW(machine.run([](CommitEvent& event, LaneValues& result, WideLaneValues&) {
    if (event.pc == at(9)) result.v[3] = 123456;
  }));
}

// --------------------------------------------------------------------------------------------------- functional device

std::string stop_message(std::vector<Instruction> text, const std::string& code, std::uint64_t limit = 0) {
  Config config = test::small_config();
  config.run.max_cycles = limit;
  FunctionalDevice device(config);
  device.load(program_of(std::move(text)));
  try {
    device.launch("k", {2}, {40}, {});
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), code);
    EXPECT_EQ(error.status(), ExitStatus::kMachineStopped);
    return error.what();
  }
  return "no error";
}

TEST(FunctionalDevice, runs_a_grid_and_counts_its_instructions) {
  FunctionalDevice device(test::small_config());
  device.load(sample());
  const Address out = device.allocate(4 * 120), sum = device.allocate(4);
  device.launch("k", {3}, {20, 2}, {out, sum});
  EXPECT_EQ(device.thread_instructions(), 120u * 10 + 60 * 2 + 60);
  EXPECT_EQ(word(device.memory(), out + 4 * 119), 7u);
  EXPECT_EQ(word(device.memory(), sum), 600u);
}

TEST(FunctionalDevice, threads_wait_for_each_other_at_barriers) {
  // shared[tid] = tid + 1; barrier; out[tid] = shared[39 - tid]; threads that have ended are not waited for.
  Program program = program_of({
      op3(Op::kCsrrs, 5, 0, 0, kCsrThreadX),
      op3(Op::kAddi, 12, 0, 0, 39),
      op3(Op::kBge, 0, 12, 5, 8),  // threads from 40 on leave without the barrier
      op3(Op::kJal, 0, 0, 0, 4 * 13),
      op3(Op::kSlli, 6, 5, 0, 2),
      op3(Op::kLui, 7, 0, 0, static_cast<std::int32_t>(kSharedBase)),
      op3(Op::kAdd, 8, 6, 7),
      op3(Op::kAddi, 9, 5, 0, 1),
      op3(Op::kSw, 0, 8, 9),
      op3(Op::kBarrier, 0, 0, 0),
      op3(Op::kSub, 12, 12, 5),
      op3(Op::kSlli, 12, 12, 0, 2),
      op3(Op::kAdd, 12, 12, 7),
      op3(Op::kLw, 13, 12, 0),
      op3(Op::kAdd, 6, 6, kA0),
      op3(Op::kSw, 0, 6, 13),
      op3(Op::kAddi, kA7, 0, 0, 93),
      op3(Op::kEcall, 0, 17, 10),
  });
  program.kernels[0].shared_size = 160;
  FunctionalDevice device(test::small_config());
  device.load(program);
  const Address out = device.allocate(160);
  device.launch("k", {1}, {50}, {out});
  for (unsigned t = 0; t < 40; ++t) EXPECT_EQ(word(device.memory(), out + 4 * t), 40 - t);
}

TEST(FunctionalDevice, faults_name_thread_block_and_pc) {
  const Instruction end = op3(Op::kEcall, 0, 17, 10);
  const std::string null = stop_message({op3(Op::kLw, 5, 0, 0, 8), end, end}, "fault");
  EXPECT_TRUE(contains(null, "load of 4 bytes at address 0x00000008: null pointer")) << null;
  EXPECT_TRUE(contains(null, "thread (0,0,0) of block (0,0,0) at pc 0x00010000")) << null;
  EXPECT_TRUE(contains(stop_message({op3(Op::kSw, 0, kSp, 0), end, end}, "fault"), "stack overflow?"));
  EXPECT_TRUE(contains(stop_message({op3(Op::kSw, 0, kSp, 0, -2), end, end}, "fault"), "misaligned"));
  EXPECT_TRUE(
      contains(stop_message({op3(Op::kIllegal, 0, 0, 0), end, end}, "fault"), "illegal or unsupported instruction"));
  EXPECT_TRUE(contains(stop_message({op3(Op::kEbreak, 0, 0, 0), end, end}, "fault"), "ebreak"));
  EXPECT_TRUE(contains(stop_message({op3(Op::kJal, 0, 0, 0, 2), end, end}, "fault"), "jump to a misaligned address"));
  EXPECT_TRUE(contains(stop_message({op3(Op::kJalr, 1, 0, 0), end, end}, "fault"), "jump to address 0"));
  EXPECT_TRUE(contains(stop_message({op3(Op::kJal, 0, 0, 0, 64), end, end}, "fault"),
                       "instruction fetch outside the program's code"));
  EXPECT_TRUE(contains(stop_message({end, end, end}, "fault"), "environment call 0"));
  EXPECT_TRUE(contains(stop_message({op3(Op::kAddi, kA7, 0, 0, 64), end, end}, "fault"),
                       "file descriptor 0: only 1 and 2 exist"));
}

TEST(FunctionalDevice, an_endless_kernel_ends_at_the_limit) {
  const Instruction end = op3(Op::kEcall, 0, 17, 10);
  EXPECT_TRUE(contains(stop_message({op3(Op::kJal, 0, 0, 0, 0), end, end}, "max_cycles", 100000),
                       "has executed 100000 instructions"));
}

}  // namespace
}  // namespace heddle::oracle_test
