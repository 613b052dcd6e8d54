// SPDX-License-Identifier: Apache-2.0
// Allocation of device memory that can be given back. Addresses come from the device once, and are used again.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "heddle/types.h"

namespace heddle {

class Heap {
 public:
  // limit: bytes that may be taken at once. grow: new memory of so many bytes, each piece behind the last one; throws Error(memory) when there is no more.
  // It comes in large steps, and some of it in front of the first allocation and behind the last one is never given out: as on a GPU,
  // whose pages are large, a kernel that reads a little beyond a buffer does not fault.
  Heap(std::uint64_t limit, std::function<Address(std::uint32_t)> grow) : limit_(limit), grow_(std::move(grow)) {}

  // Aligned to 256 bytes. Throws Error(memory).
  [[nodiscard]] Address allocate(std::uint64_t bytes);
  // False if no allocation begins there.
  [[nodiscard]] bool release(Address address);

  // The allocation that holds all of the range; 0 bytes: the address alone. Null if there is none.
  struct Block {
    Address begin = 0;
    std::uint32_t bytes = 0;     // as asked for
    std::uint32_t reserved = 0;  // as taken
  };
  [[nodiscard]] const Block* find(Address address, std::uint64_t bytes = 0) const;
  [[nodiscard]] std::uint64_t used() const { return used_; }

 private:
  [[nodiscard]] Address fresh(std::uint32_t bytes);

  const std::uint64_t limit_;
  const std::function<Address(std::uint32_t)> grow_;
  Address next_ = 0, end_ = 0;  // of what has never been given out
  std::map<Address, Block> blocks_;
  std::map<Address, std::uint32_t> free_;  // begin -> bytes; neighbours are joined
  std::uint64_t used_ = 0;
};

}  // namespace heddle
