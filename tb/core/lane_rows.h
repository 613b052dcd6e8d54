// SPDX-License-Identifier: Apache-2.0
// Rows of values, one a lane: of 32 bits where the program of a launch is RV32, of 64 where it is RV64. The storage
// does not know which; who knows the width asks for an array of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "heddle/types.h"

namespace heddle {

// A row: Word[lanes].
class LaneArray {
 public:
  LaneArray(std::nullptr_t = nullptr) {}
  explicit LaneArray(void* values) : values_(values) {}
  template <typename Word>
  [[nodiscard]] Word* as() const {
    return static_cast<Word*>(values_);
  }
  explicit operator bool() const { return values_ != nullptr; }

 private:
  void* values_ = nullptr;
};

// Room for a row of any width.
class LaneBuffer {
 public:
  operator LaneArray() { return LaneArray(bytes_); }

 private:
  alignas(64) std::byte bytes_[kMaxLanes * sizeof(std::uint64_t)];
};

class LaneRows {
 public:
  LaneRows(std::size_t rows, unsigned lanes) : rows_(rows), lanes_(lanes) { set_width(false); }

  // Before a launch; what was in the rows is lost.
  void set_width(bool wide) {
    bytes_ = std::size_t{lanes_} * (wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t));
    resize();
  }
  void add_row() {
    ++rows_;
    resize();
  }
  template <typename Word>
  [[nodiscard]] Word* row(std::size_t number) {
    return static_cast<Word*>(first()) + number * lanes_;
  }
  template <typename Word>
  [[nodiscard]] const Word* row(std::size_t number) const {
    return static_cast<const Word*>(first()) + number * lanes_;
  }
  [[nodiscard]] LaneArray row(std::size_t number) {
    return LaneArray(static_cast<std::byte*>(first()) + number * bytes_);
  }
  void copy(std::size_t from, std::size_t to) {
    std::byte* rows = static_cast<std::byte*>(first());
    std::copy_n(rows + from * bytes_, bytes_, rows + to * bytes_);
  }

 private:
  struct alignas(64) Chunk {
    std::byte byte[64];
  };

  void resize() { chunks_.resize((rows_ * bytes_ + sizeof(Chunk) - 1) / sizeof(Chunk)); }
  [[nodiscard]] void* first() { return chunks_.data(); }
  [[nodiscard]] const void* first() const { return chunks_.data(); }

  std::size_t rows_;
  unsigned lanes_;
  std::size_t bytes_ = 0;  // of a row
  std::vector<Chunk> chunks_;
};

}  // namespace heddle
