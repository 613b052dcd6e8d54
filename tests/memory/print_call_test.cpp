// SPDX-License-Identifier: Apache-2.0
// The text of a print call, from a format and arguments in memory. What the host's printf makes of the same values is
// compared in tests/cuda/runtime_test.py.
#include "memory/print_call.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "heddle/config.h"

namespace heddle::print_call_test {
namespace {

class PrintCallTest : public testing::Test {
 protected:
  PrintCallTest() : memory_(Config()), base_(static_cast<std::uint32_t>(memory_.allocate(4096))) {}

  std::uint32_t put(const void* bytes, std::size_t size) {
    const std::uint32_t at = base_ + used_;
    memory_.write(at, bytes, static_cast<std::uint32_t>(size));
    used_ += (static_cast<std::uint32_t>(size) + 15) / 8 * 8;
    return at;
  }
  std::uint32_t put(const char* text) { return put(text, std::strlen(text) + 1); }

  // The arguments are these words.
  std::string print(const char* format, const std::vector<std::uint32_t>& words, std::uint32_t eight = 0,
                    unsigned slot_bytes = 4) {
    text_.clear();
    const std::uint32_t arguments = put(words.data(), 4 * words.size());
    const std::uint32_t at = put(format);
    result_ = print_text(memory_, {}, {at, arguments, eight, slot_bytes}, text_);
    if (!result_.failed()) {
      EXPECT_EQ(print_arguments(memory_, {}, at), result_.arguments) << format;
    }
    return text_;
  }

  AddressSpace memory_;
  std::uint32_t base_;
  std::uint32_t used_ = 0;
  PrintResult result_;
  std::string text_;
};

TEST_F(PrintCallTest, values_of_eight_bytes_are_aligned_and_others_follow_each_other) {
  EXPECT_EQ(print("%d %lld %d %d %lld", {1, 99, 2, 3, 4, 5, 6, 7}, 0b10010), "1 12884901890 4 5 30064771078");
  EXPECT_EQ(result_.arguments, 5);
  EXPECT_EQ(print("%d %f|", {1, 99, 0, 0x3ff80000}, 0b10), "1 1.500000|");
}

TEST_F(PrintCallTest, slots_of_eight_bytes_hold_one_value_each) {
  EXPECT_EQ(print("%d %lld %d %x", {1, 99, 2, 3, 4, 99, 5, 99}, 0b0010, 8), "1 12884901890 4 5");
}

TEST_F(PrintCallTest, an_integer_is_what_was_passed_whatever_its_conversion_expects) {
  EXPECT_EQ(print("%lu %ld %zu %llx %d", {~0u, ~0u, ~0u, ~0u, 7}), "4294967295 -1 4294967295 ffffffff 7");
  EXPECT_EQ(print("%d %u %d", {5, ~0u, 6, ~0u, 7}, 0b11), "5 6 7");
  EXPECT_EQ(print("%hd %hhu %hx", {0x18000, 0x1ff, 0x12345}), "-32768 255 2345");
}

TEST_F(PrintCallTest, what_is_no_conversion_stands_as_it_is_and_takes_no_argument) {
  EXPECT_EQ(print("%y %ls %Lf %'d %1$d %llf %-08.3y %d %", {7}), "%y %ls %Lf %'d %1$d %llf %-08.3y 7 %");
  EXPECT_EQ(result_.arguments, 1);
  EXPECT_EQ(print("%d%n%%%5%%d", {7, 16, 8}), "7%%8");  // nothing is stored at 16
  EXPECT_EQ(result_.arguments, 3);
}

TEST_F(PrintCallTest, widths_and_precisions_are_arguments_and_counted) {
  EXPECT_EQ(print("%*d|%-*d|%*d|%.*d|%*.*d|", {4, 1, 4, 2, ~3u, 3, 3, 4, 5, 2, 6}), "   1|2   |3   |004|   06|");
  EXPECT_EQ(result_.arguments, 11);
}

TEST_F(PrintCallTest, text_of_any_length_is_not_cut) {
  EXPECT_EQ(print("%5000d|", {7}), std::string(4999, ' ') + "7|");
  const std::string text(1000, 'x');
  EXPECT_EQ(print("%s%s", {put(text.c_str()), put("y")}), text + "y");
}

TEST_F(PrintCallTest, too_wide_a_field_fails) {
  EXPECT_EQ(print("%1048576d", {7}).size(), kMostPrintField);
  for (const char* format : {"a %1048577d", "a %.1048577f", "a %99999999999999d", "a %*d", "a %-*d", "a %.*d"}) {
    EXPECT_EQ(print(format, {2000000000, 1}), "a ") << format;
    EXPECT_TRUE(result_.too_wide && result_.failed()) << format;
  }
  EXPECT_EQ(fault_text(result_, memory_, {}), "print call: a width or precision of more than 1048576");
}

TEST_F(PrintCallTest, strings_end_at_zero_or_the_precision_and_null_is_told) {
  const char open[4] = {'a', 'b', 'c', 'd'};
  memory_.write(base_ + 4092, open, 4);  // nothing ends it
  EXPECT_EQ(print("%.4s|%.1s|%s|", {base_ + 4092, base_ + 4092, 0}), "abcd|a|(null)|");
  EXPECT_FALSE(result_.failed());
}

TEST_F(PrintCallTest, what_cannot_be_read_is_the_fault_of_a_load) {
  static_cast<void>(print("%d %s", {1, 16}));
  EXPECT_EQ(result_.read.fault, Fault::kNullPage);
  EXPECT_EQ(result_.read.address, 16u);
  EXPECT_EQ(fault_text(result_, memory_, {}).rfind("print call: byte at address 0x00000010: null pointer", 0), 0u)
      << fault_text(result_, memory_, {});

  std::string text;
  EXPECT_EQ(print_text(memory_, {}, {0x50000000, base_}, text).read.address, 0x50000000u);
  EXPECT_EQ(print_text(memory_, {}, {put("%d %d"), 0x50000000}, text).read.fault, Fault::kUnmapped);
  EXPECT_EQ(print_text(memory_, {}, {0, base_}, text).arguments, -1);  // no format: CUDA's -1, and no fault
  EXPECT_EQ(print_arguments(memory_, {}, 0), ~0u);
}

}  // namespace
}  // namespace heddle::print_call_test
