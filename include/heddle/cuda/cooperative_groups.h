// SPDX-License-Identifier: Apache-2.0
// Groups of threads: the block, and tiles of it of 1 to 32 neighbouring threads. Groups of a grid, of several grids, of clusters and of the
// threads that happen to be together are not there: the compiler does not know their names.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

class thread_block {
 public:
  __device__ static void sync() { __syncthreads(); }
  __device__ static unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
  __device__ static unsigned num_threads() { return blockDim.x * blockDim.y * blockDim.z; }
  __device__ static unsigned size() { return num_threads(); }
  __device__ static dim3 group_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 thread_index() { return dim3(threadIdx.x, threadIdx.y, threadIdx.z); }
  __device__ static dim3 group_dim() { return dim3(blockDim.x, blockDim.y, blockDim.z); }
  __device__ static dim3 dim_threads() { return group_dim(); }
};

__device__ inline thread_block this_thread_block() { return thread_block(); }

template <unsigned Size, class Parent = thread_block>
class thread_block_tile {
  static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ static void sync() { __syncwarp(); }
  __device__ static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  __device__ static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }

  template <class T>
  __device__ T shfl(T value, int rank) const { return __shfl(value, rank, Size); }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const { return __shfl_up(value, delta, Size); }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const { return __shfl_down(value, delta, Size); }
  template <class T>
  __device__ T shfl_xor(T value, unsigned bits) const { return __shfl_xor(value, bits, Size); }
  __device__ unsigned ballot(int predicate) const {
    const unsigned first = heddle_lane() & ~(Size - 1u);
    return __ballot(predicate) >> first & (Size == 32 ? ~0u : (1u << Size % 32) - 1u);
  }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(predicate == 0) == 0; }
};

template <unsigned Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return thread_block_tile<Size, Parent>(); }

template <class Group>
__device__ inline void sync(const Group& group) { group.sync(); }

}  // namespace cooperative_groups
