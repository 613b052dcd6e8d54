// SPDX-License-Identifier: Apache-2.0
// What core/ibuffer must do: a std::deque of bundles a path (docs/frontend.md).
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "heddle/types.h"

namespace heddle::test {

constexpr unsigned kBundleWidth = 30;
constexpr unsigned kControlBit = 27, kBarrierBit = 28, kJumpBit = 29;

class IbufferOracle {
 public:
  struct Path { WarpId warp; unsigned slot; };
  struct Fill { Path path; std::vector<std::uint64_t> bundles; };
  struct Inputs {
    std::optional<Fill> fill;
    std::optional<Path> take, request, redirect;
    std::optional<WarpId> flush0, flush1;
    bool next = false;  // the redirected path goes on behind its instruction
  };
  struct Buffer {
    std::deque<std::uint64_t> bundles;
    unsigned requests = 0;
    bool stop = false;
  };

  IbufferOracle(unsigned warps, unsigned slots, unsigned depth) : warps_(warps), depth_(depth), buffers_(warps * slots) {}

  void step(const Inputs& in) {
    if (in.redirect && in.next && at(*in.redirect).bundles.empty()) at(*in.redirect).stop = false;
    if (in.take) at(*in.take).bundles.pop_front();
    if (in.request) ++at(*in.request).requests;
    if (in.fill) {
      Buffer& buffer = at(in.fill->path);
      --buffer.requests;
      bool holds = in.fill->bundles.size() == 2;  // the other requests begin where this answer ends
      for (std::uint64_t bundle : in.fill->bundles) {
        buffer.bundles.push_back(bundle);
        if (((bundle >> kJumpBit) & 1) == 0) continue;
        buffer.stop = true;
        holds = false;
      }
      if (!holds) buffer.requests = 0;
    }
    if (in.redirect && !in.next) at(*in.redirect) = Buffer{};
    for (const auto& flush : {in.flush0, in.flush1}) {
      for (unsigned i = 0; flush && i < buffers_.size(); ++i) {
        if (i % warps_ == *flush) buffers_[i] = Buffer{};
      }
    }
  }

  // Path i = slot * NumWarps + warp.
  [[nodiscard]] const Buffer& buffer(unsigned i) const { return buffers_.at(i); }
  [[nodiscard]] const Buffer& buffer(WarpId warp, unsigned slot) const { return buffers_.at(slot * warps_ + warp); }
  [[nodiscard]] bool need_fetch(unsigned i) const {
    const Buffer& b = buffers_.at(i);
    return b.requests < 2 && !b.stop && b.bundles.size() + 2 * b.requests + 2 <= depth_;
  }
  [[nodiscard]] unsigned paths() const { return buffers_.size(); }

 private:
  Buffer& at(const Path& path) { return buffers_.at(path.slot * warps_ + path.warp); }

  unsigned warps_, depth_;
  std::vector<Buffer> buffers_;
};

}  // namespace heddle::test
