// SPDX-License-Identifier: Apache-2.0
// Where buffers lie: addresses of the device's memory that are given out, given back and used again.
//
// Contract
//   Place  A buffer begins at a multiple of 256, with at least gap_behind(bytes) bytes behind it in which no other
//   begins. Of what was given
//          back the smallest piece that is large enough is taken first, then what was never used.
//   Short  When neither has room for a buffer and its gap, it gets what is left of a gap, or none.
//   Limit  Live buffers, each rounded up to 256 bytes, have at most `limit` bytes together. Gaps are not counted: the
//   windows must be larger.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "heddle/types.h"

namespace heddle {

class Heap {
 public:
  static constexpr std::uint32_t kAlignment = 256;
  struct Window {
    Address begin = 0;
    std::uint64_t bytes = 0;
  };
  struct Block {
    Address begin = 0;
    std::uint64_t bytes = 0;  // as asked for
    std::uint64_t taken = 0;  // with its gap
    bool live = true;         // false: given back, and nothing else has been put there

    [[nodiscard]] Address end() const { return begin + bytes; }
  };

  // windows: in ascending order; a buffer lies in one of them. most: what messages say that the limit can be.
  Heap(std::uint64_t limit, std::vector<Window> windows, std::uint64_t most = std::uint64_t{1} << 30);

  [[nodiscard]] static std::uint64_t gap_behind(std::uint64_t bytes);

  // Throws Error(memory).
  [[nodiscard]] const Block& allocate(std::uint64_t bytes);
  // The buffer that begins there, now given back; null if there is none.
  const Block* release(Address address);

  // The live buffer that holds all of the range; 0 bytes: the address alone. Null if there is none.
  [[nodiscard]] const Block* find(Address address, std::uint64_t bytes = 0) const;
  // The block, live or given back, that is nearest to the range; of two the one in front. Null if there is none.
  [[nodiscard]] const Block* nearest(Address address, std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t used() const { return used_; }
  [[nodiscard]] std::uint64_t limit() const { return limit_; }
  // A buffer did not get its gap.
  [[nodiscard]] bool ran_short() const { return ran_short_; }

 private:
  using Piece = std::pair<std::uint64_t, Address>;  // bytes, begin

  [[nodiscard]] bool take_free(std::uint64_t bytes, Block& block);
  [[nodiscard]] bool take_fresh(std::uint64_t bytes, Block& block);
  void add_free(Address begin, std::uint64_t bytes);
  void remove_free(std::map<Address, std::uint64_t>::iterator piece);
  void forget_given_back(Address begin, std::uint64_t bytes);

  const std::uint64_t limit_, most_;
  std::vector<Window> fresh_;  // what has never been given out
  std::map<Address, Block> blocks_;
  std::map<Address, std::uint64_t> free_;  // begin -> bytes; neighbours are joined
  std::set<Piece> free_by_size_;
  std::uint64_t used_ = 0;
  bool ran_short_ = false;
};

}  // namespace heddle
