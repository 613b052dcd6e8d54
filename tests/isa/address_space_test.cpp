// SPDX-License-Identifier: Apache-2.0
// The memory map: what is mapped, what faults and how, what each thread sees, what a new block or warp finds.
#include "memory/address_space.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <vector>

#include "memory/l1_cache.h"
#include "reference_thread.h"

namespace heddle::address_space_test {
namespace {

class AddressSpaceTest : public testing::Test {
 protected:
  AddressSpaceTest() : memory_(test::small_config()) {
    program_.path = "test.elf";
    program_.segments = {{0x10000, 0x100, {1, 2, 3, 4}, false, true}, {0x20000, 0x200, {5, 6}, true, false}};
    program_.shared = {{kSharedBase + 8, 4, {9, 8, 7, 6}, true, false}};
    program_.local = {{kLocalBase, 8, {1, 0, 0, 0, 2}, true, false}};
    memory_.load(program_);
    for (unsigned slot = 0; slot < 4; ++slot) {
      memory_.begin_block(slot, 64);
      memory_.begin_warp(slot);
    }
  }

  template <bool kWrite>
  void expect_fault(Fault fault, Address address, unsigned bytes) {
    EXPECT_EQ(memory_.translate<kWrite>(address, bytes, {}) == nullptr, fault != Fault::kNone) << std::hex << address;
    EXPECT_EQ(memory_.diagnose(address, bytes, kWrite, {}), fault) << std::hex << address;
  }
  std::uint32_t word(Address address, const Accessor& who = {}) {
    std::uint32_t value;
    std::memcpy(&value, memory_.translate<false>(address, 4, who), 4);
    return value;
  }
  static Config without_bounds() {
    Config config = test::small_config();
    config.run.bounds = false;
    return config;
  }
  void set_word(Address address, std::uint32_t value, const Accessor& who = {}) {
    std::memcpy(memory_.translate<true>(address, 4, who), &value, 4);
  }

  Program program_;
  AddressSpace memory_;
};

TEST_F(AddressSpaceTest, every_edge_of_the_map_faults_one_step_outside_and_not_inside) {
  const Address buffer = memory_.allocate(100);
  expect_fault<false>(Fault::kNullPage, 0, 4);
  expect_fault<true>(Fault::kNullPage, 0xFFC, 4);
  expect_fault<false>(Fault::kUnmapped, 0x1000, 4);
  expect_fault<false>(Fault::kUnmapped, 0xFFFC, 4);
  expect_fault<false>(Fault::kNone, 0x10000, 4);
  expect_fault<true>(Fault::kReadOnly, 0x10000, 4);
  expect_fault<false>(Fault::kNone, 0x100FC, 4);
  expect_fault<false>(Fault::kUnmapped, 0x10100, 1);
  expect_fault<true>(Fault::kNone, 0x201FF, 1);
  expect_fault<true>(Fault::kUnmapped, 0x20200, 1);
  expect_fault<true>(Fault::kNone, buffer, 4);
  expect_fault<true>(Fault::kNone, buffer + 99, 1);
  expect_fault<true>(Fault::kNone, buffer + 96, 4);
  expect_fault<true>(Fault::kOutside, buffer + 100, 1);
  expect_fault<true>(Fault::kUnmapped, buffer + 256, 4);
  expect_fault<true>(Fault::kUnmapped, kHeapBase - 4, 4);
  expect_fault<true>(Fault::kNone, kSharedBase, 4);
  expect_fault<true>(Fault::kNone, kSharedBase + 60, 4);
  expect_fault<true>(Fault::kOutsideShared, kSharedBase + 64, 1);
  expect_fault<true>(Fault::kOutsideShared, kLocalBase - 0x800000, 4);
  expect_fault<true>(Fault::kOutsideLocal, kLocalBase - 4, 4);
  expect_fault<true>(Fault::kNone, kLocalBase, 4);
  expect_fault<true>(Fault::kNone, kLocalBase + 4095, 1);
  expect_fault<true>(Fault::kOutsideLocal, kLocalBase + 4096, 4);
  expect_fault<true>(Fault::kOutsideLocal, kWindowsEnd - 1, 1);
  expect_fault<true>(Fault::kUnmapped, kWindowsEnd, 4);
  expect_fault<true>(Fault::kUnmapped, 0xFFFFFFFC, 4);
}

TEST_F(AddressSpaceTest, misaligned_accesses_fault_in_every_region) {
  const Address buffer = memory_.allocate(16);
  for (Address base : {Address{0x10000}, Address{0x20000}, buffer, kSharedBase, kLocalBase}) {
    expect_fault<false>(Fault::kMisaligned, base + 1, 2);
    expect_fault<false>(Fault::kMisaligned, base + 1, 4);
    expect_fault<false>(Fault::kMisaligned, base + 2, 4);
    expect_fault<false>(Fault::kNone, base + 2, 2);
    expect_fault<false>(Fault::kNone, base + 3, 1);
  }
}

TEST_F(AddressSpaceTest, the_program_is_loaded_with_zeros_behind_its_data) {
  EXPECT_EQ(word(0x10000), 0x04030201u);
  EXPECT_EQ(word(0x10004), 0u);
  EXPECT_EQ(word(0x20000), 0x0605u);
}

TEST_F(AddressSpaceTest, buffers_are_zeroed_aligned_and_apart) {
  const Address a = memory_.allocate(1), b = memory_.allocate(257), c = memory_.allocate(0), d = memory_.allocate(4);
  EXPECT_EQ(a, kHeapBase);
  EXPECT_EQ(b, a + 512);
  EXPECT_EQ(c, b + 1024);
  EXPECT_EQ(d, c + 512);
  EXPECT_EQ(word(b + 252), 0u);
  AddressSpace unchecked(without_bounds());
  EXPECT_EQ(unchecked.allocate(1), a);
  EXPECT_EQ(unchecked.allocate(257), b) << "placed the same";
}

TEST_F(AddressSpaceTest, a_buffer_ends_with_its_last_byte) {
  const Address buffer = memory_.allocate(6), next = memory_.allocate(1000);
  expect_fault<true>(Fault::kNone, buffer + 4, 2);
  expect_fault<true>(Fault::kOutside, buffer + 4, 4);  // two bytes of it are inside
  expect_fault<false>(Fault::kOutside, buffer + 6, 1);
  expect_fault<false>(Fault::kOutside, next - 4, 4);
  expect_fault<false>(Fault::kNone, next + 996, 4);
  expect_fault<false>(Fault::kOutside, next + 1000, 4);
  std::uint32_t value = 0;
  EXPECT_THROW(memory_.write(buffer + 4, &value, 4), Error);
  EXPECT_THROW(memory_.read(next - 4, &value, 4), Error);
}

TEST_F(AddressSpaceTest,
       without_run_bounds_the_heap_is_all_from_64_kilobytes_in_front_of_the_first_buffer_to_64_behind_the_last) {
  AddressSpace unchecked(without_bounds());
  unchecked.load(program_);
  EXPECT_EQ(unchecked.diagnose(kHeapBase - 4, 4, true, {}), Fault::kUnmapped) << "there is no buffer yet";
  const Address buffer = unchecked.allocate(6), next = unchecked.allocate(1000);
  for (const Address address :
       {kHeapBase - 65536, kHeapBase - 4, buffer + 4, buffer + 300, next - 4, next + 1020, next + 1024 + 65532}) {
    std::uint8_t* host = unchecked.translate<true>(address, 4, {});
    ASSERT_NE(host, nullptr) << std::hex << address;
    *host = 1;
    EXPECT_EQ(unchecked.diagnose(address, 4, true, {}), Fault::kNone);
  }
  for (const Address address : {kHeapBase - 65540, next + 1024 + 65536}) {
    EXPECT_EQ(unchecked.translate<true>(address, 4, {}), nullptr) << std::hex << address;
    EXPECT_EQ(unchecked.diagnose(address, 4, true, {}), Fault::kUnmapped);
  }
  const Address third = unchecked.allocate(70000);
  std::vector<std::uint8_t> bytes(70000);
  unchecked.read(third, bytes.data(), 70000);
  EXPECT_EQ(bytes, std::vector<std::uint8_t>(70000)) << "a new buffer is zero all the same";
  AddressSpace copy(without_bounds());
  copy.load(program_);
  copy.copy_global(unchecked);
  Address where = 0;
  EXPECT_FALSE(copy.first_difference(unchecked, where));
  EXPECT_EQ(*copy.translate<false>(kHeapBase - 4, 1, {}), 1);
}

TEST_F(AddressSpaceTest, a_buffer_that_was_given_back_faults_until_its_place_is_used_again_and_then_is_zero) {
  const Address buffer = memory_.allocate(400), behind = memory_.allocate(4);
  set_word(buffer + 8, 7);
  EXPECT_FALSE(memory_.release(buffer + 8));
  EXPECT_TRUE(memory_.release(buffer));
  EXPECT_FALSE(memory_.release(buffer));
  expect_fault<false>(Fault::kFreed, buffer + 8, 4);
  expect_fault<true>(Fault::kFreed, buffer + 396, 4);
  expect_fault<true>(Fault::kOutside, buffer + 400, 4);
  expect_fault<true>(Fault::kNone, behind, 4);
  EXPECT_EQ(memory_.allocate(100), buffer);
  EXPECT_EQ(word(buffer + 8), 0u);
  expect_fault<true>(Fault::kOutside, buffer + 100, 4);
}

TEST_F(AddressSpaceTest, what_lies_between_variables_faults) {
  program_.objects = {{0x20000, 6}, {0x20008, 16}};
  program_.padding = {{0x20006, 2}, {0x20018, 0x1E8}};
  memory_.load(program_);
  expect_fault<true>(Fault::kNone, 0x20004, 2);
  expect_fault<true>(Fault::kOutside, 0x20004, 4);
  expect_fault<false>(Fault::kOutside, 0x20007, 1);
  expect_fault<true>(Fault::kNone, 0x20014, 4);
  expect_fault<true>(Fault::kOutside, 0x20018, 4);
  expect_fault<true>(Fault::kOutside, 0x201FC, 4);
  expect_fault<true>(Fault::kUnmapped, 0x20200, 4);
  const AddressSpace::Nearest nearest = memory_.nearest(0x20018, 4);
  EXPECT_EQ(nearest.kind, AddressSpace::Nearest::Kind::kVariable);
  EXPECT_EQ(nearest.begin, 0x20008u);
}

TEST_F(AddressSpaceTest, shared_memory_ends_with_its_last_byte) {
  memory_.begin_block(0, 62);
  expect_fault<true>(Fault::kNone, kSharedBase + 60, 2);
  expect_fault<true>(Fault::kOutsideShared, kSharedBase + 60, 4);
  expect_fault<true>(Fault::kOutsideShared, kSharedBase + 62, 1);
}

TEST_F(AddressSpaceTest, a_large_heap_goes_on_behind_the_windows) {
  Config config = test::small_config();
  config.memory.heap_bytes = 1u << 30;
  AddressSpace memory(config), copy(config);
  for (int n = 0; n < 3; ++n) EXPECT_LT(memory.allocate(1u << 28), kHeapLimit);
  const Address upper = memory.allocate((1u << 28) - 8);
  ASSERT_EQ(upper, kUpperHeapBase);
  const std::uint32_t value = 0xCAFEF00D;
  const Address last = upper + (1u << 28) - 12;
  memory.write(last, &value, 4);
  std::uint8_t* host = memory.translate<true>(last, 4, {});
  ASSERT_NE(host, nullptr);
  EXPECT_EQ(std::memcmp(host, &value, 4), 0);
  EXPECT_EQ(memory.diagnose(last, 4, true, {}), Fault::kNone);
  EXPECT_EQ(memory.diagnose(last + 4, 4, true, {}), Fault::kOutside);
  EXPECT_EQ(memory.translate<true>(last + 4, 4, {}), nullptr);
  EXPECT_EQ(memory.diagnose(last + 12, 4, true, {}), Fault::kUnmapped);
}

// A program of RV64.
class WideAddressSpaceTest : public AddressSpaceTest {
 protected:
  WideAddressSpaceTest() {
    program_.xlen = Xlen::k64;
    memory_.load(program_);
  }
};

TEST_F(WideAddressSpaceTest, the_heap_begins_at_four_gibibytes_and_all_else_stays) {
  const Address buffer = memory_.allocate(100);
  EXPECT_EQ(buffer, kWideHeapBase);
  EXPECT_EQ(memory_.heap(buffer), memory_.translate<true>(buffer, 8, {}));
  expect_fault<true>(Fault::kNone, buffer + 88, 8);
  expect_fault<true>(Fault::kOutside, buffer + 96, 8);
  expect_fault<true>(Fault::kNone, buffer + 96, 4);
  expect_fault<true>(Fault::kMisaligned, buffer + 4, 8);
  expect_fault<true>(Fault::kUnmapped, buffer + 256, 8);
  expect_fault<true>(Fault::kUnmapped, buffer - 8, 8);
  expect_fault<true>(Fault::kUnmapped, kHeapBase, 4);
  expect_fault<true>(Fault::kUnmapped, kUpperHeapBase, 4);
  expect_fault<true>(Fault::kUnmapped, ~Address{7}, 8);
  expect_fault<false>(Fault::kNone, 0x100F8, 8);
  expect_fault<true>(Fault::kReadOnly, 0x100F8, 8);
  expect_fault<true>(Fault::kNone, kSharedBase + 56, 8);
  expect_fault<true>(Fault::kOutsideShared, kSharedBase + 64, 8);
  expect_fault<true>(Fault::kUnmapped, kSharedBase - 8, 8);
  expect_fault<true>(Fault::kNone, kLocalBase + 4088, 8);
  expect_fault<true>(Fault::kOutsideLocal, kLocalBase + 4096, 8);
  expect_fault<true>(Fault::kOutsideLocal, kLocalBase - 8, 8);
  const AddressSpace::Nearest nearest = memory_.nearest(buffer + 104, 8);
  EXPECT_EQ(nearest.begin, buffer);
  EXPECT_EQ(nearest.bytes, 100u);
}

TEST_F(WideAddressSpaceTest, a_doubleword_that_ends_behind_its_memory_faults) {
  memory_.begin_block(0, 12);
  expect_fault<true>(Fault::kNone, kSharedBase, 8);
  expect_fault<true>(Fault::kOutsideShared, kSharedBase + 8, 8);
  Config config = test::small_config();
  config.memory.local_bytes = 260;
  AddressSpace memory(config);
  EXPECT_EQ(memory.translate<true>(kLocalBase + 256, 8, {}), nullptr);
  EXPECT_EQ(memory.diagnose(kLocalBase + 256, 8, true, {}), Fault::kOutsideLocal);
  EXPECT_NE(memory.translate<true>(kLocalBase + 256, 4, {}), nullptr);
}

TEST_F(WideAddressSpaceTest, a_buffer_given_back_faults_and_is_zero_when_its_place_is_used_again) {
  const Address buffer = memory_.allocate(400);
  set_word(buffer + 396, 1);
  EXPECT_TRUE(memory_.release(buffer));
  expect_fault<false>(Fault::kFreed, buffer + 392, 8);
  EXPECT_EQ(memory_.allocate(400), buffer);
  EXPECT_EQ(word(buffer + 396), 0u);
}

TEST_F(WideAddressSpaceTest, a_buffer_may_be_larger_than_four_gibibytes_and_costs_what_is_touched) {
  for (const bool bounds : {false, true}) {
    Config config = test::small_config();
    config.memory.heap_bytes = std::uint64_t{64} << 30;
    config.run.bounds = bounds;
    AddressSpace memory(config), view(config, memory, 1);
    memory.load(program_);
    const std::uint64_t bytes = (std::uint64_t{5} << 30) + 8;
    const Address first = memory.allocate(bytes), second = memory.allocate(64);
    EXPECT_EQ(first, kWideHeapBase);
    EXPECT_GT(second, first + bytes);
    const std::uint64_t value = 0x0123456789ABCDEF;
    memory.write(first + bytes - 8, &value, 8);
    const std::uint8_t* host = memory.translate<false>(first + bytes - 8, 8, {});
    ASSERT_NE(host, nullptr);
    EXPECT_EQ(std::memcmp(host, &value, 8), 0);
    EXPECT_EQ(memory.translate<false>(first + bytes, 8, {}) == nullptr, bounds);
    EXPECT_EQ(memory.translate<false>(second + 64, 8, {}) == nullptr, bounds);
    EXPECT_EQ(memory.buffers().find(first, bytes)->bytes, bytes);
    EXPECT_EQ(memory.physical(first + bytes - 8, {}), first + bytes - 8);
    EXPECT_THROW((void)memory.allocate(std::uint64_t{60} << 30), Error);
    memory.write(first + 5000, &value, 8);
    memory.write(first + 4, &value, 8);
    EXPECT_TRUE(memory.release(first));
    ASSERT_EQ(memory.allocate(bytes), first);
    for (const Address address : {first, first + 8, first + 5000, first + bytes - 8}) {
      std::uint64_t zero = 1;
      memory.read(address, &zero, 8);
      EXPECT_EQ(zero, 0u) << std::hex << address;
    }
    const Address third = memory.allocate(1u << 25);
    EXPECT_NE(third % 4096, 0u) << "begins within a page";
    memory.write(third, &value, 8);
    EXPECT_TRUE(memory.release(third));
    ASSERT_EQ(memory.allocate(1u << 25), third);
    std::uint64_t zero = 1;
    memory.read(third, &zero, 8);
    EXPECT_EQ(zero, 0u);
  }
}

TEST_F(WideAddressSpaceTest, the_host_sees_the_heap_at_its_addresses_if_it_has_nothing_else_there) {
  AddressSpace memory(test::small_config(), true);
  memory.load(program_);
  const Address buffer = memory.allocate(8);
  const auto host = reinterpret_cast<std::uintptr_t>(memory.translate<true>(buffer, 8, {}));
  EXPECT_EQ(memory.heap_at_its_addresses(), host == buffer);
  AddressSpace second(test::small_config(), true);  // the first one has it
  second.load(program_);
  EXPECT_FALSE(memory.heap_at_its_addresses() && second.heap_at_its_addresses());
  const std::uint64_t value = 7;
  second.write(second.allocate(8), &value, 8);
  EXPECT_EQ(memory.heap(buffer)[0], 0);
}

TEST_F(WideAddressSpaceTest, without_bounds_the_heap_has_margins) {
  AddressSpace unchecked(without_bounds());
  unchecked.load(program_);
  const Address buffer = unchecked.allocate(6);
  for (const Address address : {buffer - 65536, buffer + 8, buffer + 65536 + 248})
    EXPECT_NE(unchecked.translate<true>(address, 8, {}), nullptr) << std::hex << address;
  for (const Address address : {buffer - 65544, buffer + 65536 + 256})
    EXPECT_EQ(unchecked.translate<true>(address, 8, {}), nullptr) << std::hex << address;
}

TEST_F(WideAddressSpaceTest, a_copy_takes_the_width_over_and_equals_the_original_until_a_byte_differs) {
  const Address buffer = memory_.allocate(200000);
  set_word(buffer + 150000, 42);
  AddressSpace copy(test::small_config());
  copy.copy_global(memory_);
  Address address = 0;
  EXPECT_FALSE(copy.first_difference(memory_, address));
  EXPECT_NE(copy.translate<true>(buffer + 150000, 8, {}), memory_.translate<true>(buffer + 150000, 8, {}));
  EXPECT_EQ(copy.physical(kLocalBase, {0, 2, 5}), memory_.physical(kLocalBase, {0, 2, 5}));
  set_word(buffer + 199996, 0x01000000);
  EXPECT_TRUE(copy.first_difference(memory_, address));
  EXPECT_EQ(address, buffer + 199999);
}

TEST_F(WideAddressSpaceTest, local_memory_lies_behind_the_greatest_heap_and_where_it_lies_for_rv32_else) {
  AddressSpace narrow(test::small_config());
  const Accessor who{0, 3, 31};
  EXPECT_GE(memory_.physical(kLocalBase, {}), kWideHeapBase + 4 * kMaxWideHeapBytes);
  EXPECT_EQ(memory_.physical(kLocalBase + 8, who) - memory_.physical(kLocalBase, {}),
            narrow.physical(kLocalBase + 8, who) - narrow.physical(kLocalBase, {}));
}

TEST_F(WideAddressSpaceTest, a_window_of_a_view_holds_doublewords_back_until_its_end) {
  program_.segments[1].address = 0x20004;  // no multiple of a line of the window, nor of 8
  program_.segments[1].memory_size = 0x100;
  memory_.load(program_);
  const Address buffer = memory_.allocate(256);
  AddressSpace view(test::small_config(), memory_, 1);
  view.follow(memory_);
  view.begin_window();
  for (Address address = 0x20008; address < 0x20100; address += 8) {
    std::memcpy(view.translate<true>(address, 8, {}), &address, 8);
    std::memcpy(view.translate<true>(buffer + address % 256, 8, {}), &address, 8);
  }
  for (Address address = 0x20008; address < 0x20100; address += 8) {
    EXPECT_EQ(std::memcmp(view.translate<false>(address, 8, {}), &address, 8), 0);
    EXPECT_EQ(word(address), 0u);
  }
  view.end_window();
  for (Address address = 0x20008; address < 0x20100; address += 8) {
    EXPECT_EQ(std::memcmp(memory_.translate<false>(address, 8, {}), &address, 8), 0);
    EXPECT_EQ(std::memcmp(memory_.translate<false>(buffer + address % 256, 8, {}), &address, 8), 0);
  }
}

TEST_F(AddressSpaceTest, a_program_of_the_other_width_is_refused_while_there_are_buffers) {
  const Address buffer = memory_.allocate(4);
  program_.xlen = Xlen::k64;
  try {
    memory_.load(program_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "elf");
    EXPECT_EQ(std::string(error.what()),
              "test.elf: an RV64 program on a device with buffers where RV32 has them: load it before buffers are "
              "allocated, or give them back");
  }
  EXPECT_TRUE(memory_.release(buffer));
  memory_.load(program_);
  EXPECT_EQ(memory_.allocate(4), kWideHeapBase);
  program_.xlen = Xlen::k32;
  EXPECT_THROW(memory_.load(program_), Error);
  EXPECT_TRUE(memory_.release(kWideHeapBase));
  memory_.load(program_);
  EXPECT_EQ(memory_.allocate(4), kHeapBase);
}

TEST_F(AddressSpaceTest, a_heap_for_rv64_gives_an_rv32_program_what_it_can_address) {
  Config config = test::small_config();
  config.memory.heap_bytes = std::uint64_t{8} << 30;
  AddressSpace memory(config);
  EXPECT_EQ(memory.buffers().limit(), kMaxHeapBytes);
  try {
    (void)memory.allocate(std::uint64_t{2} << 30);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("1073741824 of 1073741824 bytes of the heap are free; raise "
                        "memory.heap_bytes (at most 1G)"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(AddressSpaceTest, an_exhausted_heap_is_an_error_that_names_the_key) {
  (void)memory_.allocate(1u << 19);
  try {
    (void)memory_.allocate((1u << 19) + 1);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), "memory");
    EXPECT_NE(std::string(error.what()).find("524288 of 1048576 bytes of the heap are free; raise memory.heap_bytes"),
              std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW((void)memory_.allocate(1u << 19));
}

TEST_F(AddressSpaceTest, the_host_reads_and_writes_buffers_and_program_data_and_nothing_else) {
  const Address buffer = memory_.allocate(16);
  const std::uint32_t value = 0xCAFEF00D;
  memory_.write(buffer + 12, &value, 4);
  EXPECT_EQ(word(buffer + 12), value);
  memory_.write(0x10000, &value, 4);  // the host may change constants
  std::uint32_t back = 0;
  memory_.read(0x10000, &back, 4);
  EXPECT_EQ(back, value);
  EXPECT_THROW(memory_.write(buffer + 254, &value, 4), Error);
  EXPECT_THROW(memory_.read(0, &back, 4), Error);
  EXPECT_THROW(memory_.read(kSharedBase, &back, 4), Error);
  EXPECT_THROW(memory_.write(buffer, &value, 0xFFFFFFFF), Error);
  EXPECT_NO_THROW(memory_.read(0, &back, 0));
}

TEST_F(AddressSpaceTest, every_thread_has_local_memory_of_its_own_interleaved_by_words) {
  for (unsigned warp = 0; warp < 4; ++warp) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (const std::uint32_t offset : {0x100u, 0x104u, 0xFFCu})
        set_word(kLocalBase + offset, warp << 24 | lane << 16 | offset, {0, warp, lane});
    }
  }
  std::set<std::uint64_t> physical;
  for (unsigned warp = 0; warp < 4; ++warp) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      const Accessor who{0, warp, lane};
      for (Address offset : {0x100u, 0x104u, 0xFFCu}) {
        ASSERT_EQ(word(kLocalBase + offset, who), warp << 24 | lane << 16 | offset);
        physical.insert(memory_.physical(kLocalBase + offset, who));
      }
      ASSERT_EQ(memory_.physical(kLocalBase + 0x102, who), memory_.physical(kLocalBase + 0x100, who) + 2);
      ASSERT_EQ(memory_.physical(kLocalBase + 0x100, who),
                memory_.physical(kLocalBase + 0x100, {0, warp, 0}) + 4 * lane);
    }
  }
  EXPECT_EQ(physical.size(), 4u * 32 * 3);
  EXPECT_GE(*physical.begin(), std::uint64_t{1} << 32);
  EXPECT_EQ(memory_.physical(0x20000004, {}), 0x20000004u);
}

// Views of several SMs of one machine.
class Frames {
 public:
  Frames(const Config& config, unsigned sms) : config_(config), global_(config) {
    for (unsigned sm = 0; sm < sms; ++sm) views_.push_back(std::make_unique<AddressSpace>(config, global_, sm));
  }
  // Calls visit(sm, address) with each word of the last `words` of each thread.
  template <class Visit>
  void for_each_word(unsigned words, const Visit& visit) const {
    for (unsigned sm = 0; sm < views_.size(); ++sm) {
      for (unsigned warp = 0; warp < config_.core.warps; ++warp) {
        for (unsigned lane = 0; lane < config_.core.lanes; ++lane) {
          for (unsigned word = 1; word <= words; ++word) {
            visit(sm, views_[sm]->physical(kLocalBase + config_.memory.local_bytes - 4 * word, {0, warp, lane}));
          }
        }
      }
    }
  }
  [[nodiscard]] const AddressSpace& view(unsigned sm) const { return *views_[sm]; }

 private:
  Config config_;
  AddressSpace global_;
  std::vector<std::unique_ptr<AddressSpace>> views_;
};

TEST(Frames, hold_each_word_of_each_thread_of_each_sm_once) {
  for (const unsigned lanes : {4u, 32u, 64u}) {
    for (const unsigned channels : {1u, 3u, 6u}) {
      Config config = test::small_config();
      config.core.lanes = lanes;
      config.core.warps = 7;
      config.memory.local_bytes = 272;
      config.l1.line = lanes == 32 ? 512 : 32;
      config.dram.channels = channels;
      const Frames frames(config, 3);
      std::set<std::uint64_t> addresses;
      frames.for_each_word(68, [&](unsigned, std::uint64_t address) { addresses.insert(address); });
      EXPECT_EQ(addresses.size(), 3u * 7 * lanes * 68) << lanes << " " << channels;
      EXPECT_GE(*addresses.begin(), std::uint64_t{1} << 32);
    }
  }
}

TEST(Frames, of_the_largest_local_memory_are_apart_and_leave_room_behind_them) {
  Config config = test::small_config();
  config.core.lanes = kMaxLanes;
  config.memory.local_bytes = kMaxLocalBytes;
  config.dram.channels = 1;
  const Frames frames(config, 2);
  std::vector<std::uint64_t> ends;
  for (unsigned sm = 0; sm < 2; ++sm) {
    for (unsigned warp = 0; warp < config.core.warps; ++warp) {
      ends.push_back(frames.view(sm).frame_end(warp));
      EXPECT_EQ(frames.view(sm).physical(kLocalBase + kMaxLocalBytes - 4, {0, warp, kMaxLanes - 1}), ends.back() - 4);
      EXPECT_EQ(frames.view(sm).physical(kLocalBase, {0, warp, 0}),
                ends.back() - (std::uint64_t{kMaxLocalBytes} * kMaxLanes));
    }
  }
  for (std::size_t i = 1; i < ends.size(); ++i)
    EXPECT_GE(ends[i] - ends[i - 1], AddressSpace::kBehindFrame + (std::uint64_t{kMaxLocalBytes} * kMaxLanes));
}

// Of the lines that the places of a cache or a DRAM hold, the most over the mean.
class Spread {
 public:
  explicit Spread(unsigned places) : lines_(places) {}
  void add(unsigned place, std::uint64_t line) { lines_[place].insert(line); }
  [[nodiscard]] double worst() const {
    std::size_t all = 0, most = 0;
    for (const std::set<std::uint64_t>& lines : lines_) {
      all += lines.size();
      most = std::max(most, lines.size());
    }
    return static_cast<double>(most * lines_.size()) / static_cast<double>(all);
  }

 private:
  std::vector<std::set<std::uint64_t>> lines_;
};

// The stacks of 48 warps of 15 SMs, eight words deep: sets of 16 KB of L1, sets of 768 KB of L2 in six slices, 16 banks
// of six channels.
TEST(Frames, are_spread_over_sets_and_banks_whatever_their_size) {
  for (const unsigned bytes : {1024u, 1056u, 4096u, 4224u, 16384u, 16640u}) {
    Config config = test::small_config();
    config.core.warps = 48;
    config.memory.local_bytes = bytes;
    std::vector<Spread> linear(15, Spread(32)), hashed(linear), fermi(linear);
    Spread l2(6 * 64), banks(6 * 16);
    Frames(config, 15).for_each_word(8, [&](unsigned sm, std::uint64_t address) {
      const std::uint64_t line = address / 128, of_l2 = address / 256, of_slice = of_l2 / 6;
      const auto slice = static_cast<unsigned>(of_l2 % 6);
      linear[sm].add(line % 32, line);
      hashed[sm].add(fold_line(line, 5), line);
      fermi[sm].add(fermi_set(line, 32), line);
      l2.add(slice * 64 + of_slice % 64, of_l2);
      banks.add(slice * 16 + of_slice / 8 % 16, of_l2);
    });
    for (unsigned sm = 0; sm < 15; ++sm) {
      EXPECT_EQ(linear[sm].worst(), 1) << bytes << " " << sm;
      EXPECT_LE(hashed[sm].worst(), 2) << bytes << " " << sm;
      EXPECT_LE(fermi[sm].worst(), 1.5) << bytes << " " << sm;
    }
    EXPECT_LE(l2.worst(), 1.5) << bytes;
    EXPECT_LE(banks.worst(), 1.25) << bytes;
  }
}

TEST_F(AddressSpaceTest, a_new_warp_finds_its_local_memory_fresh) {
  const Accessor who{0, 2, 5};
  EXPECT_EQ(word(kLocalBase, who), 1u);
  EXPECT_EQ(word(kLocalBase + 4, who), 2u);
  set_word(kLocalBase + 0xFF0, 77, who);
  memory_.begin_warp(2);
  EXPECT_EQ(word(kLocalBase + 0xFF0, who), 0u);
  EXPECT_EQ(word(kLocalBase, who), 1u);
  set_word(kLocalBase + 4, 77, who);
  set_word(kLocalBase + 8, 77, who);
  memory_.begin_warp(3);
  EXPECT_EQ(word(kLocalBase + 4, who), 77u) << "another warp's start changes nothing";
  memory_.begin_warp(2);
  EXPECT_EQ(word(kLocalBase + 4, who), 2u);
  EXPECT_EQ(word(kLocalBase + 8, who), 0u);
}

TEST_F(AddressSpaceTest, blocks_have_shared_memory_of_their_own_and_find_it_fresh) {
  set_word(kSharedBase + 16, 1, {1, 0, 0});
  set_word(kSharedBase + 16, 2, {2, 0, 0});
  EXPECT_EQ(word(kSharedBase + 16, {1, 0, 0}), 1u);
  EXPECT_EQ(word(kSharedBase + 16, {2, 3, 9}), 2u);
  set_word(kSharedBase + 8, 3, {1, 0, 0});
  memory_.begin_block(1, 128);
  EXPECT_EQ(word(kSharedBase + 16, {1, 0, 0}), 0u);
  EXPECT_EQ(word(kSharedBase + 8, {1, 0, 0}), 0x06070809u);
  EXPECT_EQ(word(kSharedBase + 124, {1, 0, 0}), 0u);
  EXPECT_EQ(word(kSharedBase + 16, {2, 0, 0}), 2u);
  memory_.begin_block(1, 8);  // a block that uses less than the image
  EXPECT_EQ(memory_.translate<false>(kSharedBase + 8, 4, {1, 0, 0}), nullptr);
}

TEST_F(AddressSpaceTest, a_reservation_ends_by_a_store_by_its_use_by_another_one_and_with_its_thread) {
  const Address buffer = memory_.allocate(16);
  std::uint8_t* word0 = memory_.heap(buffer);
  std::uint8_t* word1 = memory_.heap(buffer + 4);
  const Accessor one{0, 0, 1}, two{0, 1, 1};
  memory_.reserve(word0, one);
  memory_.reserve(word0, two);
  EXPECT_TRUE(memory_.take_reservation(word0, one));
  EXPECT_FALSE(memory_.take_reservation(word0, one));
  memory_.stored(word0 + 2);  // a byte of the word
  EXPECT_FALSE(memory_.take_reservation(word0, two));
  memory_.reserve(word0, one);
  memory_.stored(word1);
  EXPECT_TRUE(memory_.take_reservation(word0, one));
  memory_.reserve(word0, one);
  memory_.reserve(word1, one);
  EXPECT_FALSE(memory_.take_reservation(word0, one)) << "a thread has one reservation";
  memory_.reserve(word0, one);
  memory_.begin_warp(0);
  EXPECT_FALSE(memory_.take_reservation(word0, one));
}

TEST_F(AddressSpaceTest, a_copy_equals_the_original_until_a_byte_differs) {
  const Address buffer = memory_.allocate(200000);
  set_word(buffer + 150000, 42);
  set_word(0x20010, 43);
  AddressSpace copy(test::small_config());
  copy.copy_global(memory_);
  Address address = 0;
  EXPECT_FALSE(copy.first_difference(memory_, address));
  set_word(buffer + 199996, 0x01000000);
  EXPECT_TRUE(copy.first_difference(memory_, address));
  EXPECT_EQ(address, buffer + 199999);
  set_word(0x20014, 1);
  EXPECT_TRUE(copy.first_difference(memory_, address));
  EXPECT_EQ(address, 0x20014u);
  copy.begin_warp(0);
  std::uint32_t local;
  std::memcpy(&local, copy.translate<false>(kLocalBase + 4, 4, {}), 4);
  EXPECT_EQ(local, 2u) << "the images of the windows are copied too";
}

TEST_F(AddressSpaceTest, programs_that_leave_their_range_are_refused) {
  for (Address address : {Address{0}, Address{0xF00}, kHeapBase - 0x80, kSharedBase}) {
    Program bad = program_;
    bad.segments[1].address = address;
    EXPECT_THROW(memory_.load(bad), Error) << address;
  }
  Program bad = program_;
  bad.shared[0].address = kSharedBase + 49152;
  EXPECT_THROW(memory_.load(bad), Error);
  bad = program_;
  bad.local[0].memory_size = 4097;
  EXPECT_THROW(memory_.load(bad), Error);
}

}  // namespace
}  // namespace heddle::address_space_test
