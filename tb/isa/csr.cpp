// SPDX-License-Identifier: Apache-2.0
#include "isa/csr.h"

#include <algorithm>

namespace heddle {
namespace {

// Part of fcsr that a floating-point register names.
struct FpField {
  std::uint8_t mask;
  unsigned shift;
};

constexpr FpField fp_field(std::uint32_t csr) {
  return csr == kCsrFflags ? FpField{0x1F, 0} : csr == kCsrFrm ? FpField{0x07, 5} : FpField{0xFF, 0};
}

template <typename Word>
void write_fp(const Instruction& instruction, FpField field, const Word* a, Word* out, LaneMask mask,
              std::uint8_t* fcsr) {
  const bool immediate = instruction.op >= Op::kCsrrwi;
  const bool swap = instruction.op == Op::kCsrrw || instruction.op == Op::kCsrrwi;
  const bool set = instruction.op == Op::kCsrrs || instruction.op == Op::kCsrrsi;
  const bool writes = swap || (immediate ? instruction.zimm != 0 : instruction.rs1 != 0);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto l = static_cast<unsigned>(__builtin_ctzll(rest));
    const auto operand =
        static_cast<std::uint32_t>(immediate ? instruction.zimm : a[l]);  // before out: they may be one array
    const std::uint32_t old = fcsr[l] >> field.shift & field.mask;
    out[l] = old;
    if (writes) {
      const std::uint32_t value = (swap ? operand : set ? old | operand : old & ~operand) & field.mask;
      fcsr[l] = static_cast<std::uint8_t>((fcsr[l] & ~(field.mask << field.shift)) | value << field.shift);
    }
  }
}

template <typename Word>
LaneMask access(const Instruction& instruction, const WarpContext& context, std::uint64_t cycle, std::uint64_t instret,
                const Word* a, Word* out, LaneMask mask, unsigned lanes, std::uint8_t* fcsr) {
  const std::uint32_t csr = static_cast<std::uint32_t>(instruction.imm) & 0xFFFu;
  if (csr == kCsrFflags || csr == kCsrFrm || csr == kCsrFcsr) {
    write_fp(instruction, fp_field(csr), a, out, mask, fcsr);
    return 0;
  }
  // All others are read-only: csrrw always writes, the others if their operand is not x0 or 0.
  const bool writes = instruction.op == Op::kCsrrw || instruction.op == Op::kCsrrwi ||
                      (instruction.op >= Op::kCsrrwi ? instruction.zimm != 0 : instruction.rs1 != 0);
  if (writes) return mask;
  const auto same = [&](std::uint64_t value) {
    std::fill_n(out, lanes, static_cast<Word>(value));
    return LaneMask{0};
  };
  const auto count_up = [&](std::uint32_t first) {
    for (unsigned l = 0; l < lanes; ++l) out[l] = first + l;
    return LaneMask{0};
  };
  const auto copy = [&](const std::uint32_t* values) {
    std::copy_n(values, lanes, out);
    return LaneMask{0};
  };
  if (sizeof(Word) == 8 && csr >= kCsrCycleh && csr <= kCsrInstreth) return mask;
  switch (csr) {
    case kCsrCycle:
    case kCsrTime: return same(cycle);
    case kCsrInstret: return same(instret);
    case kCsrCycleh:
    case kCsrTimeh: return same(cycle >> 32);
    case kCsrInstreth: return same(instret >> 32);
    case kCsrThreadX: return copy(context.thread_x);
    case kCsrThreadY: return copy(context.thread_y);
    case kCsrThreadZ: return copy(context.thread_z);
    case kCsrBlockX: return same(context.block_index.x);
    case kCsrBlockY: return same(context.block_index.y);
    case kCsrBlockZ: return same(context.block_index.z);
    case kCsrBlockDimX: return same(context.block_dim.x);
    case kCsrBlockDimY: return same(context.block_dim.y);
    case kCsrBlockDimZ: return same(context.block_dim.z);
    case kCsrGridDimX: return same(context.grid_dim.x);
    case kCsrGridDimY: return same(context.grid_dim.y);
    case kCsrGridDimZ: return same(context.grid_dim.z);
    case kCsrLane: return count_up(0);
    case kCsrWarp: return same(context.warp_in_block);
    case kCsrMhartid: return count_up(context.first_thread);
    default: return mask;
  }
}

}  // namespace

WarpContext::WarpContext(const Launch& launch, std::uint64_t block, std::uint32_t warp, unsigned lanes)
    : block_index(unflatten(block, launch.grid)),
      block_dim(launch.block),
      grid_dim(launch.grid),
      warp_in_block(warp),
      first_thread(static_cast<std::uint32_t>(block * launch.threads_per_block() + std::uint64_t{warp} * lanes)) {
  const std::uint32_t first = warp * lanes;
  const std::uint32_t threads = launch.threads_per_block();
  lanes_used = lane_mask(first >= threads ? 0 : std::min(lanes, threads - first));
  Dim3 index = unflatten(first, launch.block);
  for (unsigned l = 0; l < lanes; ++l) {
    thread_x[l] = index.x;
    thread_y[l] = index.y;
    thread_z[l] = index.z;
    if (++index.x == launch.block.x) {
      index.x = 0;
      if (++index.y == launch.block.y) {
        index.y = 0;
        ++index.z;
      }
    }
  }
}

LaneMask execute_csr(const Instruction& instruction, const WarpContext& context, std::uint64_t cycle,
                     std::uint64_t instret, const std::uint32_t* a, std::uint32_t* out, LaneMask mask, unsigned lanes,
                     std::uint8_t* fcsr) {
  return access(instruction, context, cycle, instret, a, out, mask, lanes, fcsr);
}
LaneMask execute_csr(const Instruction& instruction, const WarpContext& context, std::uint64_t cycle,
                     std::uint64_t instret, const std::uint64_t* a, std::uint64_t* out, LaneMask mask, unsigned lanes,
                     std::uint8_t* fcsr) {
  return access(instruction, context, cycle, instret, a, out, mask, lanes, fcsr);
}

}  // namespace heddle
