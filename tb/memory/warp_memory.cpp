// SPDX-License-Identifier: Apache-2.0
#include "memory/warp_memory.h"

#include <cstring>

#include "isa/execute.h"

namespace heddle {
namespace {

struct Warp {
  AddressSpace& memory;
  const std::uint32_t* address;
  LaneMask mask;
  unsigned lanes;
  unsigned block_slot;
  unsigned warp_slot;
};

// Calls visit(lane, host address) for each lane of the mask in lane order until one faults.
template <bool kWrite, unsigned kBytes, typename Visit>
WarpMemoryResult for_each_lane(const Warp& warp, Visit visit) {
  Accessor who{warp.block_slot, warp.warp_slot, 0};
  for (LaneMask rest = warp.mask; rest != 0; rest &= rest - 1) {
    who.lane = static_cast<unsigned>(__builtin_ctzll(rest));
    std::uint8_t* host = warp.memory.translate<kWrite>(warp.address[who.lane], kBytes, who);
    if (host == nullptr) {
      return {warp.memory.diagnose(warp.address[who.lane], kBytes, kWrite, who), who.lane, warp.address[who.lane]};
    }
    visit(who, host);
  }
  return {};
}

// All lanes active, all addresses aligned and in the heap: the common case, without a check a lane.
template <unsigned kBytes>
bool whole_warp_in_heap(const Warp& warp) {
  if (warp.mask != lane_mask(warp.lanes)) return false;
  Address low = warp.address[0], high = warp.address[0], bits = 0;
  for (unsigned l = 0; l < warp.lanes; ++l) {
    low = warp.address[l] < low ? warp.address[l] : low;
    high = warp.address[l] > high ? warp.address[l] : high;
    bits |= warp.address[l];
  }
  return (bits & (kBytes - 1)) == 0 && warp.memory.in_heap(low, high) &&
         warp.memory.no_lane_beyond(warp.address, warp.lanes, low, high, kBytes);
}

template <typename T, typename Extended>
WarpMemoryResult load(const Warp& warp, std::uint32_t* out) {
  const auto value = [](const std::uint8_t* host) {
    T narrow;
    std::memcpy(&narrow, host, sizeof narrow);
    return static_cast<std::uint32_t>(static_cast<Extended>(narrow));
  };
  if (whole_warp_in_heap<sizeof(T)>(warp)) {
    for (unsigned l = 0; l < warp.lanes; ++l) out[l] = value(warp.memory.heap(warp.address[l]));
    return {};
  }
  return for_each_lane<false, sizeof(T)>(
      warp, [&](const Accessor& who, const std::uint8_t* host) { out[who.lane] = value(host); });
}

template <typename T>
WarpMemoryResult store(const Warp& warp, const std::uint32_t* data) {
  return for_each_lane<true, sizeof(T)>(warp, [&](const Accessor& who, std::uint8_t* host) {
    const T narrow = static_cast<T>(data[who.lane]);
    std::memcpy(host, &narrow, sizeof narrow);
    warp.memory.stored(host);
  });
}

std::uint32_t word_at(const std::uint8_t* host) {
  std::uint32_t word;
  std::memcpy(&word, host, sizeof word);
  return word;
}

WarpMemoryResult atomic(const Warp& warp, Op op, const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* out) {
  AddressSpace& memory = warp.memory;
  const auto put = [&](std::uint8_t* host, std::uint32_t word) {
    std::memcpy(host, &word, sizeof word);
    memory.stored(host);
  };
  switch (op) {
    case Op::kLr:
      return for_each_lane<false, 4>(warp, [&](const Accessor& who, std::uint8_t* host) {
        out[who.lane] = word_at(host);
        memory.reserve(host, who);
      });
    case Op::kSc:
      return for_each_lane<true, 4>(warp, [&](const Accessor& who, std::uint8_t* host) {
        const std::uint32_t value = b[who.lane];
        const bool held = memory.take_reservation(host, who);
        if (held) put(host, value);
        out[who.lane] = held ? 0 : 1;
      });
    case Op::kAmocas:
      return for_each_lane<true, 4>(warp, [&](const Accessor& who, std::uint8_t* host) {
        const std::uint32_t old = word_at(host);
        if (old == c[who.lane]) put(host, b[who.lane]);
        out[who.lane] = old;
      });
    default:
      return for_each_lane<true, 4>(warp, [&](const Accessor& who, std::uint8_t* host) {
        const std::uint32_t old = word_at(host);
        put(host, amo_result(op, old, b[who.lane]));
        out[who.lane] = old;
      });
  }
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

WarpMemoryResult execute_memory(AddressSpace& memory, const Instruction& instruction, const std::uint32_t* a,
                                const std::uint32_t* b, const std::uint32_t* c, std::uint32_t* out, Address* address,
                                LaneMask mask, unsigned lanes, unsigned block_slot, unsigned warp_slot) {
  const std::uint32_t offset = instruction.is_atomic() ? 0 : static_cast<std::uint32_t>(instruction.imm);
  for (unsigned l = 0; l < lanes; ++l) address[l] = a[l] + offset;
  const Warp warp{memory, address, mask, lanes, block_slot, warp_slot};
  switch (instruction.op) {
    case Op::kLb: return load<std::int8_t, std::int32_t>(warp, out);
    case Op::kLh: return load<std::int16_t, std::int32_t>(warp, out);
    case Op::kLbu: return load<std::uint8_t, std::uint32_t>(warp, out);
    case Op::kLhu: return load<std::uint16_t, std::uint32_t>(warp, out);
    case Op::kLw:
    case Op::kFlw: return load<std::uint32_t, std::uint32_t>(warp, out);
    case Op::kSb: return store<std::uint8_t>(warp, b);
    case Op::kSh: return store<std::uint16_t>(warp, b);
    case Op::kSw:
    case Op::kFsw: return store<std::uint32_t>(warp, b);
    default: return atomic(warp, instruction.op, b, c, out);
  }
}

WarpMemoryResult read_text(AddressSpace& memory, Address address, std::uint32_t bytes, const Accessor& who,
                           std::string& text) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    const std::uint8_t* host = memory.translate<false>(address + i, 1, who);
    if (host == nullptr) return {memory.diagnose(address + i, 1, false, who), who.lane, address + i};
    text.push_back(static_cast<char>(*host));
  }
  return {};
}

}  // namespace heddle
