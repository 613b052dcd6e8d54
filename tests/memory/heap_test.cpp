// SPDX-License-Identifier: Apache-2.0
// Where buffers are put: apart from each other, and still wherever they fit.
#include "memory/heap.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "heddle/error.h"

namespace heddle::heap_test {
namespace {

constexpr Address kBase = 0x20000000, kUpper = 0x80000000;

Heap small_heap() { return Heap(1u << 20, {{kBase, 4u << 20}, {kUpper, 0}}); }

TEST(Heap, leaves_a_gap_as_large_as_the_buffer_between_256_bytes_and_64_kilobytes) {
  Heap heap = small_heap();
  for (const auto& [bytes, next] : std::vector<std::pair<std::uint32_t, std::uint32_t>>{
           {0, 512}, {1, 512}, {256, 512}, {257, 1024}, {65536, 131072}, {100000, 100096 + 65536}}) {
    const Address begin = heap.allocate(bytes).begin;
    EXPECT_EQ(begin % 256, 0u);
    EXPECT_EQ(heap.allocate(4).begin - begin, next) << bytes;
  }
  EXPECT_FALSE(heap.ran_short());
}

TEST(Heap, holds_as_many_bytes_as_its_limit_whatever_the_gaps_take) {
  for (const std::uint32_t bytes : {256u, 4096u, 100000u, 262144u, 1u << 20}) {
    Heap heap = small_heap();
    const std::uint32_t reserved = (bytes + 255) / 256 * 256, count = (1u << 20) / reserved;
    for (std::uint32_t n = 0; n < count; ++n) static_cast<void>(heap.allocate(bytes));
    EXPECT_THROW(static_cast<void>(heap.allocate((1u << 20) - count * reserved + 1)), Error) << bytes;
    EXPECT_FALSE(heap.ran_short()) << bytes;
  }
}

TEST(Heap, of_a_gigabyte_goes_on_in_the_upper_window) {
  Heap heap(1u << 30, {{kBase, 1u << 30}, {kUpper, 0x70000000}});
  for (int n = 0; n < 3; ++n) EXPECT_LT(heap.allocate(1u << 28).begin, kUpper);
  EXPECT_EQ(heap.allocate(1u << 28).begin, kUpper);
  EXPECT_EQ(heap.used(), 1u << 30);
  EXPECT_THROW(static_cast<void>(heap.allocate(1)), Error);
}

TEST(Heap, a_large_buffer_fits_behind_a_hundred_thousand_small_ones) {
  Heap heap(1u << 30, {{kBase, 1u << 30}, {kUpper, 0x70000000}});
  Address last = 0;
  for (int n = 0; n < 100000; ++n) {
    const Address begin = heap.allocate(100).begin;
    ASSERT_TRUE(n == 0 || begin == last + 512) << n;
    last = begin;
  }
  static_cast<void>(heap.allocate((1u << 30) - 100000u * 256));
  EXPECT_EQ(heap.used(), 1u << 30);
  EXPECT_FALSE(heap.ran_short());
}

TEST(Heap, gives_less_of_a_gap_where_there_is_no_room_for_all_of_it) {
  Heap heap(8192, {{kBase, 8192 + 512}});
  EXPECT_EQ(heap.allocate(2048).begin, kBase);
  EXPECT_EQ(heap.allocate(2048).begin, kBase + 4096);
  EXPECT_FALSE(heap.ran_short());
  EXPECT_THROW(static_cast<void>(heap.allocate(1024)), Error) << "512 bytes are left in one piece";
  EXPECT_EQ(heap.allocate(512).begin, kBase + 8192);
  EXPECT_TRUE(heap.ran_short());
}

TEST(Heap, uses_what_was_given_back_and_its_gap_again) {
  Heap heap = small_heap();
  const Address a = heap.allocate(1000).begin, b = heap.allocate(1000).begin, c = heap.allocate(1000).begin;
  EXPECT_EQ(heap.release(a + 4), nullptr);
  ASSERT_NE(heap.release(b), nullptr);
  EXPECT_EQ(heap.release(b), nullptr) << "once";
  EXPECT_EQ(heap.allocate(900).begin, b);
  ASSERT_NE(heap.release(a), nullptr);
  ASSERT_NE(heap.release(b), nullptr);
  EXPECT_EQ(heap.allocate(2000).begin, a) << "neighbours are joined";
  EXPECT_EQ(heap.used(), 2048u + 1024u);
  EXPECT_EQ(heap.find(c)->begin, c);
}

TEST(Heap, finds_the_buffer_of_a_range_and_the_nearest_of_a_stray_one) {
  Heap heap = small_heap();
  const Address a = heap.allocate(100).begin, b = heap.allocate(100).begin;
  EXPECT_EQ(heap.find(a + 96, 4)->begin, a);
  EXPECT_EQ(heap.find(a + 97, 4), nullptr);
  EXPECT_EQ(heap.find(a - 1), nullptr);
  EXPECT_EQ(heap.nearest(a - 4, 4)->begin, a);
  EXPECT_EQ(heap.nearest(a + 98, 4)->begin, a);
  EXPECT_EQ(heap.nearest(a + 300, 4)->begin, a);
  EXPECT_EQ(heap.nearest(b - 8, 4)->begin, b);
  EXPECT_EQ(heap.nearest(0xFFFFFFFC, 4)->begin, b);
  static_cast<void>(heap.release(b));
  EXPECT_EQ(heap.find(b), nullptr);
  EXPECT_FALSE(heap.nearest(b + 8, 4)->live);
}

TEST(Heap, random_buffers_never_lie_in_each_other_or_in_a_gap) {
  Heap heap = small_heap();
  std::mt19937 random(7);
  std::vector<Heap::Block> live;
  for (int step = 0; step < 3000; ++step) {
    if (!live.empty() && random() % 2 == 0) {
      const std::size_t which = random() % live.size();
      ASSERT_NE(heap.release(live[which].begin), nullptr);
      live[which] = live.back();
      live.pop_back();
      continue;
    }
    const std::uint32_t bytes = random() % 5000;
    if (heap.used() + bytes + 256 > 1u << 20) continue;
    const Heap::Block block = heap.allocate(bytes);
    for (const Heap::Block& other : live) {
      const Heap::Block &first = other.begin < block.begin ? other : block,
                        &second = other.begin < block.begin ? block : other;
      ASSERT_GE(second.begin, first.end() + Heap::gap_behind(first.bytes)) << step;
    }
    live.push_back(block);
  }
  EXPECT_FALSE(heap.ran_short());
}

}  // namespace
}  // namespace heddle::heap_test
