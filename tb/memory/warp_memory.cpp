// SPDX-License-Identifier: Apache-2.0
#include "memory/warp_memory.h"

#include <cstring>
#include <type_traits>

#include "isa/execute.h"
#include "isa/ieee.h"

namespace heddle {
namespace {

// Word: an integer register.
template <typename Word>
struct Warp {
  AddressSpace& memory;
  const Word* address;
  LaneMask mask;
  unsigned lanes;
  unsigned block_slot;
  unsigned warp_slot;
};

// Calls visit(lane, host address) for each lane of the mask in lane order until one faults.
template <bool kWrite, unsigned kBytes, typename Word, typename Visit>
WarpMemoryResult for_each_lane(const Warp<Word>& warp, Visit visit) {
  AddressSpace& memory = warp.memory;
  Accessor who{warp.block_slot, warp.warp_slot, 0};
  for (LaneMask rest = warp.mask; rest != 0; rest &= rest - 1) {
    who.lane = static_cast<unsigned>(__builtin_ctzll(rest));
    const Address address = warp.address[who.lane];
    std::uint8_t* host = memory.translate<kWrite>(address, kBytes, who);
    if (host == nullptr) return {memory.diagnose(address, kBytes, kWrite, who), who.lane, address};
    visit(who, host);
  }
  return {};
}

// What a lane of a warp accesses: bytes, halfwords and words lie together, doublewords in two words.
template <typename T>
struct Place {
  AddressSpace& memory;
  std::uint8_t* host;
  std::uint8_t* upper;  // doublewords

  template <typename Word>
  Place(const Warp<Word>& warp, unsigned lane, std::uint8_t* at)
      : memory(warp.memory),
        host(at),
        upper(sizeof(T) == 8 ? warp.memory.upper_word(at, warp.address[lane]) : nullptr) {}

  [[nodiscard]] T value() const {
    T read;
    if constexpr (sizeof(T) == 8) {
      std::uint32_t words[2];
      std::memcpy(&words[0], host, 4);
      std::memcpy(&words[1], upper, 4);
      read = static_cast<T>(std::uint64_t{words[1]} << 32 | words[0]);
    } else {
      std::memcpy(&read, host, sizeof read);
    }
    return read;
  }
  void put(T value) {
    if constexpr (sizeof(T) == 8) {
      const std::uint32_t words[2] = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
      std::memcpy(host, &words[0], 4);
      std::memcpy(upper, &words[1], 4);
      memory.stored(upper);
    } else {
      std::memcpy(host, &value, sizeof value);
    }
    memory.stored(host);
  }
};

// of_value: what a register holds of it. All lanes active, all addresses aligned and in the heap is the common case,
// without a check a lane.
template <typename T, typename Word, typename OfValue>
WarpMemoryResult load(const Warp<Word>& warp, Word* out, OfValue of_value) {
  if (warp.mask == lane_mask(warp.lanes) && warp.memory.all_in_heap(warp.address, warp.lanes, sizeof(T))) {
    for (unsigned l = 0; l < warp.lanes; ++l) {
      T value;
      std::memcpy(&value, warp.memory.heap(warp.address[l]), sizeof value);
      out[l] = of_value(value);
    }
    return {};
  }
  return for_each_lane<false, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
    out[who.lane] = of_value(Place<T>(warp, who.lane, host).value());
  });
}

template <typename T, typename Word>
WarpMemoryResult load(const Warp<Word>& warp, Word* out) {
  return load<T>(warp, out, [](T value) { return static_cast<Word>(value); });
}

template <typename Word>
WarpMemoryResult load_float(const Warp<Word>& warp, Word* out) {
  return load<std::uint32_t>(warp, out, [](std::uint32_t value) { return static_cast<Word>(ieee::boxed(value)); });
}

template <typename T, typename Word>
WarpMemoryResult store(const Warp<Word>& warp, const Word* data) {
  return for_each_lane<true, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
    Place<T>(warp, who.lane, host).put(static_cast<T>(data[who.lane]));
  });
}

// T: the word or doubleword in memory; a word is sign-extended into a register.
template <typename T, typename Word>
WarpMemoryResult atomic(const Warp<Word>& warp, Op op, const Word* b, const Word* c, Word* out) {
  const auto in_register = [](T value) { return static_cast<Word>(static_cast<std::make_signed_t<T>>(value)); };
  switch (op) {
    case Op::kLr:
      return for_each_lane<false, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
        const Place<T> place(warp, who.lane, host);
        out[who.lane] = in_register(place.value());
        warp.memory.reserve(host, who, place.upper);
      });
    case Op::kSc:
      return for_each_lane<true, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
        const auto value = static_cast<T>(b[who.lane]);
        const bool held = warp.memory.take_reservation(host, who);
        if (held) Place<T>(warp, who.lane, host).put(value);
        out[who.lane] = held ? 0 : 1;
      });
    case Op::kAmocas:
      return for_each_lane<true, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
        Place<T> place(warp, who.lane, host);
        const T old = place.value();
        if (old == static_cast<T>(c[who.lane])) place.put(static_cast<T>(b[who.lane]));
        out[who.lane] = in_register(old);
      });
    default:
      return for_each_lane<true, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
        Place<T> place(warp, who.lane, host);
        const T old = place.value();
        place.put(amo_result(op, old, static_cast<T>(b[who.lane])));
        out[who.lane] = in_register(old);
      });
  }
}

template <typename Word>
WarpMemoryResult execute(const Warp<Word>& warp, Op op, const Word* b, const Word* c, Word* out) {
  switch (op) {
    case Op::kLb: return load<std::int8_t>(warp, out);
    case Op::kLh: return load<std::int16_t>(warp, out);
    case Op::kLw: return load<std::int32_t>(warp, out);
    case Op::kLbu: return load<std::uint8_t>(warp, out);
    case Op::kLhu: return load<std::uint16_t>(warp, out);
    case Op::kFlw: return load_float(warp, out);
    case Op::kSb: return store<std::uint8_t>(warp, b);
    case Op::kSh: return store<std::uint16_t>(warp, b);
    case Op::kSw:
    case Op::kFsw: return store<std::uint32_t>(warp, b);
    default: break;
  }
  if constexpr (sizeof(Word) == 8) {
    switch (op) {
      case Op::kLwu: return load<std::uint32_t>(warp, out);
      case Op::kLd:
      case Op::kFld: return load<std::uint64_t>(warp, out);
      case Op::kSd:
      case Op::kFsd: return store<std::uint64_t>(warp, b);
      default:
        if (op != narrow(op)) return atomic<std::uint64_t>(warp, narrow(op), b, c, out);
    }
  }
  return atomic<std::uint32_t>(warp, op, b, c, out);
}

}  // namespace

unsigned access_bytes(Op op) {
  switch (op) {
    case Op::kLb:
    case Op::kLbu:
    case Op::kSb: return 1;
    case Op::kLh:
    case Op::kLhu:
    case Op::kSh: return 2;
    case Op::kLd:
    case Op::kSd:
    case Op::kFld:
    case Op::kFsd: return 8;
    default: return op >= Op::kLrD && op <= Op::kAmocasD ? 8 : 4;
  }
}

template <typename Word>
WarpMemoryResult execute_memory(AddressSpace& memory, const Instruction& instruction, const Word* a, const Word* b,
                                const Word* c, Word* out, Address* address, LaneMask mask, unsigned lanes,
                                unsigned block_slot, unsigned warp_slot) {
  const auto offset = static_cast<Word>(instruction.is_atomic() ? 0 : instruction.imm);
  alignas(64) Word at[kMaxLanes];
  for (unsigned l = 0; l < lanes; ++l) at[l] = a[l] + offset;
  for (unsigned l = 0; l < lanes; ++l) address[l] = at[l];
  return execute(Warp<Word>{memory, at, mask, lanes, block_slot, warp_slot}, instruction.op, b, c, out);
}

template WarpMemoryResult execute_memory(AddressSpace&, const Instruction&, const std::uint32_t*, const std::uint32_t*,
                                         const std::uint32_t*, std::uint32_t*, Address*, LaneMask, unsigned, unsigned,
                                         unsigned);
template WarpMemoryResult execute_memory(AddressSpace&, const Instruction&, const std::uint64_t*, const std::uint64_t*,
                                         const std::uint64_t*, std::uint64_t*, Address*, LaneMask, unsigned, unsigned,
                                         unsigned);

WarpMemoryResult read_text(AddressSpace& memory, Address address, std::uint64_t bytes, const Accessor& who,
                           std::string& text) {
  for (std::uint64_t i = 0; i < bytes; ++i) {
    const std::uint8_t* host = memory.translate<false>(address + i, 1, who);
    if (host == nullptr) return {memory.diagnose(address + i, 1, false, who), who.lane, address + i};
    text.push_back(static_cast<char>(*host));
  }
  return {};
}

}  // namespace heddle
