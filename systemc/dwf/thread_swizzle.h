// SPDX-License-Identifier: Apache-2.0
// thread_swizzle: the home lane of a thread. Contract: docs/dwf.md, dwf/thread_swizzle; same pins as
// rtl/dwf/thread_swizzle.sv.
#pragma once

#include "common/types.h"

namespace heddle {

constexpr std::uint32_t kSwizzleNone = 0;
constexpr std::uint32_t kSwizzlePairs = 1;   // even and odd positions swapped in every other warp
constexpr std::uint32_t kSwizzleRotate = 2;  // rotated by the number of the warp

// `lanes` is even for kSwizzlePairs.
[[nodiscard]] constexpr std::uint32_t home_lane(std::uint32_t tid, std::uint32_t lanes, std::uint32_t swizzle) {
  const std::uint32_t position = tid % lanes;
  const std::uint32_t warp = tid / lanes;
  std::uint32_t lane = position;
  if (swizzle == kSwizzlePairs) {
    lane = position ^ (warp & 1u);
  } else if (swizzle == kSwizzleRotate) {
    lane = (position + warp) % lanes;
  }
  return lane;
}

template <unsigned Lanes = 16, unsigned Threads = 256, unsigned Swizzle = 1>
class thread_swizzle : public sc_core::sc_module {
  static_assert(Swizzle <= kSwizzleRotate, "thread_swizzle: Swizzle is 0, 1 or 2");
  static_assert(Swizzle != kSwizzlePairs || Lanes % 2 == 0, "thread_swizzle: Swizzle 1 needs an even number of lanes");

 public:
  sc_core::sc_in<Number<index_width(Threads)>> SC_NAMED(tid_i);
  sc_core::sc_out<Number<index_width(Lanes)>> SC_NAMED(lane_o);

  SC_HAS_PROCESS(thread_swizzle);
  explicit thread_swizzle(sc_core::sc_module_name name) : sc_core::sc_module(name) {
    SC_METHOD(swizzle);
    sensitive << tid_i;
  }

  [[nodiscard]] static constexpr unsigned state_bits() { return 0; }

 private:
  void swizzle() { lane_o.write(home_lane(tid_i.read(), Lanes, Swizzle)); }
};

}  // namespace heddle
