// SPDX-License-Identifier: Apache-2.0
// Functional memory of a device: program image, heap, shared memory of the resident blocks, local memory of the
// resident threads.
//
// Contract
//   Map      docs/isa.md: the heap's place is that of the program's width (RV32, RV64). With run.bounds buffers, a
//   program's variables and a block's shared window are mapped to the byte. Without it
//            the heap is, from kMargin in front of its first buffer to kMargin behind its last one, a program as far as
//            its segments go, and the shared window up to the bytes given to begin_block, rounded up to 4. The local
//            window goes up to local_bytes. Everything else faults.
//   Local    storage of a warp slot, its frame, is interleaved word by word over its lanes; physical() gives the
//   address the
//            hardware uses, frame_end() where a frame ends: frames are spread over the sets of caches and the banks of
//            DRAM.
//   Order    accesses take effect at once, in the order of the calls.
//   Start    shared memory is zero or the program's image at begin_block, local memory at begin_warp, buffers at
//   allocate. Reserve  lr/sc: a reservation of a thread covers one word, or the two of a doubleword; a write to them by
//            any thread ends it. Writers call stored(); one comparison when nothing is reserved.
//   Views    A view has shared and local memory of its own, and the global memory of another address space. In a window
//   it
//            reads what global memory was at its beginning, and what it has written itself, which goes to global memory
//            at the window's end: until then views may be used by several host threads at once, one each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "heddle/config.h"
#include "heddle/types.h"
#include "isa/launch.h"
#include "isa/program.h"
#include "memory/heap.h"
#include "memory/memory_access.h"
#include "memory/overlay.h"

namespace heddle {

enum class Fault : std::uint8_t {
  kNone,
  kNullPage,  // [0, 4096)
  kUnmapped,
  kOutside,  // run.bounds: between buffers, or between variables
  kFreed,    // run.bounds: in a buffer that was given back
  kMisaligned,
  kReadOnly,       // store to code or constants
  kOutsideShared,  // in the shared window, beyond the block's shared memory
  kOutsideLocal,   // in the local window, beyond the thread's local memory: mostly a stack overflow
};

// Who accesses: decides which shared and local memory is seen.
struct Accessor {
  unsigned block_slot = 0;
  unsigned warp_slot = 0;
  unsigned lane = 0;
};

[[nodiscard]] inline Space space_of(Address address) {
  return address >= kSharedBase && address < kWindowsEnd ? (address >= kLocalBase ? Space::kLocal : Space::kShared)
                                                         : Space::kGlobal;
}

class AddressSpace {
 public:
  static constexpr std::uint32_t kMargin = 1u << 16;

  // at_its_addresses: the host sees the heap at the device's addresses, so that a pointer means the same on both sides;
  // if the host has something else there, the heap is elsewhere (heap_at_its_addresses).
  explicit AddressSpace(const Config& config, bool at_its_addresses = false);
  // A view of `global`, for the SM of that number.
  AddressSpace(const Config& config, AddressSpace& global, unsigned sm);
  ~AddressSpace();
  AddressSpace(const AddressSpace&) = delete;
  AddressSpace& operator=(const AddressSpace&) = delete;

  // Maps the segments of a program (again: the old ones go); the heap stays, or is that of the program's width. Throws
  // bad_input("elf") if a segment lies outside [kNullPageEnd, kHeapBase), or if there are buffers of the other width.
  void load(const Program& program);

  // A zeroed buffer. Throws bad_input("memory") when the heap is exhausted.
  [[nodiscard]] Address allocate(std::uint64_t bytes);
  // Gives a buffer back; false if none begins there.
  bool release(Address buffer);
  [[nodiscard]] const Heap& buffers() const { return buffers_->heap; }
  // RV64: memory of the host that threads see at the host's addresses. False if some of it is there already.
  bool map_host(std::uint8_t* begin, std::uint64_t bytes);
  // False if no such memory begins there.
  bool unmap_host(const std::uint8_t* begin);
  // Host access to global memory, read-only segments included. Throws bad_input("memory") outside of mapped memory.
  void write(Address destination, const void* source, std::uint64_t bytes);
  void read(Address source, void* destination, std::uint64_t bytes) const;

  // What every thread of the next launches finds at the end of its stack (KernelArguments::stack).
  void set_stack(const std::vector<std::uint8_t>& image) { stack_image_ = image; }

  // Views: takes over what the program and the host have made of the other one, before a launch.
  void follow(const AddressSpace& global);
  void begin_window() { overlay_ = &written_; }
  void end_window();  // one view after the other
  // A block or warp becomes resident in a slot. bytes: shared memory of the block, at most core.shared_bytes.
  void begin_block(unsigned block_slot, std::uint32_t bytes);
  void begin_warp(unsigned warp_slot);

  // Host address of an aligned access of 1, 2, 4 or 8 bytes, or nullptr if it faults; diagnose() then says why. Of 8
  // bytes: of the lower word, and upper_word() has the other one.
  template <bool kWrite>
  [[nodiscard]] std::uint8_t* translate(Address address, unsigned bytes, const Accessor& who) {
    if ((address & (bytes - 1)) != 0) return nullptr;
    const Address heap_offset = address - heap_base_;
    if (heap_offset < heap_used_)
      return beyond(heap_offset, bytes) ? nullptr : in_window<kWrite>(heap_ + heap_offset, bytes);
    const Address local_offset = address - kLocalBase;
    if (local_offset < local_bytes_) {
      if (bytes > local_bytes_ - local_offset) return nullptr;
      const auto word = static_cast<std::uint32_t>(local_offset >> 2);
      WarpLocal& local = local_[who.warp_slot];
      if (kWrite && word < local.lowest_written) local.lowest_written = word;
      return local.data + (std::size_t{word} * lanes_ + who.lane) * 4 + (local_offset & 3u);
    }
    const BlockShared& shared = shared_[who.block_slot];
    const Address shared_offset = address - kSharedBase;
    if (shared_offset < shared.bytes && bytes <= shared.bytes - shared_offset) return shared.data + shared_offset;
    std::uint8_t* host = translate_rest(address, bytes, kWrite);
    return host == nullptr ? nullptr : in_window<kWrite>(host, bytes);
  }
  [[nodiscard]] std::uint8_t* upper_word(std::uint8_t* lower, Address address) const {
    return lower + (address - kLocalBase < local_bytes_ ? std::size_t{4} * lanes_ : 4);
  }
  [[nodiscard]] Fault diagnose(Address address, unsigned bytes, bool write, const Accessor& who) const;
  // What lies nearest to an access that is outside of everything.
  struct Nearest {
    enum class Kind : std::uint8_t { kNothing, kBuffer, kVariable } kind = Kind::kNothing;
    Address begin = 0;
    std::uint64_t bytes = 0;
  };
  [[nodiscard]] Nearest nearest(Address address, unsigned bytes) const;

  // Every lane accesses `bytes` bytes at an aligned address in the lower window of the heap, as global memory has it:
  // then heap(address) is valid for each. Word: an integer register.
  template <typename Word>
  [[nodiscard]] bool all_in_heap(const Word* address, unsigned lanes, unsigned bytes) const {
    if (overlay_ != nullptr && !overlay_->empty()) return false;
    const auto base = static_cast<Word>(heap_base_), last = static_cast<Word>(heap_used_ - 1);
    const Word first = address[0] - base;
    Word outside = 0, bits = 0, differ = 0;  // outside: the sign bit, since the window is smaller than half of all
    for (unsigned l = 0; l < lanes; ++l) {
      const Word offset = address[l] - base;
      outside |= offset | (last - offset);
      bits |= offset;
      differ |= offset ^ first;
    }
    if (outside >> (8 * sizeof(Word) - 1) != 0 || (bits & (bytes - 1)) != 0) return false;
    if (!bounds_ || (differ < Heap::kAlignment && live_[first / Heap::kAlignment] == Heap::kAlignment)) return true;
    bool lane_beyond = false;
    for (unsigned l = 0; l < lanes; ++l) lane_beyond |= beyond(address[l] - base, bytes);
    return !lane_beyond;
  }
  [[nodiscard]] bool heap_at_its_addresses() const {
    return reinterpret_cast<std::uintptr_t>(heap_) == heap_base_ &&
           (upper_bytes_ == 0 || reinterpret_cast<std::uintptr_t>(upper_) == kUpperHeapBase);
  }
  [[nodiscard]] std::uint8_t* heap(Address address) { return heap_ + (address - heap_base_); }

  // Byte address on the memory side: global and shared as they are, local interleaved behind the greatest heap, no two
  // SMs at the same place.
  [[nodiscard]] std::uint64_t physical(Address address, const Accessor& who) const {
    const Address local_offset = address - kLocalBase;
    if (local_offset >= local_bytes_) return address;
    return local_[who.warp_slot].physical + ((local_offset >> 2) * lanes_ + who.lane) * 4 + (local_offset & 3u);
  }
  // Where a warp's local memory ends on the memory side, whatever local_bytes is; kBehindFrame bytes from there on are
  // the warp's, too.
  [[nodiscard]] std::uint64_t frame_end(unsigned warp_slot) const;
  static constexpr std::uint64_t kBehindFrame = std::uint64_t{kMaxLocalBytes} * kMaxLanes;

  // lr/sc of a word, or of a doubleword with its upper word; host: from translate.
  void reserve(const std::uint8_t* host, const Accessor& who, const std::uint8_t* upper_word = nullptr);
  // Ends the thread's reservation; true if it began at host.
  [[nodiscard]] bool take_reservation(const std::uint8_t* host, const Accessor& who);
  // A thread wrote at host.
  void stored(const std::uint8_t* host) {
    if (!reservations_.empty()) end_reservations(reservations_, host, 1);
    if (!global_->reservations.empty() && overlay_ == nullptr) end_reservations(global_->reservations, host, 1);
  }

  // Takes over the program and all global memory of another address space of the same configuration.
  void copy_global(const AddressSpace& other);
  // First byte of global memory that differs; both have the same program and buffers.
  [[nodiscard]] bool first_difference(const AddressSpace& other, Address& address) const;

  [[nodiscard]] std::uint64_t heap_used() const { return heap_used_; }

 private:
  using Live = std::uint16_t;
  struct ImageSegment {
    Address begin = 0;
    std::uint32_t bytes = 0;
    bool writable = false;
    std::vector<Overlay::Line> lines;  // in whose middle it may begin: no doubleword lies in two lines

    [[nodiscard]] std::uint8_t* data() { return lines.front().byte.data() + begin % Overlay::kLine; }
    [[nodiscard]] const std::uint8_t* data() const { return lines.front().byte.data() + begin % Overlay::kLine; }
  };
  struct HostRange {
    Address begin = 0;
    std::uint64_t bytes = 0;
    std::uint8_t* memory = nullptr;   // the host's; null: a copy has the bytes itself
    std::vector<Overlay::Line> copy;  // in whose first line it may begin later

    [[nodiscard]] std::uint8_t* data() {
      return memory != nullptr ? memory : copy.front().byte.data() + begin % Overlay::kLine;
    }
  };
  struct BlockShared {
    std::uint8_t* data = nullptr;
    std::uint32_t bytes = 0;
  };
  struct WarpLocal {
    std::uint8_t* data = nullptr;
    std::uint32_t lowest_written = 0;  // word offset; everything above may be dirty
    std::uint64_t physical = 0;        // where it begins on the memory side
  };
  struct Reservation {
    std::uint32_t owner;
    const std::uint8_t* word;
    const std::uint8_t* upper_word;  // the same one if there is no other
  };
  struct Buffers {  // what views and copies share
    Buffers(std::uint64_t heap_bytes, Xlen xlen);
    ~Buffers();
    Buffers(const Buffers&) = delete;
    Buffers& operator=(const Buffers&) = delete;

    Heap heap;
    std::size_t live_bytes;
    Live* live;  // reserved lazily: of each 256 bytes from the heap's base on, how many lie in a live buffer; they are
                 // its first ones. Only with run.bounds
  };
  struct Global {  // what views share
    std::vector<ImageSegment> image;
    std::vector<HostRange> mapped;           // map_host
    std::vector<Program::Extent> padding;    // Program::padding
    std::vector<Program::Extent> variables;  // Program::objects in the image
    std::vector<Reservation> reservations;   // of words in it
  };

  template <bool kWrite>
  [[nodiscard]] std::uint8_t* in_window(std::uint8_t* host, unsigned bytes) {
    if (overlay_ == nullptr) return host;
    return kWrite ? overlay_->written(host, bytes) : overlay_->seen(host);
  }
  // With run.bounds: the access at this offset from the heap's base does not lie in a live buffer.
  [[nodiscard]] bool beyond(Address heap_offset, unsigned bytes) const {
    return bounds_ && (heap_offset & (Heap::kAlignment - 1)) + bytes > live_[heap_offset / Heap::kAlignment];
  }
  void mark(const Heap::Block& block, bool live);
  // Without run.bounds: in front of the first buffer.
  [[nodiscard]] bool in_front(Address address) const {
    return !bounds_ && heap_used_ != 0 && address < heap_base_ && heap_base_ - address <= kMargin;
  }
  [[nodiscard]] std::uint8_t* upper(Address address) const { return upper_ + (address - kUpperHeapBase); }
  [[nodiscard]] bool in_padding(Address address, std::uint32_t bytes) const;
  void reserve_heap(Xlen xlen);
  void release_heap();
  [[nodiscard]] std::uint64_t frame_begin(unsigned warp_slot) const;
  void reserve_of_the_core(const Config& config);
  [[nodiscard]] std::vector<Reservation>& reservations_of(const std::uint8_t* host);
  [[nodiscard]] std::uint32_t owner(const Accessor& who) const {
    return (sm_ * kMaxWarps + who.warp_slot) * kMaxLanes + who.lane;
  }
  void forget_warp(std::vector<Reservation>& reservations, unsigned warp_slot) const;
  [[nodiscard]] std::uint8_t* translate_rest(Address address, unsigned bytes, bool write);
  [[nodiscard]] std::uint8_t* find_mapped(Address address, std::uint64_t bytes) const;
  [[nodiscard]] const ImageSegment* find_segment(Address address, std::uint64_t bytes) const;
  [[nodiscard]] std::uint8_t* host_range(Address address, std::uint64_t bytes, const char* what) const;
  static void end_reservations(std::vector<Reservation>& reservations, const std::uint8_t* host, std::size_t bytes);
  void place_in_local(const WarpLocal& local, std::size_t begin, const std::vector<std::uint8_t>& image) const;
  static void place_images(const std::vector<Segment>& images, Address base, std::uint32_t limit,
                           std::vector<std::uint8_t>& out);

  std::uint32_t lanes_;
  std::uint32_t local_bytes_;
  std::uint64_t frame_stride_;
  std::uint32_t stack_top_;  // offset in the local window
  std::uint32_t shared_bytes_;
  bool bounds_;
  Xlen xlen_ = Xlen::k32;  // of the heap, which has two windows with RV32 and one with RV64
  bool at_its_addresses_ = false;
  std::uint64_t most_heap_bytes_;  // memory.heap_bytes
  Address heap_base_ = kHeapBase;
  std::uint64_t heap_bytes_ = 0, upper_bytes_ = 0;
  std::uint64_t heap_used_ = 0, upper_used_ = 0;
  std::uint8_t* heap_ = nullptr;   // reserved lazily
  std::uint8_t* upper_ = nullptr;  // reserved lazily
  std::shared_ptr<Buffers> buffers_;
  const Live* live_ = nullptr;              // its
  std::uint8_t* local_storage_ = nullptr;   // reserved lazily
  std::uint8_t* shared_storage_ = nullptr;  // reserved lazily
  std::size_t local_storage_bytes_ = 0;
  std::size_t shared_storage_bytes_ = 0;
  std::shared_ptr<Global> global_;
  bool owns_heap_ = true;
  bool told_ = false;  // that gaps are less
  unsigned sm_ = 0;
  Overlay* overlay_ = nullptr;  // in a window: written_
  Overlay written_;
  std::vector<unsigned> begun_;             // in a window: warps
  std::vector<std::uint8_t> shared_image_;  // initial contents of the shared window, may be shorter than the window
  std::vector<std::uint8_t> local_image_;   // initial contents of the local window
  std::vector<std::uint8_t> stack_image_;   // of the local window, in front of stack_top()
  std::vector<BlockShared> shared_;
  std::vector<WarpLocal> local_;
  std::vector<Reservation> reservations_;  // of words in shared and local memory
};

}  // namespace heddle
