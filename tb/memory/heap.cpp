// SPDX-License-Identifier: Apache-2.0
#include "memory/heap.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "heddle/error.h"

namespace heddle {
namespace {

constexpr std::uint64_t kMostGap = 1u << 16;

}  // namespace

Heap::Heap(std::uint64_t limit, std::vector<Window> windows, std::uint64_t most)
    : limit_(limit),
      most_(most),
      fresh_(std::move(windows)) {}

std::uint64_t Heap::gap_behind(std::uint64_t bytes) {
  return std::min(kMostGap, std::max<std::uint64_t>(kAlignment, round_up(bytes, kAlignment)));
}

bool Heap::take_free(std::uint64_t bytes, Block& block) {
  const auto piece = free_by_size_.lower_bound({bytes, 0});
  if (piece == free_by_size_.end()) return false;
  const auto [size, begin] = *piece;
  remove_free(free_.find(begin));
  block.begin = begin;
  block.taken = bytes;
  if (size != bytes) add_free(begin + bytes, size - bytes);
  return true;
}

bool Heap::take_fresh(std::uint64_t bytes, Block& block) {
  for (Window& window : fresh_) {
    if (window.bytes < bytes) continue;
    block.begin = window.begin;
    block.taken = bytes;
    window.begin += bytes;
    window.bytes -= bytes;
    return true;
  }
  return false;
}

const Heap::Block& Heap::allocate(std::uint64_t wanted) {
  const std::uint64_t reserved = std::max<std::uint64_t>((wanted + kAlignment - 1) / kAlignment, 1) * kAlignment;
  const auto refuse = [&](const std::string& which) {
    return bad_input("memory",
                     "a buffer of " + std::to_string(wanted) +
                         " bytes does not fit: " + std::to_string(limit_ - used_) + " of " + std::to_string(limit_) +
                         " bytes of the heap are free" + which + "; raise memory.heap_bytes (at most " +
                         std::to_string(most_ >> 30) + "G) or use smaller inputs",
                     ErrorKind::kOutOfMemory);
  };
  if (wanted > limit_ || reserved > limit_ - used_) throw refuse("");
  const std::uint64_t bytes = reserved;
  Block block;
  block.bytes = wanted;
  const std::uint64_t apart = bytes + gap_behind(wanted);
  if (!take_free(apart, block) && !take_fresh(apart, block)) {
    // The largest gap that is left somewhere.
    std::uint64_t most = free_by_size_.empty() ? 0 : free_by_size_.rbegin()->first;
    for (const Window& window : fresh_) most = std::max(most, window.bytes);
    if (most < bytes) throw refuse(", in smaller pieces");
    ran_short_ = true;
    if (!take_free(most, block)) static_cast<void>(take_fresh(most, block));
  }
  forget_given_back(block.begin, block.taken);
  used_ += bytes;
  return blocks_[block.begin] = block;
}

const Heap::Block* Heap::release(Address address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end() || !found->second.live) return nullptr;
  Block& block = found->second;
  block.live = false;
  used_ -= std::max<std::uint64_t>(round_up(block.bytes, kAlignment), kAlignment);
  add_free(block.begin, block.taken);
  return &block;
}

void Heap::add_free(Address begin, std::uint64_t bytes) {
  auto next = free_.lower_bound(begin);
  if (next != free_.end() && next->first == begin + bytes) {
    bytes += next->second;
    const auto joined = next++;
    remove_free(joined);
  }
  if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == begin) {
    const auto joined = std::prev(next);
    begin = joined->first;
    bytes += joined->second;
    remove_free(joined);
  }
  free_[begin] = bytes;
  free_by_size_.insert({bytes, begin});
}

void Heap::remove_free(std::map<Address, std::uint64_t>::iterator piece) {
  free_by_size_.erase({piece->second, piece->first});
  free_.erase(piece);
}

// Blocks that were given back end where something else is put.
void Heap::forget_given_back(Address begin, std::uint64_t bytes) {
  auto block = blocks_.lower_bound(begin);
  if (block != blocks_.begin() && std::prev(block)->second.end() > begin) --block;
  while (block != blocks_.end() && block->first < begin + bytes) block = blocks_.erase(block);
}

const Heap::Block* Heap::find(Address address, std::uint64_t bytes) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = std::prev(after)->second;
  const std::uint64_t offset = address - block.begin;
  const bool inside =
      offset < std::max<std::uint64_t>(block.bytes, 1) && offset + bytes <= std::max<std::uint64_t>(block.bytes, 1);
  return block.live && inside ? &block : nullptr;
}

const Heap::Block* Heap::nearest(Address address, std::uint64_t bytes) const {
  const auto after = blocks_.upper_bound(address);
  const Block* behind = after == blocks_.end() ? nullptr : &after->second;
  if (after == blocks_.begin()) return behind;
  const Block& front = std::prev(after)->second;
  if (behind == nullptr || address < front.end()) return &front;
  const Address end = address + bytes;
  return address - front.end() <= std::max<std::uint64_t>(end, behind->begin) - end ? &front : behind;
}

}  // namespace heddle
