// SPDX-License-Identifier: Apache-2.0
// What an SM has written to global memory and the others do not see yet: lines of 64 bytes, each with the bytes that
// were written.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace heddle {

class Overlay {
 public:
  static constexpr std::size_t kLine = 64;
  struct alignas(kLine) Line {
    std::array<std::uint8_t, kLine> byte{};
  };

  [[nodiscard]] bool empty() const { return lines_.empty(); }

  // Where the byte at `host` is to be read.
  [[nodiscard]] std::uint8_t* seen(std::uint8_t* host) {
    if (lines_.empty()) return host;
    const std::uint32_t found = slots_[find(line_of(host))].line;
    return found == kNone ? host : lines_[found].copy.byte.data() + offset_of(host);
  }

  // Where `bytes` bytes at `host`, of one line, are to be written; they count as written.
  [[nodiscard]] std::uint8_t* written(std::uint8_t* host, unsigned bytes) {
    std::uint8_t* const line = line_of(host);
    std::size_t slot = find(line);
    if (slots_[slot].line == kNone) {
      if (2 * (lines_.size() + 1) > slots_.size()) {
        grow();
        slot = find(line);
      }
      slots_[slot] = {line, static_cast<std::uint32_t>(lines_.size())};
      used_.push_back(slot);
      lines_.emplace_back();
      lines_.back().host = line;
      std::memcpy(lines_.back().copy.byte.data(), line, kLine);
    }
    Written& entry = lines_[slots_[slot].line];
    const std::size_t offset = offset_of(host);
    entry.bytes |= ((std::uint64_t{1} << bytes) - 1) << offset;
    return entry.copy.byte.data() + offset;
  }

  // Writes what was written to its place, in the order of the lines' first writes; `each(host, bytes)` is told of every
  // stretch of bytes.
  template <typename Each>
  void apply(const Each& each) {
    for (const Written& line : lines_) {
      for (std::uint64_t rest = line.bytes; rest != 0;) {
        const auto first = static_cast<unsigned>(__builtin_ctzll(rest));
        const std::uint64_t behind = ~(rest >> first);
        const unsigned count = behind == 0 ? 64 : static_cast<unsigned>(__builtin_ctzll(behind));
        std::memcpy(line.host + first, line.copy.byte.data() + first, count);
        each(line.host + first, count);
        if (first + count == 64) break;
        rest &= ~std::uint64_t{0} << (first + count);
      }
    }
    for (const std::size_t slot : used_) slots_[slot].line = kNone;
    used_.clear();
    lines_.clear();
  }

 private:
  static constexpr std::uint32_t kNone = ~0u;
  struct Written {
    Line copy;
    std::uint8_t* host = nullptr;
    std::uint64_t bytes = 0;
  };
  struct Slot {
    std::uint8_t* host = nullptr;
    std::uint32_t line = kNone;
  };

  static std::uint8_t* line_of(std::uint8_t* host) { return host - offset_of(host); }
  static std::size_t offset_of(const std::uint8_t* host) { return reinterpret_cast<std::uintptr_t>(host) % kLine; }

  // The slot of a line, or the free one where it would be.
  [[nodiscard]] std::size_t find(const std::uint8_t* line) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = (reinterpret_cast<std::uintptr_t>(line) / kLine * 0x9E3779B97F4A7C15u >> 32) & mask;
    while (slots_[slot].line != kNone && slots_[slot].host != line) slot = (slot + 1) & mask;
    return slot;
  }

  void grow() {
    slots_.assign(slots_.size() * 2, {});
    used_.clear();
    for (std::uint32_t n = 0; n < lines_.size(); ++n) {
      const std::size_t slot = find(lines_[n].host);
      slots_[slot] = {lines_[n].host, n};
      used_.push_back(slot);
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(1024);  // open addressing, at most half full
  std::vector<std::size_t> used_;
  std::vector<Written> lines_;
};

}  // namespace heddle
