// SPDX-License-Identifier: Apache-2.0
// First-in first-out queue in a buffer allocated once. Push on a full or pop on an empty ring is the caller's mistake.
#pragma once

#include <cassert>
#include <cstdint>
#include <vector>

namespace heddle {

template <typename T>
class Ring {
 public:
  explicit Ring(std::uint32_t capacity) : items_(capacity) { assert(capacity > 0); }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] bool full() const { return size_ == items_.size(); }
  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] T& front() { return items_[head_]; }
  [[nodiscard]] const T& front() const { return items_[head_]; }
  [[nodiscard]] T& back() {
    const auto capacity = static_cast<std::uint32_t>(items_.size());
    const std::uint32_t at = head_ + size_ - 1;
    return items_[at >= capacity ? at - capacity : at];
  }

  // The new last element; its members keep what they held, the caller sets them.
  T& push() {
    assert(!full());
    const auto capacity = static_cast<std::uint32_t>(items_.size());
    std::uint32_t at = head_ + size_++;
    if (at >= capacity) at -= capacity;
    return items_[at];
  }
  void push(const T& item) { push() = item; }
  void clear() { size_ = 0; }
  void pop() {
    assert(!empty());
    if (++head_ == items_.size()) head_ = 0;
    --size_;
  }

 private:
  std::vector<T> items_;
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace heddle
