// SPDX-License-Identifier: Apache-2.0
// Scalar programs of RV64 under qemu-riscv64 and on the scalar reference: same output, same exit status.
#include <gtest/gtest.h>

#include <elf.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "memory/warp_memory.h"
#include "oracle/thread_oracle.h"

namespace heddle {
namespace {

struct Outcome {
  std::string text;
  int status = -1;
};

Outcome run_qemu(const std::string& elf) {
  Outcome outcome;
  std::FILE* pipe = popen(("qemu-riscv64 " + elf).c_str(), "r");
  if (pipe == nullptr) return outcome;
  char buffer[4096];
  for (std::size_t n; (n = std::fread(buffer, 1, sizeof buffer, pipe)) > 0;) outcome.text.append(buffer, n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

// The loadable segments of a static ELF, decoded where they are code.
Program read_elf64(const std::string& path, Pc& entry) {
  std::ifstream in(path, std::ios::binary);
  const std::vector<char> file{std::istreambuf_iterator<char>(in), {}};
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof header);
  entry = static_cast<Pc>(header.e_entry);
  Program program;
  for (unsigned n = 0; n < header.e_phnum; ++n) {
    Elf64_Phdr part;
    std::memcpy(&part, file.data() + header.e_phoff + n * sizeof part, sizeof part);
    if (part.p_type != PT_LOAD) continue;
    Segment segment;
    segment.address = static_cast<Address>(part.p_vaddr);
    segment.memory_size = static_cast<std::uint32_t>(part.p_memsz);
    segment.data.assign(file.begin() + static_cast<std::ptrdiff_t>(part.p_offset),
                        file.begin() + static_cast<std::ptrdiff_t>(part.p_offset + part.p_filesz));
    segment.writable = (part.p_flags & PF_W) != 0;
    if ((part.p_flags & PF_X) != 0) {
      program.text_begin = segment.address;
      for (std::size_t at = 0; at + 4 <= segment.data.size(); at += 4) {
        std::uint32_t word;
        std::memcpy(&word, segment.data.data() + at, 4);
        program.text.push_back(decode(word, Xlen::k64));
      }
      program.text_end = program.text_begin + static_cast<Pc>(4 * program.text.size());
    }
    program.segments.push_back(segment);
  }
  return program;
}

Outcome run_reference(const std::string& elf) {
  Config config;
  config.memory.local_bytes = 65536;
  config.run.bounds = false;
  Launch launch;
  const Program program = read_elf64(elf, launch.entry);
  launch.program = &program;
  AddressSpace memory(config);
  memory.load(program);
  memory.begin_block(0, 0);
  memory.begin_warp(0);
  std::uint64_t registers[kNumRegs];
  WideThreadOracle thread;
  thread.start(launch, {}, 0, 0, config.core.lanes, {}, registers, 1);
  thread.set_reg(2, kLocalBase + config.memory.local_bytes);
  Outcome outcome;
  while (!thread.exited()) {
    const Step step = thread.run(program, memory, 1u << 30);
    if (step.event == StepEvent::kText) {
      std::string text;
      EXPECT_EQ(read_text(memory, step.address, static_cast<std::uint32_t>(thread.reg(kA0)), {}, text).fault,
                Fault::kNone);
      outcome.text += text;
    } else if (step.event != StepEvent::kExit) {
      ADD_FAILURE() << "event " << static_cast<int>(step.event) << " at pc " << std::hex << thread.pc() << " address "
                    << step.address;
      return outcome;
    }
  }
  outcome.status = static_cast<int>(thread.reg(kA0));
  return outcome;
}

class Programs64 : public testing::TestWithParam<const char*> {};

TEST_P(Programs64, print_the_same_as_under_qemu) {
  const std::string elf = std::string(HEDDLE_TEST_PROGRAMS) + "/" + GetParam() + ".elf";
  const Outcome qemu = run_qemu(elf);
  ASSERT_GE(qemu.status, 0) << "qemu-riscv64 did not run " << elf << ": apt-get install qemu-user";
  ASSERT_GT(qemu.text.size(), 100u) << "the program prints its results";
  const Outcome reference = run_reference(elf);
  EXPECT_EQ(reference.text, qemu.text);
  EXPECT_EQ(reference.status, qemu.status);
}

INSTANTIATE_TEST_SUITE_P(All, Programs64, testing::Values("integer64", "double", "memory64"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace heddle
