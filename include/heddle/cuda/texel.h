// SPDX-License-Identifier: Apache-2.0
// What a texel type consists of (C++).
#pragma once

#include <type_traits>

#include "driver_types.h"

template <class T>
struct heddle_component { typedef T type; static constexpr int count = 1; };
#define HEDDLE_COMPONENTS(name, base)                                                            \
  template <> struct heddle_component<name##1> { typedef base type; static constexpr int count = 1; }; \
  template <> struct heddle_component<name##2> { typedef base type; static constexpr int count = 2; }; \
  template <> struct heddle_component<name##4> { typedef base type; static constexpr int count = 4; };
HEDDLE_COMPONENTS(char, signed char)
HEDDLE_COMPONENTS(uchar, unsigned char)
HEDDLE_COMPONENTS(short, short)
HEDDLE_COMPONENTS(ushort, unsigned short)
HEDDLE_COMPONENTS(int, int)
HEDDLE_COMPONENTS(uint, unsigned int)
HEDDLE_COMPONENTS(float, float)
#undef HEDDLE_COMPONENTS

// Bits and kind of a texel's components.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  using Component = typename heddle_component<T>::type;
  constexpr int components = heddle_component<T>::count;
  constexpr int bits = 8 * sizeof(Component);
  constexpr cudaChannelFormatKind kind = std::is_floating_point<Component>::value ? cudaChannelFormatKindFloat
                                         : std::is_signed<Component>::value       ? cudaChannelFormatKindSigned
                                                                                  : cudaChannelFormatKindUnsigned;
  return {bits, components > 1 ? bits : 0, components > 2 ? bits : 0, components > 3 ? bits : 0, kind};
}

