// SPDX-License-Identifier: Apache-2.0
#include "memory/address_space.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "heddle/error.h"
#include "memory/fault_text.h"

namespace heddle {
namespace {

constexpr std::size_t kCopyChunk = 65536;
constexpr std::uint32_t kStackReach =
    1u << 20;  // an access so close below the local window is a stack that grew out of it

// Frames of local memory. All warps use the ends of their frames, so the ends must not meet in a set or a bank. They
// are apart by a multiple of every power of two of sets and banks in every channel, and by 409 lines: a prime, so that
// frames meet in a set again only when all others have had theirs. Frames of SMs are numbered with a prime between
// them, too.
constexpr std::uint64_t kFrames = std::uint64_t{1} << 32;      // where the first one is
constexpr std::uint64_t kWideFrames = std::uint64_t{1} << 48;  // of RV64, whose heap begins there
static_assert(kWideHeapBase + 4 * kMaxWideHeapBytes <= kWideFrames);
constexpr std::uint64_t kFrameBytes = 2 * AddressSpace::kBehindFrame;
constexpr unsigned kFrameLines = 409;
constexpr unsigned kFramesOfAnSm = 67;
static_assert(kFramesOfAnSm >= kMaxWarps);

std::uint64_t frame_stride(const Config& config) {
  return config.dram.channels * kFrameBytes + std::uint64_t{kFrameLines} * std::max(config.l1.line, config.l2.line);
}

// Zeroed memory that costs nothing until it is touched.
std::uint8_t* reserve_storage(std::size_t bytes, const char* what, std::uintptr_t at = 0) {
  // An address that is taken is no error: the system then chooses another one.
  void* storage = mmap(reinterpret_cast<void*>(at), std::max<std::size_t>(bytes, 1), PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (storage == MAP_FAILED) {
    throw bad_input("memory",
                    "the host refuses " + std::to_string(bytes) + " bytes for the device's " + what +
                        ": lower memory.heap_bytes, memory.local_bytes or core.warps",
                    ErrorKind::kOutOfMemory);
  }
  return static_cast<std::uint8_t*>(storage);
}

// Of large memory the host takes the pages back.
void clear_storage(std::uint8_t* begin, std::size_t bytes) {
  constexpr std::size_t kLarge = std::size_t{1} << 24, kPage = 4096;
  const std::size_t head = (kPage - reinterpret_cast<std::uintptr_t>(begin) % kPage) % kPage;
  const std::size_t pages = bytes < kLarge ? 0 : (bytes - head) / kPage * kPage;
  if (pages != 0 && madvise(begin + head, pages, MADV_DONTNEED) == 0) {
    std::memset(begin, 0, head);
    std::memset(begin + head + pages, 0, bytes - head - pages);
  } else {
    std::memset(begin, 0, bytes);
  }
}

void copy_changed(std::uint8_t* to, const std::uint8_t* from, std::size_t size) {
  for (std::size_t begin = 0; begin < size; begin += kCopyChunk) {
    const std::size_t bytes = std::min(kCopyChunk, size - begin);
    if (std::memcmp(to + begin, from + begin, bytes) != 0) std::memcpy(to + begin, from + begin, bytes);
  }
}

// memory.heap_bytes, as far as a program of this width can use them.
std::uint64_t heap_limit(std::uint64_t heap_bytes, Xlen xlen) {
  return std::min(heap_bytes, xlen == Xlen::k64 ? kMaxWideHeapBytes : kMaxHeapBytes);
}

// Four times what buffers may have together, so that their gaps, and pieces between buffers that were given back, never
// cost one its place.
std::vector<Heap::Window> windows(std::uint64_t heap_bytes, Xlen xlen) {
  const std::uint64_t bytes = 4 * heap_limit(heap_bytes, xlen);
  if (xlen == Xlen::k64) return {{kWideHeapBase, bytes}};
  const std::uint64_t lower = std::min(bytes, kHeapLimit - kHeapBase);
  return {{kHeapBase, lower}, {kUpperHeapBase, std::min(bytes - lower, kUpperHeapLimit - kUpperHeapBase)}};
}

std::size_t granules(std::uint64_t heap_bytes, Xlen xlen) {
  const std::uint64_t bytes = xlen == Xlen::k64 ? windows(heap_bytes, xlen).front().bytes : kUpperHeapLimit - kHeapBase;
  return bytes / Heap::kAlignment;
}

}  // namespace

AddressSpace::Buffers::Buffers(std::uint64_t heap_bytes, Xlen xlen)
    : heap(heap_limit(heap_bytes, xlen), windows(heap_bytes, xlen),
           xlen == Xlen::k64 ? kMaxWideHeapBytes : kMaxHeapBytes),
      live_bytes(granules(heap_bytes, xlen) * sizeof(Live)),
      live(reinterpret_cast<Live*>(reserve_storage(live_bytes, "heap"))) {}

AddressSpace::Buffers::~Buffers() { munmap(live, live_bytes); }

AddressSpace::AddressSpace(const Config& config, bool at_its_addresses)
    : lanes_(config.core.lanes),
      local_bytes_(config.memory.local_bytes & ~3u),
      frame_stride_(frame_stride(config)),
      stack_top_(static_cast<std::uint32_t>(stack_top(config) - kLocalBase)),
      shared_bytes_(static_cast<std::uint32_t>(round_up(config.core.shared_bytes, 4))),
      bounds_(config.run.bounds),
      at_its_addresses_(at_its_addresses),
      most_heap_bytes_(config.memory.heap_bytes),
      global_(std::make_shared<Global>()) {
  reserve_heap(Xlen::k32);
  reserve_of_the_core(config);
}

AddressSpace::AddressSpace(const Config& config, AddressSpace& global, unsigned sm)
    : lanes_(global.lanes_),
      local_bytes_(global.local_bytes_),
      frame_stride_(global.frame_stride_),
      stack_top_(global.stack_top_),
      shared_bytes_(global.shared_bytes_),
      bounds_(global.bounds_),
      xlen_(global.xlen_),
      most_heap_bytes_(global.most_heap_bytes_),
      heap_base_(global.heap_base_),
      heap_bytes_(global.heap_bytes_),
      upper_bytes_(global.upper_bytes_),
      heap_(global.heap_),
      upper_(global.upper_),
      buffers_(global.buffers_),
      live_(global.live_),
      global_(global.global_),
      owns_heap_(false),
      sm_(sm) {
  reserve_of_the_core(config);
}

// An empty one for programs of this width.
void AddressSpace::reserve_heap(Xlen xlen) {
  release_heap();
  const std::vector<Heap::Window> all = windows(most_heap_bytes_, xlen);
  xlen_ = xlen;
  heap_base_ = all.front().begin;
  heap_bytes_ = all.front().bytes;
  upper_bytes_ = all.size() > 1 ? all[1].bytes : 0;
  heap_used_ = upper_used_ = 0;
  buffers_ = std::make_shared<Buffers>(most_heap_bytes_, xlen);
  live_ = buffers_->live;
  heap_ = reserve_storage(heap_bytes_ + kMargin, "heap", at_its_addresses_ ? heap_base_ - kMargin : 0) + kMargin;
  if (upper_bytes_ != 0) upper_ = reserve_storage(upper_bytes_, "heap", at_its_addresses_ ? kUpperHeapBase : 0);
  for (unsigned slot = 0; slot < local_.size(); ++slot) local_[slot].physical = frame_begin(slot);
}

void AddressSpace::release_heap() {
  if (owns_heap_ && heap_ != nullptr) munmap(heap_ - kMargin, heap_bytes_ + kMargin);
  if (owns_heap_ && upper_ != nullptr) munmap(upper_, upper_bytes_);
  heap_ = upper_ = nullptr;
}

void AddressSpace::follow(const AddressSpace& global) {
  const bool other_image = local_image_ != global.local_image_;
  heap_used_ = global.heap_used_;
  upper_used_ = global.upper_used_;
  shared_image_ = global.shared_image_;
  local_image_ = global.local_image_;
  stack_image_ = global.stack_image_;
  if (other_image) {
    for (WarpLocal& local : local_) local.lowest_written = 0;  // begin_warp then writes the new image
  }
}

void AddressSpace::end_window() {
  for (const unsigned warp_slot : begun_) forget_warp(global_->reservations, warp_slot);
  begun_.clear();
  written_.apply([&](const std::uint8_t* host, std::size_t bytes) {
    if (!global_->reservations.empty()) end_reservations(global_->reservations, host, bytes);
  });
  overlay_ = nullptr;
}

void AddressSpace::reserve_of_the_core(const Config& config) {
  local_storage_bytes_ = std::size_t{config.core.warps} * lanes_ * local_bytes_;
  shared_storage_bytes_ = std::size_t{config.core.max_blocks} * shared_bytes_;
  local_storage_ = reserve_storage(local_storage_bytes_, "local memory");
  shared_storage_ = reserve_storage(shared_storage_bytes_, "shared memory");
  shared_.resize(config.core.max_blocks);
  for (unsigned slot = 0; slot < shared_.size(); ++slot)
    shared_[slot].data = shared_storage_ + std::size_t{slot} * shared_bytes_;
  local_.resize(config.core.warps);
  for (unsigned slot = 0; slot < local_.size(); ++slot) {
    const std::size_t bytes = std::size_t{lanes_} * local_bytes_;
    local_[slot] = {local_storage_ + slot * bytes, local_bytes_ / 4, frame_begin(slot)};
  }
}

std::uint64_t AddressSpace::frame_begin(unsigned warp_slot) const {
  return frame_end(warp_slot) - std::size_t{lanes_} * local_bytes_;
}

std::uint64_t AddressSpace::frame_end(unsigned warp_slot) const {
  return (xlen_ == Xlen::k64 ? kWideFrames : kFrames) + kFrameBytes / 2 +
         (std::uint64_t{sm_} * kFramesOfAnSm + warp_slot) * frame_stride_;
}

AddressSpace::~AddressSpace() {
  release_heap();
  for (auto [storage, bytes] :
       {std::pair{local_storage_, local_storage_bytes_}, {shared_storage_, shared_storage_bytes_}}) {
    if (storage != nullptr) munmap(storage, std::max<std::size_t>(bytes, 1));
  }
}

void AddressSpace::place_images(const std::vector<Segment>& images, Address base, std::uint32_t limit,
                                std::vector<std::uint8_t>& out) {
  out.clear();
  for (const Segment& segment : images) {
    const std::uint64_t end = std::uint64_t{segment.address} + segment.memory_size;
    if (segment.address < base || end > std::uint64_t{base} + limit) {
      throw bad_input("elf", "data at " + hex(segment.address) + " (" + std::to_string(segment.memory_size) +
                                 " bytes) does not fit into the window at " + hex(base) + " of " +
                                 std::to_string(limit) + " bytes: raise core.shared_bytes or memory.local_bytes");
    }
    const std::size_t begin = segment.address - base;
    out.resize(std::max(out.size(), begin + segment.data.size()));
    std::copy(segment.data.begin(), segment.data.end(), out.begin() + static_cast<std::ptrdiff_t>(begin));
  }
  while (!out.empty() && out.back() == 0) out.pop_back();
}

void AddressSpace::load(const Program& program) {
  std::vector<ImageSegment> image;
  for (const Segment& segment : program.segments) {
    const std::uint64_t end = std::uint64_t{segment.address} + segment.memory_size;
    if (segment.address < kNullPageEnd || end > kHeapBase) {
      throw bad_input("elf", program.path + ": segment at " + hex(segment.address) + " of " +
                                 std::to_string(segment.memory_size) + " bytes lies outside the program's range " +
                                 hex(kNullPageEnd) + " to " + hex(kHeapBase) + ": change the link address");
    }
    ImageSegment loaded{
        segment.address, segment.memory_size, segment.writable,
        std::vector<Overlay::Line>((segment.address % Overlay::kLine + segment.memory_size) / Overlay::kLine + 1)};
    std::copy(segment.data.begin(), segment.data.end(), loaded.data());
    image.push_back(std::move(loaded));
  }
  if (program.xlen != xlen_) {
    if (buffers_->heap.used() != 0) {
      const bool wide = program.xlen == Xlen::k64;
      throw bad_input("elf", program.path + ": an " + (wide ? "RV64" : "RV32") +
                                 " program on a device with buffers where " + (wide ? "RV32" : "RV64") +
                                 " has them: load it before buffers are allocated, or give them back");
    }
    reserve_heap(program.xlen);
  }
  const bool had_local_image = !local_image_.empty();
  place_images(program.shared, kSharedBase, shared_bytes_, shared_image_);
  place_images(program.local, kLocalBase, local_bytes_, local_image_);
  global_->image = std::move(image);
  global_->padding = program.padding;
  global_->variables.clear();
  for (const Program::Extent& object : program.objects) {
    if (find_segment(object.begin, object.size) != nullptr) global_->variables.push_back(object);
  }
  if (had_local_image || !local_image_.empty()) {
    for (WarpLocal& local : local_) local.lowest_written = 0;  // begin_warp then writes the new image
  }
}

Address AddressSpace::allocate(std::uint64_t bytes) {
  const Heap::Block& block = buffers_->heap.allocate(bytes);
  const bool in_upper = upper_bytes_ != 0 && block.begin >= kUpperHeapBase;
  std::uint64_t& used = in_upper ? upper_used_ : heap_used_;
  const std::uint64_t begin = block.begin - (in_upper ? kUpperHeapBase : heap_base_);
  // What is not mapped has never been written.
  if (begin < used) clear_storage((in_upper ? upper_ : heap_) + begin, std::min(block.bytes, used - begin));
  const std::uint64_t end = begin + round_up(std::max<std::uint64_t>(block.bytes, 1), Heap::kAlignment),
                      most = in_upper ? upper_bytes_ : heap_bytes_;
  used = std::max(used, bounds_ ? end : end + std::min<std::uint64_t>(kMargin, most - end));
  mark(block, true);
  if (buffers_->heap.ran_short() && !std::exchange(told_, true)) {
    std::fputs(
        "heddle: the addresses of buffers run short: from now on they may lie closer together, and fewer accesses "
        "outside of them are found\n",
        stderr);
  }
  return block.begin;
}

bool AddressSpace::release(Address buffer) {
  const Heap::Block* block = buffers_->heap.release(buffer);
  if (block != nullptr) mark(*block, false);
  return block != nullptr;
}

bool AddressSpace::map_host(std::uint8_t* begin, std::uint64_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(begin);
  const auto meets = [&](const HostRange& r) { return first < r.begin + r.bytes && r.begin < first + bytes; };
  std::vector<HostRange>& mapped = global_->mapped;
  if (std::any_of(mapped.begin(), mapped.end(), meets)) return false;
  mapped.push_back({first, bytes, begin, {}});
  return true;
}

bool AddressSpace::unmap_host(const std::uint8_t* begin) {
  std::vector<HostRange>& mapped = global_->mapped;
  const auto found = std::find_if(mapped.begin(), mapped.end(), [&](const HostRange& r) { return r.memory == begin; });
  if (found == mapped.end()) return false;
  mapped.erase(found);
  return true;
}

std::uint8_t* AddressSpace::find_mapped(Address address, std::uint64_t bytes) const {
  for (HostRange& range : global_->mapped) {
    const Address offset = address - range.begin;
    if (offset < range.bytes && bytes <= range.bytes - offset) return range.data() + offset;
  }
  return nullptr;
}

void AddressSpace::mark(const Heap::Block& block, bool live) {
  if (!bounds_) return;
  Live* const first = buffers_->live + (block.begin - heap_base_) / Heap::kAlignment;
  const std::uint64_t whole = block.bytes / Heap::kAlignment, rest = block.bytes % Heap::kAlignment;
  std::fill_n(first, whole, live ? static_cast<Live>(Heap::kAlignment) : Live{0});
  if (rest != 0) first[whole] = live ? static_cast<Live>(rest) : Live{0};
}

const AddressSpace::ImageSegment* AddressSpace::find_segment(Address address, std::uint64_t bytes) const {
  for (const ImageSegment& segment : global_->image) {
    const Address offset = address - segment.begin;
    if (offset < segment.bytes && bytes <= segment.bytes - offset) return &segment;
  }
  return nullptr;
}

std::uint8_t* AddressSpace::host_range(Address address, std::uint64_t bytes, const char* what) const {
  const Address heap_offset = address - heap_base_, upper_offset = address - kUpperHeapBase;
  if (!bounds_ || buffers_->heap.find(address, bytes) != nullptr) {
    if (heap_offset < heap_used_ && bytes <= heap_used_ - heap_offset) return heap_ + heap_offset;
    if (upper_offset < upper_used_ && bytes <= upper_used_ - upper_offset) return upper_ + upper_offset;
  }
  if (const ImageSegment* segment = find_segment(address, bytes)) {
    return const_cast<std::uint8_t*>(segment->data()) + (address - segment->begin);
  }
  if (std::uint8_t* const mapped = find_mapped(address, bytes)) return mapped;
  throw bad_input("memory",
                  std::string(what) + " of " + std::to_string(bytes) + " bytes at " + hex(address) +
                      " leaves the device's buffers and program data: check address and size",
                  ErrorKind::kOutsideBuffers);
}

void AddressSpace::write(Address destination, const void* source, std::uint64_t bytes) {
  if (bytes == 0) return;
  std::memcpy(host_range(destination, bytes, "host write"), source, bytes);
}

void AddressSpace::read(Address source, void* destination, std::uint64_t bytes) const {
  if (bytes == 0) return;
  std::memcpy(destination, host_range(source, bytes, "host read"), bytes);
}

void AddressSpace::begin_block(unsigned block_slot, std::uint32_t bytes) {
  BlockShared& block = shared_[block_slot];
  block.bytes = std::min(bounds_ ? bytes : static_cast<std::uint32_t>(round_up(bytes, 4)), shared_bytes_);
  const std::uint32_t initialised = std::min(block.bytes, static_cast<std::uint32_t>(shared_image_.size()));
  std::copy_n(shared_image_.begin(), initialised, block.data);
  std::memset(block.data + initialised, 0, block.bytes - initialised);
}

void AddressSpace::begin_warp(unsigned warp_slot) {
  WarpLocal& local = local_[warp_slot];
  const std::uint32_t words = local_bytes_ / 4;
  std::memset(local.data + std::size_t{local.lowest_written} * lanes_ * 4, 0,
              std::size_t{words - local.lowest_written} * lanes_ * 4);
  if (std::size_t{local.lowest_written} * 4 < local_image_.size()) place_in_local(local, 0, local_image_);
  local.lowest_written = words;
  if (!stack_image_.empty()) {
    const std::uint32_t begin = stack_top_ - static_cast<std::uint32_t>(stack_image_.size());
    place_in_local(local, begin, stack_image_);
    local.lowest_written = begin / 4;
  }
  if (!reservations_.empty()) forget_warp(reservations_, warp_slot);
  if (overlay_ != nullptr) {
    begun_.push_back(warp_slot);
  } else if (!global_->reservations.empty()) {
    forget_warp(global_->reservations, warp_slot);
  }
}

void AddressSpace::forget_warp(std::vector<Reservation>& reservations, unsigned warp_slot) const {
  const std::uint32_t first = owner({0, warp_slot, 0});
  const auto of_this_warp = [&](const Reservation& r) { return r.owner - first < kMaxLanes; };
  reservations.erase(std::remove_if(reservations.begin(), reservations.end(), of_this_warp), reservations.end());
}

void AddressSpace::place_in_local(const WarpLocal& local, std::size_t begin,
                                  const std::vector<std::uint8_t>& image) const {
  for (std::size_t i = 0; i < image.size(); ++i) {
    const std::size_t offset = begin + i;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane)
      local.data[(offset / 4 * lanes_ + lane) * 4 + offset % 4] = image[i];
  }
}

std::uint8_t* AddressSpace::translate_rest(Address address, unsigned bytes, bool write) {
  if (address - kUpperHeapBase < upper_used_) return beyond(address - heap_base_, bytes) ? nullptr : upper(address);
  const ImageSegment* segment = find_segment(address, bytes);
  if (segment == nullptr && in_front(address)) return heap_ - (heap_base_ - address);
  if (segment == nullptr) return find_mapped(address, bytes);
  if ((write && !segment->writable) || in_padding(address, bytes)) return nullptr;
  return const_cast<std::uint8_t*>(segment->data()) + (address - segment->begin);
}

bool AddressSpace::in_padding(Address address, std::uint32_t bytes) const {
  if (!bounds_) return false;
  const std::vector<Program::Extent>& padding = global_->padding;
  const auto behind = std::lower_bound(padding.begin(), padding.end(), address + bytes,
                                       [](const Program::Extent& e, Address end) { return e.begin < end; });
  return behind != padding.begin() && std::prev(behind)->begin + std::prev(behind)->size > address;
}

Fault AddressSpace::diagnose(Address address, unsigned bytes, bool write, const Accessor& who) const {
  if (address < kNullPageEnd) return Fault::kNullPage;
  if ((address & (bytes - 1)) != 0) return Fault::kMisaligned;
  switch (space_of(address)) {
    case Space::kShared:
      if (address - kSharedBase + bytes <= shared_[who.block_slot].bytes) return Fault::kNone;
      return kLocalBase - address <= kStackReach ? Fault::kOutsideLocal : Fault::kOutsideShared;
    case Space::kLocal: return address - kLocalBase + bytes <= local_bytes_ ? Fault::kNone : Fault::kOutsideLocal;
    case Space::kGlobal: break;
  }
  if (address - heap_base_ < heap_used_ || address - kUpperHeapBase < upper_used_) {
    if (!beyond(address - heap_base_, bytes)) return Fault::kNone;
    const Heap::Block* block = buffers_->heap.nearest(address, bytes);
    return block != nullptr && !block->live && address >= block->begin && address < block->end() ? Fault::kFreed
                                                                                                 : Fault::kOutside;
  }
  const ImageSegment* segment = find_segment(address, bytes);
  if (segment == nullptr)
    return in_front(address) || find_mapped(address, bytes) != nullptr ? Fault::kNone : Fault::kUnmapped;
  if (write && !segment->writable) return Fault::kReadOnly;
  return in_padding(address, bytes) ? Fault::kOutside : Fault::kNone;
}

AddressSpace::Nearest AddressSpace::nearest(Address address, unsigned bytes) const {
  const Address end = address + bytes;
  const auto distance = [&](Address begin, std::uint64_t size) {
    const std::uint64_t its_end = begin + size;
    return its_end <= address ? address - its_end : end <= begin ? begin - end : 0;
  };
  Nearest found;
  std::uint64_t least = 0;
  const auto offer = [&](Nearest::Kind kind, Address begin, std::uint64_t size) {
    if (found.kind != Nearest::Kind::kNothing && distance(begin, size) >= least) return;
    found = {kind, begin, size};
    least = distance(begin, size);
  };
  if (const Heap::Block* block = buffers_->heap.nearest(address, bytes))
    offer(Nearest::Kind::kBuffer, block->begin, block->bytes);
  for (const Program::Extent& variable : global_->variables)
    offer(Nearest::Kind::kVariable, variable.begin, variable.size);
  return found;
}

std::vector<AddressSpace::Reservation>& AddressSpace::reservations_of(const std::uint8_t* host) {
  const auto inside = [host](const std::uint8_t* storage, std::size_t bytes) {
    return host >= storage && host < storage + bytes;
  };
  const bool own = inside(local_storage_, local_storage_bytes_) || inside(shared_storage_, shared_storage_bytes_);
  return own ? reservations_ : global_->reservations;
}

void AddressSpace::reserve(const std::uint8_t* host, const Accessor& who, const std::uint8_t* upper_word) {
  (void)take_reservation(host, who);
  reservations_of(host).push_back({owner(who), host, upper_word != nullptr ? upper_word : host});
}

// A thread has one, in one of the two lists; that of global memory is looked at outside of windows only.
bool AddressSpace::take_reservation(const std::uint8_t* host, const Accessor& who) {
  for (std::vector<Reservation>* reservations : {&reservations_, &global_->reservations}) {
    if (reservations == &global_->reservations && overlay_ != nullptr) break;
    for (Reservation& reservation : *reservations) {
      if (reservation.owner != owner(who)) continue;
      const bool held = reservation.word == host;
      reservation = reservations->back();
      reservations->pop_back();
      return held;
    }
  }
  return false;
}

void AddressSpace::end_reservations(std::vector<Reservation>& reservations, const std::uint8_t* host,
                                    std::size_t bytes) {
  // Bytes and halfwords end the reservation of the word that holds them; all storage is word aligned.
  const auto meets = [&](const std::uint8_t* word) { return host < word + 4 && word < host + bytes; };
  const auto covers = [&](const Reservation& r) { return meets(r.word) || meets(r.upper_word); };
  reservations.erase(std::remove_if(reservations.begin(), reservations.end(), covers), reservations.end());
}

void AddressSpace::copy_global(const AddressSpace& other) {
  if (xlen_ != other.xlen_) reserve_heap(other.xlen_);
  if (local_image_ != other.local_image_) {
    for (WarpLocal& local : local_) local.lowest_written = 0;  // begin_warp then writes the new image
  }
  global_->image = other.global_->image;
  global_->padding = other.global_->padding;
  global_->mapped.clear();
  for (HostRange& range : other.global_->mapped) {
    HostRange copy{range.begin, range.bytes, nullptr, {}};
    copy.copy.resize((range.begin % Overlay::kLine + range.bytes) / Overlay::kLine + 1);
    std::memcpy(copy.data(), range.data(), range.bytes);
    global_->mapped.push_back(std::move(copy));
  }
  shared_image_ = other.shared_image_;
  local_image_ = other.local_image_;
  stack_image_ = other.stack_image_;
  buffers_ = other.buffers_;
  live_ = buffers_->live;
  heap_used_ = other.heap_used_;
  upper_used_ = other.upper_used_;
  copy_changed(heap_ - kMargin, other.heap_ - kMargin, heap_used_ + kMargin);
  copy_changed(upper_, other.upper_, upper_used_);
}

bool AddressSpace::first_difference(const AddressSpace& other, Address& address) const {
  for (std::size_t s = 0; s < global_->image.size(); ++s) {
    const ImageSegment &mine = global_->image[s], &theirs = other.global_->image[s];
    const std::uint8_t* const differs = std::mismatch(mine.data(), mine.data() + mine.bytes, theirs.data()).first;
    if (differs != mine.data() + mine.bytes) {
      address = mine.begin + static_cast<Address>(differs - mine.data());
      return true;
    }
  }
  const auto differs = [&](Address base, const std::uint8_t* mine, const std::uint8_t* theirs, std::uint64_t bytes) {
    if (bytes == 0 || std::memcmp(mine, theirs, bytes) == 0) return false;
    address = base + static_cast<Address>(std::mismatch(mine, mine + bytes, theirs).first - mine);
    return true;
  };
  for (std::size_t r = 0; r < global_->mapped.size(); ++r) {
    HostRange &mine = global_->mapped[r], &theirs = other.global_->mapped[r];
    if (differs(mine.begin, mine.data(), theirs.data(), mine.bytes)) return true;
  }
  return differs(heap_base_ - kMargin, heap_ - kMargin, other.heap_ - kMargin, heap_used_ + kMargin) ||
         differs(kUpperHeapBase, upper_, other.upper_, upper_used_);
}

}  // namespace heddle
