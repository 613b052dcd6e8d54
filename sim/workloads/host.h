// SPDX-License-Identifier: Apache-2.0
// What the host programs of the workloads share: typed transfers, arguments, launches, random input, comparison of
// results.
#pragma once

#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "heddle/device_interface.h"
#include "heddle/error.h"
#include "workloads/workload.h"

namespace heddle {

constexpr std::uint32_t kBlockWidth = 16;  // of a block of two dimensions: its rows of threads

// The special functions, correctly rounded, and what the kernels' header makes of the logarithm.
inline float special(double (*function)(double), float x) { return static_cast<float>(function(x)); }
inline float logarithm(float x) { return special(std::log2, x) * 0.693147181f; }

// Deterministic input: the same numbers for a seed on every machine and standard library (std::mt19937_64 is fully
// specified, the distributions of <random> are not).
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  [[nodiscard]] std::uint32_t word() { return static_cast<std::uint32_t>(engine_() >> 32); }
  // Uniform in 0 .. bound-1 (bound > 0).
  [[nodiscard]] std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>((std::uint64_t{word()} * bound) >> 32);
  }
  // Uniform in [low, high), exact in a float.
  [[nodiscard]] float between(float low, float high) {
    return low + (high - low) * (static_cast<float>(word() >> 8) * 0x1p-24f);
  }

 private:
  std::mt19937_64 engine_;
};

// A vector on the device.
template <typename T>
[[nodiscard]] std::uint64_t bytes_of(const std::vector<T>& values) {
  static_assert(std::is_trivially_copyable_v<T>);
  return values.size() * sizeof(T);
}

template <typename T>
[[nodiscard]] Address upload(DeviceInterface& device, const std::vector<T>& values) {
  const Address buffer = device.allocate(bytes_of(values));
  device.write(buffer, values.data(), bytes_of(values));
  return buffer;
}

template <typename T>
[[nodiscard]] std::vector<T> download(DeviceInterface& device, Address buffer, std::size_t count) {
  std::vector<T> values(count);
  device.read(buffer, values.data(), bytes_of(values));
  return values;
}

// Launches with arguments given as C++ values: integers and device addresses as they are, floats flagged as such.
template <typename... Arguments>
void launch(DeviceInterface& device, const std::string& kernel, Dim3 grid, Dim3 block, Arguments... arguments) {
  std::vector<std::uint64_t> words;
  std::uint32_t float_mask = 0;
  const auto add = [&](auto argument) {
    using Argument = decltype(argument);
    static_assert(std::is_same_v<Argument, Address> || std::is_same_v<Argument, float> ||
                  (std::is_integral_v<Argument> && sizeof(Argument) == 4));
    std::uint64_t word = 0;
    std::memcpy(&word, &argument, sizeof argument);
    if constexpr (std::is_same_v<Argument, float>) float_mask |= 1u << words.size();
    words.push_back(word);
  };
  (add(arguments), ...);
  device.launch(kernel, grid, block, words, float_mask);
}

[[nodiscard]] constexpr std::uint32_t blocks_for(std::uint32_t threads, std::uint32_t block) {
  return (threads + block - 1) / block;
}

[[nodiscard]] inline Error wrong_result(const std::string& where, const std::string& got, const std::string& wanted) {
  return Error(ExitStatus::kWrongResult, "result", fmt::format("{} is {}, expected {}", where, got, wanted));
}

// Throws for the first element that differs; `what` is like "bfs: cost".
template <typename T>
void expect_equal(const std::string& what, const std::vector<T>& got, const std::vector<T>& wanted) {
  if (got.size() != wanted.size()) {
    throw wrong_result(what, fmt::format("{} elements long", got.size()), fmt::format("{} elements", wanted.size()));
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != wanted[i])
      throw wrong_result(fmt::format("{}[{}]", what, i), fmt::format("{}", got[i]), fmt::format("{}", wanted[i]));
  }
}

// The same for floats against a reference in double precision: |got - wanted| <= tolerance * max(1, |wanted|). NaN is
// wrong.
inline void expect_close(const std::string& what, const std::vector<float>& got, const std::vector<double>& wanted,
                         double tolerance) {
  if (got.size() != wanted.size()) {
    throw wrong_result(what, fmt::format("{} elements long", got.size()), fmt::format("{} elements", wanted.size()));
  }
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(got[i] - wanted[i]);
    if (!(error <= tolerance * std::fmax(1.0, std::fabs(wanted[i])))) {
      throw wrong_result(fmt::format("{}[{}]", what, i), fmt::format("{:.9g}", got[i]),
                         fmt::format("{:.9g} +- {:.0e}", wanted[i], tolerance));
    }
  }
}

// What a workload's file offers to the registry: its description and how to make it.
template <typename T>
[[nodiscard]] std::unique_ptr<Workload> make(const Settings& settings) {
  return std::make_unique<T>(settings);
}

}  // namespace heddle
