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

// Warp by warp, then over the block's memory.
template <unsigned Size, class T, class Operation>
__device__ inline T reduce(const multi_warp_tile<Size>& tile, T value, Operation operation) {
  static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "a tile of more than 32 threads reduces values of up to 32 bytes");
  value = reduce(thread_block_tile<32>(), value, operation);
  if (tile.thread_rank() % 32 == 0) memcpy(tile.value(tile.thread_rank() / 32), &value, sizeof(T));
  tile.sync();
  memcpy(&value, tile.value(0), sizeof(T));
  for (unsigned warp = 1; warp < Size / 32; ++warp) {
    T other;
    memcpy(&other, tile.value(warp), sizeof(T));
    value = operation(value, other);
  }
  tile.sync();
  return value;
}

}  // namespace cooperative_groups
