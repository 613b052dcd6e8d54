// SPDX-License-Identifier: Apache-2.0
// What core/ibuffer must do: of every path a std::deque of bundles, and one of the requests under way, each of which
// knows whether its answer will continue the queue (docs/frontend.md).
#pragma once

#include <algorithm>
#include <deque>
#include <optional>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

constexpr unsigned kBundleWidth = 30;
constexpr unsigned kControlBit = 27, kBarrierBit = 28, kJumpBit = 29;

class IbufferOracle {
 public:
  struct Path {
    WarpId warp;
    unsigned slot;
  };
  struct Answer {
    Path path;
    std::vector<std::uint64_t> bundles;
  };  // to the oldest request
  struct Inputs {
    std::optional<Answer> answer;
    std::optional<Path> take, request, redirect;
    std::optional<WarpId> flush0, flush1;
    bool next = false;  // the redirected path goes on behind its instruction
    std::optional<WarpId> flush2 = std::nullopt;
    std::vector<Path> drop = {};  // paths that are not there
  };
  struct Request {
    unsigned tag;
    bool continues = true;
  };
  struct Buffer {
    std::deque<std::uint64_t> bundles;
    std::deque<Request> under_way;
    unsigned epochs = 0;  // that are over and left a request behind
    bool stop = false;
    [[nodiscard]] unsigned requests() const {
      unsigned count = 0;
      for (const Request& request : under_way) count += request.continues ? 1 : 0;
      return count;
    }
  };

  IbufferOracle(unsigned warps, unsigned slots, unsigned depth, unsigned tag_bits)
      : warps_(warps),
        depth_(depth),
        tags_(1u << tag_bits),
        buffers_(warps * slots) {}

  void step(const Inputs& in) {
    std::vector<bool> cleared;  // in this cycle
    for (unsigned i = 0; i < buffers_.size(); ++i) cleared.push_back(clears(in, i));
    if (in.redirect && in.next && at(*in.redirect).bundles.empty()) at(*in.redirect).stop = false;
    if (in.take) at(*in.take).bundles.pop_front();
    if (in.request) at(*in.request).under_way.push_back({tag(at(*in.request))});
    if (in.answer) {
      Buffer& buffer = at(in.answer->path);
      const Request request = buffer.under_way.front();
      buffer.under_way.pop_front();
      if (request.continues) fill(buffer, in.answer->bundles);
    }
    for (unsigned i = 0; i < buffers_.size(); ++i) {
      if (!cleared[i]) continue;
      buffers_[i].bundles.clear();
      buffers_[i].stop = false;
      end_epoch(buffers_[i]);
    }
  }

  // Path i = slot * NumWarps + warp.
  [[nodiscard]] const Buffer& buffer(unsigned i) const { return buffers_.at(i); }
  [[nodiscard]] const Buffer& buffer(WarpId warp, unsigned slot) const { return buffers_.at(slot * warps_ + warp); }
  [[nodiscard]] unsigned tag(const Buffer& buffer) const { return buffer.epochs % tags_; }
  // A path without room for the answer of another request, or with too many under way.
  [[nodiscard]] bool has_room(unsigned i) const {
    const Buffer& b = buffers_.at(i);
    return b.requests() < 2 && !b.stop && b.bundles.size() + 2 * b.requests() + 2 <= depth_;
  }
  [[nodiscard]] bool all_tags_used(unsigned i) const { return buffers_.at(i).under_way.size() + 1 == tags_; }
  [[nodiscard]] bool need_fetch(unsigned i) const { return has_room(i) && !all_tags_used(i); }
  [[nodiscard]] bool fills(const Inputs& in, unsigned i) const {
    return in.answer && index(in.answer->path) == i && buffers_.at(i).under_way.front().continues;
  }
  [[nodiscard]] bool clears(const Inputs& in, unsigned i) const {
    const WarpId warp = i % warps_;
    const bool dropped =
        std::any_of(in.drop.begin(), in.drop.end(), [&](const Path& path) { return index(path) == i; });
    return dropped || in.flush0 == warp || in.flush1 == warp || in.flush2 == warp ||
           (in.redirect && !in.next && index(*in.redirect) == i);
  }

 private:
  static void fill(Buffer& buffer, const std::vector<std::uint64_t>& bundles) {
    bool holds = bundles.size() == 2;  // the other requests begin where this answer ends
    for (std::uint64_t bundle : bundles) {
      buffer.bundles.push_back(bundle);
      if (((bundle >> kJumpBit) & 1) == 0) continue;
      buffer.stop = true;
      holds = false;
    }
    if (!holds) end_epoch(buffer);
  }
  static void end_epoch(Buffer& buffer) {
    if (buffer.requests() != 0) ++buffer.epochs;
    for (Request& request : buffer.under_way) request.continues = false;
  }
  [[nodiscard]] unsigned index(const Path& path) const { return path.slot * warps_ + path.warp; }
  Buffer& at(const Path& path) { return buffers_.at(index(path)); }

  unsigned warps_, depth_, tags_;
  std::vector<Buffer> buffers_;
};

}  // namespace heddle::test
