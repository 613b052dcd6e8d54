// SPDX-License-Identifier: Apache-2.0
#include "engine/heap.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "heddle/error.h"

namespace heddle {
namespace {

constexpr std::uint32_t kAlignment = 256;
constexpr std::uint32_t kMargin = 1u << 16;
constexpr std::uint32_t kStep = 1u << 21;

}  // namespace

Address Heap::fresh(std::uint32_t bytes) {
  const std::uint64_t wanted = std::uint64_t{bytes} + kMargin + (end_ == 0 ? kMargin : 0);
  if (end_ - next_ < wanted) {
    const std::uint64_t more = (wanted - (end_ - next_) + kStep - 1) / kStep * kStep;
    const Address begin = grow_(static_cast<std::uint32_t>(more));
    if (end_ == 0) next_ = begin + kMargin;
    end_ = begin + static_cast<Address>(more);
  }
  const Address begin = next_;
  next_ += bytes;
  return begin;
}

Address Heap::allocate(std::uint64_t wanted) {
  if (wanted > limit_ || used_ > limit_ - wanted) {
    throw bad_input("memory", fmt::format("{} bytes of device memory are asked for, {} of {} are free (memory.heap_bytes, at most 1G)", wanted,
                                          limit_ - std::min(limit_, used_), limit_));
  }
  const auto bytes = static_cast<std::uint32_t>(wanted);
  const std::uint32_t reserved = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  // The smallest piece that is large enough.
  auto best = free_.end();
  for (auto piece = free_.begin(); piece != free_.end(); ++piece) {
    if (piece->second >= reserved && (best == free_.end() || piece->second < best->second)) best = piece;
  }
  Address begin;
  if (best != free_.end()) {
    begin = best->first;
    const std::uint32_t rest = best->second - reserved;
    free_.erase(best);
    if (rest != 0) free_[begin + reserved] = rest;
  } else {
    begin = fresh(reserved);
  }
  blocks_[begin] = {begin, bytes, reserved};
  used_ += reserved;
  return begin;
}

bool Heap::release(Address address) {
  const auto block = blocks_.find(address);
  if (block == blocks_.end()) return false;
  std::uint32_t bytes = block->second.reserved;
  blocks_.erase(block);
  used_ -= bytes;
  auto next = free_.lower_bound(address);
  if (next != free_.end() && next->first == address + bytes) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin() && std::prev(next)->first + std::prev(next)->second == address) {
    std::prev(next)->second += bytes;
  } else {
    free_[address] = bytes;
  }
  return true;
}

const Heap::Block* Heap::find(Address address, std::uint64_t bytes) const {
  const auto after = blocks_.upper_bound(address);
  if (after == blocks_.begin()) return nullptr;
  const Block& block = std::prev(after)->second;
  const std::uint64_t offset = address - block.begin;
  return offset < block.reserved && offset + bytes <= std::max(block.bytes, 1u) ? &block : nullptr;
}

}  // namespace heddle
