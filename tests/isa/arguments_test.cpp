// SPDX-License-Identifier: Apache-2.0
// Where arguments go: the calling conventions ilp32f and lp64d, with what the psABI's text gives for each case.
#include "heddle/arguments.h"

#include <gtest/gtest.h>

#include <cstring>

namespace heddle::arguments_test {
namespace {

using Words = std::vector<std::uint32_t>;
using Registers = std::vector<std::uint64_t>;
constexpr Address kTop = 0x70001000;

class ArgumentsTest : public testing::Test {
 protected:
  static Words words_of(const std::vector<std::uint8_t>& bytes, std::size_t begin = 0) {
    Words words((bytes.size() - begin) / 4);
    std::memcpy(words.data(), bytes.data() + begin, words.size() * 4);
    return words;
  }
  // The words of an aggregate are 0x101, 0x102, ...
  void add(const ArgumentBuilder::Aggregate& type) {
    Words words((type.bytes + 3) / 4);
    for (std::uint32_t i = 0; i < words.size(); ++i) words[i] = 0x101 + i;
    builder_.add_aggregate(reinterpret_cast<const std::uint8_t*>(words.data()), type);
  }
  ArgumentBuilder builder_{kTop};
};

TEST_F(ArgumentsTest, the_ninth_word_and_what_floats_leave_over_go_to_the_stack) {
  for (std::uint32_t i = 0; i < 7; ++i) builder_.add_word(i);
  for (std::uint32_t i = 0; i < 9; ++i) builder_.add_float(100 + i);  // the ninth takes a7
  builder_.add_float(109);
  builder_.add_word(7);
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.integers, (Registers{0, 1, 2, 3, 4, 5, 6, 108}));
  EXPECT_EQ(a.floats, (Registers{100, 101, 102, 103, 104, 105, 106, 107}));
  EXPECT_EQ(words_of(a.stack), (Words{109, 7, 0, 0}));
}

TEST_F(ArgumentsTest, eight_bytes_take_two_registers_a7_and_the_stack_or_an_aligned_place_there) {
  for (std::uint32_t i = 0; i < 5; ++i) builder_.add_word(i);
  builder_.add_doubleword(0x1111111122222222);  // a5 a6: no even register is asked for
  builder_.add_doubleword(0x3333333344444444);  // a7 and the stack
  builder_.add_doubleword(0x5555555566666666);  // aligned to 8
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.integers, (Registers{0, 1, 2, 3, 4, 0x22222222, 0x11111111, 0x44444444}));
  EXPECT_EQ(words_of(a.stack), (Words{0x33333333, 0, 0x66666666, 0x55555555}));
}

TEST_F(ArgumentsTest, small_aggregates_of_floats_take_float_registers_while_there_are_enough) {
  const ArgumentBuilder::Aggregate pair{8, 4, {{0, 4, true}, {4, 4, true}}};
  const ArgumentBuilder::Aggregate one{4, 4, {{0, 4, true}}};
  const ArgumentBuilder::Aggregate mixed{8, 4, {{0, 4, true}, {4, 2, false}}};
  add(pair);
  add(one);
  add(mixed);
  add(pair);
  builder_.add_float(5);
  add(pair);  // one float register is left: both in integer registers
  add(one);
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.floats, (Registers{0x101, 0x102, 0x101, 0x101, 0x101, 0x102, 5, 0x101}));
  EXPECT_EQ(a.integers, (Registers{0x102, 0x101, 0x102}));
}

TEST_F(ArgumentsTest, other_small_aggregates_take_words) {
  add({3, 1, {{0, 1, false}, {1, 1, false}, {2, 1, false}}});
  add({8, 8, {{0, 8, false}}});
  add({8, 4, {{0, 4, false}, {4, 4, false}}});
  add({1, 1, {}});  // empty
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.integers, (Registers{0x101, 0x101, 0x102, 0x101, 0x102}));
  EXPECT_TRUE(a.floats.empty());
  EXPECT_TRUE(a.stack.empty());
}

TEST_F(ArgumentsTest, large_ones_and_classes_with_copies_of_their_own_are_passed_by_address) {
  add({12, 4, {{0, 4, true}, {4, 4, true}, {8, 4, true}}});
  add({4, 4, {{0, 4, true}}, true});
  add({40, 16, {{0, 8, false}, {8, 8, false}, {16, 8, false}}});
  for (std::uint32_t i = 0; i < 6; ++i) builder_.add_word(i);
  const KernelArguments a = builder_.finish();
  ASSERT_EQ(a.integers.size(), 8u);
  EXPECT_EQ(a.integers[0] % 4, 0u);
  EXPECT_EQ(a.integers[2] % 16, 0u);
  EXPECT_EQ(a.stack.size() % 16, 0u);
  const auto at = [&](Address address) { return a.stack.size() - (kTop - address); };
  EXPECT_EQ(words_of(a.stack, at(a.integers[0])).front(), 0x101u);
  EXPECT_EQ(words_of(a.stack, at(a.integers[0]))[2], 0x103u);
  EXPECT_EQ(words_of(a.stack, at(a.integers[1])).front(), 0x101u);
  EXPECT_EQ(words_of(a.stack, at(a.integers[2]))[9], 0x10Au);
  EXPECT_EQ(words_of(a.stack).front(), 5u);  // the ninth word, at the stack pointer
  EXPECT_GE(at(a.integers[2]), 4u);
}

class WideArgumentsTest : public ArgumentsTest {
 protected:
  WideArgumentsTest() { builder_ = ArgumentBuilder(kTop, 8); }
  static Registers slots_of(const std::vector<std::uint8_t>& bytes, std::size_t begin = 0) {
    Registers slots((bytes.size() - begin) / 8);
    std::memcpy(slots.data(), bytes.data() + begin, slots.size() * 8);
    return slots;
  }
};

TEST_F(WideArgumentsTest, words_are_extended_by_their_upper_bit_and_floats_have_a_box) {
  builder_.add_word(5);
  builder_.add_word(0x80000000u);
  builder_.add_doubleword(0x80000000u);
  builder_.add_float(0x3F800000u);
  builder_.add_double(0x3FF0000000000000u);
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.integers, (Registers{5, 0xFFFFFFFF80000000u, 0x80000000u}));
  EXPECT_EQ(a.floats, (Registers{0xFFFFFFFF3F800000u, 0x3FF0000000000000u}));
}

TEST_F(WideArgumentsTest, what_has_no_register_has_eight_bytes_of_the_stack) {
  for (std::uint32_t i = 0; i < 7; ++i) builder_.add_doubleword(i);
  for (std::uint32_t i = 0; i < 9; ++i) builder_.add_double(100 + i);  // the ninth takes a7
  builder_.add_float(109);
  builder_.add_word(7);
  builder_.add_doubleword(0x1111111122222222u);
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.integers, (Registers{0, 1, 2, 3, 4, 5, 6, 108}));
  EXPECT_EQ(a.floats, (Registers{100, 101, 102, 103, 104, 105, 106, 107}));
  EXPECT_EQ(slots_of(a.stack), (Registers{109, 7, 0x1111111122222222u, 0}));
}

TEST_F(WideArgumentsTest, small_aggregates_of_floating_point_numbers_take_their_registers) {
  add({16, 8, {{0, 8, true}, {8, 8, true}}});
  add({8, 4, {{0, 4, true}, {4, 4, true}}});
  add({16, 8, {{0, 8, true}, {8, 4, false}}});
  add({24, 8, {{0, 8, true}, {8, 8, true}, {16, 8, true}}});  // too large: by its address
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.floats, (Registers{0x0000010200000101u, 0x0000010400000103u, 0xFFFFFFFF00000101u, 0xFFFFFFFF00000102u,
                                 0x0000010200000101u}));
  ASSERT_EQ(a.integers.size(), 2u);
  EXPECT_EQ(a.integers[0], 0x103u);
  EXPECT_EQ(words_of(a.stack, a.stack.size() - (kTop - a.integers[1]))[5], 0x106u);
}

TEST_F(WideArgumentsTest, other_aggregates_of_up_to_two_registers_take_these) {
  add({12, 4, {{0, 4, false}, {4, 4, false}, {8, 4, false}}});
  add({12, 4, {{0, 4, true}, {4, 4, true}, {8, 4, true}}});  // three numbers: as words
  for (std::uint32_t i = 0; i < 3; ++i) builder_.add_word(i);
  add({16, 8, {{0, 8, false}, {8, 8, false}}});   // a7 and the stack
  add({16, 16, {{0, 8, false}, {8, 8, false}}});  // aligned there
  const KernelArguments a = builder_.finish();
  EXPECT_EQ(a.integers,
            (Registers{0x0000010200000101u, 0x103u, 0x0000010200000101u, 0x103u, 0, 1, 2, 0x0000010200000101u}));
  EXPECT_EQ(slots_of(a.stack), (Registers{0x0000010400000103u, 0, 0x0000010200000101u, 0x0000010400000103u}));
  EXPECT_TRUE(a.floats.empty());
}

TEST_F(WideArgumentsTest, what_may_be_an_address_is_noted_with_its_argument) {
  builder_.add_word(1);
  builder_.add_doubleword(0x123456789u);
  add({16, 8, {{0, 8, false}, {8, 4, true}}});
  const KernelArguments a = builder_.finish();
  ASSERT_EQ(a.words.size(), 2u);
  EXPECT_EQ(a.words[0].value, 0x123456789u);
  EXPECT_EQ(a.words[0].argument, 1u);
  EXPECT_EQ(a.words[1].value, 0x0000010200000101u);
  EXPECT_EQ(a.words[1].argument, 2u);
}

}  // namespace
}  // namespace heddle::arguments_test
