// SPDX-License-Identifier: Apache-2.0
// Arithmetic of double, and conversions of 64 bits, with a rounding mode: an instruction each. Included by device_language.h, with its macros.
#pragma once

HEDDLE_MODES(HEDDLE_CONVERT, __double2float, float, double, "fcvt.s.d", "f", "f")
HEDDLE_MODES(HEDDLE_CONVERT, __ll2double, double, long long, "fcvt.d.l", "f", "r")
HEDDLE_MODES(HEDDLE_CONVERT, __ull2double, double, unsigned long long, "fcvt.d.lu", "f", "r")
HEDDLE_MODES(HEDDLE_CONVERT, __ll2float, float, long long, "fcvt.s.l", "f", "r")
HEDDLE_MODES(HEDDLE_CONVERT, __ull2float, float, unsigned long long, "fcvt.s.lu", "f", "r")
HEDDLE_MODES(HEDDLE_CONVERT, __dsqrt, double, double, "fsqrt.d", "f", "f")
HEDDLE_MODES(HEDDLE_BINARY, double, __dadd, "fadd.d")
HEDDLE_MODES(HEDDLE_BINARY, double, __dsub, "fsub.d")
HEDDLE_MODES(HEDDLE_BINARY, double, __dmul, "fmul.d")
HEDDLE_MODES(HEDDLE_BINARY, double, __ddiv, "fdiv.d")
HEDDLE_MODES(HEDDLE_FUSED, double, __fma, "fmadd.d")
HEDDLE_MODES(HEDDLE_RECIPROCAL, double, __drcp, __ddiv)
HEDDLE_D double __int2double_rn(int x) HEDDLE_BODY({ return (double)x; })
HEDDLE_D double __uint2double_rn(unsigned x) HEDDLE_BODY({ return (double)x; })

// The sign bit alone of NaN, as PTX has it, where the instruction gives the greatest integer; heddle-nvcc does the same for casts.
#define HEDDLE_SIGNED(mode, rm, name, to, from, instruction, equal, word)                                                          \
  HEDDLE_D to name##_##mode(from x) HEDDLE_BODY({                                                                                  \
    to r; long ordered;                                                                                                            \
    __asm__(instruction " %0, %2, " rm "\n\t" equal " %1, %2, %2\n\tsub" word " %0, %0, %1\n\taddi" word " %0, %0, 1"              \
            : "=&r"(r), "=&r"(ordered) : "f"(x));                                                                                  \
    return r; })
#define HEDDLE_UNSIGNED(mode, rm, name, to, from, instruction, equal, word)                                                        \
  HEDDLE_D to name##_##mode(from x) HEDDLE_BODY({                                                                                  \
    to r; long ordered;                                                                                                            \
    __asm__(instruction " %0, %2, " rm "\n\t" equal " %1, %2, %2\n\taddi %1, %1, -1\n\tsrli" word " %1, %1, 1\n\txor %0, %0, %1"   \
            : "=&r"(r), "=&r"(ordered) : "f"(x));                                                                                  \
    return r; })
HEDDLE_MODES(HEDDLE_SIGNED, __double2int, int, double, "fcvt.w.d", "feq.d", "w")
HEDDLE_MODES(HEDDLE_SIGNED, __double2ll, long long, double, "fcvt.l.d", "feq.d", "")
HEDDLE_MODES(HEDDLE_SIGNED, __float2ll, long long, float, "fcvt.l.s", "feq.s", "")
HEDDLE_MODES(HEDDLE_UNSIGNED, __double2uint, unsigned, double, "fcvt.wu.d", "feq.d", "w")
HEDDLE_MODES(HEDDLE_UNSIGNED, __double2ull, unsigned long long, double, "fcvt.lu.d", "feq.d", "")
HEDDLE_MODES(HEDDLE_UNSIGNED, __float2ull, unsigned long long, float, "fcvt.lu.s", "feq.s", "")
#undef HEDDLE_SIGNED
#undef HEDDLE_UNSIGNED
