// SPDX-License-Identifier: Apache-2.0
// Groups of threads: the grid, the block, tiles of it of 1 to 512 neighbouring threads, the threads of a warp that are together. Groups of
// several grids and of clusters are not there: the compiler does not know their names.
#pragma once

#include "cuda_runtime.h"

namespace cooperative_groups {

namespace heddle {
// Numbers as a shuffle takes them; structures word by word.
template <class T, class Shuffle>
__device__ T shuffled(T value, Shuffle shuffle) {
  if constexpr (std::is_arithmetic<T>::value) {
    return shuffle(value);
  } else {
    static_assert(std::is_trivially_copyable<T>::value && sizeof(T) <= 32, "a group's shuffles take numbers, and structures of up to 32 bytes");
    unsigned words[(sizeof(T) + 3) / 4] = {};
    memcpy(words, &value, sizeof(T));
    for (unsigned& word : words) word = shuffle(word);
    memcpy(&value, words, sizeof(T));
    return value;
  }
}
// Of 1, 2, 4, 8, 16 or 32 neighbours.
__device__ inline unsigned lanes(unsigned first, unsigned size) { return (unsigned)((1ull << size) - 1u) << first; }
}  // namespace heddle

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

#ifdef __riscv
// What the runtime writes before a launch: whether its blocks may wait for each other.
extern "C" __device__ __attribute__((weak)) volatile unsigned heddle_cooperative = 0;
extern "C" __device__ __attribute__((weak)) unsigned heddle_grid_arrived = 0;  // its highest bit turns when all have
#endif

// All blocks of a launch by cudaLaunchCooperativeKernel. In another launch a sync() is a trap.
class grid_group {
 public:
  __device__ static bool is_valid() {
#ifdef __riscv
    return heddle_cooperative != 0;
#else
    return false;
#endif
  }
  __device__ static void sync() {
#ifdef __riscv
    if (!is_valid()) __trap();
    __syncthreads();
    if (thread_block::thread_rank() == 0) {
      constexpr unsigned turned = 0x80000000u;
      __threadfence();
      const unsigned before = atomicAdd(&heddle_grid_arrived, block_rank() == 0 ? turned - ((unsigned)num_blocks() - 1) : 1u);
      while (((before ^ *(volatile unsigned*)&heddle_grid_arrived) & turned) == 0) {}
      __threadfence();
    }
    __syncthreads();
#endif
  }
  __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
  __device__ static unsigned long long block_rank() { return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z); }
  __device__ static unsigned long long thread_rank() { return block_rank() * thread_block::num_threads() + thread_block::thread_rank(); }
  __device__ static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
  __device__ static unsigned long long size() { return num_threads(); }
  __device__ static dim3 block_index() { return dim3(blockIdx.x, blockIdx.y, blockIdx.z); }
  __device__ static dim3 group_dim() { return dim3(gridDim.x, gridDim.y, gridDim.z); }
  __device__ static dim3 dim_blocks() { return group_dim(); }
};

__device__ inline grid_group this_grid() { return grid_group(); }

// Shared memory of a block's tiles of more than 32 threads.
template <unsigned MaxBlockSize = 1024>
struct block_tile_memory {
  unsigned arrived[(MaxBlockSize + 63) / 64];
  unsigned long long value[(MaxBlockSize + 31) / 32][4];
};
class block_with_memory : public thread_block {
 public:
  template <unsigned MaxBlockSize>
  __device__ explicit block_with_memory(block_tile_memory<MaxBlockSize>& memory) : arrived_(memory.arrived), value_(memory.value) {
    if (thread_rank() < (MaxBlockSize + 63) / 64) memory.arrived[thread_rank()] = 0;
    thread_block::sync();
  }

 private:
  template <unsigned Size>
  friend class multi_warp_tile;
  unsigned* arrived_;
  unsigned long long (*value_)[4];
};
template <unsigned MaxBlockSize>
__device__ inline block_with_memory this_thread_block(block_tile_memory<MaxBlockSize>& memory) { return block_with_memory(memory); }

// A block consists of whole ones.
template <unsigned Size>
class multi_warp_tile {
  static_assert(Size > 32 && Size <= 512 && (Size & (Size - 1)) == 0, "a tile has up to 512 threads, a power of two");

 public:
  __device__ explicit multi_warp_tile(const block_with_memory& block)
      : arrived_(block.arrived_ + meta_group_rank()), value_(block.value_ + meta_group_rank() * (Size / 32)) {}
  __device__ static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  __device__ static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }
  // Each thread counts itself; the round ends with the last one.
  __device__ void sync() const {
    __threadfence_block();
    const unsigned round = atomicAdd(arrived_, 1u) & ~(Size - 1u);
    while (*(volatile unsigned*)arrived_ - round < Size) {}
    __syncwarp();
  }
  __device__ unsigned long long* value(unsigned warp) const { return value_[warp]; }

 private:
  unsigned* arrived_;
  unsigned long long (*value_)[4];
};

template <unsigned Size, class Parent = thread_block>
class thread_block_tile {
  static_assert(Size != 0 && Size <= 32 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4, 8, 16 or 32 threads");

 public:
  __device__ static void sync() { __syncwarp(members()); }
  __device__ static unsigned thread_rank() { return thread_block::thread_rank() % Size; }
  __device__ static constexpr unsigned num_threads() { return Size; }
  __device__ static constexpr unsigned size() { return Size; }
  __device__ static unsigned meta_group_rank() { return thread_block::thread_rank() / Size; }
  __device__ static unsigned meta_group_size() { return (thread_block::num_threads() + Size - 1) / Size; }

  template <class T>
  __device__ T shfl(T value, int rank) const {
    return heddle::shuffled(value, [=](auto word) { return __shfl_sync(members(), word, rank, Size); });
  }
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    return heddle::shuffled(value, [=](auto word) { return __shfl_up_sync(members(), word, delta, Size); });
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    return heddle::shuffled(value, [=](auto word) { return __shfl_down_sync(members(), word, delta, Size); });
  }
  template <class T>
  __device__ T shfl_xor(T value, unsigned bits) const {
    return heddle::shuffled(value, [=](auto word) { return __shfl_xor_sync(members(), word, bits, Size); });
  }
  __device__ unsigned ballot(int predicate) const {
    heddle_warpsync(members());
    return __ballot(predicate) >> first() & heddle::lanes(0, Size);
  }
  __device__ int any(int predicate) const { return ballot(predicate) != 0; }
  __device__ int all(int predicate) const { return ballot(predicate == 0) == 0; }

 private:
  __device__ static unsigned first() { return heddle_lane() & ~(Size - 1u); }
  __device__ static unsigned members() { return heddle::lanes(first(), Size); }
};

// The threads of a warp that make it together; ranks in the order of lanes.
class coalesced_group {
 public:
  __device__ coalesced_group() : members_(__activemask()) {}
  __device__ void sync() const { __syncwarp(members_); }
  __device__ unsigned size() const { return __popc(members_); }
  __device__ unsigned num_threads() const { return size(); }
  __device__ unsigned thread_rank() const { return __popc(members_ & ((1u << heddle_lane()) - 1u)); }

  template <class T>
  __device__ T shfl(T value, unsigned rank) const {
    const int lane = (int)lane_of(rank);
    return heddle::shuffled(value, [=](auto word) { return __shfl_sync(members_, word, lane); });
  }
  // A thread without a source has its own value.
  template <class T>
  __device__ T shfl_up(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank - (delta & ~heddle_less(rank, delta)));
  }
  template <class T>
  __device__ T shfl_down(T value, unsigned delta) const {
    const unsigned rank = thread_rank();
    return shfl(value, rank + (delta & heddle_less(delta, size() - rank)));
  }
  // Bit i: of the thread with rank i.
  __device__ unsigned ballot(int predicate) const {
    const unsigned votes = __ballot_sync(members_, predicate);
    unsigned packed = 0;
    for (unsigned lane = 0, rank = 0; lane < 32; ++lane) {
      const unsigned member = members_ >> lane & 1u;
      packed |= (votes >> lane & member) << (rank & 31u);
      rank += member;
    }
    return packed;
  }
  __device__ int any(int predicate) const { return __any_sync(members_, predicate); }
  __device__ int all(int predicate) const { return __all_sync(members_, predicate); }

  __device__ unsigned heddle_members() const { return members_; }

 private:
  // How many lanes have at most `rank` members up to and with them.
  __device__ unsigned lane_of(unsigned rank) const {
    unsigned lane = 0;
    for (unsigned i = 0; i < 32; ++i) lane += __popc(members_ & (0xFFFFFFFFu >> (31 - i))) <= (int)rank;
    return lane & 31u;
  }
  unsigned members_;
};

__device__ inline coalesced_group coalesced_threads() { return coalesced_group(); }

// Any of these groups, where a function takes all kinds; tiles of a size that is known at run time.
class thread_group {
 public:
  __device__ thread_group(const thread_block&) : size_(thread_block::size()), rank_(thread_block::thread_rank()), members_(~0u), block_(true) {}
  template <unsigned Size, class Parent>
  __device__ thread_group(const thread_block_tile<Size, Parent>& tile)
      : size_(Size), rank_(tile.thread_rank()), members_(heddle::lanes(heddle_lane() - rank_, Size)), block_(false) {}
  __device__ thread_group(const coalesced_group& group)
      : size_(group.size()), rank_(group.thread_rank()), members_(group.heddle_members()), block_(false) {}
  __device__ thread_group(const thread_group& parent, unsigned size)
      : size_(size), rank_(parent.thread_rank() % size), members_(heddle::lanes(heddle_lane() - rank_, size)), block_(false) {}
  __device__ void sync() const {
    if (block_) __syncthreads();
    else __syncwarp(members_);
  }
  __device__ unsigned size() const { return size_; }
  __device__ unsigned num_threads() const { return size_; }
  __device__ unsigned thread_rank() const { return rank_; }

 private:
  unsigned size_, rank_, members_;
  bool block_;
};

// size: 1, 2, 4, 8, 16 or 32.
__device__ inline thread_group tiled_partition(const thread_group& parent, unsigned size) { return thread_group(parent, size); }
template <unsigned Size, class Parent>
__device__ inline thread_block_tile<Size, Parent> tiled_partition(const Parent&) { return thread_block_tile<Size, Parent>(); }

// Of more than 32 threads: with the block's memory.
template <unsigned Size>
__device__ inline auto tiled_partition(const block_with_memory& block) {
  if constexpr (Size <= 32) return thread_block_tile<Size, thread_block>();
  else return multi_warp_tile<Size>(block);
}

template <class Group>
__device__ inline void sync(const Group& group) { group.sync(); }

}  // namespace cooperative_groups
