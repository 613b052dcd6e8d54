// SPDX-License-Identifier: Apache-2.0
// The parameter sets of a typed test: those that have a model, named after it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace heddle::test {

struct SetNames {
  template <class Set>
  static std::string GetName(int) {
    return Set::kModelName;
  }
};

namespace sets {

template <class Set, class = void>
struct HasModel : std::false_type {};
template <class Set>
struct HasModel<Set, std::void_t<typename Set::Rtl>> : std::true_type {};

template <class Kept, class... Sets>
struct WithModel;
template <class... Kept>
struct WithModel<testing::Types<Kept...>> {
  using Type = testing::Types<Kept...>;
};
template <class... Kept, class Set, class... Sets>
struct WithModel<testing::Types<Kept...>, Set, Sets...>
    : std::conditional_t<HasModel<Set>::value, WithModel<testing::Types<Kept..., Set>, Sets...>,
                         WithModel<testing::Types<Kept...>, Sets...>> {};

}  // namespace sets

// testing::Types of the sets that were built: those of full size on request (module_test.cmake).
template <class... Sets>
using ParameterSets = typename sets::WithModel<testing::Types<>, Sets...>::Type;

}  // namespace heddle::test
