// SPDX-License-Identifier: Apache-2.0
// A value of all threads of a tile, in each of them.
#pragma once

#include "../cooperative_groups.h"

namespace cooperative_groups {

template <class T>
struct plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T>
struct less {  // the smallest
  __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {  // the greatest
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_and {
  __device__ T operator()(T a, T b) const { return a & b; }
};
template <class T>
struct bit_or {
  __device__ T operator()(T a, T b) const { return a | b; }
};
template <class T>
struct bit_xor {
  __device__ T operator()(T a, T b) const { return a ^ b; }
};

template <unsigned Size, class Parent, class T, class Operation>
__device__ inline T reduce(const thread_block_tile<Size, Parent>& tile, T value, Operation operation) {
  for (unsigned distance = Size / 2; distance != 0; distance /= 2) value = operation(value, tile.shfl_xor(value, distance));
  return value;
}

}  // namespace cooperative_groups
